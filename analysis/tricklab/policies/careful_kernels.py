"""Compiled decisions of :class:`~tricklab.policies.careful.Careful`."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, lowest, popcount
from tricklab.cards import MAX_RANKS
from tricklab.trick_data import NO_CARD, NO_VALUE, Rules
from tricklab.tricks import beats_best, kernel


class Known(NamedTuple):
    """What a seat knows when it must play; fields of n rows are those of ``View``.

    ``played`` holds what the seat has discarded as well: it will not come.  ``friendly`` (n, P) is
    the chance that each seat is on the same side.
    """

    holding: NDArray[np.uint32]
    printed: NDArray[np.uint32]
    other: NDArray[np.uint32]
    names: NDArray[np.uint16]
    n_legal: NDArray[np.int16]
    played: NDArray[np.uint32]
    voids: NDArray[np.uint16]
    given: NDArray[np.uint32]
    seat: NDArray[np.int8]
    trump: NDArray[np.int8]
    lead: NDArray[np.int8]
    best_seat: NDArray[np.int8]
    best_suit: NDArray[np.int8]
    best_strength: NDArray[np.int16]
    friendly: NDArray[np.float64]
    table_cards: NDArray[np.uint8]


class Plans(NamedTuple):
    """What single cards pay beside what they capture, in units of an average trick.

    Attributes
    ----------
    win : float (n, n_cards), or (0, n_cards) where there is nothing of the kind
        What winning this trick with each card pays.
    keep : float (n, n_cards) or (0, n_cards)
        What keeping each card out of this trick pays.
    """

    win: NDArray[np.float64]
    keep: NDArray[np.float64]


class Aims(NamedTuple):
    """What cards are worth at one step, in units of an average trick.

    Attributes
    ----------
    plain : float (MAX_RANKS + 1, MAX_RANKS + 1)
        Worth of keeping the highest card left of an ordinary suit, by the unseen cards of its
        suit and the unseen trumps.
    decay : float (2, MAX_RANKS + 1)
        Factor to that worth, by the number of higher cards unseen, in hands with and without
        trumps.
    trumps : float (MAX_RANKS + 1,)
        Worth of keeping a trump, by the number of higher ones unseen.
    excuse, void, trust, give_void : float
        Parameters of ``Careful``.
    unblock : float
        Parameter of ``Careful`` where there is a contract, else 0.
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
    unblock: float
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
    aim: NDArray[np.int8],
    aims: Aims,
    plans: Plans,
    position: int,
    held: int,
    rivals: NDArray[np.int64],
    shares: NDArray[np.float64],
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
    balances: NDArray[np.float64],
) -> None:
    """Write the answer chosen in each row to ``cards`` and ``played_as`` (n,).

    Rows whose ``aim`` is -1 are left alone: there tricks are to be avoided.  ``held`` is the number
    of cards that the seat holds, ``rivals`` and ``shares`` (2, players) are room to work
    in.  ``balances`` (n,) is written with what the answer is worth, in average tricks, where there
    was a choice.
    """
    n_suits = rules.full.size
    n_seats = known.table_cards.shape[1]
    to_play = n_seats - 1 - position
    first = rules.offset
    enemies = rivals[0]
    friends = rivals[1]
    enmity = shares[0]
    friendship = shares[1]
    planned = plans.win.shape[0] > 0
    misses = aims.misses
    ways = 2 if rules.two_suited else 1
    paying = aims.points.any()
    # Without lasting trumps any suit may be trumps next: as many are left as of a suit.
    of_any_suit = (misses.size - 1) // n_suits
    for i in range(cards.size):
        if aim[i] < 0:
            continue
        if known.n_legal[i] == 1:
            cards[i], played_as[i] = only_answer(rules, known, i)
            continue
        trump = np.int64(known.trump[i])
        future = trump if aims.lasting else np.int64(-1)
        suit = np.int64(known.best_suit[i] if rules.follow_winner else known.lead[i])
        best_suit = np.int64(known.best_suit[i])
        best_strength = np.int64(known.best_strength[i])
        n_enemies = 0
        n_friends = 0
        near_enemy = False
        seat = np.int64(known.seat[i])
        for j in range(to_play):
            seat = seat + 1 if seat + 1 < n_seats else np.int64(0)
            friendly = known.friendly[i, seat]
            if friendly > 0.0:
                friends[n_friends] = known.voids[i, seat]
                friendship[n_friends] = friendly
                n_friends += 1
            if friendly < 1.0:
                near_enemy |= j == 0
                enemies[n_enemies] = known.voids[i, seat]
                enmity[n_enemies] = 1.0 - friendly
                n_enemies += 1
        leader = (known.seat[i] - position) % n_seats
        ally_led = position > 0 and known.friendly[i, leader] > 0.5
        trumps_held = popcount(known.holding[i, future]) if future >= 0 else np.int64(0)
        without = 1 if trump < 0 and aims.lasting else 0
        # Seats still to play will add cards that pay what an unseen card pays on average.
        stake = aims.trick + aims.typical * to_play
        stands = 0.0
        if paying:
            for p in range(n_seats):
                card = known.table_cards[i, p]
                if card != NO_CARD and not aims.kept[card]:
                    stake += aims.points[card]
        crown = np.uint32(0)
        if rules.gang:
            crown = _crown(rules, known, i, trump)
        if position > 0:
            # What becomes of the trick if this seat's card does not take over.
            ours = known.friendly[i, known.best_seat[i]]
            if ours > 0.0 or n_friends > 0:
                higher = _higher(rules, known, i, best_suit, best_strength)
                lead_left = popcount(unseen_of(rules, known, i, suit))
                over = np.int64(rules.beaten_by[trump, best_suit])
                ruffs_left = _left_of(rules, known, i, over)
                if ours > 0.0:
                    near = 0
                    if near_enemy:
                        near = _near(known, i, suit, best_suit, best_strength)
                    stands = ours * _holds(
                        misses,
                        enemies,
                        enmity,
                        n_enemies,
                        suit,
                        best_suit,
                        over,
                        higher,
                        lead_left,
                        ruffs_left,
                        near,
                        without,
                    )
                if ours < 1.0:
                    saved = 1.0 - _holds(
                        misses,
                        friends,
                        friendship,
                        n_friends,
                        suit,
                        best_suit,
                        over,
                        higher,
                        lead_left,
                        ruffs_left,
                        0,
                        without,
                    )
                    stands += (1.0 - ours) * (aims.trust * saved)

        top = -1e9
        for s in range(n_suits):
            for way in range(ways):
                mask = known.printed[i, s] if way == 0 else known.other[i, s]
                if mask == 0:
                    continue
                unseen = unseen_of(rules, known, i, s)
                trumps_left = of_any_suit
                power = 0.0
                if future >= 0 and s != future and rules.beats[future, s]:
                    power = popcount(np.uint32(rules.beats[future, s])) / (n_suits - 1)
                if aims.lasting:
                    trumps_left = _left_of(rules, known, i, np.int64(rules.beaten_by[future, s]))
                if way == 0 and not planned:
                    mask = _worth_trying(mask, s, best_suit, best_strength, position == 0)
                while mask:
                    rank = lowest(mask)
                    mask &= mask - np.uint32(1)
                    card = first[s] + rank
                    as_suit = np.int64(s) if way == 0 else np.int64(rules.other_suit[card])
                    strength = np.int64(rules.strength[card, way])
                    lead = suit
                    if position == 0:
                        takes = True
                        if s == rules.excuse:
                            strength = np.int64(NO_VALUE)
                            as_suit = _best_name(rules, known, i)
                        lead = as_suit
                    else:
                        takes = s != rules.excuse and beats_best(
                            rules, trump, as_suit, strength, best_suit, best_strength
                        )
                    crowned = crown != 0 and s == trump and (crown >> np.uint32(rank)) & 1 != 0
                    takes |= crowned
                    if s == rules.excuse:
                        excuses = popcount(known.holding[i, s])
                        cost = aims.excuse * (1.0 - excuses / held)
                        gain = stake
                    else:
                        # A suit followed now will have fewer cards out when it comes again.
                        gone = to_play if position > 0 and s == suit else 0
                        cost = worth_of(aims, unseen, gone, rank, s == future, trumps_left, without)
                        if power > 0:
                            # A suit that beats some others is kept as trumps are, in proportion.
                            ahead = popcount(np.uint32(np.int64(unseen) >> (rank + 1)))
                            cost = max(cost, power * aims.trumps[ahead])
                        rest = known.holding[i, s] & ~(np.uint32(1) << np.uint32(rank))
                        if position == 0 and s != future and rest:
                            best = highest(rest)
                            cost += worth_of(aims, unseen, 0, best, False, trumps_left, without)
                            cost -= worth_of(
                                aims, unseen, to_play, best, False, trumps_left, without
                            )
                        if ally_led and s == suit and s != future:
                            cost *= 1.0 - aims.unblock
                        cost *= 1.0 + aims.points[card]
                        gain = stake + aims.points[card]
                        if s != trump and trumps_held > 0 and rest == 0:
                            cost -= aims.void
                    prize = 0.0
                    if planned:
                        prize = plans.win[i, card]
                        cost += plans.keep[i, card]
                    wins = stands
                    if crowned:
                        wins = 1.0
                        cost -= prize
                    elif takes:
                        if gain + max(prize, 0.0) - cost <= top:
                            continue
                        if rules.follow_winner:
                            lead = as_suit
                        higher = _higher(rules, known, i, as_suit, strength)
                        over = np.int64(rules.beaten_by[trump, as_suit])
                        ruffs_left = _left_of(rules, known, i, over)
                        lead_left = popcount(unseen_of(rules, known, i, lead))
                        near = _near(known, i, lead, as_suit, strength) if near_enemy else 0
                        wins = _holds(
                            misses,
                            enemies,
                            enmity,
                            n_enemies,
                            lead,
                            as_suit,
                            over,
                            higher,
                            lead_left,
                            ruffs_left,
                            near,
                            without,
                        )
                        cost -= wins * prize
                        if position == 0 and n_friends > 0:
                            wins += (
                                (1.0 - wins)
                                * aims.trust
                                * (
                                    1.0
                                    - _holds(
                                        misses,
                                        friends,
                                        friendship,
                                        n_friends,
                                        lead,
                                        as_suit,
                                        over,
                                        higher,
                                        lead_left,
                                        ruffs_left,
                                        0,
                                        without,
                                    )
                                )
                            )
                    balance = wins * gain - cost
                    if balance > top:
                        top = balance
                        cards[i] = card
                        played_as[i] = as_suit
        balances[i] = top


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
def _left_of(rules: Rules, known: Known, i: int, suits: int) -> int:
    """Number of unseen cards of a set of suits."""
    count = 0
    rest = np.uint32(suits)
    while rest:
        count += popcount(unseen_of(rules, known, i, lowest(rest)))
        rest &= rest - np.uint32(1)
    return count


