"""What is measured of one game: every policy on the same deals, and deals apart to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab import stats
from tricklab.games import game
from tricklab.games.junni import Junni
from tricklab.games.junni.strength import unit
from tricklab.policies import Careful, policy
from tricklab.studies.base import FEWEST_DEALS
from tricklab.studies.calibration import holdings, margins
from tricklab.studies.calibration.auctions import Bidders, hold, traitor_lead
from tricklab.studies.calibration.bank import Auctioned, Bank, play_auctions, play_bank
from tricklab.studies.calibration.forecast import Forecast, bids_near
from tricklab.studies.calibration.scores import (
    Floats,
    Forecasts,
    brier,
    mean_where,
    reliability,
    share_where,
    slope,
)
from tricklab.studies.rows import row

FRESH = 1_000_003
"""Added to the seed for the deals that are learned from: forecasts, tables, searches."""

REACH = 2
"""Tricks about the estimate within which any bid of any seat is forecast."""

BASIC = "basic"


@dataclass(frozen=True)
class Cell:
    """One game to measure.

    Attributes
    ----------
    variant : str
        Name of what is changed, ``BASIC`` for nothing.
    players : int
        Number of players.
    policies : tuple of str
        Who plays, on the same deals; the forecast is fitted to the last.
    switches : dict
        What is changed.
    """

    variant: str
    players: int
    policies: tuple[str, ...]
    switches: dict[str, Any] = field(default_factory=dict)

    @property
    def game(self) -> Junni:
        """The game."""
        return cast(Junni, game("junni", players=self.players, traitor=True, **self.switches))

    @property
    def base(self) -> float:
        """The margin by which seats bid that go by the estimate."""
        return base_margin(self.policies)


def base_margin(policies: Sequence[str]) -> float:
    """The margin of the last policy that bids by the estimate, or what is usual."""
    bidders = [p for p in map(policy, policies) if isinstance(p, Careful)]
    return (bidders or [Careful()])[-1].margin


@dataclass(frozen=True)
class Played:
    """What one policy played.

    Attributes
    ----------
    bank, practice : Bank
        Deals that results are measured on, and deals to learn from.
    own, own_practice : Auctioned
        Their auctions, as the policy bids.
    """

    bank: Bank
    practice: Bank
    own: Auctioned
    own_practice: Auctioned

    @property
    def left(self) -> Floats:
        """What each seat takes above its estimate, (H, P)."""
        return self.bank.taken - self.bank.estimate

    @property
    def made(self) -> NDArray[np.bool_]:
        """Whether the Traitor took what it bid, (H,); meaningless without one."""
        made: NDArray[np.bool_] = self.own.of_traitor(self.bank.taken) >= self.own.bid
        return made


Frames = dict[str, list[pd.DataFrame]]


def measure(cell: Cell, hands: int, seed: int) -> dict[str, pd.DataFrame]:
    """Play a cell in this process and return its frames of estimates.

    With fewer deals than a study may have it only plays, so that every kernel is compiled.
    """
    played = {who: _play(cell, who, hands, seed) for who in cell.policies}
    last = played[cell.policies[-1]]
    hold(cell.game, Bidders.by_estimate(last.bank, margins.common(last.bank, cell.base)))
    if hands < FEWEST_DEALS:
        return {}
    forecast = Forecast.fit(last.practice.estimate.ravel(), last.practice.taken.ravel())
    frames: Frames = {}
    curves = {who: margins.curve(p.bank, cell.base) for who, p in played.items()}
    for who, p in played.items():
        found = {
            "levels": pd.DataFrame(_levels(p, forecast)),
            "optimum": pd.DataFrame(_optimum(p, cell.base, curves[who], seed)),
        }
        if cell.variant == BASIC:
            found |= _forecasts(p, forecast, seed) | _in_full(p, cell.base, curves[who])
        for name, frame in found.items():
            frames.setdefault(name, []).append(frame.assign(policy=who))
    first = played[cell.policies[0]]
    frames["policies"] = [pd.DataFrame(_differences(first, last))]
    ends = (curves[cell.policies[0]], curves[cell.policies[-1]])
    frames["policies"].append(pd.DataFrame([_optimum_difference(*ends, seed)]))
    return {
        name: pd.concat(parts).assign(variant=cell.variant, players=cell.players)
        for name, parts in frames.items()
    }


def _play(cell: Cell, who: str, hands: int, seed: int) -> Played:
    bank, practice = (play_bank(cell.game, who, hands, s) for s in (seed, seed + FRESH))
    return Played(bank, practice, play_auctions(bank, seed), play_auctions(practice, seed + FRESH))


def _levels(p: Played, forecast: Forecast) -> list[dict[str, Any]]:
    """Bias, the winner's and the difference; forecast and real success; over- and underbidding."""
    bank, own = p.bank, p.own
    everywhere = np.ones_like(bank.taken, np.bool_)
    estimate, taken = own.of_traitor(bank.estimate), own.of_traitor(bank.taken)
    chance = forecast.at_least(estimate, own.bid.astype(float))
    made = p.made.astype(float)
    of_deal = p.left.mean(axis=1)
    found = {
        "slope": slope(bank.estimate, bank.taken),
        "bias": mean_where(p.left, everywhere),
        "bias_won": mean_where(taken - estimate, own.played),
        "curse": mean_where(taken - estimate - of_deal, own.played),
        "estimate": mean_where(estimate, own.played),
        "taken": mean_where(taken, own.played),
        "bid": mean_where(own.bid.astype(float), own.played),
        "over_estimate": mean_where(own.bid - estimate, own.played),
        "over_taken": mean_where(own.bid - taken, own.played),
        "chance": mean_where(chance, own.played),
        "made": share_where(p.made, own.played),
        "gap": mean_where(made - chance, own.played),
    }
    return [row(value, measure=name) for name, value in found.items()]


