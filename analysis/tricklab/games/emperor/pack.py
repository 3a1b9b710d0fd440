"""The tarokk pack of Emperor and the numbers of its rule sheet."""

from __future__ import annotations

import numpy as np

from tricklab.cards import Deck, read_only

PLAYERS = 4
"""Players (E3)."""

CARDS_EACH = 10
"""Cards dealt to each player (E3)."""

TRICKS = CARDS_EACH
"""Tricks in a hand (E17)."""

MATCH_HANDS = 4
"""Hands in a match (E3)."""

RANKS = ("A", "2", "V", "C", "Q", "K")
"""Ranks of the four suits, low to high (E1)."""

TRUMPS = (*(str(number) for number in range(1, 22)), "F")
"""Ranks of the trumps, low to high (E1)."""

LONG, ROUND = "SB", "CD"
"""Letters of the long and of the round suits."""

SUITS = {"S": "Swords", "B": "Batons", "C": "Cups", "D": "Coins"}
"""Letters and names of the four suits."""

POINTS = {"A": 1, "2": 0, "V": 2, "C": 3, "Q": 4, "K": 5}
"""Card points in the four suits (E2)."""

HONOUR_POINTS, TRUMP_POINTS = 5, 1
"""Card points of an honour and of any other trump (E2)."""

DECK = Deck.from_dict(
    {
        "name": "tarokk",
        "title": "Four suits of 6 and 22 trumps (E1)",
        "suits": [
            {"letter": letter, "name": name, "ranks": list(RANKS)} for letter, name in SUITS.items()
        ],
        "trumps": {"letter": "T", "name": "Trumps", "ranks": list(TRUMPS)},
    }
)
"""The pack (E1)."""

TRUMP = len(SUITS)
"""Number of the trump suit."""

FIRST_TRUMP = DECK.index("1T")
"""Number of the lowest trump, the Juggler."""


def trump_mask(*ranks: str) -> int:
    """A mask of trumps of these ranks."""
    return sum(1 << TRUMPS.index(rank) for rank in ranks)


JUGGLER = trump_mask("1")
HONOURS = trump_mask("1", "21", "F")
"""Juggler, World and Tomfool (E1)."""

BIRDS = trump_mask("1", "2", "3", "4")
"""The Birds (E1)."""

KING = 1 << RANKS.index("K")
"""The King's bit in the mask of a suit."""

CALLABLE = trump_mask(*TRUMPS) & ~HONOURS
"""Trumps that may be called (E13)."""

HIGHEST_CALLED = "20"
"""The trump that is called first (E13)."""

KEPT = read_only(np.array([KING] * len(SUITS) + [HONOURS], np.uint32))
"""Cards that may not be discarded, a mask a suit (E10)."""

CARD_POINTS = read_only(
    np.array(
        [POINTS[rank] for _ in SUITS for rank in RANKS]
        + [HONOUR_POINTS if trump_mask(rank) & HONOURS else TRUMP_POINTS for rank in TRUMPS],
        np.int16,
    )
)
"""Points of each card (E2)."""

BIDS = ("pass", "three", "two", "one", "without", "hold")
"""What may be said in the auction, by the number that stands for it (E4, E6).

The numbers of the four bids are their game points, too."""

WITHOUT, HOLD = BIDS.index("without"), BIDS.index("hold")

STEPS_WITH_19, STEPS_WITH_18 = 2, 3
"""Steps that an invitation goes up, by the trump that its bidder must hold (E7)."""

DECLARER_DRAWS = (0, 3, 2, 1, 0)
"""Cards that the declarer draws, by its bid (E9)."""

OTHERS_DRAW, OTHERS_DRAW_WITHOUT = 1, 2
"""Cards that each other player draws, and draws under Without (E9)."""

TO_WIN, MOST_PAID, HIGH_GAME = 48, 60, 71
"""Card points with which the declarer's side wins, most that are paid, and a High Game (E20,
E21)."""
