"""The benchmark: what it times, in which order, and what it says.  No speed is asserted."""

import json
import sys
from types import SimpleNamespace

import pytest

import tricklab as tl
from tricklab import bench, cli


class Clock:
    """A clock that only work moves: what is timed is known exactly."""

    def __init__(self):
        self.now = 0.0
        self.log = []

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    """Every card play of ours takes 1 µs, of OpenSpiel's 4; each round of ours is 1 µs slower."""
    clock = Clock()

    def simulate(game, hands, policies, *, n_jobs, progress):
        clock.log.append((game.label, policies, hands, n_jobs, progress))
        if hands < 1:
            raise tl.UserError("hands must be from 1")
        rounds = sum(entry[1:3] == (policies, hands) for entry in clock.log)
        clock.now += hands * game.n_tricks * game.players * 1e-6 * rounds / n_jobs
        return SimpleNamespace(hands_played=hands)

    monkeypatch.setattr(bench, "simulate", simulate)
    monkeypatch.setattr(bench, "measured_games", lambda: [tl.game("junni")])
    monkeypatch.setattr(bench, "time", clock)
    return clock


@pytest.fixture
def no_spiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)


@pytest.fixture
def spiel(monkeypatch, clock):
    """OpenSpiel's interface as far as it is used."""

    seats = {"hearts": 4, "spades": 4, "tarok": 3}

    def evaluate_bots(state, bots, seed):
        assert bots == [(seat, seat) for seat in range(seats[state.name])]
        if seed == 0:
            clock.log.append(state.name)
        clock.now += (48 - 3 * 10 if state.name == "tarok" else 52) * 4e-6
        return [0.0] * 4

    def load_game(name):
        # Tarok stops when ten cards of each seat are left.
        state = SimpleNamespace(name=name, player_cards=lambda seat: [0] * 10)
        return SimpleNamespace(num_players=lambda: seats[name], new_initial_state=lambda: state)

    fake = SimpleNamespace(
        registered_names=lambda: ["chess", *seats],
        load_game=load_game,
        make_uniform_random_bot=lambda seat, seed: (seat, seed),
        evaluate_bots=evaluate_bots,
    )
    monkeypatch.setitem(sys.modules, "pyspiel", fake)


def test_every_game_and_the_variants_it_names_are_timed():
    labels = [game.label for game in bench.measured_games()]
    assert "junni players=4" in labels
    assert "junni players=4 traitor=true" in labels
    assert {label.split()[0] for label in labels} == set(tl.GAMES)


def test_rates_count_card_plays_of_whole_runs_on_one_core(clock, no_spiel):
    ours, theirs = bench.bench(1000, ["random", "careful:decay=0.50"], repeats=3)
    assert theirs == []
    assert [(speed.game, speed.policy) for speed in ours] == [
        ("junni players=4", "random"),
        ("junni players=4", "careful:decay=0.5"),
    ]
    for speed in ours:
        assert speed.rates == pytest.approx([1e6, 1e6 / 2, 1e6 / 3])
        assert speed.median == pytest.approx(5e5)
        assert speed.first == pytest.approx(80e-6)  # one hand, apart from the measurements
    assert {entry[3:] for entry in clock.log} == {(1, False)}


def test_plays_follow_the_game(clock, no_spiel):
    six = tl.game("junni", players=6)
    (speed,), _ = bench.bench(100, ["simple"], 1, [six])
    assert speed.game == "junni players=6"
    assert speed.rates == pytest.approx([1e6])


def test_measurements_are_taken_in_turn(clock, spiel):
    ours, theirs = bench.bench(500, ["random", "simple"], repeats=2)
    timed = [e if isinstance(e, str) else e[1] for e in clock.log if e[2:3] != (1,)]
    # Before anything is timed, the cards of tarok's hands are counted.
    assert timed == ["tarok"] + ["random", "simple", "hearts", "spades", "tarok"] * 2
    assert [speed.game for speed in theirs] == [
        f"OpenSpiel {name}" for name in bench.OPEN_SPIEL_GAMES
    ]
    for speed in theirs:
        assert speed.rates == pytest.approx([2.5e5, 2.5e5])
    assert ours[0].ratio(theirs[0]) == pytest.approx((4 + 2) / 2)


