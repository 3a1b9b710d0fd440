"""Which cells are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from tricklab.studies.shriving.common import CARDS, GIVEN, PLAYERS, TABLE, Rows
from tricklab.studies.shriving.one_seat import SETTINGS, SKILL, OneSeat
from tricklab.studies.shriving.rule import Rule

GIFTS = (*SKILL, "void", "any_void", "longest", "court", "barbarian", "trump")
"""Ways compared by what is held."""

TO_ALLIES = (*SKILL, "void", "trump", "highest")
"""Ways compared by who is the Traitor: against the Traitor the left neighbour may be an ally."""


def design(policies: Sequence[str]) -> list[Rule | OneSeat]:
    """All cells, the longest first."""
    basic, after = SETTINGS["basic"], SETTINGS["after"]
    cells: list[Rule | OneSeat] = [
        *(OneSeat(basic, who, ways=GIFTS, grouping="shape", times=6) for who in policies),
        *(OneSeat(after, who, ways=TO_ALLIES, grouping="role", times=4) for who in policies),
    ]
    cells += [Rule(players, who) for who in policies for players in PLAYERS]
    for who in policies:
        cells += [OneSeat(basic, who, n, times=4) for n in PLAYERS if n != TABLE]
        cells += [OneSeat(s, who, times=2) for s in SETTINGS.values() if s.name not in PLAIN]
        cells.append(OneSeat(SETTINGS["partners"], who, 6, times=2))
        cells += [OneSeat(basic, who, cards=k, times=2) for k in CARDS if k != GIVEN]
    return cells


def warming(cells: Sequence[Rule | OneSeat]) -> list[Rule | OneSeat]:
    """Those of all cells that between them use every kernel."""
    return [c for c in cells if isinstance(c, OneSeat) and (c.grouping or c.setting.name in WARM)]


PLAIN = ("basic", "after")
"""Settings that have a place of their own in the design."""

WARM = ("before", "reckoning")
"""Settings that are played by kernels which others do without."""


def work(cell: Rule | OneSeat, hands: int, seed: int) -> dict[str, Rows]:
    """What is measured in a cell, for :meth:`tricklab.studies.base.Setting.play`."""
    return cell.measured(hands, seed)


def frames(found: Sequence[Mapping[str, Rows]]) -> dict[str, pd.DataFrame]:
    """The study's frames from what was measured in all cells."""
    names = ("worth", "advice", "rule")
    return {name: pd.DataFrame([r for part in found for r in part.get(name, [])]) for name in names}
