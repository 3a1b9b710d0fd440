"""What it scores to bid a margin above the estimate, and where seats that adapt come to rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from tricklab import stats
from tricklab.games.junni.strength import unit
from tricklab.stats import Estimate, RatioSums, clustered_ratio
from tricklab.studies.calibration.auctions import Bidders, hold, lead
from tricklab.studies.calibration.bank import Bank
from tricklab.studies.calibration.scores import RESAMPLES, Floats, resampled
from tricklab.studies.rows import row

GRID = np.arange(-2.0, 2.125, 0.125)
"""Margins tried, in average tricks."""

NEAR = 0.0625
"""Margins closer than this, half a step, are not told apart."""

DAMPING = 0.5
"""Share of the way to its best response that each seat goes in a round."""

ROUNDS = 30
"""Rounds after which a search that has not come to rest is stopped."""


def common(bank: Bank, margin: float) -> Floats:
    """The same margin at every place, (P,)."""
    return np.full(bank.game.players, margin)


def lead_of(bank: Bank, bidders: Bidders, place: int, margin: float) -> Floats:
    """What one place scores above the others with a margin of its own, (H,)."""
    changed = bidders.with_extra(place, margin * unit(bank.game))
    return lead(bank, hold(bank.game, changed), place)


def curve(bank: Bank, base: float, grid: Floats = GRID) -> Floats:
    """Lead of a seat by its margin, all others bidding by ``base``, (H, margins).

    The mean over the places at which the seat may sit, so one value a deal and margin.
    """
    out = np.zeros((bank.deals, len(grid)))
    bidders = Bidders.by_estimate(bank, common(bank, base))
    for place in bank.places:
        for k, margin in enumerate(grid):
            out[:, k] += lead_of(bank, bidders, place, float(margin))
    return out / bank.game.players


def curve_rows(bank: Bank, base: float, found: Floats, grid: Floats = GRID) -> pd.DataFrame:
    """The curve against the base margin, and how often the seat's own bids are made.

    Returns
    -------
    DataFrame
        Columns margin, measure (``gain``: lead above that with the base margin on the same deals;
        ``made``: share made of the bids that the seat won with it) and those of an estimate.
    """
    rows = []
    bidders = Bidders.by_estimate(bank, common(bank, base))
    mine = curve(bank, base, np.array([base]))[:, 0]
    for k, margin in enumerate(grid):
        gain = stats.paired_difference(found[:, k], mine)
        rows.append(row(gain, margin=float(margin), measure="gain"))
        hits, won = np.zeros((2, bank.deals), np.int64)
        for place in bank.places:
            changed = bidders.with_extra(place, float(margin) * unit(bank.game))
            auctioned = hold(bank.game, changed)
            own = auctioned.place == place
            won += own
            hits += own & (auctioned.of_traitor(bank.taken) >= auctioned.bid)
        rows.append(
            row(clustered_ratio(RatioSums.of(hits, won)), margin=float(margin), measure="made")
        )
    return pd.DataFrame(rows)


def optimum(found: Floats, seed: int, grid: Floats = GRID, level: float = 0.95) -> Estimate:
    """The margin with the highest curve, with the percentile interval over resampled deals."""
    best = float(grid[found.mean(axis=0).argmax()])
    drawn = grid[resampled(found, seed).argmax(axis=1)]
    low, high = (float(v) for v in np.quantile(drawn, [0.5 - level / 2, 0.5 + level / 2]))
    # An interval narrower than the grid's step would claim more than was tried.
    low, high = min(low, best - NEAR), max(high, best + NEAR)
    method = f"percentile, {RESAMPLES} resamples of deals"
    return Estimate(best, float(drawn.std(ddof=1)), low, high, level, len(found), method)


def optimum_difference(
    x: Floats, y: Floats, seed: int, grid: Floats = GRID, level: float = 0.95
) -> Estimate:
    """How much higher the best margin of one curve is than of another on the same deals."""
    value = float(grid[x.mean(axis=0).argmax()] - grid[y.mean(axis=0).argmax()])
    a, b = (grid[resampled(each, seed).argmax(axis=1)] for each in (x, y))
    low, high = (float(v) for v in np.quantile(a - b, [0.5 - level / 2, 0.5 + level / 2]))
    low, high = min(low, value - NEAR), max(high, value + NEAR)
    method = f"percentile, {RESAMPLES} resamples of deals"
    return Estimate(value, float((a - b).std(ddof=1)), low, high, level, len(x), method)


@dataclass(frozen=True)
class Search:
    """A search for margins at which no seat gains by another.

    Attributes
    ----------
    path : float (rounds, P)
        Margins by place, round for round.
    gain : float (rounds,)
        The most that a seat would gain there by its best response, on the deals searched.
    rested : bool
        Whether no seat would go on.
    """

    path: Floats
    gain: Floats
    rested: bool

    @property
    def start(self) -> Floats:
        """Margins at first, (P,)."""
        return self.path[0]

    @property
    def end(self) -> Floats:
        """Margins at which least was to be gained, (P,)."""
        return self.path[self.gain.argmin()]


@dataclass(frozen=True)
class Responses:
    """Each place's best other margin against the others', all of shape (P,).

    Attributes
    ----------
    margin, gain, error : float (P,)
        The margin, what it gains over the present one (a loss below 0), and the standard error of
        that, on the same deals.
    """

    margin: Floats
    gain: Floats
    error: Floats


def responses(bank: Bank, margins: Floats, grid: Floats = GRID) -> Responses:
    """The best response of every place to the margins of the others."""
    bidders = Bidders.by_estimate(bank, margins)
    best, gain, error = np.empty((3, len(margins)))
    for place in bank.places:
        now = lead_of(bank, bidders, place, float(margins[place]))
        other = grid[np.abs(grid - margins[place]) >= NEAR]
        means = [lead_of(bank, bidders, place, float(m)).mean() for m in other]
        best[place] = other[np.argmax(means)]
        found = stats.mean(lead_of(bank, bidders, place, float(best[place])) - now)
        gain[place], error[place] = found.value, found.se
    return Responses(best, gain, error)


def search(bank: Bank, start: float, grid: Floats = GRID) -> Search:
    """Let every seat go half-way to its best response, round for round, until they rest.

    A seat goes where it gains more than the standard error of the gain: less than that is chance as
    likely as not.  Undamped best responses would go in circles where a small change of the others'
    margins moves the best one far (on such adjustment, and when it comes to rest, see Fudenberg and
    Levine, "The theory of learning in games", 1998).
    """
    margins = common(bank, start)
    path, gains = [margins], []
    while True:
        found = responses(bank, margins, grid)
        gains.append(max(float(found.gain.max()), 0.0))
        goes = found.gain > found.error
        if not goes.any() or len(path) > ROUNDS:
            return Search(np.array(path), np.array(gains), not goes.any())
        margins = np.where(goes, margins + DAMPING * (found.margin - margins), margins)
        path.append(margins)


def left_to_gain(
    practice: Bank, fresh: Bank, margins: Floats, grid: Floats = GRID, level: float = 0.95
) -> list[dict[str, object]]:
    """What a single seat can still gain on fresh deals by leaving these margins.

    The deviation is the best on the deals of ``practice``; its gain is measured on others, where it
    is not favoured by having been chosen.  ``bound`` is the highest upper end of the simultaneous
    (Bonferroni) intervals of all deviations tried: none of them gains more.

    Returns
    -------
    list of dict
        Rows with place (-1 for the mean of all), measure (``gain``, ``bound``) and the columns
        of an estimate.
    """
    best = responses(practice, margins, grid).margin
    bidders = Bidders.by_estimate(fresh, margins)
    each = stats.bonferroni_level(level, len(grid) * fresh.game.players)
    rows, total = [], np.zeros(fresh.deals)
    for place in fresh.places:
        now = lead_of(fresh, bidders, place, float(margins[place]))
        gained = lead_of(fresh, bidders, place, float(best[place])) - now
        total += gained / fresh.game.players
        rows.append(row(stats.mean(gained, level), place=place, measure="gain"))
        tried = (lead_of(fresh, bidders, place, float(m)) - now for m in grid)
        bound = max((stats.mean(gain, each) for gain in tried), key=lambda found: found.high)
        rows.append(row(bound, place=place, measure="bound"))
    rows.append(row(stats.mean(total, level), place=-1, measure="gain"))
    return rows
