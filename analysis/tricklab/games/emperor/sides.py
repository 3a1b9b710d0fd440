"""Who is on which side, and what each seat knows of it (E13, E14, E16)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.games.emperor.facts import Facts
from tricklab.games.emperor.pack import FIRST_TRUMP, TRICKS, TRUMP
from tricklab.table import Table
from tricklab.tricks import kernel


def learn(table: Table) -> None:
    """Set ``table.partner`` to what all know, and each row of ``table.sides`` to what a seat knows.

    A declarer knows itself; the holder of the card called knows both; any other knows itself and
    those who said Contra.  Once the card called has been played, or lies openly in a discard, or
    the hand is over, all know all.
    """
    facts: Facts = table.extra
    know(
        facts.said,
        facts.shown,
        facts.holder,
        table.called,
        table.declarer,
        table.state.played,
        table.trick == TRICKS,
        table.partner,
        table.sides,
    )


@kernel
def know(
    said: NDArray[np.int64],
    shown: NDArray[np.uint32],
    holder: NDArray[np.int8],
    called: NDArray[np.int16],
    declarer: NDArray[np.int8],
    played: NDArray[np.uint32],
    done: bool,
    partner: NDArray[np.int8],
    sides: NDArray[np.uint16],
) -> None:
    """Write ``partner`` (H,) and ``sides`` (H, P); see :func:`learn`."""
    players = sides.shape[1]
    everyone = (1 << players) - 1
    for h in range(declarer.size):
        if declarer[h] == NO_SEAT:
            continue
        bit = np.uint32(1) << np.uint32(called[h] - FIRST_TRUMP)
        lies_open = np.uint32(0)
        speakers = 0
        for s in range(players):
            lies_open |= shown[h, s] & bit
            if said[h, 0, s]:
                speakers |= 1 << s
        own = 1 << declarer[h]
        if holder[h] != NO_SEAT:
            own |= 1 << holder[h]
        known = done or lies_open != 0 or played[h, TRUMP] & bit != 0
        if known:
            partner[h] = holder[h]
        for s in range(players):
            mine = (own >> s) & 1 == 1
            side = own if mine else everyone & ~own
            if not known:
                if s == declarer[h]:
                    side = 1 << s
                elif not mine:
                    side = 1 << s | speakers
            sides[h, s] = side
