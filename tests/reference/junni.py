"""Junni in plain Python, written from the rule sheet (clauses J1-J25).

This module is the independent check of the compiled game.  It imports nothing of the package, it
keeps cards as strings (``"10C"``) and it prefers the sheet's own words to speed.

An *answer* is a pair ``(card, as_suit)``: the card and the suit letter it is played as.  That is
the printed suit, the inverted suit of a court card (J17), the suit a led barbarian names (J7), or
``"X"`` for a barbarian that follows.  A *trick* is the list of ``(seat, card, as_suit)`` so far.

A broken rule is a ``ValueError`` whose text starts with the clause, or with ``turn`` (not that
seat or step), ``holding`` (a card the seat does not have), ``format`` or ``switch``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

TRUMP_SUIT = "T"
BARBARIANS = "X"
COURTS = ("R", "S")

# J2: the letters of the plain suits, the highest number in them, trumps, barbarians.
DECKS: dict[str, tuple[str, int, int, int]] = {
    "journey": ("BCKLS", 10, 16, 4),
    "four_suits": ("BCKL", 12, 20, 4),
    "short_suits": ("BCKLS", 9, 22, 3),
}

# J11: aces are low, then the numbers, Rook, Sage.
PLAIN_ORDER = ["A", *(str(number) for number in range(2, 13)), "R", "S"]

# The values a switch may have, with its clause.
CHOICES: dict[str, tuple[str, tuple]] = {
    "deck": ("J2", tuple(DECKS)),
    "first_leader": ("J4", ("dealer", "left_of_dealer")),
    "next_leader": ("J5", ("winner", "rotate")),
    "shriving": ("J14", (False, True)),
    "shriving_before_bidding": ("J14", (False, True)),
    "campaign": ("J15", (False, True)),
    "brazen": ("J16", (False, True)),
    "audit": ("J16", (False, True)),
    "arete_court": ("J17", (False, True)),
    "scoring": ("J18", ("tricks", "dead_reckoning", "flat", "trump_heavy")),
    "traitor": ("J20", (False, True)),
    "all_drop": ("J21", ("pass_out", "dealer_minimum")),
    "made_scores": ("J22", ("bid", "taken")),
    "spare_to": ("J23", ("nobody", "traitor")),
    "partners": ("J24", (False, True)),
    "dice": ("J25", (False, True)),
    "roll_each": ("J25", ("trick", "hand")),
}

Answer = tuple[str, str]
Play = tuple[int, str, str]


@dataclass(frozen=True)
class Rules:
    """The switches of the sheet that this reference knows."""

    players: int = 4
    shriving: bool = False
    shriving_cards: int = 4
    arete_court: bool = False
    dice: bool = False
    roll_each: str = "trick"
    partners: bool = False
    scoring: str = "tricks"
    deck: str = "journey"
    first_leader: str = "dealer"
    next_leader: str = "winner"
    shriving_before_bidding: bool = True
    campaign: bool = False
    campaign_target: int = 150
    brazen: bool = False
    detection: float = 0.5
    audit: bool = False
    traitor: bool = False
    spare: int = 4
    min_bid: int = 1
    bid_step: int = 1
    all_drop: str = "pass_out"
    made_scores: str = "bid"
    spare_to: str = "nobody"

    def __post_init__(self) -> None:
        for name, (clause, allowed) in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{clause}: {name} is one of {allowed}")
        if not 3 <= self.players <= 6:
            raise ValueError("J3: 3-6 players")
        if not 1 <= self.shriving_cards <= 8:
            raise ValueError("J14: shriving_cards is 1-8")
        if self.partners and self.players not in (4, 6):
            raise ValueError("J24: partners needs 4 or 6 players")
        if self.campaign_target < 1:
            raise ValueError("J15: campaign_target is at least 1")
        if not 0 <= self.detection <= 1:
            raise ValueError("J16: detection is a probability, 0-1")
        if not 0 <= self.spare <= len(pack(self)) - self.players:
            raise ValueError("J20: the Spare leaves every player at least one card")
        if self.shriving and self.shriving_cards > cards_each(self):
            raise ValueError("J14: shriving_cards is more than a player holds")
        if self.bid_step < 1:
            raise ValueError("J21: bid_step is at least 1")
        if self.min_bid < 1 or (self.traitor and self.min_bid > highest_bid(self)):
            raise ValueError("J21: min_bid is at least 1 and at most the highest bid")


# --------------------------------------------------------------------------------- cards


def suit(card: str) -> str:
    """The printed (upright) suit letter of a card."""
    return card[-1]


def rank(card: str) -> str:
    """The printed rank of a card."""
    return card[:-1]


def plain_suits(rules: Rules) -> str:
    """The letters of the suits that are neither trumps nor barbarians, in order."""
    return DECKS[rules.deck][0]


def die_faces(rules: Rules) -> list[str]:
    """J25: one face for each suit, the trump suit included."""
    return [*plain_suits(rules), TRUMP_SUIT]


def pack(rules: Rules) -> list[str]:
    """Every card of the deck (J1, J2)."""
    letters, highest_number, trumps, barbarians = DECKS[rules.deck]
    cards = []
    for letter in letters:
        cards.append("A" + letter)
        cards.extend(str(number) + letter for number in range(2, highest_number + 1))
        cards.append("R" + letter)
        cards.append("S" + letter)
    cards += [str(number) + TRUMP_SUIT for number in range(1, trumps + 1)]
    cards += [str(number) + BARBARIANS for number in range(1, barbarians + 1)]
    return cards


def stock_size(rules: Rules) -> int:
    """The cards dealt to nobody: the remainder (J3), with a Traitor the Spare (J20)."""
    size = rules.spare if rules.traitor else 0
    while (len(pack(rules)) - size) % rules.players:
        size += 1
    return size


def cards_each(rules: Rules) -> int:
    """J3, J20: everybody gets the same number, all that the stock leaves."""
    return (len(pack(rules)) - stock_size(rules)) // rules.players


def inverted(rules: Rules, card: str) -> str | None:
    """The second suit of a Rook or Sage (J2): one suit on for a Rook, two for a Sage."""
    letters = plain_suits(rules)
    if suit(card) not in letters or rank(card) not in COURTS:
        return None
    step = 1 if rank(card) == "R" else 2
    return letters[(letters.index(suit(card)) + step) % len(letters)]


def strength(card: str) -> int:
    """How high a card ranks among cards played as the same suit."""
    if suit(card) == TRUMP_SUIT:
        return int(rank(card))  # J25: a trump-suit card ranks by its number
    return PLAIN_ORDER.index(rank(card))


# ------------------------------------------------------------------------ playing to a trick


def _either_way(rules: Rules, card: str) -> set[Answer]:
    """All the suits a card that is not a barbarian may be played as when nothing binds it."""
    answers = {(card, suit(card))}
    other = inverted(rules, card)
    if rules.arete_court and other is not None:
        answers.add((card, other))
    return answers


def _names(rules: Rules, trumps: str) -> list[str]:
    """The suits a led barbarian may name: those that are not trumps in this trick (J7)."""
    return [letter for letter in die_faces(rules) if letter != trumps]


def anything(
    rules: Rules, holding: Iterable[str], trick: Sequence[Play], trumps: str
) -> set[Answer]:
    """What a brazen player may play: any card, in every way it can be played (J16)."""
    answers = set()
    for card in holding:
        if suit(card) != BARBARIANS:
            answers |= _either_way(rules, card)
        elif trick:
            answers.add((card, BARBARIANS))
        else:
            answers |= {(card, name) for name in _names(rules, trumps)}
    return answers


def legal(
    rules: Rules, holding: Iterable[str], trick: Sequence[Play], trumps: str, broken: bool
) -> set[Answer]:
    """The legal answers of the seat to play, J6-J10 with J17."""
    holding = list(holding)
    if trick:
        return _legal_to_follow(rules, holding, trick[0][2], trumps)
    return _legal_to_lead(rules, holding, trumps, broken)


def _legal_to_lead(rules: Rules, holding: list[str], trumps: str, broken: bool) -> set[Answer]:
    if all(suit(card) == BARBARIANS for card in holding):
        # J7: nothing else is held, so a barbarian may be led; it names a suit not trumps.
        return {(card, name) for card in holding for name in _names(rules, trumps)}
    others = [card for card in holding if suit(card) != BARBARIANS]
    answers = set()
    for card in others:
        answers |= _either_way(rules, card)
    only_trumps = all(suit(card) == trumps for card in others)
    if not broken and not only_trumps:
        # J6; J8 lifts it for a leader who holds only trumps and barbarians.
        answers = {(card, as_suit) for card, as_suit in answers if as_suit != trumps}
    return answers


def _legal_to_follow(rules: Rules, holding: list[str], lead: str, trumps: str) -> set[Answer]:
    excuses = {(card, BARBARIANS) for card in holding if suit(card) == BARBARIANS}
    others = [card for card in holding if suit(card) != BARBARIANS]
    either_way = set()
    for card in others:
        either_way |= _either_way(rules, card)

    if any(suit(card) == lead for card in others):
        # J9 (J10 when trumps are led): upright cards oblige, inverted ones are permitted.
        # Nothing played as another suit follows, not even a court card of the lead suit.
        return excuses | {answer for answer in either_way if answer[1] == lead}
    if any(suit(card) == trumps for card in others):
        # J9: a trump, or (J17) a court card turned to the lead suit.
        return excuses | {answer for answer in either_way if answer[1] in (trumps, lead)}
    return excuses | either_way


def winner(rules: Rules, trick: Sequence[Play], trumps: str) -> int:
    """The seat that wins a complete trick (J11, J12, J17)."""
    leader, _, lead = trick[0]
    for wanted in (trumps, lead):
        best: Play | None = None
        for play in trick:
            _, card, as_suit = play
            if suit(card) == BARBARIANS or as_suit != wanted:
                continue
            if best is None or _beats(card, best[1], wanted):
                best = play
        if best is not None:
            return best[0]
    return leader


def _beats(later: str, earlier: str, played_as: str) -> bool:
    """Whether the later of two cards played as one suit is better than the earlier."""
    if strength(later) != strength(earlier):
        return strength(later) > strength(earlier)
    # J17: upright beats inverted; of two inverted the earlier stays.
    return suit(later) == played_as and suit(earlier) != played_as


def worthless(trick: Sequence[Play], trumps: str) -> bool:
    """J12: whether no card of a complete trick has any value."""
    lead = trick[0][2]
    return not any(
        suit(card) != BARBARIANS and as_suit in (lead, trumps) for _, card, as_suit in trick
    )


# -------------------------------------------------------------------------------- scoring


def trick_points(rules: Rules) -> int:
    """Points for taking a trick (J13, J18)."""
    return 1 if rules.scoring in ("tricks", "dead_reckoning") else 0


def card_points(rules: Rules, card: str) -> int:
    """Points of a card in a pile at the end of the hand (J18)."""
    barbarian = suit(card) == BARBARIANS
    trump = suit(card) == TRUMP_SUIT
    if rules.scoring == "tricks":
        return 0
    if rules.scoring == "dead_reckoning":
        if barbarian:
            return 5
        return {"S": 5, "R": 3, "A": 1}.get(rank(card), 0)
    if rules.scoring == "flat":
        return 1
    if rules.scoring == "trump_heavy":
        if barbarian:
            return 2
        if trump:
            highest = DECKS[rules.deck][2]
            return 5 if int(rank(card)) in (1, highest) else 2
        return {"S": 3, "R": 2}.get(rank(card), 0)
    raise ValueError(f"J18: no table {rules.scoring!r}")


def highest_bid(rules: Rules, tricks: int | None = None) -> int:
    """J21: the tricks in the hand; under a table all its points, those of the Spare included."""
    tricks = cards_each(rules) if tricks is None else tricks
    return tricks * trick_points(rules) + sum(card_points(rules, card) for card in pack(rules))


def sides(rules: Rules) -> list[list[int]]:
    """The seats whose results are added (J24); everybody alone without partners."""
    if not rules.partners:
        return [[seat] for seat in range(rules.players)]
    half = rules.players // 2
    return [[seat, seat + half] for seat in range(half)]


def shares(rules: Rules, scores: Sequence[float], out: Collection[int] = ()) -> list[float]:
    """The win of each seat: ties between sides are shared equally (J13, J24).

    The sides of the seats ``out`` have forfeited and win nothing (J16).
    """
    results = {
        i: sum(scores[seat] for seat in side)
        for i, side in enumerate(sides(rules))
        if not set(side) & set(out)
    }
    win = [0.0] * rules.players
    best = [i for i, result in results.items() if result == max(results.values())]
    for i in best:
        for seat in sides(rules)[i]:
            win[seat] = 1.0 / len(best)
    return win


# ----------------------------------------------------------------------------- a whole hand


class Hand:
    """One hand from the deal to the score.

    Parameters
    ----------
    rules : Rules
        The switches.
    holdings : sequence of sequences of str
        The cards of each seat.  Any equal number of them, so that small endings can be set up.
    dealer : int
        The seat that deals; the first leader follows from it (J4).
    leader : int, optional
        The seat that leads the first trick, for set-up positions.
    broken : bool
        Whether trumps are already broken, for set-up positions.
    stock : sequence of str
        The cards dealt to nobody, top first: the Spare of a game with a Traitor (J20).
    """

    def __init__(
        self,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        dealer: int = 0,
        leader: int | None = None,
        broken: bool = False,
        stock: Sequence[str] = (),
    ) -> None:
        if len(holdings) != rules.players:
            raise ValueError(f"{len(holdings)} holdings for {rules.players} players")
        self.rules = rules
        self.dealer = dealer
        self.holdings = [list(cards) for cards in holdings]
        if leader is None:
            step = 1 if rules.first_leader == "left_of_dealer" else 0
            leader = (dealer + step) % rules.players
        self.leader = leader
        self.broken = broken
        # Without dice the deck's trump suit is always trumps; with dice nothing is until a roll.
        self.trumps: str | None = None if rules.dice else TRUMP_SUIT
        self.trick: list[Play] = []
        self.winners: list[int] = []
        self.tricks = [0] * rules.players
        self.piles: list[list[str]] = [[] for _ in range(rules.players)]
        self.broken_trick = 0
        self.worthless_tricks = 0
        self.excuse_saves = [0] * rules.players
        self.stock = list(stock)
        # The auction (J21): who has dropped, whose turn it is, the highest bid and its bidder.
        self.dropped: set[int] = set()
        self.bidder = dealer
        self.highest: int | None = None
        self.highest_seat: int | None = None
        self.max_bid = highest_bid(rules, len(self.holdings[0]))
        self.declarer: int | None = None
        self.passed_out = False
        self.discards: list[str] = []
        # J16: every revoke as (trick from 0, seat), and the seats that were called out.
        self.revokes: list[tuple[int, int]] = []
        self.called: list[int] = []
        # What is still to be done before play, in order (J14, J21, J23).
        self._steps = ["bid"] if rules.traitor else []
        if rules.shriving:
            first = rules.shriving_before_bidding or not rules.traitor
            self._steps.insert(0 if first else 1, "give")
        if rules.traitor and rules.spare_to == "traitor" and self.stock:
            self._steps.append("discard")

    # -- before play

    @property
    def phase(self) -> str:
        """What comes next: ``give``, ``bid``, ``discard``, ``play`` or ``done``."""
        if self.finished:
            return "done"
        return self._steps[0] if self._steps else "play"

    def _step_done(self) -> None:
        self._steps.pop(0)
        if self._steps[:1] == ["discard"]:
            # J23: the Traitor takes up the Spare.
            assert self.declarer is not None
            self.holdings[self.declarer] += self.stock

    def _check_held(self, seat: int, cards: Sequence[str]) -> None:
        if len(set(cards)) != len(cards) or not set(cards) <= set(self.holdings[seat]):
            raise ValueError(f"holding: seat {seat} does not have all of {list(cards)}")

    def check_gift(self, seat: int, cards: Sequence[str]) -> None:
        """Raise unless a seat may give these cards now (J14)."""
        if self.phase != "give":
            raise ValueError("J14: no cards are given now")
        if len(cards) != self.rules.shriving_cards:
            raise ValueError(f"J14: seat {seat} must give {self.rules.shriving_cards} cards")
        self._check_held(seat, cards)

    def give(self, given: Sequence[Sequence[str]]) -> None:
        """Shriving (J14): every seat at the same moment gives cards to the seat on its left."""
        seats = range(self.rules.players)
        for seat in seats:
            self.check_gift(seat, given[seat])
        # All gifts leave the holdings before any arrives.
        for seat in seats:
            for card in given[seat]:
                self.holdings[seat].remove(card)
        for seat in seats:
            self.holdings[(seat + 1) % self.rules.players] += list(given[seat])
        self._step_done()

    def least_bid(self) -> int | None:
        """The lowest bid the next bidder can make; None if only a drop is left (J21)."""
        least = self.rules.min_bid
        if self.highest is not None:
            least = self.highest + self.rules.bid_step
        return least if least <= self.max_bid else None

    def bid(self, seat: int, bid: int | str) -> None:
        """Bid a number or drop out with ``"pass"`` (J21)."""
        if self.phase != "bid" or seat != self.bidder:
            raise ValueError(f"turn: seat {seat} does not bid now")
        if bid == "pass":
            self.dropped.add(seat)
        else:
            least = self.least_bid()
            if not isinstance(bid, int) or isinstance(bid, bool):
                raise ValueError(f"J21: {bid!r} is not a bid")
            if least is None or not least <= bid <= self.max_bid:
                raise ValueError(f"J21: a bid is {least} to {self.max_bid}, not {bid}")
            self.highest, self.highest_seat = bid, seat
        left = [one for one in range(self.rules.players) if one not in self.dropped]
        if left == [self.highest_seat]:
            # One bidder is left unchallenged.
            self.declarer = self.highest_seat
            self._step_done()
        elif left:
            # Somebody who has not spoken yet still has a first turn, even as the last one.
            self.bidder = (seat + 1) % self.rules.players
            while self.bidder in self.dropped:
                self.bidder = (self.bidder + 1) % self.rules.players
        elif self.rules.all_drop == "dealer_minimum":
            self.highest, self.highest_seat = self.rules.min_bid, self.dealer
            self.declarer = self.dealer
            self._step_done()
        else:
            self.passed_out = True

    def discard(self, seat: int, cards: Sequence[str]) -> None:
        """The Traitor, who has taken up the Spare, discards as many cards (J23)."""
        if self.phase != "discard" or seat != self.declarer:
            raise ValueError(f"turn: seat {seat} does not discard now")
        if len(cards) != len(self.stock):
            raise ValueError(f"J23: {len(self.stock)} cards are discarded, not {len(cards)}")
        self._check_held(seat, cards)
        for card in cards:
            self.holdings[seat].remove(card)
        self.discards = list(cards)
        self._step_done()

    def _not_yet(self) -> bool:
        """Whether something must be done before play.

        Without an auction set-up positions may leave the shriving out.
        """
        return self.rules.traitor and bool(self._steps)

    def needs_roll(self) -> bool:
        """Whether the leader must roll the die now (J25)."""
        if self.finished or self._not_yet():
            return False
        return self.rules.dice and not self.trick and self.trumps is None

    def roll(self, letter: str) -> None:
        """The leader rolls the suit die; the face is trumps (J25)."""
        if not self.needs_roll():
            raise ValueError("J25: the die is not rolled now")
        if letter not in die_faces(self.rules):
            raise ValueError(f"J25: the die has no face {letter}")
        self.trumps = letter

    # -- play

    @property
    def finished(self) -> bool:
        """Whether every card has been played, or the hand was passed out (J21)."""
        return self.passed_out or (not self.trick and not any(self.holdings))

    @property
    def seat(self) -> int:
        """The seat whose turn it is (all give at the same moment)."""
        if self.phase == "bid":
            return self.bidder
        if self.phase == "discard":
            assert self.declarer is not None
            return self.declarer
        return (self.leader + len(self.trick)) % self.rules.players

    def legal(self) -> set[Answer]:
        """The answers open to the seat whose turn it is; with brazen that is any card (J16)."""
        return self._answers(brazen=self.rules.brazen)

    def honest(self) -> set[Answer]:
        """The answers that J6-J10 allow the seat whose turn it is."""
        return self._answers(brazen=False)

    def _answers(self, brazen: bool) -> set[Answer]:
        if self.finished:
            return set()
        if self._not_yet():
            raise ValueError(f"turn: {self.phase} comes before play")
        if self.trumps is None:
            raise ValueError("J25: the die must be rolled first")
        holding = self.holdings[self.seat]
        if brazen:
            return anything(self.rules, holding, self.trick, self.trumps)
        return legal(self.rules, holding, self.trick, self.trumps, self.broken)

    def play(self, card: str, as_suit: str) -> None:
        """Play a card; the last card of a trick closes it."""
        if self.finished:
            raise ValueError("turn: the hand is over")
        if (card, as_suit) not in self.legal():
            clause = self._clause_against(card, as_suit)
            raise ValueError(f"{clause}: seat {self.seat} may not play {card} as {as_suit}")
        self._steps = []
        if (card, as_suit) not in self.honest():
            self.revokes.append((len(self.winners), self.seat))
        seat = self.seat
        if self._saves_a_trump(card):
            self.excuse_saves[seat] += 1
        self.holdings[seat].remove(card)
        self.trick.append((seat, card, as_suit))
        if as_suit == self.trumps and not self.broken:
            # J10: a follower's trump breaks trumps; so does a trump led under J8 or J16.
            self.broken = True
            self.broken_trick = len(self.winners) + 1
        if len(self.trick) == self.rules.players:
            self._close()

    def _clause_against(self, card: str, as_suit: str) -> str:
        """The clause that an answer which is not legal breaks."""
        if card not in self.holdings[self.seat]:
            return "holding"
        if suit(card) == BARBARIANS:
            return "J9" if self.trick else "J7"
        if (card, as_suit) not in _either_way(self.rules, card):
            return "J17"
        if not self.trick:
            return "J6"
        return "J10" if self.trick[0][2] == self.trumps else "J9"

    def caught(self, seat: int) -> None:
        """A seat's revoke is called out at the end of the trick it was made in (J16)."""
        if self.trick or (len(self.winners) - 1, seat) not in self.revokes:
            raise ValueError(f"J16: seat {seat} cannot be caught now")
        if seat in self.called:
            raise ValueError(f"J16: seat {seat} has been caught before")
        self.called.append(seat)

    def _saves_a_trump(self, card: str) -> bool:
        """Whether a barbarian spares its player the duty to play a trump (J9, J10)."""
        if suit(card) != BARBARIANS or not self.trick:
            return False
        lead = self.trick[0][2]
        suits = [suit(held) for held in self.holdings[self.seat]]
        if self.trumps not in suits:
            return False
        return lead == self.trumps or lead not in suits

    def _close(self) -> None:
        assert self.trumps is not None
        taker = winner(self.rules, self.trick, self.trumps)
        if worthless(self.trick, self.trumps):
            self.worthless_tricks += 1
        self.tricks[taker] += 1
        for seat, card, _ in self.trick:
            # J19: a barbarian stays with its player where points are counted.
            keeps = suit(card) == BARBARIANS and self.rules.scoring != "tricks"
            self.piles[seat if keeps else taker].append(card)
        self.winners.append(taker)
        if self.rules.next_leader == "winner":
            self.leader = taker
        else:
            self.leader = (self.leader + 1) % self.rules.players
        self.trick = []
        if self.rules.dice and self.rules.roll_each == "trick":
            self.trumps = None

    # -- after play

    def points(self) -> list[float]:
        """What each seat took, whatever it bid or forfeited: tricks, or the table's points."""
        return [
            float(
                self.tricks[seat] * trick_points(self.rules)
                + sum(card_points(self.rules, card) for card in self.piles[seat])
            )
            for seat in range(self.rules.players)
        ]

    @property
    def forfeits(self) -> set[int]:
        """The seats that have forfeited the hand (J16)."""
        out = set(self.called)
        if self.rules.audit and self.finished:
            out |= {seat for _, seat in self.revokes}
        if not self.rules.traitor:
            # On a team the whole team forfeits; everybody else is a side alone.
            out = {seat for side in sides(self.rules) if out & set(side) for seat in side}
        return out

    @property
    def made(self) -> bool | None:
        """Whether the Traitor made the bid (J22); a Traitor caught fails it (J16)."""
        if self.declarer is None:
            return None
        assert self.highest is not None
        if self.declarer in self.forfeits:
            return False
        return self.points()[self.declarer] >= self.highest

    def _breakers(self) -> list[int]:
        """The opponents who profit from a failed bid: those who did not forfeit (J16, J22)."""
        out = self.forfeits | {self.declarer}
        return [seat for seat in range(self.rules.players) if seat not in out]

    def score(self) -> list[float]:
        """The score of each seat (its own, not its side's)."""
        points = self.points()
        if not self.rules.traitor:
            return [0.0 if seat in self.forfeits else points[seat] for seat in range(len(points))]
        score = [0.0] * self.rules.players
        if self.declarer is None:
            return score  # J21: passed out
        assert self.highest is not None
        if self.made:
            taken = self.rules.made_scores == "taken"
            score[self.declarer] = points[self.declarer] if taken else float(self.highest)
        else:
            for seat in self._breakers():
                score[seat] = float(self.highest)
        return score

    def win(self) -> list[float]:
        """The win of each seat: 1, or an equal share of it when sides tie."""
        if not self.rules.traitor:
            return shares(self.rules, self.score(), out=self.forfeits)
        win = [0.0] * self.rules.players
        if self.declarer is not None:
            for seat in [self.declarer] if self.made else self._breakers():
                win[seat] = 1.0
        return win


