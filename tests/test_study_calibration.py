"""The calibration study finds what is planted, and its numbers are those of play itself."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy import stats as distributions

import tricklab as tl
from tricklab import figures, words
from tricklab.bidding import PASS
from tricklab.errors import UserError
from tricklab.policies import Careful, Policy, Simple
from tricklab.studies import study
from tricklab.studies.calibration import holdings, margins
from tricklab.studies.calibration.auctions import Bidders, hold, lead
from tricklab.studies.calibration.bank import Bank, play_auctions, play_bank
from tricklab.studies.calibration.forecast import Forecast, bids_near
from tricklab.studies.calibration.measure import BASIC, Cell, measure
from tricklab.studies.calibration.scores import (
    Forecasts,
    brier,
    mean_where,
    ratio,
    reliability,
    resampled,
    share_where,
    slope,
)


def junni(players=4, **switches):
    return tl.game("junni", players=players, traitor=True, **switches)


# ------------------------------------------------------------------------------------ the bank
@pytest.fixture(scope="module")
def bank():
    return play_bank(junni(), "careful", 600, 3)


def test_what_a_seat_takes_as_the_traitor_is_what_it_takes_when_it_wins(bank):
    run = tl.simulate(junni(), 600, "careful", 3).hands
    own = play_auctions(bank, 3)
    place = (run["declarer"].to_numpy() - run["dealer"].to_numpy()) % 4
    assert (own.place == place).all()
    assert (own.bid == run["bid"]).all()
    assert (own.of_traitor(bank.taken) == run["taken"]).all()


def test_the_estimate_is_that_by_which_careful_bids(bank):
    """Whoever opens bids the whole tricks of its estimate and margin, if any."""
    opening = np.floor(bank.estimate[:, 0] - 0.25)
    last = tl.simulate(junni(), 600, "careful", 3).seats.query("from_leader == 0")["last_bid"]
    never_raised = last.to_numpy() <= opening
    assert never_raised.all()
    assert (last.to_numpy() == opening).mean() > 0.95


def test_a_policy_that_plays_by_what_was_bid_is_refused():
    @dataclass(frozen=True)
    class Shy(Policy):
        def play(self, view):
            bold = view.high_bid[:, None] > 3
            order = np.where(bold, view.deck.rank_of, -1 * view.deck.rank_of.astype(int))
            return np.where(view.may_play, order, -99).argmax(axis=1)

    bank = play_bank(junni(), "simple", 200, 1)
    shy = Bank(bank.game, Shy(), bank.estimate, bank.taken, bank.held)
    with pytest.raises(UserError, match="plays by what was bid"):
        play_auctions(shy, 1)


@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"players": 3, "scoring": "dead_reckoning"},
        {"players": 6, "min_bid": 3, "bid_step": 2},
        {"players": 5, "made_scores": "taken"},
        {"all_drop": "dealer_minimum", "min_bid": 8},
        {"spare_to": "traitor"},
    ],
    ids=str,
)
def test_auctions_in_numbers_are_the_games_auctions(switches):
    game = junni(**switches)
    bank = play_bank(game, "careful:margin=0.5", 300, 5)
    played = play_auctions(bank, 5)
    found = hold(game, Bidders.by_estimate(bank, margins.common(bank, 0.5)))
    assert (found.place == played.place).all()
    assert (found.bid == played.bid).all()


@pytest.mark.parametrize("switches", [{}, {"made_scores": "taken"}], ids=str)
def test_leads_are_those_of_the_scores(switches):
    game = junni(**switches)
    bank = play_bank(game, "careful:margin=1", 300, 6)
    own = play_auctions(bank, 6)
    run = tl.simulate(game, 300, "careful:margin=1", 6)
    score = run.seats["score"].to_numpy(float).reshape(-1, 4)
    seats = (run.hands["dealer"].to_numpy()[:, None] + np.arange(4)) % 4
    score = np.take_along_axis(score, seats, axis=1)
    for place in range(4):
        others = (score.sum(axis=1) - score[:, place]) / 3
        assert lead(bank, own, place) == pytest.approx(score[:, place] - others)


def test_a_seat_with_a_limit_of_its_own_goes_to_it_and_no_further(bank):
    @dataclass(frozen=True)
    class Stubborn(Careful):
        def bid(self, view):
            mine = (view.seat - view.dealer) % 4 == 2
            usual = super().bid(view)
            return np.where(mine, np.where(view.min_bid <= 6, 6, PASS), usual)

    run = tl.simulate(junni(), 600, Stubborn(), 3).hands
    bidders = Bidders.by_estimate(bank, margins.common(bank, -0.25)).but(2, 6.0)
    found = hold(bank.game, bidders)
    assert (found.place == (run["declarer"] - run["dealer"]).to_numpy() % 4).all()
    assert (found.bid == run["bid"]).all()


# -------------------------------------------------------------------------------- the forecast
def calibrated(rng, deals, seats=4, spread=1.3):
    """Estimates, and what is taken about them by the forecast's own kind of distribution."""
    estimate = rng.gamma(9, 0.6, (deals, seats))
    taken = np.rint(estimate + spread * rng.normal(size=estimate.shape))
    return estimate, np.maximum(taken, 0)


