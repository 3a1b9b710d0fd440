"""The value of shriving: what giving cards does to the game, and what choosing them is worth.

:mod:`.gifts` are the ways to choose; :mod:`.rule` and :mod:`.one_seat` are the two kinds of cells
that :mod:`.design` plays; :mod:`.reading` finds estimates, :mod:`.say` puts them into sentences and
:mod:`.show` into tables and figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab.studies.answer import Part
from tricklab.studies.base import Frames, Setting, Study
from tricklab.studies.shriving import design, say, show


class Shriving(Study):
    """What giving cards does, what skill in it is worth, and what is best to give (J14).

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
    budgets = {"quick": 200, "default": 3_000, "full": 20_000}

    def play(self, setting: Setting) -> dict[str, pd.DataFrame]:
        """Play the design; see :mod:`.design`."""
        cells = design.design(setting.policies)
        return design.frames(setting.play(design.work, cells, design.warming(cells)))

    def findings(self, frames: Frames, stated: Mapping[str, Any]) -> list[str]:
        """The answer in sentences."""
        return say.findings(frames, stated["policies"])

    def parts(self, frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
        """Tables and figures under headings."""
        return show.parts(frames, stated["policies"])


STUDY = Shriving()
