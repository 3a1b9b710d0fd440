"""A batch of hands in progress, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import NO_SUIT
from tricklab.dealing import Deal
from tricklab.trick_data import NO_CARD, NO_VALUE, Legal, State

if TYPE_CHECKING:
    from tricklab.games.base import Game


class Table:
    """H hands of one game, all at the same decision.

    Attributes
    ----------
    game : Game
        The game played.
    dealer : int8 (H,)
        Each hand's dealer.
    pack : uint8 (H, n_cards)
        Each hand's shuffled pack; what follows the dealt cards is the stock.
    dealt, given, start : uint32 (H, P, S)
        Holdings as dealt, cards given away, and holdings with which play began.
    state : State
        Where each hand stands now.
    legal : Legal
        What the seats whose turn it is may answer, once computed.
    trick, position : int
        Completed tricks, and cards on the table in the current one.
    cards : uint8 (T, H, P), played_as : int8 (T, H, P)
        Card played by each seat in each trick (``NO_CARD`` before) and the suit it was played as.
    choices : int16 (T, H, P) or None
        Number of legal answers at each play, where asked for.
    leaders, winners, trumps, leads : int8 (T, H)
        What each trick's seats and suits were.
    worthless : int8 (H,)
        Tricks in which no card had a value.
    """

    def __init__(self, deal: Deal, tricks: int, *, choices: bool = False) -> None:
        game = deal.game
        hands, seats, suits = deal.hold.shape
        self.game: Game = game
        self.dealer = deal.dealer
        self.pack = deal.pack
        self.dealt = deal.hold
        self.given = np.zeros_like(deal.hold)
        self.start = deal.hold
        self.trick = 0
        self.position = 0
        self.state = State(
            hold=deal.hold.copy(),
            played=np.zeros((hands, suits), np.uint32),
            voids=np.zeros((hands, seats), np.uint16),
            seat=game.first_seat(deal.dealer),
            leader=game.first_seat(deal.dealer),
            trump=np.full(hands, game.trump, np.int8),
            lead=np.full(hands, NO_SUIT, np.int8),
            best_seat=np.zeros(hands, np.int8),
            best_suit=np.full(hands, NO_SUIT, np.int8),
            best_strength=np.full(hands, NO_VALUE, np.int16),
            broken=np.zeros(hands, np.int8),
            tricks=np.zeros((hands, seats), np.int8),
            saves=np.zeros((hands, seats), np.int8),
            forced=np.zeros((hands, seats), np.int8),
        )
        self.legal = _blank_legal(hands, suits)
        self.cards = np.full((tricks, hands, seats), NO_CARD, np.uint8)
        self.played_as = np.full((tricks, hands, seats), NO_SUIT, np.int8)
        self.choices = np.zeros((tricks, hands, seats), np.int16) if choices else None
        self.leaders = np.zeros((tricks, hands), np.int8)
        self.winners = np.zeros((tricks, hands), np.int8)
        self.trumps = np.full((tricks, hands), NO_SUIT, np.int8)
        self.leads = np.full((tricks, hands), NO_SUIT, np.int8)
        self.worthless = np.zeros(hands, np.int8)

    @property
    def hands(self) -> int:
        """Number of hands, H."""
        return len(self.dealer)

    @property
    def tricks(self) -> int:
        """Number of tricks in a hand, T."""
        return len(self.cards)

    def take(self, rows: NDArray[np.integer] | slice) -> Table:
        """A new, independent table of the chosen hands, which may be repeated.

        Parameters
        ----------
        rows : index
            Any NumPy index over the hands; repeating a hand widens the table, as rollouts do.
        """
        index = np.arange(self.hands)[rows]
        new = object.__new__(Table)
        new.game, new.trick, new.position = self.game, self.trick, self.position
        for name in ("dealer", "pack", "dealt", "given", "start", "worthless"):
            setattr(new, name, getattr(self, name)[index])
        for name in ("cards", "played_as", "leaders", "winners", "trumps", "leads"):
            setattr(new, name, getattr(self, name)[:, index])
        new.choices = None if self.choices is None else self.choices[:, index]
        new.state = State._make(array[index] for array in self.state)
        new.legal = Legal._make(array[index] for array in self.legal)
        return new

    def copy(self) -> Table:
        """A new, independent table of the same hands."""
        return self.take(slice(None))


def _blank_legal(hands: int, suits: int) -> Legal:
    return Legal(
        own=np.zeros((hands, suits), np.uint32),
        printed=np.zeros((hands, suits), np.uint32),
        other=np.zeros((hands, suits), np.uint32),
        names=np.zeros(hands, np.uint16),
        count=np.zeros(hands, np.int16),
    )
