"""A study: a question about games, what is played to answer it, and how the answer is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import joblib
import pandas as pd

from tricklab.errors import UserError, is_whole
from tricklab.files import check_target
from tricklab.games import game_class
from tricklab.options import suggestion
from tricklab.policies import policy
from tricklab.results import command, versions
from tricklab.rng import check_seed
from tricklab.simulation import BLOCK, progress_bar, worker_count
from tricklab.studies.answer import Answer, Part, read_frames

Frames = Mapping[str, pd.DataFrame]
C = TypeVar("C")
T = TypeVar("T")

FEWEST_DEALS = 20
"""Deals a cell from which a study is worth its intervals."""

BUDGETS = ("quick", "default", "full")
"""How much is played: seconds, a minute or so, and as much as a result in print deserves."""


@dataclass(frozen=True)
class Setting:
    """What a study is asked to play.

    Attributes
    ----------
    hands : int
        Deals a cell.
    seed : int
        Seed of everything random.
    games : tuple of str
        Games to play, out of those that the study is about.
    policies : tuple of str
        Textual forms of the policies compared, the strongest last; at least two.
    n_jobs : int, optional
        Worker processes, as for :func:`tricklab.simulate`.
    progress : bool, optional
        Whether to show progress, as for :func:`tricklab.simulate`.
    """

    hands: int
    seed: int
    games: tuple[str, ...]
    policies: tuple[str, ...]
    n_jobs: int | None = None
    progress: bool | None = None

    def play(
        self,
        work: Callable[[C, int, int], T],
        cells: Sequence[C],
        warm: Sequence[C] = (),
        hands: int | None = None,
    ) -> list[T]:
        """Play the cells of a design, several at once, and return what is made of them in order.

        Parameters
        ----------
        work : callable
            Called with (cell, hands, seed) in a worker: a function of a module, so that it can be
            sent there.  It plays in its own process only, and it must stand a single hand.
        cells : sequence
            What to play.
        warm : sequence
            Cells that between them use every kernel: they are played with one hand before workers
            start, so that these find what is compiled on disk.  Default: all cells.
        hands : int, optional
            Deals a cell, if not the setting's.
        """
        deals = self.hands if hands is None else hands
        with progress_bar(deals * len(cells), self.progress) as bar:
            done = []
            for found in self._in_order(work, cells, warm or cells, deals):
                done.append(found)
                bar.update(deals)
        return done

    def _in_order(
        self, work: Callable[[C, int, int], T], cells: Sequence[C], warm: Sequence[C], deals: int
    ) -> Iterator[T]:
        workers = worker_count(self.n_jobs, len(cells), 1)
        if workers == 1:
            for cell in cells:
                yield work(cell, deals, self.seed)
            return
        for cell in warm:
            work(cell, 1, self.seed)
        calls = (joblib.delayed(work)(cell, deals, self.seed) for cell in cells)
        with closing(joblib.Parallel(n_jobs=workers, return_as="generator")(calls)) as results:
            yield from results


class Study(ABC):
    """A question, what is played to answer it, and how the answer is told.

    Attributes
    ----------
    name, title, question : str
        Short name, heading, and what is asked.
    games : tuple of str
        The games it is about.
    budgets : dict
        Deals a cell for each of :data:`BUDGETS`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    budgets: ClassVar[dict[str, int]]

    @abstractmethod
    def play(self, setting: Setting) -> dict[str, pd.DataFrame]:
        """Play what the question needs and return frames of estimates (not the hands)."""

    @abstractmethod
    def findings(self, frames: Frames, stated: Mapping[str, Any]) -> list[str]:
        """The answer in sentences computed from the frames, the most important first."""

    @abstractmethod
    def parts(self, frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
        """What is shown of it: tables and figures under headings."""

    def ask(
        self,
        hands: int | None = None,
        seed: int = 0,
        *,
        budget: str = "default",
        games: Sequence[str] | None = None,
        policies: Sequence[str] = ("simple", "careful"),
        folder: str | Path | None = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> Answer:
        """Answer the question.

        Parameters
        ----------
        hands : int, optional
            Deals a cell, 20 or more; default: what the budget says.
        seed : int
            Seed of everything random.
        budget : {"quick", "default", "full"}
            How much to play.
        games : sequence of str, optional
            Only these games.
        policies : sequence of str
            Textual forms of two policies or more, the strongest last.
        folder : str or Path, optional
            Where the answer is kept.  If one of exactly this setting is there it is read and
            nothing is played; otherwise it is saved there.
        n_jobs, progress
            As for :func:`tricklab.simulate`.

        Raises
        ------
        UserError
            For an argument that cannot be used, or a folder with something else in it.
        """
        setting = self._setting(hands, seed, budget, games, policies, n_jobs, progress)
        stated = self._stated(setting)
        if folder is not None and (Path(folder) / "provenance.json").is_file():
            kept = self.read(folder)
            if _same(kept.stated, stated):
                return kept
            raise UserError(f"{folder} holds an answer to another setting; name another folder")
        if folder is not None:
            check_target(Path(folder), "study")
        answer = self._told(self.play(setting), stated)
        if folder is not None:
            answer.save(folder)
        return answer

    def read(self, folder: str | Path) -> Answer:
        """An answer that was saved; tables and figures are made anew from its frames."""
        name, stated, frames = read_frames(folder)
        if name != self.name:
            raise UserError(f"{folder} holds the study {name!r}, not {self.name!r}")
        return self._told(frames, stated)

    def _told(self, frames: dict[str, pd.DataFrame], stated: dict[str, Any]) -> Answer:
        told = self.findings(frames, stated), self.parts(frames, stated)
        return Answer(self.name, stated, frames, *told)

    def _setting(
        self,
        hands: int | None,
        seed: int,
        budget: str,
        games: Sequence[str] | None,
        policies: Sequence[str],
        n_jobs: int | None,
        progress: bool | None,
    ) -> Setting:
        if budget not in BUDGETS:
            raise UserError(f"budget cannot be {budget!r}; {suggestion(budget, BUDGETS)}")
        deals = self.budgets[budget] if hands is None else hands
        if not is_whole(deals) or deals < FEWEST_DEALS:
            raise UserError(f"a study needs {FEWEST_DEALS} deals a cell or more, not {hands!r}")
        for name in games or ():
            game_class(name)
        chosen = tuple(name for name in self.games if games is None or name in games)
        if not chosen:
            raise UserError(f"the study {self.name} is about {', '.join(self.games)}")
        named = tuple(policy(text).text for text in policies)
        if len(set(named)) < 2:
            raise UserError("a study compares two policies or more: what holds under one may not")
        return Setting(int(deals), check_seed(seed), chosen, named, n_jobs, progress)

    def _stated(self, setting: Setting) -> dict[str, Any]:
        return {
            "games": {name: game_class(name).version for name in setting.games},
            "policies": list(setting.policies),
            "hands_per_cell": setting.hands,
            "seed": setting.seed,
            "block_size": BLOCK,
            "versions": versions(),
            "command": command(),
        }


def _same(kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether two answers are to the same setting: how they were asked for does not matter."""
    return {**kept, "command": ""} == {**wanted, "command": ""}
