"""The compiled game and the plain-Python reference agree card for card.

Runs of the package are replayed in :mod:`reference.junni`, which knows nothing of the package:
every gift, every legal answer, every trick and every score is worked out again from the rule sheet.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tricklab as tl
from reference import junni as reference

# The switches as choices that make sense together: how many cards are given only matters with
# shriving, how often the die is rolled only with dice.
CHOICES: dict[str, list[dict]] = {
    "shriving": [
        {},
        {"shriving": True, "shriving_cards": 1},
        {"shriving": True, "shriving_cards": 4},
        {"shriving": True, "shriving_cards": 8},
    ],
    "arete_court": [{"arete_court": False}, {"arete_court": True}],
    "dice": [{}, {"dice": True, "roll_each": "trick"}, {"dice": True, "roll_each": "hand"}],
    "partners": [{"partners": False}, {"partners": True}],
    "scoring": [{"scoring": name} for name in ("tricks", "dead_reckoning", "flat", "trump_heavy")],
    "deck": [{"deck": name} for name in ("journey", "four_suits", "short_suits")],
    "first_leader": [{"first_leader": name} for name in ("dealer", "left_of_dealer")],
    "next_leader": [{"next_leader": name} for name in ("winner", "rotate")],
}


def choices_for(players: int) -> dict[str, list[dict]]:
    """The choices of each switch, less those the sheet forbids with so many players (J24)."""
    choices = dict(CHOICES)
    if players in (3, 5):
        choices["partners"] = [{"partners": False}]
    return choices


def pairwise(players: int) -> list[dict]:
    """Switch settings in which every pair of values of every two switches occurs."""
    choices = choices_for(players)
    names = list(choices)
    missing = {
        (one, i, two, j)
        for one, two in itertools.combinations(names, 2)
        for i in range(len(choices[one]))
        for j in range(len(choices[two]))
    }
    draw = random.Random(players)
    games = []
    while missing:
        # Start from a pair still missing and fill the other switches in as well as a few
        # random tries allow; which games come out matters little, that every pair does is sure.
        one, i, two, j = min(missing)
        best: tuple[int, dict[str, int]] = (0, {})
        for _ in range(60):
            picks = {name: draw.randrange(len(choices[name])) for name in names}
            picks[one], picks[two] = i, j
            covered = pairs_of(picks) & missing
            if len(covered) > best[0]:
                best = (len(covered), picks)
        missing -= pairs_of(best[1])
        game: dict = {"players": players}
        for name, pick in best[1].items():
            game.update(choices[name][pick])
        games.append(game)
    return games


def pairs_of(picks: dict[str, int]) -> set[tuple[str, int, str, int]]:
    return {(a, picks[a], b, picks[b]) for a, b in itertools.combinations(picks, 2)}


def game_id(switches: dict) -> str:
    return ",".join(f"{name}={value}" for name, value in switches.items() if value is not False)


PAIRWISE = [switches for players in (3, 4, 5, 6) for switches in pairwise(players)]


# ---------------------------------------------------------------------------------- replay


def rows_by_hand(frame, columns: list[str], order: list[str]) -> dict[int, list[dict]]:
    """The rows of a frame as plain dictionaries, by hand, in order of play."""
    frame = frame.sort_values(["hand", *order])
    values = {}
    for column in columns:
        series = frame[column]
        values[column] = (
            series.astype(str) if series.dtype.name in ("category", "object", "str") else series
        ).tolist()
    rows = defaultdict(list)
    for i, hand in enumerate(frame["hand"].tolist()):
        rows[hand].append({column: values[column][i] for column in columns})
    return rows


def check_batch(switches: dict, policies="random", hands: int = 60, seed: int = 0) -> None:
    """Replay a batch of the package in the reference and compare everything they both know."""
    rules = reference.Rules(**switches)
    game = tl.game("junni", **switches)
    assert game.cards_each == reference.cards_each(rules)
    assert sorted(game.deck.cards) == sorted(reference.pack(rules))
    run = tl.simulate(
        game,
        hands=hands,
        policies=policies,
        seed=seed,
        n_jobs=1,
        record="plays",
        progress=False,
    )
    deals = tl.deal(game, hands=hands, seed=seed)
    plays = rows_by_hand(
        run.plays,
        ["trick", "position", "seat", "card", "as_suit", "choices"],
        ["trick", "position"],
    )
    tricks = rows_by_hand(run.tricks, ["trick", "leader", "winner", "trump"], ["trick"])
    summary = rows_by_hand(
        run.hands,
        ["dealer", "leader", "broken_trick", "winners", "excuse_saves", "worthless_tricks"],
        [],
    )
    seats = rows_by_hand(run.seats, ["seat", "tricks", "score", "win", "excuse_saves"], ["seat"])
    assert sorted(plays) == sorted(tricks) == sorted(summary) == sorted(seats) == [*range(hands)]
    for hand in range(hands):
        where = f"hand {hand} of {switches} with {policies}, seed {seed}"
        dealt = [list(cards) for cards in deals.holdings(hand)]
        aside = list(deals.set_aside(hand))
        assert sorted(itertools.chain(aside, *dealt)) == sorted(reference.pack(rules)), where
        assert int(deals.dealer[hand]) == summary[hand][0]["dealer"], where
        check_hand(rules, dealt, plays[hand], tricks[hand], summary[hand][0], seats[hand], where)


def check_hand(
    rules: reference.Rules,
    dealt: list[list[str]],
    plays: list[dict],
    tricks: list[dict],
    summary: dict,
    seats: list[dict],
    where: str,
) -> None:
    hand = reference.Hand(rules, dealt, dealer=summary["dealer"])
    assert hand.leader == summary["leader"], where
    if rules.shriving:
        played: list[set[str]] = [set() for _ in range(rules.players)]
        for row in plays:
            played[row["seat"]].add(row["card"])
        hand.give(
            [sorted(set(before) - after) for before, after in zip(dealt, played, strict=True)]
        )
        assert [set(cards) for cards in hand.holdings] == played, where

    n_tricks = len(dealt[0])
    assert [row["trick"] for row in tricks] == list(range(1, n_tricks + 1)), where
    assert len(plays) == n_tricks * rules.players, where
    first_position = plays[0]["position"]
    for trick in tricks:
        at = f"trick {trick['trick']}, {where}"
        if hand.needs_roll():
            hand.roll(trick["trump"])
        assert (trick["leader"], trick["trump"]) == (hand.leader, hand.trumps), at
        first = (trick["trick"] - 1) * rules.players
        for position, row in enumerate(plays[first : first + rules.players]):
            assert row["trick"] == trick["trick"], at
            assert row["position"] == first_position + position, at
            assert row["seat"] == hand.seat, at
            answers = hand.legal()
            answer = (row["card"], row["as_suit"])
            assert answer in answers, f"{answer} not in {sorted(answers)}: {hand.trick}, {at}"
            assert row["choices"] == len(answers), (
                f"{row['choices']} choices, {sorted(answers)}: {hand.trick}, {at}"
            )
            hand.play(*answer)
        assert trick["winner"] == hand.winners[-1], at

    assert hand.finished, where
    assert summary["broken_trick"] == hand.broken_trick, where
    assert summary["worthless_tricks"] == hand.worthless_tricks, where
    assert [row["seat"] for row in seats] == list(range(rules.players)), where
    assert [row["tricks"] for row in seats] == hand.tricks, where
    assert [row["excuse_saves"] for row in seats] == hand.excuse_saves, where
    assert summary["excuse_saves"] == sum(hand.excuse_saves), where
    assert [row["score"] for row in seats] == pytest.approx(hand.score()), where
    assert [row["win"] for row in seats] == pytest.approx(hand.win()), where


# --------------------------------------------------------------------- runs of the package


def test_every_pair_of_switch_values_is_replayed():
    for players in (3, 4, 5, 6):
        games = [game for game in PAIRWISE if game["players"] == players]
        for one, two in itertools.combinations(choices_for(players).values(), 2):
            for first, second in itertools.product(one, two):
                wanted = (first | second).items()
                assert any(wanted <= game.items() for game in games), (players, wanted)


@pytest.mark.parametrize("switches", PAIRWISE, ids=game_id)
def test_every_pair_of_switches_agrees_with_the_reference(switches):
    check_batch(switches, hands=60, seed=len(game_id(switches)))


@pytest.mark.parametrize("policy", ["random", "simple", "careful"])
@pytest.mark.parametrize(
    "switches",
    [
        {"players": 4},
        {"players": 3, "scoring": "dead_reckoning", "arete_court": True},
        {"players": 4, "shriving": True, "dice": True, "arete_court": True},
        {"players": 6, "partners": True, "shriving": True, "scoring": "flat"},
        {
            "players": 5,
            "dice": True,
            "roll_each": "hand",
            "next_leader": "rotate",
            "scoring": "trump_heavy",
        },
    ],
    ids=game_id,
)
def test_every_policy_plays_by_the_reference(policy, switches):
    check_batch(switches, policies=policy, hands=60, seed=17)


@st.composite
def switch_settings(draw) -> dict:
    players = draw(st.integers(3, 6))
    switches = {
        "players": players,
        "arete_court": draw(st.booleans()),
        "partners": draw(st.booleans()) if players in (4, 6) else False,
        "scoring": draw(st.sampled_from(["tricks", "dead_reckoning", "flat", "trump_heavy"])),
        "deck": draw(st.sampled_from(["journey", "four_suits", "short_suits"])),
        "first_leader": draw(st.sampled_from(["dealer", "left_of_dealer"])),
        "next_leader": draw(st.sampled_from(["winner", "rotate"])),
    }
    if draw(st.booleans()):
        switches |= {"shriving": True, "shriving_cards": draw(st.integers(1, 8))}
    if draw(st.booleans()):
        switches |= {"dice": True, "roll_each": draw(st.sampled_from(["trick", "hand"]))}
    return switches


@settings(
    derandomize=True,
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    switches=switch_settings(),
    policy=st.sampled_from(["random", "simple", "careful"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_switches_agree_with_the_reference(switches, policy, seed):
    check_batch(switches, policies=policy, hands=20, seed=seed)


# ------------------------------------------------------------- counting every way to play


def written(card: str, as_suit: str, leads: bool) -> str:
    """An answer of the reference in the words of a position."""
    if reference.suit(card) == reference.BARBARIANS:
        return f"{card} as {as_suit}" if leads else card
    return card if as_suit == reference.suit(card) else f"{card} as {as_suit}"


def reference_hand(
    rules: reference.Rules, holdings: list[list[str]], rolls: str, line: list[tuple[str, str]]
) -> reference.Hand:
    """A small ending after a line of play, the die showing the given faces."""
    hand = reference.Hand(rules, holdings, leader=0)
    if hand.needs_roll():
        hand.roll(rolls[0])
    for card, as_suit in line:
        hand.play(card, as_suit)
        if hand.needs_roll():
            hand.roll(rolls[len(hand.winners)])
    return hand


def package_position(game, holdings: list[list[str]], rolls: str, line: list[str]):
    """The same ending in the package."""
    trumps = rolls[0] if game.dice else None
    position = tl.Position(game, holdings=holdings, leader=0, trumps=trumps)
    for number, answer in enumerate(line, start=1):
        position.play(answer)
        tricks, rest = divmod(number, len(holdings))
        if game.dice and rest == 0 and tricks < len(holdings[0]):
            position.roll(rolls[tricks])
    return position


def reference_lines(rules: reference.Rules, holdings: list[list[str]], rolls: str) -> set[str]:
    """Every legal way to play an ending out, each written down as one line with its score."""
    lines = set()

    def extend(line: list[tuple[str, str]], words: list[str]) -> None:
        hand = reference_hand(rules, holdings, rolls, line)
        if hand.finished:
            lines.add(f"{' '.join(words)}: {hand.tricks} {hand.score()}")
            return
        for card, as_suit in sorted(hand.legal()):
            extend([*line, (card, as_suit)], [*words, written(card, as_suit, not hand.trick)])

    extend([], [])
    return lines


def package_lines(game, holdings: list[list[str]], rolls: str) -> set[str]:
    """Every way to play an ending out that the package allows."""
    lines = set()
    n_plays = len(holdings) * len(holdings[0])

    def extend(line: list[str]) -> None:
        position = package_position(game, holdings, rolls, line)
        if len(line) == n_plays:
            tricks = [int(taken) for taken in position.tricks]
            lines.add(f"{' '.join(line)}: {tricks} {[float(x) for x in position.score()]}")
            return
        for answer in sorted(position.legal()):
            extend([*line, answer])

    extend([])
    return lines


def tiny_deal(rules: reference.Rules, cards: int, seed: int) -> tuple[list[list[str]], str]:
    """A small ending rich in courts, trumps and barbarians, and faces of the die for it."""
    draw = random.Random(seed)
    few = [
        card
        for card in reference.pack(rules)
        if reference.suit(card) in "BCT" and reference.rank(card) in "2R5S9"
    ]
    few += ["RS", "SL", "SS", "1X", "2X"]
    draw.shuffle(few)
    holdings = [few[seat * cards : (seat + 1) * cards] for seat in range(rules.players)]
    return holdings, "".join(draw.choice("BCT") for _ in range(cards))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"arete_court": True},
        {"dice": True},
        {"arete_court": True, "dice": True},
        {"arete_court": True, "dice": True, "next_leader": "rotate", "scoring": "dead_reckoning"},
    ],
    ids=game_id,
)
def test_the_same_ways_to_play_two_cards_each(switches, seed):
    switches = {"players": 3, **switches}
    rules = reference.Rules(**switches)
    holdings, rolls = tiny_deal(rules, 2, seed)
    expected = reference_lines(rules, holdings, rolls)
    found = package_lines(tl.game("junni", **switches), holdings, rolls)
    assert len(found) == len(expected)
    assert found == expected


@pytest.mark.parametrize("seed", [100, 101])
def test_the_same_ways_to_play_three_cards_each(seed):
    switches = {"players": 3, "arete_court": True, "dice": True}
    rules = reference.Rules(**switches)
    holdings, rolls = tiny_deal(rules, 3, seed)
    expected = reference_lines(rules, holdings, rolls)
    found = package_lines(tl.game("junni", **switches), holdings, rolls)
    assert len(found) == len(expected)
    assert found == expected


@pytest.mark.parametrize(
    ("switches", "holdings", "ways"),
    [
        # Everybody follows suit throughout: only the leader chooses, once.
        ({}, ["2B 2C", "3B 3C", "4B 4C"], 2),
        # One suit: 2 x 2 x 2 orders of the first trick, the second is forced.
        ({}, ["2B 3B", "4B 5B", "6B 7B"], 8),
        # Either barbarian is led.  Named Leaves or Stars (2 of 5 names): both followers are
        # bound, win and lead, 1 way.  Another name: 2 x 2 discards, the leader keeps the lead
        # (J12) and names one of 5.  2 x (2 x 1 + 3 x 4 x 5).
        ({}, ["1X 2X", "2L 2S", "3L 3S"], 124),
        # The Rook is led either way, the others are forced.
        ({"arete_court": True}, ["RB", "2K", "3L"], 2),
        # The Rook of Bells turned to Coins binds the next seat to its Coin; upright it does not.
        # 1 way x the last seat's 2 discards, or 2 x 2; then everything is forced.
        # Leading 3B instead: 2 x 2 discards, and then the Rook is led either way.
        ({"arete_court": True}, ["RB 3B", "2C 2K", "3L 3K"], 1 * 2 + 2 * 2 + 2 * 2 * 2),
    ],
)
def test_ways_to_play_counted_by_hand(switches, holdings, ways):
    rules = reference.Rules(players=3, **switches)
    cards = [holding.split() for holding in holdings]
    assert len(reference_lines(rules, cards, "TT")) == ways
    assert len(package_lines(tl.game("junni", players=3, **switches), cards, "TT")) == ways


# ------------------------------------------------------------------ the reference by itself


@pytest.mark.parametrize("switches", PAIRWISE, ids=game_id)
def test_the_reference_keeps_its_own_books(switches):
    rules = reference.Rules(**switches)
    draw = random.Random(1)
    for dealer in range(rules.players):
        cards = reference.pack(rules)
        draw.shuffle(cards)
        each = reference.cards_each(rules)
        holdings = [cards[seat * each : (seat + 1) * each] for seat in range(rules.players)]
        dealt = sorted(itertools.chain(*holdings))
        hand = reference.Hand(rules, holdings, dealer=dealer)
        if rules.shriving:
            hand.give([draw.sample(h, rules.shriving_cards) for h in hand.holdings])
            assert [len(h) for h in hand.holdings] == [each] * rules.players
        while not hand.finished:
            if hand.needs_roll():
                hand.roll(draw.choice(reference.die_faces(rules)))
            hand.play(*draw.choice(sorted(hand.legal())))
        assert sorted(itertools.chain(*hand.piles)) == dealt
        assert sum(hand.tricks) == each
        expected = each * reference.trick_points(rules)
        expected += sum(reference.card_points(rules, card) for card in dealt)
        assert sum(hand.score()) == expected
        sides = len(reference.sides(rules))
        assert sum(hand.win()) == pytest.approx(rules.players / sides)


def test_the_reference_lets_the_earlier_of_two_inverted_cards_win():
    # No deck that ships has two Rooks with one inverted suit, so a replay never meets this (J17).
    rules = reference.Rules(players=3, arete_court=True)
    trick = [(1, "3K", "K"), (2, "RB", "K"), (0, "RC", "K")]
    assert reference.winner(rules, trick, "T") == 2
    assert reference.winner(rules, [trick[0], trick[2], trick[1]], "T") == 0
