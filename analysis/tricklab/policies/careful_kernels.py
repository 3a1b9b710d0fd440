"""Compiled decisions of :class:`~tricklab.policies.careful.Careful`."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, lowest, popcount
from tricklab.tricks import (
    NO_CARD,
    NO_VALUE,
    Rules,
    beats_best,
    kernel,
    suit_starts,
)

MAX_SEATS = 8
"""Room for the seats of any game."""


class Known(NamedTuple):
    """What a seat knows when it must play, n rows; fields are those of ``View``."""

    holding: NDArray[np.uint32]
    printed: NDArray[np.uint32]
    other: NDArray[np.uint32]
    names: NDArray[np.uint16]
    played: NDArray[np.uint32]
    voids: NDArray[np.uint16]
    given: NDArray[np.uint32]
    seat: NDArray[np.int8]
    trump: NDArray[np.int8]
    lead: NDArray[np.int8]
    best_seat: NDArray[np.int8]
    best_suit: NDArray[np.int8]
    best_strength: NDArray[np.int16]
    allies: NDArray[np.uint16]
    table_cards: NDArray[np.uint8]


class Aims(NamedTuple):
    """What cards are worth at one step, in units of an average trick.

    Attributes
    ----------
    plain : float (MAX_RANKS + 1, MAX_RANKS + 1)
        Worth of keeping the highest card left of an ordinary suit, by the unseen cards of its
        suit and the unseen trumps.
    decay : float (MAX_RANKS + 1,)
        Factor to that worth, by the number of higher cards unseen.
    trumps : float (MAX_RANKS + 1,)
        Worth of keeping a trump, by the number of higher ones unseen.
    excuse, void, trust, give_void : float
        Parameters of ``Careful``.
    lasting : bool
        Whether the trumps of this trick are those of the next.
    points : float (n_cards,)
        What capturing each card pays.
    kept : bool (n_cards,)
        Cards that stay with their player whoever wins.
    trick : float
        What a trick pays beside its cards.
    typical : float
        What capturing a card pays on average.
    misses : float (unseen + 1,)
        Chance that another seat has none of k given unseen cards, by k.
    """

    plain: NDArray[np.float64]
    decay: NDArray[np.float64]
    trumps: NDArray[np.float64]
    excuse: float
    void: float
    trust: float
    give_void: float
    lasting: bool
    points: NDArray[np.float64]
    kept: NDArray[np.bool_]
    trick: float
    typical: float
    misses: NDArray[np.float64]


@kernel
def careful_play(
    rules: Rules,
    known: Known,
    aims: Aims,
    position: int,
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
) -> None:
    """Write the answer chosen in each row to ``cards`` and ``played_as`` (n,)."""
    n_suits = rules.full.size
    n_seats = known.table_cards.shape[1]
    first = suit_starts(rules)
    enemies = np.zeros(MAX_SEATS, np.int64)
    friends = np.zeros(MAX_SEATS, np.int64)
    unseen = np.zeros(n_suits, np.uint32)
    near = np.zeros(n_suits, np.uint32)
    two_suited = rules.courts.any()
    for i in range(cards.size):
        me = np.int64(known.seat[i])
        trump = np.int64(known.trump[i])
        future = trump if aims.lasting else np.int64(-1)
        suit = np.int64(known.best_suit[i] if rules.follow_winner else known.lead[i])
        best_suit = np.int64(known.best_suit[i])
        best_strength = np.int64(known.best_strength[i])
        left = me + 1 if me + 1 < n_seats else 0
        n_enemies = 0
        n_friends = 0
        near_enemy = False
        seat = me
        for _ in range(n_seats - 1 - position):
            seat = seat + 1 if seat + 1 < n_seats else 0
            if (known.allies[i] >> seat) & 1:
                friends[n_friends] = known.voids[i, seat]
                n_friends += 1
            else:
                if seat == left:
                    near_enemy = True
                enemies[n_enemies] = known.voids[i, seat]
                n_enemies += 1
        held = 0
        trumps_held = 0
        # Without lasting trumps any suit may be trumps next: as many are left as of a suit.
        trumps_left = 0
        for s in range(n_suits):
            unseen[s] = rules.full[s] & ~known.holding[i, s] & ~known.played[i, s]
            near[s] = known.given[i, s] & ~known.played[i, s]
            held += popcount(known.holding[i, s])
            trumps_left += popcount(unseen[s])
        trumps_left //= n_suits
        if future >= 0:
            trumps_held = popcount(known.holding[i, future])
            trumps_left = popcount(unseen[future])
        to_play = n_seats - 1 - position
        excuses = popcount(known.holding[i, rules.excuse]) if rules.excuse >= 0 else 0
        # Seats still to play will add cards that pay what an unseen card pays on average.
        stake = aims.trick + aims.typical * (n_seats - 1 - position)
        if position > 0:
            for p in range(n_seats):
                card = known.table_cards[i, p]
                if card != NO_CARD and not aims.kept[card]:
                    stake += aims.points[card]

        # What happens if this seat's card does not take over.
        stands = 0.0
        if position > 0:
            ours = ((known.allies[i] >> known.best_seat[i]) & 1) != 0
            if ours:
                stands = _holds(
                    rules,
                    aims,
                    unseen,
                    near,
                    near_enemy,
                    enemies,
                    n_enemies,
                    suit,
                    best_suit,
                    best_strength,
                    trump,
                    two_suited,
                )
            elif n_friends > 0:
                falls = 1.0 - _holds(
                    rules,
                    aims,
                    unseen,
                    near,
                    False,
                    friends,
                    n_friends,
                    suit,
                    best_suit,
                    best_strength,
                    trump,
                    two_suited,
                )
                stands = aims.trust * falls

        top = -1e9
        for s in range(n_suits):
            for way in range(2):
                mask = known.printed[i, s] if way == 0 else known.other[i, s]
                if mask == 0:
                    continue
                if way == 0:
                    mask = _worth_trying(mask, s, trump, best_suit, best_strength, position == 0)
                while mask:
                    rank = lowest(mask)
                    mask &= mask - np.uint32(1)
                    card = first[s] + rank
                    as_suit = np.int64(s) if way == 0 else np.int64(rules.other_suit[card])
                    strength = np.int64(rules.strength[card, way])
                    if s == rules.excuse:
                        strength = np.int64(NO_VALUE)
                        if position == 0:
                            as_suit = _best_name(known.names[i], unseen)
                    if position == 0:
                        takes = True
                        lead = as_suit
                    else:
                        lead = suit
                        takes = s != rules.excuse and beats_best(
                            rules, trump, as_suit, strength, best_suit, best_strength
                        )
                    wins = stands
                    if takes:
                        wins = _holds(
                            rules,
                            aims,
                            unseen,
                            near,
                            near_enemy,
                            enemies,
                            n_enemies,
                            lead,
                            as_suit,
                            strength,
                            trump,
                            two_suited,
                        )
                        if position == 0 and n_friends > 0:
                            wins += (
                                (1.0 - wins)
                                * aims.trust
                                * (
                                    1.0
                                    - _holds(
                                        rules,
                                        aims,
                                        unseen,
                                        near,
                                        False,
                                        friends,
                                        n_friends,
                                        lead,
                                        as_suit,
                                        strength,
                                        trump,
                                        two_suited,
                                    )
                                )
                            )
                    if s == rules.excuse:
                        cost = aims.excuse * (1.0 - excuses / held)
                        gain = stake
                    else:
                        # A suit followed now will have fewer cards out when it comes again.
                        gone = to_play if position > 0 and s == suit else 0
                        cost = _worth(aims, unseen[s], gone, rank, s == future, trumps_left)
                        rest = known.holding[i, s] & ~(np.uint32(1) << np.uint32(rank))
                        if position == 0 and s != future and rest:
                            best = highest(rest)
                            cost += _worth(aims, unseen[s], 0, best, False, trumps_left)
                            cost -= _worth(aims, unseen[s], to_play, best, False, trumps_left)
                        cost *= 1.0 + aims.points[card]
                        gain = stake + aims.points[card]
                        if s != trump and trumps_held > 0 and popcount(known.holding[i, s]) == 1:
                            cost -= aims.void
                    balance = wins * gain - cost
                    if balance > top:
                        top = balance
                        cards[i] = card
                        played_as[i] = as_suit


@numba.njit(inline="always")
def _worth_trying(
    mask: np.uint32, s: int, trump: int, best_suit: int, best_strength: int, leading: bool
) -> np.uint32:
    """Of the cards of a suit the lowest, the highest, and the cheapest that takes over."""
    out = (mask & (~mask + np.uint32(1))) | (np.uint32(1) << np.uint32(highest(mask)))
    if not leading and s == best_suit:
        enough = np.int64(best_strength + 1) >> 1
        over = np.uint32((np.int64(mask) >> enough) << enough)
        out |= over & (~over + np.uint32(1))
    return np.uint32(out)


@numba.njit(inline="always")
def _worth(
    aims: Aims, unseen: np.uint32, gone: int, rank: int, trumps: bool, trumps_left: int
) -> float:
    """What keeping a card is worth, once ``gone`` more cards of its suit have been played."""
    higher = popcount(np.uint32(np.int64(unseen) >> (rank + 1)))
    if trumps:
        return aims.trumps[higher]
    left = max(popcount(unseen) - gone, 0)
    return aims.plain[left, trumps_left] * aims.decay[higher]


@numba.njit(inline="always")
def _best_name(names: np.uint16, unseen: NDArray[np.uint32]) -> int:
    """The suit for a led excuse card: the one with the fewest cards left to follow with."""
    best = np.int64(-1)
    fewest = 99
    for s in range(unseen.size):
        if (names >> s) & 1 and popcount(unseen[s]) < fewest:
            fewest = popcount(unseen[s])
            best = np.int64(s)
    return best


@numba.njit
def _holds(
    rules: Rules,
    aims: Aims,
    unseen: NDArray[np.uint32],
    near: NDArray[np.uint32],
    near_first: bool,
    voids: NDArray[np.int64],
    n: int,
    lead: int,
    as_suit: int,
    strength: int,
    trump: int,
    two_suited: bool,
) -> float:
    """Chance that none of n seats beats a card, their cards being random among the unseen.

    ``near_first`` says that the first of them is the left neighbour, who holds ``near``.
    """
    if n == 0:
        return 1.0
    rank = np.int64(strength + 1) >> 1
    over = np.int64(unseen[as_suit]) >> rank if strength >= 0 else np.int64(unseen[as_suit])
    higher = popcount(np.uint32(over))
    if two_suited:
        for s in range(unseen.size):
            mask = np.int64(unseen[s] & rules.other_mask[s, as_suit])
            higher += popcount(np.uint32(mask >> ((strength >> 1) + 1)))
    ruffs = trump >= 0 and as_suit != trump
    has_higher = 1.0 - aims.misses[higher]
    is_void = aims.misses[popcount(unseen[lead])]
    has_trump = 1.0 - aims.misses[popcount(unseen[trump])] if ruffs else 0.0
    out = 1.0
    for j in range(n):
        void = (voids[j] >> lead) & 1 != 0
        p_void = 1.0 if void else is_void
        if ruffs:
            p_trump = 0.0 if (voids[j] >> trump) & 1 else has_trump
            beats = (0.0 if void else has_higher) + p_void * p_trump
        elif lead == trump:
            beats = 0.0 if void else has_higher
        else:
            beats = p_void * (0.0 if (voids[j] >> as_suit) & 1 else has_higher)
        if j == 0 and near_first:
            if near[lead] != 0 and as_suit == lead:
                beats = 1.0 if np.int64(near[lead]) >> rank else min(beats, has_higher)
            elif near[lead] != 0:
                beats = 0.0
        out *= 1.0 - min(beats, 1.0)
    return out


@kernel
def careful_give(
    rules: Rules,
    holding: NDArray[np.uint32],
    trump: int,
    aims: Aims,
    cards: NDArray[np.int16],
) -> None:
    """Write the cards to give in each row to ``cards`` (n, count).

    Suits that can be given away whole go first while the worth of their cards is below that of
    the void; the rest are the cards of least worth.
    """
    n_suits = rules.full.size
    count = cards.shape[1]
    first = suit_starts(rules)
    worth = np.empty(rules.suit_of.size)
    for i in range(cards.shape[0]):
        trumps_left = popcount(rules.full[trump] & ~holding[i, trump])
        for s in range(n_suits):
            unseen = rules.full[s] & ~holding[i, s]
            mask = holding[i, s]
            while mask:
                rank = lowest(mask)
                mask &= mask - np.uint32(1)
                card = first[s] + rank
                if s == rules.excuse:
                    worth[card] = 1.0 + aims.excuse
                else:
                    worth[card] = _worth(
                        aims, unseen, 0, rank, s == trump and aims.lasting, trumps_left
                    )
                    worth[card] *= 1.0 + aims.points[card]
                    if s == trump and aims.lasting:
                        worth[card] += 1.0
        done = 0
        taken = 0
        while done < count:
            best = -1
            cheapest = aims.give_void
            for s in range(n_suits):
                size = popcount(holding[i, s])
                if (
                    s == trump
                    or s == rules.excuse
                    or (taken >> s) & 1
                    or not 0 < size <= count - done
                ):
                    continue
                total = 0.0
                for rank in range(32):
                    if (holding[i, s] >> np.uint32(rank)) & np.uint32(1):
                        total += worth[first[s] + rank]
                if total < cheapest:
                    cheapest = total
                    best = s
            if best < 0:
                break
            taken |= 1 << best
            for rank in range(32):
                if (holding[i, best] >> np.uint32(rank)) & np.uint32(1):
                    cards[i, done] = first[best] + rank
                    done += 1
        while done < count:
            pick = -1
            for s in range(n_suits):
                if (taken >> s) & 1:
                    continue
                for rank in range(32):
                    if (holding[i, s] >> np.uint32(rank)) & np.uint32(1):
                        card = first[s] + rank
                        if pick < 0 or worth[card] < worth[pick]:
                            pick = card
            cards[i, done] = pick
            worth[pick] = np.inf
            done += 1
