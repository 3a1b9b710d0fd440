"""What a holding is expected to take as the Traitor: a fit over simulated hands (J21).

The fit that ships is the file ``strength.json`` beside this; ``tricklab fit junni`` makes it anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, lowest, popcount
from tricklab.games.calibration import Bent, read_fits
from tricklab.tricks import kernel

if TYPE_CHECKING:
    from tricklab.games.junni import Junni
    from tricklab.view import View

FEATURES = (
    "constant",
    "leads the first trick",
    "trumps",
    "trumps squared",
    "trumps, each 0.85 to the number of higher ones missing",
    "highest trump held",
    "barbarians",
    "highest cards of ordinary suits",
    "ordinary cards with one higher missing",
    "ordinary cards with two or three higher missing",
    "voids",
    "singletons",
    "doubletons",
    "longest ordinary suit",
    "trumps times voids and singletons",
    "trumps times highest cards of ordinary suits",
    "lengths of ordinary suits squared",
)
"""What the estimate is linear in, before it is bent to be calibrated."""

TRUMP_DECAY = 0.85
"""Factor to a trump's weight for each higher one missing from the holding."""


@dataclass(frozen=True)
class Fit:
    """A fitted estimate for one setting of the switches that matter.

    Attributes
    ----------
    switches : dict
        The setting; see :func:`setting`.
    bent : Bent
        The estimate, linear in :data:`FEATURES` before it is bent.
    respect : float
        How much less is taken for each unit by which the best of the others' estimates exceeds
        ``typical``.
    typical : float
        Mean of the best of the others' estimates.
    spread : float
        Standard deviation of what is taken about the estimate.
    """

    switches: Mapping[str, Any]
    bent: Bent
    respect: float
    typical: float
    spread: float

    def estimate(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Estimates for rows of features."""
        return np.maximum(self.bent.estimate(features), 0.0)

    def plain(self) -> dict[str, Any]:
        """The fit ready for JSON."""
        return {
            "switches": dict(self.switches),
            **self.bent.plain(),
            "respect": round(self.respect, 4),
            "typical": round(self.typical, 4),
            "spread": round(self.spread, 4),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Fit:
        """A fit from what :meth:`plain` made."""
        return cls(
            data["switches"],
            Bent.read(data),
            data["respect"],
            data["typical"],
            data["spread"],
        )


def setting(game: Junni) -> dict[str, Any]:
    """The switches that the fits distinguish.

    Other decks, the inverted suits and the rotating lead are estimated by the same fit, and a
    scoring table of one's own by that for tricks, an average trick's points for each.
    """
    shipped = game.plain_switch("scoring")
    when = "before" if game.shriving_before_bidding else "after"
    return {
        "players": game.players,
        "scoring": shipped if isinstance(shipped, str) else "tricks",
        "dice": game.roll_each if game.dice else "none",
        "shriving": when if game.shriving else "none",
        "spare_to": game.spare_to,
    }


@cache
def shipped() -> dict[tuple[Any, ...], Fit]:
    """The fits that ship, by the values of their switches."""
    return {tuple(fit.switches.values()): fit for fit in read_fits(__package__, Fit.read)}


def unit(game: Junni) -> float:
    """What an average trick counts for: 1, or its points."""
    return game.highest_bid / game.n_tricks


def fit_for(game: Junni) -> tuple[Fit, float]:
    """The fit for a game, and the factor to its estimates."""
    fit = shipped()[tuple(setting(game).values())]
    own_table = not isinstance(game.plain_switch("scoring"), str)
    return fit, unit(game) if own_table else 1.0


def strength(
    game: Junni, holding: NDArray[np.uint32], leads: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Tricks (or points) that holdings are expected to take as the Traitor.

    Parameters
    ----------
    game : Junni
        With ``traitor`` set.
    holding : uint32 (n, n_suits)
        Holdings at the time of the auction.
    leads : bool (n,)
        Whether the seat leads the first trick.

    Returns
    -------
    ndarray of float, shape (n,)
        Under careful play of all, the others being allies; see :mod:`.fitting`.
    """
    fit, factor = fit_for(game)
    return fit.estimate(holding_features(game, holding, leads)) * factor


def bid_limit(view: View, margin: float) -> NDArray[np.float64]:
    """What seats asked to bid may expect to take, plus a margin in average tricks, (n,).

    The highest bid of another seat is taken to be its own estimate plus the same margin; where
    that is more than usual, less is left to take.
    """
    game: Any = view.game
    fit, factor = fit_for(game)
    extra = margin * unit(game)
    own = strength(game, view.holding, view.leader == view.seat)
    others = np.where(np.arange(game.players) == view.seat[:, None], 0, view.last_bids)
    heard = (others.max(axis=1) - extra) / factor
    return own - fit.respect * np.maximum(heard - fit.typical, 0) * factor + extra


def holding_features(
    game: Junni, holding: NDArray[np.uint32], leads: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The values of :data:`FEATURES`, shape (n, len(FEATURES))."""
    out = np.empty((len(holding), len(FEATURES)))
    deck = game.deck
    measure(np.ascontiguousarray(holding), leads, deck.full, deck.trump, deck.excuse, out)
    return out


@kernel
def measure(
    holding: NDArray[np.uint32],
    leads: NDArray[np.bool_],
    full: NDArray[np.uint32],
    trump: int,
    excuse: int,
    out: NDArray[np.float64],
) -> None:
    """Write the values of :data:`FEATURES`, in order, to ``out`` (n, features)."""
    for i in range(holding.shape[0]):
        tops = seconds = thirds = voids = singles = doubles = longest = squares = 0
        weight = 0.0
        for s in range(full.size):
            if s == excuse:
                continue
            mask = holding[i, s]
            length = popcount(mask)
            missing = full[s] & ~mask
            rest = mask
            while rest:
                rank = lowest(rest)
                rest &= rest - np.uint32(1)
                higher = popcount(np.uint32(np.int64(missing) >> rank))
                if s == trump:
                    weight += TRUMP_DECAY**higher
                else:
                    tops += higher == 0
                    seconds += higher == 1
                    thirds += higher == 2 or higher == 3
            if s != trump:
                voids += length == 0
                singles += length == 1
                doubles += length == 2
                longest = max(longest, length)
                squares += length * length
        trumps = popcount(holding[i, trump])
        out[i, 0] = 1.0
        out[i, 1] = leads[i]
        out[i, 2] = trumps
        out[i, 3] = trumps * trumps
        out[i, 4] = weight
        out[i, 5] = highest(holding[i, trump]) == highest(full[trump])
        out[i, 6] = popcount(holding[i, excuse])
        out[i, 7] = tops
        out[i, 8] = seconds
        out[i, 9] = thirds
        out[i, 10] = voids
        out[i, 11] = singles
        out[i, 12] = doubles
        out[i, 13] = longest
        out[i, 14] = trumps * (voids + singles)
        out[i, 15] = trumps * tops
        out[i, 16] = squares
