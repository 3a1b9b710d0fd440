"""The trump called, whose holder is the declarer's partner (E7, E13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.bits import nth, popcount, scaled
from tricklab.declaring import CALL_STEP, find_holders
from tricklab.desk import Desk, card_name
from tricklab.games.emperor.facts import Facts
from tricklab.games.emperor.pack import (
    CALLABLE,
    DECK,
    FIRST_TRUMP,
    HIGHEST_CALLED,
    TRUMP,
    TRUMPS,
)
from tricklab.games.emperor.sides import learn
from tricklab.play import Action
from tricklab.table import Table
from tricklab.tricks import kernel

RANK_20 = TRUMPS.index(HIGHEST_CALLED)


@dataclass(frozen=True)
class CallTrump:
    """The declarer calls a trump, whose holder is its partner and says nothing (E13)."""

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether nobody is asked one by one."""
        return desk.uniform("call")

    def run(self, table: Table, desk: Desk) -> None:
        """Ask the declarers."""
        state, facts = table.state, table.extra
        state.seat[:] = table.declarer
        if desk.uniform("call"):
            call_any(
                facts.bound,
                facts.invited,
                facts.shown,
                table.discarded,
                state.hold,
                table.declarer,
                desk.all_words(desk.step(CALL_STEP, table), table),
                table.called,
            )
            self._join(table)
            return
        for asked in desk.ask(table, "call", CALL_STEP, offers=self):
            cards, may = asked.answers(), asked.view.may_call
            known = (cards >= 0) & (cards < DECK.n_cards)
            right = known & may[np.arange(len(cards)), np.where(known, cards, 0)]
            if not right.all():
                bad = int(np.flatnonzero(~right)[0])
                allowed = " ".join(DECK.cards[card] for card in np.flatnonzero(may[bad]))
                clause = "E7" if facts.bound[asked.rows[bad]] else "E13"
                name = card_name(DECK, cards[bad])
                raise asked.illegal(bad, name, f"one of {allowed} ({clause})")
            table.called[asked.rows] = cards
        self._join(table)

    def _join(self, table: Table) -> None:
        state, facts, rules = table.state, table.extra, table.game.rules
        find_holders(rules.suit_of, rules.rank_of, state.hold, table.called, facts.holder)
        facts.holder[facts.holder == table.declarer] = NO_SEAT
        learn(table)
        state.seat[:] = state.leader

    def offers(self, table: Table, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """``legal_call`` (n, n_suits): which cards may be called."""
        facts: Facts = table.extra
        trumps = np.zeros(len(rows), np.uint32)
        call_choices(
            facts.bound,
            facts.invited,
            facts.shown,
            table.discarded,
            table.state.hold,
            table.state.seat,
            rows,
            trumps,
        )
        may = np.zeros((len(rows), DECK.n_suits), np.uint32)
        may[:, TRUMP] = trumps
        return {"legal_call": may}

    def actions(self, table: Table, row: int) -> list[Action]:
        """The trump called."""
        card = DECK.cards[table.called[row]]
        return [{"seat": int(table.declarer[row]), "do": "call", "card": card}]


@kernel
def call_choices(
    bound: NDArray[np.bool_],
    invited: NDArray[np.int16],
    shown: NDArray[np.uint32],
    discarded: NDArray[np.uint32],
    hold: NDArray[np.uint32],
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    out: NDArray[np.uint32],
) -> None:
    """Write the trumps that each declarer asked may call to ``out`` (n,) (E7, E13)."""
    for i in range(rows.size):
        h = rows[i]
        out[i] = _callable(bound, invited, shown, discarded, hold, h, np.int64(seat[h]))


@numba.njit(inline="always")
def _callable(
    bound: NDArray[np.bool_],
    invited: NDArray[np.int16],
    shown: NDArray[np.uint32],
    discarded: NDArray[np.uint32],
    hold: NDArray[np.uint32],
    h: int,
    declarer: int,
) -> Any:
    """The trumps that the declarer of hand h may call."""
    away = np.uint32(0)
    for s in range(shown.shape[1]):
        if s != declarer:
            away |= shown[h, s]
    if bound[h]:
        out = np.uint32(1) << np.uint32(invited[h] - FIRST_TRUMP)
    elif away:
        out = np.uint32(CALLABLE)
    else:
        own = hold[h, declarer, TRUMP] | discarded[h, declarer, TRUMP]
        rank = RANK_20
        while (own >> np.uint32(rank)) & np.uint32(1):
            rank -= 1
        out = np.uint32(1) << np.uint32(rank)
    return out


@kernel
def call_any(
    bound: NDArray[np.bool_],
    invited: NDArray[np.int16],
    shown: NDArray[np.uint32],
    discarded: NDArray[np.uint32],
    hold: NDArray[np.uint32],
    declarer: NDArray[np.int8],
    words: NDArray[np.uint32],
    called: NDArray[np.int16],
) -> None:
    """Let every declarer call any trump that it may, each as likely; ``called`` is written.

    ``words`` (P, H) is a random word a seat.
    """
    for h in range(declarer.size):
        if declarer[h] != NO_SEAT:
            seat = np.int64(declarer[h])
            may = _callable(bound, invited, shown, discarded, hold, h, seat)
            called[h] = FIRST_TRUMP + nth(may, scaled(words[seat, h], popcount(may)))
