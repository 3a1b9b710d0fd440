"""What a KAJI holding looks like, for conditioning on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.games.parts import Column, Columns

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
    length = np.bitwise_count(dealt).astype(np.int8)
    at_play = np.bitwise_count(start).astype(np.int8)
    played = (declarer != NO_SEAT)[:, None]
    trumps = at_play[np.arange(len(trump)), :, trump]
    twelves = (dealt >> np.uint32(11) & 1).sum(axis=2, dtype=np.int8)
    return {
        "jan": length[..., 0],
        "ken": length[..., 1],
        "po": length[..., 2],
        "kaji": length[..., 3],
        "longest_suit": length.max(axis=2),
        "shortest_suit": length.min(axis=2),
        "voids": (length == 0).sum(axis=2, dtype=np.int8),
        "twelves": twelves,
        "play_trumps": np.where(played, trumps, np.int8(0)),
        "play_voids": np.where(played, (at_play == 0).sum(axis=2, dtype=np.int8), np.int8(0)),
    }
