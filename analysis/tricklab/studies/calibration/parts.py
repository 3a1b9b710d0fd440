"""The calibration study in headings, tables and figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from tricklab import figures, words
from tricklab.studies.answer import Figure, Part, Table
from tricklab.studies.base import Frames
from tricklab.studies.calibration.advice import margins, search, table
from tricklab.studies.calibration.scores import BRIER
from tricklab.studies.calibration.telling import BIDS, SHOWN, Telling, basic, labelled, shown


def parts(frames: Frames, stated: Mapping[str, Any], titles: Mapping[str, str]) -> list[Part]:
    """What is shown."""
    told = Telling(frames, stated)
    return [
        _tricks(told),
        _success(told),
        _over(told),
        margins(told),
        search(told),
        table(told),
        _policies(told),
        _assumptions(told, titles),
    ]


def _levels(told: Telling, measures: Mapping[str, str], show: Any) -> dict[str, Any]:
    frame, rows = labelled(told.levels, told.policies)
    return words.table(frame, rows, dict(measures), "who", "measure", show)


def _tricks(told: Telling) -> Part:
    tricks = told.frames["tricks"]
    off = tricks[(tricks["players"] == SHOWN) & (tricks["policy"] == told.strong)].copy()
    for column in ("value", "low", "high"):
        off[column] -= off["estimate"]
    others = told.frames["others"]
    others = others[others["players"] == SHOWN]
    return Part(
        "Tricks: predicted and taken",
        "The prediction is the estimate by which careful bids: what a holding takes as the Traitor "
        "when all play carefully. Every deal is played once for each seat as the Traitor, so what "
        "the losers of the auction would have taken is known too. The slope is that of tricks "
        "taken on the estimate, 1 where it is calibrated. A winner's curse would be a winner that "
        "takes less above its estimate than the seats of the same deals do on average (paired); "
        "the term is Capen, Clapp and Campbell's (Journal of Petroleum Technology 23, 1971).",
        [told.tricks(), told.curse()],
        [
            Table(
                "tricks",
                "Tricks taken above the estimate",
                **_levels(
                    told,
                    {
                        "slope": "slope",
                        "bias": "all seats",
                        "bias_won": "winners of the auction",
                        "curse": "winners less all seats",
                    },
                    shown,
                ),
                note="Auctions as each policy bids.",
            ),
            Figure(
                "tricks",
                f"Tricks taken above the estimate, by the estimate: {SHOWN} players, {told.strong}",
                lambda: figures.bias(
                    off,
                    "estimate",
                    "won",
                    "estimate of the holding, tricks",
                    {False: "all seats", True: "winners of the auction"},
                ),
                "Ten parts of about as many seats each.",
            ),
            Figure(
                "others",
                f"Tricks taken above the estimate, by the best estimate of the others: {SHOWN} "
                "players, all seats",
                lambda: figures.bias(
                    others,
                    "best",
                    "policy",
                    "best estimate of the others, tricks",
                    {who: f"{who} play" for who in reversed(told.policies)},
                ),
            ),
        ],
    )


def _success(told: Telling) -> Part:
    brier = told.frames["brier"]
    brier = brier[brier["players"] == SHOWN].copy()
    brier["who"] = brier["policy"] + "|" + brier["bids"]
    rows = {f"{p}|{b}": f"{p}: {BIDS[b]}" for p in reversed(told.policies) for b in BIDS}
    reliability = told.frames["reliability"]
    reliability = reliability[reliability["players"] == SHOWN]

    def diagram(who: str) -> Figure:
        chosen = reliability[reliability["policy"] == who]
        return Figure(
            f"reliability_{who.partition(':')[0]}",
            f"Reliability diagram: {SHOWN} players, {who}",
            lambda: figures.reliability(chosen, "bids", dict(BIDS)),
            "Forecasts in ten parts of about as many each; on the diagonal what is forecast "
            "happens as often.",
        )

    return Part(
        "Success: forecast and made",
        "The chance that a bid is made is forecast from the estimate alone, by a distribution "
        f"about it that is fitted to other deals under {told.strong} play: bids so many standard "
        "deviations above the estimate are made so often. It is tried on bids within two tricks "
        "of the estimate, of every seat as the Traitor, and on the bids that won; and there beside "
        "a forecast fitted to the winners of other auctions under the same policy. The Brier "
        "score is the mean squared "
        "difference of forecast and outcome, 0 at best: reliability (what miscalibration costs) "
        "less resolution (what telling cases apart gains) plus uncertainty (what the base rate "
        "alone would score), after Murphy (1973), freed of what chance puts into each (Ferro and "
        "Fricker, 2012), and a small remainder within the parts (Stephenson, Coelho and Jolliffe, "
        "2008). Skill is the share by which the score is below that of the base rate.",
        [told.success(), told.score()],
        [
            Table(
                "success",
                "Winning bids: forecast and made",
                **_levels(
                    told,
                    {
                        "chance": "forecast",
                        "made": "made",
                        "gap": "difference, percentage points",
                    },
                    shown,
                ),
                note="Auctions as each policy bids; the forecast is the same for all policies.",
            ),
            Table(
                "brier",
                f"Brier score and its parts, {SHOWN} players",
                **words.table(
                    brier,
                    rows,
                    dict(BRIER),
                    "who",
                    "measure",
                    shown,
                ),
            ),
            *(diagram(who) for who in reversed(told.policies)),
        ],
    )


def _over(told: Telling) -> Part:
    places = told.frames["places"]
    strong = places[places["policy"] == told.strong]
    over = strong[strong["measure"] == "over_taken"]
    seats = places[places["players"] == SHOWN].copy()
    seats["who"] = seats["policy"] + "|" + seats["place"].astype(str)
    rows = {
        f"{p}|{k}": f"{p}, {'dealer' if k == 0 else f'{k} after'}"
        for p in reversed(told.policies)
        for k in range(SHOWN)
    }
    return Part(
        "Over- and underbidding, by players and seat",
        "Winning bids less the estimate of the holding, and less what was then taken. The dealer "
        "bids first and leads the first trick.",
        [told.over()],
        [
            Table(
                "over",
                "Winning bids, tricks above",
                **_levels(
                    told,
                    {
                        "bid": "bid",
                        "over_estimate": "above the estimate",
                        "over_taken": "above what is taken",
                    },
                    shown,
                ),
            ),
            Table(
                "places",
                f"By seat, {SHOWN} players",
                **words.table(
                    seats,
                    rows,
                    {
                        "won": "wins the auction",
                        "over_estimate": "bid above the estimate",
                        "over_taken": "bid above what is taken",
                        "made": "made",
                        "score": "points above each of the others",
                    },
                    "who",
                    "measure",
                    shown,
                ),
                note="Seats after the dealer; of the hands in which the seat is the Traitor.",
            ),
            Figure(
                "places",
                f"Winning bids less what is taken, by seat: {told.strong}",
                lambda: figures.bias(
                    over,
                    "place",
                    "players",
                    "seats after the dealer",
                    {n: f"{n} players" for n in told.players},
                    "bid less tricks taken",
                ),
            ),
        ],
    )


def _policies(told: Telling) -> Part:
    frame = basic(told.frames, "policies")
    return Part(
        "Does it change with the policy?",
        f"{told.strong} less {told.weak} on the same deals, paired.",
        [told.holds()],
        [
            Table(
                "policies",
                f"{told.strong} less {told.weak}",
                **words.table(
                    frame,
                    {n: f"{n} players" for n in told.players},
                    {
                        "bias": "taken above the estimate, all seats",
                        "bias_won": "the same, winners",
                        "made": "bids made, percentage points",
                        "margin": "best margin",
                    },
                    "players",
                    "measure",
                    lambda r: words.points(r) if r["measure"] == "made" else shown(r),
                ),
            )
        ],
    )


def _assumptions(told: Telling, titles: Mapping[str, str]) -> Part:
    levels = told.frames["levels"]
    levels = levels[(levels["players"] == SHOWN) & (levels["policy"] == told.strong)]
    best = told.frames["optimum"]
    best = best[(best["players"] == SHOWN) & (best["policy"] == told.strong)]
    cells = pd.concat([levels, best])
    return Part(
        "What this rests on",
        f"The same with {SHOWN} players and {told.strong} play where the rule sheet leaves a "
        "choice. "
        "With a scoring table (J18) estimates and bids are in points, margins in average tricks. "
        "Other decks (J2) are estimated by the fit for the usual one.",
        told.assumptions(titles),
        [
            Table(
                "assumptions",
                f"{SHOWN} players, {told.strong}",
                **words.table(
                    cells,
                    dict(titles),
                    {
                        "slope": "slope",
                        "bias": "taken above the estimate",
                        "curse": "winners less all seats",
                        "made": "bids made",
                        "gap": "made above forecast, percentage points",
                        "margin": "best margin",
                        "gain": "its gain, points a hand",
                    },
                    "variant",
                    "measure",
                    shown,
                ),
            )
        ],
        assumption=True,
    )
