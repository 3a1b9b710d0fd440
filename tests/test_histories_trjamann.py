"""Trjámann's hand histories: what is wrong with a corrupt one is found and named."""

import copy
import functools
import json
import random
import re

import pytest

import tricklab as tl
from reference import trjamann as reference
from tricklab.replay import check_lines, history_at

CARDS = [rank + suit for suit in reference.SUITS for rank in reference.RANKS]


@functools.cache
def _told(folder, policy, switches):
    path = folder / "told.jsonl"
    tl.simulate(tl.game("trjamann", **dict(switches)), 30, policy, 7, histories=path)
    return path.read_text("utf-8").splitlines()


@pytest.fixture
def pool(tmp_path):
    """Good histories, fresh copies that may be edited."""

    def run(policy="random", **switches):
        lines = _told(tmp_path, policy, tuple(switches.items()))
        return [json.loads(line) for line in lines]

    return run


def faults(histories):
    """The fault of each history, None where it has none."""
    lines = [(n, json.dumps(one).encode()) for n, one in enumerate(histories, 1)]
    return [check.fault for check in check_lines(lines)]


def assert_at_fault(histories, clause, action=None, kind="illegal"):
    assert histories
    for found in faults(histories):
        assert (found.kind, found.action, found.clause) == (kind, action, clause), found


def with_action(history, number, **changes):
    """A copy of a history with an action changed; None takes a key away."""
    out = copy.deepcopy(history)
    out.pop("result")
    action = out["actions"][number] | changes
    out["actions"][number] = {k: v for k, v in action.items() if v is not None}
    return out


def test_good_ones_have_no_fault(pool):
    for policy in ("random", "careful"):
        assert faults(pool(policy)) == [None] * 30


def test_what_is_read_is_what_was_simulated(pool, tmp_path):
    path = tmp_path / "hands.jsonl"
    game = tl.game("trjamann", max_exchange=3)
    run = tl.simulate(game, 50, "random", 7, record="plays", histories=path)
    read = tl.read_histories(path)
    assert read.game == game
    for name, frame in run.frames.items():
        assert read.frames[name].equals(frame), name
    table, row = history_at(path, 4)
    assert (table.trick, row) == (16, row)


def test_hands_of_a_match_are_read_too(tmp_path):
    path = tmp_path / "hands.jsonl"
    tl.simulate_matches(tl.game("trjamann"), 5, "careful", 7, histories=path)
    assert all(check.fault is None for check in tl.check_histories(path))


# ---------------------------------------------------------------------------------- the deal


def test_t1_a_wrong_pack(pool):
    twice, missing, twos = pool()[0], pool()[1], pool(deck="no_twos")[0]
    twice["deal"][0][3] = twice["deal"][1][3]
    missing["stock"][0] = "1C"
    twos["deal"][2][0] = "2C"
    assert_at_fault([twice, missing, twos], "T1")


def test_t2_wrong_numbers_of_cards(pool):
    fewer, more, manni = pool()[0], pool()[1], pool(deck="no_twos")[0]
    fewer["stock"].append(fewer["deal"][0].pop())
    more["deal"][0].append(more["stock"].pop())
    manni["stock"] = ["2C"]
    assert_at_fault([fewer, more, manni], "T2")


@pytest.mark.parametrize(
    "switches",
    [{"players": 4}, {"deck": "skat"}, {"max_exchange": 5}, {"end": "never"}, {"kitty": True}],
    ids=str,
)
def test_a_switch_or_value_that_does_not_exist(pool, switches):
    assert_at_fault(
        [one | {"switches": switches} for one in pool()[:1]], "switch", kind="malformed"
    )


# ------------------------------------------------------------------------------- the contract


def test_t3_no_such_contract_or_suit(pool):
    edits = [with_action(one, 0, contract="misere") for one in pool()]
    edits += [with_action(one, 0, contract="other", suit="T") for one in pool()]
    assert_at_fault(edits, "T3", 0)


