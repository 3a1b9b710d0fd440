"""The auction: Three, Two, One, Without, holding and invitations (E4-E8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.auction import BID_STEP
from tricklab.bidding import NO_SEAT, NOT_ASKED, PASS, Bidding, next_of
from tricklab.desk import Desk
from tricklab.games.emperor.facts import Facts
from tricklab.games.emperor.pack import (
    BIDS,
    FIRST_TRUMP,
    HOLD,
    HONOURS,
    STEPS_WITH_18,
    STEPS_WITH_19,
    TRUMP,
    TRUMPS,
    WITHOUT,
)
from tricklab.play import Action
from tricklab.table import Table
from tricklab.tricks import kernel
from tricklab.uniform import pick_flag

RANK_18, RANK_19 = TRUMPS.index("18"), TRUMPS.index("19")


@dataclass(frozen=True)
class NamedAuction:
    """Bidding from eldest on until the best bid stands; ``bidding.high`` is its number (E4)."""

    def run(self, table: Table, desk: Desk) -> None:
        """Carry every auction of a table to its end."""
        bidding, seat = table.bidding, table.state.seat
        turn = self._turn_uniformly if desk.uniform("bid") else self._turn
        while bidding.open.any():
            turn(table, desk)
        nobody = bidding.bidder == NO_SEAT
        table.over |= nobody
        table.declarer[:] = bidding.bidder
        facts: Facts = table.extra
        facts.bound[:] = (facts.inviter != NO_SEAT) & (facts.inviter != bidding.bidder)
        leader = table.state.leader
        leader[:] = np.where(nobody, leader, bidding.bidder)
        seat[:] = leader

    def _turn_uniformly(self, table: Table, desk: Desk) -> None:
        """What asking each seat would give, in one kernel."""
        facts: Facts = table.extra
        bidder, said = np.empty(table.hands, np.int8), np.empty(table.hands, np.int16)
        bid_uniformly(
            table.bidding,
            facts.inviter,
            facts.invited,
            table.state.hold,
            table.state.seat,
            desk.all_words(desk.step(BID_STEP + len(table.bids), table), table),
            np.zeros((1, len(BIDS)), np.bool_),
            bidder,
            said,
        )
        table.bids.append((bidder, said))

    def _turn(self, table: Table, desk: Desk) -> None:
        bidding, facts = table.bidding, table.extra
        seats = table.state.seat.copy()
        said = np.full(table.hands, NOT_ASKED, np.int16)
        step = BID_STEP + len(table.bids)
        for asked in desk.ask(table, "bid", step, np.flatnonzero(bidding.open), offers=self):
            rows, bids = asked.rows, asked.answers()
            may = asked.view.offers["may_bid"]
            bad = accept(bidding, facts.inviter, facts.invited, table.state.seat, rows, bids, may)
            if bad >= 0:
                number = int(bids[bad])
                name = BIDS[number] if 0 <= number < len(BIDS) else "no bid"
                allowed = ", ".join(f"{k} ({BIDS[k]})" for k in np.flatnonzero(may[bad]))
                clause = bid_clause(number)
                raise asked.illegal(bad, f"{number} ({name})", f"one of {allowed} ({clause})")
            said[rows] = bids
        bidder = np.where(said == NOT_ASKED, np.int8(NO_SEAT), seats)
        table.bids.append((bidder, said))

    def offers(self, table: Table, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """``may_bid``: which of ``game.bids`` each seat asked may say, (n, bids)."""
        out = np.zeros((len(rows), len(BIDS)), np.bool_)
        bid_choices(table.bidding, table.state.hold, table.state.seat, rows, out)
        return {"may_bid": out}

    def actions(self, table: Table, row: int) -> list[Action]:
        """What was bid, turn by turn."""
        out: list[Action] = []
        for bidders, bids in table.bids:
            seat = int(bidders[row])
            if seat != NO_SEAT:
                out.append({"seat": seat, "do": "bid", "bid": BIDS[bids[row]]})
        return out


def bid_clause(bid: int) -> str:
    """The clause that a bid which may not be made breaks."""
    if not 0 <= bid < len(BIDS):
        return "E4"
    return "E6" if bid == HOLD else "E5"


@kernel
def bid_choices(
    bidding: Bidding,
    hold: NDArray[np.uint32],
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    out: NDArray[np.bool_],
) -> None:
    """Write what each seat asked may bid to ``out`` (n, bids) (E5-E7)."""
    for i in range(rows.size):
        _bid_row(bidding, hold, rows[i], seat[rows[i]], out, i)


@numba.njit(inline="always")
def _bid_row(
    bidding: Bidding, hold: NDArray[np.uint32], h: int, s: int, out: NDArray[np.bool_], i: int
) -> None:
    """Write what seat s of hand h may bid to row i."""
    level = np.int64(bidding.high[h])
    own = np.int64(bidding.last[h, s])
    trumps = np.int64(hold[h, s, TRUMP])
    out[i, PASS] = True
    out[i, HOLD] = own > 0 and own != level
    for bid in range(1, WITHOUT + 1):
        steps = bid - level
        out[i, bid] = trumps & HONOURS != 0 and (
            steps == 1
            or (steps == STEPS_WITH_19 and (trumps >> RANK_19) & 1 == 1)
            or (steps == STEPS_WITH_18 and (trumps >> RANK_18) & 1 == 1)
        )


@kernel
def accept(
    bidding: Bidding,
    inviter: NDArray[np.int8],
    invited: NDArray[np.int16],
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    bids: NDArray[np.int16],
    may: NDArray[np.bool_],
) -> int:
    """Note the bids of the seats whose turn it is and pass the turn on (E4-E7).

    Parameters
    ----------
    seat : int8 (H,)
        Whose turn it is; written.
    rows : int64 (n,), bids : int16 (n,)
        Hands and what is bid in each.
    may : bool (n, bids)
        What may be.

    Returns
    -------
    int
        -1, or the first position in ``rows`` whose bid is not legal; hands from there on are
        untouched.
    """
    for i in range(rows.size):
        bid = np.int64(bids[i])
        if bid < 0 or bid >= may.shape[1] or not may[i, bid]:
            return i
        _note(bidding, inviter, invited, seat, rows[i], bid)
    return -1


@numba.njit(inline="always")
def _note(
    bidding: Bidding,
    inviter: NDArray[np.int8],
    invited: NDArray[np.int16],
    seat: NDArray[np.int8],
    h: int,
    bid: int,
) -> None:
    """Note a bid in hand h and pass the turn on."""
    players = bidding.last.shape[1]
    everyone = (1 << players) - 1
    s = np.int64(seat[h])
    if bid == PASS:
        bidding.out[h] |= np.uint16(1 << s)
    else:
        if bid != HOLD:
            steps = bid - bidding.high[h]
            if steps > 1:
                inviter[h] = s
                invited[h] = FIRST_TRUMP + (RANK_19 if steps == STEPS_WITH_19 else RANK_18)
            bidding.high[h] = bid
        bidding.last[h, s] = bidding.high[h]
        bidding.bidder[h] = s
    left = everyone & ~np.int64(bidding.out[h])
    if left == 0:
        bidding.open[h] = False
    else:
        s = next_of(left, s, players)
        if s == bidding.bidder[h]:
            bidding.open[h] = False
        else:
            seat[h] = s


@kernel
def bid_uniformly(
    bidding: Bidding,
    inviter: NDArray[np.int8],
    invited: NDArray[np.int16],
    hold: NDArray[np.uint32],
    seat: NDArray[np.int8],
    words: NDArray[np.uint32],
    may: NDArray[np.bool_],
    bidder: NDArray[np.int8],
    said: NDArray[np.int16],
) -> None:
    """Let every seat whose turn it is say one of what it may, each as likely.

    Parameters
    ----------
    words : uint32 (P, H)
        One random word a seat.
    may : bool (1, bids)
        Room.
    bidder : int8 (H,), said : int16 (H,)
        Who spoke and what it said, ``NO_SEAT`` and ``NOT_ASKED`` where nobody did; written.
    """
    for h in range(said.size):
        bidder[h], said[h] = NO_SEAT, NOT_ASKED
        if bidding.open[h]:
            s = seat[h]
            _bid_row(bidding, hold, h, s, may, 0)
            bid = pick_flag(may, 0, words[s, h])
            bidder[h], said[h] = s, bid
            _note(bidding, inviter, invited, seat, h, bid)
