"""Exact odds, against textbook formulas and against every deal of a tiny deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats as sps

from tricklab.cards import Deck, Suit
from tricklab.errors import UserError
from tricklab.events import Event
from tricklab.odds import exact_odds


@dataclass(frozen=True)
class Dealt:
    """As much of a game as the odds look at."""

    deck: Deck
    players: int
    cards_each: int
    set_aside: int


NUMBERS = tuple(str(i) for i in range(2, 11))
JOURNEY = Deck(
    "journey",
    "",
    (
        *(
            Suit(name[0], name, ("A", *NUMBERS, "R", "S"))
            for name in ("Bells", "Coins", "Knots", "Leaves", "Stars")
        ),
        Suit("T", "Trumps", tuple(str(i) for i in range(1, 17)), "trump"),
        Suit("X", "Barbarians", ("1", "2", "3", "4"), "excuse"),
    ),
)
FOUR = Dealt(JOURNEY, 4, 20, 0)
SIX = Dealt(JOURNEY, 6, 13, 2)

TINY_DECK = Deck(
    "tiny",
    "",
    (
        Suit("B", "Bells", ("A", "2", "R", "S")),
        Suit("C", "Coins", ("A", "R")),
        Suit("T", "Trumps", ("1", "2"), "trump"),
        Suit("X", "Barbarians", ("1",), "excuse"),
    ),
)
TINY = Dealt(TINY_DECK, 2, 4, 1)
TINY_THREE = Dealt(TINY_DECK, 3, 2, 3)


# ----------------------------------------------------------------------------------- known numbers
def test_a_suit_is_hypergeometric() -> None:
    for k in range(17):
        odds = exact_odds(FOUR, f"trumps == {k}")
        assert odds.value == pytest.approx(sps.hypergeom.pmf(k, 80, 16, 20), rel=1e-10)
        assert odds.fraction == Fraction(comb(16, k) * comb(64, 20 - k), comb(80, 20))
    assert exact_odds(FOUR, "trumps >= 6").value == pytest.approx(
        sps.hypergeom.sf(5, 80, 16, 20), rel=1e-10
    )


def test_two_suits_at_once() -> None:
    expected = Fraction(comb(16, 4) * comb(4, 2) * comb(60, 14), comb(80, 20))
    assert exact_odds(FOUR, "trumps == 4 and barbarians == 2").fraction == expected


def test_ranks_overlap_suits() -> None:
    rooks_and_sages = exact_odds(FOUR, "high_cards == 3").value
    assert rooks_and_sages == pytest.approx(sps.hypergeom.pmf(3, 80, 10, 20), rel=1e-10)
    lone_aces = exact_odds(FOUR, "aces == 2 and bells == 1")
    # the one Bell is the ace or not
    ways = comb(4, 1) * comb(64, 18) + 11 * comb(4, 2) * comb(64, 17)
    assert lone_aces.fraction == Fraction(ways, comb(80, 20))


def test_voids_by_inclusion_and_exclusion() -> None:
    some = sum((-1) ** (k + 1) * comb(5, k) * comb(80 - 12 * k, 20) for k in range(1, 6))
    assert exact_odds(FOUR, "voids >= 1").fraction == Fraction(some, comb(80, 20))
    assert exact_odds(FOUR, "shortest_suit == 0").fraction == Fraction(some, comb(80, 20))


def test_all_barbarians_in_one_holding() -> None:
    one = Fraction(comb(76, 16), comb(80, 20))
    assert exact_odds(FOUR, "barbarians == 4").fraction == one
    assert exact_odds(FOUR, "any(barbarians == 4)", of="hands").fraction == 4 * one


def test_two_cards_set_aside_can_hide_barbarians() -> None:
    hidden = Fraction(comb(4, 2), comb(80, 2))
    assert exact_odds(SIX, "sum(barbarians) == 2", of="hands").fraction == hidden
    assert exact_odds(SIX, "sum(barbarians) < 2", of="hands").fraction == 0


def test_certain_and_impossible() -> None:
    assert exact_odds(FOUR, "trumps >= 0").fraction == 1
    assert exact_odds(FOUR, "barbarians > 4").fraction == 0
    assert exact_odds(FOUR, "sum(trumps) == 16", of="hands").fraction == 1


def test_it_is_marked_exact() -> None:
    odds = exact_odds(FOUR, "any(barbarians == 4)", of="hands")
    assert odds.exact
    assert odds.se == 0
    assert odds.low == odds.high == odds.value
    assert odds.method.startswith("exact")
    assert "(exact; 969/79079)" in str(odds)


# ------------------------------------------------------------------------------------- brute force
def deals(game: Dealt) -> Iterator[list[set[int]]]:
    """Every way to deal the deck: each seat's cards."""

    def give(left: frozenset[int], seats: int) -> Iterator[list[set[int]]]:
        if not seats:
            yield []
            return
        for cards in combinations(sorted(left), game.cards_each):
            for others in give(left - set(cards), seats - 1):
                yield [set(cards), *others]

    yield from give(frozenset(range(game.deck.n_cards)), game.players)


