"""The balance study finds what is there with its sign and size, and nothing where nothing is."""

import dataclasses
import itertools
import re

import numpy as np
import pandas as pd
import pytest

import tricklab as tl
from tricklab import figures, stats
from tricklab.policies import seated
from tricklab.simulation import run_blocks
from tricklab.studies import balance
from tricklab.studies.answer import Figure, Table
from tricklab.studies.balance import cells, designs, effects, luck, measures, telling

JUNNI = designs.DESIGNS[0]
SMALL = dataclasses.replace(
    JUNNI,
    factors=JUNNI.factors[:1] + JUNNI.factors[3:5],
    contexts=tuple(c for c in JUNNI.contexts if c.name not in ("players_3", "players_6")),
)


def planted(rng, on=(), policy="careful", context="", deals=400, design=JUNNI, **values):
    """A cell of invented values: symmetric unless told otherwise."""
    cell = cells.Cell(design, context, tuple(on), policy, "simple", False)
    players = 4
    winner = rng.integers(0, players, deals)
    wins = (winner[:, None] == np.arange(players)).astype(np.float32)
    all_values = {
        m.name: rng.normal(size=deals).astype(np.float32)
        for m in measures.MEASURES
        if m.name != "length"
    }
    all_values |= {name: np.asarray(v, np.float32) for name, v in values.items()}
    return cells.Played(cell, all_values, wins * 20, wins, rng.normal(size=(50, 3)))


def full(rng, policy="careful", deals=300, **changes):
    """The cells of a full factorial on the same deals, each measure changed as told."""
    names = [f.name for f in SMALL.factors]
    noise = {m.name: rng.normal(size=deals) for m in measures.MEASURES if m.name != "length"}
    out = []
    for levels in itertools.product((False, True), repeat=len(names)):
        on = [name for name, level in zip(names, levels, strict=True) if level]
        values = {
            m: noise[m] + 0.3 * rng.normal(size=deals) + changes.get(m, lambda on: 0)(on)
            for m in noise
        }
        out.append(planted(rng, on, policy, deals=deals, design=SMALL, **values))
    return out


# ------------------------------------------------------------------------------- the factorial
def test_planted_effects_of_one_switch_and_of_two_are_found_with_sign_and_size():
    def spread(on):
        return -0.4 * ("shriving" in on) + 0.7 * ({"shriving", "partners"} <= set(on))

    frame = effects.factorial(full(np.random.default_rng(1), spread=spread))
    found = frame[frame["measure"] == "spread"].set_index("effect")
    # The mean effect of Shriving is taken over Partners on and off.
    for effect, size in (
        ("shriving", -0.4 + 0.35),
        ("partners", 0.35),
        ("shriving*partners", 0.7),
        ("reckoning", 0.0),
        ("shriving*reckoning", 0.0),
    ):
        row = found.loc[effect]
        assert abs(row["value"] - size) < 3.5 * row["se"], effect
        assert row["low"] < row["value"] < row["high"]
    assert found.loc["shriving*partners", "holm"] < 1e-6
    assert found.loc["shriving*partners", "se"] < 0.1  # on the same deals their noise is shared


def test_contrasts_are_the_least_squares_estimates_of_the_full_model():
    rng = np.random.default_rng(2)
    names = ["a", "b", "c"]
    y = rng.normal(size=8)
    x = effects.signs(3) / 2
    columns = [np.ones(8), *x.T]
    columns += [x[:, i] * x[:, j] for i, j in itertools.combinations(range(3), 2)]
    columns.append(x.prod(axis=1))
    fitted = np.linalg.lstsq(np.stack(columns, axis=1), y, rcond=None)[0]
    ours = [weights @ y for weights in effects.contrasts(names).values()]
    assert ours == pytest.approx(list(fitted[1:7]))


def test_signs_are_in_the_order_of_the_cells():
    names = [f.name for f in JUNNI.factors]
    for levels, (context, on) in zip(effects.signs(len(names)), JUNNI.settings(), strict=False):
        assert context == ""
        assert [n for n, level in zip(names, levels, strict=True) if level > 0] == list(on)


