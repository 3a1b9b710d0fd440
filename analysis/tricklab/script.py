"""A script at every seat: answers what hand histories say, and notes where they are at fault."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_CONTRACT, NOTHING, PASS
from tricklab.desk import Desk, card_name
from tricklab.games.parts import Attempt
from tricklab.play import answers
from tricklab.policies.base import HONEST, Answer, Policy
from tricklab.reading import ABSENT, KINDS, UNKNOWN, Fault
from tricklab.rng import Streams
from tricklab.script_claims import CONTRAS, SaysClaims
from tricklab.table import Table
from tricklab.uniform import choose_uniformly
from tricklab.view import View


class ReplayDesk(Desk):
    """A desk at which a script answers for every seat, and for chance."""

    def __init__(self, script: Script) -> None:
        super().__init__((script,) * script.game.players, Streams(0, 0))
        self.script = script

    def roll(self, table: Table, faces: int, step: int) -> NDArray[np.int64]:
        """The faces that the histories say (J25)."""
        return self.script.roll(table, faces)

    def pass_over(self, do: str, table: Table, rows: NDArray[np.int64] | None = None) -> None:
        """Skip what the histories say of the step."""
        self.script.pass_over(do, table, rows)

    def redeal(self, table: Table) -> Table | None:
        """A hand that is thrown in is over: the next deal is a history of its own (E12)."""
        return None

    def detect(self, table: Table, revoked: NDArray[np.bool_], chance: float) -> NDArray[np.bool_]:
        """The calls that the histories say (J16)."""
        return self.script.calls(table, revoked)


class Script(SaysClaims, Policy):
    """Answers every decision as the histories say, and notes where they are at fault.

    Parameters
    ----------
    table : Table
        Dealt hands, one a history.
    actions : list
        Their actions, as of :class:`Parsed`.

    Attributes
    ----------
    faults : list of Fault or None
        The first fault of each history.
    """

    def __init__(self, table: Table, actions: list[list[Any]]) -> None:
        self.game = table.game
        hands = table.hands
        longest = max(map(len, actions), default=0) + 1
        self._kind = np.full((hands, longest), UNKNOWN, np.int8)
        self._seat, self._value, self._suit = np.full((3, hands, longest), ABSENT, np.int32)
        self._lists: dict[tuple[int, int], list[int]] = {}
        self._unread: dict[int, Fault] = {}
        self._length = np.array([len(each) for each in actions])
        for h, each in enumerate(actions):
            if each and isinstance(each[-1], Fault):
                self._unread[h] = each[-1]
                self._length[h] -= 1
            read = [a for a in each if not isinstance(a, Fault)]
            if read:
                kinds, seats, values, suits, lists = zip(*read, strict=True)
                n = len(read)
                self._kind[h, :n], self._seat[h, :n] = kinds, seats
                self._value[h, :n], self._suit[h, :n] = values, suits
                self._lists |= {(h, a): cards for a, cards in enumerate(lists) if cards is not None}
        self._next = np.zeros(hands, np.int64)
        self.faults: list[Fault | None] = [None] * hands
        self._going = np.ones(hands, np.bool_)

    def _fault(self, hand: int, clause: str, message: str) -> None:
        self.faults[hand] = Fault("illegal", int(self._next[hand]), clause, message)
        self._going[hand] = False

    def _is_next(
        self, hands: NDArray[np.int64], do: str, seats: NDArray[np.integer] | None = None
    ) -> NDArray[np.bool_]:
        """In which hands still followed the next action is of this kind (and seat)."""
        now = self._next[hands]
        out = self._going[hands] & (now < self._length[hands])
        out &= self._kind[hands, now] == KINDS.index(do)
        return out if seats is None else out & (self._seat[hands, now] == seats)

    def _due(
        self, hands: NDArray[np.int64], seats: NDArray[np.integer], do: str
    ) -> NDArray[np.bool_]:
        """In which hands the next action is of this kind and seat; faults in the others."""
        due = self._is_next(hands, do, seats)
        for i in np.flatnonzero(self._going[hands] & ~due):
            self._untimely(int(hands[i]), f"seat {seats[i]} is to {do}", do)
        return due

    def _untimely(self, hand: int, wanted: str, due: str = "") -> None:
        """Note that the next action is missing, unreadable or another than wanted."""
        a = int(self._next[hand])
        if self._stops(hand):
            if hand in self._unread:
                self.faults[hand] = self._unread[hand]
                self._going[hand] = False
            else:
                self._fault(hand, "turn", f"the history stops where {wanted}")
            return
        kind = int(self._kind[hand, a])
        do = KINDS[kind] if kind >= 0 else "something unknown"
        clause = self.game.untimely_clause(do, due)
        self._fault(hand, clause, f"seat {self._seat[hand, a]} is said to {do}, where {wanted}")

    def _stops(self, hand: int) -> bool:
        """Whether no further action can be read."""
        return bool(self._next[hand] >= self._length[hand])

    def end(self) -> None:
        """Note actions that are left when the hands are over."""
        for hand in np.flatnonzero(self._going):
            if self._next[hand] < self._length[hand] or hand in self._unread:
                self._untimely(int(hand), "the hand is over")

    # -- what policies are asked

    def give(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are given."""
        return self._apart(view, "give", self.game.gives, self.game.clauses.give)

    def discard(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are discarded."""
        if view.offers:
            return self.offered_discards(view)
        return self._apart(view, "discard", self.game.discards, self.game.clauses.discard)

    def contract(self, view: View) -> NDArray[Any]:
        """The contracts that the histories say are chosen."""
        hands = view._origin
        out = view.contracts.argmax(axis=1)
        for i in np.flatnonzero(self._due(hands, view.seat, "contract")):
            hand = int(hands[i])
            chosen = int(self._value[hand, self._next[hand]])
            if chosen >= 0 and view.contracts[i, chosen]:
                out[i] = chosen
                self._next[hand] += 1
            else:
                may = ", ".join(
                    str(self.game.contracts[k]) for k in np.flatnonzero(view.contracts[i])
                )
                clause = self.game.contract_clause(max(chosen, NO_CONTRACT))
                self._fault(hand, clause, f"seat {view.seat[i]} may choose one of {may}")
        return out

    def _apart(self, view: View, do: str, count: int, clause: str) -> NDArray[Any]:
        hands, holds = view._origin, view.holds
        fewest = self.game.fewest_discards if do == "discard" else count
        out = np.argsort(~holds, axis=1, kind="stable")[:, :count]
        for i in np.flatnonzero(self._due(hands, view.seat, do)):
            hand = int(hands[i])
            cards = self._lists[hand, int(self._next[hand])]
            who = f"seat {view.seat[i]}"
            right = f"{count}" if fewest == count else f"{fewest} to {count}"
            if not fewest <= len(cards) <= count:
                self._fault(hand, clause, f"{who} must {do} {right} cards, not {len(cards)}")
            elif len(set(cards)) < len(cards) or not all(c >= 0 and holds[i, c] for c in cards):
                held = " ".join(view.deck.cards_in(view.holding[i]))
                self._fault(hand, "holding", f"{who} must {do} {right} different cards of {held}")
            else:
                out[i] = [*cards, *[NOTHING] * (count - len(cards))]
                self._next[hand] += 1
        return out

    def bid(self, view: View) -> NDArray[Any]:
        """The bids that the histories say; a forced drop may be left out."""
        if view.offers:
            return self.named_bids(view)
        hands = view._origin
        forced = self._going[hands] & (view.min_bid > view.max_bid)
        left_out = forced & ~self._is_next(hands, "bid", view.seat)
        out = np.full(len(view), PASS, np.int64)
        asked = np.flatnonzero(~left_out)
        due = self._due(hands[asked], view.seat[asked], "bid")
        for i in asked[due]:
            hand = int(hands[i])
            bid = int(self._value[hand, self._next[hand]])
            if bid == PASS or view.min_bid[i] <= bid <= view.max_bid:
                out[i] = bid
                self._next[hand] += 1
            else:
                allowed = "may only drop out"
                if view.min_bid[i] <= view.max_bid:
                    allowed = f"may bid {view.min_bid[i]} to {view.max_bid}, or drop out"
                self._fault(hand, self.game.clauses.bid, f"seat {view.seat[i]} {allowed}")
        return out

    def trumps(self, view: View) -> NDArray[Any]:
        """The suits that the histories say are named."""
        hands = view._origin
        out = np.zeros(len(view), np.int64)
        due = self._due(hands, view.seat, "trumps")
        _, suit = self._stated(hands, due)
        right = due & (suit >= 0)
        out[right] = suit[right]
        self._next[hands[right]] += 1
        for i in np.flatnonzero(due & ~right):
            letters = " ".join(s.letter for s in view.deck.suits)
            message = f"seat {view.seat[i]} must name one of {letters} trumps"
            self._fault(int(hands[i]), self.game.clauses.trumps, message)
        return out

    def call(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are called."""
        if view.offers:
            return self.offered_call(view)
        hands = view._origin
        out = np.full(len(view), ALONE, np.int64)
        due = self._due(hands, view.seat, "call")
        card, _ = self._stated(hands, due)
        may = (card >= 0) & view.may_call[np.arange(len(view)), card.clip(0)]
        right = due & (may | (card == ALONE))
        out[right] = card[right]
        self._next[hands[right]] += 1
        for i in np.flatnonzero(due & ~right):
            said = card_name(view.deck, card[i]) if card[i] >= 0 else "what is no card"
            message = (
                f"seat {view.seat[i]} may not call {said}, but a card that it neither holds nor "
                "has discarded, or play alone"
            )
            self._fault(int(hands[i]), self.game.clauses.call, message)
        return out

    def play(self, view: View) -> Answer:
        """The cards that the histories say are played."""
        cards, played_as = self._any_legal(view)
        hands = view._origin
        due = self._due(hands, view.seat, "play")
        card, suit = self._stated(hands, due)
        printed = self.game.deck.suit_of[card.clip(0)]
        named = np.where(suit == ABSENT, printed, suit)
        legal = self._among(view.legal_printed, view.legal_other, view.names, card, printed, suit)
        right = due & legal
        cards[right], played_as[right] = card[right], named[right]
        self._next[hands[right]] += 1
        for i in np.flatnonzero(due & ~legal):
            self._wrong_card(view, int(i), int(card[i]), int(suit[i]))
        return cards, played_as

    def revoke(self, view: View) -> Answer:
        """The cards that the histories say break the rules; all else is left to :meth:`play`."""
        hands = view._origin
        timely = self._is_next(hands, "play", view.seat)
        card, suit = self._stated(hands, timely)
        printed = self.game.deck.suit_of[card.clip(0)]
        stated = card, printed, suit
        legal = self._among(view.legal_printed, view.legal_other, view.names, *stated)
        freely = self._among(view.any_printed, view.any_other, view.any_names, *stated)
        revokes = timely & freely & ~legal
        self._next[hands[revokes]] += 1
        return np.where(revokes, card, HONEST), np.where(suit == ABSENT, printed, suit)

    def _stated(
        self, hands: NDArray[np.int64], where: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Card and suit of the next action in the hands chosen, none in the others."""
        now = self._next[hands]
        card = np.where(where, self._value[hands, now], UNKNOWN)
        return card, np.where(where, self._suit[hands, now], ABSENT)

    def _among(
        self,
        printed_masks: NDArray[np.uint32],
        other_masks: NDArray[np.uint32],
        names: NDArray[np.uint16],
        card: NDArray[np.int32],
        printed: NDArray[np.int8],
        suit: NDArray[np.int32],
    ) -> NDArray[np.bool_]:
        """Whether each card may be played as is stated."""
        deck, rows = self.game.deck, np.arange(len(card))
        known = card >= 0
        rank = deck.rank_of[card.clip(0)].astype(np.uint32)
        as_printed = (printed_masks[rows, printed] >> rank & 1) > 0
        led_excuse = (printed == deck.excuse) & (names > 0)
        plain = as_printed & (suit == ABSENT) & ~led_excuse
        named = as_printed & led_excuse & (suit >= 0) & (names >> suit.clip(0) & 1 > 0)
        turned = (other_masks[rows, printed] >> rank & 1) > 0
        turned &= (suit >= 0) & (suit == self.game.rules.other_suit[card.clip(0)])
        return known & (plain | named | turned)

    def _any_legal(self, view: View) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        cards, played_as = np.empty((2, len(view)), np.int16)
        choose_uniformly(
            self.game.rules,
            view.legal_printed,
            view.legal_other,
            view.names,
            view.n_legal,
            np.zeros(len(view), np.uint32),
            cards,
            played_as,
        )
        return cards, played_as

    def _wrong_card(self, view: View, i: int, card: int, suit: int) -> None:
        hand, deck = int(view._origin[i]), self.game.deck
        who = f"seat {view.seat[i]}, trick {view.trick}:"
        if card == UNKNOWN or not view.holds[i, card]:
            held = " ".join(deck.cards_in(view.holding[i]))
            name = card_name(deck, card) if card >= 0 else "a card that is not in the pack"
            self._fault(hand, "holding", f"{who} {name} is not held; the seat holds {held}")
            return
        leading = view.position == 0
        printed = int(deck.suit_of[card])
        led_excuse = printed == deck.excuse and leading
        if (suit == printed and not led_excuse) or (
            suit != ABSENT and printed == deck.excuse and not leading
        ):
            self.faults[hand] = Fault(
                "malformed",
                int(self._next[hand]),
                "format",
                f"{who} {deck.cards[card]} is played as printed: 'as' does not belong there",
            )
            self._going[hand] = False
            return
        attempt = Attempt(
            leading,
            int(view.lead[i]),
            int(view.trump[i]),
            view.holding[i],
            card,
            None if suit == ABSENT else suit,
        )
        said = deck.cards[card]
        if suit != ABSENT:
            said += f" as {deck.suits[suit].letter if suit >= 0 else 'another suit'}"
        free = self.game.chance_caught > 0
        masks = (view.legal_printed, view.legal_other, view.names)
        legal = ", ".join(answers(deck, *(mask[i] for mask in masks)))
        allowed = "any card, as a suit it has" if free else f"one of {legal}"
        clause = self.game.play_clause(attempt)
        self._fault(hand, clause, f"{who} {said} may not be played; {allowed} may")

    # -- what nobody chooses

    def pass_over(self, do: str, table: Table, rows: NDArray[np.int64] | None = None) -> None:
        """Skip a step that leaves nothing to choose, where the histories name it."""
        some = slice(None) if rows is None else rows
        hands, now = table.origin[some], self._next[table.origin[some]]
        named = self._is_next(hands, do, table.state.seat[some])
        for hand, action in zip(hands[named].tolist(), now[named].tolist(), strict=True):
            # Neither cards nor a card: what leaves nothing to choose can only be declined.
            if self._lists.get((hand, action)) or self._value[hand, action] != ABSENT:
                clause = getattr(self.game.clauses, "contra" if do in CONTRAS else do)
                self._fault(hand, clause, f"there is nothing to {do}")
            else:
                self._next[hand] += 1

    # -- what chance brings

    def roll(self, table: Table, faces: int) -> NDArray[np.int64]:
        """The faces that the histories say are rolled."""
        hands = table.origin
        out = np.zeros(table.hands, np.int64)
        due = self._due(hands, table.state.leader, "roll")
        suit = self._suit[hands, self._next[hands]]
        right = due & (suit >= 0) & (suit < faces)
        out[right] = suit[right]
        self._next[hands[right]] += 1
        for hand in hands[due & ~right]:
            letters = " ".join(s.letter for s in table.game.deck.suits[:faces])
            self._fault(int(hand), self.game.clauses.roll, f"the die's faces are {letters}")
        return out

    def calls(self, table: Table, revoked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The seats that the histories say are caught after this trick."""
        hands = table.origin
        called = np.zeros_like(revoked)
        for _ in range(table.game.players):
            for i in np.flatnonzero(self._is_next(hands, "caught")):
                hand = int(hands[i])
                seat = int(self._seat[hand, self._next[hand]])
                inside = 0 <= seat < table.game.players
                if inside and revoked[i, seat] and not called[i, seat]:
                    called[i, seat] = True
                    self._next[hand] += 1
                else:
                    clause = self.game.clauses.untimely["caught"]
                    self._fault(
                        hand, clause, f"seat {seat} did not revoke in this trick, or was caught"
                    )
        return called
