"""Estimates with intervals, counted in deals.

Nothing here returns a bare mean.  The deal is the unit of independence: the seats of one hand share
its cards, so rows are never treated as if each were a fresh observation.
"""

from __future__ import annotations

import html
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from tricklab.errors import UserError

__all__ = [
    "Estimate",
    "RatioSums",
    "bonferroni_level",
    "bootstrap",
    "clustered_ratio",
    "holm",
    "independent_difference",
    "mean",
    "mean_by_deal",
    "p_value",
    "paired_difference",
    "proportion",
]

FloatArray = NDArray[np.float64]

#: A fraction longer than this says less than its decimals do.
_SHORT_FRACTION = 16


# ----------------------------------------------------------------------------------- the estimate
@dataclass(frozen=True, repr=False)
class Estimate:
    """A value, how sure we are of it, and how that was worked out.

    Attributes
    ----------
    value, se : float
        The estimate and its standard error (NaN where there is none).
    low, high : float
        The interval at confidence `level`.
    level : float
        Between 0 and 1, 0.95 unless asked otherwise.
    n : int
        Number of *deals* behind the estimate (0 for an exact value).
    method : str
        How the interval was made, in words.
    name : str, optional
        What was estimated; printed in front.
    exact : bool
        True for a value that was calculated, not sampled.
    fraction : fractions.Fraction, optional
        The exact value as a fraction.
    """

    value: float
    se: float
    low: float
    high: float
    level: float
    n: int
    method: str
    name: str | None = None
    exact: bool = False
    fraction: Fraction | None = None

    @classmethod
    def of_fraction(cls, fraction: Fraction, method: str, name: str | None = None) -> Estimate:
        """An exact value: no error, and an interval that is a point."""
        value = float(fraction)
        return cls(value, 0.0, value, value, 0.95, 0, method, name, exact=True, fraction=fraction)

    def excludes(self, value: float = 0.0) -> bool:
        """Whether the interval lies wholly above or wholly below `value`."""
        return self.low > value or self.high < value

    def named(self, name: str) -> Estimate:
        """The same estimate under another name."""
        return replace(self, name=name)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready fields; what is not a finite number becomes None."""
        out: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Fraction):
                value = f"{value.numerator}/{value.denominator}"
            elif isinstance(value, float) and not math.isfinite(value):
                value = None
            out[f.name] = value
        return out

    def __str__(self) -> str:
        return f"{self.name}: {self._body()}" if self.name else self._body()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, _, tail = self._body().partition(" (")
        name = f"{html.escape(self.name)}: " if self.name else ""
        detail = f" <small>({html.escape(tail)}</small>" if tail else ""
        return f"<span>{name}<b>{html.escape(head)}</b>{detail}</span>"

    def _body(self) -> str:
        if self.exact:
            text = "" if self.fraction is None else str(self.fraction)
            note = f"; {text}" if "/" in text and len(text) <= _SHORT_FRACTION else ""
            value = f"{self.value:.6g}"
            if value == "1" and self.fraction not in (None, 1):
                value = f"{self.value:.15g}"  # almost certain is not certain
            return f"{value} (exact{note})"
        if math.isnan(self.value):
            undefined = f"undefined ({_deals(self.n)}, {self.method})"
            return undefined if self.n else "no such deals"
        # With no standard error (0 hits, say) the interval still tells how many digits to show.
        scale = self.se if self.se > 0 else (self.high - self.low) / 2
        value, se, low, high = (
            _number(x, scale) for x in (self.value, self.se, self.low, self.high)
        )
        # "± 0" would claim certainty that a sample cannot give.
        spread = f" ± {se}" if self.se > 0 else ""
        interval = f"{_percent(self.level)} {low} to {high}"
        return f"{value}{spread} ({interval}; {_deals(self.n)}, {self.method})"


def _deals(n: int) -> str:
    return f"{n:,} deal" + ("" if n == 1 else "s")


def _percent(level: float) -> str:
    return f"{100 * level:.6g}%"


def _number(x: float, scale: float) -> str:
    """`x` with as many decimals as show two digits of `scale`."""
    if not math.isfinite(x) or not math.isfinite(scale) or scale <= 0:
        return f"{x:.6g}"
    decimals = min(15, max(0, 1 - math.floor(math.log10(scale))))
    text = f"{x:,.{decimals}f}"
    return text.lstrip("-") if not any(c in "123456789" for c in text) else text


# ------------------------------------------------------------------------------------------ checks
def _check_level(level: float) -> float:
    if not isinstance(level, int | float | np.floating) or not 0 < level < 1:
        raise UserError(f"level must lie strictly between 0 and 1, for example 0.95; got {level!r}")
    return float(level)


def _count(value: object, what: str) -> int:
    try:
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UserError(f"{what} must be a whole number; got {value!r}") from None
    if count < 0:
        raise UserError(f"{what} must not be negative; got {count}")
    return count


def _values(x: ArrayLike, what: str) -> FloatArray:
    try:
        values = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError(f"{what} must be numbers") from None
    if values.ndim != 1:
        raise UserError(f"{what} must be one-dimensional; got shape {values.shape}")
    if values.size == 0:
        raise UserError(f"{what} is empty: at least one deal is needed")
    if not np.isfinite(values).all():
        bad = int(np.flatnonzero(~np.isfinite(values))[0])
        raise UserError(f"{what} holds {values[bad]} at position {bad}; every value must be finite")
    return values


def _z(level: float) -> float:
    return float(special.ndtri(0.5 + level / 2))


def _t(level: float, df: int) -> float:
    return float(special.stdtrit(df, 0.5 + level / 2))


# ------------------------------------------------------------------------------------- proportions
def _wilson(p: float, n: float, z: float) -> tuple[float, float]:
    denominator = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / denominator
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / denominator
    low = 0.0 if p == 0 else max(0.0, centre - half)
    high = 1.0 if p == 1 else min(1.0, centre + half)
    return low, high


def proportion(hits: int, n: int, level: float = 0.95, name: str | None = None) -> Estimate:
    """Share of independent deals with an event, with the Wilson score interval.

    Parameters
    ----------
    hits, n : int
        Deals with the event, and deals.
    """
    level = _check_level(level)
    hits, n = _count(hits, "hits"), _count(n, "n")
    if n == 0:
        raise UserError("n must be at least 1: a share of no deals is undefined")
    if hits > n:
        raise UserError(f"hits ({hits}) cannot exceed n ({n})")
    p = hits / n
    low, high = _wilson(p, n, _z(level))
    return Estimate(p, math.sqrt(p * (1 - p) / n), low, high, level, n, "Wilson", name)


@dataclass(frozen=True)
class RatioSums:
    """Sums over deals of hits *a* and rows *b* and their products: all a ratio estimate needs.

    Exact integers, so the sums of blocks can be added in any order.  `deals` counts the deals that
    have at least one row: a deal outside the condition says nothing about the ratio.
    """

    deals: int = 0
    a: int = 0
    b: int = 0
    aa: int = 0
    bb: int = 0
    ab: int = 0

    @classmethod
    def of(cls, hits_per_deal: ArrayLike, rows_per_deal: ArrayLike) -> RatioSums:
        """Accumulate from hits and rows by deal (whole numbers, hits ≤ rows)."""
        a, b = np.asarray(hits_per_deal), np.asarray(rows_per_deal)
        if a.shape != b.shape or a.ndim != 1:
            raise UserError(
                f"hits and rows must match, one of each a deal; got {a.shape}, {b.shape}"
            )
        for x, what in ((a, "hits"), (b, "rows")):
            if x.size and x.dtype.kind not in "biu":
                raise UserError(f"{what} by deal must be whole numbers; got {x.dtype}")
        a, b = a.astype(np.int64), b.astype(np.int64)
        if (a < 0).any() or (a > b).any():
            raise UserError("hits by deal must lie between 0 and the rows of that deal")
        return cls(
            int(np.count_nonzero(b)), int(a.sum()), int(b.sum()), int(a @ a), int(b @ b), int(a @ b)
        )

    def __add__(self, other: RatioSums) -> RatioSums:
        if not isinstance(other, RatioSums):
            return NotImplemented
        return RatioSums(
            self.deals + other.deals,
            self.a + other.a,
            self.b + other.b,
            self.aa + other.aa,
            self.bb + other.bb,
            self.ab + other.ab,
        )

    def __radd__(self, other: object) -> RatioSums:
        return self if other == 0 else NotImplemented  # so that sum() works


def clustered_ratio(sums: RatioSums, level: float = 0.95, name: str | None = None) -> Estimate:
    """Share of rows with an event when several rows (seats, tricks, plays) belong to one deal.

    The variance is that of the ratio of two totals over deals, linearised.  The interval is
    Wilson's on the effective number of rows that this variance implies, shrunk for the deals'
    degrees of freedom (Korn and Graubard).  With no hits, or nothing but hits, the data cannot show
    how alike the rows of a deal are; they are then taken to be copies of each other, which is the
    cautious end.  One row a deal is the plain Wilson interval.
    """
    level = _check_level(level)
    deals, a, b = sums.deals, sums.a, sums.b
    if b == 0:
        nan = math.nan
        return Estimate(nan, nan, nan, nan, level, 0, "Wilson", name)
    if b == deals:  # every counted deal has at least one row, so each has exactly one
        return proportion(a, b, level, name)
    p, z = a / b, _z(level)
    # Σ(a_i − p b_i)² as a fraction: exact, where floats would cancel.
    squares = Fraction(sums.aa * b * b - 2 * sums.ab * a * b + sums.bb * a * a, b * b)
    variance = float(squares / (b * b)) * deals / (deals - 1) if deals > 1 else math.nan
    se = math.sqrt(variance)
    if a in (0, b) or deals == 1:
        rows = b * b / sums.bb
    elif variance == 0:
        rows = float(b)  # the same share in every deal: no better than independent rows
    else:
        rows = p * (1 - p) / variance
    if deals > 1:
        rows *= (z / _t(level, deals - 1)) ** 2
    low, high = _wilson(p, rows, z)
    return Estimate(p, se, low, high, level, deals, "Wilson, rows clustered by deal", name)


# ------------------------------------------------------------------------------------------- means
def _t_interval(x: FloatArray, level: float, method: str, name: str | None) -> Estimate:
    n = x.size
    value = float(x.mean())
    if n == 1:  # one deal has no spread to learn from
        return Estimate(value, math.nan, -math.inf, math.inf, level, 1, method, name)
    se = float(x.std(ddof=1)) / math.sqrt(n)
    half = _t(level, n - 1) * se
    return Estimate(value, se, value - half, value + half, level, n, method, name)


def mean(x: ArrayLike, level: float = 0.95, name: str | None = None) -> Estimate:
    """Mean of one value a deal, with Student's t interval."""
    return _t_interval(_values(x, "x"), _check_level(level), "t", name)


