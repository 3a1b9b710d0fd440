"""What goes wrong because of what was asked: one clear message, no traceback."""

from __future__ import annotations

import numbers


class UserError(ValueError):
    """Something the user gave cannot be used; the message says what, where and what would do."""


class Stopped(UserError):
    """A long job was interrupted; the message says what is kept of it."""


def is_whole(value: object) -> bool:
    """Whether a value is a whole number; True and False are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def printable(text: str) -> str:
    """A text of one line that any terminal can show; what it cannot show becomes ``?``."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


class SwitchError(UserError):
    """A game's switch does not exist, or its value or combination is not allowed."""


class DeckError(UserError):
    """A deck that cannot be read, or that the game cannot be played with."""


class IllegalAnswer(UserError):
    """A policy (or a person) answered a decision with something the rules do not allow."""
