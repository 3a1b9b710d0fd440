"""Tables can be copied, indexed, widened and played on from any decision."""

import numpy as np
import pytest

import tricklab as tl
from tricklab.dealing import deal_block
from tricklab.desk import Desk
from tricklab.play import Tricks, play_out
from tricklab.policies import seated
from tricklab.rng import Streams
from tricklab.rows import in_runs, own_rows, put_rows, take_rows
from tricklab.table import Table

HELD = ("state", "legal", "bidding", "extra")


def arrays(table):
    """Every array of a table by name."""
    found = {name: value for name, value in vars(table).items() if isinstance(value, np.ndarray)}
    for name in HELD:
        found |= getattr(table, name)._asdict()
    for turn, (bidders, bids) in enumerate(table.bids):
        found |= {f"bidders {turn}": bidders, f"bids {turn}": bids}
    return found


def assert_equal(one, other):
    assert (one.trick, one.position) == (other.trick, other.position)
    second = arrays(other)
    for name, array in arrays(one).items():
        assert np.array_equal(array, second[name]), name


def start(game, policies="random", hands=41):
    streams = Streams(5, 0)
    table = Table(deal_block(game, streams, 0, hands), game.n_tricks, choices=True)
    return table, Desk(seated(policies, game.players), streams)


def play_cards(table, desk, count):
    """Everything before the tricks, then ``count`` cards; the hands that are not over by then."""
    for phase in table.game.phases:
        table = table.part(np.flatnonzero(~table.over))
        if not isinstance(phase, Tricks):
            phase.run(table, desk)
            table.stage += 1
            continue
        for _ in range(count):
            phase.step(table, desk)
    return table


@pytest.mark.parametrize("tricks", [0, 4])
def test_a_table_played_on_from_the_middle_ends_as_if_never_stopped(variant, named, tricks):
    whole = play_out(*start(variant, named))
    whole = whole.part(np.flatnonzero(~whole.over))
    for cards in range(variant.players):
        table, desk = start(variant, named)
        table = play_cards(table, desk, tricks * variant.players + cards)
        assert (table.trick, table.position) == (tricks, cards)
        copy = table.part(slice(None))
        play_out(table, desk)
        assert_equal(table, whole)
        # The copy stayed where it was, and goes the same way.
        assert (copy.trick, copy.position) == (tricks, cards)
        assert (copy.cards[tricks + 1 :] == 255).all()
        play_out(copy, desk)
        assert_equal(copy, whole)


def test_a_copy_shares_no_memory(variant):
    table, desk = start(variant)
    table = play_cards(table, desk, 7).copy()
    copies = [table.copy(), table.part(slice(None)), table.take(np.arange(table.hands))]
    for other in copies:
        assert_equal(table, other)
        second = arrays(other)
        for name, array in arrays(table).items():
            assert not np.shares_memory(array, second[name]), name


@pytest.mark.parametrize(
    "index",
    [np.array([3, 3, 0]), slice(5, 1, -2), np.arange(41) % 2 == 1, np.array([-1])],
    ids=["repeated", "backwards", "flags", "last"],
)
def test_taking_hands_takes_them_whole(variant, index):
    table, desk = start(variant, hands=80)
    # Of those that are not over by then.
    table = play_cards(table, desk, 7).take(slice(41))
    some = table.take(index)
    assert (some.trick, some.position) == (table.trick, table.position)
    picked = np.arange(41)[index]
    assert some.origin.tolist() == list(range(len(picked)))
    for name, array in arrays(table).items():
        if name == "origin":
            continue
        axis = 0 if array.shape[0] == 41 else 1
        assert np.array_equal(np.take(array, picked, axis), arrays(some)[name]), name


def test_hands_do_not_touch_each_other():
    """Hands taken out and played on alone end as they end among the others."""
    game = tl.game("junni", arete_court=True, partners=True)
    table, desk = start(game, "careful")
    table = play_cards(table, desk, 22)
    rows = np.array([40, 2, 17])
    alone = play_out(table.take(rows), Desk(seated("careful", 4), Streams(99, 0)))
    assert_equal(alone, play_out(table, desk).take(rows))


