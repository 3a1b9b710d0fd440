"""Compiled kernels of a trick: what may be played, and who wins.

One set of kernels serves every game; what differs between games is the data in
:class:`~tricklab.trick_data.Rules`.
The kernels work on a whole block in lock step: in every hand of the block the same number of
cards lies on the table.  They draw no random numbers.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import nth, popcount, scaled
from tricklab.cards import NO_SUIT
from tricklab.trick_data import AS_PRINTED, NO_VALUE, Legal, Rules, State

kernel = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
"""Decorator of every kernel: compiled once, cached on disk, free of the interpreter's lock.

Kernels allocate nothing, so references are not counted in them: counting those of every array of
a tuple at each use took a third of the time.
"""


@kernel
def lead_choices(rules: Rules, state: State, legal: Legal) -> None:
    """Write what each leader may answer into ``legal`` (J6-J8, J17)."""
    for h in range(state.seat.size):
        _own_row(state, legal, h)
        _lead_row(rules, state, legal, h)


@numba.njit(inline="always")
def _own_row(state: State, legal: Legal, h: int) -> None:
    for s in range(state.played.shape[1]):
        legal.own[h, s] = state.hold[h, state.seat[h], s]


@numba.njit(inline="always")
def _lead_row(rules: Rules, state: State, legal: Legal, h: int) -> None:
    n_suits = rules.full.size
    hold = state.hold[h, state.seat[h]]
    trump = state.trump[h]
    plain = np.uint32(0)
    below = np.uint32(0)
    for s in range(n_suits):
        if s != rules.excuse:
            below |= hold[s]
            if s != trump:
                plain |= hold[s]
    barred = rules.trumps_need_breaking and state.broken[h] == 0 and plain != 0
    names = 0
    count = 0
    for s in range(n_suits):
        mine = hold[s]
        if s == rules.excuse:
            may = mine if below == 0 or not rules.excuse_led_last else np.uint32(0)
            legal.printed[h, s] = may
            legal.other[h, s] = 0
            if may:
                for t in range(n_suits):
                    if t != s and t != trump:
                        names |= 1 << t
                        count += popcount(may)
            continue
        may = np.uint32(0) if barred and s == trump else mine
        other = mine & rules.courts[s]
        if barred:
            other &= ~rules.other_mask[s, trump]
        legal.printed[h, s] = may
        legal.other[h, s] = other
        count += popcount(may) + popcount(other)
    legal.names[h] = names
    legal.count[h] = count
    if rules.gang:
        _ban(state, legal, h)


@numba.njit(inline="always")
def _ban(state: State, legal: Legal, h: int) -> None:
    """Take out trumps that the seat may play only if there is nothing else (E19)."""
    trump = state.trump[h]
    banned = state.banned[h, state.seat[h]] & legal.printed[h, trump]
    if banned and legal.count[h] > popcount(banned):
        legal.printed[h, trump] &= ~banned
        legal.count[h] -= popcount(banned)


@kernel
def follow_choices(rules: Rules, state: State, legal: Legal) -> None:
    """Write what each follower may answer into ``legal`` (J9, J10, J17)."""
    for h in range(state.seat.size):
        _own_row(state, legal, h)
        _follow_row(rules, state, legal, h)


@numba.njit(inline="always")
def _due(rules: Rules, state: State, h: int) -> tuple[int, int]:
    """The suit to follow, and the suit a follower owes: that one, trumps, or ``NO_SUIT``."""
    seat = state.seat[h]
    trump = np.int64(state.trump[h])
    suit = np.int64(state.best_suit[h] if rules.follow_winner else state.lead[h])
    trumps = rules.void_must_trump and trump >= 0 and state.hold[h, seat, trump] != 0
    follows = state.hold[h, seat, suit] != 0
    return suit, suit if follows else (trump if trumps else np.int64(NO_SUIT))


@numba.njit(inline="always")
def _follow_row(rules: Rules, state: State, legal: Legal, h: int) -> None:
    n_suits = rules.full.size
    always = np.int64(0) if rules.excuse < 0 else np.int64(1) << rules.excuse
    hold = state.hold[h, state.seat[h]]
    suit, due = _due(rules, state, h)
    allowed = np.int64(-1) if due < 0 else (np.int64(1) << due) | always
    count = 0
    for s in range(n_suits):
        may = hold[s] & np.uint32(-((allowed >> s) & 1))
        legal.printed[h, s] = may
        count += popcount(may)
    if rules.two_suited:
        for s in range(n_suits):
            fits = rules.courts[s]
            if due >= 0:
                fits = rules.other_mask[s, due] | rules.other_mask[s, suit]
            legal.other[h, s] = hold[s] & fits
            count += popcount(hold[s] & fits)
    legal.names[h] = 0
    legal.count[h] = count
    if rules.gang:
        _ban(state, legal, h)


@kernel
def any_choices(rules: Rules, state: State, legal: Legal, leading: bool) -> None:
    """Write what each seat could answer if nobody checked into ``legal``: any card (J16)."""
    n_suits = rules.full.size
    for h in range(state.seat.size):
        _own_row(state, legal, h)
        hold = state.hold[h, state.seat[h]]
        names = 0
        count = 0
        for s in range(n_suits):
            if leading and s != rules.excuse and s != state.trump[h]:
                names |= 1 << s
            legal.printed[h, s] = hold[s]
            legal.other[h, s] = hold[s] & rules.courts[s]
            count += popcount(hold[s]) + popcount(hold[s] & rules.courts[s])
        excuses = np.int64(0) if rules.excuse < 0 else popcount(hold[rules.excuse])
        if leading and excuses:
            count += excuses * (popcount(np.uint32(names)) - 1)
        legal.names[h] = names if leading and excuses else 0
        legal.count[h] = count


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
def accept(
    rules: Rules,
    state: State,
    legal: Legal,
    rows: NDArray[np.int64],
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
    table_cards: NDArray[np.uint8],
    table_as: NDArray[np.int8],
    trick: int,
    leading: bool,
) -> int:
    """Check the answers for ``rows`` and lay the cards on the table.

    Parameters
    ----------
    cards, played_as : arrays (len(rows),)
        The answers; ``played_as`` may be ``AS_PRINTED``.
    table_cards, table_as : arrays (H, P)
        This trick's records; written.
    trick : int
        The trick's number from 1.
    leading : bool
        Whether these cards are leads.

    Returns
    -------
    int
        -1, or the first position in ``rows`` whose answer is not legal; hands from there on are
        untouched.
    """
    n_cards = rules.suit_of.size
    n_suits = rules.full.size
    for i in range(rows.size):
        h = rows[i]
        card = np.int64(cards[i])
        if card < 0 or card >= n_cards:
            return i
        s = rules.suit_of[card]
        bit = np.uint32(1) << np.uint32(rules.rank_of[card])
        named = np.int64(played_as[i])
        as_suit = np.int64(s)
        if legal.printed[h, s] & bit and (named == AS_PRINTED or named == s):
            if legal.names[h] and s == rules.excuse:
                if named != AS_PRINTED:
                    return i
                as_suit = _likely_void(rules, state, h, legal.names[h])
        elif legal.printed[h, s] & bit and s == rules.excuse:
            if named < 0 or named >= n_suits or not (legal.names[h] >> named) & 1:
                return i
            as_suit = named
        elif legal.other[h, s] & bit and (named == AS_PRINTED or named == rules.other_suit[card]):
            as_suit = np.int64(rules.other_suit[card])
        else:
            return i

        _apply(rules, state, h, card, as_suit, legal.count[h], trick, leading)
        seat = state.seat[h]
        table_cards[h, seat] = card
        table_as[h, seat] = as_suit
        _pass_turn(state, h)
    return -1


@numba.njit(inline="always")
def _pass_turn(state: State, h: int) -> None:
    seat = state.seat[h] + 1
    state.seat[h] = seat if seat < state.hold.shape[1] else 0


@numba.njit(inline="always")
def _apply(
    rules: Rules,
    state: State,
    h: int,
    card: int,
    as_suit: int,
    count: int,
    trick: int,
    leading: bool,
) -> None:
    """Play a card for the seat whose turn it is: who wins now, what it shows, what is broken."""
    s = rules.suit_of[card]
    bit = np.uint32(1) << np.uint32(rules.rank_of[card])
    # From here on without branches: what a card does is as good as random to the processor.
    seat = state.seat[h]
    trump = state.trump[h]
    excused = s == rules.excuse
    trumped = as_suit == trump
    strength = np.int64(rules.strength[card, 0 if as_suit == s else 1])
    strength = np.int64(NO_VALUE) if excused else strength
    state.forced[h, seat] += np.int8(count == 1)
    if leading:
        state.lead[h] = as_suit
        state.best_seat[h] = seat
        state.best_suit[h] = as_suit
        state.best_strength[h] = strength
        _note_lead(rules, state, h, s, as_suit)
    else:
        suit = np.int64(state.best_suit[h] if rules.follow_winner else state.lead[h])
        if excused and trump >= 0:
            hold = state.hold[h, seat]
            due = (suit == trump or hold[suit] == 0) and hold[trump] != 0
            state.saves[h, seat] += np.int8(due)
        off = (not excused) & (as_suit != suit)
        shown = np.int64(off) << suit
        if rules.void_must_trump and trump >= 0:
            shown |= np.int64(off & (not trumped)) << trump
        state.voids[h, seat] |= np.uint16(shown)
        best_suit, best_strength = state.best_suit[h], state.best_strength[h]
        better = (not excused) & beats_best(
            rules, trump, as_suit, strength, best_suit, best_strength
        )
        state.best_seat[h] = seat if better else state.best_seat[h]
        state.best_suit[h] = as_suit if better else best_suit
        state.best_strength[h] = strength if better else best_strength
    if rules.gang:
        _gather(rules, state, h, bit if s == trump else np.uint32(0), leading)
    broken = state.broken[h]
    state.broken[h] = trick if trumped & (broken == 0) else broken
    state.hold[h, seat, s] &= ~bit
    state.played[h, s] |= bit


@numba.njit(inline="always")
def _gather(rules: Rules, state: State, h: int, bit: np.uint32, leading: bool) -> None:
    """Note a trump of the gang; when all have met, the lowest of them wins the trick (E18).

    The strength to beat stays that of the highest, so that nothing does.
    """
    met = (np.uint32(0) if leading else state.met[h]) | (bit & rules.gang)
    state.met[h] = met
    if bit == rules.gang & (~rules.gang + np.uint32(1)):
        state.lowest[h] = state.seat[h]
    if met == rules.gang:
        state.best_seat[h] = state.lowest[h]


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
    for h in range(state.seat.size):
        for position in range(words.shape[0]):
            seat = state.seat[h]
            due = NO_SUIT
            if position > 0:
                _, due = _due(rules, state, h)
            if due >= 0 and not rules.two_suited:
                # Most follows are of this kind: the suit owed, or an excuse.
                mask = state.hold[h, seat, due]
                if rules.gang and due == state.trump[h]:
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
                    _lead_row(rules, state, legal, h)
                else:
                    _follow_row(rules, state, legal, h)
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
            _apply(rules, state, h, card, as_suit, count, trick, position == 0)
            table_cards[h, seat] = card
            table_as[h, seat] = as_suit
            _pass_turn(state, h)


@numba.njit(inline="always")
def beats_best(
    rules: Rules, trump: int, as_suit: int, strength: int, best_suit: int, best_strength: int
) -> bool:
    """Whether a card played as ``as_suit`` takes over from the one now winning (J11, K9)."""
    same = as_suit == best_suit
    over = (np.int64(rules.beats[trump, as_suit]) >> best_suit) & 1
    return (same & (strength > best_strength)) | (over != 0)


@numba.njit(inline="always")
def _likely_void(rules: Rules, state: State, h: int, names: np.uint16) -> int:
    """The suit a led excuse names unless told: the one with the fewest cards still to come."""
    best = -1
    fewest = 64
    for s in range(rules.full.size):
        if (names >> s) & 1:
            left = popcount(rules.full[s] & ~state.played[h, s])
            if left < fewest:
                fewest = left
                best = s
    return best


@numba.njit(inline="always")
def _note_lead(rules: Rules, state: State, h: int, suit: int, as_suit: int) -> None:
    """Keep what a lead shows of the leader's voids (J7, J8)."""
    trump = state.trump[h]
    excuse_shows = suit == rules.excuse and rules.excuse_led_last
    trump_shows = rules.trumps_need_breaking and state.broken[h] == 0 and as_suit == trump
    if excuse_shows or trump_shows:
        for s in range(rules.full.size):
            if s != rules.excuse and not (trump_shows and s == trump):
                state.voids[h, state.seat[h]] |= np.uint16(1 << s)


@kernel
def close_trick(rules: Rules, state: State, winners: NDArray[np.int8]) -> None:
    """Give each trick to its winner and hand the lead on; ``winners`` (H,) is written."""
    n_seats = state.hold.shape[1]
    for h in range(state.seat.size):
        winner = state.best_seat[h]
        winners[h] = winner
        state.tricks[h, winner] += 1
        leader = winner if rules.winner_leads else (state.leader[h] + 1) % n_seats
        state.leader[h] = leader
        state.seat[h] = leader
        state.lead[h] = NO_SUIT
