"""``careful``: counts cards, and weighs what a card wins now against what it may win later."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.bidding import ALONE, NO_SEAT, PASS
from tricklab.bits import top
from tricklab.cards import MAX_RANKS
from tricklab.policies.avoid_kernels import avoid_play
from tricklab.policies.base import Answer, Policy
from tricklab.policies.careful_kernels import careful_play
from tricklab.policies.known import Aims, Known, Plans
from tricklab.policies.parting_kernels import avoid_discard, careful_give, keep_good, part_with
from tricklab.view import View

OPEN_DECAY = 0.97
"""Factor to a card's worth for each higher one unseen in hands without trumps: nothing cuts a long
suit short there, so that its lower cards win as well in the end."""


@dataclass(frozen=True)
class Careful(Policy):
    """Plays the card with the best balance of chance now and worth later.

    It knows which cards are still unseen, which of its own are therefore masters, who has shown
    which void, and (after a give) what its left neighbour holds.  For each legal answer it
    estimates the chance that its side takes the trick, the other holdings being random among the
    unseen cards, and subtracts what the card would be worth if kept.  Barbarians are spent where
    the alternative is to waste a card worth more.  Where tricks are to be avoided it weighs the
    chance of taking this one against the danger that the cards it keeps will take others.  It
    chooses the contract by the game's fitted estimate and exchanges what that makes bad.  It never
    cheats and never guesses at random.
    """

    caution: float = options.option(
        1.5,
        "how much faster than now a suit is ruffed later: the power of the chance that the "
        "highest card left of a suit is not",
        low=0.5,
        high=5,
    )
    decay: float = options.option(
        0.48, "factor to a card's worth for each higher card of its suit unseen", low=0, high=1
    )
    trump_floor: float = options.option(
        0.38,
        "worth of keeping the lowest trump at the start, less as the hand is played out",
        low=0,
        high=1,
    )
    trump_decay: float = options.option(
        0.83,
        "factor to a trump's worth above the lowest for each higher one unseen",
        low=0,
        high=1,
    )
    excuse: float = options.option(
        0.32, "worth of keeping a barbarian when no other is held", low=0, high=1
    )
    void: float = options.option(
        0.18,
        "worth of playing the last card of an ordinary suit while holding trumps",
        low=0,
        high=1,
    )
    trust: float = options.option(
        0.4, "chance that a partner still to play wins the trick if it can", low=0, high=1
    )
    alliance: float = options.option(
        0.8,
        "the same of an ally, where there is a contract to make or to break",
        low=0,
        high=1,
    )
    unblock: float = options.option(
        0.3,
        "how much less a card is worth keeping in a suit that an ally has led, where there is a "
        "contract",
        low=0,
        high=1,
    )
    give_void: float = options.option(
        0.3, "worth of a void made by giving a suit away", low=0, high=2
    )

    save: float = options.option(
        0.9,
        "share of what a card pays that is saved by discarding it, where discards count",
        low=0,
        high=2,
    )
    assurance: float = options.option(
        0.6,
        "chance from which it announces that something will happen, or doubles a claim",
        low=0,
        high=1,
    )
    margin: float = options.option(
        -0.25,
        "how far above the estimate of its holding it bids, in average tricks",
        low=-10,
        high=10,
    )

    name = "careful"

    def play(self, view: View) -> Answer:
        """The answer with the best balance; see the class.

        Against a declarer that has named trumps, the highest card is led of the suit that beats
        most others, of several the shortest; trumps last.  What would beat the cards that are kept
        is drawn so, and trumps are the declarer's own.
        """
        printed, count = view.legal_printed, view.n_legal
        if view.game.names_trumps and view.position == 0:
            printed, count = _defence(view)
        cards, played_as, _ = self._weigh(view, printed, view.legal_other, view.names, count)
        return cards, played_as

    def _weigh(
        self,
        view: View,
        printed: NDArray[np.uint32],
        other: NDArray[np.uint32],
        names: NDArray[np.uint16],
        count: NDArray[np.int16],
    ) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.float64]]:
        """The best answers of those allowed, and their balances where ``count`` is not 1."""
        cards = np.empty(len(view), np.int16)
        played_as = np.empty(len(view), np.int16)
        balances = np.empty(len(view))
        given, gone = view.given, view.played
        if view.game.discards:
            gone = view.played | view.discards
            # What was given to the declarer may have been discarded since.
            to_declarer = (view.seat + 1) % view.game.players == view.declarer
            given = np.where(to_declarer[:, None], np.uint32(0), given)
        friendly = view.game.friendly(view)
        plans = Plans(*view.game.plans(view, friendly))
        known = Known(
            view.holding,
            printed,
            other,
            names,
            count,
            gone,
            view.voids,
            given,
            view.seat,
            view.trump,
            view.lead,
            view.best_seat,
            view.best_suit,
            view.best_strength,
            friendly,
            view.table_cards,
        )
        held = view.game.n_tricks - view.trick + 1
        rivals = np.empty((2, view.game.players), np.int64)
        shares = np.empty((2, view.game.players))
        rules, aim, aims = view.game.rules, view.game.aim(view), self._aims(view)
        careful_play(
            rules,
            known,
            aim,
            aims,
            plans,
            view.position,
            held,
            rivals,
            shares,
            cards,
            played_as,
            balances,
        )
        if (aim < 0).any():
            avoid_play(rules, known, aim, aims, view.position, cards, played_as, balances)
        return cards, played_as, balances

    def give(self, view: View) -> NDArray[Any]:
        """Cards of little worth, from suits that can be given away whole where that pays."""
        return self._lose(view, view.game.gives, view.trump)

    def _lose(self, view: View, count: int, trump: NDArray[np.int8]) -> NDArray[Any]:
        """Cards to be rid of, trumps being or going to be what is said, (n,)."""
        cards = np.empty((len(view), count), np.int16)
        worth = np.empty(view.deck.n_cards)
        aims = self._aims(view)
        careful_give(view.game.rules, view.holding, trump, aims, worth, cards)
        return cards

    def discard(self, view: View) -> NDArray[Any]:
        """As it would give cards away: they are lost either way.

        Where it may keep cards, it discards only what is worse than what may be drawn; where
        tricks are to be avoided, what is most dangerous to keep.  Where it is still to name trumps,
        it tries every suit and takes the best by the estimate of what is left.
        """
        count, deck = view.game.discards, view.deck
        if "count" in view.offers:
            may, due = view.offers["may_discard"], view.offers["count"]
            cards = np.empty((len(view), count), np.int16)
            worth = np.empty(deck.n_cards)
            part_with(
                view.game.rules,
                view.holding,
                may,
                due,
                view.trump,
                self._aims(view),
                self.save,
                worth,
                cards,
            )
            return cards
        if not view.game.names_trumps:
            cards = self._lose(view, count, view.trump)
            if view.game.fewest_discards < count:
                rules, aim = view.game.rules, view.game.aim(view)
                keep_good(rules, view.holding, view.trump, self._aims(view), cards)
                avoid_discard(rules, view.holding, aim, cards)
            return cards
        best = np.full(len(view), -np.inf)
        out = np.zeros((len(view), count), np.int16)
        for suit in range(deck.n_suits):
            cards = self._lose(view, count, np.full(len(view), suit, np.int8))
            left = view.holding & ~deck.masks_of_rows(cards)
            worth = view.game.trump_worth(view, left, suit)
            out[worth > best] = cards[worth > best]
            best = np.maximum(best, worth)
        return out

    def contract(self, view: View) -> NDArray[Any]:
        """The contract of most worth, by the game's estimate."""
        worth = np.where(view.contracts, view.game.contract_worth(view), -np.inf)
        return worth.argmax(axis=1)

    def trumps(self, view: View) -> NDArray[Any]:
        """The suit of most worth by the game's estimate."""
        suits = range(view.deck.n_suits)
        worth = [view.game.trump_worth(view, view.holding, suit) for suit in suits]
        return np.argmax(worth, axis=0)

    def call(self, view: View) -> NDArray[Any]:
        """The card whose holder helps most by the game's estimate, or nobody."""
        worth = view.game.call_worth(view)
        worth[:, :-1][~view.may_call] = -np.inf
        best = worth.argmax(axis=1)
        return np.where(best == view.deck.n_cards, ALONE, best)

    def bid(self, view: View) -> NDArray[Any]:
        """What the holding is expected to take, plus the margin; see the class."""
        if view.game.bids:
            return view.game.named_bid(view, self.margin)
        limit = np.floor(view.game.bid_limit(view, self.margin)).astype(np.int64)
        wanted = view.game.wanted_bid(view, limit)
        return np.where(limit >= view.min_bid, np.clip(wanted, view.min_bid, view.max_bid), PASS)

    def annul(self, view: View) -> NDArray[Any]:
        """Annuls where playing the hand is worth less than another deal, by the game's estimate."""
        return (view.game.annul_worth(view) > 0).astype(np.int64)

    def announce(self, view: View) -> NDArray[Any]:
        """What its side will make with the chance asked for, by the game's estimate."""
        return view.game.announcements(view, self.assurance)

    def contra(self, view: View) -> NDArray[Any]:
        """What is likely enough to pay when doubled, by the game's estimate; and what it must."""
        return view.game.doublings(view, self.assurance) | view.offers["must_contra"]

    def _aims(self, view: View) -> Aims:
        game = view.game
        points, kept, trick, typical = game.values
        contract = (view.declarer != NO_SEAT).any()
        held = game.n_tricks - max(view.trick - 1, 0)
        unseen = game.deck.n_cards - held - (game.n_tricks - held) * game.players - view.position
        plain, by_higher, trumps, misses = _worths(
            self.caution,
            self.decay,
            self.trump_floor * held / game.n_tricks,
            self.trump_decay**game.trump_fall,
            game.players,
            unseen,
            held,
        )
        return Aims(
            plain * game.patience,
            by_higher,
            trumps,
            self.excuse,
            self.void,
            self.alliance if contract else self.trust,
            self.give_void,
            self.unblock if contract else 0.0,
            game.lasting_trumps,
            points,
            kept,
            trick,
            typical,
            misses,
        )


