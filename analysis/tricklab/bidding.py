"""Where an auction stands, as arrays, and what a bid does to it."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import scaled
from tricklab.tricks import kernel

NO_SEAT = -1
"""Stands for "no seat" wherever a seat is kept."""

ALONE = -1
"""Stands for the card of a partner called where there is none: the answer that calls nobody."""

PASS = 0
"""The answer of a seat that drops out."""

NO_CONTRACT = -1
"""Stands for "no contract" wherever a contract's number is kept."""

NOTHING = -1
"""Fills up the answer of a seat that puts away fewer cards than it may."""

NOT_ASKED = -1
"""Stands in the record of bids where nobody was asked."""


class Bidding(NamedTuple):
    """Where an auction stands: H hands, P seats.

    Attributes
    ----------
    open : bool (H,)
        Whether it still goes on.
    high : int16 (H,)
        The highest bid; 0 before the first.
    bidder : int8 (H,)
        Who bid it, or ``NO_SEAT``.
    out : uint16 (H,)
        Seats that bid no more, a set as bits.
    last : int16 (H, P)
        Each seat's highest bid, 0 where it made none.
    """

    open: NDArray[np.bool_]
    high: NDArray[np.int16]
    bidder: NDArray[np.int8]
    out: NDArray[np.uint16]
    last: NDArray[np.int16]


@kernel
def accept_bids(
    bidding: Bidding,
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    bids: NDArray[np.int16],
    lowest: int,
    step: int,
    highest: int,
    once: bool,
) -> int:
    """Note the bids of the seats whose turn it is and pass the turn on (J21, K3).

    Parameters
    ----------
    seat : int8 (H,)
        Whose turn it is; written.
    rows : int64 (n,), bids : int16 (n,)
        Hands and what is bid in each.
    once : bool
        Whether each seat speaks once only.

    Returns
    -------
    int
        -1, or the first position in ``rows`` whose bid is not legal; hands from there on are
        untouched.
    """
    for i in range(rows.size):
        h = rows[i]
        bid = np.int64(bids[i])
        if bid != PASS and (bid < _least(bidding, h, lowest, step) or bid > highest):
            return i
        _note(bidding, seat, h, bid, once)
    return -1


@kernel
def bid_uniformly(
    bidding: Bidding,
    seat: NDArray[np.int8],
    words: NDArray[np.uint32],
    lowest: int,
    step: int,
    highest: int,
    once: bool,
    bidder: NDArray[np.int8],
    said: NDArray[np.int16],
) -> None:
    """Let every seat whose turn it is drop out or make one of the bids it may, each as likely.

    Parameters
    ----------
    words : uint32 (P, H)
        One random word a seat.
    bidder : int8 (H,), said : int16 (H,)
        Who spoke and what it said, ``NO_SEAT`` and ``NOT_ASKED`` where nobody did; written.

    Others are those of :func:`accept_bids`.
    """
    for h in range(said.size):
        bidder[h], said[h] = NO_SEAT, NOT_ASKED
        if bidding.open[h]:
            s = seat[h]
            bid = any_bid(_least(bidding, h, lowest, step), highest, words[s, h])
            bidder[h], said[h] = s, bid
            _note(bidding, seat, h, bid, once)


@numba.njit(inline="always")
def any_bid(least: int, most: int, word: int) -> int:
    """``PASS`` or a bid from ``least`` to ``most``, all as likely."""
    k = scaled(word, max(most - least + 1, 0) + 1)
    return PASS if k == 0 else least + k - 1


@numba.njit(inline="always")
def _least(bidding: Bidding, h: int, lowest: int, step: int) -> int:
    """The least bid that may be made in hand h."""
    least: int = lowest if bidding.bidder[h] == NO_SEAT else bidding.high[h] + step
    return least


@numba.njit(inline="always")
def next_of(left: int, seat: int, players: int) -> int:
    """The seat after a seat, clockwise, of a set as bits; the seat itself if it is the only one."""
    after = (seat + 1) % players
    while not (left >> after) & 1:
        after = (after + 1) % players
    return after


@numba.njit(inline="always")
def _note(bidding: Bidding, seat: NDArray[np.int8], h: int, bid: int, once: bool) -> None:
    """Note a bid in hand h and pass the turn on."""
    players = bidding.last.shape[1]
    everyone = (1 << players) - 1
    s = np.int64(seat[h])
    if bid == PASS:
        bidding.out[h] |= np.uint16(1 << s)
    else:
        bidding.high[h] = bid
        bidding.bidder[h] = s
        bidding.last[h, s] = bid
    if once:
        bidding.out[h] |= np.uint16(1 << s)
    left = everyone & ~np.int64(bidding.out[h])
    highest = np.int64(bidding.bidder[h])
    if left == 0 or (highest != NO_SEAT and left == 1 << highest):
        bidding.open[h] = False
    else:
        seat[h] = next_of(left, s, players)


@kernel
def set_sides(
    declarer: NDArray[np.int8], partner: NDArray[np.int8], sides: NDArray[np.uint16]
) -> None:
    """Where there is a declarer, set it and its partner on one side and all others on the other.

    ``partner`` (H,) may be ``NO_SEAT``; ``sides`` (H, P), sets as bits, is written.
    """
    players = sides.shape[1]
    everyone = (1 << players) - 1
    for h in range(declarer.size):
        if declarer[h] == NO_SEAT:
            continue
        side = 1 << np.int64(declarer[h])
        if partner[h] != NO_SEAT:
            side |= 1 << np.int64(partner[h])
        for seat in range(players):
            sides[h, seat] = side if (side >> seat) & 1 else everyone & ~side
