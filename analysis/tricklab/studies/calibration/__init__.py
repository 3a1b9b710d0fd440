"""Calibration of the Traitor's bids: what a holding is expected to take, and what it takes.

The estimate of :mod:`tricklab.games.junni.strength` is the prediction.  Every deal is played once
for each seat as the Traitor (:mod:`.bank`), so that what is taken is known for seats that win the
auction and for those that do not; auctions of any bidders are then held on the same deals in
numbers alone (:mod:`.auctions`).  Forecasts of success, tables and searches learn from deals of
their own (:mod:`.forecast`, :mod:`.holdings`, :mod:`.margins`).
"""

from tricklab.studies.calibration.study import STUDY

__all__ = ["STUDY"]
