"""Matches: hands until the end rule fires."""

import json

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from reference import junni as reference
from tricklab.match import MATCH_BLOCK

VARIANTS = [
    {"campaign": True},
    {"campaign": True, "campaign_target": 40, "partners": True, "scoring": "dead_reckoning"},
    {"traitor": True, "scoring": "dead_reckoning", "players": 5},
    {"traitor": True, "partners": True, "players": 6, "campaign_target": 60},
    {"traitor": True, "min_bid": 7, "campaign_target": 30, "players": 3, "shriving": True},
]


@pytest.fixture(params=VARIANTS, ids=str)
def run(request):
    game = tl.game("junni", **request.param)
    return tl.simulate_matches(game, 60, "careful", 3, n_jobs=1)


def assert_same(one, other):
    for name, frame in one.frames.items():
        assert_frame_equal(frame, other.frames[name], check_exact=True)


def test_every_hand_belongs_to_a_match_and_scores_add_up(run):
    players = run.game.players
    hands = run.hands
    assert hands["hand"].tolist() == list(range(len(hands)))
    assert (hands["round"] == hands.groupby("match").cumcount() + 1).all()
    assert hands.groupby("match").size().tolist() == run.matches["hands"].tolist()
    of_match = run.seats.merge(hands[["hand", "match"]], on="hand")
    sums = of_match.groupby(["match", "seat"])["score"].sum()
    standings = run.standings.set_index(["match", "seat"])["score"]
    assert (sums == standings).all()
    for seat in range(players):
        assert (run.matches[f"score_{seat}"] == standings.xs(seat, level="seat").to_numpy()).all()


def test_matches_end_and_are_won_as_in_the_reference(run):
    switches = {k: v for k, v in run.game.switches.items() if k != "campaign"}
    rules = reference.Rules(campaign=True, **switches)
    scores = run.seats["score"].to_numpy().reshape(-1, run.game.players)
    wins = run.standings["win"].to_numpy().reshape(-1, run.game.players)
    dealers = run.hands["dealer"].tolist()
    for match, rows in run.hands.groupby("match").indices.items():
        campaign = reference.Campaign(rules)
        for row in rows:
            assert not campaign.finished
            assert dealers[row] == campaign.dealer
            campaign.add(scores[row].tolist())
        assert campaign.finished
        assert campaign.win() == pytest.approx(wins[match].tolist())


def leads(totals):
    """The sides that lead, as a set; nobody leads before anything is scored."""
    best = max(totals.values())
    return {side for side, total in totals.items() if total == best} if best > 0 else set()


def test_lead_changes_and_the_last_lead_are_those_of_the_running_scores(run):
    sides = [frozenset(np.flatnonzero(mask >> np.arange(16) & 1)) for mask in run.game.sides]
    scores = run.seats["score"].to_numpy().reshape(-1, run.game.players)
    for match, rows in run.hands.groupby("match").indices.items():
        totals = dict.fromkeys(sides, 0)
        alone, changes, led = None, 0, []
        for row in rows:
            for side in totals:
                totals[side] += int(sum(scores[row][seat] for seat in side))
            now = leads(totals)
            led.append(now)
            if len(now) == 1:
                changes += alone is not None and now != alone
                alone = now
        stated = run.matches.loc[match]
        assert stated["lead_changes"] == changes
        order = sorted(totals.values())
        assert (stated["best"], stated["margin"]) == (order[-1], order[-1] - order[-2])
        since = []
        for side in leads(totals):
            behind = [i for i, now in enumerate(led, start=1) if side not in now]
            since.append(1 + max(behind, default=0))
        assert stated["last_lead"] == max(since)
        assert stated["winner"] in set().union(*leads(totals))
        assert stated["winners"] == len(leads(totals))


def test_workers_and_the_number_of_matches_change_nothing():
    game = tl.game("junni", traitor=True, campaign_target=30)
    two = tl.simulate_matches(game, MATCH_BLOCK + 50, "careful", 3, n_jobs=2)
    one = tl.simulate_matches(game, MATCH_BLOCK + 50, "careful", 3, n_jobs=1)
    assert_same(one, two)
    fewer = tl.simulate_matches(game, 70, "careful", 3)
    for name, frame in fewer.frames.items():
        assert_frame_equal(frame, one.frames[name].iloc[: len(frame)])


