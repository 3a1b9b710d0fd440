"""Compiled uniform play: one random word a card, one legal answer as likely as another."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import nth, popcount, scaled
from tricklab.cards import NO_SUIT
from tricklab.trick_data import NO_VALUE, Legal, Rules, State
from tricklab.tricks import due_of, follow_row, gathered, kernel, lead_row, play_card


@kernel
def choose_uniformly(
    rules: Rules,
    printed: NDArray[np.uint32],
    other: NDArray[np.uint32],
    names: NDArray[np.uint16],
    count: NDArray[np.int16],
    words: NDArray[np.uint32],
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
) -> None:
    """Pick one legal answer in each row uniformly, by one random word a row.

    ``printed``, ``other``, ``names`` and ``count`` are those of :class:`Legal`; ``cards`` and
    ``played_as`` (n,) are written.  Scaling a 32-bit word leaves a bias below the number of
    answers / 2**32, under 1e-7.
    """
    for h in range(words.size):
        cards[h], played_as[h] = _choose_row(rules, printed, other, names[h], count[h], h, words[h])


@numba.njit(inline="always")
def _choose_row(
    rules: Rules,
    printed: NDArray[np.uint32],
    other: NDArray[np.uint32],
    names: int,
    count: int,
    h: int,
    word: int,
) -> tuple[int, int]:
    first = rules.offset
    k = scaled(word, count)
    suits = rules.full.size
    if names:
        # A led excuse is as many answers as it has suits to name: they come first.
        suits = rules.excuse
        excuses = printed[h, rules.excuse]
        ways = popcount(np.uint32(names))
        if k < popcount(excuses) * ways:
            card = first[rules.excuse] + nth(excuses, k // ways)
            return card, nth(np.uint32(names), k % ways)
        k -= popcount(excuses) * ways
    suit, k = _find(printed, h, suits, k)
    if suit >= 0:
        return first[suit] + k, suit
    suit, k = _find(other, h, rules.full.size, k)
    card = first[suit] + k
    return card, np.int64(rules.other_suit[card])


@numba.njit(inline="always")
def _find(masks: NDArray[np.uint32], h: int, suits: int, k: int) -> tuple[int, int]:
    """Suit and rank of row h's k-th card (from 0) in its first suits; ``NO_SUIT``, k's rest."""
    suit = np.int64(NO_SUIT)
    mask = np.uint32(0)
    within = np.int64(0)
    for s in range(suits):
        n = popcount(masks[h, s])
        here = (k >= 0) & (k < n)
        suit = s if here else suit
        mask = masks[h, s] if here else mask
        within = k if here else within
        k -= n
    return suit, nth(mask, within) if suit >= 0 else k


@kernel
def uniform_trick(
    rules: Rules,
    state: State,
    legal: Legal,
    over: NDArray[np.bool_],
    words: NDArray[np.uint32],
    table_cards: NDArray[np.uint8],
    table_as: NDArray[np.int8],
    trick: int,
) -> None:
    """Play one whole trick uniformly at random: the same cards as the separate kernels choose.

    Parameters
    ----------
    over : bool (H,)
        Hands that are left alone.
    words : uint32 (P, H)
        One random word a seat.
    table_cards, table_as : arrays (H, P)
        This trick's records; written.
    trick : int
        The trick's number from 1.
    """
    first = rules.offset
    n_seats = words.shape[0]
    # Where this is so, whoever owes no suit may play all that it holds.
    plain = not rules.two_suited and rules.excuse < 0 and not rules.trumps_need_breaking
    for h in range(state.seat.size):
        if over[h]:
            continue
        # What changes with each card is kept at hand and written back once.
        # Unsigned at heart, a seat is not checked at each use for being a number from the end.
        seat = np.int64(np.uint8(state.seat[h]))
        trump = np.int64(state.trump[h])
        broken = np.int64(state.broken[h])
        lead = np.int64(NO_SUIT)
        best = np.int64(NO_SUIT)
        best_suit = np.int64(NO_SUIT)
        state.met[h] = 0
        best_strength = np.int64(NO_VALUE)
        for position in range(n_seats):
            suit = best_suit if rules.follow_winner else lead
            due = np.int64(NO_SUIT)
            if position > 0:
                due = due_of(rules, state, h, seat, suit, trump)
            if due >= 0 and not rules.two_suited:
                # Most follows are of this kind: the suit owed, or an excuse.
                mask = state.hold[h, seat, due]
                if rules.gang:
                    banned = state.banned[h, seat]
                    free = mask & ~(banned if due == trump else np.uint32(0))
                    mask = free if free else mask
                fitting = popcount(mask)
                count = fitting
                if rules.excuse >= 0:
                    count += popcount(state.hold[h, seat, rules.excuse])
                k = scaled(words[seat, h], count)
                as_suit = due
                if k >= fitting:
                    mask = state.hold[h, seat, rules.excuse]
                    as_suit = np.int64(rules.excuse)
                    k -= fitting
                rank = nth(mask, k)
                card = first[as_suit] + rank
                suit_of = as_suit
            elif plain and not (rules.gang and state.banned[h, seat]):
                count = np.int64(0)
                for s in range(rules.full.size):
                    count += popcount(state.hold[h, seat, s])
                k = scaled(words[seat, h], count)
                as_suit, rank = _find(state.hold[h], seat, rules.full.size, k)
                card = first[as_suit] + rank
                suit_of = as_suit
            else:
                if position == 0:
                    lead_row(rules, state, legal, h, seat)
                else:
                    follow_row(rules, state, legal, h, seat, suit, due)
                count = np.int64(legal.count[h])
                card, as_suit = _choose_row(
                    rules,
                    legal.printed,
                    legal.other,
                    legal.names[h],
                    count,
                    h,
                    words[seat, h],
                )
                suit_of, rank = np.int64(rules.suit_of[card]), np.int64(rules.rank_of[card])
            bit = np.uint32(1) << np.uint32(rank)
            state.forced[h, seat] += np.int8(count == 1)
            if position == 0:
                lead = as_suit
            better, best_suit, best_strength, broken = play_card(
                rules,
                state,
                h,
                seat,
                trump,
                card,
                suit_of,
                bit,
                as_suit,
                lead,
                best_suit,
                best_strength,
                broken,
                trick,
                position == 0,
            )
            best = seat if better else best
            if rules.gang and (bit & rules.gang != 0) & (suit_of == trump):
                best = gathered(rules, state, h, seat, bit, best)
            table_cards[h, seat] = card
            table_as[h, seat] = as_suit
            seat = np.int64(np.uint8(seat + 1 if seat + 1 < n_seats else 0))
        state.seat[h] = seat
        state.lead[h] = lead
        state.best_seat[h] = best
        state.best_suit[h] = best_suit
        state.best_strength[h] = best_strength
        state.broken[h] = broken


@numba.njit(inline="always")
def pick_flag(may: NDArray[np.bool_], i: int, word: int) -> int:
    """The number of one of the flags that are set in row i of (n, m), each equally likely."""
    count = 0
    for k in range(may.shape[1]):
        count += may[i, k]
    left = scaled(word, count)
    found = np.int64(0)
    for k in range(may.shape[1]):
        if may[i, k]:
            found = k if left == 0 else found
            left -= 1
    return found


@numba.njit(inline="always")
def draw_card(rules: Rules, left: NDArray[np.uint32], i: int, word: int) -> int:
    """Take a card out of row i's masks (n, n_suits), each equally likely."""
    held = 0
    for s in range(left.shape[1]):
        held += popcount(left[i, s])
    suit, rank = _find(left, i, left.shape[1], scaled(word, held))
    left[i, suit] &= ~(np.uint32(1) << np.uint32(rank))
    return rules.offset[suit] + rank


@numba.njit(inline="always")
def up_to_two(may: int, alone: int, beside: int, one: int, other: int) -> int:
    """A set of at most two of the things in a set of up to 63, as bits; two words decide.

    Each word brings one of them, all as likely, or with an even chance none.  Where the second
    excludes the first, as ``alone`` excludes all of ``beside``, it is left out.
    """
    low, high = np.uint32(may & 0xFFFFFFFF), np.uint32(may >> 32)
    count = popcount(low) + popcount(high)
    out = np.int64(0)
    for word in (one, other):
        k = scaled(word, 2 * count)
        if k < count:
            upper = k >= popcount(low)
            place = 32 + nth(high, k - popcount(low)) if upper else nth(low, k)
            with_it = out | np.int64(1) << place
            if not (with_it & alone and with_it & beside):
                out = with_it
    return out


@numba.njit(inline="always")
def any_set(high: int, low: int) -> int:
    """Any bits, each as likely as not; there is room for 63 things."""
    return np.int64(high) >> 1 << 32 | np.int64(low)
