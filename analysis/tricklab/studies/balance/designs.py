"""What the balance study varies: for each game its switches of two levels, and the tables to try.

A *design* is a base game, *factors* that are switched on in every combination, and *contexts*
(numbers of players, decks, scoring tables) in which the factors are switched on one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tricklab import options
from tricklab.errors import SwitchError
from tricklab.games import GAMES, Game, game
from tricklab.studies.factors import Factor

MOST_FACTORS = 5
"""Factors of a design that is read from a game's switches: two to that power are its cells."""


@dataclass(frozen=True)
class Assumption:
    """A clause that the rule sheet assumes, and what else is shipped.

    Attributes
    ----------
    clause, title : str
        The clause, and what it assumes.
    on : tuple of str
        What must be switched on for the clause to apply.
    contexts : tuple of str
        Contexts that put something else in its place.
    """

    clause: str
    title: str
    on: tuple[str, ...]
    contexts: tuple[str, ...]


@dataclass(frozen=True)
class Design:
    """A base game and what is changed of it.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    game : str
        The game's name.
    base : dict
        Switches of the base game.
    factors : tuple of Factor
        Switched on in every combination.
    contexts : tuple of Factor
        Other tables at which the factors are switched on one at a time.
    extras : tuple of Factor
        Further changes of the base game, each by itself.
    null : str
        Name of an extra that by symmetry can change nothing; empty if there is none.
    assumptions : tuple of Assumption
        Clauses that the rule sheet assumes, put to the test.
    """

    name: str
    title: str
    game: str
    base: dict[str, Any] = field(default_factory=dict)
    factors: tuple[Factor, ...] = ()
    contexts: tuple[Factor, ...] = ()
    extras: tuple[Factor, ...] = ()
    null: str = ""
    assumptions: tuple[Assumption, ...] = ()

    @property
    def titles(self) -> dict[str, str]:
        """Titles of everything that is switched on, by name."""
        return {f.name: f.title for f in (*self.factors, *self.extras, *self.contexts)}

    def make(self, context: str, on: Sequence[str]) -> Game:
        """The game of a cell; :class:`SwitchError` for a combination that a clause forbids."""
        named = {f.name: f for f in (*self.factors, *self.extras, *self.contexts)}
        chosen = [*([context] if context else []), *on]
        switches = dict(self.base)
        for name in chosen:
            switches |= named[name].switches
        return game(self.game, **switches)

    def settings(self) -> list[tuple[str, tuple[str, ...]]]:
        """The cells, each a context (empty for the base) and the names of what is switched on.

        First the full factorial, in the order of :func:`tricklab.studies.balance.effects.signs`.
        A combination that a clause forbids is left out of the contexts.
        """
        names = [f.name for f in self.factors]
        out = [
            ("", tuple(n for n, on in zip(names, levels, strict=True) if on))
            for levels in product((False, True), repeat=len(names))
        ]
        out += [("", (extra.name,)) for extra in self.extras]
        for context in self.contexts:
            free = [f.name for f in self.factors if not f.switches.keys() & context.switches.keys()]
            out += [
                (context.name, on)
                for on in [(), *((name,) for name in free)]
                if self._allows(context.name, on)
            ]
        return out

    def _allows(self, context: str, on: Sequence[str]) -> bool:
        try:
            self.make(context, on)
        except SwitchError:
            return False
        return True


SHRIVING = Factor(
    "shriving",
    "Shriving",
    "J14",
    {"shriving": True},
    "before play everyone gives four cards to the left",
)
ARETE = Factor(
    "arete",
    "Arete Court",
    "J17",
    {"arete_court": True},
    "a Rook or Sage may be played as its inverted suit",
)
DICE = Factor("dice", "Dice", "J25", {"dice": True}, "a die names trumps anew before each trick")
PARTNERS = Factor(
    "partners", "Partners", "J24", {"partners": True}, "two opposite seats add their results"
)
RECKONING = Factor(
    "reckoning",
    "Dead Reckoning",
    "J18",
    {"scoring": "dead_reckoning"},
    "points for tricks, Sages, Rooks, aces and barbarians decide",
)
ROTATE = Factor(
    "rotate",
    "Lead passes round",
    "J5",
    {"next_leader": "rotate"},
    "the lead passes clockwise, whoever took the trick",
)
LEFT = Factor(
    "left",
    "Left of dealer leads",
    "J4",
    {"first_leader": "left_of_dealer"},
    "the seat after the dealer leads first",
)
FLAT = Factor(
    "flat",
    "Flat table",
    "J18",
    {"scoring": "flat"},
    "a point for each captured card decides, none for tricks",
)
HEAVY = Factor(
    "heavy",
    "Trump-heavy table",
    "J18",
    {"scoring": "trump_heavy"},
    "points for captured trumps, Sages, Rooks and barbarians decide",
)
FOUR_SUITS = Factor(
    "four_suits",
    "Four-suit deck",
    "J2",
    {"deck": "four_suits"},
    "4 suits of 14, 20 trumps, 4 barbarians",
)
SHORT_SUITS = Factor(
    "short_suits",
    "Short-suit deck",
    "J2",
    {"deck": "short_suits"},
    "5 suits of 11, 22 trumps, 3 barbarians",
)


