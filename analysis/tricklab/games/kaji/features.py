"""What a KAJI holding looks like, for conditioning on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.bits import popcount
from tricklab.games.parts import Column, Columns
from tricklab.tricks import kernel

HIGHEST = 12
"""Highest rank of each suit (K1)."""

COLUMNS = {
    "jan": Column("int8", "cards of Jan dealt", 0),
    "ken": Column("int8", "cards of Ken dealt", 0),
    "po": Column("int8", "cards of Po dealt", 0),
    "kaji": Column("int8", "cards of Kaji dealt", 0),
    "longest_suit": Column("int8", "cards in the longest suit dealt", 0),
    "shortest_suit": Column("int8", "cards in the shortest suit dealt", 0),
    "voids": Column("int8", "suits not dealt", 0),
    "twelves": Column("int8", "highest cards of a suit dealt", 0),
    "play_trumps": Column("int8", "trumps held when play begins; 0 if thrown in (K4)", 0),
    "play_voids": Column("int8", "suits not held when play begins; 0 if thrown in (K4)", 0),
}
"""Features of the dealt holding, and of that with which play begins."""


def features(
    dealt: NDArray[np.uint32],
    start: NDArray[np.uint32],
    trump: NDArray[np.int8],
    declarer: NDArray[np.int8],
) -> Columns:
    """Features of holdings of shape (H, P, S), each of shape (H, P).

    ``trump`` and ``declarer`` (H,) are the suit named and who named it, if anybody did.
    """
    out = np.empty((len(COLUMNS), *dealt.shape[:2]), np.int8)
    describe(dealt, start, trump, declarer, out)
    return dict(zip(COLUMNS, out, strict=True))


@kernel
def describe(
    dealt: NDArray[np.uint32],
    start: NDArray[np.uint32],
    trump: NDArray[np.int8],
    declarer: NDArray[np.int8],
    out: NDArray[np.int8],
) -> None:
    """Write the features of :data:`COLUMNS`, in order, to ``out`` (features, H, P)."""
    n_hands, n_seats, n_suits = dealt.shape
    for h in range(n_hands):
        played = declarer[h] != NO_SEAT
        for p in range(n_seats):
            longest = voids = twelves = play_voids = 0
            shortest = 127
            for s in range(n_suits):
                length = popcount(dealt[h, p, s])
                out[s, h, p] = length
                longest = max(longest, length)
                shortest = min(shortest, length)
                voids += length == 0
                twelves += popcount(np.uint32(np.int64(dealt[h, p, s]) >> (HIGHEST - 1)))
                play_voids += start[h, p, s] == 0
            out[4, h, p], out[5, h, p] = longest, shortest
            out[6, h, p], out[7, h, p] = voids, twelves
            out[8, h, p] = popcount(start[h, p, trump[h]]) if played else 0
            out[9, h, p] = play_voids if played else 0
