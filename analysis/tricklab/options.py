"""Named options with a meaning, a range and a textual form.

A game's switches and a policy's parameters are the fields of a frozen dataclass made with
:func:`option`; checking them, listing them and reading them from text is done here once.
"""

from __future__ import annotations

import dataclasses
import difflib
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tricklab.errors import UserError, is_whole


@dataclass(frozen=True)
class Spec:
    """What an option may be.

    Attributes
    ----------
    name, meaning : str
        The option and what it does.
    default : object
        Its default, whose type is the option's type.
    clause : str
        Where the rule sheet states it, such as ``"J14"``; empty for a policy's parameter.
    choices : tuple
        Allowed values; empty if a range or any text is.
    low, high : float or None
        Range of a number, both ends included.
    open_ended : bool
        Whether values beside ``choices`` (a file, an inline table) are allowed.
    of_matches : bool
        Whether it says how hands make a match, so that no hand by itself depends on it.
    """

    name: str
    meaning: str
    default: Any
    clause: str = ""
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    open_ended: bool = False
    of_matches: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if self.choices:
            listed = ", ".join(str(choice) for choice in self.choices)
            return f"{listed}, or a file" if self.open_ended else listed
        if self.low is not None and self.high is not None:
            if self.low == self.high:
                return f"{self.low:g}"
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            return f"{kind} from {self.low:g} to {self.high:g}"
        return type(self.default).__name__

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value, or None."""
        if isinstance(self.default, bool):
            fits = isinstance(value, bool)
        elif self.open_ended:
            return None
        elif self.choices:
            fits = isinstance(value, type(self.default)) and value in self.choices
        elif isinstance(self.default, int):
            fits = is_whole(value)
        else:
            fits = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if fits and self.low is not None and self.high is not None:
            fits = self.low <= value <= self.high
        if fits:
            return None
        clause = f" ({self.clause})" if self.clause else ""
        return f"{self.name} must be {self.allowed}, not {_show(value)}{clause}"

    def read(self, text: str) -> Any:
        """The value that a text stands for; what does not parse is returned as it is."""
        lowered = text.strip().lower()
        if isinstance(self.default, bool):
            return {"true": True, "yes": True, "on": True}.get(
                lowered, {"false": False, "no": False, "off": False}.get(lowered, text)
            )
        for kind in (int, float):
            if isinstance(self.default, kind):
                try:
                    return kind(text)
                except ValueError:
                    return text
        return text


def option(
    default: Any,
    meaning: str,
    *,
    clause: str = "",
    choices: Sequence[Any] = (),
    low: float | None = None,
    high: float | None = None,
    open_ended: bool = False,
    of_matches: bool = False,
) -> Any:
    """A dataclass field that is an option; see :class:`Spec` for the arguments."""
    spec = Spec("", meaning, default, clause, tuple(choices), low, high, open_ended, of_matches)
    return dataclasses.field(default=default, metadata={"spec": spec})


def specs(owner: Any) -> dict[str, Spec]:
    """The options of a dataclass (or of one of its objects) by name, in order."""
    return {
        f.name: dataclasses.replace(f.metadata["spec"], name=f.name)
        for f in dataclasses.fields(owner)
        if "spec" in f.metadata
    }


def check(owner: Any, error: type[UserError] = UserError) -> None:
    """Raise ``error`` if any option of a dataclass object has a value that is not allowed."""
    for name, spec in specs(owner).items():
        problem = spec.problem(getattr(owner, name))
        if problem:
            raise error(problem)


def build(cls: type[Any], values: dict[str, Any], what: str, error: type[UserError]) -> Any:
    """An object of a dataclass from options by name; texts are read as the option's type.

    Parameters
    ----------
    cls : type
        A dataclass whose fields are options.
    values : dict
        Option values, as themselves or as text.
    what : str
        What an unknown name is called in the message, such as ``"junni has no switch"``.
    error : type
        Error to raise for an unknown name or a bad value.
    """
    known = specs(cls)
    ready = {}
    for name, value in values.items():
        if name not in known:
            raise error(f"{what} {name!r}; {suggestion(name, known)}")
        ready[name] = known[name].read(value) if isinstance(value, str) else value
    return cls(**ready)


def from_plain(cls: type[Any], values: dict[str, Any], what: str) -> Any:
    """An object of a dataclass from options as JSON states them: nothing is read from text or file.

    Raises
    ------
    UserError
        For an unknown name, a value of another type, or a text that would name a file.
    """
    known = specs(cls)
    for name, value in values.items():
        if name not in known:
            raise UserError(f"{what} {name!r}; {suggestion(name, known)}")
        spec = known[name]
        inline = spec.open_ended and isinstance(value, dict)
        if not inline and spec.open_ended and value not in spec.choices:
            raise UserError(f"{name} must be {', '.join(spec.choices)}, or stand here as a whole")
    return cls(**values)


def suggestion(name: str, known: Any) -> str:
    """A hint at the nearest name, and the list of what exists."""
    known = list(known)
    close = difflib.get_close_matches(str(name), known, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}there is: {', '.join(known)}" if known else "there is none"


def non_default(owner: Any) -> dict[str, Any]:
    """The options of an object that differ from their defaults."""
    return {
        name: getattr(owner, name)
        for name, spec in specs(owner).items()
        if getattr(owner, name) != spec.default
    }


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
