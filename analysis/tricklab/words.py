"""Numbers into words and cells: what is said of results is computed, never written beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

FEW = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(n: int) -> str:
    """A small whole number in words."""
    return FEW[n] if n < len(FEW) else str(n)


def listed(items: Sequence[str]) -> str:
    """Items as "a, b and c"."""
    items = list(items)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def percent(row: Any) -> str:
    """A share with its interval: ``24.6% (24.1 to 25.1)``."""
    digits = _digits(100 * (row["high"] - row["low"]))
    value, low, high = (
        signed(100 * row[key], digits).lstrip("+") for key in ("value", "low", "high")
    )
    return f"{value}% ({low} to {high})"


def points(row: Any) -> str:
    """A difference of shares in percentage points with its interval."""
    digits = _digits(100 * (row["high"] - row["low"]))
    value, low, high = (signed(100 * row[key], digits) for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def plain(row: Any) -> str:
    """A mean with its interval."""
    digits = _digits(row["high"] - row["low"])
    value, low, high = (signed(row[key], digits).lstrip("+") for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def change(row: Any) -> str:
    """A difference of means with its interval, signed."""
    digits = _digits(row["high"] - row["low"])
    value, low, high = (signed(row[key], digits) for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def signed(x: float, digits: int) -> str:
    """A number with its sign; a true minus, and no sign on what rounds to zero."""
    text = f"{abs(x):.{digits}f}"
    if float(text) == 0:
        return text
    return ("−" if x < 0 else "+") + text


def _digits(width: float) -> int:
    """Decimals that show an interval of this width to a figure or two."""
    digits = 0
    while width > 0 and width * 10**digits < 2 and digits < 6:
        digits += 1
    return max(digits, 1)


def table(
    frame: pd.DataFrame,
    rows: Mapping[Any, str],
    columns: Mapping[Any, str],
    row: str,
    column: str,
    show: Any,
) -> dict[str, Any]:
    """A table for the template: one cell for each pair, empty where there is none.

    Parameters
    ----------
    frame : DataFrame
        Estimates, one for each pair.
    rows, columns : mapping
        Values of the two label columns, and their headings.
    row, column : str
        The label columns.
    show : callable
        Turns an estimate's row into a cell.
    """
    at = {(r[row], r[column]): r for r in frame.to_dict("records")}
    return {
        "head": ["", *columns.values()],
        "rows": [
            [title, *(show(at[key, c]) if (key, c) in at else "–" for c in columns)]
            for key, title in rows.items()
        ],
    }
