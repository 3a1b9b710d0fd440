"""Junni: permanent trumps and barbarians that excuse (rule sheet: ``rules.md`` beside this)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.cards import Deck, read_only
from tricklab.errors import DeckError, SwitchError
from tricklab.games.base import Column, Columns, Game, Score, shares
from tricklab.games.junni.features import AT_PLAY, DEALT, features
from tricklab.games.junni.scoring import ScoringTable, captured
from tricklab.play import Give, Phase, Tricks
from tricklab.rng import Purpose, Streams
from tricklab.table import Table
from tricklab.trick_data import TRICK_LIMIT, Rules, trick_rules

DECKS = ("journey", "four_suits", "short_suits")
TABLES = ("dead_reckoning", "flat", "trump_heavy")


@dataclass(frozen=True)
class Junni(Game):
    """Junni with its switches; see the rule sheet for the clauses."""

    players: int = options.option(4, "number of players", clause="J3", low=3, high=6)
    deck: Any = options.option("journey", "the pack", clause="J2", choices=DECKS, open_ended=True)
    first_leader: str = options.option(
        "dealer", "who leads first", clause="J4", choices=("dealer", "left_of_dealer")
    )
    next_leader: str = options.option(
        "winner", "who leads the next trick", clause="J5", choices=("winner", "rotate")
    )
    shriving: bool = options.option(
        False, "each player gives cards to the left before play", clause="J14"
    )
    shriving_cards: int = options.option(4, "how many cards are given", clause="J14", low=1, high=8)
    arete_court: bool = options.option(
        False, "a Rook or Sage may be played as its inverted suit", clause="J17"
    )
    scoring: Any = options.option(
        "tricks",
        "what counts: tricks, or the points of a table",
        clause="J18",
        choices=("tricks", *TABLES),
        open_ended=True,
    )
    partners: bool = options.option(
        False, "teams of two sitting opposite (4 or 6 players)", clause="J24"
    )
    dice: bool = options.option(False, "a die names the trumps of each trick", clause="J25")
    roll_each: str = options.option(
        "trick", "how often the die is rolled", clause="J25", choices=("trick", "hand")
    )

    name = "junni"
    title = "Junni"
    version = 1

    seat_columns = (
        DEALT
        | AT_PLAY
        | {
            "excuse_saves": Column("int8", "barbarians played where a trump was due (J9)", 0),
        }
    )
    hand_columns = {
        "broken_trick": Column("int8", "trick in which trumps were broken, 0 if never (J10)", 0),
        "excuse_saves": Column("int8", "barbarians played where a trump was due (J9)", 0),
        "worthless_tricks": Column("int8", "tricks without a valued card (J12)", 0),
    }

    def __post_init__(self) -> None:
        options.check(self, SwitchError)
        object.__setattr__(self, "deck", _resolve("deck", self.deck, Deck, "J2"))
        if self.scoring != "tricks":
            table = _resolve("scoring", self.scoring, ScoringTable, "J18")
            object.__setattr__(self, "scoring", table)
        if self.partners and self.players % 2:
            raise SwitchError(
                f"partners needs 4 or 6 players, not {self.players}: teams sit opposite (J24)"
            )
        _check_playable(self.deck, self.players)
        if self.shriving and self.shriving_cards > self.cards_each:
            raise SwitchError(
                f"shriving_cards={self.shriving_cards} is more than the {self.cards_each} cards "
                f"each player is dealt (J14)"
            )
        if isinstance(self.scoring, ScoringTable):
            self.scoring.check(self.deck)

    @cached_property
    def rules(self) -> Rules:
        """The trick rules as data (J5-J11, J17)."""
        return trick_rules(
            self.deck,
            two_suited=self.arete_court,
            void_must_trump=True,
            trumps_need_breaking=True,
            excuse_led_last=True,
            winner_leads=self.next_leader == "winner",
        )

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The give, if there is one, and the tricks."""
        tricks = Tricks(self._roll if self.dice else None)
        return (Give(self.gives), tricks) if self.gives else (tricks,)

    @property
    def gives(self) -> int:
        """Cards each seat gives to its left (J14)."""
        return self.shriving_cards if self.shriving else 0

    @cached_property
    def sides(self) -> NDArray[np.uint16]:
        """Partners sit opposite (J24)."""
        seats = np.arange(self.players)
        own = 1 << seats
        if self.partners:
            own |= 1 << (seats + self.players // 2) % self.players
        return read_only(own.astype(np.uint16))

    def plain_switch(self, name: str) -> Any:
        """Decks and tables that ship by name, others inline."""
        value = getattr(self, name)
        if isinstance(value, (Deck, ScoringTable)):
            return value.name if value == _shipped(name, value.name) else dict(value.source)
        return super().plain_switch(name)

    def first_seat(self, dealer: NDArray[np.int8]) -> NDArray[np.int8]:
        """The first leader (J4)."""
        shift = 1 if self.first_leader == "left_of_dealer" else 0
        return ((dealer + shift) % self.players).astype(np.int8)

    def _roll(self, table: Table, streams: Streams) -> None:
        """Roll the suit die: one face a suit, trumps included, all equally likely (J25)."""
        step = table.trick if self.roll_each == "trick" else 0
        words = streams.words(Purpose.CHANCE, step, table.hands)
        faces = sum(suit.role != "excuse" for suit in self.deck.suits)
        table.state.trump[:] = (words.astype(np.uint64) * np.uint64(faces)) >> np.uint64(32)

    @cached_property
    def values(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], float, float]:
        """What capturing pays under the scoring (J13, J18, J19)."""
        kept = read_only(self.deck.suit_of == self.deck.excuse)
        if not isinstance(self.scoring, ScoringTable):
            return read_only(np.zeros(self.deck.n_cards)), kept, 1.0, 0.0
        points = self.scoring.by_card(self.deck).astype(np.float64)
        cards = points[~kept].sum() * self.n_tricks * self.players / self.deck.n_cards
        average = max(float(self.scoring.trick + cards / self.n_tricks), 1.0)
        typical = float(points[~kept].mean()) / average
        return read_only(points / average), kept, self.scoring.trick / average, typical

    @property
    def lasting_trumps(self) -> bool:
        """Whether the trumps of one trick are those of the next (J25)."""
        return not self.dice or self.roll_each == "hand"

    def score(self, table: Table) -> Score:
        """Tricks or points, and the win by side (J13, J18, J24)."""
        points = self._points(table)[0]
        counted = points if isinstance(self.scoring, ScoringTable) else table.state.tricks
        score = counted.astype(np.int16)
        return Score(points, score, shares(score, self.sides))

    def trick_points(self, table: Table) -> NDArray[np.int16]:
        """Points that each trick brought its winner (J18)."""
        return self._points(table)[1]

    def _points(self, table: Table) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        points = np.zeros((table.hands, self.players), np.int16)
        by_trick = np.zeros((table.tricks, table.hands), np.int16)
        if isinstance(self.scoring, ScoringTable):
            by_card = self.scoring.by_card(self.deck)
            captured(
                table.cards,
                table.winners,
                by_card,
                self.values[1],
                self.scoring.trick,
                points,
                by_trick,
            )
        return points, by_trick

    @cached_property
    def _roles(self) -> NDArray[np.int8]:
        number = {"suit": 0, "trump": 1, "excuse": 2}
        return read_only(np.array([number[suit.role] for suit in self.deck.suits], np.int8))

    @cached_property
    def _ranks(self) -> NDArray[np.uint32]:
        masks = [
            [1 << s.ranks.index(rank) if rank in s.ranks else 0 for s in self.deck.suits]
            for rank in ("S", "R", "A")
        ]
        return read_only(np.array(masks, np.uint32))

    def seat_features(self, table: Table) -> Columns:
        """Features of the holdings, and what the barbarians saved."""
        out = features(table.dealt, table.start, self._roles, self._ranks)
        return out | {"excuse_saves": table.state.saves}

    def hand_features(self, table: Table) -> Columns:
        """When trumps were broken, and the striking tricks."""
        return {
            "broken_trick": table.state.broken,
            "excuse_saves": table.state.saves.sum(axis=1, dtype=np.int8),
            "worthless_tricks": table.worthless,
        }


