"""What a table keeps in Emperor beside what all games keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_SEAT
from tricklab.games.emperor.pack import PLAYERS

ROUNDS = ("contra", "recontra", "subcontra")
"""The rounds of contras (E16)."""

NOT_ASKED, DECLINED, ANNULLED = 0, 1, 2
"""What became of a seat's right to annul (E12)."""


class Facts(NamedTuple):
    """H hands, P seats; claims are a set as bits: 0 the hand, 1 + b the bonus number b.

    Attributes
    ----------
    inviter : int8 (H,), invited : int16 (H,)
        Who invited in the auction and the card invited by, or ``NO_SEAT`` and ``ALONE`` (E7).
    bound : bool (H,)
        Whether the declarer must call the card invited by (E7).
    drawn : int8 (H,)
        Cards drawn from the stock (E9).
    shown : uint32 (H, P)
        Trumps that each seat has discarded, which all have seen (E10).
    annuls : int8 (H, P)
        ``NOT_ASKED``, ``DECLINED`` or ``ANNULLED`` (E12).
    doubling : int32 (H,)
        1, or what annulled deals left: 2, 4, … (E12).
    annulments : int8 (H,)
        Deals of this hand that were annulled in this run (E12).
    holder : int8 (H,)
        Who held the card called when it was called, ``NO_SEAT`` for the declarer or nobody (E13).
        Hidden.
    announced : int64 (H, P)
        Bonuses that each seat announced, a set as bits (E15).
    said : int64 (H, R, P)
        Claims against which each seat spoke in each of the rounds of contras, as bits (E16).
    """

    inviter: NDArray[np.int8]
    invited: NDArray[np.int16]
    bound: NDArray[np.bool_]
    drawn: NDArray[np.int8]
    shown: NDArray[np.uint32]
    annuls: NDArray[np.int8]
    doubling: NDArray[np.int32]
    annulments: NDArray[np.int8]
    holder: NDArray[np.int8]
    announced: NDArray[np.int64]
    said: NDArray[np.int64]


def blank(hands: int) -> Facts:
    """Facts of so many hands when they are dealt."""
    return Facts(
        inviter=np.full(hands, NO_SEAT, np.int8),
        invited=np.full(hands, ALONE, np.int16),
        bound=np.zeros(hands, np.bool_),
        drawn=np.zeros(hands, np.int8),
        shown=np.zeros((hands, PLAYERS), np.uint32),
        annuls=np.full((hands, PLAYERS), NOT_ASKED, np.int8),
        doubling=np.ones(hands, np.int32),
        annulments=np.zeros(hands, np.int8),
        holder=np.full(hands, NO_SEAT, np.int8),
        announced=np.zeros((hands, PLAYERS), np.int64),
        said=np.zeros((hands, len(ROUNDS), PLAYERS), np.int64),
    )


HIDDEN = ("holder",)
"""What not every seat knows."""
