"""Replays hand histories under the rules: the first fault of each, or the finished hands.

Histories of one variant are replayed together, in lock step, by the engine that simulates: a
:class:`~tricklab.script.Script` sits at every seat and answers what the history says.  A hand whose
history has a fault is played on with any legal cards, so as not to hold up the others, and left out
of what is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import numpy as np

from tricklab.dealing import Deal
from tricklab.errors import UserError, is_whole, printable
from tricklab.games.base import Game
from tricklab.history import result
from tricklab.play import play_out
from tricklab.reading import FAR, Fault, FaultError, Parsed, parse, short
from tricklab.results import Frames, Run, block_columns
from tricklab.script import ReplayDesk, Script
from tricklab.simulation import provenance, run_of
from tricklab.table import Table

CHUNK = 4096
"""Lines read and replayed at a time."""

SHARE_TOLERANCE = 1e-6
"""How far a stated share of a win may be from 1/k."""

MOST_LINES = 2**62
"""More lines than a file can have."""


@dataclass(frozen=True)
class Check:
    """What became of one line: its fault, or None, and its hand if it could be replayed."""

    line: int
    fault: Fault | None
    game: Game | None = None
    table: Table | None = None
    row: int = 0

    def in_words(self) -> str:
        """The line and what is wrong with it, or that it is right."""
        if self.fault is None:
            return f"line {self.line}: OK"
        f = self.fault
        where = "" if f.action is None else f", action {f.action}"
        return printable(f"line {self.line}{where}: {f.kind} ({f.clause}): {f.message}")

    def to_dict(self) -> dict[str, Any]:
        """The check ready for JSON."""
        names = ("kind", "action", "clause", "message")
        stated = {name: getattr(self.fault, name, None) for name in names}
        return {"line": self.line, "ok": self.fault is None, **stated}


def check_histories(path: str | Path) -> Iterator[Check]:
    """Replay every history of a file, in the order of its lines; blank lines are passed over.

    Raises
    ------
    UserError
        If the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            chunk: list[tuple[int, bytes]] = []
            for number, text in enumerate(file, start=1):
                if text.strip():
                    chunk.append((number, text))
                if len(chunk) == CHUNK:
                    yield from check_lines(chunk)
                    chunk = []
            yield from check_lines(chunk)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None


def check_lines(texts: list[tuple[int, bytes]]) -> list[Check]:
    """Replay histories given as numbered lines."""
    done: dict[int, Check] = {}
    groups: dict[str, list[Parsed]] = {}
    games: dict[str, Game] = {}
    for number, text in texts:
        try:
            parsed = parse(number, text, games)
        except FaultError as error:
            done[number] = Check(number, error.fault)
        else:
            groups.setdefault(parsed.game.label + str(parsed.game.switches), []).append(parsed)
    for group in groups.values():
        done |= {check.line: check for check in _replay(group)}
    return [done[number] for number, _ in texts]


def read_histories(path: str | Path, game: Game | None = None) -> Run:
    """Read hand histories as a run, so that they can be analysed like simulated hands.

    Parameters
    ----------
    path : str or Path
        A file of histories, one a line.
    game : Game, optional
        Read only the hands of this game and these switches; default: all, which must be of one.

    Returns
    -------
    Run
        With all frames; hands are numbered in the order of their lines, from 0.

    Raises
    ------
    UserError
        If the file cannot be read, holds no such hand, holds several games, or has a line with a
        fault, which the message names.
    """
    blocks: list[Frames] = []
    hands = 0
    only = game
    for table, checks in groupby(check_histories(path), key=lambda check: check.table):
        found = list(checks)
        if table is None:
            raise UserError(f"{path}, {found[0].in_words()}")
        if only is None:
            only = table.game
        elif table.game != only:
            if game is not None:
                continue
            raise UserError(
                f"{path}, line {found[0].line} is of another game than those before: "
                f"{table.game.label}, not {only.label}; say which to read"
            )
        rows = table.take(np.array([check.row for check in found]))
        blocks.append(block_columns(rows, hands, "plays"))
        hands += len(found)
    if only is None or not blocks:
        raise UserError(f"there is no hand in {path}" + (f" of {only.label}" if only else ""))
    stated = provenance(only, (), hands, 0, "plays", source=str(path))
    return run_of(only, stated, blocks)