@cache
def _shipped(switch: str, name: str) -> Deck | ScoringTable | None:
    """The deck or scoring table of this name that ships with the game, or None."""
    here = Path(str(resources.files(__package__)))
    if switch == "deck" and name in DECKS:
        return Deck.load(here / "decks" / f"{name}.toml")
    if switch == "scoring" and name in TABLES:
        return ScoringTable.load(here / "tables" / f"{name}.toml")
    return None


def _resolve(switch: str, given: Any, kind: type[Deck] | type[ScoringTable], clause: str) -> Any:
    """A deck or table by name, from a file, from the contents of one, or as it is."""
    if isinstance(given, kind):
        return given
    if isinstance(given, dict):
        return kind.from_dict(given)
    if not isinstance(given, (str, Path)):
        raise SwitchError(
            f"{switch} must be a name, a file or its contents, not {given!r} ({clause})"
        )
    shipped = _shipped(switch, str(given))
    if shipped is not None:
        return shipped
    if not Path(given).exists():
        allowed = options.specs(Junni)[switch].allowed
        raise SwitchError(f"{switch} must be {allowed}; there is no {str(given)!r} ({clause})")
    return kind.load(given)


def _check_playable(deck: Deck, players: int) -> None:
    if deck.trump is None:
        raise DeckError(f"deck {deck.name} has no trumps: Junni needs a table [trumps] (J1)")
    if deck.excuse is None:
        raise DeckError(f"deck {deck.name} has no barbarians: Junni needs [barbarians] (J1)")
    if sum(suit.role == "suit" for suit in deck.suits) < 2:
        raise DeckError(f"deck {deck.name} has one suit only: Junni needs two or more (J1)")
    each = deck.n_cards // players
    if not 1 <= each <= TRICK_LIMIT:
        raise DeckError(
            f"deck {deck.name} has {deck.n_cards} cards, {each} for each of {players} players; "
            f"from 1 to {TRICK_LIMIT} can be played with (J3)"
        )
