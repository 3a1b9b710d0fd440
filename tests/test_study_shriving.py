"""The value of shriving: ways to give do what they say, and worth is measured right."""

import re

import numpy as np
import pandas as pd
import pytest

import tricklab as tl
from tricklab import figures, stats
from tricklab.policies import Gives
from tricklab.simulation import run_blocks
from tricklab.studies import study
from tricklab.studies.shriving import gifts, one_seat, reading, rule, say
from tricklab.studies.shriving.common import CARDS, PLAYERS
from tricklab.studies.shriving.design import GIFTS, design
from tricklab.studies.shriving.one_seat import SETTINGS, OneSeat

GAME = tl.game("junni", shriving=True)


# ------------------------------------------------------------------------------ gifts and holdings
@pytest.fixture(scope="module")
def tables():
    """Finished hands in which seat 0 gives each way, on the same deals."""
    out = {}
    for name, way in gifts.WAYS.items():
        at = one_seat.giving(tl.policy("simple"), way.giver, 4)
        (out[name],) = run_blocks(GAME, 300, at, 5, lambda table, first: table, progress=False)
    return out


DECK = GAME.deck


def role(card):
    return DECK.suits[DECK.suit_of[DECK.index(card)]].role


def rank(card):
    return int(DECK.rank_of[DECK.index(card)])


def is_court(card):
    return role(card) == "suit" and card[0] in "SR"


def low(card):
    return ["suit", "trump", "excuse"].index(role(card)), rank(card)


def plain_gift(way, cards):
    """Four cards by a slow, plain reading of a way."""
    of_suit = {}
    for card in cards:
        if role(card) == "suit":
            of_suit.setdefault(card[-1], []).append(card)
    first = []
    if way in ("void", "any_void"):
        for own in sorted(of_suit.values(), key=len):
            if len(first) + len(own) <= 4 and (way == "any_void" or not any(map(is_court, own))):
                first += own
    elif way == "highest":
        first = sorted((c for c in cards if role(c) == "suit"), key=rank)[-4:]
    elif way != "lowest":
        kinds = {"court": is_court, "barbarian": lambda c: role(c) == "excuse"}
        kind = kinds.get(way, lambda c: role(c) == "trump")
        first = sorted(filter(kind, cards), key=low)[:1]
    rest = sorted((card for card in cards if card not in first), key=low)
    return [*first, *rest[: 4 - len(first)]]


def emptied_sizes(cards, gift):
    """Sizes of the ordinary suits that a gift takes away whole."""
    kept = {card[-1] for card in cards if card not in gift}
    gone = [card[-1] for card in gift if role(card) == "suit" and card[-1] not in kept]
    return sorted(gone.count(suit) for suit in set(gone))


def gifts_of(table):
    """The giver's cards and what it gave of them, hand by hand."""
    for dealt, given in zip(table.dealt[:, 0], table.given[:, 0], strict=True):
        yield DECK.cards_in(dealt), DECK.cards_in(given)


@pytest.mark.parametrize("way", ["lowest", "highest", "court", "barbarian", "trump"])
def test_a_way_gives_what_a_plain_reading_of_it_gives(tables, way):
    for cards, gift in gifts_of(tables[way]):
        # Which of several cards of a rank is given does not matter.
        assert sorted(map(low, gift)) == sorted(map(low, plain_gift(way, cards)))


@pytest.mark.parametrize("way", ["void", "any_void"])
def test_short_suits_are_given_whole_and_the_rest_is_low(tables, way):
    filled = 0
    for cards, gift in gifts_of(tables[way]):
        assert emptied_sizes(cards, gift) == emptied_sizes(cards, plain_gift(way, cards))
        kept = {card[-1] for card in cards if card not in gift}
        filler = [card for card in gift if card[-1] in kept]
        others = [card for card in cards if card not in gift]
        if filler:
            filled += 1
            assert max(map(low, filler)) <= min(map(low, others))
    assert filled


def test_the_longest_suit_is_shortened(tables):
    plain = gifts.of_role(DECK, "suit")
    table = tables["longest"]
    had, gave = (
        np.bitwise_count(m[:, 0][:, plain]).astype(int) for m in (table.dealt, table.given)
    )
    alone = (had == had.max(axis=1, keepdims=True)).sum(axis=1) == 1
    most = np.take_along_axis(gave, had.argmax(axis=1)[:, None], axis=1)[:, 0]
    assert (most == np.minimum(had.max(axis=1), 4))[alone].all()


