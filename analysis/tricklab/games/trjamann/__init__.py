"""Trjámann: each hand one declarer names the contract (rule sheet: ``rules.md`` beside this)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.bidding import NO_CONTRACT
from tricklab.cards import Deck, read_only
from tricklab.contracts import Contract, Declare
from tricklab.errors import SwitchError
from tricklab.games.base import Game
from tricklab.games.parts import Attempt, Clauses, Column, Columns, Score, shares
from tricklab.games.trjamann.features import DEALT, features
from tricklab.games.trjamann.strength import contract_worth
from tricklab.phases import Swap
from tricklab.play import Phase, Tricks
from tricklab.table import Table
from tricklab.trick_data import Rules, trick_rules
from tricklab.view import View

DECKS = ("full", "no_twos")
ENDS = ("ten_or_twelve", "twelve_hands", "ten_points")

PLAYERS = 3
"""Trjámann is a game for three (T2)."""

EACH = 16
"""Cards dealt to each (T2)."""

NULLO, GRAND, SPADES, OTHER = range(4)
"""The kinds of contract (T3), in the order of :data:`KINDS`."""

KINDS = ("nullo", "grand", "spades", "other")
"""The names of the contracts (T3)."""

TARGET, TARGET_OTHERS = 8, 4
"""Tricks from which the declarer, and each of the others, scores where tricks count (T9)."""

LIMIT, LIMIT_OTHERS = 4, 6
"""Tricks up to which the declarer, and each of the others, scores in Nullo (T9)."""

ENOUGH = 10
"""Points that end a match where points do (T10)."""

MATCH_HANDS = PLAYERS * len(KINDS)
"""Hands until every player has declared every contract (T5)."""


@dataclass(frozen=True)
class Trjamann(Game):
    """Trjámann with its switches; see the rule sheet for the clauses."""

    players: int = options.option(
        PLAYERS, "number of players", clause="T2", low=PLAYERS, high=PLAYERS
    )
    deck: Any = options.option(
        "full", "the pack: with the twos, and a Manni, or without", clause="T1", choices=DECKS
    )
    other_may_be_spades: bool = options.option(
        True, "whether the contract Other may name spades as trumps", clause="T4"
    )
    max_exchange: int = options.option(
        4, "the most cards the declarer may exchange with the Manni", clause="T6", low=0, high=4
    )
    end: str = options.option(
        "ten_or_twelve", "what ends a match", clause="T10", choices=ENDS, of_matches=True
    )
    max_hands: int = options.option(
        120,
        "hands after which a match that only points end is over all the same",
        clause="T10",
        low=1,
        high=10_000,
        of_matches=True,
    )

    name = "trjamann"
    title = "Trjámann"
    version = 1
    fitting = f"{__name__}.fitting"
    assumptions = ("That four cards at most are exchanged is assumed (T6).",)

    facts = {
        "declarer": (),
        "contract": tuple(
            (f"is {kind}", f"hands of {name.capitalize()} (T3)") for kind, name in enumerate(KINDS)
        ),
        "trumps": (),
        "taken": (("mean", "tricks the declarer took (T9)"),),
        "made": (("made", "hands in which the declarer scored 0 or more (T9)"),),
    }

    def __post_init__(self) -> None:
        if isinstance(self.deck, Deck) and self.deck.name in DECKS:
            object.__setattr__(self, "deck", self.deck.name)
        options.check(self, SwitchError)
        object.__setattr__(self, "deck", _shipped(self.deck))

    def plain_switch(self, name: str) -> Any:
        """A switch's value, the deck by its name."""
        return self.deck.name if name == "deck" else super().plain_switch(name)

    @property
    def cards_each(self) -> int:
        """Sixteen each, whatever is left being the Manni (T2)."""
        return EACH

    @cached_property
    def rules(self) -> Rules:
        """The trick rules as data: follow suit if able, nothing more (T7, T8)."""
        return trick_rules(self.deck)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The contract, the exchange and the tricks (T3, T6, T8); the declarer leads (T7)."""
        return (Declare(from_dealer=1), Swap(self.discards, "T6"), Tricks())

    @property
    def discards(self) -> int:
        """The most cards that the declarer exchanges: no more than the Manni has (T6)."""
        return min(self.max_exchange, self.set_aside)

    @property
    def fewest_discards(self) -> int:
        """The declarer need not exchange any (T6)."""
        return 0

    @cached_property
    def contracts(self) -> tuple[Contract, ...]:
        """Nullo, Grand, Spades, and Other with each suit (T3)."""
        spades = self.deck.suit_index("S")
        named = [Contract("other", OTHER, s, suit.letter) for s, suit in enumerate(self.deck.suits)]
        return (
            Contract("nullo", NULLO, avoid=True),
            Contract("grand", GRAND),
            Contract("spades", SPADES, spades),
            *named,
        )

    def offered(self, carried: NDArray[np.uint16]) -> NDArray[np.bool_]:
        """What T4 allows, of the kinds not declared yet (T5)."""
        kinds = self._by_contract["kind"].astype(np.uint16)
        left = (carried[:, None] >> kinds & 1) == 0
        return left & self._by_contract["allowed"]

    def contract_clause(self, contract: int) -> str:
        """T3 for what is no contract, T4 for a suit that Other may not name, T5 for the rest."""
        if contract == NO_CONTRACT:
            return "T3"
        return "T5" if self._by_contract["allowed"][contract] else "T4"

    @cached_property
    def _by_contract(self) -> dict[str, NDArray[Any]]:
        """Properties of the contracts as arrays."""
        barred = [
            c.kind == OTHER and c.letter == "S" and not self.other_may_be_spades
            for c in self.contracts
        ]
        return {
            "kind": read_only(np.array([c.kind for c in self.contracts], np.int8)),
            "trump": read_only(np.array([c.trump for c in self.contracts], np.int8)),
            "avoid": read_only(np.array([c.avoid for c in self.contracts])),
            "allowed": read_only(~np.array(barred)),
        }

    def contract_worth(self, view: View) -> NDArray[np.float64]:
        """The estimate of :mod:`.strength`, less what a contract may be worth later (T5)."""
        return contract_worth(view)

    def aim(self, view: View) -> NDArray[np.int8]:
        """In Nullo nobody wants tricks: each one costs a point, whoever takes it (T9)."""
        return np.where(self._by_contract["avoid"][view.contract], -1, 1).astype(np.int8)

    def score(self, table: Table) -> Score:
        """Tricks over the target, or under the limit in Nullo (T9)."""
        tricks = table.state.tricks.astype(np.int16)
        declares = np.arange(self.players) == table.declarer[:, None]
        nullo = self._by_contract["avoid"][table.contract][:, None]
        under = np.where(declares, LIMIT, LIMIT_OTHERS) - tricks
        over = tricks - np.where(declares, TARGET, TARGET_OTHERS)
        score = np.where(nullo, under, over).astype(np.int16)
        made = score[np.arange(table.hands), table.declarer] >= 0
        return Score(np.zeros_like(score), score, shares(score, self.sides), made.astype(np.int8))

    @cached_property
    def seat_columns(self) -> dict[str, Column]:
        """Features of the holdings, and who declared."""
        return DEALT | {"declarer": Column("int8", "1 for the declarer, else 0 (T3)", 0, 1)}

    @cached_property
    def hand_columns(self) -> dict[str, Column]:
        """The contract and what came of it."""
        return {
            "declarer": Column("int8", "the declarer's seat (T3)", 0),
            "contract": Column(
                "int8", "0 for Nullo, 1 Grand, 2 Spades, 3 Other (T3)", 0, len(KINDS) - 1
            ),
            "trumps": Column("suit", "suit that was trumps; missing in Nullo and Grand (T3)"),
            "exchanged": Column("int8", "cards the declarer exchanged (T6)", 0),
            "taken": Column("int16", "tricks the declarer took (T9)", 0),
            "made": Column("int8", "1 if the declarer scored 0 or more, else 0 (T9)", 0, 1),
        }

    @property
    def contract_kinds(self) -> tuple[str, ...]:
        """Nullo, Grand, Spades, Other (T3)."""
        return KINDS

    @cached_property
    def _aces(self) -> NDArray[np.uint32]:
        masks = [1 << suit.ranks.index("A") for suit in self.deck.suits]
        return read_only(np.array(masks, np.uint32))

    def seat_features(self, table: Table) -> Columns:
        """Features of the holdings, and who declared."""
        out = features(table.dealt, self._aces)
        out["declarer"] = (np.arange(self.players) == table.declarer[:, None]).astype(np.int8)
        return out

    def hand_features(self, table: Table, scored: Score) -> Columns:
        """The contract and what came of it."""
        taken = table.state.tricks[np.arange(table.hands), table.declarer]
        return {
            "declarer": table.declarer,
            "contract": self._by_contract["kind"][table.contract],
            "trumps": self._by_contract["trump"][table.contract],
            "exchanged": table.exchanged,
            "taken": taken.astype(np.int16),
            "made": scored.made,
        }

    def check_match(self) -> None:
        """Every setting of the switches makes a match (T5)."""

    def carry(self, table: Table) -> NDArray[np.uint16]:
        """The kinds of contract each has declared; none once all have declared all (T5, T10)."""
        declared = table.carried.copy()
        kind = self._by_contract["kind"][table.contract].astype(np.uint16)
        declared[np.arange(table.hands), table.declarer] |= np.uint16(1) << kind
        everything = (declared == (1 << len(KINDS)) - 1).all(axis=1)
        return np.where(everything[:, None], np.uint16(0), declared)

    def match_over(
        self, standing: NDArray[np.int32], hands: NDArray[np.int16]
    ) -> NDArray[np.bool_]:
        """Enough points, enough hands, or whichever comes first (T10)."""
        enough = standing.max(axis=1) >= ENOUGH
        if self.end == "twelve_hands":
            return hands >= MATCH_HANDS
        if self.end == "ten_or_twelve":
            return enough | (hands >= MATCH_HANDS)
        return enough | (hands >= self.max_hands)

    @cached_property
    def clauses(self) -> Clauses:
        """Clauses for faults in hand histories."""
        return Clauses(
            pack="T1",
            numbers="T2",
            discard="T6",
            contract="T3",
            result={
                "tricks": "T8",
                "score": "T9",
                "win": "T9",
                "declarer": "T3",
                "partner": "T3",
                "made": "T9",
            },
        )

    def play_clause(self, attempt: Attempt) -> str:
        """Whatever may not be played did not follow suit (T8)."""
        return "T8"


@cache
def _shipped(name: str) -> Deck:
    """The deck of this name that ships with the game."""
    return Deck.load(Path(str(resources.files(__package__))) / "decks" / f"{name}.toml")
