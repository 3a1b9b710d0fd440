"""Figures of what giving cards is worth, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes

from tricklab.figures.style import STYLE, bars, look, new_axes


def contrasts(
    frame: pd.DataFrame,
    row: str,
    series: str,
    titles: Mapping[Any, str],
    kinds: Mapping[Any, str],
    xlabel: str,
    *,
    share: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Differences with their intervals: a row a label, a marker a series, and a line at nothing.

    Parameters
    ----------
    frame : DataFrame
        Estimates: columns ``value``, ``low``, ``high``, and those of ``row`` and ``series``.
    row, series : str
        Columns of the label and of what markers tell apart (six at most).
    titles, kinds : mapping
        Values of ``row`` and of ``series`` to words, in order.
    xlabel : str
        What the differences are of.
    share : bool
        Whether values are shares, drawn as percentage points.
    """
    scale = 100 if share else 1
    with mpl.rc_context(STYLE):
        labels = [label for label in titles if label in set(frame[row])]
        ax = ax or new_axes(height=1.2 + 0.42 * len(labels))[0]
        place = {label: len(labels) - 1 - i for i, label in enumerate(labels)}
        for i, (kind, title) in enumerate(kinds.items()):
            rows = frame[(frame[series] == kind) & frame[row].isin(labels)]
            shift = (len(kinds) / 2 - 0.5 - i) * 0.2
            ax.errorbar(
                rows["value"] * scale,
                rows[row].map(place) + shift,
                xerr=bars(rows) * scale,
                **look(i, joined=False),
                label=title,
            )
        ax.axvline(0, color="#444444", linewidth=1)
        ax.set_yticks(list(place.values()), [titles[label] for label in place])
        ax.set_ylim(-0.6, len(labels) - 0.4)
        ax.set_xlabel(xlabel)
        ax.legend(ncols=min(4, len(kinds)), loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax
