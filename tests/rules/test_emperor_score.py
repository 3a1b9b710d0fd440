"""Emperor's score, clause by clause: payment, multipliers, what fails (E2, E10, E11, E20-E24).

Expected scores are worked out by hand, or by the few lines of arithmetic beside them.
"""

from __future__ import annotations

import functools
import itertools

import pytest

import tricklab as tl
from emperor_table import SEATS, THEM, TRICKS, US, composed, fault, history, outcome, replayed
from reference import emperor as reference
from rules.test_emperor_bonuses import SIDES, card_points, entry, taken


@functools.cache
def quiet(wanted, seed=0):
    """So many card points for the declarer's side, and nobody makes a bonus."""

    def fits(tricks, stock):
        if card_points(tricks, stock, US) != wanted:
            return False
        names = reference.replay(history(tricks, stock)).result()["bonuses"]
        return all(each["bonus"] == "high_game" for each in names)

    return composed(fits=fits, bidders=(0, 1), seed=seed)


@functools.cache
def slam(side=US, lost=None):
    """The side takes every trick, or all but one."""
    other = THEM if side == US else US
    won = {trick: other if trick == lost else side for trick in TRICKS}
    return composed(won=won, bidders=(0, 1), seed=lost or 0)


def score(tricks, stock, *args, **more):
    return outcome(history(tricks, stock, *args, **more))["score"]


def defenders_only(points):
    return [0, points, 0, points]


def declarers_only(points):
    return [points, 0, points, 0]


# ---------------------------------------------------------------------------- card points


def test_e2_ninety_four_points_are_split_between_the_sides():
    for seed in range(20):
        table, scored, row = replayed(history(*composed(seed=seed)))
        ours, theirs = scored.card_points[row].tolist()
        assert ours + theirs == 94
        assert scored.points[row].sum() + sum(_away(table, row)) == 94


def _away(table, row):
    """Card points of discards and of what is left of the stock."""
    deck = table.game.deck
    gone = [card for masks in table.discarded[row] for card in deck.cards_in(masks)]
    left = [deck.cards[c] for c in table.stock[row][len(gone) :]]
    return [reference.card_points(card) for card in gone + left]


def test_e10_a_discard_counts_to_the_discarder():
    """The same tricks, with what seats 0 and 1 draw and discard changed about."""
    tricks, _ = composed(apart=["QS", "2B", "2C", "AB", "2D", "2S"], seed=1)
    ours = replayed(history(tricks, ["QS", "2B", "2C", "AB", "2D", "2S"]))
    theirs = replayed(history(tricks, ["AB", "2B", "2C", "QS", "2D", "2S"]))
    (first, second) = (scored.card_points[row].tolist() for _, scored, row in (ours, theirs))
    assert first[0] - second[0] == 4 - 1
    assert sum(first) == sum(second) == 94


def test_e11_the_rest_of_the_stock_is_the_declarers():
    """A King that nobody draws."""
    tricks, stock = composed(apart=["2S", "2B", "2C", "2D", "AS", "KD"], seed=1)
    _, scored, row = replayed(history(tricks, stock))
    own = sum(map(reference.card_points, taken(tricks, US)))
    # Seat 2's ace and the King, while seat 1 has discarded a deuce.
    assert scored.card_points[row].tolist() == [own + 1 + 5, 94 - own - 6]


def test_e11_without_a_trick_the_rest_of_the_stock_is_the_defenders():
    tricks, stock = composed(
        won=dict.fromkeys(TRICKS, THEM), apart=["2S", "2B", "2C", "2D", "AS", "KD"]
    )
    _, scored, row = replayed(history(tricks, stock))
    assert scored.card_points[row].tolist() == [1, 93]


def test_e11_seats_draw_from_the_top():
    """Under One five cards are drawn, and the sixth is left over."""
    tricks, stock = composed(apart=["QS", "2B", "2C", "2D", "AS", "KD"], bidders=(0, 1), seed=2)
    table, scored, row = replayed(history(tricks, stock, "one"))
    gone = [table.game.deck.cards_in(masks) for masks in table.discarded[row]]
    assert gone == [["QS"], ["2B"], ["2C"], ["2D"]]
    own = sum(map(reference.card_points, taken(tricks, US)))
    assert scored.card_points[row, 0] == own + 4 + 1 + 5


