"""What to bid with which holding: a table a player can use, made on some deals, tried on others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from tricklab import stats
from tricklab.games.junni.strength import unit
from tricklab.stats import Estimate
from tricklab.studies.calibration.auctions import Bidders, hold, lead
from tricklab.studies.calibration.bank import Bank
from tricklab.studies.calibration.margins import common
from tricklab.studies.calibration.scores import Floats, ratio
from tricklab.studies.rows import row

ROWS, COLUMNS = "trumps", "high_cards"
"""Features of the holding that the table goes by."""

ENDS = {ROWS: 0.02, COLUMNS: 0.08}
"""Share of holdings at either end that are put together with the next."""

FEWEST = 60
"""Deals with a kind of holding from which its bid is recommended by what it scored."""


@dataclass(frozen=True)
class BidTable:
    """Recommended bids by trumps and high cards (Sages and Rooks) of a holding.

    Attributes
    ----------
    ends : dict of (int, int)
        Least and most of each feature told apart; what is beyond counts as that.
    bids : int (rows, columns)
        Recommended limits, 0 to drop out at once.
    low, high : int (rows, columns)
        Bids that are not clearly worse than the recommended one.
    deals : int (rows, columns)
        Deals behind each.
    """

    ends: dict[str, tuple[int, int]]
    bids: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    deals: NDArray[np.int64]

    def limits(self, bank: Bank) -> Floats:
        """The limit of every holding of a bank by this table, (H, P)."""
        return self.bids.astype(float)[kinds(bank, self.ends)]

    def frame(self) -> pd.DataFrame:
        """A row a kind of holding: trumps, high_cards and the columns of an estimate."""
        rows = []
        for (r, c), bid in np.ndenumerate(self.bids):
            span = float(self.low[r, c]), float(self.high[r, c])
            deals = int(self.deals[r, c])
            found = Estimate(float(bid), np.nan, *span, 0.95, deals, "paired t against the best")
            labels = {ROWS: self.ends[ROWS][0] + r, COLUMNS: self.ends[COLUMNS][0] + c}
            rows.append(row(found, **labels))
        return pd.DataFrame(rows)


def kinds(
    bank: Bank, ends: dict[str, tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of the table for every holding, both (H, P)."""
    by_row, by_column = (
        np.clip(bank.held[name].astype(np.int64), *ends[name]) - ends[name][0]
        for name in (ROWS, COLUMNS)
    )
    return by_row, by_column


def recommend(bank: Bank, margin: float, level: float = 0.95) -> BidTable:
    """The bids that score most by kind of holding, against seats that bid by the estimate.

    Every seat in turn goes up to each possible bid, whatever it holds and hears, the others bidding
    by the estimate and ``margin``; what that leads by is averaged over holdings of a kind.

    Parameters
    ----------
    bank : Bank
        Deals to learn from.
    margin : float
        Margin of the others.
    """
    ends = {
        name: tuple(int(v) for v in np.quantile(bank.held[name], [cut, 1 - cut]))
        for name, cut in ENDS.items()
    }
    span = {name: (low, high) for name, (low, high) in ends.items()}
    by_row, by_column = kinds(bank, span)
    shape = tuple(high - low + 1 for low, high in span.values())
    kind = by_row * shape[1] + by_column
    scored = _scored(bank, margin)
    out = {name: np.zeros(shape, np.int64) for name in ("bids", "low", "high", "deals")}
    for number in range(shape[0] * shape[1]):
        at, chosen = np.unravel_index(number, shape), kind == number
        deals = int(chosen.any(axis=1).sum())
        out["deals"][at] = deals
        if deals < FEWEST:
            # Too few to tell: as seats bid that go by the estimate.
            worth = bank.estimate[chosen].mean() if deals else 0.0
            bid = int(max(worth + margin * unit(bank.game), 0.0))
            found = bid, 0, bank.game.highest_bid
        else:
            found = _best(scored, chosen, level)
        out["bids"][at], out["low"][at], out["high"][at] = found
    return BidTable(span, out["bids"], out["low"], out["high"], out["deals"])


def _scored(bank: Bank, margin: float) -> NDArray[np.float32]:
    """Lead of every seat by the limit it goes to, (bids, H, P)."""
    bidders = Bidders.by_estimate(bank, common(bank, margin))
    out = np.empty((bank.game.highest_bid + 1, *bank.taken.shape), np.float32)
    for place in bank.places:
        for bid in range(len(out)):
            found = hold(bank.game, bidders.but(place, float(bid)))
            out[bid, :, place] = lead(bank, found, place)
    return out


def _best(
    scored: NDArray[np.float32], chosen: NDArray[np.bool_], level: float
) -> tuple[int, int, int]:
    """The best bid of a kind of holding, and the ends of those not clearly worse."""
    deal, place = np.nonzero(chosen)
    mine = scored[:, deal, place].astype(np.float64)
    best = int(mine.mean(axis=1).argmax())
    size = len(chosen)
    weight = _by_deal(deal, np.ones(len(deal)), size)
    equal = []
    for bid, values in enumerate(mine):
        behind = ratio(_by_deal(deal, mine[best] - values, size), weight, level)
        if not behind.low > 0:
            equal.append(bid)
    return best, min(equal), max(equal)


def tried(table: BidTable, fresh: Bank, margin: float, level: float = 0.95) -> Estimate:
    """What a seat gains on fresh deals by the table over bidding by the estimate and ``margin``."""
    bidders = Bidders.by_estimate(fresh, common(fresh, margin))
    now = hold(fresh.game, bidders)
    limits = table.limits(fresh)
    gained = np.zeros(fresh.deals)
    for place in fresh.places:
        found = hold(fresh.game, bidders.but(place, limits[:, place]))
        gained += lead(fresh, found, place) - lead(fresh, now, place)
    return stats.mean(gained / fresh.game.players, level)


def _by_deal(deal: NDArray[np.int64], values: Floats, size: int) -> Floats:
    return np.bincount(deal, values, size).astype(np.float64)


RULE = ("constant", ROWS, COLUMNS)
"""What a rule of thumb has: a bid with none of either, and what one more of each adds."""


def rule_of_thumb(table: BidTable, level: float = 0.95) -> tuple[BidTable, list[Estimate]]:
    """The plane nearest to the table, rounded to bids, and its coefficients, :data:`RULE`.

    Kinds of holding weigh as much as they have deals.
    """
    by_row, by_column = (np.arange(low, high + 1, dtype=float) for low, high in table.ends.values())
    grid = np.meshgrid(by_row, by_column, indexing="ij")
    x = np.stack([np.ones(table.bids.size), *(g.ravel() for g in grid)], axis=1)
    weight = table.deals.ravel().astype(float)
    y = table.bids.ravel().astype(float)
    inner = np.linalg.pinv((x * weight[:, None]).T @ x)
    found = inner @ (x * weight[:, None]).T @ y
    bids = np.rint(np.maximum(x @ found, 0)).astype(np.int64).reshape(table.bids.shape)
    free = max(int(np.count_nonzero(weight)) - len(RULE), 1)
    noise = float(weight @ (y - x @ found) ** 2) / free
    half = float(special.stdtrit(free, 0.5 + level / 2))
    method, deals = "least squares over kinds of holding, t", int(weight.sum())
    told = []
    errors = np.sqrt(noise * np.diag(inner)).tolist()
    for value, se, name in zip(found.tolist(), errors, RULE, strict=True):
        low, high = value - half * se, value + half * se
        told.append(Estimate(value, se, low, high, level, deals, method, name))
    return replace(table, bids=bids, low=bids, high=bids), told
