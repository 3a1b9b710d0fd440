"""Finding estimates in the study's frames, and judging them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from tricklab import stats
from tricklab.studies.answer import Table
from tricklab.studies.shriving.common import GIVEN, TABLE

Found = Mapping[str, Any]
"""An estimate's row."""

Show = Callable[[Any], str]
"""Turns an estimate's row into a cell."""

WORTH = {
    "setting": "basic",
    "players": TABLE,
    "cards": GIVEN,
    "group": "all",
    "way": "plan",
    "against": "lowest",
    "who": "giver",
}
"""What a row of the frame ``worth`` is about where nothing else is said."""


def chosen(frame: pd.DataFrame, **labels: Any) -> pd.DataFrame:
    """The rows with these labels; a label may be a list of values."""
    keep = np.ones(len(frame), np.bool_)
    for name, value in labels.items():
        wanted = value if isinstance(value, list | tuple) else [value]
        keep &= frame[name].isin(wanted).to_numpy()
    return frame[keep]


def worth(frame: pd.DataFrame, **labels: Any) -> pd.DataFrame:
    """Rows of the frame ``worth``; what is not said is as in :data:`WORTH`."""
    return chosen(frame, **WORTH | labels)


def records(frame: pd.DataFrame) -> list[Found]:
    """The rows as mappings of column to value."""
    return [{str(name): v for name, v in r.items()} for r in frame.to_dict("records")]


def one(frame: pd.DataFrame, **labels: Any) -> Found | None:
    """The only row of ``worth`` with these labels, or None if there is none."""
    rows = records(worth(frame, **labels))
    if not rows:
        return None
    (found,) = rows
    return found


def cell(frame: pd.DataFrame, show: Show, **labels: Any) -> str:
    """A cell of a table: a row of ``worth`` as ``show`` has it, a dash where there is none."""
    found = one(frame, **labels)
    return "–" if found is None else show(found)


def grid(
    name: str,
    title: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str = "",
) -> Table:
    """A table from its rows of cells."""
    return Table(name, title, list(head), [list(cells) for cells in rows], note)


def sign(found: Found) -> int:
    """1 or -1 where the interval lies above or below nothing, else 0."""
    return int(found["low"] > 0) - int(found["high"] < 0)


def clear(rows: pd.DataFrame, level: float = 0.05) -> pd.DataFrame:
    """The rows that differ from nothing when all of them are looked at together (Holm)."""
    if rows.empty:
        return rows
    # Where no deal differs there is nothing to find.
    z = np.where(rows["se"] > 0, rows["value"] / rows["se"].where(rows["se"] > 0, 1.0), 0.0)
    return rows[stats.holm(2 * special.ndtr(-np.abs(z))) < level]
