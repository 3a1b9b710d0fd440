"""Figures that serve every study: rows of estimates, lines of them, distributions, heatmaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from tricklab.figures.style import COLOURS, LINES, MARKERS, STYLE, bars, look, new_axes

if TYPE_CHECKING:
    from tricklab.stats import Estimate


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


def lines(
    frame: pd.DataFrame,
    x: str,
    series: str,
    xlabel: str,
    ylabel: str,
    *,
    titles: Mapping[Any, str] | None = None,
    share: bool = False,
    whole: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Estimates along a number, a line a series, bars the intervals.

    Parameters
    ----------
    frame : DataFrame
        Estimates: columns ``value``, ``low``, ``high``, and those of ``x`` and ``series``.
    x, series : str
        Columns of the number and of what tells lines apart (six at most).
    xlabel, ylabel : str
        What the axes show.
    titles : mapping, optional
        Values of ``series`` to words, in the order of the lines; default: as they come.
    share : bool
        Whether values are shares, drawn as percentages.
    whole : bool
        Whether only whole numbers are marked on the axis of ``x``.
    """
    named = titles or {value: str(value) for value in dict.fromkeys(frame[series])}
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        for i, (value, title) in enumerate(named.items()):
            rows = frame[frame[series] == value].sort_values(x)
            ax.errorbar(
                rows[x],
                rows["value"],
                yerr=bars(rows),
                **look(i),
                label=title,
            )
        if share:
            ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:g}%"))
        if whole:
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel(xlabel)
        ax.set_ylabel(ylabel)
        ax.legend(ncols=min(4, len(named)), loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def _in_order(labels: pd.Series) -> list[Any]:
    """Each label once: numbers by size, words as they first come."""
    once = list(dict.fromkeys(labels))
    return sorted(once) if pd.api.types.is_numeric_dtype(labels) else once


def heat(
    frame: pd.DataFrame,
    row: str,
    column: str,
    xlabel: str,
    ylabel: str,
    *,
    share: bool = False,
    form: str = ".2g",
    ax: Axes | None = None,
) -> Axes:
    """Estimates by two labels: a cell a pair, its value written in it, its shade the value.

    Parameters
    ----------
    frame : DataFrame
        Estimates: column ``value`` and those of ``row`` and ``column``, one row a pair.
    row, column : str
        The labels: numbers are put in order, words stand as they first come.
    xlabel, ylabel : str
        What the axes show.
    share : bool
        Whether values are shares, written as percentages.
    form : str
        Format of values that are no shares.
    """
    rows, columns = (_in_order(frame[name]) for name in (row, column))
    with mpl.rc_context(STYLE):
        ax = ax or new_axes(height=1.4 + 0.36 * len(rows))[0]
        grid = frame.pivot(index=row, columns=column, values="value").loc[rows, columns]
        values = grid.to_numpy(float)
        image = ax.imshow(values, cmap="cividis", aspect="auto")
        middle = (np.nanmin(values) + np.nanmax(values)) / 2
        for (r, c), value in np.ndenumerate(values):
            if np.isfinite(value):
                text = f"{100 * value:.0f}%" if share else f"{value:{form}}".replace("-", "−")
                dark = value < middle
                ax.text(c, r, text, ha="center", va="center", color="white" if dark else "black")
        ax.set_xticks(np.arange(len(columns)), [str(name) for name in columns])
        ax.set_yticks(np.arange(len(rows)), [str(name) for name in rows])
        ax.grid(visible=False)
        ax.set_xlabel(xlabel)
        ax.set_ylabel(ylabel)
        figure = ax.get_figure(root=True)
        assert figure is not None
        ticks = FuncFormatter(lambda v, _: f"{100 * v:g}%") if share else None
        figure.colorbar(image, ax=ax, format=ticks)
        return ax
