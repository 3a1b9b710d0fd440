"""How contracts fare: what is declared, how often it is made, what it scores, and by which seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab import options, stats
from tricklab.bidding import NO_SEAT
from tricklab.games import Game
from tricklab.results import Run
from tricklab.simulation import simulate
from tricklab.studies.balance import independent_difference, row

ESTIMATE = ("value", "se", "low", "high", "deals", "method")
"""Columns of an estimate."""

FEWEST = 30
"""Hands of a contract from which its success is estimated."""


@dataclass(frozen=True)
class Cell:
    """One game under one policy at every seat.

    Attributes
    ----------
    run : Run
        Its hands.
    policy : str
        Textual form of the policy.
    """

    run: Run
    policy: str

    @property
    def players(self) -> int:
        """Number of players."""
        return self.run.game.players


def sizes(cls: type[Game]) -> list[int]:
    """The numbers of players that a game can be played by."""
    spec = options.specs(cls)["players"]
    assert spec.low is not None
    assert spec.high is not None
    return list(range(int(spec.low), int(spec.high) + 1))


def has_contracts(game: Game) -> bool:
    """Whether hands of a game are played by a declarer for a contract."""
    return {"declarer", "made"} <= game.hand_columns.keys()


def play(
    game: Game,
    policies: Sequence[str],
    hands: int,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> list[Cell]:
    """Play one game under each policy on the same deals."""
    return [
        Cell(simulate(game, hands, who, seed, n_jobs=n_jobs, progress=progress), who)
        for who in policies
    ]


def by_distance(cells: Sequence[Cell], level: float = 0.95) -> pd.DataFrame:
    """Mean score and share of wins by seats after the dealer.

    Returns
    -------
    DataFrame
        Columns players, policy, distance, measure (``score``, ``win``) and those of an estimate.
    """
    rows = []
    for cell in cells:
        dealer = cell.run.hands["dealer"].to_numpy()
        seat = (dealer[:, None] + np.arange(cell.players)) % cell.players
        for measure in ("score", "win"):
            values = cell.run.seats[measure].to_numpy(float).reshape(-1, cell.players)
            ordered = np.take_along_axis(values, seat, axis=1)
            for distance in range(cell.players):
                found = stats.mean(ordered[:, distance], level)
                rows.append(
                    row(
                        found,
                        players=cell.players,
                        policy=cell.policy,
                        distance=distance,
                        measure=measure,
                    )
                )
    return pd.DataFrame(rows)


def names(run: Run) -> pd.Series:
    """What was declared in each hand, in words; ``none`` where nobody declared."""
    hands = run.hands
    if "contract" in hands:
        said = hands["contract"].astype(int).map(dict(enumerate(run.game.contract_kinds)))
    else:
        said = "bid " + hands["bid"].astype(str)
        if "partner" in hands and (hands["partner"] != NO_SEAT).any():
            said += np.where(hands["partner"] == NO_SEAT, ", alone", ", with a partner")
    return said.where(hands["made"] >= 0, "none")


def declarer_scores(run: Run) -> NDArray[np.float64]:
    """What the declarer scored less the mean of the others, (hands,); 0 where there was none."""
    players = run.game.players
    score = run.seats["score"].to_numpy(float).reshape(-1, players)
    declarer = run.hands["declarer"].to_numpy()
    own = score[np.arange(len(score)), declarer.clip(0)]
    others = (score.sum(axis=1) - own) / (players - 1)
    return np.where(declarer == NO_SEAT, 0.0, own - others)


def success(cells: Sequence[Cell], level: float = 0.95) -> pd.DataFrame:
    """Share of hands, success and the declarer's score above the others', by contract.

    Returns
    -------
    DataFrame
        Columns players, policy, contract, measure (``share``, ``made``, ``score``) and those of an
        estimate; success and score of contracts declared in few hands are left out.
    """
    rows = []
    for cell in cells:
        said, made = names(cell.run), cell.run.hands["made"].to_numpy()
        score = declarer_scores(cell.run)
        for contract in sorted(said.unique(), key=_in_order):
            chosen = (said == contract).to_numpy()
            labels = {"players": cell.players, "policy": cell.policy, "contract": contract}
            share = stats.proportion(int(chosen.sum()), len(chosen), level)
            rows.append(row(share, **labels, measure="share"))
            if contract != "none" and chosen.sum() >= FEWEST:
                kept = stats.proportion(int((made[chosen] > 0).sum()), int(chosen.sum()), level)
                rows.append(row(kept, **labels, measure="made"))
                rows.append(row(stats.mean(score[chosen], level), **labels, measure="score"))
    return pd.DataFrame(rows)


def _in_order(contract: str) -> tuple[int, str]:
    """Bids by size, whatever their words."""
    number = "".join(c for c in contract if c.isdigit())
    return int(number or 0), contract


def alternatives(game: Game) -> Iterator[tuple[str, Game]]:
    """The game with one switch at a time set to another of its few values.

    Switches of matches are left out: they change no hand.
    """
    for name, spec in options.specs(game).items():
        if spec.of_matches:
            continue
        values = (True, False) if isinstance(spec.default, bool) else spec.choices
        for value in values:
            if value != spec.default:
                yield f"{name}={str(value).lower()}", game.replace(**{name: value})


def effects(
    base: Cell, hands: int, seed: int = 0, n_jobs: int | None = None, level: float = 0.95
) -> pd.DataFrame:
    """What each switch changes of success and of the declarer's score, by its policy.

    On the same deals where the deck is the same (method ``t, paired``), else on its own.

    Returns
    -------
    DataFrame
        Columns variant, measure (``made``, ``score``) and those of an estimate.
    """
    rows = []
    mine = {"made": _made(base.run), "score": declarer_scores(base.run)}
    for variant, game in alternatives(base.run.game):
        run = simulate(game, hands, base.policy, seed, n_jobs=n_jobs, progress=False)
        theirs = {"made": _made(run), "score": declarer_scores(run)}
        for measure, values in theirs.items():
            if game.deck.cards == base.run.game.deck.cards:
                found = stats.paired_difference(values, mine[measure], level)
            else:
                found = independent_difference(values, mine[measure], level, measure)
            rows.append(row(found, variant=variant, measure=measure))
    return pd.DataFrame(rows, columns=[*("variant", "measure"), *ESTIMATE])


def _made(run: Run) -> NDArray[np.float64]:
    return (run.hands["made"].to_numpy() > 0).astype(float)
