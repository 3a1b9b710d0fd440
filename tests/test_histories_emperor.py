"""Emperor's histories: what is told is read back, and the first fault is the reference's."""

import copy
import functools
import json
import random
import tempfile
from pathlib import Path

import pytest

import tricklab as tl
from conftest import GAMES
from emperor_table import SEATS, acted, begun, bids, fault, finished, hand_of, verdict
from reference import emperor as reference
from test_reference_emperor import Annuls, Moderate, game_id, told
from tricklab.history import FORMAT
from tricklab.picture import draw
from tricklab.replay import check_histories, check_lines, history_at, read_histories

VARIANTS = [game for game in GAMES if game.name == "emperor"]


@pytest.mark.parametrize("policy", ["random", "simple", Annuls(), Moderate()], ids=str)
@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_what_is_told_is_read_without_a_fault(game, policy, tmp_path):
    path = tmp_path / "told.jsonl"
    told(game, 200, policy, path)
    assert [check.in_words() for check in check_histories(path) if check.fault] == []


def test_frames_of_histories_are_those_of_the_run(tmp_path):
    game = tl.game("emperor", annul="never")
    path = tmp_path / "told.jsonl"
    tl.simulate(game, 200, Moderate(), 2, histories=path, n_jobs=1, progress=False)
    run = tl.simulate(game, 200, Moderate(), 2, record="plays")
    back = read_histories(path)
    for name, frame in run.frames.items():
        assert frame.equals(back.frames[name]), name


def faults(one):
    (check,) = check_lines([(1, json.dumps(one).encode())])
    return check.fault


def test_an_annulled_deal_ends_with_its_line(tmp_path):
    """The next deal is a history of its own, which states the doubling (E12)."""
    _, lines = told(tl.game("emperor"), 3_000, Annuls(), tmp_path / "told.jsonl")
    again = [one for one in lines if one.get("doubling", 1) > 1]
    assert again
    one = next(one for one in again if one["result"]["made"] is not None)
    assert faults(one) is None
    plain = {key: value for key, value in one.items() if key != "doubling"}
    fault = faults(plain)
    assert (fault.kind, fault.clause) == ("mismatch", "E20")
    for wrong in (0, 3, -2, 1.5, True, "2", 2**40):
        assert faults(one | {"doubling": wrong}).clause == "format"


def test_stated_bonuses_are_checked_in_any_order(tmp_path):
    _, lines = told(tl.game("emperor"), 50, Moderate(), tmp_path / "told.jsonl")
    one = next(one for one in lines if len(one["result"]["bonuses"]) > 2)
    result = one["result"]
    assert faults(one | {"result": result | {"bonuses": result["bonuses"][::-1]}}) is None
    fault = faults(one | {"result": result | {"bonuses": result["bonuses"][1:]}})
    assert (fault.kind, fault.clause) == ("mismatch", "E22")
    fault = faults(one | {"result": result | {"bonuses": [1]}})
    assert (fault.kind, fault.clause) == ("malformed", "format")


# ------------------------------------------------------------------------------- round trip

KEYS = {"bid": "bid", "discard": "cards", "annul": "annul", "call": "card", "play": "card"}
KEYS |= {"announce": "bonuses", "contra": "claims", "recontra": "claims", "subcontra": "claims"}
ORDER = ("bid", "discard", "annul", "call", "announce", "contra", "recontra", "subcontra", "play")


@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_what_is_read_is_shown_as_what_was_played(game, tmp_path):
    _, lines = told(game, 40, Moderate(), tmp_path / "told.jsonl", seed=1)
    kept = [number for number, one in enumerate(lines, 1) if one.get("doubling", 1) == 1]
    for line in kept[:4]:
        shown = draw(*history_at(tmp_path / "told.jsonl", line))
        number = lines[line - 1]["hand"]
        if not any(action.get("annul") for action in lines[line - 1]["actions"]):
            assert shown == draw(tl.table_of(game, number, Moderate(), 1))


