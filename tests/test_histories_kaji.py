"""Hand histories of KAJI: read back exactly, and their faults named."""

import copy
import functools
import json
import random
import tempfile
from pathlib import Path

import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from conftest import GAMES
from reference import kaji as reference
from tricklab.history import FORMAT
from tricklab.picture import draw
from tricklab.replay import check_lines, history_at

VARIANTS = [game for game in GAMES if game.name == "kaji"]
POLICIES = ("random", "simple", "careful")
ORDER = ("bid", "discard", "trumps", "call", "play")


def game_id(game):
    return game.label.replace(" ", ",")


@functools.cache
def _pool(players, policy):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "told.jsonl"
        tl.simulate(tl.game("kaji", players=players), 40, policy, 1, histories=path)
        return path.read_text("utf-8").splitlines()


def pool(players=4, policy="simple"):
    """Good histories of hands that were played, without results; copies to be edited."""
    found = [json.loads(line) for line in _pool(players, policy)]
    for one in found:
        del one["result"]
    return [one for one in found if one["actions"][-1]["do"] == "play"]


def at(one, do, which=0):
    """Number of an action of a kind."""
    return [n for n, action in enumerate(one["actions"]) if action["do"] == do][which]


def faults(*histories):
    checks = check_lines([(n, json.dumps(one).encode()) for n, one in enumerate(histories)])
    return [
        check.fault and (check.fault.kind, check.fault.action, check.fault.clause)
        for check in checks
    ]


def verdict(one):
    """The first fault as the reference finds it: clause and number of the action."""
    try:
        reference.replay(one)
    except ValueError as error:
        text = str(error)
        clause = text.partition(":")[0]
        number = text.rpartition("(action ")[2].rstrip(")") if "(action " in text else None
        return clause, None if number is None else int(number)
    return None


def agree(*histories):
    """The package finds what the reference finds."""
    expected = [verdict(one) for one in histories]
    got = [fault and (fault[2], fault[1]) for fault in faults(*histories)]
    assert got == expected
    return [found and found[0] for found in expected]


# --------------------------------------------------------------------------------- round trip


@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_frames_read_back_are_those_written(game, tmp_path):
    for policy in POLICIES:
        path = tmp_path / policy
        run = tl.simulate(game, 40, policy, 1, record="plays", histories=path)
        read = tl.read_histories(path)
        assert read.game == game
        for name, frame in run.frames.items():
            assert_frame_equal(read.frames[name], frame, check_exact=True)
        for number in range(3):
            shown = draw(*history_at(path, number + 1))
            assert shown == draw(tl.table_of(game, number, policy, 1))


@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_written_form(game, tmp_path):
    path = tmp_path / "told.jsonl"
    tl.simulate(game, 40, "random", 1, histories=path)
    for line in path.read_text("utf-8").splitlines():
        one = json.loads(line)
        assert (one["format"], one["game"]) == (FORMAT, "kaji")
        assert one["switches"] == game.switches
        done = [action["do"] for action in one["actions"]]
        assert done == sorted(done, key=ORDER.index)
        counts = {do: done.count(do) for do in set(done)}
        played = {} if game.alone_always else {"call": 1}
        played |= {"discard": 1, "trumps": 1, "play": game.players * game.n_tricks}
        thrown_in = one["result"]["declarer"] is None
        assert counts == {"bid": game.players} | ({} if thrown_in else played)
        for action in one["actions"]:
            assert set(action) == {"seat", "do", reference.KEYS[action["do"]]}
        partner = one["result"]["partner"]
        calls = [action["card"] for action in one["actions"] if action["do"] == "call"]
        assert (partner is None) == (calls in ([], ["alone"]))


def test_thrown_in_hand():
    one = pool()[0]
    one["actions"] = [
        {"seat": (one["dealer"] + 1 + turn) % 4, "do": "bid", "bid": "pass"} for turn in range(4)
    ]
    one["result"] = {
        "tricks": [0] * 4,
        "score": [0] * 4,
        "win": [0] * 4,
        "declarer": None,
        "partner": None,
        "made": None,
    }
    assert faults(one) == [None]
    assert reference.replay(one).result() == one["result"]