def test_the_forecast_is_the_normal_distribution_where_that_is_the_truth():
    rng = np.random.default_rng(1)
    estimate, taken = calibrated(rng, 20_000)
    found = Forecast.fit(estimate.ravel(), taken.ravel())
    assert found.shift == pytest.approx(0, abs=0.02)
    e = np.full(7, 6.2)
    bid = np.arange(3.0, 10.0)
    truth = distributions.norm.sf(bid - 0.5, 6.2, 1.3)
    assert found.at_least(e, bid) == pytest.approx(truth, abs=0.015)


def test_a_forecast_from_few_hands_is_still_a_distribution():
    found = Forecast.fit(np.array([3.0, 4.0, 4.5]), np.array([3.0, 5.0, 4.0]))
    chances = found.at_least(np.full(30, 4.0), np.arange(-10.0, 20.0))
    assert (np.diff(chances) <= 0).all()
    assert chances[0] == 1
    assert chances[-1] == 0


def forecasts(rng, deals, offset=0.0):
    """Forecasts of bids near the estimate, fitted to other deals; all estimates off by so much."""
    estimate, taken = calibrated(rng, 10_000)
    fitted = Forecast.fit(estimate.ravel(), taken.ravel())
    estimate, taken = calibrated(rng, deals)
    bid = np.concatenate(bids_near(estimate, 1, 2), axis=1)
    chance = fitted.at_least(np.tile(estimate + offset, 5), bid)
    return Forecasts.of(chance, np.tile(taken, 5) >= bid, bid >= 1)


def test_a_calibrated_predictor_lies_on_the_diagonal():
    rng = np.random.default_rng(2)
    found = forecasts(rng, 4_000)
    points = reliability(found)
    assert len(points) == 10
    off = np.abs(points["value"] - points["chance"])
    assert off.max() < 0.02
    assert (
        (points["low"] <= points["chance"]) & (points["chance"] <= points["high"])
    ).mean() >= 0.8
    parts = brier(found)
    assert parts["reliability"].low <= 0 <= parts["reliability"].high
    assert parts["resolution"].low > 0.05


def test_calibrated_predictors_are_found_miscalibrated_no_more_than_one_time_in_twenty():
    rng = np.random.default_rng(3)
    clear = 0
    for _ in range(60):
        chance = rng.beta(2, 2, (300, 6))
        # Seats of a deal share their luck: forecasts are right, but not independent.
        luck = distributions.norm.cdf(
            np.sqrt(0.5) * rng.normal(size=(300, 1)) + np.sqrt(0.5) * rng.normal(size=(300, 6))
        )
        found = Forecasts.of(chance, luck < chance, np.ones_like(chance, bool))
        clear += brier(found)["reliability"].low > 0
    # Of 60 tries at 2.5% each, 6 or more happen 1 time in 200.
    assert clear <= 5


def test_estimates_that_are_too_high_are_found_with_their_size():
    rng = np.random.default_rng(4)
    found = forecasts(rng, 4_000, offset=1.0)
    points = reliability(found).query("0.2 < chance < 0.9")
    assert (points["high"] < points["chance"]).all()
    assert brier(found)["reliability"].low > 0.02


