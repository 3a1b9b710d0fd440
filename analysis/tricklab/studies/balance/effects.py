"""Frames of the balance study: levels, main effects and interplay, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab import stats
from tricklab.studies.balance.cells import Played
from tricklab.studies.balance.designs import Design
from tricklab.studies.balance.luck import COMPONENTS
from tricklab.studies.balance.measures import HOLDING, MEASURES, STRIKING, Floats, Measure
from tricklab.studies.rows import ESTIMATE, FEWEST, row


def signs(factors: int) -> NDArray[np.float64]:
    """Levels of a full factorial, (2**factors, factors): -1 off, +1 on, the last fastest."""
    levels = list(product((-1.0, 1.0), repeat=factors))
    return np.array(levels).reshape(2**factors, factors)


def contrasts(names: Sequence[str]) -> dict[tuple[str, ...], Floats]:
    """Weights of the cells for every main effect and pair.

    A main effect is the mean where the factor is on less the mean where it is off.  A pair's is how
    much the one's effect changes when the other is switched on, which is twice the interaction of
    Box, Hunter and Hunter (*Statistics for Experimenters*, 1978).  In a full factorial these are
    the least-squares estimates, whatever higher interactions there are.
    """
    x = signs(len(names))
    cells = len(x)
    out: dict[tuple[str, ...], Floats] = {
        (name,): 2 * x[:, i] / cells for i, name in enumerate(names)
    }
    for i, j in combinations(range(len(names)), 2):
        out[names[i], names[j]] = 4 * x[:, i] * x[:, j] / cells
    return out


def of_series(values: Floats, measure: Measure, level: float, method: str) -> stats.Estimate:
    """The mean of differences by deal, deals that were not played left out.

    Where a share differs in no deal the interval runs to Wilson's bound on the share of deals in
    which it would: that none was seen proves little.
    """
    kept = values[np.isfinite(values)]
    if not len(kept):
        nan = math.nan
        return stats.Estimate(nan, nan, nan, nan, level, 0, method)
    if measure.share and not kept.any():
        bound = stats.proportion(0, len(kept), level).high
        how = "no deal differs, Wilson bound"
        return stats.Estimate(0.0, 0.0, -bound, bound, level, len(kept), how)
    found = stats.mean(kept, level)
    return stats.Estimate(
        found.value, found.se, found.low, found.high, level, found.n, method, measure.title
    )


def level_of(values: NDArray[np.float32], measure: Measure, level: float) -> stats.Estimate:
    """A measure's mean over deals (a share of deals where it is one)."""
    kept = values[np.isfinite(values)].astype(float)
    if not len(kept):
        return of_series(kept, measure, level, "t")
    if measure.event:
        return stats.proportion(int(kept.sum()), len(kept), level)
    return _jackknife(kept, level) if measure.name == "luck" else stats.mean(kept, level)


def difference(mine: Played, base: Played, measure: Measure, level: float) -> stats.Estimate:
    """A measure's change from one cell to another, paired by deal where the deals are the same."""
    x, y = (p.values[measure.name].astype(float) for p in (mine, base))
    a, b = mine.cell.game, base.cell.game
    same = a.deck == b.deck and a.players == b.players and measure.name != "length"
    if same and len(x) == len(y):
        return of_series(x - y, measure, level, "paired t")
    x, y = x[np.isfinite(x)], y[np.isfinite(y)]
    if not (len(x) and len(y)):
        return of_series(np.zeros(0), measure, level, "Welch, unpaired")
    return stats.independent_difference(x, y, level)


def _labels(played: Played) -> dict[str, Any]:
    cell = played.cell
    return {
        "design": cell.design.name,
        "context": cell.context,
        "variant": "+".join(cell.on),
        "players": played.players,
        "policy": cell.policy,
    }


def levels(cells: Iterable[Played], level: float = 0.95) -> pd.DataFrame:
    """Every measure in every cell.

    Returns
    -------
    DataFrame
        Columns design, context, variant (names joined by ``+``), players, policy, measure, and
        the estimate's.
    """
    return pd.DataFrame(
        row(level_of(p.values[m.name], m, level), **_labels(p), measure=m.name)
        for p in cells
        for m in MEASURES
        if m.name in p.values
    )


def striking(cells: Iterable[Played], level: float = 0.95) -> pd.DataFrame:
    """How often striking things happen where nothing is switched on."""
    return pd.DataFrame(
        row(level_of(p.values[m.name], m, level), **_labels(p), measure=m.name)
        for p in cells
        for m in STRIKING
        if p.cell.base and {m.name for m in STRIKING} <= p.values.keys()
    )


