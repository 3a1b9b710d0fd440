"""What the report says about Junni."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import pandas as pd
from markupsafe import Markup
from matplotlib.axes import Axes

from tricklab import figures, words
from tricklab.odds import exact_odds
from tricklab.report.page import render
from tricklab.studies.balance import (
    Cell,
    by_distance,
    effects,
    levels,
    policy_differences,
    worth_of_holding,
    worth_of_one,
)
from tricklab.studies.design import MEASURE, MEASURES, VARIANTS
from tricklab.studies.rows import row

SURE = 0.05
"""Adjusted p below which the report calls a change one."""

NO_METADATA = ("Date", "Creator", "Format", "Type")
"""What Matplotlib would write about the file, addresses of vocabularies included."""

TITLES = {variant.name: variant.title for variant in VARIANTS}
STRIKING = {
    name: MEASURE[name].title.removeprefix("hands in which ").removeprefix("hands with ")
    for name in ("unbroken", "shutout", "saved", "tie", "worthless", "half")
}
FEATURES = {
    "trumps": "trumps",
    "high_cards": "Sages and Rooks",
    "barbarians": "barbarians",
    "voids": "void suits",
}
EXACT = {
    "voids >= 1": "a given seat is dealt no card of some suit",
    "trumps == 0": "a given seat is dealt no trump",
    "barbarians == 4": "a given seat is dealt all four barbarians",
    "trumps >= 8": "a given seat is dealt half of the trumps or more",
}


def build(cells: Sequence[Cell], stated: dict[str, Any]) -> tuple[str, dict[str, pd.DataFrame]]:
    """The report's HTML and its data frames.

    Parameters
    ----------
    cells : sequence of Cell
        The whole design, with 4 players among the numbers of players.
    stated : dict
        Provenance.
    """
    policies = list(stated["policies"])
    data = {
        "by_distance": by_distance(cells),
        "levels": levels(cells),
        "effects": effects(cells),
        "policies": policy_differences(cells),
    }
    strong = policies[-1]
    basic4 = next(c for c in cells if c.basic and c.players == 4 and c.policy == strong)
    data["holdings"] = worth_of_holding(basic4)
    players = sorted({cell.players for cell in cells})
    counts = {n: f"{n} players" for n in players}
    ours = {
        name: frame[frame["policy"] == strong]
        for name, frame in data.items()
        if "policy" in frame.columns
    }
    context = {
        "stated": stated,
        "strong": strong,
        "weak": policies[0],
        "players": words.listed([str(n) for n in players]),
        "summary": _summary(data, basic4, strong, policies[0], players),
        "variants": VARIANTS,
        "game": basic4.game,
        "distance_tables": _distance_tables(ours["by_distance"], players),
        "distance_figures": [
            _svg(figures.by_distance(data["by_distance"], measure, strong), alt)
            for measure, alt in (
                ("tricks", "tricks by distance from the first leader"),
                ("win", "share of wins by distance from the first leader"),
            )
        ],
        "effect_sections": [
            _effect_section(ours["effects"], measure, counts)
            for measure in ("leader_wins", "leader_tricks", "spread", "margin", "tie", "shutout")
        ],
        "comparisons": len(data["effects"]),
        "sure": int((data["effects"]["holm"] < SURE).sum()),
        "level_table": words.table(
            _basic(ours["levels"]),
            {m.name: m.title for m in MEASURES if not m.share},
            counts,
            "measure",
            "players",
            words.plain,
        ),
        "striking_table": words.table(
            _basic(ours["levels"]), STRIKING, counts, "measure", "players", words.percent
        ),
        "striking_figure": _svg(
            figures.striking(_basic(ours["levels"]), STRIKING), "how often striking things happen"
        ),
        "exact_rows": _exact(cells, players),
        "exact_head": ["chance that", *counts.values()],
        "policy_table": _policy_table(data["policies"], counts),
        "policy_words": _policy_words(data["effects"], policies),
        "policy_levels": [
            _level_words(data["levels"], measure, policies, players)
            for measure in ("leader_wins", "tie", "spread")
        ],
        "policy_figures": [
            _policy_figure(data["effects"], measure, policies)
            for measure in ("leader_wins", "tie", "spread")
        ],
        "worth_figure": _svg(
            figures.worth(data["holdings"], FEATURES), "mean tricks by what was dealt"
        ),
        "worth_table": words.table(
            data["holdings"],
            {n: str(n) for n in sorted(set(data["holdings"]["count"]))},
            FEATURES,
            "count",
            "feature",
            words.plain,
        ),
    }
    return render("junni.html", context), data


def _basic(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["variant"] == "basic"]


def _svg(axes: Axes, alt: str) -> Markup:
    """A figure as inline SVG with a text for those who cannot see it."""
    out = io.StringIO()
    figure = axes.get_figure(root=True)
    assert figure is not None
    # Within the style, whose salt makes the names inside the file the same every time.
    with mpl.rc_context(figures.STYLE):
        figure.savefig(out, format="svg", metadata=dict.fromkeys(NO_METADATA))
    text = out.getvalue()
    svg = text[text.index("<svg") :]
    label = f'<svg role="img" aria-label="{Markup.escape(alt)}" '
    return Markup(svg.replace("<svg ", label, 1))


def _one(frame: pd.DataFrame, **labels: Any) -> dict[str, Any]:
    for name, value in labels.items():
        frame = frame[frame[name] == value]
    first: dict[Any, Any] = frame.to_dict("records")[0]
    return first


def _summary(
    data: dict[str, pd.DataFrame], cell: Cell, strong: str, weak: str, players: list[int]
) -> list[str]:
    """The findings in sentences made from the numbers."""
    level, effect = data["levels"], data["effects"]
    edges = [
        (n, _one(level, variant="basic", players=n, policy=strong, measure="leader_wins"))
        for n in players
    ]
    out = [_edge_words(edges)]
    rows = effect[(effect["policy"] == strong) & (effect["players"] == 4)]
    for measure, more, less in (
        ("spread", "spreads the tricks most unevenly", "evens them out most"),
        ("tie", "makes shared wins most frequent", "makes shared wins rarest"),
    ):
        out.append(_extremes(rows[rows["measure"] == measure], measure, more, less))
    moved = rows[(rows["measure"] == "leader_wins") & (rows["holm"] < SURE)]
    if len(moved):
        parts = [f"{TITLES[r['variant']]} by {words.points(r)}" for r in moved.to_dict("records")]
        out.append(
            f"With 4 players the first leader's share of wins is moved, in percentage points, "
            f"by {words.listed(parts)}."
        )
    else:
        out.append(
            "With 4 players no variant moves the first leader's share of wins beyond what chance "
            "explains."
        )
    of_basic = level[(level["variant"] == "basic") & (level["policy"] == strong)]
    shut = [
        f"{words.percent(_one(of_basic, players=n, measure='shutout'))} with {n}" for n in players
    ]
    out.append(f"A seat goes without a trick in {words.listed(shut)} players.")
    tie = _one(level, variant="basic", players=4, policy=strong, measure="tie")
    out.append(f"With 4 players {words.percent(tie)} of hands end in a shared win.")
    worths = [
        f"{title} {words.change(row(worth_of_one(cell, feature)))}"
        for feature, title in (
            ("trumps", "one more trump"),
            ("high_cards", "one more Sage or Rook"),
            ("barbarians", "one more barbarian"),
        )
    ]
    out.append(
        "Among the seats of a deal with 4 players, tricks taken change with what was dealt: "
        f"{words.listed(worths)}."
    )
    out.append(_policy_words(effect, [weak, strong]))
    return out


def _edge_words(edges: list[tuple[int, dict[str, Any]]]) -> str:
    gains = [(n, e) for n, e in edges if e["low"] > 0]
    losses = [(n, e) for n, e in edges if e["high"] < 0]
    parts = []
    for found, which in ((gains, "more"), (losses, "less")):
        if found:
            what = words.listed([f"{words.points(e)} with {n} players" for n, e in found])
            parts.append(
                f"the first leader wins {which} than an equal share, by percentage points: {what}"
            )
    rest = [str(n) for n, e in edges if e["low"] <= 0 <= e["high"]]
    if rest:
        parts.append(f"no edge of the first leader shows with {words.listed(rest)} players")
    text = "; ".join(parts)
    return text[0].upper() + text[1:] + "."


def _extremes(rows: pd.DataFrame, measure: str, more: str, less: str) -> str:
    show = words.points if MEASURE[measure].share else words.change
    sure = rows[rows["holm"] < SURE].sort_values("value")
    up, down = sure[sure["value"] > 0], sure[sure["value"] < 0]
    parts = []
    if len(up):
        top = up.iloc[-1]
        near = up[(up["high"] >= top["low"]) & (up["variant"] != top["variant"])]
        parts.append(f"{TITLES[top['variant']]} {more}, {show(top)}{_rivals(near)}")
    if len(down):
        low = down.iloc[0]
        near = down[(down["low"] <= low["high"]) & (down["variant"] != low["variant"])]
        parts.append(f"{TITLES[low['variant']]} {less}, {show(low)}{_rivals(near)}")
    if not parts:
        return f"With 4 players no variant clearly changes the {MEASURE[measure].title}."
    unit = ", in percentage points" if MEASURE[measure].share else ""
    return f"Of the variants with 4 players{unit}: {'; '.join(parts)}."


def _rivals(near: pd.DataFrame) -> str:
    """Who else may hold the first place: those whose intervals reach the first one's."""
    if near.empty:
        return ""
    return f", not clearly ahead of {words.listed([TITLES[name] for name in near['variant']])}"


