"""The picture of a hand names what was dealt and who won."""

import re
from pathlib import Path

import pytest

import tricklab as tl
from tricklab.picture import draw, draw_deal

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
def test_golden_playthrough(name, request):
    game = tl.game("junni", **PLAYTHROUGHS[name])
    text = draw(tl.table_of(game, 5, "random", 2026)) + "\n"
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--golden-rewrite"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_every_trick_and_holding_is_shown(variant):
    table = tl.table_of(variant, 3, "random", 4)
    text = draw(table)
    lines = text.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("trick"))
    tricks = lines[first + 1 : first + 1 + variant.n_tricks]
    shown = [re.findall(r"[0-9A-Z]+[A-Z](?=[→*\s]|$)", re.sub(r"→.", "", line)) for line in tricks]
    for t, line in enumerate(tricks):
        cards = [variant.deck.cards[c] for c in table.cards[t, 0]]
        assert shown[t][-variant.players :] == cards
        assert line.count("*") == line.count(">") == 1
    winners = [int(w) for w in table.winners[:, 0]]
    marked = [
        [f"{variant.deck.cards[c]}" for c in table.cards[t, 0]][winners[t]]
        for t in range(variant.n_tricks)
    ]
    for line, card in zip(tricks, marked, strict=True):
        assert re.search(rf"{card}(→.)?\*", line)


def test_a_deal_shows_what_was_set_aside():
    deals = tl.deal(tl.game("junni", players=3), 2)
    assert "set aside: " + " ".join(deals.set_aside(1)) in draw_deal(deals, 1)


def test_a_hand_looked_at_is_the_hand_of_the_run():
    game = tl.game("junni", shriving=True)
    run = tl.simulate(game, 4_100, "random", 8, n_jobs=1)
    table = tl.table_of(game, 4_098, "random", 8)
    assert run.seats.query("hand == 4098")["tricks"].tolist() == table.state.tricks[0].tolist()
