"""Hand histories: written as the format says, read back exactly, and faults named."""

import copy
import functools
import itertools
import json
import os
import random
import tempfile
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from conftest import GAMES
from reference import junni as reference
from tricklab import history, match, options, simulation
from tricklab.replay import check_histories, check_lines, history_at

DATA = Path(__file__).parents[1] / "data"
OWN = {"deck": DATA / "my-deck.toml", "scoring": DATA / "my-table.toml"}
RANDOM = "random"
BRAZEN = "brazen:temptation=100"
NEEDED = ("format", "game", "switches", "dealer", "deal", "stock", "actions")

TRAITOR = {"traitor": True, "spare_to": "traitor"}
SHRIVING = {"shriving": True}
DICE = {"dice": True}
CHEATS = {"brazen": True, "detection": 0.5}
ALL = {"shriving": True, "brazen": True, "arete_court": True, "dice": True, **TRAITOR}


# ----------------------------------------------------------------------------------- tools


def told(game, hands, policy=RANDOM, seed=1):
    """Histories of a game as text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "told.jsonl"
        tl.simulate(game, hands, policy, seed, histories=path, n_jobs=1, progress=False)
        return path.read_text("utf-8").splitlines()


@functools.cache
def _pool(switches, policy, hands):
    return told(tl.game("junni", **dict(switches)), hands, policy)


def pool(policy=RANDOM, hands=60, **switches):
    """Good histories, fresh copies that may be edited."""
    lines = _pool(tuple(sorted(switches.items())), policy, hands)
    return [json.loads(line) for line in lines]


def without_result(one):
    return {key: value for key, value in one.items() if key != "result"}


def as_line(one):
    return one if isinstance(one, bytes) else json.dumps(one).encode()


@pytest.fixture(
    params=[game for game in GAMES if game.name == "junni"],
    ids=lambda game: game.label.replace(" ", ","),
)
def variant(request):
    """Variants of Junni: other games' histories have suites of their own."""
    return request.param


@pytest.fixture
def check(tmp_path):
    """Check histories (or lines as bytes) as one file."""

    def run(*lines):
        path = tmp_path / "checked.jsonl"
        path.write_bytes(b"".join(as_line(line) + b"\n" for line in lines))
        return list(check_histories(path))

    return run


@pytest.fixture
def fault(check):
    """The fault of each of some histories, which must have one."""

    def run(*lines):
        checks = check(*lines)
        assert len(checks) == len(lines)
        for number, found in enumerate(checks, start=1):
            assert found.line == number
            assert found.fault is not None, lines[number - 1]
            assert found.table is None
            assert found.fault.message
        return [found.fault for found in checks]

    return run


@pytest.fixture
def is_at_fault(fault):
    """Assert kind, action and clause of pairs (history, action)."""

    def run(edits, clause, kind="illegal"):
        assert edits, "no hand in which this can be tried"
        found = fault(*(one for one, _ in edits))
        got = [(each.kind, each.action, each.clause) for each in found]
        assert got == [(kind, action, clause) for _, action in edits]

    return run


def edited(one, action, **changes):
    """A copy of a history with an action's keys changed; None takes a key away."""
    out = copy.deepcopy(without_result(one))
    for key, value in changes.items():
        if value is None:
            out["actions"][action].pop(key, None)
        else:
            out["actions"][action][key] = value
    return out


def with_actions(one, actions):
    return {**without_result(one), "actions": copy.deepcopy(list(actions))}


def inserted(one, at, action):
    return with_actions(one, [*one["actions"][:at], action, *one["actions"][at:]])


def begin(one):
    """The reference's hand of a history before its first action."""
    rules = reference.Rules(**one["switches"])
    return reference.Hand(rules, one["deal"], dealer=one["dealer"], stock=one["stock"])


def walk(one):
    """Each action with its number and the reference's hand before it, which then goes on."""
    hand, gifts = begin(one), []
    for number, action in enumerate(one["actions"]):
        yield number, hand, action
        reference._act(hand, gifts, action)


def places(histories, do):
    """All actions of a kind: (history, number, the reference's hand before it, action)."""
    for one in histories:
        for number, hand, action in walk(one):
            if action["do"] == do:
                yield one, number, hand, action


def held(hand):
    return list(hand.holdings[hand.seat])


def is_plain(card):
    return card[-1] not in "TX"


def verdict(one):
    """The reference's fault of a history as (action, clause), or None.

    The reference wants every bid; the format lets a step be left out that leaves nothing to
    choose, such as the drop of a seat that cannot bid any more.  Those are put in here.  And it
    takes a call for as long as no card of the next trick lies, where the format wants it straight
    after the last card: not after the next roll.
    """
    bare = {**without_result(one), "actions": []}
    try:
        reference.replay(bare)
    except ValueError as error:
        if not str(error).startswith("turn: the history stops"):
            return None, str(error).split(":")[0]
    hand, gifts = begin(one), []
    for number, action in enumerate(one["actions"]):
        drop_where_forced(hand, action)
        if action["do"] == "caught" and one["actions"][number - 1]["do"] == "roll":
            return number, "J16"
        try:
            reference._act(hand, gifts, action)
        except ValueError as error:
            return number, str(error).split(":")[0]
    drop_where_forced(hand, {})
    return None if hand.finished else (len(one["actions"]), "turn")


def drop_where_forced(hand, action):
    while (
        hand.phase == "bid"
        and hand.least_bid() is None
        and (action.get("do"), action.get("seat")) != ("bid", hand.bidder)
    ):
        hand.bid(hand.bidder, "pass")


def checked(lines):
    """Checks of lines as one file; says which line is to blame if anything is raised."""
    try:
        return check_lines(list(enumerate(lines, start=1)))
    except Exception:
        return checked_alone(lines)


def checked_alone(lines):
    out = []
    for number, line in enumerate(lines, start=1):
        try:
            out += check_lines([(number, line)])
        except Exception as error:
            ends = f"{line[:300]!r} ... {line[-300:]!r}" if len(line) > 600 else f"{line!r}"
            pytest.fail(f"{type(error).__name__}: {error} from {ends}")
    return out


def found_by(checks):
    return [
        None if found.fault is None else (found.fault.action, found.fault.clause)
        for found in checks
    ]


def policies_of(game):
    return [RANDOM, BRAZEN] if game.brazen else [RANDOM]


# --------------------------------------------------------------------------------- round trip
def assert_reads_back(game, policy, path, hands=40):
    run = tl.simulate(game, hands, policy, 1, record="plays", histories=path)
    read = tl.read_histories(path)
    assert read.game == game
    assert list(read.frames) == list(run.frames) == ["hands", "seats", "tricks", "plays"]
    for name, frame in run.frames.items():
        assert_frame_equal(read.frames[name], frame, check_exact=True)
    assert read.provenance.hands == hands
    assert read.provenance.switches == game.switches


def test_frames_read_back_are_those_written(variant, tmp_path):
    for number, policy in enumerate(policies_of(variant)):
        assert_reads_back(variant, policy, tmp_path / f"{number}.jsonl")


@pytest.mark.parametrize("switches", [{}, ALL, {**TRAITOR, "players": 3}], ids=str)
def test_every_policy_reads_back(named, switches, tmp_path):
    assert_reads_back(tl.game("junni", **switches), named, tmp_path / "told.jsonl")


def test_own_deck_and_table_read_back(tmp_path):
    for number, switches in enumerate(
        [OWN, {**OWN, **ALL}, {"deck": OWN["deck"], **DICE}, {"scoring": OWN["scoring"]}]
    ):
        game = tl.game("junni", **switches)
        assert_reads_back(game, RANDOM, tmp_path / f"{number}.jsonl")


def test_what_is_recorded_changes_no_history(tmp_path):
    game = tl.game("junni", **ALL)
    texts = set()
    for record in ("seats", "tricks", "plays"):
        path = tmp_path / record
        tl.simulate(game, 10, BRAZEN, 3, record=record, histories=path)
        texts.add(path.read_text("utf-8"))
    assert len(texts) == 1


def test_histories_replay_in_the_reference(variant):
    for policy in policies_of(variant):
        for line in told(variant, 15, policy):
            one = json.loads(line)
            hand = reference.replay(one)
            expected = reference.result(hand)
            stated = one["result"]
            assert set(stated) == set(expected)
            assert stated["win"] == pytest.approx(expected.pop("win"), abs=1e-6)
            assert {name: stated[name] for name in expected} == expected


# --------------------------------------------------------------------------------- written form
KEYS = {
    "give": {"cards"},
    "bid": {"bid"},
    "discard": {"cards"},
    "roll": {"suit"},
    "play": {"card"},
    "caught": set(),
}


def assert_written_as_the_format_says(game, line, number):
    one = json.loads(line)
    assert "\n" not in line
    assert list(one) == [*NEEDED, "result", "seed", "hand"]
    assert one["format"] == "tricklab-hand/1"
    assert one["game"] == "junni"
    assert (one["seed"], one["hand"]) == (1, number)
    defaults = {name: spec.default for name, spec in options.specs(type(game)).items()}
    assert one["switches"].pop("players") == game.players
    for name, value in one["switches"].items():
        assert value != defaults[name]
        assert type(value) is type(defaults[name]) or name == "detection"
        assert game.switches[name] == value
    for name, value in defaults.items():
        if name not in ("deck", "scoring", "players", *one["switches"]):
            assert getattr(game, name) == value
    one["switches"]["players"] = game.players
    assert len(one["deal"]) == game.players
    assert len(one["stock"]) == game.set_aside
    assert_order(one)
    assert_result_form(one)


def assert_order(one):
    players = len(one["deal"])
    last, order = 0, [["give", "bid"], ["discard"], ["roll", "play", "caught"]]
    if not one["switches"].get("shriving_before_bidding", True):
        order[:1] = [["bid"], ["give"]]
    rolls = 0
    for _, hand, action in walk(one):
        do = action["do"]
        assert {"seat", "do"} <= set(action)
        assert set(action) - {"seat", "do", "as"} == KEYS[do]
        assert action["seat"] in range(players)
        stage = next(i for i, dos in enumerate(order) if do in dos)
        assert stage >= last
        last = stage
        if do == "roll":
            assert not hand.trick
            assert action["seat"] == hand.leader
            rolls += 1
        if do == "caught":
            assert not hand.trick
        if do == "bid":
            assert action["bid"] == "pass" or type(action["bid"]) is int
        if do == "play":
            names = action["card"][-1] == "X" and not hand.trick
            assert ("as" in action) == (names or action.get("as", "X") != "X")
            assert action.get("as") != action["card"][-1]
    gives = [a["seat"] for a in one["actions"] if a["do"] == "give"]
    first = one["dealer"]
    assert gives in ([], [(first + turn) % players for turn in range(players)])
    if one["switches"].get("dice") and any(a["do"] == "play" for a in one["actions"]):
        tricks = sum(one["result"]["tricks"])
        assert rolls == (1 if one["switches"].get("roll_each") == "hand" else tricks)
    else:
        assert rolls == 0


