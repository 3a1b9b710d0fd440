"""Matches: hands until the game's end rule fires, all matches of a block in lock step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.dealing import Deal, deal_block
from tricklab.desk import Desk
from tricklab.errors import UserError, is_whole
from tricklab.files import new_file
from tricklab.games.base import Game
from tricklab.games.parts import shares, side_totals
from tricklab.history import history_lines
from tricklab.play import play_out
from tricklab.policies import Policy, seated
from tricklab.results import Frames, Run, block_columns, check_sums, concatenate
from tricklab.rng import Streams, check_seed
from tricklab.simulation import (
    Policies,
    block_sizes,
    check_game,
    provenance,
    run_of,
    spread,
    worker_count,
)
from tricklab.table import Table

MATCH_BLOCK = 1024
"""Matches a block.  Part of the definition of a run: changing it changes every result."""

HAND_LIMIT = 500
"""Hands after which a match is stopped, unless another limit is asked for."""

MAX_LIMIT = 2**15 - 1
"""Hands a match can have: they are counted in 16 bits."""


def simulate_matches(
    game: Game,
    matches: int,
    policies: Policies = "careful",
    seed: int = 0,
    *,
    first_dealer: int = 0,
    limit: int = HAND_LIMIT,
    histories: str | Path | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Run:
    """Play many matches.

    Parameters
    ----------
    game : Game
        What to play; Junni needs ``campaign`` or ``traitor`` (J15, J20).
    matches : int
        How many matches, 1 or more.
    policies : str, Policy or sequence of such
        One policy (or its textual form) for all seats, or one a seat.
    seed : int
        Seed of everything random, 0 or more.  The deals of a match do not depend on the policies.
    first_dealer : int
        Who deals the first hand of every match; the deal then passes clockwise (J4).
    limit : int
        Hands after which a match is stopped and counted as unfinished: a match in which nobody
        ever scores would not end.
    histories : str or Path, optional
        A file to write the hands to, one history a line, match by match.
    n_jobs : int, optional
        Worker processes as joblib counts them.  Default: one a core where there are blocks for it.
    progress : bool, optional
        Whether to show a bar of finished matches.  Default: in terminals and notebooks.

    Returns
    -------
    Run
        With the frames ``matches``, ``standings``, ``hands`` and ``seats``; each hand states its
        ``match`` and its ``round`` within it.

    Raises
    ------
    UserError
        For an argument that cannot be used.
    """
    check_game(game).check_match()
    at = seated(policies, game.players)
    if not is_whole(first_dealer) or not 0 <= first_dealer < game.players:
        raise UserError(
            f"first_dealer must be a seat from 0 to {game.players - 1}, not {first_dealer!r}"
        )
    if not is_whole(limit) or not 1 <= limit <= MAX_LIMIT:
        raise UserError(f"limit must be a whole number from 1 to {MAX_LIMIT}, not {limit!r}")
    sizes = block_sizes("matches", matches, MATCH_BLOCK)
    seed = check_seed(seed)
    play = partial(match_block, game, at, seed, first_dealer, limit, histories is not None)
    workers = worker_count(n_jobs, len(sizes), 2)
    blocks = []
    hands = 0
    with new_file(histories, "histories") if histories is not None else nullcontext() as writer:
        for frames, lines in spread(play, sizes, workers, progress, "matches"):
            for name in ("hands", "seats", *game.frame_names):
                frames[name]["hand"] += np.int32(hands)
            hands += len(frames["hands"]["hand"])
            blocks.append(frames)
            if writer is not None:
                writer.write(lines)
    stated = provenance(
        game,
        at,
        hands,
        seed,
        "matches",
        block_size=MATCH_BLOCK,
        matches=int(matches),
        first_dealer=int(first_dealer),
        limit=int(limit),
    )
    return run_of(game, stated, blocks)


def match_block(
    game: Game,
    policies: Sequence[Policy],
    seed: int,
    first_dealer: int,
    limit: int,
    tell: bool,
    block: int,
    size: int,
) -> tuple[Frames, list[str]]:
    """Play one block of matches.

    Returns
    -------
    Frames
        The columns of its frames, hands numbered from 0.
    list of str
        The histories of its hands in the same order, if they are to be told.
    """
    race = Race(game, size)
    rounds: list[Frames] = []
    before = 0
    told: list[str] = []
    for r in range(limit):
        live = np.flatnonzero(~race.over)
        if not len(live):
            break
        dealer = np.full(size, (first_dealer + r) % game.players, np.int8)
        streams = Streams(seed, block, r)
        dealt = deal_block(game, streams, 0, size)
        deal = Deal(game, dealt.pack, dealt.hold, dealer)
        table = Table(deal, game.n_tricks)
        table.standing[:] = race.standing
        table.carried[:] = race.carried
        table.round[:] = r + 1
        table = table.part(live)
        play_out(table, Desk(policies, streams, block * MATCH_BLOCK, "match"))
        check_sums(table)
        race.add(live, game.score(table).score)
        race.carried[live] = game.carry(table)
        frames = block_columns(table, 0, "seats")
        # Until all are in order, the number of a hand is that of its row.
        for name in game.frame_names:
            frames[name]["hand"] += np.int32(before)
        before += len(live)
        frames["hands"]["match"] = (live + block * MATCH_BLOCK).astype(np.int32)
        frames["hands"]["round"] = np.full(len(live), r + 1, np.int16)
        rounds.append(frames)
        if tell:
            numbers = (live + block * MATCH_BLOCK).tolist()
            notes = [{"seed": seed, "match": match, "round": r + 1} for match in numbers]
            told += history_lines(table, notes)
    frames = concatenate(rounds)
    order = np.lexsort((frames["hands"]["round"], frames["hands"]["match"]))
    in_order = race.columns(block * MATCH_BLOCK) | ordered(frames, order, game)
    return in_order, [told[row] for row in order] if tell else []


def ordered(frames: Frames, order: NDArray[np.int64], game: Game) -> Frames:
    """The frames of hands, the hands in another order and numbered from 0."""
    hands, seats, players = frames["hands"], frames["seats"], game.players
    of_seats = (order[:, None] * players + np.arange(players)).ravel()
    number = np.arange(len(order), dtype=np.int32)
    place = np.empty_like(number)
    place[order] = number
    more: Frames = {}
    for name in game.frame_names:
        hand = place[frames[name]["hand"]]
        rows = np.argsort(hand, kind="stable")
        more[name] = {column: values[rows] for column, values in frames[name].items()}
        more[name]["hand"] = hand[rows]
    return more | {
        "hands": {name: values[order] for name, values in hands.items()} | {"hand": number},
        "seats": {name: values[of_seats] for name, values in seats.items()}
        | {"hand": np.repeat(number, players)},
    }


class Race:
    """Where the matches of a block stand, and who led them when.

    Attributes
    ----------
    standing : int32 (M, P)
        Score of each seat so far.
    carried : uint16 (M, P)
        What else each seat carries from hand to hand, as the game has it.
    hands : int16 (M,)
        Hands played.
    over : bool (M,)
        Matches that have come to their end.
    """

    def __init__(self, game: Game, matches: int) -> None:
        self.game = game
        self.standing = np.zeros((matches, game.players), np.int32)
        self.carried = np.zeros((matches, game.players), np.uint16)
        self.hands = np.zeros(matches, np.int16)
        self.over = np.zeros(matches, np.bool_)
        self._leader = np.full(matches, NO_SEAT, np.int8)
        self._changes = np.zeros(matches, np.int16)
        self._since = np.zeros((matches, game.players), np.int16)

    def add(self, rows: NDArray[np.int64], score: NDArray[np.signedinteger[Any]]) -> None:
        """Add one hand's scores to the matches in ``rows``."""
        self.standing[rows] += score
        self.hands[rows] += 1
        total = side_totals(self.standing[rows], self.game.sides)
        leads = (total == total.max(axis=1, keepdims=True)) & (total.max(axis=1) > 0)[:, None]
        since = self._since[rows]
        now = self.hands[rows][:, None]
        self._since[rows] = np.where(leads, np.where(since > 0, since, now), 0)
        # A side is known by its first seat.
        alone = leads.sum(axis=1) == np.bitwise_count(self.game.sides[leads.argmax(axis=1)])
        leader = np.where(alone, leads.argmax(axis=1), NO_SEAT).astype(np.int8)
        before = self._leader[rows]
        self._changes[rows] += alone & (before != NO_SEAT) & (leader != before)
        self._leader[rows] = np.where(alone, leader, before)
        self.over[rows] = self.game.match_over(self.standing[rows], self.hands[rows])

    def columns(self, first: int) -> Frames:
        """The columns of the ``matches`` and ``standings`` frames, matches numbered from first."""
        matches, players = self.standing.shape
        number = np.arange(first, first + matches, dtype=np.int32)
        win = np.where(self.over[:, None], shares(self.standing, self.game.sides), 0)
        one_of_each = np.unique(self.game.sides, return_index=True)[1]
        order = np.sort(side_totals(self.standing, self.game.sides)[:, one_of_each], axis=1)
        since = np.where(win > 0, self._since, 0).max(axis=1)
        of_matches = {
            "match": number,
            "hands": self.hands,
            "finished": self.over.astype(np.int8),
            "winner": np.where(self.over, win.argmax(axis=1), NO_SEAT).astype(np.int8),
            "winners": (win[:, one_of_each] > 0).sum(axis=1, dtype=np.int8),
            "best": order[:, -1].astype(np.int32),
            "margin": (order[:, -1] - order[:, -2]).astype(np.int32),
            "lead_changes": self._changes,
            "last_lead": since.astype(np.int16),
        }
        of_matches |= {f"score_{seat}": self.standing[:, seat].copy() for seat in range(players)}
        return {
            "matches": of_matches,
            "standings": {
                "match": np.repeat(number, players),
                "seat": np.tile(np.arange(players, dtype=np.int8), matches),
                "score": self.standing.ravel(),
                "win": win.astype(np.float32).ravel(),
            },
        }
