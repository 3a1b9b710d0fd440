"""What policies bid, and the estimate they bid by."""

import numpy as np
import pytest

import tricklab as tl
from tricklab.games.junni import fitting, strength
from tricklab.games.junni.fitting import sample, settings
from tricklab.policies import Appointed, Careful, seated
from tricklab.simulation import run_blocks

FRESH = 777
"""A seed that no fit was made from."""


def test_every_setting_is_fitted():
    games = [tl.game("junni", **switches) for switches in settings()]
    keys = {tuple(strength.setting(game).values()) for game in games}
    assert keys == set(strength.shipped())
    assert len(keys) == tl.GAMES["junni"].fits()


def test_the_fit_that_ships_is_the_one_the_code_makes():
    game = tl.game("junni", traitor=True)
    made = fitting.fit(game).plain()
    shipped = strength.fit_for(game)[0].plain()
    assert made["switches"] == shipped["switches"]
    for name in ("weights", "knots", "respect", "typical", "spread"):
        np.testing.assert_allclose(made[name], shipped[name], atol=2e-3)


@pytest.mark.parametrize(
    "switches",
    [
        {"players": 3},
        {"players": 4},
        {"players": 5},
        {"players": 6},
        {"spare_to": "traitor"},
        {"shriving": True},
        {"shriving": True, "shriving_before_bidding": False},
        {"dice": True},
    ],
    ids=str,
)
def test_the_estimate_is_calibrated_on_fresh_deals(switches):
    game = tl.game("junni", traitor=True, **switches)
    hands = sample(game, FRESH, 2)
    own = hands.features[np.arange(len(hands.taken)), hands.traitor]
    fit, factor = strength.fit_for(game)
    estimate = fit.estimate(own) * factor
    for whole in np.unique(np.rint(estimate)):
        at = np.rint(estimate) == whole
        if at.sum() < 300:
            continue
        off = tl.mean(hands.taken[at] - estimate[at], level=0.99)
        # Within 0.15 tricks, as far as so many hands can tell.
        assert off.low < 0.15
        assert off.high > -0.15
        assert abs(off.value) < 0.15 + 2 * off.se


def test_the_spare_makes_a_holding_worth_more():
    games = [tl.game("junni", traitor=True, spare_to=who) for who in ("nobody", "traitor")]
    hold = tl.deal(games[0], 500).hold[:, 0]
    leads = np.ones(500, np.bool_)
    worth = [strength.strength(game, hold, leads) for game in games]
    assert (worth[1] > worth[0]).mean() > 0.95


def test_an_own_table_is_estimated_by_tricks():
    table = {"name": "mine", "trick": 3}
    game = tl.game("junni", traitor=True, scoring=table)
    plain = tl.game("junni", traitor=True)
    hold, leads = tl.deal(game, 50).hold[:, 0], np.zeros(50, np.bool_)
    assert strength.strength(game, hold, leads) == pytest.approx(
        3 * strength.strength(plain, hold, leads)
    )


def bids(policy, hands=400, **switches):
    game = tl.game("junni", traitor=True, **switches)
    return tl.simulate(game, hands, policy, 5).hands


def test_a_greater_margin_bids_more_and_makes_less():
    runs = [bids(f"careful:margin={margin}", 2_000) for margin in (-2, 0, 2)]
    assert runs[0]["bid"].mean() + 1 < runs[1]["bid"].mean() < runs[2]["bid"].mean() - 1
    made = [run[run["made"] >= 0]["made"].mean() for run in runs]
    assert made[0] > made[1] > made[2]


def test_where_the_tricks_are_scored_careful_bids_no_more_than_it_must():
    low = bids("careful", made_scores="taken")
    assert low["bids"].mean() > bids("careful")["bids"].mean() + 1
    # The winner bids one more than the last to drop out.
    game = tl.game("junni", traitor=True, made_scores="taken")
    seats = tl.simulate(game, 400, "careful", 5).seats
    two = np.sort(seats["last_bid"].to_numpy().reshape(-1, 4), axis=1)[:, -2:]
    assert ((two[:, 1] - two[:, 0]) <= 1)[two[:, 0] > 0].all()


