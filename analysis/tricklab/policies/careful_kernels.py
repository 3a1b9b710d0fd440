"""Compiled decisions of :class:`~tricklab.policies.careful.Careful`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, lowest, popcount
from tricklab.policies.chances import (
    best_name,
    crown_of,
    higher_than,
    holds,
    left_of,
    near_one,
    only_answer,
    unseen_of,
    worth_of,
    worth_trying,
)
from tricklab.policies.known import Aims, Known, Plans
from tricklab.trick_data import NO_CARD, NO_VALUE, Rules
from tricklab.tricks import beats_best, kernel


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
            crown = crown_of(rules, known, i, trump)
        if position > 0:
            # What becomes of the trick if this seat's card does not take over.
            ours = known.friendly[i, known.best_seat[i]]
            if ours > 0.0 or n_friends > 0:
                higher = higher_than(rules, known, i, best_suit, best_strength)
                lead_left = popcount(unseen_of(rules, known, i, suit))
                over = np.int64(rules.beaten_by[trump, best_suit])
                ruffs_left = left_of(rules, known, i, over)
                if ours > 0.0:
                    near = 0
                    if near_enemy:
                        near = near_one(known, i, suit, best_suit, best_strength)
                    stands = ours * holds(
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
                    saved = 1.0 - holds(
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
                    trumps_left = left_of(rules, known, i, np.int64(rules.beaten_by[future, s]))
                if way == 0 and not planned:
                    mask = worth_trying(mask, s, best_suit, best_strength, position == 0)
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
                            as_suit = best_name(rules, known, i)
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
                        higher = higher_than(rules, known, i, as_suit, strength)
                        over = np.int64(rules.beaten_by[trump, as_suit])
                        ruffs_left = left_of(rules, known, i, over)
                        lead_left = popcount(unseen_of(rules, known, i, lead))
                        near = near_one(known, i, lead, as_suit, strength) if near_enemy else 0
                        wins = holds(
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
                                    - holds(
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
