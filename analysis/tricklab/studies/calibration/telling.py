"""The calibration study in sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from tricklab import words
from tricklab.studies.base import Frames
from tricklab.studies.calibration.holdings import COLUMNS, ROWS
from tricklab.studies.calibration.measure import BASIC, base_margin
from tricklab.studies.calibration.scores import BRIER
from tricklab.studies.rows import Found, only

SHOWN = 4
"""Number of players of the figures that show one."""

BIDS = {
    "any": "bids near the estimate, every seat",
    "won": "bids that won",
    "told": "bids that won, forecast fitted to winners",
}
"""What is forecast: see ``reliability`` and ``brier``."""


def basic(frames: Frames, name: str) -> pd.DataFrame:
    """A frame's rows for the game as the rule sheet states it."""
    frame = frames[name]
    return frame[frame["variant"] == BASIC]


def labelled(frame: pd.DataFrame, policies: Sequence[str]) -> tuple[pd.DataFrame, dict[str, str]]:
    """A frame with a column ``who`` of players and policy, and those in the order of reading."""
    out = frame.copy()
    out["who"] = [f"{n} players, {p}" for n, p in zip(out["players"], out["policy"], strict=True)]
    players = sorted(out["players"].unique())
    return out, {f"{n} players, {p}": f"{n} players, {p}" for n in players for p in policies[::-1]}


def shown(row: Mapping[str, Any]) -> str:
    """An estimate as its measure is read: a share, a number, or a difference; a dash for none."""
    if math.isnan(row["value"]):
        return "–"
    measure = row["measure"]
    if measure in ("made", "chance", "won", "skill"):
        return words.percent(row)
    if measure == "gap":
        return words.points(row)
    if measure in ("slope", "estimate", "taken", "bid", *BRIER):
        return words.plain(row)
    return words.change(row)


