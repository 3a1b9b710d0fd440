"""What happens to holdings before play: cards given, a stock taken up, discards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT, NOTHING
from tricklab.cards import Deck
from tricklab.desk import Asked, Desk, card_name
from tricklab.play import Action
from tricklab.table import Table
from tricklab.tricks import kernel

GIVE_STEP = 0
"""Random step of the give; part of the definition of a run, as is the next."""

DISCARD_STEP = 1
"""Random step of the declarer's discard."""


@dataclass(frozen=True)
class Give:
    """Every seat gives cards to the player on its left, all at the same moment (J14)."""

    count: int

    def run(self, table: Table, desk: Desk) -> None:
        """Ask every seat, from the dealer on, then move the cards."""
        state, players = table.state, table.game.players
        for turn in range(players):
            state.seat[:] = (table.dealer + turn) % players
            for asked in desk.ask(table, "give", GIVE_STEP):
                _set_apart(table, asked, asked.answers(self.count), table.given, "J14")
        state.hold[:] = (state.hold & ~table.given) | np.roll(table.given, 1, axis=1)
        state.seat[:] = state.leader

    def actions(self, table: Table, row: int) -> list[Action]:
        """A gift a seat, clockwise from the dealer."""
        players, dealer = table.game.players, int(table.dealer[row])
        seats = [(dealer + turn) % players for turn in range(players)]
        cards_in = table.game.deck.cards_in
        return [{"seat": s, "do": "give", "cards": cards_in(table.given[row, s])} for s in seats]


@dataclass(frozen=True)
class Exchange:
    """The declarer takes up the whole stock and discards as many cards (J23).

    Attributes
    ----------
    count : int
        Cards in the stock.
    clause : str
        The clause that says so.
    """

    count: int
    clause: str

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether nobody looks at hands that are over."""
        return desk.uniform("discard")

    def run(self, table: Table, desk: Desk) -> None:
        """Take up the stock, ask the declarers, take their discards away."""
        state = table.state
        state.seat[:] = table.declarer
        _take_up(table, np.full(table.hands, self.count, np.int8))
        for asked in desk.ask(table, "discard", DISCARD_STEP):
            _set_apart(table, asked, asked.answers(self.count), table.discarded, self.clause)
        state.hold[:] &= ~table.discarded
        state.seat[:] = state.leader

    def actions(self, table: Table, row: int) -> list[Action]:
        """The declarer's discard."""
        return [_discard(table, row)]


@dataclass(frozen=True)
class Swap:
    """The declarer discards as many cards as it likes and then takes as many off the stock (T6).

    Attributes
    ----------
    most : int
        The most cards it may exchange; 0 where there is nothing to take.
    clause : str
        The clause that says so.
    """

    most: int
    clause: str

    def run(self, table: Table, desk: Desk) -> None:
        """Ask the declarers, take their discards away, then let them draw."""
        state = table.state
        state.seat[:] = table.declarer
        if not self.most:
            desk.pass_over("discard", table)
        for asked in desk.ask(table, "discard", DISCARD_STEP) if self.most else ():
            cards = asked.answers(self.most)
            _set_apart(table, asked, cards, table.discarded, self.clause, fewer=True)
            table.exchanged[asked.rows] = np.count_nonzero(cards != NOTHING, axis=1)
        state.hold[:] &= ~table.discarded
        _take_up(table, table.exchanged)
        state.seat[:] = state.leader

    def actions(self, table: Table, row: int) -> list[Action]:
        """What the declarer discarded, if there was anything to exchange."""
        return [_discard(table, row)] if self.most else []


def _discard(table: Table, row: int) -> Action:
    """The declarer's discard as hand histories tell it."""
    seat = int(table.declarer[row])
    cards = table.game.deck.cards_in(table.discarded[row, seat])
    return {"seat": seat, "do": "discard", "cards": cards}


def _set_apart(
    table: Table,
    asked: Asked,
    cards: NDArray[np.int16],
    apart: NDArray[np.uint32],
    clause: str,
    fewer: bool = False,
) -> None:
    """Note the cards that the seats asked put away, or raise if they may not.

    ``fewer`` is whether an answer may be filled up with ``NOTHING``.
    """
    rules, state = table.game.rules, table.state
    bad = accept_apart(
        rules.suit_of, rules.rank_of, state.hold, state.seat, asked.rows, cards, apart, fewer
    )
    if bad >= 0:
        deck: Deck = table.game.deck
        row = asked.rows[bad]
        names = " ".join(card_name(deck, card) for card in cards[bad])
        holding = " ".join(deck.cards_in(state.hold[row, state.seat[row]]))
        most = f"up to {cards.shape[1]}" if fewer else f"{cards.shape[1]}"
        allowed = f"{most} different cards of {holding} ({clause})"
        raise asked.illegal(bad, names, allowed)


def _take_up(table: Table, count: NDArray[np.int8]) -> None:
    """Put so many cards (H,) off the top of the stock into the declarers' holdings."""
    rules = table.game.rules
    take_up(rules.suit_of, rules.rank_of, table.stock, count, table.declarer, table.state.hold)


@kernel
def take_up(
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    stock: NDArray[np.uint8],
    count: NDArray[np.int8],
    seat: NDArray[np.int8],
    hold: NDArray[np.uint32],
) -> None:
    """Add ``count`` (H,) cards off the top of the stock (H, n) to a seat's holding in each hand.

    Where the seat is ``NO_SEAT`` nobody takes any.
    """
    for h in range(seat.size):
        if seat[h] == NO_SEAT:
            continue
        for place in range(count[h]):
            card = stock[h, place]
            hold[h, seat[h], suit_of[card]] |= np.uint32(1) << np.uint32(rank_of[card])


@kernel
def accept_apart(
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    hold: NDArray[np.uint32],
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    cards: NDArray[np.int16],
    apart: NDArray[np.uint32],
    fewer: bool,
) -> int:
    """Note the cards (n, count) that the seats whose turn it is put away in ``apart`` (H, P, S).

    ``fewer`` is whether a card may be ``NOTHING``.  Returns -1, or the first position whose cards
    are not all different cards held.
    """
    for i in range(rows.size):
        h = rows[i]
        p = seat[h]
        for card in cards[i]:
            if fewer and card == NOTHING:
                continue
            if card < 0 or card >= suit_of.size:
                return i
            s = suit_of[card]
            bit = np.uint32(1) << np.uint32(rank_of[card])
            if not hold[h, p, s] & bit or apart[h, p, s] & bit:
                return i
            apart[h, p, s] |= bit
    return -1
