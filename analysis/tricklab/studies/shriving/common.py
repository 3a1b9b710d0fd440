"""What both kinds of cells share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = list[dict[str, Any]]
"""Rows of a frame."""

FloatArray = NDArray[np.float64]

PLAYERS = (3, 4, 5, 6)
"""Numbers of players."""

CARDS = tuple(range(1, 9))
"""Numbers of cards that may be given (J14)."""

GIVEN = 4
"""Cards given, as the rule is printed."""

TABLE = 4
"""Players where nothing else is said."""


def joined(blocks: Iterator[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """The arrays of all blocks of a run, one after the other."""
    parts = list(blocks)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