class Telling:
    """What is said of the frames, the strongest policy first.

    Parameters
    ----------
    frames, stated
        As for :meth:`tricklab.studies.base.Study.findings`.
    """

    def __init__(self, frames: Frames, stated: Mapping[str, Any]) -> None:
        self.frames = frames
        self.policies: Sequence[str] = stated["policies"]
        self.strong, self.weak = self.policies[-1], self.policies[0]
        self.base = base_margin(self.policies)
        self.levels = basic(frames, "levels")
        self.players = sorted(int(n) for n in self.levels["players"].unique())

    def level(self, measure: str, players: int = SHOWN, who: str | None = None) -> Found:
        """One estimate of the basic game."""
        return only(self.levels, measure=measure, players=players, policy=who or self.strong)

    def by_players(self, measure: str, show: Any, who: str | None = None) -> str:
        """A measure for each number of players, in words."""
        told = [f"{show(self.level(measure, n, who))} with {n}" for n in self.players]
        return words.listed(told) + " players"

    def sign(self, measure: str, who: str) -> int:
        """1 or -1 where every number of players has clearly that sign, else 0."""
        rows = self.levels[(self.levels["measure"] == measure) & (self.levels["policy"] == who)]
        return int((rows["low"] > 0).all()) - int((rows["high"] < 0).all())

    # ------------------------------------------------------------------------------- sentences
    def tricks(self) -> str:
        """How far the estimate is off."""
        rows = self.levels[
            (self.levels["measure"] == "bias") & (self.levels["policy"] == self.strong)
        ]
        off = float(rows[["low", "high"]].abs().to_numpy().max())
        return (
            f"When everyone plays {self.strong}, the estimate of what a holding takes as the "
            f"Traitor is off by no more than {off:.2f} tricks on average with any number of "
            f"players (the furthest end of any interval); a trick more of estimate is worth "
            f"{self.by_players('slope', words.plain)}."
        )

    def success(self) -> str:
        """Forecast and real success."""
        return (
            f"Under {self.strong} play with {SHOWN} players {words.percent(self.level('made'))} of "
            f"the bids that win the auction are made, where the estimate of the holding alone "
            f"forecasts {words.percent(self.level('chance'))}: a difference of "
            f"{words.points(self.level('gap'))} percentage points."
        )

    def score(self) -> str:
        """The Brier score and what it is made of."""
        at = partial(only, self.frames["brier"], players=SHOWN, policy=self.strong)
        every, won = ({m: at(bids=bids, measure=m) for m in BRIER} for bids in ("any", "won"))
        return (
            f"The forecast's Brier score over all seats and the bids near their estimates is "
            f"{words.plain(every['brier'])} ({SHOWN} players, {self.strong}), "
            f"{words.percent(every['skill'])} below that of the base rate; what is lost to "
            f"miscalibration is {words.plain(every['reliability'])}. Of the bids that win, it "
            f"tells the good from the bad by a resolution of {shown(won['resolution'])}, of an "
            f"uncertainty of {shown(won['uncertainty'])}."
        )

    def curse(self) -> str:
        """Whether winners take less than they expected, and why."""
        signs = {who: self.sign("curse", who) for who in self.policies}
        strong = signs[self.strong]
        verdict = {
            1: "There is no winner's curse but its opposite",
            -1: "There is a winner's curse",
            0: "No winner's curse is clear with every number of players",
        }[strong]
        others = self.frames["others"]
        rows = others[(others["players"] == SHOWN) & (others["policy"] == self.strong)]
        weakest, strongest = (rows.sort_values("best").iloc[k].to_dict() for k in (0, -1))
        reason = (
            f"a Traitor takes {words.change(weakest)} tricks above the estimate where the best of "
            f"the others' estimates is lowest and {words.change(strongest)} where it is highest, "
            f"and winning tells that the others' are low"
        )
        return (
            f"{verdict}: under {self.strong} play the winner of the auction takes "
            f"{self.by_players('curse', words.change)} tricks more above its estimate than the "
            f"seats of the same deals do on average. With {SHOWN} players {reason}."
        )

    def optimum(self) -> str:
        """The best margins."""
        frame = basic(self.frames, "optimum")
        at = partial(only, frame, policy=self.strong)
        told = [f"{words.change(at(players=n, measure='margin'))} with {n}" for n in self.players]
        gains = [f"{words.change(at(players=n, measure='gain'))} with {n}" for n in self.players]
        return (
            f"Among others that bid {words.signed(self.base, 2)} average tricks above their "
            f"estimate, a seat does best under {self.strong} play with a margin of "
            f"{words.listed(told)} players; the best margin other than "
            f"{words.signed(self.base, 2)} gains {words.listed(gains)}, in points a hand."
        )

    def rest(self) -> str:
        """Where the search ends, and what can still be gained."""
        told = []
        for n in self.players:
            at = partial(only, self.frames["deviation"], players=n, policy=self.strong)
            before = at(when="start", place=-1, measure="gain")
            after = at(when="end", place=-1, measure="gain")
            told.append(f"{words.change(after)} with {n} (before: {words.change(before)})")
        path = self.frames["search"]
        path = path[path["policy"] == self.strong]
        rested = int(path.groupby("players")["rested"].all().sum())
        ends = self.frames["deviation"]
        bounds = ends[
            (ends["measure"] == "bound") & (ends["when"] == "end") & (ends["policy"] == self.strong)
        ]
        most = float(bounds["high"].max())
        where = "every number" if rested == len(self.players) else f"{words.number(rested)} numbers"
        return (
            f"If all seats adapt their margins by half of what would be best for them, they come "
            f"to rest with {where} of players. There a seat that leaves for its best other margin "
            f"gains, on fresh deals, {words.listed(told)} players, in points a hand; no margin "
            f"tried, at any seat, gains more than {most:.2f} (simultaneous 95% bounds)."
        )

    def table(self) -> str:
        """The rule of thumb and what the table gains."""
        at = partial(only, self.frames["check"], policy=self.strong)
        now = partial(at, players=SHOWN)
        gains = [f"{words.change(at(players=n, measure='table'))} with {n}" for n in self.players]
        lows = [at(players=n, measure="table")["low"] for n in self.players]
        more = (
            " So margins are not all there is to gain: the table bids otherwise than any margin"
            " would, by what scores against these others."
            if min(lows) > 0
            else ""
        )
        return (
            f"A table of bids by trumps and high cards, made on other deals, gains a seat "
            f"{words.listed(gains)} players over bidding by the estimate, in points a hand "
            f"({self.strong} play, fresh deals).{more} As a rule of thumb for {SHOWN} players: "
            f"{words.change(now(measure='constant'))}, and {words.change(now(measure=ROWS))} for "
            f"each trump and {words.change(now(measure=COLUMNS))} for each Sage or Rook; "
            f"rounded, that gains {words.change(now(measure='rule'))}."
        )

    def over(self) -> str:
        """Over- and underbidding by policy, number of players and seat."""
        told = [
            f"{who} bids {self.by_players('over_taken', words.change, who)} above what is taken"
            for who in reversed(self.policies)
        ]
        places = self.frames["places"]
        rows = places[
            (places["players"] == SHOWN)
            & (places["policy"] == self.strong)
            & (places["measure"] == "over_taken")
        ].sort_values("place")
        first, last = rows.iloc[0].to_dict(), rows.iloc[-1].to_dict()
        return (
            f"Winning bids against what is then taken: {'; '.join(told)} (below 0: underbid). With "
            f"{SHOWN} players under {self.strong} the dealer, who speaks first, bids "
            f"{words.change(first)} and the last to speak {words.change(last)} above what is taken."
        )

    def holds(self) -> str:
        """Whether the conclusions change with the policy."""
        frame = basic(self.frames, "policies")
        moves = {
            measure: bool(((rows["low"] > 0) | (rows["high"] < 0)).any())
            for measure, rows in frame.groupby("measure")
        }
        verdicts = {self.sign("curse", who) for who in self.policies}
        weaker = self.policies[:-1]
        off = "; ".join(
            f"under {who} a Traitor takes {self.by_players('bias', words.change, who)} above it"
            for who in weaker
        )
        curse = "; ".join(
            f"under {who} the winner takes {self.by_players('curse', words.change, who)} more"
            for who in weaker
        )
        margin = frame[frame["measure"] == "margin"]
        told = [f"{words.change(only(margin, players=n))} with {n}" for n in self.players]
        return (
            f"Does it change with the policy? The estimate's calibration {_changes(moves['bias'])}:"
            f" it is fitted to careful play, and {off}. The verdict on the winner's curse "
            f"{_changes(len(verdicts) > 1)}: {curse} above its estimate than the seats of the same "
            f"deals. The best margin {_changes(moves['margin'])}: under {self.strong} it lies "
            f"{words.listed(told)} players above that under {self.weak}."
        )

    def assumptions(self, titles: Mapping[str, str]) -> list[str]:
        """Whether the conclusions rest on what the rule sheet leaves open."""
        frame = self.frames["levels"]
        rows = frame[(frame["policy"] == self.strong) & (frame["variant"] != BASIC)]
        others = len(rows["variant"].unique())
        curse = rows[rows["measure"] == "curse"]
        above = curse[curse["low"] > 0]
        made = rows[rows["measure"] == "made"]
        low, high = made.loc[made["value"].idxmin()], made.loc[made["value"].idxmax()]
        best = self.frames["optimum"]
        best = best[(best["policy"] == self.strong) & (best["measure"] == "margin")]
        best = best[best["players"] == SHOWN]
        least, most = best.loc[best["value"].idxmin()], best.loc[best["value"].idxmax()]
        return [
            f"The winner takes clearly more above its estimate than other seats in "
            f"{words.number(len(above))} of {words.number(others)} alternatives "
            f"({SHOWN} players, {self.strong}).",
            f"Bids of the same margin are made least often with {titles[low['variant']]}, "
            f"{words.percent(low)}, and most often with {titles[high['variant']]}, "
            f"{words.percent(high)}.",
            f"The best margin is lowest with {titles[least['variant']]}, {words.change(least)} "
            f"average tricks, and highest with {titles[most['variant']]}, {words.change(most)}.",
        ]


def _changes(does: bool) -> str:
    return "changes" if does else "does not clearly change"


def findings(frames: Frames, stated: Mapping[str, Any]) -> list[str]:
    """The answer in sentences."""
    told = Telling(frames, stated)
    return [
        told.tricks(),
        told.success(),
        told.curse(),
        told.optimum(),
        told.rest(),
        told.table(),
        told.over(),
        told.score(),
        told.holds(),
    ]
