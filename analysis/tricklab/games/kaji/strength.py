"""What a Declarer's side is expected to take at KAJI: a fit over simulated hands (K3-K5).

The fit that ships is the file ``strength.json`` beside this; ``tricklab fit kaji`` makes it anew.
There are four estimates for each number of players: for a Declarer alone and for one with a
partner, each of the holding at the auction and of that with which play begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from tricklab.bits import highest, lowest, popcount, top
from tricklab.cards import read_only
from tricklab.games.calibration import bend, read_fits
from tricklab.tricks import kernel

if TYPE_CHECKING:
    from tricklab.games.kaji import Kaji
    from tricklab.view import View

RANKS = ("beating none", "beating one", "beating two", "beating three")
"""Suits by how many others they beat (K7): trumps beat three; with Kaji trumps all others one."""

OF_SUIT = (
    "cards",
    "cards squared",
    "cards, each less by a factor for each higher one missing",
    "highest card held",
    "void",
    "singleton",
)
"""What is added up over the suits that beat as many others."""

FEATURES = (
    "constant",
    *(f"{what}, of suits {which}" for which in RANKS for what in OF_SUIT),
    "cards of suits that beat a void one",
    "cards of suits that beat a singleton one",
)
"""What the estimates are linear in, before they are bent to be calibrated."""

DECAY = (0.4, 0.5, 0.7, 0.85)
"""Factor to a card's weight for each higher one of its suit missing, by what its suit beats."""

SITUATIONS = ("bid alone", "bid with a partner", "play alone", "play with a partner")
"""What the weights are for: the auction or the play, alone or with a partner called."""

KINDS = ("trumps Jan, Ken or Po", "trumps Kaji")
"""Trumps that are not alike: those of the first kind differ in name only (K7)."""


BOLDNESS = 0.5
"""Tricks that are bid above the estimate and the margin: a bid that fails now and then costs less
than the contracts that are left to others."""

OPENING = {2: (4, 5)}
"""By the number of players, tricks over the book that the first bids at least and at most.

Alone a contract pays what is taken, whatever was bid (K11): a bid is there to keep the others out.
With one other player, who would make more of a lower contract or of being left to name its own, it
pays to do so on any holding, and higher bids than these keep out hardly anybody else."""

LAST_BOLDNESS = {2: 0.5}
"""By the number of players, tricks that the last bids besides: to pass leaves to the only other
player a contract that it bid to make."""


