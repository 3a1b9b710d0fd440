"""What of each game the study of bids looks at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tricklab import options
from tricklab.games import game, game_class
from tricklab.games.base import Game


@dataclass(frozen=True)
class Subject:
    """A game as the study looks at it.

    Attributes
    ----------
    switches : dict
        Set in all that is played: what makes it a game of declarers.
    holding : dict
        Columns of ``seats`` that tell holdings apart, and words for them.
    ways : dict
        Columns of ``hands`` that tell how a contract is played, and for each its values in words;
        a value that is not named counts as the one of None.
    variants : dict
        Changes of switches whose effect is measured, by what they are called.
    """

    switches: Mapping[str, Any] = field(default_factory=dict)
    holding: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, Mapping[int | None, str]] = field(default_factory=dict)
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


SUBJECTS = {
    "junni": Subject(
        switches={"traitor": True},
        holding={
            "trumps": "trumps",
            "barbarians": "barbarians",
            "high_cards": "Sages and Rooks",
            "voids": "void suits",
        },
        variants={
            "dead_reckoning": {"scoring": "dead_reckoning"},
            "flat table": {"scoring": "flat"},
            "trump-heavy table": {"scoring": "trump_heavy"},
            "shriving, then bidding": {"shriving": True},
            "bidding, then shriving": {"shriving": True, "shriving_before_bidding": False},
            "dice each trick": {"dice": True},
            "dice each hand": {"dice": True, "roll_each": "hand"},
            "Arete Court": {"arete_court": True},
            "Spare to the Traitor": {"spare_to": "traitor"},
            "taken scores": {"made_scores": "taken"},
            "dealer must bid": {"all_drop": "dealer_minimum"},
            "four-suit deck": {"deck": "four_suits"},
            "short-suit deck": {"deck": "short_suits"},
        },
    ),
    "trjamann": Subject(
        holding={"aces": "aces", "longest_suit": "cards in the longest suit", "voids": "voids"},
        variants={
            "pack without twos": {"deck": "no_twos"},
            "Other not in spades": {"other_may_be_spades": False},
            "no exchange": {"max_exchange": 0},
        },
    ),
    "kaji": Subject(
        holding={
            "longest_suit": "cards in the longest suit",
            "twelves": "highest cards of a suit",
            "voids": "void suits",
        },
        ways={
            "trumps": {0: "Jan", 1: "Ken", 2: "Po", 3: "Kaji"},
            "partner": {-1: "alone", None: "called a partner"},
        },
        variants={"dealer bids first": {"first_bidder": "dealer"}},
    ),
    "emperor": Subject(
        holding={"trumps": "trumps", "honours": "honours", "kings": "Kings", "voids": "void suits"},
        ways={
            "partner": {-1: "alone", None: "with a partner"},
            "bound": {0: "free to call", 1: "bound by an invitation"},
            "contra": {0: "without contra", None: "under contra"},
        },
        variants={
            "last draws under Three": {"last_draws_on_three": True},
            "no annulling": {"annul": "never"},
            "total capped": {"cap": "total"},
            "a lost hand pays nothing": {"loss": "nothing"},
            "losers score no bonuses": {"lost_side_bonuses": False},
            "failed bonuses cost nothing": {"failed_bonus": "nothing"},
        },
    ),
}
"""The games with bids or contracts, by name."""


def sizes(cls: type[Game]) -> range:
    """The numbers of players that a game can be played by."""
    spec = options.specs(cls)["players"]
    if spec.low is None or spec.high is None:
        return range(int(spec.default), int(spec.default) + 1)
    return range(int(spec.low), int(spec.high) + 1)


def subject_game(name: str, players: int | None = None, **changes: Any) -> Game:
    """A game as the study plays it, for its usual number of players unless told otherwise."""
    usual = game_class(name)().players if players is None else players
    return game(name, players=usual, **SUBJECTS[name].switches, **changes)
