"""Auctions on the deals of a bank, in numbers alone, and what they score (J21, J22)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.games.junni import Junni
from tricklab.games.junni.strength import fit_for, unit
from tricklab.studies.calibration.bank import Auctioned, Bank
from tricklab.tricks import kernel


@dataclass(frozen=True)
class Bidders:
    """How the seats of each deal bid, by place: up to a limit, as ``careful`` does.

    Attributes
    ----------
    worth : float (H, P)
        What each seat goes by, before anything is heard.
    extra : float (P,)
        What it adds to that, and takes others to add.
    respect : float (P,)
        How much less it goes by for each unit that the best of the others is above ``typical``.
    typical, factor : float
        What the best of the others is on average, and the factor to points; see
        :class:`~tricklab.games.junni.strength.Fit`.
    """

    worth: NDArray[np.float64]
    extra: NDArray[np.float64]
    respect: NDArray[np.float64]
    typical: float
    factor: float

    @classmethod
    def by_estimate(cls, bank: Bank, margins: NDArray[np.float64]) -> Bidders:
        """Seats that bid by the estimate, as ``careful`` does, each place with its own margin."""
        fit, factor = fit_for(bank.game)
        places = bank.game.players
        respect = np.full(places, fit.respect)
        return cls(bank.estimate, margins * unit(bank.game), respect, fit.typical, factor)

    def but(self, place: int, worth: NDArray[np.float64] | float) -> Bidders:
        """The same, but one place goes up to a limit of its own whatever it hears."""
        changed = self.worth.copy()
        changed[:, place] = worth
        extra, respect = self.extra.copy(), self.respect.copy()
        extra[place] = respect[place] = 0
        return replace(self, worth=changed, extra=extra, respect=respect)

    def with_extra(self, place: int, extra: float) -> Bidders:
        """The same, but one place adds something else."""
        changed = self.extra.copy()
        changed[place] = extra
        return replace(self, extra=changed)


def hold(game: Junni, bidders: Bidders) -> Auctioned:
    """Hold the auctions: the same as :class:`tricklab.auction.Auction` with ``careful`` bidding."""
    hands = len(bidders.worth)
    place, bid = np.full(hands, NO_SEAT, np.int8), np.zeros(hands, np.int16)
    run_auctions(
        bidders.worth,
        bidders.extra,
        bidders.respect,
        bidders.typical,
        bidders.factor,
        game.min_bid,
        game.bid_step,
        game.highest_bid,
        game.bid_pays,
        place,
        bid,
    )
    if game.all_drop == "dealer_minimum":
        nobody = place == NO_SEAT
        place[nobody], bid[nobody] = 0, game.min_bid
    return Auctioned(place, bid)


@kernel
def run_auctions(
    worth: NDArray[np.float64],
    extra: NDArray[np.float64],
    respect: NDArray[np.float64],
    typical: float,
    factor: float,
    lowest: int,
    step: int,
    highest: int,
    at_once: bool,
    place: NDArray[np.int8],
    bid: NDArray[np.int16],
) -> None:
    """Write who becomes the Traitor and by what bid to ``place`` and ``bid`` (H,).

    Parameters
    ----------
    worth, extra, respect, typical, factor
        As in :class:`Bidders`.
    lowest, step, highest : int
        Least first bid, least raise, and most that can be bid.
    at_once : bool
        Whether seats bid their limit at once, or the least they may.
    place : int8 (H,), bid : int16 (H,)
        Written; ``place`` must hold ``NO_SEAT`` and ``bid`` 0 before.
    """
    places = worth.shape[1]
    for h in range(worth.shape[0]):
        inside = (1 << places) - 1
        high, bidder, p = 0, NO_SEAT, 0
        while inside != 0 and (bidder == NO_SEAT or inside != 1 << bidder):
            if (inside >> p) & 1:
                # Whoever is asked is not the highest bidder: that is the bid it hears.
                above = max((high - extra[p]) / factor - typical, 0.0)
                limit = np.floor(worth[h, p] - respect[p] * above * factor + extra[p])
                least = lowest if bidder == NO_SEAT else high + step
                if limit >= least and least <= highest:
                    high = int(min(limit, highest)) if at_once else least
                    bidder = p
                else:
                    inside &= ~(1 << p)
            p = (p + 1) % places
        place[h], bid[h] = bidder, high


def lead(bank: Bank, found: Auctioned, place: int) -> NDArray[np.float64]:
    """What one place scores above the mean of the others, (H,) (J22).

    A bid made is scored by the Traitor alone and a bid failed by all the others, so the Traitor is
    the bid ahead or behind, and each of the others its share of that.
    """
    ahead = traitor_lead(bank, found)
    return np.where(found.place == place, ahead, -ahead / (bank.game.players - 1))


def traitor_lead(bank: Bank, found: Auctioned) -> NDArray[np.float64]:
    """What the Traitor scores above each of the others, 0 where there is none, (H,)."""
    taken = found.of_traitor(bank.taken)
    made = taken >= found.bid
    worth = found.bid if bank.game.bid_pays else taken
    return np.where(made, worth, -1.0 * found.bid) * found.played
