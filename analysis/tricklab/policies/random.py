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
from tricklab.tricks import choose_uniformly, kernel
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
        bids = np.maximum(view.max_bid - view.min_bid + 1, 0)
        k = scaled_words(view.words(), bids + 1)
        return np.where(k == 0, PASS, view.min_bid + k - 1)

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
        place = view.may_call.cumsum(axis=1)
        k = scaled_words(view.words(), place[:, -1] + 1)
        return np.where(k == 0, ALONE, (place >= k[:, None]).argmax(axis=1))

    def discard(self, view: View) -> NDArray[Any]:
        """Cards of the holding, each set of a size that is allowed equally likely."""
        most, fewest = view.game.discards, view.game.fewest_discards
        if fewest == most:
            return _any_cards(view, most)
        sizes = np.arange(fewest, most + 1)
        held = view.game.cards_each
        ways = np.cumsum([math.comb(held, int(size)) for size in sizes])
        size = sizes[np.searchsorted(ways, view.uniform() * ways[-1], side="right")]
        words = np.stack([view.words() for _ in range(most)], axis=1)
        cards = np.empty((len(view), most), np.int16)
        draw_cards(view.game.rules, view.holding.copy(), words, size, NOTHING, cards)
        return cards


def _any_cards(view: View, count: int) -> NDArray[Any]:
    order = np.stack([view.words() for _ in range(view.deck.n_cards)], axis=1).astype(np.int64)
    order[~view.holds] = np.iinfo(np.int64).max
    return np.argpartition(order, count, axis=1)[:, :count]


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
    words : uint32 (n, count)
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
            k = scaled(words[i, place], held)
            for s in range(left.shape[1]):
                count = popcount(left[i, s])
                if k < count:
                    rank = nth(left[i, s], k)
                    left[i, s] &= ~(np.uint32(1) << np.uint32(rank))
                    cards[i, place] = rules.offset[s] + rank
                    break
                k -= count
