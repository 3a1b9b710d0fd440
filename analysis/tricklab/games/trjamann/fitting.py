"""Fits the estimates of what a holding scores in each contract; see :mod:`.strength`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.games.calibration import Bent, fit_file
from tricklab.games.trjamann import KINDS, Trjamann
from tricklab.games.trjamann.strength import (
    FEATURES,
    MODES,
    Fit,
    holding_features,
    mode_of,
    setting,
    strength,
)
from tricklab.policies.careful import Careful
from tricklab.simulation import BLOCK, run_block
from tricklab.table import Table
from tricklab.view import View

BLOCKS = 16
"""Blocks of deals a fit is made from, every contract being played in every deal."""

FIT_SEED = 20_002
"""Seed of the deals fitted; studies of the fit use others."""


@dataclass(frozen=True)
class Appointed(Careful):
    """Plays as ``careful`` does, but declares a contract fixed beforehand."""

    number: int = 0

    name = ""

    def contract(self, view: View) -> NDArray[Any]:
        """The contract of that number."""
        return np.full(len(view), self.number)


def settings() -> Iterator[dict[str, Any]]:
    """Every setting of the switches that the fits distinguish, as switches of a game."""
    yield {"deck": "no_twos"}
    for most in range(5):
        yield {"deck": "full", "max_exchange": most}


def observe(table: Table, first: int) -> tuple[NDArray[np.uint32], NDArray[np.int16]]:
    """The declarers' holdings as dealt and their scores."""
    declarers = (np.arange(table.hands), table.declarer)
    return table.dealt[declarers], table.game.score(table).score[declarers]


def sample(
    game: Trjamann, number: int, seed: int, blocks: int
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Hands in which every declarer chose the contract of that number: holdings and scores."""
    who = (Appointed(number=number),) * game.players
    parts = [run_block(game, who, seed, block, BLOCK, observe) for block in range(blocks)]
    holdings, scores = zip(*parts, strict=True)
    return np.concatenate(holdings), np.concatenate(scores).astype(np.float64)


def fit(game: Trjamann, seed: int = FIT_SEED, blocks: int = BLOCKS) -> Fit:
    """Fit the estimates for one game.

    Every contract is played in every deal; Other has the same fit whatever is trumps.
    """
    features: list[list[NDArray[np.float64]]] = [[] for _ in MODES]
    scores: list[list[NDArray[np.float64]]] = [[] for _ in MODES]
    holdings = np.empty((0, game.deck.n_suits), np.uint32)
    for number, contract in enumerate(game.contracts):
        if contract.name == "spades":
            continue  # The same play as Other with spades.
        holdings, score = sample(game, number, seed, blocks)
        mode = mode_of(contract.avoid, contract.trump)
        features[mode].append(holding_features(game, holdings, contract.trump))
        scores[mode].append(score)
    modes = tuple(
        Bent.fit(np.concatenate(x), np.concatenate(y))
        for x, y in zip(features, scores, strict=True)
    )
    bent = Fit(setting(game), modes, {})
    expected = strength(game, holdings, bent)
    later = {
        allowed: worth_later(game.replace(other_may_be_spades=allowed), expected)
        for allowed in (False, True)
    }
    return Fit(setting(game), modes, later)


def worth_later(game: Any, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a declarer who has a set of contracts may expect to score with them, (16,).

    One contract is declared in each hand to come, the best for its holding of those left, what is
    left after it counted in (T5).

    Parameters
    ----------
    game : Trjamann
        The game.
    expected : float (n, contracts)
        What holdings of many deals are expected to score.
    """
    offered = np.where(game.offered(np.zeros(1, np.uint16)), expected, -np.inf)
    of_kind = np.stack(
        [
            offered[:, [c.kind == kind for c in game.contracts]].max(axis=1)
            for kind in range(len(KINDS))
        ]
    )
    out = np.zeros(1 << len(KINDS))
    for left in range(1, len(out)):
        options = [
            of_kind[kind] + out[left & ~(1 << kind)]
            for kind in range(len(KINDS))
            if left >> kind & 1
        ]
        out[left] = np.max(options, axis=0).mean()
    return out


def fit_all(n_jobs: int | None = None, done: Callable[[int], object] = lambda count: None) -> str:
    """Fit every setting; see :func:`~tricklab.games.calibration.fit_file`."""
    games = (Trjamann(**switches) for switches in settings())
    return fit_file(fit, games, FEATURES, FIT_SEED, BLOCKS * BLOCK, n_jobs, done)
