"""The frames of a run, their schema, and how they are kept on disk."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab.errors import UserError
from tricklab.files import new_folder
from tricklab.games import GAMES
from tricklab.games import game as make_game
from tricklab.games.base import Game
from tricklab.games.parts import (
    Column,
    Columns,
    best_two,
    count_sides,
    over_seats,
    side_totals,
)
from tricklab.stats import Estimate
from tricklab.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

FORMAT = "tricklab-run/1"

RECORDS = {
    "seats": ("hands", "seats"),
    "tricks": ("hands", "seats", "tricks"),
    "plays": ("hands", "seats", "tricks", "plays"),
    "matches": ("matches", "standings", "hands", "seats"),
}
"""What each kind of run keeps."""

OF_HANDS = ("seats", "tricks", "plays")
"""Kinds of runs of single hands: what ``record`` may be."""

Frames = dict[str, Columns]
"""Columns of several frames by frame name."""

_HANDS = {
    "hand": Column("int32", "number of the hand within the run, from 0", 0),
    "dealer": Column("int8", "dealer's seat", 0),
    "leader": Column("int8", "seat that led the first trick", 0),
    "winners": Column("int8", "seats (or sides) sharing the win; 0 where nobody won", 0),
    "best": Column("int16", "best score of a side"),
    "margin": Column("int16", "best score of a side less the second best; 0 for a tie", 0),
}
_OF_MATCH = {
    "match": Column("int32", "number of the match within the run, from 0", 0),
    "round": Column("int16", "number of the hand within its match, from 1", 1),
}
"""What the ``hands`` frame of a run of matches has besides."""

_MATCHES = {
    "match": Column("int32", "number of the match within the run, from 0", 0),
    "hands": Column("int16", "hands played", 1),
    "finished": Column("int8", "1 if the match came to its end, 0 if it was stopped", 0, 1),
    "winner": Column("int8", "winner's (or first of the winners') seat, -1 if unfinished", -1),
    "winners": Column("int8", "seats (or sides) sharing the win; 0 if unfinished", 0),
    "best": Column("int32", "best final score of a side"),
    "margin": Column("int32", "best final score of a side less the second best", 0),
    "lead_changes": Column("int16", "times that another side than the last led alone", 0),
    "last_lead": Column(
        "int16", "hand from which on the winner led or shared the lead; 0 if unfinished", 0
    ),
}
_STANDINGS = {
    "match": Column("int32", "number of the match within the run, from 0", 0),
    "seat": Column("int8", "seat, clockwise from 0", 0),
    "score": Column("int32", "final score of the seat"),
    "win": Column("float32", "1 for the winner, 1/k for each of k tied seats or sides", 0, 1),
}
_SEATS = {
    "hand": Column("int32", "number of the hand within the run, from 0", 0),
    "seat": Column("int8", "seat, clockwise from 0", 0),
    "from_leader": Column("int8", "seats after the first leader, clockwise; 0 is the leader", 0),
    "tricks": Column("int8", "tricks taken", 0),
    "points": Column("int16", "points captured under the scoring table; 0 without one", 0),
    "score": Column("int16", "what the hand adds to the seat's score"),
    "win": Column("float32", "1 for the winner, 1/k for each of k tied seats or sides", 0, 1),
    "forced": Column("int8", "plays with one legal answer only", 0),
}
_TRICKS = {
    "hand": Column("int32", "number of the hand within the run, from 0", 0),
    "trick": Column("int8", "trick, from 1", 1),
    "leader": Column("int8", "seat that led", 0),
    "winner": Column("int8", "seat that took the trick", 0),
    "trump": Column("suit", "suit that was trumps; missing where there were none"),
    "lead": Column("suit", "suit led, or named by a led barbarian"),
    "points": Column("int16", "points that the trick brought its winner", 0),
}
_PLAYS = {
    "hand": Column("int32", "number of the hand within the run, from 0", 0),
    "trick": Column("int8", "trick, from 1", 1),
    "position": Column("int8", "place in the trick: 0 leads", 0),
    "seat": Column("int8", "seat that played", 0),
    "card": Column("card", "card played"),
    "as_suit": Column("suit", "suit it was played as (J7, J17)"),
    "choices": Column("int16", "number of legal answers there were", 1),
}


def schema(game: Game, record: str = "plays") -> dict[str, dict[str, Column]]:
    """Columns of every frame of a run, by frame and column name.

    A dtype ``"suit"`` or ``"card"`` is a pandas categorical of the deck's suit letters or cards;
    a game may have further ones, its ``labels``.
    """
    finals = {
        f"score_{seat}": Column("int32", f"final score of seat {seat}")
        for seat in range(game.players)
    }
    frames = {
        "hands": _with_scores(game, _HANDS)
        | game.hand_columns
        | (_OF_MATCH if record == "matches" else {}),
        "seats": _with_scores(game, _SEATS) | game.seat_columns,
        "tricks": _TRICKS,
        "plays": _PLAYS,
        "matches": _MATCHES | finals,
        "standings": _STANDINGS,
    }
    return {name: frames[name] for name in RECORDS[record]} | game.frames


def _with_scores(game: Game, columns: dict[str, Column]) -> dict[str, Column]:
    """Columns as they are, but those of scores of the game's dtype."""
    scores = {name: columns[name] for name in ("best", "margin", "score") if name in columns}
    return columns | {
        name: replace(column, dtype=game.score_dtype) for name, column in scores.items()
    }


