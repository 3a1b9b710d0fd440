"""A mistake gets one clear message, naming what was wrong and what would be right."""

import re

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
        (lambda: tl.game("junni", players="four"), "from 3 to 6, not 'four'.*J3"),
        (lambda: tl.game("junni", players=True), "J3"),
        (lambda: tl.game("junni", players=3, partners=True), "4 or 6 players, not 3.*J24"),
        (lambda: tl.game("junni", shriving=1), "true or false, not 1.*J14"),
        (lambda: tl.game("junni", shriving_cards=0), "from 1 to 8.*J14"),
        (lambda: tl.game("junni", roll_each="hands"), "trick, hand.*J25"),
        (lambda: tl.game(""), "there is no game ''"),
        (lambda: tl.policy("simpel"), "did you mean 'simple'"),
        (lambda: tl.policy("careful:dekay=1"), "did you mean 'decay'"),
        (lambda: tl.Careful(decay=2), "decay must be a number from 0 to 1, not 2"),
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
        ({"hands": "10"}, "hands must be a whole number, not '10'"),
        ({"hands": 2**31}, "hands must be from 1 to 2147483647"),
        ({"hands": 10, "seed": True}, "seed"),
        ({"hands": 10, "seed": None}, "seed"),
        ({"hands": 10, "n_jobs": 0}, "n_jobs"),
        ({"hands": 10, "n_jobs": 1.0}, "n_jobs"),
        ({"hands": 10, "n_jobs": True}, "n_jobs"),
        ({"hands": 10, "record": "trick"}, "did you mean 'tricks'"),
        ({"hands": 10, "record": None}, "there is: seats, tricks, plays"),
        ({"hands": 10, "policies": []}, "0 policies for 4 players"),
        ({"hands": 10, "policies": ["simple"] * 3}, "3 policies for 4 players"),
        ({"hands": 10, "policies": 7}, "policy"),
        ({"hands": 10, "policies": "clever"}, "careful"),
    ],
)
def test_wrong_arguments_of_a_run(arguments, says):
    with pytest.raises(tl.UserError, match=says):
        tl.simulate(tl.game("junni"), **arguments)


def test_a_game_must_be_a_game():
    for ask in (tl.simulate, tl.deal, tl.table_of):
        with pytest.raises(tl.UserError, match=r"tricklab\.game"):
            ask("junni", 10)


@pytest.mark.parametrize("hands", [0, -1, 1.5, "3", 4_097])
def test_a_wrong_number_of_hands_to_deal(hands):
    with pytest.raises(tl.UserError, match="from 1 to 4096"):
        tl.deal(tl.game("junni"), hands)


@pytest.mark.parametrize("hand", [-1, 0.5, "3", 2**31])
def test_a_hand_that_no_run_has(hand):
    with pytest.raises(tl.UserError, match="hand must be a whole number"):
        tl.table_of(tl.game("junni"), hand)


def test_true_is_no_number_of_hands_to_deal():
    for ask in (tl.deal, tl.table_of):
        with pytest.raises(tl.UserError):
            ask(tl.game("junni"), True)


def test_mistakes_have_one_line():
    for name, switches in (("juni", {}), ("junni", {"players": 9}), ("junni", {"deck": "x"})):
        with pytest.raises(tl.UserError) as error:
            tl.game(name, **switches)
        assert "\n" not in str(error.value)


class Answers(tl.Policy):
    def __init__(self, make):
        self.make = make

    def play(self, view):
        return self.make(view)

    def __repr__(self):
        return "Answers()"


def not_held(view):
    return (~view.holds).argmax(axis=1)


def not_allowed(view):
    """A card held that may not be played, where there is one."""
    return (view.holds & ~view.may_play).argmax(axis=1)


