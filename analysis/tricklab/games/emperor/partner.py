"""Who is probably whose partner while the card called is hidden (E13).

The card is with one of those who do not show otherwise, or in the stock.  Before play every hidden
card is as likely a place as any other; then what each seat plays tells: a partner throws points to
tricks that the declarer is winning, a defender takes them over.  How much each kind of play tells
is a table of the fit (see :mod:`.fitting`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.games.emperor.pack import (
    CARD_POINTS,
    CARDS_EACH,
    DECK,
    FIRST_TRUMP,
    PLAYERS,
    TRUMP,
)
from tricklab.trick_data import NO_CARD
from tricklab.tricks import kernel
from tricklab.view import View

LEADS, DECLARER_WINS, OTHER_WINS, BEFORE_DECLARER = range(4)
"""What a seat finds when it plays: nothing, the declarer winning, another seat winning, or that the
declarer is still to play."""

SITUATIONS, MOST_POINTS = 4, 5

SHAPE = (SITUATIONS, 2, MOST_POINTS + 1)
"""Kinds of play: what a seat finds, whether it takes over (leading: whether a trump is led), and
the points of its card."""

TRUST_EVIDENCE = 0.8
"""Power of what plays tell taken together: they are not independent of each other."""


class Past(NamedTuple):
    """Tricks that have been played.

    Attributes
    ----------
    winner : int8 (tricks, n)
        Who won each.
    card : int16 (tricks, n)
        The card it was won with.
    leader : int8 (n,)
        Who leads the trick in progress.
    """

    winner: NDArray[np.int8]
    card: NDArray[np.int16]
    leader: NDArray[np.int8]


def past(view: View) -> Past:
    """Who won the tricks so far, and with what."""
    cards = view.past_cards
    winner = np.zeros(cards.shape[:2], np.int8)
    card = np.zeros(cards.shape[:2], np.int16)
    leader = view.declarer.copy()
    find_winners(cards, DECK.suit_of, np.uint32(view.game.rules.gang), leader, winner, card)
    return Past(winner, card, leader)


@kernel
def find_winners(
    cards: NDArray[np.uint8],
    suit_of: NDArray[np.int8],
    gang: np.uint32,
    leader: NDArray[np.int8],
    winner: NDArray[np.int8],
    card: NDArray[np.int16],
) -> None:
    """Write who won each trick of ``cards`` (T, n, P) and with what (E17, E18).

    ``leader`` (n,) holds who led the first, and is written with who leads next.
    """
    for i in range(leader.size):
        for t in range(cards.shape[0]):
            leader[i] = _winner(cards[t, i], suit_of, gang, leader[i])
            winner[t, i] = leader[i]
            card[t, i] = cards[t, i, leader[i]]


@kernel
def takes_over(suit_of: NDArray[np.int8], card: int, best: int) -> bool:
    """Whether a card beats the one that is winning (E17)."""
    if suit_of[card] == suit_of[best]:
        return card > best
    return suit_of[card] == TRUMP


@kernel
def tell(
    cards: NDArray[np.uint8],
    suit_of: NDArray[np.int8],
    points: NDArray[np.int16],
    leader: int,
    declarer: int,
    seen: NDArray[np.int64],
) -> None:
    """Write what each seat's card in one trick is an example of to ``seen`` (P, 3).

    Seats that have not played, and the declarer, have -1; see :data:`SHAPE` for the numbers.
    """
    players = cards.size
    best = -1
    declared = False
    for s in range(players):
        seen[s, 0] = -1
    for turn in range(players):
        s = (leader + turn) % players
        if cards[s] == NO_CARD:
            return
        over = turn == 0 or takes_over(suit_of, cards[s], cards[best])
        if s == declarer:
            declared = True
        else:
            seen[s, 1] = over
            seen[s, 2] = points[cards[s]]
            if turn == 0:
                seen[s, 0] = LEADS
                seen[s, 1] = suit_of[cards[s]] == TRUMP
            elif best == declarer:
                seen[s, 0] = DECLARER_WINS
            else:
                seen[s, 0] = OTHER_WINS if declared else BEFORE_DECLARER
        if over:
            best = s


def friendly(view: View, evidence: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance that each seat is on the side of the seat asked, (n, P)."""
    facts = view.of_game
    allies = view.allies
    out = (allies[:, None] >> np.arange(PLAYERS) & 1).astype(np.float64)
    playing = view.decision == "play"
    nothing = np.full((len(view), PLAYERS), NO_CARD, np.uint8)
    guess(
        view.seat,
        view.declarer,
        view.called,
        allies,
        view.holding,
        view.played,
        view.voids,
        facts["shown"],
        facts["said"],
        facts["bound"],
        facts["inviter"],
        facts["drawn"],
        view.past_cards,
        view.table_cards if playing else nothing,
        DECK.suit_of,
        CARD_POINTS,
        np.uint32(view.game.rules.gang),
        DECK.n_cards - CARDS_EACH * PLAYERS,
        evidence,
        np.empty((PLAYERS, 3), np.int64),
        np.empty(PLAYERS),
        out,
    )
    return out


