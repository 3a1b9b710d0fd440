"""How likely a bid is to be made, by the estimate of the holding: a distribution around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NARROWEST = 0.25
"""Least standard deviation, in tricks, of what is taken about an estimate."""

REACH = 4.0
"""Bids further from the estimate than so many standard deviations are made always or never."""

STEPS = 33
"""Points on the curve between, at equal distances."""


@dataclass(frozen=True)
class Forecast:
    """A predictive distribution of what a Traitor takes: location and scale by the estimate.

    The chance that at least ``bid`` is taken is a falling function of how many standard deviations
    the bid is above the estimate, the same at every estimate.  Both are fitted to hands: the
    standard deviation as a line in the estimate (least squares on absolute residuals; Davidian and
    Carroll, "Variance function estimation", J. Am. Stat. Assoc. 82, 1987), the function as the
    share of bids made at each distance.

    Attributes
    ----------
    shift : float
        What is taken above the estimate, on average.
    floor, slope : float
        The standard deviation at an estimate of 0, and what it grows by with the estimate.
    curve : float (STEPS,)
        Chances at distances from ``-REACH`` to ``REACH``.
    """

    shift: float
    floor: float
    slope: float
    curve: Floats

    @classmethod
    def fit(cls, estimate: Floats, taken: Floats) -> Forecast:
        """Fit to what was taken as the Traitor by holdings of these estimates, both (n,)."""
        shift = float((taken - estimate).mean())
        about = np.stack([np.ones_like(estimate), estimate], axis=1)
        # Of a normal distribution the mean absolute deviation is sqrt(2 / pi) of the standard one.
        away = np.abs(taken - estimate - shift) * np.sqrt(np.pi / 2)
        floor, slope = (float(v) for v in np.linalg.lstsq(about, away, rcond=None)[0])
        blank = cls(shift, floor, slope, np.zeros(STEPS))
        weight, hits = np.zeros((2, STEPS))
        reach = int(np.ceil(REACH * blank.spread(estimate).max()))
        for bid in bids_near(estimate, 1, reach):
            # As much as nothing is always taken, however little is expected.
            real = bid >= 1
            distance = blank.distance(estimate, bid)[real]
            _add(distance, (taken >= bid)[real], weight, hits)
        return cls(shift, floor, slope, _falling(weight, hits))

    def spread(self, estimate: Floats) -> Floats:
        """Standard deviation of what is taken."""
        return np.maximum(self.floor + self.slope * estimate, NARROWEST)

    def distance(self, estimate: Floats, bid: Floats) -> Floats:
        """How many standard deviations a bid is above what is expected, half a trick less."""
        return (bid - 0.5 - estimate - self.shift) / self.spread(estimate)

    def at_least(self, estimate: Floats, bid: Floats) -> Floats:
        """Chance that as much as the bid is taken."""
        points = np.linspace(-REACH, REACH, STEPS)
        out: Floats = np.interp(self.distance(estimate, bid), points, self.curve)
        return out


def bids_near(estimate: Floats, step: int, reach: int) -> list[Floats]:
    """The whole number at or below each estimate, and ``reach`` steps to either side of it."""
    base = np.floor(estimate)
    return [base + k * step for k in range(-reach, reach + 1)]


def _add(distance: Floats, made: NDArray[np.bool_], weight: Floats, hits: Floats) -> None:
    """Add bids and those made to the points of the curve, each shared by its two neighbours."""
    place = (distance + REACH) * (STEPS - 1) / (2 * REACH)
    inside = (place >= 0) & (place < STEPS - 1)
    below = place[inside].astype(np.int64)
    part = place[inside] - below
    for at, share in ((below, 1 - part), (below + 1, part)):
        weight += np.bincount(at, share, STEPS)
        hits += np.bincount(at, share * made[inside], STEPS)


def _falling(weight: Floats, hits: Floats) -> Floats:
    """Share made at each point, falling; where no bid is, the curve goes on as it was."""
    known = weight > 0
    points = np.arange(STEPS)
    curve = np.interp(points, points[known], hits[known] / weight[known])
    curve[0], curve[-1] = 1.0, 0.0
    return np.minimum.accumulate(curve)
