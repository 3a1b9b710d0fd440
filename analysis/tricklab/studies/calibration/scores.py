"""How good forecasts are: ratios over deals, reliability, and the Brier score's parts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from tricklab.stats import Estimate, RatioSums, clustered_ratio
from tricklab.studies.rows import row

Floats = NDArray[np.float64]

BINS = 10
"""Parts of about equally many forecasts into which they are sorted."""

GROUPS = 400
"""Groups of deals, at most, that are drawn whole when deals are resampled: deals are independent,
and so are sums over groups of them, at a fraction of the work."""

RESAMPLES = 400
"""How often deals are resampled."""


def ratio(above: Floats, below: Floats, level: float = 0.95) -> Estimate:
    """Ratio of two sums over deals, its standard error by linearisation, with Student's t.

    Parameters
    ----------
    above, below : float (deals,)
        Sums of each deal, such as of residuals and of seats; a deal of 0 and 0 says nothing.
    """
    counted = int(np.count_nonzero(below))
    if counted < 2:
        return _undefined(counted, level, "ratio of sums over deals, t")
    total = below.sum()
    value = float(above.sum() / total)
    left = above - value * below
    se = float(np.sqrt((left @ left) * counted / (counted - 1)) / total)
    half = se * float(special.stdtrit(counted - 1, 0.5 + level / 2))
    method = "ratio of sums over deals, t"
    return Estimate(value, se, value - half, value + half, level, counted, method)


def _undefined(deals: int, level: float, method: str) -> Estimate:
    nan = math.nan
    return Estimate(nan, nan, nan, nan, level, deals, method)


def mean_where(values: Floats, where: NDArray[np.bool_], level: float = 0.95) -> Estimate:
    """Mean of values where they count, both (deals,) or (deals, k); deals are independent."""
    deals = len(values)
    above = np.where(where, values, 0.0).reshape(deals, -1).sum(axis=1)
    return ratio(above, where.reshape(deals, -1).sum(axis=1).astype(float), level)


def share_where(
    events: NDArray[np.bool_], where: NDArray[np.bool_], level: float = 0.95
) -> Estimate:
    """Share of events where they count, both (deals,) or (deals, k); Wilson, by deal."""
    by_deal = (events & where, where)
    hits, rows = (x.reshape(len(x), -1).sum(axis=1) for x in by_deal)
    return clustered_ratio(RatioSums.of(hits, rows), level)


def slope(x: Floats, y: Floats, level: float = 0.95) -> Estimate:
    """Least-squares slope of y on x, both (deals, k), its standard error by deal.

    Of what was taken on what was forecast it is 1 where forecasts are calibrated (Mincer and
    Zarnowitz, "The evaluation of economic forecasts", 1969).
    """
    away = x - x.mean()
    up, down = (away * (y - y.mean())).sum(axis=1), (away * away).sum(axis=1)
    return ratio(up, down, level)


def resampled(sums: Floats, seed: int, times: int = RESAMPLES) -> Floats:
    """Sums over resampled deals of columns of sums (deals, k), shape (times, k).

    Deals are drawn in groups of neighbours; see :data:`GROUPS`.
    """
    groups = min(GROUPS, len(sums))
    starts = np.arange(groups) * len(sums) // groups
    by_group: Floats = np.add.reduceat(sums, starts, axis=0)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(groups, np.full(groups, 1 / groups), size=times)
    return counts.astype(np.float64) @ by_group


@dataclass(frozen=True)
class Forecasts:
    """Forecasts of events and what came of them, n of them in all.

    Attributes
    ----------
    chance : float (n,)
        Forecast probabilities.
    made : bool (n,)
        Whether the event happened.
    deal : int (n,)
        Number of the deal that each belongs to, from 0.
    deals : int
        Number of deals.
    """

    chance: Floats
    made: NDArray[np.bool_]
    deal: NDArray[np.int64]
    deals: int

    @classmethod
    def of(cls, chance: Floats, made: NDArray[np.bool_], counts: NDArray[np.bool_]) -> Forecasts:
        """Forecasts that count, of arrays of shape (deals,) or (deals, k)."""
        deal = np.nonzero(counts)[0]
        return cls(chance[counts], made[counts], deal, len(chance))

    def bins(self, count: int = BINS) -> NDArray[np.int64]:
        """Which of about equally filled parts each forecast is in, equal ones together, (n,)."""
        edges = np.unique(np.quantile(self.chance, np.linspace(0, 1, count + 1)[1:-1]))
        part = np.searchsorted(edges, self.chance, "left")
        return np.unique(part, return_inverse=True)[1]

    def by_deal(self, part: NDArray[np.int64], values: Floats) -> Floats:
        """Sums of values by deal and part, (deals, parts)."""
        parts = int(part.max()) + 1
        out = np.zeros((self.deals, parts))
        np.add.at(out, (self.deal, part), values)
        return out


def reliability(forecasts: Forecasts, level: float = 0.95) -> pd.DataFrame:
    """How often what was forecast happened, by forecast: the reliability diagram's points.

    Returns
    -------
    DataFrame
        Column ``chance``, the mean forecast of a part, and those of an estimate of how often the
        event happened; see :func:`tricklab.stats.clustered_ratio`.
    """
    if not len(forecasts.chance):
        return pd.DataFrame(columns=["chance", *row(_undefined(0, level, ""))])
    part = forecasts.bins()
    ones = np.ones(len(part))
    rows, hits, chances = (
        forecasts.by_deal(part, values)
        for values in (ones, forecasts.made.astype(float), forecasts.chance)
    )
    return pd.DataFrame(
        [
            row(
                clustered_ratio(
                    RatioSums.of(hits[:, k].astype(np.int64), rows[:, k].astype(np.int64)), level
                ),
                chance=float(chances[:, k].sum() / rows[:, k].sum()),
            )
            for k in range(rows.shape[1])
        ]
    )


BRIER = {
    "brier": "Brier score",
    "reliability": "reliability",
    "resolution": "resolution",
    "uncertainty": "uncertainty",
    "within": "within parts",
    "skill": "skill",
}
"""What :func:`brier` measures."""


def brier(forecasts: Forecasts, seed: int = 0, level: float = 0.95) -> dict[str, Estimate]:
    """The Brier score and its parts, with normal intervals from resampled deals.

    Score = reliability − resolution + uncertainty + what is within parts (Brier, "Verification of
    forecasts expressed in terms of probability", Monthly Weather Review 78, 1950; Murphy, "A new
    vector partition of the probability score", Journal of Applied Meteorology 12, 1973; for the
    last term Stephenson, Coelho and Jolliffe, "Two extra components in the Brier score
    decomposition", Weather and Forecasting 23, 2008).  The part that chance alone puts into each
    term is taken off (Ferro and Fricker, "A bias-corrected decomposition of the Brier score",
    Quarterly Journal of the Royal Meteorological Society 138, 2012), deals and not forecasts being
    independent; so a calibrated forecast has a reliability of 0 on average, and may be below.

    Returns
    -------
    dict
        An estimate for each of :data:`BRIER`; ``skill`` is the share by which the score is below
        that of always forecasting how often the event happens.
    """
    method = f"normal, {RESAMPLES} resamples of deals"
    n = len(forecasts.chance)
    if n == 0 or forecasts.made.all() or not forecasts.made.any():
        return {name: _undefined(0, level, method) for name in BRIER}
    part = forecasts.bins()
    p, o = forecasts.chance, forecasts.made.astype(float)
    sums = [forecasts.by_deal(part, values) for values in (np.ones(n), p, o, (p - o) ** 2)]
    value = dict(zip(BRIER, _terms(*(s.sum(axis=0) for s in sums)), strict=True))
    noise = _noise(sums[0], sums[2])
    overall = _noise(sums[0].sum(axis=1, keepdims=True), sums[2].sum(axis=1, keepdims=True))
    value["reliability"] -= noise
    value["resolution"] -= noise - overall
    value["uncertainty"] += overall
    drawn = resampled(np.concatenate(sums, axis=1), seed).reshape(RESAMPLES, 4, -1)
    terms = np.array([_terms(*each) for each in drawn if each[0].all()])
    # Where a resample has only bids made, or none, there is no skill to speak of.
    terms = terms[np.isfinite(terms).all(axis=1)]
    se = terms.std(axis=0, ddof=1) if len(terms) > 1 else np.full(len(BRIER), math.nan)
    half = se * float(special.ndtri(0.5 + level / 2))
    deals = len(np.unique(forecasts.deal))
    return {
        name: Estimate(v, float(s), v - float(h), v + float(h), level, deals, method, BRIER[name])
        for (name, v), s, h in zip(value.items(), se, half, strict=True)
    }


def _terms(n: Floats, chance: Floats, made: Floats, squares: Floats) -> tuple[float, ...]:
    """Score and parts, uncorrected, from sums over parts."""
    total = n.sum()
    base = made.sum() / total
    score = squares.sum() / total
    off = float(((chance - made) ** 2 / n).sum() / total)
    apart = float((n * (made / n - base) ** 2).sum() / total)
    spread = float(base * (1 - base))
    within = score - (off - apart + spread)
    skill = 1 - score / spread if spread > 0 else math.nan
    return float(score), off, apart, spread, float(within), float(skill)


def _noise(rows: Floats, hits: Floats) -> float:
    """Variance of the shares of parts, from their deals, weighted by how many are in each."""
    n = rows.sum(axis=0)
    left = hits - rows * (hits.sum(axis=0) / n)
    deals = np.count_nonzero(rows, axis=0)
    variance = (left**2).sum(axis=0) / n**2 * deals / np.maximum(deals - 1, 1)
    return float((n * variance).sum() / n.sum())
