"""Bonuses of finished hands: rows of a frame, in hand histories, and in words (E22)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.games.emperor.bonuses import BONUSES, NAMES
from tricklab.games.emperor.facts import ROUNDS, Facts
from tricklab.games.emperor.scoring import SIDES, Settled, doublings, lowest_of, rounds
from tricklab.table import Table
from tricklab.tricks import kernel


@kernel
def write_entries(
    facts: Facts,
    announced: NDArray[np.int64],
    happened: NDArray[np.int64],
    scored: NDArray[np.int64],
    worth: NDArray[np.int32],
    hand: NDArray[np.int32],
    side_of: NDArray[np.int8],
    bonus: NDArray[np.int8],
    said: NDArray[np.int8],
    made: NDArray[np.int8],
    level: NDArray[np.int8],
    points: NDArray[np.int32],
    doubled: NDArray[np.int64],
) -> None:
    """Write a row for each bonus of a side that was announced or scored."""
    i = 0
    for h in range(announced.shape[0]):
        rounds(facts, h, doubled)
        for side in range(2):
            left = announced[h, side] | scored[h, side]
            while left:
                b = lowest_of(left)
                left &= left - 1
                claimed = (announced[h, side] >> b) & 1 == 1
                hand[i] = h
                side_of[i] = side
                bonus[i] = b
                said[i] = claimed
                made[i] = (happened[h, side] >> b) & 1
                level[i] = doublings(doubled, 1 + b) if claimed else 0
                points[i] = worth[h, side, b]
                i += 1


def entries(table: Table, scored: Settled) -> dict[str, NDArray[Any]]:
    """The columns of the ``bonuses`` frame; ``hand`` is the row of the table."""
    rows = int(np.bitwise_count(scored.announced | scored.scored).sum())
    columns: dict[str, NDArray[Any]] = {
        "hand": np.empty(rows, np.int32),
        "side": np.empty(rows, np.int8),
        "bonus": np.empty(rows, np.int8),
        "announced": np.empty(rows, np.int8),
        "made": np.empty(rows, np.int8),
        "level": np.empty(rows, np.int8),
        "points": np.empty(rows, np.int32),
    }
    facts: Facts = table.extra
    doubled = np.zeros(len(ROUNDS), np.int64)
    write_entries(
        facts,
        scored.announced,
        scored.happened,
        scored.scored,
        scored.worth,
        *columns.values(),
        doubled,
    )
    return columns


def told(scored: Settled, row: int) -> list[dict[str, Any]]:
    """The bonuses that scored in one hand as hand histories have them, in the table's order."""
    out = []
    for b, bonus in enumerate(BONUSES):
        for side, name in enumerate(SIDES):
            points = int(scored.worth[row, side, b])
            if points:
                flags = (
                    bool(bits[row, side] >> b & 1) for bits in (scored.announced, scored.happened)
                )
                announced, made = flags
                out.append(
                    {
                        "bonus": bonus.name,
                        "side": name,
                        "announced": announced,
                        "made": made,
                        "points": points,
                    }
                )
    return out


def remarks(table: Table, scored: Settled, row: int) -> list[str]:
    """What a picture of one hand says beside its cards."""
    facts: Facts = table.extra
    lines = []
    if scored.made[row] >= 0:
        lines += _of_the_call(table, row)
        ours, theirs = scored.card_points[row].tolist()
        lines.append(f"card points {ours} to {theirs}; the hand pays {int(scored.payment[row])}")
    if facts.doubling[row] > 1:
        lines.append(f"after annulled deals everything counts {int(facts.doubling[row])} times")
    told = _in_columns(entries(table, scored), row)
    lines += ["", *told] if told else []
    return lines


def _in_columns(rows: dict[str, NDArray[Any]], row: int) -> list[str]:
    """The bonuses of one hand as lines of a table; none where there are none."""
    lines = [("bonus", "side", "said", "outcome", "points")]
    for i in np.flatnonzero(rows["hand"] == row):
        level = int(rows["level"][i])
        said = "announced" if rows["announced"][i] else "silent"
        said += f" ×{2**level}" if level else ""
        outcome = "made" if rows["made"][i] else "failed"
        named = NAMES[rows["bonus"][i]], SIDES[rows["side"][i]]
        lines.append((*named, said, outcome, str(rows["points"][i])))
    if len(lines) == 1:
        return []
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(map(str.ljust, line[:-1], wide)) + line[-1].rjust(wide[-1] + 2) for line in lines
    ]


def _of_the_call(table: Table, row: int) -> list[str]:
    """Whether the declarer was bound, and why it plays alone (E7, E13, E14)."""
    facts: Facts = table.extra
    deck, declarer = table.game.deck, int(table.declarer[row])
    lines = []
    card = int(table.called[row])
    name = deck.cards[card]
    if facts.bound[row]:
        lines.append(f"seat {declarer} had to call {name}: seat {facts.inviter[row]} had invited")
    if facts.holder[row] == NO_SEAT:
        away = [s for s, masks in enumerate(table.discarded[row]) if name in deck.cards_in(masks)]
        where = "its own hand"
        if away:
            where = f"the discard of seat {away[0]}"
        elif card in table.stock[row][facts.drawn[row] :]:
            where = "the stock"
        lines.append(f"{name} lies in {where}: seat {declarer} plays alone")
    return lines
