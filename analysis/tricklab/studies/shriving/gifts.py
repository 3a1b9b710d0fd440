"""Ways to choose what to give, and what a holding looks like to the seat that must choose (J14).

A *poor* suit is an ordinary suit of which a seat holds neither the Sage nor the Rook.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import Deck
from tricklab.errors import UserError
from tricklab.options import suggestion
from tricklab.policies import Careful, Policy, Random, Simple
from tricklab.view import View

FAR = 1_000
"""More than any rank: what comes after all ordinary cards."""

Keys = Callable[[Deck, NDArray[np.uint32], int], NDArray[np.int64]]
"""Order of cards (n, n_cards) by deck, holdings and number given: the least key is given first."""


# ------------------------------------------------------------------------------ reading a holding
def of_role(deck: Deck, role: str) -> NDArray[np.bool_]:
    """Whether each suit has a role: ``"suit"``, ``"trump"`` or ``"excuse"``, (n_suits,)."""
    return np.array([suit.role == role for suit in deck.suits])


def court_cards(deck: Deck) -> NDArray[np.bool_]:
    """Whether each card is a Sage or a Rook of an ordinary suit, (n_cards,)."""
    places = zip(deck.suit_of.tolist(), deck.rank_of.tolist(), strict=True)
    return np.array(
        [deck.suits[s].role == "suit" and deck.suits[s].ranks[r] in ("S", "R") for s, r in places]
    )


def poor(deck: Deck, holding: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether each suit is an ordinary one held without Sage or Rook, (n, n_suits)."""
    masks = np.zeros(deck.n_suits, np.uint32)
    cards = np.flatnonzero(court_cards(deck))
    np.bitwise_or.at(
        masks, deck.suit_of[cards], np.uint32(1) << deck.rank_of[cards].astype(np.uint32)
    )
    found: NDArray[np.bool_] = of_role(deck, "suit") & ((holding & masks) == 0)
    return found


def emptied(
    holding: NDArray[np.uint32], allowed: NDArray[np.bool_], count: int
) -> NDArray[np.bool_]:
    """Suits that are given away whole, the shortest first, as long as they fit, (n, n_suits).

    Parameters
    ----------
    holding : uint32 (n, n_suits)
        Holdings.
    allowed : bool (n, n_suits)
        Suits that may be given away.
    count : int
        Cards to give.
    """
    size = np.where(allowed & (holding > 0), np.bitwise_count(holding).astype(np.int64), FAR)
    order = np.argsort(size, axis=1, kind="stable")
    # Suits after one that does not fit are no shorter, so that the running sum settles it.
    fits = np.take_along_axis(size, order, axis=1).cumsum(axis=1) <= count
    out = np.zeros_like(fits)
    np.put_along_axis(out, order, fits, axis=1)
    return out


TRUMPS = ("0–2 trumps", "3–4 trumps", "5 trumps or more")
"""Classes of holdings by trumps."""

SUITS = ("no short poor suit", "one short poor suit", "two or more")
"""Classes of holdings by poor suits that can be given away whole, together."""

SHAPES = tuple(f"{trumps}, {suits}" for trumps in TRUMPS for suits in SUITS)
"""Classes of holdings, by number."""


def shape(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    """The class of each holding, an index into :data:`SHAPES`, (n,)."""
    held = np.bitwise_count(holding).astype(np.int64)
    trumps = held[:, of_role(deck, "trump")].sum(axis=1)
    suits = emptied(holding, poor(deck, holding), count).sum(axis=1)
    return np.digitize(trumps, [3, 5]) * len(SUITS) + suits.clip(0, len(SUITS) - 1)


# ------------------------------------------------------------------------------- choosing the gift
def _lowest(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    """The lowest of the ordinary suits, then of trumps, then barbarians."""
    role = of_role(deck, "trump") + 2 * of_role(deck, "excuse")
    keys = deck.rank_of.astype(np.int64) + FAR * role[deck.suit_of]
    return np.broadcast_to(keys, (len(holding), deck.n_cards))


def _void(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    chosen = emptied(holding, poor(deck, holding), count)
    return _lowest(deck, holding, count) - FAR * chosen[:, deck.suit_of]


def _any_void(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    plain = np.broadcast_to(of_role(deck, "suit"), holding.shape)
    chosen = emptied(holding, plain, count)
    return _lowest(deck, holding, count) - FAR * chosen[:, deck.suit_of]


def _longest(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    held = np.where(of_role(deck, "suit"), np.bitwise_count(holding).astype(np.int64), 0)
    return _lowest(deck, holding, count) - FAR * held[:, deck.suit_of]


def _highest(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    keys = _lowest(deck, holding, count)
    return np.where(of_role(deck, "suit")[deck.suit_of], -keys, keys)


def _with_one(
    deck: Deck, holding: NDArray[np.uint32], count: int, kind: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The lowest card of a kind, if one is held, and otherwise the lowest cards."""
    keys = _lowest(deck, holding, count).copy()
    mine = deck.flags(holding) & kind
    first = np.where(mine, keys, FAR * FAR).argmin(axis=1)
    keys[np.arange(len(keys)), first] -= FAR * FAR * mine.any(axis=1)
    return keys


def _trump(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    return _with_one(deck, holding, count, of_role(deck, "trump")[deck.suit_of])


def _barbarian(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    return _with_one(deck, holding, count, of_role(deck, "excuse")[deck.suit_of])


def _court(deck: Deck, holding: NDArray[np.uint32], count: int) -> NDArray[np.int64]:
    return _with_one(deck, holding, count, court_cards(deck))


ORDERS: dict[str, Keys] = {
    "void": _void,
    "any_void": _any_void,
    "longest": _longest,
    "court": _court,
    "barbarian": _barbarian,
    "trump": _trump,
    "highest": _highest,
}
"""Orders in which cards are given, by name."""


@dataclass(frozen=True)
class InOrder(Policy):
    """Gives the cards of its holding that come first in an order; all else as any policy.

    Attributes
    ----------
    order : str
        A name of :data:`ORDERS`.
    """

    order: str

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise UserError(f"there is no order {self.order!r}; {suggestion(self.order, ORDERS)}")

    def give(self, view: View) -> NDArray[Any]:
        """The cards held that come first."""
        keys = ORDERS[self.order](view.deck, view.holding, view.game.gives)
        keys = np.where(view.holds, keys, np.iinfo(np.int64).max)
        return np.argsort(keys, axis=1, kind="stable")[:, : view.game.gives]


@dataclass(frozen=True)
class Way:
    """A way to choose what to give.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    giver : Policy
        Who chooses so.
    """

    name: str
    title: str
    giver: Policy


WAYS = {
    way.name: way
    for way in (
        Way("plan", "by plan (careful's)", Careful()),
        Way("lowest", "the lowest", Simple()),
        Way("random", "at random", Random()),
        Way("void", "short poor suits whole", InOrder("void")),
        Way("any_void", "short suits whole, high cards too", InOrder("any_void")),
        Way("longest", "the lowest of the longest suit", InOrder("longest")),
        Way("court", "a Rook or Sage with them", InOrder("court")),
        Way("barbarian", "a barbarian with them", InOrder("barbarian")),
        Way("trump", "the lowest trump with them", InOrder("trump")),
        Way("highest", "the highest plain cards", InOrder("highest")),
    )
}
"""The ways compared, by name.  What is not said to be given first is filled up with the lowest."""
