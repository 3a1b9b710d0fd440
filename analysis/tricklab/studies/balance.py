"""How balanced the game is, and what each variant changes.

A *cell* is one game under one policy.  Cells with the same deck and number of players are played on
the same deals, so that their differences are paired by deal; other differences are not.  Every
measure has one value a deal, which makes the deal the unit of all intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats as distributions

from tricklab import stats
from tricklab.errors import UserError
from tricklab.games import game
from tricklab.games.base import Game
from tricklab.policies import seated
from tricklab.results import block_columns
from tricklab.simulation import progress_bar, run_blocks, worker_count
from tricklab.studies.design import BASIC, MEASURE, MEASURES, VARIANTS, Variant
from tricklab.studies.rows import row
from tricklab.table import Table


@dataclass(frozen=True)
class Cell:
    """One game under one policy, played.

    Attributes
    ----------
    variant : Variant
        What was changed from the basic game.
    game : Game
        What was played.
    policy : str
        The policy at all seats.
    measures : dict of float32 (deals,)
        Values of :data:`MEASURES` by name.
    tricks, wins : float32 (deals, players)
        Tricks and shares of the win by distance from the first leader.
    holdings : DataFrame
        A row a seat, for a sample of the deals: features of the dealt holding, and tricks.
    """

    variant: Variant
    game: Game
    policy: str
    measures: dict[str, NDArray[np.float32]]
    tricks: NDArray[np.float32]
    wins: NDArray[np.float32]
    holdings: pd.DataFrame

    @property
    def players(self) -> int:
        """Number of players."""
        return self.game.players

    @property
    def basic(self) -> bool:
        """Whether this is the basic game, from which variants are measured."""
        return self.variant.name == BASIC.name

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.tricks)


HOLDING_COLUMNS = ["hand", "trumps", "barbarians", "high_cards", "voids", "tricks"]


def per_deal(table: Table, first: int) -> dict[str, Any]:
    """Measures of finished hands: what a worker sends back of a block."""
    frames = block_columns(table, first, "seats")
    hands, seats = frames["hands"], frames["seats"]
    players = table.game.players
    order = np.argsort(seats["from_leader"].reshape(-1, players), axis=1)

    def by_distance(column: str) -> NDArray[np.float32]:
        rows = seats[column].reshape(-1, players).astype(np.float32)
        return np.take_along_axis(rows, order, axis=1)

    tricks, wins = by_distance("tricks"), by_distance("win")
    best = np.sort(tricks, axis=1)
    fair_win = wins.sum(axis=1) / players
    measures = {
        "leader_wins": wins[:, 0] - fair_win,
        "leader_tricks": tricks[:, 0] - table.tricks / players,
        "spread": tricks.std(axis=1),
        "margin": best[:, -1] - best[:, -2],
        "tie": hands["winners"] > 1,
        "shutout": best[:, 0] == 0,
        "half": 2 * best[:, -1] >= table.tricks,
        "unbroken": hands["broken_trick"] == 0,
        "saved": hands["excuse_saves"] > 0,
        "worthless": hands["worthless_tricks"] > 0,
    }
    return {
        "measures": {name: np.asarray(v, np.float32) for name, v in measures.items()},
        "tricks": tricks,
        "wins": wins,
        "holdings": {name: seats[name] for name in HOLDING_COLUMNS},
    }


def play_cell(
    variant: Variant, players: int, policy: str, hands: int, seed: int, name: str = "junni"
) -> Cell:
    """Play one cell in this process.

    Parameters
    ----------
    variant : Variant
        Change from the basic game.
    players, policy, hands, seed
        As for :func:`tricklab.simulate`; one policy for all seats.
    name : str
        The game's name.
    """
    played = game(name, players=players, **variant.switches)
    blocks = list(
        run_blocks(played, hands, seated(policy, players), seed, per_deal, n_jobs=1, progress=False)
    )
    holdings = {
        column: np.concatenate([block["holdings"][column] for block in blocks])
        for column in HOLDING_COLUMNS
    }
    return Cell(
        variant,
        played,
        policy,
        {m.name: np.concatenate([b["measures"][m.name] for b in blocks]) for m in MEASURES},
        np.concatenate([b["tricks"] for b in blocks]),
        np.concatenate([b["wins"] for b in blocks]),
        pd.DataFrame(
            holdings if variant.name == BASIC.name else {c: v[:0] for c, v in holdings.items()}
        ),
    )


def plan(
    players: Sequence[int], policies: Sequence[str], variants: Sequence[Variant] = VARIANTS
) -> list[tuple[Variant, int, str]]:
    """The cells of a design: every variant, number of players and policy that go together."""
    return [
        (variant, n, policy)
        for n in players
        for policy in policies
        for variant in (BASIC, *variants)
        if not (variant.switches.get("partners") and n % 2)
    ]


def play_cells(
    cells: Sequence[tuple[Variant, int, str]],
    hands: int,
    seed: int = 0,
    *,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> list[Cell]:
    """Play the cells of a plan, several at once, in the plan's order.

    Parameters
    ----------
    cells : sequence of (Variant, players, policy)
        From :func:`plan`.
    hands : int
        Deals a cell, 2 or more.
    seed, n_jobs, progress
        As for :func:`tricklab.simulate`.
    """
    if hands < 2:
        raise UserError(f"a study needs 2 deals a cell or more, not {hands}")
    workers = worker_count(n_jobs, len(cells), 1)
    done = []
    with progress_bar(hands * len(cells), progress) as bar:
        for cell in _in_order(cells, hands, seed, workers):
            done.append(cell)
            bar.update(hands)
    return done


def _in_order(
    cells: Sequence[tuple[Variant, int, str]], hands: int, seed: int, workers: int
) -> Iterator[Cell]:
    if workers == 1:
        for cell in cells:
            yield play_cell(*cell, hands, seed)
        return
    # Compile every kernel once here, so that workers find a warm cache on disk.
    for variant in {id(cell[0]): cell[0] for cell in cells}.values():
        for policy in {cell[2] for cell in cells}:
            play_cell(variant, 4, policy, 1, seed)
    calls = (joblib.delayed(play_cell)(*cell, hands, seed) for cell in cells)
    with closing(joblib.Parallel(n_jobs=workers, return_as="generator")(calls)) as results:
        yield from results


def estimate(cell: Cell, measure: str, level: float = 0.95) -> stats.Estimate:
    """A measure's mean over deals (a share of deals where it is one)."""
    values = cell.measures[measure]
    if MEASURE[measure].event:
        return stats.proportion(int(values.sum()), len(values), level, MEASURE[measure].title)
    return stats.mean(values.astype(float), level, MEASURE[measure].title)


