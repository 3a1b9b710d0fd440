"""What is left of a suit, what it is worth, and the chance that a card wins; for ``Careful``."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, lowest, popcount
from tricklab.cards import MAX_RANKS
from tricklab.policies.known import Aims, Known
from tricklab.trick_data import NO_CARD, Rules


@numba.njit(inline="always")
def only_answer(rules: Rules, known: Known, i: int) -> tuple[int, int]:
    """The one legal answer of a row, as card and suit."""
    first = rules.offset
    for s in range(rules.full.size):
        if known.printed[i, s]:
            as_suit = s if known.names[i] == 0 else lowest(np.uint32(known.names[i]))
            return first[s] + lowest(known.printed[i, s]), as_suit
        if known.other[i, s]:
            card = first[s] + lowest(known.other[i, s])
            return card, np.int64(rules.other_suit[card])
    return -1, -1


@numba.njit(inline="always")
def unseen_of(rules: Rules, known: Known, i: int, s: int) -> np.uint32:
    """Cards of a suit neither held nor played."""
    return rules.full[s] & ~known.holding[i, s] & ~known.played[i, s]


@numba.njit(inline="always")
def left_of(rules: Rules, known: Known, i: int, suits: int) -> int:
    """Number of unseen cards of a set of suits."""
    count = 0
    rest = np.uint32(suits)
    while rest:
        count += popcount(unseen_of(rules, known, i, lowest(rest)))
        rest &= rest - np.uint32(1)
    return count


@numba.njit(inline="always")
def higher_than(rules: Rules, known: Known, i: int, as_suit: int, strength: int) -> int:
    """Number of unseen cards that beat one in the suit it is played as."""
    rank = np.int64(strength + 1) >> 1
    count = popcount(np.uint32(np.int64(unseen_of(rules, known, i, as_suit)) >> rank))
    if rules.two_suited:
        for s in range(rules.full.size):
            mask = unseen_of(rules, known, i, s) & rules.other_mask[s, as_suit]
            count += popcount(np.uint32(np.int64(mask) >> ((strength >> 1) + 1)))
    return count


@numba.njit(inline="always")
def crown_of(rules: Rules, known: Known, i: int, trump: int) -> np.uint32:
    """The lowest of the gang if all others of it are on the table: it would take them; else 0."""
    low = rules.gang & (~rules.gang + np.uint32(1))
    met = low
    for p in range(known.table_cards.shape[1]):
        card = known.table_cards[i, p]
        if card != NO_CARD and rules.suit_of[card] == trump:
            met |= np.uint32(1) << np.uint32(rules.rank_of[card])
    return low if met & rules.gang == rules.gang else np.uint32(0)


@numba.njit(inline="always")
def near_one(known: Known, i: int, lead: int, as_suit: int, strength: int) -> int:
    """What the gift tells of the left neighbour: 1 they beat the card, 2 they cannot, 0 unknown.

    They still hold what was given to them and not played since; so they follow that suit.
    """
    gift = known.given[i, lead] & ~known.played[i, lead]
    if gift == 0:
        return 0
    if as_suit != lead:
        return 2
    return 1 if np.int64(gift) >> (np.int64(strength + 1) >> 1) else 0


@numba.njit(inline="always")
def worth_trying(
    mask: np.uint32, s: int, best_suit: int, best_strength: int, leading: bool
) -> np.uint32:
    """Of the cards of a suit the lowest, the highest, and the cheapest that takes over."""
    out = (mask & (~mask + np.uint32(1))) | (np.uint32(1) << np.uint32(highest(mask)))
    if not leading and s == best_suit:
        enough = np.int64(best_strength + 1) >> 1
        over = np.uint32((np.int64(mask) >> enough) << enough)
        out |= over & (~over + np.uint32(1))
    return np.uint32(out)


@numba.njit(inline="always")
def worth_of(
    aims: Aims,
    unseen: np.uint32,
    gone: int,
    rank: int,
    trumps: bool,
    trumps_left: int,
    without: int,
) -> float:
    """What keeping a card is worth, once ``gone`` more cards of its suit have been played.

    ``without`` is 1 where there are no trumps in this hand, else 0.
    """
    higher = popcount(np.uint32(np.int64(unseen) >> (rank + 1)))
    if trumps:
        return aims.trumps[higher]
    left = max(popcount(unseen) - gone, 0)
    return aims.plain[left, min(trumps_left, MAX_RANKS)] * aims.decay[without, higher]


@numba.njit(inline="always")
def best_name(rules: Rules, known: Known, i: int) -> int:
    """The suit for a led excuse card: the one with the fewest cards left to follow with."""
    best = np.int64(-1)
    fewest = 99
    for s in range(rules.full.size):
        left = popcount(unseen_of(rules, known, i, s))
        if (known.names[i] >> s) & 1 and left < fewest:
            fewest = left
            best = np.int64(s)
    return best


@numba.njit(inline="always")
def holds(
    misses: NDArray[np.float64],
    voids: NDArray[np.int64],
    weight: NDArray[np.float64],
    n: int,
    lead: int,
    as_suit: int,
    over: int,
    higher: int,
    lead_left: int,
    ruffs_left: int,
    near: int,
    without: int,
) -> float:
    """Chance that none of n seats beats a card, their cards being random among the unseen.

    ``over`` is the set of suits that beat it (trumps, as a rule).  ``higher``, ``lead_left`` and
    ``ruffs_left`` count the unseen cards that beat it in its suit, those of the suit to follow, and
    those of the suits in ``over``; each seat counts with its ``weight``; ``near`` is what is known
    of the first seat (see ``near``).
    ``without`` trumps only seats that cannot follow are feared: there high cards are better played
    too soon than too late, and this wins more tricks than the true chance does.
    """
    has_higher = 1.0 - misses[higher]
    is_void = misses[lead_left]
    has_trump = 1.0 - misses[ruffs_left]
    out = 1.0
    for j in range(n):
        void = (voids[j] >> lead) & 1 != 0
        p_void = 1.0 if void else is_void
        if over:
            p_trump = 0.0 if voids[j] & over == over else has_trump
            beats = (0.0 if void else has_higher) + p_void * p_trump
        elif lead == as_suit and not without:
            beats = 0.0 if void else has_higher
        else:
            beats = p_void * (0.0 if (voids[j] >> as_suit) & 1 else has_higher)
        if near > 0 and j == 0:
            beats = 1.0 if near == 1 else 0.0
        out *= 1.0 - weight[j] * min(beats, 1.0)
    return out
