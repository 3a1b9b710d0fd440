"""How often does it happen?  Exactly, where the deal alone decides it.

:func:`exact_odds` counts card patterns: what an expression names splits the deck into classes of
cards that it cannot tell apart, and only the numbers of each class in a holding matter.
"""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import Deck, Suit
from tricklab.errors import UserError
from tricklab.events import Event, EventError, UnknownColumnError
from tricklab.stats import Estimate

__all__ = ["exact_odds"]

MAX_PATTERNS = 3_000_000
"""Patterns that are still enumerated; about the work of some seconds."""

_CHUNK = 100_000

# Ranks that have a column of their own; they are counted over the ordinary suits.
_RANK_COLUMNS = {"sages": "S", "rooks": "R", "aces": "A", "high_cards": "SR"}
# Columns that need the length of every ordinary suit.
_SHAPE_COLUMNS = ("voids", "longest_suit", "shortest_suit")

Counts = NDArray[np.int16]


class Dealt(Protocol):
    """What is asked of a game: its deck, and how that is dealt."""

    @property
    def players(self) -> int: ...
    @property
    def deck(self) -> Deck: ...
    @property
    def cards_each(self) -> int: ...
    @property
    def set_aside(self) -> int: ...


def exact_odds(game: Dealt, text: str, of: str = "seats") -> Estimate:
    """The exact chance of an event that the deal alone decides.

    Parameters
    ----------
    game : game
        Its deck, players and cards each are used; nothing is played.
    text : str
        An event over the dealt holding, before anything is given or exchanged: the length of any
        suit by its name (``bells``, ``trumps``, ``barbarians``), ``voids``, ``longest_suit``,
        ``shortest_suit``, ``sages``, ``rooks``, ``aces``, ``high_cards``.
    of : {"seats", "hands"}
        The chance for one named seat, or for the table, as in ``any(barbarians == 4)``.

    Returns
    -------
    Estimate
        Marked exact, with the chance as a fraction.

    Raises
    ------
    UserError
        If the event is not about the deal alone, or tells too many patterns apart to count them.

    Examples
    --------
    >>> import tricklab as tl
    >>> tl.exact_odds(tl.game("junni"), "any(barbarians == 4)", of="hands").fraction
    Fraction(969, 79079)
    """
    if of not in ("seats", "hands"):
        raise UserError(f"exact odds are of 'seats' or of 'hands'; got {of!r}")
    event = _parse(game.deck, text, of)
    classes = _classes(game.deck, event.names)
    if of == "hands" or event.reduces:
        return _table_odds(game, event, classes)
    return _holding_odds(game, event, classes)