def assert_result_form(one):
    players, stated = len(one["deal"]), one["result"]
    assert list(stated) == ["tricks", "score", "win", "declarer", "partner", "made"]
    for name in ("tricks", "score", "win"):
        assert len(stated[name]) == players
    assert all(type(n) is int for n in [*stated["tricks"], *stated["score"]])
    for share in stated["win"]:
        exact = Fraction(share).limit_denominator(6)
        assert share == exact.numerator / exact.denominator
    assert stated["partner"] is None
    traitor = one["switches"].get("traitor", False)
    if not traitor:
        assert stated["declarer"] is None
    if stated["declarer"] is None:
        assert stated["made"] is None
    else:
        assert stated["declarer"] in range(players)
        assert isinstance(stated["made"], bool)


def test_written_form(variant):
    deals = tl.deal(variant, 15, 1)
    for policy in policies_of(variant):
        for number, line in enumerate(told(variant, 15, policy)):
            assert_written_as_the_format_says(variant, line, number)
            one = json.loads(line)
            assert one["dealer"] == deals.dealer[number]
            assert [set(cards) for cards in one["deal"]] == [
                set(cards) for cards in deals.holdings(number)
            ]
            assert one["stock"] == list(deals.set_aside(number))


def test_every_kind_of_action_is_written():
    histories = pool(BRAZEN, **ALL)
    done = {action["do"] for one in histories for action in one["actions"]}
    assert done == set(KEYS)
    bids = {a["bid"] for one in histories for a in one["actions"] if a["do"] == "bid"}
    assert "pass" in bids
    assert bids - {"pass"}
    as_other = [a for one in histories for a in one["actions"] if "as" in a]
    assert any(a["card"][-1] == "X" for a in as_other)
    assert any(a["card"][0] in "RS" for a in as_other)


def test_following_barbarian_names_nothing():
    followed = [
        action
        for _, _, hand, action in places(pool(arete_court=True), "play")
        if hand.trick and action["card"][-1] == "X"
    ]
    assert followed
    assert not any("as" in action for action in followed)


def test_shriving_after_the_bids():
    for one in pool(**SHRIVING, **TRAITOR, shriving_before_bidding=False):
        done = [a["do"] for a in one["actions"]]
        if "give" in done:
            assert max(i for i, do in enumerate(done) if do == "bid") < done.index("give")
            assert done.index("give") < done.index("discard") < done.index("play")


def test_passed_out_hand():
    one = passed_out()
    assert [a["bid"] for a in one["actions"]] == ["pass"] * 4
    nothing = [0, 0, 0, 0]
    assert one["result"] == {
        "tricks": nothing,
        "score": nothing,
        "win": nothing,
        "declarer": None,
        "partner": None,
        "made": None,
    }


def passed_out():
    """A hand of the Traitor in which all drop."""
    one = pool(**TRAITOR)[0]
    seats = [(one["dealer"] + turn) % 4 for turn in range(4)]
    actions = [{"seat": seat, "do": "bid", "bid": "pass"} for seat in seats]
    out = with_actions(one, actions)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        path.write_bytes(as_line(out))
        table, row = history_at(path, 1)
    text = history.history_lines(table, [{}] * table.hands)[row]
    return json.loads(text)


@pytest.mark.parametrize("name", OWN)
def test_own_deck_or_table_stands_inline(name):
    game = tl.game("junni", **{name: OWN[name]})
    one = json.loads(told(game, 1)[0])
    assert one["switches"] == {"players": 4, name: tomllib.loads(OWN[name].read_text("utf-8"))}


def test_shipped_deck_and_table_stand_by_name():
    game = tl.game("junni", deck="short_suits", scoring="flat")
    one = json.loads(told(game, 1)[0])
    assert one["switches"] == {"players": 4, "deck": "short_suits", "scoring": "flat"}
    assert json.loads(told(tl.game("junni"), 1)[0])["switches"] == {"players": 4}


@pytest.mark.parametrize(
    ("switches", "policy"),
    [
        ({"campaign": True, "campaign_target": 20, "brazen": True, "detection": 0.05}, BRAZEN),
        ({**TRAITOR, "campaign_target": 30, "players": 5}, "simple"),
        ({"campaign": True, "partners": True, "scoring": "dead_reckoning"}, RANDOM),
    ],
)
def test_histories_of_matches(switches, policy, tmp_path, monkeypatch):
    monkeypatch.setattr(match, "MATCH_BLOCK", 4)
    game = tl.game("junni", **switches)
    path = tmp_path / "told.jsonl"
    run = match.simulate_matches(game, 6, policy, 2, first_dealer=1, histories=path, n_jobs=1)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [one["match"] for one in lines] == run.hands["match"].to_list()
    assert [one["round"] for one in lines] == run.hands["round"].to_list()
    assert [(one["match"], one["round"]) for one in lines] == sorted(
        (one["match"], one["round"]) for one in lines
    )
    assert {one["seed"] for one in lines} == {2}
    assert all(one["dealer"] == one["round"] % game.players for one in lines)
    score = run.seats["score"].to_numpy().reshape(-1, game.players)
    assert [one["result"]["score"] for one in lines] == score.tolist()
    for number in range(6):
        own = [one["result"]["score"] for one in lines if one["match"] == number]
        total = [sum(scores) for scores in zip(*own, strict=True)]
        row = run.matches[run.matches["match"] == number].iloc[0]
        assert [row[f"score_{seat}"] for seat in range(game.players)] == total
    for one in lines:
        assert verdict(one) is None
        assert result_holds(one)
    assert all(found.fault is None for found in check_histories(path))
    read = tl.read_histories(path)
    assert read.hands["dealer"].to_list() == run.hands["dealer"].to_list()
    assert read.seats["win"].to_list() == run.seats["win"].to_list()


# ------------------------------------------------------------------------- faults in playing
def wrong_cards(histories, wanted, most=40):
    """Edits that play a card held of which ``wanted(hand, card)`` is true instead."""
    out = []
    for one, number, hand, _ in places(histories, "play"):
        bad = [card for card in held(hand) if wanted(hand, card)]
        if bad:
            out.append((edited(one, number, card=bad[0], **{"as": None}), number))
        if len(out) == most:
            break
    return out


def holds(hand, suit):
    return any(card[-1] == suit for card in held(hand))


@pytest.mark.parametrize("switches", [{}, {"arete_court": True}, DICE, SHRIVING], ids=str)
def test_card_of_another_suit_breaks_j9(is_at_fault, switches):
    def wanted(hand, card):
        lead = hand.trick[0][2] if hand.trick else None
        if lead is None or lead == hand.trumps or card[-1] == "X":
            return False
        return holds(hand, lead) and card[-1] != lead

    is_at_fault(wrong_cards(pool(**switches), wanted), "J9")


def test_no_trump_where_one_is_due_breaks_j9(is_at_fault):
    def wanted(hand, card):
        lead = hand.trick[0][2] if hand.trick else "T"
        return lead != "T" and not holds(hand, lead) and holds(hand, "T") and is_plain(card)

    is_at_fault(wrong_cards(pool(), wanted), "J9")


@pytest.mark.parametrize("switches", [{}, {"arete_court": True}, DICE], ids=str)
def test_no_trump_on_a_trump_led_breaks_j10(is_at_fault, switches):
    def wanted(hand, card):
        if not hand.trick or hand.trick[0][2] != hand.trumps:
            return False
        return holds(hand, hand.trumps) and card[-1] not in (hand.trumps, "X")

    is_at_fault(wrong_cards(pool(**switches), wanted), "J10")


@pytest.mark.parametrize("switches", [{}, DICE, SHRIVING], ids=str)
def test_trump_led_before_they_are_broken_breaks_j6(is_at_fault, switches):
    def wanted(hand, card):
        if hand.trick or hand.broken or card[-1] != hand.trumps:
            return False
        return any(other[-1] not in (hand.trumps, "X") for other in held(hand))

    is_at_fault(wrong_cards(pool(**switches), wanted), "J6")


def test_barbarian_led_too_early_breaks_j7(is_at_fault):
    edits = []
    for one, number, hand, _ in places(pool(), "play"):
        barbarians = [card for card in held(hand) if card[-1] == "X"]
        if not hand.trick and barbarians and len(barbarians) < len(held(hand)):
            edits.append((edited(one, number, card=barbarians[0], **{"as": "B"}), number))
            edits.append((edited(one, number, card=barbarians[0], **{"as": None}), number))
    is_at_fault(edits[:60], "J7")


@pytest.mark.parametrize("switches", [{}, DICE, CHEATS], ids=str)
def test_barbarian_led_must_name_a_suit(is_at_fault, switches):
    edits = []
    for one, number, hand, action in places(pool(hands=400, **switches), "play"):
        if not hand.trick and action["card"][-1] == "X":
            wrong = (None, "X", "Z", "", hand.trumps)
            edits += [(edited(one, number, **{"as": named}), number) for named in wrong]
        if len(edits) >= 25:
            break
    is_at_fault(edits, "J7")


def test_barbarian_may_name_the_suit_of_the_deck_trumps_where_another_was_rolled(check):
    edits = []
    for one, number, hand, action in places(pool(hands=400, **DICE), "play"):
        if not hand.trick and action["card"][-1] == "X" and hand.trumps != "T":
            edits.append((edited(one, number, **{"as": "T"}), number))
        if len(edits) == 3:
            break
    assert edits
    for found, (_, number) in zip(check(*(one for one, _ in edits)), edits, strict=True):
        assert found.fault is None or found.fault.action > number


@pytest.mark.parametrize("arete", [False, True])
@pytest.mark.parametrize("cheats", [{}, CHEATS], ids=["checked", "brazen"])
def test_suit_that_a_card_has_not_breaks_j17(is_at_fault, arete, cheats):
    edits = []
    rules = reference.Rules(arete_court=arete)
    for one, number, _, action in places(pool(arete_court=arete, hands=15, **cheats), "play"):
        card = action["card"]
        if card[-1] == "X":
            continue
        own = {card[-1], reference.inverted(rules, card) if arete else None}
        wrong = [letter for letter in "BCKLSTXZ" if letter not in own]
        wrong += ["", "Bells", "b"]
        edits.append((edited(one, number, **{"as": wrong[number % len(wrong)]}), number))
    is_at_fault(edits[:300], "J17")


def test_printed_suit_is_not_stated(is_at_fault):
    edits = []
    for one, number, hand, action in places(pool(hands=5), "play"):
        if "as" not in action and (is_plain(action["card"]) or hand.trick):
            edits.append((edited(one, number, **{"as": action["card"][-1]}), number))
    is_at_fault(edits, "format", "malformed")


def test_following_barbarian_with_a_suit_is_malformed(is_at_fault):
    edits = []
    for one, number, hand, action in places(pool(), "play"):
        if hand.trick and action["card"][-1] == "X":
            edits.append((edited(one, number, **{"as": "B"}), number))
    is_at_fault(edits[:40], "format", "malformed")


