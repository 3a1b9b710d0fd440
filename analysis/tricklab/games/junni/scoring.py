"""Junni's scoring tables (J18) and what finished hands are worth under them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import Deck
from tricklab.errors import SwitchError
from tricklab.trick_data import NO_CARD
from tricklab.tricks import kernel

MAX_POINTS = 1000
"""Most points a table may give for one thing."""

MAX_TOTAL = 2**15 - 1
"""Most points a hand may have: points, bids and scores are kept in 16 bits."""


@dataclass(frozen=True)
class ScoringTable:
    """Points for tricks and captured cards.

    Attributes
    ----------
    name, title : str
        Short name and a line of description.
    trick : int
        Points for a trick taken.
    suits, trumps : tuple of (key, points)
        ``each`` is for every card, a rank for that rank, ``lowest`` and ``highest`` for the ends.
    barbarian : int
        Points of a barbarian, to the seat that played it (J19).
    source : mapping
        The table as its file states it.
    """

    name: str
    title: str
    trick: int
    suits: tuple[tuple[str, int], ...]
    trumps: tuple[tuple[str, int], ...]
    barbarian: int
    source: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return self.name

    def by_card(self, deck: Deck) -> NDArray[np.int16]:
        """Points of each card of a deck, shape (n_cards,)."""
        out = np.zeros(deck.n_cards, np.int16)
        for s, suit in enumerate(deck.suits):
            first = int(deck.offset[s])
            if suit.role == "excuse":
                out[first : first + len(suit.ranks)] = self.barbarian
                continue
            points = dict(self.trumps if suit.role == "trump" else self.suits)
            for r, rank in enumerate(suit.ranks):
                value = points.get(rank, points.get("each", 0))
                if r == 0:
                    value = points.get("lowest", value)
                if r == len(suit.ranks) - 1:
                    value = points.get("highest", value)
                out[first + r] = value
        return out

    @classmethod
    def load(cls, path: str | Path) -> ScoringTable:
        """Read and check a table file (TOML); :class:`SwitchError` names what is wrong."""
        try:
            return cls.from_dict(tomllib.loads(Path(path).read_text(encoding="utf-8")))
        except OSError as error:
            raise SwitchError(f"cannot read scoring table {path}: {error.strerror} (J18)") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SwitchError(f"scoring table {path} is not TOML: {error} (J18)") from None
        except SwitchError as error:
            raise SwitchError(f"scoring table {path}: {error}") from None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ScoringTable:
        """Build a table from the contents of a table file and check it."""
        known = {"name", "title", "trick", "suits", "trumps", "barbarians"}
        for key in data:
            if key not in known:
                raise SwitchError(f"unknown entry {key!r}; known: {sorted(known)} (J18)")
        name = data.get("name")
        if not isinstance(name, str) or not name:
            raise SwitchError("the table needs a text 'name' (J18)")
        barbarians = _section(data, "barbarians")
        for key in barbarians:
            if key != "played":
                raise SwitchError(f"barbarians has an unknown entry {key!r}; only 'played' (J19)")
        return cls(
            name,
            str(data.get("title", name)),
            _points("trick", data.get("trick", 0)),
            tuple(_section(data, "suits").items()),
            tuple(_section(data, "trumps").items()),
            barbarians.get("played", 0),
            dict(data),
        )

    def check(self, deck: Deck) -> None:
        """Raise :class:`SwitchError` if the table names a rank that the deck does not have."""
        ends = {"each", "lowest", "highest"}
        for what, role in (("suits", "suit"), ("trumps", "trump")):
            ranks = {rank for suit in deck.suits if suit.role == role for rank in suit.ranks}
            for key, _ in getattr(self, what):
                if key not in ranks | ends:
                    raise SwitchError(
                        f"scoring table {self.name}: {what} has points for {key!r}, which deck "
                        f"{deck.name} does not have (J18)"
                    )


def _section(data: Mapping[str, Any], key: str) -> dict[str, int]:
    section = data.get(key, {})
    if not isinstance(section, Mapping):
        raise SwitchError(f"{key} must be a table of points (J18)")
    return {str(k): _points(f"{key}.{k}", v) for k, v in section.items()}


def _points(where: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_POINTS:
        raise SwitchError(
            f"{where} must be a whole number from 0 to {MAX_POINTS}, not {value!r} (J18)"
        )
    return value


@kernel
def captured(
    cards: NDArray[np.uint8],
    winners: NDArray[np.int8],
    by_card: NDArray[np.int16],
    kept: NDArray[np.bool_],
    trick: int,
    points: NDArray[np.int16],
    trick_points: NDArray[np.int16],
) -> None:
    """Add up the points captured (J18, J19).

    Parameters
    ----------
    cards : uint8 (T, H, P)
        Card of each seat in each trick.
    winners : int8 (T, H)
        Winner of each trick.
    by_card : int16 (n_cards,)
        Points of each card.
    kept : bool (n_cards,)
        Cards that stay with whoever played them.
    trick : int
        Points of a trick.
    points : int16 (H, P), trick_points : int16 (T, H)
        Written: points by seat, and what each trick brought its winner.
    """
    n_tricks, n_hands, n_seats = cards.shape
    for t in range(n_tricks):
        for h in range(n_hands):
            if cards[t, h, 0] == NO_CARD:
                continue
            won = trick
            for p in range(n_seats):
                card = cards[t, h, p]
                if kept[card]:
                    points[h, p] += by_card[card]
                else:
                    won += by_card[card]
            points[h, winners[t, h]] += won
            trick_points[t, h] = won