def categories(game: Game, dtype: str) -> list[str]:
    """Categories of a categorical column; its codes are suit or card indices."""
    if dtype == "suit":
        return [suit.letter for suit in game.deck.suits]
    return list(game.labels.get(dtype, game.deck.cards))


def block_columns(table: Table, first: int, record: str) -> Frames:
    """The columns of a finished table's frames.

    Parameters
    ----------
    table : Table
        Finished hands.
    first : int
        Number of the table's first hand.
    record : str
        A key of :data:`RECORDS`.

    Returns
    -------
    dict of dict of ndarray
        By frame and column; categorical columns as codes.
    """
    game, hands, seats = table.game, table.hands, table.game.players
    hand = np.arange(first, first + hands, dtype=np.int32)
    scored = game.score(table)
    one_of_each = np.unique(game.sides, return_index=True)[1]
    totals = side_totals(scored.score, game.sides)[:, one_of_each].astype(game.score_dtype)
    best, next_best, winners = (
        np.empty(hands, totals.dtype),
        np.empty(hands, totals.dtype),
        np.empty(hands, np.int8),
    )
    best_two(totals, best, next_best)
    count_sides(scored.win > 0, table.sides, winners)
    first_leader = game.opening_leader(table)
    turn = np.arange(seats, dtype=np.int8) - first_leader[:, None]
    of_hands: Columns = {
        "hand": hand,
        "dealer": table.dealer,
        "leader": first_leader,
        "winners": winners,
        "best": best,
        "margin": best - next_best,
    }
    of_seats: Columns = {
        "hand": np.repeat(hand, seats),
        "seat": np.tile(np.arange(seats, dtype=np.int8), hands),
        "from_leader": np.where(turn < 0, turn + np.int8(seats), turn),
        "tricks": table.state.tricks,
        "points": scored.points,
        "score": scored.score,
        "win": scored.win,
        "forced": table.state.forced,
    }
    frames: Frames = {
        "hands": of_hands | game.hand_features(table, scored),
        "seats": of_seats | game.seat_features(table),
    }
    if record in ("tricks", "plays"):
        frames["tricks"] = {
            "hand": np.repeat(hand, table.tricks),
            "trick": np.tile(np.arange(1, table.tricks + 1, dtype=np.int8), hands),
            "leader": table.leaders.T,
            "winner": table.winners.T,
            "trump": table.trumps.T,
            "lead": table.leads.T,
            "points": game.trick_points(table).T,
        }
    if record == "plays":
        frames["plays"] = _plays(table, hand)
    for name, of_game in game.frame_features(table, scored).items():
        frames[name] = of_game | {"hand": hand[of_game["hand"]]}
    played = ~table.over
    if not played.all():
        # Hands that were never played have no tricks and no plays.
        for name, each in (("tricks", table.tricks), ("plays", table.tricks * seats)):
            if name in frames:
                keep = np.repeat(played, each)
                frames[name] = {
                    column: np.ascontiguousarray(values).ravel()[keep]
                    for column, values in frames[name].items()
                }
    return {
        name: {column: np.ascontiguousarray(values).ravel() for column, values in frame.items()}
        for name, frame in frames.items()
    }