def test_a_high_bid_of_another_makes_careful_expect_less():
    limits = {}
    opening = 0

    class Listens(tl.Careful):
        def bid(self, view):
            second = (view.seat - view.dealer) % 4 == 1
            if second.any():
                limits[opening] = view.game.bid_limit(view, self.margin)
            return np.where(second | (opening < view.min_bid), 0, opening)

    for opening in (1, 4, 9, 12):  # noqa: B007 -- the policy looks at it
        tl.simulate(tl.game("junni", traitor=True), 50, Listens(), 5)
    assert (limits[1] == limits[4]).all()
    assert (limits[9] < limits[4]).all()
    assert (limits[12] < limits[9]).all()


def test_random_bids_everything_there_is():
    seats = tl.simulate(tl.game("junni", traitor=True), 3_000, "random", 5).seats
    assert set(seats["last_bid"]) == set(range(20))


def test_random_discards_any_cards():
    game = tl.game("junni", traitor=True, spare_to="traitor")
    thrown = np.zeros(game.deck.n_cards, int)

    class Looks(tl.Random):
        def discard(self, view):
            cards = super().discard(view)
            np.add.at(thrown, cards.ravel(), 1)
            return cards

    tl.simulate(game, 4_000, Looks(), 5)
    assert thrown.sum() == 16_000
    assert abs(thrown / thrown.mean() - 1).max() < 0.35


def test_careful_discards_with_a_plan():
    game = tl.game("junni", traitor=True, spare_to="traitor")
    seats = tl.simulate(game, 2_000, "careful", 5).seats
    mine = seats[seats["traitor"] == 1]
    assert (mine["play_trumps"] >= mine["trumps"]).all()
    assert mine["play_voids"].mean() > mine["voids"].mean() + 0.5


def relative_score(game, policy, among, hands, seed=8):
    """Score of one seat less the mean of the others, seats rotated on the same deals."""

    def score(table, first):
        return table.game.score(table).score.astype(float)

    def scores(policies):
        return np.concatenate(list(run_blocks(game, hands, policies, seed, score, n_jobs=1)))

    out = []
    for seat in range(game.players):
        at = [policy if s == seat else among for s in range(game.players)]
        own = scores(seated(at, game.players))
        others = (own.sum(axis=1) - own[:, seat]) / (game.players - 1)
        out.append(own[:, seat] - others)
    return np.mean(out, axis=0)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_one_margin_inside_is_the_best(players):
    game = tl.game("junni", traitor=True, players=players)
    margins = (-3, -1.5, None, 1, 2)
    gains = []
    for margin in margins:
        policy = "careful" if margin is None else f"careful:margin={margin}"
        gains.append(relative_score(game, policy, "careful", 3_000).mean())
    best = int(np.argmax(gains))
    assert margins[best] is None
    assert (np.diff(gains[: best + 1]) > 0).all()
    assert (np.diff(gains[best:]) < 0).all()


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("scoring", ["tricks", "dead_reckoning"])
def test_careful_beats_simple_over_campaigns(players, scoring):
    game = tl.game("junni", traitor=True, players=players, scoring=scoring, campaign_target=60)
    gains = []
    for seat in range(players):
        at = ["careful" if s == seat else "simple" for s in range(players)]
        final = tl.simulate_matches(game, 120, at, 5).standings["score"].to_numpy(float)
        final = final.reshape(-1, players)
        gains.append(final[:, seat] - final.mean(axis=1))
    assert tl.mean(np.mean(gains, axis=0), level=0.99).low > 0


def test_careful_opponents_of_the_traitor_play_together():
    class Alone(Appointed):
        def play(self, view):
            view._own["allies"] = (1 << view.seat.astype(np.int64)).astype(np.uint16)
            return super().play(view)

    game = tl.game("junni", traitor=True)
    together, apart = (
        tl.simulate(game, 4_000, policy, 3).hands["taken"].to_numpy(float)
        for policy in (Appointed(Careful()), Alone(Careful()))
    )
    assert tl.paired_difference(apart, together, level=0.99).low > 0


@pytest.mark.parametrize("players", [3, 4])
def test_careful_opponents_unblock_for_each_other(players):
    game = tl.game("junni", traitor=True, players=players)
    with_it, without = (
        tl.simulate(game, 4_000, Appointed(Careful(unblock=value)), 3)
        .hands["taken"]
        .to_numpy(float)
        for value in (Careful().unblock, 0.0)
    )
    assert tl.paired_difference(without, with_it, level=0.99).low > 0
