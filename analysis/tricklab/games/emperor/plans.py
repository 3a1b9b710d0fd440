"""What single cards are to be kept or to win, for the sake of bonuses (E22)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import lowest, popcount
from tricklab.games.emperor.bonuses import (
    CAPTURES,
    CONDITIONS,
    NEVER_SILENT,
    RUNS,
    SPARROW,
    WINS,
    Conditions,
)
from tricklab.games.emperor.pack import DECK, FIRST_TRUMP, TRUMP, TRUMPS
from tricklab.games.emperor.partner import past
from tricklab.tricks import kernel
from tricklab.view import View

TRICK_WORTH = 20.0
"""Score that an average trick is worth: its card points, and what they win and multiply."""

SILENT_HOPE = 0.5
"""Factor to a bonus that was not announced for each trick that it is still away."""

SPENT = 0.15
"""Share of an announced bonus that is lost with one of the cards that might have made it."""

HUNT = 0.25
"""Share of a Conquest for which Tomfool is kept while the World may fall to it (E24)."""

WORLD, FOOL = FIRST_TRUMP + TRUMPS.index("21"), FIRST_TRUMP + TRUMPS.index("F")


def plans(
    view: View, friendly: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What winning this trick with each card pays, and keeping it; two of (n, n_cards)."""
    tricks = past(view)
    win, keep = np.zeros((2, len(view), DECK.n_cards))
    plan(
        CONDITIONS,
        DECK.offset,
        view.trick,
        view.position,
        view.of_game["announced"],
        friendly,
        view.holding,
        view.unseen,
        view.table_cards,
        view.best_seat,
        tricks.winner,
        tricks.card,
        DECK.suit_of,
        DECK.rank_of,
        win,
        keep,
    )
    return win, keep


@kernel
def plan(
    conditions: Conditions,
    offset: NDArray[np.int16],
    trick: int,
    position: int,
    announced: NDArray[np.int64],
    friendly: NDArray[np.float64],
    holding: NDArray[np.uint32],
    unseen: NDArray[np.uint32],
    table_cards: NDArray[np.uint8],
    best_seat: NDArray[np.int8],
    winner: NDArray[np.int8],
    winning: NDArray[np.int16],
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    win: NDArray[np.float64],
    keep: NDArray[np.float64],
) -> None:
    """Write the plans of each row to ``win`` and ``keep`` (n, n_cards)."""
    for i in range(win.shape[0]):
        ours = np.int64(0)
        for s in range(announced.shape[1]):
            if friendly[i, s] > 0.5:
                ours |= announced[i, s]
        for b in range(conditions.kind.size):
            said = (ours >> b) & 1 == 1
            if conditions.multiplies[b] or (not said and conditions.silent[b] == NEVER_SILENT):
                continue
            kind = conditions.kind[b]
            # An announced bonus that fails goes to the others.
            pays = 2.0 * conditions.announced[b] if said else np.float64(conditions.silent[b])
            pays /= TRICK_WORTH
            if kind == RUNS:
                if not _running(
                    conditions, b, trick, friendly[i], winner, winning, suit_of, rank_of, i
                ):
                    continue
                last = conditions.last[b]
                away = last - trick
                hope = SILENT_HOPE**away
                if b == SPARROW and not said:
                    # Whoever has the most trumps left decides when the last ones are drawn.
                    held = popcount(holding[i, TRUMP]) - 1
                    hope = 1.0 if 2 * held > popcount(unseen[i, TRUMP]) else 0.0
                elif said:
                    hope = 1.0
                for s in range(conditions.cards.shape[1]):
                    mask = conditions.cards[b, s] & holding[i, s]
                    while mask:
                        card = offset[s] + lowest(mask)
                        mask &= mask - np.uint32(1)
                        if trick < conditions.winning[b]:
                            keep[i, card] += pays * hope
                        else:
                            win[i, card] += pays * SILENT_HOPE**away
            elif kind == WINS:
                made = False
                for t in range(trick - 1):
                    if friendly[i, winner[t, i]] > 0.5:
                        made |= _among(conditions, b, suit_of, rank_of, winning[t, i])
                if made:
                    continue
                for s in range(conditions.cards.shape[1]):
                    mask = conditions.cards[b, s] & holding[i, s]
                    while mask:
                        card = offset[s] + lowest(mask)
                        mask &= mask - np.uint32(1)
                        win[i, card] += pays
                        keep[i, card] += pays * SPENT
            elif kind == CAPTURES:
                _conquest(
                    pays,
                    friendly[i],
                    holding[i, TRUMP],
                    unseen[i, TRUMP],
                    table_cards[i],
                    position,
                    best_seat[i],
                    win[i],
                    keep[i],
                )


@kernel
def _running(
    c: Conditions,
    b: int,
    trick: int,
    friendly: NDArray[np.float64],
    winner: NDArray[np.int8],
    winning: NDArray[np.int16],
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    i: int,
) -> bool:
    """Whether a bonus won by a run of tricks may still be."""
    if trick > c.last[b]:
        return False
    for t in range(c.first[b], trick):
        if friendly[winner[t - 1, i]] <= 0.5:
            return False
        if t >= c.winning[b] and not _among(c, b, suit_of, rank_of, winning[t - 1, i]):
            return False
    return True


@kernel
def _among(
    c: Conditions, b: int, suit_of: NDArray[np.int8], rank_of: NDArray[np.int8], card: int
) -> bool:
    bit = np.uint32(1) << np.uint32(rank_of[card])
    return c.cards[b, suit_of[card]] & bit != 0


@kernel
def _conquest(
    pays: float,
    friendly: NDArray[np.float64],
    trumps: np.uint32,
    unseen: np.uint32,
    table_cards: NDArray[np.uint8],
    position: int,
    best_seat: int,
    win: NDArray[np.float64],
    keep: NDArray[np.float64],
) -> None:
    """Hunt the World, and do not lose it (E24)."""
    world = np.uint32(1) << np.uint32(WORLD - FIRST_TRUMP)
    fool = np.uint32(1) << np.uint32(FOOL - FIRST_TRUMP)
    on_table = 1.0 if position == 0 else friendly[best_seat]
    for s in range(table_cards.size):
        if table_cards[s] == WORLD:
            # Whoever played it, it should be this side that takes it.
            for card in range(win.size):
                win[card] += pays * (1.0 - on_table)
        if table_cards[s] == FOOL and trumps & world:
            keep[WORLD] += pays * (1.0 - friendly[s])
    if trumps & world and unseen & fool:
        win[WORLD] += pays
        keep[WORLD] += pays
    if trumps & fool and unseen & world:
        keep[FOOL] += pays * HUNT
