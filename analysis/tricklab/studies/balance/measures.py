"""What the balance study measures of finished hands: one value a deal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.games.trjamann import LIMIT, NULLO, TARGET
from tricklab.results import block_columns
from tricklab.table import Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """Something with one value a deal.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    share : bool
        Whether it is read as a percentage.
    event : bool
        Whether a deal has it or has it not: its values are 0 and 1.
    gap : bool
        Whether it is itself a difference of shares, read in percentage points.
    """

    name: str
    title: str
    share: bool = True
    event: bool = False
    gap: bool = False


MEASURES = (
    Measure("edge", "first seat's share of wins above an equal one", gap=True),
    Measure("balance", "win-share balance"),
    Measure("spread", "spread of tricks over the seats (standard deviation)", share=False),
    Measure("evenness", "evenness of tricks (entropy, of the greatest)"),
    Measure("settled", "part of the hand played until the outcome is settled"),
    Measure("lead_changes", "lead changes in a hand", share=False),
    Measure("comeback", "hands won from behind at half-time", event=True),
    Measure("tie", "hands with a shared win", event=True),
    Measure("forced", "plays with one legal card only"),
    Measure("branching", "legal cards to choose from", share=False),
    Measure("luck", "luck share"),
    Measure("skill", "wins of a stronger player above a weaker one's", gap=True),
    Measure("length", "hands in a match", share=False),
)
"""Measures of every cell for which they have a meaning.

Definitions
-----------
balance
    One less the largest difference between two seats' shares of wins.  The two seats are chosen on
    half of the deals and compared on the other, so that chance alone does not make a difference
    (and a small one is rather missed than made larger).
evenness
    Entropy of the distribution of tricks over the seats (Shannon, "A mathematical theory of
    communication", 1948) as a part of the greatest possible, log(seats): Pielou's evenness ("The
    measurement of diversity in different types of biological collections", 1966).
settled, lead_changes, comeback, branching
    After Browne's criteria of games (*Automatic Generation and Evaluation of Recombination Games*,
    2008): decisiveness, lead change, drama, branching factor, here from what has been taken by
    trick.  A hand is settled when the side in front cannot be caught whatever is still taken, or
    when a contract can no longer fail or be made.
luck, skill
    See :mod:`.luck`.