def difference(cell: Cell, base: Cell, measure: str, level: float = 0.95) -> stats.Estimate:
    """Change of a measure from one cell to another: paired by deal where the deals are the same.

    Cells on different deals are compared by Welch's interval for two independent means (Welch,
    "The generalization of Student's problem when several different population variances are
    involved", Biometrika 34, 1947).  Where a share differs in no deal, the interval runs to the
    Wilson bound on the share of deals in which it would: that none was seen proves little.
    """
    x, y = (c.measures[measure].astype(float) for c in (cell, base))
    if MEASURE[measure].share and len(x) == len(y) and (x == y).all():
        bound = stats.proportion(0, len(x), level).high
        how = "no deal differs, Wilson bound"
        return stats.Estimate(0.0, 0.0, -bound, bound, level, len(x), how, MEASURE[measure].title)
    if cell.players == base.players and cell.game.deck == base.game.deck:
        return stats.paired_difference(x, y, level, MEASURE[measure].title)
    return stats.independent_difference(x, y, level, MEASURE[measure].title)


def by_distance(cells: Sequence[Cell], level: float = 0.95) -> pd.DataFrame:
    """Tricks and wins by distance from the first leader, in the basic game.

    Returns
    -------
    DataFrame
        Columns players, policy, distance, measure (``tricks`` or ``win``), and the estimate's.
    """
    return pd.DataFrame(
        [
            row(
                stats.mean(values[:, distance].astype(float), level),
                players=cell.players,
                policy=cell.policy,
                distance=distance,
                measure=measure,
            )
            for cell in cells
            if cell.basic
            for measure, values in (("tricks", cell.tricks), ("win", cell.wins))
            for distance in range(cell.players)
        ]
    )