def factorial(cells: Sequence[Played], level: float = 0.95) -> pd.DataFrame:
    """Main effects and interplay of pairs in every design, under every policy.

    Returns
    -------
    DataFrame
        Columns design, policy, effect (a factor, or two joined by ``*``), order (1 or 2), measure,
        the estimate's, ``p`` (two-sided) and ``holm`` (adjusted for all rows of a design by Holm's
        method: "A simple sequentially rejective multiple test procedure", 1979).
    """
    rows: list[dict[str, Any]] = []
    for design, policy in _pairs(cells):
        names = [f.name for f in design.factors]
        settings = design.settings()[: 2 ** len(names)]
        at = {(p.cell.context, p.cell.on): p for p in _of(cells, design, policy)}
        full = [at[setting] for setting in settings]
        for measure in MEASURES:
            if not names or not all(measure.name in p.values for p in full):
                continue
            series = [p.values[measure.name].astype(float) for p in full]
            for effect, weights in contrasts(names).items():
                found = contrast(series, weights, measure, level)
                rows.append(
                    row(
                        found,
                        design=design.name,
                        policy=policy,
                        effect="*".join(effect),
                        order=len(effect),
                        measure=measure.name,
                        p=stats.p_value(found) if found.se > 0 else 1.0,
                    )
                )
    labels = ("design", "policy", "effect", "order", "measure")
    return _adjusted(pd.DataFrame(rows, columns=[*labels, *ESTIMATE, "p"]))


def contrast(
    series: Sequence[Floats], weights: Floats, measure: Measure, level: float
) -> stats.Estimate:
    """A weighted sum of cells: by deal where the deals are the same, else of their means."""
    if measure.name != "length" and len({len(s) for s in series}) == 1:
        return of_series(weights @ np.stack(series), measure, level, "paired t, contrast")
    value = sum(w * s.mean() for w, s in zip(weights, series, strict=True))
    few = min(len(s) for s in series)
    variance = sum(w * w * s.var(ddof=1) / len(s) for w, s in zip(weights, series, strict=True))
    se = math.sqrt(variance)
    half = 1.959964 * se
    return stats.Estimate(
        float(value),
        se,
        value - half,
        value + half,
        level,
        few,
        "contrast, unpaired",
        measure.title,
    )


def singles(cells: Sequence[Played], level: float = 0.95) -> pd.DataFrame:
    """What each change does by itself in every context, and each context against the base.

    Returns
    -------
    DataFrame
        Columns design, context, variant (empty for the context itself), players, policy, measure,
        the estimate's, ``p`` and ``holm``.
    """
    rows: list[dict[str, Any]] = []
    for design, policy in _pairs(cells):
        mine = _of(cells, design, policy)
        bases = {p.cell.context: p for p in mine if p.cell.base}
        for p in mine:
            if len(p.cell.on) > 1 or (p.cell.base and not p.cell.context):
                continue
            base = bases["" if p.cell.base else p.cell.context]
            for measure in MEASURES:
                if measure.name in p.values and measure.name in base.values:
                    found = difference(p, base, measure, level)
                    test = stats.p_value(found) if found.se > 0 else 1.0
                    rows.append(row(found, **_labels(p), measure=measure.name, p=test))
    labels = ("design", "context", "variant", "players", "policy", "measure")
    return _adjusted(pd.DataFrame(rows, columns=[*labels, *ESTIMATE, "p"]))


def assumed(cells: Sequence[Played], level: float = 0.95) -> pd.DataFrame:
    """The measures, and what each switch does by itself, where an assumption is changed.

    Returns
    -------
    DataFrame
        Columns design, clause, kind (``level``; ``change`` from what is assumed; ``effect`` of a
        switch), context (empty for what is assumed), variant, policy, measure, the estimate's,
        ``p`` and ``holm``.
    """
    rows: list[dict[str, Any]] = []
    for design, policy in _pairs(cells):
        at = {(p.cell.context, frozenset(p.cell.on)): p for p in _of(cells, design, policy)}
        for tried in design.assumptions:
            tables = [("", frozenset(tried.on)), *((c, frozenset[str]()) for c in tried.contexts)]
            for context, on in tables:
                here = at[context, on]
                compared = [("change", "", here, at[tables[0]])] if context else []
                compared += [
                    ("effect", f.name, at[context, on | {f.name}], here)
                    for f in design.factors
                    if f.name not in tried.on and (context, on | {f.name}) in at
                ]
                labels = {"design": design.name, "clause": tried.clause, "context": context}
                labels |= {"policy": policy}
                for m in (m for m in MEASURES if m.name in here.values):
                    found = level_of(here.values[m.name], m, level)
                    rows.append(
                        row(found, **labels, kind="level", variant="", measure=m.name, p=1.0)
                    )
                    for kind, name, mine, base in compared:
                        if m.name in mine.values and m.name in base.values:
                            found = difference(mine, base, m, level)
                            test = stats.p_value(found) if found.se > 0 else 1.0
                            more = {"kind": kind, "variant": name, "measure": m.name, "p": test}
                            rows.append(row(found, **labels, **more))
    return _adjusted(pd.DataFrame(rows))