@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_written_form(game, tmp_path):
    for one in told(game, 200, Annuls(), tmp_path / "told.jsonl")[1]:
        assert (one["format"], one["game"]) == (FORMAT, "emperor")
        assert one["switches"] == game.switches
        assert one.get("doubling", 2) > 1
        done = [action["do"] for action in one["actions"]]
        assert done == sorted(done, key=ORDER.index)
        for action in one["actions"]:
            assert set(action) == {"seat", "do", KEYS[action["do"]]}
            # Who draws nothing discards nothing, and who says nothing is silent.
            assert action["do"] == "announce" or action[KEYS[action["do"]]] != []
        declarer = one["result"]["declarer"]
        whole = {"call": 1, "announce": 4, "play": 40}
        counts = {do: done.count(do) for do in whole}
        assert counts in (whole, dict.fromkeys(whole, 0))
        if declarer is None:
            assert set(done) == {"bid"}
        elif not counts["play"]:
            assert one["actions"][-1] == {
                "seat": one["actions"][-1]["seat"],
                "do": "annul",
                "annul": True,
            }


@functools.cache
def _pool(policy):
    policies = {"moderate": Moderate(), "annuls": Annuls()}
    with tempfile.TemporaryDirectory() as folder:
        return told(
            tl.game("emperor"), 120, policies.get(policy, policy), Path(folder) / "told", seed=6
        )[1]


def pool(policy="moderate"):
    """Good histories of hands that were played, without results; copies to be edited."""
    found = [
        {key: value for key, value in copy.deepcopy(one).items() if key != "result"}
        for one in _pool(policy)
    ]
    return [one for one in found if one["actions"][-1]["do"] == "play"]


def places(one, *kinds):
    """Numbers of the actions of some kinds."""
    return [n for n, action in enumerate(one["actions"]) if action["do"] in kinds]


def edited(one, number, **more):
    """The history with one action changed."""
    one = copy.deepcopy(one)
    one["actions"][number] |= more
    return one


# ------------------------------------------------------------------------- what is accepted


def test_steps_that_leave_nothing_to_choose_may_be_there():
    """An empty discard of who draws nothing, in its place."""
    one = next(
        one
        for one in pool("simple")
        if len(places(one, "discard")) == 3
        and one["actions"][places(one, "discard")[0]]["cards"][2:]
    )
    last = places(one, "discard")[2]
    seat = (one["actions"][last]["seat"] + 1) % 4
    one["actions"].insert(last + 1, {"seat": seat, "do": "discard", "cards": []})
    assert fault(one) is None


def test_other_tools_forms_are_accepted():
    """Keys that nobody knows, cards in any order, no result, claims and bonuses in any order."""
    one = next(
        one for one in pool("random") if any(len(a.get("bonuses", ())) > 1 for a in one["actions"])
    )
    one |= {"players_names": ["a", "b", "c", "d"], "note": None}
    chance = random.Random(1)
    for cards in one["deal"]:
        chance.shuffle(cards)
    for action in one["actions"]:
        for key in ("cards", "bonuses", "claims"):
            if key in action:
                action[key] = action[key][::-1]
        action["comment"] = "well played"
    assert fault(one) is None


def test_switches_at_their_defaults_may_be_stated():
    one = pool()[0]
    one["switches"] = {"players": 4, "annul": "allowed", "cap": "card_points"}
    assert fault(one) is None


# --------------------------------------------------------------------------------- the deal


def test_a_wrong_deal():
    good = pool()[0]
    twice, strange, short, long, moved, seats = (copy.deepcopy(good) for _ in range(6))
    twice["deal"][0][0] = twice["deal"][1][0]
    strange["stock"][0] = "22T"
    short["deal"][3].pop()
    long["deal"][3].append(good["stock"][0])
    moved["stock"].append(moved["deal"][1].pop())
    seats["deal"].pop()
    clauses = [faults(one).clause for one in (twice, strange, short, long, moved, seats)]
    assert clauses == ["E1", "E1", "E3", "E3", "E3", "E3"]


# ------------------------------------------------------------------------------ the auction

HONOURS_EACH = {0: "FT", 1: "21T", 2: "1T"}


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        (("two",), "E5"),  # a jump without the 19
        (("one",), "E5"),  # and one without the 18
        (("pass", "pass", "pass", "three"), "E5"),  # a bid without an honour
        (("three", "three"), "E5"),
        (("three", "hold"), "E6"),  # a hold by a player who never bid
        (("three", "two", "pass", "pass", "hold", "hold"), "E6"),
        (("threee",), "E4"),
        (("",), "E4"),
        ((1,), "E4"),
        ((0,), "E4"),
    ],
)
def test_bids_that_may_not_be(said, clause):
    one = begun(HONOURS_EACH, "", bids(*said))
    found = faults(one)
    assert (found.clause, found.action) == (clause, len(said) - 1)


