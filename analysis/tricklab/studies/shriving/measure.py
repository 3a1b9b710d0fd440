"""What is played to value giving, and the estimates made of it.

Two kinds of cells.  :class:`Rule` plays the game without giving and with one to eight cards given,
all seats alike: what the rule does.  :class:`OneSeat` lets one seat choose its gift in several ways
while that seat otherwise plays as before, and the other seats give and play as before: what the
choice is worth.  Everything within a cell is played on the same deals, and compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab import stats
from tricklab.bidding import NO_SEAT
from tricklab.games import Game, game
from tricklab.policies import Gives, Policy, policy, seated
from tricklab.simulation import run_blocks
from tricklab.studies.balance import row
from tricklab.studies.shriving.gifts import SHAPES, WAYS, of_role, shape
from tricklab.table import Table

Rows = list[dict[str, Any]]
FloatArray = NDArray[np.float64]

PLAYERS = (3, 4, 5, 6)
"""Numbers of players."""

CARDS = tuple(range(1, 9))
"""Numbers of cards that may be given (J14)."""

GIVEN = 4
"""Cards given, as the rule is printed."""

TABLE = 4
"""Players where nothing else is said."""

GIVER, RECEIVER = 0, 1
"""Seats: the dealer moves round, so that the giver sits at every distance from it equally often."""

FEWEST = 30
"""Deals of a kind from which something is estimated."""


# ---------------------------------------------------------------------------- what the rule does
@dataclass(frozen=True)
class Measure:
    """Something of a hand, one value a deal.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    share : bool
        Whether it is best read as a percentage.
    event : bool
        Whether a deal has it or has it not.
    """

    name: str
    title: str
    share: bool = False
    event: bool = False


MEASURES = (
    Measure("voids", "ordinary suits not held as play begins, a seat"),
    Measure("spread", "spread of tricks within a hand (standard deviation over seats)"),
    Measure("best", "tricks of the best seat"),
    Measure("none", "hands in which a seat takes no trick", share=True, event=True),
    Measure("tie", "hands with a shared win", share=True, event=True),
    Measure("trumps_win", "wins of the seat dealt most trumps, above an equal share", share=True),
    Measure("leader_win", "first leader's wins, above an equal share", share=True),
    Measure("leader_tricks", "first leader's tricks, above an equal share"),
)
"""What is measured of the rule, all seats playing alike."""


def of_hands(table: Table, first: int) -> dict[str, NDArray[np.float32]]:
    """Values of :data:`MEASURES` in each hand of a finished block."""
    deck, players = table.game.deck, table.game.players
    tricks, win = table.state.tricks.astype(float), table.game.score(table).win.astype(float)
    plain = of_role(deck, "suit")
    trumps = np.bitwise_count(table.dealt[:, :, of_role(deck, "trump")]).sum(axis=2)
    most = trumps == trumps.max(axis=1, keepdims=True)
    leads = np.arange(players) == table.leaders[0][:, None]
    fair = win.sum(axis=1) / players
    values = {
        "voids": (table.start[:, :, plain] == 0).sum(axis=2).mean(axis=1),
        "spread": tricks.std(axis=1),
        "best": tricks.max(axis=1),
        "none": (tricks == 0).any(axis=1),
        "tie": (win > 0).sum(axis=1) > 1,
        "trumps_win": (win * most).sum(axis=1) / most.sum(axis=1) - fair,
        "leader_win": (win * leads).sum(axis=1) - fair,
        "leader_tricks": (tricks * leads).sum(axis=1) - table.tricks / players,
    }
    return {name: np.asarray(v, np.float32) for name, v in values.items()}


def _level(measure: Measure, values: FloatArray) -> stats.Estimate:
    if measure.event:
        return stats.proportion(int(values.sum()), len(values))
    return stats.mean(values)


@dataclass(frozen=True)
class Rule:
    """The game with no cards given and with each number of cards, one policy at all seats.

    Attributes
    ----------
    players : int
        Number of players.
    who : str
        Textual form of the policy.
    """

    players: int
    who: str

    def measured(self, hands: int, seed: int) -> dict[str, Rows]:
        """Rows of the frame ``rule``: each measure, and its change from the game without giving."""
        games = {0: game("junni", players=self.players)}
        games |= {k: games[0].replace(shriving=True, shriving_cards=k) for k in CARDS}
        at = seated(self.who, self.players)
        found = {
            k: _joined(run_blocks(g, hands, at, seed, of_hands, n_jobs=1, progress=False))
            for k, g in games.items()
        }
        rows: Rows = []
        for k, values in found.items():
            for measure in MEASURES:
                labels = {"players": self.players, "policy": self.who, "cards": k}
                labels |= {"measure": measure.name}
                x, base = (v[measure.name].astype(float) for v in (values, found[0]))
                rows.append(row(_level(measure, x), **labels, of="level"))
                if k:
                    rows.append(row(stats.paired_difference(x, base), **labels, of="change"))
        return {"rule": rows}


def _joined(blocks: Iterator[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    parts = list(blocks)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


# ------------------------------------------------------------------------- what the choice is worth
@dataclass(frozen=True)
class Setting:
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
        Setting("basic", "Basic game"),
        Setting("before", "Traitor, giving before the bidding", {"traitor": True}),
        Setting(
            "after",
            "Traitor, giving after the bidding",
            {"traitor": True, "shriving_before_bidding": False},
        ),
        Setting("partners", "Partners", {"partners": True}),
        Setting("reckoning", "Dead Reckoning", {"scoring": "dead_reckoning"}),
        Setting("flat", "Flat table", {"scoring": "flat"}),
        Setting("heavy", "Trump-heavy table", {"scoring": "trump_heavy"}),
        Setting("four_suits", "Four-suit deck", {"deck": "four_suits"}),
        Setting("short_suits", "Short-suit deck", {"deck": "short_suits"}),
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
    setting : Setting
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

    setting: Setting
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
        group = np.empty(0)
        for way in self.ways:
            at = giving(base, WAYS[way].giver, self.players)
            work = partial(of_seats, self.grouping)
            deals = hands * self.times
            blocks = run_blocks(played, deals, at, seed, work, n_jobs=1, progress=False)
            values = _joined(blocks)
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


# --------------------------------------------------------------------------------------- the design
GIFTS = (*SKILL, "void", "any_void", "longest", "court", "barbarian", "trump")
"""Ways compared by what is held."""

TO_ALLIES = (*SKILL, "void", "trump", "highest")
"""Ways compared by who is the Traitor: against the Traitor the left neighbour may be an ally."""


def design(policies: Sequence[str]) -> list[Rule | OneSeat]:
    """All cells, the longest first."""
    cells: list[Rule | OneSeat] = []
    for who in policies:
        cells.append(OneSeat(SETTINGS["basic"], who, ways=GIFTS, grouping="shape", times=6))
    for who in policies:
        cells.append(OneSeat(SETTINGS["after"], who, ways=TO_ALLIES, grouping="role", times=4))
    cells += [Rule(players, who) for who in policies for players in PLAYERS]
    for who in policies:
        cells += [OneSeat(SETTINGS["basic"], who, n, times=4) for n in PLAYERS if n != TABLE]
        cells += [OneSeat(s, who, times=2) for s in SETTINGS.values() if s.name not in PLAIN]
        cells.append(OneSeat(SETTINGS["partners"], who, 6, times=2))
        cells += [OneSeat(SETTINGS["basic"], who, cards=k, times=2) for k in CARDS if k != GIVEN]
    return cells


def warming(cells: Sequence[Rule | OneSeat]) -> list[Rule | OneSeat]:
    """Those of all cells that between them use every kernel."""
    return [c for c in cells if isinstance(c, OneSeat) and (c.grouping or c.setting.name in WARM)]


PLAIN = ("basic", "after")
"""Settings that have a place of their own in the design."""

WARM = ("before", "reckoning")
"""Settings that are played by kernels which others do without."""


def work(cell: Rule | OneSeat, hands: int, seed: int) -> dict[str, Rows]:
    """What is measured in a cell, for :meth:`tricklab.studies.study.Setting.play`."""
    return cell.measured(hands, seed)


def frames(found: Sequence[Mapping[str, Rows]]) -> dict[str, pd.DataFrame]:
    """The study's frames from what was measured in all cells."""
    names = ("worth", "advice", "rule")
    return {name: pd.DataFrame([r for part in found for r in part.get(name, [])]) for name in names}