def test_the_parts_add_up_to_the_score_and_are_those_of_a_plain_count():
    rng = np.random.default_rng(5)
    chance = rng.choice([0.1, 0.3, 0.5, 0.9], (500, 3))
    made = rng.random((500, 3)) < chance**1.5
    counts = rng.random((500, 3)) < 0.8
    found = Forecasts.of(chance, made, counts)
    parts = brier(found)
    whole = (
        parts["reliability"].value
        - parts["resolution"].value
        + parts["uncertainty"].value
        + parts["within"].value
    )
    p, o = chance[counts], made[counts].astype(float)
    assert parts["brier"].value == pytest.approx(np.mean((p - o) ** 2))
    assert whole == pytest.approx(parts["brier"].value)
    base = o.mean()
    assert parts["skill"].value == pytest.approx(1 - parts["brier"].value / (base * (1 - base)))
    # With a value a part nothing is left within, and without correction the parts are Murphy's.
    assert parts["within"].value == pytest.approx(0, abs=1e-12)
    murphy, noise, overall = 0.0, 0.0, 0.0
    deal = np.nonzero(counts)[0]
    for value in np.unique(p):
        here = p == value
        share = o[here].mean()
        murphy += here.sum() * (value - share) ** 2 / len(p)
        left = np.zeros(500)
        for d, x in zip(deal[here], o[here], strict=True):
            left[d] += x - share
        seen = len(np.unique(deal[here]))
        noise += (left**2).sum() / here.sum() ** 2 * seen / (seen - 1) * here.sum() / len(p)
    left = np.bincount(deal, o - base, 500)
    seen = len(np.unique(deal))
    overall = (left**2).sum() / len(p) ** 2 * seen / (seen - 1)
    assert parts["reliability"].value == pytest.approx(murphy - noise)
    assert parts["uncertainty"].value == pytest.approx(base * (1 - base) + overall)


# ----------------------------------------------------------------------------------- estimates
def test_ratios_over_deals_are_as_sure_as_they_say():
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(200):
        count = rng.integers(0, 4, 150).astype(float)
        mean = 0.5 + 0.3 * rng.normal(size=150)
        found = ratio(count * mean, count)
        hits += found.low <= 0.5 <= found.high
    assert 180 <= hits <= 199


def test_one_value_a_deal_is_students_interval_and_a_share_is_wilsons():
    rng = np.random.default_rng(7)
    x = rng.normal(size=50)
    found, plain = mean_where(x, np.ones(50, bool)), tl.mean(x)
    assert (found.value, found.low, found.high) == pytest.approx(
        (plain.value, plain.low, plain.high)
    )
    made = x > 0
    share, wilson = share_where(made, np.ones(50, bool)), tl.proportion(int(made.sum()), 50)
    assert (share.low, share.high) == (wilson.low, wilson.high)


def test_the_slope_of_what_was_taken_is_recovered():
    rng = np.random.default_rng(8)
    estimate, taken = calibrated(rng, 3_000)
    found = slope(2 * estimate, taken)
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 0.02


def test_resampled_sums_vary_as_sums_of_deals_do():
    rng = np.random.default_rng(9)
    x = rng.normal(size=(5_000, 1))
    drawn = resampled(x, 0, 2_000)
    assert drawn.std() == pytest.approx(np.sqrt(5_000), rel=0.1)
    assert drawn.mean() == pytest.approx(x.sum(), abs=4)


# ------------------------------------------------------------------------------------- margins
def test_the_best_margin_of_planted_curves_is_found():
    rng = np.random.default_rng(10)
    grid = margins.GRID
    curve = -((grid - 0.5) ** 2) + 0.8 * rng.normal(size=(4_000, len(grid)))
    curve += 5 * rng.normal(size=(4_000, 1))
    found = margins.optimum(curve, 0)
    assert found.low <= 0.5 <= found.high
    assert found.value == pytest.approx(0.5, abs=0.2)
    other = -((grid - 0.0) ** 2) + 0.8 * rng.normal(size=(4_000, len(grid)))
    apart = margins.optimum_difference(curve, other, 0)
    assert apart.low > 0
    assert apart.value == pytest.approx(0.5, abs=0.25)


def test_an_estimate_that_is_off_moves_the_best_margin_back_by_as_much(bank):
    """One trick too much in every estimate, and the best margin is one trick less."""
    shifted = Bank(bank.game, bank.policy, bank.estimate + 1, bank.taken, bank.held)
    base = margins.curve(bank, 0.0)
    off = margins.curve(shifted, -1.0)
    at = {round(float(m), 3): k for k, m in enumerate(margins.GRID)}
    # Hearing a bid tells more of a holding than is usual only where estimates are as usual.
    assert off[:, at[-1.0]].mean() == pytest.approx(base[:, at[0.0]].mean(), abs=0.1)
    moved = margins.optimum(off, 0).value - margins.optimum(base, 0).value
    assert moved == pytest.approx(-1, abs=0.375)


def test_a_search_rests_where_no_seat_gains(bank):
    found = margins.search(bank, -1.5)
    assert found.rested
    assert found.gain.min() < found.gain[0] / 3
    assert (found.end > -0.75).all()
    at_rest = margins.responses(bank, found.end)
    assert at_rest.gain.max() == pytest.approx(found.gain.min(), abs=1e-9)
    assert (at_rest.gain < 3 * at_rest.error).all()


