"""The value of shriving: what giving cards does to the game, and what choosing them well is worth.

:mod:`.gifts` are the ways to choose, :mod:`.measure` is what is played and estimated, :mod:`.reading`
finds estimates, and :mod:`.tell` puts them into words, tables and figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab.studies.answer import Part
from tricklab.studies.shriving import measure, tell
from tricklab.studies.study import Frames, Setting, Study


class Shriving(Study):
    """What giving cards to the left does, what skill in it is worth, and what is best to give (J14).

    Its frames: ``worth`` (one seat choosing its gift in several ways), ``advice`` (the best way by
    holding) and ``rule`` (all seats giving alike).
    """

    name = "shriving"
    title = "The value of shriving"
    question = (
        "What does giving cards do to the game, what is skill in it worth, what is best given, and "
        "who gains?"
    )
    games = ("junni",)
    budgets = {"quick": 200, "default": 3_000, "full": 30_000}

    def play(self, setting: Setting) -> dict[str, pd.DataFrame]:
        """Play the design; see :mod:`.measure`."""
        cells = measure.design(setting.policies)
        return measure.frames(setting.play(measure.work, cells, measure.warming(cells)))

    def findings(self, frames: Frames, stated: Mapping[str, Any]) -> list[str]:
        """The answer in sentences."""
        return tell.findings(frames, stated["policies"])

    def parts(self, frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
        """Tables and figures under headings."""
        return tell.parts(frames, stated["policies"])


STUDY = Shriving()
