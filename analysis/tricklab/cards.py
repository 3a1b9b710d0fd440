"""Decks and card notation.

A card is an index into its deck; its identity never changes.  Inside its suit it is one bit of a
``uint32`` rank mask, lowest rank at bit 0, so that a holding is one mask a suit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tricklab.errors import DeckError, UserError

Role = Literal["suit", "trump", "excuse"]

MAX_RANKS = 32
"""Ranks a suit can have: a holding keeps each suit in one 32-bit mask."""

MAX_SUITS = 15
"""Suits a deck can have, trumps and excuses included: a set of suits is a 16-bit mask."""

MAX_CARDS = 255
"""Cards a deck can have: the records keep a card in one byte."""

NO_SUIT = -1
"""Stands for "no suit" wherever a suit's index is kept."""

_DECK_KEYS = {"name", "title", "suits", "trumps", "barbarians", "inverted"}
_SUIT_KEYS = {"letter", "name", "ranks"}


@dataclass(frozen=True)
class Suit:
    """One suit of a deck.

    Attributes
    ----------
    letter : str
        The suit's letter in card notation.
    name : str
        The suit's name, such as ``"Bells"``.
    ranks : tuple of str
        Its ranks from low to high.
    role : {"suit", "trump", "excuse"}
        Ordinary suit, the permanent trumps, or the excuse cards (barbarians).
    """

    letter: str
    name: str
    ranks: tuple[str, ...]
    role: Role = "suit"

    @property
    def column(self) -> str:
        """The suit's name as a column or expression spells it."""
        return {"suit": self.name.lower(), "trump": "trumps", "excuse": "barbarians"}[self.role]


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself, made read-only: decks and rules are shared by everything in a process."""
    array.flags.writeable = False
    return array


def thaw_proof(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """An unpickled object's attributes, its arrays read-only again.

    Pickling forgets it, and to compiled kernels arrays that may be written are another type: a
    worker would compile them all once more.
    """
    for value in state.values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, np.ndarray):
                read_only(item)
    return state


@dataclass(frozen=True)
class Deck:
    """A pack of cards.

    Attributes
    ----------
    name, title : str
        Short name and a line of description.
    suits : tuple of Suit
        Ordinary suits first, then trumps, then excuse cards, where the deck has them.
    inverted : tuple of (card, suit letter)
        The second, inverted suit of each card that has one (J1).
    source : mapping
        The deck as its file states it, for hand histories and provenance.
    """

    name: str
    title: str
    suits: tuple[Suit, ...]
    inverted: tuple[tuple[str, str], ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(thaw_proof(state))

    def __repr__(self) -> str:
        return f"Deck({self.name!r}, {self.n_cards} cards)"

    @property
    def n_suits(self) -> int:
        """Number of suits, trumps and excuses included."""
        return len(self.suits)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Every card in notation, by card index."""
        return tuple(rank + suit.letter for suit in self.suits for rank in suit.ranks)

    @property
    def n_cards(self) -> int:
        """Number of cards in the pack."""
        return len(self.cards)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Card indices by card in notation."""
        return {card: i for i, card in enumerate(self.cards)}

    @cached_property
    def offset(self) -> NDArray[np.int16]:
        """Index of each suit's lowest card, shape (n_suits,)."""
        sizes = [len(suit.ranks) for suit in self.suits]
        return read_only(np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int16))

    @cached_property
    def suit_of(self) -> NDArray[np.int8]:
        """Printed suit of each card, shape (n_cards,)."""
        sizes = [len(suit.ranks) for suit in self.suits]
        return read_only(np.repeat(np.arange(self.n_suits), sizes).astype(np.int8))

    @cached_property
    def rank_of(self) -> NDArray[np.int8]:
        """Bit number of each card in its suit's mask, shape (n_cards,)."""
        return read_only((np.arange(self.n_cards) - self.offset[self.suit_of]).astype(np.int8))

    @cached_property
    def full(self) -> NDArray[np.uint32]:
        """Mask of all cards of each suit, shape (n_suits,)."""
        return read_only(
            np.array([(1 << len(suit.ranks)) - 1 for suit in self.suits], dtype=np.uint32)
        )

    @cached_property
    def inverted_suit(self) -> NDArray[np.int8]:
        """Second suit of each card, ``NO_SUIT`` where it has none, shape (n_cards,)."""
        out = np.full(self.n_cards, NO_SUIT, dtype=np.int8)
        for card, letter in self.inverted:
            out[self.index(card)] = self.suit_index(letter)
        return read_only(out)

    @cached_property
    def inverted_rank(self) -> NDArray[np.int8]:
        """Bit number of each card in its second suit (that of the same rank there), or -1."""
        out = np.full(self.n_cards, -1, dtype=np.int8)
        for card, letter in self.inverted:
            out[self.index(card)] = self.suits[self.suit_index(letter)].ranks.index(card[:-1])
        return read_only(out)

    @cached_property
    def trump(self) -> int | None:
        """Index of the trump suit, or None."""
        return next((i for i, suit in enumerate(self.suits) if suit.role == "trump"), None)

    @cached_property
    def excuse(self) -> int | None:
        """Index of the excuse cards' suit, or None."""
        return next((i for i, suit in enumerate(self.suits) if suit.role == "excuse"), None)

    def suit_index(self, letter: str) -> int:
        """Index of the suit with this letter; :class:`UserError` if the deck has none."""
        for i, suit in enumerate(self.suits):
            if suit.letter == letter:
                return i
        letters = ", ".join(f"{suit.letter} ({suit.name})" for suit in self.suits)
        raise UserError(f"there is no suit {letter!r} in deck {self.name}; its suits are {letters}")

    def index(self, card: str) -> int:
        """Index of a card in notation; :class:`UserError` if the deck has no such card."""
        try:
            return self.numbers[card]
        except (KeyError, TypeError):
            pass
        known = "; ".join(
            f"{suit.letter} ({suit.name}): {' '.join(suit.ranks)}" for suit in self.suits
        )
        raise UserError(
            f"there is no card {card!r} in deck {self.name}; a card is rank then suit, of {known}"
        )

    def parse(self, text: str | Sequence[str]) -> list[int]:
        """Card indices of cards in notation, given as a list or as one text with spaces."""
        return [self.index(card) for card in (text.split() if isinstance(text, str) else text)]

    def masks(self, cards: Iterable[int]) -> NDArray[np.uint32]:
        """Rank masks of a set of card indices, shape (n_suits,); a card twice is an error."""
        out = np.zeros(self.n_suits, dtype=np.uint32)
        for card in cards:
            bit = np.uint32(1 << int(self.rank_of[card]))
            if out[self.suit_of[card]] & bit:
                raise UserError(f"card {self.cards[card]} is there twice")
            out[self.suit_of[card]] |= bit
        return out

    def masks_of_rows(self, cards: NDArray[np.integer]) -> NDArray[np.uint32]:
        """Rank masks of rows of different cards of shape (n, k), shape (n, n_suits)."""
        out = np.zeros((len(cards), self.n_suits), dtype=np.uint32)
        rows = np.arange(len(cards))
        for column in cards.T:
            out[rows, self.suit_of[column]] |= np.uint32(1) << self.rank_of[column].astype(
                np.uint32
            )
        return out

    def cards_in(self, masks: NDArray[np.uint32]) -> list[str]:
        """Cards in notation of one holding's masks of shape (n_suits,), in deck order."""
        return [
            card
            for i, card in enumerate(self.cards)
            if int(masks[self.suit_of[i]]) >> int(self.rank_of[i]) & 1
        ]

    def flags(self, masks: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Masks of shape (…, n_suits) as one flag a card, shape (…, n_cards)."""
        return (masks[..., self.suit_of] >> self.rank_of.astype(np.uint32) & 1).astype(np.bool_)

    @classmethod
    def load(cls, path: str | Path) -> Deck:
        """Read and check a deck file (TOML).

        Raises
        ------
        DeckError
            If the file cannot be read or states an impossible deck; the message names the file.
        """
        try:
            data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise DeckError(f"cannot read deck file {path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise DeckError(f"deck file {path} is not TOML: {error}") from None
        try:
            return cls.from_dict(data)
        except DeckError as error:
            raise DeckError(f"deck file {path}: {error}") from None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Deck:
        """Build a deck from the contents of a deck file and check it.

        Raises
        ------
        DeckError
            For a missing or repeated suit, a card twice, a card with two inverted suits, an
            inverted suit that is missing or has no such rank, or a deck too large to hold.
        """
        _known_keys("the deck", data, _DECK_KEYS)
        name = _text("the deck", data, "name")
        entries = data.get("suits")
        if not isinstance(entries, list) or not entries:
            raise DeckError("there are no suits: a deck needs a list [[suits]] (J1)")
        suits = [_suit(f"suit {i + 1}", entry, "suit") for i, entry in enumerate(entries)]
        if "trumps" in data:
            suits.append(_suit("trumps", data["trumps"], "trump"))
        if "barbarians" in data:
            suits.append(_suit("barbarians", data["barbarians"], "excuse"))
        for what in ("letter", "column"):
            seen = [getattr(suit, what) for suit in suits]
            for value in seen:
                if seen.count(value) > 1:
                    raise DeckError(f"two suits share the {what} {value!r}")
        if len(suits) > MAX_SUITS:
            raise DeckError(f"{len(suits)} suits are more than the {MAX_SUITS} that can be held")
        deck = cls(name, str(data.get("title", name)), tuple(suits), (), dict(data))
        if deck.n_cards > MAX_CARDS:
            raise DeckError(f"{deck.n_cards} cards are more than the {MAX_CARDS} that can be held")
        return cls(name, deck.title, deck.suits, _inverted(deck, data), dict(data))


def _known_keys(where: str, data: object, known: set[str]) -> None:
    if not isinstance(data, Mapping):
        raise DeckError(f"{where} must be a table, not {data!r}")
    for key in data:
        if key not in known:
            raise DeckError(f"{where} has an unknown entry {key!r}; known: {sorted(known)}")


def _text(where: str, data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise DeckError(f"{where} needs a text {key!r}")
    return value


def _suit(where: str, data: Any, role: Role) -> Suit:
    _known_keys(where, data, _SUIT_KEYS)
    letter = _text(where, data, "letter")
    if len(letter) != 1 or not letter.isalpha():
        raise DeckError(f"{where}: the letter must be one letter, not {letter!r}")
    ranks = data.get("ranks")
    if not isinstance(ranks, list) or not ranks:
        raise DeckError(f"suit {letter} needs a list of ranks, low to high")
    for rank in ranks:
        if not isinstance(rank, str) or not rank or any(c.isspace() for c in rank):
            raise DeckError(f"suit {letter}: a rank must be a text without spaces, not {rank!r}")
        if ranks.count(rank) > 1:
            raise DeckError(f"card {rank}{letter} is there twice")
    if len(ranks) > MAX_RANKS:
        raise DeckError(f"suit {letter} has {len(ranks)} ranks; at most {MAX_RANKS} can be held")
    return Suit(letter, _text(where, data, "name"), tuple(ranks), role)


def _inverted(deck: Deck, data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    pairs = data.get("inverted", {})
    if not isinstance(pairs, Mapping):
        raise DeckError('inverted must be a table, such as RB = "C"')
    out = []
    for card, letter in pairs.items():
        if not isinstance(letter, str):
            raise DeckError(
                f"card {card} has {letter!r} for an inverted suit; it can have one only"
            )
        try:
            printed = deck.suits[int(deck.suit_of[deck.index(card)])]
            other = deck.suits[deck.suit_index(letter)]
        except UserError as error:
            raise DeckError(f"inverted suits: {error}") from None
        if other is printed:
            raise DeckError(f"card {card} has its own suit for an inverted suit")
        if printed.role == "excuse" or other.role == "excuse":
            raise DeckError(f"card {card}: a barbarian has no suit to invert")
        if card[:-1] not in other.ranks:
            raise DeckError(f"card {card}: its inverted suit {letter} has no rank {card[:-1]}")
        out.append((card, letter))
    return tuple(out)
