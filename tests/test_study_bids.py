"""The study of bids counts what was declared, and finds what is planted."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as distributions

import tricklab as tl
from tricklab.studies.bids import bonuses, playing, telling
from tricklab.studies.bids.playing import AS_SHIPPED, FEWEST, PASSED_OUT, Cell
from tricklab.studies.bids.ratios import break_even, rate_change
from tricklab.studies.bids.subjects import SUBJECTS, subject_game

GAMES = list(SUBJECTS)


@pytest.fixture(scope="module")
def answer():
    return tl.study("bids").ask(300, 3, progress=False, n_jobs=1)


def test_every_game_with_a_declarer_is_a_subject():
    with_one = {n for n, c in tl.GAMES.items() if "made" in tl.game(n).hand_columns}
    assert with_one - {"junni"} <= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_success_is_counted_by_what_was_declared(answer, name):
    players = subject_game(name).players
    for policy in ("simple", "careful"):
        run = tl.simulate(subject_game(name), 300, policy, 3, progress=False)
        frame = answer.frames["contracts"]
        frame = frame[
            (frame["game"] == name)
            & (frame["players"] == players)
            & (frame["policy"] == policy)
            & (frame["variant"] == AS_SHIPPED)
        ]
        found = frame.set_index(["contract", "measure"])["value"]
        shares = found.xs("share", level="measure")
        assert shares["any"] + shares[PASSED_OUT] == pytest.approx(1)
        assert shares.drop(["any", PASSED_OUT]).sum() == pytest.approx(shares["any"])
        said = playing.declared(run)
        for contract, rows in said[said != PASSED_OUT].groupby(said):
            assert shares[contract] == pytest.approx(len(rows) / 300)
            made = run.hands["made"][rows.index]
            assert made.isin([0, 1]).all()
            if len(rows) >= FEWEST:
                assert found[contract, "made"] == pytest.approx((made == 1).mean())
            else:
                assert (contract, "made") not in found.index


@pytest.mark.parametrize("name", GAMES)
def test_the_declarers_score_is_measured_against_the_others(name):
    run = tl.simulate(subject_game(name), 200, "careful", 3, progress=False)
    scores = run.seats["score"].to_numpy().reshape(200, -1)
    for hand, found in enumerate(playing.declarer_scores(run)):
        declarer = run.hands["declarer"][hand]
        if declarer < 0:
            assert found == 0
        else:
            others = np.delete(scores[hand], declarer)
            assert found == pytest.approx(scores[hand, declarer] - others.mean())


@pytest.mark.parametrize("name", GAMES)
def test_holdings_and_ways_are_the_declarers(name):
    cell = Cell(name, subject_game(name).players, "careful")
    hands = playing.play_cell(cell, 200, 3)
    run = tl.simulate(subject_game(name), 200, "careful", 3, progress=False)
    for hand in range(0, 200, 17):
        declarer = run.hands["declarer"][hand]
        if declarer < 0:
            continue
        seat = run.seats[(run.seats["hand"] == hand) & (run.seats["seat"] == declarer)]
        for column in SUBJECTS[name].holding:
            assert hands[column][hand] == seat[column].iloc[0]
        for column, words in SUBJECTS[name].ways.items():
            value = run.hands[column][hand]
            assert hands[column][hand] == words.get(value, words.get(None))


@pytest.mark.parametrize("name", GAMES)
def test_variants_can_be_played_and_change_something(name):
    for variant, switches in SUBJECTS[name].variants.items():
        game = subject_game(name, **switches)
        assert game != subject_game(name), variant
        assert Cell(name, game.players, "careful", variant).paired == (
            game.deck.cards == subject_game(name).deck.cards
        )


def test_the_break_even_rate_is_where_gains_and_losses_cancel():
    made = np.array([True, True, False, False])
    found = break_even(np.array([3.0, 5.0, -1.0, -3.0]), made)
    assert found.value == pytest.approx(2 / (4 + 2))
    assert np.isnan(break_even(np.array([3.0, 5.0, 1.0, 3.0]), made).value)
    assert np.isnan(break_even(np.array([3.0, 5.0, -1.0]), made[:3]).value)


def test_the_break_even_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        made = rng.random(300) < 0.6
        score = np.where(made, rng.exponential(2.0, 300), -rng.exponential(3.0, 300))
        found = break_even(score, made)
        hits += found.low <= 0.6 <= found.high
    # 95% of 400 is 380; fewer than 366 or more than 393 comes up less than once in a hundred.
    assert 366 <= hits <= 393


@pytest.mark.parametrize("paired", [True, False])
def test_a_change_of_rate_is_found_and_covered_as_often_as_it_says(paired):
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(300):
        luck = rng.random(400)
        tried, before = luck < 0.9, (luck if paired else rng.random(400)) < 0.8
        skill = rng.random(400)
        made = tried & (skill < 0.7)
        made_before = before & ((skill if paired else rng.random(400)) < 0.6)
        arrays = (x.astype(float) for x in (made, tried, made_before, before))
        found = rate_change(*arrays, paired=paired)
        hits += found.low <= 0.1 <= found.high
    assert distributions.binom(300, 0.95).cdf(hits) > 0.005


def test_pairing_narrows_the_interval():
    rng = np.random.default_rng(3)
    tried = np.ones(1000)
    skill = rng.random(1000)
    made, before = ((skill < p).astype(float) for p in (0.6, 0.55))
    paired = rate_change(made, tried, before, tried)
    assert paired.se < 0.6 * rate_change(made, tried, before, tried, paired=False).se


def test_a_change_that_no_deal_shows_still_has_an_interval():
    made, tried = np.array([1.0, 0.0] * 50), np.ones(100)
    found = rate_change(made, tried, made, tried)
    assert found.value == 0
    assert found.low < 0 < found.high


def test_a_bot_that_bids_two_too_high_makes_its_bids_less_often():
    sound, rash = (
        playing.play_cell(Cell("junni", 4, policy), 2_000, 5)
        for policy in ("careful", "careful:margin=1.75")
    )
    found = rate_change(*playing._made_of(rash), *playing._made_of(sound))
    assert found.high < -0.1


def frames(**scores):
    """Invented results of Trjámann by policy: (made, score) of all contracts and of one."""
    rows = []
    for policy, (made, score) in scores.items():
        for contract in ("any", "grand"):
            for measure, value in (
                ("share", 1.0),
                ("made", made),
                ("break_even", 0.5),
                ("score", score),
            ):
                rows.append(
                    {
                        "game": "trjamann",
                        "players": 3,
                        "policy": policy,
                        "variant": AS_SHIPPED,
                        "contract": contract,
                        "measure": measure,
                        "value": value,
                        "low": value - 0.01,
                        "high": value + 0.01,
                        "deals": 100,
                        "method": "t",
                    }
                )
    empty = pd.DataFrame(
        columns=["game", "players", "policy", "way", "contract", "measure", "value"]
    )
    none = pd.DataFrame(columns=["game", "policy", "bonus", "measure", "value"])
    return {"contracts": pd.DataFrame(rows), "ways": empty, "bonuses": none}


def test_the_sentences_say_what_falls_short_and_whether_the_policy_matters():
    stated = {"games": {"trjamann": 1}, "policies": ["simple", "careful"]}
    said = telling.findings(frames(simple=(0.6, 1.0), careful=(0.3, -1.0)), stated)
    assert "30.0% (29.0 to 31.0) of declared hands are made" in said[0]
    assert (
        "The declarer loses to the others, −1.00 (−1.01 to −0.99) a hand; that changes" in said[0]
    )
    assert said[1] == "Trjámann: made less often than would break even are grand."
    said = telling.findings(frames(simple=(0.6, 1.0), careful=(0.8, 2.0)), stated)
    assert "gains on the others" in said[0]
    assert "so it is under simple" in said[0]
    assert len(said) == 1


def test_named_bids_stand_in_their_order_and_are_told_by_name(answer):
    said = set(answer.frames["contracts"].query("game == 'emperor'")["contract"])
    assert said <= {"any", "three", "two", "one", "without", PASSED_OUT}
    assert sorted(["without", "three", "one", "two"], key=playing.in_order) == [
        *("three", "two", "one", "without")
    ]
    assert sorted(["bid 10", "bid 9"], key=playing.in_order) == ["bid 9", "bid 10"]


def test_bonuses_are_counted_as_their_frame_has_them():
    game = tl.game("emperor")
    run = tl.simulate(game, 300, "random", 3, progress=False)
    found = bonuses.counted(run)
    assert {name.partition(" ")[0] for name in found} == set(bonuses.kinds(game.bonuses))
    for hand in range(0, 300, 7):
        told = run.bonuses[run.bonuses["hand"] == hand]
        for kind in (bonuses.ALL, "owl", "last_king", "slam"):
            of = told[told["bonus"].astype(str).str.startswith(kind)] if kind != "any" else told
            said = of[of["announced"] == 1]
            made = said["made"] == 1
            assert found[f"{kind} announced"][hand] == len(said)
            assert found[f"{kind} made"][hand] == made.sum()
            assert found[f"{kind} silent"][hand] == (of["announced"] == 0).sum()
            worth = said["points"].where(made, -said["points"]).sum()
            assert found[f"{kind} worth"][hand] == worth


def test_shares_of_bonuses_are_those_of_the_run():
    run = tl.simulate(tl.game("emperor"), 400, "random", 3, progress=False)
    hands = pd.DataFrame(bonuses.counted(run))
    rows = bonuses.by_bonus({"policy": "random"}, run.game.bonuses, hands)
    found = {(each["bonus"], each["measure"]): each["value"] for each in rows}
    told = run.bonuses
    said = told[(told["bonus"] == "sparrow") & (told["announced"] == 1)]
    assert found["sparrow", "made"] == pytest.approx((said["made"] == 1).mean())
    assert found["sparrow", "announced"] == pytest.approx(said["hand"].nunique() / 400)
    assert (
        found["sparrow", "made"]
        == run.how_often("made == 1", "bonuses", 'announced == 1 and bonus == "sparrow"').value
    )
    assert not bonuses.by_bonus({}, (), hands)


def test_bonuses_are_told_of_the_game_that_has_them(answer):
    assert set(answer.frames["bonuses"]["game"]) == {"emperor"}
    tables = [show.name for part in answer.parts for show in part.shows if "bonuses" in show.name]
    assert tables == ["emperor-bonuses-simple", "emperor-bonuses-careful"]
    assert [line for line in answer.findings if line.startswith("Emperor: bonuses are announced")]
