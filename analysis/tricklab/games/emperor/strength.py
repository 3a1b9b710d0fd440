"""What a holding is expected to bring at Emperor: fits over simulated hands.

The fit that ships is the file ``strength.json`` beside this; ``tricklab fit emperor`` makes it
anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import lowest, popcount
from tricklab.cards import read_only
from tricklab.games.calibration import Bent, read_fits
from tricklab.games.emperor.bonuses import BONUSES, NAMES
from tricklab.games.emperor.pack import (
    BIDS,
    CARD_POINTS,
    DECK,
    SUITS,
    TRUMP,
    WITHOUT,
)
from tricklab.games.emperor.partner import SHAPE
from tricklab.tricks import kernel

FEATURES = (
    "constant",
    "trumps",
    "trumps squared",
    "trumps, each 0.9 to the number of higher ones missing",
    "Juggler",
    "World",
    "Tomfool",
    "trumps from 16 to 20",
    "trumps from 2 to 4",
    "Kings",
    "Queens",
    "Cavaliers",
    "lengths of suits with the King",
    "voids",
    "singletons",
    "doubletons",
    "trumps times voids and singletons",
    "longest suit",
    "card points",
    "card points discarded",
    "the bid",
    "whether the declarer was bound",
)
"""What all estimates are linear in, before they are bent to be calibrated."""

OF_BONUS = (
    "cards held of those that make the bonus",
    "cards of its suits",
    "their Kings",
    "their Queens",
    "their Cavaliers",
    "their aces and deuces",
    "cards of the longest of them",
    "trumps times cards of the longest",
    "Kings times Queens",
    "cards held of those that make it times trumps above five",
)
"""What the chances of a bonus are linear in besides."""

TRUMP_DECAY = 0.9
"""Factor to a trump's weight for each higher one missing from the holding."""

ROLES = ("declarer", "partner", "defender")
"""What is fitted apart once the card is called."""

DECLARES, HELPS, DEFENDS = range(len(ROLES))


def _kind(name: str) -> str:
    plain = name.partition(":")[0]
    return "force_of_one" if plain == "profit_of_one" else plain


KINDS = tuple(dict.fromkeys(_kind(name) for name in NAMES))
"""Bonuses that are fitted as one: those that differ in their suits only."""

KIND_OF = tuple(KINDS.index(_kind(name)) for name in NAMES)
"""The kind of each bonus."""


def _suits_of(number: int) -> int:
    """Suits of the cards of a bonus, trumps not counted, as bits."""
    masks = DECK.masks(DECK.parse(BONUSES[number].condition.cards))
    return sum(1 << s for s in range(len(SUITS)) if masks[s])


BONUS_CARDS = read_only(
    np.stack([DECK.masks(DECK.parse(bonus.condition.cards)) for bonus in BONUSES])
)
BONUS_SUITS = read_only(np.array([_suits_of(b) for b in range(len(BONUSES))], np.int64))