def test_card_not_held(is_at_fault):
    edits = []
    for one, number, hand, action in places(pool(hands=3), "play"):
        others = [
            card for seat, own in enumerate(hand.holdings) if seat != hand.seat for card in own
        ]
        card = (others or [action["card"] + "?"])[0]
        edits.append((edited(one, number, card=card, **{"as": None}), number))
        edits.append((edited(one, number, card="17Z", **{"as": None}), number))
        edits.append((edited(one, number, card="", **{"as": None}), number))
    is_at_fault(edits, "holding")


def test_card_played_twice(is_at_fault):
    edits = []
    for one in pool(hands=5):
        mine = {}
        for number, action in enumerate(one["actions"]):
            if action["seat"] in mine:
                card = mine[action["seat"]]
                edits.append((edited(one, number, card=card, **{"as": None}), number))
            mine[action["seat"]] = action["card"]
    is_at_fault(edits, "holding")


def test_set_aside_card_is_not_held(is_at_fault):
    one = pool(players=3)[0]
    is_at_fault([(edited(one, 0, card=one["stock"][0]), 0)], "holding")


def test_lead_by_another_seat(is_at_fault):
    edits = []
    for one, number, hand, action in places(pool(hands=5), "play"):
        for turn in (1, 3):
            other = (action["seat"] + turn) % 4
            edits.append((edited(one, number, seat=other), number))
            if not hand.trick:
                edits.append(
                    (edited(one, number, seat=other, card=hand.holdings[other][0]), number)
                )
    far = (-1, 4, 99, 32767, 32768, 65536, 10**40, -(10**40))
    edits += [(edited(one, 3, seat=seat), 3) for seat in far]
    is_at_fault(edits, "turn")


def test_every_card_is_judged_as_the_reference_does(variant, check):
    """Cards put where others were played: the same fault at the same action, or none."""
    draw = random.Random(variant.label)
    letters = [None, None, None, *(suit.letter for suit in variant.deck.suits), "Z"]
    edits = []
    for policy in policies_of(variant):
        histories = [json.loads(line) for line in told(variant, 4, policy)]
        for one in histories:
            holdings = {n: held(hand) for n, hand, a in walk(one) if a["do"] == "play"}
            for number in draw.sample(list(holdings), min(9, len(holdings))):
                for _ in range(2):
                    card = draw.choice([*holdings[number], draw.choice(variant.deck.cards)])
                    change = {"card": card, "as": draw.choice(letters)}
                    edits.append(edited(one, number, **change))
    assert found_by(check(*edits)) == [verdict(one) for one in edits]


# ------------------------------------------------------------------------- faults before play
def bids_of(histories, most=40):
    bids = (spot for spot in places(histories, "bid") if spot[3]["bid"] != "pass")
    return itertools.islice(bids, most)


def test_bids_that_cannot_be_made_break_j21(is_at_fault):
    edits = []
    for one, number, hand, _ in bids_of(pool(**TRAITOR)):
        bad = [0, -1, -2, -(10**40), hand.max_bid + 1, 99, 32767, 32768, 65537, 2**31, 2**63]
        bad += [10**40, "", "passed", "PASS", "three", "5", "hold"]
        if hand.highest is not None:
            bad += [hand.highest, hand.highest - 1]
        edits += [(edited(one, number, bid=bid), number) for bid in bad]
    is_at_fault(edits, "J21")


def test_bids_of_another_kind_are_malformed(is_at_fault):
    edits = []
    for one, number, _, action in bids_of(pool(**TRAITOR), 5):
        bad = [float(action["bid"]), 2.5, True, False, [], [3], {}]
        edits += [(edited(one, number, bid=bid), number) for bid in bad]
        null = edited(one, number)
        null["actions"][number]["bid"] = None
        edits += [(null, number), (edited(one, number, bid=None), number)]
    is_at_fault(edits, "format", "malformed")


@pytest.mark.parametrize("switches", [{"min_bid": 4}, {"bid_step": 3}, {"min_bid": 2}], ids=str)
def test_least_bids(check, switches):
    edits = []
    for one, number, hand, _ in bids_of(pool(**TRAITOR, **switches), 15):
        least = hand.least_bid() or hand.max_bid + 1
        assert least >= switches.get("min_bid", 1)
        edits += [
            (edited(one, number, bid=bid), number, least <= bid <= hand.max_bid)
            for bid in range(1, hand.max_bid + 2)
        ]
    found = check(*(one for one, _, _ in edits))
    for (_, number, legal), each in zip(edits, found, strict=True):
        assert each.fault is None or each.fault.action >= number
        refused = each.fault is not None and each.fault.action == number
        assert refused == (not legal)
        if refused:
            assert (each.fault.kind, each.fault.clause) == ("illegal", "J21")


def fullest_table():
    """A table under which a hand with a Traitor has as many points as can be kept: 32767."""
    return {
        "name": "fullest",
        "trick": 997,
        "suits": {"each": 500},
        "trumps": {"each": 400},
        "barbarians": {"played": 250},
    }


def test_huge_bid_where_the_most_is_bid(is_at_fault):
    deck = tomllib.loads(OWN["deck"].read_text("utf-8"))
    game = tl.game("junni", deck=deck, scoring=fullest_table(), traitor=True)
    assert game.highest_bid == 2**15 - 1
    one = json.loads(told(game, 1, "simple")[0])
    is_at_fault([(edited(one, 0, bid=bid), 0) for bid in (32768, 65536, 10**40)], "J21")


def test_a_bid_after_dropping_is_out_of_turn(is_at_fault):
    edits = []
    for one in pool(**TRAITOR):
        out = set()
        for number, action in enumerate(one["actions"]):
            if action["do"] != "bid":
                break
            again = [{"seat": seat, "do": "bid", "bid": 9} for seat in sorted(out)[:1]]
            edits += [(inserted(one, number, bid), number) for bid in again]
            if action["bid"] == "pass":
                out.add(action["seat"])
    is_at_fault(edits[:40], "turn")


def test_first_bid_by_another_than_the_dealer(is_at_fault):
    dealt = pool(hands=8, **TRAITOR)
    is_at_fault([(edited(one, 0, seat=(one["dealer"] + 1) % 4), 0) for one in dealt], "turn")


def highest_at_once():
    """A hand whose dealer bids the most, written with all the drops that follow."""
    for one in pool(hands=200, **TRAITOR):
        first, *rest = [a for a in one["actions"] if a["do"] == "bid"]
        if first["bid"] != "pass" and all(a["bid"] == "pass" for a in rest):
            return edited(one, 0, bid=19)
    pytest.fail("no dealer won the auction at once")


def test_forced_drops_may_be_left_out(check, is_at_fault):
    one = highest_at_once()
    bids = [a for a in one["actions"] if a["do"] == "bid"]
    rest = one["actions"][len(bids) :]
    kept = [with_actions(one, [*bids[:n], *rest]) for n in range(1, 5)]
    assert [found.fault for found in check(*kept)] == [None] * 4
    some = [
        with_actions(one, [bids[0], bids[2], *rest]),
        with_actions(one, [bids[0], bids[3], *rest]),
    ]
    assert [found.fault for found in check(*some)] == [None] * 2
    # A drop that is no forced one may not.
    lower = edited(one, 0, bid=18)
    is_at_fault([(with_actions(lower, [lower["actions"][0], *rest]), 1)], "turn")
    # A seat that has nothing left but to drop cannot bid.
    is_at_fault([(edited(one, 1, bid=bid), 1) for bid in (19, 20, 1)], "J21")


def give_faults():
    for one, number, hand, action in places(pool(**SHRIVING, hands=10), "give"):
        yield one, number, hand.holdings[action["seat"]], action["cards"]


def test_wrong_number_of_gifts_breaks_j14(is_at_fault):
    edits = []
    for one, number, own, cards in give_faults():
        more = [card for card in own if card not in cards]
        wrong = ([], cards[:3], [*cards, more[0]], list(own))
        edits += [(edited(one, number, cards=bad), number) for bad in wrong]
    is_at_fault(edits, "J14")


def test_gifts_not_held(is_at_fault):
    edits = []
    for one, number, own, cards in give_faults():
        other = next(card for deal in one["deal"] for card in deal if card not in own)
        wrong = ([*cards[:3], other], [*cards[:3], cards[0]], [*cards[:3], "17Z"])
        edits += [(edited(one, number, cards=bad), number) for bad in wrong]
    is_at_fault(edits, "holding")


def test_gifts_just_received_are_not_held_yet(is_at_fault):
    edits = []
    for one in pool(**SHRIVING, hands=10):
        received = one["actions"][0]["cards"]
        edits.append((edited(one, 1, cards=received), 1))
    is_at_fault(edits, "holding")


def test_wrong_order_of_gifts(is_at_fault):
    edits = []
    for one in pool(**SHRIVING, hands=10):
        actions = one["actions"]
        for n in range(3):
            order = [*actions[:n], actions[n + 1], actions[n], *actions[n + 2 :]]
            edits.append((with_actions(one, order), n))
        edits.append((with_actions(one, [*actions[:3], *actions[4:]]), 3))
        edits.append((inserted(one, 4, actions[0]), 4))
    is_at_fault(edits, "turn")


def test_gift_where_there_is_none(is_at_fault):
    gift = {"seat": 0, "do": "give", "cards": ["AB", "2B", "3B", "4B"]}
    one = pool()[0]
    is_at_fault([(inserted(one, n, gift), n) for n in (0, 1, 5, len(one["actions"]))], "turn")


def test_gifts_before_bids_or_after(is_at_fault):
    before = pool(**SHRIVING, **TRAITOR, hands=10)
    after = pool(**SHRIVING, **TRAITOR, shriving_before_bidding=False, hands=10)
    edits = []
    for one in before:
        one["switches"]["shriving_before_bidding"] = False
        edits.append((without_result(one), 0))
    for one in after:
        del one["switches"]["shriving_before_bidding"]
        edits.append((without_result(one), 0))
    is_at_fault(edits, "turn")


def discards():
    found = places(pool(**TRAITOR), "discard")
    for one, number, hand, action in itertools.islice(found, 15):
        yield one, number, list(hand.holdings[action["seat"]]), action["cards"]


def test_wrong_number_of_discards_breaks_j23(is_at_fault):
    edits = []
    for one, number, own, cards in discards():
        more = next(card for card in own if card not in cards)
        wrong = ([], cards[:3], [*cards, more])
        edits += [(edited(one, number, cards=bad), number) for bad in wrong]
    is_at_fault(edits, "J23")


def test_discards_not_held(is_at_fault):
    edits = []
    for one, number, own, cards in discards():
        mine = {*own, *cards, *one["stock"]}
        other = next(card for deal in one["deal"] for card in deal if card not in mine)
        wrong = ([*cards[:3], other], [*cards[:3], cards[0]], [*cards[:3], "AA"])
        edits += [(edited(one, number, cards=bad), number) for bad in wrong]
    is_at_fault(edits, "holding")


