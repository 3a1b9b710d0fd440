"""Junni: permanent trumps and barbarians that excuse (rule sheet: ``rules.md`` beside this)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.auction import Auction
from tricklab.bidding import PASS
from tricklab.cards import Deck, read_only
from tricklab.errors import DeckError, SwitchError
from tricklab.games.base import Game
from tricklab.games.junni.features import AT_PLAY, DEALT, features
from tricklab.games.junni.scoring import MAX_TOTAL, ScoringTable, captured
from tricklab.games.junni.strength import bid_limit
from tricklab.games.parts import Attempt, Clauses, Column, Columns, Score, shares, side_totals
from tricklab.phases import Exchange, Give
from tricklab.play import Brazen, Die, Phase, Tricks
from tricklab.table import Table
from tricklab.trick_data import TRICK_LIMIT, Rules, trick_rules
from tricklab.view import View

DECKS = ("journey", "four_suits", "short_suits")
TABLES = ("dead_reckoning", "flat", "trump_heavy")


@dataclass(frozen=True)
class Junni(Game):
    """Junni with its switches; see the rule sheet for the clauses."""

    players: int = options.option(4, "number of players", clause="J3", low=3, high=6)
    deck: Any = options.option("journey", "the pack", clause="J2", choices=DECKS, open_ended=True)
    first_leader: str = options.option(
        "dealer", "who leads first", clause="J4", choices=("dealer", "left_of_dealer")
    )
    next_leader: str = options.option(
        "winner", "who leads the next trick", clause="J5", choices=("winner", "rotate")
    )
    shriving: bool = options.option(
        False, "each player gives cards to the left before play", clause="J14"
    )
    shriving_cards: int = options.option(4, "how many cards are given", clause="J14", low=1, high=8)
    shriving_before_bidding: bool = options.option(
        True, "whether cards are given before the auction, if there is one", clause="J14"
    )
    campaign: bool = options.option(
        False, "hands are played until one player has enough points", clause="J15", of_matches=True
    )
    campaign_target: int = options.option(
        150, "points that end a campaign", clause="J15", low=1, high=10_000, of_matches=True
    )
    brazen: bool = options.option(
        False, "nobody checks play as it happens: revokes are possible", clause="J16"
    )
    detection: float = options.option(
        0.5, "chance that a revoke is called at the end of its trick", clause="J16", low=0, high=1
    )
    audit: bool = options.option(
        False, "tricks are checked at the end: every revoke is caught", clause="J16"
    )
    arete_court: bool = options.option(
        False, "a Rook or Sage may be played as its inverted suit", clause="J17"
    )
    scoring: Any = options.option(
        "tricks",
        "what counts: tricks, or the points of a table",
        clause="J18",
        choices=("tricks", *TABLES),
        open_ended=True,
    )
    traitor: bool = options.option(
        False, "an auction: one player, the Traitor, against all others", clause="J20"
    )
    spare: int = options.option(
        4, "least number of cards in the Spare, with a Traitor", clause="J20", low=0, high=40
    )
    min_bid: int = options.option(1, "the least first bid", clause="J21", low=1, high=1000)
    bid_step: int = options.option(1, "the least raise", clause="J21", low=1, high=1000)
    all_drop: str = options.option(
        "pass_out",
        "what happens if nobody bids",
        clause="J21",
        choices=("pass_out", "dealer_minimum"),
    )
    made_scores: str = options.option(
        "bid", "what a bid made scores", clause="J22", choices=("bid", "taken")
    )
    spare_to: str = options.option(
        "nobody", "who takes up the Spare", clause="J23", choices=("nobody", "traitor")
    )
    partners: bool = options.option(
        False, "teams of two sitting opposite (4 or 6 players)", clause="J24"
    )
    dice: bool = options.option(False, "a die names the trumps of each trick", clause="J25")
    roll_each: str = options.option(
        "trick", "how often the die is rolled", clause="J25", choices=("trick", "hand")
    )

    name = "junni"
    title = "Junni"
    version = 2
    fitting = f"{__name__}.fitting"
    assumptions = (
        "The pack is assumed (J2): the source’s list of cards is missing. Two other packs ship.",
        "What cards are worth in Dead Reckoning is assumed (J18): the source’s table is missing. "
        "Two other tables ship.",
    )
    timed_variants = ({}, {"traitor": True})

    facts = {
        "broken_trick": (
            ("none", "hands in which trumps were never broken"),
            ("where any", "trick in which trumps were broken, where they were"),
        ),
        "declarer": (("absent", "hands passed out"),),
        "bid": (("where any", "bid of the Traitor, where there was one"),),
        "taken": (("where declared", "tricks or points the Traitor took"),),
        "made": (("made", "bids made, of the hands not passed out"),),
        "worthless_tricks": (("any", "hands with a trick without a valued card"),),
    }

    def __post_init__(self) -> None:
        options.check(self, SwitchError)
        object.__setattr__(self, "deck", _resolve("deck", self.deck, Deck, "J2"))
        if self.scoring != "tricks":
            table = _resolve("scoring", self.scoring, ScoringTable, "J18")
            object.__setattr__(self, "scoring", table)
        if self.partners and self.players % 2:
            raise SwitchError(
                f"partners needs 4 or 6 players, not {self.players}: teams sit opposite (J24)"
            )
        _check_playable(self.deck, self.players, self.cards_each)
        if self.shriving and self.shriving_cards > self.cards_each:
            raise SwitchError(
                f"shriving_cards={self.shriving_cards} is more than the {self.cards_each} cards "
                f"each player is dealt (J14)"
            )
        if isinstance(self.scoring, ScoringTable):
            self.scoring.check(self.deck)
        if self.highest_bid > MAX_TOTAL:
            raise SwitchError(
                f"a hand has {self.highest_bid} points to take, more than the {MAX_TOTAL} that "
                f"can be kept (J18)"
            )
        if self.traitor and self.min_bid > self.highest_bid:
            raise SwitchError(
                f"min_bid={self.min_bid} is more than the {self.highest_bid} there is to bid (J21)"
            )

    @cached_property
    def rules(self) -> Rules:
        """The trick rules as data (J5-J11, J17)."""
        return trick_rules(
            self.deck,
            two_suited=self.arete_court,
            void_must_trump=True,
            trumps_need_breaking=True,
            excuse_led_last=True,
            winner_leads=self.next_leader == "winner",
        )

    @property
    def cards_each(self) -> int:
        """As many for everybody as the deck allows, less the Spare (J3, J20)."""
        return (self.deck.n_cards - (self.spare if self.traitor else 0)) // self.players

    @cached_property
    def highest_bid(self) -> int:
        """The most that can be taken: all tricks, or all points (J21)."""
        if not isinstance(self.scoring, ScoringTable):
            return self.n_tricks
        cards = int(self.scoring.by_card(self.deck).sum(dtype=np.int64))
        return self.n_tricks * self.scoring.trick + cards

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Give, auction and exchange, where there are such, and the tricks (J14, J21, J23)."""
        gives: list[Phase] = [Give(self.gives)] if self.gives else []
        auction: list[Phase] = []
        if self.traitor:
            forced = self.all_drop == "dealer_minimum"
            auction = [Auction(self.min_bid, self.bid_step, self.highest_bid, dealer_takes=forced)]
        before = self.shriving_before_bidding
        exchange: list[Phase] = [Exchange(self.discards, "J23")] if self.discards else []
        faces = sum(suit.role != "excuse" for suit in self.deck.suits)
        tricks = Tricks(
            Die(faces, self.roll_each == "trick") if self.dice else None,
            Brazen(self.detection) if self.brazen else None,
        )
        opening = [*gives, *auction] if before else [*auction, *gives]
        return (*opening, *exchange, tricks)

    @property
    def discards(self) -> int:
        """As many cards as the Spare has, if the Traitor takes it up (J23)."""
        return self.set_aside if self.traitor and self.spare_to == "traitor" else 0

    @property
    def bid_pays(self) -> bool:
        """Whether the bid, rather than what was taken, is scored (J22)."""
        return self.made_scores == "bid"

    @property
    def chance_caught(self) -> float:
        """Chance that a revoke is caught sooner or later; 0 where there are none (J16)."""
        return (1.0 if self.audit else self.detection) if self.brazen else 0.0

    @property
    def gives(self) -> int:
        """Cards each seat gives to its left (J14)."""
        return self.shriving_cards if self.shriving else 0

    @cached_property
    def seat_columns(self) -> dict[str, Column]:
        """Features of the holdings, and what the variant adds."""
        saves = {"excuse_saves": Column("int8", "barbarians played where a trump was due (J9)", 0)}
        columns = DEALT | AT_PLAY | saves
        if self.traitor:
            columns |= {
                "last_bid": Column("int16", "the seat's highest bid, 0 if it made none (J21)", 0),
                "traitor": Column("int8", "1 for the Traitor, else 0 (J21)", 0, 1),
            }
        if self.brazen:
            columns |= {
                "revokes": Column("int8", "revokes made (J16)", 0),
                "revokes_risked": Column("int8", "revokes made while not yet caught (J16)", 0),
                "revokes_caught": Column("int8", "revokes called out, or found by audit (J16)", 0),
                "forfeit": Column("int8", "1 if the seat forfeited the hand (J16)", 0, 1),
            }
        return columns

    @cached_property
    def hand_columns(self) -> dict[str, Column]:
        """When trumps were broken, the striking tricks, and what the variant adds."""
        columns = {
            "broken_trick": Column("int8", "trick that broke trumps, 0 if none did (J10)", 0),
            "excuse_saves": Column("int8", "barbarians played where a trump was due (J9)", 0),
            "worthless_tricks": Column("int8", "tricks without a valued card (J12)", 0),
        }
        if self.traitor:
            columns |= {
                "declarer": Column("int8", "the Traitor's seat, -1 if passed out (J21)", -1),
                "bid": Column("int16", "what the Traitor bid, 0 if passed out (J21)", 0),
                "taken": Column("int16", "tricks or points the Traitor took (J22)", 0),
                "made": Column("int8", "1 if the bid was made, 0 if not, -1 if passed out", -1, 1),
                "bids": Column("int16", "bids made in the auction, drops not counted (J21)", 0),
            }
        return columns

    @cached_property
    def sides(self) -> NDArray[np.uint16]:
        """Partners sit opposite (J24)."""
        seats = np.arange(self.players)
        own = 1 << seats
        if self.partners:
            own |= 1 << (seats + self.players // 2) % self.players
        return read_only(own.astype(np.uint16))

    def plain_switch(self, name: str) -> Any:
        """Decks and tables that ship by name, others inline."""
        value = getattr(self, name)
        if isinstance(value, (Deck, ScoringTable)):
            return value.name if value == _shipped(name, value.name) else dict(value.source)
        return super().plain_switch(name)

    def first_seat(self, dealer: NDArray[np.int8]) -> NDArray[np.int8]:
        """The first leader (J4)."""
        shift = 1 if self.first_leader == "left_of_dealer" else 0
        return ((dealer + shift) % self.players).astype(np.int8)

    @cached_property
    def values(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], float, float]:
        """What capturing pays under the scoring (J13, J18, J19)."""
        kept = read_only(self.deck.suit_of == self.deck.excuse)
        if not isinstance(self.scoring, ScoringTable):
            return read_only(np.zeros(self.deck.n_cards)), kept, 1.0, 0.0
        points = self.scoring.by_card(self.deck).astype(np.float64)
        cards = points[~kept].sum() * self.n_tricks * self.players / self.deck.n_cards
        average = max(float(self.scoring.trick + cards / self.n_tricks), 1.0)
        typical = float(points[~kept].mean()) / average
        return read_only(points / average), kept, self.scoring.trick / average, typical

    def bid_limit(self, view: View, margin: float) -> NDArray[np.float64]:
        """The estimate of :mod:`.strength`, less where another bid tells of a strong holding."""
        return bid_limit(view, margin)

    @property
    def lasting_trumps(self) -> bool:
        """Whether the trumps of one trick are those of the next (J25)."""
        return not self.dice or self.roll_each == "hand"

    def score(self, table: Table) -> Score:
        """Tricks or points, the bid made or broken, and the win (J13, J16, J18, J22, J24)."""
        points = self._points(table)[0]
        taken = self._taken(table, points)
        forfeit = self.forfeits(table)
        if not self.traitor:
            if self.partners:
                forfeit |= np.roll(forfeit, self.players // 2, axis=1)
            score = np.where(forfeit, np.int16(0), taken)
            made = np.full(table.hands, -1, np.int8)
            win = shares(score, self.sides, forfeit if self.brazen else None)
            return Score(points, score, win, made)
        hands = np.arange(table.hands)
        declarer, bid = table.declarer, table.bidding.high
        played = ~table.over
        kept = played & (taken[hands, declarer] >= bid) & ~forfeit[hands, declarer]
        alone = np.arange(self.players) == declarer[:, None]
        winners = np.where(kept[:, None], alone, ~alone & ~forfeit) & played[:, None]
        worth = bid
        if self.made_scores == "taken":
            worth = np.where(kept, taken[hands, declarer], bid)
        score = np.where(winners, worth[:, None], np.int16(0))
        return Score(
            points, score, winners.astype(np.float32), np.where(played, kept, -1).astype(np.int8)
        )

    def _taken(self, table: Table, points: NDArray[np.int16]) -> NDArray[np.int16]:
        """What each seat has taken, in what counts: tricks or points."""
        if isinstance(self.scoring, ScoringTable):
            return points
        return table.state.tricks.astype(np.int16)

    def forfeits(self, table: Table) -> NDArray[np.bool_]:
        """Seats caught revoking, by a call or by audit, shape (H, P) (J16)."""
        caught = table.caught > 0
        return caught | (table.revokes > 0) if self.audit else caught

    @cached_property
    def clauses(self) -> Clauses:
        """Clauses for faults in hand histories."""
        points = isinstance(self.scoring, ScoringTable)
        score = "J22" if self.traitor else "J18" if points else "J13"
        return Clauses(
            pack="J2",
            numbers="J20" if self.traitor else "J3",
            give="J14",
            bid="J21",
            discard="J23",
            roll="J25",
            result={
                "tricks": "J11",
                "score": score,
                "win": "J22" if self.traitor else "J13",
                "declarer": "J21",
                "partner": "J21",
                "made": "J22",
            },
            untimely={"caught": "J16"},
        )

    def play_clause(self, attempt: Attempt) -> str:
        """The clause that a card breaks: J6, J7, J9, J10 or J17."""
        suit = int(self.deck.suit_of[attempt.card])
        if suit == self.deck.excuse:
            return "J7"
        if attempt.as_suit not in (None, suit, int(self.rules.other_suit[attempt.card])):
            return "J17"
        if attempt.leading:
            return "J6"
        return "J10" if attempt.lead == attempt.trump else "J9"

    def check_match(self) -> None:
        """A match is a Campaign, and a game with a Traitor is one (J15, J20)."""
        if not (self.campaign or self.traitor):
            raise SwitchError("a match of Junni is a Campaign: set campaign=true (J15)")

    def match_over(
        self, standing: NDArray[np.int32], hands: NDArray[np.int16]
    ) -> NDArray[np.bool_]:
        """Whether a player, or a team, has the points that end a Campaign (J15)."""
        best: NDArray[np.int64] = side_totals(standing, self.sides).max(axis=1)
        return best >= self.campaign_target

    def trick_points(self, table: Table) -> NDArray[np.int16]:
        """Points that each trick brought its winner (J18)."""
        return self._points(table)[1]

    def _points(self, table: Table) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        points = np.zeros((table.hands, self.players), np.int16)
        by_trick = np.zeros((table.tricks, table.hands), np.int16)
        if isinstance(self.scoring, ScoringTable):
            by_card = self.scoring.by_card(self.deck)
            captured(
                table.cards,
                table.winners,
                by_card,
                self.values[1],
                self.scoring.trick,
                points,
                by_trick,
            )
        return points, by_trick

    @cached_property
    def _roles(self) -> NDArray[np.int8]:
        number = {"suit": 0, "trump": 1, "excuse": 2}
        return read_only(np.array([number[suit.role] for suit in self.deck.suits], np.int8))

    @cached_property
    def _ranks(self) -> NDArray[np.uint32]:
        masks = [
            [1 << s.ranks.index(rank) if rank in s.ranks else 0 for s in self.deck.suits]
            for rank in ("S", "R", "A")
        ]
        return read_only(np.array(masks, np.uint32))

    def seat_features(self, table: Table) -> Columns:
        """Features of the holdings, and what the barbarians saved."""
        out = features(table.dealt, table.start, self._roles, self._ranks)
        out |= {"excuse_saves": table.state.saves}
        if self.traitor:
            out["last_bid"] = table.bidding.last
            out["traitor"] = (np.arange(self.players) == table.declarer[:, None]).astype(np.int8)
        if self.brazen:
            out["revokes"], out["revokes_risked"] = table.revokes, table.risked
            called = (table.caught > 0).astype(np.int8)
            out["revokes_caught"] = table.revokes if self.audit else called
            out["forfeit"] = self.forfeits(table).astype(np.int8)
        return out

    def hand_features(self, table: Table, scored: Score) -> Columns:
        """When trumps were broken, the striking tricks, and how the auction went."""
        out: Columns = {
            "broken_trick": table.state.broken,
            "excuse_saves": table.state.saves.sum(axis=1, dtype=np.int8),
            "worthless_tricks": table.worthless,
        }
        if self.traitor:
            taken = self._taken(table, scored.points)
            out["declarer"] = table.declarer
            out["bid"] = table.bidding.high
            of_traitor = taken[np.arange(table.hands), table.declarer]
            out["taken"] = np.where(table.over, np.int16(0), of_traitor)
            out["made"] = scored.made
            out["bids"] = np.zeros(table.hands, np.int16)
            for _, said in table.bids:
                out["bids"] += said > PASS
        return out


@cache
def _shipped(switch: str, name: str) -> Deck | ScoringTable | None:
    """The deck or scoring table of this name that ships with the game, or None."""
    here = Path(str(resources.files(__package__)))
    if switch == "deck" and name in DECKS:
        return Deck.load(here / "decks" / f"{name}.toml")
    if switch == "scoring" and name in TABLES:
        return ScoringTable.load(here / "tables" / f"{name}.toml")
    return None


def _resolve(switch: str, given: Any, kind: type[Deck] | type[ScoringTable], clause: str) -> Any:
    """A deck or table by name, from a file, from the contents of one, or as it is."""
    if isinstance(given, kind):
        return given
    if isinstance(given, dict):
        return kind.from_dict(given)
    if not isinstance(given, (str, Path)):
        raise SwitchError(
            f"{switch} must be a name, a file or its contents, not {given!r} ({clause})"
        )
    shipped = _shipped(switch, str(given))
    if shipped is not None:
        return shipped
    if not Path(given).exists():
        allowed = options.specs(Junni)[switch].allowed
        raise SwitchError(f"{switch} must be {allowed}; there is no {str(given)!r} ({clause})")
    return kind.load(given)


def _check_playable(deck: Deck, players: int, each: int) -> None:
    if deck.trump is None:
        raise DeckError(f"deck {deck.name} has no trumps: Junni needs a table [trumps] (J1)")
    if deck.excuse is None:
        raise DeckError(f"deck {deck.name} has no barbarians: Junni needs [barbarians] (J1)")
    if sum(suit.role == "suit" for suit in deck.suits) < 2:
        raise DeckError(f"deck {deck.name} has one suit only: Junni needs two or more (J1)")
    if not 1 <= each <= TRICK_LIMIT:
        raise DeckError(
            f"deck {deck.name} has {deck.n_cards} cards, {each} for each of {players} players; "
            f"from 1 to {TRICK_LIMIT} can be played with (J3)"
        )