def test_a_seat_at_a_bad_margin_is_told_what_it_loses():
    """All bid two tricks too much; then it pays to bid less, and by how much is known."""
    learn, fresh = (play_bank(junni(), "careful", 800, seed) for seed in (1, 2))
    too_high = margins.common(fresh, 1.75)
    rows = pd.DataFrame(margins.left_to_gain(learn, fresh, too_high))
    gain = rows.query("measure == 'gain' and place >= 0")
    assert (gain["low"] > 0).all()
    best = margins.responses(learn, too_high).margin
    assert (best < 1.0).all()
    direct = []
    for place in range(4):
        at = too_high.copy()
        at[place] = best[place]
        there, here = (hold(fresh.game, Bidders.by_estimate(fresh, m)) for m in (at, too_high))
        direct.append((lead(fresh, there, place) - lead(fresh, here, place)).mean())
    assert gain["value"].to_numpy() == pytest.approx(direct)
    bound = rows.query("measure == 'bound'")
    assert (bound["high"].to_numpy() > gain["value"].to_numpy()).all()


# ---------------------------------------------------------------------------- table of holdings
def planted(rng, deals):
    """A bank in which a Traitor takes its trumps and half its high cards, for sure."""
    game = junni()
    trumps = rng.integers(1, 8, (deals, 4))
    high = rng.integers(0, 5, (deals, 4))
    taken = trumps + high // 2
    held = {name: np.zeros((deals, 4), np.int8) for name in ("barbarians", "voids")}
    held |= {"trumps": trumps.astype(np.int8), "high_cards": high.astype(np.int8)}
    estimate = np.full((deals, 4), 3.0) + rng.normal(size=(deals, 4))
    return Bank(game, "careful", estimate, taken.astype(float), held)


def test_the_table_finds_what_holdings_take():
    rng = np.random.default_rng(11)
    learn, fresh = planted(rng, 3_000), planted(rng, 3_000)
    table = holdings.recommend(learn, 0.0)
    rows, columns = table.ends["trumps"], table.ends["high_cards"]
    strong = [
        (t, h)
        for t in range(rows[0], rows[1] + 1)
        for h in range(columns[0], columns[1] + 1)
        if t >= 5
    ]
    for t, h in strong:
        assert table.bids[t - rows[0], h - columns[0]] == t + h // 2
    found = holdings.tried(table, fresh, 0.0)
    assert found.low > 0.5
    rule, parts = holdings.rule_of_thumb(table)
    assert [part.name for part in parts] == ["constant", "trumps", "high_cards"]
    assert parts[1].value > 0.8
    assert holdings.tried(rule, fresh, 0.0).value == pytest.approx(found.value, abs=0.05)


def test_a_table_of_too_few_deals_bids_by_the_estimate():
    rng = np.random.default_rng(12)
    table = holdings.recommend(planted(rng, 30), 0.0)
    thin = table.deals < holdings.FEWEST
    assert thin.all()
    some = table.deals > 0
    assert (np.abs(table.bids[some] - 3) <= 3).all()
    assert (table.high[thin] == 19).all()


# ------------------------------------------------------------------------------- the whole study
@pytest.fixture(scope="module")
def overbidder():
    cell = Cell(BASIC, 4, ("careful:margin=1.75", "careful"))
    return measure(cell, 1_500, 2)


def found(frame, **labels):
    for name, value in labels.items():
        frame = frame[frame[name] == value]
    (row,) = frame.to_dict("records")
    return row


def test_a_bot_that_overbids_by_two_is_found(overbidder):
    levels = overbidder["levels"]
    bold, usual = (
        found(levels, policy=who, measure="over_estimate")
        for who in ("careful:margin=1.75", "careful")
    )
    assert bold["value"] - usual["value"] == pytest.approx(2, abs=0.1)
    # Its winners take no more than others: what it bids too much it bids above what is taken.
    bold, usual = (
        found(levels, policy=who, measure="over_taken")
        for who in ("careful:margin=1.75", "careful")
    )
    assert bold["low"] > usual["high"]
    assert bold["value"] - usual["value"] == pytest.approx(2, abs=0.3)
    made = found(levels, policy="careful:margin=1.75", measure="made")
    assert made["high"] < 0.35
    # The forecast knows: overbidding is not miscalibration.
    gap = found(levels, policy="careful:margin=1.75", measure="gap")
    assert abs(gap["value"]) < 0.1
    # And every seat is found to do it.
    places = overbidder["places"]
    rows = places[(places["measure"] == "over_taken")]
    assert (rows[rows["policy"] == "careful:margin=1.75"]["low"] > 0.5).all()
    assert (rows[rows["policy"] == "careful"]["high"] < 0).all()


