"""The same seed gives the same bits, whatever runs beside it and in whatever order."""

import contextlib
import random

import joblib
import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import tricklab as tl
from tricklab import options
from tricklab.policies import seated
from tricklab.results import block_columns, concatenate, schema, to_frame
from tricklab.rng import Streams
from tricklab.simulation import BLOCK, run_block

THREE_BLOCKS = 2 * BLOCK + 100


def keep(table, first):
    return block_columns(table, first, "tricks")


def assert_same_run(one, other):
    assert one.frames.keys() == other.frames.keys()
    for name, frame in one.frames.items():
        assert_frame_equal(frame, other.frames[name], check_exact=True)


def richest(name):
    """A game with as many of its switches set as go together, so that all it draws is drawn."""
    chosen = {}
    for switch, spec in options.specs(tl.GAMES[name]).items():
        if isinstance(spec.default, bool):
            with contextlib.suppress(tl.UserError):
                tl.game(name, **chosen, **{switch: True})
                chosen[switch] = True
    return tl.game(name, **chosen)


@pytest.fixture(scope="module", params=list(tl.GAMES))
def alone(request):
    game = richest(request.param)
    return tl.simulate(game, THREE_BLOCKS, mixed(game), 3, n_jobs=1, record="tricks")


def mixed(game):
    """Every policy that has a name, one after the other round the table."""
    return [list(tl.POLICIES)[seat % len(tl.POLICIES)] for seat in range(game.players)]


def again(run, hands=THREE_BLOCKS, **arguments):
    arguments = {"n_jobs": 1} | arguments
    return tl.simulate(run.game, hands, mixed(run.game), 3, record="tricks", **arguments)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_workers_changes_nothing(alone, workers):
    assert_same_run(alone, again(alone, n_jobs=workers))


def test_threads_give_what_processes_give(alone):
    with joblib.parallel_backend("threading"):
        assert_same_run(alone, again(alone, n_jobs=2))


@contextlib.contextmanager
def global_state_scrambled(seed):
    """Global random state that is new on entry and must be the same on exit."""
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    before = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    yield
    assert (np.random.get_state()[1] == before[0]).all()  # noqa: NPY002
    assert random.getstate() == before[1]


