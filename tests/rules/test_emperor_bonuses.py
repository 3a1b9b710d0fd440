"""Emperor's bonuses, each made, missed by one trick or card, announced and silent (E21-E24).

The points are those of the sheet, written out once more; see ``emperor_table`` for the hands.
"""

from __future__ import annotations

import functools

import pytest

from emperor_table import SEATS, SUITS, THEM, TRICKS, US, composed, drawn, history, outcome
from reference import emperor as reference

SIDES = {"declarer": US, "defenders": THEM}
OTHER = {"declarer": "defenders", "defenders": "declarer"}

POINTS = {
    "honours": (2, 1),
    "kings": (2, 1),
    "sparrow": (10, 5),
    "conquest": (40, 20),
    "first_five": (10, 5),
    "first_six": (12, 6),
    "first_seven": (14, 7),
    "first_eight": (20, 10),
    "last_king": (15, None),
    "penultimate_king": (20, None),
    "last_owl": (25, None),
    "owl": (30, None),
    "force_of_one": (20, None),
    "profit_of_one": (20, None),
    "pip_the_post": (30, None),
    "marriage": (50, None),
    "bethlehem": (60, None),
    "family": (60, None),
    "flock": (60, None),
}
"""Points announced and silent, None where it scores only if it is announced (E22)."""

OF_A_SUIT = ("last_king", "penultimate_king", "pip_the_post", "marriage", "family")
NAMES = [
    f"{key}:{suit}" if suit else key
    for key in POINTS
    for suit in (SUITS if key in OF_A_SUIT else [""])
]
HONOURS, KINGS, BIRDS = ("1T", "21T", "FT"), [f"K{s}" for s in SUITS], ["1T", "2T", "3T", "4T"]


def of(ranks, suits):
    return [rank + suit for suit in suits for rank in ranks]


def taken(tricks, side):
    """Cards in a side's tricks."""
    won = [trick for trick in tricks if reference.winning_play(list(trick.items()))[0] in side]
    return {card for trick in won for card in trick.values()}


def winning(tricks, side):
    """Cards that a side won tricks with."""
    won = [reference.winning_play(list(trick.items())) for trick in tricks]
    return [card for seat, card in won if seat in side]


def card_points(tricks, stock, side):
    """Card points of a side that took a trick under Three: tricks, discards and stock."""
    cards, rest = list(taken(tricks, side)), list(stock)
    for seat, count in zip(SEATS, drawn("three"), strict=True):
        cards += rest[:count] if seat in side else []
        rest = rest[count:]
    cards += rest if side == US else []
    return sum(map(reference.card_points, cards))


def holding(side, wanted, count):
    """So many of the cards are in the side's tricks, which are not all."""

    def fits(tricks, _):
        own = taken(tricks, side)
        return len(own & set(wanted)) == count and len(own) < 40

    return fits


def last(side, first_trick, cards, through=10, **more):
    """The side wins the tricks from one on, each with one of the cards."""
    tricks = range(first_trick, through + 1)
    return {"won": dict.fromkeys(tricks, side), "cards": dict.fromkeys(tricks, cards), **more}


def first(side, other, count, card, lost=None):
    """The side wins the first tricks but one, the last of these with a card."""
    won = {trick: other if trick == lost else side for trick in range(1, count + 1)}
    wish = {"won": won, "cards": {count: [card]}}
    if side == THEM and card == "20T":
        # Another trump is called: seat 1 has discarded one, so that any may be.
        wish["apart"] = ["AS", "2S", "VS", "5T"]
        wish["played"] = {"20T": (THEM, TRICKS), "19T": ((2,), TRICKS)}
    return wish


def wins(side, cards, others):
    """Trick 9 is won with one of the cards, or, where it is missed, with one of the others."""
    made = {"won": {9: side}, "cards": {9: cards}}
    missed = {"won": {9: side}, "cards": {9: others}, "avoid": dict.fromkeys(TRICKS, cards)}
    return made, missed


