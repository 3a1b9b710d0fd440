"""What a holding is expected to score in each contract: fits over simulated hands (T3, T9).

The fits that ship are the file ``strength.json`` beside this; ``tricklab fit trjamann`` makes it
anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import highest, lowest, popcount
from tricklab.cards import NO_SUIT, read_only
from tricklab.games.calibration import Bent, read_fits
from tricklab.policies.avoid_kernels import danger
from tricklab.tricks import kernel

if TYPE_CHECKING:
    from tricklab.games.trjamann import Trjamann
    from tricklab.view import View

FEATURES = (
    "constant",
    "trumps",
    "trumps squared",
    "trumps, each 0.85 to the number of higher ones missing",
    "highest trump held",
    "highest cards of other suits",
    "other cards with one higher missing",
    "other cards with two higher missing",
    "other cards with three higher missing",
    "voids",
    "singletons",
    "doubletons",
    "longest other suit",
    "lengths of other suits squared",
    "trumps times voids and singletons",
    "trumps times highest cards of other suits",
    "length of each other suit times the cards among its four highest",
    "danger",
    "danger that is left when the most dangerous cards are exchanged",
    "the same, squared",
    "suits with no danger left",
)
"""What the estimates are linear in, before they are bent to be calibrated."""

TRUMP_DECAY = 0.85
"""Factor to a trump's weight for each higher one missing from the holding."""

TOP = 4
"""Cards of a suit that count as high."""

MODES = ("nullo", "grand", "trumps")
"""What is fitted apart: avoiding tricks, taking them without trumps, and with."""

NULLO, GRAND, TRUMPS = range(len(MODES))


