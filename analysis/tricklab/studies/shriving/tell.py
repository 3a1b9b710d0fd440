"""The value of giving, told: sentences computed from the estimates, tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tricklab import figures
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.shriving.gifts import SHAPES, WAYS
from tricklab.studies.shriving.measure import (
    CARDS,
    GIFTS,
    GIVEN,
    MEASURES,
    PLAYERS,
    ROLES,
    SETTINGS,
    TABLE,
    TO_ALLIES,
)
from tricklab.studies.shriving.reading import cell, chosen, clear, grid, one, sign, worth
from tricklab.words import change, listed, number, percent, plain, points

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
        *allies(frames["worth"], best),
        *partners(frames["worth"], best),
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
        found = {
            who: one(frame, policy=who, against=against, measure="tricks") for who in policies
        }
        seen = {who: row for who, row in found.items() if row}
        if not seen:
            continue
        told = listed([f"{change(row)} under {who}" for who, row in seen.items()])
        same = len({sign(row) for row in seen.values()}) == 1
        how = "does not change" if same else "changes"
        out.append(
            f"That the plan is {_better(list(seen.values()))} than {than} {how} with the policy: "
            f"{told} tricks."
        )
    for who in policies:
        labels = {"policy": who, "players": list(PLAYERS)}
        sentence = []
        for measure, what in (("tricks", "more tricks"), ("win", "more wins")):
            rows = worth(frame, **labels, measure=measure)
            sure = clear(rows)
            more = sure.loc[sure["value"] > 0, "players"].tolist()
            less = sure.loc[sure["value"] < 0, "players"].tolist()
            sentence.append(f"{what} with {_counts(more)} players")
            if less:
                sentence.append(f"fewer {what.split()[1]} with {_counts(less)}")
        out.append(
            f"By number of players, under {who} the plan clearly brings {listed(sentence)} than "
            "the lowest cards (Holm over the four numbers)."
        )
    return out


def _better(rows: Sequence[Any]) -> str:
    signs = {sign(row) for row in rows}
    if signs == {1}:
        return "better"
    if signs == {-1}:
        return "worse"
    return "clearly better or worse"


def _counts(found: Sequence[int]) -> str:
    return listed([str(n) for n in found]) if found else "no number of"


def who_gains(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Giver, receiver or the others."""
    out = []
    receivers = {}
    for who in policies:
        found = {
            seat: one(frame, policy=who, who=seat, measure="tricks") for seat in NEIGHBOURS
        }
        if not all(found.values()):
            continue
        receivers[who] = found["receiver"]
        told = listed([f"{NEIGHBOURS[seat]} {change(row)}" for seat, row in found.items()])
        out.append(f"Who gains by the plan rather than the lowest cards, under {who}: {told} tricks.")
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
            f"A gift at random instead of the lowest cards is a present: {change(giver)} tricks for "
            f"the giver, {change(receiver)} for the receiver under {best}."
        )
    return out


def what_to_give(frames: Frames, policies: Sequence[str]) -> list[str]:
    """The rule of thumb, and what single cards cost."""
    frame, table = frames["worth"], frames["advice"]
    out = []
    for who in policies:
        parts = []
        for against, than in (("lowest", "always giving the lowest"), ("plan", "the plan")):
            rows = chosen(table, policy=who, shape="all", against=against).to_dict("records")
            parts += [f"{change(row)} tricks against {than}" for row in rows]
        if parts:
            out.append(
                f"A table by trumps and short suits, chosen on half of the deals and tried on the "
                f"rest, is worth under {who} {listed(parts)}."
            )
        rows = chosen(table, policy=who, against="lowest", way="void")
        rows = rows[rows["shape"] != "all"]
        if len(rows):
            out.append(
                f"Under {who} it says: give poor suits (without Sage or Rook) away whole, where they "
                f"are short enough, with {_shapes(rows['shape'].tolist())}."
            )
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
    by_trumps: dict[str, list[str]] = {}
    for name in names:
        trumps, suits = name.split(", ")
        by_trumps.setdefault(trumps, []).append(suits)
    return listed([f"{trumps} ({' or '.join(suits)})" for trumps, suits in by_trumps.items()])


