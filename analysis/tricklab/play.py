"""Runs hands: their phases in order, asking policies and checking what they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import Deck
from tricklab.errors import IllegalAnswer
from tricklab.policies.base import Policy
from tricklab.rng import Purpose, Streams
from tricklab.table import Table
from tricklab.trick_data import AS_PRINTED, NO_VALUE
from tricklab.tricks import (
    accept,
    close_trick,
    follow_choices,
    kernel,
    lead_choices,
    uniform_trick,
)
from tricklab.view import Draw, View

GIVE_STEP = 0
"""Random step of the give; part of the definition of a run, as is the next."""

TRICK_STEP = 1000
"""Random step of the first trick; trick *t* (from 0) is step ``TRICK_STEP + t``."""


class Desk:
    """Who sits where in a block, and where their random numbers come from.

    Parameters
    ----------
    policies : sequence of Policy
        One a seat.
    streams : Streams
        The block's random streams.
    first : int
        Number of the block's first hand, for messages.
    """

    def __init__(self, policies: Sequence[Policy], streams: Streams, first: int = 0) -> None:
        self.policies = tuple(policies)
        self.streams = streams
        self.first = first
        self._group_of, self._groups = _group(self.policies)
        self.uniform = all(_plays_uniformly(policy) for policy in self.policies)
        self._words: dict[int, NDArray[np.uint32]] = {}
        self._all_rows = np.arange(0)
        self._step = (-1, 0)

    def turns(self, seats: NDArray[np.int8]) -> Iterator[tuple[Policy, NDArray[np.int64]]]:
        """Each different policy with the rows in which it has the turn."""
        if len(self._groups) == 1:
            if len(self._all_rows) != len(seats):
                self._all_rows = np.arange(len(seats))
            yield self._groups[0], self._all_rows
            return
        turn = self._group_of[seats]
        for g, policy in enumerate(self._groups):
            rows = np.flatnonzero(turn == g)
            if len(rows):
                yield policy, rows

    def all_words(self, step: int, hands: int, draw: int = 0) -> NDArray[np.uint32]:
        """One word of every seat's stream for every hand, shape (P, H)."""
        # A desk may go on with a table that has been widened since.
        if (step, hands) != self._step:
            self._words.clear()
            self._step = (step, hands)
        if draw not in self._words:
            words = np.empty((len(self.policies), hands), np.uint32)
            for seat, own in enumerate(words):
                own[:] = self.streams.words(Purpose.SEAT + seat, step, hands, draw)
            self._words[draw] = words
        return self._words[draw]

    def draw(self, step: int, seats: NDArray[np.int8], rows: NDArray[np.int64]) -> Draw:
        """Draws of one step: each row's words come from its own seat's stream.

        Every seat's words are drawn for the whole block, so which hands a seat decides in, and
        what else is drawn, changes nothing.
        """

        def words(draw: int) -> NDArray[np.uint32]:
            drawn = self.all_words(step, len(seats), draw)
            out = np.empty(len(rows), np.uint32)
            pick_words(drawn, seats, rows, out)
            return out

        return words


def _plays_uniformly(policy: Policy) -> bool:
    """Whether a policy says so itself; a subclass that overrides ``play`` must say it again."""
    for cls in type(policy).__mro__:
        if "uniform" in vars(cls):
            return policy.uniform
        if "play" in vars(cls):
            return False
    return False


def _group(policies: Sequence[Policy]) -> tuple[NDArray[np.int64], list[Policy]]:
    """Policies that are equal share a group, so that they are asked together."""
    groups: list[Policy] = []
    of = []
    for policy in policies:
        for g, other in enumerate(groups):
            if policy is other or (type(policy) is type(other) and policy == other):
                of.append(g)
                break
        else:
            of.append(len(groups))
            groups.append(policy)
    return np.array(of), groups


class Phase(Protocol):
    """A part of a hand, run for all hands of a table."""

    def run(self, table: Table, desk: Desk) -> None:
        """Carry the table from this phase's start, or from where it stands in it, to its end."""


