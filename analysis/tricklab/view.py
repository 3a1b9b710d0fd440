"""What a policy sees: its own cards, public actions, and what the rules make known.

A view is built of copies and read-only arrays; other seats' holdings are not reachable from it.
Every array has a row for each hand in which the policy must decide now; the seats may differ
from row to row.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tricklab.errors import UserError
from tricklab.rows import own_rows

if TYPE_CHECKING:
    from tricklab.auction import Auction
    from tricklab.games.base import Game
    from tricklab.table import Table
    from tricklab.trick_data import Legal

Draw = Callable[[int], NDArray[np.uint32]]


class Offers(Protocol):
    """A phase that says what the seats it asks may answer."""

    def offers(self, table: Table, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """New arrays by name, each with one of ``rows`` a row, of what the seats know."""


class View:
    """One decision of one policy, in every hand where it is due.

    Attributes
    ----------
    game : Game
        The game and its switches.
    decision : str
        What is asked: ``"give"``, ``"bid"``, ``"contract"``, ``"discard"``, ``"trumps"``,
        ``"call"``, ``"annul"``, ``"announce"``, ``"contra"``, ``"play"`` or ``"revoke"``.
    seat : int8 (n,)
        The deciding seat in each row.
    trick : int
        The trick's number, from 1; 0 before play.
    position : int
        Cards already on the table in this trick: 0 when leading.
    holding : uint32 (n, n_suits)
        The seat's cards, a rank mask a suit (lowest rank at bit 0).
    offers : dict of ndarray
        What may be answered, by name, where the phase that asks says so.
    """

    def __init__(
        self,
        table: Table,
        rows: NDArray[np.int64],
        draw: Draw,
        decision: str,
        *,
        auction: Auction | None = None,
        free: Legal | None = None,
        offers: Offers | None = None,
    ) -> None:
        playing = decision in ("play", "revoke")
        self.game: Game = table.game
        self.deck = table.game.deck
        self.decision = decision
        self.trick = table.trick + 1 if playing else 0
        self.position = table.position
        self._rows = rows
        self._origin = table.origin[rows]
        self._whole = len(rows) == table.hands
        self._draw = draw
        self._draws = 0
        state, bidding = table.state, table.bidding
        self.seat = self._public(state.seat)
        self.holding = self._public(table.legal.own) if playing else self._mine(state.hold)
        # Only public arrays are kept: there must be no way from here to another holding.
        self._arrays: dict[str, NDArray[Any]] = {
            "played": state.played,
            "voids": state.voids,
            "leader": state.leader,
            "trump": state.trump,
            "lead": state.lead,
            "best_seat": state.best_seat,
            "best_suit": state.best_suit,
            "best_strength": state.best_strength,
            "broken": state.broken,
            "tricks": state.tricks,
            "dealer": table.dealer,
            "declarer": table.declarer,
            "called": table.called,
            "partner": table.partner,
            "high_bid": bidding.high,
            "high_bidder": bidding.bidder,
            "last_bids": bidding.last,
            "dropped": bidding.out,
            "caught": table.caught,
            "standing": table.standing,
            "round": table.round,
            "carried": table.carried,
            "contract": table.contract,
            "exchanged": table.exchanged,
        }
        # What is asked now, of the seats asked alone: it says much about their holdings.
        self._now: dict[str, NDArray[Any]] = {}
        if playing:
            self._now |= {
                "legal_printed": self._public(table.legal.printed),
                "legal_other": self._public(table.legal.other),
                "names": self._public(table.legal.names),
                "n_legal": self._public(table.legal.count),
            }
            self._arrays |= {
                "table_cards": table.cards[table.trick],
                "table_as": table.played_as[table.trick],
            }
        if free is not None:
            self._now |= {
                "any_printed": self._public(free.printed),
                "any_other": self._public(free.other),
                "any_names": self._public(free.names),
            }
        self.offers: dict[str, NDArray[Any]] = {}
        if offers is not None:
            found = offers.offers(table, rows)
            self.offers = {name: _closed(values) for name, values in found.items()}
            self._now |= self.offers
        elif decision == "call":
            # Whatever the declarer has not had in hand.
            had = self.holding | self._mine(table.discarded)
            self._now["legal_call"] = _closed(self.deck.full & ~had)
        if auction is not None:
            self.max_bid = auction.highest
            self._now["min_bid"] = auction.least(self._get("high_bidder"), self._get("high_bid"))
        if decision == "contract":
            self._now["contracts"] = table.game.offered(self._mine(table.carried))
        self._of_game = self.game.public(table)
        self._past = (table.cards[: table.trick], table.played_as[: table.trick])
        self._gifts: tuple[NDArray[np.uint32], NDArray[np.uint32]] | None = None
        if self.game.gives:
            # What others give is known once all have given.
            giver = (self.seat - 1) % self.game.players
            all_gave = playing or decision != "give"
            received = (
                own_rows(table.given, rows, giver) if all_gave else np.zeros_like(self.holding)
            )
            self._gifts = _closed(self._mine(table.given)), _closed(received)
        self._own: dict[str, NDArray[Any]] = {
            # Gathering what there cannot be would cost every view of every game.
            "discards": _closed(self._mine(table.discarded))
            if self.game.discards
            else _no_cards(self.holding.shape),
            "allies": _closed(self._mine(table.sides)),
            "revokes": _closed(self._mine(table.revokes)),
        }

    def __len__(self) -> int:
        return len(self._rows)

    def _public(self, array: NDArray[Any]) -> NDArray[Any]:
        out = array.view() if self._whole else array[self._rows]
        out.flags.writeable = False
        return out

    def _mine(self, array: NDArray[Any]) -> NDArray[Any]:
        """A copy of what is the seats' own of an array (H, players, …), (n, …)."""
        return own_rows(array, self._rows, self.seat)

    def _get(self, name: str) -> NDArray[Any]:
        return self._public(self._asked(self._arrays, name))

    def _asked(self, arrays: dict[str, NDArray[Any]], name: str) -> NDArray[Any]:
        try:
            return arrays[name]
        except KeyError:
            raise UserError(f"a view has no {name!r} when asked to {self.decision}") from None

    @cached_property
    def legal_printed(self) -> NDArray[np.uint32]:
        """Cards that may be played as their printed suit, masks (n, n_suits)."""
        return self._asked(self._now, "legal_printed")

    @cached_property
    def legal_other(self) -> NDArray[np.uint32]:
        """Cards that may be played as their inverted suit, masks (n, n_suits)."""
        return self._asked(self._now, "legal_other")

    @cached_property
    def names(self) -> NDArray[np.uint16]:
        """Suits that a barbarian led now may name, a set as bits, (n,); 0 when not leading one."""
        return self._asked(self._now, "names")

    @cached_property
    def n_legal(self) -> NDArray[np.int16]:
        """Number of legal answers, (n,)."""
        return self._asked(self._now, "n_legal")

    @cached_property
    def holds(self) -> NDArray[np.bool_]:
        """Whether the seat holds each card, (n, n_cards)."""
        return self.deck.flags(self.holding)

    @cached_property
    def may_play(self) -> NDArray[np.bool_]:
        """Whether the seat may play each card, one way or another, (n, n_cards)."""
        return self.deck.flags(self.legal_printed | self.legal_other)

    @cached_property
    def played(self) -> NDArray[np.uint32]:
        """All cards played in this hand so far, masks (n, n_suits)."""
        return self._get("played")

    @cached_property
    def unseen(self) -> NDArray[np.uint32]:
        """Cards neither held nor played: with the others or in the stock, masks (n, n_suits)."""
        return self.deck.full & ~self.holding & ~self.played & ~self.discards

    @cached_property
    def voids(self) -> NDArray[np.uint16]:
        """Suits that each seat has shown not to hold, a set as bits, (n, players)."""
        return self._get("voids")

    @cached_property
    def table_cards(self) -> NDArray[np.uint8]:
        """Card of each seat on the table, ``trick_data.NO_CARD`` where none yet, (n, players)."""
        return self._get("table_cards")

    @cached_property
    def table_as(self) -> NDArray[np.int8]:
        """Suit as which each card on the table was played, (n, players)."""
        return self._get("table_as")

    @cached_property
    def leader(self) -> NDArray[np.int8]:
        """Seat that leads this trick, (n,)."""
        return self._get("leader")

    @cached_property
    def dealer(self) -> NDArray[np.int8]:
        """Dealer's seat, (n,)."""
        return self._get("dealer")

    @cached_property
    def trump(self) -> NDArray[np.int8]:
        """Suit that is trumps in this trick, -1 for none, (n,)."""
        return self._get("trump")

    @cached_property
    def lead(self) -> NDArray[np.int8]:
        """Suit led, -1 when leading, (n,)."""
        return self._get("lead")

    @cached_property
    def best_seat(self) -> NDArray[np.int8]:
        """Seat whose card is winning, (n,); without meaning when leading."""
        return self._get("best_seat")

    @cached_property
    def best_suit(self) -> NDArray[np.int8]:
        """Suit of the card that is winning, (n,); without meaning when leading."""
        return self._get("best_suit")

    @cached_property
    def best_strength(self) -> NDArray[np.int16]:
        """Strength of the card that is winning (see ``trick_data.Rules``), (n,)."""
        return self._get("best_strength")

    @cached_property
    def broken(self) -> NDArray[np.int8]:
        """Trick in which trumps were broken, 0 if they are not, (n,)."""
        return self._get("broken")

    @cached_property
    def tricks(self) -> NDArray[np.int8]:
        """Tricks taken by each seat, (n, players)."""
        return self._get("tricks")

    @cached_property
    def past_cards(self) -> NDArray[np.uint8]:
        """Cards of the completed tricks, (tricks, n, players)."""
        return self._past[0][:, self._rows]

    @cached_property
    def past_as(self) -> NDArray[np.int8]:
        """Suits as which the cards of the completed tricks were played, (tricks, n, players)."""
        return self._past[1][:, self._rows]

    @property
    def given(self) -> NDArray[np.uint32]:
        """Cards this seat has given away, masks (n, n_suits)."""
        return self._gifts[0] if self._gifts else _no_cards(self.holding.shape)

    @property
    def received(self) -> NDArray[np.uint32]:
        """Cards this seat was given, masks (n, n_suits); none until all have given."""
        return self._gifts[1] if self._gifts else _no_cards(self.holding.shape)

    @property
    def discards(self) -> NDArray[np.uint32]:
        """Cards this seat has discarded, masks (n, n_suits)."""
        return self._own["discards"]

    @property
    def allies(self) -> NDArray[np.uint16]:
        """Seats on this seat's side, itself included, a set as bits, (n,)."""
        return self._own["allies"]

    @property
    def revokes(self) -> NDArray[np.int8]:
        """Revokes this seat has made in this hand, (n,) (J16)."""
        return self._own["revokes"]

    @cached_property
    def any_printed(self) -> NDArray[np.uint32]:
        """When asked to revoke: every card of the holding, masks (n, n_suits)."""
        return self._asked(self._now, "any_printed")

    @cached_property
    def any_other(self) -> NDArray[np.uint32]:
        """When asked to revoke: every card that has an inverted suit, masks (n, n_suits)."""
        return self._asked(self._now, "any_other")

    @cached_property
    def any_names(self) -> NDArray[np.uint16]:
        """When asked to revoke: suits that a led barbarian may name, a set as bits, (n,)."""
        return self._asked(self._now, "any_names")

    @cached_property
    def min_bid(self) -> NDArray[np.int64]:
        """Least bid that may be made now, above ``max_bid`` where none may, (n,)."""
        return self._asked(self._now, "min_bid")

    @cached_property
    def high_bid(self) -> NDArray[np.int16]:
        """The highest bid, the contract once the auction is over; 0 for none, (n,)."""
        return self._get("high_bid")

    @cached_property
    def high_bidder(self) -> NDArray[np.int8]:
        """Seat that bid highest, ``bidding.NO_SEAT`` for none, (n,)."""
        return self._get("high_bidder")

    @cached_property
    def last_bids(self) -> NDArray[np.int16]:
        """Each seat's highest bid, 0 for none, (n, players)."""
        return self._get("last_bids")

    @cached_property
    def dropped(self) -> NDArray[np.uint16]:
        """Seats that have dropped out of the auction, a set as bits, (n,)."""
        return self._get("dropped")

    @cached_property
    def declarer(self) -> NDArray[np.int8]:
        """Seat that plays the contract (J21's Traitor), ``bidding.NO_SEAT`` for none, (n,)."""
        return self._get("declarer")

    @cached_property
    def legal_call(self) -> NDArray[np.uint32]:
        """When asked to call: cards whose holders may be called, masks (n, n_suits) (K5)."""
        return self._asked(self._now, "legal_call")

    @cached_property
    def may_call(self) -> NDArray[np.bool_]:
        """When asked to call: whether the holder of each card may be called, (n, n_cards) (K5)."""
        return self.deck.flags(self.legal_call)

    @cached_property
    def called(self) -> NDArray[np.int16]:
        """Card whose holder was called for a partner, ``bidding.ALONE`` for none (yet), (n,)."""
        return self._get("called")

    @cached_property
    def partner(self) -> NDArray[np.int8]:
        """The declarer's partner, ``bidding.NO_SEAT`` for none (yet), (n,)."""
        return self._get("partner")

    @cached_property
    def caught(self) -> NDArray[np.int8]:
        """Trick in which each seat was caught revoking, 0 if it was not, (n, players) (J16)."""
        return self._get("caught")

    @cached_property
    def standing(self) -> NDArray[np.int32]:
        """Each seat's score in the match so far, 0 in single hands, (n, players)."""
        return self._get("standing")

    @cached_property
    def round(self) -> NDArray[np.int16]:
        """Number of the hand within its match, from 1; 0 in single hands, (n,)."""
        return self._get("round")

    @cached_property
    def carried(self) -> NDArray[np.uint16]:
        """What each seat brings from earlier hands of the match, as the game has it, (n, players).

        Trjámann: the contracts that each has declared since they were last all on offer, a set of
        their kinds as bits (T5).
        """
        return self._get("carried")

    @cached_property
    def contracts(self) -> NDArray[np.bool_]:
        """When asked for a contract: which of ``game.contracts`` may be chosen, (n, contracts)."""
        return self._asked(self._now, "contracts")

    @cached_property
    def contract(self) -> NDArray[np.int8]:
        """Number of the contract played, of ``game.contracts``; -1 for none, (n,)."""
        return self._get("contract")

    @cached_property
    def of_game(self) -> dict[str, NDArray[Any]]:
        """What else all seats know in this game, by name; see ``Game.public``."""
        return {name: self._public(array) for name, array in self._of_game.items()}

    @cached_property
    def exchanged(self) -> NDArray[np.int8]:
        """How many cards the declarer exchanged, where that is for it to say, (n,) (T6)."""
        return self._get("exchanged")

    def words(self) -> NDArray[np.uint32]:
        """Fresh uniform 32-bit words from each row's own seat's stream, (n,)."""
        self._draws += 1
        return self._draw(self._draws - 1)

    def uniform(self) -> NDArray[np.float64]:
        """Fresh uniform numbers in [0, 1) from each row's own seat's stream, (n,)."""
        return self.words() / 2.0**32


def among(view: View, contracts: NDArray[np.bool_]) -> View:
    """The same view with no other contracts to choose from than these.

    Parameters
    ----------
    view : View
        When asked for a contract.
    contracts : bool (contracts,) or (n, contracts)
        Which to leave; where none of these is on offer, all that are stay.
    """
    left = view.contracts & contracts
    narrow = copy(view)
    vars(narrow).pop("contracts", None)
    offered = np.where(left.any(axis=1, keepdims=True), left, view.contracts)
    narrow._now = view._now | {"contracts": _closed(offered)}
    return narrow


def _closed(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


@lru_cache(maxsize=8)
def _no_cards(shape: tuple[int, ...]) -> NDArray[np.uint32]:
    out = np.zeros(shape, np.uint32)
    out.flags.writeable = False
    return out