def test_the_spare_may_be_discarded(check):
    edits = [edited(one, number, cards=one["stock"]) for one, number, _, _ in discards()]
    for one, found in zip(edits, check(*edits), strict=True):
        discard = next(n for n, a in enumerate(one["actions"]) if a["do"] == "discard")
        assert found.fault is None or found.fault.action > discard
    assert found_by(check(*edits)) == [verdict(one) for one in edits]


def test_discard_by_another_seat_or_missing(is_at_fault):
    edits = []
    for one, number, _, _ in discards():
        seat = one["actions"][number]["seat"]
        edits.append((edited(one, number, seat=(seat + 1) % 4), number))
        actions = one["actions"]
        edits.append((with_actions(one, [*actions[:number], *actions[number + 1 :]]), number))
    is_at_fault(edits, "turn")


@pytest.mark.parametrize("each", ["trick", "hand"])
def test_face_that_the_die_has_not_breaks_j25(is_at_fault, each):
    edits = []
    for one, number, _, _ in places(pool(**DICE, roll_each=each, hands=5), "roll"):
        wrong = ("X", "Z", "", "b", "Bells")
        edits += [(edited(one, number, suit=face), number) for face in wrong]
    is_at_fault(edits, "J25")


@pytest.mark.parametrize("each", ["trick", "hand"])
def test_missing_or_repeated_or_misplaced_roll(is_at_fault, each):
    edits = []
    for one, number, _, action in places(pool(**DICE, roll_each=each, hands=5), "roll"):
        actions = one["actions"]
        edits.append((with_actions(one, [*actions[:number], *actions[number + 1 :]]), number))
        edits.append((inserted(one, number + 1, action), number + 1))
        edits.append((edited(one, number, seat=(action["seat"] + 1) % 4), number))
    is_at_fault(edits, "turn")


def test_roll_where_there_is_no_die(is_at_fault):
    one = pool()[0]
    is_at_fault([(inserted(one, 0, {"seat": one["dealer"], "do": "roll", "suit": "B"}), 0)], "turn")


def test_a_second_roll_of_a_die_for_the_hand(is_at_fault):
    edits = []
    for one in pool(**DICE, roll_each="hand", hands=5):
        lead = one["actions"][5]["seat"]
        edits.append((inserted(one, 5, {"seat": lead, "do": "roll", "suit": "B"}), 5))
    is_at_fault(edits, "turn")


@pytest.mark.parametrize("place", ["give", "bid", "discard", "roll", "play"])
def test_actions_out_of_place(fault, place):
    one, number, _, action = next(places(pool(BRAZEN, **ALL), place))
    seat, deal = action["seat"], one["deal"]
    others = [
        *({"do": "give", "cards": deal[seat][:n]} for n in (0, 4)),
        *({"do": "bid", "bid": bid} for bid in ("pass", "five", 5, 79, 80, 99, 10**40, -1)),
        *({"do": "discard", "cards": deal[seat][:n]} for n in (0, 4)),
        *({"do": "roll", "suit": letter} for letter in "BTXZ"),
        *({"do": "play", "card": card} for card in (deal[seat][0], "17Z")),
        *({"do": "play", "card": deal[seat][0], "as": letter} for letter in "BTXZ"),
        {"do": "caught"},
        {"do": "annul"},
    ]
    others = [{"seat": seat, **other} for other in others if other["do"] != place]
    found = fault(*(inserted(one, number, other) for other in others))
    assert [(f.kind, f.action, f.clause) for f in found] == [
        ("illegal", number, "J16" if other["do"] == "caught" else "turn") for other in others
    ]


# ------------------------------------------------------------------------- revokes called out
def ends_of_tricks(one):
    """(number of the next action, reference's hand) where a trick has just ended."""
    hand, gifts = begin(one), []
    for number, action in enumerate(one["actions"], start=1):
        reference._act(hand, gifts, action)
        if action["do"] == "play" and not hand.trick:
            yield number, hand


def caught(seat):
    return {"seat": seat, "do": "caught"}


def test_caught_without_a_revoke_breaks_j16(is_at_fault):
    edits = []
    for one in pool(BRAZEN, **CHEATS, hands=6):
        for number, hand in ends_of_tricks(one):
            revoked = {seat for trick, seat in hand.revokes if trick == len(hand.winners) - 1}
            honest = [seat for seat in range(4) if seat not in revoked]
            edits += [(inserted(one, number, caught(seat)), number) for seat in honest[:1]]
        edits += [(inserted(one, number, caught(seat)), number) for seat in (-1, 4, 99, 10**40)]
    is_at_fault(edits, "J16")


def test_caught_twice_breaks_j16(is_at_fault):
    at_once, later = [], []
    for one in pool(BRAZEN, **CHEATS):
        for number, action in enumerate(one["actions"]):
            if action["do"] == "caught":
                at_once.append((inserted(one, number + 1, action), number + 1))
        for number, hand in ends_of_tricks(one):
            again = [
                seat
                for trick, seat in hand.revokes
                if trick == len(hand.winners) - 1 and seat in hand.called
            ]
            later += [(inserted(one, number, caught(seat)), number) for seat in again]
    is_at_fault(at_once[:40], "J16")
    # The policy plays honestly once caught: make a later revoke by leaving the first call out.
    for one in pool(BRAZEN, brazen=True, detection=0):
        revokes = [
            (number, trick_seat[1])
            for number, hand in ends_of_tricks(one)
            for trick_seat in hand.revokes
            if trick_seat[0] == len(hand.winners) - 1
        ]
        del one["switches"]["detection"]
        for seat in range(4):
            own = [number for number, who in revokes if who == seat]
            if len(own) > 1:
                first = inserted(one, own[0], caught(seat))
                later.append((inserted(first, own[1] + 1, caught(seat)), own[1] + 1))
    is_at_fault(later[:40], "J16")


def test_caught_in_the_middle_of_a_trick_or_late_breaks_j16(is_at_fault):
    edits = []
    for one in pool(BRAZEN, **CHEATS):
        actions = one["actions"]
        for number, action in enumerate(actions):
            if action["do"] == "caught" and actions[number - 1]["do"] == "play":
                rest = [*actions[: number - 1], action, actions[number - 1]]
                edits.append((with_actions(one, [*rest, *actions[number + 1 :]]), number - 1))
                if number + 1 < len(actions) and actions[number + 1]["do"] == "play":
                    rest = [*actions[:number], actions[number + 1], action]
                    late = with_actions(one, [*rest, *actions[number + 2 :]])
                    edits.append((late, number + 1))
    is_at_fault(edits[:60], "J16")


@pytest.mark.parametrize("switches", [{}, DICE, SHRIVING, TRAITOR], ids=str)
def test_caught_where_play_is_checked_breaks_j16(is_at_fault, switches):
    edits = []
    for one in pool(hands=4, **switches):
        numbers = range(len(one["actions"]) + 1)
        edits += [(inserted(one, number, caught(number % 4)), number) for number in numbers]
    is_at_fault(edits, "J16")


def test_calls_in_any_order(check):
    swapped = []
    for one in pool(BRAZEN, **CHEATS, hands=300):
        actions = one["actions"]
        for n in range(len(actions) - 1):
            if actions[n]["do"] == actions[n + 1]["do"] == "caught":
                order = [*actions[:n], actions[n + 1], actions[n], *actions[n + 2 :]]
                swapped.append({**one, "actions": order})
    assert swapped
    assert all(found.fault is None for found in check(*swapped))


def test_calls_left_out_change_the_result(check):
    """Nobody need call a revoke; what was stated no longer holds then."""
    freed = []
    for one in pool(BRAZEN, **CHEATS, hands=30):
        actions = [a for a in one["actions"] if a["do"] != "caught"]
        if len(actions) < len(one["actions"]):
            freed.append(with_actions(one, actions))
    assert freed
    assert all(found.fault is None for found in check(*freed))


def test_revokes_where_play_is_checked(check):
    """A revoke is what J6 to J10 forbid: without ``brazen`` it is refused where it was made."""
    edits, expected = [], []
    for one in pool(BRAZEN, **CHEATS, hands=40):
        first = None
        for number, hand, action in walk(one):
            if action["do"] == "play":
                answer = action["card"], reference._played_as(hand, action["card"], action)
                if answer not in hand.honest():
                    first = number
                    break
        if first is not None:
            out = with_actions(one, [a for a in one["actions"] if a["do"] != "caught"])
            del out["switches"]["brazen"]
            edits.append(out)
            before = [a for a in one["actions"][:first] if a["do"] == "caught"]
            expected.append(first - len(before))
    assert edits
    found = check(*edits)
    assert [each.fault.action for each in found] == expected
    assert {each.fault.clause for each in found} <= {"J6", "J7", "J9", "J10"}
    assert found_by(found) == [verdict(one) for one in edits]


# ------------------------------------------------------------------------- the pack
def test_wrong_pack_breaks_j2(is_at_fault):
    edits = []
    for players in (3, 4):
        one = without_result(pool(players=players, hands=1)[0])
        for seat in range(players):
            for card in ("17Z", "", "ab", "AB ", one["deal"][(seat + 1) % players][3]):
                bad = copy.deepcopy(one)
                bad["deal"][seat][5] = card
                edits.append((bad, None))
        own = copy.deepcopy(one)
        own["deal"][0][0] = own["deal"][0][1]
        edits.append((own, None))
    one = without_result(pool(players=3, hands=1)[0])
    one["stock"][0] = one["deal"][0][0]
    edits.append((one, None))
    four = without_result(pool(hands=1)[0])
    four["switches"]["deck"] = "four_suits"
    edits.append((four, None))
    is_at_fault(edits, "J2")


@pytest.mark.parametrize(
    ("switches", "clause"), [({}, "J3"), ({"players": 3}, "J3"), (TRAITOR, "J20")], ids=str
)
def test_wrong_numbers_of_cards(is_at_fault, switches, clause):
    one = without_result(pool(hands=1, **switches)[0])
    edits = []
    for edit in (
        lambda deal, stock: deal[0].pop(),
        lambda deal, stock: deal[0].append(deal[1].pop()),
        lambda deal, stock: stock.append(deal[2].pop()),
        lambda deal, stock: deal.pop(),
        lambda deal, stock: deal.append([]),
        lambda deal, stock: deal.append(list(deal[0])),
        lambda deal, stock: deal.clear(),
        lambda deal, stock: [cards.clear() for cards in deal],
        lambda deal, stock: stock.append("AB"),
        lambda deal, stock: deal[0].extend(["AB"] * 10_000),
    ):
        bad = copy.deepcopy(one)
        edit(bad["deal"], bad["stock"])
        edits.append((bad, None))
    if one["stock"]:
        edits.append(({**one, "stock": []}, None))
    is_at_fault(edits, clause)


