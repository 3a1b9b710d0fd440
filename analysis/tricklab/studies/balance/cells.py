"""Cells of the balance study: one game under one policy, played and measured in a worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.games import Game
from tricklab.games.parts import side_totals
from tricklab.match import simulate_matches
from tricklab.policies import seated
from tricklab.simulation import run_blocks
from tricklab.studies.balance.designs import Design
from tricklab.studies.balance.luck import Rotated, play_rotations, shares
from tricklab.studies.balance.measures import HOLDING, Floats, of_hands
from tricklab.table import Table

ROTATED_PART = 4
"""One deal in so many is played once a seat besides."""

HANDS_A_MATCH = 10
"""One match is played for so many deals, where matches cannot be chained from hands."""

FEWEST_MATCHES = 5
"""Matches from which their mean length is estimated."""

LONGEST = 2000
"""Hands after which a chained match is given up."""


@dataclass(frozen=True)
class Cell:
    """One game under one policy.

    Attributes
    ----------
    design : Design
        What it belongs to.
    context : str
        Name of the context; empty for the base.
    on : tuple of str
        Names of what is switched on.
    policy, odd : str
        The policy at all seats, and the one that is set against it when deals are rotated.
    stronger : bool
        Whether ``odd`` is the stronger of the two.
    """

    design: Design
    context: str
    on: tuple[str, ...]
    policy: str
    odd: str
    stronger: bool

    @property
    def game(self) -> Game:
        """What is played."""
        return self.design.make(self.context, self.on)

    @property
    def base(self) -> bool:
        """Whether nothing is switched on in its context."""
        return not self.on


@dataclass(frozen=True)
class Played:
    """A cell's measures.

    Attributes
    ----------
    cell : Cell
        What was played.
    values : dict of float32 (deals,)
        By measure, a value a deal; NaN for a deal that was not played (thrown in).
    tricks, wins : float32 (deals, players)
        Tricks and shares of the win by distance from the first seat.
    parts : float64 (rotated deals, 3)
        Jackknife values of the components of variance.
    holdings : dict
        For a base cell of a game that states them: features of each seat's dealt holding, tricks.
    """

    cell: Cell
    values: dict[str, NDArray[np.float32]]
    tricks: NDArray[np.float32]
    wins: NDArray[np.float32]
    parts: Floats
    holdings: dict[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.wins.shape[1]


class _Measure:
    """What a worker keeps of a block."""

    def __init__(self, holdings: bool) -> None:
        self.holdings = holdings

    def __call__(self, table: Table, first: int) -> dict[str, Any]:
        return of_hands(table, first, self.holdings)


def play_cell(cell: Cell, hands: int, seed: int) -> Played:
    """Play one cell in this process: its deals, a part of them rotated, and its matches."""
    game, players = cell.game, cell.game.players
    holdings = cell.base and not cell.context and game.seat_columns.keys() >= set(HOLDING)
    at = seated(cell.policy, players)
    work = _Measure(holdings)
    blocks = list(run_blocks(game, hands, at, seed, work, n_jobs=1, progress=False, choices=True))
    values = {
        name: np.concatenate([block["measures"][name] for block in blocks])
        for name in blocks[0]["measures"]
    }
    tricks, wins = (np.concatenate([b[name] for b in blocks]) for name in ("tricks", "wins"))
    values["edge"] = wins[:, 0] - wins.sum(axis=1) / players
    values["balance"] = balance(wins)
    rotated = play_rotations(game, cell.policy, cell.odd, max(1, hands // ROTATED_PART), seed)
    parts = shares(rotated.score)[1]
    values["luck"] = parts[:, 0]
    values["skill"] = skill_gap(rotated, cell.stronger)
    lengths = match_lengths(cell, game, np.concatenate([b["score"] for b in blocks]), seed)
    if len(lengths) >= FEWEST_MATCHES:
        values["length"] = lengths
    return Played(
        cell,
        {name: v.astype(np.float32) for name, v in values.items()},
        tricks,
        wins,
        parts,
        {c: np.concatenate([b["holdings"][c] for b in blocks]) for c in blocks[0]["holdings"]},
    )


def balance(wins: NDArray[np.float32]) -> Floats:
    """One less the largest difference of two seats' shares of wins, a value a deal.

    The two seats are those that differ most in one half of the deals (whole rounds of the deal are
    kept together), which is NaN; they are compared in the other half alone.  So the mean is 1 where
    seats are alike, and deals are independent, as they would not be if the halves changed places
    and each were judged by the other.
    """
    deals, players = wins.shape
    judged = np.arange(deals) // players % 2 == 1
    share = wins[~judged].mean(axis=0)
    gap = wins[:, share.argmax()] - wins[:, share.argmin()]
    return np.where(judged, 1.0 - gap, np.nan)


def skill_gap(rotated: Rotated, stronger: bool) -> Floats:
    """Wins of the stronger policy's player less a weaker one's, on the same holdings, (deals,)."""
    win = rotated.win
    players = win.shape[2]
    odd = win[:, np.arange(players), np.arange(players)].mean(axis=1)
    others = (win.sum(axis=(1, 2)) / players - odd) / (players - 1)
    return odd - others if stronger else others - odd


def match_lengths(
    cell: Cell, game: Game, score: NDArray[np.float32], seed: int
) -> NDArray[np.float64]:
    """Hands in matches of a cell, where their number is not fixed by the rules.

    Junni's Campaigns (J15) are chained from the cell's hands, the deal passing on as it does there:
    hands of a Campaign are as independent as single ones, since no policy looks at the standing.
    Trjámann's matches are played, in the base game and with each change of it by itself.
    """
    if game.name == "junni":
        return chained(side_totals(score.astype(np.int64), game.sides), game.campaign_target)  # type: ignore[attr-defined]
    if game.name == "trjamann" and len(cell.on) <= 1:
        matches = max(1, len(score) // HANDS_A_MATCH)
        run = simulate_matches(game, matches, cell.policy, seed, n_jobs=1, progress=False)
        return run.matches["hands"].to_numpy(float)
    return np.zeros(0)


def chained(score: NDArray[np.int64], target: int) -> NDArray[np.float64]:
    """Lengths of matches made of consecutive hands, until a side's score reaches the target.

    The last match goes on with the first hands again, so that long matches are not cut off.
    """
    hands = len(score)
    if not (score > 0).any():
        return np.zeros(0)
    out, at = [], 0
    turns = -(-LONGEST // hands) + 1
    standing = np.tile(score, (turns + 1, 1)).cumsum(axis=0)
    before = np.zeros(score.shape[1], np.int64)
    while at < hands:
        reached = (standing[at : at + LONGEST] - before).max(axis=1) >= target
        if not reached.any():
            break
        length = int(reached.argmax()) + 1
        out.append(float(length))
        at += length
        before = standing[at - 1]
    return np.array(out)
