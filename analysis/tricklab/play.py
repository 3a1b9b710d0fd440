"""Runs hands: their phases in order, asking policies and checking what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tricklab.cards import Deck
from tricklab.desk import Asked, Desk, card_name, illegal
from tricklab.errors import IllegalAnswer
from tricklab.policies.base import HONEST, Policy
from tricklab.table import Table, blank_legal
from tricklab.trick_data import AS_PRINTED, Legal
from tricklab.tricks import (
    accept,
    any_choices,
    close_trick,
    follow_choices,
    lead_choices,
)
from tricklab.uniform import uniform_trick

TRICK_STEP = 1000
"""Random step of the first trick; trick *t* (from 0) is step ``TRICK_STEP + t``."""

REVOKE_STEP = 1500
"""Random step of the decision to revoke in the first trick, likewise."""


Action = dict[str, Any]
"""One action of a hand history."""


class Phase(Protocol):
    """A part of a hand, run for all hands of a table."""

    def run(self, table: Table, desk: Desk) -> None:
        """Carry the table from this phase's start, or from where it stands in it, to its end."""

    def actions(self, table: Table, row: int) -> list[Action]:
        """What was done in this phase of one finished hand, as a hand history tells it."""


class InPlace(Phase, Protocol):
    """A phase that can leave alone hands which are over, so that they need not be set aside."""

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether it will, with the policies at this desk."""


@dataclass(frozen=True)
class Die:
    """A die that names the trumps of a trick (J25).

    Attributes
    ----------
    faces : int
        Suits it has faces for: the first so many of the deck, all equally likely.
    each_trick : bool
        Whether it is rolled before each trick, or before the first alone.
    """

    faces: int
    each_trick: bool

    def rolled(self, trick: int) -> bool:
        """Whether it is rolled before a trick, numbered from 0."""
        return self.each_trick or trick == 0


@dataclass(frozen=True)
class Brazen:
    """Play that nobody checks as it happens (J16).

    Attributes
    ----------
    detection : float
        Chance that a revoke is called at the end of its trick.
    """

    detection: float


@dataclass(frozen=True)
class Tricks:
    """Play of all tricks.

    Attributes
    ----------
    die : Die, optional
        Names the trumps.
    brazen : Brazen, optional
        Whether seats may break the rules of play, and what comes of it.
    """

    die: Die | None = None
    brazen: Brazen | None = None

    def run(self, table: Table, desk: Desk) -> None:
        """Play from where the table stands to the last card."""
        at_once = self._at_once(table, desk)
        while table.trick < table.tricks:
            if at_once and table.position == 0:
                self._prepare(table, desk)
                self._play_uniformly(table, desk)
                # What a trick shows matters where somebody looks: after the last.
                self._close(table, desk, learn=table.trick == table.tricks - 1)
            else:
                self.step(table, desk)

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether whole tricks are played in one kernel."""
        return not self.die and table.position == 0 and self._at_once(table, desk)

    def _at_once(self, table: Table, desk: Desk) -> bool:
        return desk.uniform("play") and table.choices is None and not self._cheats(desk)

    def step(self, table: Table, desk: Desk) -> None:
        """Play one card in every hand."""
        if table.position == 0:
            self._prepare(table, desk)
        choices(table)
        cheats = self._cheats(desk)
        for policy, rows in list(desk.turns(table.state.seat)):
            if cheats and may_revoke(policy):
                rows = self._tempt(table, desk, policy, rows)
            if len(rows):
                self._ask(table, desk, policy, rows)
        table.position += 1
        if table.position == table.game.players:
            self._close(table, desk)

    def _cheats(self, desk: Desk) -> bool:
        return self.brazen is not None and any(map(may_revoke, desk.policies))

    def _prepare(self, table: Table, desk: Desk) -> None:
        """What is done before a trick is led: roll the die."""
        if table.trick == 0:
            if table.over.any():
                np.copyto(table.start, table.state.hold, where=~table.over[:, None, None])
            else:
                table.start[:] = table.state.hold
        if self.die and self.die.rolled(table.trick):
            table.state.trump[:] = desk.roll(table, self.die.faces, table.trick)

    def _close(self, table: Table, desk: Desk, *, learn: bool = True) -> None:
        """What is done after a trick: it is taken, and revokes in it may be called out."""
        end_trick(table, learn=learn)
        if self.brazen and self._cheats(desk):
            at_risk = table.fresh & (table.caught == 0)
            table.risked += at_risk
            table.caught[desk.detect(table, at_risk, self.brazen.detection)] = table.trick
            table.fresh[:] = False

    def actions(self, table: Table, row: int) -> list[Action]:
        """Rolls, plays and calls in order."""
        deck, players = table.game.deck, table.game.players
        letters = [suit.letter for suit in deck.suits]
        cards, named = table.cards[:, row].tolist(), table.played_as[:, row].tolist()
        leaders, trumps = table.leaders[:, row].tolist(), table.trumps[:, row].tolist()
        caught = table.caught[row].tolist() if self.brazen else []
        suit_of = deck.suit_of.tolist()
        out: list[Action] = []
        for t, leader in enumerate(leaders):
            if self.die and self.die.rolled(t):
                out.append({"seat": leader, "do": "roll", "suit": letters[trumps[t]]})
            for position in range(players):
                seat = (leader + position) % players
                card, suit = cards[t][seat], named[t][seat]
                played: Action = {"seat": seat, "do": "play", "card": deck.cards[card]}
                if suit != suit_of[card]:
                    played["as"] = letters[suit]
                out.append(played)
            called = (seat for seat, trick in enumerate(caught) if trick == t + 1)
            out += ({"seat": seat, "do": "caught"} for seat in called)
        return out

    def _play_uniformly(self, table: Table, desk: Desk) -> None:
        """Play a whole trick at once: what asking each seat would give, several times faster."""
        uniform_trick(
            table.game.rules,
            table.state,
            table.legal,
            table.over,
            desk.all_words(TRICK_STEP + table.trick, table),
            table.cards[table.trick],
            table.played_as[table.trick],
            table.trick + 1,
        )
        table.position = table.game.players

    def _ask(self, table: Table, desk: Desk, policy: Policy, rows: NDArray[np.int64]) -> None:
        asked = Asked(policy, "play", desk, table, rows, TRICK_STEP + table.trick)
        cards, played_as = _pair(asked)
        if self._cheats(desk):
            _not_void(table, rows, cards)
        bad = lay(table, rows, cards, played_as)
        if bad >= 0:
            raise illegal_play(table, rows[bad], cards[bad], played_as[bad], asked)

    def _tempt(
        self, table: Table, desk: Desk, policy: Policy, rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Ask whether to revoke and lay the cards that break the rules; the rows that are left."""
        seats = table.state.seat
        free = any_cards(table)
        asked = Asked(policy, "revoke", desk, table, rows, REVOKE_STEP + table.trick, free=free)
        cards, played_as = _pair(asked)
        wants = cards != HONEST
        mine = rows[wants]
        if not len(mine):
            return rows
        cards, played_as = cards[wants], played_as[wants]
        deck, seat = table.game.deck, seats[mine]
        known = (cards >= 0) & (cards < deck.n_cards)
        suit = deck.suit_of[np.where(known, cards, 0)]
        rank = deck.rank_of[np.where(known, cards, 0)]
        legal = table.legal
        honest = np.where(
            (played_as == AS_PRINTED) | (played_as == suit) | (suit == deck.excuse),
            legal.printed[mine, suit],
            legal.other[mine, suit],
        )
        revoked = (honest >> rank.astype(np.uint32) & 1) == 0
        _not_void(table, mine, cards)
        bad = lay(table, mine, cards, played_as, free)
        if bad >= 0:
            raise illegal_play(table, mine[bad], cards[bad], played_as[bad], asked, free)
        table.revokes[mine, seat] += revoked
        table.fresh[mine, seat] |= revoked
        return rows[~wants]


def _not_void(table: Table, rows: NDArray[np.int64], cards: NDArray[np.int16]) -> None:
    """Who plays a suit never was without it, whatever an earlier revoke has shown."""
    deck = table.game.deck
    suit = deck.suit_of[cards.clip(0, deck.n_cards - 1)].astype(np.uint16)
    table.state.voids[rows, table.state.seat[rows]] &= ~(np.uint16(1) << suit)


def may_revoke(policy: Policy) -> bool:
    """Whether a policy decides about revoking at all."""
    return type(policy).revoke is not Policy.revoke


def any_cards(table: Table) -> Legal:
    """What the seats whose turn it is may answer where nobody checks (J16)."""
    free = blank_legal(table.hands, table.game.deck.n_suits)
    any_choices(table.game.rules, table.state, free, table.position == 0)
    return free


def _pair(asked: Asked) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """An answer as cards and the suits they are played as."""
    answer = asked.answer()
    if isinstance(answer, tuple) and len(answer) != 2:
        raise asked.illegal(0, f"a tuple of {len(answer)}", "cards, or a pair")
    cards, played_as = answer if isinstance(answer, tuple) else (answer, None)
    cards = asked.array(cards)
    if played_as is None:
        return cards, np.full(len(cards), AS_PRINTED, np.int16)
    return cards, asked.array(played_as)


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
    legal: Legal | None = None,
) -> int:
    """Lay one card in each of ``rows``; -1, or the first position whose card is not legal."""
    return accept(
        table.game.rules,
        table.state,
        legal or table.legal,
        rows,
        cards,
        played_as,
        table.cards[table.trick],
        table.played_as[table.trick],
        table.trick + 1,
        table.position == 0,
    )


def end_trick(table: Table, *, learn: bool = True) -> None:
    """Record a full trick, give it to its winner, hand the lead on, and note what it shows."""
    t = table.trick
    close_trick(
        table.game.rules,
        table.state,
        table.over,
        table.leaders[t],
        table.winners[t],
        table.trumps[t],
        table.leads[t],
        table.worthless,
    )
    table.trick += 1
    table.position = 0
    if learn:
        table.game.learn(table)


def play_out(table: Table, desk: Desk, stop: int | None = None) -> Table:
    """Carry every hand of a table from where it stands to its end; returns the table.

    Parameters
    ----------
    stop : int, optional
        The phase before which to stop instead.
    """
    phases = table.game.phases[:stop]
    while table.stage < len(phases):
        rows: slice | NDArray[np.int64] = slice(None)
        if table.over.any():
            rows = np.flatnonzero(~table.over)
            if not len(rows):
                table.stage = len(phases)
                break
            if not all(_passes_by(phase, table, desk) for phase in phases[table.stage :]):
                table.put(rows, play_out(table.part(rows), desk, stop))
                table.stage = len(phases)
                break
        phases[table.stage].run(table, desk)
        table.stage += 1
        table.phases[rows] = table.stage
    return table


def _passes_by(phase: Phase, table: Table, desk: Desk) -> bool:
    """Whether a phase leaves hands that are over alone."""
    return hasattr(phase, "passes_by") and cast(InPlace, phase).passes_by(table, desk)


def illegal_play(
    table: Table,
    hand: int,
    card: int,
    played_as: int,
    asked: Asked | None,
    legal: Legal | None = None,
) -> IllegalAnswer:
    """The error for a card that the rules do not let the seat play."""
    deck = table.game.deck
    answered = card_name(deck, card)
    if played_as != AS_PRINTED:
        suit = deck.suits[played_as].letter if 0 <= played_as < deck.n_suits else played_as
        answered += f" as {suit}"
    legal = legal or table.legal
    may = answers(deck, legal.printed[hand], legal.other[hand], int(legal.names[hand]))
    allowed = "one of " + ", ".join(may)
    if asked is None:
        seat = int(table.state.seat[hand])
        return illegal(f"illegal answer, hand {hand}", seat, "play", answered, allowed)
    return asked.illegal(int(np.flatnonzero(asked.rows == hand)[0]), answered, allowed)


def answers(
    deck: Deck, printed: NDArray[np.uint32], other: NDArray[np.uint32], names: int
) -> list[str]:
    """What a seat may answer, in words: ``AB``, ``RK as C``; see :class:`Legal` for a row's."""
    out = []
    for card in deck.cards_in(printed):
        if names and deck.suit_of[deck.index(card)] == deck.excuse:
            out += [
                f"{card} as {suit.letter}" for s, suit in enumerate(deck.suits) if names >> s & 1
            ]
        else:
            out.append(card)
    for card in deck.cards_in(other):
        out.append(f"{card} as {deck.suits[deck.inverted_suit[deck.index(card)]].letter}")
    return out