@dataclass(frozen=True)
class Give:
    """Every seat gives cards to the player on its left, all at the same moment (J14)."""

    count: int

    def run(self, table: Table, desk: Desk) -> None:
        """Ask every seat, then move the cards."""
        if table.given.any():
            return
        players = table.game.players
        for seat in range(players):
            table.state.seat[:] = seat
            for policy, rows in desk.turns(table.state.seat):
                draw = desk.draw(GIVE_STEP, table.state.seat, rows)
                view = View(table, rows, draw, playing=False)
                answer = policy.give(view)
                cards = _array(answer, (len(rows), self.count), policy, "give", desk, rows, seat)
                bad = accept_give(
                    table.game.rules.suit_of,
                    table.game.rules.rank_of,
                    table.dealt[:, seat],
                    rows,
                    cards,
                    table.given[:, seat],
                )
                if bad >= 0:
                    names = [_name(table.game.deck, card) for card in cards[bad]]
                    holding = " ".join(table.game.deck.cards_in(view.holding[bad]))
                    raise _illegal(
                        policy,
                        "give",
                        desk,
                        rows[bad],
                        seat,
                        " ".join(names),
                        f"{self.count} different cards of {holding} (J14)",
                    )
        received = np.roll(table.given, 1, axis=1)
        table.state.hold[:] = (table.dealt & ~table.given) | received
        table.start = table.state.hold.copy()
        table.state.seat[:] = table.state.leader


@dataclass(frozen=True)
class Tricks:
    """Play of all tricks.

    Attributes
    ----------
    before : callable, optional
        Called as ``before(table, streams)`` when a trick is about to be led.
    """

    before: Callable[[Table, Streams], None] | None = None

    def run(self, table: Table, desk: Desk) -> None:
        """Play from where the table stands to the last card."""
        while table.trick < table.tricks:
            if table.position == 0 and self.before:
                self.before(table, desk.streams)
            if table.position == 0 and desk.uniform and table.choices is None:
                self._play_uniformly(table, desk)
            while table.position < table.game.players:
                choices(table)
                for policy, rows in list(desk.turns(table.state.seat)):
                    self._ask(table, desk, policy, rows)
                table.position += 1
            end_trick(table)

    def _play_uniformly(self, table: Table, desk: Desk) -> None:
        """Play a whole trick at once: what asking each seat would give, several times faster."""
        uniform_trick(
            table.game.rules,
            table.state,
            table.legal,
            desk.all_words(TRICK_STEP + table.trick, table.hands),
            table.cards[table.trick],
            table.played_as[table.trick],
            table.trick + 1,
        )
        table.position = table.game.players

    def _ask(self, table: Table, desk: Desk, policy: Policy, rows: NDArray[np.int64]) -> None:
        step = TRICK_STEP + table.trick
        view = View(table, rows, desk.draw(step, table.state.seat, rows))
        answer = policy.play(view)
        where = (policy, "play", desk, rows, int(view.seat[0]))
        if isinstance(answer, tuple) and len(answer) != 2:
            got = f"a tuple of {len(answer)}"
            raise _illegal(policy, "play", desk, rows[0], where[-1], got, "cards, or a pair")
        cards, played_as = answer if isinstance(answer, tuple) else (answer, None)
        cards = _array(cards, (len(rows),), *where)
        if played_as is None:
            played_as = np.full(len(rows), AS_PRINTED, np.int16)
        played_as = _array(played_as, (len(rows),), *where)
        bad = lay(table, rows, cards, played_as)
        if bad >= 0:
            raise illegal_play(table, rows[bad], cards[bad], played_as[bad], policy, desk)


def choices(table: Table) -> None:
    """Compute what the seats whose turn it is may play, and note how much choice they have."""
    find = lead_choices if table.position == 0 else follow_choices
    find(table.game.rules, table.state, table.legal)
    if table.choices is not None:
        where = (table.trick, np.arange(table.hands), table.state.seat)
        table.choices[where] = table.legal.count


def lay(
    table: Table,
    rows: NDArray[np.int64],
    cards: NDArray[np.int16],
    played_as: NDArray[np.int16],
) -> int:
    """Lay one card in each of ``rows``; -1, or the first position whose card is not legal."""
    return accept(
        table.game.rules,
        table.state,
        table.legal,
        rows,
        cards,
        played_as,
        table.cards[table.trick],
        table.played_as[table.trick],
        table.trick + 1,
        table.position == 0,
    )


def end_trick(table: Table) -> None:
    """Record a full trick, give it to its winner and hand the lead on."""
    state, t = table.state, table.trick
    table.leaders[t] = state.leader
    table.trumps[t] = state.trump
    table.leads[t] = state.lead
    table.worthless += state.best_strength == NO_VALUE
    close_trick(table.game.rules, state, table.winners[t])
    table.trick += 1
    table.position = 0


