"""Policies for studies that fix one decision and leave the rest to another policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import PASS
from tricklab.policies.base import Answer, Policy
from tricklab.view import View


@dataclass(frozen=True)
class Delegate(Policy):
    """Decides everything as another policy does: derive from it to decide one thing differently.

    Attributes
    ----------
    base : Policy
        Who decides.
    """

    base: Policy

    def play(self, view: View) -> Answer:
        """As the other policy."""
        return self.base.play(view)

    def give(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.give(view)

    def bid(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.bid(view)

    def contract(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.contract(view)

    def discard(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.discard(view)

    def trumps(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.trumps(view)

    def call(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.call(view)

    def annul(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.annul(view)

    def announce(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.announce(view)

    def contra(self, view: View) -> NDArray[Any]:
        """As the other policy."""
        return self.base.contra(view)

    def revoke(self, view: View) -> Answer:
        """As the other policy."""
        return self.base.revoke(view)


@dataclass(frozen=True)
class Gives(Delegate):
    """Gives cards as one policy does and leaves the rest to another, for studies (J14).

    Comparing it with others of the same ``base`` on the same deals is restricted play: what
    differs is the worth of the gift alone.

    Attributes
    ----------
    base : Policy
        Who plays.
    gives : Policy
        Who chooses the cards to give.
    """

    gives: Policy

    def give(self, view: View) -> NDArray[Any]:
        """As the giver chooses."""
        return self.gives.give(view)


@dataclass(frozen=True)
class Appointed(Delegate):
    """The seat so many places after the dealer is made the declarer by the least bid (J21).

    Given to every seat, it shows what each would take as the declarer of the same deal.

    Attributes
    ----------
    base : Policy
        Who plays.
    place : int
        Seats after the dealer, 0 for the dealer.
    """

    place: int = 0

    def bid(self, view: View) -> NDArray[Any]:
        """The least bid at the appointed place, else none."""
        mine = (view.seat - view.dealer) % view.game.players == self.place
        return np.where(mine & (view.min_bid <= view.max_bid), view.min_bid, PASS)
