"""Emperor in plain Python, written from the rule sheet (clauses E1-E24).

This module is the independent check of the compiled game.  It imports nothing of the package, it
keeps cards as strings (``"21T"``) and it prefers the sheet's own words to speed.

A hand is driven by *actions*, the dictionaries of the hand-history format: ``Hand.turn`` says who
must do what, ``Hand.do`` applies one action or raises ``ValueError``.  The message of the error
begins with what is at fault: a clause (``"E10: ..."``), ``turn`` (not that seat or not that step),
``holding`` (a card the seat does not have) or ``format`` (a field missing or of the wrong kind).

Three steps have silent seats or nothing to choose, and ``turn`` and ``do`` treat them so:

* ``discard``: a seat that draws no card is not named by ``turn``; its empty discard is accepted
  when it comes at its place.
* ``annul``: only seats that may annul are named, and each of them must answer.
* ``contra``, ``recontra``, ``subcontra``: ``turn`` names the next seat that *may* speak.  ``do``
  takes the words of that seat, of any later seat of the round, of a later round, or the first card
  of the play; whoever was passed over stayed silent.  ``Hand.silent`` passes over one seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

PLAYERS = 4
HAND_SIZE = 10
STOCK_SIZE = 6
TRICKS = 10

SUITS = "SBCD"  # two long, two round
TRUMP_SUIT = "T"

# E1: low to high.
PLAIN_ORDER = ("A", "2", "V", "C", "Q", "K")
TRUMP_ORDER = (*(str(number) for number in range(1, 22)), "F")

JUGGLER, OWL, WORLD, TOMFOOL = "1T", "2T", "21T", "FT"
HONOURS = frozenset({JUGGLER, WORLD, TOMFOOL})
KINGS = frozenset("K" + letter for letter in SUITS)
BIRDS = frozenset({"1T", "2T", "3T", "4T"})
INVITED = {1: "19T", 2: "18T"}  # E7: steps above what E5 allows, and the card that allows them

# E4: the bids, low to high, with their game points and the cards the declarer draws.
BIDS = ("three", "two", "one", "without")
GAME_POINTS = {"three": 1, "two": 2, "one": 3, "without": 4}
DECLARER_DRAWS = {"three": 3, "two": 2, "one": 1, "without": 0}

TO_WIN = 48  # E20
MOST = 60  # E20
HIGH_GAME = 71  # E21

ROUNDS = ("contra", "recontra", "subcontra")  # E16
GAME = "game"  # the claim that stands for the hand
DECLARER, DEFENDERS = "declarer", "defenders"
ENTRY = ("bonus", "side", "announced", "made", "points")
OTHER = {DECLARER: DEFENDERS, DEFENDERS: DECLARER}

Action = dict[str, Any]
Play = tuple[int, str]


@dataclass(frozen=True)
class Rules:
    """The switches of the sheet."""

    players: int = PLAYERS
    last_draws_on_three: bool = False
    annul: str = "allowed"
    cap: str = "card_points"
    lost_side_bonuses: bool = True
    loss: str = "defenders_score_bid"
    failed_bonus: str = "opponents"

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players != PLAYERS:
            raise ValueError("E3: 4 players")
        if not isinstance(self.last_draws_on_three, bool):
            raise ValueError("E9: last_draws_on_three is true or false")
        if self.annul not in ("allowed", "never"):
            raise ValueError("E12: annul is allowed or never")
        if self.cap not in ("card_points", "total"):
            raise ValueError("E20: cap is card_points or total")
        if not isinstance(self.lost_side_bonuses, bool):
            raise ValueError("E20: lost_side_bonuses is true or false")
        if self.loss not in ("defenders_score_bid", "nothing"):
            raise ValueError("E20: loss is defenders_score_bid or nothing")
        if self.failed_bonus not in ("opponents", "nothing"):
            raise ValueError("E23: failed_bonus is opponents or nothing")


# --------------------------------------------------------------------------------- cards


def suit(card: str) -> str:
    """The suit letter of a card."""
    return card[-1]


def rank(card: str) -> str:
    """The rank of a card."""
    return card[:-1]


def pack() -> list[str]:
    """Every card (E1)."""
    return _cards(PLAIN_ORDER, SUITS) + [name + TRUMP_SUIT for name in TRUMP_ORDER]


def is_trump(card: str) -> bool:
    """Whether a card is one of the 22 trumps."""
    return suit(card) == TRUMP_SUIT


def strength(card: str) -> int:
    """How high a card ranks inside its suit (E1)."""
    return (TRUMP_ORDER if is_trump(card) else PLAIN_ORDER).index(rank(card))


def card_points(card: str) -> int:
    """The points of a card (E2)."""
    if card in HONOURS:
        return 5
    if is_trump(card):
        return 1
    return {"K": 5, "Q": 4, "C": 3, "V": 2, "A": 1, "2": 0}[rank(card)]


def callable_trumps() -> list[str]:
    """The trumps that can be called, high to low: never an honour (E13)."""
    return [f"{number}{TRUMP_SUIT}" for number in range(20, 1, -1)]


# ------------------------------------------------------------------------ playing to a trick


def legal_cards(holding: Iterable[str], trick: Sequence[Play]) -> set[str]:
    """The cards that E17 allows: follow suit, else a trump, else anything."""
    holding = set(holding)
    if not trick:
        return holding
    lead = suit(trick[0][1])
    following = {card for card in holding if suit(card) == lead}
    trumps = {card for card in holding if is_trump(card)}
    return following or trumps or holding


def winning_play(trick: Sequence[Play]) -> Play:
    """The seat that wins a complete trick and the card it wins with (E17, E18)."""
    if {card for _, card in trick} >= HONOURS:
        return next(play for play in trick if play[1] == JUGGLER)  # E18
    wanted = TRUMP_SUIT if any(is_trump(card) for _, card in trick) else suit(trick[0][1])
    return max((p for p in trick if suit(p[1]) == wanted), key=lambda p: strength(p[1]))


# -------------------------------------------------------------------------------- bonuses


@dataclass
class Outcome:
    """What the bonuses look at: the ten tricks and the card points, seen by side.

    Attributes
    ----------
    side_of : list of str
        The side of each seat.
    tricks : list of list of (seat, card)
        The tricks in order.
    points : dict of str to int
        The card points of each side, discards and stock included.
    """

    side_of: list[str]
    tricks: list[list[Play]]
    points: dict[str, int]
    winners: list[Play] = field(init=False)

    def __post_init__(self) -> None:
        self.winners = [winning_play(trick) for trick in self.tricks]

    def card(self, number: int) -> str:
        """The card that won a trick (tricks count from 1)."""
        return self.winners[number - 1][1]

    def won(self, side: str, numbers: Iterable[int]) -> bool:
        """Whether a side, whichever member (E23), won all of these tricks."""
        return all(self.side_of[self.winners[number - 1][0]] == side for number in numbers)

    def taken(self, side: str) -> set[str]:
        """The cards in a side's tricks, without discards and stock (E23)."""
        cards: set[str] = set()
        for trick, (seat, _) in zip(self.tricks, self.winners, strict=True):
            if self.side_of[seat] == side:
                cards |= {card for _, card in trick}
        return cards

    def won_with(self, side: str, cards: Iterable[str]) -> bool:
        """Whether a side won any trick with one of these cards."""
        wanted = set(cards)
        return any(self.side_of[seat] == side and card in wanted for seat, card in self.winners)

    def last(self, side: str, count: int, cards: Iterable[str]) -> bool:
        """Whether a side won each of the last tricks with one of these cards."""
        numbers = range(TRICKS - count + 1, TRICKS + 1)
        wanted = set(cards)
        return self.won(side, numbers) and all(self.card(number) in wanted for number in numbers)

    def penultimate(self, side: str, card: str) -> bool:
        """Whether a side won the last trick but one with this card."""
        return self.won(side, [TRICKS - 1]) and self.card(TRICKS - 1) == card

    def first(self, side: str, count: int, card: str) -> bool:
        """Whether a side won the first tricks, the last of these with the card named."""
        return self.won(side, range(1, count + 1)) and self.card(count) == card

    def captured_world(self, side: str) -> bool:
        """Whether a side won a trick to which the other side played the World (E24)."""
        for trick, (winner, _) in zip(self.tricks, self.winners, strict=True):
            for seat, card in trick:
                if card == WORLD and self.side_of[seat] != side == self.side_of[winner]:
                    return True
        return False