def _distance_tables(frame: pd.DataFrame, players: list[int]) -> list[dict[str, Any]]:
    distances = {d: ("first leader" if d == 0 else f"{d} after") for d in range(max(players))}
    titles = {n: f"{n} players" for n in players}
    out = []
    for measure, title, show in (
        ("tricks", "Mean tricks by seats after the first leader", words.plain),
        ("win", "Share of wins by seats after the first leader", words.percent),
    ):
        rows = frame[frame["measure"] == measure]
        grid = words.table(rows, distances, titles, "distance", "players", show)
        out.append({"title": title} | grid)
    return out


def _effect_section(frame: pd.DataFrame, measure: str, counts: dict[int, str]) -> dict[str, Any]:
    rows = frame[frame["measure"] == measure]
    share = MEASURE[measure].share
    show = words.points if share else words.change
    title = MEASURE[measure].title

    def cell(row: dict[str, Any]) -> str:
        return show(row) + (" *" if row["holm"] < SURE else "")

    return {
        "title": title[0].upper() + title[1:],
        "unit": "percentage points" if share else "tricks",
        "figure": _svg(
            figures.effects(rows, TITLES, share=share, xlabel="change from the basic game"),
            f"change of {title} with each variant",
        ),
        "table": words.table(rows, TITLES, counts, "variant", "players", cell),
    }


