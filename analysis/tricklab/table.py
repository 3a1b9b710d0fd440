"""A batch of hands in progress, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_CONTRACT, NO_SEAT, NOT_ASKED, Bidding
from tricklab.cards import NO_SUIT
from tricklab.dealing import Deal
from tricklab.rng import Streams
from tricklab.rows import in_runs, put_rows, take_rows
from tricklab.trick_data import NO_CARD, NO_VALUE, Legal, State

if TYPE_CHECKING:
    from tricklab.games.base import Game


FEW = 8
"""Share of a block, one in so many hands, below which words are made for these alone."""


class Table:
    """H hands of one game, all at the same decision.

    Attributes
    ----------
    game : Game
        The game played.
    origin : int64 (H,)
        Each hand's place in its block, which its random numbers go by.
    stage : int
        Phases completed.
    dealer : int8 (H,)
        Each hand's dealer.
    pack : uint8 (H, n_cards)
        Each hand's shuffled pack; what follows the dealt cards is the stock.
    dealt, given, discarded, start : uint32 (H, P, S)
        Holdings as dealt, cards given away, cards discarded, and holdings with which play began.
    over : bool (H,)
        Hands that ended before play: passed out, or thrown in.
    phases : int8 (H,)
        Phases that each hand has been through.
    standing : int32 (H, P)
        Score of each seat in the match so far; 0 in single hands.
    round : int16 (H,)
        Number of the hand within its match, from 1; 0 in single hands.
    carried : uint16 (H, P)
        What else each seat brings along from earlier hands of the match, as its game has it; 0 in
        single hands.
    bidding : Bidding
        The auction.
    bids : list of (bidder int8 (H,), bid int16 (H,))
        What was said, turn by turn; bidder ``NO_SEAT`` where nobody was asked.
    declarer : int8 (H,)
        Who plays the contract, or ``NO_SEAT``.
    contract : int8 (H,)
        Number of the contract played, of ``game.contracts``, or ``NO_CONTRACT``.
    exchanged : int8 (H,)
        Cards that the declarer exchanged, where that is for it to say (T6).
    called : int16 (H,)
        Card whose holder the declarer called for a partner, or ``ALONE``.
    partner : int8 (H,)
        The declarer's partner, or ``NO_SEAT``.
    sides : uint16 (H, P)
        Seats on each seat's side, itself included, a set as bits.
    revokes, risked, caught : int8 (H, P)
        Revokes made; those made while not yet caught; and the trick, from 1, in which the seat was
        caught, 0 if it was not (J16).
    fresh : bool (H, P)
        Whether the seat has revoked in the trick in progress.
    state : State
        Where each hand stands now.
    legal : Legal
        What the seats whose turn it is may answer, once computed.
    trick, position : int
        Completed tricks, and cards on the table in the current one.
    cards : uint8 (T, H, P), played_as : int8 (T, H, P)
        Card played by each seat in each trick (``NO_CARD`` before) and the suit it was played as.
    choices : int16 (T, H, P) or None
        Number of legal answers at each play, where asked for.
    leaders, winners, trumps, leads : int8 (T, H)
        What each trick's seats and suits were.
    worthless : int8 (H,)
        Tricks in which no card had a value.
    extra : tuple of arrays
        What else there is to keep in this game, a named tuple of arrays with a row a hand; see
        :meth:`Game.blank`.
    attempt : int
        How often these hands were dealt again after being thrown in (E12); all as often.
    earlier : list of Table
        Deals that were thrown in and dealt again, as they stood then.
    """

    def __init__(self, deal: Deal, tricks: int, *, choices: bool = False) -> None:
        game = deal.game
        hands, seats, suits = deal.hold.shape
        self.game: Game = game
        self.origin = np.arange(hands)
        self.block = hands
        self.stage = 0
        self.dealer = deal.dealer
        self.pack = deal.pack
        self.dealt = deal.hold
        self.given = np.zeros_like(deal.hold)
        self.discarded = np.zeros_like(deal.hold)
        self.start = deal.hold.copy()
        self.over = np.zeros(hands, np.bool_)
        self.phases = np.zeros(hands, np.int8)
        self.standing = np.zeros((hands, seats), np.int32)
        self.round = np.zeros(hands, np.int16)
        self.carried = np.zeros((hands, seats), np.uint16)
        self.bidding = Bidding(
            open=np.ones(hands, np.bool_),
            high=np.zeros(hands, np.int16),
            bidder=np.full(hands, NO_SEAT, np.int8),
            out=np.zeros(hands, np.uint16),
            last=np.zeros((hands, seats), np.int16),
        )
        self.bids: list[tuple[NDArray[np.int8], NDArray[np.int16]]] = []
        self.declarer = np.full(hands, NO_SEAT, np.int8)
        self.contract = np.full(hands, NO_CONTRACT, np.int8)
        self.exchanged = np.zeros(hands, np.int8)
        self.called = np.full(hands, ALONE, np.int16)
        self.partner = np.full(hands, NO_SEAT, np.int8)
        self.sides = np.tile(game.sides, (hands, 1))
        self.revokes, self.risked, self.caught = np.zeros((3, hands, seats), np.int8)
        self.fresh = np.zeros((hands, seats), np.bool_)
        self.trick = 0
        self.position = 0
        self.state = State(
            hold=deal.hold.copy(),
            played=np.zeros((hands, suits), np.uint32),
            voids=np.zeros((hands, seats), np.uint16),
            seat=game.first_seat(deal.dealer),
            leader=game.first_seat(deal.dealer),
            trump=np.full(hands, game.trump, np.int8),
            lead=np.full(hands, NO_SUIT, np.int8),
            best_seat=np.zeros(hands, np.int8),
            best_suit=np.full(hands, NO_SUIT, np.int8),
            best_strength=np.full(hands, NO_VALUE, np.int16),
            broken=np.zeros(hands, np.int8),
            tricks=np.zeros((hands, seats), np.int8),
            saves=np.zeros((hands, seats), np.int8),
            forced=np.zeros((hands, seats), np.int8),
            banned=np.zeros((hands, seats), np.uint32),
            met=np.zeros(hands, np.uint32),
            lowest=np.zeros(hands, np.int8),
        )
        self.legal = blank_legal(hands, suits)
        self.cards = np.full((tricks, hands, seats), NO_CARD, np.uint8)
        self.played_as = np.full((tricks, hands, seats), NO_SUIT, np.int8)
        self.choices = np.zeros((tricks, hands, seats), np.int16) if choices else None
        self.leaders = np.zeros((tricks, hands), np.int8)
        self.winners = np.zeros((tricks, hands), np.int8)
        self.trumps = np.full((tricks, hands), NO_SUIT, np.int8)
        self.leads = np.full((tricks, hands), NO_SUIT, np.int8)
        self.worthless = np.zeros(hands, np.int8)
        self.extra: Any = game.blank(hands)
        self.attempt = 0
        self.earlier: list[Table] = []

    @property
    def hands(self) -> int:
        """Number of hands, H."""
        return len(self.dealer)

    @property
    def tricks(self) -> int:
        """Number of tricks in a hand, T."""
        return len(self.cards)

    @property
    def stock(self) -> NDArray[np.uint8]:
        """Cards dealt to nobody, top first, shape (H, n)."""
        return self.pack[:, self.game.cards_each * self.game.players :]

    def drawn_words(
        self, streams: Streams, purpose: int, step: int, draw: int = 0
    ) -> NDArray[np.uint32]:
        """One word of a stream for every hand, by its place in the block, shape (H,)."""
        return self.drawn_tables(streams, purpose, 1, step, draw)[0]

    def drawn_tables(
        self, streams: Streams, purpose: int, count: int, step: int, draw: int = 0
    ) -> NDArray[np.uint32]:
        """The words of ``count`` streams whose purposes follow each other, shape (count, H)."""
        if FEW * self.hands < self.block:
            return streams.sparse(purpose, count, step, self.origin, draw=draw)
        words = streams.table(purpose, count, step, self.block, draw)
        return words if self.hands == self.block else words.take(self.origin, axis=1)

    def part(self, rows: NDArray[np.integer] | slice) -> Table:
        """A new table of the chosen hands, each keeping its place in the block.

        Parameters
        ----------
        rows : index
            Any ascending NumPy index over the hands, none twice.
        """
        index = in_runs(np.arange(self.hands)[rows])
        new = object.__new__(Table)
        new.game, new.block, new.stage = self.game, self.block, self.stage
        new.trick, new.position, new.attempt = self.trick, self.position, self.attempt
        new.earlier = []
        for name in _BY_HAND:
            setattr(new, name, take_rows(getattr(self, name), index))
        for name in _BY_TRICK:
            values = getattr(self, name)
            setattr(new, name, None if values is None else take_rows(values, index, axis=1))
        new.bids = [(take_rows(seats, index), take_rows(bids, index)) for seats, bids in self.bids]
        for name in _BY_FIELD:
            kept = getattr(self, name)
            setattr(new, name, type(kept)._make(take_rows(array, index) for array in kept))
        return new

    def put(self, rows: NDArray[np.integer], part: Table) -> None:
        """Put a :meth:`part` that has been played on back into its rows."""
        index = in_runs(rows)
        self.stage, self.trick, self.position = part.stage, part.trick, part.position
        for name in _BY_HAND:
            put_rows(getattr(self, name), index, getattr(part, name))
        for name in _BY_TRICK:
            if getattr(self, name) is not None:
                put_rows(getattr(self, name), index, getattr(part, name), axis=1)
        for name in _BY_FIELD:
            for own, new in zip(getattr(self, name), getattr(part, name), strict=True):
                put_rows(own, index, new)
        if part.earlier:
            # Only hands that were dealt again have another auction since.
            self.put_bids(rows, part)
            self.earlier += part.earlier

    def put_bids(self, rows: NDArray[np.integer], part: Table) -> None:
        """Put the auctions of a :meth:`part` in place of those in its rows."""
        for bidders, bids in self.bids:
            bidders[rows], bids[rows] = NO_SEAT, NOT_ASKED
        while len(self.bids) < len(part.bids):
            nobody = np.full(self.hands, NO_SEAT, np.int8)
            self.bids.append((nobody, np.full(self.hands, NOT_ASKED, np.int16)))
        for (bidders, bids), (seats, said) in zip(self.bids, part.bids, strict=False):
            bidders[rows], bids[rows] = seats, said

    def take(self, rows: NDArray[np.integer] | slice) -> Table:
        """A new, independent table of the chosen hands, which may be repeated.

        Parameters
        ----------
        rows : index
            Any NumPy index over the hands; repeating a hand widens the table, as rollouts do.
            What is still to be drawn is drawn for each row by itself.
        """
        new = self.part(rows)
        new.block = new.hands
        new.origin = np.arange(new.hands)
        return new

    def copy(self) -> Table:
        """A new, independent table of the same hands."""
        return self.take(slice(None))


_BY_HAND = (
    "origin",
    "dealer",
    "pack",
    "dealt",
    "given",
    "discarded",
    "start",
    "over",
    "phases",
    "standing",
    "round",
    "carried",
    "declarer",
    "contract",
    "exchanged",
    "called",
    "partner",
    "sides",
    "revokes",
    "risked",
    "caught",
    "fresh",
    "worthless",
)
_BY_TRICK = ("cards", "played_as", "choices", "leaders", "winners", "trumps", "leads")
_BY_FIELD = ("bidding", "state", "legal", "extra")


def blank_legal(hands: int, suits: int) -> Legal:
    """Room for what a seat may answer in each of so many hands."""
    return Legal(
        own=np.zeros((hands, suits), np.uint32),
        printed=np.zeros((hands, suits), np.uint32),
        other=np.zeros((hands, suits), np.uint32),
        names=np.zeros(hands, np.uint16),
        count=np.zeros(hands, np.int16),
    )
