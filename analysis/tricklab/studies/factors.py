"""A change of switches, as studies name and explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Factor:
    """A change of switches.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    clause : str
        Where the rule sheet states it.
    switches : dict
        The switches set when it is on.
    says : str
        What it changes, in words.
    """

    name: str
    title: str
    clause: str
    switches: dict[str, Any]
    says: str = ""
