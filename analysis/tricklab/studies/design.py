"""What the balance study varies, and what it measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Variant:
    """A change of switches from the basic game.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    says : str
        What it changes, in words.
    clause : str
        Where the rule sheet states it.
    switches : dict
        The switches set.
    """

    name: str
    title: str
    clause: str
    switches: dict[str, Any]
    says: str

    @property
    def paired(self) -> bool:
        """Whether it is played on the basic game's deals: another deck is dealt differently."""
        return "deck" not in self.switches


VARIANTS = (
    Variant(
        "shriving",
        "Shriving",
        "J14",
        {"shriving": True},
        "before play everyone gives four cards to the left",
    ),
    Variant(
        "arete",
        "Arete Court",
        "J17",
        {"arete_court": True},
        "a Rook or Sage may be played as its inverted suit",
    ),
    Variant(
        "dice",
        "Dice, each trick",
        "J25",
        {"dice": True},
        "a die names trumps anew before each trick",
    ),
    Variant(
        "dice_hand",
        "Dice, each hand",
        "J25",
        {"dice": True, "roll_each": "hand"},
        "a die names trumps once for the hand",
    ),
    Variant(
        "partners", "Partners", "J24", {"partners": True}, "two opposite seats add their results"
    ),
    Variant(
        "reckoning",
        "Dead Reckoning",
        "J18",
        {"scoring": "dead_reckoning"},
        "points for tricks, Sages, Rooks, aces and barbarians decide",
    ),
    Variant(
        "flat",
        "Flat table",
        "J18",
        {"scoring": "flat"},
        "a point for each captured card decides, none for tricks",
    ),
    Variant(
        "heavy",
        "Trump-heavy table",
        "J18",
        {"scoring": "trump_heavy"},
        "points for captured trumps, Sages, Rooks and barbarians decide",
    ),
    Variant(
        "rotate",
        "Lead passes round",
        "J5",
        {"next_leader": "rotate"},
        "the lead passes clockwise, whoever took the trick",
    ),
    Variant(
        "left",
        "Left of dealer leads",
        "J4",
        {"first_leader": "left_of_dealer"},
        "the seat after the dealer leads first",
    ),
    Variant(
        "four_suits",
        "Four-suit deck",
        "J2",
        {"deck": "four_suits"},
        "4 suits of 14, 20 trumps, 4 barbarians",
    ),
    Variant(
        "short_suits",
        "Short-suit deck",
        "J2",
        {"deck": "short_suits"},
        "5 suits of 11, 22 trumps, 3 barbarians",
    ),
)


@dataclass(frozen=True)
class Measure:
    """Something with one value a deal.

    Attributes
    ----------
    name, title : str
        Short name, and words for a reader.
    share : bool
        Whether it is best read as a percentage.
    event : bool
        Whether a deal has it or has it not: its values are 0 and 1.
    """

    name: str
    title: str
    share: bool
    event: bool


MEASURES = (
    Measure("leader_wins", "first leader's wins above an equal share", share=True, event=False),
    Measure(
        "leader_tricks", "first leader's tricks above an equal share", share=False, event=False
    ),
    Measure(
        "spread",
        "spread of tricks within a hand (standard deviation over seats)",
        share=False,
        event=False,
    ),
    Measure("margin", "tricks of the best seat above the second", share=False, event=False),
    Measure("tie", "hands with a shared win", share=True, event=True),
    Measure("shutout", "hands in which a seat takes no trick", share=True, event=True),
    Measure("half", "hands in which a seat takes half the tricks", share=True, event=True),
    Measure("unbroken", "hands in which trumps are never broken", share=True, event=True),
    Measure("saved", "hands in which an Excuse saves a trump", share=True, event=True),
    Measure("worthless", "hands with a trick that has no valued card", share=True, event=True),
)
MEASURE = {measure.name: measure for measure in MEASURES}

BASIC = Variant("basic", "Basic game", "J1–J13", {}, "as the rule sheet states it")