def test_emptied_suits_are_the_shortest_that_fit_together():
    rng = np.random.default_rng(1)
    masks = rng.integers(0, 1 << 12, (300, 7)).astype(np.uint32) & rng.integers(
        0, 1 << 12, (300, 7)
    ).astype(np.uint32)
    allowed = rng.random((300, 7)) < 0.7
    found = gifts.emptied(masks, allowed, 5)
    for mask, may, chosen in zip(masks, allowed, found, strict=True):
        sizes = sorted(int(m).bit_count() for m, a in zip(mask, may, strict=True) if a and m)
        most = sum(sum(sizes[: n + 1]) <= 5 for n in range(len(sizes)))
        assert chosen.sum() == most
        assert sum(int(m).bit_count() for m in mask[chosen]) == sum(sizes[:most])
        assert (may & (mask > 0))[chosen].all()


def test_a_shape_counts_trumps_and_short_poor_suits(tables):
    found = gifts.shape(DECK, tables["lowest"].dealt[:, 0], 4)
    for (cards, _), number in zip(gifts_of(tables["lowest"]), found, strict=True):
        trumps = sum(role(card) == "trump" for card in cards)
        suits = {card[-1] for card in cards if role(card) == "suit"}
        own = [[card for card in cards if card[-1] == suit] for suit in suits]
        sizes = sorted(len(held) for held in own if not any(map(is_court, held)))
        fit = sum(sum(sizes[: n + 1]) <= 4 for n in range(len(sizes)))
        expected = (trumps > 2) + (trumps > 4), min(fit, 2)
        assert divmod(number, 3) == expected


def test_an_order_that_does_not_exist_is_refused():
    with pytest.raises(tl.UserError, match="did you mean 'highest'"):
        gifts.InOrder("higest")


# -------------------------------------------------------------------------------- restricted play
@pytest.mark.parametrize("base", ["simple", "careful", "random"])
def test_a_policy_that_gives_its_own_gifts_plays_as_itself(base):
    game = tl.game("junni", shriving=True, traitor=True, spare_to="traitor", brazen=True)
    who = tl.policy(base)
    plain, wrapped = (tl.simulate(game, 200, w, 3).seats for w in (who, Gives(who, who)))
    pd.testing.assert_frame_equal(plain, wrapped)


def test_only_the_gift_is_another_policys(tables):
    lowest, plan = tables["lowest"], tables["plan"]
    assert (lowest.given[:, 0] != plan.given[:, 0]).any()
    assert (lowest.given[:, 1:] == plan.given[:, 1:]).all()
    same = (lowest.given[:, 0] == plan.given[:, 0]).all(axis=1)
    assert same.any()
    assert (lowest.cards[:, same] == plan.cards[:, same]).all()


def test_the_bids_do_not_depend_on_gifts_made_after_them():
    cell = OneSeat(SETTINGS["after"], "careful", grouping="role")
    base = tl.policy("careful")
    told = []
    for way in ("plan", "random"):
        at = one_seat.giving(base, gifts.WAYS[way].giver, 4)
        (table,) = run_blocks(cell.game, 200, at, 1, lambda table, first: table, progress=False)
        told.append((one_seat.roles(table), table.bidding.high))
    assert (told[0][0] == told[1][0]).all()
    assert (told[0][1] == told[1][1]).all()
    assert set(told[0][0]) >= {0, 1, 2}


# ------------------------------------------------------------------------------------- estimates
@pytest.fixture(scope="module")
def answer():
    return study("shriving").ask(hands=60, n_jobs=1, progress=False)


def test_what_is_gained_is_lost_by_others(answer):
    frame = answer.frames["worth"]
    rows = frame[
        (frame["measure"] == "tricks") & (frame["group"] == "all") & (frame["against"] != "")
    ]
    keys = ["setting", "players", "cards", "policy", "way", "against"]
    wide = rows.pivot(index=keys, columns="who", values="value").reset_index()
    partner = wide["partner"].fillna(0)
    others = wide["players"] - 2 - wide["partner"].notna()
    total = wide["giver"] + wide["receiver"] + partner + others * wide["others"]
    assert total.abs().max() < 1e-9
    side = wide["side"].dropna()
    assert side.to_numpy() == pytest.approx((wide["giver"] + partner)[side.index].to_numpy())


def test_differences_are_those_of_the_levels_and_of_the_runs(answer):
    frame = answer.frames["worth"]
    at = {"policy": "careful", "players": 5, "measure": "win"}
    levels = {w: reading.one(frame, **at, way=w, against="") for w in one_seat.SKILL}
    for way, against in one_seat.pairs(one_seat.SKILL):
        found = reading.one(frame, **at, way=way, against=against)
        expected = levels[way]["value"] - levels[against]["value"]
        assert found["value"] == pytest.approx(expected)
        assert found["method"] == "paired t"
    game = tl.game("junni", shriving=True, players=5)
    run = tl.simulate(game, 240, [Gives(tl.Careful(), tl.Random()), *[tl.Careful()] * 4], 0)
    own = run.seats.loc[run.seats["seat"] == 0, "win"].mean()
    assert levels["random"]["value"] == pytest.approx(own)
    assert levels["random"]["deals"] == 240