def play_out(table: Table, desk: Desk) -> Table:
    """Carry every hand of a table from where it stands to its end; returns the table."""
    for phase in table.game.phases:
        phase.run(table, desk)
    return table


@kernel
def pick_words(
    words: NDArray[np.uint32],
    seats: NDArray[np.int8],
    rows: NDArray[np.int64],
    out: NDArray[np.uint32],
) -> None:
    """Pick each row's word from its seat's, ``words`` being of shape (P, H)."""
    for i in range(rows.size):
        out[i] = words[seats[rows[i]], rows[i]]


@kernel
def accept_give(
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    hold: NDArray[np.uint32],
    rows: NDArray[np.int64],
    cards: NDArray[np.int16],
    given: NDArray[np.uint32],
) -> int:
    """Note the cards given, (n, count), in ``given`` (H, S); -1 or the first bad position."""
    for i in range(rows.size):
        h = rows[i]
        for card in cards[i]:
            if card < 0 or card >= suit_of.size:
                return i
            s = suit_of[card]
            bit = np.uint32(1) << np.uint32(rank_of[card])
            if not hold[h, s] & bit or given[h, s] & bit:
                return i
            given[h, s] |= bit
    return -1


def _array(
    answer: object,
    shape: tuple[int, ...],
    policy: Policy,
    decision: str,
    desk: Desk,
    rows: NDArray[np.int64],
    seat: int,
) -> NDArray[np.int16]:
    """An answer as an array of the shape asked for, or :class:`IllegalAnswer`."""
    try:
        out = np.asarray(answer)
    except ValueError:
        # Rows of different lengths, for one.
        out = np.array(None)
    if out.shape == shape and out.dtype.kind in "iu":
        small = out.astype(np.int16)
        beyond = small != out
        if not beyond.any():
            return np.ascontiguousarray(small)
        row = int(np.argwhere(beyond)[0, 0])
        number = out[beyond].flat[0]
        raise _illegal(
            policy, decision, desk, rows[row], seat, f"number {number}", "numbers of legal cards"
        )
    got = f"{out.dtype} of shape {out.shape}"
    raise _illegal(policy, decision, desk, rows[0], seat, got, f"whole numbers of shape {shape}")


def illegal_play(
    table: Table, hand: int, card: int, played_as: int, policy: Policy | None, desk: Desk | None
) -> IllegalAnswer:
    """The error for a card that the rules do not let the seat play."""
    deck = table.game.deck
    answered = _name(deck, card)
    if played_as != AS_PRINTED:
        suit = deck.suits[played_as].letter if 0 <= played_as < deck.n_suits else played_as
        answered += f" as {suit}"
    allowed = "one of " + ", ".join(answers(table, hand))
    return _illegal(policy, "play", desk, hand, int(table.state.seat[hand]), answered, allowed)


def answers(table: Table, hand: int) -> list[str]:
    """The legal answers of the seat whose turn it is, in words: ``AB``, ``RK as C``."""
    deck, legal = table.game.deck, table.legal
    out = []
    for card in deck.cards_in(legal.printed[hand]):
        if legal.names[hand] and deck.suit_of[deck.index(card)] == deck.excuse:
            out += [
                f"{card} as {suit.letter}"
                for s, suit in enumerate(deck.suits)
                if legal.names[hand] >> s & 1
            ]
        else:
            out.append(card)
    for card in deck.cards_in(legal.other[hand]):
        out.append(f"{card} as {deck.suits[deck.inverted_suit[deck.index(card)]].letter}")
    return out


def _name(deck: Deck, card: int) -> str:
    return deck.cards[card] if 0 <= card < deck.n_cards else f"card number {card}"


def _illegal(
    policy: Policy | None,
    decision: str,
    desk: Desk | None,
    hand: int,
    seat: int,
    answered: str,
    allowed: str,
) -> IllegalAnswer:
    who = f"policy {policy!r}" if policy is not None else "illegal answer"
    number = hand + (desk.first if desk else 0)
    return IllegalAnswer(
        f"{who}, hand {number}, seat {seat}, decision {decision}: "
        f"answered {answered}; allowed: {allowed}"
    )
