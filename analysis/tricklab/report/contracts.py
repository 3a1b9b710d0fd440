"""The report on a game whose hands are played by a declarer for a contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from tricklab import options, words
from tricklab.report.page import render
from tricklab.studies.contracts import Cell, by_distance, effects, success

MEASURES = {
    "share": "share of hands",
    "made": "made",
    "score": "declarer's score above the others' mean",
}
"""What is said of a contract, in the order of the columns."""


def build(
    cells: Sequence[Cell], stated: dict[str, Any], n_jobs: int | None
) -> tuple[str, dict[str, pd.DataFrame]]:
    """Build the report.

    Parameters
    ----------
    cells : sequence of Cell
        Every number of players under every policy, the strongest policy last.
    stated : dict
        Provenance.
    n_jobs : int, optional
        For playing the variants of the game.

    Returns
    -------
    html : str
        The page.
    data : dict of DataFrame
        What it shows, by name.
    """
    strong = stated["policies"][-1]
    ours = [cell for cell in cells if cell.policy == strong]
    base = max(ours, key=lambda cell: (cell.players == type(cell.run.game)().players, 0))
    data = {
        "by_distance": by_distance(cells),
        "contracts": success(cells),
        "effects": effects(base, stated["hands_per_cell"], stated["seed"], n_jobs),
    }
    players = sorted({cell.players for cell in cells})
    game = base.run.game
    context = {
        "title": game.title,
        "stated": stated,
        "strong": strong,
        "game": game,
        "players": words.listed([str(n) for n in players]),
        "switches": options.specs(type(game)).values(),
        "summary": [line for n in players for line in _summary(data, n, strong, len(players) > 1)],
        "seat_tables": [_seat_table(data["by_distance"], measure, players) for measure in SEATS],
        "contract_tables": [
            _contract_table(data["contracts"], n, policy)
            for n in players
            for policy in reversed(stated["policies"])
        ],
        "effect_table": _effect_table(data["effects"]),
        "base_players": base.players,
    }
    return render("contracts.html", context), data


SEATS = {"score": "mean score", "win": "share of wins"}
"""What is said of a seat."""


def _seat_table(frame: pd.DataFrame, measure: str, players: list[int]) -> dict[str, Any]:
    rows = frame[frame["measure"] == measure].copy()
    rows["who"] = [
        f"{n} players, {who}" for n, who in zip(rows["players"], rows["policy"], strict=True)
    ]
    rows = rows.sort_values(["players", "policy"], kind="stable")
    seats = {d: "dealer" if d == 0 else f"{d} after" for d in range(max(players))}
    who = {name: name for name in rows["who"].unique()}
    show = words.percent if measure == "win" else words.plain
    return words.table(rows, who, seats, "who", "distance", show) | {"caption": SEATS[measure]}


def _contract_table(frame: pd.DataFrame, players: int, policy: str) -> dict[str, Any]:
    rows = frame[(frame["players"] == players) & (frame["policy"] == policy)]
    shown = rows[rows["measure"] == "share"]["contract"]

    def cell(found: dict[str, Any]) -> str:
        return words.change(found) if found["measure"] == "score" else words.percent(found)

    named = {name: name for name in shown}
    table = words.table(rows, named, MEASURES, "contract", "measure", cell)
    return table | {"caption": f"{players} players, {policy}"}


def _effect_table(frame: pd.DataFrame) -> dict[str, Any]:
    columns = {"made": "contracts made, percentage points", "score": MEASURES["score"]}

    def cell(found: dict[str, Any]) -> str:
        shown = words.points(found) if found["measure"] == "made" else words.change(found)
        return shown + ("" if "paired" in found["method"] and "un" not in found["method"] else " *")

    named = {name: name for name in frame["variant"].unique()}
    return words.table(frame, named, columns, "variant", "measure", cell)


def _summary(data: dict[str, pd.DataFrame], players: int, policy: str, several: bool) -> list[str]:
    """What was found with one number of players, in sentences made from the numbers."""
    start = f"With {players} players " if several else ""
    found = data["contracts"]
    mine = found[(found["players"] == players) & (found["policy"] == policy)]
    shares = mine[(mine["measure"] == "share") & (mine["contract"] != "none")]
    often = _ends(shares)[1]
    out = [
        f"{start}the contract declared most often is {often['contract']}: "
        f"{words.percent(often)} of hands."
    ]
    made = mine[mine["measure"] == "made"]
    if len(made) > 1:
        worst, best = _ends(made)
        out.append(
            f"{start}{best['contract']} is made most often, {words.percent(best)}, and "
            f"{worst['contract']} least, {words.percent(worst)}."
        )
    seats = data["by_distance"]
    wins = seats[
        (seats["players"] == players) & (seats["policy"] == policy) & (seats["measure"] == "win")
    ]
    low, high = _ends(wins)
    if high["low"] > low["high"]:
        out.append(
            f"{start}{_place(high)} wins most, {words.percent(high)}, and {_place(low)} least, "
            f"{words.percent(low)}."
        )
    else:
        out.append(f"{start}no seat can be told from the others by its share of wins.")
    return [line[0].upper() + line[1:] for line in out]


def _ends(frame: pd.DataFrame) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows of the least and the greatest value."""
    rows: list[dict[str, Any]] = frame.sort_values("value").to_dict("records")  # type: ignore[assignment]
    return rows[0], rows[-1]


def _place(found: Any) -> str:
    distance = int(found["distance"])
    if distance == 0:
        return "the dealer"
    return f"the seat {words.number(distance)} after the dealer"
