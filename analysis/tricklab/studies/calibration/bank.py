"""Deals in which every seat has been the Traitor once, and who would be by the bids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT
from tricklab.errors import UserError
from tricklab.games.junni import Junni
from tricklab.games.junni.fitting import at_auction
from tricklab.games.junni.strength import strength
from tricklab.policies import Appointed, policy, seated
from tricklab.simulation import run_blocks
from tricklab.table import Table

Columns = dict[str, NDArray[Any]]

HELD = ("trumps", "high_cards", "barbarians", "voids")
"""What is kept of each holding, of the columns of ``seats``."""


@dataclass(frozen=True)
class Bank:
    """What each seat of each deal is expected to take as the Traitor, and what it took.

    Columns go by place: the dealer, who bids first, is in column 0.  Play does not depend on what
    was bid, so whoever wins an auction on these deals takes what is noted here.

    Attributes
    ----------
    game : Junni
        With ``traitor`` set.
    policy : str
        Who played.
    estimate : float (H, P)
        What the holding is expected to take; see :mod:`tricklab.games.junni.strength`.
    taken : float (H, P)
        Tricks or points that the seat took as the Traitor.
    held : dict of int8 (H, P)
        Features of the holding, :data:`HELD`.
    """

    game: Junni
    policy: str
    estimate: NDArray[np.float64]
    taken: NDArray[np.float64]
    held: Columns

    @property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.taken)

    @property
    def places(self) -> range:
        """Places at the table, 0 for the dealer."""
        return range(self.game.players)


@dataclass(frozen=True)
class Auctioned:
    """How auctions ended: H hands.

    Attributes
    ----------
    place : int8 (H,)
        The Traitor's seat counted from the dealer, -1 where all dropped.
    bid : int16 (H,)
        What it bid, 0 where all dropped.
    """

    place: NDArray[np.int8]
    bid: NDArray[np.int16]

    @property
    def played(self) -> NDArray[np.bool_]:
        """Hands that have a Traitor, (H,)."""
        return self.place != NO_SEAT

    def of_traitor(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of values by place, (H, P), the Traitor's; 0 where there is none, (H,)."""
        own = values[np.arange(len(values)), self.place.clip(0)]
        return np.where(self.played, own, 0.0)


def play_bank(game: Junni, who: str, hands: int, seed: int) -> Bank:
    """Play every deal once for each seat as the Traitor, in this process.

    Parameters
    ----------
    game : Junni
        With ``traitor`` set.
    who : str
        Textual form of the policy at every seat.
    hands, seed
        As for :func:`tricklab.simulate`.
    """
    by_place = []
    for place in range(game.players):
        at = (Appointed(policy(who), place),) * game.players
        work = partial(_appointed, place=place)
        by_place.append(_joined(run_blocks(game, hands, at, seed, work, n_jobs=1, progress=False)))
    columns = {name: np.stack([part[name] for part in by_place], axis=1) for name in by_place[0]}
    held = {name: columns[name] for name in HELD}
    return Bank(game, who, columns["estimate"], columns["taken"], held)


def play_auctions(bank: Bank, seed: int) -> Auctioned:
    """The auctions of a bank's deals as its policy bids.

    Parameters
    ----------
    bank : Bank
        From :func:`play_bank` with the same seed.

    Raises
    ------
    UserError
        If what a Traitor took differs from what the bank holds: then the policy's play depends on
        the bids, and the bank does not say what it would take.
    """
    game = bank.game
    at = seated(bank.policy, game.players)
    runs = run_blocks(game, bank.deals, at, seed, _as_bid, n_jobs=1, progress=False)
    columns = _joined(runs)
    found = Auctioned(columns["place"], columns["bid"])
    if (found.of_traitor(bank.taken) != columns["taken"]).any():
        raise UserError(
            f"the policy {bank.policy} plays by what was bid; calibration needs one that does not"
        )
    return found


def _joined(blocks: Any) -> Columns:
    parts: list[Columns] = list(blocks)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _appointed(table: Table, first: int, place: int) -> Columns:
    game = cast(Junni, table.game)
    hands = np.arange(table.hands)
    seat = (table.dealer + place) % game.players
    leads = game.first_seat(table.dealer) == seat
    features = game.seat_features(table)
    scored = game.hand_features(table, game.score(table))
    return {
        "estimate": strength(game, at_auction(table)[hands, seat], leads),
        "taken": scored["taken"].astype(np.float64),
    } | {name: features[name][hands, seat] for name in HELD}


def _as_bid(table: Table, first: int) -> Columns:
    game = cast(Junni, table.game)
    scored = game.hand_features(table, game.score(table))
    declarer, dealer = table.declarer, table.dealer
    place = np.where(declarer == NO_SEAT, NO_SEAT, (declarer - dealer) % game.players)
    return {
        "place": place.astype(np.int8),
        "bid": scored["bid"],
        "taken": scored["taken"].astype(np.float64),
    }