"""
MEASURE = {measure.name: measure for measure in MEASURES}

STRIKING = (
    Measure("tie", "a shared win", event=True),
    Measure("shutout", "a seat takes no trick", event=True),
    Measure("half", "a seat takes half the tricks", event=True),
    Measure("unbroken", "trumps are never broken", event=True),
    Measure("saved", "an Excuse saves a trump", event=True),
    Measure("worthless", "a trick has no valued card", event=True),
)
"""Striking things that may happen in a hand of Junni."""

HOLDING = ("trumps", "high_cards", "barbarians", "voids")
"""Features of a dealt holding whose worth is measured."""


def of_hands(table: Table, first: int, holdings: bool) -> dict[str, Any]:
    """Measures of finished hands: what a worker keeps of a block.

    Parameters
    ----------
    table : Table
        Finished hands with their choices recorded.
    first : int
        Number of its first hand.
    holdings : bool
        Whether to keep the dealt holdings' features as well.

    Returns
    -------
    dict
        ``measures`` by name, float32 (H,); ``tricks`` and ``wins`` by distance from the first seat,
        float32 (H, P); ``score`` of each seat, float32 (H, P); ``holdings``, columns by name.
    """
    game, players = table.game, table.game.players
    frames = block_columns(table, first, "seats")
    hands, seats = frames["hands"], frames["seats"]
    tricks = table.state.tricks.astype(np.float64)
    wins = shared_wins(seats["win"].reshape(-1, players))
    found = {
        "spread": tricks.std(axis=1),
        "evenness": evenness(tricks),
        "forced": table.state.forced.sum(axis=1) / (table.tricks * players),
        "branching": branching(table),
    }
    gained = gains(table)
    if "declarer" not in game.hand_columns:
        sides = np.unique(game.sides)
        member = (sides[:, None] >> np.arange(players) & 1).astype(np.float64)
        found |= race(gained @ member.T)
        found["tie"] = hands["winners"] > 1
    elif game.name in NEEDS:
        found["settled"] = settled_contract(table, gained, NEEDS[game.name](table))
    if "broken_trick" in hands:
        best = tricks.max(axis=1)
        found |= {
            "shutout": tricks.min(axis=1) == 0,
            "half": 2 * best >= table.tricks,
            "unbroken": hands["broken_trick"] == 0,
            "saved": hands["excuse_saves"] > 0,
            "worthless": hands["worthless_tricks"] > 0,
        }
    order = (first_seats(table)[:, None] + np.arange(players)) % players
    return {
        "measures": {name: np.asarray(values, np.float32) for name, values in found.items()},
        "tricks": np.take_along_axis(tricks, order, axis=1).astype(np.float32),
        "wins": np.take_along_axis(wins, order, axis=1).astype(np.float32),
        "score": seats["score"].reshape(-1, players).astype(np.float32),
        "holdings": {c: seats[c] for c in (*HOLDING, "tricks")} if holdings else {},
    }


def first_seats(table: Table) -> NDArray[np.int8]:
    """The seat that acts first, by the deal alone: it leads, bids or declares first."""
    return table.game.first_seat(table.dealer)


def shared_wins(win: NDArray[np.float32]) -> Floats:
    """Wins as shares that add up to 1 in a hand that somebody won, (H, P)."""
    total = win.sum(axis=1, keepdims=True, dtype=np.float64)
    return np.divide(win, total, out=np.zeros(win.shape), where=total > 0)


def evenness(tricks: Floats) -> Floats:
    """Entropy of each hand's shares of tricks over its greatest, log(seats), (H,)."""
    total = tricks.sum(axis=1, keepdims=True)
    share = np.divide(tricks, total, out=np.full(tricks.shape, np.nan), where=total > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(share > 0, -share * np.log(share), 0.0)
    entropy = terms.sum(axis=1) / np.log(tricks.shape[1])
    return np.where(total[:, 0] > 0, entropy, np.nan)


def branching(table: Table) -> Floats:
    """Mean number of legal cards over a hand's plays, (H,); NaN where nothing was played."""
    assert table.choices is not None
    mean = table.choices.mean(axis=(0, 2))
    return np.where(table.over, np.nan, mean)


def gains(table: Table) -> Floats:
    """What each seat gained in each trick of what decides the hand, (T, H, P).

    Points of a scoring table where there is one, those of cards that stay with whoever played them
    included (J19); else tricks.
    """
    game = table.game
    took = (table.winners[:, :, None] == np.arange(game.players)) & ~table.over[:, None]
    points = game.trick_points(table)
    total = game.score(table).points
    if not total.any():
        return took.astype(np.float64)
    gained = took * points[:, :, None].astype(np.float64)
    values, kept, _, _ = game.values
    by_card = np.append(np.where(kept, values, 0.0), 0.0)
    own: Floats = by_card[np.minimum(table.cards, len(values))]  # nothing where no card was played
    if own.any():
        # The game states values in average tricks; the points they stand for are what is left.
        own *= (total.sum(dtype=np.int64) - gained.sum()) / own.sum()
    out: Floats = gained + own
    return out


def race(gained: Floats) -> dict[str, Floats]:
    """How a hand between sides went, from each side's gains by trick, (T, H, sides).

    Returns
    -------
    dict of (H,)
        ``settled``, ``lead_changes`` and ``comeback``.
    """
    tricks, hands, sides = gained.shape
    standing = gained.cumsum(axis=0)
    left = gained.sum(axis=(0, 2)) - standing.sum(axis=2)
    order = np.sort(standing, axis=2)
    ahead = order[:, :, -1] - order[:, :, -2] > left
    ahead[-1] = True  # a tie is settled by the last trick
    changes = np.zeros(hands)
    leader = np.full(hands, -1)
    for t in range(tricks):
        best = standing[t] == standing[t].max(axis=1, keepdims=True)
        alone = best.sum(axis=1) == 1
        now = best.argmax(axis=1)
        changes += alone & (leader >= 0) & (leader != now)
        leader = np.where(alone, now, leader)
    half = standing[tricks // 2 - 1] if tricks > 1 else np.zeros((hands, sides))
    led = half == half.max(axis=1, keepdims=True)
    won = standing[-1] == standing[-1].max(axis=1, keepdims=True)
    return {
        "settled": (ahead.argmax(axis=0) + 1) / tricks,
        "lead_changes": changes,
        "comeback": (~(led & won).any(axis=1)).astype(np.float64),
    }


def settled_contract(table: Table, gained: Floats, need: Floats) -> Floats:
    """Part of each hand played until its contract could no longer fail or be made, (H,)."""
    seats = np.arange(table.game.players)
    at = np.arange(table.hands)
    side = table.sides[at, table.declarer.clip(0)][:, None] >> seats & 1
    got = (gained * side).sum(axis=2).cumsum(axis=0)
    left = gained.sum(axis=(0, 2)) - gained.sum(axis=2).cumsum(axis=0)
    sure = (got >= need) | (got + left < need)
    sure[-1] = True
    return np.where(table.over, np.nan, (sure.argmax(axis=0) + 1) / table.tricks)


def _traitor_need(table: Table) -> Floats:
    return table.bidding.high.astype(np.float64)


def _kaji_need(table: Table) -> Floats:
    return table.bidding.high.astype(np.float64) + table.game.book


def _trjamann_need(table: Table) -> Floats:
    kinds = np.array([contract.kind for contract in table.game.contracts])
    return np.where(kinds[table.contract] == NULLO, LIMIT + 1.0, float(TARGET))


NEEDS: dict[str, Callable[[Table], Floats]] = {
    "junni": _traitor_need,
    "kaji": _kaji_need,
    "trjamann": _trjamann_need,
}
"""By game, the tricks or points with which a contract is decided: made, or in Nullo lost."""
