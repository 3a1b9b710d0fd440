"""Hands played through once and kept: any change in what is dealt, played or scored shows.

``pytest --golden-rewrite`` writes them anew; read the diff before you commit it.  All seats play
at random, so that tuning a policy changes nothing here.
"""

from pathlib import Path

import pytest

import tricklab as tl
from tricklab.picture import draw

GOLDEN = Path(__file__).parent / "golden"
PLAYTHROUGHS = {
    "basic": {},
    "three_players": {"players": 3},
    "shriving_arete": {"shriving": True, "arete_court": True},
    "dice": {"dice": True, "arete_court": True, "players": 5},
    "partners_reckoning": {"partners": True, "scoring": "dead_reckoning"},
    "six_rotating": {"players": 6, "next_leader": "rotate", "first_leader": "left_of_dealer"},
    "four_suits": {"deck": "four_suits", "dice": True, "roll_each": "hand"},
}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_hand_is_played_as_it_was_kept(name, request):
    game = tl.game("junni", **PLAYTHROUGHS[name])
    text = draw(tl.table_of(game, 5, "random", 2026)) + "\n"
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--golden-rewrite"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_no_playthrough_is_kept_that_nothing_compares():
    assert {path.stem for path in GOLDEN.iterdir()} == set(PLAYTHROUGHS)