def _policy_table(frame: pd.DataFrame, counts: dict[int, str]) -> dict[str, Any]:
    shares = {m.name: m.title for m in MEASURES if m.share}
    others = {m.name: m.title for m in MEASURES if not m.share}
    first = words.table(frame, others, counts, "measure", "players", words.change)
    second = words.table(frame, shares, counts, "measure", "players", words.points)
    return {"head": first["head"], "rows": first["rows"] + second["rows"]}


def _agreement(frame: pd.DataFrame, policies: list[str]) -> pd.DataFrame:
    """Effects under both policies, a row each: signs, clearness, whether intervals are apart.

    Where no deal changes under one of them (a policy that does not know the points table plays the
    same cards) there is nothing to compare.
    """
    keys, kept = ["variant", "players", "measure"], ["value", "se", "low", "high", "holm"]
    weak, strong = (
        frame[frame["policy"] == policy].set_index(keys)[kept].add_suffix(suffix)
        for policy, suffix in zip(policies, ("_weak", "_strong"), strict=True)
    )
    both = weak.join(strong)
    both = both[(both["se_weak"] > 0) & (both["se_strong"] > 0)].copy()
    both["apart"] = (both["low_weak"] > both["high_strong"]) | (
        both["low_strong"] > both["high_weak"]
    )
    both["clear"] = (both["holm_weak"] < SURE) & (both["holm_strong"] < SURE)
    both["same"] = both["value_weak"] * both["value_strong"] > 0
    return both.reset_index()