def test_a_symmetric_design_finds_something_no_more_often_than_it_says():
    rng = np.random.default_rng(3)
    clear = sum(
        bool((effects.factorial(full(rng, deals=120))["holm"] < 0.05).any()) for _ in range(60)
    )
    # Holm holds the chance of any false finding at 5%; 60 tries give 8 or more 1 time in 200.
    assert clear <= 8


def test_lengths_of_matches_are_compared_as_independent():
    rng = np.random.default_rng(4)
    weights = effects.contrasts(["a"])[("a",)]
    x, y = rng.normal(5, 1, 30), rng.normal(7, 2, 50)
    found = effects.contrast([x, y], weights, measures.MEASURE["length"], 0.95)
    assert found.value == pytest.approx(y.mean() - x.mean())
    assert found.se == pytest.approx(np.sqrt(x.var(ddof=1) / 30 + y.var(ddof=1) / 50))


def test_a_single_change_is_paired_by_deal_and_other_decks_are_not():
    rng = np.random.default_rng(5)
    base = planted(rng, deals=2_000)
    noise = rng.normal(size=2_000)
    moved = planted(
        rng, ["shriving"], deals=2_000, spread=base.values["spread"] - 0.2 + 0.1 * noise
    )
    found = effects.difference(moved, base, measures.MEASURE["spread"], 0.95)
    assert found.low < -0.2 < found.high
    assert found.se == pytest.approx(0.1 / np.sqrt(2_000), rel=0.1)
    other = planted(rng, context="four_suits", deals=2_000)
    assert "unpaired" in effects.difference(other, base, measures.MEASURE["spread"], 0.95).method


def test_a_share_that_never_changed_still_has_an_interval():
    rng = np.random.default_rng(6)
    never = np.zeros(400)
    found = effects.difference(
        planted(rng, ["shriving"], tie=never),
        planted(rng, tie=never),
        measures.MEASURE["tie"],
        0.95,
    )
    assert found.low < found.value == 0 < found.high == stats.proportion(0, 400).high


def test_deals_that_were_not_played_are_left_out():
    rng = np.random.default_rng(7)
    some = rng.normal(size=400)
    some[::4] = np.nan
    found = effects.level_of(
        planted(rng, spread=some).values["spread"], measures.MEASURE["spread"], 0.95
    )
    assert found.n == 300
    assert found.value == pytest.approx(np.nanmean(some), abs=1e-6)


# --------------------------------------------------------------------------------------- balance
def drawn(rng, p, deals=400):
    """Wins of so many deals, by seats' shares."""
    winner = rng.choice(4, size=deals, p=p)
    return cells.balance((winner[:, None] == np.arange(4)).astype(np.float32))


def test_balance_is_one_where_seats_are_alike_and_its_intervals_say_so():
    rng = np.random.default_rng(8)
    found = [stats.mean(x[np.isfinite(x)]) for x in (drawn(rng, [0.25] * 4) for _ in range(400))]
    mean = stats.mean([f.value for f in found])
    assert abs(mean.value - 1) < 4 * mean.se
    # Of 400 intervals at 95%, fewer than 362 or more than 396 miss 1 time in a thousand.
    assert 362 <= sum(f.low < 1 < f.high for f in found) <= 396


def test_a_planted_imbalance_is_found_with_its_size():
    rng = np.random.default_rng(14)
    mean = np.mean([np.nanmean(drawn(rng, [0.45, 0.25, 0.2, 0.1])) for _ in range(300)])
    assert mean == pytest.approx(1 - 0.35, abs=0.01)


# ------------------------------------------------------------------------------------------ luck
def model(rng, deals=3_000, players=4, cards=0.0, gap=0.0, noise=0.0):
    """Results with planted components: deviations of holdings, of the odd one, and the rest."""
    y = cards * rng.normal(size=(deals, 1, players)) + noise * rng.normal(
        size=(deals, players, players)
    )
    return y + gap * np.eye(players)