def test_bids_by_who_has_passed_or_out_of_turn():
    one = begun(HONOURS_EACH, "", bids("pass", "three"))
    for seat in (0, 1, 3):
        assert fault(acted(one, seat, "bid", bid="two")) == ("turn", 2)
    over = begun(HONOURS_EACH, "", bids("pass", "pass", "pass", "pass"))
    assert fault(acted(over, 0, "bid", bid="pass")) == ("turn", 4)


# ----------------------------------------------------------------- discards, annulment, call


def test_discards_that_may_not_be():
    """A King or an honour discarded; too few, too many, twice, another's, and not drawn yet."""
    one = begun({0: "FT KS"}, "QC 2C AC", bids("three", "pass", "pass", "pass"))
    start = len(one["actions"])
    own = [card for card in one["deal"][0] if card not in ("FT", "KS")]
    for cards, clause in (
        ([own[0], own[1], "KS"], "E10"),
        (["FT", own[0], own[1]], "E10"),
        (own[:2], "E9"),
        (own[:4], "E9"),
        ([], "E9"),
        ([own[0], own[0], own[1]], "holding"),
        ([own[0], own[1], one["deal"][1][0]], "holding"),
        ([own[0], own[1], one["stock"][3]], "holding"),
        ([own[0], own[1], "22T"], "holding"),
        (["QC", "2C", "AC"], None),
    ):
        said = acted(one, 0, "discard", cards=cards)
        assert fault(said) == ((clause, start) if clause else ("turn", start + 1)), cards


@pytest.mark.parametrize("do", ["discard", "call", "announce", "play", "bid"])
def test_a_step_that_is_missing(do):
    for one in pool()[:6]:
        number = places(one, do)[-1]
        del one["actions"][number]
        assert fault(one)[0] in ("turn", "E14")
        assert fault({**one, "actions": one["actions"][:number]}) == ("turn", number)


def test_annulment_by_who_may_not():
    for one in pool()[:6]:
        number = places(one, "call")[0]
        for seat in SEATS:
            for annul in (True, False):
                said = copy.deepcopy(one)
                said["actions"].insert(number, {"seat": seat, "do": "annul", "annul": annul})
                assert fault(said) == ("E12", number)


def test_an_annulled_hand_ends_there():
    one = next(one for one in _pool("annuls") if one["actions"][-1].get("annul"))
    seat = one["actions"][-1]["seat"]
    assert fault(one) is None
    played_on = finished(edited(one, -1, annul=False))
    assert fault({key: value for key, value in played_on.items() if key != "result"}) is None
    after = acted(one, seat, "play", card=one["deal"][seat][0])
    assert fault(after) == ("turn", len(one["actions"]))
    stated = {**one, "result": one["result"] | {"made": False}}
    assert faults(stated).clause == "E20"


def test_cards_that_may_not_be_called():
    clauses = set()
    for one in pool()[:20]:
        number = places(one, "call")[0]
        hand = hand_of({**one, "actions": one["actions"][:number]})
        for card in ("FT", "1T", "KS", "22T", "alone", "20T", "19T", "2T"):
            said = edited(one, number, card=card)
            found = fault({**said, "actions": said["actions"][: number + 1]})
            if card in hand.may_call():
                assert found == ("turn", number + 1)
            else:
                clauses.add(found[0])
                assert found == ("E7" if hand.bound else "E13", number)
    assert clauses == {"E7", "E13"}


# -------------------------------------------------------------------- announcements, contras


@pytest.mark.parametrize(
    ("names", "clause"),
    [
        (["owl", "owl"], "E15"),
        (["Owl"], "E22"),
        (["last_king"], "E22"),
        (["last_king:T"], "E22"),
        (["game"], "E22"),
        (["slam", "kings"], "E21"),
        (["honours", "slam"], "E21"),
    ],
)
def test_announcements_that_may_not_be(names, clause):
    for one in pool()[:3]:
        number = places(one, "announce")[0]
        assert fault(edited(one, number, bonuses=names)) == (clause, number)


