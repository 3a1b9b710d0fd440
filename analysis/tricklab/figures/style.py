"""What all figures share: colours, markers, lines and axes.

Series are told apart by marker and line as well as by colour (Okabe and Ito's palette, "Color
universal design", 2008), so a figure reads in grey and to the colour-blind.
"""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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


def look(i: int, joined: bool = True) -> dict[str, Any]:
    """How the i-th series is drawn with error bars, its points joined by a line or not."""
    return {
        "color": COLOURS[i],
        "marker": MARKERS[i],
        "markersize": 5,
        "linestyle": LINES[i] if joined else "none",
        "capsize": 2,
    }


def bars(rows: pd.DataFrame) -> np.ndarray:
    """Lengths of error bars below and above, shape (2, n)."""
    value = rows["value"].to_numpy(float)
    return np.stack(
        [value - rows["low"].to_numpy(float), rows["high"].to_numpy(float) - value]
    ).clip(min=0)
