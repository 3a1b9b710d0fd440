"""Estimates as rows of a study's frames."""

from __future__ import annotations

from typing import Any

from tricklab.stats import Estimate

ESTIMATE = ("value", "se", "low", "high", "deals", "method")
"""Columns of an estimate."""


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
