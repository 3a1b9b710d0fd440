"""Auctions in numbers: each turn raises the highest bid or drops out (J21, K3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import (
    NO_SEAT,
    NOT_ASKED,
    PASS,
    accept_bids,
    bid_uniformly,
    set_sides,
)
from tricklab.desk import Desk
from tricklab.play import Action
from tricklab.table import Table

BID_STEP = 2000
"""Random step of an auction's first turn; turn *t* (from 0) is step ``BID_STEP + t``.  Part of the
definition of a run."""


@dataclass(frozen=True)
class Auction:
    """Bidding clockwise until one bidder is left, or once round; the highest is the declarer.

    Attributes
    ----------
    lowest, step, highest : int
        Least first bid, least raise, and most that can be bid.
    from_dealer : int
        Seats from the dealer, clockwise, to the one that speaks first.
    dealer_takes : bool
        Whether, if all drop, the dealer must play the lowest bid; otherwise the hand is over.
    once : bool
        Whether each seat has one turn only (K3).
    declarer_leads : bool
        Whether the declarer leads the first trick (K6).
    clause : str
        The clause that says what may be bid.
    """

    lowest: int
    step: int
    highest: int
    from_dealer: int = 0
    dealer_takes: bool = False
    once: bool = False
    declarer_leads: bool = False
    clause: str = "J21"

    def run(self, table: Table, desk: Desk) -> None:
        """Carry every auction of a table to its end."""
        bidding, seat = table.bidding, table.state.seat
        if not table.bids:
            seat[:] = (table.dealer + self.from_dealer) % table.game.players
        turn = self._turn_uniformly if desk.uniform("bid") else self._turn
        while bidding.open.any():
            turn(table, desk)
        nobody = bidding.bidder == NO_SEAT
        if self.dealer_takes:
            bidding.bidder[nobody] = table.dealer[nobody]
            bidding.high[nobody] = self.lowest
        else:
            table.over |= nobody
        table.declarer[:] = bidding.bidder
        set_sides(table.declarer, table.partner, table.sides)
        if self.declarer_leads:
            leader = table.state.leader
            leader[:] = np.where(table.declarer == NO_SEAT, leader, table.declarer)
        seat[:] = table.state.leader

    def _turn_uniformly(self, table: Table, desk: Desk) -> None:
        """What asking each seat would give, in one kernel."""
        bidder, said = np.empty(table.hands, np.int8), np.empty(table.hands, np.int16)
        bid_uniformly(
            table.bidding,
            table.state.seat,
            desk.all_words(desk.step(BID_STEP + len(table.bids), table), table),
            self.lowest,
            self.step,
            self.highest,
            self.once,
            bidder,
            said,
        )
        table.bids.append((bidder, said))

    def _turn(self, table: Table, desk: Desk) -> None:
        bidding = table.bidding
        seats = table.state.seat.copy()
        said = np.full(table.hands, NOT_ASKED, np.int16)
        step = BID_STEP + len(table.bids)
        for asked in desk.ask(table, "bid", step, np.flatnonzero(bidding.open), auction=self):
            rows, bids = asked.rows, asked.answers()
            bad = accept_bids(
                bidding,
                table.state.seat,
                rows,
                bids,
                self.lowest,
                self.step,
                self.highest,
                self.once,
            )
            if bad >= 0:
                least = self.least(bidding.bidder[rows[bad]], bidding.high[rows[bad]])
                allowed = f"{PASS} to drop out"
                if least <= self.highest:
                    allowed += f", or a bid from {least} to {self.highest}"
                raise asked.illegal(bad, str(bids[bad]), f"{allowed} ({self.clause})")
            said[rows] = bids
        bidder = np.where(said == NOT_ASKED, np.int8(NO_SEAT), seats)
        table.bids.append((bidder, said))

    def actions(self, table: Table, row: int) -> list[Action]:
        """What was bid, turn by turn."""
        out: list[Action] = []
        for bidders, bids in table.bids:
            seat, bid = int(bidders[row]), int(bids[row])
            if seat != NO_SEAT:
                out.append({"seat": seat, "do": "bid", "bid": bid if bid != PASS else "pass"})
        return out

    def least(self, bidder: NDArray[np.int8], high: NDArray[np.int16]) -> NDArray[np.int64]:
        """The least bid that may be made now; above :attr:`highest` where none may."""
        return np.where(bidder == NO_SEAT, self.lowest, high.astype(np.int64) + self.step)