def test_t3_only_the_player_left_of_the_dealer_declares(pool):
    edits = [with_action(one, 0, seat=(one["dealer"] + k) % 3) for one in pool() for k in (0, 2)]
    assert_at_fault(edits, "turn", 0)


def test_other_needs_a_suit(pool):
    others = [one for one in pool() if one["actions"][0]["contract"] == "other"]
    edits = [with_action(one, 0, suit=None) for one in others]
    edits += [with_action(one, 0, suit=3) for one in others]
    edits += [with_action(one, 0, contract=None) for one in pool()]
    assert_at_fault(edits, "format", 0, "malformed")


def test_a_suit_that_does_not_matter_is_ignored(pool):
    plain = [one for one in pool() if one["actions"][0]["contract"] != "other"]
    assert faults(with_action(one, 0, suit="H") for one in plain) == [None] * len(plain)


def test_t4_other_may_not_name_spades_where_that_is_barred(pool):
    edits = [
        with_action(one, 0, contract="other", suit="S") for one in pool(other_may_be_spades=False)
    ]
    assert_at_fault(edits, "T4", 0)
    assert "spades" in faults(edits)[0].message


# ------------------------------------------------------------------------------- the exchange


def test_t6_more_cards_than_the_limit(pool):
    assert_at_fault(
        [with_action(one, 1, cards=one["deal"][one["actions"][1]["seat"]][:5]) for one in pool()],
        "T6",
        1,
    )
    limited = pool(max_exchange=2)
    edits = [with_action(o, 1, cards=o["deal"][o["actions"][1]["seat"]][:3]) for o in limited]
    assert_at_fault(edits, "T6", 1)
    assert "0 to 2 cards" in faults(edits)[0].message


def test_t6_the_discard_comes_before_the_draw(pool):
    """No card of the Manni, no other player's card and no card twice can be discarded."""
    edits = []
    for one in pool():
        seat = one["actions"][1]["seat"]
        own = one["deal"][seat]
        wrong = [one["stock"][:1], one["deal"][(seat + 1) % 3][:2], [own[0], own[0]], ["ZZ"]]
        edits += [with_action(one, 1, cards=cards) for cards in wrong]
    assert_at_fault(edits, "holding", 1)


def test_the_exchange_must_be_told_where_there_is_a_choice(pool):
    edits = [with_action(one, 0) for one in pool()]
    for one in edits:
        del one["actions"][1]
    assert_at_fault(edits, "turn", 1)


@pytest.mark.parametrize("switches", [{"deck": "no_twos"}, {"max_exchange": 0}], ids=str)
def test_t6_an_exchange_that_cannot_be_is_left_out_or_empty(pool, switches):
    good = pool(**switches)
    assert all(one["actions"][1]["do"] == "play" for one in good)
    for one in good:
        seat = one["actions"][0]["seat"]
        one["actions"].insert(1, {"seat": seat, "do": "discard", "cards": []})
        reference.replay(one)
    assert faults(good) == [None] * 30
    some = [with_action(one, 1, cards=one["deal"][one["actions"][0]["seat"]][:1]) for one in good]
    assert_at_fault(some, "T6", 1)
    other = [with_action(one, 1, seat=(one["actions"][0]["seat"] + 1) % 3) for one in good]
    assert_at_fault(other, "turn", 1)


# -------------------------------------------------------------------------------------- play


def plays(history):
    """The reference's hand before each card that is played, with the action's number."""
    rules = reference.Rules(**history["switches"])
    hand = reference.Hand(rules, history["deal"], history["stock"], history["dealer"])
    for number, action in enumerate(history["actions"]):
        if action["do"] == "play":
            yield number, hand, action
        hand.do(action)


