"""Estimates as rows of a study's frames: made, found, and judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from tricklab.stats import Estimate

ESTIMATE = ("value", "se", "low", "high", "deals", "method")
"""Columns of an estimate."""

FEWEST = 30
"""Deals of a kind from which something about that kind is estimated."""

Found = Mapping[str, Any]
"""An estimate's row, by column."""


def row(found: Estimate, **labels: Any) -> dict[str, Any]:
    """An estimate as a frame's row, with its labels."""
    return labels | {
        "value": found.value,
        "se": found.se,
        "low": found.low,
        "high": found.high,
        "deals": found.n,
        "method": found.method,
    }


def chosen(frame: pd.DataFrame, **labels: Any) -> pd.DataFrame:
    """The rows with these labels; a label may be a list of values."""
    keep = np.ones(len(frame), np.bool_)
    for name, value in labels.items():
        wanted = value if isinstance(value, list | tuple) else [value]
        keep &= frame[name].isin(wanted).to_numpy()
    return frame[keep]


def records(frame: pd.DataFrame) -> list[Found]:
    """The rows as mappings of column to value."""
    return [{str(name): v for name, v in r.items()} for r in frame.to_dict("records")]


def one(frame: pd.DataFrame, **labels: Any) -> Found | None:
    """The row with these labels, or None; :class:`ValueError` if there are several."""
    rows = records(chosen(frame, **labels))
    if not rows:
        return None
    (found,) = rows
    return found


def only(frame: pd.DataFrame, **labels: Any) -> Found:
    """The one row with these labels; :class:`ValueError` if there is none, or several."""
    (found,) = records(chosen(frame, **labels))
    return found


def sign(found: Found) -> int:
    """1 or -1 where the interval lies above or below nothing, else 0."""
    return int(found["low"] > 0) - int(found["high"] < 0)
