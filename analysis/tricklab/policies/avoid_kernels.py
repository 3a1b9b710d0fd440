"""Compiled decisions of :class:`~tricklab.policies.careful.Careful` where tricks are to be avoided.

A holding is as dangerous as the tricks that its cards may yet be made to take.  Each suit is taken
by itself: its lowest card is played to its first round, the next to the second, and so on, and a
card takes its round if it is over the cards that the others still have left to duck with.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import lowest, popcount
from tricklab.policies.chances import only_answer, unseen_of
from tricklab.policies.known import Aims, Known
from tricklab.trick_data import Rules
from tricklab.tricks import beats_best, kernel

DUCKS = 1.8
"""Lower cards of a suit that the others use up in a round of it."""

OVER = 1.0
"""How many lower cards unseen a higher one weighs up: who has both plays the lower."""

STRANDED = 0.25
"""Danger of a card of a suit that nobody else has: it takes a trick if it must be led."""

LEADS_NEXT = 1.3
"""What taking a trick costs beside the trick: the next must be led, and so taken perhaps."""


@kernel
def avoid_play(
    rules: Rules,
    known: Known,
    aim: NDArray[np.int8],
    aims: Aims,
    position: int,
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
    balances: NDArray[np.float64],
) -> None:
    """Write the answer chosen to ``cards`` and ``played_as`` (n,) in rows whose ``aim`` is -1.

    The best answer has the least chance of taking this trick and leaves the least danger.
    ``balances`` (n,) is written with that, in tricks.
    """
    n_suits = rules.full.size
    n_seats = known.table_cards.shape[1]
    to_play = n_seats - 1 - position
    for i in range(cards.size):
        if aim[i] > 0:
            continue
        if known.n_legal[i] == 1:
            cards[i], played_as[i] = only_answer(rules, known, i)
            continue
        trump = np.int64(known.trump[i])
        top = -1e9
        for s in range(n_suits):
            mask = known.printed[i, s]
            if mask == 0:
                continue
            unseen = unseen_of(rules, known, i, s)
            before = danger(known.holding[i, s], unseen, 0.0)
            # The cards that the others will have played to this trick, if it is of this suit.
            gone = 0.0
            if position == 0 or s == known.lead[i]:
                gone = DUCKS * to_play / (n_seats - 1)
            while mask:
                rank = lowest(mask)
                mask &= mask - np.uint32(1)
                card = rules.offset[s] + rank
                strength = np.int64(rules.strength[card, 0])
                over = position == 0
                if position > 0 and s != rules.excuse:
                    best_suit = np.int64(known.best_suit[i])
                    best_strength = np.int64(known.best_strength[i])
                    over = beats_best(rules, trump, s, strength, best_suit, best_strength)
                takes = 0.0
                if over:
                    takes = _takes(known, aims.misses, i, s, rank, unseen, to_play)
                rest = known.holding[i, s] & ~(np.uint32(1) << np.uint32(rank))
                balance = before - danger(rest, unseen, gone) - takes * (1.0 + LEADS_NEXT)
                if balance > top:
                    top = balance
                    cards[i] = card
                    played_as[i] = s
        balances[i] = top


@numba.njit(inline="always")
def _takes(
    known: Known,
    misses: NDArray[np.float64],
    i: int,
    s: int,
    rank: int,
    unseen: np.uint32,
    to_play: int,
) -> float:
    """Chance that none of the seats still to play has to go over a card."""
    n_seats = known.table_cards.shape[1]
    higher = popcount(np.uint32(np.int64(unseen) >> (rank + 1)))
    # Who has a lower card of the suit plays that.
    over = misses[popcount(unseen) - higher] - misses[popcount(unseen)]
    out = 1.0
    seat = np.int64(known.seat[i])
    for _ in range(to_play):
        seat = seat + 1 if seat + 1 < n_seats else np.int64(0)
        if not (known.voids[i, seat] >> s) & 1:
            out *= 1.0 - over
    return out


@numba.njit(inline="always")
def danger(holding: np.uint32, unseen: np.uint32, gone: float) -> float:
    """Tricks that the cards of one suit may be made to take.

    ``gone`` lower cards of the suit will have been played besides.
    """
    left = popcount(unseen)
    total = 0.0
    mask = holding
    ducked = gone
    while mask:
        rank = lowest(mask)
        mask &= mask - np.uint32(1)
        higher = popcount(np.uint32(np.int64(unseen) >> (rank + 1)))
        lower = max(left - higher - ducked, 0.0)
        if left - gone <= 0:
            total += STRANDED
        elif lower > 0:
            total += lower / (lower + OVER * higher)
        ducked += DUCKS
    return total
