"""Tables and figures of the balance study under their headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from tricklab import figures, words
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.balance.dealt import holdings_part, striking_part
from tricklab.studies.balance.designs import Assumption, Design
from tricklab.studies.balance.luck import COMPONENTS
from tricklab.studies.balance.measures import MEASURE, MEASURES
from tricklab.studies.balance.telling import (
    EXTREMES,
    SURE,
    edge_words,
    interplay_words,
    pair_title,
    policy_words,
    show,
    show_change,
    told_designs,
)
from tricklab.studies.base import Frames
from tricklab.studies.rows import chosen

TITLES = {m.name: m.title for m in MEASURES}
LEVELS = {m.name: m.title + (", percentage points" if m.gap else "") for m in MEASURES}
MOST_PAIRS = 15
"""Pairs of switches that are listed."""

STAR = f"* clear at {SURE:.0%} after Holm's adjustment for all comparisons of the design."
POINTS = "Changes of shares are in percentage points."
PARTS = {
    "cards": "cards and dice",
    "policy": "who plays",
    "rest": "how the play goes",
}
"""Components of the variance in words."""

MEASURED = (
    "Every cell is one game under one policy at all seats; cells with the same deck and number of "
    "players are played on the same deals, and differences are taken deal by deal. Junni's "
    "switches are turned on in every combination, so that each switch's effect is seen with every "
    "setting of the others, and each pair's with every setting of the rest. Decks and numbers of "
    "players are dealt differently and compared unpaired (Welch). Win-share balance is 100% less "
    "the largest difference between two seats' shares of wins, the seats being picked on one half "
    "of the deals and compared on the other; where seats are alike it scatters about 100%. A hand "
    "is settled when the side in front cannot be caught by whatever is still to be taken, or when "
    "a contract can no longer fail or be made. Luck share is the part of the variance of a seat's "
    "result that stays with the cards dealt and the dice when the players move round the table; "
    "skill is what one player of the other policy among players of the policy named wins more "
    "(or, if weaker, less) than they do with the same holdings. Campaigns are chained from hands. "
    "Hands that are thrown in are left out of what is measured of play."
)


def parts(frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
    """What is shown, in order."""
    designs = told_designs(stated)
    policies = stated["policies"]
    out = [Part("What was varied and how it was measured", MEASURED, shows=[_varied(designs)])]
    out.append(_games(frames, designs, policies))
    out.append(_seats(frames, designs, policies))
    out += [
        _switches(frames, design, policies)
        for design in designs.values()
        if (frames["factorial"]["design"] == design.name).any()
    ]
    out.append(_luck(frames, designs, policies))
    out += [_tables(frames, d, policies) for d in designs.values() if d.contexts]
    out += [
        _assumption(frames, design, tried, policies)
        for design in designs.values()
        for tried in design.assumptions
    ]
    if "striking" in frames:
        out.append(striking_part(frames, designs, policies))
    if "holdings" in frames:
        out.append(holdings_part(frames, policies))
    return out


def _varied(designs: Mapping[str, Design]) -> Table:
    rows = [
        [f"{design.title}: {factor.title}", factor.clause, kind, factor.says]
        for design in designs.values()
        for kind, group in (
            ("all combinations", design.factors),
            ("by itself", design.extras),
            ("with each switch", design.contexts),
        )
        for factor in group
    ]
    return Table("varied", "What is varied", ["change", "clause", "played", "meaning"], rows)


def _games(frames: Frames, designs: Mapping[str, Design], policies: Sequence[str]) -> Part:
    base = chosen(frames["levels"], context="", variant="")
    columns = {d.name: d.title for d in designs.values()}
    shows = [
        Table(
            f"games_{who}",
            f"The games as they stand, {who} play",
            **words.table(base[base["policy"] == who], LEVELS, columns, "measure", "design", show),
            note="A dash: the measure has no meaning there, or too few matches were played.",
        )
        for who in reversed(policies)
    ]
    return Part("What each game is like", shows=shows)


def _seats(frames: Frames, designs: Mapping[str, Design], policies: Sequence[str]) -> Part:
    shows: list[Table | Figure] = []
    strong = policies[-1]
    for design in designs.values():
        rows = chosen(frames["seats"], design=design.name)
        sized = ["", *(c.name for c in design.contexts if "players" in c.switches)]
        rows = rows[rows["context"].isin(sized)].sort_values("players", kind="stable")
        counts = {n: f"{n} players" for n in rows["players"].unique()}
        places = {d: "first seat" if d == 0 else f"{d} after" for d in range(max(counts))}
        for measure, title, cell in (
            ("win", "Share of wins", words.percent),
            ("tricks", "Mean tricks", words.plain),
        ):
            mine = chosen(rows, measure=measure, policy=strong)
            shows.append(
                Table(
                    f"seats_{design.name}_{measure}",
                    f"{title} by seats after the first, {design.title.partition(',')[0]}, "
                    f"{strong} play",
                    **words.table(mine, places, counts, "distance", "players", cell),
                )
            )
        wins = chosen(rows, measure="win", policy=strong).copy()
        shows.append(
            Figure(
                f"seats_{design.name}",
                f"{design.title.partition(',')[0]}: share of wins above an equal one, by seat",
                partial(figures.seats, wins),
            )
        )
    points = [
        f"{design.title}: {edge_words(frames['levels'], design, who)}"
        for design in designs.values()
        for who in reversed(policies)
    ]
    text = (
        "The deal rotates, so seats as such are alike by construction; what can matter is how far "
        "a seat sits from the one that acts first."
    )
    return Part("Seats", text, points, shows)


def _switches(frames: Frames, design: Design, policies: Sequence[str]) -> Part:
    strong = policies[-1]
    of = chosen(frames["factorial"], design=design.name)
    main, pairs = of[of["order"] == 1], of[of["order"] == 2]
    titles = {f.name: f.title for f in design.factors}
    shows: list[Table | Figure] = [
        Table(
            f"switches_{design.name}_{who}",
            f"{design.title}: what each switch changes, {who} play",
            **words.table(
                chosen(main, policy=who), present(main), titles, "measure", "effect", starred
            ),
            note=f"Means over all settings of the other switches. {POINTS} {STAR}",
        )
        for who in reversed(policies)
    ]
    measures = [m for m in EXTREMES if (main["measure"] == m).any()] if len(titles) > 2 else []
    for measure in measures:
        rows = main[main["measure"] == measure].rename(columns={"effect": "variant"})
        shows.append(
            Figure(
                f"switches_{design.name}_{measure}",
                f"{design.title}: change of the {TITLES[measure]}",
                partial(
                    figures.effects,
                    rows,
                    titles,
                    share=MEASURE[measure].share,
                    xlabel=f"change of the {TITLES[measure]}",
                    series="policy",
                ),
            )
        )
    if len(pairs):
        shows.append(_pairs(pairs[pairs["policy"] == strong], design, strong))
    for measure in measures:
        rows = of[(of["measure"] == measure) & (of["policy"] == strong)]
        shows.append(
            Figure(
                f"pairs_{design.name}_{measure}",
                f"{design.title}: effects alone and together on the {TITLES[measure]}",
                partial(figures.interplay, rows, titles, share=MEASURE[measure].share),
                note="On the diagonal the switch's own effect; beside it how much the effect of "
                "one changes when the other is on. In brackets: not clear after adjustment.",
            )
        )
    points = [policy_words(frames["factorial"], design, policies)]
    if len(pairs):
        points += [interplay_words(frames["factorial"], design, who) for who in reversed(policies)]
    return Part(f"{design.title}: what the switches change", points=points, shows=shows)


def present(frame: pd.DataFrame, titles: Mapping[str, str] = TITLES) -> dict[Any, str]:
    """Titles of the measures that a frame has."""
    return {name: title for name, title in titles.items() if (frame["measure"] == name).any()}


def starred(row: Any) -> str:
    """A change with its interval, starred where it is clear after adjustment."""
    return show_change(row) + (" *" if row["holm"] < SURE else "")


def _pairs(rows: pd.DataFrame, design: Design, policy: str) -> Table:
    rows = rows.assign(size=(rows["value"] / rows["se"]).abs()).sort_values("size", ascending=False)
    top = rows[rows["se"] > 0].head(MOST_PAIRS).to_dict("records")
    return Table(
        f"pairs_{design.name}",
        f"{design.title}: pairs of switches that change each other most, {policy} play",
        ["pair", "measure", "beyond the sum of the two"],
        [[pair_title(r["effect"], design.titles), TITLES[r["measure"]], starred(r)] for r in top],
        note=f"Ordered by size over standard error. {POINTS} {STAR}",
    )


def _luck(frames: Frames, designs: Mapping[str, Design], policies: Sequence[str]) -> Part:
    rows = chosen(frames["variance"], policy=policies[-1]).copy()
    base = rows[(rows["context"] == "") & (rows["variant"] == "")]
    titles = {d.name: d.title for d in designs.values()}
    shows: list[Table | Figure] = []
    for design in designs.values():
        mine = chosen(rows, design=design.name, context="")
        variants = {"": "base game"} | {
            name: title for name, title in design.titles.items() if name in set(mine["variant"])
        }
        shows.append(
            Table(
                f"luck_{design.name}",
                f"{design.title}: what a seat's score is due to, {policies[-1]} play",
                **words.table(mine, variants, PARTS, "variant", "component", words.percent),
                note=f"One seat plays {policies[0]} instead. The three parts add up to 100%.",
            )
        )
    shows.append(
        Figure(
            "luck",
            "What a seat's score is due to, by game",
            partial(figures.shares, base, titles, PARTS, "design", "component"),
        )
    )
    text = (
        "Each deal is played once for every seat while the players move round the table; a nested "
        "analysis of variance then splits the variance of a seat's score into what stays with "
        "the holding, what goes with the player's policy, and the rest. What is left to the rest "
        "is no skill of a policy: it is who happened to sit where, and how the play went."
    )
    points = []
    for design in designs.values():
        found = chosen(base, design=design.name).set_index("component")
        said = [f"{words.percent(found.loc[c])} {PARTS[c]}" for c in COMPONENTS]
        points.append(f"{design.title}: {words.listed(said)}.")
    return Part("Luck and skill", text, points, shows)


def _tables(frames: Frames, design: Design, policies: Sequence[str]) -> Part:
    strong = policies[-1]
    rows = chosen(frames["levels"], design=design.name, variant="", policy=strong)
    contexts = {"": "base game"} | {c.name: c.title for c in design.contexts}
    shows = [
        Table(
            f"contexts_{design.name}",
            f"{design.title}: other tables, {strong} play",
            **words.table(rows, present(rows, LEVELS), contexts, "measure", "context", show),
        )
    ]
    singles = chosen(frames["singles"], design=design.name, policy=strong)
    titles = {f.name: f.title for f in (*design.factors, *design.extras)}
    for measure in EXTREMES:
        mine = singles[(singles["measure"] == measure) & (singles["variant"] != "")]
        if len(mine):
            shows.append(
                Table(
                    f"singles_{design.name}_{measure}",
                    f"{design.title}: change of the {TITLES[measure]}, each switch by itself",
                    **words.table(mine, titles, contexts, "variant", "context", starred),
                    note=f"{strong} play. {POINTS} {STAR} A dash: there is no such combination.",
                )
            )
    return Part(f"{design.title}: other numbers of players, decks and tables", shows=shows)


def _assumption(frames: Frames, design: Design, tried: Assumption, policies: Sequence[str]) -> Part:
    """How the measures, and the switches' effects, fare under what else is shipped."""
    rows = chosen(frames["assumed"], design=design.name, clause=tried.clause)
    titles = {"": f"as assumed ({tried.title})"} | {c: design.titles[c] for c in tried.contexts}
    named = {c: design.titles[c] for c in tried.contexts}
    points = []
    shows = []
    for who in reversed(policies):
        mine = rows[rows["policy"] == who]
        for measure in ("edge", "luck"):
            level = chosen(mine, kind="level", measure=measure).to_dict("records")
            said = words.listed([f"{show(r)} {titles[r['context']]}" for r in level])
            points.append(f"{LEVELS[measure].capitalize()}, {who} play: {said}.")
        points.append(_turned(mine, design, tried, who))
        change = chosen(mine, kind="change")
        shows.append(
            Table(
                f"assumption_{tried.clause}_{who}",
                f"{design.title}: change from {tried.title}, {who} play",
                **words.table(change, present(change), named, "measure", "context", starred),
                note=f"{POINTS} {STAR}",
            )
        )
    text = (
        f"{tried.clause} is assumed: the source does not state it. Here are the same measures, "
        f"and the switches' own effects, under what else ships with the game."
    )
    return Part(f"How much rests on {tried.clause}", text, points, shows, assumption=True)


def _turned(rows: pd.DataFrame, design: Design, tried: Assumption, policy: str) -> str:
    """Whether a switch's own effect turns round under another deck or table."""
    effects = chosen(rows, kind="effect")
    effects = effects[effects["measure"].isin(EXTREMES)]
    keys = ["variant", "measure"]
    base = effects[effects["context"] == ""].set_index(keys)
    count = clear = 0
    turned = []
    for name in tried.contexts:
        there = effects[effects["context"] == name].set_index(keys)
        both = base.merge(there, left_index=True, right_index=True, suffixes=("", "_there"))
        sure = both[(both["holm"] < SURE) & (both["holm_there"] < SURE)]
        count, clear = count + len(both), clear + len(sure)
        turned += [
            f"{design.titles[variant]} ({TITLES[measure]}, {design.titles[name]})"
            for variant, measure in sure[sure["value"] * sure["value_there"] < 0].index
        ]
    where = f": {words.listed(turned)}" if turned else ""
    return (
        f"Under {policy} play {clear} of {count} effects of a switch by itself are clear both as "
        f"assumed and there; {'these turn' if turned else 'none turns'} round{where}."
    )
