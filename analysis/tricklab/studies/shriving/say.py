"""The value of giving in sentences, all computed from the estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from tricklab.studies.rows import chosen, records, sign
from tricklab.studies.shriving.common import CARDS, GIVEN, PLAYERS, TABLE
from tricklab.studies.shriving.gifts import SUITS, TRUMPS, WAYS
from tricklab.studies.shriving.one_seat import ROLES, SETTINGS
from tricklab.studies.shriving.reading import clear, one, worth
from tricklab.words import change, listed, number, points

Frames = Mapping[str, pd.DataFrame]

NEIGHBOURS = {"giver": "giver", "receiver": "receiver", "others": "each of the others"}
"""Who may gain, in words."""

TRAITOR = {
    "giver": "the giver is the Traitor",
    "receiver": "the receiver is the Traitor",
    "another": "another is the Traitor",
}
"""Roles in words."""

ASSUMED = ("basic", "four_suits", "short_suits", "reckoning", "flat", "heavy")
"""Settings that stand for what had to be assumed: the deck and the scoring table."""

VARIANTS = ("basic", "before", "after", "partners", "reckoning")
"""Settings of the variants that give with other aims."""


# --------------------------------------------------------------------------------------- sentences
def findings(frames: Frames, policies: Sequence[str]) -> list[str]:
    """The answer in sentences, the most important first; the last policy speaks first."""
    best = policies[-1]
    return [
        *skill(frames["worth"], best),
        *agreement(frames["worth"], policies),
        *who_gains(frames["worth"], policies),
        *what_to_give(frames, policies),
        *how_many(frames["worth"], policies),
        *the_rule(frames["rule"], policies),
        *allies(frames["worth"], policies),
        *partners(frames["worth"], policies),
    ]


def skill(frame: pd.DataFrame, who: str) -> list[str]:
    """What choosing well is worth to one seat."""
    parts = []
    for against, than in (("lowest", "giving its lowest cards"), ("random", "giving at random")):
        labels = {"policy": who, "against": against}
        tricks = one(frame, **labels, measure="tricks")
        win = one(frame, **labels, measure="win")
        if tricks and win:
            parts.append(
                f"{change(tricks)} tricks a hand and {points(win)} percentage points of wins over "
                f"{than}"
            )
    if not parts:
        return []
    where = f"of {number(TABLE)} that plays as {who}"
    return [f"Giving {number(GIVEN)} cards by plan is worth to one seat {where} {listed(parts)}."]


def agreement(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Whether the main conclusions change with the policy, and with the number of players."""
    out = []
    for against, than in (("lowest", "the lowest cards"), ("random", "a gift at random")):
        found = {who: one(frame, policy=who, against=against, measure="tricks") for who in policies}
        seen = {who: row for who, row in found.items() if row}
        if not seen:
            continue
        told = listed([f"{change(row)} under {who}" for who, row in seen.items()])
        signs = {sign(row) for row in seen.values()}
        words = {1: "better", 0: "neither clearly better nor worse", -1: "worse"}
        if len(signs) == 1:
            start = f"That the plan is {words[signs.pop()]} than {than} does not change"
        else:
            start = f"Whether the plan is better than {than} changes"
        out.append(f"{start} with the policy: {told} tricks.")
    for who in policies:
        parts: list[str] = []
        for measure, what in (("tricks", "tricks"), ("win", "wins")):
            sure = clear(worth(frame, policy=who, players=list(PLAYERS), measure=measure))
            more = sure.loc[sure["value"] > 0, "players"].tolist()
            fewer = sure.loc[sure["value"] < 0, "players"].tolist()
            parts += [f"more {what} with {_counts(more)} players"] if more else []
            parts += [f"fewer {what} with {_counts(fewer)} players"] if fewer else []
            parts += [] if more or fewer else [f"neither more nor fewer {what} with any number"]
        out.append(
            f"By number of players, under {who}, the plan against the lowest cards clearly brings "
            f"{listed(parts)} (Holm over the four numbers)."
        )
    return out


def _counts(found: Sequence[int]) -> str:
    return listed([str(n) for n in sorted(found)]) if found else "no number of"


