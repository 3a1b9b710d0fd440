"""Junni's cards in the balance study: what strikes, exact odds of the deal, worth of holdings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from tricklab import figures, words
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.balance.designs import Design
from tricklab.studies.balance.measures import HOLDING, STRIKING
from tricklab.studies.base import Frames
from tricklab.studies.rows import chosen

FEATURES: dict[Any, str] = dict(
    zip(HOLDING, ("trumps", "Sages and Rooks", "barbarians", "void suits"), strict=True)
)
EXACT = {
    "voids >= 1": "a given seat is dealt no card of some suit",
    "trumps == 0": "a given seat is dealt no trump",
    "barbarians == 4": "a given seat is dealt all four barbarians",
    "trumps >= 8": "a given seat is dealt half of the trumps or more",
}


def striking_part(frames: Frames, designs: Mapping[str, Design], policies: Sequence[str]) -> Part:
    """How often striking things happen, with the exact odds of the deal."""
    rows = chosen(frames["striking"], policy=policies[-1], design="junni", variant="")
    sized = ["", *(c.name for c in designs["junni"].contexts if "players" in c.switches)]
    rows = rows[rows["context"].isin(sized)].sort_values("players", kind="stable")
    counts = {n: f"{n} players" for n in rows["players"].unique()}
    titles = {m.name: m.title for m in STRIKING}
    shows: list[Table | Figure] = [
        Table(
            "striking",
            f"Share of hands with each, base game, {policies[-1]} play (Wilson intervals)",
            **words.table(rows, titles, counts, "measure", "players", words.percent),
        ),
        Figure(
            "striking", "How often striking things happen", partial(figures.striking, rows, titles)
        ),
    ]
    if "exact" in frames:
        shows.append(
            Table(
                "exact",
                "Exact chances of the deal",
                **words.table(frames["exact"], EXACT, counts, "event", "players", exactly),
                note="Combinatorics, not estimates: exact, without an interval.",
            )
        )
    return Part("Junni: how often striking things happen", shows=shows)


def exactly(row: Any) -> str:
    """An exact chance in words: a percentage, or one in so many where it is small."""
    value = float(row["value"])
    if value == 0:
        return "never"
    if value < 0.001:
        return f"1 in {float(1 / Fraction(value)):,.0f}"
    return f"{100 * value:.3g}%"


def holdings_part(frames: Frames, policies: Sequence[str]) -> Part:
    """What a seat's dealt holding is worth in tricks."""
    strong = policies[-1]
    rows = chosen(frames["holdings"], design="junni", policy=strong)
    counted = rows[rows["count"] >= 0]
    counts = {n: str(n) for n in sorted(counted["count"].unique())}
    worth = chosen(frames["holdings"], design="junni", count=-1)
    shows: list[Table | Figure] = [
        Table(
            "worth",
            "Tricks that one more brings, among the seats of a deal",
            **words.table(
                worth,
                FEATURES,
                {p: f"{p} play" for p in policies},
                "feature",
                "policy",
                words.change,
            ),
        ),
        Table(
            "holdings",
            f"Mean tricks by number dealt, {strong} play",
            **words.table(counted, counts, FEATURES, "count", "feature", words.plain),
            note="A dash: seen in too few deals.",
        ),
        Figure(
            "holdings",
            "Mean tricks of a seat by what it was dealt",
            partial(
                figures.lines,
                counted,
                "count",
                "feature",
                "how many were dealt to the seat",
                "mean tricks of the seat",
                titles=FEATURES,
                whole=True,
            ),
        ),
    ]
    text = "Base game with 4 players. Each column looks at one feature, the others as they fall."
    return Part("Junni: what the cards dealt are worth", text, shows=shows)