def test_a_partner_does_not_announce_honours_beside_the_declarer_s_slam():
    one = next(one for one in pool("simple") if reference.replay(one).partner is not None)
    partner = reference.replay(one).partner
    numbers = places(one, "announce")
    one = edited(one, numbers[0], bonuses=["slam"])
    number = next(n for n in numbers if one["actions"][n]["seat"] == partner)
    assert fault(edited(one, number, bonuses=["honours"])) == ("E21", number)
    other = next(n for n in numbers[1:] if n != number)
    said = edited(one, other, bonuses=["honours"])
    assert fault({**said, "actions": said["actions"][: numbers[-1] + 1]})[0] == "turn"


@pytest.mark.parametrize("claims", [["owl"], ["game", "game"], ["Game"], ["flock", "game"]])
def test_contras_to_what_is_not_open(claims):
    """What nobody announced, and twice the same."""
    one = begun({0: "FT", 1: "QS VS", 2: "QB 20T"}, "2S 2B 2C 2D AD AS")
    one = finished({**one, "actions": bids("three", "pass", "pass", "pass")}, until="contra")
    start = len(one["actions"])
    assert fault(acted(one, 1, "contra", claims=claims)) == ("E16", start)
    assert fault(acted(one, 1, "contra", claims=["game"])) == ("turn", start + 1)
    # Neither by the declarer nor by its partner.
    for seat in (0, 2):
        assert fault(acted(one, seat, "contra", claims=["game"]))[0] in ("E16", "turn")


def test_a_forced_contra_that_is_missing():
    """The card called lies in seat 1's discard, and play begins (E14)."""
    one = begun({0: "FT", 1: "QS VS", 2: "QB VB"}, "2S 2B 2C 20T AD AS")
    one = {**one, "actions": bids("three", "pass", "pass", "pass")}
    for seat, cards in ((0, ["2S", "2B", "2C"]), (1, ["20T"]), (2, ["AD"])):
        one = acted(one, seat, "discard", cards=cards)
    one = finished(acted(one, 0, "call", card="20T"))
    (number,) = places(one, "contra")
    assert one["actions"][number]["seat"] == 1
    assert fault(one) is None
    missing = copy.deepcopy(one)
    del missing["actions"][number]
    assert fault(missing) == ("E14", number)
    assert fault(edited(one, number, seat=3)) == ("E14", number)
    assert fault(edited(one, number, do="recontra"))[0] in ("E14", "E16", "turn")
    assert fault({**one, "actions": one["actions"][:number]}) == ("turn", number)


def test_the_juggler_played_early_after_an_announced_sparrow():
    clauses = set()
    for one in pool("simple"):
        plays = places(one, "play")
        number = next((n for n in plays if one["actions"][n]["card"] == "1T"), None)
        if number is None or number >= plays[36]:
            continue
        seat = one["actions"][number]["seat"]
        announces = next(n for n in places(one, "announce") if one["actions"][n]["seat"] == seat)
        found = fault(edited(one, announces, bonuses=["sparrow"]))
        # Where no other card was left it may be played.
        assert found in (None, ("E19", number))
        clauses.add(found and found[0])
    assert "E19" in clauses


# -------------------------------------------------------------------------------- all kinds


@pytest.mark.parametrize(
    ("do", "key", "values"),
    [
        ("bid", "bid", [None, 1.5, True, ["three"]]),
        ("discard", "cards", ["2S", [1], None]),
        ("call", "card", [-1, None, ["20T"]]),
        ("announce", "bonuses", ["owl", [1], None, {"owl": 1}]),
        ("contra", "claims", ["game", [], [0], None]),
        ("play", "card", [None, ["2S"], 1]),
    ],
)
def test_values_of_another_kind_are_malformed(do, key, values):
    one = next(one for one in pool("random") if places(one, do))
    number = places(one, do)[0]
    for value in values:
        found = faults(edited(one, number, **{key: value}))
        assert (found.kind, found.clause, found.action) == ("malformed", "format", number), value
    missing = copy.deepcopy(one)
    del missing["actions"][number][key]
    assert faults(missing).clause == "format"


@pytest.mark.parametrize("value", [1, "true", None, 0])
def test_annul_is_true_or_false(value):
    one = next(one for one in _pool("annuls") if one["actions"][-1].get("annul"))
    assert faults(edited(one, -1, annul=value)).clause == "format"


@pytest.mark.parametrize("do", ["give", "trumps", "contract", "roll", "caught", "sing"])
def test_steps_of_other_games_are_untimely(do):
    one = pool()[0]
    more = {"suit": "S", "cards": ["2S"], "contract": "grand", "card": "2S"}
    for number in (0, places(one, "call")[0], places(one, "play")[5]):
        other = copy.deepcopy(one)
        other["actions"].insert(number, {"seat": 0, "do": do, **more})
        assert fault(other) == ("turn", number)


