"""The report: what the studies found, in one HTML file with its figures inside and data beside."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tricklab.errors import Stopped, UserError
from tricklab.files import check_target
from tricklab.games import game_class
from tricklab.report.page import build
from tricklab.results import command, versions
from tricklab.studies import STUDIES, study
from tricklab.studies.answer import Answer
from tricklab.studies.base import Study

FORMAT = "tricklab-report/2"
"""Marks a folder as a report of ours, which a new report may replace."""

UNFINISHED = ".unfinished"
"""What the folder of a report in the making is called beyond its name."""


def write_report(
    folder: str | Path,
    *,
    studies: Sequence[str] = STUDIES,
    games: Sequence[str] | None = None,
    hands: int | None = None,
    budget: str = "default",
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Path:
    """Ask the studies and write the report.

    Parameters
    ----------
    folder : str or Path
        Where to write; a report that is there already is replaced, anything else is refused.
    studies : sequence of str
        Names of the studies to tell.
    games : sequence of str, optional
        Only these games; studies that are about none of them are left out.
    hands, budget, seed, n_jobs, progress
        As for :meth:`tricklab.studies.base.Study.ask`.
    tell : callable
        Called with a line about what is played now.

    Returns
    -------
    Path
        The HTML file.

    Raises
    ------
    UserError
        For an argument that cannot be used, or a folder with something else in it.
    Stopped
        If it was interrupted: the studies that had finished are kept beside the folder, and the
        same call goes on from there.
    """
    for name in games or ():
        game_class(name)
    chosen = [study(name) for name in studies]
    told = [each for each in chosen if games is None or set(games) & set(each.games)]
    if not told:
        raise UserError(f"no study of {', '.join(studies)} is about {', '.join(games or ())}")
    target = Path(folder)
    old = _replaceable(target)
    place = target.resolve() if old else target  # "." has no name to put a new folder beside
    fresh = place.with_name(place.name + UNFINISHED)
    if not fresh.exists():
        check_target(fresh, "report")  # before playing, not after
    elif not (fresh / "data").is_dir():
        raise UserError(f"cannot write the report: {fresh} is in the way")

    def ask(each: Study, at: Path) -> Answer:
        return each.ask(
            hands,
            seed,
            budget=budget,
            games=games,
            folder=at,
            n_jobs=n_jobs,
            progress=progress,
        )

    answers = []
    try:
        for i, each in enumerate(told, 1):
            tell(f"{i} of {len(told)}: {each.title}")
            at = fresh / "data" / each.name
            answers.append(_go_on(partial(ask, each), at))
    except KeyboardInterrupt:
        kept = f"; what was finished is kept in {fresh}, and the same command goes on from there"
        raise Stopped("stopped" + (kept if answers else "; nothing was written")) from None
    _write_page(fresh, answers)
    if old:
        _swap(fresh, place)
    else:
        if place.is_dir():
            place.rmdir()
        fresh.rename(place)
    return target / "report.html"


def _go_on(ask: Callable[[Path], Answer], at: Path) -> Answer:
    """An answer of an earlier attempt if it is to the same setting, else a new one in its place."""
    if not at.exists():
        return ask(at)
    try:
        return ask(at)
    except UserError:
        shutil.rmtree(at)
        return ask(at)


def redraw(folder: str | Path) -> Path:
    """Write a report's page anew from the data beside it, without playing anything.

    Raises
    ------
    UserError
        If there is no report in the folder, or its data cannot be read.
    """
    target = Path(folder)
    if not _replaceable(target):
        raise UserError(f"there is no report in {target} to draw again")
    stated = json.loads((target / "provenance.json").read_text(encoding="utf-8"))
    answers = [study(name).read(target / "data" / name) for name in stated["studies"]]
    _write_page(target, answers)
    return target / "report.html"


def _write_page(folder: Path, answers: Sequence[Answer]) -> None:
    stated: dict[str, Any] = {
        "format": FORMAT,
        "command": command(),
        "versions": versions(),
        "studies": {answer.study: answer.stated for answer in answers},
    }
    (folder / "report.html").write_text(build(answers, stated), encoding="utf-8")
    (folder / "provenance.json").write_text(json.dumps(stated, indent=2) + "\n", encoding="utf-8")


def _replaceable(target: Path) -> bool:
    """Whether an earlier report is there; :class:`UserError` if something else is."""
    if target.is_file():
        raise UserError(f"cannot write the report to {target}: it is a file")
    if not target.is_dir() or not any(target.iterdir()):
        return False
    try:
        stated = json.loads((target / "provenance.json").read_text(encoding="utf-8"))
        ours = str(stated.get("format")).startswith("tricklab-report/")
    except (OSError, ValueError, AttributeError):
        ours = False
    if not ours:
        raise UserError(
            f"cannot write the report to {target}: there is something else in that folder"
        )
    return True


def _swap(fresh: Path, old: Path) -> None:
    """Put a finished report in an old one's place; on failure the old one stays."""
    aside = Path(tempfile.mkdtemp(prefix=".tricklab-", dir=old.parent))
    try:
        old.rename(aside / "report")
        fresh.rename(old)
    except BaseException:
        if not old.exists() and (aside / "report").exists():
            (aside / "report").rename(old)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
