"""What a declarer says before play: which suit is trumps, and who is its partner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_SEAT
from tricklab.desk import Desk, card_name
from tricklab.play import Action
from tricklab.table import Table

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
            known = (cards >= 0) & (cards < table.game.deck.n_cards)
            may = known & asked.view.may_call[np.arange(len(cards)), np.where(known, cards, 0)]
            wrong = np.flatnonzero(~may & (cards != ALONE))
            if len(wrong):
                bad = int(wrong[0])
                allowed = f"{ALONE} to play alone, or a card neither held nor discarded"
                raise asked.illegal(
                    bad, card_name(table.game.deck, cards[bad]), f"{allowed} ({self.clause})"
                )
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
    hands = np.flatnonzero(table.called != ALONE)
    partner = holder(table, hands, table.called[hands])
    table.partner[hands] = partner
    declarer = table.declarer[hands]
    side = (1 << declarer.astype(np.int64) | 1 << partner.astype(np.int64))[:, None]
    everyone = (1 << table.game.players) - 1
    member = side >> np.arange(table.game.players) & 1
    table.sides[hands] = np.where(member == 1, side, everyone & ~side)


def holder(table: Table, hands: NDArray[np.int64], cards: NDArray[np.int16]) -> NDArray[np.int8]:
    """The seat that holds a card in each of some hands, ``NO_SEAT`` where none does."""
    deck = table.game.deck
    bit = np.uint32(1) << deck.rank_of[cards].astype(np.uint32)
    has = (table.state.hold[hands, :, deck.suit_of[cards]] & bit[:, None]) != 0
    return np.where(has.any(axis=1), has.argmax(axis=1), NO_SEAT).astype(np.int8)
