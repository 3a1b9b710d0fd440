"""What the calibration study has to say of what to bid: margins, their search, the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab import figures, words
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.calibration.holdings import COLUMNS, FEWEST, ROWS
from tricklab.studies.calibration.telling import SHOWN, Telling, basic, labelled, shown


def margins(told: Telling) -> Part:
    """What a margin above the estimate scores."""
    optimum = basic(told.frames, "optimum")
    frame, rows = labelled(optimum, told.policies)
    curves = told.frames["margins"]
    curves = curves[curves["measure"] == "gain"]

    def drawn(who: str) -> Figure:
        at = curves[curves["policy"] == who]
        best = optimum[(optimum["policy"] == who) & (optimum["measure"] == "margin")]
        return Figure(
            f"margins_{who.partition(':')[0]}",
            f"What a seat gains by its margin: {who} play",
            lambda: figures.margin_curve(at, best.sort_values("players")),
            "Bands: 95% intervals, paired by deal. Below: the best margin with its interval.",
        )

    return Part(
        "Expected score by margin",
        "One seat bids up to its estimate plus a margin, the others up to theirs plus "
        f"{words.signed(told.base, 2)} average tricks; score is what it scores above the mean of "
        "the others, averaged over its seat at the table. The best margin's interval is that of "
        "the highest point over resampled deals; the gain is that of the margin, other than the "
        "base, that is best on other deals. Whatever the level of play, bids go by the same "
        "estimate.",
        [told.optimum()],
        [
            *(drawn(who) for who in reversed(told.policies)),
            Table(
                "margins",
                "The best margin for one seat",
                **words.table(
                    frame,
                    rows,
                    {
                        "margin": "best margin, average tricks",
                        "gain": "gain of the best other margin, points a hand",
                    },
                    "who",
                    "measure",
                    shown,
                ),
            ),
        ],
    )


def search(told: Telling) -> Part:
    """Where margins come to rest, and what is left to gain."""
    path = told.frames["search"]
    path = path[(path["players"] == SHOWN) & (path["policy"] == told.strong)]
    frame, rows = labelled(told.frames["deviation"], told.policies)
    whole = frame[(frame["place"] == -1) & (frame["measure"] == "gain")].copy()
    whole["column"] = whole["when"]
    bound = frame[(frame["measure"] == "bound") & (frame["when"] == "end")]
    most = bound.loc[bound.groupby("who")["high"].idxmax()].assign(column="bound")
    cells = pd.concat([whole, most])
    return Part(
        "Margins when all seats adapt",
        "Every seat, by its place after the dealer, has a margin of its own. In each round each "
        "finds its best response to the others' and, where that gains more than its standard "
        "error, goes half-way there, until none would move. "
        "What a single seat can then still gain is measured on deals that the search has not seen: "
        "by the margin that seemed best in the search, and at most by any margin tried "
        "(simultaneous Bonferroni bounds over margins and seats). These are gains by other "
        "margins, not by other ways of bidding.",
        [told.rest()],
        [
            Figure(
                "search",
                f"Margins by round: {SHOWN} players, {told.strong}",
                lambda: figures.margin_search(path),
            ),
            Table(
                "search",
                "What one seat gains by another margin, points a hand",
                **words.table(
                    cells,
                    rows,
                    {
                        "start": f"all at {words.signed(told.base, 2)}",
                        "end": "after the search",
                        "bound": "after the search, seat and margin with the highest bound",
                    },
                    "who",
                    "column",
                    shown,
                ),
            ),
        ],
    )


def table(told: Telling) -> Part:
    """What to bid with which holding."""
    frame = told.frames["table"]
    frame = frame[frame["policy"] == told.strong]

    def bid(row: Mapping[str, Any]) -> str:
        low, high = int(row["low"]), int(row["high"])
        return "–" if row["deals"] < FEWEST else f"{row['value']:.0f} ({low} to {high})"

    def by_holding(n: int) -> Table:
        rows = frame[frame["players"] == n]
        edge = {name: (rows[name].min(), rows[name].max()) for name in (ROWS, COLUMNS)}

        def named(name: str, what: str) -> dict[Any, str]:
            low, high = (int(v) for v in edge[name])
            ends = {low: f"{low} or fewer" if low else "none", high: f"{high} or more"}
            return {k: f"{what}: {ends.get(k, k)}" for k in range(low, high + 1)}

        return Table(
            f"bids_{n}",
            f"What to bid, {n} players",
            **words.table(
                rows, named(ROWS, "trumps"), named(COLUMNS, "high cards"), ROWS, COLUMNS, bid
            ),
            note="By trumps and high cards (Sages and Rooks) held. In brackets the bids that are "
            "not clearly worse (paired, 95%). 0: drop out. A dash: too few deals.",
        )

    check, rows = labelled(told.frames["check"], told.policies)
    check = check[check["measure"].isin(["table", "rule"])]
    return Part(
        "What to bid with which holding",
        "For each kind of holding, the limit that scores most if the seat goes to it at once "
        "whatever it hears, the others bidding by their estimates; made on other deals than those "
        f"it is then tried on. The tables are for {told.strong} play.",
        [told.table()],
        [
            *(by_holding(n) for n in told.players),
            Figure(
                "bids",
                f"What to bid, {SHOWN} players, {told.strong} play",
                lambda: figures.heat(
                    frame[frame["players"] == SHOWN],
                    ROWS,
                    COLUMNS,
                    "Sages and Rooks held",
                    "trumps held",
                ),
                "Outermost rows and columns stand for that many or more, or fewer. 0: drop out. "
                "Where deals are few, what the estimate bids.",
            ),
            Table(
                "check",
                "What a seat gains on fresh deals over bidding by the estimate, points a hand",
                **words.table(
                    check,
                    rows,
                    {"table": "by the table", "rule": "by the rule of thumb"},
                    "who",
                    "measure",
                    shown,
                ),
                note="Each policy's own table. The rule is the plane nearest to the table.",
            ),
        ],
    )
