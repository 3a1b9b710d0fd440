"""The bonuses as one table: what must happen, and what it pays announced and not (E22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import read_only
from tricklab.games.emperor.pack import DECK, HIGH_GAME, LONG, RANKS, ROUND, SUITS, TRICKS

TAKES, COUNTS, RUNS, WINS, CAPTURES = range(5)
"""Kinds of conditions; see :class:`Condition`."""

NEVER_SILENT = -1
"""Stands for the points of a bonus that scores only if it is announced."""


@dataclass(frozen=True)
class Condition:
    """What must happen to a side for a bonus.

    Attributes
    ----------
    kind : int
        ``TAKES``: its tricks hold all of the cards.  ``COUNTS``: it has so many card points.
        ``RUNS``: it wins the tricks ``first`` to ``last``, those from ``winning`` on with one of
        the cards.  ``WINS``: it wins any trick with one of the cards.  ``CAPTURES``: it wins a
        trick to which the other side played one of the cards.
    cards : str
        Cards in notation.
    first, last, winning : int
        Tricks, from 1.
    points : int
        Card points.
    """

    kind: int
    cards: str = ""
    first: int = 0
    last: int = 0
    winning: int = TRICKS + 1
    points: int = 0


def takes(cards: str) -> Condition:
    """The side's tricks hold all of these cards."""
    return Condition(TAKES, cards)


def first(count: int, card: str) -> Condition:
    """The side wins the first tricks, the last of these with a card."""
    return Condition(RUNS, card, 1, count, count)


def last(count: int, cards: str) -> Condition:
    """The side wins the last tricks with these cards."""
    return Condition(RUNS, cards, TRICKS - count + 1, TRICKS, TRICKS - count + 1)


def but_last(card: str) -> Condition:
    """The side wins the last trick but one with this card."""
    return Condition(RUNS, card, TRICKS - 1, TRICKS - 1, TRICKS - 1)


def wins(cards: str) -> Condition:
    """The side wins any trick with one of these cards."""
    return Condition(WINS, cards)


@dataclass(frozen=True)
class Bonus:
    """A bonus.

    Attributes
    ----------
    name : str
        As hand histories have it.
    condition : Condition
        What must happen.
    announced, silent : int
        Points announced and not; or, for ``multiplies``, what the payment is multiplied by.
    multiplies : bool
        Whether it multiplies the payment for the hand (E21).
    """

    name: str
    condition: Condition
    announced: int
    silent: int = NEVER_SILENT
    multiplies: bool = False


def _of(ranks: str, suits: str) -> str:
    return " ".join(rank + suit for suit in suits for rank in ranks)


ALL = "".join(SUITS)
HONOUR_CARDS, KING_CARDS = "1T 21T FT", _of("K", ALL)
SLAM_TRICKS = Condition(RUNS, "", 1, TRICKS)


def _table() -> Iterator[Bonus]:
    """The table of E22, in its order; a row of a suit stands for one of each."""
    yield Bonus("honours", takes(HONOUR_CARDS), 2, 1)
    yield Bonus("kings", takes(KING_CARDS), 2, 1)
    yield Bonus("high_game", Condition(COUNTS, points=HIGH_GAME), 4, 2, multiplies=True)
    yield Bonus("slam", SLAM_TRICKS, 6, 3, multiplies=True)
    yield Bonus("sparrow", last(1, "1T"), 10, 5)
    yield Bonus("conquest", Condition(CAPTURES, "21T"), 40, 20)
    yield Bonus("first_five", first(5, "20T"), 10, 5)
    yield Bonus("first_six", first(6, "21T"), 12, 6)
    yield Bonus("first_seven", first(7, "FT"), 14, 7)
    yield Bonus("first_eight", first(8, "1T"), 20, 10)
    yield from (Bonus(f"last_king:{s}", last(1, "K" + s), 15) for s in ALL)
    yield from (Bonus(f"penultimate_king:{s}", but_last("K" + s), 20) for s in ALL)
    yield Bonus("last_owl", last(1, "2T"), 25)
    yield Bonus("owl", but_last("2T"), 30)
    yield Bonus("force_of_one", wins(_of("QC", LONG)), 20)
    yield Bonus("profit_of_one", wins(_of("QC", ROUND)), 20)
    yield from (Bonus(f"pip_the_post:{s}", wins(_of("A2", s)), 30) for s in ALL)
    yield from (Bonus(f"marriage:{s}", last(2, _of("KQ", s)), 50) for s in ALL)
    yield Bonus("bethlehem", last(3, KING_CARDS), 60)
    yield from (Bonus(f"family:{s}", last(3, _of("".join(RANKS), s)), 60) for s in ALL)
    yield Bonus("flock", last(3, "1T 2T 3T 4T"), 60)


