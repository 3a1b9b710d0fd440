"""A policy that decides as another does: what it leaves out is the other's, not ``simple``'s."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from tricklab.policies.base import Answer, Policy
from tricklab.view import View


@dataclass(frozen=True)
class Wrapped(Policy):
    """Decides as ``base`` does; derive from it to decide one thing differently.

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

    def revoke(self, view: View) -> Answer:
        """As the other policy."""
        return self.base.revoke(view)


@dataclass(frozen=True)
class Gives(Wrapped):
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
