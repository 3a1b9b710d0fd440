"""Figures: each takes a frame and returns its axes, and all look alike.

Series are told apart by marker and line as well as by colour (Okabe and Ito's palette, "Color
universal design", 2008), so a figure reads in grey and to the colour-blind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

if TYPE_CHECKING:
    from tricklab.stats import Estimate

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", "-.", ":", "-", "--")
STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "font.size": 10,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "tricklab",
}
"""The look of every figure; used as a context, never set globally."""


def new_axes(width: float = 7.0, height: float = 3.6, columns: int = 1) -> list[Axes]:
    """Fresh axes in a figure of their own, side by side.

    Parameters
    ----------
    width, height : float
        Size in inches.
    columns : int
        How many axes.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        return list(np.atleast_1d(figure.subplots(1, columns)))


def by_distance(frame: pd.DataFrame, measure: str, policy: str, ax: Axes | None = None) -> Axes:
    """Tricks or wins by distance from the first leader, relative to an equal share.

    Parameters
    ----------
    frame : DataFrame
        From :func:`tricklab.studies.balance.by_distance`.
    measure : {"tricks", "win"}
        What is drawn.
    policy : str
        Whose cells.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        chosen = frame[(frame["measure"] == measure) & (frame["policy"] == policy)]
        for i, (players, rows) in enumerate(chosen.groupby("players")):
            fair = rows["value"].mean()
            scale = 100 if measure == "win" else 1
            shift = (i - 1.5) * 0.07
            ax.errorbar(
                rows["distance"] + shift,
                (rows["value"] - fair) * scale,
                yerr=_bars(rows) * scale,
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=LINES[i],
                capsize=2,
                label=f"{players} players",
            )
        ax.axhline(0, color="#444444", linewidth=1)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("seats after the first leader (0 leads)")
        unit = "share of wins, percentage points" if measure == "win" else "tricks"
        ax.set_ylabel(f"{unit}\nabove an equal share")
        ax.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def effects(
    frame: pd.DataFrame,
    titles: Mapping[str, str],
    *,
    share: bool,
    xlabel: str,
    series: str = "players",
    ax: Axes | None = None,
) -> Axes:
    """What each variant changes: a row a variant, a marker a series, bars the intervals.

    Parameters
    ----------
    frame : DataFrame
        Rows of :func:`tricklab.studies.balance.effects` for one measure.
    titles : mapping
        Variant names to words, in the order of the rows.
    share : bool
        Whether values are shares, drawn as percentage points.
    xlabel : str
        What the change is of.
    series : str
        Column whose values are told apart by marker.
    """
    with mpl.rc_context(STYLE):
        names = [name for name in titles if name in set(frame["variant"])]
        ax = ax or new_axes(height=1.2 + 0.42 * len(names))[0]
        place = {name: len(names) - 1 - i for i, name in enumerate(names)}
        kinds = list(dict.fromkeys(frame[series]))
        scale = 100 if share else 1
        for i, kind in enumerate(kinds):
            rows = frame[frame[series] == kind]
            y = rows["variant"].map(place) + (len(kinds) / 2 - 0.5 - i) * 0.17
            ax.errorbar(
                rows["value"] * scale,
                y,
                xerr=_bars(rows) * scale,
                color=COLOURS[i],
                marker=MARKERS[i],
                markersize=5,
                linestyle="none",
                capsize=2,
                label=f"{kind} players" if series == "players" else str(kind),
            )
        ax.axvline(0, color="#444444", linewidth=1)
        ax.set_yticks(list(place.values()), [titles[name] for name in place])
        ax.set_xlabel(xlabel + (", percentage points" if share else ""))
        ax.legend(ncols=len(kinds), loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def striking(frame: pd.DataFrame, titles: Mapping[str, str], ax: Axes | None = None) -> Axes:
    """How often striking things happen, a row a thing, a marker a number of players.

    Parameters
    ----------
    frame : DataFrame
        Rows of :func:`tricklab.studies.balance.levels` for the basic game and one policy.
    titles : mapping
        Measure names to words, in the order of the rows.
    """
    with mpl.rc_context(STYLE):
        names = list(titles)
        ax = ax or new_axes(height=1.2 + 0.45 * len(names))[0]
        place = {name: len(names) - 1 - i for i, name in enumerate(names)}
        chosen = frame[frame["measure"].isin(names)]
        for i, (players, rows) in enumerate(chosen.groupby("players")):
            ax.errorbar(
                rows["value"],
                rows["measure"].map(place) + (1.5 - i) * 0.15,
                xerr=_bars(rows),
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle="none",
                capsize=2,
                label=f"{players} players",
            )
        ax.set_xscale("symlog", linthresh=1e-3)
        ax.set_xlim(0, 1)
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g}%"))
        ax.set_yticks(list(place.values()), list(titles.values()))
        ax.set_xlabel("share of hands (logarithmic above 0.1%)")
        ax.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def worth(frame: pd.DataFrame, titles: Mapping[str, str], ax: Axes | None = None) -> Axes:
    """Mean tricks by what was dealt, a line a feature.

    Parameters
    ----------
    frame : DataFrame
        From :func:`tricklab.studies.balance.worth_of_holding`.
    titles : mapping
        Feature names to words, in the order of the lines.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        for i, (feature, title) in enumerate(titles.items()):
            rows = frame[frame["feature"] == feature]
            ax.errorbar(
                rows["count"],
                rows["value"],
                yerr=_bars(rows),
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=LINES[i],
                capsize=2,
                label=title,
            )
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("how many were dealt to the seat")
        ax.set_ylabel("mean tricks of the seat")
        ax.legend()
        return ax


def distribution(values: Mapping[str, Sequence[float]], ax: Axes | None = None) -> Axes:
    """Distributions of whole numbers side by side, as shares of deals.

    Parameters
    ----------
    values : mapping of name to whole numbers
        One entry a series.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        for i, (name, numbers) in enumerate(values.items()):
            counts = np.bincount(np.asarray(numbers, dtype=np.int64))
            ax.plot(
                np.arange(len(counts)),
                counts / counts.sum(),
                color=COLOURS[i],
                marker=MARKERS[i],
                markersize=4,
                linestyle=LINES[i],
                label=name,
            )
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:g}%"))
        ax.set_ylabel("share")
        ax.legend()
        return ax


def estimates(found: Mapping[str, Estimate], xlabel: str, ax: Axes | None = None) -> Axes:
    """Estimates with their intervals, a row each.

    Parameters
    ----------
    found : mapping of name to Estimate
        In the order of the rows.
    xlabel : str
        What they estimate.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes(height=1.0 + 0.4 * len(found))[0]
        y = np.arange(len(found))[::-1]
        value = np.array([e.value for e in found.values()])
        low = np.array([e.low for e in found.values()])
        high = np.array([e.high for e in found.values()])
        ax.errorbar(
            value,
            y,
            xerr=np.stack([value - low, high - value]),
            color=COLOURS[0],
            marker=MARKERS[0],
            linestyle="none",
            capsize=3,
        )
        ax.set_yticks(y, list(found))
        ax.set_ylim(-0.6, len(found) - 0.4)
        ax.set_xlabel(xlabel)
        return ax


def _bars(rows: pd.DataFrame) -> np.ndarray:
    """Lengths of error bars below and above, shape (2, n)."""
    value = rows["value"].to_numpy(float)
    return np.stack(
        [value - rows["low"].to_numpy(float), rows["high"].to_numpy(float) - value]
    ).clip(min=0)
