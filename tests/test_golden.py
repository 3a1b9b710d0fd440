"""Hands played through once and kept: any change in what is dealt, played or scored shows.

``pytest --golden-rewrite`` writes them anew; read the diff before you commit it.  All seats play
at random, so that tuning a policy changes nothing here.
"""

from pathlib import Path

import numpy as np
import pytest

import tricklab as tl
from tricklab.picture import draw
from tricklab.policies.base import HONEST

GOLDEN = Path(__file__).parent / "golden"
PLAYTHROUGHS = {
    "basic": {},
    "three_players": {"players": 3},
    "shriving_arete": {"shriving": True, "arete_court": True},
    "dice": {"dice": True, "arete_court": True, "players": 5},
    "partners_reckoning": {"partners": True, "scoring": "dead_reckoning"},
    "six_rotating": {"players": 6, "next_leader": "rotate", "first_leader": "left_of_dealer"},
    "four_suits": {"deck": "four_suits", "dice": True, "roll_each": "hand"},
    "traitor": {"traitor": True, "partners": True},
    "traitor_points": {"traitor": True, "players": 5, "scoring": "dead_reckoning"},
    "spare": {
        "traitor": True,
        "spare_to": "traitor",
        "shriving": True,
        "shriving_before_bidding": False,
    },
    "passed_out": {"traitor": True, "min_bid": 20, "spare": 0, "players": 6, "scoring": "flat"},
    "kaji": {"name": "kaji"},
    "kaji_two": {"name": "kaji", "players": 2, "first_bidder": "dealer"},
    "kaji_five": {"name": "kaji", "players": 5},
    "emperor": {"name": "emperor"},
    "emperor_lost": {"name": "emperor", "lost_side_bonuses": False, "cap": "total"},
    "emperor_nothing": {"name": "emperor", "loss": "nothing", "failed_bonus": "nothing"},
    "brazen": {"brazen": True, "traitor": True, "arete_court": True},
    "trjamann": {"name": "trjamann"},
    "trjamann_no_twos": {"name": "trjamann", "deck": "no_twos", "other_may_be_spades": False},
    "trjamann_two_exchanged": {"name": "trjamann", "max_exchange": 2},
}


class Careless(tl.Random):
    """Plays at random, by the rules or not."""

    uniform = False

    def revoke(self, view):
        rank = np.where(view.holds, view.words()[:, None] % (7 + view.deck.rank_of), -1)
        return np.where(view.uniform() < 0.3, rank.argmax(axis=1), HONEST)

    def bid(self, view):
        if view.game.bids:
            # The most there is to begin with, so that the hand is played.
            may = view.offers["may_bid"]
            most = may.shape[1] - 1 - may[:, ::-1].argmax(axis=1)
            return np.where(view.high_bid == 0, most, super().bid(view))
        return np.where(view.min_bid == 20, 0, super().bid(view))


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_hand_is_played_as_it_was_kept(name, request):
    game = tl.game(**{"name": "junni", **PLAYTHROUGHS[name]})
    text = draw(tl.table_of(game, 5, Careless(), 2026)) + "\n"
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--golden-rewrite"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_playthrough_is_kept_that_nothing_compares():
    assert {path.stem for path in GOLDEN.iterdir()} == set(PLAYTHROUGHS)
