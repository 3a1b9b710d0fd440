"""Finding estimates in the study's frames, and judging them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from tricklab import stats
from tricklab.studies import rows
from tricklab.studies.answer import Table
from tricklab.studies.rows import Found, chosen
from tricklab.studies.shriving.common import GIVEN, TABLE

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


def worth(frame: pd.DataFrame, **labels: Any) -> pd.DataFrame:
    """Rows of the frame ``worth``; what is not said is as in :data:`WORTH`."""
    return chosen(frame, **WORTH | labels)


def one(frame: pd.DataFrame, **labels: Any) -> Found | None:
    """The only row of ``worth`` with these labels, or None if there is none."""
    return rows.one(frame, **WORTH | labels)


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


def clear(found: pd.DataFrame, level: float = 0.05) -> pd.DataFrame:
    """The rows that differ from nothing when all of them are looked at together (Holm)."""
    if found.empty:
        return found
    # Where no deal differs there is nothing to find.
    z = np.where(found["se"] > 0, found["value"] / found["se"].where(found["se"] > 0, 1.0), 0.0)
    return found[stats.holm(2 * special.ndtr(-np.abs(z))) < level]