def test_a_match_does_not_depend_on_those_that_go_on_beside_it(tmp_path):
    """Finished matches drop out; those left go on as they would have gone on among them."""
    game = tl.game("junni", traitor=True, campaign_target=40)
    run = tl.simulate_matches(game, 30, "careful", 9)
    assert run.matches["hands"].nunique() > 3
    longer = tl.simulate_matches(game.replace(campaign_target=60), 30, "careful", 9)
    both = run.hands.merge(longer.hands, on=["match", "round"], suffixes=("", "_longer"))
    assert len(both) == len(run.hands)
    for column in ("declarer", "bid", "taken", "dealer"):
        assert (both[column] == both[column + "_longer"]).all()


def test_deals_do_not_depend_on_the_policies(tmp_path):
    game = tl.game("junni", traitor=True, campaign_target=40)
    deals = []
    for policy in ("random", "careful"):
        path = tmp_path / policy
        tl.simulate_matches(game, 5, policy, 9, histories=path)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        deals.append({(one["match"], one["round"]): one["deal"] for one in lines})
    common = deals[0].keys() & deals[1].keys()
    assert len(common) >= 5
    assert all(deals[0][key] == deals[1][key] for key in common)
    assert len({str(deal) for deal in deals[0].values()}) == len(deals[0])


def test_a_match_that_cannot_end_is_stopped_and_counted():
    game = tl.game("junni", traitor=True, min_bid=18)
    run = tl.simulate_matches(game, 20, "careful", limit=7)
    assert (run.hands["declarer"] == -1).all()
    assert len(run.matches) == 20
    assert (run.matches["hands"] == 7).all()
    assert (run.matches["finished"] == 0).all()
    assert (run.matches[["winner", "winners", "last_lead"]] == [-1, 0, 0]).all(axis=None)
    assert (run.standings["win"] == 0).all()
    assert run.provenance.limit == 7


def test_the_first_dealer_can_be_another():
    game = tl.game("junni", campaign=True, campaign_target=20, players=3)
    run = tl.simulate_matches(game, 4, "random", first_dealer=2)
    assert (run.hands["dealer"] == (run.hands["round"] + 1) % 3).all()


def test_policies_see_the_standing():
    seen = []

    class Looks(tl.Policy):
        def bid(self, view):
            seen.append((view.seat.copy(), view.standing.copy()))
            return super().bid(view)

    game = tl.game("junni", traitor=True, campaign_target=30)
    run = tl.simulate_matches(game, 3, Looks(), 2)
    first = run.hands.groupby("match")["hand"].min().to_numpy()
    after = run.seats[run.seats["hand"].isin(first)]["score"].to_numpy().reshape(3, 4)
    assert (seen[0][1] == 0).all()
    assert any(len(s) == 3 and (s == after).all() for _, s in seen)


def test_a_run_of_matches_can_be_saved_and_asked(run, tmp_path):
    back = tl.load(run.save(tmp_path / "run"))
    assert_same(run, back)
    assert back.provenance == run.provenance
    assert back.how_often("score > 0", of="seats").value > 0
    with pytest.raises(tl.UserError, match="did not record tricks"):
        _ = run.tricks
    with pytest.raises(tl.UserError, match="simulate_matches"):
        _ = tl.simulate(run.game, 3).matches


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"matches": 0}, "matches must be from 1"),
        ({"matches": 2.5}, "whole number"),
        ({"first_dealer": 4}, "first_dealer must be a seat from 0 to 3"),
        ({"limit": 0}, "limit must be a whole number from 1"),
        ({"policies": "carefull"}, "did you mean 'careful'"),
        ({"seed": -1}, "seed"),
    ],
    ids=str,
)
def test_wrong_arguments_are_named(arguments, says):
    with pytest.raises(tl.UserError, match=says):
        tl.simulate_matches(tl.game("junni", traitor=True), **{"matches": 3} | arguments)


def test_j15_without_campaign_there_is_no_match():
    with pytest.raises(tl.UserError, match=r"campaign=true \(J15\)"):
        tl.simulate_matches(tl.game("junni"), 3)
