"""What the command line prints: tables for people, JSON for machines."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from tricklab import options
from tricklab.games import GAMES, Game
from tricklab.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tricklab.bench import Speed
    from tricklab.results import Provenance, Run
    from tricklab.stats import Estimate


def console() -> Console:
    """A console on standard output; at least 80 columns where it is not a terminal."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=max(out.width, 100))


def print_json(document: Any) -> None:
    """Print one JSON document."""
    json.dump(document, sys.stdout, indent=2, default=str, ensure_ascii=False)
    sys.stdout.write("\n")


def switches(cls: type[Game]) -> list[dict[str, Any]]:
    """A game's switches as plain data."""
    return [
        {
            "name": spec.name,
            "default": spec.default,
            "allowed": spec.allowed,
            "clause": spec.clause,
            "meaning": spec.meaning,
        }
        for spec in options.specs(cls).values()
    ]


def parameters() -> list[dict[str, Any]]:
    """The policies and their parameters as plain data."""
    return [
        {
            "name": name,
            "summary": (cls.__doc__ or "").strip().splitlines()[0],
            "parameters": [
                {"name": s.name, "default": s.default, "allowed": s.allowed, "meaning": s.meaning}
                for s in options.specs(cls).values()
            ],
        }
        for name, cls in POLICIES.items()
    ]


def switch_table(cls: type[Game]) -> Table:
    """A game's switches as a table."""
    table = _table(f"{cls.title} (version {cls.version}): --set switch=value")
    for heading in ("switch", "default", "allowed", "clause", "meaning"):
        table.add_column(heading, overflow="fold")
    for row in switches(cls):
        shown = str(row["default"]).lower() if isinstance(row["default"], bool) else row["default"]
        table.add_row(row["name"], str(shown), row["allowed"], row["clause"], row["meaning"])
    return table


def policy_table() -> Table:
    """The policies and their parameters as a table."""
    table = _table("Policies: --policy name:parameter=value,…")
    for heading in ("policy", "parameter", "default", "allowed", "meaning"):
        table.add_column(heading, overflow="fold")
    for entry in parameters():
        table.add_row(f"[bold]{entry['name']}[/]", "", "", "", entry["summary"])
        for p in entry["parameters"]:
            table.add_row("", p["name"], f"{p['default']:g}", p["allowed"], p["meaning"])
    return table


def games() -> None:
    """Print the games with their switches, and the policies."""
    out = console()
    for cls in GAMES.values():
        out.print(switch_table(cls))
        out.print(f"The rules in full: tricklab rules {cls.name}\n")
    out.print(policy_table())


def sheet(cls: type[Game]) -> None:
    """Print a game's rule sheet: rendered in a terminal, as it is elsewhere."""
    if sys.stdout.isatty():
        console().print(Markdown(cls.sheet()))
    else:
        sys.stdout.write(cls.sheet())


def run_summary(run: Run, level: float) -> list[tuple[str, list[tuple[str, Estimate]]]]:
    """Estimates that describe a run, by heading: for each seat, then of the hands."""
    from tricklab import stats

    seats, hands = run.seats, run.hands
    out = []
    for seat in range(run.game.players):
        own = seats[seats["seat"] == seat]
        out.append(
            (
                f"seat {seat}",
                [
                    ("tricks", stats.mean(own["tricks"].to_numpy(float), level)),
                    ("score", stats.mean(own["score"].to_numpy(float), level)),
                    ("share of wins", stats.mean(own["win"].to_numpy(float), level)),
                ],
            )
        )
    leader = seats[seats["from_leader"] == 0]
    out.append(
        (
            "first leader",
            [
                ("tricks", stats.mean(leader["tricks"].to_numpy(float), level)),
                ("score", stats.mean(leader["score"].to_numpy(float), level)),
                ("share of wins", stats.mean(leader["win"].to_numpy(float), level)),
            ],
        )
    )
    ties = int((hands["winners"] > 1).sum())
    facts = [
        ("share of tied hands", stats.proportion(ties, len(hands), level)),
        ("winner's margin", stats.mean(hands["margin"].to_numpy(float), level)),
    ]
    out.append(("hands", facts))
    return out


def run_tables(run: Run, level: float) -> None:
    """Print what a run's frames say, with intervals."""
    out = console()
    summary = run_summary(run, level)
    table = _table(f"{run.game.label}")
    for heading in ("", "tricks", "score", "share of wins"):
        table.add_column(heading, justify="left" if not heading else "right")
    for heading, estimates in summary[:-1]:
        table.add_row(heading, *(interval(estimate) for _, estimate in estimates))
    out.print(table)
    for name, estimate in summary[-1][1]:
        out.print(f"{name}: {estimate}")
    p = run.provenance
    out.print(
        f"\n{p.hands:,} deals, seed {p.seed}, policies {', '.join(p.policies)}; "
        f"± is half of a {level:.0%} interval (t, by deal)",
        style="dim",
    )


def interval(estimate: Estimate) -> str:
    """A value and the half-width of its interval, for a table's cell."""
    half = (estimate.high - estimate.low) / 2
    return f"{estimate.value:.3f} ± {half:.3f}"


def run_json(run: Run, level: float) -> dict[str, Any]:
    """What a run's frames say as plain data."""
    return {
        "estimates": {
            heading: {name: estimate.to_dict() for name, estimate in estimates}
            for heading, estimates in run_summary(run, level)
        },
        "provenance": provenance(run.provenance),
    }


def provenance(stated: Provenance) -> dict[str, Any]:
    """Provenance as plain data."""
    return dataclasses.asdict(stated)


def bench_table(ours: Sequence[Speed], theirs: Sequence[Speed]) -> None:
    """Print speeds, and their ratios to the others' speeds."""
    table = _table("Millions of card plays a second, one core: deals, play, scores, frames")
    for heading in ("game", "policy", "median", "least", "most", "first run"):
        table.add_column(heading, justify="left" if heading in ("game", "policy") else "right")
    for other in theirs:
        table.add_column(f"× {other.game.removeprefix('OpenSpiel ')}", justify="right")
    for speed in (*ours, *theirs):
        own = speed in ours
        table.add_row(
            speed.game,
            speed.policy,
            *(f"{rate / 1e6:.2f}" for rate in (speed.median, min(speed.rates), max(speed.rates))),
            f"{speed.first:.1f} s" if own else "",
            *(f"{speed.ratio(other):.1f}" if own else "" for other in theirs),
        )
    console().print(table)


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        header_style="dim",
    )
