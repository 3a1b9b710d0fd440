"""Compiled choice of cards to part with, for ``Careful``: gifts, discards, exchanges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NOTHING
from tricklab.bits import highest, lowest, popcount
from tricklab.policies.avoid_kernels import danger
from tricklab.policies.chances import worth_of
from tricklab.policies.known import Aims
from tricklab.trick_data import Rules
from tricklab.tricks import kernel

DRAWN_DANGER = 0.25
"""Danger that a card drawn at random brings where tricks are to be avoided."""


@kernel
def careful_give(
    rules: Rules,
    holding: NDArray[np.uint32],
    trumps: NDArray[np.int8],
    aims: Aims,
    worth: NDArray[np.float64],
    cards: NDArray[np.int16],
) -> None:
    """Write the cards to give in each row to ``cards`` (n, count).

    Suits that can be given away whole go first while the worth of their cards is below that of
    the void; the rest are the cards of least worth.  ``worth`` (n_cards,) is room to work in.
    """
    n_suits = rules.full.size
    count = cards.shape[1]
    first = rules.offset
    for i in range(cards.shape[0]):
        trump = np.int64(trumps[i])
        without = 1 if trump < 0 else 0
        for s in range(n_suits):
            unseen = rules.full[s] & ~holding[i, s]
            mask = holding[i, s]
            over = np.int64(rules.beaten_by[trump, s])
            trumps_left = np.int64(0)
            for t in range(n_suits):
                # What is trumps now is a suit like others next, where trumps do not last.
                if (over >> t) & 1 or t == s == trump:
                    trumps_left += popcount(rules.full[t] & ~holding[i, t])
            while mask:
                rank = lowest(mask)
                mask &= mask - np.uint32(1)
                card = first[s] + rank
                if s == rules.excuse:
                    worth[card] = 1.0 + aims.excuse
                else:
                    worth[card] = worth_of(
                        aims, unseen, 0, rank, s == trump and aims.lasting, trumps_left, without
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
                mask = holding[i, s]
                while mask:
                    total += worth[first[s] + lowest(mask)]
                    mask &= mask - np.uint32(1)
                if total < cheapest:
                    cheapest = total
                    best = s
            if best < 0:
                break
            taken |= 1 << best
            mask = holding[i, best]
            while mask:
                cards[i, done] = first[best] + lowest(mask)
                mask &= mask - np.uint32(1)
                done += 1
        while done < count:
            pick = -1
            for s in range(n_suits):
                if (taken >> s) & 1:
                    continue
                mask = holding[i, s]
                while mask:
                    card = first[s] + lowest(mask)
                    mask &= mask - np.uint32(1)
                    if pick < 0 or worth[card] < worth[pick]:
                        pick = card
            cards[i, done] = pick
            worth[pick] = np.inf
            done += 1


@kernel
def keep_good(
    rules: Rules,
    holding: NDArray[np.uint32],
    trumps: NDArray[np.int8],
    aims: Aims,
    cards: NDArray[np.int16],
) -> None:
    """Of the cards to discard (n, count) keep those better than what may be drawn for them.

    Trumps, and cards worth as much as an unseen card is on average, become ``NOTHING``.
    """
    for i in range(cards.shape[0]):
        trump = np.int64(trumps[i])
        without = 1 if trump < 0 else 0
        trumps_left = popcount(rules.full[trump] & ~holding[i, trump]) if trump >= 0 else 0
        total = 0.0
        count = 0
        for s in range(rules.full.size):
            unseen = rules.full[s] & ~holding[i, s]
            mask = unseen
            while mask:
                rank = lowest(mask)
                mask &= mask - np.uint32(1)
                total += worth_of(aims, unseen, 0, rank, s == trump, trumps_left, without)
                count += 1
        for k in range(cards.shape[1]):
            suit = np.int64(rules.suit_of[cards[i, k]])
            place = np.int64(rules.rank_of[cards[i, k]])
            unseen = rules.full[suit] & ~holding[i, suit]
            own = worth_of(aims, unseen, 0, place, suit == trump, trumps_left, without)
            if suit == trump or own * count >= total:
                cards[i, k] = NOTHING


@kernel
def avoid_discard(
    rules: Rules,
    holding: NDArray[np.uint32],
    aim: NDArray[np.int8],
    cards: NDArray[np.int16],
) -> None:
    """Write the cards to discard to ``cards`` (n, count) in rows whose ``aim`` is -1.

    One after the other those that are most dangerous to keep; ``NOTHING`` where that is less
    than a card drawn for it would bring.
    """
    n_suits = rules.full.size
    for i in range(cards.shape[0]):
        if aim[i] > 0:
            continue
        for k in range(cards.shape[1]):
            cards[i, k] = NOTHING
        for k in range(cards.shape[1]):
            most = DRAWN_DANGER
            for s in range(n_suits):
                rest = holding[i, s]
                unseen = rules.full[s] & ~holding[i, s]
                for j in range(k):
                    if rules.suit_of[cards[i, j]] == s:
                        rest &= ~(np.uint32(1) << np.uint32(rules.rank_of[cards[i, j]]))
                before = danger(rest, unseen, 0.0)
                mask = rest
                while mask:
                    rank = highest(mask)
                    bit = np.uint32(1) << np.uint32(rank)
                    mask &= ~bit
                    less = before - danger(rest & ~bit, unseen, 0.0)
                    if less > most:
                        most = less
                        cards[i, k] = rules.offset[s] + rank
            if cards[i, k] == NOTHING:
                break


@kernel
def part_with(
    rules: Rules,
    holding: NDArray[np.uint32],
    may: NDArray[np.uint32],
    due: NDArray[np.int64],
    trumps: NDArray[np.int8],
    aims: Aims,
    save: float,
    worth: NDArray[np.float64],
    cards: NDArray[np.int16],
) -> None:
    """Write ``due`` cards of those in ``may`` to each row of ``cards`` (n, most), then ``NOTHING``.

    Of all sets of up to three cards the one that costs least: what keeping its cards is worth, less
    the share ``save`` of what capturing them pays and the worth of each void that they leave.
    ``worth`` (n_cards,) is room to work in.
    """
    n_suits = rules.full.size
    n_cards = worth.size
    for i in range(cards.shape[0]):
        trump = np.int64(trumps[i])
        without = 1 if trump < 0 else 0
        trumps_left = popcount(rules.full[trump] & ~holding[i, trump]) if trump >= 0 else 0
        for card in range(n_cards):
            worth[card] = np.inf
        for s in range(n_suits):
            unseen = rules.full[s] & ~holding[i, s]
            mask = may[i, s]
            while mask:
                rank = lowest(mask)
                mask &= mask - np.uint32(1)
                card = rules.offset[s] + rank
                paid = aims.points[card]
                kept = worth_of(aims, unseen, 0, rank, s == trump, trumps_left, without)
                worth[card] = kept * (1.0 + paid) - save * paid
                if s == trump:
                    worth[card] += 1.0
        for place in range(cards.shape[1]):
            cards[i, place] = NOTHING
        best = np.inf
        # Of fewer than three cards, the first ones count for nothing.
        for a in range(-1, n_cards):
            if (a < 0) != (due[i] < 3) or (a >= 0 and worth[a] == np.inf):
                continue
            for b in range(-1, n_cards):
                if (b < 0) != (due[i] < 2) or (b >= 0 and (b <= a or worth[b] == np.inf)):
                    continue
                for c in range(n_cards):
                    if c <= b or c <= a or worth[c] == np.inf:
                        continue
                    cost = worth[c]
                    if a >= 0:
                        cost += worth[a]
                    if b >= 0:
                        cost += worth[b]
                    for s in range(n_suits):
                        if s == trump or holding[i, s] == 0:
                            continue
                        gone = np.int64(0)
                        for card in (a, b, c):
                            if card >= 0 and rules.suit_of[card] == s:
                                gone += 1
                        if gone == popcount(holding[i, s]):
                            cost -= aims.give_void
                    if cost < best:
                        best = cost
                        cards[i, 0] = c
                        if b >= 0:
                            cards[i, 1] = b
                        if a >= 0:
                            cards[i, 2] = a
