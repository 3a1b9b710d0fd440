"""``random``: uniform over the legal answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NOTHING, any_bid
from tricklab.bits import nth, popcount, scaled, scaled_words
from tricklab.policies.base import Answer, Policy
from tricklab.trick_data import Rules
from tricklab.tricks import kernel
from tricklab.uniform import any_set, choose_uniformly, draw_card, pick_flag, up_to_two
from tricklab.view import View


@dataclass(frozen=True)
class Random(Policy):
    """Answers every decision uniformly at random among what is legal.

    A card that may be played as two suits counts as two answers, and so does each suit that a led
    barbarian may name.
    """

    name = "random"
    uniform = True

    def play(self, view: View) -> Answer:
        """A legal answer, each equally likely."""
        cards = np.empty(len(view), np.int16)
        played_as = np.empty(len(view), np.int16)
        choose_uniformly(
            view.game.rules,
            view.legal_printed,
            view.legal_other,
            view.names,
            view.n_legal,
            view.words(),
            cards,
            played_as,
        )
        return cards, played_as

    def give(self, view: View) -> NDArray[Any]:
        """Cards of the holding, each set equally likely."""
        return _any_cards(view, view.game.gives)

    def bid(self, view: View) -> NDArray[Any]:
        """Dropping out, or any bid there is, each equally likely."""
        if view.game.bids:
            return _any_flag(view.offers["may_bid"], view.words())
        bids = np.empty(len(view), np.int16)
        bid_uniformly(view.min_bid, view.max_bid, view.words(), bids)
        return bids

    def contract(self, view: View) -> NDArray[Any]:
        """A contract on offer, each equally likely."""
        return _any_flag(view.contracts, view.words())

    def trumps(self, view: View) -> NDArray[Any]:
        """A suit, each equally likely."""
        return scaled_words(view.words(), view.deck.n_suits)

    def call(self, view: View) -> NDArray[Any]:
        """Playing alone where that can be said, or a card to call, each equally likely."""
        cards = np.empty(len(view), np.int16)
        others = 0 if view.offers else 1
        call_uniformly(view.game.rules, view.legal_call, others, view.words(), cards)
        return cards

    def discard(self, view: View) -> NDArray[Any]:
        """Cards of the holding, each set of a size that is allowed equally likely."""
        most, fewest = view.game.discards, view.game.fewest_discards
        if "count" in view.offers:
            return _any_cards(view, most, view.offers["count"], view.offers["may_discard"])
        if fewest == most:
            return _any_cards(view, most)
        sizes = np.arange(fewest, most + 1)
        held = view.game.cards_each
        ways = np.cumsum([math.comb(held, int(size)) for size in sizes])
        size = sizes[np.searchsorted(ways, view.uniform() * ways[-1], side="right")]
        return _any_cards(view, most, size)

    def annul(self, view: View) -> NDArray[Any]:
        """One or the other, equally likely."""
        return scaled_words(view.words(), 2)

    def announce(self, view: View) -> NDArray[Any]:
        """Up to two bonuses: twice, with an even chance, any that may be announced.

        Of two that may not stand together the first stays.
        """
        game = view.game
        alone, beside = game.excluding
        out = np.empty(len(view), np.int64)
        may, words = view.offers["may_announce"], (view.words(), view.words())
        announce_uniformly(may, alone, beside, *words, out)
        return out

    def contra(self, view: View) -> NDArray[Any]:
        """Any set of claims that may be doubled, with those that must be, each equally likely."""
        out = np.empty(len(view), np.int64)
        sets_uniformly(view.words(), view.words(), out)
        return out & view.offers["may_contra"] | view.offers["must_contra"]


def _any_flag(may: NDArray[np.bool_], words: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The number of one of the flags that are set in each row, each equally likely, (n,)."""
    out = np.empty(len(may), np.int64)
    pick_flags(may, words, out)
    return out


def _any_cards(
    view: View,
    count: int,
    size: NDArray[np.int64] | None = None,
    of: NDArray[np.uint32] | None = None,
) -> NDArray[np.int16]:
    """Different cards, each set equally likely, filled up to (n, count).

    Parameters
    ----------
    size : int (n,), optional
        How many in each row; default: ``count``.
    of : uint32 (n, n_suits), optional
        Of which cards; default: the holdings.
    """
    if size is None:
        size = np.full(len(view), count)
    words = np.stack([view.words() for _ in range(min(count, int(size.max(initial=1))))])
    cards = np.full((len(view), count), NOTHING, np.int16)
    left = (view.holding if of is None else of).copy()
    draw_cards(view.game.rules, left, words, size, cards)
    return cards


@kernel
def pick_flags(may: NDArray[np.bool_], words: NDArray[np.uint32], out: NDArray[np.int64]) -> None:
    """Write the number of one of the flags set in each row (n, m) to ``out`` (n,)."""
    for i in range(out.size):
        out[i] = pick_flag(may, i, words[i])


@kernel
def announce_uniformly(
    may: NDArray[np.int64],
    alone: int,
    beside: int,
    one: NDArray[np.uint32],
    other: NDArray[np.uint32],
    out: NDArray[np.int64],
) -> None:
    """Write at most two of what may be announced (n,), as bits; see :func:`up_to_two`."""
    for i in range(out.size):
        out[i] = up_to_two(may[i], alone, beside, one[i], other[i])


@kernel
def sets_uniformly(
    high: NDArray[np.uint32], low: NDArray[np.uint32], out: NDArray[np.int64]
) -> None:
    """Write any bits (n,); see :func:`any_set`."""
    for i in range(out.size):
        out[i] = any_set(high[i], low[i])


@kernel
def draw_cards(
    rules: Rules,
    left: NDArray[np.uint32],
    words: NDArray[np.uint32],
    size: NDArray[np.int64],
    cards: NDArray[np.int16],
) -> None:
    """Write ``size`` different cards of each row, each set equally likely, first to ``cards``.

    Parameters
    ----------
    left : uint32 (n, n_suits)
        Holdings to draw from; the cards drawn are taken out.
    words : uint32 (count, n)
        A random word for each card.
    """
    for i in range(cards.shape[0]):
        for place in range(size[i]):
            cards[i, place] = draw_card(rules, left, i, words[place, i])


@kernel
def call_uniformly(
    rules: Rules,
    legal: NDArray[np.uint32],
    others: int,
    words: NDArray[np.uint32],
    cards: NDArray[np.int16],
) -> None:
    """Write ``ALONE`` or one of the cards that may be called to ``cards`` (n,), all as likely.

    ``legal`` (n, n_suits) are those cards; ``others`` is 1 where playing alone can be said, else 0;
    ``words`` (n,) is a random word a row.
    """
    for i in range(cards.size):
        count = 0
        for s in range(legal.shape[1]):
            count += popcount(legal[i, s])
        k = scaled(words[i], count + others) - others
        cards[i] = ALONE
        for s in range(legal.shape[1]):
            here = popcount(legal[i, s])
            if 0 <= k < here:
                cards[i] = rules.offset[s] + nth(legal[i, s], k)
            k -= here


@kernel
def bid_uniformly(
    least: NDArray[np.int64], most: int, words: NDArray[np.uint32], bids: NDArray[np.int16]
) -> None:
    """Write ``PASS`` or a bid from ``least`` to ``most`` to ``bids`` (n,), all as likely."""
    for i in range(bids.size):
        bids[i] = any_bid(least[i], most, words[i])
