"""Compiled kernels of a trick: what may be played, and who wins.

One set of kernels serves every game; what differs between games is the data in
:class:`~tricklab.trick_data.Rules`.
The kernels work on a whole block in lock step: in every hand of the block the same number of
cards lies on the table.  They draw no random numbers.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import popcount
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
        lead_row(rules, state, legal, h, np.int64(state.seat[h]))


@numba.njit(inline="always")
def _own_row(state: State, legal: Legal, h: int) -> None:
    for s in range(state.played.shape[1]):
        legal.own[h, s] = state.hold[h, state.seat[h], s]


@numba.njit(inline="always")
def lead_row(rules: Rules, state: State, legal: Legal, h: int, seat: int) -> None:
    """Write what a leader may answer into row h."""
    n_suits = rules.full.size
    hold = state.hold[h, seat]
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
        _ban(state, legal, h, seat)


@numba.njit(inline="always")
def _ban(state: State, legal: Legal, h: int, seat: int) -> None:
    """Take out trumps that the seat may play only if there is nothing else (E19)."""
    trump = state.trump[h]
    banned = state.banned[h, seat] & legal.printed[h, trump]
    if banned and legal.count[h] > popcount(banned):
        legal.printed[h, trump] &= ~banned
        legal.count[h] -= popcount(banned)


@kernel
def follow_choices(rules: Rules, state: State, legal: Legal) -> None:
    """Write what each follower may answer into ``legal`` (J9, J10, J17)."""
    for h in range(state.seat.size):
        _own_row(state, legal, h)
        seat = np.int64(state.seat[h])
        suit = np.int64(state.best_suit[h] if rules.follow_winner else state.lead[h])
        due = due_of(rules, state, h, seat, suit, np.int64(state.trump[h]))
        follow_row(rules, state, legal, h, seat, suit, due)


@numba.njit(inline="always")
def due_of(rules: Rules, state: State, h: int, seat: int, suit: int, trump: int) -> int:
    """The suit a follower owes: the one to follow, trumps, or ``NO_SUIT``."""
    # Who holds what is as good as random to the processor: better looked up than branched on.
    trumps = rules.void_must_trump and (trump >= 0) & (state.hold[h, seat, trump] != 0)
    follows = state.hold[h, seat, suit] != 0
    otherwise = trump if trumps else np.int64(NO_SUIT)
    return suit if follows else otherwise


@numba.njit(inline="always")
def follow_row(
    rules: Rules, state: State, legal: Legal, h: int, seat: int, suit: int, due: int
) -> None:
    """Write what a follower may answer into row h; ``due`` is that of :func:`due_of`."""
    n_suits = rules.full.size
    always = np.int64(0) if rules.excuse < 0 else np.int64(1) << rules.excuse
    hold = state.hold[h, seat]
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
        _ban(state, legal, h, seat)


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

        seat = np.int64(state.seat[h])
        state.forced[h, seat] += np.int8(legal.count[h] == 1)
        if leading:
            state.lead[h] = as_suit
        better, best_suit, best_strength, broken = play_card(
            rules,
            state,
            h,
            seat,
            np.int64(state.trump[h]),
            card,
            s,
            bit,
            as_suit,
            np.int64(state.lead[h]),
            np.int64(state.best_suit[h]),
            np.int64(state.best_strength[h]),
            np.int64(state.broken[h]),
            trick,
            leading,
        )
        best = seat if better else np.int64(state.best_seat[h])
        if leading:
            state.met[h] = 0
        if bit & rules.gang and s == state.trump[h]:
            best = gathered(rules, state, h, seat, bit, best)
        state.best_seat[h] = best
        state.best_suit[h] = best_suit
        state.best_strength[h] = best_strength
        state.broken[h] = broken
        table_cards[h, seat] = card
        table_as[h, seat] = as_suit
        state.seat[h] = seat + 1 if seat + 1 < state.hold.shape[1] else 0
    return -1


@numba.njit(inline="always")
def play_card(
    rules: Rules,
    state: State,
    h: int,
    seat: int,
    trump: int,
    card: int,
    s: int,
    bit: Any,
    as_suit: int,
    lead: int,
    best_suit: int,
    best_strength: int,
    broken: int,
    trick: int,
    leading: bool,
) -> tuple[bool, int, int, int]:
    """Play a card, of suit s and this bit in it: what it shows, and what of the trick is so now.

    Returns whether the card is the best now, the suit and the strength of the best, and the trick
    in which trumps were broken.
    """
    # From here on without branches: what a card does is as good as random to the processor.
    excused = s == rules.excuse
    trumped = as_suit == trump
    strength = np.int64(rules.strength[card, 0 if as_suit == s else 1])
    strength = np.int64(NO_VALUE) if excused else strength
    if leading:
        better = True
        _note_lead(rules, state, h, seat, trump, broken, s, as_suit)
    else:
        suit = best_suit if rules.follow_winner else lead
        if excused and trump >= 0:
            hold = state.hold[h, seat]
            due = (suit == trump or hold[suit] == 0) and hold[trump] != 0
            state.saves[h, seat] += np.int8(due)
        off = (not excused) & (as_suit != suit)
        shown = np.int64(off) << suit
        if rules.void_must_trump and trump >= 0:
            shown |= np.int64(off & (not trumped)) << trump
        state.voids[h, seat] |= np.uint16(shown)
        better = (not excused) & beats_best(
            rules, trump, as_suit, strength, best_suit, best_strength
        )
    state.hold[h, seat, s] &= ~bit
    state.played[h, s] |= bit
    best_suit = as_suit if better else best_suit
    best_strength = strength if better else best_strength
    broken = np.int64(trick) if trumped & (broken == 0) else broken
    return better, best_suit, best_strength, broken


@numba.njit(inline="always")
def gathered(rules: Rules, state: State, h: int, seat: int, bit: Any, best: int) -> int:
    """The seat that wins after a trump of a gang, ``best`` unless all have met (E18).

    When all have met, the lowest of them wins the trick.  The strength to beat stays that of the
    highest, so that nothing does.
    """
    if bit == rules.gang & (~rules.gang + np.uint32(1)):
        state.lowest[h] = seat
    state.met[h] |= bit
    return np.int64(state.lowest[h]) if state.met[h] == rules.gang else best


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
def _note_lead(
    rules: Rules,
    state: State,
    h: int,
    seat: int,
    trump: int,
    broken: int,
    suit: int,
    as_suit: int,
) -> None:
    """Keep what a lead shows of the leader's voids (J7, J8)."""
    excuse_shows = suit == rules.excuse and rules.excuse_led_last
    trump_shows = rules.trumps_need_breaking and broken == 0 and as_suit == trump
    if excuse_shows or trump_shows:
        for s in range(rules.full.size):
            if s != rules.excuse and not (trump_shows and s == trump):
                state.voids[h, seat] |= np.uint16(1 << s)


@kernel
def close_trick(
    rules: Rules,
    state: State,
    over: NDArray[np.bool_],
    leaders: NDArray[np.int8],
    winners: NDArray[np.int8],
    trumps: NDArray[np.int8],
    leads: NDArray[np.int8],
    worthless: NDArray[np.int8],
) -> None:
    """Record each trick, give it to its winner and hand the lead on, but for hands that are over.

    ``leaders``, ``winners``, ``trumps`` and ``leads`` (H,) are this trick's records, ``worthless``
    (H,) counts tricks without a card of any value; all are written.
    """
    n_seats = state.hold.shape[1]
    for h in range(state.seat.size):
        if over[h]:
            continue
        leaders[h] = state.leader[h]
        trumps[h] = state.trump[h]
        leads[h] = state.lead[h]
        worthless[h] += np.int8(state.best_strength[h] == NO_VALUE)
        winner = state.best_seat[h]
        winners[h] = winner
        state.tricks[h, winner] += 1
        leader = winner if rules.winner_leads else (state.leader[h] + 1) % n_seats
        state.leader[h] = leader
        state.seat[h] = leader
        state.lead[h] = NO_SUIT
