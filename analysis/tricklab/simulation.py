"""Runs: blocks of hands, played in lock step and spread over workers by joblib."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import joblib

from tricklab.dealing import Deal, deal_block
from tricklab.desk import Desk
from tricklab.errors import UserError, is_whole
from tricklab.files import new_file
from tricklab.games.base import Game
from tricklab.history import history_lines
from tricklab.options import suggestion
from tricklab.play import play_out
from tricklab.policies import Policy, seated
from tricklab.results import (
    OF_HANDS,
    Frames,
    Provenance,
    Run,
    block_columns,
    check_sums,
    command,
    concatenate,
    schema,
    to_frame,
    versions,
)
from tricklab.rng import Streams, check_seed
from tricklab.table import Table

BLOCK = 4096
"""Hands a block.  Part of the definition of a run: changing it changes every result."""

WORTH_WORKERS = 16
"""Blocks from which starting workers pays, when their number is left open."""

MAX_HANDS = 2**31 - 1
"""Hands a run can have: hand numbers are kept in 32 bits."""

T = TypeVar("T")
Policies = str | Policy | Sequence[str | Policy]


def simulate(
    game: Game,
    hands: int,
    policies: Policies = "careful",
    seed: int = 0,
    *,
    n_jobs: int | None = None,
    record: str = "seats",
    histories: str | Path | None = None,
    progress: bool | None = None,
) -> Run:
    """Deal and play many hands.

    Parameters
    ----------
    game : Game
        What to play, from :func:`tricklab.game`.
    hands : int
        How many hands, 1 or more.
    policies : str, Policy or sequence of such
        One policy (or its textual form) for all seats, or one a seat.
    seed : int
        Seed of everything random, 0 or more.  The same seed gives the same deals whatever the
        policies and variant, and the same results whatever the number of workers.
    n_jobs : int, optional
        Worker processes as joblib counts them (-1: one a core).  Default: one a core for large
        runs, none for small ones.
    record : {"seats", "tricks", "plays"}
        Which frames to keep: hands and seats, tricks as well, or plays as well.
    histories : str or Path, optional
        A file to write the hands to, one history a line.
    progress : bool, optional
        Whether to show a bar of finished hands.  Default: in terminals and notebooks.

    Returns
    -------
    Run

    Raises
    ------
    UserError
        For an argument that cannot be used.
    IllegalAnswer
        If a policy answers what the rules do not allow.
    """
    game = check_game(game)
    if record not in OF_HANDS:
        raise UserError(f"record cannot be {record!r}; {suggestion(record, OF_HANDS)}")
    at = seated(policies, game.players)
    seed = check_seed(seed)
    told = seed if histories is not None else None
    parts = run_blocks(
        game,
        hands,
        at,
        seed,
        _Record(record, told),
        n_jobs=n_jobs,
        progress=progress,
        choices=record == "plays",
    )
    blocks = []
    with new_file(histories, "histories") if histories is not None else nullcontext() as writer:
        for frames, lines in parts:
            blocks.append(frames)
            if writer is not None:
                writer.write(lines)
    return run_of(game, provenance(game, at, hands, seed, record), blocks)


def run_of(game: Game, provenance: Provenance, blocks: list[Frames]) -> Run:
    """A run from the columns of its blocks, which are used up."""
    columns = concatenate(blocks)
    blocks.clear()
    frames = {
        name: to_frame(game, described, columns.pop(name))
        for name, described in schema(game, provenance.record).items()
    }
    return Run(game, provenance, frames)


def provenance(
    game: Game, policies: Sequence[Policy], hands: int, seed: int, record: str, **more: Any
) -> Provenance:
    """Where the results of a run come from; ``more`` are further fields of provenance."""
    return Provenance(
        game=game.name,
        switches=game.switches,
        game_version=game.version,
        policies=tuple(policy.text for policy in policies),
        hands=int(hands),
        seed=int(seed),
        record=record,
        versions=versions(),
        command=command(),
        **{"block_size": BLOCK} | more,
    )


class _Record:
    """Keep a finished block's frames and, where the seed is told, its histories."""

    def __init__(self, record: str, told: int | None) -> None:
        self.record, self.told = record, told

    def __call__(self, table: Table, first: int) -> tuple[Frames, list[str]]:
        frames = block_columns(table, first, self.record)
        if self.told is None:
            return frames, []
        notes = [{"seed": self.told, "hand": first + row} for row in range(table.hands)]
        return frames, history_lines(table, notes)


def run_blocks(
    game: Game,
    hands: int,
    policies: Sequence[Policy],
    seed: int,
    work: Callable[[Table, int], T],
    *,
    n_jobs: int | None = None,
    progress: bool | None = None,
    choices: bool = False,
) -> Iterator[T]:
    """Play a run and yield what ``work`` makes of each finished block, in the order of blocks.

    Parameters
    ----------
    work : callable
        Called as ``work(table, first_hand)`` in the worker; must pickle, and so must its result.
    choices : bool
        Whether the tables record the number of legal answers at each play.

    Other parameters are those of :func:`simulate`.
    """
    sizes = block_sizes("hands", hands, BLOCK)
    play = partial(run_block, game, tuple(policies), check_seed(seed), work=work, choices=choices)
    workers = worker_count(n_jobs, len(sizes), WORTH_WORKERS)
    yield from spread(play, sizes, workers, progress, "hands")