# ------------------------------------------------------------------------- not readable
OTHERS = {
    "null": None,
    "true": True,
    "false": False,
    "a number": 7,
    "below none": -1,
    "a huge number": 10**40,
    "a fraction": 0.5,
    "a text": "AB",
    "an empty text": "",
    "a list": [],
    "lists": [[[]]],
    "an object": {},
    "objects": {"a": {"b": []}},
}
KINDS = {
    "format": str,
    "game": str,
    "switches": dict,
    "dealer": int,
    "deal": list,
    "stock": list,
    "actions": list,
    "result": dict,
}


@pytest.mark.parametrize("key", KINDS)
def test_wrong_kinds(fault, key):
    one = pool(hands=1)[0]
    bad = [{**one, key: value} for value in OTHERS.values() if type(value) is not KINDS[key]]
    assert {(f.kind, f.action, f.clause) for f in fault(*bad)} == {("malformed", None, "format")}


@pytest.mark.parametrize("key", NEEDED)
def test_missing_keys(fault, key):
    one = pool(hands=1)[0]
    del one[key]
    (found,) = fault(one)
    assert (found.kind, found.action, found.clause) == ("malformed", None, "format")
    assert key in found.message


@pytest.mark.parametrize("do", KEYS)
def test_wrong_kinds_in_actions(is_at_fault, do):
    one, number, _, action = next(places(pool(BRAZEN, **ALL), do))
    edits = []
    for key in action:
        fits = (int, str) if key == "bid" else (type(action[key]),)
        for value in OTHERS.values():
            if type(value) not in fits:
                bad = copy.deepcopy(without_result(one))
                bad["actions"][number][key] = value
                edits.append((bad, number))
        if key != "as":
            edits.append((edited(one, number, **{key: None}), number))
        if key == "cards":
            edits += [
                (edited(one, number, cards=[value, *action[key][1:]]), number)
                for value in OTHERS.values()
                if not isinstance(value, str)
            ]
    for value in OTHERS.values():
        if not isinstance(value, dict):
            bad = copy.deepcopy(without_result(one))
            bad["actions"][number] = value
            edits.append((bad, number))
    edits.append((with_actions(one, [*one["actions"][:number], {}]), number))
    is_at_fault(edits, "format", "malformed")


@pytest.mark.parametrize("what", ["deal", "stock"])
def test_wrong_kinds_of_cards(fault, what):
    one = pool(players=3, hands=1)[0]
    bad = []
    for value in OTHERS.values():
        if not isinstance(value, str):
            other = copy.deepcopy(one)
            (other["deal"][1] if what == "deal" else other["stock"])[0] = value
            bad.append(other)
        if what == "deal" and not isinstance(value, list):
            other = copy.deepcopy(one)
            other["deal"][1] = value
            bad.append(other)
    assert {(f.kind, f.action, f.clause) for f in fault(*bad)} == {("malformed", None, "format")}


def test_dealer_that_is_no_seat(fault):
    one = pool(hands=1)[0]
    bad = [{**one, "dealer": n} for n in (-1, 4, 99, 128, 256, 10**40, -(10**40), 0.0, "0")]
    assert {(f.kind, f.action, f.clause) for f in fault(*bad)} == {("malformed", None, "format")}


@pytest.mark.parametrize("text", ["tricklab-hand/2", "tricklab-hand", "", "TRICKLAB-HAND/1"])
def test_another_format(fault, text):
    (found,) = fault({**pool(hands=1)[0], "format": text})
    assert (found.kind, found.action, found.clause) == ("malformed", None, "format")


@pytest.mark.parametrize("text", ["juni", "", "Junni", "bridge"])
def test_unknown_game(fault, text):
    (found,) = fault({**pool(hands=1)[0], "game": text})
    assert (found.kind, found.action, found.clause) == ("malformed", None, "format")
    assert "junni" in found.message


WRONG_SWITCHES = [
    {"shrive": True},
    {"": 1},
    {"players": "4"},
    {"players": 4.0},
    {"players": True},
    {"players": None},
    {"players": [4]},
    {"players": 7},
    {"players": 2},
    {"players": 0},
    {"players": -1},
    {"players": 10**40},
    {"players": 5, "partners": True},
    {"players": 3, "partners": True},
    {"shriving": 1},
    {"shriving": 0},
    {"shriving": "true"},
    {"shriving": None},
    {"dice": "yes"},
    {"dice": []},
    {"shriving_cards": "4"},
    {"shriving_cards": 0},
    {"shriving_cards": 9},
    {"shriving_cards": 10**40},
    {"detection": "0.5"},
    {"detection": True},
    {"detection": 2},
    {"detection": -0.1},
    {"detection": 10**400},
    {"campaign_target": 0},
    {"campaign_target": 1e300},
    {"spare": 10**40},
    {"spare": -1},
    {"min_bid": 0},
    {"bid_step": 0},
    {"min_bid": 30, "traitor": True},
    {"roll_each": "round"},
    {"roll_each": {}},
    {"roll_each": True},
    {"first_leader": None},
    {"deck": "my-deck.toml"},
    {"deck": "data/my-deck.toml"},
    {"deck": str(OWN["deck"])},
    {"deck": ""},
    {"deck": "."},
    {"deck": None},
    {"deck": []},
    {"deck": 5},
    {"deck": {}},
    {"deck": {"name": "x"}},
    {"deck": {"name": "journey", "suits": []}},
    {"scoring": str(OWN["scoring"])},
    {"scoring": "points"},
    {"scoring": None},
    {"scoring": True},
    {"scoring": {}},
    {"scoring": {"name": "x", "trick": 10**40}},
    {"scoring": {"name": "x", "trick": -1}},
    {"scoring": {"name": "x", "trick": "2"}},
    {"scoring": {"name": "x", "trick": True}},
    {"scoring": {"name": "x", "suits": {"Q": 3}}},
    {"scoring": {"name": "x", "suits": [3]}},
]


@pytest.mark.parametrize("switches", WRONG_SWITCHES, ids=lambda s: json.dumps(s)[:60])
def test_wrong_switches(fault, switches):
    one = pool(hands=1)[0]
    (found,) = fault({**one, "switches": {"players": 4, **switches}})
    assert (found.kind, found.action, found.clause) == ("malformed", None, "switch")


def test_switches_at_their_defaults_may_be_stated(check):
    one = pool(hands=1)[0]
    stated = {name: spec.default for name, spec in options.specs(tl.GAMES["junni"]).items()}
    whole = {**stated, "detection": 1}
    found = check({**one, "switches": stated}, {**one, "switches": {}}, {**one, "switches": whole})
    assert [each.fault for each in found] == [None] * 3


NOT_JSON = {
    "empty object cut": b"{",
    "a word": b"hello",
    "a bracket": b"]",
    "NaN": b'{"format": NaN}',
    "two objects": b"{} {}",
    "single quotes": b"{'format': 'tricklab-hand/1'}",
    "a list": b"[]",
    "a number": b"17",
    "a text": b'"AB"',
    "null": b"null",
    "true": b"true",
    "not UTF-8": b'{"format": "tricklab-hand/1", "game": "\xff\xfe"}',
    "UTF-16": '{"format": "tricklab-hand/1"}'.encode("utf-16-le"),
    "a byte of zero": b"\x00",
    "lists in lists": b"[" * 100_000,
    "closed lists in lists": b"[" * 100_000 + b"]" * 100_000,
    "objects in objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
}


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON)
def test_lines_that_are_no_json_objects(fault, line):
    (found,) = fault(line)
    assert (found.kind, found.action, found.clause) == ("malformed", None, "format")


def test_truncated_lines(fault):
    line = as_line(pool(hands=1)[0])
    bad = [line[:n] for n in range(1, len(line) - 1, 97)]
    assert {(f.kind, f.action, f.clause) for f in fault(*bad)} == {("malformed", None, "format")}


def spots(value, path=()):
    """Where values stand in a JSON value, itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, (dict, list)):
            yield from spots(inner, (*path, key))


def put(one, path, value):
    """A JSON value with another one in one place; what lies beside the path is shared."""
    if not path:
        return value
    out = copy.copy(one)
    out[path[0]] = put(one[path[0]], path[1:], value)
    return out


def by_shape(one):
    """One path of each shape, so that not every card of a deal is tried."""
    shapes = {}
    for path in spots(one):
        shape = tuple("#" if isinstance(key, int) else key for key in path)
        if shape[:1] == ("actions",) and len(path) > 1:
            shape += (one["actions"][path[1]]["do"],)
        shapes.setdefault(shape, path)
    return list(shapes.values())


@functools.cache
def one_of_everything():
    """A history with every kind of action; not to be edited."""
    histories = pool(BRAZEN, **ALL, scoring="dead_reckoning")
    done = [{a["do"] for a in one["actions"]} for one in histories]
    one = next(one for one, dos in zip(histories, done, strict=True) if dos == set(KEYS))
    return {**one, "players_names": ["a", "b"], "more": {"x": [1, {"y": 2}]}}


@functools.cache
def one_with_own_files():
    """A history of a deck and table of one's own; not to be edited."""
    game = tl.game("junni", **OWN, **ALL)
    return json.loads(told(game, 1, BRAZEN)[0])


NUMBERS_AS_TEXT = {
    "10 to the 40": "1" + "0" * 40,
    "below none": "-1",
    "far below none": "-1" + "0" * 400,
    "10 to the 400": "1" + "0" * 400,
    "4000 digits": "9" * 4000,
    "10000 digits": "9" * 10_000,
    "1e400": "1e400",
    "-1e400": "-1e400",
    "1e308": "1e308",
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "true": "true",
    "2 to the 15": "32768",
    "2 to the 16": "65536",
    "2 to the 31": "2147483648",
    "2 to the 63": "9223372036854775808",
    "a half": "0.5",
    "none": "0",
    "minus none": "-0.0",
}


def strange_places(text, make, longest=99):
    """Lines with a text in every kind of place of a history that uses everything."""
    one = make()
    for path in by_shape(one):
        if len(path) > longest:
            continue
        yield path, json.dumps(put(one, path, "@@")).replace('"@@"', text).encode()


@pytest.mark.parametrize("make", [one_of_everything, one_with_own_files])
@pytest.mark.parametrize("text", NUMBERS_AS_TEXT.values(), ids=NUMBERS_AS_TEXT)
def test_strange_numbers_everywhere_raise_nothing(text, make):
    ignored = {"seed", "hand", "players_names", "more"}
    not_json = text in ("NaN", "Infinity", "-Infinity") or len(text) >= 10_000
    paths, lines = zip(*strange_places(text, make), strict=True)
    for path, found in zip(paths, checked(lines), strict=True):
        if path[0] in ignored and not not_json:
            assert found.fault is None, path
        elif not_json:
            assert found.fault is not None, path
            assert (found.fault.kind, found.fault.clause) == ("malformed", "format"), path
        elif len(text) > 30 and path[:2] not in (("switches", "deck"), ("switches", "scoring")):
            assert found.fault is not None, path
        json.dumps(found.to_dict())
        found.in_words()


