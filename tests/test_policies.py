"""What every policy must be, and how they compare."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab import options
from tricklab.play import may_revoke
from tricklab.policies import seated
from tricklab.policies.base import HONEST
from tricklab.simulation import run_blocks


def test_plays_every_variant_legally(variant, named):
    run = tl.simulate(variant, 60, named, 1, record="plays")
    tricks = run.seats.groupby("hand")["tricks"].sum()
    assert tricks.isin([0, variant.n_tricks]).all()
    assert (tricks > 0).any()
    assert (run.plays["choices"] >= 1).all()


def test_answers_are_whole_numbers_one_a_row(variant, named):
    policy = tl.policy(named)

    class Watched(tl.Policy):
        def play(self, view):
            answer = policy.play(view)
            for part in answer if isinstance(answer, tuple) else (answer,):
                assert part.shape == (len(view),)
                assert part.dtype.kind in "iu"
            return answer

        def give(self, view):
            return self.checked(policy.give(view), view, view.game.gives)

        def discard(self, view):
            return self.checked(policy.discard(view), view, view.game.discards)

        def bid(self, view):
            return self.checked(policy.bid(view), view)

        def contract(self, view):
            return self.checked(policy.contract(view), view)

        def trumps(self, view):
            return self.checked(policy.trumps(view), view)

        def call(self, view):
            return self.checked(policy.call(view), view)

        def annul(self, view):
            return self.checked(policy.annul(view), view)

        def announce(self, view):
            return self.checked(policy.announce(view), view)

        def contra(self, view):
            return self.checked(policy.contra(view), view)

        def revoke(self, view):
            return policy.revoke(view) if may_revoke(policy) else np.full(len(view), HONEST)

        def checked(self, answer, view, *columns):
            assert answer.shape == (len(view), *columns)
            assert answer.dtype.kind in "iu"
            return answer

    # Watched policies and the policy itself decide the same.
    watched, plain = (tl.simulate(variant, 30, who, 1).seats for who in (Watched(), named))
    assert_frame_equal(watched, plain)


def test_textual_form_and_repr_bring_the_policy_back(named):
    policy = tl.policy(named)
    assert policy.text == named
    assert tl.policy(policy.text) == policy
    assert tl.policy(policy) is policy
    assert eval(repr(policy), {type(policy).__name__: type(policy)}) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert hash(pickle.loads(pickle.dumps(policy))) == hash(policy)


def test_parameters_are_kept_within_their_range(named):
    for name, spec in options.specs(tl.policy(named)).items():
        for value in (spec.low, spec.high):
            changed = tl.policy(f"{named}:{name}={value}")
            assert getattr(changed, name) == value
            assert (changed == tl.policy(named)) == (value == spec.default)
            assert tl.policy(changed.text) == changed
            assert eval(repr(changed), {type(changed).__name__: type(changed)}) == changed
            assert pickle.loads(pickle.dumps(changed)) == changed
        for value in (spec.low - 1, spec.high + 1, "nan", "much", True):
            with pytest.raises(tl.UserError, match=name):
                tl.policy(f"{named}:{name}={value}")
        with pytest.raises(tl.UserError, match=name):
            type(tl.policy(named))(**{name: spec.high + 1})


def test_parameters_change_what_is_played(named):
    games = [
        tl.game("junni", shriving=True, partners=True),
        tl.game("junni", shriving=True, traitor=True, brazen=True, detection=0.02),
        tl.game("emperor"),
    ]

    def played(policy):
        return [tl.simulate(game, 500, policy, 1).seats for game in games]

    base = played(named)
    for name, spec in options.specs(tl.policy(named)).items():
        ends = [played(f"{named}:{name}={value}") for value in (spec.low, spec.high)]
        same = [a.equals(b) for end in ends for a, b in zip(base, end, strict=True)]
        assert not all(same), name


def test_a_policy_cannot_be_changed_afterwards(named):
    policy = tl.policy(named)
    for name in [*options.specs(policy), "memory"]:
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(policy, name, 0.1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("carefull", "did you mean 'careful'"),
        ("", "random, simple, careful, brazen"),
        ("careful:margim=1", "did you mean 'margin'"),
        ("careful:decya=0.3", "did you mean 'decay'"),
        ("careful:decay=much", "decay must be a number from 0 to 1"),
        ("careful:decay", "name=value"),
        ("careful:decay=2", "decay must be a number from 0 to 1"),
        ("random:decay=0.3", "random has no parameter"),
    ],
)
def test_a_wrong_textual_form_is_named(text, says):
    with pytest.raises(tl.UserError, match=says):
        tl.policy(text)


def test_what_a_subclass_leaves_out_is_played_as_simple(variant):
    class Nothing(tl.Policy):
        pass

    assert repr(Nothing()) == Nothing().text == "Nothing()"
    assert_frame_equal(
        tl.simulate(variant, 60, Nothing()).seats, tl.simulate(variant, 60, "simple").seats
    )


@pytest.mark.parametrize("how", [[0, 1, 0, 1], [0, 1, 2, 3], [0, 0, 0, 1]])
def test_equal_policies_asked_together_play_as_when_asked_apart(named, how):
    base = type(tl.policy(named))
    # Classes of their own are never asked together.
    kinds = [type(f"Kind{i}", (base,), {"uniform": False})() for i in range(4)]
    for switches in ({"shriving": True, "arete_court": True}, {"dice": True}):
        game = tl.game("junni", **switches)
        together = tl.simulate(game, 100, named, 4, record="tricks")
        apart = tl.simulate(game, 100, [kinds[i] for i in how], 4, record="tricks")
        for name, frame in together.frames.items():
            assert_frame_equal(frame, apart.frames[name])


def test_a_decision_does_not_depend_on_the_hands_beside_it(named):
    game = tl.game("junni", shriving=True, dice=True)
    full = tl.simulate(game, 64, named, 4, record="plays").plays
    for hands in (1, 7, 33):
        part = tl.simulate(game, hands, named, 4, record="plays").plays
        assert_frame_equal(part, full.iloc[: len(part)])


def lowest(bonus):
    """A policy written in NumPy that closes over what is around it."""

    class Lowest(tl.Policy):
        def play(self, view):
            cost = view.deck.rank_of.astype(np.int64) + bonus
            cards = np.where(view.may_play, cost, 99).argmin(axis=1)
            assert cards.dtype == np.int64
            return cards

        def give(self, view):
            return np.argsort(~view.holds, axis=1, kind="stable")[:, : view.game.gives]

    return Lowest()


def test_a_policy_written_in_numpy_runs_in_workers():
    game = tl.game("junni", shriving=True)
    bonus = np.arange(game.deck.n_cards) % 3
    policies = [lowest(bonus), "careful", lowest(bonus), "random"]
    one, two = (tl.simulate(game, 9_000, policies, 2, n_jobs=n).seats for n in (1, 2))
    assert_frame_equal(one, two)
    other = tl.simulate(game, 200, [lowest(0 * bonus), *policies[1:]], 2).seats
    assert not other.equals(one.iloc[: len(other)])


def alone(policy):
    """The same policy in a class of its own, so that it is asked alone."""

    class Alone(tl.Policy):
        def play(self, view):
            return policy.play(view)

        def give(self, view):
            return policy.give(view)

    return Alone()


def test_policies_that_differ_are_not_asked_together():
    """Neither two of one family with other parameters nor two without a name."""
    game = tl.game("junni", shriving=True)
    for one, two in (("careful", "careful:decay=1"), (lowest(0), lowest(np.arange(80) * -2))):
        mixed = [one, two, two, one]
        apart = [alone(policy) for policy in seated(mixed, 4)]
        runs = [tl.simulate(game, 100, policies, 3).seats for policies in (mixed, apart, [one] * 4)]
        assert_frame_equal(runs[0], runs[1])
        assert not runs[0].equals(runs[2])


def test_a_subclass_of_random_that_plays_otherwise_is_asked():
    class FirstLegal(tl.Random):
        def play(self, view):
            return view.may_play.argmax(axis=1)

    class Plain(tl.Policy):
        play = FirstLegal.play

    game = tl.game("junni")
    assert_frame_equal(
        tl.simulate(game, 50, FirstLegal()).seats, tl.simulate(game, 50, Plain()).seats
    )


def score(table, first):
    scores = table.game.score(table).score
    if not table.game.bonuses:
        return scores
    # What a seat does in vain takes nothing from it but pays its opponents (E20, E23): only its
    # standing among all tells.
    return scores - scores.mean(axis=1, keepdims=True)


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


SIZES = [
    (name, players)
    for name, cls in tl.GAMES.items()
    for spec in [options.specs(cls)["players"]]
    for players in range(int(spec.low), int(spec.high) + 1)
]


@pytest.mark.parametrize(("name", "players"), SIZES)
@pytest.mark.parametrize(("weak", "strong"), [("random", "simple"), ("simple", "careful")])
def test_each_policy_scores_more_than_the_one_before_it(name, players, strong, weak):
    game = tl.game(name, players=players)
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


def test_a_delegate_passes_every_decision_on():
    from tricklab.policies import Delegate

    decisions = [
        name
        for name, made in vars(tl.Policy).items()
        if callable(made) and not name.startswith("_") and name not in ("text", "name")
    ]
    assert {"play", "bid", "announce", "contra", "revoke"} <= set(decisions)

    class Recorder(tl.Policy):
        pass

    for name in decisions:
        setattr(Recorder, name, lambda self, view, name=name: (name, view))
    for name in decisions:
        assert getattr(Delegate(Recorder()), name)("seen") == (name, "seen")
