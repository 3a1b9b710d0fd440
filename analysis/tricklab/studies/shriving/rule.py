"""What the rule does: no cards given against one to eight, all seats giving and playing alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricklab import stats
from tricklab.games import game
from tricklab.policies import seated
from tricklab.simulation import run_blocks
from tricklab.studies.rows import row
from tricklab.studies.shriving.common import CARDS, FloatArray, Rows, joined
from tricklab.studies.shriving.gifts import of_role
from tricklab.table import Table


@dataclass(frozen=True)
class Measure:
    """Something of a hand, one value a deal.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    share : bool
        Whether it is best read as a percentage.
    event : bool
        Whether a deal has it or has it not.
    """

    name: str
    title: str
    share: bool = False
    event: bool = False


MEASURES = (
    Measure("voids", "void suits of a seat as play begins"),
    Measure("spread", "spread of tricks within a hand (standard deviation over seats)"),
    Measure("best", "tricks of the best seat"),
    Measure("none", "hands in which a seat takes no trick", share=True, event=True),
    Measure("tie", "hands with a shared win", share=True, event=True),
    Measure("trumps_win", "wins of the seat dealt most trumps, above an equal share", share=True),
    Measure("leader_win", "first leader's wins, above an equal share", share=True),
    Measure("leader_tricks", "first leader's tricks, above an equal share"),
)
"""What is measured of the rule, all seats playing alike."""


def of_hands(table: Table, first: int) -> dict[str, NDArray[np.float32]]:
    """Values of :data:`MEASURES` in each hand of a finished block."""
    deck, players = table.game.deck, table.game.players
    tricks, win = table.state.tricks.astype(float), table.game.score(table).win.astype(float)
    plain = of_role(deck, "suit")
    trumps = np.bitwise_count(table.dealt[:, :, of_role(deck, "trump")]).sum(axis=2)
    most = trumps == trumps.max(axis=1, keepdims=True)
    leads = np.arange(players) == table.leaders[0][:, None]
    fair = win.sum(axis=1) / players
    values = {
        "voids": (table.start[:, :, plain] == 0).sum(axis=2).mean(axis=1),
        "spread": tricks.std(axis=1),
        "best": tricks.max(axis=1),
        "none": (tricks == 0).any(axis=1),
        "tie": (win > 0).sum(axis=1) > 1,
        "trumps_win": (win * most).sum(axis=1) / most.sum(axis=1) - fair,
        "leader_win": (win * leads).sum(axis=1) - fair,
        "leader_tricks": (tricks * leads).sum(axis=1) - table.tricks / players,
    }
    return {name: np.asarray(v, np.float32) for name, v in values.items()}


def _level(measure: Measure, values: FloatArray) -> stats.Estimate:
    if measure.event:
        return stats.proportion(int(values.sum()), len(values))
    return stats.mean(values)


def _change(measure: Measure, values: FloatArray, base: FloatArray) -> stats.Estimate:
    """The paired change; where no deal differs, up to the share of deals in which it might."""
    if measure.event and (values == base).all():
        bound = stats.proportion(0, len(values)).high
        how = "no deal differs, Wilson bound"
        return stats.Estimate(0.0, 0.0, -bound, bound, 0.95, len(values), how)
    return stats.paired_difference(values, base)


@dataclass(frozen=True)
class Rule:
    """The game with no cards given and with each number of cards, one policy at all seats.

    Attributes
    ----------
    players : int
        Number of players.
    who : str
        Textual form of the policy.
    """

    players: int
    who: str

    def measured(self, hands: int, seed: int) -> dict[str, Rows]:
        """Rows of the frame ``rule``: each measure, and its change from the game without giving."""
        games = {0: game("junni", players=self.players)}
        games |= {k: games[0].replace(shriving=True, shriving_cards=k) for k in CARDS}
        at = seated(self.who, self.players)
        found = {
            k: joined(run_blocks(g, hands, at, seed, of_hands, n_jobs=1, progress=False))
            for k, g in games.items()
        }
        rows: Rows = []
        for k, values in found.items():
            for measure in MEASURES:
                labels = {"players": self.players, "policy": self.who, "cards": k}
                labels |= {"measure": measure.name}
                x, base = (v[measure.name].astype(float) for v in (values, found[0]))
                rows.append(row(_level(measure, x), **labels, of="level"))
                if k:
                    rows.append(row(_change(measure, x, base), **labels, of="change"))
        return {"rule": rows}
