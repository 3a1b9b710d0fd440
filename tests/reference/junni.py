"""Junni in plain Python, written from the rule sheet (clauses J1-J14, J17-J19, J24, J25).

This module is the independent check of the compiled game.  It imports nothing of the package, it
keeps cards as strings (``"10C"``) and it prefers the sheet's own words to speed.

An *answer* is a pair ``(card, as_suit)``: the card and the suit letter it is played as.  That is
the printed suit, the inverted suit of a court card (J17), the suit a led barbarian names (J7), or
``"X"`` for a barbarian that follows.  A *trick* is the list of ``(seat, card, as_suit)`` so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

    def __post_init__(self) -> None:
        if not 3 <= self.players <= 6:
            raise ValueError("J3: 3-6 players")
        if not 1 <= self.shriving_cards <= 8:
            raise ValueError("J14: shriving_cards is 1-8")
        if self.partners and self.players not in (4, 6):
            raise ValueError("J24: partners needs 4 or 6 players")


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


def cards_each(rules: Rules) -> int:
    """J3: everybody gets the same number, as many as the deck allows."""
    return len(pack(rules)) // rules.players


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
        names = [letter for letter in die_faces(rules) if letter != trumps]
        return {(card, name) for card in holding for name in names}
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


def sides(rules: Rules) -> list[list[int]]:
    """The seats whose results are added (J24); everybody alone without partners."""
    if not rules.partners:
        return [[seat] for seat in range(rules.players)]
    half = rules.players // 2
    return [[seat, seat + half] for seat in range(half)]


def shares(rules: Rules, scores: Sequence[float]) -> list[float]:
    """The win of each seat: ties between sides are shared equally (J13, J24)."""
    results = [sum(scores[seat] for seat in side) for side in sides(rules)]
    best = max(results)
    tied = results.count(best)
    win = [0.0] * rules.players
    for side, result in zip(sides(rules), results, strict=True):
        if result == best:
            for seat in side:
                win[seat] = 1.0 / tied
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
    """

    def __init__(
        self,
        rules: Rules,
        holdings: Sequence[Sequence[str]],
        dealer: int = 0,
        leader: int | None = None,
        broken: bool = False,
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
        self._may_give = rules.shriving

    # -- before play

    def give(self, given: Sequence[Sequence[str]]) -> None:
        """Shriving (J14): every seat at the same moment gives cards to the seat on its left."""
        if not self._may_give:
            raise ValueError("J14: no cards are given now")
        seats = range(self.rules.players)
        for seat in seats:
            cards = given[seat]
            if len(cards) != self.rules.shriving_cards or len(set(cards)) != len(cards):
                raise ValueError(f"J14: seat {seat} must give {self.rules.shriving_cards} cards")
            if not set(cards) <= set(self.holdings[seat]):
                raise ValueError(f"J14: seat {seat} gives a card it does not hold")
        # All gifts leave the holdings before any arrives.
        for seat in seats:
            for card in given[seat]:
                self.holdings[seat].remove(card)
        for seat in seats:
            self.holdings[(seat + 1) % self.rules.players] += list(given[seat])
        self._may_give = False

    def needs_roll(self) -> bool:
        """Whether the leader must roll the die now (J25)."""
        return self.rules.dice and not self.trick and self.trumps is None and not self.finished

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
        """Whether every card has been played."""
        return not self.trick and not any(self.holdings)

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return (self.leader + len(self.trick)) % self.rules.players

    def legal(self) -> set[Answer]:
        """The legal answers of the seat whose turn it is."""
        if self.finished:
            return set()
        if self.trumps is None:
            raise ValueError("J25: the die must be rolled first")
        return legal(self.rules, self.holdings[self.seat], self.trick, self.trumps, self.broken)

    def play(self, card: str, as_suit: str) -> None:
        """Play a card; the last card of a trick closes it."""
        if (card, as_suit) not in self.legal():
            raise ValueError(f"seat {self.seat} may not play {card} as {as_suit}")
        self._may_give = False
        seat = self.seat
        if self._saves_a_trump(card):
            self.excuse_saves[seat] += 1
        self.holdings[seat].remove(card)
        self.trick.append((seat, card, as_suit))
        if as_suit == self.trumps and not self.broken:
            # J10: a follower's trump breaks trumps; so does a trump led under J8.
            self.broken = True
            self.broken_trick = len(self.winners) + 1
        if len(self.trick) == self.rules.players:
            self._close()

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

    def score(self) -> list[float]:
        """The points of each seat (its own, not its side's)."""
        return [
            float(
                self.tricks[seat] * trick_points(self.rules)
                + sum(card_points(self.rules, card) for card in self.piles[seat])
            )
            for seat in range(self.rules.players)
        ]

    def win(self) -> list[float]:
        """The win of each seat: 1, or an equal share of it when sides tie."""
        return shares(self.rules, self.score())
