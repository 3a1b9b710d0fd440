"""How fast: card plays a second, beside OpenSpiel's own random bots where it is installed.

A figure counts whole runs: dealing, playing, scoring and the frames.  Machines drift, so what is
compared is measured in turn, and the ratio of neighbours is what to quote.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tricklab.errors import UserError
from tricklab.games import GAMES, game
from tricklab.games.base import Game
from tricklab.policies import POLICIES, policy
from tricklab.results import Run
from tricklab.simulation import BLOCK, simulate

OPEN_SPIEL_GAMES = ("hearts", "spades", "tarok")
OPEN_SPIEL_CARDS = {"hearts": 52, "spades": 52, "tarok": 48}
"""Cards that are played in a hand to its end.

Tarok stops when a contract is lost, which is soon where bids are random: what is still held then is
not counted, and dealing and bidding weigh the more.
"""

TAROK_COUNTED = 20_000
"""Hands of tarok by which its cards played are counted, for a standard error of 1 %."""

OPEN_SPIEL_HANDS = 1_500
"""Hands a measurement of OpenSpiel: about as long as one of ours."""

SCALING_HANDS = 1_000_000

MISSING = "OpenSpiel is not installed, so there is no comparison: pip install -e '.[bench]'"


@dataclass(frozen=True)
class Speed:
    """Card plays per second of one game and policy.

    Attributes
    ----------
    game, policy : str
        What was timed.
    rates : tuple of float
        Card plays per second of each measurement, in order.
    first : float
        Seconds of the first, tiny run: compiling or loading the kernels.
    """

    game: str
    policy: str
    rates: tuple[float, ...]
    first: float

    @property
    def median(self) -> float:
        """Median of the rates."""
        return statistics.median(self.rates)

    def ratio(self, other: Speed) -> float:
        """Median ratio of this rate to another, measurement by measurement."""
        pairs = zip(self.rates, other.rates, strict=True)
        return statistics.median(own / theirs for own, theirs in pairs)


def bench(
    hands: int = 40_000,
    policies: Sequence[str] | None = None,
    repeats: int = 5,
    games: Sequence[Game] | None = None,
) -> tuple[list[Speed], list[Speed]]:
    """Time random and other play on one core.

    Parameters
    ----------
    hands : int
        Hands a measurement.
    policies : sequence of str, optional
        Policies at all seats; default: all that have a name.
    repeats : int
        Measurements of each.
    games : sequence of Game, optional
        What to play; default: :func:`measured_games`.

    Returns
    -------
    ours, theirs : list of Speed
        Our games, and OpenSpiel's where it is installed; measured in turn.
    """
    if repeats < 1:
        raise UserError(f"repeats must be 1 or more, not {repeats}")
    names = [policy(text).text for text in policies or POLICIES]
    jobs = [_ours(played, name, hands) for played in (games or measured_games()) for name in names]
    theirs = _open_spiel()
    first = [_timed(job.warm)[1] for job in jobs]
    rates: list[list[float]] = [[] for _ in (*jobs, *theirs)]
    for _ in range(repeats):
        for job, measured in zip((*jobs, *theirs), rates, strict=True):
            done, seconds = _timed(job.run)
            measured.append(job.plays(done) / seconds)
    speeds = [
        Speed(job.game, job.policy, tuple(measured), seconds)
        for job, measured, seconds in zip(
            (*jobs, *theirs), rates, (*first, *[0.0] * len(theirs)), strict=True
        )
    ]
    return speeds[: len(jobs)], speeds[len(jobs) :]


@dataclass(frozen=True)
class _Job:
    game: str
    policy: str
    run: Callable[[], Any]
    """What is timed."""
    plays: Callable[[Any], float]
    """The number of card plays in what it returned."""
    warm: Callable[[], Any]


def measured_games() -> list[Game]:
    """Every game with its default switches, and the variants it names as worth timing."""
    return [
        game(name, **switches) for name, cls in GAMES.items() for switches in cls.timed_variants
    ]


def _timed(run: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    done = run()
    return done, time.perf_counter() - start


def _ours(played: Game, who: str, hands: int) -> _Job:
    def run(count: int = hands) -> Run:
        return simulate(played, count, who, n_jobs=1, progress=False)

    def plays(done: Run) -> int:
        # Hands that are passed out have no plays.
        return done.hands_played * played.n_tricks * played.players

    return _Job(played.label, who, run, plays, lambda: run(1))


def _open_spiel() -> list[_Job]:
    """Random play of OpenSpiel's own games by its own compiled bots; none if not installed."""
    try:
        import pyspiel
    except ImportError:
        return []

    def job(name: str) -> _Job:
        rules = pyspiel.load_game(name)
        bots = [pyspiel.make_uniform_random_bot(p, p) for p in range(rules.num_players())]

        def hand(seed: int) -> Any:
            state = rules.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed)
            return state

        def run() -> int:
            # Nothing is kept or counted here: either would make it slower.
            for seed in range(OPEN_SPIEL_HANDS):
                hand(seed)
            return OPEN_SPIEL_HANDS

        each = float(OPEN_SPIEL_CARDS[name])
        if name == "tarok":
            seats = range(rules.num_players())
            ends = (hand(seed) for seed in range(TAROK_COUNTED))
            held = sum(len(state.player_cards(seat)) for state in ends for seat in seats)
            each -= held / TAROK_COUNTED
        return _Job(f"OpenSpiel {name}", "random", run, lambda hands: hands * each, run)

    there = pyspiel.registered_names()
    return [job(name) for name in OPEN_SPIEL_GAMES if name in there]


def scaling(hands: int = SCALING_HANDS, who: str = "random", repeats: int = 3) -> list[float]:
    """How many times faster two workers are than one, measured in turn.

    Parameters
    ----------
    hands, who
        What is played, in basic Junni; starting the workers is not counted.
    repeats : int
        Pairs of measurements.

    Returns
    -------
    list of float
        The ratio of each pair.
    """
    played = game("junni")
    simulate(played, 2 * BLOCK, who, n_jobs=2, progress=False)

    def seconds(workers: int) -> float:
        start = time.perf_counter()
        simulate(played, hands, who, n_jobs=workers, progress=False)
        return time.perf_counter() - start

    return [seconds(1) / seconds(2) for _ in range(repeats)]


def main(
    hands: int, policies: Sequence[str] | None, repeats: int, scale: bool, as_json: bool
) -> None:
    """Run the benchmark and print it."""
    from tricklab import console

    ours, theirs = bench(hands, policies, repeats)
    ratios = scaling() if scale else None
    if as_json:
        document: dict[str, Any] = {
            "ours": [
                asdict(speed) | {"ratios": {other.game: speed.ratio(other) for other in theirs}}
                for speed in ours
            ],
            "open_spiel": [asdict(speed) for speed in theirs],
            "two_workers_over_one": ratios,
            "provenance": {"hands": hands, "repeats": repeats, "seed": 0} | console.stamp(),
        }
        console.print_json(document)
        return
    console.bench_table(ours, theirs)
    if not theirs:
        print(MISSING)
    if ratios:
        print(
            f"\nTwo workers over one, {SCALING_HANDS:,} hands of random play:\n"
            f"{statistics.median(ratios):.2f} times as fast "
            f"({min(ratios):.2f}–{max(ratios):.2f} in {len(ratios)} pairs)"
        )
