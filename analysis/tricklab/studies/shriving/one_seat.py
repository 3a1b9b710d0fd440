"""What the choice of the gift is worth: one seat choosing in several ways, all else the same.

The seat plays on as before, and the other seats give and play as before: restricted play.  All ways
are played on the same deals and compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import stats
from tricklab.bidding import NO_SEAT
from tricklab.games import Game, game
from tricklab.policies import Gives, Policy, policy
from tricklab.simulation import run_blocks
from tricklab.studies.rows import FEWEST, row
from tricklab.studies.shriving.common import GIVEN, TABLE, FloatArray, Rows, joined
from tricklab.studies.shriving.gifts import SHAPES, WAYS, shape
from tricklab.table import Table

GIVER, RECEIVER = 0, 1
"""Seats: the dealer moves round, so that the giver sits at every distance from it equally often."""


@dataclass(frozen=True)
class GameSetting:
    """A way to play the game with giving.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    switches : dict
        The switches set besides those of giving.
    """

    name: str
    title: str
    switches: Mapping[str, Any] = field(default_factory=dict)


SETTINGS = {
    setting.name: setting
    for setting in (
        GameSetting("basic", "Basic game"),
        GameSetting("before", "Traitor, giving before the bidding", {"traitor": True}),
        GameSetting(
            "after",
            "Traitor, giving after the bidding",
            {"traitor": True, "shriving_before_bidding": False},
        ),
        GameSetting("partners", "Partners", {"partners": True}),
        GameSetting("reckoning", "Dead Reckoning", {"scoring": "dead_reckoning"}),
        GameSetting("flat", "Flat table", {"scoring": "flat"}),
        GameSetting("heavy", "Trump-heavy table", {"scoring": "trump_heavy"}),
        GameSetting("four_suits", "Four-suit deck", {"deck": "four_suits"}),
        GameSetting("short_suits", "Short-suit deck", {"deck": "short_suits"}),
    )
}
"""Games in which one seat's choice is valued, by name."""

ROLES = ("giver", "receiver", "another")
"""Who is the Traitor."""


def roles(table: Table) -> NDArray[np.int64]:
    """Who is the Traitor, an index into :data:`ROLES`; -1 where the hand was passed out, (H,)."""
    traitor = table.declarer.astype(np.int64)
    return np.where(traitor == NO_SEAT, -1, np.minimum(traitor, len(ROLES) - 1))


def shapes(table: Table) -> NDArray[np.int64]:
    """What the giver was dealt, an index into :data:`gifts.SHAPES`, (H,)."""
    return shape(table.game.deck, table.dealt[:, GIVER], table.game.gives)


GROUPS: dict[str, tuple[Callable[[Table], NDArray[np.int64]], Sequence[str]]] = {
    "role": (roles, ROLES),
    "shape": (shapes, SHAPES),
}
"""Ways to tell deals apart that do not depend on the gift, and their names."""


def of_seats(grouping: str, table: Table, first: int) -> dict[str, NDArray[Any]]:
    """What each seat of a finished block took, scored and won, the gift, and the hand's group."""
    scored = table.game.score(table)
    group = GROUPS[grouping][0](table) if grouping else np.full(table.hands, -1)
    return {
        "tricks": table.state.tricks.copy(),
        "score": scored.score,
        "win": scored.win,
        "given": table.given[:, GIVER],
        "group": group,
    }


