"""tricklab: a Monte Carlo laboratory for trick-taking card games.

The names below are what a notebook needs; they load what they use when first touched, so that
``import tricklab`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tricklab.cards import Deck
    from tricklab.errors import DeckError, IllegalAnswer, SwitchError, UserError
    from tricklab.games import GAMES, Game, game
    from tricklab.match import simulate_matches
    from tricklab.odds import exact_odds
    from tricklab.policies import (
        POLICIES,
        Brazen,
        Careful,
        Declares,
        Gives,
        Policy,
        Random,
        Simple,
        policy,
    )
    from tricklab.position import Position
    from tricklab.questions import how_often
    from tricklab.replay import check_histories, read_histories
    from tricklab.results import Run, load
    from tricklab.simulation import deal, simulate, table_of
    from tricklab.stats import (
        Estimate,
        bootstrap,
        mean,
        mean_by_deal,
        paired_difference,
        proportion,
    )
    from tricklab.studies import study

_HOME = {
    "tricklab.cards": ("Deck",),
    "tricklab.errors": ("DeckError", "IllegalAnswer", "SwitchError", "UserError"),
    "tricklab.games": ("GAMES", "Game", "game"),
    "tricklab.match": ("simulate_matches",),
    "tricklab.odds": ("exact_odds",),
    "tricklab.policies": (
        "POLICIES",
        "Brazen",
        "Careful",
        "Declares",
        "Gives",
        "Policy",
        "Random",
        "Simple",
        "policy",
    ),
    "tricklab.position": ("Position",),
    "tricklab.questions": ("how_often",),
    "tricklab.replay": ("check_histories", "read_histories"),
    "tricklab.results": ("Run", "load"),
    "tricklab.simulation": ("deal", "simulate", "table_of"),
    "tricklab.stats": (
        "Estimate",
        "bootstrap",
        "mean",
        "mean_by_deal",
        "paired_difference",
        "proportion",
    ),
    "tricklab.studies": ("study",),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_WHERE)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'tricklab' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
