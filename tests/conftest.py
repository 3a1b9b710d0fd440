"""Options and games that several suites share."""

import pytest

import tricklab as tl

VARIANTS = [
    {},
    {"shriving": True, "arete_court": True},
    {"dice": True, "arete_court": True, "players": 3},
    {"dice": True, "roll_each": "hand", "players": 5},
    {"partners": True, "shriving": True, "scoring": "dead_reckoning"},
    {"players": 6, "partners": True, "scoring": "trump_heavy", "next_leader": "rotate"},
    {"scoring": "flat", "deck": "four_suits", "first_leader": "left_of_dealer"},
    {"deck": "short_suits", "players": 3, "shriving": True, "shriving_cards": 8},
]


def pytest_addoption(parser):
    parser.addoption(
        "--golden-rewrite", action="store_true", help="write the golden playthroughs anew"
    )


def _label(switches):
    return ",".join(f"{name}={value}" for name, value in switches.items()) or "basic"


@pytest.fixture(params=VARIANTS, ids=_label)
def variant(request):
    """A Junni game; together they hold every switch."""
    return tl.game("junni", **request.param)


@pytest.fixture(params=list(tl.POLICIES))
def named(request):
    """The textual form of each policy that has a name."""
    return request.param
