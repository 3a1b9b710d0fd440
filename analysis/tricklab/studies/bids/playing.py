"""What is played for the study of bids, and the estimates made of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab import stats
from tricklab.bidding import NO_SEAT
from tricklab.games import game_class
from tricklab.results import Run
from tricklab.simulation import simulate
from tricklab.studies.base import Setting
from tricklab.studies.bids import bonuses
from tricklab.studies.bids.ratios import break_even, rate_change
from tricklab.studies.bids.subjects import SUBJECTS, Subject, sizes, subject_game
from tricklab.studies.rows import ESTIMATE, FEWEST, row

AS_SHIPPED = "as shipped"
"""The variant that changes nothing."""

PASSED_OUT = "passed out"
"""What is declared in a hand in which nobody declares."""


@dataclass(frozen=True)
class Cell:
    """What is played: a game of the study under one policy at every seat.

    Attributes
    ----------
    game : str
        The game's name.
    players : int
        Number of players.
    policy : str
        Textual form of the policy.
    variant : str
        One of the subject's variants, or :data:`AS_SHIPPED`.
    """

    game: str
    players: int
    policy: str
    variant: str = AS_SHIPPED

    @property
    def subject(self) -> Subject:
        """What of the game is looked at."""
        return SUBJECTS[self.game]

    @property
    def labels(self) -> dict[str, Any]:
        """The columns that tell this cell's rows from others'."""
        return {
            "game": self.game,
            "players": self.players,
            "policy": self.policy,
            "variant": self.variant,
        }

    @property
    def paired(self) -> bool:
        """Whether it is played on the deals of the game as shipped."""
        return "deck" not in self.subject.variants.get(self.variant, {})


def plan(setting: Setting) -> list[Cell]:
    """Every number of players under every policy; the variants under the strongest."""
    cells = []
    for name in setting.games:
        cls = game_class(name)
        cells += [
            Cell(name, players, policy) for players in sizes(cls) for policy in setting.policies
        ]
        usual, strong = cls().players, setting.policies[-1]
        cells += [Cell(name, usual, strong, variant) for variant in SUBJECTS[name].variants]
    return cells


def play_cell(cell: Cell, hands: int, seed: int) -> pd.DataFrame:
    """Play one cell and keep a row a hand.

    Returns
    -------
    DataFrame
        ``contract`` (what was declared, in words), ``made`` (1, 0, or -1 without a declarer),
        ``score`` (the declarer's above the mean of the others; 0 without one), and of the cell as
        shipped the subject's ways, the declarer's holding and counts of bonuses.
    """
    game = subject_game(cell.game, cell.players, **cell.subject.variants.get(cell.variant, {}))
    run = simulate(game, hands, cell.policy, seed, n_jobs=1, progress=False)
    out = pd.DataFrame(
        {
            "contract": declared(run),
            "made": run.hands["made"].to_numpy(),
            "score": declarer_scores(run),
        }
    )
    if cell.variant == AS_SHIPPED:
        for column, values in cell.subject.ways.items():
            out[column] = run.hands[column].map(values).fillna(values.get(None, ""))
        declarer = run.hands["declarer"].to_numpy().clip(0)
        rows = np.arange(hands) * cell.players + declarer
        for column in cell.subject.holding:
            out[column] = run.seats[column].to_numpy()[rows]
        if game.bonuses:
            out = out.assign(**bonuses.counted(run))
    return out


def declared(run: Run) -> pd.Series:
    """What was declared in each hand, in words; :data:`PASSED_OUT` where nobody declared."""
    hands = run.hands
    if "contract" in hands:
        said = hands["contract"].astype(int).map(dict(enumerate(run.game.contract_kinds)))
    elif run.game.bids:
        said = hands["bid"].astype(int).map(dict(enumerate(run.game.bids)))
    else:
        said = "bid " + hands["bid"].astype(str)
    return said.where(hands["made"] >= 0, PASSED_OUT)


def declarer_scores(run: Run) -> NDArray[np.float64]:
    """What the declarer scored less the mean of the others, (hands,); 0 where there was none."""
    players = run.game.players
    score = run.seats["score"].to_numpy(float).reshape(-1, players)
    declarer = run.hands["declarer"].to_numpy()
    own = score[np.arange(len(score)), declarer.clip(0)]
    others = (score.sum(axis=1) - own) / (players - 1)
    return np.where(declarer == NO_SEAT, 0.0, own - others)


def estimates(
    hands: pd.DataFrame, chosen: NDArray[np.bool_]
) -> Iterator[tuple[str, stats.Estimate]]:
    """How the chosen hands fared, measure by measure.

    Yields
    ------
    (measure, Estimate)
        ``share`` of all hands; of :data:`FEWEST` hands or more also ``made``, ``score``,
        ``score_made``, ``score_failed`` and ``break_even``, where they are defined.
    """
    yield "share", stats.proportion(int(chosen.sum()), len(chosen))
    if chosen.sum() < FEWEST:
        return
    made, score = hands["made"].to_numpy()[chosen] > 0, hands["score"].to_numpy()[chosen]
    yield "made", stats.proportion(int(made.sum()), len(made))
    yield "score", stats.mean(score)
    for measure, part in (("score_made", score[made]), ("score_failed", score[~made])):
        if len(part) >= FEWEST:
            yield measure, stats.mean(part)
    level = break_even(score, made)
    if min(made.sum(), (~made).sum()) >= FEWEST and not math.isnan(level.value):
        yield "break_even", level


def by_contract(cell: Cell, hands: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of estimates for each contract and for ``any``; of hands passed out their share."""
    out = [
        row(found, **cell.labels, contract=name, measure=measure)
        for name, chosen in _by_contract(hands)
        for measure, found in estimates(hands, chosen)
    ]
    passed = stats.proportion(int((hands["made"] < 0).sum()), len(hands))
    return [*out, row(passed, **cell.labels, contract=PASSED_OUT, measure="share")]


def in_order(contract: str) -> tuple[int, str]:
    """Bids by size, be they numbers or names."""
    number = "".join(c for c in contract if c.isdigit())
    return _NAMED.get(contract, int(number or 0)), contract


_NAMED = {
    bid: number for name in SUBJECTS for number, bid in enumerate(subject_game(name).bids, start=1)
}
"""Places of bids that have names."""


def by_way(cell: Cell, hands: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of estimates for each way to play a contract, within it and over all contracts."""
    out = []
    for way, values in cell.subject.ways.items():
        for contract, of_it in _by_contract(hands):
            for value in values.values():
                chosen = of_it & (hands[way] == value).to_numpy()
                labels = {"way": way, "value_of": value, "contract": contract}
                out += [
                    row(found, **cell.labels, **labels, measure=measure)
                    for measure, found in estimates(hands, chosen)
                ]
    return out


def by_holding(cell: Cell, hands: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of estimates for each number of a kind of card that the declarer was dealt.

    Over all contracts (``any``), and for the kind named first within each contract.
    """
    out = []
    for i, feature in enumerate(cell.subject.holding):
        for contract, of_it in _by_contract(hands, separate=i == 0):
            for count in sorted(hands[feature][of_it].unique()):
                chosen = of_it & (hands[feature] == count).to_numpy()
                labels = {"feature": feature, "count": int(count), "contract": contract}
                out += [
                    row(found, **cell.labels, **labels, measure=measure)
                    for measure, found in estimates(hands, chosen)
                    if measure in ("share", "made", "score")
                ]
    return out


def _by_contract(
    hands: pd.DataFrame, separate: bool = True
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Which hands were declared, for all contracts (``any``) and for each."""
    yield "any", (hands["made"] >= 0).to_numpy()
    if separate:
        for name in sorted(set(hands["contract"]) - {PASSED_OUT}, key=in_order):
            yield name, (hands["contract"] == name).to_numpy()


def changes(cell: Cell, hands: pd.DataFrame, base: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """What a variant changes of the share of declared contracts that are made.

    On the same deals the difference is paired by deal although a hand may be declared in one and
    passed out in the other (:func:`rate_change`); with another deck it
    is that of two independent shares.
    """
    found = rate_change(*_made_of(hands), *_made_of(base), paired=cell.paired)
    yield row(found, **cell.labels, measure="made")


def _made_of(hands: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """1 where a hand's contract was made, and 1 where there was one."""
    made = hands["made"].to_numpy()
    return (made > 0).astype(np.float64), (made >= 0).astype(np.float64)


def between_policies(
    cells: Mapping[Cell, pd.DataFrame], weak: Cell, strong: Cell
) -> Iterator[dict[str, Any]]:
    """How the stronger policy's declarers fare against the weaker's, on the same deals."""
    first, second = cells[strong], cells[weak]
    labels = {key: strong.labels[key] for key in ("game", "players")}
    found = rate_change(*_made_of(first), *_made_of(second))
    yield row(found, **labels, measure="made")
    found = stats.paired_difference(first["score"].to_numpy(), second["score"].to_numpy())
    yield row(found, **labels, measure="score")


def play(setting: Setting) -> dict[str, pd.DataFrame]:
    """Play the plan and make its frames; see :class:`tricklab.studies.bids.Bids`."""
    plan_ = plan(setting)
    cells = dict(zip(plan_, setting.play(play_cell, plan_), strict=True))
    shipped = {cell: hands for cell, hands in cells.items() if cell.variant == AS_SHIPPED}
    weak, strong = setting.policies[0], setting.policies[-1]

    def frame(parts: Iterable[Iterable[dict[str, Any]]], *labels: str) -> pd.DataFrame:
        rows = [row for part in parts for row in part]
        return pd.DataFrame(rows, columns=[*labels, "measure", *ESTIMATE])

    of_cell = ("game", "players", "policy", "variant")
    return {
        "contracts": frame(starmap(by_contract, cells.items()), *of_cell, "contract"),
        "ways": frame(starmap(by_way, shipped.items()), *of_cell, "way", "value_of", "contract"),
        "holdings": frame(
            starmap(by_holding, shipped.items()), *of_cell, "feature", "count", "contract"
        ),
        "variants": frame(
            (
                changes(cell, hands, cells[Cell(cell.game, cell.players, cell.policy)])
                for cell, hands in cells.items()
                if cell not in shipped
            ),
            *of_cell,
        ),
        "bonuses": frame(
            (
                bonuses.by_bonus(cell.labels, subject_game(cell.game).bonuses, hands)
                for cell, hands in shipped.items()
            ),
            *of_cell,
            "bonus",
        ),
        "policies": frame(
            (
                between_policies(cells, Cell(cell.game, cell.players, weak), cell)
                for cell in shipped
                if cell.policy == strong
            ),
            "game",
            "players",
        ),
    }
