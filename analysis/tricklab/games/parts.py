"""What games state and give back: columns, scores, clauses; and wins by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.tricks import kernel

Columns = dict[str, NDArray[Any]]
"""Columns of one frame by name, all of the same length."""


@dataclass(frozen=True)
class Column:
    """One column of a frame.

    Attributes
    ----------
    dtype : str
        NumPy dtype in blocks and frames; ``"category"`` columns are kept as codes in blocks.
    meaning : str
        What it says, with the clause where there is one.
    low, high : float or None
        Range, ends included; None where open.
    """

    dtype: str
    meaning: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Score:
    """What finished hands are worth.

    Attributes
    ----------
    points : int16 (H, P)
        Points captured under the scoring table; 0 where tricks are the score.
    score : int16 or int32 (H, P)
        What the hand adds to each seat's score.
    win : float32 (H, P)
        1 for the winner (for each seat of the winning side), 1/k for each of k tied.
    made : int8 (H,)
        1 where the contract was made, 0 where it failed, -1 where there was none.
    """

    points: NDArray[np.int16]
    score: NDArray[Any]
    win: NDArray[np.float32]
    made: NDArray[np.int8]


@dataclass(frozen=True)
class Clauses:
    """Clauses of a rule sheet that faults in a hand history are named after.

    Attributes
    ----------
    pack, numbers : str
        A wrong pack, and wrong numbers of cards.
    give, bid, discard, roll, contract, trumps, call : str
        What each of these actions must be.
    kept : str
        Cards that may not be discarded.
    bound : str
        The card that a bound declarer must call.
    bonus, announce, excluded, contra, must_contra : str
        What is no bonus; a bonus twice; bonuses that exclude each other; what may be doubled, and
        what must.
    result : dict
        By field of the result, what it follows from.
    untimely : dict
        Actions whose coming at a wrong moment has a clause of its own.
    """

    pack: str
    numbers: str
    give: str = ""
    bid: str = ""
    discard: str = ""
    roll: str = ""
    contract: str = ""
    trumps: str = ""
    call: str = ""
    kept: str = ""
    bound: str = ""
    bonus: str = ""
    announce: str = ""
    excluded: str = ""
    contra: str = ""
    must_contra: str = ""
    result: Mapping[str, str] = field(default_factory=dict)
    untimely: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Attempt:
    """A card that a seat holds but may not play.

    Attributes
    ----------
    leading : bool
        Whether it was to lead.
    lead, trump : int
        Suit led (without meaning when leading) and trumps, or ``NO_SUIT``.
    holding : uint32 (n_suits,)
        The seat's cards.
    card : int
        The card.
    as_suit : int or None
        Suit it was to be played as, a number that is no suit's for one that is not in the pack;
        None if none was stated.
    """

    leading: bool
    lead: int
    trump: int
    holding: NDArray[np.uint32]
    card: int
    as_suit: int | None


def over_seats(combine: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
    """The values of all seats (…, P) combined by a function of two, such as ``np.add``.

    NumPy is slow in going along a short last axis.
    """
    combined: NDArray[Any] = reduce(combine, np.moveaxis(values, -1, 0))
    return combined


def side_totals(score: NDArray[np.integer], sides: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Score of each seat's side, the sum of its seats', shape (H, P)."""
    wide = score.astype(np.int64)
    if (np.bitwise_count(sides) == 1).all():
        return wide
    # NumPy multiplies whole numbers slowly: only where there are sides to add up.
    member = (sides[:, None] >> np.arange(score.shape[1]) & 1).astype(np.int64)
    return wide @ member.T


def shares(
    score: NDArray[np.integer],
    sides: NDArray[np.uint16],
    out: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """Wins by score: 1 to each seat of the best side, 1/k to those of k tied sides (J13).

    Parameters
    ----------
    score : int (H, P)
        Score of each seat; a side's is the sum of its seats'.
    sides : uint16 (P,)
        Seats on each seat's side, a set as bits.
    out : bool (H, P), optional
        Seats that cannot win.
    """
    total = side_totals(score, sides)
    if out is not None:
        total = np.where(out, -1, total)
    best = total == over_seats(np.maximum, total)[:, None]
    if out is not None:
        best &= ~out
    size = np.bitwise_count(sides)
    tied = over_seats(np.add, best / size)
    return (best / np.maximum(tied, 1)[:, None]).astype(np.float32)


@kernel
def best_two(values: NDArray[Any], best: NDArray[Any], next_best: NDArray[Any]) -> None:
    """Write the highest and the next highest of each row (H, k), which may be the same, (H,)."""
    for h in range(best.size):
        first = max(values[h, 0], values[h, 1])
        second = min(values[h, 0], values[h, 1])
        for k in range(2, values.shape[1]):
            second = max(second, min(first, values[h, k]))
            first = max(first, values[h, k])
        best[h] = first
        next_best[h] = second


@kernel
def count_sides(
    chosen: NDArray[np.bool_], sides: NDArray[np.uint16], count: NDArray[np.int8]
) -> None:
    """Write how many sides the chosen seats (H, P) are on to ``count`` (H,)."""
    for h in range(count.size):
        seen = np.int64(0)
        count[h] = 0
        for seat in range(chosen.shape[1]):
            if chosen[h, seat] and not (seen >> seat) & 1:
                count[h] += 1
                seen |= np.int64(sides[h, seat])


@kernel
def take_sides(
    declarer: NDArray[np.int8],
    partner: NDArray[np.int8],
    tricks: NDArray[np.int8],
    role: NDArray[np.int8],
    taken: NDArray[Any],
) -> None:
    """Write each seat's part in the contract and what the declarer's side took.

    Parameters
    ----------
    tricks : int8 (H, P)
        Tricks of each seat.
    role : int8 (H, P)
        Written: 2 for the declarer, 1 for the partner, 0 for the others.
    taken : int (H,)
        Written; 0 where there is no declarer.
    """
    for h in range(declarer.size):
        won = 0
        for p in range(tricks.shape[1]):
            part = 2 if p == declarer[h] else (1 if p == partner[h] else 0)
            role[h, p] = part
            won += tricks[h, p] if part else 0
        taken[h] = won


@kernel
def pay_sides(
    role: NDArray[np.int8],
    ours: NDArray[Any],
    theirs: NDArray[Any],
    made: NDArray[np.int8],
    score: NDArray[Any],
    win: NDArray[np.float32],
) -> None:
    """Write what a contract brings each seat.

    Parameters
    ----------
    role : int8 (H, P)
        As :func:`take_sides` writes it.
    ours, theirs : int (H,)
        What each seat of the declarer's side scores, and each of the others.
    made : int8 (H,)
        1 where the contract was made, 0 where it failed, -1 where there was none.
    score : int (H, P), win : float32 (H, P)
        Written; 0 where there was none.
    """
    for h in range(made.size):
        played = made[h] >= 0
        for p in range(role.shape[1]):
            declares = role[h, p] > 0
            score[h, p] = (ours[h] if declares else theirs[h]) if played else 0
            win[h, p] = played and declares == (made[h] == 1)
