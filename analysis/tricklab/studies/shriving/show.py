"""The value of giving in tables and figures, under headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tricklab import figures
from tricklab.figures.style import new_axes
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.rows import chosen, records
from tricklab.studies.shriving import say
from tricklab.studies.shriving.common import CARDS, GIVEN, PLAYERS, TABLE
from tricklab.studies.shriving.design import GIFTS, TO_ALLIES
from tricklab.studies.shriving.gifts import SHAPES, WAYS
from tricklab.studies.shriving.one_seat import ROLES, SETTINGS
from tricklab.studies.shriving.reading import cell, grid, worth
from tricklab.studies.shriving.rule import MEASURES
from tricklab.studies.shriving.say import ASSUMED, NEIGHBOURS, TRAITOR, VARIANTS
from tricklab.words import change, number, percent, plain, points

Frames = Mapping[str, pd.DataFrame]

BRIEFLY = {
    "void": "short poor\nsuits",
    "any_void": "any short\nsuits",
    "longest": "from the\nlongest",
    "court": "Rook or\nSage",
    "barbarian": "barbarian",
    "trump": "trump",
}
"""Ways as a figure's narrow columns have them."""


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
            say.skill(frame, best),
            [_skill_table(frame, policies), _skill_figure(frame, policies)],
        ),
        Part(
            "Who gains",
            "The same comparison for the seat that gives, its left neighbour that receives, and "
            "each of the others. Tricks that one seat gains others lose.",
            say.who_gains(frame, policies),
            [_gains_table(frame, policies), _gains_figure(frame, best)],
        ),
        Part(
            "What to give",
            "Rules of thumb that a player could follow, each against giving the lowest plain "
            "cards. A poor suit is one held without Sage or Rook; it is short if it can be given "
            "away whole. Which rule is best for a kind of holding is chosen on the first half of "
            "the deals, the lowest cards being left only for what is clearly better there; its "
            "worth is measured on the second half.",
            say.what_to_give(frames, policies),
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
            say.how_many(frame, policies),
            [_cards_table(frame, policies), *_cards_figures(frame, policies)],
        ),
        Part(
            "What the rule does",
            "All seats give and play alike, with no cards and with one to eight cards given, on "
            "the same deals.",
            say.the_rule(frames["rule"], policies),
            [
                *(_rule_table(frames["rule"], who) for who in policies),
                *(
                    _numbers_table(frames["rule"], measure, who)
                    for measure in ("voids", "spread")
                    for who in policies
                ),
                _rule_figure(frames["rule"], "voids", best),
                _rule_figure(frames["rule"], "spread", best),
            ],
        ),
        Part(
            "Traitor, Partners and Dead Reckoning",
            "With a Traitor only the Traitor scores, if the bid is made, or all the others, if "
            "not: then a seat wins when it scores. Where cards are given after the bidding the "
            "bids are the same whatever is given, and the deals can be told apart by who is the "
            "Traitor.",
            [*say.partners(frame, policies), *say.allies(frame, policies)],
            [_variants_table(frame, policies), _roles_table(frame, policies)],
        ),
        Part(
            "Does it rest on the deck or the scoring table?",
            "The deck (J2) and the scoring table (J18) are assumed. The same comparison with the "
            "other decks and tables that ship; differences between decks are not on the same "
            "deals.",
            say.assumptions(frame, policies),
            [_assumptions_table(frame, policies), _assumptions_figure(frame, policies)],
            assumption=True,
        ),
    ]


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

    return Figure(
        "skill_by_players", "Tricks gained by one seat that gives by plan, by players", draw
    )


def _named(policies: Sequence[str]) -> dict[Any, str]:
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
        return figures.contrasts(rows, "players", "who", titles, NEIGHBOURS, xlabel)

    return Figure("gains_by_players", f"Who gains when one seat gives by plan, under {who}", draw)


