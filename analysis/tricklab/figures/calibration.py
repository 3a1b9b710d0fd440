"""Figures of forecasts and bids: reliability diagrams, bias, margins and their search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from tricklab.figures.general import lines
from tricklab.figures.style import COLOURS, LINES, MARKERS, STYLE, bars, look, new_axes


def reliability(
    frame: pd.DataFrame, series: str, titles: Mapping[Any, str], ax: Axes | None = None
) -> Axes:
    """How often what was forecast happened, by forecast; calibrated ones lie on the diagonal.

    Parameters
    ----------
    frame : DataFrame
        Columns ``chance``, ``value``, ``low``, ``high`` and that of ``series``.
    series : str
        Column of what tells lines apart.
    titles : mapping
        Its values to words, in the order of the lines.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes(width=5.6, height=5.2)[0]
        ax.plot([0, 1], [0, 1], color="#444444", linewidth=1, zorder=1)
        for i, (value, title) in enumerate(titles.items()):
            rows = frame[frame[series] == value].sort_values("chance")
            ax.errorbar(
                rows["chance"],
                rows["value"],
                yerr=bars(rows),
                **look(i),
                label=title,
            )
        percent = FuncFormatter(lambda v, _: f"{100 * v:g}%")
        ax.xaxis.set_major_formatter(percent)
        ax.yaxis.set_major_formatter(percent)
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.02, 1.02)
        ax.set_aspect("equal")
        ax.set_xlabel("forecast chance that the bid is made")
        ax.set_ylabel("share of bids made")
        ax.legend(ncols=1, loc="lower right")
        return ax


def bias(
    frame: pd.DataFrame,
    x: str,
    series: str,
    xlabel: str,
    titles: Mapping[Any, str],
    ylabel: str = "tricks taken above the estimate",
    ax: Axes | None = None,
) -> Axes:
    """Differences along a number, a line a series, about a line at 0.

    Parameters
    ----------
    frame : DataFrame
        Estimates of differences, with columns ``x`` and ``series``.
    x, series : str
        Columns of the number and of what tells lines apart.
    xlabel, ylabel : str
        What the axes show.
    titles : mapping
        Values of ``series`` to words, in the order of the lines.
    """
    ax = lines(frame, x, series, xlabel, ylabel, titles=titles, ax=ax)
    ax.axhline(0, color="#444444", linewidth=1, zorder=1)
    return ax


def margin_curve(frame: pd.DataFrame, best: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What a seat gains by its margin, a line a number of players; below, where the best margin is.

    Parameters
    ----------
    frame : DataFrame
        Estimates of gains, with columns ``margin`` and ``players``.
    best : DataFrame
        Estimates of the best margin, with column ``players``.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes(height=4.4)[0]
        top = frame["high"].max()
        floor = -5 * top
        step = 0.09 * (top - floor)
        for i, (players, rows) in enumerate(frame.groupby("players")):
            rows = rows.sort_values("margin")
            seen = rows[rows["value"] > floor]
            ax.plot(
                seen["margin"],
                seen["value"],
                color=COLOURS[i],
                linestyle=LINES[i],
                label=f"{players} players",
            )
            ax.fill_between(
                seen["margin"], seen["low"], seen["high"], color=COLOURS[i], alpha=0.2, linewidth=0
            )
            at = best[best["players"] == players]
            ax.errorbar(
                at["value"],
                [floor - (i + 0.5) * step] * len(at),
                xerr=bars(at),
                color=COLOURS[i],
                marker=MARKERS[i],
                capsize=3,
            )
        ax.axhline(0, color="#444444", linewidth=1)
        ax.axhline(floor, color="#bbbbbb", linewidth=0.7)
        ax.set_ylim(floor - (frame["players"].nunique() + 0.3) * step, top * 1.3)
        # Below the curves height means nothing.
        ax.set_yticks([tick for tick in ax.get_yticks() if floor <= tick <= top * 1.3])
        ax.set_xlabel("margin above the estimate, in average tricks; below: the best one")
        ax.set_ylabel("points a hand above the base margin")
        ax.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def margin_search(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Margins by round of a search, a line a seat.

    Parameters
    ----------
    frame : DataFrame
        Columns ``round``, ``place`` (six at most) and ``margin``.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        for i, (place, rows) in enumerate(frame.groupby("place")):
            ax.plot(
                rows["round"],
                rows["margin"],
                color=COLOURS[i],
                marker=MARKERS[i],
                markersize=5,
                linestyle=LINES[i],
                label="dealer" if place == 0 else f"{place} after",
            )
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("round of the search")
        ax.set_ylabel("margin, in average tricks")
        ax.legend(ncols=6, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax
