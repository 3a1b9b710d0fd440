"""What a Trjámann holding looks like, for conditioning on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.games.parts import Column, Columns

DEALT = {
    "clubs": Column("int8", "clubs dealt", 0),
    "diamonds": Column("int8", "diamonds dealt", 0),
    "hearts": Column("int8", "hearts dealt", 0),
    "spades": Column("int8", "spades dealt", 0),
    "aces": Column("int8", "aces dealt", 0),
    "longest_suit": Column("int8", "cards in the longest suit dealt", 0),
    "shortest_suit": Column("int8", "cards in the shortest suit dealt", 0),
    "voids": Column("int8", "suits not dealt", 0),
}
"""Features of the dealt holding."""


def features(dealt: NDArray[np.uint32], aces: NDArray[np.uint32]) -> Columns:
    """The features of :data:`DEALT` of holdings of shape (H, P, S), each of shape (H, P).

    ``aces`` (S,) is each suit's ace as a mask.
    """
    # Suits first: NumPy is slow in going along a short last axis.
    by_suit = np.ascontiguousarray(np.moveaxis(dealt, -1, 0))
    length = np.bitwise_count(by_suit).astype(np.int8)
    values = [
        *length,
        ((by_suit & aces[:, None, None]) > 0).sum(axis=0, dtype=np.int8),
        length.max(axis=0),
        length.min(axis=0),
        (length == 0).sum(axis=0, dtype=np.int8),
    ]
    return dict(zip(DEALT, values, strict=True))