@numba.njit(inline="always")
def _higher(rules: Rules, known: Known, i: int, as_suit: int, strength: int) -> int:
    """Number of unseen cards that beat one in the suit it is played as."""
    rank = np.int64(strength + 1) >> 1
    count = popcount(np.uint32(np.int64(unseen_of(rules, known, i, as_suit)) >> rank))
    if rules.two_suited:
        for s in range(rules.full.size):
            mask = unseen_of(rules, known, i, s) & rules.other_mask[s, as_suit]
            count += popcount(np.uint32(np.int64(mask) >> ((strength >> 1) + 1)))
    return count


@numba.njit(inline="always")
def _crown(rules: Rules, known: Known, i: int, trump: int) -> np.uint32:
    """The lowest of the gang if all others of it are on the table: it would take them; else 0."""
    low = rules.gang & (~rules.gang + np.uint32(1))
    met = low
    for p in range(known.table_cards.shape[1]):
        card = known.table_cards[i, p]
        if card != NO_CARD and rules.suit_of[card] == trump:
            met |= np.uint32(1) << np.uint32(rules.rank_of[card])
    return low if met & rules.gang == rules.gang else np.uint32(0)


@numba.njit(inline="always")
def _near(known: Known, i: int, lead: int, as_suit: int, strength: int) -> int:
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
def _worth_trying(
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
def _best_name(rules: Rules, known: Known, i: int) -> int:
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
def _holds(
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
    those of the suits in ``over``; each seat counts with its ``weight``; ``near`` is what is known of the first seat (see ``_near``).
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
