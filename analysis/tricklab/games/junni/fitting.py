"""Fits the estimate of a holding's strength by simulation; see :mod:`.strength`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.games.calibration import Bent, fit_file
from tricklab.games.junni import Junni
from tricklab.games.junni.strength import FEATURES, Fit, holding_features, setting
from tricklab.policies.careful import Careful
from tricklab.policies.delegates import Appointed
from tricklab.simulation import BLOCK, run_block
from tricklab.table import Table

BLOCKS = 4
"""Blocks of deals a fit is made from, each seat being the Traitor once in every deal."""

FIT_SEED = 20_001
"""Seed of the deals fitted; studies of the fit use others."""


def settings() -> Iterator[dict[str, Any]]:
    """Every setting of the switches that the fits distinguish, as switches of a game."""
    dice: dict[str, dict[str, Any]] = {
        "none": {},
        "trick": {"dice": True},
        "hand": {"dice": True, "roll_each": "hand"},
    }
    shriving: dict[str, dict[str, Any]] = {
        "none": {},
        "before": {"shriving": True},
        "after": {"shriving": True, "shriving_before_bidding": False},
    }
    for players, scoring, die, give, spare_to in itertools.product(
        range(3, 7),
        ("tricks", "dead_reckoning", "flat", "trump_heavy"),
        dice.values(),
        shriving.values(),
        ("nobody", "traitor"),
    ):
        yield {
            "players": players,
            "traitor": True,
            "scoring": scoring,
            "spare_to": spare_to,
            **die,
            **give,
        }


@dataclass(frozen=True)
class Sample:
    """Hands that were played with an appointed Traitor.

    Attributes
    ----------
    features : float (n, players, len(FEATURES))
        Of every seat's holding at the auction.
    traitor : int8 (n,)
        The Traitor's seat.
    taken : float (n,)
        Tricks or points the Traitor took.
    """

    features: NDArray[np.float64]
    traitor: NDArray[np.int8]
    taken: NDArray[np.float64]


def at_auction(table: Table) -> NDArray[np.uint32]:
    """Holdings with which seats bid, (H, P, S): those dealt, after the give if that comes first."""
    game: Any = table.game
    if not game.shriving_before_bidding:
        return table.dealt
    return (table.dealt & ~table.given) | np.roll(table.given, 1, axis=1)


def observe(table: Table, first: int) -> Sample:
    """What a finished table of hands with a Traitor tells."""
    game: Any = table.game
    held = at_auction(table)
    leader = game.first_seat(table.dealer)
    features = np.stack(
        [holding_features(game, held[:, seat], leader == seat) for seat in range(game.players)],
        axis=1,
    )
    taken = game.hand_features(table, game.score(table))["taken"]
    return Sample(features, table.declarer, taken.astype(np.float64))


def sample(game: Junni, seed: int, blocks: int) -> Sample:
    """Hands of every place at the table being the Traitor on the same deals."""
    parts = [
        run_block(game, (Appointed(Careful(), place),) * game.players, seed, block, BLOCK, observe)
        for block in range(blocks)
        for place in range(game.players)
    ]
    return Sample(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.traitor for part in parts]),
        np.concatenate([part.taken for part in parts]),
    )


def fit(game: Junni, seed: int = FIT_SEED, blocks: int = BLOCKS) -> Fit:
    """Fit the estimate for one game.

    A linear predictor by least squares, then a line through the mean taken at each predicted
    whole trick (or as many points), so that the estimate is calibrated; then how much less is
    taken where the best of the others is better than usual.
    """
    hands = sample(game, seed, blocks)
    rows = np.arange(len(hands.taken))
    own = hands.features[rows, hands.traitor]
    bent = Bent.fit(own, hands.taken, per_unit=1)
    straight = Fit(setting(game), bent, 0.0, 0.0, 0.0)
    estimates = np.stack([straight.estimate(f) for f in hands.features.swapaxes(0, 1)], axis=1)
    left = hands.taken - estimates[rows, hands.traitor]
    estimates[rows, hands.traitor] = -np.inf
    best = estimates.max(axis=1)
    slope = float(np.cov(best, left)[0, 1] / best.var())
    return Fit(setting(game), bent, -slope, float(best.mean()), float(left.std()))


def fit_all(n_jobs: int | None = None, done: Callable[[int], object] = lambda count: None) -> str:
    """Fit every setting; see :func:`~tricklab.games.calibration.fit_file`."""
    games = (Junni(**switches) for switches in settings())
    return fit_file(fit, games, FEATURES, FIT_SEED, BLOCKS * BLOCK, n_jobs, done)
