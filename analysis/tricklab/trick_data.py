"""A trick as data: the rules of a game, where each hand of a block stands, what may be played.

What differs between games is here; the kernels in :mod:`tricklab.tricks` are the same for all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import NO_SUIT, Deck, read_only

NO_CARD = 255
"""Stands for "no card yet" in the records of a trick."""

NO_VALUE = -1
"""Strength of a led excuse card: any card of the suit it names beats it (J12)."""

AS_PRINTED = -1
"""An answer's "played as" that leaves the choice to the rules."""

TRICK_LIMIT = 120
"""Tricks a hand can have: counts of tricks are kept in eight bits."""


class Rules(NamedTuple):
    """The trick rules of a game as data (all arrays read-only by convention).

    Attributes
    ----------
    offset : int16 (n_suits,)
        Index of each suit's lowest card.
    suit_of, rank_of : int8 (n_cards,)
        A card's printed suit and its bit there.
    strength : int16 (n_cards, 2)
        Strength among cards of the suit it is played as: printed, and in the other suit.
    other_suit : int8 (n_cards,)
        Second suit a card may be played as, or ``NO_SUIT``.
    other_mask : uint32 (n_suits, n_suits)
        ``[s, t]``: the cards of suit s whose second suit is t.
    courts : uint32 (n_suits,)
        The cards of each suit that have a second suit.
    beats : uint16 (n_suits + 1, n_suits)
        ``[trump, s]``: the set of suits that any card of suit s beats when ``trump`` is trumps
        (last row: no trumps).
    beaten_by : uint16 (n_suits + 1, n_suits)
        ``[trump, s]``: the set of suits of which any card beats any of suit s: ``beats`` turned
        round.
    full : uint32 (n_suits,)
        All cards of each suit.
    excuse : int
        Suit that may always be played and never wins, or ``NO_SUIT``.
    two_suited : bool
        Whether any card has a second suit.
    void_must_trump : bool
        Whether a follower without the suit must play a trump.
    follow_winner : bool
        Whether the suit to follow is that of the card now winning, not of the card led.
    trumps_need_breaking : bool
        Whether trumps may be led only once broken, unless nothing else is held.
    excuse_led_last : bool
        Whether an excuse card may be led only from a holding of nothing else.
    winner_leads : bool
        Whether a trick's winner leads the next; otherwise the lead passes clockwise.
    gang : uint32
        Trumps that, all of them in one trick, let the lowest of them win it; 0 for none (E18).
    """

    offset: NDArray[np.int16]
    suit_of: NDArray[np.int8]
    rank_of: NDArray[np.int8]
    strength: NDArray[np.int16]
    other_suit: NDArray[np.int8]
    other_mask: NDArray[np.uint32]
    courts: NDArray[np.uint32]
    beats: NDArray[np.uint16]
    beaten_by: NDArray[np.uint16]
    full: NDArray[np.uint32]
    excuse: int
    two_suited: bool
    void_must_trump: bool
    follow_winner: bool
    trumps_need_breaking: bool
    excuse_led_last: bool
    winner_leads: bool
    gang: np.uint32