@pytest.mark.parametrize(
    "text", ['"\\ud800"', '"a\\nb"', '"\\u0000"', '"' + "x" * 100_000 + '"'], ids=range(4)
)
@pytest.mark.parametrize("make", [one_of_everything, one_with_own_files])
def test_strange_texts_everywhere_raise_nothing(text, make):
    paths, lines = zip(*strange_places(text, make), strict=True)
    for path, found in zip(paths, checked(lines), strict=True):
        said = found.in_words()
        # What is printed is one line that any terminal can show.
        assert "\n" not in said, path
        said.encode("utf-8")


def test_deeply_nested_values_everywhere_raise_nothing():
    """Whatever can just be read as JSON can also be refused."""
    low, high = 10, 200_000
    while high - low > 1:
        depth = (low + high) // 2
        try:
            json.loads("[" * depth + "]" * depth)
            low = depth
        except RecursionError:
            high = depth
    depths = [50, 500, 100_000, *range(max(low - 100, 10), low + 2, 3)]
    for depth in depths:
        for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
            everywhere = strange_places(text, one_with_own_files, longest=2)
            paths, lines = zip(*everywhere, strict=True)
            for path, found in zip(paths, checked(lines), strict=True):
                # A title is shown as it stands, whatever it is; a result may have other keys.
                ignored = path[0] in ("seed", "hand") or path[-1] == "title"
                if not ignored and (path != ("result",) or text[0] == "["):
                    assert found.fault is not None, path


# ------------------------------------------------------------------------- too long, too short
@pytest.mark.parametrize(
    "switches",
    [{}, SHRIVING, DICE, TRAITOR, {**SHRIVING, **DICE, **TRAITOR}, {"players": 3}],
    ids=str,
)
def test_history_that_stops_early(is_at_fault, switches):
    edits = []
    for one in pool(hands=3, **switches):
        actions = one["actions"]
        edits += [(with_actions(one, actions[:n]), n) for n in range(len(actions))]
    is_at_fault(edits, "turn")


def test_actions_after_the_end(is_at_fault):
    edits = []
    for switches in ({}, DICE, TRAITOR, CHEATS):
        for one in pool(hands=3, **switches):
            n, last = len(one["actions"]), one["actions"][-1]
            extra = [last] if last["do"] == "play" else []
            extra += [
                {"seat": 0, "do": "play", "card": "AB"},
                {"seat": 0, "do": "bid", "bid": "pass"},
                {"seat": 0, "do": "roll", "suit": "B"},
                {"seat": 0, "do": "give", "cards": ["AB"]},
                {"seat": 0, "do": "discard", "cards": []},
            ]
            edits += [(inserted(one, n, action), n) for action in extra]
    over = passed_out()
    edits.append((inserted(over, 4, {"seat": 0, "do": "bid", "bid": 3}), 4))
    edits.append((inserted(over, 4, {"seat": 0, "do": "play", "card": "AB"}), 4))
    is_at_fault(edits, "turn")


def test_unknown_things_to_do(fault):
    one = pool(hands=1)[0]
    words = ["dance", "", "Play", "contract", "trumps", "call", "annul", "announce", "contra"]
    bad = [inserted(one, 6, {"seat": 0, "do": word}) for word in words]
    for found in fault(*bad):
        assert found.action == 6
        assert found.clause in ("turn", "format")


def test_the_first_fault_is_the_one_named(fault):
    one = pool(hands=1)[0]
    wrong_seat = {"seat": 9, "do": "play", "card": "AB"}
    both = inserted(inserted(one, 20, {"do": 3}), 10, wrong_seat)
    other = inserted(inserted(one, 20, wrong_seat), 10, {"do": 3})
    again = inserted(inserted(one, len(one["actions"]), {"do": 3}), 10, wrong_seat)
    late = inserted(one, len(one["actions"]), {"do": 3})
    found = [(f.kind, f.action, f.clause) for f in fault(both, other, again, late)]
    end = len(one["actions"])
    assert found[:3] == [
        ("illegal", 10, "turn"),
        ("malformed", 10, "format"),
        ("illegal", 10, "turn"),
    ]
    assert found[3][1] == end


# ------------------------------------------------------------------------- the stated result
def a_made_or_failed(made):
    for one in pool("simple", hands=200, **TRAITOR):
        if one["result"]["made"] is made:
            return one
    pytest.fail("no such hand")


@pytest.mark.parametrize(
    ("switches", "score", "win"),
    [
        ({}, "J13", "J13"),
        ({"scoring": "dead_reckoning"}, "J18", "J13"),
        ({**TRAITOR, "all_drop": "dealer_minimum"}, "J22", "J22"),
    ],
    ids=str,
)
def test_wrong_results(check, switches, score, win):
    clauses = {"tricks": "J11", "score": score, "win": win, "declarer": "J21", "made": "J22"}
    for one in pool(hands=3, **switches):
        for name, clause in clauses.items():
            right = one["result"][name]
            if isinstance(right, list):
                wrong = [put(right, (seat,), right[seat] + 1) for seat in range(4)]
                wrong += [put(right, (0,), value) for value in (-1, 99, 10**40, -(10**40), 0.125)]
                wrong += [put(right, (2,), right[2] + 1e-3)]
            elif name == "declarer":
                wrong = [value for value in (None, 0, 1, 2, 3, -1, 10**40) if value != right]
            else:
                wrong = [value for value in (None, True, False) if value is not right]
            stated = [{**one, "result": {**one["result"], name: value}} for value in wrong]
            alone = [{**one, "result": {name: value}} for value in wrong]
            for found in check(*stated, *alone):
                assert found.fault is not None
                got = found.fault.kind, found.fault.action, found.fault.clause
                assert got == ("mismatch", None, clause)
        (found,) = check({**one, "result": {**one["result"], "partner": 1}})
        assert found.fault.kind == "mismatch"


def test_results_that_are_right(check):
    one = pool(hands=1)[0]
    tied = next(one for one in pool(hands=200) if 0 < max(one["result"]["win"]) < 1)
    shares = [round(share, 7) for share in tied["result"]["win"]]
    floats = [float(n) for n in one["result"]["tricks"]]
    right = [
        without_result(one),
        {**one, "result": {}},
        {**one, "result": {"tricks": one["result"]["tricks"]}},
        {**one, "result": {"tricks": floats}},
        {**one, "result": {**one["result"], "bonuses": "none", "more": 1e300}},
        {**tied, "result": {"win": shares}},
    ]
    assert [found.fault for found in check(*right)] == [None] * len(right)


def test_made_and_failed(check):
    for made in (True, False):
        one = a_made_or_failed(made)
        other = {**one, "result": {**one["result"], "made": not made}}
        good, bad = check(one, other)
        assert good.fault is None
        assert (bad.fault.kind, bad.fault.clause) == ("mismatch", "J22")


@pytest.mark.parametrize("name", ["tricks", "score", "win", "declarer", "partner", "made"])
def test_results_of_a_wrong_kind(fault, name):
    one = a_made_or_failed(True)
    right = one["result"][name]
    wrong = [value for value in OTHERS.values() if not isinstance(value, type(right))]
    if isinstance(right, list):
        wrong += [[], right[:3], [*right, 0]]
        wrong += [put(right, (1,), v) for v in (None, True, False, "1", [], {})]
    else:
        wrong = [v for v in wrong if v is not None and not (name == "partner" and type(v) is int)]
    bad = [{**one, "result": {**one["result"], name: value}} for value in wrong]
    assert {(f.kind, f.action, f.clause) for f in fault(*bad)} == {("malformed", None, "format")}


@pytest.mark.parametrize("name", ["tricks", "score", "win"])
@pytest.mark.parametrize("text", ["1e400", "-1e400", "9" * 400, "-" + "9" * 400, "9" * 4000])
def test_huge_results_are_refused(name, text):
    one = pool(hands=1)[0]
    for seat in range(4):
        path = "result", name, seat
        line = json.dumps(put(one, path, "@@")).replace('"@@"', text).encode()
        (found,) = checked([line])
        assert found.fault is not None
        assert found.fault.kind in ("mismatch", "malformed")


def test_faults_in_play_come_before_the_result(fault):
    one = copy.deepcopy(pool(hands=1)[0])
    one["result"]["tricks"][0] += 1
    one["actions"][5]["card"] = one["actions"][1]["card"]
    (found,) = fault(one)
    assert found.action == 5


# ------------------------------------------------------------------------- whole files
def test_other_keys_are_ignored(check):
    one = pool(hands=1)[0]
    more = {"doubling": 2, "players_names": ["a"], "note": {"x": None}, "match": "first", "": 0}
    action = copy.deepcopy(one)
    action["actions"][0] |= {"time": 3.5, "note": None}
    assert [found.fault for found in check({**one, **more}, action)] == [None, None]


def test_key_order_and_white_space_do_not_matter(check):
    one = pool(BRAZEN, **ALL)[0]
    turned = dict(reversed(one.items()))
    turned["actions"] = [dict(reversed(action.items())) for action in one["actions"]]
    spaced = b"  \t" + json.dumps(one, separators=(" ,\t", " : ")).encode() + b"  \r"
    assert [found.fault for found in check(turned, spaced)] == [None, None]


def test_order_of_cards_in_a_holding_does_not_matter(check):
    one = pool(BRAZEN, **ALL)[0]
    one["deal"] = [cards[::-1] for cards in one["deal"]]
    for action in one["actions"]:
        if "cards" in action:
            action["cards"].reverse()
    assert check(one)[0].fault is None


def test_good_lines_beside_bad_ones(check):
    good = [*pool(BRAZEN, **ALL)[:12], *pool(hands=8), *pool(hands=8, **SHRIVING)]
    lines, expected = [], []
    for number, one in enumerate(good):
        lines.append(one)
        expected.append(True)
        bad = [
            b"{",
            {**one, "dealer": 9},
            inserted(one, 7, {"do": 1}),
            inserted(one, number % 9, {"seat": 9, "do": "play", "card": "AB"}),
            with_actions(one, one["actions"][: number % 5]),
            {**one, "result": {"tricks": [9, 9, 9, 9]}},
        ][number % 6]
        lines.append(bad)
        expected.append(False)
    found = check(*lines)
    assert [each.fault is None for each in found] == expected
    assert [each.line for each in found] == list(range(1, len(lines) + 1))
    alone = [check(line)[0].fault for line in lines]
    assert [each.fault for each in found] == alone


def test_blank_lines_are_passed_over_but_counted(tmp_path):
    good = as_line(pool(hands=1)[0])
    path = tmp_path / "gaps.jsonl"
    path.write_bytes(b"\n\n" + good + b"\r\n   \t\n{\n\n" + good)
    found = list(check_histories(path))
    assert [(each.line, each.fault is None) for each in found] == [
        (3, True),
        (5, False),
        (7, True),
    ]
    path.write_bytes(b"\n" + good + b"\n\n" + good + b"\n\n")
    assert len(tl.read_histories(path).hands) == 2
    path.write_bytes(b"")
    assert list(check_histories(path)) == []
    with pytest.raises(tl.UserError):
        tl.read_histories(path)