def test_sums_of_squares_add_up_and_agree_with_a_plain_analysis():
    rng = np.random.default_rng(9)
    y = model(rng, deals=7, cards=1.0, gap=0.8, noise=0.5) + rng.normal(size=(7, 1, 1))
    total = luck.Sums(*(s.sum() for s in luck.sums_of(y)))
    found = luck.squares(total, 4)
    assert found.sum() == pytest.approx(((y - y.mean()) ** 2).sum())
    odd = np.mean([y[i, k, k] for i in range(7) for k in range(4)])
    others = np.mean([y[i, r, h] for i in range(7) for r in range(4) for h in range(4) if r != h])
    cards = of_policy = rest = 0.0
    for i, r, h in np.ndindex(y.shape):
        deal = y[i].mean() - y.mean()
        holding = y[i, :, h].mean() - y[i].mean()
        policy = (odd if r == h else others) - (odd + 3 * others) / 4
        cards += deal**2 + holding**2
        of_policy += policy**2
        rest += (y[i, r, h] - y.mean() - deal - holding - policy) ** 2
    assert found == pytest.approx([cards, of_policy, rest])
    degrees = 7 * 4 * 3 - 1
    between = cards / (7 * 4 * 4) - rest / degrees / 4
    assert luck.components(total, 4)[[0, 2]] == pytest.approx([between, rest / degrees])


def test_planted_components_of_variance_are_recovered():
    rng = np.random.default_rng(10)
    y = model(rng, cards=1.0, gap=1.2, noise=0.7)
    policy = 1.2**2 * 3 / 16
    total = 1 + policy + 0.49
    whole, values = luck.shares(y)
    expected = np.array([1, policy, 0.49]) / total
    for part, size in enumerate(expected):
        assert whole[part] == pytest.approx(size, abs=4 * stats.mean(values[:, part]).se)
    assert whole.sum() == pytest.approx(1)
    assert values.sum(axis=1) == pytest.approx(np.ones(len(y)))


def test_shares_of_the_variance_cover_what_is_planted():
    rng = np.random.default_rng(11)
    size = 1 / (1 + 0.49)
    inside = 0
    for _ in range(200):
        found = stats.mean(luck.shares(model(rng, deals=80, cards=1.0, noise=0.7))[1][:, 0])
        inside += found.low < size < found.high
    assert 180 <= inside <= 199


@pytest.mark.parametrize("constant_sum", [False, True])
def test_results_that_go_with_nothing_have_no_luck_share(constant_sum):
    """Also where what one seat wins the others lose: results of a rotation are dependent then."""
    rng = np.random.default_rng(12)
    y = model(rng, noise=1.0)
    if constant_sum:
        y -= y.mean(axis=2, keepdims=True)
    whole, values = luck.shares(y)
    assert abs(whole[0]) < 4 * stats.mean(values[:, 0]).se
    assert abs(whole[1]) < 4 * stats.mean(values[:, 1]).se
    assert whole[2] == pytest.approx(1, abs=0.05)


def test_players_who_play_alike_leave_everything_to_the_cards():
    rotated = luck.play_rotations(tl.game("junni"), "careful", "careful", 30, 5)
    assert luck.shares(rotated.score)[0] == pytest.approx([1, 0, 0])


def test_random_players_have_luck_of_the_draw_besides_that_of_the_cards():
    rotated = luck.play_rotations(tl.game("junni"), "random", "random", 400, 5)
    whole, values = luck.shares(rotated.score)
    skill = stats.mean(values[:, 1])
    assert skill.low < 0 < skill.high
    assert 0.2 < whole[2] < 0.6
    # What is left is how alike the results of a holding are when it is played again.
    again = np.corrcoef(rotated.score[:, 0].ravel(), rotated.score[:, 1].ravel())[0, 1]
    assert whole[0] == pytest.approx(again, abs=0.05)