# ------------------------------------------------------------------------------- E20


@pytest.mark.parametrize(("points", "made"), [(48, True), (47, False)])
def test_e20_forty_eight_win(points, made):
    result = outcome(history(*quiet(points)))
    assert result["made"] is made
    assert result["win"] == ([1, 0, 1, 0] if made else [0, 1, 0, 1])
    assert result["score"] == (declarers_only(1 + 48) if made else defenders_only(1))


@pytest.mark.parametrize(("points", "paid"), [(59, 59), (60, 60), (61, 60), (70, 60)])
@pytest.mark.parametrize("cap", ["card_points", "total"])
def test_e20_at_most_sixty(points, paid, cap):
    expected = 1 + paid if cap == "card_points" else min(1 + points, 60)
    assert score(*quiet(points), switches={"cap": cap}) == declarers_only(expected)


@pytest.mark.parametrize(("bid", "game"), [("three", 1), ("two", 2), ("one", 3), ("without", 4)])
def test_e20_the_bid_s_game_points(bid, game):
    """In a hand whose stock is worth nothing to move about, won and lost."""
    nothing = ["2S", "2B", "2C", "2D", "AS", "AB"]

    def among(low, high):
        def fits(tricks, stock):
            own = sum(map(reference.card_points, taken(tricks, US)))
            return (
                low <= own <= high
                and not reference.replay(history(tricks, stock)).result()["bonuses"]
            )

        return fits

    for low, high, won in ((50, 57, True), (30, 44, False)):
        tricks, stock = composed(apart=nothing, fits=among(low, high), bidders=(0, 1), seed=5)
        _, scored, row = replayed(history(tricks, stock, bid))
        points = int(scored.card_points[row, 0])
        assert scored.score[row].tolist() == (
            declarers_only(game + points) if won else defenders_only(game)
        )
        lost = score(tricks, stock, bid, switches={"loss": "nothing"})
        assert lost == (declarers_only(game + points) if won else [0] * 4)


def test_e20_a_declarer_alone_scores_alone():
    """The card called lies in the rest of the stock (E14)."""
    tricks, stock = composed(
        won=dict.fromkeys(range(1, 9), (0,)),
        played={"20T": ((), TRICKS)},
        apart=["2S", "2B", "2C", "2D", "AS", "20T"],
    )
    result = outcome(history(tricks, stock))
    assert (result["declarer"], result["partner"], result["made"]) == (0, None, True)
    gained = {
        side: sum(b["points"] for b in result["bonuses"] if b["side"] == side) for side in SIDES
    }
    _, scored, row = replayed(history(tricks, stock))
    assert int(scored.payment[row]) == 1 + min(int(scored.card_points[row, 0]), 60)
    others = gained["defenders"]
    paid = int(scored.payment[row]) + gained["declarer"]
    assert result["score"] == [paid, others, others, others]
    assert result["win"] == [1, 0, 0, 0]


@pytest.mark.parametrize("said", [False, True])
def test_e20_who_lost_scores_its_bonuses_unless_the_switch_says_nothing(said):
    """The declarer wins the last trick with the Juggler and loses the hand."""

    def fits(tricks, stock):
        names = {
            each["bonus"] for each in reference.replay(history(tricks, stock)).result()["bonuses"]
        }
        return card_points(tricks, stock, US) < 48 and names == {"sparrow"}

    tricks, stock = composed(won={10: (0,)}, cards={10: ["1T"]}, fits=fits)
    announced = {2: ["sparrow", "conquest"]} if said else {}
    more = {"announced": announced, "bid": "three"}
    worth, failed = (10, 40) if said else (5, 0)
    expected = [worth, 1 + failed, worth, 1 + failed]
    assert score(tricks, stock, **more) == expected
    # Nothing at all; what it failed still pays.
    switches = {"lost_side_bonuses": False}
    assert score(tricks, stock, switches=switches, **more) == [0, 1 + failed, 0, 1 + failed]