def test_more_lines_than_are_read_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("tricklab.replay.CHUNK", 7)
    game = tl.game("junni")
    path = tmp_path / "told.jsonl"
    run = tl.simulate(game, 30, RANDOM, 1, record="plays", histories=path)
    read = tl.read_histories(path)
    for name, frame in run.frames.items():
        assert_frame_equal(read.frames[name], frame, check_exact=True)


# ------------------------------------------------------------------------- fuzz
SPECS = options.specs(tl.GAMES["junni"])
STRANGE = [
    *OTHERS.values(),
    *(0, 1, 2, 3, 4, 5, 19, 20, 10**400, 1.0, 1e300, "@1e400@"),
    *("pass", "T", "X", "B", "Z", "AB", "1X", "16T", "play", "caught", "roll", "\ud800"),
    *(
        ["AB"],
        [["AB"]],
        [None],
        {"seat": 0, "do": "caught"},
        {"seat": 1, "do": "roll", "suit": "B"},
    ),
]


def mutated(one, draw):
    """A copy with one to three random values taken away, changed or doubled."""
    out = copy.deepcopy(one)
    for _ in range(draw.choice([1, 1, 2, 3])):
        everywhere = list(spots(out))
        if not everywhere:
            break
        short = [path for path in everywhere if len(path) <= 2 and path[0] not in ("seed", "hand")]
        path = draw.choice(draw.choice([everywhere, short or everywhere]))
        inner = out
        for key in path[:-1]:
            inner = inner[key]
        how = draw.random()
        if how < 0.25:
            del inner[path[-1]]
        elif how < 0.5 and isinstance(inner, list):
            inner.insert(draw.randrange(len(inner) + 1), copy.deepcopy(inner[path[-1]]))
        elif how < 0.65 and isinstance(inner, list):
            other = draw.randrange(len(inner))
            inner[path[-1]], inner[other] = inner[other], inner[path[-1]]
        elif how < 0.8:
            # The same kind of value from elsewhere in the history.
            alike = [
                value
                for value in map(functools.partial(at, out), everywhere)
                if type(value) is type(inner[path[-1]])
            ]
            inner[path[-1]] = copy.deepcopy(draw.choice(alike))
        else:
            inner[path[-1]] = copy.deepcopy(draw.choice(STRANGE))
    return out


def at(one, path):
    for key in path:
        one = one[key]
    return one


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def are_texts(value):
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def well_formed(one):
    """Whether all is of the kind that the format says, and switches within their listed ranges.

    The reference is lax there: it takes true for 1 and has no upper limits of numbers.
    """
    if set(NEEDED) - set(one) or not isinstance(one["switches"], dict):
        return False
    for name, value in one["switches"].items():
        if name not in SPECS or SPECS[name].problem(value):
            return False
        if SPECS[name].open_ended and not isinstance(value, str):
            return False
    if not is_whole(one["dealer"]) or not isinstance(one["deal"], list):
        return False
    if not all(map(are_texts, [*one["deal"], one["stock"]])):
        return False
    if not isinstance(one["actions"], list) or not all(map(is_action, one["actions"])):
        return False
    return isinstance(one.get("result", {}), dict)


def is_action(action):
    if not isinstance(action, dict) or not is_whole(action.get("seat")):
        return False
    do = action.get("do")
    if do == "bid":
        bid = action.get("bid")
        return is_whole(bid) or isinstance(bid, str)
    if do in ("give", "discard"):
        return are_texts(action.get("cards"))
    if do == "roll":
        return isinstance(action.get("suit"), str)
    if do == "play":
        return isinstance(action.get("card"), str) and isinstance(action.get("as", ""), str)
    return isinstance(do, str)


def result_holds(one):
    """Whether what is stated of the result agrees with the reference."""
    hand, gifts = begin(one), []
    for action in one["actions"]:
        drop_where_forced(hand, action)
        reference._act(hand, gifts, action)
    for name, right in reference.result(hand).items():
        if name not in one.get("result", {}):
            continue
        said = one["result"][name]
        if isinstance(right, list):
            if not isinstance(said, list) or len(said) != len(right):
                return False
            if not all(map(is_number, said)):
                return False
            if any(abs(Fraction(a) - Fraction(b)) > 1e-6 for a, b in zip(said, right, strict=True)):
                return False
        elif type(said) is not type(right) or said != right:
            return False
    return True


def fuzz_line(one):
    return json.dumps(one).replace('"@1e400@"', "1e400").encode()


FUZZED = {
    "plain": {},
    "all": ALL,
    "dice": {**DICE, "roll_each": "hand", "players": 3},
    "traitor": {**TRAITOR, **SHRIVING, "shriving_before_bidding": False, "players": 5},
    "brazen": {**CHEATS, "audit": True, "partners": True, "scoring": "flat"},
}


@pytest.mark.parametrize("name", FUZZED)
def test_fuzz_agrees_with_the_reference(name, tmp_path):
    switches = FUZZED[name]
    draw = random.Random(name)
    good = pool(BRAZEN if "brazen" in switches else RANDOM, hands=20, **switches)
    bad = [mutated(draw.choice(good), draw) for _ in range(110)]
    lines = [fuzz_line(one) for one in bad]
    path = tmp_path / "fuzz.jsonl"
    path.write_bytes(b"\n".join(lines))
    together = checked(lines)
    assert [found.fault for found in check_histories(path)] == [found.fault for found in together]
    few = checked_alone(lines[:20])
    assert [found.fault for found in few] == [found.fault for found in together[:20]]
    accepted = 0
    for line, found in zip(lines, together, strict=True):
        one = json.loads(line)
        json.dumps(found.to_dict())
        assert "\n" not in found.in_words()
        where = f"{found.in_words()}: {line!r}"
        if not well_formed(one):
            assert found.fault is not None, where
            continue
        expected = verdict_or_type_error(one)
        if expected is None and not result_holds(one):
            assert found.fault is not None, where
            assert found.fault.kind in ("mismatch", "malformed"), where
            continue
        if expected is None:
            accepted += 1
            assert found.fault is None, where
        elif expected[0] is None:
            assert found.fault is not None, where
            assert found.fault.action is None, where
        else:
            assert found.fault is not None, where
            assert (found.fault.action, found.fault.clause) == expected, where
    assert accepted


def verdict_or_type_error(one):
    """The reference's verdict; it may stumble over switches that do not go together."""
    try:
        return verdict(one)
    except TypeError:
        return None, "format"


def test_fuzz_of_own_decks_and_tables_raises_nothing():
    draw = random.Random(5)
    one = one_with_own_files()
    lines = []
    for _ in range(200):
        other = copy.deepcopy(one)
        name = draw.choice(["deck", "scoring"])
        other["switches"][name] = mutated(other["switches"][name], draw)
        lines.append(fuzz_line(other))
    for found in checked(lines):
        json.dumps(found.to_dict())
        assert "\n" not in found.in_words()


def test_fuzz_of_bytes_raises_nothing():
    draw = random.Random(6)
    line = as_line(pool(BRAZEN, **ALL)[0])
    lines = []
    for _ in range(200):
        other = bytearray(line)
        for _ in range(draw.choice([1, 2, 5])):
            other[draw.randrange(len(other))] = draw.choice([*b'"{}[]:,0-1eX', draw.randrange(256)])
        lines.append(bytes(other))
    assert len(checked(lines)) == 200


# ------------------------------------------------------------------------- reading as a run
def test_mixed_games_are_told_apart(tmp_path):
    path = tmp_path / "mixed.jsonl"
    plain, dice = pool(hands=6), pool(hands=6, **DICE)
    mixed = [one for pair in zip(plain, dice, strict=True) for one in pair]
    path.write_bytes(b"\n" + b"\n".join(map(as_line, mixed)))
    with pytest.raises(tl.UserError, match=r"line 3\b"):
        tl.read_histories(path)
    for game, own in ((tl.game("junni"), plain), (tl.game("junni", dice=True), dice)):
        read = tl.read_histories(path, game=game)
        assert read.game == game
        assert read.hands["hand"].to_list() == list(range(6))
        tricks = read.seats["tricks"].to_numpy().reshape(6, 4)
        assert tricks.tolist() == [one["result"]["tricks"] for one in own]
    with pytest.raises(tl.UserError):
        tl.read_histories(path, game=tl.game("junni", players=3))


def test_reading_a_line_with_a_fault(tmp_path):
    path = tmp_path / "bad.jsonl"
    one = pool(hands=1)[0]
    path.write_bytes(as_line(one) + b"\n\n" + as_line(edited(one, 4, seat=9)) + b"\n")
    with pytest.raises(tl.UserError, match=r"line 3\b.*action 4.*turn"):
        tl.read_histories(path)
    with pytest.raises(tl.UserError, match=r"line 3\b"):
        tl.read_histories(path, game=tl.game("junni"))


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".", "no/such/folder/x"])
def test_file_that_cannot_be_read(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tl.UserError):
        tl.read_histories(name)
    with pytest.raises(tl.UserError):
        list(check_histories(name))
    with pytest.raises(tl.UserError):
        history_at(name, 1)


# ------------------------------------------------------------------------- writing in one go
def stopped_after(monkeypatch, where, error, calls=1):
    """Make the writing of the histories of the second block go wrong."""
    real, count = where.history_lines, []

    def fails(*args):
        count.append(1)
        if len(count) > calls:
            raise error
        return real(*args)

    monkeypatch.setattr(where, "history_lines", fails)


def play_some(which, path, monkeypatch):
    if which == "simulate":
        monkeypatch.setattr(simulation, "BLOCK", 8)
        tl.simulate(tl.game("junni"), 30, RANDOM, 1, histories=path, n_jobs=1)
    else:
        monkeypatch.setattr(match, "MATCH_BLOCK", 2)
        game = tl.game("junni", campaign=True, campaign_target=30)
        match.simulate_matches(game, 6, RANDOM, 1, histories=path, n_jobs=1)


@pytest.mark.parametrize("which", ["simulate", "matches"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("x"), MemoryError()])
def test_interrupted_run_leaves_nothing(tmp_path, monkeypatch, which, error):
    stopped_after(monkeypatch, simulation if which == "simulate" else match, error, calls=2)
    with pytest.raises(type(error)):
        play_some(which, tmp_path / "told.jsonl", monkeypatch)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("which", ["simulate", "matches"])
def test_interrupted_run_keeps_what_was_there(tmp_path, monkeypatch, which):
    where = simulation if which == "simulate" else match
    stopped_after(monkeypatch, where, KeyboardInterrupt(), calls=2)
    path = tmp_path / "told.jsonl"
    path.write_text("mine\n")
    with pytest.raises(KeyboardInterrupt):
        play_some(which, path, monkeypatch)
    assert [each.name for each in tmp_path.iterdir()] == ["told.jsonl"]
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize("which", ["simulate", "matches"])
def test_nothing_stands_there_until_the_run_is_over(tmp_path, monkeypatch, which):
    where = simulation if which == "simulate" else match
    path, real, seen = tmp_path / "told.jsonl", where.history_lines, []

    def looks(*args):
        seen.append(path.exists())
        return real(*args)

    monkeypatch.setattr(where, "history_lines", looks)
    play_some(which, path, monkeypatch)
    assert len(seen) > 2
    assert not any(seen)
    assert [each.name for each in tmp_path.iterdir()] == ["told.jsonl"]
    assert all(found.fault is None for found in check_histories(path))


