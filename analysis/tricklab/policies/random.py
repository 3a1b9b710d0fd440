"""``random``: uniform over the legal answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NOTHING, PASS
from tricklab.policies.base import Answer, Policy
from tricklab.tricks import choose_uniformly
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
        k = (view.words().astype(np.uint64) * (bids + 1).astype(np.uint64)) >> np.uint64(32)
        return np.where(k == 0, PASS, view.min_bid + k.astype(np.int64) - 1)

    def contract(self, view: View) -> NDArray[Any]:
        """A contract on offer, each equally likely."""
        place = np.cumsum(view.contracts, axis=1)
        k = (view.words().astype(np.uint64) * place[:, -1].astype(np.uint64)) >> np.uint64(32)
        return (place > k[:, None].astype(np.int64)).argmax(axis=1)

    def trumps(self, view: View) -> NDArray[Any]:
        """A suit, each equally likely."""
        return (view.uniform() * view.deck.n_suits).astype(np.int64)

    def call(self, view: View) -> NDArray[Any]:
        """Playing alone, or a card that may be called, each equally likely."""
        place = view.may_call.cumsum(axis=1)
        k = (view.uniform() * (place[:, -1] + 1)).astype(np.int64)
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
        # Sorted in full: which of them come first must be random too.
        order = np.argsort(_random_order(view), axis=1)[:, :most]
        return np.where(np.arange(most) < size[:, None], order, NOTHING)


def _any_cards(view: View, count: int) -> NDArray[Any]:
    return np.argpartition(_random_order(view), count, axis=1)[:, :count]


def _random_order(view: View) -> NDArray[np.int64]:
    """A random number for each card, those of cards not held above all others."""
    order = np.stack([view.words() for _ in range(view.deck.n_cards)], axis=1).astype(np.int64)
    order[~view.holds] = np.iinfo(np.int64).max
    return order
