"""How often does it happen?  Events counted over simulated hands, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tricklab.errors import UserError
from tricklab.events import Event, FinerColumnError
from tricklab.games.base import Game
from tricklab.policies import seated
from tricklab.results import RECORDS, block_columns, schema, with_categories
from tricklab.simulation import Policies, run_blocks
from tricklab.stats import Estimate, RatioSums, clustered_ratio
from tricklab.table import Table


def how_often(
    game: Game,
    event: str,
    of: str | None = None,
    given: str | None = None,
    *,
    hands: int = 100_000,
    policies: Policies = "careful",
    seed: int = 0,
    level: float = 0.95,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Estimate:
    """Estimate how often an event happens, by playing hands and keeping only counts.

    The event is evaluated in the workers, block by block, so memory does not grow with the number
    of hands.

    Parameters
    ----------
    game : Game
        What to play.
    event : str
        An expression over a frame's columns that is true or false, such as ``"tricks >= 10"`` or
        ``"any(tricks == 0) and winners > 1"``; see :mod:`tricklab.events`.
    of : {"hands", "seats", "tricks", "plays"}, optional
        What is counted, or a further frame of the game's: Emperor's ``"bonuses"``.  Default: the
        first of these whose columns the event can name.
    given : str, optional
        Count only where this holds; about the same rows, or about hands.
    hands, policies, seed, n_jobs, progress
        As for :func:`tricklab.simulate`.
    level : float
        Level of the interval.

    Returns
    -------
    Estimate
        The share of the rows counted, its interval by deals.
    """
    question = Question.parse(game, event, of, given)
    at = seated(policies, game.players)
    total = sum(
        run_blocks(
            game,
            hands,
            at,
            seed,
            question,
            n_jobs=n_jobs,
            progress=progress,
            choices=question.record == "plays",
        ),
        RatioSums(),
    )
    return question.estimate(total, level)


@dataclass(frozen=True)
class Question:
    """An event and the condition under which it is counted, ready for any block.

    Attributes
    ----------
    game : Game
        Whose frames are asked.
    event : Event
        What is counted.
    given : Event or None
        Where it is counted.
    """

    game: Game
    event: Event
    given: Event | None

    @classmethod
    def parse(
        cls,
        game: Game,
        event: str,
        of: str | None = None,
        given: str | None = None,
        frames: Sequence[str] | None = None,
    ) -> Question:
        """Read a question; :class:`UserError` says what cannot be understood.

        Parameters
        ----------
        frames : sequence of str, optional
            Frames among which ``of`` is looked for when it is not stated; default: all.
        """
        columns = {
            name: {column: _kind(game, described.dtype) for column, described in frame.items()}
            for name, frame in schema(game).items()
        }
        if of is not None and of not in columns:
            raise UserError(f"of must be one of {', '.join(columns)}, not {of!r}")
        frames = [name for name in columns if frames is None or name in frames]
        parsed = _parse(event, of, columns, frames)
        condition = None
        if given is not None:
            try:
                condition = Event.parse(given, parsed.of, columns)
            except FinerColumnError as error:
                if of is not None:
                    raise
                # The condition needs a finer frame than the event: count that frame's rows.
                finer = frames[frames.index(parsed.of) + 1 :]
                if not finer:
                    raise error
                condition = _parse(given, None, columns, finer)
                parsed = Event.parse(event, condition.of, columns)
        return cls(game, parsed, condition)

    @property
    def frames(self) -> frozenset[str]:
        """The frames that must be recorded."""
        return self.event.needs | (self.given.needs if self.given else frozenset())

    @property
    def record(self) -> str:
        """The least that a run must record."""
        recorded = self.frames - set(self.game.frames)
        return next(record for record, kept in RECORDS.items() if recorded <= set(kept))

    def __call__(self, table: Table, first: int) -> RatioSums:
        """Counts by deal of a finished block."""
        columns = block_columns(table, first, self.record)
        described = schema(self.game)
        return self.sums(
            {name: with_categories(self.game, described[name], columns[name]) for name in columns}
        )

    def sums(self, frames: Mapping[str, Mapping[str, Any]]) -> RatioSums:
        """Counts by deal over columns."""
        return self.event.sums(frames, self.given)

    def estimate(self, sums: RatioSums, level: float) -> Estimate:
        """The share of rows with the event, named after the question."""
        condition = f" given {self.given}" if self.given else ""
        return clustered_ratio(sums, level, f"{self.event}{condition} (of {self.event.of})")


def _parse(
    text: str, of: str | None, columns: dict[str, dict[str, str]], frames: Sequence[str]
) -> Event:
    """Parse an event, about the coarsest frame that has its columns unless that is stated."""
    if of is not None:
        return Event.parse(text, of, columns)
    for name in frames:
        try:
            return Event.parse(text, name, columns)
        except FinerColumnError as error:
            last = error
    raise last


def _kind(game: Game, dtype: str) -> str:
    return "category" if dtype in ("suit", "card", *game.labels) else dtype