def legal(view):
    return view.may_play.argmax(axis=1)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (not_held, r"answered \w+; allowed: one of"),
        (not_allowed, r"answered \w+; allowed: one of"),
        (lambda view: np.full(len(view), 200), "answered card number 200; allowed: one of"),
        (lambda view: np.full(len(view), view.deck.n_cards), "card number 80"),
        (lambda view: np.full(len(view), -1), "card number -1"),
        (lambda view: legal(view).astype(float), "answered float64 of shape"),
        (lambda view: view.may_play, "answered bool of shape"),
        (lambda view: legal(view).astype(bool), "answered bool of shape"),
        (lambda view: legal(view)[:-1], r"of shape .*; allowed: whole numbers of shape"),
        (lambda view: legal(view)[:, None], r"of shape .*; allowed: whole numbers of shape"),
        (lambda view: legal(view)[0], r"of shape \(\); allowed: whole numbers of shape"),
        (lambda view: None, "answered object of shape"),
        (lambda view: [view.deck.cards[c] for c in legal(view)], r"answered <U\d of shape"),
        (lambda view: (legal(view), np.full(len(view), 9)), "as 9; allowed"),
        (lambda view: (legal(view), np.full(len(view), 1.0)), "answered float64"),
        (lambda view: (legal(view), np.zeros(1, int)), r"of shape \(1,\)"),
        # The lowest legal card as trumps, which it is not.
        (lambda view: (legal(view), np.full(len(view), view.deck.trump)), "as T; allowed"),
    ],
)
def test_an_illegal_play_names_everything(make, says):
    policies = ["simple", "simple", Answers(make), "simple"]
    with pytest.raises(tl.IllegalAnswer, match=says) as error:
        tl.simulate(tl.game("junni"), 20, policies)
    pattern = r"policy Answers\(\), hand \d+, seat 2, decision play: answered .+; allowed: .+"
    assert re.fullmatch(pattern, str(error.value))


def test_what_is_named_is_what_was_answered_and_allowed():
    game = tl.game("junni")
    holding = tl.deal(game, 1, 3).holdings(0)[0]
    with pytest.raises(tl.IllegalAnswer) as error:
        tl.simulate(game, 1, Answers(not_held), 3)
    says = str(error.value)
    answered = says.split("answered ")[1].split(";")[0]
    assert answered == next(card for card in game.deck.cards if card not in holding)
    # Seat 0 leads: any card but a trump (J6) or a barbarian (J7).
    allowed = says.split("one of ")[1].split(", ")
    assert allowed == [card for card in holding if card[-1] not in "TX"]
    assert "hand 0, seat 0," in says


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int64", "uint64"])
def test_any_kind_of_whole_number_will_do(kind):
    def play(view):
        return legal(view).astype(kind)

    game = tl.game("junni")
    one, two = (tl.simulate(game, 20, Answers(make)).seats for make in (play, legal))
    assert one.equals(two)


def test_a_suit_below_any_is_refused():
    with pytest.raises(tl.IllegalAnswer, match="as -7"):
        tl.simulate(tl.game("junni"), 20, Answers(lambda v: (legal(v), np.full(len(v), -7))))


@pytest.mark.parametrize("number", [-5, 100_000])
def test_a_card_far_out_of_range_is_named_as_answered(number):
    with pytest.raises(tl.IllegalAnswer, match=f"number {number};"):
        tl.simulate(tl.game("junni"), 20, Answers(lambda view: np.full(len(view), number)))


@pytest.mark.parametrize(
    "make",
    [
        lambda view: [[1]] + [[1, 2]] * (len(view) - 1),
        lambda view: (legal(view),),
        lambda view: (legal(view),) * 3,
    ],
    ids=["ragged", "one part", "three parts"],
)
def test_an_answer_that_is_no_array_is_named(make):
    with pytest.raises(tl.IllegalAnswer, match=r"policy Answers\(\), hand 0, seat"):
        tl.simulate(tl.game("junni"), 20, Answers(make))


class Gives(tl.Policy):
    def __init__(self, make):
        self.make = make

    def give(self, view):
        return self.make(view)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda view: np.repeat(view.holds.argmax(axis=1)[:, None], 4, axis=1),
            "4 different cards",
        ),
        (lambda view: np.argsort(view.holds, axis=1)[:, :4], "4 different cards of "),
        (lambda view: np.argsort(~view.holds, axis=1)[:, :3], r"shape \(5, 4\)"),
        (lambda view: np.argsort(~view.holds, axis=1)[:, :4].astype(float), "float64"),
        (lambda view: np.full((len(view), 4), 80), "card number 80"),
        (lambda view: view.holds.argmax(axis=1), r"shape \(5,\)"),
    ],
    ids=["a card twice", "cards not held", "three cards", "floats", "no such card", "one card"],
)
def test_an_illegal_gift_is_refused(make, says):
    game = tl.game("junni", shriving=True)
    with pytest.raises(tl.IllegalAnswer, match=says) as error:
        tl.simulate(game, 20, ["simple", Gives(make), "simple", "simple"])
    assert re.search(r"policy .*Gives.*, hand 1, seat 1, decision give: ", str(error.value))