@kernel
def guess(
    seat: NDArray[np.int8],
    declarer: NDArray[np.int8],
    called: NDArray[np.int16],
    allies: NDArray[np.uint16],
    holding: NDArray[np.uint32],
    played: NDArray[np.uint32],
    voids: NDArray[np.uint16],
    shown: NDArray[np.uint32],
    said: NDArray[np.int64],
    bound: NDArray[np.bool_],
    inviter: NDArray[np.int8],
    drawn: NDArray[np.int8],
    past_cards: NDArray[np.uint8],
    table_cards: NDArray[np.uint8],
    suit_of: NDArray[np.int8],
    points: NDArray[np.int16],
    gang: np.uint32,
    stock: int,
    evidence: NDArray[np.float64],
    seen: NDArray[np.int64],
    weight: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write the chances to ``out`` (n, P) where the seat asked does not know the sides."""
    players = out.shape[1]
    done = past_cards.shape[0]
    for i in range(seat.size):
        me = np.int64(seat[i])
        d = np.int64(declarer[i])
        if d == NO_SEAT or called[i] < 0:
            continue
        rank = np.uint32(called[i] - FIRST_TRUMP)
        bit = np.uint32(1) << rank
        mine = holding[i, TRUMP] & bit != 0
        open_card = np.uint32(0)
        for s in range(players):
            open_card |= shown[i, s] & bit
        if me != d and ((allies[i] >> d) & 1 or mine):
            continue
        if open_card or (me == d and mine):
            continue
        on_table = -1
        for s in range(players):
            if table_cards[i, s] == called[i]:
                on_table = s
        if played[i, TRUMP] & bit and on_table < 0:
            continue
        partner = -1
        if on_table >= 0:
            partner = on_table
        elif bound[i]:
            partner = np.int64(inviter[i])
        if partner >= 0:
            for s in range(players):
                with_declarer = s == d or s == partner
                out[i, s] = 1.0 if with_declarer == (me == d or me == partner) else 0.0
            continue
        total = np.float64(stock - drawn[i])
        for s in range(players):
            weight[s] = 0.0
            if s == me or s == d or said[i, 0, s] != 0 or (voids[i, s] >> TRUMP) & 1:
                continue
            weight[s] = 0.0 if table_cards[i, s] != NO_CARD else 1.0
            weight[s] += CARDS_EACH - done - 1
            told = 0.0
            leader = np.int64(d)
            for t in range(done + 1):
                trick = past_cards[t, i] if t < done else table_cards[i]
                tell(trick, suit_of, points, leader, d, seen)
                if seen[s, 0] >= 0:
                    told += evidence[seen[s, 0], seen[s, 1], seen[s, 2]]
                if t < done:
                    leader = _winner(trick, suit_of, gang, leader)
            weight[s] *= np.exp(TRUST_EVIDENCE * told)
            total += weight[s]
        for s in range(players):
            chance = weight[s] / total if total > 0 else 0.0
            if s == me:
                out[i, s] = 1.0
            elif s == d:
                out[i, s] = 0.0
            else:
                out[i, s] = chance if me == d else 1.0 - chance


@kernel
def _winner(
    trick: NDArray[np.uint8], suit_of: NDArray[np.int8], gang: np.uint32, leader: int
) -> np.int64:
    """Who wins a full trick (E17, E18)."""
    players = trick.size
    best = np.int64(leader)
    met = np.uint32(0)
    low = np.int64(-1)
    for turn in range(players):
        s = np.int64((leader + turn) % players)
        if turn > 0 and takes_over(suit_of, trick[s], trick[best]):
            best = s
        if suit_of[trick[s]] == TRUMP:
            bit = np.uint32(1) << np.uint32(np.int64(trick[s]) - FIRST_TRUMP)
            if gang & bit:
                met |= bit
                if low < 0 or trick[s] < trick[low]:
                    low = s
    return np.int64(low if gang != 0 and met == gang else best)
