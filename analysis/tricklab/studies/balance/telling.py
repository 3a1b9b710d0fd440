"""The answer of the balance study in sentences, each computed from its frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tricklab import words
from tricklab.studies.balance.designs import Design, designs_of
from tricklab.studies.balance.measures import MEASURE
from tricklab.studies.base import Frames
from tricklab.studies.rows import chosen, only

SURE = 0.05
"""Adjusted p below which a change is called one."""

FIRST = {
    "junni": "the first leader",
    "traitor": "the dealer, who bids and leads first,",
    "trjamann": "the declarer",
    "kaji": "the first bidder",
}
"""Who acts first, by design; "the seat that acts first" in any other."""

EXTREMES = {
    "balance": ("makes seats most alike", "makes seats least alike"),
    "luck": ("leaves most to luck", "leaves least to luck"),
    "skill": ("rewards the stronger player most", "rewards the stronger player least"),
    "length": ("makes matches longest", "makes matches shortest"),
    "settled": ("keeps the outcome open longest", "settles it soonest"),
}
"""Measures whose extremes are told, and what more and less of them is."""


def told_designs(stated: Mapping[str, Any]) -> dict[str, Design]:
    """The designs of the games played, by name."""
    return {d.name: d for name in stated["games"] for d in designs_of(name)}


def findings(frames: Frames, stated: Mapping[str, Any]) -> list[str]:
    """The answer in sentences, the most important first."""
    strong = stated["policies"][-1]
    designs = told_designs(stated)
    out = [
        f"{design.title}: {edge_words(frames['levels'], design, strong)}"
        for design in designs.values()
    ]
    out.append(balance_words(frames["levels"], designs, strong))
    for design in designs.values():
        if len(design.factors) > 2:
            main = chosen(frames["factorial"], design=design.name, policy=strong, order=1)
            out += [
                f"{design.title}, whatever else is switched on: "
                f"{extremes(main, measure, design.titles)}"
                for measure in EXTREMES
                if (main["measure"] == measure).any()
            ]
            out.append(interplay_words(frames["factorial"], design, strong))
    out += null_words(frames["singles"], designs)
    if "holdings" in frames:
        out.append(worth_words(frames["holdings"], strong))
    out += [
        policy_words(frames["factorial"], design, stated["policies"])
        for design in designs.values()
        if (frames["factorial"]["design"] == design.name).any()
    ]
    return out


def show(row: Any) -> str:
    """A measure's level with its interval; differences of shares in percentage points."""
    if MEASURE[row["measure"]].gap:
        return words.points(row)
    return words.percent(row) if MEASURE[row["measure"]].share else words.plain(row)


def show_change(row: Any) -> str:
    """A measure's change with its interval; shares in percentage points."""
    return words.points(row) if MEASURE[row["measure"]].share else words.change(row)


def edge_words(levels: pd.DataFrame, design: Design, policy: str) -> str:
    """Whether the first seat wins more than its share, by number of players."""
    rows = chosen(levels, design=design.name, policy=policy, variant="", measure="edge")
    tables = ["", *(c.name for c in design.contexts if "players" in c.switches)]
    found = rows[rows["context"].isin(tables)].sort_values("players").to_dict("records")
    who = FIRST.get(design.name, "the seat that acts first")
    several = len(found) > 1

    def at(row: Any) -> str:
        return f" with {row['players']} players" if several else ""

    parts = []
    for side, which in ((1, "more"), (-1, "less")):
        sure = [r for r in found if (r["low"] > 0) - (r["high"] < 0) == side]
        if sure:
            what = words.listed([f"{words.points(r)}{at(r)}" for r in sure])
            parts.append(f"{who} wins {which} than an equal share, by percentage points: {what}")
    rest = [str(r["players"]) for r in found if r["low"] <= 0 <= r["high"]]
    if rest:
        where = f" with {words.listed(rest)} players" if several else ""
        widest = max((r for r in found if r["low"] <= 0 <= r["high"]), key=lambda r: r["se"])
        parts.append(
            f"no edge of {who.rstrip(',')} shows{where} (percentage points, the widest interval: "
            f"{words.points(widest)})"
        )
    return "; ".join(parts) + f" ({policy} play)."


def balance_words(levels: pd.DataFrame, designs: Mapping[str, Design], policy: str) -> str:
    """Which base game's seats win most alike."""
    rows = chosen(levels, policy=policy, variant="", context="", measure="balance")
    parts = [
        f"{words.percent(r)} in {designs[r['design']].title}"
        for r in rows.sort_values("value", ascending=False).to_dict("records")
    ]
    return (
        f"Win-share balance under {policy} play, 100% where all seats win alike: "
        f"{words.listed(parts)}."
    )


def extremes(rows: pd.DataFrame, measure: str, titles: Mapping[str, str]) -> str:
    """Which switches raise a measure most and lower it most, of those that clearly do."""
    more, less = EXTREMES[measure]
    of = rows[rows["measure"] == measure]
    sure = of[of["holm"] < SURE].sort_values("value")
    up, down = sure[sure["value"] > 0], sure[sure["value"] < 0]
    parts = []
    if len(up):
        top = up.iloc[-1]
        near = up[(up["high"] >= top["low"]) & (up["effect"] != top["effect"])]
        name = titles[top["effect"]]
        parts.append(f"{name} {more}, {show_change(top)}{_rivals(near, titles)}")
    if len(down):
        low = down.iloc[0]
        near = down[(down["low"] <= low["high"]) & (down["effect"] != low["effect"])]
        name = titles[low["effect"]]
        parts.append(f"{name} {less}, {show_change(low)}{_rivals(near, titles)}")
    title = MEASURE[measure].title
    if not parts:
        widest = of.iloc[int(of["se"].argmax())]
        return (
            f"no switch clearly changes the {title} (the widest interval is that of "
            f"{titles[widest['effect']]}, {show_change(widest)})."
        )
    unit = ", percentage points" if MEASURE[measure].share else ""
    text = "; ".join(parts)
    return f"{text} ({title}{unit}; {of['policy'].iloc[0]} play)."


