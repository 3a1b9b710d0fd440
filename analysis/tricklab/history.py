"""Hand histories: one JSON object a hand, one line each (format ``tricklab-hand/1``).

Writing is here; reading and checking, which replay what is read, are in :mod:`tricklab.replay`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tricklab.bidding import NO_SEAT
from tricklab.games.parts import Score
from tricklab.table import Table

FORMAT = "tricklab-hand/1"


def history_lines(table: Table, notes: Sequence[dict[str, Any]]) -> list[str]:
    """Histories of a finished table, a text a hand.

    That is a line of JSON, after one for each deal of the hand that was thrown in (E12).

    Parameters
    ----------
    table : Table
        Finished hands.
    notes : sequence of dict
        Further keys of each hand's history, such as its number.
    """
    game, deck = table.game, table.game.deck
    scored = game.score(table)
    head = {"format": FORMAT, "game": game.name, "switches": game.switches}
    out = []
    before: dict[int, list[str]] = {}
    row_of = {origin: row for row, origin in enumerate(table.origin.tolist())}
    for deals in table.earlier:
        origins = deals.origin.tolist()
        told = history_lines(deals, [notes[row_of[origin]] for origin in origins])
        for origin, line in zip(origins, told, strict=True):
            before.setdefault(origin, []).append(line)
    for row in range(table.hands):
        lines = before.get(int(table.origin[row]), [])
        history = {
            **head,
            "dealer": int(table.dealer[row]),
            **game.history_keys(table, row),
            "deal": [deck.cards_in(masks) for masks in table.dealt[row]],
            "stock": [deck.cards[card] for card in table.stock[row]],
            "actions": actions(table, row),
            "result": result(table, scored, row),
            **notes[row],
        }
        lines.append(json.dumps(history, ensure_ascii=False, separators=(", ", ": ")))
        out.append("\n".join(lines))
    return out


def actions(table: Table, row: int) -> list[dict[str, Any]]:
    """Everything that was done in one finished hand, in order."""
    out: list[dict[str, Any]] = []
    for phase in table.game.phases[: table.phases[row]]:
        out += phase.actions(table, row)
    return out


def result(table: Table, scored: Score, row: int) -> dict[str, Any]:
    """What came of one finished hand."""
    made = int(scored.made[row])
    declarer, partner = (int(seats[row]) for seats in (table.declarer, table.partner))
    win = [float(share) for share in scored.win[row]]
    return {
        "tricks": [int(n) for n in table.state.tricks[row]],
        "score": [int(n) for n in scored.score[row]],
        # A share is 1/k: written as exactly as JSON can.
        "win": [1 / round(1 / share) if share else 0 for share in win],
        "declarer": None if declarer == NO_SEAT else declarer,
        "partner": None if partner == NO_SEAT else partner,
        "made": None if made < 0 else bool(made),
        **table.game.result_keys(table, scored, row),
    }