def test_random_players_have_none_where_play_decides_nothing():
    """One card each and one trump among them: whoever holds it takes the trick."""
    shipped = tl.game("junni").deck.source
    trumps, barbarians = dict(shipped["trumps"]), dict(shipped["barbarians"])
    deck = {
        "name": "four",
        "title": "four cards",
        "suits": [
            {"letter": letter, "name": name, "ranks": ["2"]}
            for letter, name in (("B", "bells"), ("C", "coins"))
        ],
        "trumps": trumps | {"ranks": ["1"]},
        "barbarians": barbarians | {"ranks": list(barbarians["ranks"])[:1]},
    }
    rotated = luck.play_rotations(tl.game("junni", deck=deck), "random", "random", 50, 5)
    assert luck.shares(rotated.score)[0][0] == pytest.approx(1)


def test_rotations_are_hands_of_a_run_with_the_odd_one_moving_on():
    game = tl.game("junni", dice=True)
    rotated = luck.play_rotations(game, "careful", "random", 60, 3)
    run = tl.simulate(game, 60, ["random", "careful", "careful", "careful"], 3)
    assert (rotated.score[:, 0] == run.seats["score"].to_numpy().reshape(60, 4)).all()
    assert rotated.win.sum(axis=2) == pytest.approx(np.ones((60, 4)))
    held = rotated.score[:, np.arange(4), np.arange(4)]
    assert held.mean() < rotated.score.mean() - 0.5
    gap = cells.skill_gap(rotated, stronger=False)
    assert stats.mean(gap).low > 0.1


# -------------------------------------------------------------------------------------- measures
def played(name, policy="careful", hands=200, seed=1, **switches):
    game = tl.game(name, **switches)
    at = seated(policy, game.players)
    return next(
        run_blocks(
            game, hands, at, seed, lambda table, _: table, n_jobs=1, progress=False, choices=True
        )
    )


@pytest.mark.parametrize(
    "switches",
    [{}, {"partners": True}, {"scoring": "dead_reckoning"}, {"scoring": "flat", "dice": True}],
)
def test_the_race_is_what_a_plain_count_makes_of_it(switches):
    table = played("junni", **switches)
    gained = measures.gains(table)
    scored = table.game.score(table)
    assert (gained.sum(axis=0) == scored.score).all()
    found = measures.of_hands(table, 0, False)["measures"]
    teams = [(0, 2), (1, 3)] if "partners" in switches else [(0,), (1,), (2,), (3,)]
    for hand in range(table.hands):
        by_trick = np.array([[gained[t, hand, list(s)].sum() for s in teams] for t in range(20)])
        standing = by_trick.cumsum(axis=0)
        final, settled, leader, changes = standing[-1], 20, None, 0
        for t in reversed(range(20)):
            best, second = sorted(standing[t])[::-1][:2]
            if best - second > by_trick[t + 1 :].sum():
                settled = t + 1
        for row in standing:
            ahead = [s for s in range(len(teams)) if row[s] == row.max()]
            if len(ahead) == 1:
                changes += leader not in (None, ahead[0])
                leader = ahead[0]
        half = standing[9]
        behind = not any(
            final[s] == final.max() and half[s] == half.max() for s in range(len(teams))
        )
        assert found["settled"][hand] == pytest.approx(settled / 20)
        assert found["lead_changes"][hand] == changes
        assert found["comeback"][hand] == behind


@pytest.mark.parametrize(
    ("name", "switches"),
    [
        ("junni", {"traitor": True}),
        ("junni", {"traitor": True, "scoring": "dead_reckoning"}),
        ("kaji", {}),
        ("kaji", {"players": 5}),
        ("trjamann", {}),
    ],
)
def test_a_contract_is_settled_by_what_makes_it(name, switches):
    table = played(name, hands=300, **switches)
    game = table.game
    gained, need = measures.gains(table), measures.NEEDS[name](table)
    found = measures.settled_contract(table, gained, need)
    made = game.score(table).made
    for hand in np.flatnonzero(~table.over):
        side = [p for p in range(game.players) if table.sides[hand, table.declarer[hand]] >> p & 1]
        got = gained[:, hand, side].sum(axis=1).cumsum()
        left = gained[:, hand].sum() - gained[:, hand].sum(axis=1).cumsum()
        reached = got[-1] >= need[hand]
        avoids = name == "trjamann" and game.contracts[table.contract[hand]].avoid
        assert reached == (made[hand] != avoids)
        sure = next(
            t for t in range(table.tricks) if got[t] >= need[hand] or got[t] + left[t] < need[hand]
        )
        assert found[hand] == pytest.approx((sure + 1) / table.tricks)
    assert np.isnan(found[table.over]).all()