def test_block_order_and_global_state_change_nothing(alone):
    policies = seated(mixed(alone.game), alone.game.players)
    sizes = {0: BLOCK, 1: BLOCK, 2: 100}
    blocks = {}
    for block in (2, 0, 1):
        with global_state_scrambled(block):
            blocks[block] = run_block(alone.game, policies, 3, block, sizes[block], keep)
    columns = concatenate([blocks[block] for block in range(3)])
    described = schema(alone.game, "tricks")
    for name, frame in alone.frames.items():
        joined = to_frame(alone.game, described[name], columns[name])
        assert_frame_equal(joined, frame, check_exact=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_public_touches_global_random_state(alone, workers):
    game = alone.game
    runs = []
    for seed in (1, 2):
        with global_state_scrambled(seed):
            runs.append(tl.simulate(game, BLOCK + 1, "random", n_jobs=workers))
            tl.deal(game, 3)
            tl.table_of(game, 3)
            tl.how_often(game, "tricks == 0", hands=BLOCK + 1, n_jobs=workers)
    assert_same_run(*runs)


@pytest.mark.parametrize("hands", [50, BLOCK, BLOCK + 7])
def test_fewer_hands_are_the_first_of_more(alone, hands):
    for name, frame in again(alone, hands).frames.items():
        all_of_them = alone.frames[name]
        assert len(frame) == (all_of_them["hand"] < hands).sum()
        assert_frame_equal(frame, all_of_them.iloc[: len(frame)], check_exact=True)


def test_blocks_are_different(alone):
    tricks = alone.seats["tricks"].to_numpy()
    size = BLOCK * alone.game.players
    assert (tricks[:size] != tricks[size : 2 * size]).any()


def test_seed_0_is_a_seed(game):
    zero, again, one = (tl.simulate(game, 50, "random", seed) for seed in (0, 0, 1))
    assert_same_run(zero, again)
    assert not zero.seats["tricks"].equals(one.seats["tricks"])


def dealt(table, first):
    return table.pack, table.dealer


def test_deals_do_not_depend_on_policies_or_variant(every_variant):
    """Games with the same deck and players are dealt the same cards, whatever else is switched."""
    seen = {}
    for game in every_variant:
        for named in tl.POLICIES:
            deal = run_block(game, seated(named, game.players), 5, 1, 30, dealt)
            same = (game.deck.cards, game.players)
            for one, two in zip(deal, seen.setdefault(same, deal), strict=True):
                assert (one == two).all()
    assert len(seen) < len(every_variant)


def test_a_deal_looked_at_is_the_deal_of_the_run(variant):
    played = run_block(variant, seated("random", variant.players), 5, 0, 30, lambda t, _: t)
    looked_at = tl.deal(variant, 30, 5)
    # Not where it was annulled and dealt again (E12).
    same = played.extra.annulments == 0 if played.extra else np.full(30, True)
    assert same.sum() >= 25
    assert (played.pack == looked_at.pack)[same].all()
    assert (played.dealt == looked_at.hold)[same].all()
    assert (played.dealer == looked_at.dealer).all()


@pytest.mark.parametrize("changed", [0, 2])
def test_one_seats_draws_do_not_shift_anothers(changed):
    game = tl.game("junni", dice=True)
    policies = ["random"] * 4
    runs = []
    for who in ("random", "simple"):
        policies[changed] = who
        runs.append(tl.simulate(game, 400, policies, 5, record="plays"))
    first, other = runs
    assert first.tricks["trump"].equals(other.tricks["trump"])
    leads = [
        run.plays.query(f"trick == 1 and position == 0 and seat != {changed}")["card"]
        for run in runs
    ]
    assert leads[0].equals(leads[1])
    # The seat itself does play otherwise.
    assert not first.plays["card"].equals(other.plays["card"])


class Thirsty(tl.Random):
    """Plays as ``random`` does, but draws more than it needs."""

    uniform = False

    def play(self, view):
        answer = super().play(view)
        for _ in range(3):
            view.words()
        return answer


def test_how_much_a_seat_draws_changes_nothing_for_anybody():
    game = tl.game("junni", dice=True)
    plain = tl.simulate(game, 300, "random", 5, record="tricks")
    assert_same_run(plain, tl.simulate(game, 300, Thirsty(), 5, record="tricks"))
    one = ["random", Thirsty(), "random", "random"]
    assert_same_run(plain, tl.simulate(game, 300, one, 5, record="tricks"))


def test_whole_tricks_of_uniform_play_equal_play_asked_seat_by_seat(variant):
    class Asked(tl.Random):
        uniform = False

    at_once, asked = (
        tl.simulate(variant, 100, policy, 9, record="tricks") for policy in ("random", Asked())
    )
    assert_same_run(at_once, asked)


def test_hands_passed_out_may_stay_among_those_played():
    class Asked(tl.Random):
        uniform = False

    game = tl.game("kaji", players=2)
    in_place, set_aside = (
        tl.simulate(game, 1_000, policy, 9, record="plays") for policy in ("random", Asked())
    )
    assert 0 < in_place.hands_played < 1_000
    assert_same_run(in_place, set_aside)


def test_every_seat_has_a_stream_of_its_own():
    seen = []

    class Listens(tl.Policy):
        def play(self, view):
            seen.append((view.position, view.seat.copy(), view.words(), view.words()))
            return super().play(view)

    tl.simulate(tl.game("junni"), 200, Listens(), 5)
    words = np.concatenate([w for _, _, *both in seen[:4] for w in both])
    # In the first trick every seat of 200 hands draws twice: no word comes again.
    assert len(words) == 4 * 200 * 2
    assert len(np.unique(words)) >= len(words) - 1


@pytest.mark.parametrize("key", ["seed", "block", "purpose", "step", "draw"])
def test_streams_that_differ_in_one_thing_share_no_words(key):
    base = {"seed": 3, "block": 1, "purpose": 16, "step": 1000, "draw": 0}

    def words(seed, block, purpose, step, draw):
        return Streams(seed, block).words(purpose, step, 4_096, draw)

    one = words(**base)
    assert (one == words(**base)).all()
    for change in (1, 2, 5):
        other = words(**base | {key: base[key] + change})
        # Chance makes about 4,096 squared / 2**32, or one in 256, of any word in common.
        assert len(np.intersect1d(one, other)) <= 2


@pytest.mark.parametrize("size", [1, 7, 8, 9, 4_096])
def test_words_are_those_of_numpys_philox_generators(size):
    streams = Streams(3, 7, hand=2)
    table = streams.table(16, 3, 1_005, size, draw=1)
    assert table.shape == (3, size)
    for seat in range(3):
        bits = streams.generator(16 + seat, 1_005, 1).bit_generator
        assert (table[seat] == bits.random_raw((size + 1) // 2).view(np.uint32)[:size]).all()


@pytest.mark.parametrize("width", [1, 5, 8, 54])
def test_words_of_some_rows_are_those_of_all(width):
    streams = Streams(3, 7, hand=2)
    rows = np.array([0, 3, 4, 5, 17, 99, 100])
    whole = streams.table(16, 3, 1_005, 101 * width, draw=1).reshape(3, 101, width)
    some = streams.sparse(16, 3, 1_005, rows, width, draw=1)
    assert (some.reshape(3, len(rows), width) == whole[:, rows]).all()
