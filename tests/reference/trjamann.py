"""Trjámann in plain Python, written from the rule sheet (clauses T1-T10).

This module is the independent check of the compiled game.  It imports nothing of the package, it
keeps cards as strings (``"10H"``) and it prefers the sheet's own words to speed.

An *action* is a dictionary of the hand-history format: ``seat``, ``do`` and further keys.  A
*trick* is the list of ``(seat, card)`` so far.  Every complaint is a ``ValueError`` that begins
with the clause, or with ``turn``, ``holding``, ``format`` or ``switch`` where no clause covers it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reference.envelope import dealer_of, play_through, rules_of, shares, timely

SUITS = "CDHS"
SPADES = "S"
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]  # T2: low to high
CONTRACTS = ("nullo", "grand", "spades", "other")  # T3
PLAYERS = 3
EACH = 16
MATCH_HANDS = PLAYERS * len(CONTRACTS)  # T5
ENOUGH = 10  # T10

KEYS = {"contract": "contract", "discard": "cards", "play": "card"}

Action = dict[str, Any]
Play = tuple[int, str]


@dataclass(frozen=True)
class Rules:
    """The switches of the sheet."""

    players: int = PLAYERS
    deck: str = "full"
    other_may_be_spades: bool = True
    max_exchange: int = 4
    end: str = "ten_or_twelve"
    max_hands: int = 120

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players != PLAYERS:
            raise ValueError("T2: 3 players")
        if self.deck not in ("full", "no_twos"):
            raise ValueError("T1: deck is full or no_twos")
        if type(self.other_may_be_spades) is not bool:
            raise ValueError("T4: other_may_be_spades is true or false")
        if type(self.max_exchange) is not int or not 0 <= self.max_exchange <= 4:
            raise ValueError("T6: max_exchange is 0-4")
        if self.end not in ("ten_or_twelve", "twelve_hands", "ten_points"):
            raise ValueError("T10: end is ten_or_twelve, twelve_hands or ten_points")
        if type(self.max_hands) is not int or self.max_hands < 1:
            raise ValueError("T10: max_hands is a whole number from 1")


# --------------------------------------------------------------------------------- cards


def suit(card: str) -> str:
    """The suit letter of a card."""
    return card[-1]


def strength(card: str) -> int:
    """How high a card ranks in its suit: ace high to two low, in every contract (T2)."""
    return RANKS.index(card[:-1])


def pack(rules: Rules) -> list[str]:
    """Every card of the deck (T1)."""
    ranks = RANKS if rules.deck == "full" else RANKS[1:]
    return [rank + letter for letter in SUITS for rank in ranks]


def cards_each(rules: Rules) -> int:
    """The cards each seat gets (T2)."""
    return EACH


def stock_size(rules: Rules) -> int:
    """The cards in the Manni (T1, T2)."""
    return len(pack(rules)) - PLAYERS * EACH


# ------------------------------------------------------------------------ playing to a trick


def trumps_of(contract: str, letter: str | None = None) -> str | None:
    """The trump suit of a contract (T3); None for Nullo and Grand."""
    return {"spades": SPADES, "other": letter}.get(contract)


def legal(holding: Sequence[str], trick: Sequence[Play]) -> list[str]:
    """The cards the seat to play may play (T8)."""
    if trick:
        led = suit(trick[0][1])
        following = [card for card in holding if suit(card) == led]
        if following:
            return following
    return list(holding)


def winner(trick: Sequence[Play], trumps: str | None) -> int:
    """The seat that wins a complete trick (T8)."""
    led = suit(trick[0][1])
    trumped = [play for play in trick if suit(play[1]) == trumps]
    followed = [play for play in trick if suit(play[1]) == led]
    return max(trumped or followed, key=lambda play: strength(play[1]))[0]


# -------------------------------------------------------------------------------- scoring


def score(contract: str, declarer: int, tricks: Sequence[int]) -> list[int]:
    """What each seat scores (T9)."""
    scores = []
    for seat, taken in enumerate(tricks):
        if contract == "nullo":
            scores.append((4 if seat == declarer else 6) - taken)
        else:
            scores.append(taken - (8 if seat == declarer else 4))
    return scores


# ----------------------------------------------------------------------------- a whole hand


class Hand:
    """One hand from the deal to the score.

    Parameters
    ----------
    rules : Rules
        The switches.
    holdings : sequence of sequences of str
        The cards of each seat.  Any equal number of them, so that small hands can be set up; the
        targets and limits of T9 do not change with it.
    stock : sequence of str
        The Manni, top first, of any size.
    dealer : int
        The seat that deals; the declarer sits on its left (T3).
    available : sequence of str, optional
        The contracts the declarer still has in a match (T5); all of them unless they are given.
    """

    def __init__(
        self,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        stock: Sequence[str] = (),
        dealer: int = 0,
        available: Sequence[str] | None = None,
    ) -> None:
        if len(holdings) != PLAYERS:
            raise ValueError(f"T2: {len(holdings)} holdings, not {PLAYERS}")
        if not holdings[0] or len({len(cards) for cards in holdings}) != 1:
            raise ValueError("T2: every seat gets the same number of cards")
        dealt = [card for cards in (*holdings, stock) for card in cards]
        if len(set(dealt)) != len(dealt) or not set(dealt) <= set(pack(rules)):
            raise ValueError("T1: a card is dealt twice or is not in the pack")
        self.rules = rules
        self.dealer = dealer
        self.declarer = (dealer + 1) % PLAYERS
        self.holdings = [list(cards) for cards in holdings]
        self.stock = list(stock)
        self.available = list(CONTRACTS if available is None else available)
        self.contract: str | None = None
        self.trumps: str | None = None
        self.discards: list[str] = []
        self.leader = self.declarer  # T7
        self.trick: list[Play] = []
        self.winners: list[int] = []
        self.tricks = [0] * PLAYERS
        self._stage = "contract"
        # Whether a discard may be there although it leaves nothing to choose.
        self._accepts_discard = False

    @classmethod
    def at_play(
        cls,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        declarer: int,
        contract: str,
        letter: str | None = None,
        leader: int | None = None,
        taken: Sequence[int] | None = None,
    ) -> Hand:
        """A hand that starts at a trick.

        ``letter`` is the suit of Other.  The declarer leads (T7) unless another leader is named;
        ``taken`` are the tricks each seat already has.
        """
        hand = cls(rules, holdings, (), (declarer - 1) % PLAYERS)
        hand.do({"seat": declarer, "do": "contract", "contract": contract, "suit": letter})
        hand._accepts_discard = False
        if leader is not None:
            hand.leader = leader
        if taken is not None:
            hand.tricks = list(taken)
        return hand

    # -- whose turn

    @property
    def finished(self) -> bool:
        """Whether every card has been played."""
        return self._stage == "over"

    @property
    def most_exchanged(self) -> int:
        """How many cards the declarer may exchange (T6)."""
        return min(self.rules.max_exchange, len(self.stock))

    def turn(self) -> tuple[int, str] | None:
        """The seat that must act and what it must do; None when the hand is over."""
        if self._stage == "over":
            return None
        if self._stage == "play":
            return (self.leader + len(self.trick)) % PLAYERS, "play"
        return self.declarer, self._stage

    def legal(self) -> list[Action]:
        """Every action that may be done now, except for a discard, which only `check` judges."""
        turn = self.turn()
        if turn is None:
            return []
        seat, do = turn
        if do == "discard":
            raise ValueError("T6: discards are not listed; use check")
        if do == "play":
            cards = legal(self.holdings[seat], self.trick)
            return [{"seat": seat, "do": "play", "card": card} for card in cards]
        actions: list[Action] = []
        for contract in CONTRACTS:
            if contract not in self.available:
                continue
            action = {"seat": seat, "do": "contract", "contract": contract}
            if contract != "other":
                actions.append(action)
                continue
            letters = SUITS if self.rules.other_may_be_spades else SUITS.replace(SPADES, "")
            actions += [action | {"suit": letter} for letter in letters]
        return actions

    # -- acting

    def check(self, action: Mapping[str, Any]) -> None:
        """Complain if the action may not be done now."""
        accepted = [(self.declarer, "discard")] if self._accepts_discard else []
        seat, do = timely(action, self.turn(), accepted)
        if type(action.get(KEYS[do])) not in ((list, tuple) if do == "discard" else (str,)):
            raise ValueError(f"format: {do} needs {KEYS[do]!r}")
        if do == "discard" and not all(isinstance(card, str) for card in action["cards"]):
            raise ValueError("format: cards are strings")
        getattr(self, f"_check_{do}")(seat, action)

    def _check_contract(self, seat: int, action: Mapping[str, Any]) -> None:
        contract = action["contract"]
        if contract not in CONTRACTS:
            raise ValueError(f"T3: there is no contract {contract}")
        if contract not in self.available:
            raise ValueError(f"T5: seat {seat} has already declared {contract}")
        if contract != "other":
            return
        letter = action.get("suit")
        if not isinstance(letter, str):
            raise ValueError("format: the contract other needs 'suit'")
        if letter not in tuple(SUITS):
            raise ValueError(f"T3: trumps are one of {SUITS}, not {letter}")
        if letter == SPADES and not self.rules.other_may_be_spades:
            raise ValueError("T4: other may not name spades")

    def _check_discard(self, seat: int, action: Mapping[str, Any]) -> None:
        cards = action["cards"]
        if len(cards) > self.most_exchanged:
            raise ValueError(f"T6: at most {self.most_exchanged} cards are exchanged")
        # The discard comes before the draw, so no card of the Manni can be in it.
        if len(set(cards)) != len(cards) or not set(cards) <= set(self.holdings[seat]):
            raise ValueError(f"holding: seat {seat} does not have all of {list(cards)}")

    def _check_play(self, seat: int, action: Mapping[str, Any]) -> None:
        card = action["card"]
        if card not in self.holdings[seat]:
            raise ValueError(f"holding: seat {seat} does not have {card}")
        if card not in legal(self.holdings[seat], self.trick):
            led = suit(self.trick[0][1])
            raise ValueError(f"T8: seat {seat} must follow suit {led}, not play {card}")

    def do(self, action: Mapping[str, Any]) -> None:
        """Do an action of the hand-history format."""
        self.check(action)
        getattr(self, f"_do_{action['do']}")(action["seat"], action)

    def _do_contract(self, seat: int, action: Mapping[str, Any]) -> None:
        self.contract = action["contract"]
        self.trumps = trumps_of(action["contract"], action.get("suit"))
        self._stage = "discard" if self.most_exchanged else "play"
        self._accepts_discard = not self.most_exchanged

    def _do_discard(self, seat: int, action: Mapping[str, Any]) -> None:
        for card in action["cards"]:
            self.holdings[seat].remove(card)
        self.discards = list(action["cards"])
        self.holdings[seat] += self.stock[: len(self.discards)]
        self.stock = self.stock[len(self.discards) :]
        self._stage = "play"
        self._accepts_discard = False

    def _do_play(self, seat: int, action: Mapping[str, Any]) -> None:
        self._accepts_discard = False
        self.holdings[seat].remove(action["card"])
        self.trick.append((seat, action["card"]))
        if len(self.trick) < PLAYERS:
            return
        self.leader = winner(self.trick, self.trumps)  # T7
        self.winners.append(self.leader)
        self.tricks[self.leader] += 1
        self.trick = []
        if not any(self.holdings):
            self._stage = "over"

    # -- after play

    def result(self) -> dict[str, Any]:
        """The result of a hand that is over, as hand histories state it."""
        if not self.finished:
            raise ValueError("turn: the hand is not over")
        assert self.contract is not None
        scores = score(self.contract, self.declarer, self.tricks)
        return {
            "tricks": list(self.tricks),
            "score": scores,
            "win": shares(scores),
            "declarer": self.declarer,
            "partner": None,
            "made": scores[self.declarer] >= 0,
        }


def replay(history: Mapping[str, Any]) -> Hand:
    """Play a parsed hand history; complain at the first thing that is wrong."""
    rules = rules_of(history, "trjamann", Rules)
    dealer = dealer_of(history, PLAYERS)
    deal, stock = history["deal"], history["stock"]
    if any(len(cards) != EACH for cards in deal):
        raise ValueError(f"T2: {EACH} cards each")
    if len(stock) != stock_size(rules):
        raise ValueError(f"T2: {stock_size(rules)} cards in the Manni")
    return play_through(Hand(rules, deal, stock, dealer), history["actions"])


# -------------------------------------------------------------------------------- a match


class Match:
    """The hands of a match (T5, T10)."""

    def __init__(self, rules: Rules, dealer: int = 0) -> None:
        self.rules = rules
        self.dealer = dealer
        self.hands = 0
        self.totals = [0] * PLAYERS
        self._declared: list[list[str]] = [[] for _ in range(PLAYERS)]

    @property
    def declarer(self) -> int:
        """The declarer of the next hand (T3)."""
        return (self.dealer + 1) % PLAYERS

    @property
    def finished(self) -> bool:
        """Whether the match is over (T10)."""
        enough = max(self.totals) >= ENOUGH
        if self.rules.end == "twelve_hands":
            return self.hands >= MATCH_HANDS
        if self.rules.end == "ten_or_twelve":
            return enough or self.hands >= MATCH_HANDS
        return enough or self.hands >= self.rules.max_hands

    def available(self, player: int) -> list[str]:
        """The contracts a player has not declared yet (T5), since the last 12 hands (T10)."""
        return [name for name in CONTRACTS if name not in self._declared[player]]

    def add(
        self, scores: Sequence[int], contract: str | None = None, declarer: int | None = None
    ) -> None:
        """Count a hand; without a contract nothing is used up and T5 is not checked."""
        if self.finished:
            raise ValueError("T10: the match is over")
        if declarer is not None and declarer != self.declarer:
            raise ValueError(f"T3: the declarer is player {self.declarer}")
        if contract is not None:
            if contract not in self.available(self.declarer):
                raise ValueError(f"T5: player {self.declarer} may not declare {contract}")
            self._declared[self.declarer].append(contract)
        self.totals = [total + point for total, point in zip(self.totals, scores, strict=True)]
        self.hands += 1
        self.dealer = (self.dealer + 1) % PLAYERS
        if self.rules.end == "ten_points" and self.hands % MATCH_HANDS == 0:
            self._declared = [[] for _ in range(PLAYERS)]  # T10: available again

    def win(self) -> list[float]:
        """The win of each player: most points, ties shared (T10)."""
        return shares(self.totals)
