"""Dealing: one shuffled pack a hand, dealt round the table one card at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import scaled
from tricklab.rng import Purpose, Streams
from tricklab.tricks import kernel

if TYPE_CHECKING:
    from tricklab.games.base import Game
    from tricklab.table import Table


@dataclass(frozen=True)
class Deal:
    """Dealt packs of a run of hands.

    Attributes
    ----------
    game : Game
        The game dealt for.
    pack : uint8 (hands, n_cards)
        Each hand's shuffled pack; card *j* goes to seat ``j % players`` until each seat has
        ``cards_each``.
    hold : uint32 (hands, players, n_suits)
        The dealt holdings.
    dealer : int8 (hands,)
        Each hand's dealer.
    """

    game: Game
    pack: NDArray[np.uint8]
    hold: NDArray[np.uint32]
    dealer: NDArray[np.int8]

    def holdings(self, hand: int) -> list[list[str]]:
        """One hand's holdings in notation, a list a seat."""
        return [self.game.deck.cards_in(masks) for masks in self.hold[hand]]

    def set_aside(self, hand: int) -> list[str]:
        """One hand's undealt cards in notation, top first."""
        dealt = self.game.cards_each * self.game.players
        return [self.game.deck.cards[card] for card in self.pack[hand, dealt:]]


def deal_block(game: Game, streams: Streams, first: int, hands: int) -> Deal:
    """Shuffle and deal one block.

    The order of the pack depends on the seed, the block and the size of the pack alone, and
    cards go round the table singly, so variants that deal fewer cards deal fewer of the same.

    Parameters
    ----------
    game : Game
        Gives the deck, the number of players and of cards each.
    streams : Streams
        The block's random streams.
    first : int
        Number of the block's first hand within the run; the dealer of hand *i* is seat
        ``i % players`` (J4).
    hands : int
        How many hands.
    """
    n_cards = game.deck.n_cards
    words = streams.words(Purpose.DEAL, 0, hands * n_cards).reshape(hands, n_cards)
    pack = np.empty((hands, n_cards), dtype=np.uint8)
    hold = np.zeros((hands, game.players, game.deck.n_suits), dtype=np.uint32)
    shuffle_and_deal(words, game.cards_each, game.rules.suit_of, game.rules.rank_of, pack, hold)
    dealer = ((first + np.arange(hands)) % game.players).astype(np.int8)
    return Deal(game, pack, hold, dealer)


def again(table: Table, streams: Streams) -> Table:
    """Hands dealt anew by the same dealers, after being thrown in (E12).

    The words come from a stream of their own, by each hand's place in the block and by how often
    it has been dealt, so that no other hand's cards are shifted.

    Parameters
    ----------
    table : Table
        Hands that were thrown in.
    streams : Streams
        The block's random streams.
    """
    game, attempt = table.game, table.attempt + 1
    n_cards = game.deck.n_cards
    pack = np.empty((table.hands, n_cards), np.uint8)
    hold = np.zeros((table.hands, game.players, game.deck.n_suits), np.uint32)
    words = streams.sparse(Purpose.REDEAL, 1, attempt, table.origin, n_cards)
    words = words.reshape(table.hands, n_cards)
    shuffle_and_deal(words, game.cards_each, game.rules.suit_of, game.rules.rank_of, pack, hold)
    deal = Deal(game, pack, hold, table.dealer.copy())
    new = type(table)(deal, table.tricks, choices=table.choices is not None)
    new.origin, new.block, new.attempt = table.origin.copy(), table.block, attempt
    for name in ("standing", "round", "carried"):
        setattr(new, name, getattr(table, name).copy())
    return new


@kernel
def shuffle_and_deal(
    words: NDArray[np.uint32],
    cards_each: int,
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    pack: NDArray[np.uint8],
    hold: NDArray[np.uint32],
) -> None:
    """Fisher-Yates shuffle of each hand's pack, dealt round the table; writes pack and hold.

    A position is a scaled 32-bit word; its bias is below n_cards / 2**32, about 2e-8.
    """
    n_hands, n_cards = pack.shape
    n_seats = hold.shape[1]
    for h in range(n_hands):
        for j in range(n_cards):
            pack[h, j] = j
        for j in range(n_cards - 1):
            k = j + scaled(words[h, j], n_cards - j)
            card = pack[h, k]
            pack[h, k] = pack[h, j]
            pack[h, j] = card
        seat = 0
        for j in range(cards_each * n_seats):
            card = pack[h, j]
            hold[h, seat, suit_of[card]] |= np.uint32(1) << np.uint32(rank_of[card])
            seat = seat + 1 if seat + 1 < n_seats else 0