def test_t8_who_can_follow_suit_must(pool):
    by_action = {}
    for one in pool():
        for number, hand, action in plays(one):
            may = {each["card"] for each in hand.legal()}
            wrong = sorted(set(hand.holdings[action["seat"]]) - may)
            if wrong:
                by_action.setdefault(number, []).append(with_action(one, number, card=wrong[0]))
    assert len(by_action) > 20
    for number, edits in by_action.items():
        assert_at_fault(edits, "T8", number)
        says = r"seat \d, trick \d+: \w+ may not be played; one of "
        assert re.match(says, faults(edits)[0].message)


def test_a_card_discarded_or_played_before_is_not_held(pool):
    for one in pool():
        gone = one["actions"][1]["cards"]
        seat = one["actions"][1]["seat"]
        if gone:
            assert_at_fault([with_action(one, 2, card=gone[0])], "holding", 2)
        later = [n for n, _, action in plays(one) if action["seat"] == seat][5]
        again = one["actions"][2]["card"]
        assert_at_fault([with_action(one, later, card=again)], "holding", later)


def test_a_card_out_of_turn_or_too_few_or_too_many(pool):
    one = pool()[0]
    assert_at_fault([with_action(one, 2, seat=(one["actions"][2]["seat"] + 1) % 3)], "turn", 2)
    short = with_action(one, 0)
    short["actions"].pop()
    last = len(short["actions"])
    assert_at_fault([short], "turn", last)
    long = with_action(one, 0)
    long["actions"].append(long["actions"][-1])
    assert_at_fault([long], "turn", last + 1)


# -------------------------------------------------------------------------------- the result


@pytest.mark.parametrize(
    ("field", "wrong", "clause"),
    [
        ("tricks", [6, 5, 5.5], "T8"),
        ("score", [20, -10, -10], "T9"),
        ("win", [0.25, 0.5, 0.25], "T9"),
        ("declarer", None, "T3"),
        ("partner", 1, "T3"),
        ("made", None, "T9"),
    ],
)
def test_a_result_that_does_not_follow(pool, field, wrong, clause):
    good = pool()[:5]
    for one in good:
        one["result"][field] = wrong
    assert_at_fault(good, clause, kind="mismatch")


# ------------------------------------------------------------------- any corruption at all


def corrupt(history, draw):
    """Something of a history changed at random."""
    one = copy.deepcopy(history)
    one.pop("result")
    actions = one["actions"]
    number = draw.choice([0, 1, draw.randrange(len(actions))])
    action = actions[number]
    what = draw.randrange(6)
    if what == 0:
        action["seat"] = draw.randrange(3)
    elif what == 1:
        del actions[number]
    elif what == 2:
        other = draw.randrange(len(actions))
        actions[number], actions[other] = actions[other], action
    elif what == 3:
        a, b = draw.sample(range(3), 2)
        one["deal"][a][0], one["deal"][b][0] = one["deal"][b][0], one["deal"][a][0]
    elif action["do"] == "contract":
        action["contract"] = draw.choice(["nullo", "grand", "spades", "other", "misere"])
        action["suit"] = draw.choice("CDHSX")
    elif action["do"] == "discard":
        action["cards"] = draw.sample(CARDS, draw.randrange(6))
    else:
        action["card"] = draw.choice([*CARDS, "1Z"])
    return one


def judgement(history):
    """The reference's complaint, empty where it has none."""
    try:
        reference.replay(history)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "switches", [{}, {"other_may_be_spades": False, "max_exchange": 2}], ids=str
)
@pytest.mark.parametrize("seed", range(6))
def test_every_corruption_is_judged_as_the_reference_judges_it(pool, switches, seed):
    draw = random.Random(seed)
    spoilt = [corrupt(one, draw) for one in pool("simple", **switches) for _ in range(10)]
    complaints = [judgement(one) for one in spoilt]
    assert 5 < complaints.count("") < len(spoilt) - 5
    for complaint, fault in zip(complaints, faults(spoilt), strict=True):
        assert (fault is None) == (not complaint), complaint
        if fault:
            assert fault.clause == complaint.partition(":")[0], (complaint, fault)
            assert f"(action {fault.action})" in complaint
