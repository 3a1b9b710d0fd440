"""A hand of Emperor as `show` draws it: what was said before play, and what it came to."""

import numpy as np

from emperor_table import acted, begun, bids, composed, finished, history, replayed
from tricklab.picture import draw


def drawn(one):
    table, _, row = replayed(one)
    return draw(table, row).splitlines()


def test_everything_that_is_said_is_drawn():
    tricks, stock = composed(won={10: (0,)}, cards={10: ["1T"]}, bidders=(0, 1), seed=2)
    said = [(1, "contra", ["game", "sparrow"]), (0, "recontra", ["sparrow"])]
    lines = drawn(history(tricks, stock, "two", {0: ["sparrow"], 3: ["owl"]}, said, doubling=4))
    cards = " ".join(stock)
    assert f"set aside: {cards}" in lines
    for line in (
        "  seat 0: three   seat 1: two     seat 2: pass    seat 3: pass",
        "  seat 0: hold    seat 1: pass",
        f"seat 1 draws {stock[2]} and discards {stock[2]}",
        "seat 0 calls the holder of 20T",
        "seat 0 announces sparrow",
        "seat 3 announces owl",
        "seat 1 says contra to game, sparrow",
        "seat 0 says recontra to sparrow",
        "after annulled deals everything counts 4 times",
    ):
        assert line in lines
    assert not [line for line in lines if "announces nothing" in line]
    rows = [line.split() for line in lines]
    assert ["sparrow", "declarer", "announced", "×4", "made", "160"] in rows
    assert ["owl", "defenders", "announced", "failed", "120"] in rows


def test_why_the_declarer_plays_alone():
    one = begun({0: "FT 19T", 1: "21T", 2: "1T"}, "2S 2B 2C 2D AD AS")
    one = {**one, "actions": bids("two", "one", "pass", "pass", "pass")}
    for seat, card in ((1, "2S"), (2, "2B"), (3, "2C"), (0, "19T")):
        one = acted(one, seat, "discard", cards=[card])
    lines = drawn(finished(one))
    assert "seat 1 had to call 19T: seat 0 had invited" in lines
    assert "19T lies in the discard of seat 0: seat 1 plays alone" in lines
    assert "seat 0 says contra to game" in lines
    assert "nobody announces a bonus" in lines
    one = begun({0: "FT", 1: "QS", 2: "QB"}, "2S 2B 2C 2D AD 20T")
    one = {**one, "actions": bids("three", "pass", "pass", "pass")}
    lines = drawn(finished(acted(one, 0, "discard", cards=["2S", "2B", "2C"])))
    assert "20T lies in the stock: seat 0 plays alone" in lines
    table, _, row = replayed(finished(one))
    assert np.array_equal(table.stock[row], table.pack[row, 40:])


def test_an_annulled_hand_ends_with_it():
    one = begun({0: "FT", 2: "KS KB KC KD 5T"}, "2S 2B 2C 2D AD QD")
    one = finished({**one, "actions": bids("three", "pass", "pass", "pass")}, until="annul")
    lines = drawn(acted(one, 2, "annul", annul=True))
    assert "seat 2 annuls the hand" in lines
    assert "annulled" in lines
