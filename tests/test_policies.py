"""What every policy must be, and how they compare."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab import options
from tricklab.policies import seated
from tricklab.simulation import run_blocks


def test_plays_every_variant_legally(variant, named):
    run = tl.simulate(variant, 100, named, 1)
    assert (run.seats.groupby("hand")["tricks"].sum() == variant.n_tricks).all()


def test_textual_form_and_repr_bring_the_policy_back(named):
    policy = tl.policy(named)
    assert tl.policy(policy.text) == policy
    assert eval(repr(policy), {type(policy).__name__: type(policy)}) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy
    for name, spec in options.specs(policy).items():
        changed = tl.policy(f"{named}:{name}={spec.high}")
        assert getattr(changed, name) == spec.high
        assert tl.policy(changed.text) == changed
        with pytest.raises(tl.UserError, match=name):
            tl.policy(f"{named}:{name}={spec.high + 1}")


def test_parameters_cannot_be_changed_afterwards():
    with pytest.raises(FrozenInstanceError):
        tl.Careful().decay = 0.1


@pytest.mark.parametrize(
    "text",
    ["carefull", "careful:margin=1", "careful:decay=much", "careful:decay", "careful:decay=2"],
)
def test_a_wrong_textual_form_is_named(text):
    with pytest.raises(tl.UserError):
        tl.policy(text)


def test_what_a_subclass_leaves_out_is_played_as_simple():
    class Nothing(tl.Policy):
        pass

    game = tl.game("junni", shriving=True)
    assert_frame_equal(
        tl.simulate(game, 100, Nothing()).seats, tl.simulate(game, 100, "simple").seats
    )


def test_equal_policies_asked_together_play_as_when_asked_apart():
    class Other(tl.Careful):
        pass

    game = tl.game("junni", shriving=True, arete_court=True)
    together = tl.simulate(game, 200, "careful", 4)
    apart = tl.simulate(game, 200, ["careful", Other(), "careful", Other()], 4)
    assert_frame_equal(together.seats, apart.seats)


def test_a_policy_written_in_numpy_runs_in_workers():
    class Highest(tl.Policy):
        def play(self, view):
            return np.where(view.may_play, view.deck.rank_of, -1).argmax(axis=1)

    game = tl.game("junni")
    one, two = (tl.simulate(game, 9_000, Highest(), 2, n_jobs=n).seats for n in (1, 2))
    assert_frame_equal(one, two)


def score(table, first):
    return table.game.score(table).score


def advantage(game, policy, among, hands):
    """Score of a policy alone among others less theirs on the same deals, seats rotated."""

    def scores(policies):
        run = run_blocks(game, hands, seated(policies, game.players), 8, score, n_jobs=1)
        return np.concatenate(list(run))

    base = scores(among)
    own = np.stack(
        [
            scores([policy if s == seat else among for s in range(game.players)])[:, seat]
            for seat in range(game.players)
        ],
        axis=1,
    )
    return tl.paired_difference(own.mean(axis=1), base.mean(axis=1), level=0.99)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize(("strong", "weak"), [("careful", "simple"), ("simple", "random")])
def test_stronger_policies_take_more_tricks(players, strong, weak):
    game = tl.game("junni", players=players)
    assert advantage(game, strong, weak, 4_000).low > 0
    assert advantage(game, weak, strong, 4_000).high < 0


@pytest.mark.parametrize(
    "switches",
    [
        {"shriving": True},
        {"dice": True},
        {"scoring": "dead_reckoning"},
        {"scoring": "flat"},
        {"scoring": "trump_heavy"},
        {"arete_court": True},
    ],
    ids=str,
)
def test_careful_beats_simple_in_every_variant(switches):
    assert advantage(tl.game("junni", **switches), "careful", "simple", 2_000).low > 0


def test_careful_plays_with_its_partner():
    game = tl.game("junni", partners=True)
    alone = tl.simulate(game, 6_000, ["careful", "simple"] * 2, 8).seats
    both = tl.simulate(game, 6_000, "simple", 8).seats
    team = [f.query("seat in (0, 2)").groupby("hand")["score"].sum() for f in (alone, both)]
    assert tl.paired_difference(*team, level=0.99).low > 0


def test_careful_gives_with_a_plan():
    game = tl.game("junni", shriving=True)
    seats = tl.simulate(game, 2_000, "careful", 8).seats
    assert seats["play_voids"].mean() > seats["voids"].mean() + 0.5
    lost = seats.groupby("seat")[["trumps", "play_trumps"]].mean()
    assert (lost["play_trumps"] > lost["trumps"] - 0.1).all()