# ------------------------------------------------------------------------- hand histories


def replay(history: dict) -> Hand:
    """Play a hand history through and return the finished hand.

    Named decks and tables only.  Raises a ``ValueError`` at the first thing that is wrong.
    """
    if history.get("format") != "tricklab-hand/1" or history.get("game") != "junni":
        raise ValueError("format: not a Junni hand of tricklab-hand/1")
    try:
        rules = Rules(**_field(history, "switches"))
    except TypeError as error:
        raise ValueError(f"switch: {error}") from error
    dealer = _field(history, "dealer")
    if dealer not in range(rules.players):
        raise ValueError(f"format: no seat {dealer} to deal")
    deal, stock = _field(history, "deal"), _field(history, "stock")
    clause = "J20" if rules.traitor else "J3"
    sizes = [len(holding) for holding in deal]
    if sizes != [cards_each(rules)] * rules.players or len(stock) != stock_size(rules):
        raise ValueError(f"{clause}: {sizes} cards dealt and {len(stock)} left")
    if sorted(card for cards in [*deal, stock] for card in cards) != sorted(pack(rules)):
        raise ValueError("J2: the cards are not those of the deck")
    hand = Hand(rules, deal, dealer=dealer, stock=stock)
    gifts: list[list[str]] = []
    for action in _field(history, "actions"):
        _act(hand, gifts, action)
    if not hand.finished:
        raise ValueError(f"turn: the history stops before {hand.phase}")
    return hand