def wishes(name, side):
    """What makes a bonus of a side, and what misses it by a trick or a card."""
    key, _, suit = name.partition(":")
    other = THEM if side == US else US
    all_of_suit = of(("A", "2", "V", "C", "Q", "K"), suit)
    match key:
        case "honours":
            return {"fits": holding(side, HONOURS, 3)}, {"fits": holding(side, HONOURS, 2)}
        case "kings":
            return {"fits": holding(side, KINGS, 4)}, {"fits": holding(side, KINGS, 3)}
        case "sparrow":
            return last(side, 10, ["1T"]), last(side, 9, ["1T"], 9)
        case "conquest":
            falls = {"won": {4: side}, "cards": {4: ["FT"]}}
            made, missed = ({"played": {"21T": (whose, (4,))}, **falls} for whose in (other, side))
            return made, missed
        case "first_five" | "first_six" | "first_seven" | "first_eight":
            count, card = {
                "first_five": (5, "20T"),
                "first_six": (6, "21T"),
                "first_seven": (7, "FT"),
                "first_eight": (8, "1T"),
            }[key]
            return first(side, other, count, card), first(side, other, count, card, lost=3)
        case "last_king":
            return last(side, 10, ["K" + suit]), last(side, 9, ["K" + suit], 9)
        case "penultimate_king":
            return last(side, 9, ["K" + suit], 9), last(side, 10, ["K" + suit])
        case "last_owl":
            return last(side, 10, ["2T"]), last(side, 9, ["2T"], 9)
        case "owl":
            return last(side, 9, ["2T"], 9), last(side, 10, ["2T"])
        case "force_of_one":
            return wins(side, of("QC", "SB"), of("QC", "CD"))
        case "profit_of_one":
            return wins(side, of("QC", "CD"), of("QC", "SB"))
        case "pip_the_post":
            return wins(side, of("A2", suit), of("V", suit))
        case "marriage":
            pair = of("KQ", suit)
            return last(side, 9, pair), last(side, 8, pair, 9)
        case "bethlehem":
            return last(side, 8, KINGS), last(side, 9, KINGS, avoid={8: KINGS})
        case "family":
            return last(side, 8, all_of_suit), last(side, 9, all_of_suit, avoid={8: all_of_suit})
        case "flock":
            return last(side, 8, BIRDS), last(side, 9, BIRDS, avoid={8: BIRDS})
    raise AssertionError(name)


@functools.cache
def hands(name, side):
    """A hand in which a side makes a bonus, and one in which it misses it; and what is called."""
    made, missed = wishes(name, SIDES[side])
    call = "19T" if "apart" in made else "20T"
    return [composed(**each, seed=NAMES.index(name)) for each in (made, missed)], call


def entry(result, bonus, side):
    """What scored of one bonus of one side."""
    found = [e for e in result["bonuses"] if (e["bonus"], e["side"]) == (bonus, side)]
    assert len(found) <= 1
    return {key: found[0][key] for key in ("announced", "made", "points")} if found else None


def scored(score, gain=0, side="declarer"):
    return [points - gain * (seat in SIDES[side]) for seat, points in enumerate(score)]


EACH = pytest.mark.parametrize(
    ("name", "side"),
    [
        (name, side)
        for number, name in enumerate(NAMES)
        for side in SIDES
        # Of bonuses of a suit both sides for one suit, and one for each other.
        if ":" not in name or name[-1] == "S" or (side == "declarer") == number % 2
    ],
)


@EACH
def test_e22_made(name, side):
    """Scores for the side that made it: its points announced, or those for silence if any."""
    ((tricks, stock), _), call = hands(name, side)
    silent = outcome(history(tricks, stock, call=call))
    announced, unsaid = POINTS[name.partition(":")[0]]
    expected = unsaid and {"announced": False, "made": True, "points": unsaid}
    assert entry(silent, name, side) == expected
    for member in SIDES[side]:
        said = history(tricks, stock, call=call, announced={member: [name]})
        if name == "sparrow" or reference.JUGGLER not in [t[member] for t in tricks]:
            result = outcome(said)
            assert entry(result, name, side) == {
                "announced": True,
                "made": True,
                "points": announced,
            }
            # Nothing else has changed.
            assert scored(result["score"], announced - (unsaid or 0), side) == silent["score"]


@EACH
def test_e22_missed(name, side):
    """By a trick or a card: nothing if it was silent; announced it scores for the others (E23)."""
    (_, (tricks, stock)), call = hands(name, side)
    silent = outcome(history(tricks, stock, call=call))
    assert entry(silent, name, side) is None
    points = POINTS[name.partition(":")[0]][0]
    # Whoever announced the Sparrow may not play the Juggler as early as here (E19).
    member = next(seat for seat in SIDES[side] if "1T" not in [t[seat] for t in tricks])
    said = {"announced": {member: [name]}}
    result = outcome(history(tricks, stock, call=call, **said))
    assert entry(result, name, side) == {"announced": True, "made": False, "points": points}
    assert scored(result["score"], points, OTHER[side]) == silent["score"]
    switches = {"failed_bonus": "nothing"}
    result = outcome(history(tricks, stock, call=call, switches=switches, **said))
    assert entry(result, name, side) is None
    assert result["score"] == silent["score"]


@EACH
@pytest.mark.parametrize("times", [1, 2, 3])
def test_e16_contras_double_a_bonus(name, side, times):
    """Contra, Re-Contra and Sub-Contra of an announced bonus, made and missed."""
    pair, call = hands(name, side)
    for made, (tricks, stock) in zip((True, False), pair, strict=True):
        member = next(seat for seat in SIDES[side] if "1T" not in [t[seat] for t in tricks])
        against = next(seat for seat in THEM if seat != member)
        said = [(against, "contra", [name]), (0, "recontra", [name]), (3, "subcontra", [name])]
        one = history(tricks, stock, call=call, announced={member: [name]}, said=said[:times])
        points = POINTS[name.partition(":")[0]][0] * 2**times
        found = entry(outcome(one), name, side)
        assert found == {"announced": True, "made": made, "points": points}
        found = entry(outcome({**one, "doubling": 4}), name, side)
        assert found == {"announced": True, "made": made, "points": 4 * points}