@dataclass(frozen=True)
class Fit:
    """The fitted estimates for one number of players.

    Attributes
    ----------
    players : int
        The number of players.
    weights : float (len(SITUATIONS), len(KINDS), len(FEATURES))
        Of the linear predictors.
    knots : float (2, k)
        Best linear predictor at the auction against calibrated estimate; straight between knots
        and beyond.
    shifts : float (len(SITUATIONS),)
        What is added to the predictors at play, which are of choices that seemed the best.
    spreads : float (len(SITUATIONS),)
        Standard deviation of what is taken about the estimate.
    """

    players: int
    weights: NDArray[np.float64]
    knots: NDArray[np.float64]
    shifts: NDArray[np.float64]
    spreads: NDArray[np.float64]

    def predict(self, features: NDArray[np.float64], trump: int, at: str) -> NDArray[np.float64]:
        """Linear predictors for rows of features, trumps and situation being what is said."""
        situation = SITUATIONS.index(at)
        return features @ self.weights[situation, kind(trump)] + self.shifts[situation]

    def bend(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Calibrated estimates at the auction for linear predictors."""
        return np.maximum(bend(self.knots, raw), 0.0)

    def plain(self) -> dict[str, Any]:
        """The fit ready for JSON."""
        return {
            "players": self.players,
            "weights": np.round(self.weights, 5).tolist(),
            "knots": np.round(self.knots, 4).tolist(),
            "shifts": np.round(self.shifts, 4).tolist(),
            "spreads": np.round(self.spreads, 4).tolist(),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Fit:
        """A fit from what :meth:`plain` made."""
        arrays = ("weights", "knots", "shifts", "spreads")
        return cls(data["players"], *(read_only(np.array(data[name])) for name in arrays))


@cache
def shipped() -> dict[int, Fit]:
    """The fits that ship, by the number of players."""
    return {fit.players: fit for fit in read_fits(__package__, Fit.read)}


def kind(trump: int) -> int:
    """The index in :data:`KINDS` of a suit that is trumps: Kaji is the last suit."""
    return 1 if trump == 3 else 0


def bid_limit(view: View, margin: float) -> NDArray[np.float64]:
    """Tricks over the book that a Declarer's side may expect, plus a margin, (n,) (K3).

    For each possible trumps, alone and with a partner where one may be called, what the side takes
    is estimated; the best counts.
    """
    game: Any = view.game
    estimate = game.fit_used.bend(best_at_auction(game, view.holding))
    last = speaks_last(view) * LAST_BOLDNESS.get(game.players, 0.0)
    limit = estimate - game.book + BOLDNESS + last + margin
    if game.players not in OPENING:
        return limit
    return np.where(view.dropped == 0, np.clip(limit, *OPENING[game.players]), limit)


def speaks_last(view: View) -> NDArray[np.bool_]:
    """Whether all others have spoken, (n,) (K3)."""
    return np.bitwise_count(view.dropped) == view.game.players - 1


def best_at_auction(game: Kaji, holding: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The highest of the predictors of holdings at the auction, (n,)."""
    fit = game.fit_used
    options = ["bid alone"] if game.alone_always else ["bid alone", "bid with a partner"]
    found = []
    for trump in range(game.deck.n_suits):
        features = holding_features(game, holding, trump)
        found += [fit.predict(features, trump, at) for at in options]
    return np.max(found, axis=0)


def trump_worth(view: View, holding: NDArray[np.uint32], trump: int) -> NDArray[np.float64]:
    """What a suit is worth as trumps to Declarers with these holdings, (n,) (K4)."""
    game: Any = view.game
    alone = worth_alone(game, holding, trump, view.high_bid)
    if game.alone_always:
        return alone
    unseen = game.deck.full & ~holding & ~view.discards
    called = worth_of_calls(game, holding, unseen, trump, view.high_bid)
    return np.maximum(alone, called.max(axis=1))


def call_worth(view: View) -> NDArray[np.float64]:
    """What calling each card, and last going alone, is worth, (n, n_cards + 1) (K5).

    Of each suit only the highest card that may be called is thought of.
    """
    game: Any = view.game
    deck = game.deck
    out = np.full((len(view), deck.n_cards + 1), -np.inf)
    for trump in range(deck.n_suits):
        rows = np.flatnonzero(view.trump == trump)
        if not len(rows):
            continue
        holding, bid = view.holding[rows], view.high_bid[rows]
        out[rows, -1] = worth_alone(game, holding, trump, bid)
        unseen = deck.full & ~holding & ~view.discards[rows]
        called = worth_of_calls(game, holding, unseen, trump, bid)
        for s in range(deck.n_suits):
            there = unseen[:, s] > 0
            card = deck.offset[s] + top(unseen[there, s])
            out[rows[there], card] = called[there, s]
    return out


def worth_alone(
    game: Kaji, holding: NDArray[np.uint32], trump: int, bid: NDArray[np.int16]
) -> NDArray[np.float64]:
    """What playing alone is worth, (n,)."""
    features = holding_features(game, holding, trump)
    estimate = game.fit_used.predict(features, trump, "play alone")
    return expected(game, estimate, bid, alone=True)


def worth_of_calls(
    game: Kaji,
    holding: NDArray[np.uint32],
    unseen: NDArray[np.uint32],
    trump: int,
    bid: NDArray[np.int16],
) -> NDArray[np.float64]:
    """What calling the highest unseen card of each suit is worth, -inf for none, (n, n_suits)."""
    fit = game.fit_used
    out = np.full((len(holding), game.deck.n_suits), -np.inf)
    for s in range(game.deck.n_suits):
        there = unseen[:, s] > 0
        with_card = add_top(holding, unseen, s)
        features = holding_features(game, with_card, trump)
        estimate = fit.predict(features, trump, "play with a partner")
        out[there, s] = expected(game, estimate, bid, alone=False)[there]
    return out


def add_top(
    holding: NDArray[np.uint32], unseen: NDArray[np.uint32], suit: int
) -> NDArray[np.uint32]:
    """Holdings with the highest unseen card of a suit added, where there is one."""
    out = holding.copy()
    bit = np.uint32(1) << top(unseen[:, suit]).clip(0).astype(np.uint32)
    out[:, suit] |= bit & unseen[:, suit]
    return out


def expected(
    game: Kaji, estimate: NDArray[np.float64], bid: NDArray[np.int16], *, alone: bool
) -> NDArray[np.float64]:
    """What a Declarer may expect to score more than the mean of the others, (n,) (K10-K12).

    What is taken is thought to be distributed normally about the estimate, cut to whole tricks.
    """
    worth = worth_of_tricks(game.players, alone)[bid]
    situation = SITUATIONS.index("play alone" if alone else "play with a partner")
    bounds = np.arange(game.n_tricks) + 0.5
    below = ndtr((bounds - estimate[:, None]) / game.fit_used.spreads[situation])
    # Summed by parts: what all tricks are worth, less each step down times the chance of it.
    return worth[:, -1] - (below * np.diff(worth, axis=1)).sum(axis=1)


@cache
def worth_of_tricks(players: int, alone: bool) -> NDArray[np.float64]:
    """What the Declarer scores more than the mean of the others, by bid and tricks taken."""
    from tricklab.games.kaji import Kaji, points

    game = Kaji(players=players)
    bid = np.arange(game.highest_bid + 1)[:, None]
    ours, theirs = points(bid, np.arange(game.n_tricks + 1) - game.book, np.bool_(alone))
    others = players - 1
    partners = 0 if alone else 1
    return read_only(ours - (partners * ours + (others - partners) * theirs) / others)


def holding_features(game: Kaji, holding: NDArray[np.uint32], trump: int) -> NDArray[np.float64]:
    """The values of :data:`FEATURES` of holdings with a suit as trumps, (n, len(FEATURES))."""
    out = np.zeros((len(holding), len(FEATURES)))
    rules = game.rules
    measure(np.ascontiguousarray(holding), rules.full, rules.beats[trump], np.array(DECAY), out)
    return out


@kernel
def measure(
    holding: NDArray[np.uint32],
    full: NDArray[np.uint32],
    beats: NDArray[np.uint16],
    decay: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Add the values of :data:`FEATURES`, in order, to ``out`` (n, features), which is zero.

    ``beats`` (n_suits,) has the suits that each suit beats, as bits.
    """
    n_suits = full.size
    for i in range(holding.shape[0]):
        out[i, 0] = 1.0
        for s in range(n_suits):
            mask = holding[i, s]
            length = popcount(mask)
            which = popcount(np.uint32(beats[s]))
            at = 1 + 6 * which
            missing = full[s] & ~mask
            rest = mask
            while rest:
                rank = lowest(rest)
                rest &= rest - np.uint32(1)
                out[i, at + 2] += decay[which] ** popcount(np.uint32(np.int64(missing) >> rank))
            out[i, at] += length
            out[i, at + 1] += length * length
            out[i, at + 3] += mask != 0 and highest(mask) == highest(full[s])
            out[i, at + 4] += length == 0
            out[i, at + 5] += length == 1
            for t in range(n_suits):
                if (beats[s] >> t) & 1:
                    other = popcount(holding[i, t])
                    if other == 0:
                        out[i, out.shape[1] - 2] += length
                    elif other == 1:
                        out[i, out.shape[1] - 1] += length
