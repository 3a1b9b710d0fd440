"""``brazen``: plays as ``careful`` does, but breaks the rules of play where that seems to pay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tricklab import options
from tricklab.bidding import NO_SEAT
from tricklab.policies.base import HONEST, Answer
from tricklab.policies.careful import Careful
from tricklab.view import View

NOT_FORCED = 2
"""Number of answers to state where the balance of even a single one is wanted."""


@dataclass(frozen=True)
class Brazen(Careful):
    """Plays as ``careful`` does, but revokes where that gains more than it risks (J16).

    The gain is how much better the best card of the whole holding seems than the best card that
    the rules allow.  The risk is what the seat stands to score in this hand, times the chance that
    it is caught.  Once caught it plays by the rules: there is nothing left to gain.
    """

    temptation: float = options.option(
        1.0, "how many times its worth a gain by a revoke seems", low=0, high=100
    )

    name = "brazen"

    def revoke(self, view: View) -> Answer:
        """The best card of the holding, where it is worth the risk."""
        count = np.full(len(view), NOT_FORCED, np.int16)
        legal = view.legal_printed, view.legal_other, view.names
        _, _, by_rule = self._weigh(view, *legal, count)
        cards, played_as, freely = self._weigh(
            view, view.any_printed, view.any_other, view.any_names, count
        )
        game, rows = view.game, np.arange(len(view))
        own = view.tricks[rows, view.seat]
        left = game.n_tricks - view.trick + 1
        stake = np.where(
            view.declarer == NO_SEAT,
            own + left / game.players,
            view.high_bid * game.n_tricks / game.highest_bid,
        )
        tempted = self.temptation * (freely - by_rule) > game.chance_caught * stake
        tempted &= view.caught[rows, view.seat] == 0
        return np.where(tempted, cards, HONEST), played_as