# --------------------------------------------------------------------------- columns and classes
def _parse(deck: Deck, text: str, of: str) -> Event:
    suits = [suit.column for suit in deck.suits]
    names = list(dict.fromkeys([*suits, *_SHAPE_COLUMNS, *_RANK_COLUMNS]))
    try:
        return Event.parse(text, of, {"seats": dict.fromkeys(names, "i")})
    except UnknownColumnError as error:
        close = difflib.get_close_matches(error.column, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else " For the rest use how_often."
        raise EventError(
            f"{error.column!r} is not among what the deal alone decides, so there are no exact "
            f"odds; what can be named is {', '.join(names)}.{hint}"
        ) from None


def _counts(column: str, suit: Suit, rank: str) -> bool:
    """Whether a column counts a card."""
    if column in _RANK_COLUMNS:
        return suit.role == "suit" and rank in _RANK_COLUMNS[column]
    return suit.column == column


@dataclass(frozen=True)
class _Classes:
    """The coarsest split of the deck that the named columns can tell apart.

    `sizes` has the number of cards of each class, the unnamed rest last (it may be empty).
    `counted` maps a counted column to its classes.
    """

    deck: Deck
    names: frozenset[str]
    sizes: tuple[int, ...]
    counted: Mapping[str, list[int]]

    def frame(self, counts: Counts) -> dict[str, NDArray[Any]]:
        """Columns of holdings, from the cards of each named class, shape (holdings, classes)."""
        sums = {c: counts[:, k].sum(axis=1) for c, k in self.counted.items()}
        out: dict[str, NDArray[Any]] = {c: v for c, v in sums.items() if c in self.names}
        if self.names & set(_SHAPE_COLUMNS):
            suits = np.stack([sums[s.column] for s in self.deck.suits if s.role == "suit"])
            out["voids"] = (suits == 0).sum(axis=0)
            out["longest_suit"], out["shortest_suit"] = suits.max(axis=0), suits.min(axis=0)
        return out


def _classes(deck: Deck, names: frozenset[str]) -> _Classes:
    columns = [n for n in names if n not in _SHAPE_COLUMNS]
    if len(columns) < len(names):
        columns += [s.column for s in deck.suits if s.role == "suit"]
    columns = sorted(set(columns))
    members = Counter(
        tuple(_counts(c, suit, rank) for c in columns) for suit in deck.suits for rank in suit.ranks
    )
    rest = members.pop((False,) * len(columns), 0)
    counted = {c: [k for k, seen in enumerate(members) if seen[i]] for i, c in enumerate(columns)}
    return _Classes(deck, names, (*members.values(), rest), counted)


# ------------------------------------------------------------------------------------ one holding
def _holding_odds(game: Dealt, event: Event, classes: _Classes) -> Estimate:
    """One holding: the counts of the classes are multivariate hypergeometric."""
    n, sizes = game.cards_each, classes.sizes
    _check_patterns(event.text, _number_of_patterns(sizes, n))
    counts = _count_vectors(sizes, n)
    binomials = [[math.comb(size, k) for k in range(size + 1)] for size in sizes]
    hits = 0
    for start in range(0, len(counts), _CHUNK):
        chunk = counts[start : start + _CHUNK]
        frame = classes.frame(chunk[:, :-1]) | {"hand": np.arange(len(chunk))}
        rows = chunk[event.evaluate({"seats": frame})]
        hits += _sum_of_products(binomials, rows)
    chance = Fraction(hits, math.comb(sum(sizes), n))
    return Estimate.of_fraction(chance, f"exact: {len(counts):,} patterns of a holding", event.text)


def _number_of_patterns(sizes: Sequence[int], n: int) -> int:
    """Number of count vectors with the given bounds that add up to n."""
    ways = [1] + [0] * n
    for size in sizes:
        ways = [sum(ways[max(0, total - size) : total + 1]) for total in range(n + 1)]
    return ways[n]


def _count_vectors(sizes: Sequence[int], n: int) -> Counts:
    """Every vector of counts within the bounds that adds up to n, shape (vectors, classes)."""
    rows = np.zeros((1, 0), dtype=np.int16)
    left = np.array([n])
    room = sum(sizes)
    for size in sizes:
        room -= size
        low = np.maximum(0, left - room)
        ways = np.minimum(size, left) - low + 1
        first = np.cumsum(ways) - ways
        taken = np.arange(ways.sum()) + np.repeat(low - first, ways)
        rows = np.column_stack([np.repeat(rows, ways, axis=0), taken]).astype(np.int16)
        left = np.repeat(left, ways) - taken
    return rows


def _sum_of_products(tables: Sequence[Sequence[int]], rows: NDArray[Any]) -> int:
    """Σ over rows of Π tables[k][rows[:, k]], in whole numbers of any size."""
    product = np.ones(len(rows), dtype=object)
    for k, table in enumerate(tables):
        product *= np.array(table, dtype=object)[rows[:, k]]
    return int(product.sum()) if len(rows) else 0


# -------------------------------------------------------------------------------------- the table
def _table_odds(game: Dealt, event: Event, classes: _Classes) -> Estimate:
    """All seats at once: how each class is spread over the seats and the cards set aside.

    Seats are alike and an event cannot name one, so the widest class is only spread in falling
    order, each way standing for all its rearrangements.
    """
    seats = game.players
    capacity = [game.cards_each] * seats + [game.set_aside]
    if sum(capacity) != game.deck.n_cards:
        raise UserError(
            f"{seats} × {game.cards_each} cards and {game.set_aside} set aside are not the "
            f"{game.deck.n_cards} cards of the deck"
        )
    named = classes.sizes[:-1]
    if not named:
        raise UserError(f"nothing in {event.text!r} depends on the deal")
    order = sorted(range(len(named)), key=lambda k: -named[k])
    spreads = []
    patterns = 1
    for place, k in enumerate(order):
        if place == 0:
            spread, ways = _falling_spreads(named[k], seats, capacity)
        else:
            _check_patterns(event.text, patterns * _number_of_patterns(capacity, named[k]))
            spread = _count_vectors(capacity, named[k])
            ways = np.ones(len(spread), dtype=object)
        patterns *= len(spread)
        spreads.append((spread, ways * _arrangements(spread)))
    total = math.factorial(sum(capacity))
    for c in capacity:
        total //= math.factorial(c)
    hits = 0
    for counts, weights in _deals(spreads, np.array(capacity)):
        by_seat = np.empty((len(counts) * seats, len(named)), dtype=np.int16)
        for place, k in enumerate(order):
            by_seat[:, k] = counts[:, place, :seats].reshape(-1)
        hand = np.arange(len(counts))
        frame = classes.frame(by_seat) | {"hand": np.repeat(hand, seats)}
        holds = event.evaluate({"hands": {"hand": hand}, "seats": frame})
        share = holds if event.of == "hands" else holds.reshape(-1, seats).sum(axis=1)
        hits += int((weights * share).sum())
    chance = Fraction(hits, total * (1 if event.of == "hands" else seats))
    return Estimate.of_fraction(chance, f"exact: {patterns:,} patterns of a deal", event.text)


def _falling_spreads(
    size: int, seats: int, capacity: Sequence[int]
) -> tuple[Counts, NDArray[np.object_]]:
    """Spreads with seat counts in falling order, and how many rearrangements each stands for."""
    stack: list[tuple[int, ...]] = [()]
    for _ in range(seats):
        stack = [
            (*done, c)
            for done in stack
            for c in range(min(capacity[0], done[-1] if done else size, size - sum(done)) + 1)
        ]
    full = [(*s, size - sum(s)) for s in stack if size - sum(s) <= capacity[-1]]
    spread = np.array(full, dtype=np.int16).reshape(-1, seats + 1)
    ways = []
    for row in full:
        count, run = math.factorial(seats), 1
        for a, b in pairwise(row[:-1]):
            run = run + 1 if a == b else 1
            count //= run
        ways.append(count)
    return spread, np.array(ways, dtype=object)


def _arrangements(spread: NDArray[Any]) -> NDArray[np.object_]:
    """Ways to deal each spread: n! / Π k! over its boxes."""
    most = int(spread.sum(axis=1).max(initial=0))
    factorial = np.array([math.factorial(k) for k in range(most + 1)], dtype=object)
    out: NDArray[np.object_] = factorial[spread.sum(axis=1)]
    for box in range(spread.shape[1]):
        out = out // factorial[spread[:, box]]
    return out


def _deals(
    spreads: Sequence[tuple[Counts, NDArray[np.object_]]], capacity: NDArray[np.int64]
) -> Iterator[tuple[Counts, NDArray[np.object_]]]:
    """Combinations of the classes' spreads that fit, in chunks: counts (deals, class, box), ways.

    The rest of the deck fills what is left.
    """
    shape = tuple(len(spread) for spread, _ in spreads)
    for start in range(0, math.prod(shape), _CHUNK):
        picks = np.unravel_index(np.arange(start, min(start + _CHUNK, math.prod(shape))), shape)
        counts = np.stack([s[i] for (s, _), i in zip(spreads, picks, strict=True)], axis=1)
        left = capacity - counts.sum(axis=1)
        fits = (left >= 0).all(axis=1)
        weights = _arrangements(left[fits])
        for (_, ways), i in zip(spreads, picks, strict=True):
            weights = weights * ways[i[fits]]
        yield counts[fits], weights


def _check_patterns(text: str, patterns: int) -> None:
    if patterns > MAX_PATTERNS:
        raise UserError(
            f"there are no exact odds this way: {text!r} tells more than {MAX_PATTERNS:,} patterns "
            "of cards apart; name fewer suits or ranks, or use how_often"
        )
