"""The command line: reads options, calls the library, prints.

Everything heavy is imported inside the commands, so that help and mistakes answer at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tricklab.errors import Stopped, UserError

if TYPE_CHECKING:
    from tricklab.games import Game
    from tricklab.results import Run

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Monte Carlo analysis of trick-taking card games.",
    epilog="""\b
Examples:
  tricklab rules junni
  tricklab simulate junni --set shriving=true --seat-policy 0=simple
  tricklab how-often junni "tricks >= 10" --given "trumps >= 6"
  tricklab show junni --hand 7""",
)

Name = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, such as junni.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SWITCH=VALUE", help="Set a rule switch; repeatable."),
]
PolicyText = Annotated[
    str, typer.Option("--policy", metavar="POLICY", help="Policy of all seats, name:param=value.")
]
SeatPolicies = Annotated[
    list[str] | None,
    typer.Option("--seat-policy", metavar="SEAT=POLICY", help="One seat's policy; repeatable."),
]
Hands = Annotated[int, typer.Option("--hands", help="How many hands to deal and play.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random, 0 or more.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", help="Worker processes; default: one a core where that pays."),
]
Level = Annotated[float, typer.Option("--level", help="Level of the intervals.")]
Quiet = Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


Histories = Annotated[
    Path | None,
    typer.Option("--histories", metavar="FILE", help="Write the hands to this file, one a line."),
]


USAGE_ERROR: Any = typer.BadParameter.__bases__[0]
"""What a wrong command line raises; typer exports only its special cases by name."""


def _game(name: str, switches: list[str] | None) -> Game:
    from tricklab.games import game

    return game(name, **dict(_pair(text, "--set switch=value") for text in switches or ()))


def _pair(text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UserError(f"write {form}, not {text!r}")
    return name.strip(), value.strip()


def _seated(game: Game, policy: str, seats: list[str] | None) -> list[str]:
    at = [policy] * game.players
    for text in seats or ():
        seat, given = _pair(text, "--seat-policy seat=policy")
        if not seat.isdecimal() or int(seat) >= game.players:
            raise UserError(f"--seat-policy: a seat is 0 to {game.players - 1}, not {seat!r}")
        at[int(seat)] = given
    return at


def _progress(quiet: bool) -> bool | None:
    return False if quiet else None


def _checked(level: float) -> float:
    """The level, refused before anything is played rather than after."""
    if not 0 < level < 1:
        raise UserError(f"--level must lie between 0 and 1, such as 0.95, not {level:g}")
    return level


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"tricklab {installed('tricklab')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their switches, and the policies."""
    from tricklab import console
    from tricklab.games import GAMES

    if as_json:
        listed = [
            {
                "name": cls.name,
                "title": cls.title,
                "version": cls.version,
                "switches": console.switches(cls),
            }
            for cls in GAMES.values()
        ]
        console.print_json(
            {"games": listed, "policies": console.parameters(), "provenance": console.stamp()}
        )
    else:
        console.games()


