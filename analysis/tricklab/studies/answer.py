"""What a study found: frames of estimates, and what is shown of them in words, tables, figures."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from tricklab.errors import UserError
from tricklab.files import new_folder
from tricklab.options import suggestion

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMAT = "tricklab-study/1"
"""Marks a folder as a study's answer."""


@dataclass(frozen=True)
class Table:
    """Cells that are ready to be read: each number in them with its interval.

    Attributes
    ----------
    name : str
        Short name, one of a kind within its answer.
    title : str
        What the table shows.
    head : list of str
        Headings, the first that of the labels.
    rows : list of list of str
        Cells, the first of a row its label.
    note : str
        What must be known to read it.
    """

    name: str
    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""

    def _repr_html_(self) -> str:
        def line(cells: Sequence[str], tag: str) -> str:
            return "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)

        body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in self.rows)
        return (
            f"<table><caption>{html.escape(self.title)}</caption>"
            f"<thead><tr>{line(self.head, 'th')}</tr></thead><tbody>{body}</tbody></table>"
            f"<p><small>{html.escape(self.note)}</small></p>"
        )


@dataclass(frozen=True)
class Figure:
    """A drawing that is made when it is wanted.

    Attributes
    ----------
    name : str
        Short name, one of a kind within its answer.
    title : str
        What it shows: also read to those who cannot see it.
    draw : callable
        Makes the drawing and returns its axes.
    note : str
        What must be known to read it.
    """

    name: str
    title: str
    draw: Callable[[], Axes]
    note: str = ""


@dataclass(frozen=True)
class Part:
    """A heading, and what stands under it.

    Attributes
    ----------
    title : str
        The heading.
    text : str
        How it was measured and how to read it, in plain sentences.
    points : sequence of str
        Sentences computed from the results.
    shows : sequence of Table or Figure
        In the order of reading.
    assumption : bool
        Whether this is about what the results rest on, rather than a result.
    """

    title: str
    text: str = ""
    points: Sequence[str] = ()
    shows: Sequence[Table | Figure] = ()
    assumption: bool = False


Kind = TypeVar("Kind", Table, Figure)


@dataclass(frozen=True)
class Answer:
    """What a study found.

    Attributes
    ----------
    study : str
        The study's name.
    stated : dict
        Where the results come from: games, policies, deals, seed, versions, command.
    frames : dict of DataFrame
        The results, by name: tidy, a row an estimate.
    findings : list of str
        The answer in sentences computed from the frames, the most important first.
    parts : list of Part
        What is shown of it.
    """

    study: str
    stated: dict[str, Any] = field(repr=False)
    frames: Mapping[str, pd.DataFrame] = field(repr=False)
    findings: list[str] = field(repr=False)
    parts: list[Part] = field(repr=False)

    def table(self, name: str) -> Table:
        """The table of this name."""
        return self._shown(name, Table)

    def figure(self, name: str) -> Axes:
        """The figure of this name, drawn."""
        return self._shown(name, Figure).draw()

    def _shown(self, name: str, kind: type[Kind]) -> Kind:
        named = {s.name: s for part in self.parts for s in part.shows if isinstance(s, kind)}
        if name not in named:
            what = kind.__name__.lower()
            raise UserError(f"{self.study} has no {what} {name!r}; {suggestion(name, named)}")
        return named[name]

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.findings)
        return f"<ul>{items}</ul>"

    def save(self, folder: str | Path) -> Path:
        """Write the frames, as Parquet and CSV, and where they come from into a new folder."""
        target = Path(folder)
        with new_folder(target, "study") as work:
            self.write(work)
        return target

    def write(self, folder: Path) -> None:
        """Write the frames and where they come from into a folder that is there."""
        for name, frame in self.frames.items():
            frame.to_parquet(folder / f"{name}.parquet", index=False)
            frame.to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")
        stated = {"format": FORMAT, "study": self.study, "frames": list(self.frames)} | self.stated
        text = json.dumps(stated, indent=2)
        (folder / "provenance.json").write_text(text + "\n", encoding="utf-8")


def read_frames(folder: str | Path) -> tuple[str, dict[str, Any], dict[str, pd.DataFrame]]:
    """The study's name, provenance and frames that :meth:`Answer.save` wrote."""
    path = Path(folder)
    try:
        stated = json.loads((path / "provenance.json").read_text(encoding="utf-8"))
        if stated.pop("format") != FORMAT:
            raise UserError(f"{path} does not hold a study of format {FORMAT}")
        name = stated.pop("study")
        frames = {f: pd.read_parquet(path / f"{f}.parquet") for f in stated.pop("frames")}
    except OSError as error:
        raise UserError(f"there is no study in {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"the study in {path} cannot be read: {error}") from None
    return name, stated, frames
