"""KAJI against a slow implementation in plain Python that shares no code with the package."""

import itertools
import json
import random

import numpy as np
import pytest

import tricklab as tl
from conftest import GAMES
from reference import kaji as reference
from tricklab.bidding import NO_SEAT
from tricklab.games.kaji import beats_matrix, points
from tricklab.policies import seated
from tricklab.simulation import run_block

VARIANTS = [game for game in GAMES if game.name == "kaji"]


class Sensible(tl.Careful):
    """Bids carefully, so that contracts of all heights are played, and does the rest at random."""

    name = ""

    trumps = tl.Random.trumps
    call = tl.Random.call
    discard = tl.Random.discard
    play = tl.Random.play


def told(game, hands, policy, path):
    tl.simulate(game, hands, policy, 2, histories=path, n_jobs=1, progress=False)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def game_id(game):
    return game.label.replace(" ", ",")


def rules_of(game):
    """The reference's switches; the default length of a match is not stated there."""
    return reference.Rules(**game.switches)


@pytest.mark.parametrize("policy", ["random", "simple", "careful", Sensible()], ids=str)
@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_histories_replay_in_the_reference(game, policy, tmp_path):
    made = set()
    for one in told(game, 150, policy, tmp_path / "told.jsonl"):
        expected = reference.replay(one).result()
        assert one["result"] == expected
        made.add(expected["made"])
    # At random nearly every bid is too high.
    assert made >= ({False} if policy == "random" else {False, True})


@pytest.mark.parametrize("game", VARIANTS, ids=game_id)
def test_choices_and_voids_are_those_of_the_reference(game):
    """At every play: how much choice there is, and what a seat has shown not to hold (K8)."""
    table = run_block(
        game, seated(Sensible(), game.players), 4, 0, 40, lambda t, _: t, choices=True
    )
    deck = game.deck
    letters = [suit.letter for suit in deck.suits]
    seen = 0
    for h in np.flatnonzero(~table.over):
        trumps = letters[table.state.trump[h]]
        holdings = [deck.cards_in(masks) for masks in table.start[h]]
        voids = [0] * game.players
        for t in range(table.tricks):
            leader = int(table.leaders[t, h])
            trick = []
            for place in range(game.players):
                seat = (leader + place) % game.players
                card = deck.cards[table.cards[t, h, seat]]
                legal = reference.legal(holdings[seat], trick, trumps)
                assert card in legal
                assert table.choices[t, h, seat] == len(legal)
                if trick:
                    current = reference.current_suit(trick, trumps)
                    if reference.suit(card) != current:
                        voids[seat] |= 1 << letters.index(current)
                        seen += 1
                holdings[seat].remove(card)
                trick.append((seat, card))
            assert table.winners[t, h] == reference.winner(trick, trumps)
        assert table.state.voids[h].tolist() == voids
    assert seen


def test_every_suit_beats_what_it_beats_in_the_reference():
    beats = beats_matrix()
    for t, trumps in enumerate(reference.SUITS):
        for s, o in itertools.product(range(4), repeat=2):
            expected = s != o and reference.suit_beats(
                trumps, reference.SUITS[s], reference.SUITS[o]
            )
            assert bool(beats[t, s] >> o & 1) == expected


def test_points_are_those_of_the_reference():
    for bid, over, alone in itertools.product(range(1, 13), range(-10, 13), [False, True]):
        ours, theirs = points(np.array(bid), np.array(over), np.array(alone))
        assert (int(ours), int(theirs)) == reference.points(bid, over, alone)


# ---------------------------------------------------------------------- all ways to play


def reference_lines(rules, holdings, trumps, leader):
    """Every way to play an ending, with the tricks that each seat takes."""
    lines = {}

    def extend(line):
        hand = reference.Hand.at_play(
            rules, holdings, declarer=leader, trumps=trumps, bid=1, leader=leader
        )
        for card in line:
            seat, _ = hand.turn()
            hand.do({"seat": seat, "do": "play", "card": card})
        if hand.finished:
            lines[" ".join(line)] = list(hand.tricks)
            return
        for action in hand.legal():
            extend([*line, action["card"]])

    extend([])
    return lines


