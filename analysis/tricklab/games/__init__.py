"""The games by name."""

from __future__ import annotations

from typing import Any

from tricklab import options
from tricklab.errors import SwitchError, UserError
from tricklab.games.base import Game
from tricklab.games.emperor import Emperor
from tricklab.games.junni import Junni
from tricklab.games.kaji import Kaji
from tricklab.games.trjamann import Trjamann

GAMES: dict[str, type[Game]] = {cls.name: cls for cls in (Junni, Trjamann, Emperor, Kaji)}

__all__ = ["GAMES", "Emperor", "Game", "Junni", "Kaji", "Trjamann", "game", "game_class"]


def game_class(name: str) -> type[Game]:
    """The class of a game by name; :class:`UserError` if there is none."""
    if name not in GAMES:
        raise UserError(f"there is no game {name!r}; {options.suggestion(name, GAMES)}")
    return GAMES[name]


def game(name: str, **switches: Any) -> Game:
    """A game with some of its switches set.

    Parameters
    ----------
    name : str
        A game's name, such as ``"junni"``.
    **switches
        Switches by the names on the rule sheet, as values or as text (``"true"``).

    Raises
    ------
    UserError
        For an unknown game or switch, or a value or combination that a clause forbids.
    """
    return options.build(game_class(name), switches, f"{name} has no switch", SwitchError)
