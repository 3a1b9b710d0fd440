"""The stock: what is drawn and discarded, and hands that are annulled (E9-E12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_SEAT, NOTHING
from tricklab.bits import scaled
from tricklab.desk import Asked, Desk, card_name
from tricklab.games.emperor.facts import ANNULLED, DECLINED, NOT_ASKED, Facts
from tricklab.games.emperor.pack import (
    CARDS_EACH,
    DECK,
    DECLARER_DRAWS,
    KEPT,
    KING,
    OTHERS_DRAW,
    OTHERS_DRAW_WITHOUT,
    PLAYERS,
    TRUMP,
    WITHOUT,
)
from tricklab.games.parts import over_seats
from tricklab.phases import DISCARD_STEP
from tricklab.play import Action, play_out
from tricklab.table import Table
from tricklab.trick_data import Rules
from tricklab.tricks import kernel
from tricklab.uniform import draw_card

ANNUL_STEP = 4
"""Random step in which seats say whether they annul; part of the definition of a run."""

MOST_DRAWN = max(DECLARER_DRAWS)
"""The most cards that a seat draws (E9)."""


@dataclass(frozen=True)
class Draws:
    """From the declarer on, each draws from the stock and discards as many (E9, E10).

    Attributes
    ----------
    last_draws : bool
        Whether under Three the last of them draws, too.
    """

    last_draws: bool

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether the phase is one kernel."""
        return desk.uniform("discard")

    def counts(self, bid: NDArray[np.integer], turn: int) -> NDArray[np.int64]:
        """How many cards are drawn under each bid, so many seats from the declarer (E9)."""
        if turn == 0:
            return np.array(DECLARER_DRAWS)[bid]
        out = np.where(bid == WITHOUT, OTHERS_DRAW_WITHOUT, OTHERS_DRAW)
        if turn == PLAYERS - 1 and not self.last_draws:
            out = np.where(bid == DECLARER_DRAWS.index(MOST_DRAWN), 0, out)
        return out

    def run(self, table: Table, desk: Desk) -> None:
        """Let every seat in turn draw, ask it, and take its discards away."""
        state, facts, rules = table.state, table.extra, table.game.rules
        if desk.uniform("discard"):
            self._run_uniformly(table, desk)
            return
        for turn in range(PLAYERS):
            state.seat[:] = (table.declarer + turn) % PLAYERS
            count = self.counts(table.bidding.high, turn)
            draw(table.pack, facts.drawn, count, rules.suit_of, rules.rank_of, state)
            for asked in desk.ask(
                table, "discard", DISCARD_STEP, np.flatnonzero(count), offers=self
            ):
                self._set_apart(table, asked)
            desk.pass_over("discard", table, np.flatnonzero(count == 0))
        state.seat[:] = state.leader

    def _run_uniformly(self, table: Table, desk: Desk) -> None:
        """What asking each seat would give, in one kernel."""
        bids = np.arange(WITHOUT + 1)
        step = desk.step(DISCARD_STEP, table)
        discard_uniformly(
            table.game.rules,
            np.stack([self.counts(bids, turn) for turn in range(PLAYERS)], axis=1),
            KEPT,
            table.pack,
            table.declarer,
            table.bidding.high,
            np.stack([desk.all_words(step, table, draw) for draw in range(MOST_DRAWN)]),
            table.extra.drawn,
            table.state.hold,
            np.zeros((1, DECK.n_suits), np.uint32),
            table.discarded,
            table.extra.shown,
        )
        table.state.seat[:] = table.state.leader

    def _set_apart(self, table: Table, asked: Asked) -> None:
        cards = asked.answers(MOST_DRAWN)
        rules, state, rows = table.game.rules, table.state, asked.rows
        may, count = asked.view.offers["may_discard"], asked.view.offers["count"]
        bad = accept_discards(
            rules.suit_of,
            rules.rank_of,
            state.hold,
            state.seat,
            rows,
            cards,
            may,
            count,
            table.discarded,
            table.extra.shown,
        )
        if bad >= 0:
            names = " ".join(card_name(DECK, card) for card in cards[bad] if card != NOTHING)
            allowed = " ".join(DECK.cards_in(may[bad]))
            allowed = f"{count[bad]} different cards of {allowed} (E9, E10)"
            raise asked.illegal(bad, names or "nothing", allowed)

    def offers(self, table: Table, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """``count`` (n,): how many to discard; ``may_discard`` (n, n_suits): of which cards."""
        seat = table.state.seat[rows]
        bid = table.bidding.high[rows]
        turn = (seat - table.declarer[rows]) % PLAYERS
        each = np.stack([self.counts(bid, t) for t in range(PLAYERS)], axis=1)
        count = np.take_along_axis(each, turn[:, None].astype(np.int64), axis=1)[:, 0]
        return {"count": count, "may_discard": table.state.hold[rows, seat] & ~KEPT}

    def actions(self, table: Table, row: int) -> list[Action]:
        """What each seat that drew discarded."""
        declarer, bid = int(table.declarer[row]), table.bidding.high[row : row + 1]
        out: list[Action] = []
        for turn in range(PLAYERS if declarer != NO_SEAT else 0):
            if self.counts(bid, turn)[0]:
                seat = (declarer + turn) % PLAYERS
                cards = DECK.cards_in(table.discarded[row, seat])
                out.append({"seat": seat, "do": "discard", "cards": cards})
        return out


@kernel
def draw(
    pack: NDArray[np.uint8],
    drawn: NDArray[np.int8],
    count: NDArray[np.int64],
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    state: Any,
) -> None:
    """Let the seats whose turn it is take so many cards off the stock; ``drawn`` is written."""
    first = CARDS_EACH * PLAYERS
    for h in range(drawn.size):
        for _ in range(count[h]):
            card = pack[h, first + drawn[h]]
            state.hold[h, state.seat[h], suit_of[card]] |= np.uint32(1) << np.uint32(rank_of[card])
            drawn[h] += 1


@kernel
def accept_discards(
    suit_of: NDArray[np.int8],
    rank_of: NDArray[np.int8],
    hold: NDArray[np.uint32],
    seat: NDArray[np.int8],
    rows: NDArray[np.int64],
    cards: NDArray[np.int16],
    may: NDArray[np.uint32],
    count: NDArray[np.int64],
    apart: NDArray[np.uint32],
    shown: NDArray[np.uint32],
) -> int:
    """Take the cards (n, most) that the seats whose turn it is discard (E9, E10).

    Returns -1, or the first position whose cards are not ``count`` different ones of ``may``
    (n, S), any others being ``NOTHING``.  ``hold``, ``apart`` (H, P, S) and ``shown`` (H, P) are
    written.
    """
    for i in range(rows.size):
        h = rows[i]
        p = seat[h]
        taken = 0
        for card in cards[i]:
            if card == NOTHING:
                continue
            if card < 0 or card >= suit_of.size:
                return i
            s = suit_of[card]
            bit = np.uint32(1) << np.uint32(rank_of[card])
            if not may[i, s] & hold[h, p, s] & bit:
                return i
            hold[h, p, s] &= ~bit
            apart[h, p, s] |= bit
            if s == TRUMP:
                shown[h, p] |= bit
            taken += 1
        if taken != count[i]:
            return i
    return -1


@kernel
def discard_uniformly(
    rules: Rules,
    counts: NDArray[np.int64],
    kept: NDArray[np.uint32],
    pack: NDArray[np.uint8],
    declarer: NDArray[np.int8],
    bid: NDArray[np.int16],
    words: NDArray[np.uint32],
    drawn: NDArray[np.int8],
    hold: NDArray[np.uint32],
    left: NDArray[np.uint32],
    apart: NDArray[np.uint32],
    shown: NDArray[np.uint32],
) -> None:
    """Let every seat in turn draw and discard any cards that it may, each set as likely.

    Parameters
    ----------
    counts : int64 (bids, P)
        How many cards are drawn, by bid and by seats from the declarer.
    kept : uint32 (S,)
        Cards that may not be discarded.
    words : uint32 (most, P, H)
        A random word a card and seat.
    drawn : int8 (H,), hold, apart : uint32 (H, P, S), shown : uint32 (H, P)
        Written; see :func:`draw` and :func:`accept_discards`.
    left : uint32 (1, S)
        Room.
    """
    players = hold.shape[1]
    for h in range(drawn.size):
        for turn in range(players):
            p = (declarer[h] + turn) % players
            if declarer[h] == NO_SEAT:
                break
            count = counts[bid[h], turn]
            for _ in range(count):
                card = pack[h, CARDS_EACH * PLAYERS + drawn[h]]
                hold[h, p, rules.suit_of[card]] |= np.uint32(1) << np.uint32(rules.rank_of[card])
                drawn[h] += 1
            for s in range(hold.shape[2]):
                left[0, s] = hold[h, p, s] & ~kept[s]
            for place in range(count):
                card = draw_card(rules, left, 0, words[place, p, h])
                bit = np.uint32(1) << np.uint32(rules.rank_of[card])
                hold[h, p, rules.suit_of[card]] &= ~bit
                apart[h, p, rules.suit_of[card]] |= bit
                if rules.suit_of[card] == TRUMP:
                    shown[h, p] |= bit


@dataclass(frozen=True)
class Annul:
    """Seats without trumps, or with all Kings, may have the hand thrown in and dealt again (E12).

    What is dealt again goes through the phases up to this one by itself, and then takes the place
    of the deal that was thrown in; that one is kept in ``table.earlier``.
    """

    def passes_by(self, table: Table, desk: Desk) -> bool:
        """Whether the phase is one kernel."""
        return desk.uniform("annul")

    def run(self, table: Table, desk: Desk) -> None:
        """Ask those who may; deal again what was annulled until nothing is."""
        facts: Facts = table.extra
        may = np.empty((table.hands, PLAYERS), np.bool_)
        may_annul(table.state.hold, table.over, may)
        if not may.any():
            return
        if desk.uniform("annul"):
            words = desk.all_words(desk.step(ANNUL_STEP, table), table)
            annul_uniformly(may, table.declarer, words, facts.annuls)
        else:
            self._ask_all(table, desk, may)
        annulled = np.flatnonzero(over_seats(np.logical_or, facts.annuls == ANNULLED))
        if len(annulled):
            self._throw_in(table, desk, annulled)

    def _ask_all(self, table: Table, desk: Desk, may: NDArray[np.bool_]) -> None:
        facts, seats = table.extra, np.arange(PLAYERS)
        for turn in range(PLAYERS):
            table.state.seat[:] = (table.declarer + turn) % PLAYERS
            due = may & (seats == table.state.seat[:, None])
            rows = np.flatnonzero(due.any(axis=1) & ~(facts.annuls == ANNULLED).any(axis=1))
            if len(rows):
                self._ask(table, desk, rows)
        table.state.seat[:] = table.state.leader

    def _ask(self, table: Table, desk: Desk, rows: NDArray[np.int64]) -> None:
        for asked in desk.ask(table, "annul", ANNUL_STEP, rows):
            said = asked.answers()
            bad = np.flatnonzero((said != 0) & (said != 1))
            if len(bad):
                raise asked.illegal(
                    int(bad[0]), f"{said[bad[0]]}", "1 to annul the hand, 0 to play it (E12)"
                )
            seat = table.state.seat[asked.rows]
            table.extra.annuls[asked.rows, seat] = np.where(said == 1, ANNULLED, DECLINED)

    def _throw_in(self, table: Table, desk: Desk, rows: NDArray[np.int64]) -> None:
        old = table.part(rows)
        new = desk.redeal(old)
        if new is None:
            table.over[rows] = True
            return
        stage = table.stage
        old.over[:] = True
        old.phases[:] = stage + 1
        facts: Facts = new.extra
        facts.doubling[:] = 2 * old.extra.doubling
        facts.annulments[:] = old.extra.annulments + 1
        table.earlier.append(old)
        play_out(new, desk, stage + 1)
        table.put(rows, new)
        table.put_bids(rows, new)
        table.stage = stage

    def actions(self, table: Table, row: int) -> list[Action]:
        """What those said who might have annulled."""
        declarer, annuls = int(table.declarer[row]), table.extra.annuls[row]
        seats = [(declarer + turn) % PLAYERS for turn in range(PLAYERS)]
        return [
            {"seat": seat, "do": "annul", "annul": bool(annuls[seat] == ANNULLED)}
            for seat in seats
            if annuls[seat] != NOT_ASKED
        ]


@kernel
def may_annul(hold: NDArray[np.uint32], over: NDArray[np.bool_], may: NDArray[np.bool_]) -> None:
    """Write who may annul, by holdings (H, P, S), to ``may`` (H, P)."""
    for h in range(may.shape[0]):
        for p in range(may.shape[1]):
            kings = True
            for s in range(TRUMP):
                kings &= hold[h, p, s] & np.uint32(KING) != 0
            may[h, p] = not over[h] and (kings or hold[h, p, TRUMP] == 0)


@kernel
def annul_uniformly(
    may: NDArray[np.bool_],
    declarer: NDArray[np.int8],
    words: NDArray[np.uint32],
    annuls: NDArray[np.int8],
) -> None:
    """Let those who may (H, P) annul or not, as likely, in turn until one does.

    ``words`` (P, H) is a random word a seat; ``annuls`` (H, P) is written.
    """
    players = may.shape[1]
    for h in range(declarer.size):
        for turn in range(players):
            p = (declarer[h] + turn) % players
            if may[h, p]:
                says = scaled(words[p, h], 2) == 1
                annuls[h, p] = ANNULLED if says else DECLINED
                if says:
                    break
