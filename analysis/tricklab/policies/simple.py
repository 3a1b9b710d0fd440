"""``simple``: three rules of thumb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NOTHING, PASS
from tricklab.bits import lowest
from tricklab.cards import NO_SUIT
from tricklab.policies.base import Answer, Policy
from tricklab.trick_data import AS_PRINTED, Rules
from tricklab.tricks import beats_best, kernel
from tricklab.view import View

EXCUSE_COST = 50
"""A barbarian is thrown rather than a trump, but after any card of an ordinary suit."""

GOOD_FOR_NONE, GOOD_EACH = 2, 3
"""Good cards without which it does not bid where bids have names, and for each bid above that."""

RARE_PAYS = 10
"""Points from which an announced bonus seems too good to come true."""

TRUMP_COST = 100
"""A trump costs more than any card of an ordinary suit."""


@dataclass(frozen=True)
class Simple(Policy):
    """Three rules of thumb.

    Lead the highest card of an ordinary suit, or failing that the highest trump.  Following, win
    as cheaply as you can, and if you cannot win throw the cheapest card.  Give away the lowest
    cards of the ordinary suits, and bid a trick for each trump of the upper half and each highest
    card of a suit.  Where tricks are to be avoided: lead the lowest card, follow with the highest
    that does not win, and give the highest away.  Of contracts choose the one for which most cards
    are good.  Name the longest suit trumps, and call the highest trump missing.  It counts nothing
    and has no regard for a partner.

    At Emperor it bids a step for each good card above a bare bid, annuls without trumps, announces
    Honours if it holds all three, and doubles what others announce that pays much.
    """

    name = "simple"

    def play(self, view: View) -> Answer:
        """The card that the rules of thumb name."""
        cards = np.empty(len(view), np.int16)
        played_as = np.empty(len(view), np.int16)
        simple_play(
            view.game.rules,
            view.legal_printed,
            view.legal_other,
            view.trump,
            view.best_suit,
            view.best_strength,
            view.game.aim(view),
            view.position == 0,
            view.position == view.game.players - 1,
            cards,
            played_as,
        )
        return cards, played_as

    def give(self, view: View) -> NDArray[Any]:
        """The lowest cards of the ordinary suits, then the lowest trumps, then barbarians."""
        return _cheapest(view, view.game.gives)

    def discard(self, view: View) -> NDArray[Any]:
        """The same cards as it would give away; of those it may keep, only bad ones."""
        if "count" in view.offers:
            may, most = view.deck.flags(view.offers["may_discard"]), view.game.discards
            cheap = _cheapest(view, most, may)
            return np.where(np.arange(most) < view.offers["count"][:, None], cheap, NOTHING)
        if view.game.fewest_discards == view.game.discards:
            return _cheapest(view, view.game.discards)
        return _bad(view)

    def contract(self, view: View) -> NDArray[Any]:
        """The contract for which most cards are good, the first of several.

        With trumps, every trump and the two highest cards of each other suit are good; without, the
        four highest cards of each suit; and where tricks are avoided, cards of the lower half.
        """
        deck = view.deck
        count = np.bitwise_count(view.holding).astype(np.int64)
        size = np.array([len(suit.ranks) for suit in deck.suits])
        two, four = (
            np.bitwise_count(view.holding >> (size - top).astype(np.uint32)).astype(np.int64)
            for top in (2, 4)
        )
        low = np.bitwise_count(view.holding & ((1 << size // 2) - 1).astype(np.uint32))
        good = np.empty(view.contracts.shape, np.int64)
        for number, contract in enumerate(view.game.contracts):
            if contract.avoid:
                good[:, number] = low.sum(axis=1)
            elif contract.trump == NO_SUIT:
                good[:, number] = four.sum(axis=1)
            else:
                s = contract.trump
                good[:, number] = count[:, s] + two.sum(axis=1) - two[:, s]
        return np.where(view.contracts, good, -1).argmax(axis=1)

    def trumps(self, view: View) -> NDArray[Any]:
        """The suit of most cards, of several the one with the highest."""
        return _longest(view)

    def call(self, view: View) -> NDArray[Any]:
        """The highest trump there is to call, or failing that the highest card."""
        deck = view.deck
        order = deck.rank_of + TRUMP_COST * (deck.suit_of == view.trump[:, None])
        return np.where(view.may_call, order, -1).argmax(axis=1)

    def bid(self, view: View) -> NDArray[Any]:
        """At once a trick for each trump of the upper half and each highest card of a suit.

        Where it is to name trumps, that is its longest suit; where bids are counted over a book, it
        also counts on its side's share of the other tricks.
        """
        game, deck = view.game, view.deck
        if game.bids:
            return _named_bid(view)
        trump = _trump(view)
        good = np.zeros(len(view), np.int64)
        for s in range(deck.n_suits):
            if s != deck.excuse:
                size = len(deck.suits[s].ranks)
                lowest_good = np.where(trump == s, size // 2, size - 1).astype(np.uint32)
                good += np.bitwise_count(view.holding[:, s] >> lowest_good)
        if game.book:
            good += (game.n_tricks - good) * game.largest_side // game.players
        bid = good * (game.book + view.max_bid) // game.n_tricks - game.book
        return np.where(bid >= view.min_bid, np.minimum(bid, view.max_bid), PASS)

    def annul(self, view: View) -> NDArray[Any]:
        """Annuls a hand without trumps, and plays one with all Kings."""
        return (view.holding[:, view.deck.trump] == 0).astype(np.int64)

    def announce(self, view: View) -> NDArray[Any]:
        """Honours, where it holds all three and may; else nothing."""
        honours = view.game.rules.gang
        all_three = view.holding[:, view.deck.trump] & honours == honours
        bit = 1 << view.game.bonuses.index("honours")
        return np.where(all_three, view.offers["may_announce"] & bit, 0)

    def contra(self, view: View) -> NDArray[Any]:
        """As a defender, against bonuses of others that pay much and so seldom come; else nothing.

        A contra that must be said is said, too.
        """
        pays = view.game.bonus_points
        rare = sum(2 << bonus for bonus, points in enumerate(pays) if points >= RARE_PAYS)
        rare &= ~(view.game.common_bonuses << 1)
        announced = view.of_game["announced"][np.arange(len(view)), view.seat]
        against = view.offers["may_contra"] & rare & ~(announced << 1)
        defends = view.allies >> view.declarer & 1 == 0
        return np.where(defends, against, 0) | view.offers["must_contra"]


def _longest(view: View) -> NDArray[np.int64]:
    """The suit of which each seat holds most cards, of several the one with the highest, (n,)."""
    mask = view.holding.astype(np.int64)
    return (np.bitwise_count(view.holding).astype(np.int64) << 32 | mask).argmax(axis=1)


def _trump(view: View) -> NDArray[np.int64]:
    """The suit that is trumps, or that the seat would name, -1 for none, (n,)."""
    if view.game.names_trumps:
        return _longest(view)
    return np.full(len(view), NO_SUIT if view.deck.trump is None else view.deck.trump)


def _named_bid(view: View) -> NDArray[np.int64]:
    """The next bid, or to hold, up to a bid for each so many good cards; see below.

    Trumps are good, those of the upper half twice, and so are the highest cards of the suits.
    """
    deck, may = view.deck, view.offers["may_bid"]
    trumps = view.holding[:, deck.trump]
    half = np.uint32(len(deck.suits[-1].ranks) // 2)
    good = np.bitwise_count(trumps).astype(np.int64) + np.bitwise_count(trumps >> half)
    for s, suit in enumerate(deck.suits[:-1]):
        good += np.bitwise_count(view.holding[:, s] >> np.uint32(len(suit.ranks) - 1))
    limit = (good - GOOD_FOR_NONE) // GOOD_EACH
    hold = len(view.game.bids) - 1
    bid = np.where(may[:, hold], hold, np.minimum(view.high_bid + 1, hold - 1))
    reaches = np.where(may[:, hold], view.high_bid, view.high_bid + 1)
    fits = (reaches <= limit) & may[np.arange(len(view)), bid]
    return np.where(fits, bid, PASS)


def _cheapest(view: View, count: int, may: NDArray[np.bool_] | None = None) -> NDArray[Any]:
    deck = view.deck
    cost = deck.rank_of + EXCUSE_COST * (deck.suit_of == _trump(view)[:, None])
    cost[:, deck.suit_of == deck.excuse] += TRUMP_COST
    order = np.where(view.holds if may is None else may, cost, 10 * TRUMP_COST)
    return np.argsort(order, axis=1, kind="stable")[:, :count]


def _bad(view: View) -> NDArray[Any]:
    """Cards of the wrong half of their suit, the worst first, trumps never."""
    deck, count = view.deck, view.game.discards
    size = np.array([len(suit.ranks) for suit in deck.suits])[deck.suit_of]
    low = deck.rank_of.astype(np.int64)
    avoids = (view.game.aim(view) < 0)[:, None]
    cost = np.where(avoids, size - 1 - low, low)
    keep = ~view.holds | (deck.suit_of == view.trump[:, None]) | (cost >= size // 2)
    cost = np.where(keep, 10 * TRUMP_COST, cost)
    worst = np.argsort(cost, axis=1, kind="stable")[:, :count]
    return np.where(np.take_along_axis(keep, worst, axis=1), NOTHING, worst)


@kernel
def simple_play(
    rules: Rules,
    printed: NDArray[np.uint32],
    other: NDArray[np.uint32],
    trump: NDArray[np.int8],
    best_suit: NDArray[np.int8],
    best_strength: NDArray[np.int16],
    aim: NDArray[np.int8],
    leading: bool,
    last: bool,
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
) -> None:
    """Write the card and suit chosen in each row to ``cards`` and ``played_as`` (n,)."""
    first = rules.offset
    for i in range(cards.size):
        best = np.int64(1) << 40
        for s in range(rules.full.size):
            for way in range(2):
                mask = printed[i, s] if way == 0 else other[i, s]
                while mask:
                    card = first[s] + lowest(mask)
                    mask &= mask - np.uint32(1)
                    as_suit = np.int64(s) if way == 0 else np.int64(rules.other_suit[card])
                    strength = np.int64(rules.strength[card, way])
                    if s == rules.excuse:
                        cost = np.int64(EXCUSE_COST)
                        as_suit = AS_PRINTED
                        wins = False
                    else:
                        cost = strength + (TRUMP_COST if as_suit == trump[i] else 0)
                        wins = not leading and beats_best(
                            rules, trump[i], as_suit, strength, best_suit[i], best_strength[i]
                        )
                    if aim[i] < 0:
                        # Under the others if it can be; over them at least with a high card.
                        key = cost if leading or (wins and not last) else -cost
                        if wins:
                            key += 10 * TRUMP_COST
                    elif leading:
                        # The highest ordinary card; trumps only where there is nothing else.
                        key = 1000 - strength if as_suit == trump[i] else -strength
                    else:
                        key = cost if wins else 10 * TRUMP_COST + cost
                    if key < best:
                        best = key
                        cards[i] = card
                        played_as[i] = as_suit
