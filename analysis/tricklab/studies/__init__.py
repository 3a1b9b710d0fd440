"""The questions that the laboratory is for: one module a question, each with its ``STUDY``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tricklab.errors import UserError
from tricklab.options import suggestion

if TYPE_CHECKING:
    from tricklab.studies.base import Study

STUDIES = ("bids", "shriving", "calibration", "balance")
"""Names of the studies, in the order in which they are told."""


def study(name: str) -> Study:
    """The study of this name.

    Raises
    ------
    UserError
        For an unknown name.
    """
    if name not in STUDIES:
        raise UserError(f"there is no study {name!r}; {suggestion(name, STUDIES)}")
    found: Study = import_module(f"tricklab.studies.{name}").STUDY
    return found
