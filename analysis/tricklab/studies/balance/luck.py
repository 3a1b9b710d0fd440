"""What a seat's result is due to: the cards, who plays them, and how they are played.

Every deal is played once for each seat, the players moving round the table past the holdings, so
that each player holds each holding once.  One player, the *odd one*, is of another policy than the
others.  The result of a holding in a rotation is then

    result = mean + deal + holding within deal + policy + rest,

and because each holding is played by the odd one exactly once, the sums of squares of these terms
add up to the total (a nested, balanced analysis of variance; Fisher, *Statistical Methods for
Research Workers*, 1925; Searle, Casella and McCulloch, *Variance Components*, 1992).

*Luck share* is the part of the variance that deal and holding bring: what stays with the cards
(and, where dice are rolled, with the dice) whoever plays them.  The policy's part is what the
difference between the two policies brings, and the rest is how players meet in the play.
Random players against random ones have no skill apart, but their luck share is not 1: what they
draw while playing is part of the rest.  It is 1 only where play decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklab.dealing import Deal, deal_block
from tricklab.desk import Desk
from tricklab.games.base import Game
from tricklab.games.parts import side_totals
from tricklab.play import play_out
from tricklab.policies import policy
from tricklab.rng import Streams
from tricklab.simulation import block_sizes
from tricklab.studies.balance.measures import Floats, shared_wins
from tricklab.table import Table

BLOCK = 1024
"""Deals a block: each is played once a seat."""

COMPONENTS = ("cards", "policy", "rest")
"""Parts of the variance of a seat's result."""


@dataclass(frozen=True)
class Rotated:
    """Results of deals that were played once a seat.

    Attributes
    ----------
    score, win : float (deals, rotations, holdings)
        What each holding scored and won in each rotation.  In rotation *r* the odd one holds
        holding *r*.
    """

    score: Floats
    win: Floats


def play_rotations(game: Game, most: str, odd: str, deals: int, seed: int) -> Rotated:
    """Play deals once a seat: one seat's policy is the odd one, the others' are alike.

    Holdings move instead of players, which is the same.  The deals are those of a run of the same
    seed; what dice bring stays with the deal, too, and what a policy draws with the seat.
    """
    players = game.players
    policies = (policy(odd), *(policy(most) for _ in range(players - 1)))
    found = []
    for block, size in enumerate(block_sizes("hands", deals, BLOCK)):
        streams = Streams(seed, block)
        dealt = deal_block(game, streams, block * BLOCK, size)
        table = Table(_rotated(dealt, players), game.n_tricks)
        table.block, table.origin = size, np.tile(np.arange(size), players)
        play_out(table, Desk(policies, streams, block * BLOCK))
        scored = game.score(table)
        score = side_totals(scored.score, game.sides) / np.bitwise_count(game.sides)
        found.append([_home(x, size) for x in (score, shared_wins(scored.win))])
    return Rotated(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _rotated(deal: Deal, players: int) -> Deal:
    """The deals again and again: in rotation *r* seat *s* holds what seat *s + r* was dealt."""
    hold = np.concatenate([np.roll(deal.hold, -r, axis=1) for r in range(players)])
    dealer = np.concatenate([(deal.dealer - r) % players for r in range(players)])
    return Deal(deal.game, np.tile(deal.pack, (players, 1)), hold, dealer.astype(np.int8))


def _home(values: NDArray[np.floating], deals: int) -> Floats:
    """Values by seat, (rotations * deals, P), by the holding's own seat, (deals, rotations, P)."""
    players = values.shape[1]
    by_rotation = values.reshape(players, deals, players).astype(np.float64)
    return np.stack([np.roll(v, r, axis=1) for r, v in enumerate(by_rotation)], axis=1)


class Sums(NamedTuple):
    """Sums over deals from which the analysis of variance is made, each a deal's or a total."""

    deals: Floats
    result: Floats
    between: Floats
    within: Floats
    gap: Floats
    gaps: Floats


def sums_of(y: Floats) -> Sums:
    """Each deal's sums, (deals,), of results (deals, rotations, holdings)."""
    players = y.shape[2]
    mean = y.mean(axis=1)
    odd = y[:, np.arange(players), np.arange(players)].mean(axis=1)
    others = (y.sum(axis=(1, 2)) - odd * players) / (players * (players - 1))
    gap = odd - others
    within = ((y - mean[:, None]) ** 2).sum(axis=(1, 2))
    return Sums(np.ones(len(y)), mean.sum(axis=1), (mean**2).sum(axis=1), within, gap, gap * gap)


def squares(total: Sums, players: int) -> Floats:
    """Sums of squares of cards (deals, and holdings within them), policy and rest, (..., 3).

    They add up to the sum of squares about the mean.  In the order of :data:`COMPONENTS`, from
    totals over deals of any shape.
    """
    n = total.deals
    mean = total.result / (n * players)
    cards = players * (total.between - n * players * mean**2)
    of_policy = n * (players - 1) * (total.gap / n) ** 2
    return np.stack([cards, of_policy, total.within - of_policy], axis=-1)


def components(total: Sums, players: int) -> Floats:
    """Parts of the variance of a result, (..., 3), from totals over deals of any shape.

    In the order of :data:`COMPONENTS`; each unbiased (but for the mean's own variance, of the order
    of one in the number of deals), so that a part that is nothing may come out below it.
    """
    n = total.deals
    cards, of_policy, rest = np.moveaxis(squares(total, players), -1, 0) / (n * players)
    rest = rest * n / (n * (players - 1) - 1 / players)
    noise = np.maximum(total.gaps / n - (total.gap / n) ** 2, 0) / np.maximum(n - 1, 1)
    of_policy = of_policy / players - noise * (players - 1) / players**2
    return np.stack([(cards - rest) / players, of_policy, rest], axis=-1)


def shares(y: Floats) -> tuple[Floats, Floats]:
    """Each component's share of the variance, (3,), and its jackknife values, (deals, 3).

    The values are Tukey's pseudo-values of leaving out one deal at a time (Efron and Stein, "The
    jackknife estimate of variance", 1981): one number a deal whose spread tells the standard error.
    """
    each = sums_of(y)
    n, players = len(y), y.shape[2]
    total = Sums(*(np.asarray(s.sum()) for s in each))
    whole = _shares(components(total, players))
    if n < 3:
        return whole, np.tile(whole, (n, 1))
    others = Sums(*(t - s for t, s in zip(total, each, strict=True)))
    left_out = _shares(components(others, players))
    return whole, n * whole - (n - 1) * left_out


def _shares(parts: Floats) -> Floats:
    total = parts.sum(axis=-1, keepdims=True)
    return np.divide(parts, total, out=np.full(parts.shape, np.nan), where=total > 0)