def test_finished_run_replaces_what_was_there(tmp_path):
    path = tmp_path / "told.jsonl"
    path.write_text("mine\n" * 100_000)
    tl.simulate(tl.game("junni"), 3, RANDOM, 1, histories=path)
    assert len(path.read_text("utf-8").splitlines()) == 3


class FullDisk:
    def __init__(self, file):
        self.file = file

    def write(self, text):
        raise OSError(28, "No space left on device")

    def close(self):
        self.file.close()


@pytest.mark.parametrize("fails", ["to begin", "to write", "to end", "to take its place"])
def test_place_that_cannot_be_written(tmp_path, monkeypatch, fails):
    def refuses(*args, **kwargs):
        raise OSError(28, "No space left on device")

    def full(*args, **kwargs):
        return FullDisk(real(*args, **kwargs))

    def ends_badly(*args, **kwargs):
        file = FullDisk(real(*args, **kwargs))
        file.write = lambda text: None
        file.close = refuses
        return file

    real = os.fdopen
    if fails == "to begin":
        monkeypatch.setattr(tempfile, "mkstemp", refuses)
    elif fails == "to write":
        monkeypatch.setattr(os, "fdopen", full)
    elif fails == "to end":
        monkeypatch.setattr(os, "fdopen", ends_badly)
    else:
        monkeypatch.setattr(Path, "replace", refuses)
    with pytest.raises(tl.UserError, match="No space left on device"):
        tl.simulate(tl.game("junni"), 3, RANDOM, 1, histories=tmp_path / "told.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_bad_arguments_leave_nothing(tmp_path):
    path = tmp_path / "told.jsonl"
    with pytest.raises(tl.UserError):
        tl.simulate(tl.game("junni"), 0, RANDOM, 1, histories=path)
    with pytest.raises(tl.UserError):
        tl.simulate(tl.game("junni"), 3, RANDOM, 1, record="cards", histories=path)
    with pytest.raises(tl.UserError):
        match.simulate_matches(tl.game("junni"), 3, RANDOM, 1, histories=path)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------- command line


def write(name, *lines):
    Path(name).write_bytes(b"".join(as_line(line) + b"\n" for line in lines))


def test_check_says_ok(answer):
    write("good.jsonl", *pool(hands=3), b"", *pool(hands=2, **DICE))
    lines = answer("histories", "check", "good.jsonl").splitlines()
    assert lines == [f"line {n}: OK" for n in (1, 2, 3, 5, 6)]


def test_check_names_the_fault(tricklab):
    one = pool(hands=1)[0]
    write("bad.jsonl", one, edited(one, 4, seat=9), b"{", {**one, "result": {"tricks": [0] * 4}})
    code, out, err = tricklab("histories", "check", "bad.jsonl")
    assert (code, err) == (1, "")
    first, second, third, fourth = out.splitlines()
    assert first == "line 1: OK"
    assert second.startswith("line 2, action 4: illegal (turn): ")
    assert third.startswith("line 3: malformed (format): ")
    assert fourth.startswith("line 4: mismatch (J11): ")


def test_fault_in_a_card_says_all(tricklab):
    one = pool(hands=1)[0]
    number = 5
    taken = one["actions"][1]["card"]
    write("bad.jsonl", edited(one, number, card=taken, **{"as": None}))
    out = tricklab("histories", "check", "bad.jsonl")[1]
    seat = one["actions"][number]["seat"]
    assert f"seat {seat}" in out
    assert "trick 2" in out
    assert taken in out


def test_illegal_card_names_what_would_be_legal(check):
    def wanted(hand, card):
        lead = hand.trick[0][2] if hand.trick else "T"
        return lead != "T" and holds(hand, lead) and is_plain(card) and card[-1] != lead

    (one, number), *_ = wrong_cards(pool(), wanted)
    hand = next(hand for n, hand, _ in walk(one) if n == number)
    legal = {card for card, _ in hand.legal()}
    message = check(one)[0].fault.message
    assert f"seat {hand.seat}" in message
    assert f"trick {len(hand.winners) + 1}" in message
    assert legal <= set(message.replace(",", " ").split())


def test_check_as_json(tricklab):
    one = pool(hands=1)[0]
    write("mixed.jsonl", one, b"", edited(one, 4, seat=9), {**one, "switches": {"x": 1}}, b"{")
    code, out, err = tricklab("histories", "check", "mixed.jsonl", "--json")
    assert (code, err) == (1, "")
    said = [json.loads(line) for line in out.splitlines()]
    keys = ["line", "ok", "kind", "action", "clause", "message"]
    assert all(list(each) == keys for each in said)
    assert [tuple(each.values())[:5] for each in said] == [
        (1, True, None, None, None),
        (3, False, "illegal", 4, "turn"),
        (4, False, "malformed", None, "switch"),
        (5, False, "malformed", None, "format"),
    ]
    assert said[0]["message"] is None
    assert all(isinstance(each["message"], str) for each in said[1:])


def test_check_as_json_without_faults(answer):
    write("good.jsonl", pool(hands=1)[0])
    (said,) = map(json.loads, answer("histories", "check", "good.jsonl", "--json").splitlines())
    nothing = dict.fromkeys(["kind", "action", "clause", "message"])
    assert said == {"line": 1, "ok": True, **nothing}


@pytest.mark.parametrize(
    "args",
    [
        ("histories", "check", "nowhere.jsonl"),
        ("histories", "check", "."),
        ("histories", "check", "nowhere.jsonl", "--json"),
        ("show", "nowhere.jsonl", "--line", "1"),
        ("show", "two.jsonl", "--line", "3"),
        ("show", "two.jsonl", "--line", "0"),
        ("show", "two.jsonl", "--line", "-1"),
        ("show", "two.jsonl", "--line", "99999999999"),
        ("show", "two.jsonl", "--line", str(2**64)),
        ("show", "gap.jsonl", "--line", "1"),
        ("show", "bad.jsonl", "--line", "1"),
        ("show", "two.jsonl"),
    ],
    ids=" ".join,
)
def test_mistakes_are_one_line(tricklab, args):
    write("two.jsonl", *pool(hands=2))
    write("gap.jsonl", b"", pool(hands=1)[0])
    write("bad.jsonl", b"{")
    code, out, err = tricklab(*args)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["a\nb", "\ud800", "\x1b[31m", "x" * 10_000], ids=range(4))
@pytest.mark.parametrize("what", ["deck", "scoring"])
def test_strange_names_are_printed(tricklab, what, name):
    one = one_with_own_files()
    good, bad = copy.deepcopy(one), copy.deepcopy(one)
    good["switches"][what]["name"] = bad["switches"][what]["name"] = name
    if what == "deck":
        del bad["switches"]["deck"]["trumps"]
    else:
        bad["switches"]["scoring"]["suits"]["Q"] = 3
    write("odd.jsonl", good, bad, bad)
    for more in ((), ("--json",)):
        code, out, err = tricklab("histories", "check", "odd.jsonl", *more)
        assert (code, err) == (1, "")
        assert out.count("\n") == 3
        out.encode("utf-8")
    code, out, err = tricklab("show", "odd.jsonl", "--line", "1")
    assert (code, err) == (0, "")
    out.encode("utf-8")


def test_show_of_a_line(answer):
    switches = ("--set", "brazen=true", "--set", "traitor=true", "--set", "shriving=true")
    common = ("junni", *switches, "--policy", BRAZEN, "--seed", "7")
    out = answer("simulate", *common, "--hands", "6", "--histories", "told.jsonl", "--no-progress")
    assert "told.jsonl" in out.splitlines()[-1]
    for number in range(6):
        told_line = answer("show", "told.jsonl", "--line", str(number + 1))
        of_run = answer("show", *common, "--hand", str(number))
        *body, last = told_line.splitlines()
        assert body == of_run.splitlines()[: len(body)]
        assert last == f"line {number + 1} of told.jsonl"


def test_show_of_a_line_beside_bad_ones(answer):
    write("some.jsonl", b"{", b"", pool(hands=1)[0], b"[]")
    assert answer("show", "some.jsonl", "--line", "3").endswith("line 3 of some.jsonl\n")


def test_show_of_a_line_is_that_of_the_run(variant, tmp_path):
    from tricklab.picture import draw
    from tricklab.simulation import table_of

    policy = policies_of(variant)[-1]
    path = tmp_path / "told.jsonl"
    tl.simulate(variant, 3, policy, 4, histories=path)
    for number in range(3):
        assert draw(*history_at(path, number + 1)) == draw(table_of(variant, number, policy, 4))


def test_matches_write_histories(answer):
    switches = ("--set", "campaign=true", "--set", "campaign_target=30")
    args = ("matches", "junni", *switches, "--matches", "3", "--policy", "simple")
    out = answer(*args, "--histories", "told.jsonl", "--no-progress")
    assert "told.jsonl" in out.splitlines()[-1]
    lines = [json.loads(line) for line in Path("told.jsonl").read_text("utf-8").splitlines()]
    assert {one["match"] for one in lines} == {0, 1, 2}
    assert next(one["round"] for one in lines if one["match"] == 1) == 1
    assert answer("histories", "check", "told.jsonl").count("OK") == len(lines)


def test_histories_with_json_output(answer):
    args = ("simulate", "junni", "--hands", "3", "--histories", "told.jsonl", "--json")
    json.loads(answer(*args, "--no-progress"))
    assert len(Path("told.jsonl").read_text("utf-8").splitlines()) == 3


@pytest.mark.parametrize("path", ["folder", "folder/", "no/such/told.jsonl", "a-file/told.jsonl"])
@pytest.mark.parametrize("command", ["simulate", "matches"])
def test_place_of_histories_is_refused_before_play(tricklab, monkeypatch, command, path):
    for where in ("tricklab.simulation.run_block", "tricklab.match.match_block"):
        monkeypatch.setattr(where, lambda *args, **kw: pytest.fail("played"))
    Path("folder").mkdir()
    Path("a-file").touch()
    before = sorted(Path().rglob("*"))
    switches = ("--set", "campaign=true") if command == "matches" else ()
    code, out, err = tricklab(command, "junni", *switches, "--histories", path)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize("command", ["simulate", "matches"])
def test_interruption_is_one_line_and_leaves_nothing(tricklab, monkeypatch, command):
    where = simulation if command == "simulate" else match
    stopped_after(monkeypatch, where, KeyboardInterrupt(), calls=0)
    switches = ("--set", "campaign=true") if command == "matches" else ()
    code, out, err = tricklab(command, "junni", *switches, "--histories", "told.jsonl")
    assert (code, out) == (130, "")
    assert err.strip() == "stopped; nothing was written"
    assert list(Path().iterdir()) == []
