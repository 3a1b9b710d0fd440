"""What the command line prints: tables for people, JSON for machines."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from tricklab import options
from tricklab.games import GAMES, Game
from tricklab.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tricklab.bench import Speed
    from tricklab.results import Run
    from tricklab.stats import Estimate
    from tricklab.studies.answer import Answer
    from tricklab.studies.answer import Table as Shown


WIDTH = 80
"""Columns of what is printed where there is no terminal to ask."""

WIDEST = 100
"""Columns beyond which lines are no longer easy to follow."""


def put(*parts: RenderableType) -> None:
    """Print parts one after the other, fitted to the terminal or to :data:`WIDTH` columns.

    They are rendered first and written in one go, without the blanks that pad lines to the full
    width, so that a reader that goes away or a full disk shows up here, as an error.
    """
    screen = Console()
    kept = io.StringIO()
    out = Console(
        file=kept,
        force_terminal=screen.is_terminal,
        color_system=screen.color_system,  # type: ignore[arg-type]
        width=_width(screen),
        highlight=False,
        legacy_windows=False,
    )
    out.print(*parts, sep="\n")
    text = "\n".join(line.rstrip() for line in kept.getvalue().splitlines())
    sys.stdout.write(text + "\n")


def _width(screen: Console) -> int:
    """Columns to print on."""
    return min(screen.width, WIDEST) if screen.is_terminal else WIDTH


def print_json(document: Any) -> None:
    """Print one JSON document."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False) + "\n")


def stamp() -> dict[str, Any]:
    """Where a listing comes from: the command and the versions."""
    from tricklab.results import command, versions

    return {"command": command(), "versions": versions()}


def switches(cls: type[Game]) -> list[dict[str, Any]]:
    """A game's switches as plain data."""
    return [
        {
            "name": spec.name,
            "default": spec.default,
            "allowed": spec.allowed,
            "clause": spec.clause,
            "meaning": spec.meaning,
            "of_matches": spec.of_matches,
        }
        for spec in options.specs(cls).values()
    ]


def parameters() -> list[dict[str, Any]]:
    """The policies and their parameters as plain data."""
    return [
        {
            "name": name,
            "summary": _summary(cls),
            "parameters": [
                {"name": s.name, "default": s.default, "allowed": s.allowed, "meaning": s.meaning}
                for s in options.specs(cls).values()
            ],
        }
        for name, cls in POLICIES.items()
    ]


LONGEST_VALUE = 16
"""Longest value of a switch that leaves room beside it for what the switch means."""


def switch_table(cls: type[Game]) -> RenderableType:
    """A game's switches as a table; two where long values leave no room for what they mean."""
    table = _table(f"{cls.title}: --set switch=value", "switch", "default", "allowed", "clause")
    specs = list(options.specs(cls).values())
    meanings = [Text(spec.meaning) for spec in specs]
    longest = max(len(word) for spec in specs for word in _allowed(spec).split())
    if longest > LONGEST_VALUE:
        for spec in specs:
            table.add_row(spec.name, _plain(spec.default), _allowed(spec), spec.clause)
        below = _table("", "switch", "meaning")
        for spec, meaning in zip(specs, meanings, strict=True):
            below.add_row(spec.name, meaning)
        return Group(table, below)
    table.add_column("meaning")
    for spec, meaning in zip(specs, meanings, strict=True):
        table.add_row(spec.name, _plain(spec.default), _allowed(spec), spec.clause, meaning)
    return table


def policy_table() -> Table:
    """The policies and their parameters as a table."""
    table = _table("Policies: --policy name:parameter=value,…", "policy", "default", "allowed")
    table.add_column("meaning")
    for name, cls in POLICIES.items():
        table.add_row(Text(name, "bold"), "", "", Text(_summary(cls)))
        for spec in options.specs(cls).values():
            table.add_row(
                f"  {spec.name}", _plain(spec.default), _allowed(spec), Text(spec.meaning)
            )
    return table


def games() -> None:
    """Print the games with their switches, and the policies."""
    parts: list[RenderableType] = []
    for cls in GAMES.values():
        parts += [switch_table(cls), f"\nThe rules in full: tricklab rules {cls.name}\n"]
    put(*parts, policy_table())


def sheet(cls: type[Game]) -> None:
    """Print a game's rule sheet: rendered in a terminal, as it is elsewhere."""
    if sys.stdout.isatty():
        put(Markdown(cls.sheet()))
    else:
        sys.stdout.write(cls.sheet())