def test_e20_what_the_defenders_failed_pays_nothing_to_who_lost_with_the_switch():
    tricks, stock = quiet(47)
    more = {"announced": {1: ["last_owl"]}}
    assert score(tricks, stock, **more) == [25, 1, 25, 1]
    assert score(tricks, stock, switches={"lost_side_bonuses": False}, **more) == [0, 1, 0, 1]
    switches = {"lost_side_bonuses": False}
    tricks, stock = quiet(48)
    assert score(tricks, stock, switches=switches, **more) == [49 + 25, 0, 49 + 25, 0]


# ------------------------------------------------------------------------------- E21


SAID = [(1, "contra"), (0, "recontra"), (3, "subcontra")]


def contras(levels):
    """Contras to claims, each so many times."""
    out = []
    for number, (seat, do) in enumerate(SAID):
        claims = [claim for claim, times in levels.items() if times > number]
        if claims:
            out.append((seat, do, claims))
    return out


LEVELS = (None, 0, 1, 2, 3)
"""Not announced, or announced and so often doubled by contras."""


@pytest.mark.parametrize("doubling", [1, 2, 8])
@pytest.mark.parametrize("game", [0, 1, 2, 3])
def test_e21_every_combination_of_multipliers_in_a_slam(game, doubling):
    """Bid Three, 94 card points less seat 1's discard: the hand pays 61 before all that."""
    tricks, stock = slam()
    for high, whole in itertools.product(LEVELS, LEVELS):
        announced = [name for name, n in (("high_game", high), ("slam", whole)) if n is not None]
        said = contras({"game": game, "high_game": high or 0, "slam": whole or 0})
        result = outcome(
            history(tricks, stock, announced={0: announced}, said=said, doubling=doubling)
        )
        best = max(2 if high is None else 4 * 2**high, 3 if whole is None else 6 * 2**whole)
        # Bonuses that happen in a Slam all the same are silent, and not multiplied by contras.
        others = sum(
            each["points"]
            for each in result["bonuses"]
            if each["bonus"] not in ("high_game", "slam")
        )
        assert others % doubling == 0
        expected = 61 * 2**game * doubling * best + others
        assert result["score"] == declarers_only(expected)
        multiplied = [each for each in result["bonuses"] if each["bonus"] in ("high_game", "slam")]
        # Only the larger is listed, with what it added.
        (listed,) = multiplied
        assert listed["points"] == 61 * 2**game * doubling * (best - 1)


def test_e21_an_example_to_the_end():
    """High Game and Slam announced, a contra on each and on the hand, and one annulled deal.

    60 + 1 are 61; the contra makes 122, the annulled deal 244.  High Game 4 x 2, Slam 6 x 2: the
    Slam applies, and the hand pays 244 x 12 = 2928.
    """
    tricks, stock = slam()
    claims = ["game", "high_game", "slam"]
    one = history(
        tricks,
        stock,
        announced={0: ["high_game", "slam"]},
        said=[(3, "contra", claims)],
        doubling=2,
    )
    result = outcome(one)
    (slam_,) = (each for each in result["bonuses"] if each["bonus"] == "slam")
    assert slam_ == {
        "bonus": "slam",
        "side": "declarer",
        "announced": True,
        "made": True,
        "points": 2928 - 244,
    }
    others = sum(each["points"] for each in result["bonuses"]) - slam_["points"]
    assert result["score"] == declarers_only(2928 + others)


@pytest.mark.parametrize(("points", "made"), [(71, True), (70, False)])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", [0, 1])
@pytest.mark.parametrize("doubling", [1, 4])
def test_e21_high_game_needs_seventy_one(points, made, level, game, doubling):
    tricks, stock = quiet(points)
    announced = {} if level is None else {2: ["high_game"]}
    said = contras({"game": game, "high_game": level or 0})
    result = outcome(history(tricks, stock, announced=announced, said=said, doubling=doubling))
    pays = 61 * 2**game * doubling
    if made:
        factor = 2 if level is None else 4 * 2**level
        assert result["score"] == declarers_only(pays * factor)
    else:
        # E23: the bid's game points times the multiplier, its own contras and E12 alone.
        failed = 0 if level is None else 1 * 4 * 2**level * doubling
        assert result["score"] == [pays, failed, pays, failed]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("bid", ["three", "without"])