def history_at(path: str | Path, line: int) -> tuple[Table, int]:
    """The replayed hand of one line of a file, as a table and a row of it.

    Raises
    ------
    UserError
        If the file has no such line, or the line has a fault.
    """
    try:
        with Path(path).open("rb") as file:
            text = next(islice(file, min(line, MOST_LINES) - 1, None), b"") if line > 0 else b""
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    if not text.strip():
        raise UserError(f"there is no hand in line {line} of {path}; lines count from 1")
    check = check_lines([(line, text)])[0]
    if check.table is None:
        raise UserError(f"{path}, {check.in_words()}")
    return check.table, check.row


def _replay(group: list[Parsed]) -> list[Check]:
    """Replay histories of one variant."""
    game = group[0].game
    hold = np.stack(
        [np.stack([game.deck.masks(cards) for cards in parsed.deal]) for parsed in group]
    )
    round_the_table = [
        [card for turn in zip(*parsed.deal, strict=True) for card in turn] for parsed in group
    ]
    pack = np.array(
        [cards + parsed.stock for cards, parsed in zip(round_the_table, group, strict=True)],
        np.uint8,
    )
    dealer = np.array([parsed.dealer for parsed in group], np.int8)
    table = Table(Deal(game, pack, hold, dealer), game.n_tricks, choices=True)
    if game.bonuses:
        table.extra.doubling[:] = [parsed.doubling for parsed in group]
    script = Script(table, [parsed.actions for parsed in group])
    play_out(table, ReplayDesk(script))
    script.end()
    scored = game.score(table)
    checks = []
    for row, parsed in enumerate(group):
        fault = script.faults[row]
        if fault is None and parsed.stated:
            fault = _mismatch(game, parsed.stated, result(table, scored, row))
        if fault is None:
            checks.append(Check(parsed.line, None, game, table, row))
        else:
            checks.append(Check(parsed.line, fault))
    return checks


def _mismatch(game: Game, stated: dict[str, Any], computed: dict[str, Any]) -> Fault | None:
    """The first field of a stated result that differs from the computed one."""
    for name, right in computed.items():
        if name not in stated:
            continue
        said = stated[name]
        if not _same_kind(said, right, name):
            message = f"result {name} must be like {short(right)}, not {short(said)}"
            return Fault("malformed", None, "format", message)
        several = isinstance(right, list)
        if name == "bonuses":
            close = _in_order(said) == _in_order(right)
        else:
            close = all(map(_close, said, right)) if several else said == right
        if not close:
            clause = game.clauses.result[name]
            message = f"the {name} is {short(right)} ({clause}), not {short(said)} as stated"
            return Fault("mismatch", None, clause, message)
    return None


def _in_order(entries: list[dict[str, Any]]) -> list[str]:
    """Entries that may stand in any order, in one order."""
    return sorted(json.dumps(entry, sort_keys=True) for entry in entries)


def _close(said: int | float, right: int | float) -> bool:
    # Huge whole numbers cannot be told from a share by subtraction.
    return said == right or (abs(said) < FAR and abs(said - right) <= SHARE_TOLERANCE)


def _same_kind(said: Any, right: Any, name: str) -> bool:
    if name == "bonuses":
        return isinstance(said, list) and all(isinstance(entry, dict) for entry in said)
    if isinstance(right, list):
        numbers = (int, float)
        return (
            isinstance(said, list)
            and len(said) == len(right)
            and all(isinstance(x, numbers) and not isinstance(x, bool) for x in said)
        )
    if name == "made":
        return said is None or isinstance(said, bool)
    return said is None or is_whole(said)