def results(values: Mapping[str, NDArray[Any]], game: Game) -> dict[tuple[str, str], FloatArray]:
    """One value a deal of each (who, measure).

    Who is ``giver``, ``receiver``, ``partner`` (the giver's, under Partners), ``side`` (the two
    together) and ``others``, who are averaged.  A measure is ``tricks``, ``score``, ``win``, and
    ``ahead``: the score above the mean of the other seats'.
    """
    players = game.players
    score = values["score"].astype(float)
    ahead = score - (score.sum(axis=1, keepdims=True) - score) / (players - 1)
    out: dict[tuple[str, str], FloatArray] = {}
    partners = players // 2 if int(game.sides[GIVER]) != 1 << GIVER else None
    others = [p for p in range(players) if p not in (GIVER, RECEIVER, partners)]
    for measure, by_seat in (
        ("tricks", values["tricks"].astype(float)),
        ("score", score),
        ("win", values["win"].astype(float)),
        ("ahead", ahead),
    ):
        out["giver", measure] = by_seat[:, GIVER]
        out["receiver", measure] = by_seat[:, RECEIVER]
        out["others", measure] = by_seat[:, others].mean(axis=1)
        if partners is not None:
            out["partner", measure] = by_seat[:, partners]
            if measure in ("tricks", "score"):
                out["side", measure] = by_seat[:, GIVER] + by_seat[:, partners]
    return out


SKILL = ("plan", "lowest", "random")
"""The ways compared wherever the worth of skill is measured."""


@dataclass(frozen=True)
class OneSeat:
    """One seat choosing its gift in several ways, all else the same, on the same deals.

    Attributes
    ----------
    setting : GameSetting
        What is played.
    who : str
        Textual form of the policy at all seats; the giver's gift alone is chosen otherwise.
    players, cards : int
        Number of players, and of cards given.
    ways : tuple of str
        Names of :data:`gifts.WAYS`.
    grouping : str
        A name of :data:`GROUPS` by which the comparison is also made, or nothing.
    times : int
        How many times as many deals as in other cells.
    """

    setting: GameSetting
    who: str
    players: int = TABLE
    cards: int = GIVEN
    ways: tuple[str, ...] = SKILL
    grouping: str = ""
    times: int = 1

    @property
    def game(self) -> Game:
        """What is played."""
        switches = {"players": self.players, "shriving": True, "shriving_cards": self.cards}
        return game("junni", **switches, **self.setting.switches)

    def measured(self, hands: int, seed: int) -> dict[str, Rows]:
        """Rows of the frames ``worth`` and, by shape, ``advice``."""
        played, base = self.game, policy(self.who)
        found, given = {}, {}
        group = np.empty(0, np.int64)
        for way in self.ways:
            at = giving(base, WAYS[way].giver, self.players)
            work = partial(of_seats, self.grouping)
            deals = hands * self.times
            blocks = run_blocks(played, deals, at, seed, work, n_jobs=1, progress=False)
            values = joined(blocks)
            found[way] = results(values, played)
            given[way], group = values["given"], values["group"]
        labels = {"setting": self.setting.name, "players": self.players, "cards": self.cards}
        labels |= {"policy": self.who}
        out = {"worth": [labels | r for r in compared(found)]}
        if self.grouping:
            names = GROUPS[self.grouping][1]
            out["worth"] += [labels | r for r in by_group(found, group, names)]
        if self.grouping == "shape":
            out["worth"] += [labels | r for r in where_different(found, given)]
            tricks = {way: values["giver", "tricks"] for way, values in found.items()}
            out["advice"] = [labels | r for r in advice(tricks, group)]
        return out


def giving(base: Policy, giver: Policy, players: int) -> tuple[Policy, ...]:
    """A policy a seat: the same at all, but that one seat's gift is chosen by another."""
    return (Gives(base, giver), *(base,) * (players - 1))


Found = Mapping[str, Mapping[tuple[str, str], FloatArray]]
"""By way and (who, measure): a value a deal."""


def pairs(ways: Sequence[str]) -> list[tuple[str, str]]:
    """Each way against giving the lowest, and the plan against chance."""
    out = [(way, "lowest") for way in ways if way != "lowest"]
    return [*out, ("plan", "random")] if {"plan", "random"} <= set(ways) else out


