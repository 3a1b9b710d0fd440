"""What every game must be."""

import re

import pytest

import tricklab as tl
from tricklab import options

GAMES = list(tl.GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_switches_state_meaning_and_clause_of_the_sheet(name):
    cls = tl.GAMES[name]
    clauses = set(re.findall(r"\*\*([A-Z]\d+)", cls.sheet()))
    for spec in options.specs(cls).values():
        assert spec.meaning
        assert spec.clause in clauses


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_frozen_and_known_by_its_switches(name):
    game = tl.game(name)
    assert game == tl.game(name, **game.switches)
    assert hash(game) == hash(tl.game(name))
    with pytest.raises(AttributeError):
        game.players = 3
    for switch, spec in options.specs(game).items():
        for choice in spec.choices:
            assert game.replace(**{switch: choice}).plain_switch(switch) == choice


def test_switches_read_from_text():
    game = tl.game("junni", players="5", shriving="yes", shriving_cards="3", dice="off")
    assert (game.players, game.shriving, game.shriving_cards, game.dice) == (5, True, 3, False)
    assert game.switches == {"players": 5, "shriving": True, "shriving_cards": 3}


@pytest.mark.parametrize("name", GAMES)
def test_random_play_reaches_the_end_of_every_hand(name):
    run = tl.simulate(tl.game(name), 200, "random", 1)
    assert len(run.seats) == 200 * run.game.players