@dataclass(frozen=True)
class Fit:
    """The fitted estimates for one setting of the switches that matter.

    Attributes
    ----------
    switches : dict
        The setting; see :func:`setting`.
    modes : tuple of Bent
        The estimate of the declarer's score in each of :data:`MODES`.
    later : dict of float (16,)
        By whether Other may name spades: what a declarer who still has a set of contracts (a bit a
        kind) may expect to score with them in hands to come (T5).
    """

    switches: Mapping[str, Any]
    modes: tuple[Bent, ...]
    later: Mapping[bool, NDArray[np.float64]]

    def plain(self) -> dict[str, Any]:
        """The fit ready for JSON."""
        return {
            "switches": dict(self.switches),
            **{name: mode.plain() for name, mode in zip(MODES, self.modes, strict=True)},
            "later": {
                str(allowed).lower(): [round(float(v), 3) for v in values]
                for allowed, values in self.later.items()
            },
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Fit:
        """A fit from what :meth:`plain` made."""
        later = {
            allowed: read_only(np.array(data["later"][str(allowed).lower()]))
            for allowed in (False, True)
        }
        return cls(data["switches"], tuple(Bent.read(data[name]) for name in MODES), later)


def setting(game: Trjamann) -> dict[str, Any]:
    """The switches that the fits distinguish, as they matter: nothing is drawn from no Manni."""
    return {"deck": game.deck.name, "max_exchange": game.discards}


@cache
def shipped() -> dict[tuple[Any, ...], Fit]:
    """The fits that ship, by the values of their switches."""
    return {tuple(fit.switches.values()): fit for fit in read_fits(__package__, Fit.read)}


def strength(
    game: Trjamann, holding: NDArray[np.uint32], fit: Fit | None = None
) -> NDArray[np.float64]:
    """What holdings are expected to score as declarer in each contract, shape (n, contracts).

    Parameters
    ----------
    game : Trjamann
        The game.
    holding : uint32 (n, n_suits)
        Holdings as dealt.
    fit : Fit, optional
        What to estimate by; default: what ships.
    """
    fit = fit or shipped()[tuple(setting(game).values())]
    by_trump: dict[int, NDArray[np.float64]] = {}
    out = np.empty((len(holding), len(game.contracts)))
    for number, contract in enumerate(game.contracts):
        mode = mode_of(contract.avoid, contract.trump)
        if contract.trump not in by_trump:
            by_trump[contract.trump] = holding_features(game, holding, contract.trump)
        out[:, number] = fit.modes[mode].estimate(by_trump[contract.trump])
    return out


def mode_of(avoid: bool, trump: int) -> int:
    """Number in :data:`MODES` of what a contract is."""
    return NULLO if avoid else GRAND if trump == NO_SUIT else TRUMPS


def contract_worth(view: View) -> NDArray[np.float64]:
    """What each contract is worth to the declarers asked, (n, contracts).

    In a single hand that is what it is expected to score.  In a match a contract chosen now is not
    there later, so what the others are worth in hands to come is added (T5).
    """
    game: Any = view.game
    fit = shipped()[tuple(setting(game).values())]
    worth = strength(game, view.holding)
    declared = view.carried[np.arange(len(view)), view.seat].astype(np.int64)
    for number, contract in enumerate(game.contracts):
        left = ~(declared | 1 << contract.kind) & 0b1111
        later = fit.later[game.other_may_be_spades][left]
        worth[:, number] += np.where(view.round > 0, later, 0.0)
    return worth


def holding_features(
    game: Trjamann, holding: NDArray[np.uint32], trump: int
) -> NDArray[np.float64]:
    """The values of :data:`FEATURES`, shape (n, len(FEATURES))."""
    out = np.empty((len(holding), len(FEATURES)))
    measure(np.ascontiguousarray(holding), game.deck.full, trump, game.discards, out)
    return out


@kernel
def measure(
    holding: NDArray[np.uint32],
    full: NDArray[np.uint32],
    trump: int,
    exchange: int,
    out: NDArray[np.float64],
) -> None:
    """Write the values of :data:`FEATURES`, in order, to ``out`` (n, features).

    ``exchange`` is how many cards may be exchanged.
    """
    for i in range(holding.shape[0]):
        voids = singles = doubles = longest = squares = strong = trumps = 0
        weight = 0.0
        high = False
        for k in range(out.shape[1]):
            out[i, k] = 0.0
        for s in range(full.size):
            mask = holding[i, s]
            length = popcount(mask)
            missing = full[s] & ~mask
            if s == trump:
                trumps = length
                high = highest(mask) == highest(full[s])
            else:
                voids += length == 0
                singles += length == 1
                doubles += length == 2
                longest = max(longest, length)
                squares += length * length
                size = popcount(full[s])
                strong += length * popcount(np.uint32(np.int64(mask) >> (size - TOP)))
            while mask:
                rank = lowest(mask)
                mask &= mask - np.uint32(1)
                higher = popcount(np.uint32(np.int64(missing) >> rank))
                if s == trump:
                    weight += TRUMP_DECAY**higher
                elif higher < 4:
                    out[i, 5 + higher] += 1.0
        tops = out[i, 5]
        out[i, 0] = 1.0
        out[i, 1] = trumps
        out[i, 2] = trumps * trumps
        out[i, 3] = weight
        out[i, 4] = high
        out[i, 9] = voids
        out[i, 10] = singles
        out[i, 11] = doubles
        out[i, 12] = longest
        out[i, 13] = squares
        out[i, 14] = trumps * (voids + singles)
        out[i, 15] = trumps * tops
        out[i, 16] = strong
        if trump < 0:
            _dangers(holding, full, exchange, i, out)


@kernel
def _dangers(
    holding: NDArray[np.uint32],
    full: NDArray[np.uint32],
    exchange: int,
    i: int,
    out: NDArray[np.float64],
) -> None:
    """Write what a holding's cards may be made to take, before and after an exchange."""
    total = 0.0
    for s in range(full.size):
        total += danger(holding[i, s], full[s] & ~holding[i, s], 0.0)
    out[i, 17] = total
    left = total
    gone = np.int64(0)
    # Cards by number of suit and rank: at most four suits of sixteen ranks fit a word.
    for _ in range(exchange):
        most = 0.0
        which = -1
        for s in range(full.size):
            unseen = full[s] & ~holding[i, s]
            rest = holding[i, s] & ~np.uint32((gone >> (16 * s)) & 0xFFFF)
            before = danger(rest, unseen, 0.0)
            mask = rest
            while mask:
                bit = np.uint32(1) << np.uint32(highest(mask))
                rank = highest(mask)
                mask &= ~bit
                less = before - danger(rest & ~bit, unseen, 0.0)
                if less > most:
                    most = less
                    which = 16 * s + rank
        if which >= 0:
            left -= most
            gone |= np.int64(1) << which
    out[i, 18] = left
    out[i, 19] = left * left
    safe = 0
    for s in range(full.size):
        rest = holding[i, s] & ~np.uint32((gone >> (16 * s)) & 0xFFFF)
        safe += danger(rest, full[s] & ~holding[i, s], 0.0) == 0.0
    out[i, 20] = safe