def mean_by_deal(
    values: ArrayLike, deals: ArrayLike, level: float = 0.95, name: str | None = None
) -> Estimate:
    """Mean over deals of each deal's own mean, with Student's t interval.

    Parameters
    ----------
    values : array, shape (rows,)
    deals : array, shape (rows,)
        The deal each row belongs to, in any order.  Every deal weighs the same.
    """
    level = _check_level(level)
    x = _values(values, "values")
    ids = _deal_ids(deals, x.size)
    _, index, rows = np.unique(ids, return_inverse=True, return_counts=True)
    means = np.bincount(index, weights=x) / rows
    method = "t" if rows.max() == 1 else "t on deal means"
    return _t_interval(means, level, method, name)


def paired_difference(
    x: ArrayLike, y: ArrayLike, level: float = 0.95, name: str | None = None
) -> Estimate:
    """Mean of x − y over the same deals in the same order, with Student's t interval.

    Give 0/1 arrays to compare two shares on the same deals.
    """
    level = _check_level(level)
    a, b = _values(x, "x"), _values(y, "y")
    if a.size != b.size:
        raise UserError(
            f"a paired difference needs the same deals on both sides; got {a.size} and {b.size}"
        )
    return _t_interval(a - b, level, "paired t", name)


def independent_difference(
    x: ArrayLike, y: ArrayLike, level: float = 0.95, name: str | None = None
) -> Estimate:
    """Difference of the means of x and y, made on different deals, with Welch's interval.

    Welch, "The generalization of 'Student's' problem when several different population variances
    are involved", Biometrika 34 (1947).
    """
    level = _check_level(level)
    a, b = _values(x, "x"), _values(y, "y")
    value, n = float(a.mean() - b.mean()), min(a.size, b.size)
    method = "Welch, unpaired"
    if n == 1:
        return Estimate(value, math.nan, -math.inf, math.inf, level, 1, method, name)
    va, vb = float(a.var(ddof=1)) / a.size, float(b.var(ddof=1)) / b.size
    se = math.sqrt(va + vb)
    if se == 0:
        return Estimate(value, 0.0, value, value, level, n, method, name)
    df = (va + vb) ** 2 / (va**2 / (a.size - 1) + vb**2 / (b.size - 1))
    half = se * float(special.stdtrit(df, 0.5 + level / 2))
    return Estimate(value, se, value - half, value + half, level, n, method, name)