def how_many(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """How the worth of skill goes with the number of cards."""
    out = []
    for who in policies:
        rows = worth(frame, policy=who, cards=list(CARDS), measure="tricks")
        if rows.empty:
            continue
        top = rows.loc[rows["value"].idxmax()]
        sure = clear(rows)
        better = sure.loc[sure["value"] > 0, "cards"].tolist()
        out.append(
            f"By number of cards given, the plan's edge over the lowest is largest in the estimates "
            f"with {int(top['cards'])} ({change(top)} tricks under {who}); it is clear with "
            f"{_counts(better)} cards."
        )
        chance = worth(frame, policy=who, cards=list(CARDS), against="random", measure="tricks")
        ends = chance[chance["cards"].isin([CARDS[0], CARDS[-1]])].sort_values("cards")
        if len(ends) == 2:
            few, many = ends.to_dict("records")
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
        rows = {r["measure"]: r for r in chosen(frame, **at).to_dict("records")}
        if rows:
            out.append(
                f"The rule itself, all of {number(TABLE)} seats playing and giving as {who}: void "
                f"suits a seat {change(rows['voids'])}, spread of tricks {change(rows['spread'])}, "
                f"shared wins {points(rows['tie'])} points, and wins of the seat dealt most trumps "
                f"{points(rows['trumps_win'])} points, against the game without giving."
            )
    signs = {
        who: [
            sign(r)
            for r in chosen(
                frame, policy=who, cards=GIVEN, of="change", measure="spread"
            ).to_dict("records")
        ]
        for who in policies
    }
    if len(signs) > 1 and all(signs.values()):
        same = len({tuple(s) for s in signs.values()}) == 1
        how = "is the same under all policies" if same else "changes with the policy"
        told = listed(
            [
                f"wider with {sum(s > 0 for s in each)} and narrower with {sum(s < 0 for s in each)} "
                f"of {len(each)} numbers of players under {who}"
                for who, each in signs.items()
            ]
        )
        out.append(f"What giving does to the spread of tricks {how}: clearly {told}.")
    return out


def allies(frame: pd.DataFrame, who: str) -> list[str]:
    """Giving when the Traitor is known."""
    out = []
    at = {"setting": "after", "policy": who, "measure": "win"}
    high = one(frame, **at, group="another", way="highest")
    tricks = one(frame, **at | {"measure": "tricks"}, group="another", way="highest")
    foe = one(frame, **at, group="receiver", way="highest")
    if high and tricks and foe:
        words = {1: "even helps", 0: "neither clearly helps nor hurts", -1: "hurts"}
        out.append(
            f"When the Traitor is known before the giving, to give an ally one's highest plain "
            f"cards {words[sign(high)]}: under {who} it moves the giver's own tricks by "
            f"{change(tricks)} and its chance to score by {points(high)} points; given to the "
            f"Traitor they move it by {points(foe)} points."
        )
    own = one(frame, **at, group="giver", against="random")
    if own:
        out.append(
            f"The choice matters most to the Traitor: by plan instead of at random, its bid is made "
            f"{points(own)} points more often under {who}."
        )
    return out


def partners(frame: pd.DataFrame, who: str) -> list[str]:
    """Whether the variants change the worth of the plan."""
    rows = worth(frame, policy=who, setting=list(VARIANTS), measure="win")
    sure = clear(rows)
    if rows.empty:
        return []
    told = [
        f"{points(r)} in {_in_words(r['setting'])}" for r in rows.to_dict("records")
    ]
    names = sure.loc[sure["value"] > 0, "setting"].tolist()
    where = listed([_in_words(name) for name in names]) if names else "none of them"
    return [
        f"By variant, the plan's edge over the lowest cards in percentage points of wins, "
        f"{number(TABLE)} players, {who}: {listed(told)}; it is clear in {where}."
    ]


def _in_words(setting: str) -> str:
    title = SETTINGS[setting].title
    return f"the {title.lower()}" if setting == "basic" else title


# ------------------------------------------------------------------------------------------- parts
def parts(frames: Frames, policies: Sequence[str]) -> list[Part]:
    """Tables and figures under headings."""
    frame = frames["worth"]
    best = policies[-1]
    return [
        Part(
            "What choosing the gift well is worth",
            "One seat chooses its gift by plan (as the policy careful does), gives its lowest "
            "cards (as simple does) or gives at random; it plays on as before, and the other seats "
            "give and play as their policy does. All three are played on the same deals, and what "
            "is shown are differences deal by deal.",
            skill(frame, best),
            [_skill_table(frame, policies), _skill_figure(frame, policies)],
        ),
        Part(
            "Who gains",
            "The same comparison for the seat that gives, its left neighbour that receives, and "
            "each of the others. Tricks that one seat gains others lose.",
            who_gains(frame, policies),
            [_gains_table(frame, policies), _gains_figure(frame, best)],
        ),
        Part(
            "What to give",
            "Rules of thumb that a player could follow, each against giving the lowest plain cards. "
            "A poor suit is one held without Sage or Rook; it is short if it can be given away "
            "whole. Which rule is best for a kind of holding is chosen on the first half of the "
            "deals, the lowest cards being left only for what is clearly better there; its worth is "
            "measured on the second half.",
            what_to_give(frames, policies),
            [
                _advice_table(frames["advice"], policies),
                _gifts_table(frame, policies),
                _shapes_table(frame, best),
                _gifts_figure(frame, policies),
                *_shapes_figure(frame, best),
            ],
        ),
        Part(
            "How many cards",
            f"The worth of skill to one seat of {number(TABLE)} by the number of cards given.",
            how_many(frame, policies),
            [_cards_table(frame, policies), *_cards_figures(frame, policies)],
        ),
        Part(
            "What the rule does",
            "All seats give and play alike, with no cards and with one to eight cards given, on the "
            "same deals.",
            the_rule(frames["rule"], policies),
            [
                *(_rule_table(frames["rule"], who) for who in policies),
                *(_numbers_table(frames["rule"], who) for who in policies),
                _rule_figure(frames["rule"], "voids", best),
                _rule_figure(frames["rule"], "spread", best),
            ],
        ),
        Part(
            "Traitor, Partners and Dead Reckoning",
            "With a Traitor only the Traitor scores, if the bid is made, or all the others, if not: "
            "then a seat wins when it scores. Where cards are given after the bidding the "
            "bids are the same whatever is given, and the deals can be told apart by who is the "
            "Traitor.",
            [*partners(frame, best), *allies(frame, best)],
            [_variants_table(frame, policies), _roles_table(frame, policies)],
        ),
        Part(
            "Does it rest on the deck or the scoring table?",
            "The deck (J2) and the scoring table (J18) are assumed. The same comparison with the "
            "other decks and tables that ship; differences between decks are not on the same deals.",
            assumptions(frame, policies),
            [_assumptions_table(frame, policies), _assumptions_figure(frame, policies)],
            assumption=True,
        ),
    ]


def assumptions(frame: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Whether the plan's edge holds with other decks and scoring tables."""
    out = []
    for who in policies:
        rows = worth(frame, policy=who, setting=list(ASSUMED), measure="win")
        if rows.empty:
            continue
        sure = clear(rows)
        ends = rows.loc[[rows["value"].idxmin(), rows["value"].idxmax()]].to_dict("records")
        told = listed([f"{points(r)} ({_in_words(r['setting'])})" for r in ends])
        out.append(
            f"Under {who} the plan wins clearly more often than the lowest cards in "
            f"{(sure['value'] > 0).sum()} of {len(rows)} decks and tables (Holm); the least and the "
            f"most, in percentage points: {told}."
        )
    return out


def _skill_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for who in policies:
        for players in PLAYERS:
            at = {"policy": who, "players": players}
            cells = [
                cell(frame, show, **at, against=against, measure=measure)
                for against in ("lowest", "random")
                for measure, show in (("tricks", change), ("win", points))
            ]
            rows.append([f"{players} players, {who}", *cells])
    head = ["", "tricks over the lowest", "wins over the lowest", "tricks over chance"]
    note = "Wins in percentage points. In parentheses 95% intervals, each for itself."
    title = f"What a seat gains by giving {GIVEN} cards by plan"
    return grid("skill", title, [*head, "wins over chance"], rows, note)


def _skill_figure(frame: pd.DataFrame, policies: Sequence[str]) -> Figure:
    rows = worth(frame, policy=list(policies), players=list(PLAYERS), measure="tricks")
    titles = {n: f"{n} players" for n in PLAYERS}

    def draw() -> Any:
        xlabel = "tricks a hand gained by the plan over the lowest cards"
        return figures.contrasts(rows, "players", "policy", titles, _named(policies), xlabel)

    return Figure("skill", "Tricks gained by one seat that gives by plan, by players", draw)


def _named(policies: Sequence[str]) -> dict[object, str]:
    return {who: who for who in policies}


def _gains_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for who in policies:
        for players in PLAYERS:
            for way, title in (("plan", "by plan"), ("random", "at random")):
                at = {"policy": who, "players": players, "way": way, "measure": "tricks"}
                cells = [cell(frame, change, **at, who=seat) for seat in NEIGHBOURS]
                rows.append([f"{players} players, {who}, {title}", *cells])
    title = "Tricks gained when one seat gives otherwise than its lowest cards"
    return grid("gains", title, ["", *NEIGHBOURS.values()], rows)


def _gains_figure(frame: pd.DataFrame, who: str) -> Figure:
    at = {"policy": who, "players": list(PLAYERS), "measure": "tricks"}
    rows = worth(frame, **at, who=list(NEIGHBOURS))
    titles = {n: f"{n} players" for n in PLAYERS}

    def draw() -> Any:
        xlabel = "tricks a hand gained when one seat gives by plan, not its lowest"
        kinds: dict[object, str] = dict(NEIGHBOURS)
        return figures.contrasts(rows, "players", "who", titles, kinds, xlabel)

    return Figure("gains", f"Who gains when one seat gives by plan, under {who}", draw)


def _advice_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for shape in SHAPES:
        cells = []
        for who in policies:
            at = chosen(frame, policy=who, shape=shape).to_dict("records")
            share = next((r for r in at if r["against"] == ""), None)
            gain = next((r for r in at if r["against"] == "lowest"), None)
            if not share or not gain:
                cells += ["too few deals", "–"]
            elif gain["way"] == "lowest":
                cells += [WAYS["lowest"].title, "–"]
            else:
                cells += [WAYS[gain["way"]].title, change(gain)]
        share = next(iter(chosen(frame, shape=shape, against="").to_dict("records")), None)
        rows.append([shape, percent(share) if share else "–", *cells])
    head = ["holding", "share of holdings"]
    for who in policies:
        head += [f"give ({who})", "tricks over the lowest"]
    note = "What is not said to be given is filled up with the lowest plain cards."
    return grid("advice", f"What to give of {TABLE} players' holdings", head, rows, note)


def _gift_ways() -> list[str]:
    return [way for way in GIFTS if way != "lowest"]


def _gifts_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for who in policies:
        for way in _gift_ways():
            at = {"policy": who, "way": way}
            there = at | {"group": "different"}
            cells = [
                cell(frame, change, **at, measure="tricks"),
                cell(frame, points, **at, measure="win"),
                cell(frame, percent, **there, measure="share"),
                cell(frame, change, **there, measure="tricks"),
                cell(frame, change, **there, measure="tricks", who="receiver"),
            ]
            rows.append([f"{WAYS[way].title} ({who})", *cells])
    head = ["gift", "tricks", "wins", "gifts that differ"]
    head += ["tricks where they differ", "receiver's tricks there"]
    note = "Wins in percentage points. A seat that holds no such card gives its lowest."
    title = f"Ways to give, against the lowest {GIVEN} cards, {TABLE} players"
    return grid("gifts", title, head, rows, note)


def _shapes_table(frame: pd.DataFrame, who: str) -> Table:
    at = {"policy": who, "measure": "tricks"}
    rows = [
        [shape, *(cell(frame, change, **at, group=shape, way=way) for way in _shape_ways())]
        for shape in SHAPES
    ]
    head = ["holding", *(WAYS[way].title for way in _shape_ways())]
    return grid("shapes", f"Tricks over the lowest cards by holding, under {who}", head, rows)


def _shape_ways() -> list[str]:
    return [way for way in _gift_ways() if way not in ("plan", "random")]


def _gifts_figure(frame: pd.DataFrame, policies: Sequence[str]) -> Figure:
    ways = _gift_ways()
    rows = worth(frame, policy=list(policies), way=ways, measure="tricks")
    titles: dict[object, str] = {way: WAYS[way].title for way in ways}

    def draw() -> Any:
        xlabel = "giver's tricks a hand over giving the lowest cards"
        return figures.contrasts(rows, "way", "policy", titles, _named(policies), xlabel)

    return Figure("gifts", "What ways to give are worth to the giver", draw)


def _shapes_figure(frame: pd.DataFrame, who: str) -> list[Figure]:
    rows = worth(frame, policy=who, group=list(SHAPES), way=_shape_ways(), measure="tricks")
    if rows.empty:
        return []
    rows = rows.assign(way=rows["way"].map({"void": "short poor\nsuits", "any_void": "any short\nsuits", "longest": "from the\nlongest", "court": "Rook or\nSage", "barbarian": "barbarian", "trump": "trump"}))

    def draw() -> Any:
        return figures.heat(rows, "group", "way", "given before the lowest", "")

    title = f"Giver's tricks over the lowest cards by holding, under {who}"
    return [Figure("shapes", title, draw)]


def _cards_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for k in CARDS:
        cells = [
            cell(frame, show, policy=who, cards=k, against=against, measure=measure)
            for who in policies
            for against, measure, show in (
                ("lowest", "tricks", change),
                ("lowest", "win", points),
                ("random", "tricks", change),
            )
        ]
        rows.append([f"{k} card" + "s" * (k > 1), *cells])
    head = [""]
    for who in policies:
        head += [f"tricks over the lowest ({who})", f"wins over the lowest ({who})"]
        head += [f"tricks over chance ({who})"]
    return grid("cards", "What a seat gains by plan, by number of cards given", head, rows)


def _cards_figures(frame: pd.DataFrame, policies: Sequence[str]) -> list[Figure]:
    out = []
    for against, than in (("lowest", "the lowest cards"), ("random", "chance")):
        rows = worth(
            frame, policy=list(policies), cards=list(CARDS), against=against, measure="tricks"
        )

        def draw(rows: pd.DataFrame = rows, than: str = than) -> Any:
            labels = "cards given", f"giver's tricks a hand\nover {than}"
            return figures.lines(rows, "cards", "policy", *labels, whole=True)

        title = f"Worth of the plan over {than}, by number of cards given"
        out.append(Figure(f"cards_{against}", title, draw))
    return out


def _rule_table(frame: pd.DataFrame, who: str) -> Table:
    rows = []
    for measure in MEASURES:
        show = points if measure.share else change
        cells = []
        for players in PLAYERS:
            at = {"policy": who, "players": players, "cards": GIVEN, "measure": measure.name}
            found = chosen(frame, **at, of="change").to_dict("records")
            cells.append(show(found[0]) if found else "–")
        unit = ", percentage points" if measure.share else ""
        rows.append([measure.title + unit, *cells])
    head = ["change with giving", *(f"{n} players" for n in PLAYERS)]
    title = f"What giving {GIVEN} cards changes, all seats playing as {who}"
    return grid(f"rule_{_short(who)}", title, head, rows)


def _numbers_table(frame: pd.DataFrame, who: str) -> Table:
    rows = []
    for k in (0, *CARDS):
        cells = []
        for measure in ("voids", "spread"):
            for players in PLAYERS:
                at = {"policy": who, "players": players, "cards": k, "measure": measure}
                found = chosen(frame, **at, of="level").to_dict("records")
                cells.append(plain(found[0]) if found else "–")
        rows.append([str(k), *cells])
    head = ["cards given"]
    head += [f"void suits a seat, {n} players" for n in PLAYERS]
    head += [f"spread of tricks, {n} players" for n in PLAYERS]
    title = f"Void suits and spread of tricks by number of cards given, all seats as {who}"
    return grid(f"numbers_{_short(who)}", title, head, rows)


def _short(who: str) -> str:
    """A policy's textual form without what cannot be part of a name."""
    return "".join(c if c.isalnum() else "_" for c in who)


def _rule_figure(frame: pd.DataFrame, measure: str, who: str) -> Figure:
    rows = chosen(frame, policy=who, measure=measure, of="level")
    title = next(m.title for m in MEASURES if m.name == measure)
    named: dict[object, str] = {n: f"{n} players" for n in PLAYERS}

    def draw() -> Any:
        labels = "cards given by every seat", title.replace(" (", "\n(")
        return figures.lines(rows, "cards", "players", *labels, titles=named, whole=True)

    return Figure(measure, f"{title}, by number of cards given, under {who}", draw)


def _variants_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for name in VARIANTS:
        for players in (TABLE, 6) if name == "partners" else (TABLE,):
            for who in policies:
                at = {"policy": who, "setting": name, "players": players}
                side = {"who": "side"} if name == "partners" else {}
                cells = [
                    cell(frame, change, **at | side, against=against, measure="score")
                    for against in ("lowest", "random")
                ]
                cells += [
                    cell(frame, points, **at, against=against, measure="win")
                    for against in ("lowest", "random")
                ]
                rows.append([f"{SETTINGS[name].title}, {players} players ({who})", *cells])
    head = ["", "score over the lowest", "score over chance"]
    head += ["wins over the lowest", "wins over chance"]
    note = (
        "Score: tricks; points under Dead Reckoning; the bid with a Traitor; of both partners "
        "together. Wins in percentage points."
    )
    return grid("variants", "What a seat gains by giving by plan, by variant", head, rows, note)


def _roles_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for role in ROLES:
        for way in TO_ALLIES:
            if way == "lowest":
                continue
            at = {"setting": "after", "group": role, "way": way}
            cells = [
                cell(frame, show, **at, policy=who, measure=measure)
                for who in policies
                for measure, show in (("tricks", change), ("win", points))
            ]
            rows.append([f"{TRAITOR[role]}: {WAYS[way].title}", *cells])
    head = ["against the lowest cards"]
    for who in policies:
        head += [f"giver's tricks ({who})", f"giver scores, points ({who})"]
    return grid("roles", "Giving when the Traitor is known", head, rows)


def _assumptions_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for name in ASSUMED:
        cells = [
            cell(frame, points, policy=who, setting=name, against=against, measure="win")
            for who in policies
            for against in ("lowest", "random")
        ]
        rows.append([SETTINGS[name].title, *cells])
    head = [""]
    for who in policies:
        head += [f"over the lowest ({who})", f"over chance ({who})"]
    title = f"Wins gained by plan in percentage points, {TABLE} players"
    return grid("assumptions", title, head, rows)


def _assumptions_figure(frame: pd.DataFrame, policies: Sequence[str]) -> Figure:
    rows = worth(frame, policy=list(policies), setting=list(ASSUMED), measure="win")
    titles: dict[object, str] = {name: SETTINGS[name].title for name in ASSUMED}

    def draw() -> Any:
        labels = "wins gained by the plan over the lowest cards, percentage points"
        kinds = _named(policies)
        return figures.contrasts(rows, "setting", "policy", titles, kinds, labels, share=True)

    return Figure("assumptions", "The plan's edge with other decks and tables", draw)