def _field(record: dict, name: str):
    if name not in record:
        raise ValueError(f"format: {name} is missing")
    return record[name]


def _act(hand: Hand, gifts: list[list[str]], action: dict) -> None:
    """Apply one action of a history; ``gifts`` are those given but not yet received."""
    seat, do = _field(action, "seat"), _field(action, "do")
    if do == "caught":
        hand.caught(seat)
        return
    step, turn = hand.phase, hand.seat
    if step == "give":
        turn = (hand.dealer + len(gifts)) % hand.rules.players
    elif step == "play" and hand.needs_roll():
        step = "roll"
    if (do, seat) != (step, turn):
        raise ValueError(f"turn: seat {seat} {do}, where seat {turn} {step} was due")
    if do == "give":
        hand.check_gift(seat, _field(action, "cards"))
        gifts.append(action["cards"])
        if len(gifts) == hand.rules.players:
            # Clockwise from the dealer; the first list is the dealer's.
            by_seat = [gifts[one - hand.dealer] for one in range(hand.rules.players)]
            hand.give(by_seat)
    elif do == "bid":
        hand.bid(seat, _field(action, "bid"))
    elif do == "discard":
        hand.discard(seat, _field(action, "cards"))
    elif do == "roll":
        hand.roll(_field(action, "suit"))
    else:
        card = _field(action, "card")
        if card not in hand.holdings[seat]:
            raise ValueError(f"holding: seat {seat} does not have {card}")
        hand.play(card, _played_as(hand, card, action))