def _cards(ranks: Iterable[str], letters: str) -> list[str]:
    """The cards of these ranks in these suits."""
    return [name + letter for letter in letters for name in ranks]


@dataclass(frozen=True)
class Bonus:
    """A row of the table of E22.

    Attributes
    ----------
    pattern : str
        The name; one that ends in ``:*`` stands for a bonus of each plain suit.
    made : callable
        ``made(outcome, side, suit)``: what must happen.
    announced : int
        Points when announced, or the multiplier (E21).
    silent : int or None
        The same when not announced; None: scores only if announced.
    multiplies : bool
        Whether the two are multipliers of the hand's payment (E21).
    """

    pattern: str
    made: Callable[[Outcome, str, str], bool]
    announced: int
    silent: int | None
    multiplies: bool = False

    def names(self) -> list[str]:
        """The bonus names of the row."""
        if self.pattern.endswith(":*"):
            return [self.pattern[:-1] + letter for letter in SUITS]
        return [self.pattern]


TABLE = (
    Bonus("honours", lambda o, side, _: o.taken(side) >= HONOURS, 2, 1),
    Bonus("kings", lambda o, side, _: o.taken(side) >= KINGS, 2, 1),
    Bonus("high_game", lambda o, side, _: o.points[side] >= HIGH_GAME, 4, 2, multiplies=True),
    Bonus("slam", lambda o, side, _: o.won(side, range(1, TRICKS + 1)), 6, 3, multiplies=True),
    Bonus("sparrow", lambda o, side, _: o.last(side, 1, [JUGGLER]), 10, 5),
    Bonus("conquest", lambda o, side, _: o.captured_world(side), 40, 20),
    Bonus("first_five", lambda o, side, _: o.first(side, 5, "20T"), 10, 5),
    Bonus("first_six", lambda o, side, _: o.first(side, 6, WORLD), 12, 6),
    Bonus("first_seven", lambda o, side, _: o.first(side, 7, TOMFOOL), 14, 7),
    Bonus("first_eight", lambda o, side, _: o.first(side, 8, JUGGLER), 20, 10),
    Bonus("last_king:*", lambda o, side, s: o.last(side, 1, ["K" + s]), 15, None),
    Bonus("penultimate_king:*", lambda o, side, s: o.penultimate(side, "K" + s), 20, None),
    Bonus("last_owl", lambda o, side, _: o.last(side, 1, [OWL]), 25, None),
    Bonus("owl", lambda o, side, _: o.penultimate(side, OWL), 30, None),
    Bonus("force_of_one", lambda o, side, _: o.won_with(side, _cards("QC", "SB")), 20, None),
    Bonus("profit_of_one", lambda o, side, _: o.won_with(side, _cards("QC", "CD")), 20, None),
    Bonus("pip_the_post:*", lambda o, side, s: o.won_with(side, _cards("A2", s)), 30, None),
    Bonus("marriage:*", lambda o, side, s: o.last(side, 2, _cards("KQ", s)), 50, None),
    Bonus("bethlehem", lambda o, side, _: o.last(side, 3, KINGS), 60, None),
    Bonus("family:*", lambda o, side, s: o.last(side, 3, _cards(PLAIN_ORDER, s)), 60, None),
    Bonus("flock", lambda o, side, _: o.last(side, 3, BIRDS), 60, None),
)