def test_e21_a_slam_missed_by_one_trick(level, bid):
    """Scores the bid's game points times 6 for the opponents when announced (E23)."""
    tricks, stock = slam(lost=4)
    announced = {} if level is None else {0: ["slam"]}
    said = contras({"slam": level or 0})
    result = outcome(history(tricks, stock, bid, announced=announced, said=said))
    game = {"three": 1, "without": 4}[bid]
    failed = 0 if level is None else game * 6 * 2**level
    assert entry(result, "slam", "declarer") == (
        {"announced": True, "made": False, "points": failed} if failed else None
    )
    made_by_them = sum(
        each["points"] for each in result["bonuses"] if each["made"] and each["side"] == "defenders"
    )
    assert result["score"][1] == failed + made_by_them
    switches = {"failed_bonus": "nothing"}
    more = {"announced": announced, "said": said, "switches": switches}
    assert score(tricks, stock, bid, **more)[1] == made_by_them


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("bid", "game"), [("three", 1), ("two", 2), ("one", 3), ("without", 4)])
def test_e21_a_slam_of_the_defenders_multiplies_their_payment(bid, game, level):
    """Each scores the bid's game points, trebled, or sixfold when announced; not other bonuses."""
    tricks, stock = slam(THEM)
    announced = {} if level is None else {3: ["slam"]}
    # A defender may not speak against its own claim, but its fellow may (E16).
    said = contras({"slam": level or 0, "game": 1})
    result = outcome(history(tricks, stock, bid, announced=announced, said=said))
    factor = max(3 if level is None else 6 * 2**level, 2)
    others = sum(each["points"] for each in result["bonuses"] if each["bonus"] != "slam")
    assert result["score"] == defenders_only(game * 2 * factor + others)
    switches = {"loss": "nothing"}
    more = {"announced": announced, "said": said, "switches": switches}
    assert score(tricks, stock, bid, **more) == defenders_only(others)


def test_e21_cap_total_limits_before_any_multiplier():
    tricks, stock = quiet(71)
    assert score(tricks, stock, switches={"cap": "total"}) == declarers_only(60 * 2)
    said = [(1, "contra", ["game"])]
    assert score(tricks, stock, switches={"cap": "total"}, said=said) == declarers_only(60 * 2 * 2)


def test_e21_a_slam_scores_neither_honours_nor_kings():
    """Honours and Kings are all in a Slam's tricks; nobody scores them, said or not."""
    tricks, stock = slam()
    # Neither who announced Slam nor the partner of a declarer who did may say them with it; but
    # a partner may say Slam itself where the declarer has said the others before.
    result = outcome(history(tricks, stock, announced={0: ["honours", "kings"], 2: ["slam"]}))
    for name in ("honours", "kings"):
        assert entry(result, name, "declarer") is None
    assert entry(result, "slam", "declarer")["made"]


def test_e21_honours_not_made_in_a_slam_still_fail():
    """Only where a side cannot make them: all are in a Slam's tricks but a King in the stock."""
    apart = ["2S", "2B", "2C", "2D", "AS", "KD"]
    tricks, stock = composed(won=dict.fromkeys(TRICKS, US), apart=apart, bidders=(0, 1), seed=3)
    announced = {0: ["kings"], 2: ["slam"]}
    result = outcome(history(tricks, stock, announced=announced))
    assert entry(result, "kings", "declarer") == {"announced": True, "made": False, "points": 2}
    assert entry(result, "slam", "declarer")["made"]


@pytest.mark.parametrize("name", ["honours", "kings"])
def test_e21_who_may_not_announce_them(name):
    tricks, stock = slam()

    def announced(**seats):
        said = {int(seat[1:]): bonuses for seat, bonuses in seats.items()}
        return fault(history(tricks, stock, announced=said))

    together = announced(s0=["slam", name])
    assert together is not None
    assert together[0] == "E21"
    assert announced(s0=["slam"], s2=[name])[0] == "E21"
    assert announced(s0=["slam"], s1=[name], s3=[name]) is None
    assert announced(s0=[name], s2=["slam"]) is None
    # Fellow defenders do not know each other yet.
    assert announced(s1=["slam"], s3=[name]) is None
    assert announced(s3=["slam", name])[0] == "E21"


