"""Fits the estimates of what a Declarer's side takes by simulation; see :mod:`.strength`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_SEAT, PASS
from tricklab.bits import top
from tricklab.games.calibration import ENOUGH, find_knots, fit_file
from tricklab.games.kaji import Kaji
from tricklab.games.kaji.strength import (
    FEATURES,
    KINDS,
    SITUATIONS,
    Fit,
    best_at_auction,
    holding_features,
    kind,
)
from tricklab.policies.careful import Careful
from tricklab.simulation import BLOCK, run_block
from tricklab.table import Table
from tricklab.view import View

BLOCKS = 4
"""Blocks of deals that each part of a fit is made from."""

FIT_SEED = 20_002
"""Seed of the deals fitted; studies of the fit use others."""

ANY_TRUMPS = (0, 3)
"""Trumps named whatever is held: one suit of each kind."""


@dataclass(frozen=True, eq=False)
class Trial(Kaji):
    """KAJI played by a fit that is still in the making."""

    trial: Fit | None = None

    @property
    def fit_used(self) -> Fit:
        """The fit in the making."""
        assert self.trial is not None
        return self.trial


@dataclass(frozen=True)
class Appointed(Careful):
    """Plays as ``careful`` does; the first bidder is the Declarer, all others pass.

    Attributes
    ----------
    suit : int
        The suit it names trumps, or -1 for the best by the estimate.
    calls : int
        The suit of whose cards it calls the highest, ``ALONE``, or -2 for the best by the estimate.
    """

    suit: int = -1
    calls: int = -2

    name = ""

    def bid(self, view: View) -> NDArray[Any]:
        """What the estimate says, at least 1, for the first bidder; else pass."""
        limit = np.ones(len(view), np.int64)
        if self.calls == -2:
            limit = np.floor(view.game.bid_limit(view, 0.0)).astype(np.int64)
        return np.where(view.dropped == 0, limit.clip(1, view.max_bid), PASS)

    def discard(self, view: View) -> NDArray[Any]:
        """As goes best with the trumps."""
        if self.suit < 0:
            return super().discard(view)
        return self._lose(view, view.game.discards, np.full(len(view), self.suit, np.int8))

    def trumps(self, view: View) -> NDArray[Any]:
        """The suit."""
        return super().trumps(view) if self.suit < 0 else np.full(len(view), self.suit)

    def call(self, view: View) -> NDArray[Any]:
        """The highest card of the suit to call, the best call where there is none."""
        if self.calls == -2:
            return super().call(view)
        if self.calls == ALONE:
            return np.full(len(view), ALONE)
        deck = view.deck
        unseen = view.unseen[:, self.calls]
        card = deck.offset[self.calls] + top(unseen)
        return np.where(unseen > 0, card, view.may_call.argmax(axis=1))


def settings() -> Iterator[int]:
    """Every number of players."""
    yield from range(2, 6)


@dataclass(frozen=True)
class Sample:
    """Hands that were played with an appointed Declarer.

    Attributes
    ----------
    dealt, held : uint32 (n, n_suits)
        Its holding at the auction, and that with which it began to play with the called card added.
    trump : int8 (n,)
        What was trumps.
    alone : bool (n,)
        Whether it had no partner.
    taken : float (n,)
        Tricks that its side took.
    """

    dealt: NDArray[np.uint32]
    held: NDArray[np.uint32]
    trump: NDArray[np.int8]
    alone: NDArray[np.bool_]
    taken: NDArray[np.float64]


def observe(table: Table, first: int) -> Sample:
    """What a finished table tells."""
    game: Any = table.game
    me = (np.arange(table.hands), table.declarer)
    held = table.start[me].copy()
    called = np.flatnonzero(table.called != ALONE)
    card = table.called[called]
    held[called, game.deck.suit_of[card]] |= np.uint32(1) << game.deck.rank_of[card].astype(
        np.uint32
    )
    return Sample(
        table.dealt[me],
        held,
        table.state.trump.copy(),
        table.partner == NO_SEAT,
        (game.over_book(table) + game.book).astype(np.float64),
    )


def sample(game: Kaji, policy: Appointed, first: int) -> Sample:
    """Hands of some blocks, from the first on."""
    at = (policy,) * game.players
    blocks = range(first, first + BLOCKS)
    return joined([run_block(game, at, FIT_SEED, block, BLOCK, observe) for block in blocks])


def joined(parts: list[Sample]) -> Sample:
    """Several samples as one."""
    names = ("dealt", "held", "trump", "alone", "taken")
    return Sample(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def fit(players: int) -> Fit:
    """Fit the estimates for one number of players.

    Linear predictors by least squares over hands in which trumps were named and cards called
    whatever was held; then again with hands added in which the best trumps by these were named;
    then, over hands played by the fit, a line through the mean taken in parts of the range of the
    predictor at the auction, and a shift of the predictors at play.
    """
    game = Kaji(players=players)
    calls = [ALONE] if game.alone_always else [ALONE, *range(game.deck.n_suits)]
    hands = [
        sample(game, Appointed(suit=suit, calls=call), 0) for suit in ANY_TRUMPS for call in calls
    ]
    first = regression(game, hands)
    trial = Trial(players=players, trial=first)
    hands += [sample(trial, Appointed(calls=call), BLOCKS) for call in calls]
    second = regression(game, hands)
    trial = Trial(players=players, trial=second)
    played = sample(trial, Appointed(), 2 * BLOCKS)
    knots = find_knots(best_at_auction(trial, played.dealt), played.taken, per_unit=2)
    shifts, spreads = second.shifts.copy(), second.spreads.copy()
    for alone in (True, False):
        rows = np.flatnonzero(played.alone == alone)
        if len(rows) >= ENOUGH:
            at = 2 if alone else 3
            left = played.taken[rows] - _at_play(game, second, played, rows, SITUATIONS[at])
            shifts[at], spreads[at] = left.mean(), left.std()
    return Fit(players, second.weights, knots, shifts, spreads)


def regression(game: Kaji, hands: list[Sample]) -> Fit:
    """Linear predictors of all situations by least squares, not calibrated."""
    every = joined(hands)
    weights = np.zeros((len(SITUATIONS), len(KINDS), len(FEATURES)))
    spreads = np.ones(len(SITUATIONS))
    for situation, name in enumerate(SITUATIONS):
        left = []
        for which in range(len(KINDS)):
            rows = np.flatnonzero(
                (every.alone == name.endswith("alone"))
                & (np.array([kind(t) for t in range(4)])[every.trump] == which)
            )
            if not len(rows):
                continue
            holding = every.dealt if name.startswith("bid") else every.held
            features = np.empty((len(rows), len(FEATURES)))
            for trump in np.unique(every.trump[rows]):
                of = every.trump[rows] == trump
                features[of] = holding_features(game, holding[rows[of]], int(trump))
            weights[situation, which] = np.linalg.lstsq(features, every.taken[rows], rcond=None)[0]
            left.append(every.taken[rows] - features @ weights[situation, which])
        if left:
            spreads[situation] = np.concatenate(left).std()
    straight = np.array([[0.0, 1.0], [0.0, 1.0]])
    return Fit(game.players, weights, straight, np.zeros(len(SITUATIONS)), spreads)


def _at_play(
    game: Kaji, fitted: Fit, hands: Sample, rows: NDArray[np.int64], at: str
) -> NDArray[np.float64]:
    """Predictors at play of some hands."""
    out = np.empty(len(rows))
    for trump in range(game.deck.n_suits):
        of = hands.trump[rows] == trump
        features = holding_features(game, hands.held[rows[of]], trump)
        out[of] = fitted.predict(features, trump, at)
    return out


def fit_all(n_jobs: int | None = None, done: Callable[[int], object] = lambda count: None) -> str:
    """Fit every number of players; see :func:`~tricklab.games.calibration.fit_file`."""
    return fit_file(fit, settings(), FEATURES, FIT_SEED, BLOCKS * BLOCK, n_jobs, done)