def frames(game: Dealt) -> dict[str, dict[str, np.ndarray]]:
    deck = game.deck
    table = list(deals(game))
    rows = [holding for deal in table for holding in deal]
    by_letter = {
        s.letter: np.array([sum(deck.cards[c][-1] == s.letter for c in row) for row in rows])
        for s in deck.suits
    }

    def ranks(wanted: str) -> np.ndarray:
        cards = {c for c, card in enumerate(deck.cards) if card[0] in wanted and card[-1] in "BC"}
        return np.array([len(cards & row) for row in rows])

    ordinary = np.stack([by_letter["B"], by_letter["C"]])
    seats = {
        "hand": np.repeat(np.arange(len(table)), game.players),
        "bells": by_letter["B"],
        "coins": by_letter["C"],
        "trumps": by_letter["T"],
        "barbarians": by_letter["X"],
        "aces": ranks("A"),
        "rooks": ranks("R"),
        "sages": ranks("S"),
        "high_cards": ranks("RS"),
        "voids": (ordinary == 0).sum(axis=0),
        "longest_suit": ordinary.max(axis=0),
        "shortest_suit": ordinary.min(axis=0),
    }
    return {"hands": {"hand": np.arange(len(table))}, "seats": seats}


EVERY_DEAL = {2: frames(TINY), 3: frames(TINY_THREE)}


def counted(players: int, text: str, of: str) -> Fraction:
    every = EVERY_DEAL[players]
    event = Event.parse(text, of, {f: list(columns) for f, columns in every.items()})
    found = event.evaluate(every)
    return Fraction(int(found.sum()), len(found))


@pytest.mark.parametrize("game", [TINY, TINY_THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "text",
    [
        "bells == 2",
        "bells > coins",
        "voids == 1",
        "longest_suit - shortest_suit >= 2",
        "aces == 1 and trumps == 1",
        "high_cards >= 2 and barbarians == 1",
        "rooks + sages == 2 and bells == 2",
        "aces == 2 or voids == 2",
        "sages == 1 and voids == 1 and not barbarians == 1",
        "bells == max(bells)",
        "trumps > sum(trumps) / 2",
    ],
)
def test_seats_against_every_deal(game: Dealt, text: str) -> None:
    assert exact_odds(game, text).fraction == counted(game.players, text, "seats")


@pytest.mark.parametrize("game", [TINY, TINY_THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "text",
    [
        "any(bells >= 2)",
        "all(trumps >= 1)",
        "count(barbarians == 0) == 2",
        "any(voids == 1 and trumps == 1)",
        "all(high_cards >= 1)",
        "max(bells) - min(bells) >= 2",
        "sum(aces) == 1 or any(coins == 2)",
        "any(longest_suit == max(longest_suit) and sages == 1)",
        "any(trumps == 2) and any(barbarians == 1)",
    ],
)
def test_hands_against_every_deal(game: Dealt, text: str) -> None:
    assert exact_odds(game, text, of="hands").fraction == counted(game.players, text, "hands")


def test_two_ways_to_the_same_number() -> None:
    # one seat's chance: from its holding alone, and from whole tables
    table = exact_odds(FOUR, "bells == 0 and coins == 0 and max(bells) >= 0").fraction
    assert table == exact_odds(FOUR, "bells == 0 and coins == 0").fraction


# --------------------------------------------------------------------------------------- refusals
@pytest.mark.parametrize("column", ["tricks", "win", "highest_trump", "hand"])
def test_what_play_decides_has_no_exact_odds(column: str) -> None:
    with pytest.raises(UserError) as caught:
        exact_odds(FOUR, f"{column} > 5")
    message = str(caught.value)
    assert f"'{column}'" in message
    assert "the deal alone" in message
    assert "bells, coins, knots, leaves, stars, trumps, barbarians, voids" in message


def test_a_misspelt_suit_is_recognised() -> None:
    with pytest.raises(UserError, match="Did you mean 'trumps'"):
        exact_odds(FOUR, "trumpz > 5")


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("high_cards >= 6 and voids == 0", "seats"),
        ("any(voids > 0)", "hands"),
        ("any(bells == 0 and coins == 0 and knots == 0)", "hands"),
    ],
)
def test_too_many_patterns_are_refused_at_once(text: str, of: str) -> None:
    with pytest.raises(UserError, match=r"no exact odds this way.*how_often"):
        exact_odds(FOUR, text, of)


@pytest.mark.parametrize(
    ("text", "of"),
    [("trumps", "seats"), ("trumps > 3", "hands"), ("trumps > 3", "tricks"), ("True", "hands")],
)
def test_what_is_no_event_of_the_deal(text: str, of: str) -> None:
    with pytest.raises(UserError):
        exact_odds(FOUR, text, of)


def test_a_deal_that_does_not_add_up() -> None:
    with pytest.raises(UserError, match="80 cards of the deck"):
        exact_odds(Dealt(JOURNEY, 4, 19, 0), "any(trumps > 3)", of="hands")
