"""Runs: what is asked for is played, in order, and what goes wrong goes wrong at once."""

import pickle
import time

import joblib
import numpy as np
import pytest

import tricklab as tl
from tricklab import simulation, tricks
from tricklab.games.junni.scoring import captured
from tricklab.policies import seated
from tricklab.policies.careful_kernels import careful_play
from tricklab.simulation import (
    BLOCK,
    NoBar,
    progress_bar,
    run_block,
    run_blocks,
    worker_count,
)


@pytest.mark.parametrize("hands", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1])
def test_exactly_the_hands_asked_for_are_played(hands):
    run = tl.simulate(tl.game("junni"), hands, "random")
    assert run.hands["hand"].tolist() == list(range(hands))
    assert run.provenance.hands == hands


def test_a_whole_number_of_numpy_is_a_whole_number():
    game = tl.game("junni")
    run = tl.simulate(game, np.int64(10), "random", np.uint32(3), n_jobs=np.int8(1))
    assert run.seats.equals(tl.simulate(game, 10, "random", 3).seats)


def test_every_seat_deals_equally_often_across_blocks():
    game = tl.game("junni", players=5)
    hands = tl.simulate(game, BLOCK + 10, "random").hands
    assert (hands["dealer"] == hands["hand"] % 5).all()


def first_and_size(table, first):
    return first, table.hands


@pytest.mark.parametrize("workers", [1, 2])
def test_blocks_come_in_order_with_the_number_of_their_first_hand(workers):
    game = tl.game("junni")
    blocks = run_blocks(game, 2 * BLOCK + 5, seated("random", 4), 1, first_and_size, n_jobs=workers)
    assert list(blocks) == [(0, BLOCK), (BLOCK, BLOCK), (2 * BLOCK, 5)]


def test_blocks_are_played_as_they_are_asked_for():
    """A run of any length can be begun: nothing is kept that is not asked for."""
    blocks = run_blocks(
        tl.game("junni"), 2**31 - 1, seated("random", 4), 1, first_and_size, n_jobs=1
    )
    assert next(blocks) == (0, BLOCK)
    blocks.close()


def test_each_seat_is_played_by_the_policy_that_sits_there():
    game = tl.game("junni", players=3)
    for seat in range(3):
        policies = ["random"] * 3
        policies[seat] = "careful"
        run = tl.simulate(game, 500, policies, 2)
        means = run.seats.groupby("seat")["tricks"].mean()
        assert means.idxmax() == seat
        assert run.provenance.policies == tuple(policies)


def test_workers_start_by_themselves_only_where_they_pay():
    cores = joblib.effective_n_jobs(-1)
    assert worker_count(None, 15, 16) == 1
    assert worker_count(None, 16, 16) == min(cores, 16)
    assert worker_count(-1, 100, 16) == cores
    assert worker_count(3, 100, 16) == 3
    assert worker_count(3, 2, 16) == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_the_bar_counts_every_hand(workers, monkeypatch, capsys):
    bars = []

    def keep(count, progress, unit):
        bars.append(progress_bar(count, progress, unit))
        return bars[0]

    monkeypatch.setattr(simulation, "progress_bar", keep)
    tl.simulate(tl.game("junni"), BLOCK + 904, "random", n_jobs=workers, progress=True)
    assert (bars[0].n, bars[0].total) == (5_000, 5_000)
    assert "hands/s" in capsys.readouterr().err


def test_no_bar_where_nobody_looks(capsys):
    tl.simulate(tl.game("junni"), 10, "random")
    assert capsys.readouterr() == ("", "")
    for asked in (None, False):
        # tqdm makes a lock between processes, which stopped workers would leave behind.
        assert isinstance(progress_bar(10, asked), NoBar)


class Fails(tl.Policy):
    """Goes wrong in full blocks, so in the workers but not when kernels are compiled."""

    def __init__(self, error):
        self.error = error

    def play(self, view):
        if len(view) > 1 and view.trick == 2:
            raise self.error
        return view.may_play.argmax(axis=1)

    def __repr__(self):
        return "Fails()"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("mine")], ids=repr)
def test_an_error_or_ctrl_c_stops_the_run_and_its_workers(workers, error):
    game = tl.game("junni")
    start = time.monotonic()
    with pytest.raises(type(error)):
        tl.simulate(game, 40 * BLOCK, Fails(error), n_jobs=workers)
    assert time.monotonic() - start < 20
    # Nothing hangs: the next run has its workers.
    assert len(tl.simulate(game, 2 * BLOCK, "random", n_jobs=workers).hands) == 2 * BLOCK


def test_an_illegal_answer_in_a_worker_is_named_as_in_none():
    class Late(tl.Policy):
        def play(self, view):
            cards = view.may_play.argmax(axis=1)
            if len(view) == 7:
                cards[3] = (~view.holds[3]).argmax()
            return cards

        def __repr__(self):
            return "Late()"

    says = []
    for workers in (1, 2):
        with pytest.raises(tl.IllegalAnswer) as error:
            tl.simulate(tl.game("junni"), BLOCK + 7, Late(), n_jobs=workers)
        says.append(str(error.value))
    assert says[0] == says[1]
    assert "policy Late(), hand 4099, seat " in says[0]


def test_a_hand_can_be_looked_at_wherever_it_is_in_a_run(variant):
    run = tl.simulate(variant, 12, "random", 4, record="plays")
    for hand in (0, 5, 11):
        table = tl.table_of(variant, hand, "random", 4)
        tricks = run.tricks[run.tricks["hand"] == hand]
        assert table.winners[:, 0].tolist() == tricks["winner"].tolist()
        plays = run.plays[run.plays["hand"] == hand].sort_values(["trick", "seat"])
        cards = [variant.deck.cards[card] for card in table.cards[:, 0].ravel()]
        assert cards == plays["card"].tolist()


def test_a_table_made_wrongly_is_noticed(monkeypatch):
    """The sums are looked at in every block, not only in tests."""
    from tricklab import play

    def nobody_wins(rules, state, *records):
        """Tricks that are not given to anybody."""

    monkeypatch.setattr(play, "close_trick", nobody_wins)
    game = tl.game("junni")
    with pytest.raises(AssertionError, match="tricks do not add up"):
        run_block(game, seated("simple", 4), 1, 0, 3, first_and_size)


def test_a_game_sent_to_a_worker_compiles_nothing_again():
    """Pickling once made read-only arrays writable, another type to every kernel."""
    game = tl.game("junni", shriving=True, scoring="dead_reckoning", arete_court=True)
    tl.simulate(game, 5, "careful", n_jobs=1)
    there = pickle.loads(pickle.dumps(game))
    kernels = [tricks.lead_choices, tricks.follow_choices, tricks.accept, careful_play, captured]
    compiled = [len(kernel.signatures) for kernel in kernels]
    tl.simulate(there, 5, "careful", n_jobs=1)
    assert [len(kernel.signatures) for kernel in kernels] == compiled
