"""Emperor, after Bunbury: tarokk with a hidden partner (rule sheet: ``rules.md`` beside this)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.cards import Deck, read_only
from tricklab.errors import SwitchError
from tricklab.games.base import Game
from tricklab.games.emperor import facts as facts_module
from tricklab.games.emperor import features, judging, partner, strength
from tricklab.games.emperor import plans as plans_module
from tricklab.games.emperor.bidding import NamedAuction, bid_clause
from tricklab.games.emperor.bonuses import BONUSES, NAMES, NOT_WITH_SLAM, SLAM, WINS
from tricklab.games.emperor.calling import CallTrump
from tricklab.games.emperor.claims import Announce, Contras, excluded
from tricklab.games.emperor.entries import entries, remarks, told
from tricklab.games.emperor.exchange import MOST_DRAWN, Annul, Draws
from tricklab.games.emperor.pack import (
    BIDS,
    CARD_POINTS,
    CARDS_EACH,
    DECK,
    HONOURS,
    MATCH_HANDS,
    PLAYERS,
    TRUMP,
    WITHOUT,
)
from tricklab.games.emperor.scoring import SIDES, Payment, Settled, settle
from tricklab.games.emperor.sides import learn
from tricklab.games.parts import Attempt, Clauses, Column, Columns, Score
from tricklab.play import Phase, Tricks
from tricklab.table import Table
from tricklab.trick_data import Rules, trick_rules
from tricklab.view import View

PATIENCE = 0.6
"""Share of its worth that a high card of a suit has if it is kept for later."""

TRUMP_FALL = 0.2
"""Power of the factor by which a trump is worth less for each higher one unseen."""


@dataclass(frozen=True)
class Emperor(Game):
    """Emperor with its switches; see the rule sheet for the clauses."""

    players: int = options.option(
        PLAYERS, "number of players", clause="E3", low=PLAYERS, high=PLAYERS
    )
    last_draws_on_three: bool = options.option(
        False, "whether under Three the last player draws and discards, too", clause="E9"
    )
    annul: str = options.option(
        "allowed",
        "whether a player without trumps, or with all Kings, may have the hand dealt again",
        clause="E12",
        choices=("allowed", "never"),
    )
    cap: str = options.option(
        "card_points",
        "what the 60 points limit: the card points, or those with the bid's points",
        clause="E20",
        choices=("card_points", "total"),
    )
    lost_side_bonuses: bool = options.option(
        True, "whether a declarer's side that lost scores bonuses", clause="E20"
    )
    loss: str = options.option(
        "defenders_score_bid",
        "what each defender scores when the declarer's side loses",
        clause="E20",
        choices=("defenders_score_bid", "nothing"),
    )
    failed_bonus: str = options.option(
        "opponents",
        "who scores an announced bonus that failed",
        clause="E23",
        choices=("opponents", "nothing"),
    )

    name = "emperor"
    title = "Emperor"
    version = 1
    fitting = f"{__name__}.fitting"
    score_dtype = "int32"
    frame_names = ("bonuses",)
    assumptions = (
        "That defenders score the bid when the declarer’s side loses is a reading (E20).",
        "That an announced bonus that failed scores for the opponents is a reading (E23).",
        "That a player who passed is out of the auction is a reading (E4).",
    )

    facts = {
        "winners": (),
        "margin": (),
        "declarer": (("absent", "hands passed out"),),
        "partner": (("absent", "hands without a partner, those passed out included"),),
        "bid": tuple(
            (f"is {number}", f"hands played at {BIDS[number].title()}")
            for number in range(1, WITHOUT + 1)
        ),
        "invited": (("any", "hands with an invitation"),),
        "bound": (("any", "hands in which the declarer was bound"),),
        "called": (),
        "card_points": (("where declared", "card points of the declarer's side"),),
        "taken": (("where declared", "tricks of the declarer's side"),),
        "made": (("made", "hands that the declarer's side won, of those not passed out"),),
        "payment": (("where declared", "payment for the hand"),),
        "contra": (("any", "hands with a contra to the hand"),),
        "doubling": (),
        "annulments": (("any", "hands dealt again"),),
    }

    def __post_init__(self) -> None:
        options.check(self, SwitchError)

    @property
    def deck(self) -> Deck:
        """The pack (E1)."""
        return DECK

    @cached_property
    def rules(self) -> Rules:
        """The trick rules as data (E17, E18)."""
        return trick_rules(DECK, void_must_trump=True, gang=HONOURS)

    @property
    def cards_each(self) -> int:
        """Two packets of five (E3)."""
        return CARDS_EACH

    @property
    def discards(self) -> int:
        """The most cards that a seat discards (E9)."""
        return MOST_DRAWN

    @property
    def fewest_discards(self) -> int:
        """Who draws nothing discards nothing (E9)."""
        return 0

    @property
    def bids(self) -> tuple[str, ...]:
        """Passing, the four bids, and holding (E4, E6)."""
        return BIDS

    @property
    def bonuses(self) -> tuple[str, ...]:
        """The bonuses in the order of the table (E22)."""
        return NAMES

    @property
    def excluding(self) -> tuple[int, int]:
        """Slam, beside which neither Honours nor Kings may stand (E21)."""
        return 1 << SLAM, NOT_WITH_SLAM

    @property
    def bonus_points(self) -> tuple[int, ...]:
        """Points of each bonus when announced; 0 for High Game and Slam (E22)."""
        return tuple(0 if bonus.multiplies else bonus.announced for bonus in BONUSES)

    @property
    def common_bonuses(self) -> int:
        """Those for which any trick will do (E22)."""
        return sum(1 << b for b, bonus in enumerate(BONUSES) if bonus.condition.kind == WINS)

    @property
    def highest_bid(self) -> int:
        """Without (E4)."""
        return WITHOUT

    @property
    def largest_side(self) -> int:
        """The declarer and a partner (E13)."""
        return 2

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Auction, stock, annulment, call, announcements, contras and tricks."""
        annul: tuple[Phase, ...] = (Annul(),) if self.annul == "allowed" else ()
        auction, draws = NamedAuction(), Draws(self.last_draws_on_three)
        return (auction, draws, *annul, CallTrump(), Announce(), Contras(), Tricks())

    def blank(self, hands: int) -> facts_module.Facts:
        """What has been said and shown; see :class:`.facts.Facts`."""
        return facts_module.blank(hands)

    def public(self, table: Table) -> dict[str, NDArray[Any]]:
        """The facts that all seats know, by name."""
        known: dict[str, NDArray[Any]] = table.extra._asdict()
        return {name: known[name] for name in known if name not in facts_module.HIDDEN}

    def learn(self, table: Table) -> None:
        """A card called that has been played shows the sides (E13)."""
        learn(table)

    def opening_leader(self, table: Table) -> NDArray[np.int8]:
        """The declarer (E17); eldest where nothing was played."""
        return np.where(table.over, self.first_seat(table.dealer), table.declarer).astype(np.int8)

    def check_match(self) -> None:
        """Every game of Emperor can be a match (E3)."""

    def match_over(
        self, standing: NDArray[np.int32], hands: NDArray[np.int16]
    ) -> NDArray[np.bool_]:
        """Whether four hands have been played or passed out (E3, E12)."""
        return hands >= MATCH_HANDS

    @cached_property
    def values(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], float, float]:
        """What capturing pays: the card points, in average tricks (E2)."""
        total = float(CARD_POINTS.sum())
        points = CARD_POINTS * (self.n_tricks / total)
        return (
            read_only(points),
            read_only(np.zeros(DECK.n_cards, np.bool_)),
            0.0,
            float(points.mean()),
        )

    # -- what policies go by

    @property
    def patience(self) -> float:
        """Suits are short, and are ruffed soon (E1)."""
        return PATIENCE

    @property
    def trump_fall(self) -> float:
        """Nearly half the pack are trumps: middling ones win in the end (E1)."""
        return TRUMP_FALL

    @property
    def fit_used(self) -> strength.Fit:
        """The fit that estimates go by."""
        return strength.shipped()

    def named_bid(self, view: View, margin: float) -> NDArray[np.int64]:
        """What the estimates of card points are good for; see :mod:`.judging`."""
        return judging.named_bid(view, self.fit_used, margin)

    def call_worth(self, view: View) -> NDArray[np.float64]:
        """The highest trump that another may hold (E13)."""
        return judging.call_worth(view, DECK.n_cards)

    def annul_worth(self, view: View) -> NDArray[np.float64]:
        """What another deal is worth above this one (E12)."""
        return judging.annul_worth(view, self.fit_used)

    def announcements(self, view: View, assurance: float) -> NDArray[np.int64]:
        """Bonuses likely enough to announce (E15)."""
        return judging.announcements(view, self.fit_used, assurance)

    def doublings(self, view: View, assurance: float) -> NDArray[np.int64]:
        """Claims that it pays to double (E16)."""
        return judging.doublings(view, self.fit_used, assurance)

    def friendly(self, view: View) -> NDArray[np.float64]:
        """Who is known to be on a seat's side, and who probably is (E13)."""
        return partner.friendly(view, self.fit_used.evidence)

    def plans(
        self, view: View, friendly: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What single cards are kept for, or are to win (E22)."""
        return plans_module.plans(view, friendly)

    # -- scores

    @property
    def payment(self) -> Payment:
        """The switches of the score."""
        return Payment(
            self.cap == "total",
            self.loss == "defenders_score_bid",
            self.lost_side_bonuses,
            self.failed_bonus == "opponents",
        )

    def score(self, table: Table) -> Settled:
        """The payment for the hand and the bonuses (E20-E24)."""
        return settle(table, self.payment)

    def trick_points(self, table: Table) -> NDArray[np.int16]:
        """Card points of each trick (E2)."""
        if table.over.all():
            return np.zeros((table.tricks, table.hands), np.int16)
        cards = np.minimum(table.cards, DECK.n_cards - 1)
        points = CARD_POINTS[cards].sum(axis=2, dtype=np.int16)
        return np.where(table.over, np.int16(0), points)

    # -- frames

    @property
    def seat_columns(self) -> dict[str, Column]:
        """Features of the holdings, and the seat's part in the hand."""
        return features.SEAT_COLUMNS

    @property
    def hand_columns(self) -> dict[str, Column]:
        """The bid, what was said, and what came of it."""
        return features.HAND_COLUMNS

    @property
    def frames(self) -> dict[str, dict[str, Column]]:
        """``bonuses``: a row for each bonus of a side that was announced or scored (E22)."""
        return {"bonuses": features.BONUS_COLUMNS}

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Sides and bonuses."""
        return {"side": SIDES, "bonus": NAMES}

    def seat_features(self, table: Table) -> Columns:
        """Features of the holdings, and the seat's part in the hand."""
        return features.seat_features(table)

    def hand_features(self, table: Table, scored: Score) -> Columns:
        """The bid, what was said, and what came of it."""
        return features.hand_features(table, _settled(scored))

    def frame_features(self, table: Table, scored: Score) -> dict[str, Columns]:
        """The bonuses of finished hands."""
        return {"bonuses": entries(table, _settled(scored))}

    # -- hand histories

    def remarks(self, table: Table, scored: Score, row: int) -> list[str]:
        """Card points, the payment, the bonuses that scored, and how often it was dealt again."""
        return remarks(table, _settled(scored), row)

    def history_keys(self, table: Table, row: int) -> dict[str, Any]:
        """The doubling, where annulled deals left one (E12)."""
        doubling = int(table.extra.doubling[row])
        return {"doubling": doubling} if doubling > 1 else {}

    def result_keys(self, table: Table, scored: Score, row: int) -> dict[str, Any]:
        """The bonuses that scored."""
        return {"bonuses": told(_settled(scored), row)}

    @cached_property
    def clauses(self) -> Clauses:
        """Clauses for faults in hand histories."""
        return Clauses(
            pack="E1",
            numbers="E3",
            bid="E4",
            discard="E9",
            call="E13",
            kept="E10",
            bound="E7",
            bonus="E22",
            announce="E15",
            excluded="E21",
            contra="E16",
            must_contra="E14",
            untimely={"annul": "E12"},
            result={
                "tricks": "E17",
                "score": "E20",
                "win": "E20",
                "declarer": "E4",
                "partner": "E13",
                "made": "E20",
                "bonuses": "E22",
            },
        )

    def play_clause(self, attempt: Attempt) -> str:
        """The duty to follow or trump; what that allows, only the Sparrow forbids (E17, E19)."""
        due = next((s for s in (attempt.lead, TRUMP) if attempt.holding[s]), None)
        free = attempt.leading or due is None or DECK.suit_of[attempt.card] == due
        return "E19" if free else "E17"

    def bid_clause(self, bid: int) -> str:
        """Holding is E6, a bid that does not exist E4, any other E5."""
        return bid_clause(bid)

    def untimely_clause(self, do: str, due: str) -> str:
        """Who may annul is E12, from the discards to the call; before and after it is no turn."""
        return super().untimely_clause(do, due) if due in ("annul", "call") else "turn"

    def excluded(self, bonuses: int, may: int) -> bool:
        """Whether bonuses stand beside a Slam that may not (E21)."""
        return excluded(bonuses, may)


def _settled(scored: Score) -> Settled:
    assert isinstance(scored, Settled)
    return scored