def test_measures_agree_with_the_frames():
    cell = cells.Cell(JUNNI, "", (), "careful", "simple", False)
    ours = cells.play_cell(cell, 600, 1)
    run = tl.simulate(tl.game("junni"), 600, "careful", 1, record="plays")
    leader = run.seats.query("from_leader == 0")
    assert ours.values["edge"].mean() == pytest.approx(leader["win"].mean() - 0.25)
    assert ours.values["tie"].mean() == run.how_often("winners > 1").value
    assert ours.values["shutout"].mean() == run.how_often("any(tricks == 0)").value
    assert ours.values["saved"].mean() == run.how_often("any(excuse_saves > 0)").value
    by_hand = run.seats.groupby("hand")["tricks"]
    assert ours.values["spread"].mean() == pytest.approx(by_hand.std(ddof=0).mean(), rel=1e-5)
    assert ours.values["branching"].mean() == pytest.approx(run.plays["choices"].mean())
    assert ours.values["forced"].mean() == pytest.approx((run.plays["choices"] == 1).mean())
    share = run.seats["tricks"] / 20
    entropy = -(share * np.log(share.where(share > 0, 1))).groupby(run.seats["hand"]).sum()
    assert ours.values["evenness"].mean() == pytest.approx(entropy.mean() / np.log(4))
    assert ours.holdings["trumps"].sum() == run.seats["trumps"].sum()


def test_wins_of_a_hand_add_up_to_one_unless_nobody_won():
    table = played("junni", policy="random", traitor=True, hands=400)
    wins = measures.of_hands(table, 0, False)["wins"]
    assert set(np.unique(wins.sum(axis=1).round(5))) <= {0.0, 1.0}
    assert (wins.sum(axis=1) == 0).sum() == table.over.sum()


def test_chained_matches_are_hands_in_a_row():
    score = np.array([[3, 0], [4, 1], [0, 9], [2, 2], [5, 0]])
    # 3 + 4 reach 6; then 0 9; then 2 + 5; the hands are used up.
    assert list(cells.chained(score, 6)) == [2, 1, 2]
    # A match that goes past the last hand goes on with the first ones.
    assert list(cells.chained(score, 12)) == [4, 3]
    assert len(cells.chained(np.zeros((5, 2), int), 6)) == 0


def test_chained_campaigns_are_as_long_as_played_ones():
    cell = cells.Cell(JUNNI, "", ("reckoning",), "simple", "careful", True)
    ours = stats.mean(cells.play_cell(cell, 2_000, 1).values["length"])
    game = tl.game("junni", campaign=True, scoring="dead_reckoning")
    theirs = stats.mean(tl.simulate_matches(game, 400, "simple", 2).matches["hands"])
    assert abs(ours.value - theirs.value) < 4 * np.hypot(ours.se, theirs.se)


def test_a_planted_slope_is_recovered():
    rng = np.random.default_rng(13)
    trumps = rng.integers(0, 8, (2_000, 4)).astype(float)
    tricks = 0.7 * trumps + rng.normal(size=(2_000, 1)) * 3 + rng.normal(size=(2_000, 4))
    found = effects.worth_of_one(trumps, tricks)
    assert found.low < 0.7 < found.high < found.low + 0.05


# --------------------------------------------------------------------------------------- designs
@pytest.mark.parametrize("design", designs.DESIGNS, ids=lambda d: d.name)
def test_every_cell_of_a_design_can_be_played(design):
    settings = design.settings()
    assert len(set(settings)) == len(settings)
    assert len({on for context, on in settings if not context}) >= 2 ** len(design.factors)
    for context, on in settings:
        design.make(context, on)
    for tried in design.assumptions:
        assert ("", tried.on) in settings
        assert {(c, ()) for c in tried.contexts} <= set(settings)