# ------------------------------------------------------------------------------- E23, E24


def test_e23_a_failed_bonus_scores_for_each_opponent():
    tricks, stock = quiet(48)
    assert score(tricks, stock, announced={0: ["flock"]}) == [49, 60, 49, 60]
    assert score(tricks, stock, announced={3: ["flock"]}) == [109, 0, 109, 0]
    # Both sides failed the same one.
    assert score(tricks, stock, announced={0: ["flock"], 1: ["flock"]}) == [109, 60, 109, 60]


def test_e23_a_failed_bonus_of_a_declarer_alone_scores_for_all_three():
    tricks, stock = composed(
        won=dict.fromkeys(range(1, 9), (0,)),
        played={"20T": ((), TRICKS)},
        apart=["2S", "2B", "2C", "2D", "AS", "20T"],
    )
    plain = score(tricks, stock)
    failed = score(tricks, stock, announced={0: ["owl"]})
    assert [a - b for a, b in zip(failed, plain, strict=True)] == [0, 30, 30, 30]


def test_e23_tricks_count_for_honours_and_kings_not_the_stock():
    """Three Kings in the tricks and one left in the stock are not Kings."""
    apart = ["2S", "2B", "2C", "2D", "AS", "KD"]

    def fits(tricks, _):
        return len(reference.KINGS & taken(tricks, US)) == 3

    result = outcome(history(*composed(apart=apart, fits=fits)))
    assert entry(result, "kings", "declarer") is None


def test_e15_two_partners_announce_the_same_and_it_counts_once():
    tricks, stock = quiet(48)
    assert score(tricks, stock, announced={1: ["flock"], 3: ["flock"]}) == [109, 0, 109, 0]
    both = {0: ["flock"], 2: ["flock"]}
    assert score(tricks, stock, announced=both) == [49, 60, 49, 60]
    assert score(tricks, stock, announced=both, said=[(1, "contra", ["flock"])]) == [
        49,
        120,
        49,
        120,
    ]


def test_e16_a_contra_to_what_both_sides_announced_doubles_both():
    tricks, stock = quiet(48)
    announced = {0: ["flock"], 1: ["flock"]}
    one = history(tricks, stock, announced=announced, said=[(1, "contra", ["flock"])])
    assert outcome(one)["score"] == [49 + 120, 120, 49 + 120, 120]


@pytest.mark.parametrize("winner", SEATS)
def test_e24_the_juggler_captures_the_world_in_the_emperor_trick(winner):
    """All honours in a trick: the Juggler wins it, and captures the World of the other side."""
    other = THEM if winner in US else US
    for world in (seat for seat in SEATS if seat != winner):
        for fool in (seat for seat in SEATS if seat not in (winner, world)):
            if 0 not in (winner, world, fool):
                continue
            tricks, stock = composed(
                won={4: (winner,)},
                played={"21T": ((world,), (4,)), "FT": ((fool,), (4,)), "1T": ((winner,), (4,))},
                emperor=4,
            )
            result = outcome(history(tricks, stock))
            name = "declarer" if winner in US else "defenders"
            expected = {"announced": False, "made": True, "points": 20}
            assert entry(result, "conquest", name) == (expected if world in other else None)


def test_results_name_both_sides():
    """Both can have an entry for one bonus."""
    tricks, stock = quiet(48)
    result = outcome(history(tricks, stock, announced={0: ["owl"], 3: ["owl"]}))
    assert [each["side"] for each in result["bonuses"] if each["bonus"] == "owl"] == [
        "declarer",
        "defenders",
    ]


def test_the_payment_stands_in_the_frames():
    game = tl.game("emperor")
    run = tl.simulate(game, 400, "random", 3, n_jobs=1, progress=False)
    hands = run.hands[run.hands["made"] >= 0]
    pays = hands["bid"] + hands["card_points"].clip(upper=60).where(hands["made"] == 1, 0)
    assert (hands["payment"] == pays * 2 ** hands["contra"].astype(int) * hands["doubling"]).all()
