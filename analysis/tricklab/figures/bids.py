"""Figures of how bids and contracts fare."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from tricklab.figures.style import COLOURS, LINES, MARKERS, STYLE, bars, new_axes


def against_break_even(
    frame: pd.DataFrame, contracts: Sequence[str], ax: Axes | None = None
) -> Axes:
    """Success rate of each contract beside the rate that would break even.

    Parameters
    ----------
    frame : DataFrame
        Estimates with columns ``contract``, ``policy`` and ``measure``, of which ``made`` and
        ``break_even`` are drawn: one of each for a policy and contract at most.
    contracts : sequence of str
        The contracts, in order; the horizontal axis.
    """
    place = {name: i for i, name in enumerate(contracts)}
    with mpl.rc_context(STYLE):
        ax = ax or new_axes()[0]
        shown = frame[frame["contract"].isin(place)]
        for i, policy in enumerate(dict.fromkeys(shown["policy"])):
            of_it = shown[shown["policy"] == policy]
            for measure, title in (("made", "made"), ("break_even", "breaks even")):
                rows = of_it[of_it["measure"] == measure]
                at = rows["contract"].map(place).to_numpy(float)
                order = np.argsort(at)
                rows, at = rows.iloc[order], at[order]
                observed = measure == "made"
                ax.errorbar(
                    at + 0.12 * i,
                    rows["value"],
                    yerr=bars(rows),
                    color=COLOURS[i],
                    marker=MARKERS[i] if observed else "_",
                    markersize=5 if observed else 14,
                    linestyle=LINES[i] if observed else "none",
                    capsize=2,
                    label=f"{policy}: {title}",
                )
        ax.set_ylim(-0.02, 1.02)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{100 * y:g}%"))
        turned = sum(len(name) for name in contracts) > 70
        ax.set_xticks(
            np.arange(len(contracts)),
            list(contracts),
            rotation=45 if turned else 0,
            ha="right" if turned else "center",
        )
        ax.set_ylabel("share of declared hands")
        ax.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
        return ax
