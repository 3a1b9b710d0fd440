"""What a policy is: one method a kind of decision, answered for many hands at once."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.view import View

Answer = NDArray[Any] | tuple[NDArray[Any], NDArray[Any]]


HONEST = -1
"""A policy's answer, in place of a card, where it does not want to revoke."""


class Policy:
    """Base of all policies.

    A policy is an object with parameters and no memory: the same object may be asked for several
    seats, in many hands at once and in several processes.  What a subclass leaves out is decided
    as :class:`~tricklab.policies.simple.Simple` decides it.  Policies that compare equal are asked
    together; a subclass that is a frozen dataclass compares by its parameters.
    """

    name: ClassVar[str] = ""
    """The policy's name in its textual form; empty if it has none."""

    uniform: ClassVar[bool] = False
    """Whether what this class itself defines is answered as ``random`` answers it, with the same
    words, so that the engine may play whole tricks and phases in one kernel."""

    def play(self, view: View) -> Answer:
        """Choose the card to play.

        Parameters
        ----------
        view : View
            What the seat knows, n rows.

        Returns
        -------
        ndarray of int, shape (n,), or a pair of such
            Card indices; in a pair, also the suit each is played as, ``trick_data.AS_PRINTED`` to
            leave that to the rules.
        """
        return _fallback().play(view)

    def give(self, view: View) -> NDArray[Any]:
        """Choose the cards to give to the player on the left (J14).

        Returns
        -------
        ndarray of int, shape (n, view.game.gives)
            Indices of different cards held.
        """
        return _fallback().give(view)

    def bid(self, view: View) -> NDArray[Any]:
        """Bid or drop out (J21, K3, E4).

        Returns
        -------
        ndarray of int, shape (n,)
            Bids from ``view.min_bid`` to ``view.max_bid``, or ``bidding.PASS`` (0) to drop out.
            Where bids have names, numbers of ``view.game.bids``, of those that are in
            ``view.offers["may_bid"]``.
        """
        return _fallback().bid(view)

    def contract(self, view: View) -> NDArray[Any]:
        """Choose the contract, as the declarer (T3).

        Returns
        -------
        ndarray of int, shape (n,)
            Numbers of contracts of ``view.game.contracts``, of those that are in
            ``view.contracts``.
        """
        return _fallback().contract(view)

    def discard(self, view: View) -> NDArray[Any]:
        """Choose the cards to discard: after taking up the stock, or before drawing (J23, T6, K4).

        Returns
        -------
        ndarray of int, shape (n, view.game.discards)
            Indices of different cards held.  Where ``view.game.fewest_discards`` is less, a row
            may be filled up with ``bidding.NOTHING`` (-1); where the view offers a ``count`` and
            ``may_discard``, it must have just so many cards, of those (E9, E10).
        """
        return _fallback().discard(view)

    def trumps(self, view: View) -> NDArray[Any]:
        """Name trumps as the declarer (K4).

        Returns
        -------
        ndarray of int, shape (n,)
            Indices of suits.
        """
        return _fallback().trumps(view)

    def call(self, view: View) -> NDArray[Any]:
        """Call a partner as the declarer by naming a card, or play alone (K5, E13).

        Returns
        -------
        ndarray of int, shape (n,)
            Indices of cards that ``view.may_call``, or, at KAJI, ``bidding.ALONE`` (-1).
        """
        return _fallback().call(view)

    def annul(self, view: View) -> NDArray[Any]:
        """Say whether to have the hand thrown in and dealt again, where the seat may (E12).

        Returns
        -------
        ndarray of int, shape (n,)
            1 to annul the hand, 0 to play it.
        """
        return _fallback().annul(view)

    def announce(self, view: View) -> NDArray[Any]:
        """Announce bonuses for one's side (E15).

        Returns
        -------
        ndarray of int, shape (n,)
            Sets of ``view.game.bonuses`` as bits, within ``view.offers["may_announce"]``; neither
            Honours nor Kings beside Slam (E21).
        """
        return _fallback().announce(view)

    def contra(self, view: View) -> NDArray[Any]:
        """Say Contra, Re-Contra or Sub-Contra to claims (E14, E16).

        Asked in three rounds, the number of which, from 0, is ``view.offers["contra_round"]``.

        Returns
        -------
        ndarray of int, shape (n,)
            Sets of claims as bits, bit 0 for the hand and bit 1 + b for bonus b of
            ``view.game.bonuses``; within ``view.offers["may_contra"]``, and with those in
            ``view.offers["must_contra"]``.
        """
        return _fallback().contra(view)

    def revoke(self, view: View) -> Answer:
        """Decide whether to break the rules of play, where nobody checks (J16); never by default.

        Asked before :meth:`play`, of policies that override it.

        Returns
        -------
        ndarray of int, shape (n,), or a pair of such
            As for :meth:`play`, but any card of the holding may be named; ``HONEST`` (-1)
            where the seat will play by the rules.
        """
        return np.full(len(view), HONEST)

    def __post_init__(self) -> None:
        options.check(self)

    def __repr__(self) -> str:
        # Of a user's plain class: an address in memory would tell nobody anything.
        return f"{type(self).__name__}()"

    @property
    def text(self) -> str:
        """The textual form with the parameters that differ from their defaults."""
        if not self.name or not dataclasses.is_dataclass(self):
            return repr(self)
        changed = options.non_default(self)
        if not changed:
            return self.name
        return self.name + ":" + ",".join(f"{key}={value}" for key, value in changed.items())


def _fallback() -> Policy:
    from tricklab.policies.simple import Simple

    return Simple()
