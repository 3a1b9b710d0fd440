"""Estimates fitted to simulated hands: a linear predictor, bent so that it is calibrated."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol, TypeVar

import joblib
import numpy as np
from numpy.typing import NDArray

from tricklab.cards import read_only

ENOUGH = 200
"""Hands in a part of the range of predictions from which their mean is a knot."""

PARTS = 16
"""Parts into which the range of predictions is cut, unless it goes by the unit."""

FEWEST_PARTS, MOST_PARTS = 4, 24
"""How few and how many parts there may be where that goes by the unit."""


def bend(knots: NDArray[np.float64], raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Predictions along a line through knots (2, k); beyond the ends the line goes on."""
    x, y = knots
    below = np.minimum(raw - x[0], 0) * (y[1] - y[0]) / (x[1] - x[0])
    above = np.maximum(raw - x[-1], 0) * (y[-1] - y[-2]) / (x[-1] - x[-2])
    out: NDArray[np.float64] = np.interp(raw, x, y) + below + above
    return out


def find_knots(
    raw: NDArray[np.float64], seen: NDArray[np.float64], per_unit: float | None = None
) -> NDArray[np.float64]:
    """Mean prediction and mean seen in parts of the range of predictions, rising, (2, k).

    ``per_unit`` is how many parts a unit of the prediction has; without it there are
    :data:`PARTS`.
    """
    low, high = np.quantile(raw, [0.001, 0.999])
    parts = PARTS
    if per_unit is not None:
        parts = int(min(max(per_unit * (high - low), FEWEST_PARTS), MOST_PARTS))
    part = np.digitize(raw, np.linspace(low, high, parts + 1)[1:-1])
    points = [
        (raw[part == k].mean(), seen[part == k].mean())
        for k in np.unique(part)
        if (part == k).sum() >= ENOUGH
    ]
    rising = points[:1]
    for x, y in points[1:]:
        if y > rising[-1][1]:
            rising.append((x, y))
    return np.array(rising).T


@dataclass(frozen=True)
class Bent:
    """An estimate that is linear in features, then bent along a line through knots.

    Attributes
    ----------
    weights : float (features,)
        Of the linear predictor.
    knots : float (2, k)
        Its values, rising, and what was seen on average there.
    """

    weights: NDArray[np.float64]
    knots: NDArray[np.float64]

    def estimate(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Estimates for features of shape (…, features)."""
        return bend(self.knots, features @ self.weights)

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
    def fit(
        cls,
        features: NDArray[np.float64],
        seen: NDArray[np.float64],
        per_unit: float | None = None,
    ) -> Bent:
        """Least squares over hands (n, features), then a line through :func:`find_knots`."""
        weights = np.linalg.lstsq(features, seen, rcond=None)[0].astype(np.float64)
        return cls(weights, find_knots(features @ weights, seen, per_unit))


class Plain(Protocol):
    """A fit that can be written down."""

    def plain(self) -> dict[str, Any]:
        """The fit ready for JSON."""


Setting = TypeVar("Setting")
Fitted = TypeVar("Fitted")


def fit_file(
    fit: Callable[[Setting], Plain],
    settings: Iterable[Setting],
    features: Sequence[str],
    seed: int,
    hands: int,
    n_jobs: int | None,
    done: Callable[[int], object],
) -> str:
    """Fit every setting of a game; the text of its ``strength.json``.

    Parameters
    ----------
    fit : callable
        Fits one setting.
    features, seed, hands
        What is stated of all fits.
    n_jobs : int, optional
        Worker processes; default one a core.
    done : callable
        Called with 1 whenever a setting is done.
    """
    fits = []
    parallel = joblib.Parallel(n_jobs=n_jobs or -1, return_as="generator")
    for fitted in parallel(joblib.delayed(fit)(setting) for setting in settings):
        fits.append(json.dumps(fitted.plain()))
        done(1)
    head = json.dumps({"features": list(features), "seed": seed, "hands": hands})
    lines = ",\n".join(fits)
    return f'{head[:-1]}, "fits": [\n{lines}\n]}}'


def read_fits(package: str, read: Callable[[Mapping[str, Any]], Fitted]) -> list[Fitted]:
    """The fits of the ``strength.json`` that ships in a game's package."""
    text = (resources.files(package) / "strength.json").read_text(encoding="utf-8")
    return [read(entry) for entry in json.loads(text)["fits"]]