def _rivals(near: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """Who else may hold the first place: those whose intervals reach the first one's."""
    if near.empty:
        return ""
    return f", not clearly ahead of {words.listed([titles[name] for name in near['effect']])}"


def pair_title(effect: str, titles: Mapping[str, str]) -> str:
    """Two switches in words."""
    return " with ".join(titles[name] for name in effect.split("*"))


def interplay_words(factorial: pd.DataFrame, design: Design, policy: str) -> str:
    """How many pairs of switches change each other's effects, and which of them most."""
    pairs = chosen(factorial, design=design.name, policy=policy, order=2)
    pairs = pairs[pairs["measure"].isin(EXTREMES)]
    sure = pairs[pairs["holm"] < SURE]
    text = (
        f"{design.title}: {len(sure)} of {len(pairs)} effects of a pair of switches beyond the "
        f"sum of the two are clear, on {words.listed([MEASURE[m].title for m in _present(pairs)])}"
    )
    parts = []
    for measure in _present(pairs):
        rows = sure[sure["measure"] == measure]
        if len(rows):
            top = rows.iloc[int(rows["value"].abs().argmax())]
            parts.append(
                f"{pair_title(top['effect'], design.titles)} {show_change(top)} "
                f"({MEASURE[measure].title})"
            )
    if parts:
        text += f"; the largest, shares in percentage points: {words.listed(parts)}"
    return text + "."


def _present(rows: pd.DataFrame) -> list[str]:
    return [measure for measure in EXTREMES if (rows["measure"] == measure).any()]


def null_words(singles: pd.DataFrame, designs: Mapping[str, Design]) -> list[str]:
    """What a change shows that by symmetry can change nothing: a check of the intervals."""
    out = []
    for design in designs.values():
        if not design.null:
            continue
        rows = chosen(singles, design=design.name, context="", variant=design.null)
        apart = int(((rows["low"] > 0) | (rows["high"] < 0)).sum())
        clear = int((rows["holm"] < SURE).sum())
        title = design.titles[design.null]
        out.append(
            f"{design.title}: “{title}” only renames the seats, so it can change nothing; of its "
            f"{len(rows)} measured changes {apart} lie off zero by their own 95% intervals and "
            f"{clear} after adjustment for all comparisons."
        )
    return out


def worth_words(holdings: pd.DataFrame, policy: str) -> str:
    """What one more of a kind of card brings."""
    rows = chosen(holdings, policy=policy, count=-1, design="junni")
    titles = {
        "trumps": "one more trump",
        "high_cards": "one more Sage or Rook",
        "barbarians": "one more barbarian",
    }
    parts = [f"{title} {words.change(only(rows, feature=name))}" for name, title in titles.items()]
    return (
        f"Among the seats of a deal of Junni with 4 players under {policy} play, tricks taken "
        f"change with what was dealt: {words.listed(parts)}."
    )


def agreement(factorial: pd.DataFrame, policies: Sequence[str]) -> pd.DataFrame:
    """Main effects under the first policy and the last, a row each: signs, clearness, sizes.

    Where no deal changes under one of them (a policy that does not know the points table plays the
    same cards) there is nothing to compare.
    """
    keys, kept = ["design", "effect", "measure"], ["value", "se", "low", "high", "holm"]
    main = factorial[factorial["order"] == 1]
    weak, strong = (
        main[main["policy"] == policy].set_index(keys)[kept].add_suffix(suffix)
        for policy, suffix in ((policies[0], "_weak"), (policies[-1], "_strong"))
    )
    both = weak.join(strong, how="inner")
    both = both[(both["se_weak"] > 0) & (both["se_strong"] > 0)].copy()
    both["apart"] = (both["low_weak"] > both["high_strong"]) | (
        both["low_strong"] > both["high_weak"]
    )
    both["clear"] = (both["holm_weak"] < SURE) & (both["holm_strong"] < SURE)
    both["same"] = both["value_weak"] * both["value_strong"] > 0
    return both.reset_index()


def policy_words(factorial: pd.DataFrame, design: Design, policies: Sequence[str]) -> str:
    """Whether what the switches do depends on how well people play."""
    both = agreement(factorial[factorial["design"] == design.name], policies)
    clear = both[both["clear"]]
    opposed = clear[~clear["same"]]
    start = f"{design.title}: of {len(both)} effects of single switches that both {policies[0]} "
    text = (
        f"{start}and {policies[-1]} play can show, {int(both['apart'].sum())} differ in size "
        f"beyond their intervals; {len(clear)} are clear under both"
    )
    if clear.empty:
        return text + "."
    text += f", and {len(clear) - len(opposed)} of these point the same way"
    if opposed.empty:
        return text + ": no conclusion about a single switch turns with the policy."
    named = [
        f"{design.titles[r['effect']]} ({MEASURE[r['measure']].title})"
        for r in opposed.head(4).to_dict("records")
    ]
    more = f" and {len(opposed) - 4} more" if len(opposed) > 4 else ""
    return f"{text}; the others depend on how well people play: {words.listed(named)}{more}."
