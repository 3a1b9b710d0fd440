"""Figures of the balance of a game and its variants."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from tricklab.figures.style import COLOURS, LINES, MARKERS, STYLE, bars, look, new_axes
from tricklab.words import signed

HATCHES = ("", "//", "..", "xx", "\\\\", "++")


def seats(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Wins by distance from the first seat, above an equal share, a line a number of players.

    Parameters
    ----------
    frame : DataFrame
        Estimates of shares of wins: columns players, distance, value, low, high.
    """
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        for i, (players, rows) in enumerate(frame.groupby("players")):
            ax.errorbar(
                rows["distance"] + (i - 1.5) * 0.07,
                (rows["value"] - rows["value"].mean()) * 100,
                yerr=bars(rows) * 100,
                color=COLOURS[i],
                marker=MARKERS[i],
                linestyle=LINES[i],
                capsize=2,
                label=f"{players} players",
            )
        ax.axhline(0, color="#444444", linewidth=1)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("seats after the one that acts first (0)")
        ax.set_ylabel("share of wins, percentage points\nabove an equal share")
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
        Estimates of one measure: columns variant, value, low, high and that of ``series``.
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
                xerr=bars(rows) * scale,
                **look(i, joined=False),
                label=f"{kind} players" if series == "players" else str(kind),
            )
        ax.axvline(0, color="#444444", linewidth=1)
        ax.set_yticks(list(place.values()), [titles[name] for name in place])
        ax.set_xlabel(xlabel + (",\npercentage points" if share else ""))
        ax.legend(ncols=len(kinds), loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def interplay(
    frame: pd.DataFrame, titles: Mapping[str, str], *, share: bool, ax: Axes | None = None
) -> Axes:
    """Effects of switches and pairs of them on one measure: a matrix, its diagonal the switches.

    Parameters
    ----------
    frame : DataFrame
        Columns effect (a switch, or two joined by ``*``), value and holm (adjusted p).
    titles : mapping
        Names of switches to words, in the order of rows and columns.
    share : bool
        Whether values are shares, written in percentage points.
    """
    names = list(titles)
    at = {name: i for i, name in enumerate(names)}
    grid = np.full((len(names), len(names)), np.nan)
    with mpl.rc_context(STYLE):
        ax = ax or new_axes(height=1.6 + 0.5 * len(names))[0]
        clear = {}
        for row in frame.to_dict("records"):
            i, j = sorted(at[name] for name in (row["effect"].split("*") * 2)[:2])
            grid[j, i] = row["value"] * (100 if share else 1)
            clear[j, i] = row["holm"] < 0.05
        top = float(np.nanmax(np.abs(grid))) or 1.0
        image = ax.imshow(grid, cmap="PuOr", vmin=-top, vmax=top, aspect="auto")
        for (r, c), sure in clear.items():
            text = signed(grid[r, c], 1 if share else 2)
            text = text if sure else f"({text})"
            pale = abs(grid[r, c]) < 0.6 * top
            weight = "bold" if r == c else "normal"
            ax.text(
                c,
                r,
                text,
                ha="center",
                va="center",
                weight=weight,
                color="black" if pale else "white",
            )
        ax.set_xticks(range(len(names)), [titles[n].replace(" ", "\n") for n in names])
        ax.set_yticks(range(len(names)), [titles[n] for n in names])
        ax.grid(visible=False)
        figure = ax.get_figure(root=True)
        assert figure is not None
        figure.colorbar(image, ax=ax, label="percentage points" if share else "change")
        return ax


def shares(
    frame: pd.DataFrame,
    titles: Mapping[str, str],
    parts: Mapping[str, str],
    row: str,
    part: str,
    ax: Axes | None = None,
) -> Axes:
    """Bars that are split into parts adding up to all, the intervals marked at their ends.

    Parameters
    ----------
    frame : DataFrame
        Estimates of shares: columns ``row``, ``part``, value, low, high.
    titles, parts : mapping
        Values of the two columns to words, in order.
    row, part : str
        Columns of the bars, and of their parts.
    """
    with mpl.rc_context(STYLE):
        names = [name for name in titles if name in set(frame[row])]
        ax = ax or new_axes(height=1.3 + 0.5 * len(names))[0]
        left = np.zeros(len(names))
        y = np.arange(len(names))[::-1]
        for i, (name, title) in enumerate(parts.items()):
            rows = frame[frame[part] == name].set_index(row).loc[names]
            width = rows["value"].to_numpy(float)
            ax.barh(
                y,
                width,
                left=left,
                height=0.55,
                color=COLOURS[i],
                hatch=HATCHES[i],
                edgecolor="white",
                label=title,
            )
            if name != list(parts)[-1]:
                ax.errorbar(
                    left + width,
                    y + 0.36 - 0.72 * i,
                    xerr=bars(rows),
                    fmt="none",
                    ecolor=COLOURS[i],
                    capsize=2,
                )
            left = left + width
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g}%"))
        ax.set_yticks(y, [titles[name] for name in names])
        ax.set_xlabel("share of the variance")
        ax.legend(ncols=len(parts), loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax


def striking(frame: pd.DataFrame, titles: Mapping[str, str], ax: Axes | None = None) -> Axes:
    """How often striking things happen, a row a thing, a marker a number of players.

    Parameters
    ----------
    frame : DataFrame
        Estimates of shares: columns measure, players, value, low, high.
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
                xerr=bars(rows),
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