def _policy_words(frame: pd.DataFrame, policies: list[str]) -> str:
    both = _agreement(frame, policies)
    clear = both[both["clear"]]
    opposed = clear[~clear["same"]]
    text = (
        f"Of {len(both)} changes that both {policies[0]} and {policies[1]} play can show, "
        f"{int(both['apart'].sum())} differ in size beyond their intervals; {len(clear)} are clear "
        f"under both, and {len(clear) - len(opposed)} of these point the same way"
    )
    if len(opposed):
        named = [
            f"{TITLES[r['variant']]} ({r['players']} players, {MEASURE[r['measure']].title})"
            for r in opposed.head(4).to_dict("records")
        ]
        more = f" and {len(opposed) - 4} more" if len(opposed) > 4 else ""
        return f"{text}; the others depend on how well people play: {words.listed(named)}{more}."
    return text + "."


def _level_words(
    frame: pd.DataFrame, measure: str, policies: list[str], players: list[int]
) -> dict[str, str]:
    """How a measure of the basic game stands under both policies, in words."""
    show = {"leader_wins": words.points, "tie": words.percent}.get(measure, words.plain)
    pairs = {
        n: [_one(_basic(frame), players=n, policy=p, measure=measure) for p in policies]
        for n in players
    }
    weak, strong = pairs[4]
    parts = [
        f"with 4 players {show(weak)} under {policies[0]} and {show(strong)} under {policies[1]} "
        "play",
        _sorted_out(
            {n: a["low"] > b["high"] or b["low"] > a["high"] for n, (a, b) in pairs.items()},
            "the two intervals exclude each other",
            "the two intervals overlap",
        ),
    ]
    if measure == "leader_wins":
        signs = {n: [(r["low"] > 0) - (r["high"] < 0) for r in pair] for n, pair in pairs.items()}
        clear = {n: a * b < 0 for n, (a, b) in signs.items() if a * b}
        parts.append(_sorted_out(clear, "the sign changes", "the sign is clear and the same"))
        parts.append(
            _sorted_out(
                {n: True for n in signs if n not in clear}, "an interval of one holds zero", ""
            )
        )
    title = MEASURE[measure].title
    unit = ", percentage points" if show is words.points else ""
    return {
        "title": title[0].upper() + title[1:] + unit,
        "text": "; ".join(part for part in parts if part) + ".",
    }


def _sorted_out(found: dict[int, bool], yes: str, no: str) -> str:
    """For which numbers of players something holds, and for which it does not."""
    sides = [
        (text, [str(n) for n, x in found.items() if x is side])
        for text, side in ((yes, True), (no, False))
    ]
    return "; ".join(f"{text} with {words.listed(ns)} players" for text, ns in sides if ns)


def _policy_figure(frame: pd.DataFrame, measure: str, policies: list[str]) -> Markup:
    rows = frame[(frame["measure"] == measure) & (frame["players"] == 4)]
    what = MEASURE[measure].title.split(" (")[0]
    axes = figures.effects(
        rows,
        TITLES,
        share=MEASURE[measure].share,
        xlabel=f"{what}:\nchange from the basic game, 4 players",
        series="policy",
    )
    return _svg(axes, f"change of {what} with each variant, under {words.listed(policies)} play")


def _exact(cells: Sequence[Cell], players: list[int]) -> list[list[str]]:
    at = {cell.players: cell.game for cell in cells if cell.basic}
    out = []
    for event, title in EXACT.items():
        chances = [exact_odds(at[n], event).value for n in players]
        out.append([title, *(f"{100 * chance:.4g}%" for chance in chances)])
    return out