def test_combinations_that_a_clause_forbids_are_left_out():
    settings = JUNNI.settings()
    assert ("players_6", ("partners",)) in settings
    assert ("players_3", ("partners",)) not in settings
    assert ("flat", ("reckoning",)) not in settings  # a hand has one scoring table


@pytest.mark.parametrize("name", tl.GAMES)
def test_a_game_without_a_written_design_has_one_by_its_switches(name, monkeypatch):
    monkeypatch.setattr(designs, "DESIGNS", ())
    (design,) = designs.designs_of(name)
    assert 1 <= len(design.factors) <= designs.MOST_FACTORS
    for context, on in design.settings():
        if len(on) <= 1:
            design.make(context, on)


# ------------------------------------------------------------------------------------- the study
@pytest.fixture(scope="module")
def answer(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(designs, "DESIGNS", (SMALL, *designs.DESIGNS[2:]))
        folder = tmp_path_factory.mktemp("studies") / "balance"
        found = balance.STUDY.ask(60, 1, folder=folder, n_jobs=1, progress=False)
        again = balance.STUDY.ask(60, 1, folder=folder, n_jobs=1, progress=False)
        assert again.findings == found.findings
        yield found


def test_a_game_with_nothing_to_switch_is_still_told(monkeypatch):
    plain = designs.Design("trjamann", "Trjámann", "trjamann")
    monkeypatch.setattr(designs, "DESIGNS", (plain,))
    found = balance.STUDY.ask(20, games=["trjamann"], n_jobs=1, progress=False)
    assert found.frames["factorial"].empty
    assert found.findings[0].startswith("Trjámann: ")
    assert found.table("games_careful").rows
    assert "holdings" not in found.frames


def test_every_number_in_a_table_has_its_interval(answer):
    tables = [s for part in answer.parts for s in part.shows if isinstance(s, Table)]
    assert {"varied", "exact", "worth", "games_careful", "luck_junni"} <= {t.name for t in tables}
    names = [t.name for t in tables]
    assert len(names) == len(set(names))
    for table in tables:
        if table.name in ("varied", "exact"):
            continue
        for row in table.rows:
            assert len(row) == len(table.head)
            for cell in row[2 if table.name.startswith("pairs") else 1 :]:
                assert cell == "–" or re.fullmatch(r"\S+ \(\S+ to \S+\)( \*)?", cell), cell


def test_every_figure_is_drawn_with_its_axes_named(answer):
    drawn = [s for part in answer.parts for s in part.shows if isinstance(s, Figure)]
    assert len({s.name for s in drawn}) == len(drawn) > 8
    for figure in drawn:
        axes = figure.draw()
        assert axes.get_xlabel() or axes.get_xticklabels()
        assert axes.lines or axes.images or axes.patches


def test_sentences_name_policies_and_have_no_gaps(answer):
    said = [*answer.findings, *(p for part in answer.parts for p in part.points)]
    assert any("careful" in s for s in answer.findings)
    for sentence in said:
        assert not re.search(r"\b(nan|None|inf)\b|  ", sentence), sentence
        assert sentence.endswith("."), sentence
    assert [part.title for part in answer.parts if part.assumption] == [
        "How much rests on J2",
        "How much rests on J18",
    ]


def test_the_frames_are_estimates_with_labels(answer):
    for name in ("levels", "factorial", "singles", "assumed", "seats", "variance"):
        frame = answer.frames[name]
        assert {"design", "policy", "value", "se", "low", "high", "deals", "method"} <= set(frame)
        assert (frame["low"] <= frame["high"]).all()
    shares = answer.frames["variance"].groupby(["design", "context", "variant", "policy"])["value"]
    assert shares.sum().to_numpy() == pytest.approx(np.ones(shares.ngroups), abs=1e-6)


def test_a_scoring_table_changes_no_card_where_nobody_looks_at_it(answer):
    """And so every switch's change is measured on the very same deals."""
    frame = answer.frames["factorial"]
    rows = frame.query("effect == 'reckoning' and policy == 'simple' and design == 'junni'")
    rows = rows.set_index("measure")
    assert rows.loc["spread", "value"] == rows.loc["branching", "value"] == 0
    assert rows.loc["tie", "value"] < 0


# ------------------------------------------------------------------------------------- sentences
def effect_rows(**values):
    """Rows of effects, clear ones, with intervals of half-width 0.5 points."""
    return pd.DataFrame(
        {
            "effect": name,
            "measure": "luck",
            "policy": "careful",
            "value": v,
            "se": 0.0025,
            "low": v - 0.005,
            "high": v + 0.005,
            "holm": 0.0 if v else 1.0,
        }
        for name, v in values.items()
    )


def test_a_first_place_that_is_shared_is_said_to_be():
    def said(**values):
        return telling.extremes(effect_rows(**values), "luck", JUNNI.titles)

    close = said(rotate=0.021, dice=0.020, shriving=-0.033)
    assert "Lead passes round leaves most to luck, +2.1 (+1.6 to +2.6), not clearly" in close
    assert "ahead of Dice; Shriving leaves least to luck, −3.3 (−3.8 to −2.8) (" in close
    assert "clearly" not in said(rotate=0.05, dice=0.020)
    assert "no switch clearly changes the luck share" in said(rotate=0.0, dice=0.0)


def test_a_planted_edge_is_told_with_its_sign():
    values = {"players_3": (3, 0.03), "": (4, -0.02), "players_5": (5, 0.001)}
    frame = pd.DataFrame(
        {
            "design": "junni",
            "context": context,
            "variant": "",
            "players": n,
            "policy": "careful",
            "measure": "edge",
            "value": v,
            "se": 0.002,
            "low": v - 0.004,
            "high": v + 0.004,
        }
        for context, (n, v) in values.items()
    )
    text = telling.edge_words(frame, JUNNI, "careful")
    assert "more than an equal share, by percentage points: +3.0 (+2.6 to +3.4) with 3" in text
    assert "less than an equal share, by percentage points: −2.0 (−2.4 to −1.6) with 4" in text
    assert "no edge of the first leader shows with 5 players" in text


def test_policies_that_disagree_are_said_to():
    frame = pd.DataFrame(
        {
            "design": "junni",
            "effect": effect,
            "order": 1,
            "measure": "spread",
            "policy": policy,
            "value": v,
            "se": se,
            "low": v - 2 * se,
            "high": v + 2 * se,
            "holm": 0.0,
        }
        for effect, policy, v, se in (
            ("shriving", "simple", 0.3, 0.01),
            ("shriving", "careful", -0.3, 0.01),
            ("dice", "simple", 0.3, 0.01),
            ("dice", "careful", 0.31, 0.01),
            ("reckoning", "simple", 0.0, 0.0),
            ("reckoning", "careful", 0.3, 0.01),
        )
    )
    text = telling.policy_words(frame, JUNNI, ["simple", "careful"])
    assert "of 2 effects" in text
    assert "1 differ in size" in text
    assert "2 are clear under both, and 1 of these point the same way" in text
    assert "Shriving (spread" in text
    assert "Dice" not in text


def test_what_can_change_nothing_is_told_with_how_often_it_seems_to():
    frame = pd.DataFrame(
        {
            "design": "junni",
            "context": "",
            "variant": "left",
            "low": low,
            "high": 0.1,
            "holm": holm,
        }
        for low, holm in ((-0.1, 1.0), (0.05, 0.4), (0.05, 0.01), (-0.1, 1.0))
    )
    (text,) = telling.null_words(frame, {"junni": JUNNI})
    assert "of its 4 measured changes 2 lie off zero" in text
    assert "1 after adjustment" in text


def test_split_bars_end_at_the_whole():
    frame = pd.DataFrame(
        {"game": "a", "part": part, "value": v, "low": v - 0.1, "high": v + 0.1}
        for part, v in (("x", 0.25), ("y", 0.75))
    )
    axes = figures.shares(frame, {"a": "A"}, {"x": "X", "y": "Y"}, "game", "part")
    bars = [patch for patch in axes.patches if patch.get_height() > 0.5]
    assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(1)
