"""Options and games that several suites share."""

import itertools
import sys

import pytest

import tricklab as tl
from tricklab import cli, options


def values_of(spec):
    """The values of a switch worth trying: all of a few, else the ends and the default."""
    if isinstance(spec.default, bool):
        return [False, True]
    if spec.choices:
        return list(spec.choices)
    if isinstance(spec.default, int) and spec.high - spec.low < 5:
        return list(range(spec.low, spec.high + 1))
    # Far ends of a wide range would leave nothing to play: a bid of a thousand, say.
    top = spec.high if spec.high - spec.low < 100 else 2 * spec.default + 1
    return sorted({spec.low, spec.default, top})


def allowed(name, switches):
    try:
        tl.game(name, **switches)
    except tl.UserError:
        return False
    return True


def variants(name):
    """Settings of a game's switches in which every allowed pair of values of two switches occurs.

    Read from the game's own switches, so a new game or switch is covered by being there.
    """
    values = {switch: values_of(spec) for switch, spec in options.specs(tl.GAMES[name]).items()}
    missing = {
        frozenset(pair): pair
        for a, b in itertools.combinations(values, 2)
        for pair in itertools.product([(a, x) for x in values[a]], [(b, y) for y in values[b]])
        if allowed(name, dict(pair))
    }
    out = []
    while missing:
        chosen = dict(next(iter(missing.values())))  # not of a set, whose order is no order
        for switch in values:
            if switch in chosen:
                continue
            fits = [v for v in values[switch] if allowed(name, {**chosen, switch: v})]
            chosen[switch] = max(
                fits,
                key=lambda v: sum(
                    frozenset({(switch, v), other}) in missing for other in chosen.items()
                ),
            )
        for pair in itertools.combinations(chosen.items(), 2):
            missing.pop(frozenset(pair), None)
        out.append(chosen)
    return out


GAMES = [tl.game(name, **switches) for name in tl.GAMES for switches in variants(name)]


def pytest_addoption(parser):
    parser.addoption(
        "--golden-rewrite", action="store_true", help="write the golden playthroughs anew"
    )


@pytest.fixture(params=GAMES, ids=lambda game: game.label.replace(" ", ","))
def variant(request):
    """Games of which any two values of two switches occur together in one."""
    return request.param


@pytest.fixture(scope="session")
def every_variant():
    """All the games of ``variant`` at once."""
    return GAMES


@pytest.fixture(params=list(tl.GAMES))
def game(request):
    """Each game as it is when no switch is set."""
    return tl.game(request.param)


@pytest.fixture(params=list(tl.POLICIES))
def named(request):
    """The textual form of each policy that has a name."""
    return request.param


@pytest.fixture
def tricklab(capsys, monkeypatch, tmp_path):
    """Call the program in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*args):
        monkeypatch.setattr(sys, "argv", ["tricklab", *args])
        with pytest.raises(SystemExit) as end:
            cli.main(list(args))
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


@pytest.fixture
def answer(tricklab):
    """Standard output of a command that must go well and say nothing else."""

    def run(*args):
        code, out, err = tricklab(*args)
        assert (code, err) == (0, "")
        return out

    return run
