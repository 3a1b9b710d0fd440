"""Bonuses in the study of bids: how often each is announced and made, and what that brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab import stats
from tricklab.results import Run
from tricklab.studies.rows import FEWEST, row

ALL = "any"
"""Stands for all bonuses together."""

COUNTS = ("announced", "made", "silent", "worth")
"""What is counted of a bonus in a hand; see :func:`counted`."""


def kind_of(bonus: str) -> str:
    """The bonus without the suit that it is of: a row of the table that lists them (E22)."""
    return bonus.partition(":")[0]


def kinds(bonuses: tuple[str, ...]) -> list[str]:
    """:data:`ALL`, and every kind of bonus once, in order."""
    return [ALL, *dict.fromkeys(map(kind_of, bonuses))]


def column(kind: str, what: str) -> str:
    """Name of the column of one count of a kind."""
    return f"{kind} {what}"


def counted(run: Run) -> dict[str, NDArray[np.int64]]:
    """Counts of each kind of bonus in each hand, (hands,), by column.

    ``announced``: how often it was announced, a side and a suit at a time; ``made``: how many of
    these were made; ``silent``: how often it scored unannounced; ``worth``: points of what was
    announced, each time as one member scores them who gets them: gained by those who made it less
    lost to the others by those who failed.
    """
    told = run.bonuses
    hand = told["hand"].to_numpy()
    announced, made = (told[name].to_numpy() > 0 for name in ("announced", "made"))
    points = told["points"].to_numpy().astype(np.int64)
    each = {
        "announced": announced,
        "made": announced & made,
        "silent": ~announced,
        "worth": np.where(announced, np.where(made, points, -points), 0),
    }
    of = told["bonus"].astype(str).map(kind_of).to_numpy()
    return {
        column(kind, what): np.bincount(
            hand[chosen], weights=values[chosen], minlength=len(run.hands)
        ).astype(np.int64)
        for kind in kinds(run.game.bonuses)
        for chosen in [np.ones(len(of), np.bool_) if kind == ALL else of == kind]
        for what, values in each.items()
    }


def estimates(hands: pd.DataFrame, kind: str) -> Iterator[tuple[str, stats.Estimate]]:
    """How a kind of bonus fared.

    Yields
    ------
    (measure, Estimate)
        ``announced`` and ``silent``: shares of hands in which it was announced, and scored
        unannounced.  Where it was announced in :data:`FEWEST` hands or more also ``made``, the
        share of announcements made, and ``worth``, points of a hand in which it was announced.
    """
    announced, made, silent, worth = (hands[column(kind, what)].to_numpy() for what in COUNTS)
    said = announced > 0
    yield "announced", stats.proportion(int(said.sum()), len(said))
    yield "silent", stats.proportion(int((silent > 0).sum()), len(said))
    if said.sum() >= FEWEST:
        yield "made", stats.clustered_ratio(stats.RatioSums.of(made[said], announced[said]))
        yield "worth", stats.mean(worth[said])


def by_bonus(
    labels: dict[str, Any], bonuses: tuple[str, ...], hands: pd.DataFrame
) -> list[dict[str, Any]]:
    """Rows of estimates for each kind of bonus and for all; none where a game has none."""
    return [
        row(found, **labels, bonus=kind, measure=measure)
        for kind in (kinds(bonuses) if bonuses else [])
        for measure, found in estimates(hands, kind)
    ]