def question(estimate: Estimate, setting: str) -> None:
    """Print an answer: the event, the share, how it was found, and what was played."""
    text = str(dataclasses.replace(estimate, name=None))
    value, more, method = text.partition("; ")
    lines = [text]
    if more and not estimate.exact:
        lines = [f"{value})", method.removesuffix(")")]
        if estimate.se > 0:
            lines[-1] += "; ± is the standard error"
    put(Text(str(estimate.name), "bold"), *(Text(f"  {line}") for line in (*lines, setting)))


def setting(game: Game, policies: Sequence[str] = (), seed: int | None = None) -> str:
    """What was played, by whom and from which seed, in one line."""
    parts = [game.label]
    if len(set(policies)) == 1:
        parts.append(f"{policies[0]} at every seat")
    elif policies:
        usual = max(policies, key=policies.count)
        others = [f"{text} at seat {i}" for i, text in enumerate(policies) if text != usual]
        parts.append(f"{usual} but {', '.join(others)}")
    if seed is not None:
        parts.append(f"seed {seed}")
    return "; ".join(parts)


def seat_estimates(run: Run, level: float) -> dict[str, dict[str, Estimate]]:
    """What each seat and the first leader took, by row and column of the table."""
    from tricklab import stats

    frame = run.seats
    rows = {f"seat {seat}": frame["seat"] == seat for seat in range(run.game.players)}
    rows["first leader"] = frame["from_leader"] == 0
    plays = run.game.n_tricks
    out = {}
    for row, chosen in rows.items():
        own = frame[chosen]
        values = {
            "tricks": own["tricks"].to_numpy(float),
            "score": own["score"].to_numpy(float),
            "wins": own["win"].to_numpy(float),
            "forced plays": own["forced"].to_numpy(float) / plays,
        }
        out[row] = {name: stats.mean(x, level) for name, x in values.items()}
    return out


FACTS: dict[str, tuple[tuple[str, str], ...]] = {
    "winners": (("several", "hands with a tie for the best score"),),
    "margin": (("mean", "winner's margin"),),
}
"""What is said of columns that every game has; a game adds its own facts, and of what nobody names
the mean is printed."""


def hand_estimates(run: Run, level: float) -> dict[str, Estimate]:
    """Facts about whole hands, by what they say."""
    from tricklab import stats

    out = {}
    facts = FACTS | dict(run.game.facts)
    for column in ("winners", "margin", *run.game.hand_columns):
        meaning = run.schema["hands"][column].meaning
        told = facts.get(column, (("mean", meaning),))
        if not told:
            continue
        x = run.hands[column].to_numpy()
        declared = run.hands["made"].to_numpy() >= 0 if "made" in run.hands else x >= 0
        shares = {
            "several": x > 1,
            "none": x == 0,
            "any": x > 0,
            "absent": x < 0,
            "made": x[declared] > 0,
        }
        kept = {"mean": x, "where any": x[x > 0], "where declared": x[declared]}
        for kind, label in told:
            if kind in shares or kind.startswith("is "):
                found = shares[kind] if kind in shares else x == int(kind[3:])
                if len(found):
                    out[label] = stats.proportion(int(found.sum()), len(found), level)
            elif len(kept[kind]):
                out[label] = stats.mean(kept[kind], level)
    return out


def run_tables(run: Run, level: float) -> None:
    """Print what a run's frames say, with intervals."""
    p = run.provenance
    seats, facts = seat_estimates(run, level), hand_estimates(run, level)
    columns = ["tricks", "score", "wins", "forced plays"]
    if (run.seats["score"] == run.seats["tricks"]).all():
        columns.remove("score")
    cells = {
        column: with_halves([row[column] for row in seats.values()], column in PERCENT)
        for column in columns
    }
    table = _seat_table(run, list(seats), cells)
    hands = _fact_table("Of the hands", facts, level, "deals")
    percent = f"{100 * level:.6g}%"
    notes = [
        f"{p.hands:,} deal{'s' * (p.hands > 1)}; {setting(run.game, p.policies, p.seed)}",
        f"±: half of the {percent} interval, Student's t over deals; shares of hands: Wilson",
    ]
    if any("?" in text for column in cells.values() for text in column):
        notes.append("?: these deals do not show how it varies")
    put(table, "", hands, "", *(Text(note, "dim") for note in notes))


def _seat_table(run: Run, rows: Sequence[str], cells: dict[str, list[str]]) -> Table:
    """A row a seat, with its policy where they differ, and a column of cells for each heading."""
    table = _table(run.game.label, "")
    for column in cells:
        table.add_column(column, justify="right", no_wrap=True)
    policies = run.provenance.policies
    mixed = len(set(policies)) > 1
    for i, row in enumerate(rows):
        who = f" {policies[i].partition(':')[0]}" if mixed and i < len(policies) else ""
        table.add_row(row + who, *(column[i] for column in cells.values()))
    return table