def _advice_table(frame: pd.DataFrame, policies: Sequence[str]) -> Table:
    rows = []
    for shape in SHAPES:
        cells = []
        for who in policies:
            at = records(chosen(frame, policy=who, shape=shape))
            share = next((r for r in at if r["against"] == ""), None)
            gain = next((r for r in at if r["against"] == "lowest"), None)
            if not share or not gain:
                cells += ["too few deals", "–"]
            elif gain["way"] == "lowest":
                cells += [WAYS["lowest"].title, "–"]
            else:
                cells += [WAYS[gain["way"]].title, change(gain)]
        share = next(iter(records(chosen(frame, shape=shape, against=""))), None)
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
        [shape, *(cell(frame, _moved, **at, group=shape, way=way) for way in _shape_ways())]
        for shape in SHAPES
    ]
    head = ["holding", *(WAYS[way].title for way in _shape_ways())]
    return grid("shapes", f"Tricks over the lowest cards by holding, under {who}", head, rows)


def _moved(row: Any) -> str:
    """A change, unless both ways give the same cards."""
    return change(row) if row["se"] > 0 else "the same gift"


def _shape_ways() -> list[str]:
    return [way for way in _gift_ways() if way not in ("plan", "random")]


def _gifts_figure(frame: pd.DataFrame, policies: Sequence[str]) -> Figure:
    ways = _gift_ways()
    rows = worth(frame, policy=list(policies), way=ways, measure="tricks")
    titles: dict[Any, str] = {way: WAYS[way].title for way in ways}

    def draw() -> Any:
        xlabel = "giver's tricks a hand over giving the lowest cards"
        return figures.contrasts(rows, "way", "policy", titles, _named(policies), xlabel)

    return Figure("gifts_worth", "What ways to give are worth to the giver", draw)


def _shapes_figure(frame: pd.DataFrame, who: str) -> list[Figure]:
    rows = worth(frame, policy=who, group=list(SHAPES), way=_shape_ways(), measure="tricks")
    if rows.empty:
        return []
    rows = rows.assign(way=rows["way"].map(BRIEFLY))

    def draw() -> Any:
        ax = new_axes(width=8.5, height=4.4)[0]
        labels = "given before the lowest", ""
        return figures.heat(rows, "group", "way", *labels, form="+.2f", ax=ax)

    title = f"Giver's tricks over the lowest cards by holding, under {who}"
    return [Figure("shapes_worth", title, draw)]


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
            found = records(chosen(frame, **at, of="change"))
            cells.append(show(found[0]) if found else "–")
        unit = ", percentage points" if measure.share else ""
        rows.append([measure.title + unit, *cells])
    head = ["change with giving", *(f"{n} players" for n in PLAYERS)]
    title = f"What giving {GIVEN} cards changes, all seats playing as {who}"
    return grid(f"rule_{_short(who)}", title, head, rows)


def _numbers_table(frame: pd.DataFrame, measure: str, who: str) -> Table:
    title = next(m.title for m in MEASURES if m.name == measure)
    rows = []
    for k in (0, *CARDS):
        cells = []
        for players in PLAYERS:
            at = {"policy": who, "players": players, "cards": k, "measure": measure}
            found = records(chosen(frame, **at, of="level"))
            cells.append(plain(found[0]) if found else "–")
        rows.append([str(k), *cells])
    head = ["cards given", *(f"{n} players" for n in PLAYERS)]
    title = f"{title[0].upper()}{title[1:]}, all seats playing as {who}"
    return grid(f"{measure}_{_short(who)}", title, head, rows)


def _short(who: str) -> str:
    """A policy's textual form without what cannot be part of a name."""
    return "".join(c if c.isalnum() else "_" for c in who)


def _rule_figure(frame: pd.DataFrame, measure: str, who: str) -> Figure:
    rows = chosen(frame, policy=who, measure=measure, of="level")
    title = next(m.title for m in MEASURES if m.name == measure)
    named: dict[Any, str] = {n: f"{n} players" for n in PLAYERS}

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
    titles: dict[Any, str] = {name: SETTINGS[name].title for name in ASSUMED}

    def draw() -> Any:
        labels = "wins gained by the plan over the lowest cards, percentage points"
        kinds = _named(policies)
        return figures.contrasts(rows, "setting", "policy", titles, kinds, labels, share=True)

    return Figure("assumptions_worth", "The plan's edge with other decks and tables", draw)
