"""Trjámann as played by the package and by the plain-Python reference agree card for card.

Hands are simulated with histories, and every history is replayed in :mod:`reference.trjamann`,
which knows nothing of the package.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tricklab as tl
from conftest import variants
from reference import trjamann as reference
from tricklab.options import specs

VARIANTS = variants("trjamann")
POLICIES = ("random", "simple", "careful")


def histories(path, run):
    """The histories that a run wrote, one a hand."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(lines) == len(run.hands)
    return lines


def check(path, run):
    """Replay every hand of a run; returns the histories."""
    told = histories(path, run)
    for history, row in zip(told, run.hands.itertuples(), strict=True):
        hand = reference.replay(history)
        right = hand.result()
        assert history["result"]["win"] == pytest.approx(right.pop("win"))
        assert {name: history["result"][name] for name in right} == right
        assert row.declarer == right["declarer"]
        assert reference.CONTRACTS[row.contract] == hand.contract
        assert (row.trumps if isinstance(row.trumps, str) else None) == hand.trumps
        assert row.exchanged == len(hand.discards)
        assert row.taken == right["tricks"][right["declarer"]]
        assert row.made == right["made"]
    scores = run.seats["score"].to_numpy().reshape(-1, 3).tolist()
    assert scores == [history["result"]["score"] for history in told]
    return told


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("switches", VARIANTS, ids=lambda s: ",".join(map(str, s.values())))
def test_every_pair_of_switches_agrees_with_the_reference(switches, policy, tmp_path):
    game = tl.game("trjamann", **switches)
    path = tmp_path / "hands.jsonl"
    run = tl.simulate(game, 60, policy, 11, histories=path)
    told = check(path, run)
    assert {action["do"] for action in told[0]["actions"]} == (
        {"contract", "discard", "play"} if game.discards else {"contract", "play"}
    )
    # What the package wrote it reads, and finds nothing wrong with.
    assert all(each.fault is None for each in tl.check_histories(path))


@pytest.mark.parametrize("contract", [*reference.CONTRACTS, "other H"])
@pytest.mark.parametrize("policy", POLICIES)
def test_every_contract_agrees_with_the_reference(policy, contract, tmp_path):
    path = tmp_path / "hands.jsonl"
    who = tl.Declares(tl.policy(policy), contract)
    run = tl.simulate(tl.game("trjamann"), 60, who, 5, histories=path)
    for history in check(path, run):
        chosen = history["actions"][0]
        assert chosen["contract"] == contract.split()[0]
        assert contract != "other H" or chosen["suit"] == "H"


@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[*HealthCheck])
@given(
    deck=st.sampled_from(["full", "no_twos"]),
    spades=st.booleans(),
    most=st.integers(0, 4),
    policies=st.lists(st.sampled_from(POLICIES), min_size=3, max_size=3),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_switches_agree_with_the_reference(tmp_path, deck, spades, most, policies, seed):
    game = tl.game("trjamann", deck=deck, other_may_be_spades=spades, max_exchange=most)
    path = tmp_path / "hands.jsonl"
    check(path, tl.simulate(game, 20, policies, seed, histories=path))


@pytest.mark.parametrize("end", specs(tl.GAMES["trjamann"])["end"].choices)
@pytest.mark.parametrize("policy", ["random", "careful"])
@pytest.mark.parametrize("first", [0, 2])
def test_matches_agree_with_the_reference(end, policy, first, tmp_path):
    rules = reference.Rules(end=end, max_hands=30)
    game = tl.game("trjamann", end=end, max_hands=30)
    path = tmp_path / "hands.jsonl"
    run = tl.simulate_matches(game, 60, policy, 3, first_dealer=first, histories=path)
    by_match = defaultdict(list)
    for history in check(path, run):
        by_match[history["match"]].append(history)
    standings = run.standings.groupby("match")
    for number, told in by_match.items():
        match = reference.Match(rules, first)
        for history in told:
            assert not match.finished
            assert history["dealer"] == match.dealer
            result = history["result"]
            contract = history["actions"][0]["contract"]
            match.add(result["score"], contract, result["declarer"])
        assert match.finished
        final = standings.get_group(number)
        assert final["score"].tolist() == match.totals
        assert final["win"].tolist() == pytest.approx(match.win())
    assert run.matches["hands"].tolist() == [len(by_match[number]) for number in range(60)]


# ------------------------------------------------------------- counting every way to play


def tiny(cards, seed):
    """A small ending, and a contract for it."""
    draw = random.Random(seed)
    few = [rank + suit for suit in "CHS" for rank in ("3", "7", "J", "A")]
    draw.shuffle(few)
    holdings = [few[seat * cards : (seat + 1) * cards] for seat in range(3)]
    return holdings, draw.choice(["nullo", "grand", "spades", "other H"]), draw.randrange(3)


def reference_lines(holdings, contract, declarer):
    """Every legal way to play an ending out, with its tricks."""
    name, _, letter = contract.partition(" ")
    lines = set()

    def extend(line):
        hand = reference.Hand.at_play(reference.Rules(), holdings, declarer, name, letter or None)
        for card in line:
            hand.do({"seat": hand.turn()[0], "do": "play", "card": card})
        if hand.finished:
            lines.add((*line, *hand.tricks, *hand.result()["score"]))
            return
        for action in hand.legal():
            extend([*line, action["card"]])

    extend([])
    return lines


def package_lines(holdings, contract, declarer):
    """Every way to play an ending out that the package allows."""
    game, lines = tl.game("trjamann"), set()

    def extend(line):
        position = tl.Position(
            game, holdings, leader=declarer, contract=contract, declarer=declarer
        )
        position.play(*line)
        if len(line) == 3 * len(holdings[0]):
            lines.add((*line, *position.tricks, *map(int, position.score())))
            return
        for card in sorted(position.legal()):
            extend([*line, card])

    extend([])
    return lines


@pytest.mark.parametrize("seed", range(12))
def test_the_same_ways_to_play_two_cards_each(seed):
    ending = tiny(2, seed)
    assert package_lines(*ending) == reference_lines(*ending)


@pytest.mark.parametrize("seed", [100, 101])
def test_the_same_ways_to_play_three_cards_each(seed):
    ending = tiny(3, seed)
    assert package_lines(*ending) == reference_lines(*ending)
