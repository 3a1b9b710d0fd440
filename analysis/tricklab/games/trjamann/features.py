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
    length = np.bitwise_count(dealt).astype(np.int8)
    by_suit = [length[..., suit] for suit in range(length.shape[-1])]
    values = [
        *by_suit,
        ((dealt & aces) > 0).sum(axis=-1, dtype=np.int8),
        length.max(axis=-1),
        length.min(axis=-1),
        (length == 0).sum(axis=-1, dtype=np.int8),
    ]
    return dict(zip(DEALT, values, strict=True))