BONUSES = tuple(_table())
NAMES = tuple(bonus.name for bonus in BONUSES)

HONOURS_BONUS, KINGS_BONUS = NAMES.index("honours"), NAMES.index("kings")
SLAM, SPARROW = NAMES.index("slam"), NAMES.index("sparrow")

NOT_WITH_SLAM = 1 << HONOURS_BONUS | 1 << KINGS_BONUS
"""Bonuses that a side with a Slam may not announce and does not score, a set as bits (E21)."""

ALL_BONUSES = (1 << len(NAMES)) - 1

GAME = 0
"""The claim that stands for the hand; bonus *b* is claim ``1 + b`` (E16)."""

CLAIMS = ("game", *NAMES)
"""Claims as hand histories have them, by number."""


class Conditions(NamedTuple):
    """The table as arrays, a row a bonus; see :class:`Bonus` and :class:`Condition`.

    ``cards`` (B, S) are a condition's cards as masks, ``sets`` (B,) the same as bits by the cards'
    numbers.  ``could`` (T, n_cards) are the bonuses, as bits, that a side which wins a trick, from
    0, with a card can have made, and without any such trick cannot; ``always`` the other bonuses.
    """

    kind: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    winning: NDArray[np.int64]
    least: NDArray[np.int64]
    cards: NDArray[np.uint32]
    announced: NDArray[np.int64]
    silent: NDArray[np.int64]
    multiplies: NDArray[np.bool_]
    sets: NDArray[np.int64]
    could: NDArray[np.int64]
    always: int


def _compiled() -> Conditions:
    rules = [bonus.condition for bonus in BONUSES]

    def column(values: list[int]) -> NDArray[np.int64]:
        return read_only(np.array(values, np.int64))

    could, always = np.zeros((TRICKS, DECK.n_cards), np.int64), 0
    for b, rule in enumerate(rules):
        cards = DECK.parse(rule.cards)
        if rule.kind == WINS:
            could[:, cards] |= 1 << b
        elif rule.kind == RUNS:
            could[rule.last - 1, cards if rule.last >= rule.winning else slice(None)] |= 1 << b
        else:
            always |= 1 << b
    return Conditions(
        column([rule.kind for rule in rules]),
        column([rule.first for rule in rules]),
        column([rule.last for rule in rules]),
        column([rule.winning for rule in rules]),
        column([rule.points for rule in rules]),
        read_only(np.stack([DECK.masks(DECK.parse(rule.cards)) for rule in rules])),
        column([bonus.announced for bonus in BONUSES]),
        column([bonus.silent for bonus in BONUSES]),
        read_only(np.array([bonus.multiplies for bonus in BONUSES])),
        column([sum(1 << int(card) for card in DECK.parse(rule.cards)) for rule in rules]),
        read_only(could),
        always,
    )


CONDITIONS = _compiled()
"""The table for kernels."""


def named(bits: int, names: tuple[str, ...]) -> list[str]:
    """The names in a set."""
    return [name for number, name in enumerate(names) if bits >> number & 1]