def _plays(table: Table, hand: NDArray[np.int32]) -> Columns:
    seats = table.game.players
    shape = (table.tricks, table.hands, seats)
    seat = (table.leaders[:, :, None] + np.arange(seats, dtype=np.int8)) % seats

    def by_position(array: NDArray[Any]) -> NDArray[Any]:
        return np.take_along_axis(array, seat.astype(np.intp), axis=2).swapaxes(0, 1)

    def spread(array: NDArray[Any], axis: int) -> NDArray[Any]:
        where = tuple(slice(None) if i == axis else None for i in range(3))
        return np.broadcast_to(array[where], shape).swapaxes(0, 1)

    if table.choices is None:
        raise ValueError("the table did not record its choices")
    return {
        "hand": spread(hand, 1),
        "trick": spread(np.arange(1, table.tricks + 1, dtype=np.int8), 0),
        "position": spread(np.arange(seats, dtype=np.int8), 2),
        "seat": seat.swapaxes(0, 1),
        "card": by_position(table.cards),
        "as_suit": by_position(table.played_as),
        "choices": by_position(table.choices),
    }


def to_frame(game: Game, columns: dict[str, Column], values: Columns) -> pd.DataFrame:
    """A typed frame from columns, codes becoming categoricals."""
    return pd.DataFrame(with_categories(game, columns, values), copy=False)


def with_categories(game: Game, columns: dict[str, Column], values: Columns) -> dict[str, Any]:
    """Columns with codes turned into pandas categoricals."""
    return {
        name: pd.Categorical.from_codes(
            array, categories=pd.Index(categories(game, columns[name].dtype))
        )
        if columns[name].dtype in ("suit", "card", *game.labels)
        else array
        for name, array in values.items()
    }


def check_sums(table: Table) -> None:
    """Raise if tricks were lost or won twice in any finished hand: a broken kernel."""
    taken = over_seats(np.add, table.state.tricks.astype(np.int16))
    lost = taken != np.where(table.over, 0, table.tricks)
    # That somebody holds a card still is right only where a hand was never played.
    hold = table.state.hold
    if lost.any() or (hold.any() and hold[~table.over].any()):
        raise AssertionError("tricks do not add up: the play kernels are broken")


@dataclass(frozen=True)
class Provenance:
    """Where results come from: enough to make them again.

    Attributes
    ----------
    game : str
        The game's name.
    switches : dict
        Every switch that differs from its default, and ``players``.
    game_version : int
        Version of the game's results.
    policies : tuple of str
        Textual form of the policy at each seat.
    hands, seed, block_size : int
        Size and seed of the run, and hands (or matches) a block.
    record : str
        What was kept.
    versions : dict
        Versions of what computed it.
    command : str
        The command line, or the call.
    matches, first_dealer, limit : int
        For matches: how many, who dealt first, and hands after which a match is stopped.
    source : str
        The file that the hands were read from; empty where they were simulated.
    """

    game: str
    switches: dict[str, Any]
    game_version: int
    policies: tuple[str, ...]
    hands: int
    seed: int
    block_size: int
    record: str
    versions: dict[str, str]
    command: str
    matches: int = 0
    first_dealer: int = 0
    limit: int = 0
    source: str = ""


def versions() -> dict[str, str]:
    """Versions of tricklab and of what its numbers rest on."""
    return dict(_versions())


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    names = ("tricklab", "numpy", "numba", "scipy", "pandas")
    installed = [(name, metadata.version(name)) for name in names]
    return (*installed, ("python", platform.python_version()))


def command() -> str:
    """The command line that runs this, its program shortened to its name."""
    if not sys.argv or sys.argv[0] in ("", "-c", "-m"):
        return "python"
    if "ipykernel" in sys.modules:
        return "notebook"  # what started the kernel names a passing file and tells nothing
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])


