"""Estimates fitted to simulated hands: a linear predictor, bent so that it is calibrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import read_only

ENOUGH = 200
"""Hands in a part of the range of predictions from which their mean is a knot."""

PARTS = 16
"""Parts into which the range of predictions is cut, to be calibrated in each."""


@dataclass(frozen=True)
class Bent:
    """An estimate that is linear in features, then bent along a line through knots.

    Attributes
    ----------
    weights : float (features,)
        Of the linear predictor.
    knots : float (2, k)
        Its values, rising, and what was seen on average there; beyond the ends the line goes on.
    """

    weights: NDArray[np.float64]
    knots: NDArray[np.float64]

    def estimate(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Estimates for features of shape (…, features)."""
        x, y = self.knots
        raw = features @ self.weights
        below = np.minimum(raw - x[0], 0) * (y[1] - y[0]) / (x[1] - x[0])
        above = np.maximum(raw - x[-1], 0) * (y[-1] - y[-2]) / (x[-1] - x[-2])
        out: NDArray[np.float64] = np.interp(raw, x, y) + below + above
        return out

    def plain(self) -> dict[str, Any]:
        """The estimate ready for JSON."""
        return {
            "weights": [round(float(w), 5) for w in self.weights],
            "knots": [[round(float(v), 4) for v in row] for row in self.knots],
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Bent:
        """An estimate from what :meth:`plain` made."""
        return cls(read_only(np.array(data["weights"])), read_only(np.array(data["knots"])))

    @classmethod
    def fit(cls, features: NDArray[np.float64], seen: NDArray[np.float64]) -> Bent:
        """Least squares over hands (n, features), then a line through the means of parts."""
        weights = np.linalg.lstsq(features, seen, rcond=None)[0].astype(np.float64)
        raw = features @ weights
        low, high = np.quantile(raw, [0.001, 0.999])
        part = np.digitize(raw, np.linspace(low, high, PARTS + 1)[1:-1])
        points = [
            (raw[part == k].mean(), seen[part == k].mean())
            for k in np.unique(part)
            if (part == k).sum() >= ENOUGH
        ]
        rising = points[:1]
        for x, y in points[1:]:
            if y > rising[-1][1]:
                rising.append((x, y))
        return cls(weights, np.array(rising).T)
