"""The question about the Traitor's bids: what is played for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab.studies.answer import Part
from tricklab.studies.base import Frames, Setting, Study
from tricklab.studies.calibration.measure import BASIC, Cell, measure, total
from tricklab.studies.calibration.parts import parts
from tricklab.studies.calibration.telling import findings
from tricklab.studies.factors import Factor

PLAYERS = (6, 5, 4, 3)
"""Numbers of players, those that take longest first."""

VARIANT_PLAYERS = 4
"""Number of players with which assumptions are varied."""

VARIANTS = (
    Factor(
        "four_suits",
        "Four-suit deck",
        "J2",
        {"deck": "four_suits"},
        "4 suits of 14, 20 trumps, 4 barbarians",
    ),
    Factor(
        "short_suits",
        "Short-suit deck",
        "J2",
        {"deck": "short_suits"},
        "5 suits of 11, 22 trumps, 3 barbarians",
    ),
    Factor(
        "reckoning",
        "Dead Reckoning",
        "J18",
        {"scoring": "dead_reckoning"},
        "bids are of points: for tricks, Sages, Rooks, aces and barbarians",
    ),
    Factor("flat", "Flat table", "J18", {"scoring": "flat"}, "a point for each captured card"),
    Factor(
        "heavy",
        "Trump-heavy table",
        "J18",
        {"scoring": "trump_heavy"},
        "points for captured trumps, Sages, Rooks and barbarians",
    ),
    Factor(
        "taken",
        "Made scores what was taken",
        "J22",
        {"made_scores": "taken"},
        "so that it pays to bid no more than one must",
    ),
    Factor(
        "spare",
        "Spare to the Traitor",
        "J23",
        {"spare_to": "traitor"},
        "the Traitor takes it up and discards as many",
    ),
)
"""What the rule sheet leaves open, set otherwise."""


class Calibration(Study):
    """Whether the Traitor's bids are what its holding is worth, and what they should be."""

    name = "calibration"
    title = "Traitor bid calibration"
    question = (
        "Does a Traitor take what its holding was expected to take, is success as likely as "
        "forecast, and what should be bid?"
    )
    games = ("junni",)
    budgets = {"quick": 250, "default": 8_192, "full": 65_536}

    def play(self, setting: Setting) -> dict[str, pd.DataFrame]:
        """Play every deal once for each seat as the Traitor, and hold auctions on what it took."""
        cells = [Cell(BASIC, n, setting.policies) for n in PLAYERS]
        cells += [Cell(v.name, VARIANT_PLAYERS, setting.policies, v.switches) for v in VARIANTS]
        # Play, discards and points: between them these use every kernel.
        warm = [c for c in cells if c.variant in (BASIC, "reckoning", "spare")][-3:]
        return total(setting.play(measure, cells, warm))

    def findings(self, frames: Frames, stated: Mapping[str, Any]) -> list[str]:
        """Whether estimate and forecast hold, the winner's curse, and what to bid."""
        return findings(frames, stated)

    def parts(self, frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
        """Tricks, success, the winner's curse, margins, the search, the table, assumptions."""
        titles = {BASIC: "As the rule sheet states it"}
        titles |= {v.name: f"{v.title} ({v.clause})" for v in VARIANTS}
        return parts(frames, stated, titles)


STUDY = Calibration()
