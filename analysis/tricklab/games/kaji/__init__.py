"""KAJI: rock-paper-scissors between suits (rule sheet: ``rules.md`` beside this)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.auction import Auction
from tricklab.bidding import NO_SEAT, PASS
from tricklab.cards import NO_SUIT, Deck
from tricklab.declaring import Call, Trumps
from tricklab.errors import SwitchError
from tricklab.games.base import Game
from tricklab.games.kaji import strength
from tricklab.games.kaji.features import COLUMNS, HIGHEST, features
from tricklab.games.parts import Attempt, Clauses, Column, Columns, Score, pay_sides, take_sides
from tricklab.phases import Exchange
from tricklab.play import Phase, Tricks
from tricklab.table import Table
from tricklab.trick_data import Rules, trick_rules
from tricklab.view import View

SUITS = {"J": "Jan", "K": "Ken", "P": "Po", "F": "Kaji"}
"""The suits' letters and names, in the order of the deck (K1)."""

FIRE = "F"
"""Letter of the suit Kaji, which is second or first whatever trumps are (K7)."""

DEFEATS = {"J": "K", "K": "P", "P": "J"}
"""Rock, paper, scissors: each suit and the one that it beats (K7)."""

NEKO = {2: 4, 3: 6, 4: 4, 5: 3}
"""Cards in the Neko by the number of players (K1, K2)."""

MOST_ALONE = 3
"""Players up to whose number the Declarer always plays alone (K2)."""

BID_POINTS, OVER_POINTS = 5, 10
"""With a partner: points for each trick bid, and for each taken above the bid (K10)."""

SHORT_POINTS = 10
"""With a partner: points of each opponent for each trick the bid failed by (K10)."""

ALONE_POINTS, ALONE_SHORT = 10, 20
"""Alone: points for each trick over the book, and of each opponent for each one short (K11)."""

ROUNDS = 4
"""Hands that each player deals in a match, unless another length is asked for (K12)."""

LONGEST_MATCH = 500
"""The most hands a match may be given (K12)."""

PATIENCE = {2: 0.2, 3: 0.5}
"""By the number of players, the share of its worth of a high card that is kept for later."""

DECK = Deck.from_dict(
    {
        "name": "kaji",
        "title": "Four suits of 12 (K1)",
        "suits": [
            {"letter": letter, "name": name, "ranks": [str(n + 1) for n in range(HIGHEST)]}
            for letter, name in SUITS.items()
        ],
    }
)
"""The pack (K1)."""


def suit_beats(trumps: str, one: str, other: str) -> bool:
    """Whether any card of one suit beats any of another, both by letter (K7)."""
    if one == other:
        return False
    for top in (trumps, FIRE):
        if top in (one, other):
            return one == top
    # Of Jan, Ken and Po one beats the other; with other trumps than Kaji only two of them are left.
    return DEFEATS[one] == other


def beats_matrix() -> NDArray[np.uint16]:
    """Which suits each suit beats under each trumps (K7); none before trumps are named."""
    out = np.zeros((len(SUITS) + 1, len(SUITS)), np.uint16)
    for t, trumps in enumerate(SUITS):
        for s, one in enumerate(SUITS):
            out[t, s] = sum(
                1 << o for o, other in enumerate(SUITS) if suit_beats(trumps, one, other)
            )
    return out


