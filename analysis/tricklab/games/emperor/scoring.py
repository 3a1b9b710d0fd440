"""What a hand scores: the payment, the bonuses of both sides, and who gets them (E20-E24)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.bits import lowest
from tricklab.games.emperor.bonuses import (
    BONUSES,
    CAPTURES,
    CONDITIONS,
    COUNTS,
    GAME,
    NEVER_SILENT,
    NOT_WITH_SLAM,
    SLAM,
    TAKES,
    WINS,
    Conditions,
)
from tricklab.games.emperor.facts import ROUNDS, Facts
from tricklab.games.emperor.pack import (
    CARD_POINTS,
    CARDS_EACH,
    MOST_PAID,
    PLAYERS,
    TO_WIN,
)
from tricklab.games.parts import Score
from tricklab.table import Table
from tricklab.trick_data import Rules
from tricklab.tricks import kernel

DECLARER, DEFENDERS = 0, 1
"""The sides by number."""

SIDES = ("declarer", "defenders")
"""Their names in hand histories and frames."""


class Payment(NamedTuple):
    """The switches of the score.

    Attributes
    ----------
    cap_total : bool
        Whether the cap holds for the bid's points and the card points together (E20).
    loss_pays : bool
        Whether defenders who win score the bid's points (E20).
    lost_side_bonuses : bool
        Whether a declarer's side that lost scores its bonuses (E20).
    failed_pays : bool
        Whether failed announced bonuses score for the opponents (E23).
    """

    cap_total: bool
    loss_pays: bool
    lost_side_bonuses: bool
    failed_pays: bool


@dataclass(frozen=True)
class Settled(Score):
    """A score and how it came about: H hands, 2 sides, B bonuses.

    Attributes
    ----------
    card_points : int16 (H, 2)
        Card points of each side, discards and stock included (E2, E10, E11).
    payment : int32 (H,)
        What each member of the side that won the hand scores for it, before High Game and Slam,
        contras and doubling included (E20).
    announced, happened, scored : int64 (H, 2)
        Bonuses that each side announced, whose conditions it met, and that are worth anything, as
        bits.
    worth : int32 (H, 2, B)
        What each member of the side that gets it scores for each bonus of a side: that side if it
        made it, the other if it failed.
    """

    card_points: NDArray[np.int16]
    payment: NDArray[np.int32]
    announced: NDArray[np.int64]
    happened: NDArray[np.int64]
    scored: NDArray[np.int64]
    worth: NDArray[np.int32]


def settle(table: Table, switches: Payment) -> Settled:
    """Score finished hands."""
    hands, facts = table.hands, table.extra
    card_points = np.zeros((hands, 2), np.int16)
    payment = np.zeros(hands, np.int32)
    announced, happened, scored = np.zeros((3, hands, 2), np.int64)
    worth = np.zeros((hands, 2, len(BONUSES)), np.int32)
    points = np.zeros((hands, PLAYERS), np.int16)
    score = np.zeros((hands, PLAYERS), np.int32)
    win = np.zeros((hands, PLAYERS), np.float32)
    made = np.full(hands, -1, np.int8)
    scratch = Scratch(
        np.zeros(PLAYERS, np.int64),
        np.zeros(table.tricks, np.int64),
        np.zeros(table.tricks, np.int64),
        np.zeros(len(ROUNDS), np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
    )
    settle_hands(
        table.game.rules,
        CONDITIONS,
        CARD_POINTS,
        facts,
        table.over,
        table.declarer,
        table.bidding.high,
        table.pack,
        table.discarded,
        table.cards,
        table.winners,
        *switches,
        scratch,
        points,
        card_points,
        payment,
        announced,
        happened,
        scored,
        worth,
        score,
        win,
        made,
    )
    return Settled(
        points, score, win, made, card_points, payment, announced, happened, scored, worth
    )


class Scratch(NamedTuple):
    """Room for one hand.

    Attributes
    ----------
    side : int64 (P,)
        Side of each seat.
    winner, card : int64 (T,)
        Side that won each trick, and the card it won with.
    doubled : int64 (R,)
        Claims spoken against in each round of contras, as bits.
    taken, won_with, captured : int64 (2,)
        Cards in each side's tricks; those of them that won it one; that the other side played: sets
        as bits by the cards' numbers.
    gained : int64 (2,)
        What each member of each side scores.
    """

    side: NDArray[np.int64]
    winner: NDArray[np.int64]
    card: NDArray[np.int64]
    doubled: NDArray[np.int64]
    taken: NDArray[np.int64]
    won_with: NDArray[np.int64]
    captured: NDArray[np.int64]
    gained: NDArray[np.int64]


@numba.njit(inline="always")
def lowest_of(bits: int) -> int:
    """Number of the lowest bit set in a set of up to 63 bits that is not empty."""
    low = np.uint32(bits & 0xFFFFFFFF)
    return lowest(low) if low else 32 + lowest(np.uint32(bits >> 32))


@numba.njit(inline="always")
def happens(c: Conditions, b: int, side: int, scratch: Scratch, points: int) -> bool:
    """Whether a side with so many card points meets the condition of bonus b (E22)."""
    kind, cards = c.kind[b], c.sets[b]
    if kind == COUNTS:
        met = points >= c.least[b]
    elif kind == TAKES:
        met = cards & ~scratch.taken[side] == 0
    elif kind == CAPTURES:
        met = cards & ~scratch.captured[side] == 0
    elif kind == WINS:
        met = cards & scratch.won_with[side] != 0
    else:
        met = True
        for t in range(c.first[b] - 1, c.last[b]):
            with_it = t + 1 < c.winning[b] or (cards >> scratch.card[t]) & 1 == 1
            met &= scratch.winner[t] == side and with_it
    return met


@numba.njit(inline="always")
def rounds(facts: Facts, h: int, doubled: NDArray[np.int64]) -> None:
    """Write the claims spoken against in each round of contras to ``doubled`` (R,)."""
    for r in range(doubled.size):
        doubled[r] = 0
        for s in range(facts.said.shape[2]):
            doubled[r] |= facts.said[h, r, s]


@numba.njit(inline="always")
def doublings(doubled: NDArray[np.int64], claim: int) -> int:
    """How often a claim was doubled, 0 to 3 (E16)."""
    level = 0
    for r in range(doubled.size):
        level += (doubled[r] >> claim) & 1
    return level


@kernel
def settle_hands(
    rules: Rules,
    conditions: Conditions,
    card_value: NDArray[np.int16],
    facts: Facts,
    over: NDArray[np.bool_],
    declarer: NDArray[np.int8],
    bid: NDArray[np.int16],
    pack: NDArray[np.uint8],
    discarded: NDArray[np.uint32],
    cards: NDArray[np.uint8],
    winners: NDArray[np.int8],
    cap_total: bool,
    loss_pays: bool,
    lost_side_bonuses: bool,
    failed_pays: bool,
    scratch: Scratch,
    points: NDArray[np.int16],
    card_points: NDArray[np.int16],
    payment: NDArray[np.int32],
    announced: NDArray[np.int64],
    happened: NDArray[np.int64],
    scored: NDArray[np.int64],
    worth: NDArray[np.int32],
    score: NDArray[np.int32],
    win: NDArray[np.float32],
    made: NDArray[np.int8],
) -> None:
    """Write the score of each hand; see :class:`Settled` for what is written."""
    n_tricks, _, players = cards.shape
    side_of, winner, winning = scratch.side, scratch.winner, scratch.card
    for h in range(declarer.size):
        if over[h] or declarer[h] == NO_SEAT:
            continue
        for s in range(players):
            side_of[s] = DECLARER if s == declarer[h] or s == facts.holder[h] else DEFENDERS
            announced[h, side_of[s]] |= facts.announced[h, s]
        scratch.taken[:] = 0
        scratch.captured[:] = 0
        scratch.won_with[:] = 0
        for t in range(n_tricks):
            seat = winners[t, h]
            side = side_of[seat]
            winner[t] = side
            winning[t] = cards[t, h, seat]
            worth_of_trick = taken = captured = np.int64(0)
            for s in range(players):
                card = cards[t, h, s]
                bit = np.int64(1) << np.int64(card)
                taken |= bit
                captured |= bit if side_of[s] != side else 0
                worth_of_trick += card_value[card]
            scratch.taken[side] |= taken
            scratch.captured[side] |= captured
            points[h, seat] += worth_of_trick
            scratch.won_with[side] |= np.int64(1) << winning[t]
        # E10: discards count to the discarder's side; E11: the stock to the declarer's.
        won_any = False
        for t in range(n_tricks):
            won_any |= winner[t] == DECLARER
        for s in range(players):
            card_points[h, side_of[s]] += points[h, s]
            for suit in range(discarded.shape[2]):
                cards_left = discarded[h, s, suit]
                while cards_left:
                    card = rules.offset[suit] + lowest(cards_left)
                    card_points[h, side_of[s]] += card_value[card]
                    cards_left &= cards_left - np.uint32(1)
        stock_to = DECLARER if won_any else DEFENDERS
        for place in range(CARDS_EACH * PLAYERS + facts.drawn[h], pack.shape[1]):
            card_points[h, stock_to] += card_value[pack[h, place]]
        # E20: the payment.
        made[h] = card_points[h, DECLARER] >= TO_WIN
        game = np.int64(bid[h])
        pays = game if loss_pays else np.int64(0)
        if made[h]:
            paid = np.int64(card_points[h, DECLARER])
            over_cap = (game + paid if cap_total else paid) - MOST_PAID
            pays = game + paid - (over_cap if over_cap > 0 else 0)
        doubling = np.int64(facts.doubling[h])
        rounds(facts, h, scratch.doubled)
        pays = (pays << doublings(scratch.doubled, GAME)) * doubling
        payment[h] = pays
        victor = DECLARER if made[h] else DEFENDERS
        gained = scratch.gained
        gained[victor] = pays
        gained[1 - victor] = 0
        # E21-E24: the bonuses of either side.
        for side in range(2):
            counted = card_points[h, side]
            left = np.int64(conditions.always)
            for t in range(n_tricks):
                if winner[t] == side:
                    left |= conditions.could[t, winning[t]]
            while left:
                b = lowest_of(left)
                left &= left - 1
                if happens(conditions, b, side, scratch, counted):
                    happened[h, side] |= np.int64(1) << b
            best, best_at = 1, -1
            paid_for = np.int64(0)
            left = happened[h, side]
            if failed_pays:
                left |= announced[h, side]
            while left:
                b = lowest_of(left)
                left &= left - 1
                is_made = (happened[h, side] >> b) & 1 == 1
                said = (announced[h, side] >> b) & 1 == 1
                value = conditions.silent[b]
                if said:
                    value = conditions.announced[b] << doublings(scratch.doubled, 1 + b)
                elif value == NEVER_SILENT:
                    continue
                if is_made and conditions.multiplies[b]:
                    # E21: of two that are made the larger applies; which is known after both.
                    if value > best:
                        best, best_at = value, b
                    continue
                if is_made and (NOT_WITH_SLAM >> b) & 1 and (happened[h, side] >> SLAM) & 1:
                    continue
                if conditions.multiplies[b]:
                    value *= game  # E23
                worth[h, side, b] = value * doubling
                paid_for |= np.int64(1) << b
            if best_at >= 0:
                worth[h, side, best_at] = (best - 1) * pays
                paid_for |= np.int64(1) << best_at
            while paid_for:
                b = lowest_of(paid_for)
                paid_for &= paid_for - 1
                is_made = (happened[h, side] >> b) & 1 == 1
                receiver = side if is_made else 1 - side
                if receiver == DECLARER and not made[h] and not lost_side_bonuses:
                    worth[h, side, b] = 0
                gained[receiver] += worth[h, side, b]
                if worth[h, side, b] != 0:
                    scored[h, side] |= np.int64(1) << b
        for s in range(players):
            score[h, s] = gained[side_of[s]]
            win[h, s] = side_of[s] == victor