def seats(cells: Iterable[Played], level: float = 0.95) -> pd.DataFrame:
    """Tricks and wins by distance from the first seat where nothing is switched on.

    Returns
    -------
    DataFrame
        Columns design, context, variant, players, policy, distance, measure (``tricks``, ``win``)
        and the estimate's.
    """
    return pd.DataFrame(
        row(
            stats.mean(values[:, distance].astype(float), level),
            **_labels(p),
            distance=distance,
            measure=measure,
        )
        for p in cells
        if p.cell.base
        for measure, values in (("tricks", p.tricks), ("win", p.wins))
        for distance in range(p.players)
    )


def variance(cells: Iterable[Played], level: float = 0.95) -> pd.DataFrame:
    """Components of the variance of a seat's result, for every cell with one change at most."""
    rows = [
        row(_jackknife(p.parts[:, i], level), **_labels(p), component=component)
        for p in cells
        if len(p.cell.on) <= 1
        for i, component in enumerate(COMPONENTS)
    ]
    return pd.DataFrame(rows)


def _jackknife(values: NDArray[np.floating], level: float) -> stats.Estimate:
    found = stats.mean(values, level)
    return stats.Estimate(
        found.value, found.se, found.low, found.high, level, found.n, "jackknife, t"
    )


def worth_of_one(
    x: Floats, y: Floats, level: float = 0.95, name: str | None = None
) -> stats.Estimate:
    """What one more of a feature brings, comparing the seats of each deal with one another.

    Parameters
    ----------
    x, y : float (deals, players)
        The feature and the tricks of each seat.

    Returns
    -------
    Estimate
        The least-squares slope within deals, its standard error from the deals (a ratio of two
        sums over deals, linearised).
    """
    deals = len(x)
    x = x - x.mean(axis=1, keepdims=True)
    up, down = (x * y).sum(axis=1), (x * x).sum(axis=1)
    slope = float(up.sum() / down.sum())
    scaled = (up - slope * down) / down.mean() + slope
    spread = stats.mean(scaled, level)
    half = (spread.high - spread.low) / 2
    how = "slope within deals, t"
    return stats.Estimate(slope, spread.se, slope - half, slope + half, level, deals, how, name)


def holdings(cells: Iterable[Played], level: float = 0.95) -> pd.DataFrame:
    """Worth of what a seat is dealt: mean tricks by how many, and of one more.

    Returns
    -------
    DataFrame
        Columns design, policy, feature, count (-1 for the slope) and the estimate's.  Several
        seats of a deal may count; they are averaged within the deal first.
    """
    out = []
    for p in cells:
        if not p.holdings:
            continue
        labels = {"design": p.cell.design.name, "policy": p.cell.policy}
        tricks = p.holdings["tricks"].astype(float)
        deal = np.repeat(np.arange(len(p.wins)), p.players)
        for feature in HOLDING:
            x = p.holdings[feature]
            shape = (-1, p.players)
            slope = worth_of_one(x.astype(float).reshape(shape), tricks.reshape(shape), level)
            out.append(row(slope, **labels, feature=feature, count=-1))
            for count in np.unique(x):
                chosen = x == count
                if len(np.unique(deal[chosen])) >= FEWEST:
                    found = stats.mean_by_deal(tricks[chosen], deal[chosen], level)
                    out.append(row(found, **labels, feature=feature, count=int(count)))
    return pd.DataFrame(out)


def _pairs(cells: Sequence[Played]) -> list[tuple[Design, str]]:
    seen: Mapping[tuple[str, str], tuple[Design, str]] = {
        (p.cell.design.name, p.cell.policy): (p.cell.design, p.cell.policy) for p in cells
    }
    return list(seen.values())


def _of(cells: Sequence[Played], design: Design, policy: str) -> list[Played]:
    return [p for p in cells if p.cell.design.name == design.name and p.cell.policy == policy]


def _adjusted(frame: pd.DataFrame) -> pd.DataFrame:
    """Holm's adjustment over the rows of each design."""
    if frame.empty:
        return frame.assign(holm=[])
    frame["holm"] = frame.groupby("design")["p"].transform(lambda p: stats.holm(p.to_numpy()))
    return frame