class State(NamedTuple):
    """Where each hand of a block stands: H hands, P seats, S suits.

    Attributes
    ----------
    hold : uint32 (H, P, S)
        Cards held.
    played : uint32 (H, S)
        Cards played so far.
    voids : uint16 (H, P)
        Suits each seat has shown that it does not hold.
    seat, leader : int8 (H,)
        Whose turn it is, and who leads the trick.
    trump, lead : int8 (H,)
        Suit that is trumps in this trick and suit that was led, or ``NO_SUIT``.
    best_seat, best_suit : int8 (H,), best_strength : int16 (H,)
        The card now winning.
    broken : int8 (H,)
        Trick, from 1, in which trumps were broken; 0 while they are not.
    tricks : int8 (H, P)
        Tricks taken.
    saves : int8 (H, P)
        Excuses played where a trump would have been due.
    forced : int8 (H, P)
        Plays with one legal answer only.
    banned : uint32 (H, P)
        Trumps that each seat may not play while it may play another card (E19).
    met : uint32 (H,), lowest : int8 (H,)
        Cards of the gang on the table, and who played the lowest of them.
    """

    hold: NDArray[np.uint32]
    played: NDArray[np.uint32]
    voids: NDArray[np.uint16]
    seat: NDArray[np.int8]
    leader: NDArray[np.int8]
    trump: NDArray[np.int8]
    lead: NDArray[np.int8]
    best_seat: NDArray[np.int8]
    best_suit: NDArray[np.int8]
    best_strength: NDArray[np.int16]
    broken: NDArray[np.int8]
    tricks: NDArray[np.int8]
    saves: NDArray[np.int8]
    forced: NDArray[np.int8]
    banned: NDArray[np.uint32]
    met: NDArray[np.uint32]
    lowest: NDArray[np.int8]


class Legal(NamedTuple):
    """What the seat whose turn it is may answer, a row a hand.

    Attributes
    ----------
    own : uint32 (H, S)
        Its holding.
    printed : uint32 (H, S)
        Cards it may play as their printed suit (excuse cards included).
    other : uint32 (H, S)
        Cards it may play as their second suit.
    names : uint16 (H,)
        Suits an excuse card may name: a set when leading, else 0.
    count : int16 (H,)
        Number of different answers.
    """

    own: NDArray[np.uint32]
    printed: NDArray[np.uint32]
    other: NDArray[np.uint32]
    names: NDArray[np.uint16]
    count: NDArray[np.int16]  # type: ignore[assignment]  # hides tuple.count


def trick_rules(
    deck: Deck,
    *,
    two_suited: bool = False,
    void_must_trump: bool = False,
    follow_winner: bool = False,
    trumps_need_breaking: bool = False,
    excuse_led_last: bool = False,
    winner_leads: bool = True,
    gang: int = 0,
    beats: NDArray[np.uint16] | None = None,
) -> Rules:
    """Trick rules over a deck; see :class:`Rules` for the switches.

    Parameters
    ----------
    deck : Deck
        The pack.
    two_suited : bool
        Whether cards may be played as their inverted suit.
    gang : int
        See :class:`Rules`; needs permanent trumps.
    beats : uint16 (n_suits + 1, n_suits), optional
        Which suits a suit beats under each trump; default: trumps beat all others.
    """
    n = deck.n_suits
    other_suit = deck.inverted_suit if two_suited else np.full(deck.n_cards, NO_SUIT, np.int8)
    other_mask = np.zeros((n, n), dtype=np.uint32)
    for card in np.flatnonzero(other_suit >= 0):
        bit = np.uint32(1 << int(deck.rank_of[card]))
        other_mask[deck.suit_of[card], other_suit[card]] |= bit
    if beats is None:
        beats = np.zeros((n + 1, n), dtype=np.uint16)
        beats[np.arange(n), np.arange(n)] = [((1 << n) - 1) & ~(1 << s) for s in range(n)]
    suits = np.arange(n)
    turned = ((beats[:, :, None] >> suits & 1) << suits[:, None]).sum(axis=1).astype(np.uint16)
    # An upright card outranks an inverted one of its rank (J17): even strengths are inverted.
    strength = np.stack([2 * deck.rank_of + 1, 2 * deck.inverted_rank], axis=1).astype(np.int16)
    excuse = NO_SUIT if deck.excuse is None else deck.excuse
    return Rules(
        deck.offset,
        deck.suit_of,
        deck.rank_of,
        read_only(strength),
        read_only(other_suit),
        read_only(other_mask),
        read_only(np.bitwise_or.reduce(other_mask, axis=1)),
        read_only(beats),
        read_only(turned),
        deck.full,
        excuse,
        two_suited,
        void_must_trump,
        follow_winner,
        trumps_need_breaking,
        excuse_led_last,
        winner_leads,
        np.uint32(gang),
    )
