"""``random``: uniform over the legal answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, PASS
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

    def trumps(self, view: View) -> NDArray[Any]:
        """A suit, each equally likely."""
        return (view.uniform() * view.deck.n_suits).astype(np.int64)

    def call(self, view: View) -> NDArray[Any]:
        """Playing alone, or a card that may be called, each equally likely."""
        place = view.may_call.cumsum(axis=1)
        k = (view.uniform() * (place[:, -1] + 1)).astype(np.int64)
        return np.where(k == 0, ALONE, (place >= k[:, None]).argmax(axis=1))

    def discard(self, view: View) -> NDArray[Any]:
        """Cards of the holding, each set equally likely."""
        return _any_cards(view, view.game.discards)


def _any_cards(view: View, count: int) -> NDArray[Any]:
    order = np.stack([view.words() for _ in range(view.deck.n_cards)], axis=1).astype(np.int64)
    order[~view.holds] = np.iinfo(np.int64).max
    return np.argpartition(order, count, axis=1)[:, :count]