# --------------------------------------------------------------------------------------- bootstrap
def _deal_ids(deals: ArrayLike, rows: int) -> NDArray[Any]:
    ids = np.asarray(deals)
    if ids.ndim != 1 or ids.size != rows:
        raise UserError(f"one deal a row is needed: {rows} rows, deals of shape {ids.shape}")
    return ids


def _taker(data: Any, deals: Any) -> tuple[int, Any, Callable[[NDArray[np.intp]], tuple[Any, ...]]]:
    """Number of rows, deal ids, and a function from row numbers to the statistic's arguments."""
    if hasattr(data, "iloc"):
        if isinstance(deals, str):
            if deals not in data:
                raise UserError(f"there is no column {deals!r} to tell the deals apart")
            deals = data[deals]
        return len(data), deals, lambda rows: (data.iloc[rows],)
    if isinstance(data, Mapping):
        table = {k: np.asarray(v) for k, v in data.items()}
        if isinstance(deals, str):
            if deals not in table:
                raise UserError(f"there is no column {deals!r} to tell the deals apart")
            deals = table[deals]
        n = _same_length(list(table.values()))
        return n, deals, lambda rows: ({k: v[rows] for k, v in table.items()},)
    arrays = [np.asarray(v) for v in data] if isinstance(data, tuple) else [np.asarray(data)]
    return _same_length(arrays), deals, lambda rows: tuple(v[rows] for v in arrays)