def test_every_card_is_judged_as_the_reference_does():
    """Cards put where others were played: the same fault at the same action, or none."""
    chance, clauses = random.Random(3), set()
    for one in pool()[:30]:
        for number in chance.sample(places(one, "play"), 8):
            seat = one["actions"][number]["seat"]
            held = [a["card"] for a in one["actions"][number:] if a.get("seat") == seat]
            found = fault(edited(one, number, card=chance.choice([*held, "1T", "KS"])))
            clauses.add(found and found[0])
    assert clauses >= {"E17", "holding"}


def test_every_result_is_checked():
    clauses = {
        "tricks": "E17",
        "score": "E20",
        "win": "E20",
        "declarer": "E4",
        "partner": "E13",
        "made": "E20",
        "bonuses": "E22",
    }
    lines = [one for one in _pool("simple") if one["result"]["partner"] is not None]
    for one, (name, clause) in zip(lines, clauses.items(), strict=False):
        stated = one["result"][name]
        wrong = (
            {
                "made": not stated,
                "bonuses": [{"bonus": "owl"}],
            }.get(name)
            if name in ("made", "bonuses")
            else None
        )
        if wrong is None and isinstance(stated, list):
            wrong = [number + 1 for number in stated]
        elif wrong is None and name not in ("made", "bonuses"):
            wrong = (stated + 1) % 4
        found = faults(one | {"result": one["result"] | {name: wrong}})
        assert (found.kind, found.clause) == ("mismatch", clause)


@pytest.mark.parametrize(
    "switches",
    [
        {"players": 3},
        {"annul": "sometimes"},
        {"annul": True},
        {"cap": 60},
        {"loss": None},
        {"lost_side_bonuses": "yes"},
        {"failed_bonus": "defenders"},
        {"last_draws_on_three": 1},
        {"deck": "tarokk"},
    ],
    ids=str,
)
def test_switches_that_cannot_be(switches):
    one = pool()[0]
    one["switches"] = {**one["switches"], **switches}
    assert (faults(one).kind, faults(one).clause) == ("malformed", "switch")


def mutated(one, chance, kinds):
    """The history with one thing wrong, or not, about one of its actions."""
    one = copy.deepcopy(one)
    actions = one["actions"]
    number = chance.randrange(len(actions) if chance.random() < 0.2 else places(one, "play")[0] + 1)
    action = actions[number]
    match chance.randrange(8):
        case 0:
            del actions[number]
        case 1:
            actions.insert(number, dict(chance.choice(actions)))
        case 2:
            action["seat"] = chance.choice([*SEATS, 4])
        case 3:
            actions[number : number + 2] = actions[number : number + 2][::-1]
        case 4:
            del actions[number:]
        case 5:
            actions.insert(number, {"seat": chance.choice(SEATS), "do": "annul", "annul": True})
        case _:
            # What another has done in its place, or might have.
            like = chance.choice([*kinds[action["do"]], *kinds[action["do"]], action])
            actions[number] = {**like, "seat": action["seat"]}
            for key in ("cards", "bonuses", "claims"):
                if key in like and chance.random() < 0.5:
                    actions[number][key] = like[key] + action[key][:1]
    return one


@pytest.mark.parametrize("policy", ["moderate", "random", "annuls"])
def test_the_first_fault_is_the_reference_s(policy):
    """Clause and action, for many histories with something wrong."""
    chance = random.Random(policy)
    good = [{key: v for key, v in one.items() if key != "result"} for one in _pool(policy)]
    good = [one for one in good if places(one, "play")]
    kinds = {}
    for one in good:
        for action in one["actions"]:
            kinds.setdefault(action["do"], []).append(action)
    bad = [mutated(one, chance, kinds) for one in good for _ in range(8)]
    checks = check_lines([(n, json.dumps(one).encode()) for n, one in enumerate(bad, 1)])
    clauses = set()
    for one, check in zip(bad, checks, strict=True):
        found = check.fault and (check.fault.clause, check.fault.action)
        assert found == verdict(one), (check.in_words(), one["actions"])
        clauses.add(found and found[0])
    assert clauses >= {"turn", "holding", "E9", "E17", None}