def block_sizes(what: str, count: int, block: int) -> list[int]:
    """Sizes of the blocks of a run, its count checked."""
    if not is_whole(count):
        raise UserError(f"{what} must be a whole number, not {count!r}")
    if not 1 <= count <= MAX_HANDS:
        raise UserError(f"{what} must be from 1 to {MAX_HANDS}, not {count}")
    return [min(block, count - first) for first in range(0, count, block)]


def spread(
    play: Callable[[int, int], T],
    sizes: Sequence[int],
    workers: int,
    progress: bool | None,
    unit: str,
) -> Iterator[T]:
    """Call ``play(block, size)`` for every block, in workers, and yield the results in order."""
    with progress_bar(sum(sizes), progress, unit) as bar:
        if workers == 1:
            for block, size in enumerate(sizes):
                yield play(block, size)
                bar.update(size)
            return
        # Compile (or load) every kernel once here, so that workers find a warm cache on disk.
        play(0, 1)
        parallel = joblib.Parallel(n_jobs=workers, return_as="generator")
        calls = (joblib.delayed(play)(block, size) for block, size in enumerate(sizes))
        with closing(parallel(calls)) as results:
            for size, result in zip(sizes, results, strict=True):
                yield result
                bar.update(size)


def run_block(
    game: Game,
    policies: Sequence[Policy],
    seed: int,
    block: int,
    size: int,
    work: Callable[[Table, int], T],
    choices: bool = False,
) -> T:
    """Deal and play one block and return what ``work`` makes of it."""
    first = block * BLOCK
    streams = Streams(seed, block)
    table = Table(deal_block(game, streams, first, size), game.n_tricks, choices=choices)
    play_out(table, Desk(policies, streams, first))
    check_sums(table)
    return work(table, first)


def deal(game: Game, hands: int, seed: int = 0) -> Deal:
    """The deals of a run's first hands (at most one block), without playing them.

    Parameters
    ----------
    game, hands, seed
        As for :func:`simulate`; hands at most ``BLOCK``.
    """
    if not is_whole(hands) or not 1 <= hands <= BLOCK:
        raise UserError(f"hands to deal must be a whole number from 1 to {BLOCK}, not {hands!r}")
    return deal_block(check_game(game), Streams(seed, 0), 0, int(hands))


def table_of(game: Game, hand: int, policies: Policies = "careful", seed: int = 0) -> Table:
    """One finished hand of a run, as a table of one hand, to look at.

    Parameters
    ----------
    hand : int
        Number of the hand within the run, from 0.

    Other parameters are those of :func:`simulate`.
    """
    if not is_whole(hand) or not 0 <= hand < MAX_HANDS:
        raise UserError(f"hand must be a whole number from 0, not {hand!r}")
    block, row = divmod(int(hand), BLOCK)
    at = seated(policies, check_game(game).players)
    return run_block(game, at, check_seed(seed), block, row + 1, _row, choices=True)


def _row(table: Table, first: int) -> Table:
    return table.take(slice(-1, None))


def check_game(game: Game) -> Game:
    """The game, or :class:`UserError` if it is none."""
    if not isinstance(game, Game):
        raise UserError(f"the game must come from tricklab.game(...), not {game!r}")
    return game


def worker_count(n_jobs: int | None, blocks: int, worth: int) -> int:
    """How many workers to start for so many blocks, by themselves from ``worth`` blocks.

    See :func:`simulate` for ``n_jobs``.
    """
    if n_jobs is None:
        return min(joblib.effective_n_jobs(-1), blocks) if blocks >= worth else 1
    if not is_whole(n_jobs) or n_jobs == 0:
        raise UserError(f"n_jobs must be a whole number other than 0, not {n_jobs!r}")
    return max(1, min(joblib.effective_n_jobs(int(n_jobs)), blocks))


class NoBar:
    """Stands for a progress bar where none is shown.

    tqdm's own disabled bar would make a lock between processes in every worker that plays, which
    is complained of when workers are stopped.
    """

    def __enter__(self) -> NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, n: int) -> None:
        """Show nothing."""


def progress_bar(count: int, progress: bool | None, unit: str = "hands") -> Any:
    """A progress bar that counts what is finished, shown as :func:`simulate` says."""
    if progress is None:
        progress = sys.stderr.isatty() or "ipykernel" in sys.modules
    if not progress:
        return NoBar()
    with warnings.catch_warnings():
        # Without notebook widgets tqdm falls back to text by itself; no need to say so.
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    return tqdm(total=count, unit=unit, unit_scale=True, leave=False)