# ------------------------------------------------------------------------------------- faults


def test_a_wrong_deal():
    found = []
    for players in (2, 3, 4, 5):
        one = pool(players)[0]
        twice, short, moved, strange = (copy.deepcopy(one) for _ in range(4))
        twice["deal"][0][0] = one["deal"][1][0]
        short["deal"][0].pop()
        moved["stock"].append(moved["deal"][1].pop())
        strange["stock"][0] = "13J"
        found += [twice, short, moved, strange]
    kinds = [(clause, number) for _, number, clause in faults(*found)]
    wrong_number = ["K2", "K2", "K1", "K2"]
    expected = [
        (clause, None) for number in wrong_number for clause in ("K1", number, number, "K1")
    ]
    assert kinds == expected
    assert [verdict(one)[0] for one in found] == [clause for clause, _ in expected]


@pytest.mark.parametrize("bid", [0, -1, 7, 99, "hold", 10**30])
def test_bids_that_there_are_not_break_k3(bid):
    one = pool()[0]
    one["actions"][0]["bid"] = bid
    assert agree(one) == ["K3"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_bids_not_higher_than_those_before_break_k3(players):
    edits = []
    for one in pool(players):
        for number in range(1, players):
            said = [a["bid"] for a in one["actions"][:number] if a["bid"] != "pass"]
            if said:
                edits.append(copy.deepcopy(one))
                edits[-1]["actions"][number]["bid"] = max(said)
    assert set(agree(*edits)) == {"K3"}


def test_a_pass_that_is_forced_may_be_left_out():
    one = pool()[0]
    highest = copy.deepcopy(one)
    highest["actions"][0]["bid"] = 6
    for number in (1, 2, 3):
        highest["actions"][number]["bid"] = "pass"
    del highest["actions"][1:4]
    highest["actions"] = highest["actions"][:1]
    # The auction is over, and the exchange is due from the Declarer.
    assert faults(highest) == [("illegal", 1, "turn")]


def test_second_turn_and_other_seat_are_out_of_turn():
    one = pool()[0]
    again, other = copy.deepcopy(one), copy.deepcopy(one)
    again["actions"].insert(4, {**one["actions"][0], "bid": 6})
    other["actions"][1]["seat"] = other["actions"][2]["seat"]
    assert agree(again, other) == ["turn", "turn"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_discards_that_cannot_be(players):
    one = pool(players)[0]
    number = at(one, "discard")
    fewer, more, twice, theirs, none = (copy.deepcopy(one) for _ in range(5))
    cards = one["actions"][number]["cards"]
    seat = one["actions"][number]["seat"]
    fewer["actions"][number]["cards"] = cards[1:]
    more["actions"][number]["cards"] = [*cards, one["deal"][seat][0]]
    twice["actions"][number]["cards"] = [cards[0], *cards[:-1]]
    theirs["actions"][number]["cards"] = [*cards[1:], one["deal"][(seat + 1) % players][0]]
    none["actions"][number]["cards"] = []
    found = agree(fewer, more, twice, theirs, none)
    assert found == ["K4", "K4", "holding", "holding", "K4"]


@pytest.mark.parametrize("suit", ["C", "", "Jan", "j"])
def test_trumps_that_there_are_not_break_k4(suit):
    one = pool()[0]
    one["actions"][at(one, "trumps")]["suit"] = suit
    assert agree(one) == ["K4"]


@pytest.mark.parametrize("players", [4, 5])
def test_cards_that_may_not_be_called_break_k5(players):
    one = pool(players)[0]
    number = at(one, "call")
    edits = []
    hand = reference.replay(one)
    declarer = hand.declarer
    own = [*one["deal"][declarer], *one["stock"]]
    for card in [*own, "13J", "pass", ""]:
        edits.append(copy.deepcopy(one))
        edits[-1]["actions"][number]["card"] = card
    assert set(agree(*edits)) == {"K5"}


def test_any_other_call_is_as_good():
    one = pool()[0]
    number = at(one, "call")
    others = [seat for seat in range(4) if seat != one["actions"][number]["seat"]]
    edits = []
    for card in ["alone", *(card for seat in others for card in one["deal"][seat])]:
        edits.append(copy.deepcopy(one))
        edits[-1]["actions"][number]["card"] = card
        edits[-1]["result"] = reference.replay(edits[-1]).result()
    assert faults(*edits) == [None] * len(edits)


@pytest.mark.parametrize("players", [2, 3])
def test_with_two_and_three_players_the_call_may_be_there_but_only_alone(players):
    one = pool(players)[0]
    number = at(one, "trumps")
    seat = one["actions"][number]["seat"]
    said, card, twice, early, other = (copy.deepcopy(one) for _ in range(5))
    alone = {"seat": seat, "do": "call", "card": "alone"}
    said["actions"].insert(number + 1, alone)
    card["actions"].insert(number + 1, {**alone, "card": one["deal"][(seat + 1) % players][0]})
    twice["actions"][number + 1 : number + 1] = [alone, alone]
    early["actions"].insert(number, alone)
    other["actions"].insert(number + 1, {**alone, "seat": (seat + 1) % players})
    assert agree(said, card, twice, early, other) == [None, "K2", "turn", "turn", "turn"]


@pytest.mark.parametrize("do", ["bid", "discard", "trumps", "call", "play"])
def test_a_step_that_is_missing(do):
    edits = pool()[:5]
    for one in edits:
        del one["actions"][at(one, do, -1)]
    assert set(agree(*edits)) == {"turn"}
    edits = pool()[:5]
    for one in edits:
        del one["actions"][at(one, do, -1) :]
    assert set(agree(*edits)) == {"turn"}


@pytest.mark.parametrize(
    ("do", "key", "value"),
    [
        ("bid", "bid", None),
        ("bid", "bid", 1.5),
        ("discard", "cards", "1J"),
        ("discard", "cards", [1]),
        ("trumps", "suit", 1),
        ("trumps", "suit", None),
        ("call", "card", -1),
        ("call", "card", None),
        ("play", "card", ["1J"]),
    ],
)
def test_values_of_another_kind_are_malformed(do, key, value):
    wrong, missing = pool()[:2]
    for one in (wrong, missing):
        number = at(one, do)
        one["actions"][number][key] = value
        if one is missing:
            del one["actions"][number][key]
    found = faults(wrong, missing)
    assert [fault[0] for fault in found] == ["malformed"] * 2
    assert agree(wrong, missing) == ["format"] * 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_card_is_judged_as_the_reference_does(players):
    """Cards put where others were played: the same fault at the same action, or none."""
    chance = random.Random(players)
    edits = []
    for one in pool(players, "careful")[:8]:
        plays = range(at(one, "play"), len(one["actions"]))
        for number in chance.sample(plays, 12):
            seat = one["actions"][number]["seat"]
            edits.append(copy.deepcopy(one))
            held = [a["card"] for a in one["actions"][number:] if a.get("seat") == seat]
            edits[-1]["actions"][number]["card"] = chance.choice([*held, "12F", "1J"])
    found = agree(*edits)
    assert {"K8", "holding", "turn"} & set(found)
    assert "K8" in found


def test_a_result_that_is_not_so():
    with_result = [json.loads(line) for line in _pool(4, "simple")][:6]
    clauses = {
        "tricks": "K9",
        "score": "K10",
        "win": "K10",
        "declarer": "K3",
        "partner": "K5",
        "made": "K10",
    }
    for one, (name, clause) in zip(with_result, clauses.items(), strict=True):
        stated = one["result"][name]
        if isinstance(stated, list):
            one["result"][name] = [number + 1 for number in stated]
        else:
            one["result"][name] = not stated if name == "made" else (stated + 1) % 4
        assert faults(one) == [("mismatch", None, clause)]


@pytest.mark.parametrize(
    "switches", [{"players": 6}, {"match_hands": -1}, {"first_bidder": "me"}, {"book": 5}], ids=str
)
def test_switches_that_cannot_be(switches):
    one = pool()[0]
    one["switches"] = {**one["switches"], **switches}
    assert faults(one) == [("malformed", None, "switch")]
    assert verdict(one)[0] == "switch"