BONUS_OF = {name: bonus for bonus in TABLE for name in bonus.names()}
BONUS_NAMES = tuple(BONUS_OF)
NOT_WITH_SLAM = frozenset({"honours", "kings"})  # E21


# ----------------------------------------------------------------------------- a whole hand


class Hand:
    """One hand from the deal to the score.

    Parameters
    ----------
    rules : Rules
        The switches.
    holdings : sequence of sequences of str
        The ten cards of each seat as dealt.
    stock : sequence of str
        The six undealt cards, top first.
    dealer : int
        The seat that deals; the auction begins on its left (E3).
    doubling : int
        1, or the doubling left by annulled deals: 2, 4, ... (E12).

    Attributes
    ----------
    step : str
        ``bid``, ``discard``, ``annul``, ``call``, ``announce``, ``contra`` (all three rounds),
        ``play`` or ``end``.
    ended : str or None
        How a finished hand ended: ``played``, ``passed`` (E8) or ``annulled`` (E12).
    declarer, partner, bid, called, bound
        What the auction and the call have settled; ``bound`` is the trump a bound declarer must
        call (E7), ``partner`` the holder of the called trump or None.
    announced : list of set of str
        The bonuses each seat announced.
    doubled : dict of str to int
        The factor of each claim that was contra'd: 2, 4 or 8.
    """

    def __init__(
        self,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        stock: Sequence[str],
        dealer: int,
        doubling: int = 1,
    ) -> None:
        _check_deal(holdings, stock)
        if type(dealer) is not int or not 0 <= dealer < PLAYERS:
            raise ValueError("format: dealer is a seat, 0-3")
        if type(doubling) is not int or doubling < 1 or doubling & (doubling - 1):
            raise ValueError("format: doubling is 1, 2, 4, ... (E12)")
        self.rules = rules
        self.holdings = [list(cards) for cards in holdings]
        self.stock = list(stock)
        self.dealer = dealer
        self.doubling = doubling
        self.step = "bid"
        self.ended: str | None = None

        self.declarer: int | None = None
        self.partner: int | None = None
        self.bid: str | None = None
        self.called: str | None = None
        self.bound: str | None = None
        self.invitation: Play | None = None
        self.level = 0  # of the highest bid: 0 none, 1 three, ... 4 without
        self.own_level = [0] * PLAYERS  # the highest level each seat has bid or held
        self.passed = [False] * PLAYERS
        self._bidder = self._left(dealer)

        self.discards: list[list[str]] = [[] for _ in range(PLAYERS)]
        self._waiting: list[int] = []  # seats still to discard, or to say whether they annul
        self.announced: list[set[str]] = [set() for _ in range(PLAYERS)]
        self._speaking = 0  # how many seats have had their turn to announce, or to contra
        self._round = 0
        self.doubled: dict[str, int] = {}

        self.trick: list[Play] = []
        self.finished_tricks: list[list[Play]] = []
        self.tricks = [0] * PLAYERS
        self.leader = 0

    # -- seats and sides

    @staticmethod
    def _left(seat: int, steps: int = 1) -> int:
        return (seat + steps) % PLAYERS

    def _around(self, first: int) -> list[int]:
        return [self._left(first, steps) for steps in range(PLAYERS)]

    @property
    def _declarer(self) -> int:
        assert self.declarer is not None
        return self.declarer

    @property
    def finished(self) -> bool:
        """Whether the hand is over."""
        return self.step == "end"

    def side_of(self, seat: int) -> str:
        """The side of a seat, once a trump is called: ``declarer`` or ``defenders``."""
        return DECLARER if seat in (self.declarer, self.partner) else DEFENDERS

    def members(self, side: str) -> list[int]:
        """The seats of a side."""
        return [seat for seat in range(PLAYERS) if self.side_of(seat) == side]

    # -- whose turn

    def turn(self) -> tuple[int, str] | None:
        """The seat that must act now and what it must do; None when the hand is over.

        In the rounds of contras it is the next seat that may speak (see the module's notes).
        """
        if self.step == "end":
            return None
        if self.step == "bid":
            return self._bidder, "bid"
        if self.step == "discard":
            for seat in self._waiting:
                if self.discard_count(seat):
                    return seat, "discard"
            # Only an empty discard is left, which need not come.
            may = self._may_annul()
            return (may[0], "annul") if may else (self._declarer, "call")
        if self.step == "annul":
            return self._waiting[0], "annul"
        if self.step == "call":
            return self._declarer, "call"
        if self.step == "announce":
            return self._left(self._declarer, self._speaking), "announce"
        if self.step == "contra":
            speaker = self._next_speaker()
            return speaker if speaker else (self._declarer, "play")
        return self._left(self.leader, len(self.trick)), "play"

    def legal(self) -> list[Action]:
        """The actions open to the seat whose turn it is, for bid, annul, call and play."""
        now = self.turn()
        if now is None:
            return []
        seat, do = now
        if do == "bid":
            bids = ["pass", *BIDS, "hold"]
            return [
                {"seat": seat, "do": do, "bid": bid}
                for bid in bids
                if self._bid_fault(seat, bid) is None
            ]
        if do == "annul":
            return [{"seat": seat, "do": do, "annul": answer} for answer in (True, False)]
        if do == "call":
            return [{"seat": seat, "do": do, "card": card} for card in self.may_call()]
        if do == "play":
            return [{"seat": seat, "do": do, "card": card} for card in sorted(self._may_play(seat))]
        raise ValueError(f"turn: no list of ways to {do}; see may_discard, may_announce, claims")

    # -- applying actions

    def do(self, action: Mapping[str, Any]) -> None:
        """Apply an action, or raise ValueError and leave the hand as it was."""
        if not isinstance(action, Mapping):
            raise ValueError("format: an action is an object")
        seat, do = action.get("seat"), action.get("do")
        if type(seat) is not int or not 0 <= seat < PLAYERS:
            raise ValueError("format: seat is 0-3")
        if not isinstance(do, str):
            raise ValueError("format: do is a word")
        if self.step == "end":
            raise ValueError(f"turn: the hand is over, seat {seat} may not {do}")
        if do not in ("bid", "discard", "annul", "call", "announce", *ROUNDS, "play"):
            raise ValueError(f"turn: {do} is no step of this game")
        getattr(self, "_do_contra" if do in ROUNDS else f"_do_{do}")(seat, action)

    def _expect(self, seat: int, do: str) -> None:
        """Raise unless it is this seat's turn to do this."""
        now = self.turn()
        if now != (seat, do):
            raise ValueError(f"turn: seat {seat} may not {do} now; next is {now}")

    # -- auction

    def _bid_fault(self, seat: int, bid: str) -> str | None:
        """What is wrong with a bid of the seat whose turn it is, or None."""
        if bid == "pass":
            return None
        if bid == "hold":
            # E6: bid, and been outbid by a level that was never the seat's own.
            if not self.own_level[seat]:
                return f"E6: seat {seat} has not bid and may not hold"
            if self.own_level[seat] == self.level:
                return f"E6: seat {seat} may not hold at a level that was its own"
            return None
        if bid not in BIDS:
            return f"E4: there is no bid {bid}"
        if not HONOURS & set(self.holdings[seat]):
            return f"E5: seat {seat} bids without an honour"
        above = BIDS.index(bid) + 1 - self.level
        if above < 1:
            return f"E5: {bid} is not above the last bid"
        if above == 1:
            return None
        card = INVITED.get(above - 1)  # E7
        if card is None or card not in self.holdings[seat]:
            return f"E5: {bid} is more than one step above the last bid"
        return None

    def _do_bid(self, seat: int, action: Mapping[str, Any]) -> None:
        self._expect(seat, "bid")
        bid = action.get("bid")
        if not isinstance(bid, str):
            raise ValueError("format: bid is a word")
        fault = self._bid_fault(seat, bid)
        if fault:
            raise ValueError(fault)
        if bid == "pass":
            self.passed[seat] = True
        elif bid == "hold":
            self.declarer = seat
            self.own_level[seat] = self.level
        else:
            level = BIDS.index(bid) + 1
            if level - self.level > 1:
                # E7; the levels leave room for no more than one invitation in an auction.
                self.invitation = (seat, INVITED[level - self.level - 1])
            self.declarer = seat
            self.bid = bid
            self.level = self.own_level[seat] = level
        self._next_bidder(seat)

    def _next_bidder(self, seat: int) -> None:
        """E4: the next seat that has not passed; the auction ends when the best bid stands."""
        if all(self.passed):
            self._end("passed")  # E8
            return
        while True:
            seat = self._left(seat)
            if not self.passed[seat]:
                break
        if seat != self.declarer:
            self._bidder = seat
            return
        # E7: whoever declares after another's invitation has outbid or held, or followed one who
        # did, and must call the inviter's trump.
        if self.invitation and self.invitation[0] != self.declarer:
            self.bound = self.invitation[1]
        self.step = "discard"
        self._waiting = self._around(self._declarer)
        self._draw()

    # -- stock and discards

    def discard_count(self, seat: int) -> int:
        """How many cards a seat draws and discards (E9)."""
        assert self.bid is not None
        if seat == self.declarer:
            return DECLARER_DRAWS[self.bid]
        if self.bid == "without":
            return 2
        last = seat == self._left(self._declarer, PLAYERS - 1)
        if self.bid == "three" and last and not self.rules.last_draws_on_three:
            return 0
        return 1

    def may_discard(self, seat: int) -> set[str]:
        """The cards a seat may discard: no Kings, no honours (E10)."""
        return {card for card in self.holdings[seat] if card not in KINGS | HONOURS}

    def _draw(self) -> None:
        """Let the next seat that draws take its cards from the top of the stock (E9)."""
        now = self.turn()
        if now is not None and now[1] == "discard":
            for _ in range(self.discard_count(now[0])):
                self.holdings[now[0]].append(self.stock.pop(0))

    def _do_discard(self, seat: int, action: Mapping[str, Any]) -> None:
        cards = _words(action, "cards")
        if self.step != "discard" or seat not in self._waiting:
            self._expect(seat, "discard")
        position = self._waiting.index(seat)
        if any(self.discard_count(earlier) for earlier in self._waiting[:position]):
            self._expect(seat, "discard")
        count = self.discard_count(seat)
        if len(cards) != count:
            raise ValueError(f"E9: seat {seat} discards {count}, not {len(cards)}")
        for card in cards:
            if card not in self.holdings[seat] or cards.count(card) > 1:
                raise ValueError(f"holding: seat {seat} does not have {card} to discard")
        for card in cards:
            if card not in self.may_discard(seat):
                raise ValueError(f"E10: {card} may not be discarded")
        for card in cards:
            self.holdings[seat].remove(card)
        self.discards[seat] += cards
        self._waiting = self._waiting[position + 1 :]
        if count:
            self._draw()
        if not self._waiting:
            self._ask_annul()

    def _close_discards(self) -> None:
        """Leave out the empty discards at the end of the step."""
        if self.step == "discard" and not any(map(self.discard_count, self._waiting)):
            self._ask_annul()

    # -- annulment

    def _may_annul(self) -> list[int]:
        """The seats that may annul, in turn from the declarer (E12)."""
        if self.rules.annul == "never":
            return []
        return [
            seat
            for seat in self._around(self._declarer)
            if not any(is_trump(card) for card in self.holdings[seat])
            or set(self.holdings[seat]) >= KINGS
        ]

    def _ask_annul(self) -> None:
        self._waiting = self._may_annul()
        self.step = "annul" if self._waiting else "call"

    def _do_annul(self, seat: int, action: Mapping[str, Any]) -> None:
        answer = action.get("annul")
        if not isinstance(answer, bool):
            raise ValueError("format: annul is true or false")
        now = self.turn()
        if now and now[1] in ("annul", "call") and seat not in self._may_annul():
            raise ValueError(f"E12: seat {seat} may not annul")
        self._expect(seat, "annul")
        self._close_discards()
        if answer:
            self._end("annulled")
            return
        self._waiting.pop(0)
        if not self._waiting:
            self.step = "call"

    # -- the called trump

    def may_call(self) -> list[str]:
        """The trumps the declarer may call (E13, E7), once the discards are made."""
        if self.bound:
            return [self.bound]
        for seat in range(PLAYERS):
            if seat != self.declarer and any(is_trump(card) for card in self.discards[seat]):
                return callable_trumps()
        own = self.holdings[self._declarer] + self.discards[self._declarer]
        return [next(card for card in callable_trumps() if card not in own)]

    def _do_call(self, seat: int, action: Mapping[str, Any]) -> None:
        self._expect(seat, "call")
        card = action.get("card")
        if not isinstance(card, str):
            raise ValueError("format: card is a card")
        if card not in self.may_call():
            clause = "E7" if self.bound else "E13"
            raise ValueError(f"{clause}: {card} may not be called; it is {self.may_call()}")
        self._close_discards()
        self.called = card
        # E13, E14: only the holder is a partner, and a declarer who holds it plays alone.
        for holder in range(PLAYERS):
            if holder != seat and card in self.holdings[holder]:
                self.partner = holder
        self.step = "announce"
        self._speaking = 0

    def forced_contra(self) -> int | None:
        """The seat that must say Contra to the hand, unless another has already (E14)."""
        for seat in range(PLAYERS):
            if seat != self.declarer and self.called in self.discards[seat]:
                return seat
        return None

    # -- announcements

    def may_announce(self, seat: int) -> set[str]:
        """The bonuses a seat may announce (E15, E21).

        ``slam`` and any of ``honours`` and ``kings`` may not stand in one list.
        """
        if seat == self.partner and "slam" in self.announced[self._declarer]:
            return set(BONUS_NAMES) - NOT_WITH_SLAM
        return set(BONUS_NAMES)

    def _do_announce(self, seat: int, action: Mapping[str, Any]) -> None:
        names = _words(action, "bonuses")
        self._expect(seat, "announce")
        for name in names:
            if name not in BONUS_OF:
                raise ValueError(f"E22: there is no bonus {name}")
            if names.count(name) > 1:
                raise ValueError(f"E15: seat {seat} announces {name} twice")
        allowed = self.may_announce(seat) - (NOT_WITH_SLAM if "slam" in names else set())
        for name in names:
            if name not in allowed:
                raise ValueError(f"E21: {name} may not be announced beside Slam")
        self.announced[seat] = set(names)
        self._speaking += 1
        if self._speaking == PLAYERS:
            self.step = "contra"
            self._round = self._speaking = 0

    # -- contras

    def claims(self, seat: int, do: str) -> set[str]:
        """The claims a seat may contra, recontra or subcontra as things stand (E16).

        A claim that has been doubled in the round already is not open again.
        """
        if do == "contra":
            if self.side_of(seat) == DECLARER:
                return set()
            others = (self.announced[other] for other in range(PLAYERS) if other != seat)
            return {GAME}.union(*others) - set(self.doubled)
        before = 2 ** ROUNDS.index(do)
        return {claim for claim, factor in self.doubled.items() if factor == before}

    def _speakers(self) -> list[tuple[int, str]]:
        """The places of the rounds of contras that are still ahead, in order."""
        order = self._around(self._left(self._declarer))  # from the declarer's left
        places = [(seat, do) for do in ROUNDS for seat in order]
        return places[self._round * PLAYERS + self._speaking :]

    def _next_speaker(self) -> tuple[int, str] | None:
        for seat, do in self._speakers():
            if self.claims(seat, do):
                return seat, do
        return None

    def _must_contra(self, skipped: Iterable[tuple[int, str]]) -> None:
        """E14: raise if one of the silent seats had to say Contra to the hand."""
        seat = self.forced_contra()
        if seat is not None and GAME not in self.doubled and (seat, "contra") in skipped:
            raise ValueError(f"E14: seat {seat} discarded {self.called} and must say Contra")

    def _do_contra(self, seat: int, action: Mapping[str, Any]) -> None:
        do = action["do"]
        claims = _words(action, "claims")
        if not claims:
            raise ValueError("format: claims is not empty")
        if self.step != "contra" or (seat, do) not in self._speakers():
            self._expect(seat, do)
        places = self._speakers()
        position = places.index((seat, do))
        self._must_contra(places[: position + (GAME not in claims)])
        allowed = self.claims(seat, do)
        for claim in claims:
            if claim not in allowed:
                raise ValueError(f"E16: seat {seat} may not say {do} to {claim}")
            if claims.count(claim) > 1:
                raise ValueError(f"E16: seat {seat} says {do} to {claim} twice")
        for claim in claims:
            self.doubled[claim] = self.doubled.get(claim, 1) * 2
        self._advance(position + 1)

    def _advance(self, places: int) -> None:
        """Leave places of the rounds of contras behind."""
        done = self._round * PLAYERS + self._speaking + places
        self._round, self._speaking = divmod(done, PLAYERS)

    def silent(self) -> None:
        """Let the seat that ``turn`` names for a contra, recontra or subcontra stay silent."""
        now = self._next_speaker() if self.step == "contra" else None
        if now is None:
            raise ValueError("turn: nobody is asked for a contra now")
        position = self._speakers().index(now)
        self._must_contra(self._speakers()[: position + 1])
        self._advance(position + 1)

    # -- play

    def _may_play(self, seat: int) -> set[str]:
        cards = legal_cards(self.holdings[seat], self.trick)
        early = len(self.finished_tricks) < TRICKS - 1
        if early and "sparrow" in self.announced[seat] and len(cards) > 1:
            cards = cards - {JUGGLER}  # E19
        return cards

    def _do_play(self, seat: int, action: Mapping[str, Any]) -> None:
        card = action.get("card")
        if not isinstance(card, str) or "as" in action:
            raise ValueError("format: a play has a card, and no suit it is played as")
        if self.step == "contra" and seat == self.declarer:
            self._must_contra(self._speakers())
        else:
            self._expect(seat, "play")
        if card not in self.holdings[seat]:
            raise ValueError(f"holding: seat {seat} does not have {card}")
        if card not in self._may_play(seat):
            clause = "E19" if card in legal_cards(self.holdings[seat], self.trick) else "E17"
            raise ValueError(f"{clause}: seat {seat} may not play {card}")
        if self.step == "contra":
            self.step = "play"
            self.leader = seat  # E17: the declarer leads
        self.holdings[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == PLAYERS:
            self.leader, _ = winning_play(self.trick)
            self.tricks[self.leader] += 1
            self.finished_tricks.append(self.trick)
            self.trick = []
            if len(self.finished_tricks) == TRICKS:
                self._end("played")

    def _end(self, how: str) -> None:
        self.step = "end"
        self.ended = how

    # -- score

    def side_points(self) -> dict[str, int]:
        """The card points of each side of a hand played out (E2, E10, E11)."""
        piles: dict[str, list[str]] = {DECLARER: [], DEFENDERS: []}
        for trick in self.finished_tricks:
            taker, _ = winning_play(trick)
            piles[self.side_of(taker)] += [card for _, card in trick]
        for seat in range(PLAYERS):
            piles[self.side_of(seat)] += self.discards[seat]
        no_trick = not any(self.tricks[seat] for seat in self.members(DECLARER))
        piles[DEFENDERS if no_trick else DECLARER] += self.stock
        return {side: sum(map(card_points, cards)) for side, cards in piles.items()}

    def announced_by(self, side: str) -> set[str]:
        """The bonuses announced by any member of a side; twice counts once (E15)."""
        names: set[str] = set()
        return names.union(*(self.announced[seat] for seat in self.members(side)))

    def payment(self) -> int:
        """What each member of the winning side scores by E20 before any multiplier."""
        assert self.bid is not None
        game, points = GAME_POINTS[self.bid], self.side_points()[DECLARER]
        if points < TO_WIN:
            return game if self.rules.loss == "defenders_score_bid" else 0
        if self.rules.cap == "total":
            return min(game + points, MOST)
        return game + min(points, MOST)

    def result(self) -> dict[str, Any]:
        """The result of a finished hand, with the keys of the hand-history format.

        The bonuses stand in the order of the table, the declarer's side first.  Only what scored
        is listed: nothing with 0 points.
        """
        if not self.finished:
            raise ValueError(f"turn: the hand is not over; next is {self.turn()}")
        result: dict[str, Any] = {
            "tricks": list(self.tricks),
            "score": [0] * PLAYERS,
            "win": [0] * PLAYERS,
            "declarer": self.declarer,
            "partner": self.partner,
            "made": None,
            "bonuses": [],
        }
        if self.ended != "played":
            return result
        made = self.side_points()[DECLARER] >= TO_WIN
        result["made"] = made
        winners = DECLARER if made else DEFENDERS
        hand = self.payment() * self.doubled.get(GAME, 1) * self.doubling
        for seat in self.members(winners):
            result["win"][seat] = 1
            result["score"][seat] += hand
        for entry in self._bonuses(hand):
            receiver = entry["side"] if entry["made"] else OTHER[entry["side"]]
            if receiver == DECLARER and not made and not self.rules.lost_side_bonuses:
                continue  # E20: nothing at all
            if not entry["points"]:
                continue
            result["bonuses"].append(entry)
            for seat in self.members(receiver):
                result["score"][seat] += entry["points"]
        return result

    def _bonuses(self, hand: int) -> list[dict[str, Any]]:
        """Every bonus made, and every announced one failed, by either side (E21-E24).

        ``hand`` is the payment of the hand with its contras and doubling, which High Game and
        Slam multiply.
        """
        side_of = [self.side_of(seat) for seat in range(PLAYERS)]
        outcome = Outcome(side_of, self.finished_tricks, self.side_points())
        best = {side: self._multiplier(outcome, side) for side in OTHER}
        entries = []
        for name, bonus in BONUS_OF.items():
            for side in (DECLARER, DEFENDERS):
                announced = name in self.announced_by(side)
                made = bonus.made(outcome, side, suit(name))
                if made and bonus.multiplies:
                    # E21: of two that are made the larger applies.
                    points = (best[side][0] - 1) * hand if best[side][1] == name else 0
                elif made and name in NOT_WITH_SLAM and BONUS_OF["slam"].made(outcome, side, ""):
                    points = 0  # E21: a side that wins a Slam scores neither
                elif made:
                    points = self._worth(name, announced) * self.doubling
                elif announced and self.rules.failed_bonus == "opponents":
                    points = self._worth(name, announced) * self.doubling
                    if bonus.multiplies:
                        assert self.bid is not None
                        points *= GAME_POINTS[self.bid]  # E23
                else:
                    points = 0
                values = (name, side, announced, made, points)
                entries.append(dict(zip(ENTRY, values, strict=True)))
        return entries

    def _worth(self, name: str, announced: bool) -> int:
        """The points or multiplier of a bonus, its own contras included (E16, E22)."""
        bonus = BONUS_OF[name]
        if announced:
            return bonus.announced * self.doubled.get(name, 1)
        return bonus.silent or 0

    def _multiplier(self, outcome: Outcome, side: str) -> tuple[int, str]:
        """The multiplier a side has earned and the bonus it comes from (E21)."""
        best = (1, "")
        for name, bonus in BONUS_OF.items():
            if bonus.multiplies and bonus.made(outcome, side, ""):
                best = max(best, (self._worth(name, name in self.announced_by(side)), name))
        return best


# ------------------------------------------------------------------------------- histories


def _words(action: Mapping[str, Any], key: str) -> list[str]:
    """A list of words that an action must have under a key."""
    words = action.get(key)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"format: {key} is a list of words")
    return words


