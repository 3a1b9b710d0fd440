"""The same seed gives the same bits, whatever runs beside it and in whatever order."""

import random

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab.policies import seated
from tricklab.results import block_columns
from tricklab.simulation import BLOCK, run_block

THREE_BLOCKS = 2 * BLOCK + 100


def keep(table, first):
    return block_columns(table, first, "tricks")


def assert_same_run(one, other):
    assert one.frames.keys() == other.frames.keys()
    for name, frame in one.frames.items():
        assert_frame_equal(frame, other.frames[name], check_exact=True)


@pytest.fixture(scope="module")
def alone():
    game = tl.game("junni", dice=True, shriving=True)
    return tl.simulate(game, THREE_BLOCKS, "random", 3, n_jobs=1, record="tricks")


@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_workers_changes_nothing(alone, workers):
    run = tl.simulate(alone.game, THREE_BLOCKS, "random", 3, n_jobs=workers, record="tricks")
    assert_same_run(alone, run)


def test_threads_give_what_processes_give(alone):
    import joblib

    with joblib.parallel_backend("threading"):
        run = tl.simulate(alone.game, THREE_BLOCKS, "random", 3, n_jobs=2, record="tricks")
    assert_same_run(alone, run)


def test_block_order_and_global_state_change_nothing(alone):
    policies = seated("random", 4)
    sizes = {0: BLOCK, 1: BLOCK, 2: 100}
    blocks = {}
    for block in (2, 0, 1):
        np.random.seed(block)  # noqa: NPY002
        random.seed(block)
        before = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
        blocks[block] = run_block(alone.game, policies, 3, block, sizes[block], keep)
        assert (np.random.get_state()[1] == before[0]).all()  # noqa: NPY002
        assert random.getstate() == before[1]
    for name, frame in alone.frames.items():
        for column in ("hand", "winner") if name == "tricks" else ("hand",):
            joined = np.concatenate([blocks[b][name][column] for b in range(3)])
            assert (joined == frame[column].to_numpy()).all()
    tricks = np.concatenate([blocks[b]["seats"]["tricks"] for b in range(3)])
    assert (tricks == alone.seats["tricks"].to_numpy()).all()


def test_fewer_hands_are_the_first_of_more(alone):
    run = tl.simulate(alone.game, 50, "random", 3, n_jobs=1, record="tricks")
    for name, frame in run.frames.items():
        assert_frame_equal(frame, alone.frames[name].iloc[: len(frame)], check_exact=True)


def test_seed_0_is_a_seed():
    game = tl.game("junni")
    zero, again, one = (tl.simulate(game, 50, "random", seed) for seed in (0, 0, 1))
    assert_same_run(zero, again)
    assert not zero.seats["tricks"].equals(one.seats["tricks"])


def test_deals_do_not_depend_on_policies_or_variant():
    games = [
        tl.game("junni"),
        tl.game("junni", shriving=True, dice=True, arete_court=True, partners=True),
    ]
    features = ["trumps", "highest_trump", "barbarians", "sages", "rooks", "longest_suit", "voids"]
    seen = [
        tl.simulate(game, 200, policy, 5).seats[features]
        for game in games
        for policy in ("random", "careful")
    ]
    for other in seen[1:]:
        assert_frame_equal(seen[0], other)


def test_one_seats_draws_do_not_shift_anothers():
    game = tl.game("junni", dice=True)
    runs = [
        tl.simulate(game, 400, ["random", "random", who, "random"], 5, record="plays")
        for who in ("random", "simple")
    ]
    first, other = (run.tricks["trump"] for run in runs)
    assert first.equals(other)
    leads = [run.plays.query("trick == 1 and position == 0 and seat != 2") for run in runs]
    assert leads[0]["card"].equals(leads[1]["card"])


def test_whole_tricks_of_uniform_play_equal_play_asked_seat_by_seat():
    class Asked(tl.Random):
        uniform = False

    for switches in ({}, {"arete_court": True, "dice": True, "shriving": True, "players": 3}):
        game = tl.game("junni", **switches)
        at_once, asked = (
            tl.simulate(game, 300, policy, 9, record="tricks") for policy in ("random", Asked())
        )
        assert_same_run(at_once, asked)