def test_a_planted_bad_gift_is_found_with_sign_and_size():
    """Giving a trump away moves a trump to the left, and with it most of a trick."""
    ways = ("lowest", "trump")
    rows = OneSeat(SETTINGS["basic"], "simple", ways=ways, times=1).measured(1500, 3)["worth"]
    frame = pd.DataFrame(rows)
    giver, receiver = (
        reading.one(frame, policy="simple", way="trump", who=who, measure="tricks")
        for who in ("giver", "receiver")
    )
    assert -1.1 < giver["high"] < -0.5
    assert 0.5 < receiver["low"] < 1.1


def test_ways_that_give_the_same_are_not_told_apart():
    values = {("giver", m): np.random.default_rng(2).normal(size=200) for m in ("tricks", "win")}
    values |= {("giver", m): values["giver", "tricks"] for m in ("score", "ahead")}
    rows = one_seat.compared({"plan": values, "lowest": values})
    frame = pd.DataFrame(rows)
    assert (frame.loc[frame["against"] != "", "value"] == 0).all()
    assert reading.clear(frame[frame["against"] != ""]).empty


def test_a_symmetric_design_finds_something_no_more_often_than_it_says():
    """Two ways that differ by noise alone: findings over four differences, held together."""
    rng = np.random.default_rng(3)
    clear = 0
    for _ in range(100):
        found = [stats.paired_difference(*rng.normal(size=(2, 200))) for _ in range(4)]
        frame = pd.DataFrame([{"value": e.value, "se": e.se} for e in found])
        clear += len(reading.clear(frame)) > 0
    # 5% of 100 tries; 12 or more come 1 time in 200.
    assert clear < 12


def test_advice_is_chosen_on_deals_that_do_not_judge_it():
    """Ways that are all noise: the best of them looks good where it was chosen, not on the rest."""
    rng = np.random.default_rng(4)
    seen = []
    for _ in range(60):
        group = rng.integers(0, len(gifts.SHAPES), 2_000)
        tricks = {way: rng.normal(size=2_000) for way in ("lowest", "void", "court", "trump")}
        frame = pd.DataFrame(one_seat.advice(tricks, group))
        seen += frame.loc[(frame["way"] != "lowest") & (frame["shape"] == "all"), "value"].tolist()
    assert abs(np.mean(seen)) < 3 * np.std(seen) / np.sqrt(len(seen))


def test_advice_finds_what_is_best_for_each_holding():
    rng = np.random.default_rng(5)
    group = rng.integers(0, 3, 9_000)
    tricks = {way: rng.normal(size=9_000) for way in ("lowest", "void", "trump")}
    tricks["plan"] = tricks["lowest"] + 0.1
    tricks["void"] = (
        tricks["lowest"] + 0.1 * rng.normal(size=9_000) + np.where(group == 1, 0.5, -0.5)
    )
    frame = pd.DataFrame(one_seat.advice(tricks, group)).set_index(["shape", "against"])
    best = [frame.loc[(gifts.SHAPES[i], "lowest"), "way"] for i in range(3)]
    assert best == ["lowest", "void", "lowest"]
    planted = frame.loc[(gifts.SHAPES[1], "lowest")]
    assert planted["low"] < 0.5 < planted["high"]
    share = (group[4_500:] == 1).mean()
    assert frame.loc[("all", "lowest"), "value"] == pytest.approx(0.5 * share, abs=0.02)
    assert frame.loc[("all", "plan"), "value"] == pytest.approx(0.5 * share - 0.1, abs=0.02)


def test_where_gifts_differ_accounts_for_the_whole_difference(answer):
    frame = answer.frames["worth"]
    for way in GIFTS:
        if way == "lowest":
            continue
        at = {"policy": "careful", "way": way}
        everywhere = reading.one(frame, **at, measure="tricks")
        there = reading.one(frame, **at, group="different", measure="tricks")
        share = reading.one(frame, **at, group="different", measure="share")
        assert everywhere["value"] == pytest.approx(there["value"] * share["value"])


