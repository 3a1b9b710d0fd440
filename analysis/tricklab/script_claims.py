"""What a script answers where a phase offers what may be answered: named bids, claims (E4-E16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NOTHING
from tricklab.reading import GAME_CLAIM, SAID
from tricklab.view import View

if TYPE_CHECKING:
    from tricklab.games.base import Game

CONTRAS = tuple(do for do in SAID if do != "announce")
"""The rounds of contras, in order (E16)."""


class SaysClaims:
    """The part of a script that answers what phases offer; see :class:`~tricklab.script.Script`."""

    game: Game
    _next: NDArray[np.int64]
    _value: NDArray[np.int32]
    _lists: dict[tuple[int, int], list[int]]

    if TYPE_CHECKING:

        def _fault(self, hand: int, clause: str, message: str) -> None: ...

        def _due(
            self, hands: NDArray[np.int64], seats: NDArray[np.integer[Any]], do: str
        ) -> NDArray[np.bool_]: ...

        def _is_next(
            self,
            hands: NDArray[np.int64],
            do: str,
            seats: NDArray[np.integer[Any]] | None = None,
        ) -> NDArray[np.bool_]: ...

    def named_bids(self, view: View) -> NDArray[Any]:
        """The bids that the histories say."""
        hands, may = view._origin, view.offers["may_bid"]
        out = np.zeros(len(view), np.int64)
        for i in np.flatnonzero(self._due(hands, view.seat, "bid")):
            hand = int(hands[i])
            bid = int(self._value[hand, self._next[hand]])
            if bid >= 0 and may[i, bid]:
                out[i] = bid
                self._next[hand] += 1
            else:
                allowed = ", ".join(self.game.bids[k] for k in np.flatnonzero(may[i]))
                clause = self.game.bid_clause(bid)
                self._fault(hand, clause, f"seat {view.seat[i]} may say {allowed}")
        return out

    def offered_discards(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are discarded, just so many of those offered."""
        hands, count = view._origin, view.offers["count"]
        may, most = view.deck.flags(view.offers["may_discard"]), view.game.discards
        out = np.argsort(~may, axis=1, kind="stable")[:, :most]
        out = np.where(np.arange(most) < count[:, None], out, NOTHING)
        for i in np.flatnonzero(self._due(hands, view.seat, "discard")):
            hand = int(hands[i])
            cards = self._lists[hand, int(self._next[hand])]
            who, held = f"seat {view.seat[i]}", " ".join(view.deck.cards_in(view.holding[i]))
            if len(cards) != count[i]:
                clause = self.game.clauses.discard
                self._fault(hand, clause, f"{who} must discard {count[i]}, not {len(cards)}")
            elif len(set(cards)) < len(cards) or not all(
                c >= 0 and view.holds[i, c] for c in cards
            ):
                self._fault(hand, "holding", f"{who} must discard different cards of {held}")
            elif not all(may[i, c] for c in cards):
                allowed = " ".join(view.deck.cards_in(view.offers["may_discard"][i]))
                clause = self.game.clauses.kept
                self._fault(hand, clause, f"{who} may discard only cards of {allowed}")
            else:
                out[i] = [*cards, *[NOTHING] * (most - len(cards))]
                self._next[hand] += 1
        return out

    def offered_call(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are called, of those offered."""
        hands = view._origin
        out = view.may_call.argmax(axis=1)
        for i in np.flatnonzero(self._due(hands, view.seat, "call")):
            hand = int(hands[i])
            card = int(self._value[hand, self._next[hand]])
            if card >= 0 and view.may_call[i, card]:
                out[i] = card
                self._next[hand] += 1
            else:
                allowed = " ".join(view.deck.cards[c] for c in np.flatnonzero(view.may_call[i]))
                bound = bool(view.of_game["bound"][i])
                clause = self.game.clauses.bound if bound else self.game.clauses.call
                self._fault(hand, clause, f"seat {view.seat[i]} may call one of {allowed}")
        return out

    def annul(self, view: View) -> NDArray[Any]:
        """Whether the histories say that the hand is annulled."""
        hands = view._origin
        out = np.zeros(len(view), np.int64)
        due = self._due(hands, view.seat, "annul")
        out[due] = self._value[hands[due], self._next[hands[due]]]
        self._next[hands[due]] += 1
        return out

    def announce(self, view: View) -> NDArray[Any]:
        """The bonuses that the histories say are announced."""
        hands, may = view._origin, view.offers["may_announce"]
        out = np.zeros(len(view), np.int64)
        for i in np.flatnonzero(self._due(hands, view.seat, "announce")):
            hand, who = int(hands[i]), f"seat {view.seat[i]}"
            said = self._lists[hand, int(self._next[hand])]
            bits = sum({1 << bonus for bonus in said if bonus >= 0})
            if min(said, default=0) < 0:
                self._fault(hand, self.game.clauses.bonus, f"{who} names what is no bonus")
            elif len(set(said)) < len(said):
                clause = self.game.clauses.announce
                self._fault(hand, clause, f"{who} announces a bonus twice")
            elif self.game.excluded(bits, int(may[i])):
                clause = self.game.clauses.excluded
                message = f"{who} may not announce honours or kings beside slam"
                self._fault(hand, clause, message)
            else:
                out[i] = bits
                self._next[hand] += 1
        return out

    def contra(self, view: View) -> NDArray[Any]:
        """The claims that the histories say are doubled; who is not named stays silent."""
        hands, may, must = (
            view._origin,
            view.offers["may_contra"],
            view.offers["must_contra"],
        )
        do = CONTRAS[int(view.offers["contra_round"][0])]
        out = must.copy()
        names = (GAME_CLAIM, *self.game.bonuses)
        speaks = self._is_next(hands, do, view.seat)
        for i in np.flatnonzero(speaks | (self._followed(hands) & (must > 0))):
            hand, who = int(hands[i]), f"seat {view.seat[i]}"
            said = self._lists[hand, int(self._next[hand])] if speaks[i] else []
            bits = sum({1 << claim for claim in said if claim >= 0})
            open_now = ", ".join(name for c, name in enumerate(names) if may[i] >> c & 1)
            if must[i] & ~bits:
                message = f"{who} has discarded the card called and must say contra to the hand"
                self._fault(hand, self.game.clauses.must_contra, message)
            elif min(said) < 0 or len(set(said)) < len(said) or bits & ~int(may[i]):
                message = f"{who} may say {do} once to each of {open_now}"
                self._fault(hand, self.game.clauses.contra, message)
            else:
                out[i] = bits
                self._next[hand] += 1
        return out

    def _followed(self, hands: NDArray[np.int64]) -> NDArray[np.bool_]:
        """In which hands no fault has been found yet."""
        going: NDArray[np.bool_] = vars(self)["_going"][hands]
        return going
