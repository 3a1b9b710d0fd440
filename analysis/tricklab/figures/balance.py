"""Figures of the balance of a game and its variants."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from tricklab.figures.style import COLOURS, LINES, MARKERS, STYLE, bars, new_axes


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
                yerr=bars(rows) * scale,
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
                xerr=bars(rows) * scale,
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
                yerr=bars(rows),
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