def _fact_table(title: str, facts: dict[str, Estimate], level: float, unit: str) -> Table:
    """A row a fact: what it is, its value and interval, and how many it rests on."""
    table = _table(title, "")
    for heading in ("", f"{100 * level:.6g}% interval", unit):
        table.add_column(heading, justify="right", no_wrap=True)
    for label, estimate in facts.items():
        share = estimate.method == "Wilson"
        table.add_row(label, *with_interval(estimate, share), f"{estimate.n:,}")
    return table


def match_estimates(
    run: Run, level: float
) -> tuple[dict[str, dict[str, Estimate]], dict[str, Estimate]]:
    """What each seat made of the matches, and facts about whole matches."""
    from tricklab import stats

    standings, matches = run.standings, run.matches
    seats = {}
    for seat in range(run.game.players):
        own = standings[standings["seat"] == seat]
        seats[f"seat {seat}"] = {
            "final score": stats.mean(own["score"].to_numpy(float), level),
            "wins": stats.mean(own["win"].to_numpy(float), level),
        }
    unfinished = int((matches["finished"] == 0).sum())
    facts = {"matches stopped unfinished": stats.proportion(unfinished, len(matches), level)}
    for column in ("hands", "margin", "lead_changes", "last_lead"):
        label = run.schema["matches"][column].meaning
        facts[label] = stats.mean(matches[column].to_numpy(float), level)
    return seats, facts


def match_tables(run: Run, level: float) -> None:
    """Print what a run of matches says, with intervals."""
    p = run.provenance
    seats, facts = match_estimates(run, level)
    cells = {
        column: with_halves([row[column] for row in seats.values()], column in PERCENT)
        for column in ("final score", "wins")
    }
    table = _seat_table(run, list(seats), cells)
    of_matches = _fact_table("Of the matches", facts, level, "matches")
    percent = f"{100 * level:.6g}%"
    notes = [
        f"{p.matches:,} matches, {p.hands:,} deals; {setting(run.game, p.policies, p.seed)}",
        f"±: half of the {percent} interval, Student's t over matches; shares: Wilson",
    ]
    put(table, "", of_matches, "", *(Text(note, "dim") for note in notes))


def matches_json(run: Run, level: float) -> dict[str, Any]:
    """What a run of matches says, as plain data."""
    seats, facts = match_estimates(run, level)
    return {
        "seats": {
            row: {name: estimate.to_dict() for name, estimate in values.items()}
            for row, values in seats.items()
        },
        "matches": {label: estimate.to_dict() for label, estimate in facts.items()},
        "provenance": run.provenance.__dict__,
    }


PERCENT = ("wins", "forced plays")
"""Columns printed as percentages."""


def _decimals(half: float) -> int:
    """Decimals that show two digits of a half-width."""
    return min(6, max(0, 1 - math.floor(math.log10(half)))) if half > 0 else 3


def with_halves(estimates: Sequence[Estimate], percent: bool = False) -> list[str]:
    """Cells of one column: each value and half of its interval, with the same decimals.

    A sample that shows no spread cannot say how far off it is: its half-width is ``?``.
    """
    scale, sign = (100, "%") if percent else (1, "")
    halves = [scale * (e.high - e.low) / 2 for e in estimates]
    known = [half for half in halves if math.isfinite(half) and half > 0]
    places = _decimals(max(known, default=0))
    return [
        f"{scale * e.value:.{places}f} ± "
        + (f"{half:.{places}f}{sign}" if half in known else f"?{sign}")
        for e, half in zip(estimates, halves, strict=True)
    ]


def with_interval(estimate: Estimate, percent: bool = False) -> tuple[str, str]:
    """A value and its interval, as two cells."""
    scale, sign = (100, "%") if percent else (1, "")
    half = scale * (estimate.high - estimate.low) / 2
    known = math.isfinite(half) and half > 0
    places = _decimals(half if known else 0)
    value, low, high = (
        f"{scale * x:.{places}f}{sign}" for x in (estimate.value, estimate.low, estimate.high)
    )
    return value, f"{low} to {high}" if known else "?"


def run_json(run: Run, level: float) -> dict[str, Any]:
    """What a run's frames say as plain data."""
    return {
        "seats": {
            row: {name: estimate.to_dict() for name, estimate in estimates.items()}
            for row, estimates in seat_estimates(run, level).items()
        },
        "hands": {name: e.to_dict() for name, e in hand_estimates(run, level).items()},
        "provenance": dataclasses.asdict(run.provenance),
    }