def seats(counts: Sequence[int], clause: str) -> tuple[Factor, ...]:
    """Contexts of other numbers of players."""
    return tuple(
        Factor(f"players_{n}", f"{n} players", clause, {"players": n}, f"{n} at the table")
        for n in counts
    )


DESIGNS = (
    Design(
        "junni",
        "Junni, 4 players",
        "junni",
        factors=(SHRIVING, ARETE, DICE, PARTNERS, RECKONING, ROTATE),
        contexts=(*seats((3, 5, 6), "J3"), FOUR_SUITS, SHORT_SUITS, FLAT, HEAVY),
        extras=(
            Factor(
                "dice_hand",
                "Dice, each hand",
                "J25",
                {"dice": True, "roll_each": "hand"},
                "a die names trumps once for the hand",
            ),
            LEFT,
        ),
        null="left",
        assumptions=(
            Assumption("J2", "the deck of the journey", (), ("four_suits", "short_suits")),
            Assumption("J18", "the table of Dead Reckoning", ("reckoning",), ("flat", "heavy")),
        ),
    ),
    Design(
        "traitor",
        "Junni with a Traitor, 4 players",
        "junni",
        # A hand passed out has nothing to measure, so the dealer bids if nobody else does.
        base={"traitor": True, "all_drop": "dealer_minimum"},
        factors=(SHRIVING, ARETE, DICE, RECKONING),
        extras=(LEFT,),
    ),
    Design(
        "trjamann",
        "Trjámann",
        "trjamann",
        factors=(
            Factor("no_twos", "Without twos", "T1", {"deck": "no_twos"}, "48 cards, no Manni"),
            Factor(
                "no_spades",
                "Other without spades",
                "T4",
                {"other_may_be_spades": False},
                "the contract Other may not name spades",
            ),
        ),
        extras=(
            Factor("keep", "No exchange", "T6", {"max_exchange": 0}, "the Manni stays closed"),
        ),
    ),
    Design(
        "kaji",
        "KAJI, 4 players",
        "kaji",
        factors=(
            Factor(
                "dealer_bids",
                "Dealer bids first",
                "K3",
                {"first_bidder": "dealer"},
                "the dealer, not the seat to its left, bids first",
            ),
        ),
        contexts=seats((2, 3, 5), "K2"),
    ),
)
"""The designs that are written out; any other game's is read from its switches."""


def designs_of(name: str) -> tuple[Design, ...]:
    """The designs of a game: those written out, else one read from the game's own switches."""
    written = tuple(design for design in DESIGNS if design.game == name)
    return written or (read_design(name),)


def read_design(name: str) -> Design:
    """A design of a game's flags and small choices, and of its numbers of players."""
    factors = []
    specs = options.specs(GAMES[name])
    for spec in specs.values():
        if isinstance(spec.default, bool):
            other: Any = not spec.default
        elif spec.choices:
            other = next(value for value in spec.choices if value != spec.default)
        else:
            continue
        title = f"{spec.name}={str(other).lower()}"
        switches = {spec.name: other}
        factors.append(Factor(spec.name, title, spec.clause, switches, spec.meaning))
    players = specs["players"]
    assert players.low is not None
    assert players.high is not None
    counts = [n for n in range(int(players.low), int(players.high) + 1) if n != players.default]
    return Design(
        name,
        f"{GAMES[name].title}, {players.default} players",
        name,
        factors=tuple(factors[:MOST_FACTORS]),
        contexts=seats(counts, players.clause),
    )