def _places(p: Played) -> list[dict[str, Any]]:
    """The same of over- and underbidding and success, by the Traitor's seats from the dealer."""
    bank, own = p.bank, p.own
    estimate, taken = own.of_traitor(bank.estimate), own.of_traitor(bank.taken)
    rows = []
    for place in bank.places:
        mine = own.place == place
        share = stats.proportion(int(mine.sum()), bank.deals)
        found = {
            "won": share,
            "over_estimate": mean_where(own.bid - estimate, mine),
            "over_taken": mean_where(own.bid - taken, mine),
            "made": share_where(p.made, mine),
            "score": mean_where(traitor_lead(bank, own), mine),
        }
        rows += [row(value, place=place, measure=name) for name, value in found.items()]
    return rows


def _optimum(p: Played, base: float, curve: Floats, seed: int) -> list[dict[str, Any]]:
    """The best margin, and what the best other than the base, chosen on other deals, gains."""
    mean = margins.curve(p.practice, base).mean(axis=0)
    best = np.where(np.abs(margins.GRID - base) < margins.NEAR, -np.inf, mean).argmax()
    mine = margins.curve(p.bank, base, np.array([base]))[:, 0]
    return [
        row(margins.optimum(curve, seed), measure="margin"),
        row(stats.paired_difference(curve[:, best], mine), measure="gain"),
    ]


def _forecasts(p: Played, forecast: Forecast, seed: int) -> dict[str, pd.DataFrame]:
    """By seat and by estimate; reliability of forecast success and its Brier score."""
    bank, own = p.bank, p.own
    estimate = own.of_traitor(bank.estimate)
    bid = own.bid.astype(float)
    ready = p.own_practice
    at = ready.played
    told = Forecast.fit(
        ready.of_traitor(p.practice.estimate)[at], ready.of_traitor(p.practice.taken)[at]
    )
    step = max(1, round(unit(bank.game)))
    near = np.concatenate(bids_near(bank.estimate, step, REACH), axis=1)
    several = near.shape[1] // bank.game.players
    allowed = (near >= bank.game.min_bid) & (near <= bank.game.highest_bid)
    wide = np.tile(bank.estimate, several)
    kinds = {
        "any": Forecasts.of(
            forecast.at_least(wide, near), np.tile(bank.taken, several) >= near, allowed
        ),
        "won": Forecasts.of(forecast.at_least(estimate, bid), p.made, own.played),
        "told": Forecasts.of(told.at_least(estimate, bid), p.made, own.played),
    }
    parts = {name: brier(found, seed) for name, found in kinds.items()}
    return {
        "places": pd.DataFrame(_places(p)),
        "tricks": pd.DataFrame([*_by_estimate(p, won=False), *_by_estimate(p, won=True)]),
        "reliability": pd.concat(
            [reliability(found).assign(bids=name) for name, found in kinds.items()]
        ),
        "brier": pd.DataFrame(
            [
                row(value, bids=name, measure=measure)
                for name, found in parts.items()
                for measure, value in found.items()
            ]
        ),
        "others": pd.DataFrame(_by_others(p)),
    }


