"""How the study of bids is told: sentences, tables and figures made from its frames."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from tricklab import figures, words
from tricklab.games import game_class
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.base import Frames
from tricklab.studies.bids import bonuses
from tricklab.studies.bids.playing import AS_SHIPPED, PASSED_OUT, in_order
from tricklab.studies.bids.subjects import SUBJECTS
from tricklab.studies.rows import chosen, one

ENOUGH = 0.01
"""Share of hands from which a contract has a row of its own in a table."""

MEASURES = {
    "share": "share of hands",
    "made": "made",
    "break_even": "breaks even at",
    "score": "score",
    "score_made": "score, made",
    "score_failed": "score, failed",
}
"""What is said of a contract, in the order of the columns."""

SHARES = ("share", "made", "break_even")

HOW = (
    "Every seat plays the policy named. The score is the declarer’s above the mean of the others, "
    "over hands played so; “breaks even at” is the success rate at which that score would be "
    "nought, from what made and failed hands score. Policies play the same deals but declare what "
    "they like, so a contract made more often may only have been declared on better cards. A dash "
    "stands where too few hands were of a kind."
)


def findings(frames: Frames, stated: Mapping[str, Any]) -> list[str]:
    """Whether declaring pays in each game, whether that depends on the policy, what falls short."""
    told = [_of_game(frames, stated, name) for name in stated["games"]]
    return [*(lines[0] for lines in told), *(line for lines in told for line in lines[1:])]


def parts(frames: Frames, stated: Mapping[str, Any]) -> list[Part]:
    """A part a game, and what the variants change."""
    told = [_part(frames, stated, name) for name in stated["games"]]
    return [*told, _variants(frames, stated)]


def _usual(name: str) -> int:
    return game_class(name)().players


def _of_game(frames: Frames, stated: Mapping[str, Any], name: str) -> list[str]:
    weak, strong = stated["policies"][0], stated["policies"][-1]
    title, players = game_class(name).title, _usual(name)
    mine = chosen(frames["contracts"], game=name, players=players, variant=AS_SHIPPED)
    told = {
        p: {m: one(mine, policy=p, contract="any", measure=m) for m in MEASURES}
        for p in (weak, strong)
    }
    made, level = told[strong]["made"], told[strong]["break_even"]
    if made is None:
        return [f"{title}: too few hands were declared to say how bids fare."]
    out = [
        f"{title}, {players} players, {strong}: {words.percent(made)} of declared hands are made"
        + (f"; {words.percent(level)} would break even" if level else "")
        + f". {_by_policy(told, weak, strong)}"
    ]
    short = [
        contract
        for contract in _contracts(chosen(mine, policy=strong))
        if (ours := one(mine, policy=strong, contract=contract, measure="made"))
        and (need := one(mine, policy=strong, contract=contract, measure="break_even"))
        and ours["high"] < need["low"]
    ]
    if short:
        out.append(f"{title}: made less often than would break even are {words.listed(short)}.")
    ways = chosen(frames["ways"], game=name, players=players, policy=strong)
    for way in SUBJECTS[name].ways:
        out += _way_words(ways, way)
    return out + _bonus_words(frames, name, strong)


def _by_policy(told: Mapping[str, Mapping[str, Any]], weak: str, strong: str) -> str:
    scores = {who: told[who]["score"] for who in (weak, strong)}
    if not all(scores.values()):
        return f"Under {weak} too few are declared to compare."
    signs = {who: (s["low"] > 0) - (s["high"] < 0) for who, s in scores.items()}
    says = {
        1: "gains on the others",
        -1: "loses to the others",
        0: "neither clearly gains nor loses",
    }
    same = "so it is" if signs[weak] == signs[strong] else "that changes"
    return (
        f"The declarer {says[signs[strong]]}, {words.change(scores[strong])} a hand; {same} under "
        f"{weak}, {words.change(scores[weak])}, where {words.percent(told[weak]['made'])} are made."
    )


def _way_words(frame: pd.DataFrame, way: str) -> list[str]:
    rows = chosen(frame, way=way, contract="any", measure="made").sort_values("value")
    if len(rows) < 2:
        return []
    low, high = rows.to_dict("records")[0], rows.to_dict("records")[-1]
    title = game_class(str(low["game"])).title
    if high["low"] <= low["high"]:
        return [f"{title}, by {way}: success cannot be told apart."]
    return [
        f"{title}, by {way}: {high['value_of']} is made most often, {words.percent(high)}, and "
        f"{low['value_of']} least, {words.percent(low)}."
    ]


def _contracts(frame: pd.DataFrame) -> list[str]:
    """Contracts declared often enough to have a row, in order."""
    often = frame[(frame["measure"] == "share") & (frame["value"] >= ENOUGH)]
    return sorted(set(often["contract"]) - {"any", PASSED_OUT}, key=in_order)


def _cell(found: dict[str, Any]) -> str:
    return words.percent(found) if found["measure"] in SHARES else words.change(found)


def _part(frames: Frames, stated: Mapping[str, Any], name: str) -> Part:
    title, usual = game_class(name).title, _usual(name)
    strong = stated["policies"][-1]
    all_sizes = chosen(frames["contracts"], game=name, variant=AS_SHIPPED)
    shows: list[Table | Figure] = []
    for players in sorted(set(all_sizes["players"])):
        mine = chosen(all_sizes, players=players)
        contracts = _contracts(mine)
        rows = mine.assign(kind=mine["contract"] + ", " + mine["policy"])
        kinds = {
            kind: kind
            for contract in ["any", *contracts]
            for who in stated["policies"]
            if (kind := f"{contract}, {who}") in set(rows["kind"])
        }
        shows.append(
            Figure(
                f"{name}-{players}-success",
                f"{title}, {players} players: success of each contract, and what would break even",
                partial(figures.against_break_even, mine, contracts),
            )
        )
        shows.append(
            Table(
                f"{name}-{players}-contracts",
                f"{title}, {players} players: how contracts fare",
                **words.table(rows, kinds, MEASURES, "kind", "measure", _cell),
            )
        )
    ours = chosen(frames["ways"], game=name, players=usual, policy=strong)
    for way, values in SUBJECTS[name].ways.items():
        of_way = chosen(ours, way=way)
        shows.append(
            Table(
                f"{name}-{way}",
                f"{title}, {usual} players, {strong}: by {way}",
                **words.table(
                    chosen(of_way, contract="any"),
                    {value: value for value in values.values()},
                    MEASURES,
                    "value_of",
                    "measure",
                    _cell,
                ),
            )
        )
        made = chosen(of_way, measure="made")
        if len(made):
            shows.append(
                Figure(
                    f"{name}-{way}-heat",
                    f"{title}, {usual} players, {strong}: success by contract and {way}",
                    partial(figures.heat, made, "value_of", "contract", "", "", share=True),
                    "The numbers of these cells, with their intervals, are in the data.",
                )
            )
    shows += _holdings(frames["holdings"], name, usual, strong)
    shows += _bonuses(frames, stated, name)
    return Part(title, HOW, shows=shows)


BONUS_MEASURES = {
    "announced": "announced, share of hands",
    "made": "made of those",
    "worth": "points, announced",
    "silent": "scored unannounced, share of hands",
}
"""What is said of a bonus, in the order of the columns."""


def _bonuses(frames: Frames, stated: Mapping[str, Any], name: str) -> list[Table | Figure]:
    """A table of bonuses for each policy, where the game has any."""
    mine = chosen(frames["bonuses"], game=name)
    return [
        Table(
            f"{name}-bonuses-{who.partition(':')[0]}",
            f"{game_class(name).title}, {who}: bonuses",
            **words.table(
                chosen(mine, policy=who),
                {kind: kind.replace("_", " ") for kind in dict.fromkeys(mine["bonus"])},
                BONUS_MEASURES,
                "bonus",
                "measure",
                lambda found: (
                    words.change(found) if found["measure"] == "worth" else words.percent(found)
                ),
            ),
            note="Points of a hand in which it was announced: what those who made it gain, each, "
            "less what those who failed gave each opponent; contras included. Many bonuses score "
            "only if they were announced.",
        )
        for who in stated["policies"]
        if len(mine)
    ]


def _bonus_words(frames: Frames, name: str, policy: str) -> list[str]:
    mine = chosen(frames["bonuses"], game=name, policy=policy, bonus=bonuses.ALL)
    told = {measure: one(mine, measure=measure) for measure in BONUS_MEASURES}
    announced, made, worth = (told[measure] for measure in ("announced", "made", "worth"))
    if announced is None:
        return []
    title = game_class(name).title
    if made is None or worth is None:
        return [f"{title}: bonuses are announced in {words.percent(announced)} of hands."]
    return [
        f"{title}: bonuses are announced in {words.percent(announced)} of hands, and "
        f"{words.percent(made)} of what is announced is made; a hand with an announcement brings "
        f"{words.change(worth)} points by it."
    ]


def _holdings(frame: pd.DataFrame, name: str, players: int, policy: str) -> list[Table | Figure]:
    title, titles = game_class(name).title, SUBJECTS[name].holding
    mine = chosen(frame, game=name, players=players, policy=policy)
    made = chosen(mine, measure="made", contract="any")
    counts = {count: str(count) for count in sorted(set(made["count"]))}
    first = next(iter(titles))
    within = chosen(mine, measure="made", feature=first)
    within = within[within["contract"] != "any"]
    if within.empty:
        return []
    return [
        Figure(
            f"{name}-holding",
            f"{title}, {players} players, {policy}: success by what the declarer was dealt",
            partial(
                figures.lines,
                made,
                "count",
                "feature",
                "how many the declarer was dealt",
                "share of declared hands made",
                titles=titles,
                share=True,
                whole=True,
            ),
        ),
        Figure(
            f"{name}-holding-heat",
            f"{title}, {players} players, {policy}: success by contract and {titles[first]} dealt",
            partial(figures.heat, within, "contract", "count", titles[first], "", share=True),
            "The numbers of these cells, with their intervals, are in the data.",
        ),
        Table(
            f"{name}-holding",
            f"{title}, {players} players, {policy}: made, by what the declarer was dealt",
            **words.table(made, counts, titles, "count", "feature", words.percent),
        ),
    ]


def _variants(frames: Frames, stated: Mapping[str, Any]) -> Part:
    strong = stated["policies"][-1]
    shows: list[Table | Figure] = []
    points = []
    for name in stated["games"]:
        title, players = game_class(name).title, _usual(name)
        changes = chosen(frames["variants"], game=name)
        if changes.empty:
            continue
        levels = chosen(frames["contracts"], game=name, contract="any", policy=strong)
        levels = levels[levels["variant"].isin([AS_SHIPPED, *changes["variant"]])]
        levels = chosen(levels, players=players)
        both = pd.concat([levels, changes.assign(measure="change")])
        columns = {
            "made": "made",
            "change": "change, percentage points",
            "break_even": "breaks even at",
        }

        def cell(found: dict[str, Any]) -> str:
            if found["measure"] != "change":
                return words.percent(found)
            return words.points(found) + (" *" if "unpaired" in found["method"] else "")

        named = {variant: variant for variant in levels["variant"].unique()}
        shows.append(
            Table(
                f"{name}-variants",
                f"{title}, {players} players, {strong}: declared hands made under each variant",
                **words.table(both, named, columns, "variant", "measure", cell),
                note="* on deals of its own; all others on the same deals.",
            )
        )
        clear = changes[(changes["low"] > 0) | (changes["high"] < 0)]
        if len(clear):
            order = clear.sort_values("value", key=abs).to_dict("records")
            points.append(
                f"{title}: of {len(changes)} variants {len(clear)} change how often bids are made; "
                f"most of all {order[-1]['variant']}, by {words.points(order[-1])} points."
            )
    return Part(
        "What the variants change",
        "Each variant alone, with the game’s usual number of players. The policy bids by what it "
        "expects under the variant, so a change shows how well bids can be judged there as well as "
        "how hard the game is.",
        points,
        shows,
    )