def _played_as(hand: Hand, card: str, action: dict) -> str:
    """The suit a play names, or else the printed one."""
    names = suit(card) == BARBARIANS and not hand.trick
    if "as" not in action:
        if names:
            raise ValueError(f"J7: {card} is led and names no suit")
        return suit(card)
    if not names and suit(card) in (BARBARIANS, action["as"]):
        raise ValueError(f"format: {card} is played as printed, without as")
    return action["as"]


def result(hand: Hand) -> dict:
    """The result of a finished hand as a history states it."""
    return {
        "tricks": list(hand.tricks),
        "score": hand.score(),
        "win": hand.win(),
        "declarer": hand.declarer,
        "partner": None,
        "made": hand.made,
    }


# ------------------------------------------------------------------------------- a campaign


class Campaign:
    """A match by J15: hands until a player, or a team of two, has the target or more."""

    def __init__(self, rules: Rules, first_dealer: int = 0) -> None:
        self.rules = rules
        self.first_dealer = first_dealer
        self.hands = 0
        self.totals = [0.0] * rules.players

    @property
    def dealer(self) -> int:
        """The seat that deals the next hand: the deal passes clockwise (J4)."""
        return (self.first_dealer + self.hands) % self.rules.players

    def add(self, scores: Sequence[float]) -> None:
        """Add the scores of a hand; a passed-out hand counts as one (J15)."""
        if self.finished:
            raise ValueError("J15: the campaign is over")
        self.totals = [a + b for a, b in zip(self.totals, scores, strict=True)]
        self.hands += 1

    @property
    def finished(self) -> bool:
        """Whether some player or team has the target at the end of a hand (J15, J24)."""
        sums = [sum(self.totals[seat] for seat in side) for side in sides(self.rules)]
        return max(sums) >= self.rules.campaign_target

    def win(self) -> list[float]:
        """The win of each seat: most points, ties shared, the same for both of a team."""
        if not self.finished:
            raise ValueError("J15: the campaign is not over")
        return shares(self.rules, self.totals)
