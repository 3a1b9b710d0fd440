"""What is said before play: the trump called, bonuses announced, and contras (E13-E16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.declaring import CALL_STEP, find_holders
from tricklab.desk import Asked, Desk, card_name
from tricklab.games.emperor.bonuses import (
    ALL_BONUSES,
    CLAIMS,
    GAME,
    NAMES,
    NOT_WITH_SLAM,
    SLAM,
    SPARROW,
    named,
)
from tricklab.games.emperor.facts import ROUNDS, Facts
from tricklab.games.emperor.pack import (
    CALLABLE,
    DECK,
    FIRST_TRUMP,
    HIGHEST_CALLED,
    JUGGLER,
    PLAYERS,
    TRUMP,
    TRUMPS,
)
from tricklab.games.emperor.sides import learn
from tricklab.play import Action
from tricklab.table import Table
from tricklab.tricks import kernel

ANNOUNCE_STEP = 5
"""Random step of announcements; part of the definition of a run, as is the next."""

CONTRA_STEP = 6
"""Random step of the first round of contras; round *r* (from 0) is step ``CONTRA_STEP + r``."""

RANK_20 = TRUMPS.index(HIGHEST_CALLED)


@dataclass(frozen=True)
class CallTrump:
    """The declarer calls a trump, whose holder is its partner and says nothing (E13)."""

    def run(self, table: Table, desk: Desk) -> None:
        """Ask the declarers."""
        state, facts = table.state, table.extra
        state.seat[:] = table.declarer
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
        rules = table.game.rules
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
        declarer = seat[h]
        if bound[h]:
            out[i] = np.uint32(1) << np.uint32(invited[h] - FIRST_TRUMP)
            continue
        away = np.uint32(0)
        for s in range(shown.shape[1]):
            if s != declarer:
                away |= shown[h, s]
        if away:
            out[i] = CALLABLE
            continue
        own = hold[h, declarer, TRUMP] | discarded[h, declarer, TRUMP]
        rank = RANK_20
        while (own >> np.uint32(rank)) & np.uint32(1):
            rank -= 1
        out[i] = np.uint32(1) << np.uint32(rank)


@dataclass(frozen=True)
class Announce:
    """From the declarer on, each may announce bonuses for its side (E15)."""

    def run(self, table: Table, desk: Desk) -> None:
        """Ask every seat in turn."""
        state, facts = table.state, table.extra
        for turn in range(PLAYERS):
            state.seat[:] = (table.declarer + turn) % PLAYERS
            for asked in desk.ask(table, "announce", ANNOUNCE_STEP, offers=self):
                said = asked.sets()
                self._check(asked, said)
                seat = state.seat[asked.rows]
                facts.announced[asked.rows, seat] = said
                banned = np.where(said >> SPARROW & 1, JUGGLER, 0)
                state.banned[asked.rows, seat] = banned.astype(np.uint32)
        state.seat[:] = state.leader

    def _check(self, asked: Asked, said: NDArray[np.int64]) -> None:
        may = asked.view.offers["may_announce"]
        bad = np.flatnonzero(excluded(said, may))
        if not len(bad):
            return
        i = int(bad[0])
        names = " ".join(named(int(may[i]), NAMES))
        clause = "E21" if 0 <= said[i] <= ALL_BONUSES else "E22"
        raise asked.illegal(
            i,
            f"{said[i]} ({' '.join(named(int(said[i]), NAMES))})",
            f"a set of {names} as bits; neither honours nor kings beside slam ({clause})",
        )

    def offers(self, table: Table, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """``may_announce`` (n,): bonuses each seat may announce, a set as bits (E21).

        Slam and any of Honours and Kings may not stand in one answer.
        """
        facts: Facts = table.extra
        declarer = table.declarer[rows]
        slam = facts.announced[rows, declarer] >> SLAM & 1 > 0
        barred = slam & holds_called(table, rows) & (table.state.seat[rows] != declarer)
        return {"may_announce": np.where(barred, ALL_BONUSES & ~NOT_WITH_SLAM, ALL_BONUSES)}

    def actions(self, table: Table, row: int) -> list[Action]:
        """What each seat announced."""
        out: list[Action] = []
        for turn in range(PLAYERS):
            seat = (int(table.declarer[row]) + turn) % PLAYERS
            names = named(int(table.extra.announced[row, seat]), NAMES)
            out.append({"seat": seat, "do": "announce", "bonuses": names})
        return out


@dataclass(frozen=True)
class Contras:
    """Three rounds from the declarer's left: Contra, Re-Contra, Sub-Contra (E14, E16)."""

    def run(self, table: Table, desk: Desk) -> None:
        """Ask whoever may speak, in turn."""
        state, facts = table.state, table.extra
        for r in range(len(ROUNDS)):
            for turn in range(1, PLAYERS + 1):
                state.seat[:] = (table.declarer + turn) % PLAYERS
                rows = np.arange(table.hands)
                may, _ = self._claims(table, rows, r)
                desk.pass_over(ROUNDS[r], table, np.flatnonzero(may == 0))
                rows = np.flatnonzero(may)
                if not len(rows):
                    continue
                step, offers = CONTRA_STEP + r, _Round(self, r)
                for asked in desk.ask(table, "contra", step, rows, offers=offers):
                    said = asked.sets()
                    self._check(asked, said, r)
                    facts.said[asked.rows, r, state.seat[asked.rows]] = said
                if r == 0:
                    # Who says Contra is known to be a defender.
                    learn(table)
        state.seat[:] = state.leader

    def _check(self, asked: Asked, said: NDArray[np.int64], r: int) -> None:
        may, must = (asked.view.offers[name] for name in ("may_contra", "must_contra"))
        bad = np.flatnonzero((said & ~may != 0) | (must & ~said != 0))
        if not len(bad):
            return
        i = int(bad[0])
        names = " ".join(named(int(may[i]), CLAIMS))
        allowed = f"a set of {names} as bits ({ROUNDS[r]}, E16)"
        if must[i] & ~said[i]:
            allowed = (
                f"a set with the hand in it: the card called is in its discard (E14), {allowed}"
            )
        raise asked.illegal(i, f"{said[i]} ({' '.join(named(int(said[i]), CLAIMS))})", allowed)

    def _claims(
        self, table: Table, rows: NDArray[np.int64], r: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        facts: Facts = table.extra
        may, must = np.zeros((2, len(rows)), np.int64)
        claims(
            facts.announced,
            facts.said,
            facts.shown,
            table.called,
            table.declarer,
            table.state.hold,
            table.state.seat,
            rows,
            r,
            may,
            must,
        )
        return may, must

    def actions(self, table: Table, row: int) -> list[Action]:
        """Who spoke against what, round by round."""
        out: list[Action] = []
        for r, do in enumerate(ROUNDS):
            for turn in range(1, PLAYERS + 1):
                seat = (int(table.declarer[row]) + turn) % PLAYERS
                said = named(int(table.extra.said[row, r, seat]), CLAIMS)
                if said:
                    out.append({"seat": seat, "do": do, "claims": said})
        return out


@dataclass(frozen=True)
class _Round:
    """One of the rounds of contras, as it is asked."""

    contras: Contras
    number: int

    def offers(self, table: Table, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """What may be said, and what must be: claims as bits; and the round, from 0."""
        may, must = self.contras._claims(table, rows, self.number)
        number = np.full(len(rows), self.number, np.int8)
        return {"may_contra": may, "must_contra": must, "contra_round": number}


def excluded(said: Any, may: Any) -> Any:
    """Whether sets of bonuses may not be announced: not offered, or beside Slam (E21)."""
    beside = (said >> SLAM & 1 > 0) & (said & NOT_WITH_SLAM > 0)
    return (said & ~may != 0) | beside


@kernel
def claims(
    announced: NDArray[np.int64],
    said: NDArray[np.int64],
    shown: NDArray[np.uint32],
    called: NDArray[np.int16],
    declarer: NDArray[np.int8],
    hold: NDArray[np.uint32],
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    r: int,
    may: NDArray[np.int64],
    must: NDArray[np.int64],
) -> None:
    """Write against which claims each seat asked may and must speak in a round (E14, E16).

    Claims that have been spoken against in the round already are not open again.
    """
    for i in range(rows.size):
        h = rows[i]
        p = seat[h]
        spoken = np.int64(0)
        for s in range(announced.shape[1]):
            spoken |= said[h, r, s]
        if r > 0:
            before = np.int64(0)
            for s in range(announced.shape[1]):
                before |= said[h, r - 1, s]
            may[i] = before & ~spoken
            continue
        bit = np.uint32(1) << np.uint32(called[h] - FIRST_TRUMP)
        if p == declarer[h] or hold[h, p, TRUMP] & bit:
            continue
        others = np.int64(0)
        for s in range(announced.shape[1]):
            if s != p:
                others |= announced[h, s]
        game = np.int64(1) << GAME
        may[i] = (game | others << 1) & ~spoken
        if shown[h, p] & bit:
            must[i] = game & ~spoken


def holds_called(table: Table, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the seats whose turn it is hold the card called, (n,)."""
    bit = np.uint32(1) << (table.called[rows] - FIRST_TRUMP).astype(np.uint32)
    held: NDArray[np.bool_] = (table.state.hold[rows, table.state.seat[rows], TRUMP] & bit) != 0
    return held
