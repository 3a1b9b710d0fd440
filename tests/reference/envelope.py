"""What histories of all games have in common, in plain Python (format ``tricklab-hand/1``).

Nothing here knows a rule of a game: each reference says its own rules and its own clauses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Protocol, TypeVar

R = TypeVar("R")
H = TypeVar("H", bound="Played")


class Played(Protocol):
    """A hand that takes actions one after the other."""

    def do(self, action: Mapping[str, Any]) -> None:
        """Apply an action or complain."""

    def turn(self) -> tuple[int, str] | None:
        """Who must do what now."""


def rules_of(history: Mapping[str, Any], game: str, kind: type[R]) -> R:
    """The rules that a history states, after a look at its form."""
    for key in ("format", "game", "switches", "dealer", "deal", "stock", "actions"):
        if key not in history:
            raise ValueError(f"format: {key!r} is missing")
    if history["format"] != "tricklab-hand/1" or history["game"] != game:
        raise ValueError(f"format: not a tricklab-hand/1 history of {game}")
    unknown = set(history["switches"]) - {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if unknown:
        raise ValueError(f"switch: no switch {sorted(unknown)[0]!r}")
    try:
        return kind(**history["switches"])
    except ValueError as error:
        raise ValueError(f"switch: {error}") from error


def dealer_of(history: Mapping[str, Any], players: int) -> int:
    """The dealer that a history states."""
    dealer = history["dealer"]
    if type(dealer) is not int or not 0 <= dealer < players:
        raise ValueError(f"format: dealer {dealer!r} is not a seat")
    return dealer


def play_through(hand: H, actions: Sequence[Mapping[str, Any]]) -> H:
    """A hand after all actions of its history, which must be the whole hand."""
    for number, action in enumerate(actions):
        try:
            hand.do(action)
        except ValueError as error:
            raise ValueError(f"{error} (action {number})") from error
    turn = hand.turn()
    if turn is not None:
        raise ValueError(f"turn: seat {turn[0]} must still {turn[1]} (action {len(actions)})")
    return hand


def timely(
    action: Any, turn: tuple[int, str] | None, accepted: Sequence[tuple[int, str]]
) -> tuple[int, str]:
    """Seat and kind of an action that is due now, or that is accepted beside it."""
    for key, kind in (("seat", int), ("do", str)):
        if not isinstance(action, Mapping) or type(action.get(key)) is not kind:
            raise ValueError(f"format: an action needs {key!r}")
    seat, do = action["seat"], action["do"]
    if turn is None:
        raise ValueError("turn: the hand is over")
    if (seat, do) not in (turn, *accepted):
        raise ValueError(f"turn: seat {turn[0]} must {turn[1]}, not seat {seat} {do}")
    return seat, do


def shares(scores: Sequence[float]) -> list[float]:
    """Wins by score: the best wins, ties are shared equally."""
    best = max(scores)
    tied = list(scores).count(best)
    return [1.0 / tied if score == best else 0.0 for score in scores]