@dataclass(frozen=True)
class Fit:
    """The fitted estimates.

    Attributes
    ----------
    levels : tuple of Bent
        Card points of the declarer's side by the holding as dealt, for each bid from Three on.
    bound : float
        What an inviter who must be called adds to that.
    wins : tuple of Bent
        The chance that the declarer's side wins by the holding at the call, for each of ROLES.
    bonuses : tuple of tuple of Bent
        The chance that the seat's side makes a bonus that it announced, for ROLES and KINDS.
    against : dict of Bent
        By kinds of bonuses that are announced often enough, the chance that the declarer's side
        makes one that it announced, by a defender's holding.
    evidence : float, of shape ``partner.SHAPE``
        Log odds for a seat to be the partner that each kind of play brings.
    """

    levels: tuple[Bent, ...]
    bound: float
    wins: tuple[Bent, ...]
    bonuses: tuple[tuple[Bent, ...], ...]
    against: Mapping[str, Bent]
    evidence: NDArray[np.float64]

    def plain(self) -> dict[str, Any]:
        """The fit ready for JSON."""
        return {
            "levels": {BIDS[1 + k]: bent.plain() for k, bent in enumerate(self.levels)},
            "bound": round(float(self.bound), 3),
            "wins": {role: bent.plain() for role, bent in zip(ROLES, self.wins, strict=True)},
            "bonuses": {
                role: {kind: bent.plain() for kind, bent in zip(KINDS, row, strict=True)}
                for role, row in zip(ROLES, self.bonuses, strict=True)
            },
            "against": {kind: bent.plain() for kind, bent in self.against.items()},
            "evidence": np.round(self.evidence, 3).tolist(),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Fit:
        """A fit from what :meth:`plain` made."""
        return cls(
            tuple(Bent.read(data["levels"][name]) for name in BIDS[1 : WITHOUT + 1]),
            float(data["bound"]),
            tuple(Bent.read(data["wins"][role]) for role in ROLES),
            tuple(
                tuple(Bent.read(data["bonuses"][role][kind]) for kind in KINDS) for role in ROLES
            ),
            {kind: Bent.read(each) for kind, each in data["against"].items()},
            read_only(np.array(data["evidence"]).reshape(SHAPE)),
        )


@cache
def shipped() -> Fit:
    """The fit that ships."""
    return read_fits(__package__, Fit.read)[0]


def features(
    holding: NDArray[np.uint32],
    discards: NDArray[np.uint32] | None = None,
    bid: NDArray[np.integer] | int = 0,
    bound: NDArray[np.bool_] | bool = False,
) -> NDArray[np.float64]:
    """The values of :data:`FEATURES`, shape (n, len(FEATURES))."""
    out = np.zeros((len(holding), len(FEATURES)))
    apart = np.zeros_like(holding) if discards is None else discards
    measure(np.ascontiguousarray(holding), np.ascontiguousarray(apart), DECK.full, CARD_POINTS, out)
    out[:, -2] = bid
    out[:, -1] = bound
    return out


@kernel
def measure(
    holding: NDArray[np.uint32],
    discards: NDArray[np.uint32],
    full: NDArray[np.uint32],
    points: NDArray[np.int16],
    out: NDArray[np.float64],
) -> None:
    """Write the values of :data:`FEATURES` but the last two, in order, to ``out``."""
    for i in range(holding.shape[0]):
        trumps = holding[i, TRUMP]
        count = popcount(trumps)
        missing = full[TRUMP] & ~trumps & ~discards[i, TRUMP]
        out[i, 0] = 1.0
        out[i, 1] = count
        out[i, 2] = count * count
        mask = trumps
        while mask:
            rank = lowest(mask)
            mask &= mask - np.uint32(1)
            out[i, 3] += TRUMP_DECAY ** popcount(np.uint32(np.int64(missing) >> rank))
            if rank == 0:
                out[i, 4] = 1.0
            elif rank <= 3:
                out[i, 8] += 1.0
            elif rank == 20:
                out[i, 5] = 1.0
            elif rank == 21:
                out[i, 6] = 1.0
            elif rank >= 15:
                out[i, 7] += 1.0
        short = 0
        longest = 0
        card = 0
        for s in range(full.size):
            length = popcount(holding[i, s])
            for rank in range(popcount(full[s])):
                out[i, 18] += points[card] * ((holding[i, s] >> np.uint32(rank)) & np.uint32(1))
                out[i, 19] += points[card] * ((discards[i, s] >> np.uint32(rank)) & np.uint32(1))
                card += 1
            if s == TRUMP:
                continue
            king = (holding[i, s] >> np.uint32(5)) & np.uint32(1)
            out[i, 9] += king
            out[i, 10] += (holding[i, s] >> np.uint32(4)) & np.uint32(1)
            out[i, 11] += (holding[i, s] >> np.uint32(3)) & np.uint32(1)
            out[i, 12] += king * length
            if length < 3:
                out[i, 13 + length] += 1.0
            short += length < 2
            longest = max(longest, length)
        out[i, 16] = count * short
        out[i, 17] = longest


def bonus_features(
    base: NDArray[np.float64], holding: NDArray[np.uint32], bonus: int
) -> NDArray[np.float64]:
    """The values of :data:`FEATURES` and :data:`OF_BONUS` for one bonus."""
    out = np.zeros((len(holding), len(OF_BONUS)))
    measure_bonus(
        np.ascontiguousarray(holding), DECK.full, BONUS_CARDS[bonus], BONUS_SUITS[bonus], out
    )
    return np.concatenate([base, out], axis=1)


def chance(bent: Bent, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A chance; beyond the hands that were seen it rises no more."""
    x, y = bent.knots
    out: NDArray[np.float64] = np.interp(values @ bent.weights, x, y)
    return out


@kernel
def measure_bonus(
    holding: NDArray[np.uint32],
    full: NDArray[np.uint32],
    cards: NDArray[np.uint32],
    suits: int,
    out: NDArray[np.float64],
) -> None:
    """Write the values of :data:`OF_BONUS`, in order, to ``out``."""
    for i in range(holding.shape[0]):
        count = popcount(holding[i, TRUMP])
        longest = 0
        for s in range(full.size):
            mask = holding[i, s]
            out[i, 0] += popcount(mask & cards[s])
            if not (suits >> s) & 1:
                continue
            length = popcount(mask)
            out[i, 1] += length
            king = (mask >> np.uint32(5)) & np.uint32(1)
            queen = (mask >> np.uint32(4)) & np.uint32(1)
            out[i, 2] += king
            out[i, 3] += queen
            out[i, 4] += (mask >> np.uint32(3)) & np.uint32(1)
            out[i, 5] += popcount(mask & np.uint32(3))
            out[i, 8] += king * queen
            longest = max(longest, length)
        out[i, 6] = longest
        out[i, 7] = count * longest
        out[i, 9] = out[i, 0] * max(count - 5, 0)