def compared(found: Found) -> Rows:
    """Each way's results, and the differences between ways, over all deals."""
    rows: Rows = []
    for way, values in found.items():
        for (who, measure), x in values.items():
            labels = {"group": "all", "way": way, "against": "", "who": who, "measure": measure}
            rows.append(row(stats.mean(x), **labels))
    for way, against in pairs(list(found)):
        for (who, measure), x in found[way].items():
            labels = {"group": "all", "way": way, "against": against}
            labels |= {"who": who, "measure": measure}
            rows.append(row(stats.paired_difference(x, found[against][who, measure]), **labels))
    return rows


def by_group(found: Found, group: NDArray[np.int64], names: Sequence[str]) -> Rows:
    """The giver's differences between ways in each group of deals that is not too small."""
    rows: Rows = []
    for number, name in enumerate(names):
        chosen = group == number
        if chosen.sum() < FEWEST:
            continue
        for way, against in pairs(list(found)):
            for measure in ("tricks", "score", "win", "ahead"):
                x, y = (found[w]["giver", measure][chosen] for w in (way, against))
                labels = {"group": name, "way": way, "against": against, "who": "giver"}
                rows.append(row(stats.paired_difference(x, y), **labels, measure=measure))
    return rows


def where_different(found: Found, given: Mapping[str, NDArray[np.uint32]]) -> Rows:
    """The differences in those deals in which two ways give different cards, and how many are.

    Rows of the group ``different``; the share of deals has who ``giver`` and measure ``share``.
    """
    rows: Rows = []
    for way, against in pairs(list(found)):
        chosen = (given[way] != given[against]).any(axis=1)
        labels = {"group": "different", "way": way, "against": against}
        share = stats.proportion(int(chosen.sum()), len(chosen))
        rows.append(row(share, **labels, who="giver", measure="share"))
        if chosen.sum() < FEWEST:
            continue
        for who in ("giver", "receiver", "others"):
            for measure in ("tricks", "win"):
                x, y = (found[w][who, measure][chosen] for w in (way, against))
                found_here = stats.paired_difference(x, y)
                rows.append(row(found_here, **labels, who=who, measure=measure))
    return rows


NOT_ADVICE = ("plan", "random")
"""Ways that no table could tell a player."""


def advice(tricks: Mapping[str, FloatArray], group: NDArray[np.int64]) -> Rows:
    """The best way in each class of holdings, chosen on one half of the deals, tried on the other.

    The best of several ways looks better than it is on the deals on which it was found, so that
    what is stated of it comes from deals that had no part in the choice.  The lowest cards are left
    only for what is clearly better on the deals of the choice.

    Parameters
    ----------
    tricks : mapping of way to (deals,)
        The giver's tricks.
    group : int (deals,)
        Each deal's class.

    Returns
    -------
    list of dict
        Rows of estimates with ``shape``, the ``way`` chosen, and what it is set ``against``.  The
        shape ``all`` follows the choice in every class.
    """
    deals = len(group)
    choosing = np.arange(deals) < deals // 2
    simple = [way for way in tricks if way not in NOT_ADVICE]
    followed = tricks["lowest"].copy()
    rows: Rows = []
    for number, name in enumerate(SHAPES):
        seen, fresh = (group == number) & choosing, (group == number) & ~choosing
        if min(seen.sum(), fresh.sum()) < FEWEST:
            continue
        best = max(simple, key=lambda way: float(tricks[way][seen].mean()))
        if stats.paired_difference(tricks[best][seen], tricks["lowest"][seen]).low <= 0:
            best = "lowest"
        followed[fresh] = tricks[best][fresh]
        found = stats.paired_difference(tricks[best][fresh], tricks["lowest"][fresh])
        share = stats.proportion(int((group == number).sum()), deals)
        rows.append(row(share, shape=name, way=best, against=""))
        rows.append(row(found, shape=name, way=best, against="lowest"))
    fresh = ~choosing
    for against in ("lowest", *(way for way in NOT_ADVICE if way in tricks)):
        found = stats.paired_difference(followed[fresh], tricks[against][fresh])
        rows.append(row(found, shape="all", way="advice", against=against))
    return rows
