"""A mistake gets one clear message, naming what was wrong and what would be right."""

import numpy as np
import pytest

import tricklab as tl


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: tl.game("juni"), "did you mean 'junni'"),
        (lambda: tl.game("junni", shrivign=True), "did you mean 'shriving'"),
        (lambda: tl.game("junni", shriving="maybe"), "J14"),
        (lambda: tl.game("junni", shriving_cards=9), "from 1 to 8.*J14"),
        (lambda: tl.game("junni", players=2), "from 3 to 6.*J3"),
        (lambda: tl.game("junni", players=7), "from 3 to 6.*J3"),
        (lambda: tl.game("junni", players=4.0), "J3"),
        (lambda: tl.game("junni", players=5, partners=True), "J24"),
        (lambda: tl.game("junni", first_leader="nobody"), "J4"),
        (lambda: tl.game("junni", deck="nowhere.toml"), "J2"),
        (lambda: tl.game("junni", deck=3), "J2"),
        (lambda: tl.game("junni", scoring="bridge"), "J18"),
    ],
)
def test_a_wrong_game_or_switch(make, says):
    with pytest.raises(tl.UserError, match=says):
        make()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"hands": 0}, "hands"),
        ({"hands": -1}, "hands"),
        ({"hands": 1.5}, "hands"),
        ({"hands": True}, "hands"),
        ({"hands": 10, "seed": -1}, "seed"),
        ({"hands": 10, "seed": 0.5}, "seed"),
        ({"hands": 10, "n_jobs": 0}, "n_jobs"),
        ({"hands": 10, "record": "trick"}, "tricks"),
        ({"hands": 10, "policies": ["simple"] * 3}, "3 policies for 4 players"),
        ({"hands": 10, "policies": 7}, "policy"),
        ({"hands": 10, "policies": "clever"}, "careful"),
    ],
)
def test_wrong_arguments_of_a_run(arguments, says):
    with pytest.raises(tl.UserError, match=says):
        tl.simulate(tl.game("junni"), **arguments)


def test_a_game_must_be_a_game():
    with pytest.raises(tl.UserError, match=r"tricklab\.game"):
        tl.simulate("junni", 10)


class Answers(tl.Policy):
    def __init__(self, make):
        self.make = make

    def play(self, view):
        return self.make(view)

    def __repr__(self):
        return "Answers()"


def not_held(view):
    return (~view.holds).argmax(axis=1)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (not_held, "allowed: one of"),
        (lambda view: np.full(len(view), 200), "card number 200"),
        (lambda view: np.full(len(view), -5), "card number -1"),
        (lambda view: view.may_play.argmax(axis=1).astype(float), "float64"),
        (lambda view: view.may_play.argmax(axis=1)[:-1], "shape"),
        (lambda view: None, "object"),
        (lambda view: (view.may_play.argmax(axis=1), np.full(len(view), 9)), "as 9"),
    ],
)
def test_an_illegal_play_names_everything(make, says):
    policies = ["simple", "simple", Answers(make), "simple"]
    with pytest.raises(tl.IllegalAnswer, match=says) as error:
        tl.simulate(tl.game("junni"), 20, policies)
    for part in ("policy Answers()", "hand ", "seat 2", "decision play"):
        assert part in str(error.value)


class Gives(tl.Policy):
    def __init__(self, make):
        self.make = make

    def give(self, view):
        return self.make(view)


@pytest.mark.parametrize(
    "make",
    [
        lambda view: np.repeat(view.holds.argmax(axis=1)[:, None], 4, axis=1),
        lambda view: np.argsort(view.holds, axis=1)[:, :4],
        lambda view: np.argsort(~view.holds, axis=1)[:, :3],
    ],
    ids=["a card twice", "cards not held", "three cards"],
)
def test_an_illegal_gift_is_refused(make):
    game = tl.game("junni", shriving=True)
    with pytest.raises(tl.IllegalAnswer, match="decision give"):
        tl.simulate(game, 20, ["simple", Gives(make), "simple", "simple"])


def test_the_hand_named_is_the_runs():
    class Late(tl.Policy):
        def play(self, view):
            cards = view.may_play.argmax(axis=1)
            if len(view) == 7:
                cards[3] = (~view.holds[3]).argmax()
            return cards

    with pytest.raises(tl.IllegalAnswer, match=r"hand 4099,"):
        tl.simulate(tl.game("junni"), 4096 + 7, Late(), n_jobs=1)