def who_gains(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Giver, receiver or the others."""
    out = []
    receivers = {}
    for who in policies:
        each = {seat: one(frame, policy=who, who=seat, measure="tricks") for seat in NEIGHBOURS}
        found = {seat: row for seat, row in each.items() if row}
        if len(found) < len(NEIGHBOURS):
            continue
        receivers[who] = found["receiver"]
        told = listed([f"{NEIGHBOURS[seat]} {change(row)}" for seat, row in found.items()])
        out.append(
            f"Who gains by the plan rather than the lowest cards, under {who}: {told} tricks."
        )
    if len(receivers) > 1:
        words = {1: "gains", -1: "loses", 0: "neither clearly gains nor loses"}
        told = listed([f"{words[sign(row)]} under {who}" for who, row in receivers.items()])
        same = len({sign(row) for row in receivers.values()}) == 1
        how = "is the same under all policies" if same else "changes with the policy"
        out.append(f"What becomes of the receiver {how}: it {told}.")
    best = policies[-1]
    labels = {"policy": best, "way": "random", "measure": "tricks"}
    giver, receiver = (one(frame, **labels, who=seat) for seat in ("giver", "receiver"))
    if giver and receiver:
        out.append(
            f"A gift at random instead of the lowest cards moves the giver by {change(giver)} "
            f"tricks and the receiver by {change(receiver)}, under {best}."
        )
    return out


def what_to_give(frames: Frames, policies: Sequence[str]) -> list[str]:
    """The rule of thumb, and what single cards cost."""
    frame, table = frames["worth"], frames["advice"]
    out = []
    for who in policies:
        rows = chosen(table, policy=who, against="lowest")
        told = [
            f"{way.title} with {_shapes(rows.loc[rows['way'] == name, 'shape'].tolist())}"
            for name, way in WAYS.items()
            if name != "lowest" and name in set(rows["way"])
        ]
        if not told:
            out.append(f"Under {who} no rule of thumb was clearly better than the lowest cards.")
            continue
        out.append(
            f"What to give by trumps and short poor suits (without Sage or Rook), under {who}: "
            f"{'; '.join(told)}; otherwise the lowest."
        )
        parts = []
        for against, than in (("lowest", "always giving the lowest"), ("plan", "the plan")):
            found = records(chosen(table, policy=who, shape="all", against=against))
            parts += [f"{change(row)} tricks against {than}" for row in found]
        out.append(f"On deals that had no part in its choice, that is worth {listed(parts)}.")
    best = policies[-1]
    costs = []
    for way, what in (
        ("trump", "the lowest trump"),
        ("court", "the lowest Rook or Sage"),
        ("barbarian", "a barbarian"),
    ):
        row = one(frame, policy=best, group="different", way=way, measure="tricks")
        if row:
            costs.append(f"{what} {change(row)}")
    if costs:
        out.append(
            "What it does to the giver's tricks to let one better card go, where one is held, in "
            f"place of the highest of its lowest, under {best}: {listed(costs)}."
        )
    return out


def _shapes(names: Sequence[str]) -> str:
    """Classes of holdings in words: the same trumps are said once."""
    told = []
    for trumps in TRUMPS:
        suits = [kind for kind in SUITS if f"{trumps}, {kind}" in names]
        if suits == list(SUITS[1:]):
            told.append(trumps)
        elif suits:
            told.append(f"{trumps} ({' or '.join(suits)})")
    return listed(told)


def how_many(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """How the worth of skill goes with the number of cards."""
    out = []
    for who in policies:
        rows = worth(frame, policy=who, cards=list(CARDS), measure="tricks")
        if rows.empty:
            continue
        top = records(rows.sort_values("value"))[-1]
        sure = clear(rows)
        better = sure.loc[sure["value"] > 0, "cards"].tolist()
        out.append(
            f"By number of cards given, under {who}, the plan's edge over the lowest is highest "
            f"with {number(int(top['cards']))}, at {change(top)} tricks; it is clear with "
            f"{_counts(better)} cards (Holm over the eight numbers)."
        )
        chance = worth(frame, policy=who, cards=list(CARDS), against="random", measure="tricks")
        ends = chance[chance["cards"].isin([CARDS[0], CARDS[-1]])].sort_values("cards")
        if len(ends) == 2:
            few, many = records(ends)
            out.append(
                f"Its edge over chance goes from {change(few)} with one card to {change(many)} "
                f"with {number(CARDS[-1])} under {who}."
            )
    return out


def the_rule(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """What giving does to the game when all seats give alike."""
    out = []
    for who in policies:
        at = {"players": TABLE, "policy": who, "cards": GIVEN, "of": "change"}
        rows = {r["measure"]: r for r in records(chosen(frame, **at))}
        if rows:
            out.append(
                f"The rule itself, all of {number(TABLE)} seats playing and giving as {who}: void "
                f"suits a seat {change(rows['voids'])}, spread of tricks {change(rows['spread'])}, "
                f"shared wins {points(rows['tie'])} points, and wins of the seat dealt most trumps "
                f"{points(rows['trumps_win'])} points, against the game without giving."
            )
    signs = {}
    for who in policies:
        at = {"policy": who, "cards": GIVEN, "of": "change", "measure": "spread"}
        signs[who] = [sign(r) for r in records(chosen(frame, **at))]
    if len(signs) > 1 and all(signs.values()):
        same = len({tuple(each) for each in signs.values()}) == 1
        how = "is the same under all policies" if same else "changes with the policy"
        told = [
            f"wider with {each.count(1)} and narrower with {each.count(-1)} of {len(each)} numbers "
            f"of players under {who}"
            for who, each in signs.items()
        ]
        out.append(f"What giving does to the spread of tricks {how}: clearly {listed(told)}.")
    return out


def allies(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Giving when the Traitor is known."""
    out = []
    at = {"setting": "after", "measure": "win"}
    high = {who: one(frame, **at, policy=who, group="another", way="highest") for who in policies}
    foe = {who: one(frame, **at, policy=who, group="receiver", way="highest") for who in policies}
    told = [
        f"{points(ally)} points given to an ally and {points(foe[who])} given to the Traitor, "
        f"under {who}"
        for who, ally in high.items()
        if ally and foe[who]
    ]
    if told:
        seen = {sign(ally) for ally in high.values() if ally}
        words = {1: "helps", 0: "neither clearly helps nor hurts", -1: "hurts"}
        how = words[seen.pop()] if len(seen) == 1 else "does not do the same under all policies"
        out.append(
            "When the Traitor is known before the giving, to give an ally one's highest plain "
            f"cards instead of the lowest {how}: the chance to score moves by {'; '.join(told)}."
        )
    for who in policies:
        found = {r: one(frame, **at, policy=who, group=r, against="random") for r in ROLES}
        moved = [f"{points(row)} where {TRAITOR[role]}" for role, row in found.items() if row]
        if moved:
            out.append(
                "The Traitor known, the plan instead of a gift at random moves the giver's chance "
                f"to score by so many points under {who}: {listed(moved)}."
            )
    return out


def partners(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Whether the variants change the worth of the plan."""
    out = []
    for who in policies:
        rows = worth(frame, policy=who, setting=list(VARIANTS), measure="win")
        if rows.empty:
            continue
        told = [f"{_in_words(r['setting'])} {points(r)}" for r in records(rows)]
        sure = clear(rows)
        out.append(
            f"By variant, the plan's edge over the lowest cards in percentage points of wins, "
            f"{number(TABLE)} players, {who}: {'; '.join(told)}. It is clear (Holm) in "
            f"{(sure['value'] > 0).sum()} of {len(rows)}."
        )
    return out


def _in_words(setting: str) -> str:
    title = SETTINGS[setting].title
    return f"the {title.lower()}" if setting == "basic" else title


def assumptions(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Whether the plan's edge holds with other decks and scoring tables."""
    out = []
    for who in policies:
        rows = worth(frame, policy=who, setting=list(ASSUMED), measure="win")
        if rows.empty:
            continue
        sure = clear(rows)
        ends = records(rows.sort_values("value").iloc[[0, -1]])
        told = listed([f"{points(r)} ({_in_words(r['setting'])})" for r in ends])
        out.append(
            f"Under {who} the plan wins clearly more often than the lowest cards in "
            f"{(sure['value'] > 0).sum()} of {len(rows)} decks and tables (Holm); the least and "
            f"the most, in percentage points: {told}."
        )
    return out
