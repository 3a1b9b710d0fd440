"""What a declarer says before play: which suit is trumps, and who is its partner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_SEAT, set_sides
from tricklab.desk import Desk, card_name
from tricklab.play import Action
from tricklab.table import Table
from tricklab.tricks import kernel

TRUMPS_STEP = 2
"""Random step in which trumps are named; part of the definition of a run, as is the next."""

CALL_STEP = 3
"""Random step of the call of a partner."""


@dataclass(frozen=True)
class Trumps:
    """The declarer names a suit trumps (K4).

    Attributes
    ----------
    clause : str
        The clause that says so.
    """

    clause: str

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether nobody looks at hands that are over."""
        return desk.uniform("trumps")

    def run(self, table: Table, desk: Desk) -> None:
        """Ask the declarers and make their suits trumps."""
        state, suits = table.state, table.game.deck.suits
        state.seat[:] = table.declarer
        for asked in desk.ask(table, "trumps", TRUMPS_STEP):
            named = asked.answers()
            wrong = np.flatnonzero((named < 0) | (named >= len(suits)))
            if len(wrong):
                letters = ", ".join(f"{i} ({suit.letter})" for i, suit in enumerate(suits))
                bad = int(wrong[0])
                raise asked.illegal(
                    bad, f"suit number {named[bad]}", f"one of {letters} ({self.clause})"
                )
            state.trump[asked.rows] = named
        state.seat[:] = state.leader

    def actions(self, table: Table, row: int) -> list[Action]:
        """The suit named."""
        suit = table.game.deck.suits[table.state.trump[row]]
        return [{"seat": int(table.declarer[row]), "do": "trumps", "suit": suit.letter}]


@dataclass(frozen=True)
class Call:
    """The declarer calls the holder of a card for a partner, or plays alone (K5).

    The card's holder shows it at once, so that all know the sides.

    Attributes
    ----------
    clause : str
        The clause that says so.
    alone : bool
        Whether it must play alone.
    """

    clause: str
    alone: bool = False

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether nobody looks at hands that are over."""
        return desk.uniform("call")

    def run(self, table: Table, desk: Desk) -> None:
        """Ask the declarers and set the sides."""
        state = table.state
        state.seat[:] = table.declarer
        if self.alone:
            desk.pass_over("call", table)
            state.seat[:] = state.leader
            return
        for asked in desk.ask(table, "call", CALL_STEP):
            cards = asked.answers()
            deck = table.game.deck
            known = (cards >= 0) & (cards < deck.n_cards)
            card = np.where(known, cards, 0)
            suit, rank = deck.suit_of[card], deck.rank_of[card].astype(np.uint32)
            legal = asked.view.legal_call[np.arange(len(cards)), suit]
            may = known & (legal >> rank & 1 != 0)
            wrong = np.flatnonzero(~may & (cards != ALONE))
            if len(wrong):
                bad = int(wrong[0])
                allowed = f"{ALONE} to play alone, or a card neither held nor discarded"
                raise asked.illegal(bad, card_name(deck, cards[bad]), f"{allowed} ({self.clause})")
            table.called[asked.rows] = cards
        join_partner(table)
        state.seat[:] = state.leader

    def actions(self, table: Table, row: int) -> list[Action]:
        """The card called, if there was a choice."""
        if self.alone:
            return []
        card = int(table.called[row])
        said = "alone" if card == ALONE else table.game.deck.cards[card]
        return [{"seat": int(table.declarer[row]), "do": "call", "card": said}]


def join_partner(table: Table) -> None:
    """Set the holders of the called cards on the declarers' sides, against all others."""
    rules = table.game.rules
    find_holders(rules.suit_of, rules.rank_of, table.state.hold, table.called, table.partner)
    set_sides(table.declarer, table.partner, table.sides)


@kernel
def find_holders(
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    hold: NDArray[np.uint32],
    cards: NDArray[np.int16],
    seats: NDArray[np.int8],
) -> None:
    """Write who holds a card (H,) to ``seats`` (H,), ``NO_SEAT`` where nobody or none is called."""
    for h in range(cards.size):
        seats[h] = NO_SEAT
        if cards[h] == ALONE:
            continue
        for seat in range(hold.shape[1]):
            if (hold[h, seat, suit_of[cards[h]]] >> np.uint32(rank_of[cards[h]])) & 1:
                seats[h] = seat