def test_ratio_is_the_median_of_pairs():
    own = bench.Speed("a", "random", (10.0, 40.0, 6.0), 0.0)
    other = bench.Speed("b", "random", (10.0, 10.0, 3.0), 0.0)
    assert own.ratio(other) == 2.0
    with pytest.raises(ValueError, match="zip"):
        own.ratio(bench.Speed("b", "random", (1.0,), 0.0))


def test_every_policy_with_a_name_unless_asked(clock, no_spiel):
    ours, _ = bench.bench(10, repeats=1)
    assert [speed.policy for speed in ours] == list(tl.POLICIES)


@pytest.mark.parametrize(
    "wrong", [{"policies": ["fast"]}, {"repeats": 0}, {"policies": ["careful:decay=9"]}]
)
def test_mistakes_are_told_before_anything_is_timed(clock, no_spiel, wrong):
    with pytest.raises(tl.UserError):
        bench.bench(10, **wrong)
    assert clock.log == []


def test_scaling_compares_the_same_hands(clock):
    assert bench.scaling(1000, "simple", repeats=3) == pytest.approx([1, 1.5, 5 / 3])
    assert [entry[2:4] for entry in clock.log[1:]] == [(1000, 1), (1000, 2)] * 3
    assert clock.log[0][3] == 2  # workers are started before the first measurement


def printed(capsys, *args):
    with pytest.raises(SystemExit) as end:
        cli.main(["bench", *args])
    out, err = capsys.readouterr()
    assert (end.value.code, err) == (0, "")
    return out


def test_command_says_how_to_get_the_comparison(clock, no_spiel, capsys):
    shown = printed(capsys, "--hands", "100", "--repeats", "2", "--policy", "simple")
    assert "pip install -e '.[bench]'" in shown.splitlines()[-1]
    row = next(line for line in shown.splitlines() if line.startswith("junni"))
    assert row.split()[1:] == ["players=4", "simple", "0.75", "0.50–1.00", "0.0", "s"]


def test_command_prints_ratios(clock, spiel, capsys):
    shown = printed(capsys, "--hands", "100", "--repeats", "1", "--scaling")
    lines = shown.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert lines[1].split()[-3:] == ["÷hearts", "÷spades", "÷tarok"]
    row = next(line for line in lines if line.startswith("junni") and " careful " in line)
    assert row.split()[-3:] == ["4.0", "4.0", "4.0"]
    assert "Two workers over one, 1,000,000 hands of random play" in shown
    assert "pip install" not in shown


def test_command_as_json(clock, spiel, capsys):
    said = json.loads(
        printed(capsys, "--hands", "100", "--repeats", "2", "--policy", "random", "--json")
    )
    (ours,) = said["ours"]
    assert ours["rates"] == pytest.approx([1e6, 5e5])
    assert ours["ratios"] == pytest.approx(
        {f"OpenSpiel {name}": 3 for name in bench.OPEN_SPIEL_GAMES}
    )
    assert [speed["game"] for speed in said["open_spiel"]] == [
        f"OpenSpiel {name}" for name in bench.OPEN_SPIEL_GAMES
    ]
    assert said["two_workers_over_one"] is None
    assert said["provenance"]["hands"] == 100
    assert "numba" in said["provenance"]["versions"]


def test_real_runs_are_timed(no_spiel):
    ours, _ = bench.bench(20, ["random"], repeats=1)
    assert ours[0].rates[0] > 0
    assert ours[0].first > 0


def test_open_spiel_itself():
    pytest.importorskip("pyspiel")
    for job in bench._open_spiel():
        plays = job.plays(job.run())
        if job.game == "OpenSpiel tarok":
            assert 1500 < plays < 1500 * 48
        else:
            assert plays == 1500 * 52
