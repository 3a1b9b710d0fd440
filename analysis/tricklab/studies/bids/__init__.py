"""How often bids and contracts are made, what they score, and what breaks even."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab.studies.answer import Part
from tricklab.studies.base import Frames, Setting, Study
from tricklab.studies.bids import playing, telling
from tricklab.studies.bids.subjects import SUBJECTS


class Bids(Study):
    """How often bids and contracts are made, what they score, and what breaks even.

    Every number of players of every game under every policy; each variant with the usual number of
    players under the strongest policy.  Its frames, each with the columns of an estimate:

    ``contracts``
        game, players, policy, variant, contract (``any`` for all together), measure: ``share`` of
        hands, ``made``, ``score`` of the declarer above the mean of the others, ``score_made``,
        ``score_failed`` and ``break_even`` (the success rate at which the score would be nought).
    ``ways``
        The same by how the contract was played: way (a column of ``hands``) and value_of.
    ``holdings``
        The same by what the declarer was dealt: feature and count.
    ``bonuses``
        game, players, policy, variant, bonus (``any`` for all together; suits are not told apart),
        measure: ``announced`` and ``silent``, shares of hands in which it was announced or scored
        unannounced, ``made`` of what was announced, ``worth``, points where it was.
    ``variants``
        Change of the success rate with each variant.
    ``policies``
        Success and score of the strongest policy less those of the weakest, on the same deals.
    """

    name = "bids"
    title = "Bid success rates"
    question = "How often is what is bid made, what does it score, and what would break even?"
    games = tuple(SUBJECTS)
    budgets = {"quick": 400, "default": 20_000, "full": 100_000}

    def play(self, setting: Setting) -> dict[str, pd.DataFrame]:
        """Play the plan and make its frames."""
        return playing.play(setting)

    def findings(self, frames: Frames, stated: Mapping[str, Any]) -> list[str]:
        """Whether declaring pays in each game, and what falls short."""
        return telling.findings(frames, stated)

    def parts(self, frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
        """A part a game, and what the variants change."""
        return telling.parts(frames, stated)


STUDY = Bids()