def test_the_rule_is_measured_as_the_frames_have_it(answer):
    frame = answer.frames["rule"]
    at = {"players": 4, "policy": "careful", "cards": 2, "of": "level"}
    found = reading.chosen(frame, **at).set_index("measure")["value"]
    run = tl.simulate(tl.game("junni", shriving=True, shriving_cards=2), 60, "careful", 0)
    by_hand = run.seats.groupby("hand")
    assert found["voids"] == pytest.approx(run.seats["play_voids"].mean())
    assert found["spread"] == pytest.approx(by_hand["tricks"].std(ddof=0).mean(), rel=1e-5)
    assert found["best"] == pytest.approx(by_hand["tricks"].max().mean())
    assert found["none"] == pytest.approx((by_hand["tricks"].min() == 0).mean())
    assert found["tie"] == pytest.approx((run.hands["winners"] > 1).mean())
    leader = run.seats[run.seats["from_leader"] == 0]
    assert found["leader_win"] == pytest.approx(leader["win"].mean() - 0.25, abs=1e-6)
    assert found["leader_tricks"] == pytest.approx(leader["tricks"].mean() - 5, abs=1e-6)
    top = run.seats["trumps"] == by_hand["trumps"].transform("max")
    share = (run.seats["win"] * top).groupby(run.seats["hand"]).sum() / top.groupby(
        run.seats["hand"]
    ).sum()
    assert found["trumps_win"] == pytest.approx(share.mean() - 0.25, abs=1e-6)


def test_an_event_that_never_changed_still_has_an_interval():
    never = np.zeros(100)
    event = next(m for m in rule.MEASURES if m.event)
    found = rule._change(event, never, never)
    assert found.low < 0 < found.high
    assert found.high == stats.proportion(0, 100).high


# ------------------------------------------------------------------------------------ the telling
def test_the_design_covers_what_is_asked():
    cells = design(("simple", "careful"))
    rules = {(c.players, c.who) for c in cells if isinstance(c, rule.Rule)}
    assert rules == {(n, who) for n in PLAYERS for who in ("simple", "careful")}
    seats = [c for c in cells if isinstance(c, OneSeat) and c.who == "careful"]
    assert {c.cards for c in seats if c.setting.name == "basic"} == set(CARDS)
    assert {c.players for c in seats if c.setting.name == "basic"} == set(PLAYERS)
    assert {c.setting.name for c in seats} == set(SETTINGS)
    assert len({(c.setting.name, c.players, c.cards) for c in seats}) == len(seats)


def test_every_number_of_a_table_has_its_interval(answer):
    tables = [s for part in answer.parts for s in part.shows if hasattr(s, "rows")]
    shown = [s.name for part in answer.parts for s in part.shows]
    assert len(set(shown)) == len(shown)
    for table in tables:
        for cells in table.rows:
            assert len(cells) == len(table.head)
            for cell in cells[1:]:
                if re.match(r"[−+]?\d", cell):
                    assert re.search(r"\(.+ to .+\)", cell), (table.name, cell)


def test_every_figure_is_drawn_and_labelled(answer):
    drawn = [s for part in answer.parts for s in part.shows if hasattr(s, "draw")]
    assert len(drawn) >= 8
    for figure in drawn:
        axes = figure.draw()
        assert axes.get_xlabel()
        assert axes.lines or axes.images


def test_sentences_follow_the_numbers(answer):
    frame = answer.frames["worth"].copy()
    plan = (frame["way"] == "plan") & (frame["against"] == "lowest")
    simple, careful = (plan & (frame["policy"] == who) for who in ("simple", "careful"))
    estimate = ["value", "low", "high", "se"]
    frame.loc[simple, estimate] = [-0.3, -0.4, -0.2, 0.05]
    frame.loc[careful, estimate] = [0.3, 0.2, 0.4, 0.05]
    told = " ".join(say.agreement(frame, ("simple", "careful")))
    assert "changes with the policy: −0.3 (−0.4 to −0.2) under simple and +0.3 (+0.2" in told
    assert "clearly brings fewer tricks with 3, 4, 5 and 6 players and fewer wins with" in told
    frame.loc[simple, estimate] = [0.3, 0.2, 0.4, 0.05]
    told = " ".join(say.agreement(frame, ("simple", "careful")))
    assert "That the plan is better than the lowest cards does not change with the policy" in told


def test_both_policies_are_told_of(answer):
    text = " ".join(answer.findings)
    assert "under simple" in text
    assert "under careful" in text
    assert sum(part.assumption for part in answer.parts) == 1


def test_an_answer_is_told_again_from_its_frames(answer, tmp_path):
    answer.save(tmp_path / "kept")
    again = study("shriving").read(tmp_path / "kept")
    assert again.findings == answer.findings


def test_contrasts_stand_in_the_order_of_their_titles():
    frame = pd.DataFrame(
        {
            "who": ["b", "a"],
            "by": ["x", "x"],
            "value": [1.0, 2.0],
            "low": [0.5, 1.5],
            "high": [1.5, 2.5],
        }
    )
    titles = {"a": "first", "b": "second"}
    axes = figures.contrasts(frame, "who", "by", titles, {"x": "X"}, "tricks")
    labels = [label.get_text() for label in axes.get_yticklabels()]
    place = dict(zip(labels, axes.get_yticks(), strict=True))
    assert place["first"] > place["second"]
    drawn = dict(zip(*axes.lines[0].get_data(), strict=True))
    assert drawn[2.0] == pytest.approx(place["first"])