def package_lines(game, holdings, trumps, leader):
    lines = {}
    size = sum(map(len, holdings))

    def extend(line):
        position = tl.Position(game, holdings, leader=leader, trumps=trumps).play(*line)
        if len(line) == size:
            lines[" ".join(line)] = position.tricks
            return
        for card in sorted(position.legal()):
            extend([*line, card])

    extend([])
    return lines


@pytest.mark.parametrize("trumps", reference.SUITS)
@pytest.mark.parametrize(
    ("players", "cards", "seed"), [(2, 4, 1), (2, 4, 2), (3, 3, 3), (3, 3, 4), (4, 2, 5), (5, 2, 6)]
)
def test_the_same_ways_to_play(players, cards, seed, trumps):
    draw = random.Random(seed)
    rules = reference.Rules(players=players)
    few = draw.sample(reference.pack(rules), players * cards)
    holdings = [few[seat * cards : (seat + 1) * cards] for seat in range(players)]
    leader = draw.randrange(players)
    expected = reference_lines(rules, holdings, trumps, leader)
    assert len(expected) > 1
    assert package_lines(tl.game("kaji", players=players), holdings, trumps, leader) == expected


@pytest.mark.parametrize(
    ("trumps", "holdings", "ways"),
    [
        # Everybody follows throughout: only the leader chooses, once.
        ("F", ["1J 1K", "2J 2K", "3J 3K"], 2),
        # Seat 1 has no Jan: either card.  Po takes over, and seat 2 must follow Po; Ken does not,
        # and seat 2 must follow Jan.
        ("F", ["1J 2J", "1P 1K", "3J 2P"], 2 * 2),
        # Jan trumps: whatever seat 1 plays to Po takes over; seat 2 has neither suit.
        ("J", ["1P 2P", "1K 1F", "12P 11P"], 2 * 2 * 2),
    ],
)
def test_ways_to_play_counted_by_hand(trumps, holdings, ways):
    cards = [holding.split() for holding in holdings]
    rules = reference.Rules(players=3)
    assert len(reference_lines(rules, cards, trumps, 0)) == ways
    assert len(package_lines(tl.game("kaji", players=3), cards, trumps, 0)) == ways


# ---------------------------------------------------------------------------- matches


@pytest.mark.parametrize("switches", [{"players": 3}, {"match_hands": 5}, {"players": 2}], ids=str)
def test_matches_are_those_of_the_reference(switches, tmp_path):
    game = tl.game("kaji", **switches)
    path = tmp_path / "told.jsonl"
    run = tl.simulate_matches(
        game, 12, "careful", 3, first_dealer=1, histories=path, n_jobs=1, progress=False
    )
    matches = [reference.Match(rules_of(game), dealer=1) for _ in range(12)]
    for line in path.read_text("utf-8").splitlines():
        one = json.loads(line)
        match = matches[one["match"]]
        assert not match.finished
        assert one["dealer"] == match.dealer
        match.add(one["result"]["score"])
    assert all(match.finished for match in matches)
    assert run.matches["finished"].all()
    standings = run.standings.set_index(["match", "seat"])
    for number, match in enumerate(matches):
        assert standings.loc[number, "score"].tolist() == match.totals
        assert standings.loc[number, "win"].tolist() == pytest.approx(match.win())


def test_sides_are_declarer_and_partner_against_all_others():
    game = tl.game("kaji", players=5)
    table = run_block(game, seated("random", 5), 4, 0, 200, lambda t, _: t)
    for h in np.flatnonzero(~table.over):
        side = {int(table.declarer[h]), int(table.partner[h])} - {NO_SEAT}
        for seat in range(5):
            mine = side if seat in side else set(range(5)) - side
            assert {s for s in range(5) if table.sides[h, seat] >> s & 1} == mine
