"""A game of one's own in a few lines: follow suit, highest wins, count tricks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

import tricklab as tl
from tricklab import options
from tricklab.games.parts import Clauses, Score, shares
from tricklab.play import Tricks
from tricklab.policies import seated
from tricklab.simulation import run_blocks
from tricklab.trick_data import trick_rules

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
FRENCH = tl.Deck.from_dict(
    {
        "name": "french",
        "suits": [
            {"letter": letter, "name": name, "ranks": RANKS}
            for letter, name in zip("CDHS", ("Clubs", "Diamonds", "Hearts", "Spades"), strict=True)
        ],
    }
)


@dataclass(frozen=True)
class Whist(tl.Game):
    """Four players in two teams, no trumps; left of the dealer leads; a point a trick."""

    players: int = options.option(4, "number of players", clause="W1", low=4, high=4)

    name = "whist"
    title = "Whist"
    version = 1
    deck = FRENCH
    clauses = Clauses("W1", "W1", result={"tricks": "W3", "score": "W3", "win": "W3"})

    @cached_property
    def rules(self):
        return trick_rules(FRENCH)

    @cached_property
    def phases(self):
        return (Tricks(),)

    @cached_property
    def sides(self):
        return np.array([0b0101, 0b1010] * 2, np.uint16)

    def play_clause(self, attempt):
        return "W2"

    def score(self, table):
        taken = table.state.tricks.astype(np.int16)
        none = np.full(table.hands, -1, np.int8)
        return Score(np.zeros_like(taken), taken, shares(taken, self.sides), none)


@dataclass(frozen=True)
class Spades(Whist):
    """The same with spades for trumps, which may not be led before they are broken."""

    name = "spades"
    title = "Spades"
    trump = FRENCH.suit_index("S")

    @cached_property
    def rules(self):
        return trick_rules(FRENCH, trumps_need_breaking=True)


@pytest.fixture(params=[Whist, Spades])
def game(request, monkeypatch):
    monkeypatch.setitem(tl.GAMES, request.param.name, request.param)
    return request.param()


def best(cards, trump):
    """The position that takes a trick, in plain Python."""
    suit = cards[0][-1]
    order = [(c[-1] == trump, c[-1] == suit, RANKS.index(c[:-1])) for c in cards]
    return order.index(max(order))


@pytest.mark.parametrize("policy", ["random", "simple", "careful"])
def test_it_is_played_by_its_rules(game, policy):
    run = tl.simulate(game, 150, policy, 3, record="plays")
    trump = "S" if game.trump >= 0 else ""
    held = {
        (hand, seat): set(cards)
        for hand in range(150)
        for seat, cards in enumerate(tl.deal(game, 150, 3).holdings(hand))
    }
    broken = dict.fromkeys(range(150), False)
    winners = run.tricks.set_index(["hand", "trick"])["winner"]
    for (hand, number), trick in run.plays.groupby(["hand", "trick"]):
        cards, seats = trick["card"].astype(str).tolist(), trick["seat"].tolist()
        for position, (card, seat) in enumerate(zip(cards, seats, strict=True)):
            mine = held[hand, seat]
            if position:
                suit = cards[0][-1]
                may = {c for c in mine if c[-1] == suit} or mine
            else:
                plain = {c for c in mine if c[-1] != trump}
                may = mine if broken[hand] or not plain else plain
            assert card in may
            mine.remove(card)
            broken[hand] |= card[-1] == trump
        assert winners[hand, number] == seats[best(cards, trump)]
    assert (run.seats["score"] == run.seats["tricks"]).all()


def test_everything_works_on_it(game, tmp_path):
    path = tmp_path / "hands.jsonl"
    run = tl.simulate(game, 30, "careful", 3, record="plays", histories=path)
    assert tl.read_histories(path).plays.equals(run.plays)
    assert tl.how_often(game, "tricks >= 7", hands=500).value > 0
    assert tl.load(run.save(tmp_path / "run")).game == game


def test_careful_beats_simple_beats_random_at_it(game):
    def team(table, first):
        score = table.game.score(table).score
        return score[:, [0, 1]].astype(float) + score[:, [2, 3]]

    def scores(policies):
        at = seated(policies, 4)
        return np.concatenate(list(run_blocks(game, 2_000, at, 8, team, n_jobs=1)))

    for strong, weak in (("simple", "random"), ("careful", "simple")):
        gain = scores([strong, weak] * 2)[:, 0] - scores(weak)[:, 0]
        assert tl.mean(gain, level=0.99).low > 0
