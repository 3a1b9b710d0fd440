"""KAJI in plain Python, written from the rule sheet (clauses K1-K12).

This module is the independent check of the compiled game.  It imports nothing of the package, it
keeps cards as strings (``"12J"``) and it prefers the sheet's own words to speed.

An *action* is a dictionary of the hand-history format: ``seat``, ``do`` and one key more.  A
*trick* is the list of ``(seat, card)`` so far.  Every complaint is a ``ValueError`` that begins
with the clause, or with ``turn``, ``holding``, ``format`` or ``switch`` where no clause covers it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reference.envelope import dealer_of, play_through, rules_of, shares, timely

SUITS = "JKPF"  # K1: Jan, Ken, Po, Kaji
KAJI = "F"
HIGHEST = 12
ROCK_PAPER_SCISSORS = {"J": "K", "K": "P", "P": "J"}  # K7: each suit and the one it beats

# K1, K2: players, cards each, cards in the Neko.
DEALS = {2: (22, 4), 3: (14, 6), 4: (11, 4), 5: (9, 3)}

KEYS = {"bid": "bid", "discard": "cards", "trumps": "suit", "call": "card", "play": "card"}

Action = dict[str, Any]
Play = tuple[int, str]


@dataclass(frozen=True)
class Rules:
    """The switches of the sheet."""

    players: int = 4
    first_bidder: str = "left_of_dealer"
    match_hands: int | None = None

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players not in DEALS:
            raise ValueError("K2: 2-5 players")
        if self.first_bidder not in ("left_of_dealer", "dealer"):
            raise ValueError("K3: first_bidder is left_of_dealer or dealer")
        hands = self.match_hands
        if hands is not None and (type(hands) is not int or hands < 1):
            raise ValueError("K12: match_hands is a whole number from 1")


# --------------------------------------------------------------------------------- cards


def suit(card: str) -> str:
    """The suit letter of a card."""
    return card[-1]


def rank(card: str) -> int:
    """The rank of a card, 12 high (K1)."""
    return int(card[:-1])


def pack(rules: Rules) -> list[str]:
    """Every card of the deck (K1)."""
    return [f"{number}{letter}" for letter in SUITS for number in range(1, HIGHEST + 1)]


def cards_each(rules: Rules) -> int:
    """The cards each seat gets, which is the number of tricks (K1, K2)."""
    return DEALS[rules.players][0]


def stock_size(rules: Rules) -> int:
    """The cards in the Neko (K1, K2)."""
    return DEALS[rules.players][1]


def book(rules: Rules) -> int:
    """The tricks a bid is counted from (K2)."""
    return (cards_each(rules) - 1) // 2


def deal_clause(rules: Rules) -> str:
    """The clause that says how many cards are dealt: printed for 4 players only."""
    return "K1" if rules.players == 4 else "K2"


# ------------------------------------------------------------------------ playing to a trick


def suit_order(trumps: str) -> str | None:
    """The suits from high to low (K7); None with Kaji trumps, where three of them go round."""
    if trumps == KAJI:
        return None
    one, other = (letter for letter in SUITS if letter not in (trumps, KAJI))
    if ROCK_PAPER_SCISSORS[one] != other:
        one, other = other, one
    return trumps + KAJI + one + other


def suit_beats(trumps: str, one: str, other: str) -> bool:
    """Whether a suit beats another (K7)."""
    order = suit_order(trumps)
    if order is not None:
        return order.index(one) < order.index(other)
    if KAJI in (one, other):
        return one == KAJI and other != KAJI
    return ROCK_PAPER_SCISSORS[one] == other


def takes_over(trumps: str, card: str, winning: str) -> bool:
    """Whether a card beats the card now winning (K9)."""
    if suit(card) == suit(winning):
        return rank(card) > rank(winning)
    return suit_beats(trumps, suit(card), suit(winning))


def winning(trick: Sequence[Play], trumps: str) -> Play:
    """The play that wins a trick as far as it has gone (K9)."""
    best = trick[0]
    for play in trick[1:]:
        if takes_over(trumps, play[1], best[1]):
            best = play
    return best


def winner(trick: Sequence[Play], trumps: str) -> int:
    """The seat that wins a complete trick (K9)."""
    return winning(trick, trumps)[0]


def current_suit(trick: Sequence[Play], trumps: str) -> str:
    """The suit that must be followed now: that of the card to beat (K8)."""
    return suit(winning(trick, trumps)[1])


def legal(holding: Sequence[str], trick: Sequence[Play], trumps: str) -> list[str]:
    """The cards the seat to play may play (K8)."""
    if trick:
        current = current_suit(trick, trumps)
        following = [card for card in holding if suit(card) == current]
        if following:
            return following
    return list(holding)


# -------------------------------------------------------------------------------- scoring


def points(bid: int, over: int, alone: bool) -> tuple[int, int]:
    """What each seat of the Declarer's side and what each opponent scores (K10, K11).

    ``over`` is the number of tricks of the Declarer's side less the book.
    """
    if over >= bid:
        return (10 * over if alone else 5 * bid + 10 * (over - bid)), 0
    return 0, (20 if alone else 10) * (bid - over)


# ----------------------------------------------------------------------------- a whole hand


class Hand:
    """One hand from the deal to the score.

    Parameters
    ----------
    rules : Rules
        The switches.
    holdings : sequence of sequences of str
        The cards of each seat.  Any equal number of them, so that small hands can be set up; the
        book follows from that number (K2).
    stock : sequence of str
        The Neko, of any size.  Without a card in it there is no discard.
    dealer : int
        The seat that deals; the first bidder follows from it (K3).
    """

    def __init__(
        self,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        stock: Sequence[str] = (),
        dealer: int = 0,
    ) -> None:
        if len(holdings) != rules.players:
            raise ValueError(f"{deal_clause(rules)}: {len(holdings)} holdings, not {rules.players}")
        if not holdings[0] or len({len(cards) for cards in holdings}) != 1:
            raise ValueError(f"{deal_clause(rules)}: every seat gets the same number of cards")
        dealt = [card for cards in (*holdings, stock) for card in cards]
        if len(set(dealt)) != len(dealt) or not set(dealt) <= set(pack(rules)):
            raise ValueError("K1: a card is dealt twice or is not in the pack")
        self.rules = rules
        self.dealer = dealer
        self.holdings = [list(cards) for cards in holdings]
        self.stock = list(stock)
        self.book = (len(holdings[0]) - 1) // 2
        self.highest_bid = len(holdings[0]) - self.book
        self.bids: list[int | str] = []
        self.discards: list[str] = []
        self.declarer: int | None = None
        self.partner: int | None = None
        self.called: str | None = None
        self.bid = 0
        self.trumps: str | None = None
        self.leader = 0
        self.trick: list[Play] = []
        self.winners: list[int] = []
        self.tricks = [0] * rules.players
        self._stage = "bid"
        # The steps that may be there although they leave nothing to choose.
        self._accepted: set[str] = set()

    @classmethod
    def at_play(
        cls,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        declarer: int,
        trumps: str,
        bid: int,
        partner: int | None = None,
        leader: int | None = None,
        taken: Sequence[int] | None = None,
        book: int | None = None,
    ) -> Hand:
        """A hand that starts at a trick.

        The Declarer leads (K6) unless another leader is named; ``taken`` are the tricks each seat
        already has.  The book is that of the tricks taken and to come (K2) unless it is given.
        """
        hand = cls(rules, holdings)
        if trumps not in SUITS:
            raise ValueError(f"K4: trumps are one of {SUITS}")
        if bid < 1:
            raise ValueError("K3: a bid is 1 or more")
        if partner is not None and (rules.players < 4 or partner == declarer):
            raise ValueError("K5: that partner cannot be called")
        if taken is not None:
            hand.tricks = list(taken)
        hand.book = (len(holdings[0]) + sum(hand.tricks) - 1) // 2 if book is None else book
        hand.declarer, hand.trumps, hand.bid, hand.partner = declarer, trumps, bid, partner
        hand.leader = declarer if leader is None else leader
        hand._stage = "play"
        return hand

    # -- whose turn

    @property
    def finished(self) -> bool:
        """Whether the hand is over, played out or thrown in."""
        return self._stage == "over"

    def turn(self) -> tuple[int, str] | None:
        """The seat that must act and what it must do; None when the hand is over."""
        if self._stage == "over":
            return None
        if self._stage == "bid":
            first = self.dealer + (self.rules.first_bidder == "left_of_dealer")
            return (first + len(self.bids)) % self.rules.players, "bid"
        if self._stage == "play":
            return (self.leader + len(self.trick)) % self.rules.players, "play"
        assert self.declarer is not None
        return self.declarer, self._stage

    def legal(self) -> list[Action]:
        """Every action that may be done now, except for a discard, which only `check` judges."""
        turn = self.turn()
        if turn is None:
            return []
        seat, do = turn
        values: list[Any]
        if do == "discard":
            raise ValueError("K4: discards are not listed; use check")
        if do == "bid":
            values = ["pass", *range(max(self._numbers(), default=0) + 1, self.highest_bid + 1)]
        elif do == "trumps":
            values = list(SUITS)
        elif do == "call":
            values = ["alone", *self._callable()]
        else:
            assert self.trumps is not None
            values = list(legal(self.holdings[seat], self.trick, self.trumps))
        return [{"seat": seat, "do": do, KEYS[do]: value} for value in values]

    def _numbers(self) -> list[int]:
        """The bids so far that are not passes."""
        return [bid for bid in self.bids if isinstance(bid, int)]

    def _callable(self) -> list[str]:
        """K5: the cards neither in the Declarer's holding nor in the discards."""
        others = [seat for seat in range(self.rules.players) if seat != self.declarer]
        return [card for seat in others for card in self.holdings[seat]]

    # -- acting

    def check(self, action: Mapping[str, Any]) -> None:
        """Complain if the action may not be done now."""
        accepted = [(self.declarer, do) for do in self._accepted]
        seat, do = timely(action, self.turn(), accepted)
        value = action.get(KEYS[do])
        kinds = {"bid": (int, str), "discard": (list, tuple)}.get(do, (str,))
        if type(value) not in kinds:
            raise ValueError(f"format: {do} needs {KEYS[do]!r}")
        if do == "discard" and not all(isinstance(card, str) for card in action["cards"]):
            raise ValueError("format: cards are strings")
        getattr(self, f"_check_{do}")(seat, value)

    def _check_bid(self, seat: int, bid: int | str) -> None:
        if bid == "pass":
            return
        if isinstance(bid, str) or not 1 <= bid <= self.highest_bid:
            raise ValueError(f"K3: a bid is 1-{self.highest_bid} or pass, not {bid}")
        if bid <= max(self._numbers(), default=0):
            raise ValueError(f"K3: a bid must be higher than {max(self._numbers())}")

    def _check_discard(self, seat: int, cards: Sequence[str]) -> None:
        if len(cards) != len(self.stock):
            raise ValueError(f"K4: {len(self.stock)} cards are discarded, not {len(cards)}")
        # The Neko is taken up before the discard, so its cards may go too.
        mine = self.holdings[seat] + self.stock
        if len(set(cards)) != len(cards) or not set(cards) <= set(mine):
            raise ValueError(f"holding: seat {seat} does not have all of {list(cards)}")

    def _check_trumps(self, seat: int, letter: str) -> None:
        if letter not in tuple(SUITS):
            raise ValueError(f"K4: trumps are one of {SUITS}, not {letter}")

    def _check_call(self, seat: int, card: str) -> None:
        if card == "alone":
            return
        if self.rules.players < 4:
            raise ValueError("K2: with 2 and 3 players the Declarer plays alone")
        if card in self.holdings[seat] or card in self.discards:
            raise ValueError(f"K5: {card} is in the Declarer's holding or discards")
        if card not in self._callable():
            raise ValueError(f"K5: nobody holds {card}")

    def _check_play(self, seat: int, card: str) -> None:
        assert self.trumps is not None
        if card not in self.holdings[seat]:
            raise ValueError(f"holding: seat {seat} does not have {card}")
        if card not in legal(self.holdings[seat], self.trick, self.trumps):
            current = current_suit(self.trick, self.trumps)
            raise ValueError(f"K8: seat {seat} must play the current suit {current}, not {card}")

    def do(self, action: Mapping[str, Any]) -> None:
        """Do an action of the hand-history format."""
        self.check(action)
        do = action["do"]
        getattr(self, f"_do_{do}")(action["seat"], action[KEYS[do]])
        self._accepted.discard(do)

    def _do_bid(self, seat: int, bid: int | str) -> None:
        self.bids.append(bid)
        if isinstance(bid, int):
            self.declarer, self.bid = seat, bid  # every bid is higher than those before it
        if len(self.bids) < self.rules.players:
            return
        if self.declarer is None:
            self._stage = "over"  # K3: thrown in
            return
        self.leader = self.declarer  # K6
        self._stage = "discard" if self.stock else "trumps"
        self._accepted = set() if self.stock else {"discard"}

    def _do_discard(self, seat: int, cards: Sequence[str]) -> None:
        self.holdings[seat] += self.stock
        for card in cards:
            self.holdings[seat].remove(card)
        self.discards = list(cards)
        self._stage = "trumps"

    def _do_trumps(self, seat: int, letter: str) -> None:
        self.trumps = letter
        alone = self.rules.players < 4
        self._stage = "play" if alone else "call"
        self._accepted = {"call"} if alone else set()

    def _do_call(self, seat: int, card: str) -> None:
        if card != "alone":
            self.called = card
            (self.partner,) = (at for at, held in enumerate(self.holdings) if card in held)
        self._stage = "play"

    def _do_play(self, seat: int, card: str) -> None:
        assert self.trumps is not None
        self._accepted = set()
        self.holdings[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < self.rules.players:
            return
        self.leader = winner(self.trick, self.trumps)  # K6
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
        score, win = [0] * self.rules.players, [0.0] * self.rules.players
        made = None
        if self.declarer is not None:
            side = {self.declarer, self.partner} - {None}
            over = sum(self.tricks[seat] for seat in side if seat is not None) - self.book
            made = over >= self.bid
            ours, theirs = points(self.bid, over, self.partner is None)
            for seat in range(self.rules.players):
                score[seat] = ours if seat in side else theirs
                win[seat] = 1.0 if (seat in side) == made else 0.0
        return {
            "tricks": list(self.tricks),
            "score": score,
            "win": win,
            "declarer": self.declarer,
            "partner": self.partner,
            "made": made,
        }


def replay(history: Mapping[str, Any]) -> Hand:
    """Play a parsed hand history; complain at the first thing that is wrong."""
    rules = rules_of(history, "kaji", Rules)
    dealer = dealer_of(history, rules.players)
    deal, stock = history["deal"], history["stock"]
    if any(len(cards) != cards_each(rules) for cards in deal):
        raise ValueError(f"{deal_clause(rules)}: {cards_each(rules)} cards each")
    if len(stock) != stock_size(rules):
        raise ValueError(f"{deal_clause(rules)}: {stock_size(rules)} cards in the Neko")
    return play_through(Hand(rules, deal, stock, dealer), history["actions"])


# -------------------------------------------------------------------------------- a match


class Match:
    """The hands of a match (K12)."""

    def __init__(self, rules: Rules, dealer: int = 0) -> None:
        self.rules = rules
        self.dealer = dealer
        self.hands = 0
        self.totals = [0] * rules.players

    @property
    def length(self) -> int:
        """How many hands the match has."""
        return self.rules.match_hands or 4 * self.rules.players

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.hands >= self.length

    def add(
        self, scores: Sequence[int], contract: str | None = None, declarer: int | None = None
    ) -> None:
        """Count a hand, thrown in or not; the contract and the declarer do not matter here."""
        if self.finished:
            raise ValueError(f"K12: a match has {self.length} hands")
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.hands += 1
        self.dealer = (self.dealer + 1) % self.rules.players

    def win(self) -> list[float]:
        """The win of each player: most points, ties shared."""
        return shares(self.totals)