@dataclass(frozen=True)
class Kaji(Game):
    """KAJI with its switches; see the rule sheet for the clauses."""

    players: int = options.option(4, "number of players", clause="K2", low=2, high=5)
    first_bidder: str = options.option(
        "left_of_dealer", "who bids first", clause="K3", choices=("left_of_dealer", "dealer")
    )
    match_hands: int = options.option(
        0,
        "hands in a match; 0 for four times the number of players",
        clause="K12",
        low=0,
        high=LONGEST_MATCH,
        of_matches=True,
    )

    name = "kaji"
    title = "KAJI"
    version = 2
    fitting = f"{__name__}.fitting"
    assumptions = (
        "How many cards 2, 3 and 5 players get is assumed (K2): the source rules on 4 alone.",
        "The length of a match is assumed (K12): the source gives none.",
    )

    facts = {
        "declarer": (("absent", "hands thrown in"),),
        "partner": (("absent", "hands without a partner, those thrown in included"),),
        "bid": (("where any", "highest bid, where there was one"),),
        "trumps": tuple(
            (f"is {number}", f"hands with {name} trumps")
            for number, name in enumerate(SUITS.values())
        ),
        "taken": (("where declared", "tricks of the Declarer's side"),),
        "made": (("made", "bids made, of the hands not thrown in"),),
    }

    def __post_init__(self) -> None:
        options.check(self, SwitchError)

    @property
    def deck(self) -> Deck:
        """The pack (K1)."""
        return DECK

    @cached_property
    def rules(self) -> Rules:
        """The trick rules as data (K6-K9)."""
        return trick_rules(DECK, follow_winner=True, beats=beats_matrix())

    @property
    def cards_each(self) -> int:
        """As many for everybody as the Neko leaves (K1, K2)."""
        return (DECK.n_cards - NEKO[self.players]) // self.players

    @property
    def discards(self) -> int:
        """As many cards as the Neko has (K4)."""
        return self.set_aside

    @property
    def book(self) -> int:
        """Tricks that a bid is counted from (K2)."""
        return (self.n_tricks - 1) // 2

    @property
    def highest_bid(self) -> int:
        """All tricks (K3)."""
        return self.n_tricks - self.book

    @property
    def largest_side(self) -> int:
        """Two where a partner may be called (K2, K5)."""
        return 1 if self.alone_always else 2

    @property
    def names_trumps(self) -> bool:
        """The Declarer does (K4)."""
        return True

    @property
    def alone_always(self) -> bool:
        """Whether there are too few players to call a partner (K2)."""
        return self.players <= MOST_ALONE

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The auction, the Neko, trumps, the call and the tricks (K3-K6)."""
        auction = Auction(
            1,
            1,
            self.highest_bid,
            from_dealer=1 if self.first_bidder == "left_of_dealer" else 0,
            once=True,
            declarer_leads=True,
            clause="K3",
        )
        return (
            auction,
            Exchange(self.discards, "K4"),
            Trumps("K4"),
            Call("K5", self.alone_always),
            Tricks(),
        )

    def first_seat(self, dealer: NDArray[np.int8]) -> NDArray[np.int8]:
        """Who bids first; the Declarer leads, once there is one (K3, K6)."""
        shift = 1 if self.first_bidder == "left_of_dealer" else 0
        return ((dealer + shift) % self.players).astype(np.int8)

    def opening_leader(self, table: Table) -> NDArray[np.int8]:
        """The Declarer (K6); the first bidder of a hand that was thrown in."""
        nobody = table.declarer == NO_SEAT
        return np.where(nobody, self.first_seat(table.dealer), table.declarer).astype(np.int8)

    @property
    def match_length(self) -> int:
        """Hands in a match, thrown-in ones included (K12)."""
        return self.match_hands or ROUNDS * self.players

    def check_match(self) -> None:
        """Every game of KAJI can be a match (K12)."""

    def match_over(
        self, standing: NDArray[np.int32], hands: NDArray[np.int16]
    ) -> NDArray[np.bool_]:
        """Whether all hands of a match have been played (K12)."""
        return hands >= self.match_length

    # -- scores

    def _sides(self, table: Table) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
        """Each seat's part in the contract, (H, P), and tricks of the Declarer's side, (H,)."""
        tricks = table.state.tricks
        role, taken = np.empty_like(tricks), np.empty(table.hands, np.int16)
        take_sides(table.declarer, table.partner, tricks, role, taken)
        return role, taken

    def over_book(self, table: Table) -> NDArray[np.int16]:
        """Tricks of the Declarer's side over the book, 0 where there is none, (H,) (K10)."""
        return self._over_book(table, self._sides(table)[1])

    def _over_book(self, table: Table, taken: NDArray[np.int16]) -> NDArray[np.int16]:
        return np.where(table.declarer == NO_SEAT, np.int16(0), taken - np.int16(self.book))

    def score(self, table: Table) -> Score:
        """What the contract made or failed by is worth, and to whom (K10, K11)."""
        played = table.declarer != NO_SEAT
        alone = table.partner == NO_SEAT
        role, taken = self._sides(table)
        over, bid = self._over_book(table, taken), table.bidding.high
        made = np.where(played, over >= bid, -1).astype(np.int8)
        score, win = np.empty(role.shape, np.int16), np.empty(role.shape, np.float32)
        pay_sides(role, *points(bid, over, alone), made, score, win)
        return Score(np.zeros_like(score), score, win, made)

    # -- frames

    @cached_property
    def seat_columns(self) -> dict[str, Column]:
        """Features of the holdings, and the seat's part in the contract."""
        return COLUMNS | {
            "last_bid": Column("int8", "what the seat bid, 0 if it passed (K3)", 0),
            "role": Column(
                "int8", "2 for the Declarer, 1 for the partner, 0 for the others (K3, K5)", 0, 2
            ),
        }

    @cached_property
    def hand_columns(self) -> dict[str, Column]:
        """The contract and what came of it."""
        return {
            "declarer": Column("int8", "the Declarer's seat, -1 if thrown in (K3)", -1),
            "partner": Column("int8", "the partner's seat, -1 if there was none (K5)", -1),
            "bid": Column("int8", "the highest bid, 0 if thrown in (K3)", 0),
            "trumps": Column(
                "int8", "trumps: 0 Jan, 1 Ken, 2 Po, 3 Kaji; -1 if thrown in (K4)", -1, 3
            ),
            "taken": Column("int8", "tricks of the Declarer's side, 0 if thrown in (K10)", 0),
            "made": Column("int8", "1 if the bid was made, 0 if not, -1 if thrown in", -1, 1),
            "bids": Column("int8", "bids made in the auction, passes not counted (K3)", 0),
        }

    def seat_features(self, table: Table) -> Columns:
        """Features of the holdings, and the seat's part in the contract."""
        return features(table.dealt, table.start, table.state.trump, table.declarer) | {
            "last_bid": table.bidding.last.astype(np.int8),
            "role": self._sides(table)[0],
        }

    def hand_features(self, table: Table, scored: Score) -> Columns:
        """The contract and what came of it."""
        over = self.over_book(table)
        bids = np.zeros(table.hands, np.int8)
        for _, said in table.bids:
            bids += said > PASS
        return {
            "declarer": table.declarer,
            "partner": table.partner,
            "bid": table.bidding.high.astype(np.int8),
            "trumps": np.where(table.over, np.int8(NO_SUIT), table.state.trump),
            "taken": np.where(table.over, 0, over + self.book).astype(np.int8),
            "made": scored.made,
            "bids": bids,
        }

    # -- hand histories

    @cached_property
    def clauses(self) -> Clauses:
        """Clauses for faults in hand histories."""
        return Clauses(
            pack="K1",
            numbers="K1" if self.players == 4 else "K2",
            bid="K3",
            discard="K4",
            trumps="K4",
            call="K2" if self.alone_always else "K5",
            result={
                "tricks": "K9",
                "score": "K10",
                "win": "K10",
                "declarer": "K3",
                "partner": "K5",
                "made": "K10",
            },
        )

    def play_clause(self, attempt: Attempt) -> str:
        """The duty to follow the current suit is the only one there is (K8)."""
        return "K8"

    # -- what policies go by

    @property
    def patience(self) -> float:
        """Where few hold many cards, nearly every suit that is kept is ruffed in the end (K7)."""
        return PATIENCE.get(self.players, 1.0)

    @property
    def fit_used(self) -> strength.Fit:
        """The fit that estimates go by."""
        return strength.shipped()[self.players]

    def bid_limit(self, view: View, margin: float) -> NDArray[np.float64]:
        """Tricks over the book by the estimate of :mod:`.strength`, plus the margin."""
        return strength.bid_limit(view, margin)

    def wanted_bid(self, view: View, limit: NDArray[np.int64]) -> NDArray[np.int64]:
        """The limit, so as to leave the others, who speak once, least to bid (K3).

        The last has nobody to shut out and bids the least: alone it is paid for what it takes all
        the same, and with a partner for what it takes above its bid most (K10, K11).
        """
        return np.where(strength.speaks_last(view), view.min_bid, limit)

    def trump_worth(
        self, view: View, holding: NDArray[np.uint32], trump: int
    ) -> NDArray[np.float64]:
        """What a suit is worth as trumps, by the estimate of :mod:`.strength`."""
        return strength.trump_worth(view, holding, trump)

    def call_worth(self, view: View) -> NDArray[np.float64]:
        """What each call is worth, by the estimate of :mod:`.strength`."""
        return strength.call_worth(view)


def points(
    bid: NDArray[Any], over: NDArray[Any], alone: NDArray[np.bool_] | np.bool_
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What each seat of the Declarer's side and what each opponent scores (K10, K11).

    Parameters
    ----------
    bid, over : int (…,)
        Tricks over the book: what was bid, and what was taken.
    alone : bool (…,)
        Whether the Declarer had no partner.
    """
    made = over >= bid
    with_partner = BID_POINTS * bid + OVER_POINTS * (over - bid)
    ours = np.where(made, np.where(alone, ALONE_POINTS * over, with_partner), 0)
    short = np.where(alone, ALONE_SHORT, SHORT_POINTS) * (bid - over)
    return ours, np.where(made, 0, short)