def _check_deal(holdings: Sequence[Sequence[str]], stock: Sequence[str]) -> None:
    """Raise unless the cards are the pack (E1), ten to each of four seats and six over (E3)."""
    cards = [card for holding in holdings for card in holding] + list(stock)
    known = set(pack())
    for card in cards:
        if card not in known:
            raise ValueError(f"E1: {card} is not in the pack")
        if cards.count(card) > 1:
            raise ValueError(f"E1: {card} is there twice")
    if len(holdings) != PLAYERS:
        raise ValueError(f"E3: {len(holdings)} holdings for 4 players")
    for seat, holding in enumerate(holdings):
        if len(holding) != HAND_SIZE:
            raise ValueError(f"E3: seat {seat} has {len(holding)} cards, not {HAND_SIZE}")
    if len(stock) != STOCK_SIZE:
        raise ValueError(f"E3: {len(stock)} cards in the stock, not {STOCK_SIZE}")


def rules_of(switches: Mapping[str, Any]) -> Rules:
    """The rules of a history's switches; a bad one raises ``"switch: ..."``."""
    names = {item.name for item in fields(Rules)}
    for name in switches:
        if name not in names:
            raise ValueError(f"switch: there is no switch {name}")
    try:
        return Rules(**switches)
    except ValueError as error:
        raise ValueError(f"switch: {error}") from None


def replay(history: Mapping[str, Any]) -> Hand:
    """Replay a history and return the finished hand.

    Raises ValueError at the first action that is not legal, with its number (from 0) at the end of
    the message, or ``"turn: ..."`` if the history stops before the hand is over.  A stated result
    is not looked at.
    """
    for key, kind in (("switches", dict), ("deal", list), ("stock", list), ("actions", list)):
        if not isinstance(history.get(key), kind):
            raise ValueError(f"format: {key} is missing or of the wrong kind")
    if history.get("game") != "emperor":
        raise ValueError("format: game is emperor")
    for cards in (*history["deal"], history["stock"]):
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise ValueError("format: deal and stock are lists of cards")
    hand = Hand(
        rules_of(history["switches"]),
        history["deal"],
        history["stock"],
        history.get("dealer"),  # type: ignore[arg-type]
        history.get("doubling", 1),
    )
    for number, action in enumerate(history["actions"]):
        try:
            hand.do(action)
        except ValueError as error:
            raise ValueError(f"{error} (action {number})") from None
    if not hand.finished:
        raise ValueError(f"turn: the history stops; next is {hand.turn()}")
    return hand