def _same_length(arrays: Sequence[NDArray[Any]]) -> int:
    lengths = {a.shape[0] if a.ndim else 0 for a in arrays}
    if len(lengths) != 1:
        raise UserError(f"the arrays must have the same number of rows; got {sorted(lengths)}")
    return lengths.pop()


def bootstrap(
    data: Any,
    statistic: Callable[..., float],
    deals: ArrayLike | str | None = None,
    n_boot: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    name: str | None = None,
) -> Estimate:
    """Percentile bootstrap that draws whole deals, for quantiles and whatever else has no formula.

    Parameters
    ----------
    data : DataFrame, mapping of arrays, array, or tuple of arrays
        Rows; the statistic gets the same kind of thing (a tuple's arrays as separate arguments).
    statistic : callable
        Returns one number.
    deals : array of shape (rows,), or a column's name
        The deal of each row; None if every row is a deal of its own.
    n_boot, seed : int
        Number of resamples, and the seed of their own random stream.
    """
    level = _check_level(level)
    n_boot = _count(n_boot, "n_boot")
    if n_boot < 2:
        raise UserError(f"n_boot must be at least 2; got {n_boot}")
    seed = _count(seed, "seed")
    n_rows, ids, take = _taker(data, deals)
    if n_rows == 0:
        raise UserError("data is empty: at least one deal is needed")
    if ids is None:
        ids = np.arange(n_rows)
    _, index, sizes = np.unique(_deal_ids(ids, n_rows), return_inverse=True, return_counts=True)
    n = sizes.size
    order = np.argsort(index, kind="stable")
    first = np.cumsum(sizes) - sizes

    value = float(statistic(*take(np.arange(n_rows))))
    rng = np.random.default_rng(seed)
    draws = np.empty(n_boot)
    for i in range(n_boot):
        drawn = rng.integers(0, n, n)
        size = sizes[drawn]
        start = np.repeat(first[drawn] - (np.cumsum(size) - size), size)
        draws[i] = statistic(*take(order[start + np.arange(size.sum())]))
    good = draws[np.isfinite(draws)]
    method = f"bootstrap, {n_boot:,} resamples"
    if good.size < n_boot:
        method += f", {n_boot - good.size:,} undefined"
    if good.size < 2 or n < 2:
        return Estimate(value, math.nan, -math.inf, math.inf, level, n, method, name)
    low, high = np.quantile(good, [0.5 - level / 2, 0.5 + level / 2])
    return Estimate(value, float(good.std(ddof=1)), float(low), float(high), level, n, method, name)


# ---------------------------------------------------------------------------- several comparisons
def p_value(estimate: Estimate, null: float = 0.0) -> float:
    """Two-sided p-value of a difference from `null`, by the normal approximation."""
    distance = abs(estimate.value - null)
    if math.isnan(distance) or math.isnan(estimate.se):
        return math.nan
    if estimate.se == 0:
        return 1.0 if distance == 0 else 0.0
    return float(2 * special.ndtr(-distance / estimate.se))


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's adjusted p-values, in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise UserError("p-values must be a list of numbers between 0 and 1")
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, steps)
    return adjusted


def bonferroni_level(level: float, k: int) -> float:
    """Level at which each of `k` intervals must be drawn for all to hold together at `level`."""
    level, k = _check_level(level), _count(k, "k")
    if k == 0:
        raise UserError("k must be at least 1: the number of comparisons")
    return 1 - (1 - level) / k
