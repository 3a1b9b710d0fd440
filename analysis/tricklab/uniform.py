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
    words: NDArray[np.uint32],
    table_cards: NDArray[np.uint8],
    table_as: NDArray[np.int8],
    trick: int,
) -> None:
    """Play one whole trick uniformly at random: the same cards as the separate kernels choose.

    Parameters
    ----------
    words : uint32 (P, H)
        One random word a seat.
    table_cards, table_as : arrays (H, P)
        This trick's records; written.
    trick : int
        The trick's number from 1.
    """
    first = rules.offset
    n_seats = words.shape[0]
    for h in range(state.seat.size):
        # What changes with each card is kept at hand and written back once.
        seat = np.int64(state.seat[h])
        trump = np.int64(state.trump[h])
        broken = np.int64(state.broken[h])
        lead = np.int64(NO_SUIT)
        best = np.int64(NO_SUIT)
        best_suit = np.int64(NO_SUIT)
        best_strength = np.int64(NO_VALUE)
        for position in range(n_seats):
            suit = best_suit if rules.follow_winner else lead
            due = np.int64(NO_SUIT)
            if position > 0:
                due = due_of(rules, state, h, seat, suit, trump)
            if due >= 0 and not rules.two_suited:
                # Most follows are of this kind: the suit owed, or an excuse.
                mask = state.hold[h, seat, due]
                if rules.gang and due == trump:
                    free = mask & ~state.banned[h, seat]
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
                card = first[as_suit] + nth(mask, k)
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
                as_suit,
                lead,
                best_suit,
                best_strength,
                broken,
                trick,
                position == 0,
            )
            best = seat if better else best
            best = gathered(rules, state, h, seat, card, position == 0, best)
            table_cards[h, seat] = card
            table_as[h, seat] = as_suit
            seat = seat + 1 if seat + 1 < n_seats else np.int64(0)
        state.seat[h] = seat
        state.lead[h] = lead
        state.best_seat[h] = best
        state.best_suit[h] = best_suit
        state.best_strength[h] = best_strength
        state.broken[h] = broken