@app.command()
def rules(
    game: Name,
    switches: Annotated[bool, typer.Option("--switches", help="Only the switches.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a game's rule sheet."""
    from tricklab import console
    from tricklab.games import game_class

    cls = game_class(game)
    if as_json:
        console.print_json(
            {
                "game": cls.name,
                "version": cls.version,
                "switches": console.switches(cls),
                "sheet": cls.sheet(),
                "provenance": console.stamp(),
            }
        )
    elif switches:
        console.put(console.switch_table(cls))
    else:
        console.sheet(cls)


@app.command()
def simulate(
    game: Name,
    switches: Switches = None,
    policy: PolicyText = "careful",
    seat_policy: SeatPolicies = None,
    hands: Hands = 100_000,
    seed: Seed = 0,
    jobs: Jobs = None,
    record: Annotated[str, typer.Option(help="Frames to keep: seats, tricks or plays.")] = "seats",
    out: Annotated[Path | None, typer.Option(help="Folder to save the run in.")] = None,
    histories: Histories = None,
    level: Level = 0.95,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Deal and play many hands, and say how they went."""
    from tricklab.files import check_target
    from tricklab.simulation import simulate as play

    _checked(level)
    rules = _game(game, switches)
    if out is not None:
        check_target(out, "run")
    run = play(
        rules,
        hands,
        _seated(rules, policy, seat_policy),
        seed,
        n_jobs=jobs,
        record=record,
        histories=histories,
        progress=_progress(quiet),
    )
    _finish(run, out, histories, level, as_json)


def _finish(
    run: Run, out: Path | None, histories: Path | None, level: float, as_json: bool
) -> None:
    """Save a run where that is asked for and print what it says."""
    from tricklab import console

    if out is not None:
        run.save(out)
    of_matches = run.provenance.matches > 0
    if as_json:
        told = console.matches_json if of_matches else console.run_json
        console.print_json(told(run, level))
        return
    (console.match_tables if of_matches else console.run_tables)(run, level)
    if out is not None:
        typer.echo(f"saved to {out}")
    if histories is not None:
        typer.echo(f"histories written to {histories}")


@app.command()
def matches(
    game: Name,
    switches: Switches = None,
    policy: PolicyText = "careful",
    seat_policy: SeatPolicies = None,
    matches: Annotated[int, typer.Option("--matches", help="How many matches to play.")] = 1_000,
    seed: Seed = 0,
    first_dealer: Annotated[int, typer.Option(help="Who deals the first hand.")] = 0,
    limit: Annotated[int, typer.Option(help="Hands after which a match is stopped.")] = 500,
    jobs: Jobs = None,
    out: Annotated[Path | None, typer.Option(help="Folder to save the run in.")] = None,
    histories: Histories = None,
    level: Level = 0.95,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play many matches, such as Campaigns, and say how they went."""
    from tricklab.files import check_target
    from tricklab.match import simulate_matches

    _checked(level)
    rules = _game(game, switches)
    if out is not None:
        check_target(out, "run")
    run = simulate_matches(
        rules,
        matches,
        _seated(rules, policy, seat_policy),
        seed,
        first_dealer=first_dealer,
        limit=limit,
        histories=histories,
        n_jobs=jobs,
        progress=_progress(quiet),
    )
    _finish(run, out, histories, level, as_json)


@app.command("how-often")
def how_often(
    game: Name,
    event: Annotated[str, typer.Argument(help="An event, such as 'tricks >= 10'.")],
    of: Annotated[
        str | None,
        typer.Option(help="What is counted: hands, seats, tricks, plays, or Emperor's bonuses."),
    ] = None,
    given: Annotated[str | None, typer.Option(help="Count only where this holds.")] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Exact odds, for events of the deal alone.")
    ] = False,
    switches: Switches = None,
    policy: PolicyText = "careful",
    seat_policy: SeatPolicies = None,
    hands: Hands = 100_000,
    seed: Seed = 0,
    jobs: Jobs = None,
    level: Level = 0.95,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Estimate how often an event happens."""
    from tricklab import console

    _checked(level)
    rules = _game(game, switches)
    if exact:
        from tricklab.odds import exact_odds

        if given is not None:
            raise UserError("--given does not go with --exact")
        estimate = exact_odds(rules, event, of or "seats")
        stated = {"game": rules.name, "switches": rules.switches, **console.stamp()}
        setting = console.setting(rules)
    else:
        from tricklab.policies import seated
        from tricklab.questions import how_often as ask
        from tricklab.simulation import provenance

        policies = _seated(rules, policy, seat_policy)
        estimate = ask(
            rules,
            event,
            of,
            given,
            hands=hands,
            policies=policies,
            seed=seed,
            level=level,
            n_jobs=jobs,
            progress=_progress(quiet),
        )
        at = seated(policies, rules.players)
        stated = provenance(rules, at, hands, seed, "counts").__dict__
        setting = console.setting(rules, [each.text for each in at], seed)
    if as_json:
        console.print_json({"event": event, **estimate.to_dict(), "provenance": stated})
    else:
        console.question(estimate, setting)


@app.command()
def show(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE", help="A game, or a file of hand histories.")
    ],
    hand: Annotated[int, typer.Option("--hand", help="Number of the hand in its run, from 0.")] = 0,
    line: Annotated[
        int | None, typer.Option("--line", help="Number of the line in the file, from 1.")
    ] = None,
    switches: Switches = None,
    policy: PolicyText = "careful",
    seat_policy: SeatPolicies = None,
    seed: Seed = 0,
) -> None:
    """Show one hand card by card: one of a run, or a line of a file of histories."""
    from tricklab import console
    from tricklab.picture import draw
    from tricklab.policies import seated

    if line is not None:
        from tricklab.replay import history_at

        typer.echo(draw(*history_at(game, line)))
        typer.echo(f"\nline {line} of {game}")
        return
    if Path(game).is_file():
        raise UserError(f"say which hand of {game} to show: --line N")
    from tricklab.simulation import table_of

    rules = _game(game, switches)
    at = seated(_seated(rules, policy, seat_policy), rules.players)
    typer.echo(draw(table_of(rules, hand, at, seed)))
    typer.echo(f"\nhand {hand}; {console.setting(rules, [each.text for each in at], seed)}")


histories_app = typer.Typer(help="Read files of hand histories.", rich_markup_mode=None)
app.add_typer(histories_app, name="histories")


@histories_app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A file of hand histories, one a line.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line of the file.")
    ] = False,
) -> None:
    """Replay every hand of a file: OK, or its first fault; exit code 1 if any has one."""
    import json

    from tricklab.replay import check_histories

    faults = 0
    for found in check_histories(file):
        faults += found.fault is not None
        typer.echo(json.dumps(found.to_dict()) if as_json else found.in_words())
    if faults:
        raise typer.Exit(1)


@app.command()
def fit(
    game: Name,
    out: Annotated[Path, typer.Option(help="File to write the fit to.")],
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Fit anew what holdings are expected to take in the auction, by simulation."""
    from tricklab.files import new_file
    from tricklab.games import game_class
    from tricklab.simulation import progress_bar

    cls = game_class(game)
    with (
        new_file(out, "fit") as file,
        progress_bar(cls.fits(), _progress(quiet), "fits") as bar,
    ):
        file.write([cls.fit(jobs, bar.update)])
    typer.echo(f"fit written to {out}")


Games = Annotated[
    list[str] | None, typer.Option("--game", help="Only this game; repeatable.", metavar="NAME")
]
Deals = Annotated[int | None, typer.Option("--hands", help="Deals for each comparison.")]
Quick = Annotated[bool, typer.Option("--quick", help="A rough answer in seconds.")]
Full = Annotated[bool, typer.Option("--full", help="As precise as a result in print deserves.")]


def _budget(quick: bool, full: bool) -> str:
    if quick and full:
        raise UserError("--quick and --full do not go together")
    return "quick" if quick else "full" if full else "default"


@app.command()
def study(
    name: Annotated[str, typer.Argument(help="bids, shriving, calibration or balance.")],
    game: Games = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help="Policy to compare; repeatable, the strongest last; default: simple, careful.",
        ),
    ] = None,
    hands: Deals = None,
    quick: Quick = False,
    full: Full = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder to keep the answer in; one to the same setting is read again."),
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Answer one of the questions that the laboratory is for."""
    from tricklab import console
    from tricklab.studies import study as named

    answer = named(name).ask(
        hands,
        seed,
        budget=_budget(quick, full),
        games=game,
        policies=policy or ("simple", "careful"),
        folder=out,
        n_jobs=jobs,
        progress=_progress(quiet),
    )
    if as_json:
        console.print_json(console.answer_json(answer))
        return
    console.answer(answer)
    if out is not None:
        typer.echo(f"kept in {out}")


@app.command()
def report(
    out: Annotated[Path, typer.Option(help="Folder for the report and its data.")] = Path(
        "reports/latest"
    ),
    studies: Annotated[
        list[str] | None,
        typer.Option("--study", metavar="NAME", help="Only this study; repeatable."),
    ] = None,
    game: Games = None,
    hands: Deals = None,
    quick: Quick = False,
    full: Full = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="Write the page anew from its data; play nothing.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Write the report: what all studies found, in one HTML file, and its data."""
    from tricklab import report as reports
    from tricklab.studies import STUDIES

    if redraw:
        path = reports.redraw(out)
    else:
        path = reports.write_report(
            out,
            studies=studies or STUDIES,
            games=game,
            hands=hands,
            budget=_budget(quick, full),
            seed=seed,
            n_jobs=jobs,
            progress=_progress(quiet),
            tell=lambda line: None if quiet else typer.echo(line, err=True),
        )
    typer.echo(f"report written to {path}")


@app.command()
def bench(
    hands: Annotated[int, typer.Option(help="Hands a measurement.")] = 40_000,
    policy: Annotated[
        list[str] | None, typer.Option("--policy", help="Policy to time; repeatable.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Measurements of each row.")] = 5,
    scaling: Annotated[
        bool, typer.Option("--scaling", help="Also time two workers against one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure card plays a second, beside OpenSpiel's."""
    from tricklab import bench as benchmark

    benchmark.main(hands, policy, repeats, scaling, as_json)


def main(args: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one line and exit code 2."""
    sys.exit(_guarded(lambda: app(args, standalone_mode=False)))


def _guarded(command: Callable[[], Any]) -> int:
    """The exit code of a command that answers every expected mishap in one line."""
    try:
        result = command()
        sys.stdout.flush()
    except Stopped as stopped:
        typer.echo(str(stopped), err=True)
        return STOPPED
    except UserError as error:
        return _fail(str(error), 2)
    except USAGE_ERROR as error:
        return _fail(error.format_message(), 2)
    except (KeyboardInterrupt, typer.Abort):
        result = STOPPED
    except SystemExit as stop:
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        return _no_reader()  # typer's own way with it would be exit code 1
    except BrokenPipeError:
        return _no_reader()
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        _drop_output()
        return _fail(f"{error.strerror or error}{where}", 1)
    # Commands return nothing; a number is the exit code typer made of an interruption.
    if result == STOPPED:
        typer.echo("stopped; nothing was written", err=True)
    return result if isinstance(result, int) else 0


STOPPED = 128 + signal.SIGINT


def _no_reader() -> int:
    """What is left to do when the reader, such as ``head``, has gone: end quietly."""
    _drop_output()
    return 0


def _drop_output() -> None:
    """Throw output away that cannot be written, or the interpreter complains of it as it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    typer.echo("error: " + " ".join(message.split()), err=True)
    return code