class Run:
    """The results of a run as frames.

    Attributes
    ----------
    game : Game
        What was played.
    provenance : Provenance
        Where the frames come from.
    hands, seats, tricks, plays : DataFrame
        A row a hand, a seat of a hand, a trick and a play; see :func:`schema`.  ``tricks`` and
        ``plays`` exist only if they were recorded.
    matches, standings : DataFrame
        For a run of matches: a row a match and a seat of a match.
    bonuses : DataFrame
        In Emperor, a row for each bonus of a side that was announced or scored (E22).
    """

    def __init__(self, game: Game, provenance: Provenance, frames: dict[str, pd.DataFrame]) -> None:
        self.game = game
        self.provenance = provenance
        self.frames = frames

    def __repr__(self) -> str:
        who = self.provenance.policies
        shown = who[0] if len(set(who)) == 1 else ", ".join(who)
        return (
            f"Run({self.game.label}; {self.provenance.hands:,} hands, {shown}, "
            f"seed {self.provenance.seed}; frames {', '.join(self.frames)})"
        )

    def _frame(self, name: str) -> pd.DataFrame:
        if name not in self.frames:
            how = "simulate_matches(...)" if name in RECORDS["matches"] else f"record={name!r}"
            raise UserError(f"this run did not record {name}; simulate with {how}")
        return self.frames[name]

    @property
    def hands(self) -> pd.DataFrame:
        """A row a hand."""
        return self._frame("hands")

    @property
    def seats(self) -> pd.DataFrame:
        """A row a seat of a hand."""
        return self._frame("seats")

    @property
    def tricks(self) -> pd.DataFrame:
        """A row a trick."""
        return self._frame("tricks")

    @property
    def plays(self) -> pd.DataFrame:
        """A row a card played."""
        return self._frame("plays")

    @property
    def matches(self) -> pd.DataFrame:
        """A row a match."""
        return self._frame("matches")

    @property
    def standings(self) -> pd.DataFrame:
        """A row a seat of a match."""
        return self._frame("standings")

    @property
    def bonuses(self) -> pd.DataFrame:
        """A row for each bonus of a side that was announced or scored, where there are any."""
        if "bonuses" not in self.frames:
            raise UserError(f"there are no bonuses in {self.game.name}")
        return self._frame("bonuses")

    @property
    def hands_played(self) -> int:
        """Hands that came to be played: not passed out."""
        return int(self.seats["tricks"].sum()) // self.game.n_tricks

    @cached_property
    def schema(self) -> dict[str, dict[str, Column]]:
        """The columns of this run's frames."""
        return schema(self.game, self.provenance.record)

    def how_often(
        self, event: str, of: str | None = None, given: str | None = None, level: float = 0.95
    ) -> Estimate:
        """How often an event happened in this run; see :func:`tricklab.how_often`."""
        from tricklab.questions import Question

        question = Question.parse(self.game, event, of, given, tuple(self.frames))
        missing = set(question.frames) - set(self.frames)
        if missing:
            self._frame(missing.pop())
        frames = {name: {c: f[c] for c in f.columns} for name, f in self.frames.items()}
        return question.estimate(question.sums(frames), level)

    def save(self, folder: str | Path) -> Path:
        """Write the frames as Parquet and their provenance as JSON into a new folder.

        Raises
        ------
        UserError
            If the folder exists with something in it, is a file, or cannot be written; nothing
            half-written is left.
        """
        target = Path(folder)
        with new_folder(target, "run") as work:
            for name, frame in self.frames.items():
                frame.to_parquet(work / f"{name}.parquet", index=False)
            stated = {"format": FORMAT} | self.provenance.__dict__
            text = json.dumps(stated, indent=2, default=list)
            (work / "provenance.json").write_text(text + "\n", encoding="utf-8")
        return target


def load(folder: str | Path) -> Run:
    """Read a run that :meth:`Run.save` wrote.

    Raises
    ------
    UserError
        If the folder holds no run, or one of another format or game version.
    """
    path = Path(folder)
    try:
        stated = json.loads((path / "provenance.json").read_text(encoding="utf-8"))
        more = GAMES[stated["game"]].frame_names
        names = (*RECORDS[stated["record"]], *more)
        frames = {name: pd.read_parquet(path / f"{name}.parquet") for name in names}
    except OSError as error:
        raise UserError(f"there is no run in {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"the run in {path} cannot be read: {error}") from None
    if stated.pop("format", None) != FORMAT:
        raise UserError(f"the run in {path} is not of format {FORMAT}")
    try:
        provenance = Provenance(**stated | {"policies": tuple(stated["policies"])})
    except (KeyError, TypeError) as error:
        raise UserError(f"the run in {path} cannot be read: its provenance: {error}") from None
    game = make_game(provenance.game, **provenance.switches)
    if provenance.game_version != game.version:
        raise UserError(
            f"the run in {path} is of version {provenance.game_version} of {game.name}; "
            f"this is version {game.version}, whose results differ"
        )
    return Run(game, provenance, frames)


def concatenate(blocks: Sequence[Frames]) -> Frames:
    """Columns of consecutive blocks joined."""
    return {
        name: {
            column: np.concatenate([block[name][column] for block in blocks])
            for column in blocks[0][name]
        }
        for name in blocks[0]
    }