PARTS = 10
"""Parts into which estimates are sorted, of about as many seats each."""


def _parts(values: Floats, counts: NDArray[np.bool_]) -> NDArray[np.int64]:
    edges = np.unique(np.quantile(values[counts], np.linspace(0, 1, PARTS + 1)[1:-1]))
    return np.searchsorted(edges, values)


def _by_estimate(p: Played, won: bool) -> list[dict[str, Any]]:
    """What was taken by what was expected: of all seats, or of those that won the auction."""
    bank = p.bank
    counts = np.ones_like(bank.taken, np.bool_)
    if won:
        counts = np.arange(bank.game.players) == p.own.place[:, None]
    part = _parts(bank.estimate, counts)
    rows = []
    for k in np.unique(part[counts]):
        here = counts & (part == k)
        labels = {"estimate": float(bank.estimate[here].mean()), "won": won}
        rows.append(row(mean_where(bank.taken, here), **labels))
    return rows


def _by_others(p: Played) -> list[dict[str, Any]]:
    """What is taken above the estimate by the best estimate of the others."""
    estimate = p.bank.estimate
    best = np.stack([np.delete(estimate, k, axis=1).max(axis=1) for k in p.bank.places], axis=1)
    counts = np.ones_like(best, np.bool_)
    part = _parts(best, counts)
    return [
        row(mean_where(p.left, part == k), best=float(best[part == k].mean()))
        for k in np.unique(part)
    ]


def _in_full(p: Played, base: float, curve: Floats) -> dict[str, pd.DataFrame]:
    """The margin curve, the search for margins that rest, and the table of bids."""
    found = margins.search(p.practice, base)
    left = [
        pd.DataFrame(margins.left_to_gain(p.practice, p.bank, at)).assign(when=when)
        for when, at in (("start", found.start), ("end", found.end))
    ]
    step, place = (index.ravel() for index in np.indices(found.path.shape))
    steps = pd.DataFrame(
        {
            "round": step,
            "place": place,
            "margin": found.path.ravel(),
            "gain": found.gain[step],
            "rested": found.rested,
        }
    )
    table = holdings.recommend(p.practice, base)
    rule, parts = holdings.rule_of_thumb(table)
    check = [
        row(holdings.tried(table, p.bank, base), measure="table"),
        row(holdings.tried(rule, p.bank, base), measure="rule"),
        *(row(part, measure=part.name) for part in parts),
    ]
    return {
        "margins": margins.curve_rows(p.bank, base, curve),
        "search": steps,
        "deviation": pd.concat(left),
        "table": table.frame(),
        "check": pd.DataFrame(check),
    }


def _differences(first: Played, last: Played) -> list[dict[str, Any]]:
    """Last policy less first, on the same deals."""
    both = first.own.played & last.own.played
    won = [p.own.of_traitor(p.left) for p in (first, last)]
    made = last.made.astype(float) - first.made
    everywhere = np.ones_like(first.left, np.bool_)
    return [
        row(mean_where(last.left - first.left, everywhere), measure="bias"),
        row(mean_where(won[1] - won[0], both), measure="bias_won"),
        row(mean_where(made, both), measure="made"),
    ]


def _optimum_difference(first: Floats, last: Floats, seed: int) -> dict[str, Any]:
    """How much higher the best margin is under the last policy, deals resampled together."""
    return row(margins.optimum_difference(last, first, seed), measure="margin")


def total(frames: list[dict[str, pd.DataFrame]]) -> dict[str, pd.DataFrame]:
    """The frames of several cells, one below the other."""
    names = dict.fromkeys(name for each in frames for name in each)
    return {
        name: pd.concat([each[name] for each in frames if name in each], ignore_index=True)
        for name in names
    }
