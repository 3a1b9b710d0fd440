"""What is claimed before play: bonuses announced, and contras (E14-E16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.desk import Asked, Desk
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
    FIRST_TRUMP,
    JUGGLER,
    PLAYERS,
    TRUMP,
)
from tricklab.games.emperor.sides import learn
from tricklab.play import Action
from tricklab.table import Table
from tricklab.tricks import kernel
from tricklab.uniform import any_set, up_to_two

ANNOUNCE_STEP = 5
"""Random step of announcements; part of the definition of a run, as is the next."""

CONTRA_STEP = 6
"""Random step of the first round of contras; round *r* (from 0) is step ``CONTRA_STEP + r``."""


@dataclass(frozen=True)
class Announce:
    """From the declarer on, each may announce bonuses for its side (E15)."""

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether the phase is one kernel."""
        return desk.uniform("announce")

    def run(self, table: Table, desk: Desk) -> None:
        """Ask every seat in turn."""
        state, facts = table.state, table.extra
        if desk.uniform("announce"):
            step = desk.step(ANNOUNCE_STEP, table)
            announce_uniformly(
                table.declarer,
                facts.holder,
                *(desk.all_words(step, table, draw) for draw in range(2)),
                facts.announced,
                state.banned,
            )
            return
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


@kernel
def announce_uniformly(
    declarer: NDArray[np.int8],
    holder: NDArray[np.int8],
    one: NDArray[np.uint32],
    other: NDArray[np.uint32],
    announced: NDArray[np.int64],
    banned: NDArray[np.uint32],
) -> None:
    """Let every seat in turn announce up to two bonuses; see :func:`up_to_two`.

    ``one`` and ``other`` (P, H) are random words; ``announced`` and ``banned`` (H, P) are written.
    """
    players = announced.shape[1]
    slam = np.int64(1) << SLAM
    for h in range(declarer.size):
        for turn in range(players):
            p = (declarer[h] + turn) % players
            if declarer[h] == NO_SEAT:
                break
            may = np.int64(ALL_BONUSES)
            # The holder of the card called knows of the declarer's Slam (E21).
            if p == holder[h] and announced[h, declarer[h]] & slam:
                may &= ~np.int64(NOT_WITH_SLAM)
            said = up_to_two(may, slam, NOT_WITH_SLAM, one[p, h], other[p, h])
            announced[h, p] = said
            banned[h, p] = JUGGLER if (said >> SPARROW) & 1 else 0


@dataclass(frozen=True)
class Contras:
    """Three rounds from the declarer's left: Contra, Re-Contra, Sub-Contra (E14, E16)."""

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether the phase is a kernel a round."""
        return desk.uniform("contra")

    def run(self, table: Table, desk: Desk) -> None:
        """Ask whoever may speak, in turn."""
        state, facts = table.state, table.extra
        if desk.uniform("contra"):
            self._run_uniformly(table, desk)
            return
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

    def _run_uniformly(self, table: Table, desk: Desk) -> None:
        """What asking each seat would give, in one kernel a round."""
        facts: Facts = table.extra
        for r in range(len(ROUNDS)):
            step = desk.step(CONTRA_STEP + r, table)
            contra_uniformly(
                facts.announced,
                facts.said,
                facts.shown,
                table.called,
                table.declarer,
                table.state.hold,
                r,
                *(desk.all_words(step, table, draw) for draw in range(2)),
            )
        learn(table)

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
        may[i], must[i] = _claims_of(
            announced, said, shown, called, declarer, hold, h, np.int64(seat[h]), r
        )


@numba.njit(inline="always")
def _claims_of(
    announced: NDArray[np.int64],
    said: NDArray[np.int64],
    shown: NDArray[np.uint32],
    called: NDArray[np.int16],
    declarer: NDArray[np.int8],
    hold: NDArray[np.uint32],
    h: int,
    p: int,
    r: int,
) -> tuple[Any, Any]:
    """Against which claims seat p of hand h may and must speak in round r."""
    may, must = np.int64(0), np.int64(0)
    spoken, before, others = np.int64(0), np.int64(0), np.int64(0)
    for s in range(announced.shape[1]):
        spoken |= said[h, r, s]
        before |= said[h, max(r - 1, 0), s]
        if s != p:
            others |= announced[h, s]
    bit = np.uint32(1) << np.uint32(called[h] - FIRST_TRUMP)
    if r > 0:
        may = before & ~spoken
    elif p != declarer[h] and hold[h, p, TRUMP] & bit == 0:
        game = np.int64(1) << GAME
        may = (game | others << 1) & ~spoken
        if shown[h, p] & bit:
            must = game & ~spoken
    return may, must


@kernel
def contra_uniformly(
    announced: NDArray[np.int64],
    said: NDArray[np.int64],
    shown: NDArray[np.uint32],
    called: NDArray[np.int16],
    declarer: NDArray[np.int8],
    hold: NDArray[np.uint32],
    r: int,
    high: NDArray[np.uint32],
    low: NDArray[np.uint32],
) -> None:
    """Let every seat in turn speak in round r against any claims that it may; ``said`` is written.

    ``high`` and ``low`` (P, H) are random words.
    """
    players = announced.shape[1]
    for h in range(declarer.size):
        for turn in range(1, players + 1):
            p = (np.int64(declarer[h]) + turn) % players
            if declarer[h] == NO_SEAT:
                break
            may, must = _claims_of(announced, said, shown, called, declarer, hold, h, p, r)
            said[h, r, p] = any_set(high[p, h], low[p, h]) & may | must


def holds_called(table: Table, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the seats whose turn it is hold the card called, (n,)."""
    bit = np.uint32(1) << (table.called[rows] - FIRST_TRUMP).astype(np.uint32)
    held: NDArray[np.bool_] = (table.state.hold[rows, table.state.seat[rows], TRUMP] & bit) != 0
    return held