def levels(cells: Sequence[Cell], level: float = 0.95) -> pd.DataFrame:
    """Every measure in every cell.

    Returns
    -------
    DataFrame
        Columns variant, players, policy, measure, and the estimate's.
    """
    return pd.DataFrame(
        [
            row(
                estimate(cell, measure.name, level),
                variant=cell.variant.name,
                players=cell.players,
                policy=cell.policy,
                measure=measure.name,
            )
            for cell in cells
            for measure in MEASURES
        ]
    )


def effects(cells: Sequence[Cell], level: float = 0.95) -> pd.DataFrame:
    """What each variant changes, against the basic game of the same players and policy.

    Returns
    -------
    DataFrame
        Columns variant, players, policy, measure, the estimate's, ``p`` (two-sided) and ``holm``
        (p adjusted for all rows by Holm's step-down method).
    """
    base = {(c.players, c.policy): c for c in cells if c.basic}
    rows = []
    for cell in cells:
        if cell.basic:
            continue
        for measure in MEASURES:
            found = difference(cell, base[cell.players, cell.policy], measure.name, level)
            rows.append(
                row(
                    found,
                    variant=cell.variant.name,
                    players=cell.players,
                    policy=cell.policy,
                    measure=measure.name,
                    p=stats.p_value(found) if found.se > 0 else 1.0,
                )
            )
    frame = pd.DataFrame(rows)
    if len(frame):
        frame["holm"] = stats.holm(frame["p"].to_numpy())
    return frame


def policy_differences(cells: Sequence[Cell], level: float = 0.95) -> pd.DataFrame:
    """How every measure of the basic game differs between the last policy and the first.

    Returns
    -------
    DataFrame
        Columns players, measure, and the paired difference's.
    """
    basic = [cell for cell in cells if cell.basic]
    policies = list(dict.fromkeys(cell.policy for cell in basic))
    at = {(cell.players, cell.policy): cell for cell in basic}
    return pd.DataFrame(
        [
            row(
                difference(at[n, policies[-1]], at[n, policies[0]], measure.name, level),
                players=n,
                measure=measure.name,
            )
            for n in dict.fromkeys(cell.players for cell in basic)
            for measure in MEASURES
        ]
    )


def worth_of_one(cell: Cell, feature: str, level: float = 0.95) -> stats.Estimate:
    """Tricks that one more of a feature brings, comparing the seats of each deal with one another.

    The least-squares slope of tricks on the feature within deals, its standard error from the
    deals (a ratio of two sums over deals, linearised).
    """
    deals = cell.deals
    x, y = (
        cell.holdings[column].to_numpy(float).reshape(deals, cell.players)
        for column in (feature, "tricks")
    )
    x = x - x.mean(axis=1, keepdims=True)
    up, down = (x * y).sum(axis=1), (x * x).sum(axis=1)
    slope = float(up.sum() / down.sum())
    se = float(np.sqrt(deals * np.var(up - slope * down, ddof=1)) / down.sum())
    half = se * float(distributions.t.ppf((1 + level) / 2, deals - 1))
    return stats.Estimate(
        slope, se, slope - half, slope + half, level, deals, "slope within deals, t", feature
    )


def worth_of_holding(cell: Cell, level: float = 0.95) -> pd.DataFrame:
    """Mean tricks of a seat by what it was dealt.

    Returns
    -------
    DataFrame
        Columns feature, count, and the estimate's; a row for each count that 30 deals or more
        show.  Several seats of a deal may count; they are averaged within the deal first.
    """
    out = []
    seen = cell.holdings
    for feature in ("trumps", "barbarians", "high_cards", "voids"):
        for count, rows in seen.groupby(feature):
            if rows["hand"].nunique() >= 30:
                found = stats.mean_by_deal(rows["tricks"].to_numpy(float), rows["hand"], level)
                out.append(row(found, feature=feature, count=count))
    return pd.DataFrame(out)
