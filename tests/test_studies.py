"""The balance study finds what is there, and nothing where nothing is."""

import numpy as np
import pandas as pd
import pytest

import tricklab as tl
from tricklab import figures, stats
from tricklab.studies import balance


def cell(rng, deals, players=4, policy="careful", variant=balance.BASIC, **measures):
    """A cell of invented values: symmetric unless told otherwise."""
    values = {m.name: rng.normal(size=deals).astype(np.float32) for m in balance.MEASURES}
    for m in balance.MEASURES:
        if m.share and m.name != "leader_wins":
            values[m.name] = (rng.random(deals) < 0.3).astype(np.float32)
    values |= measures
    tricks = rng.multinomial(20, np.full(players, 1 / players), size=deals).astype(np.float32)
    best = tricks == tricks.max(axis=1, keepdims=True)
    wins = (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
    game = tl.game("junni", players=players, **variant.switches)
    empty = pd.DataFrame({name: [] for name in balance.HOLDING_COLUMNS})
    return balance.Cell(variant, game, policy, values, tricks, wins, empty)


def test_a_planted_change_is_found_with_sign_and_size():
    rng = np.random.default_rng(1)
    base = cell(rng, 4_000)
    noise = rng.normal(size=4_000).astype(np.float32)
    moved = {"spread": base.measures["spread"] - 0.2 + 0.1 * noise}
    other = cell(rng, 4_000, variant=balance.VARIANTS[0], **moved)
    found = balance.difference(other, base, "spread")
    assert found.low < -0.2 < found.high
    assert found.se == pytest.approx(0.1 / np.sqrt(4_000), rel=0.1)
    assert "paired" in found.method


def test_a_symmetric_design_finds_something_no_more_often_than_it_says():
    rng = np.random.default_rng(2)
    clear = 0
    for _ in range(60):
        frame = balance.effects([cell(rng, 300), cell(rng, 300, variant=balance.VARIANTS[0])])
        clear += (frame["holm"] < 0.05).any()
    # Holm holds the chance of any false finding at 5%; 60 tries give 8 or more 1 time in 200.
    assert clear <= 8


def test_a_share_that_never_changed_still_has_an_interval():
    rng = np.random.default_rng(6)
    never = {"unbroken": np.zeros(400, np.float32)}
    found = balance.difference(
        cell(rng, 400, variant=balance.VARIANTS[0], **never), cell(rng, 400, **never), "unbroken"
    )
    assert found.low < found.value == 0 < found.high
    assert found.high == stats.proportion(0, 400).high


def test_other_decks_are_not_called_paired():
    rng = np.random.default_rng(4)
    deck = next(v for v in balance.VARIANTS if v.name == "four_suits")
    found = balance.difference(cell(rng, 100, variant=deck), cell(rng, 100), "spread")
    assert "unpaired" in found.method


@pytest.fixture(scope="module")
def cells():
    return balance.play_cells(balance.plan((3, 4), ("simple", "careful")), 600, 1, n_jobs=1)


def test_the_plan_leaves_out_partners_of_odd_tables(cells):
    named = {(c.variant.name, c.players) for c in cells}
    assert ("partners", 4) in named
    assert ("partners", 3) not in named


def test_measures_agree_with_the_frames(cells):
    basic = next(c for c in cells if c.basic and c.players == 4 and c.policy == "careful")
    run = tl.simulate(tl.game("junni"), 600, "careful", 1)
    leader = run.seats.query("from_leader == 0")
    assert basic.measures["leader_wins"].mean() == pytest.approx(leader["win"].mean() - 0.25)
    assert basic.measures["leader_tricks"].mean() == pytest.approx(leader["tricks"].mean() - 5)
    assert basic.measures["shutout"].mean() == run.how_often("any(tricks == 0)").value
    assert basic.measures["saved"].mean() == run.how_often("any(excuse_saves > 0)").value
    assert basic.measures["tie"].mean() == run.how_often("winners > 1").value
    spread = run.seats.groupby("hand")["tricks"].std(ddof=0).mean()
    assert basic.measures["spread"].mean() == pytest.approx(spread, rel=1e-5)


def test_variants_are_played_on_the_same_deals(cells):
    at = {c.variant.name: c for c in cells if c.players == 4 and c.policy == "simple"}
    # What leads first does not matter to the table of a hand nobody plays differently.
    assert (at["reckoning"].tricks == at["basic"].tricks).all()
    assert (at["short_suits"].tricks != at["basic"].tricks).any()


def test_distances_are_about_the_first_leader():
    """A scoring table cannot favour a seat, so a seat that plays badly is planted instead."""
    game = tl.game("junni")
    run = tl.simulate(game, 800, ["random", "careful", "careful", "careful"], 3)
    rows = run.seats.query("seat == 0")
    means = rows.groupby("from_leader")["tricks"].mean()
    assert (means < 4).all()


def test_trumps_are_worth_tricks(cells):
    basic = next(c for c in cells if c.basic and c.players == 4 and c.policy == "careful")
    found = balance.worth_of_one(basic, "trumps")
    assert 0.5 < found.low < found.high < 1.2
    table = balance.worth_of_holding(basic)
    assert {"trumps", "high_cards"} <= set(table["feature"])


def test_a_planted_slope_is_recovered():
    rng = np.random.default_rng(5)
    basic = cell(rng, 2_000)
    trumps = rng.integers(0, 8, (2_000, 4))
    tricks = 0.7 * trumps + rng.normal(size=(2_000, 1)) * 3 + rng.normal(size=(2_000, 4))
    holdings = pd.DataFrame({"trumps": trumps.ravel(), "tricks": tricks.ravel()})
    planted = balance.Cell(
        basic.variant, basic.game, basic.policy, basic.measures, basic.tricks, basic.wins, holdings
    )
    found = balance.worth_of_one(planted, "trumps")
    assert found.low < 0.7 < found.high
    assert found.high - found.low < 0.05


def test_figures_return_labelled_axes(cells):
    distance, effects = balance.by_distance(cells), balance.effects(cells)
    titles = {v.name: v.title for v in balance.VARIANTS}
    levels = balance.levels(cells).query("variant == 'basic' and policy == 'careful'")
    basic = next(c for c in cells if c.basic and c.players == 4)
    drawn = [
        figures.by_distance(distance, "win", "careful"),
        figures.effects(
            effects.query("measure == 'spread' and policy == 'careful'"),
            titles,
            share=False,
            xlabel="change",
        ),
        figures.striking(levels, {"tie": "ties", "shutout": "no trick"}),
        figures.worth(balance.worth_of_holding(basic), {"trumps": "trumps"}),
        figures.distribution({"one": [1, 2, 2]}),
        figures.estimates({"a": stats.mean([1.0, 2.0, 4.0])}, "x"),
    ]
    for axes in drawn:
        assert axes.get_xlabel() or axes.get_ylabel()
        assert axes.lines


def test_a_study_of_one_deal_is_refused():
    with pytest.raises(tl.UserError, match="2 deals"):
        balance.play_cells(balance.plan((4,), ("simple",)), 1)
