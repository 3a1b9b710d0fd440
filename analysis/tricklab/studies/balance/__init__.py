"""How balanced the games are, and what each variant changes.

A *cell* is one game under one policy.  Cells with the same deck and number of players are played on
the same deals, so that their differences are paired by deal; other differences are not.  Every
measure has one value a deal, which makes the deal the unit of all intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab.games import GAMES
from tricklab.odds import exact_odds
from tricklab.studies.answer import Part
from tricklab.studies.balance import effects
from tricklab.studies.balance.cells import Cell, play_cell
from tricklab.studies.balance.designs import Design, designs_of
from tricklab.studies.balance.shown import parts
from tricklab.studies.balance.telling import findings
from tricklab.studies.base import Frames, Setting, Study

EXACT = ("voids >= 1", "trumps == 0", "barbarians == 4", "trumps >= 8")
"""Events of Junni's deal whose exact chances are told."""


class Balance(Study):
    """How balanced the games are, and what each variant changes."""

    name = "balance"
    title = "Variant balance"
    question = (
        "How fair, how lucky, how open and how long is each game, and what does each variant "
        "change of it, alone and together with others?"
    )
    games = tuple(GAMES)
    budgets = {"quick": 40, "default": 3_000, "full": 20_000}

    def play(self, setting: Setting) -> dict[str, pd.DataFrame]:
        """Play every cell of the games' designs and estimate."""
        designs = [design for name in setting.games for design in designs_of(name)]
        cells = [cell for design in designs for cell in plan(design, setting.policies)]
        played = setting.play(play_cell, cells, [cell for cell in cells if _warms(cell)])
        frames = {
            "levels": effects.levels(played),
            "factorial": effects.factorial(played),
            "singles": effects.singles(played),
            "assumed": effects.assumed(played),
            "seats": effects.seats(played),
            "variance": effects.variance(played),
            "striking": effects.striking(played),
            "holdings": effects.holdings(played),
            "exact": exact(designs),
        }
        of_any = ("levels", "factorial", "singles", "seats", "variance")
        return {name: frame for name, frame in frames.items() if len(frame) or name in of_any}

    def findings(self, frames: Frames, stated: Mapping[str, Any]) -> list[str]:
        """The answer in sentences."""
        return findings(frames, stated)

    def parts(self, frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
        """Tables and figures under headings."""
        return parts(frames, stated)


def plan(design: Design, policies: tuple[str, ...]) -> list[Cell]:
    """The cells of a design under each policy, in which the strongest is set against the others."""
    strong, weak = policies[-1], policies[0]
    return [
        Cell(design, context, on, who, weak if who == strong else strong, who != strong)
        for who in policies
        for context, on in design.settings()
    ]


def _warms(cell: Cell) -> bool:
    """Whether a cell is one of those that use every kernel between them."""
    everything = len(cell.on) == len(cell.design.factors)
    return not cell.context and (cell.base or everything)


def exact(designs: list[Design]) -> pd.DataFrame:
    """Exact chances of Junni's deal by number of players: combinatorics, without an interval."""
    rows = []
    for design in designs:
        if design.name != "junni":
            continue
        for context, on in design.settings():
            game = design.make(context, on)
            if not on and str(game.deck.name) == design.make("", ()).deck.name:
                rows += [
                    {"players": game.players, "event": text, "value": exact_odds(game, text).value}
                    for text in EXACT
                ]
    return pd.DataFrame(rows).drop_duplicates(["players", "event"]) if rows else pd.DataFrame()


STUDY = Balance()