def test_the_same_play_under_two_names_differs_in_nothing(overbidder):
    bias = found(overbidder["policies"], measure="bias")
    assert bias["value"] == bias["se"] == 0
    best = found(overbidder["policies"], measure="margin")
    assert best["low"] < 0 < best["high"]


def test_winning_less_all_seats_is_the_difference_on_the_same_deals(overbidder):
    run = tl.simulate(junni(), 1_500, "careful", 2).hands
    bank = play_bank(junni(), "careful", 1_500, 2)
    place = (run["declarer"] - run["dealer"]).to_numpy() % 4
    left = bank.taken - bank.estimate
    direct = tl.mean(left[np.arange(1_500), place] - left.mean(axis=1))
    row = found(overbidder["levels"], policy="careful", measure="curse")
    assert (row["value"], row["low"], row["high"]) == pytest.approx(
        (direct.value, direct.low, direct.high)
    )


def test_a_winners_curse_that_is_planted_is_found():
    """Winners are chosen by estimates that are pure noise: they take less than they expect."""
    rng = np.random.default_rng(13)
    truth = 5 + rng.normal(size=(3_000, 4))
    estimate = truth + rng.normal(size=truth.shape)
    bank = Bank(junni(), "careful", estimate, np.rint(truth), {})
    auctioned = hold(bank.game, Bidders.by_estimate(bank, margins.common(bank, 0.0)))
    left = bank.taken - bank.estimate
    curse = mean_where(auctioned.of_traitor(left) - left.mean(axis=1), auctioned.played)
    # The greatest of four normal deviates is 1.03 standard deviations above the mean; half the
    # variance of the estimate is noise.
    assert curse.value == pytest.approx(-1.03 / np.sqrt(2), abs=0.12)
    assert curse.high < 0


@pytest.fixture(scope="module")
def answer():
    return study("calibration").ask(20, seed=1, n_jobs=1, progress=False)


def test_every_figure_is_drawn_and_every_table_has_its_intervals(answer):
    shows = [show for part in answer.parts for show in part.shows]
    names = [(type(show), show.name) for show in shows]
    assert len(names) == len(set(names))
    for show in shows:
        if hasattr(show, "draw"):
            ax = show.draw()
            assert ax.get_xlabel()
            assert ax.get_ylabel()
        else:
            assert show.rows
            assert all("(" in cell or cell == "–" for row in show.rows for cell in row[1:])
    assert not any("nan" in sentence for sentence in answer.findings)
    assert [part.assumption for part in answer.parts].count(True) == 1


def test_sentences_follow_the_numbers(answer):
    turned = {name: frame.copy() for name, frame in answer.frames.items()}
    levels = turned["levels"]
    rows = levels["measure"] == "curse"
    for value, verdict in ((0.3, "no winner's curse but its opposite"), (-0.3, "a winner's curse")):
        levels.loc[rows, ["value", "low", "high"]] = [value, value - 0.1, value + 0.1]
        said = study("calibration").findings(turned, answer.stated)
        assert any(verdict in sentence for sentence in said)
    levels.loc[rows & (levels["policy"] == "simple"), ["value", "low", "high"]] = [0.3, 0.2, 0.4]
    said = study("calibration").findings(turned, answer.stated)
    assert any("verdict on the winner's curse changes" in sentence for sentence in said)


def test_an_answer_can_be_kept_and_told_again(answer, tmp_path):
    folder = answer.save(tmp_path / "kept")
    again = study("calibration").read(folder)
    assert again.findings == answer.findings
    assert [p.title for p in again.parts] == [p.title for p in answer.parts]


def test_a_diagonal_is_drawn_for_calibrated_forecasts():
    frame = reliability(forecasts(np.random.default_rng(14), 1_000)).assign(bids="any")
    ax = figures.reliability(frame, "bids", {"any": "any bid"})
    x, y = ax.lines[0].get_data()
    assert list(x) == list(y) == [0, 1]
    drawn = ax.containers[0].lines[0]
    assert np.abs(np.subtract(*drawn.get_data())).max() < 0.05


def test_a_share_below_nothing_has_a_true_minus():
    row = {"value": -0.021, "low": -0.086, "high": 0.044}
    assert words.percent(row) == "−2.1% (−8.6 to 4.4)"


def test_appointed_seats_play_as_the_policy_they_are_given():
    first, second = (
        tl.simulate(junni(), 50, tl.policies.Appointed(Simple(), place), 4).hands
        for place in (0, 2)
    )
    assert (first["declarer"] == first["dealer"]).all()
    assert (second["declarer"] == (second["dealer"] + 2) % 4).all()
    assert (first["bid"] == 1).all()