def test_a_widened_table_has_independent_hands():
    table, desk = start(tl.game("junni"), hands=3)
    table = play_cards(table, desk, 9)
    before = table.copy()
    wide = table.take(np.repeat(np.arange(3), 50))
    play_out(wide, Desk(seated("random", 4), Streams(6, 0)))
    assert_equal(table, before)
    ends = wide.state.tricks.reshape(3, 50, 4)
    assert (ends.sum(axis=2) == 20).all()
    # Every one of the three hands went on in several ways from the cards it had in common.
    assert (ends.std(axis=1).max(axis=1) > 0).all()
    common = wide.cards[:2].reshape(2, 3, 50, 4)
    assert (common == table.cards[:2, :, None]).all()


def test_a_widened_table_can_be_played_on_at_the_same_desk():
    table, desk = start(tl.game("junni"), hands=3)
    table = play_cards(table, desk, 9)
    wide = table.take(np.repeat(np.arange(3), 50))
    fresh = Desk(desk.policies, Streams(5, 0))
    words = [d.draw(1002, wide, wide.state.seat, np.arange(2))(0) for d in (desk, fresh)]
    assert (words[0] == words[1]).all()
    assert desk.all_words(1002, wide).shape == (4, wide.hands)


@pytest.mark.parametrize("step", [1, 2, 40])
def test_a_part_put_back_leaves_the_other_hands_alone(step):
    """Few runs of hands are copied by the run, many hand by hand."""
    rows = np.flatnonzero(np.arange(300) % 41 % step == 0) if step > 1 else np.arange(7, 290)
    whole = play_cards(*start(tl.game("kaji"), hands=300), 5)
    rows = rows[rows < whole.hands]
    before = whole.copy()
    part = whole.part(rows)
    for name, array in arrays(part).items():
        own = arrays(before)[name]
        expected = own[:, rows] if array.ndim > 1 and len(own) == whole.tricks else own[rows]
        assert np.array_equal(array, expected), name
        array += array.dtype.type(1)
    whole.put(rows, part)
    others = np.setdiff1d(np.arange(whole.hands), rows)
    for name in ("pack", "cards", "leaders", "hold"):
        old, new = arrays(before)[name], arrays(whole)[name]
        if name in ("cards", "leaders"):
            old, new = old.swapaxes(0, 1), new.swapaxes(0, 1)
        assert np.array_equal(new[others], old[others])
        assert np.array_equal(new[rows], old[rows] + old.dtype.type(1))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.uint32, np.int64])
@pytest.mark.parametrize("shape", [(400,), (400, 3), (400, 4, 5), (7, 400), (7, 400, 4)])
@pytest.mark.parametrize("chance", [0.0, 0.04, 0.5, 0.98, 1.0])
def test_rows_are_taken_and_put_back_as_numpy_does(dtype, shape, chance):
    """Whether they are none, all, few runs or many."""
    rng = np.random.default_rng(7)
    rows, axis = np.flatnonzero(rng.random(400) < chance), shape.index(400)
    array, new = (rng.integers(0, 2, shape).astype(dtype) for _ in range(2))
    where = (slice(None),) * axis + (rows,)
    taken = take_rows(array, in_runs(rows), axis)
    assert np.array_equal(taken, array[where])
    assert taken.dtype == array.dtype
    assert not np.shares_memory(taken, array)
    expected = array.copy()
    expected[where] = new[where]
    put_rows(array, in_runs(rows), new[where], axis)
    assert np.array_equal(array, expected)
    if axis == 0 and len(shape) > 1:
        seats = rng.integers(0, shape[1], len(rows)).astype(np.int8)
        assert np.array_equal(own_rows(array, rows, seats), array[rows, seats])
