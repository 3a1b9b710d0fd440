"""Estimates that are ratios: changes of a success rate, and the rate that breaks even."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import stats as distributions

from tricklab.stats import Estimate, proportion

Floats = NDArray[np.float64]


def rate_change(
    made: Floats, tried: Floats, made_before: Floats, tried_before: Floats, paired: bool = True
) -> Estimate:
    """Difference of two success rates, each a sum of successes over a sum of tries.

    Parameters
    ----------
    made, tried : float (deals,)
        1 where a deal succeeded, and where it was tried, else 0.
    made_before, tried_before : float
        The same of what it is compared with.
    paired : bool
        Whether both are about the same deals in the same order, although a deal may have been
        tried in only one of them.

    Notes
    -----
    Linearised (Cochran, *Sampling Techniques*, 1977, section 6.3): a rate changes with a deal by
    (made - rate x tried) / mean of tried, and these influences differ, deal by deal, between the
    two.  Normal interval; where no deal differs it runs to Wilson's bound on the share of deals in
    which it would, as none having been seen proves little.
    """
    if paired and np.array_equal(made, made_before) and np.array_equal(tried, tried_before):
        bound = proportion(0, len(made)).high
        how = "no deal differs, Wilson bound"
        return Estimate(0.0, 0.0, -bound, bound, 0.95, len(made), how)
    rate, influence = _rate(made, tried)
    before, influence_before = _rate(made_before, tried_before)
    if paired:
        variance = float(np.var(influence - influence_before)) / len(made)
    else:
        variance = float(np.var(influence)) / len(made)
        variance += float(np.var(influence_before)) / len(made_before)
    how = "ratios on the same deals" if paired else "ratios, unpaired"
    return _normal(rate - before, math.sqrt(variance), len(made), how)


def _rate(made: Floats, tried: Floats) -> tuple[float, Floats]:
    share = float(tried.mean())
    if share == 0:
        return math.nan, np.full(len(made), math.nan)
    rate = float(made.mean()) / share
    return rate, (made - rate * tried) / share


def break_even(score: Floats, made: NDArray[np.bool_]) -> Estimate:
    """The success rate at which declaring neither gains nor loses on the others.

    With a mean gain of g where the contract is made and a mean loss of l where it fails it is
    l / (g + l); its standard error by the delta method, hands made and failed being different
    deals.  Undefined where making it does not gain or failing does not lose, and where fewer than
    two hands show either.

    Parameters
    ----------
    score : float (hands,)
        The declarer's score above the mean of the others.
    made : bool (hands,)
        Whether the contract was made.
    """
    gains, losses = score[made], -score[~made]
    how = "ratio of two means, delta method"
    if min(len(gains), len(losses)) < 2 or gains.mean() <= 0 or losses.mean() <= 0:
        return _normal(math.nan, math.nan, len(score), how)
    gain, loss = float(gains.mean()), float(losses.mean())
    spread = gain**2 * losses.var(ddof=1) / len(losses) + loss**2 * gains.var(ddof=1) / len(gains)
    whole = gain + loss
    return _normal(loss / whole, math.sqrt(spread) / whole**2, len(score), how)


def _normal(value: float, se: float, deals: int, how: str) -> Estimate:
    half = se * float(distributions.norm.ppf(0.975))
    return Estimate(value, se, value - half, value + half, 0.95, deals, how)
