"""What a Junni holding looks like, for conditioning on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, popcount
from tricklab.games.parts import Column, Columns
from tricklab.tricks import kernel

DEALT = {
    "trumps": Column("int8", "trumps dealt", 0),
    "highest_trump": Column("int8", "highest trump dealt, counted from 1; 0 without one", 0),
    "barbarians": Column("int8", "barbarians dealt", 0),
    "sages": Column("int8", "Sages dealt", 0),
    "rooks": Column("int8", "Rooks dealt", 0),
    "aces": Column("int8", "aces dealt", 0),
    "high_cards": Column("int8", "Sages and Rooks dealt", 0),
    "longest_suit": Column("int8", "cards in the longest ordinary suit dealt", 0),
    "shortest_suit": Column("int8", "cards in the shortest ordinary suit dealt", 0),
    "voids": Column("int8", "ordinary suits not dealt", 0),
}
"""Features of the dealt holding."""

AT_PLAY = {
    "play_trumps": Column("int8", "trumps held when play begins (J14)", 0),
    "play_barbarians": Column("int8", "barbarians held when play begins (J14)", 0),
    "play_voids": Column("int8", "ordinary suits not held when play begins (J14)", 0),
}
"""Features of the holding with which play begins."""


def features(
    dealt: NDArray[np.uint32],
    start: NDArray[np.uint32],
    roles: NDArray[np.int8],
    ranks: NDArray[np.uint32],
) -> Columns:
    """Features of holdings of shape (H, P, S), each of shape (H, P).

    ``roles`` and ``ranks`` are those of :func:`describe`.
    """
    names = [*DEALT, *AT_PLAY]
    out = np.empty((len(names), *dealt.shape[:2]), np.int8)
    describe(dealt, start, roles, ranks, out)
    return dict(zip(names, out, strict=True))


@kernel
def describe(
    dealt: NDArray[np.uint32],
    start: NDArray[np.uint32],
    roles: NDArray[np.int8],
    ranks: NDArray[np.uint32],
    out: NDArray[np.int8],
) -> None:
    """Write the features of :data:`DEALT` and :data:`AT_PLAY`, in order, to ``out``.

    Parameters
    ----------
    dealt, start : uint32 (H, P, S)
        Holdings as dealt and as play begins.
    roles : int8 (S,)
        0 for an ordinary suit, 1 for trumps, 2 for barbarians.
    ranks : uint32 (3, S)
        Masks of each suit's Sage, Rook and ace.
    out : int8 (features, H, P)
        Written.
    """
    n_hands, n_seats, n_suits = dealt.shape
    for h in range(n_hands):
        for p in range(n_seats):
            trumps = top = barbarians = sages = rooks = aces = longest = voids = 0
            play_trumps = play_barbarians = play_voids = 0
            shortest = 127
            for s in range(n_suits):
                mask = dealt[h, p, s]
                length = popcount(mask)
                at_play = popcount(start[h, p, s])
                if roles[s] == 1:
                    trumps, top, play_trumps = length, highest(mask) + 1, at_play
                elif roles[s] == 2:
                    barbarians, play_barbarians = length, at_play
                else:
                    sages += popcount(mask & ranks[0, s])
                    rooks += popcount(mask & ranks[1, s])
                    aces += popcount(mask & ranks[2, s])
                    longest = max(longest, length)
                    shortest = min(shortest, length)
                    voids += length == 0
                    play_voids += at_play == 0
            out[0, h, p], out[1, h, p], out[2, h, p] = trumps, top, barbarians
            out[3, h, p], out[4, h, p], out[5, h, p] = sages, rooks, aces
            out[6, h, p], out[7, h, p], out[8, h, p] = sages + rooks, longest, shortest
            out[9, h, p], out[10, h, p], out[11, h, p] = voids, play_trumps, play_barbarians
            out[12, h, p] = play_voids