def answer(found: Answer) -> None:
    """Print what a study found: sentences, then its tables."""
    from tricklab.studies import study
    from tricklab.studies.answer import Figure

    parts: list[RenderableType] = [Text(study(found.study).question, "bold"), ""]
    parts += [Text(f"• {sentence}") for sentence in found.findings]
    width = _width(Console())
    for part in found.parts:
        points = [point for point in part.points if point not in found.findings]
        parts += ["", Text(part.title, "bold"), *(Text(f"• {point}") for point in points)]
        for shown in part.shows:
            if not isinstance(shown, Figure):
                parts += ["", *_shown_tables(shown, width), Text(shown.note, "dim")]
    stated = found.stated
    parts += [
        "",
        Text(
            f"{stated['hands_per_cell']:,} deals a comparison; {' and '.join(stated['policies'])}; "
            f"seed {stated['seed']}; in brackets: 95% intervals",
            "dim",
        ),
    ]
    put(*parts)


LABELS, GAP = 28, 2
"""Characters that labels take at most, before they are folded, and between columns."""


def _shown_tables(shown: Shown, width: int) -> Iterator[Table]:
    """A study's table, as several where its columns do not fit side by side.

    Intervals stand below their values, which leaves room for columns.
    """
    rows = [[row[0], *(cell.replace(" (", "\n(", 1) for cell in row[1:])] for row in shown.rows]
    labels = min(LABELS, max((len(row[0]) for row in rows), default=0))
    columns = range(1, len(shown.head))
    # Headings may be folded between words, cells not.
    sizes = {
        k: max(map(len, [*shown.head[k].split(), *(p for row in rows for p in row[k].split("\n"))]))
        for k in columns
    }
    title = shown.title
    while columns:
        fitting, taken = 0, labels
        for k in columns:
            taken += GAP + sizes[k]
            fitting += taken <= width
        now, columns = columns[: max(1, fitting)], columns[max(1, fitting) :]
        table = _table(title, shown.head[0])
        table.columns[0].width, table.columns[0].no_wrap = labels, False
        for k in now:
            table.add_column(shown.head[k], justify="right", min_width=min(sizes[k], width - GAP))
        for row in rows:
            table.add_row(row[0], *(row[k] for k in now))
        yield table
        title = ""


def answer_json(found: Answer) -> dict[str, Any]:
    """What a study found as plain data."""
    frames = {
        name: json.loads(frame.to_json(orient="records", double_precision=10))
        for name, frame in found.frames.items()
    }
    return {
        "study": found.study,
        "findings": found.findings,
        "frames": frames,
        "provenance": found.stated,
    }


def bench_table(ours: Sequence[Speed], theirs: Sequence[Speed]) -> None:
    """Print speeds, and their ratios to the others' speeds."""
    table = _table("Millions of card plays a second on one core")
    # Switches may go on a second line; policies and numbers stay whole.
    table.add_column("game", overflow="fold")
    table.add_column("policy", no_wrap=True)
    others = [f"÷{other.game.removeprefix('OpenSpiel ')}" for other in theirs]
    for heading in ("median", "range", "first", *others):
        table.add_column(heading, justify="right", no_wrap=True)
    for speed in (*ours, *theirs):
        own = speed in ours
        table.add_row(
            speed.game,
            speed.policy,
            f"{speed.median / 1e6:.2f}",
            f"{min(speed.rates) / 1e6:.2f}–{max(speed.rates) / 1e6:.2f}",
            f"{speed.first:.1f} s" if own else "",
            *(f"{speed.ratio(other):.1f}" if own else "" for other in theirs),
        )
    notes = [
        "Dealing, playing, scoring and frames counted; "
        f"{len(ours[0].rates)} measurements of each, in turn.",
        "First: one hand, with compiling or loading the kernels.",
    ]
    if theirs:
        notes += [
            "÷: how many times as fast, the median pair by pair.",
            "OpenSpiel: random bots; its passes and bids take time but are not counted.",
            "Its tarok stops early at random, so that there they are most of the time.",
        ]
    put(table, "", *(Text(note, "dim") for note in notes))


def _summary(cls: type) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]


def _allowed(spec: options.Spec) -> str:
    """The allowed values, shorter than in words."""
    if spec.low is not None and spec.high is not None:
        return f"{spec.low:g} to {spec.high:g}"
    return spec.allowed


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _table(title: str, *left: str) -> Table:
    table = Table(
        title=Text(title, "bold"),
        title_justify="left",
        box=None,
        pad_edge=False,
        header_style="dim",
    )
    for i, heading in enumerate(left):
        # Names stay whole; a column without a heading has labels, which may take several lines.
        table.add_column(heading, overflow="fold", no_wrap=i == 0 and heading != "")
    return table
