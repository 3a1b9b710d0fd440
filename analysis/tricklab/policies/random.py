"""``random``: uniform over the legal answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NOTHING, PASS
from tricklab.bits import nth, popcount, scaled, scaled_words
from tricklab.policies.base import Answer, Policy
from tricklab.trick_data import Rules
from tricklab.tricks import kernel
from tricklab.uniform import choose_uniformly
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
        bids = np.empty(len(view), np.int16)
        bid_uniformly(view.min_bid, view.max_bid, view.words(), bids)
        return bids

    def contract(self, view: View) -> NDArray[Any]:
        """A contract on offer, each equally likely."""
        place = np.cumsum(view.contracts, axis=1)
        k = scaled_words(view.words(), place[:, -1])
        return (place > k[:, None]).argmax(axis=1)

    def trumps(self, view: View) -> NDArray[Any]:
        """A suit, each equally likely."""
        return scaled_words(view.words(), view.deck.n_suits)

    def call(self, view: View) -> NDArray[Any]:
        """Playing alone, or a card that may be called, each equally likely."""
        cards = np.empty(len(view), np.int16)
        call_uniformly(view.game.rules, view.legal_call, view.words(), cards)
        return cards

    def discard(self, view: View) -> NDArray[Any]:
        """Cards of the holding, each set of a size that is allowed equally likely."""
        most, fewest = view.game.discards, view.game.fewest_discards
        if fewest == most:
            return _any_cards(view, most)
        sizes = np.arange(fewest, most + 1)
        held = view.game.cards_each
        ways = np.cumsum([math.comb(held, int(size)) for size in sizes])
        size = sizes[np.searchsorted(ways, view.uniform() * ways[-1], side="right")]
        return _any_cards(view, most, size)


def _any_cards(view: View, count: int, size: NDArray[np.int64] | None = None) -> NDArray[Any]:
    """``size`` different cards of each holding, ``count`` unless told, (n, count)."""
    if size is None:
        size = np.full(len(view), count)
    words = np.stack([view.words() for _ in range(count)])
    cards = np.empty((len(view), count), np.int16)
    draw_cards(view.game.rules, view.holding.copy(), words, size, NOTHING, cards)
    return cards


@kernel
def draw_cards(
    rules: Rules,
    left: NDArray[np.uint32],
    words: NDArray[np.uint32],
    size: NDArray[np.int64],
    nothing: int,
    cards: NDArray[np.int16],
) -> None:
    """Write ``size`` different cards of each row, each set equally likely, to ``cards`` (n, count).

    Parameters
    ----------
    left : uint32 (n, n_suits)
        Holdings to draw from; the cards drawn are taken out.
    words : uint32 (count, n)
        A random word for each card.
    nothing : int
        What fills a row up.
    """
    for i in range(cards.shape[0]):
        for place in range(cards.shape[1]):
            cards[i, place] = nothing
            if place >= size[i]:
                continue
            held = 0
            for s in range(left.shape[1]):
                held += popcount(left[i, s])
            k = scaled(words[place, i], held)
            for s in range(left.shape[1]):
                count = popcount(left[i, s])
                if k < count:
                    rank = nth(left[i, s], k)
                    left[i, s] &= ~(np.uint32(1) << np.uint32(rank))
                    cards[i, place] = rules.offset[s] + rank
                    break
                k -= count


@kernel
def call_uniformly(
    rules: Rules, legal: NDArray[np.uint32], words: NDArray[np.uint32], cards: NDArray[np.int16]
) -> None:
    """Write ``ALONE`` or one of the cards that may be called to ``cards`` (n,), all as likely.

    ``legal`` (n, n_suits) are those cards; ``words`` (n,) is a random word a row.
    """
    for i in range(cards.size):
        count = 0
        for s in range(legal.shape[1]):
            count += popcount(legal[i, s])
        k = scaled(words[i], count + 1) - 1
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
        k = scaled(words[i], max(most - least[i] + 1, 0) + 1)
        bids[i] = PASS if k == 0 else least[i] + k - 1
