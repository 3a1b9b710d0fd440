"""Columns of the frames that Emperor adds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.bits import popcount
from tricklab.games.emperor.facts import Facts
from tricklab.games.emperor.pack import BIDS, FIRST_TRUMP, HONOURS, KING, TRUMP
from tricklab.games.emperor.scoring import DECLARER, Settled
from tricklab.games.parts import Column, Columns, over_seats, take_sides
from tricklab.table import Table
from tricklab.tricks import kernel

NO_CALL = 0
"""Stands for the number of the trump called where none was."""

SEAT_COLUMNS = {
    "trumps": Column("int8", "trumps dealt", 0),
    "honours": Column("int8", "honours dealt (E1)", 0, 3),
    "kings": Column("int8", "Kings dealt", 0, 4),
    "voids": Column("int8", "suits not dealt, trumps not counted", 0, 4),
    "play_trumps": Column("int8", "trumps held when play begins; 0 if passed out (E10)", 0),
    "last_bid": Column("int8", "the seat's highest bid: 1 Three to 4 Without, 0 for none", 0, 4),
    "role": Column(
        "int8", "2 for the declarer, 1 for the partner, 0 for the others (E4, E13)", 0, 2
    ),
    "claimed": Column("int8", "bonuses that the seat announced (E15)", 0),
    "shown": Column("int8", "trumps that the seat discarded (E10)", 0),
}

HAND_COLUMNS = {
    "declarer": Column("int8", "the declarer's seat, -1 if passed out (E8)", -1),
    "partner": Column("int8", "the partner's seat, -1 if there was none (E13)", -1),
    "bid": Column("int8", "the bid: 1 Three, 2 Two, 3 One, 4 Without; 0 if passed out", 0, 4),
    "bids": Column("int8", "bids and holds in the auction (E4-E7)", 0),
    "invited": Column("int8", "18 or 19 where there was an invitation, else 0 (E7)", 0, 19),
    "bound": Column("int8", "1 if the declarer had to call the trump invited by (E7)", 0, 1),
    "called": Column("int8", "number of the trump called, 0 if passed out (E13)", 0, 20),
    "card_points": Column(
        "int16", "card points of the declarer's side, 0 if passed out (E2, E10, E11)", 0, 94
    ),
    "taken": Column("int8", "tricks of the declarer's side, 0 if passed out", 0),
    "made": Column("int8", "1 if the declarer's side won, 0 if not, -1 if passed out", -1, 1),
    "payment": Column("int32", "what each of the side that won is paid for the hand (E20)", 0),
    "contra": Column("int8", "how often the hand was doubled by contras, 0 to 3 (E16)", 0, 3),
    "doubling": Column("int32", "1, or 2, 4, … after annulled deals (E12)", 1),
    "annulments": Column("int8", "deals of the hand that were annulled (E12)", 0),
    "announced": Column("int8", "bonuses announced by either side, twice if by both (E15)", 0),
}

BONUS_COLUMNS = {
    "hand": Column("int32", "number of the hand within the run, from 0", 0),
    "side": Column("side", "side that announced or made it"),
    "bonus": Column("bonus", "the bonus (E22)"),
    "announced": Column("int8", "1 if the side announced it", 0, 1),
    "made": Column("int8", "1 if it happened, 0 if it failed", 0, 1),
    "level": Column("int8", "how often it was doubled by contras, 0 to 3 (E16)", 0, 3),
    "points": Column(
        "int32", "what each of the side that gets it scores: this side, the other if it failed", 0
    ),
}
"""A row for each bonus of a side that was announced or scored."""


def role(table: Table) -> NDArray[np.int8]:
    """2 for the declarer, 1 for the partner, 0 for the others, (H, P)."""
    return _parts(table)[0]


def _parts(table: Table) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Each seat's part in the hand, (H, P), and tricks of the declarer's side, (H,)."""
    tricks = table.state.tricks
    role, taken = np.empty_like(tricks), np.empty(table.hands, np.int8)
    take_sides(table.declarer, table.extra.holder, tricks, role, taken)
    return role, taken


def seat_features(table: Table) -> Columns:
    """The columns of :data:`SEAT_COLUMNS`, each of shape (H, P)."""
    facts: Facts = table.extra
    counts = np.empty((6, table.hands, table.game.players), np.int8)
    trumps, honours, kings, voids, play_trumps, shown = counts
    count_cards(
        table.dealt,
        table.start,
        facts.shown,
        table.declarer,
        *counts,
    )
    return {
        "trumps": trumps,
        "honours": honours,
        "kings": kings,
        "voids": voids,
        "play_trumps": play_trumps,
        "last_bid": table.bidding.last.astype(np.int8),
        "role": role(table),
        "claimed": np.bitwise_count(facts.announced).astype(np.int8),
        "shown": shown,
    }


@kernel
def count_cards(
    dealt: NDArray[np.uint32],
    start: NDArray[np.uint32],
    discarded: NDArray[np.uint32],
    declarer: NDArray[np.int8],
    trumps: NDArray[np.int8],
    honours: NDArray[np.int8],
    kings: NDArray[np.int8],
    voids: NDArray[np.int8],
    play_trumps: NDArray[np.int8],
    shown: NDArray[np.int8],
) -> None:
    """Write the columns of these names (H, P); ``discarded`` (H, P) are trumps."""
    for h in range(dealt.shape[0]):
        for p in range(dealt.shape[1]):
            trumps[h, p] = popcount(dealt[h, p, TRUMP])
            honours[h, p] = popcount(dealt[h, p, TRUMP] & np.uint32(HONOURS))
            held, empty = 0, 0
            for s in range(TRUMP):
                held += dealt[h, p, s] & np.uint32(KING) != 0
                empty += dealt[h, p, s] == 0
            kings[h, p], voids[h, p] = held, empty
            play_trumps[h, p] = 0 if declarer[h] == NO_SEAT else popcount(start[h, p, TRUMP])
            shown[h, p] = popcount(discarded[h, p])


def hand_features(table: Table, scored: Settled) -> Columns:
    """The columns of :data:`HAND_COLUMNS`, each of shape (H,)."""
    facts: Facts = table.extra
    bids = np.zeros(table.hands, np.int8)
    for _, said in table.bids:
        bids += said > BIDS.index("pass")
    number = np.where(facts.inviter == NO_SEAT, 0, facts.invited - FIRST_TRUMP + 1)
    spoken = over_seats(np.bitwise_or, facts.said) & 1
    contra = over_seats(np.add, spoken)
    declared = table.called >= 0
    return {
        "declarer": table.declarer,
        "partner": np.where(table.over, np.int8(NO_SEAT), facts.holder),
        "bid": table.bidding.high.astype(np.int8),
        "bids": bids,
        "invited": number.astype(np.int8),
        "bound": facts.bound.astype(np.int8),
        "called": np.where(declared, table.called - FIRST_TRUMP + 1, NO_CALL).astype(np.int8),
        "card_points": scored.card_points[:, DECLARER],
        "taken": _parts(table)[1],
        "made": scored.made,
        "payment": scored.payment,
        "contra": contra.astype(np.int8),
        "doubling": facts.doubling,
        "annulments": facts.annulments,
        "announced": over_seats(np.add, np.bitwise_count(scored.announced)).astype(np.int8),
    }