def _defence(view: View) -> tuple[NDArray[np.uint32], NDArray[np.int16]]:
    """What is led by preference, and how many choices that leaves; see :meth:`Careful.play`."""
    rows = np.arange(len(view))
    held = view.legal_printed
    count = np.bitwise_count(held).astype(np.int64)
    high = top(held)
    power = np.bitwise_count(view.game.rules.beats[view.trump]).astype(np.int64)
    # One suit after the other by power, then by shortness, then by the highest card.
    order = (power * MAX_RANKS - count) * MAX_RANKS + high
    order[rows, view.trump] = -(MAX_RANKS**2)
    order[count == 0] = -2 * MAX_RANKS**2
    suit = order.argmax(axis=1)
    one = np.zeros_like(held)
    one[rows, suit] = np.uint32(1) << high[rows, suit].astype(np.uint32)
    against = view.allies >> view.declarer.astype(np.uint16) & 1 == 0
    printed = np.where(against[:, None], one, held)
    return printed, np.where(against, np.int16(1), view.n_legal)


@lru_cache(maxsize=4096)
def _worths(
    caution: float,
    decay: float,
    floor: float,
    trump_decay: float,
    players: int,
    unseen: int,
    held: int,
) -> tuple[NDArray[Any], ...]:
    """Tables of what cards are worth; the same for all hands at one step.

    Returns
    -------
    plain, decay, trumps, misses
        As in :class:`~tricklab.policies.known.Aims`.
    """
    k = np.arange(unseen)
    ratio = np.maximum(unseen - held - k, 0) / np.maximum(unseen - k, 1)
    misses = np.concatenate([[1.0], np.cumprod(ratio)])
    count = np.arange(MAX_RANKS + 1)
    shown = misses[np.minimum(count, unseen)]
    ruffed = np.outer(shown, 1 - shown)
    plain = (1 - ruffed) ** (caution * (players - 1))
    trumps = floor + (1 - floor) * trump_decay**count
    by_higher = np.stack([decay**count, OPEN_DECAY**count])
    return plain, by_higher, np.asarray(trumps), misses
