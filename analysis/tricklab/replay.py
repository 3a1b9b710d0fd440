"""Replays hand histories under the rules: the first fault of each, or the finished hands.

Histories of one variant are replayed together, in lock step, by the engine that simulates: a
:class:`Script` sits at every seat and answers what the history says.  A hand whose history has a
fault is played on with any legal cards, so as not to hold up the others, and left out of what is
read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import ALONE, NO_CONTRACT, NOTHING, PASS
from tricklab.dealing import Deal
from tricklab.desk import Desk, card_name
from tricklab.errors import UserError, is_whole, printable
from tricklab.games import GAMES
from tricklab.games.base import Attempt, Game
from tricklab.history import FORMAT, result
from tricklab.options import from_plain
from tricklab.play import answers, play_out
from tricklab.policies.base import HONEST, Answer, Policy
from tricklab.results import Frames, Run, block_columns
from tricklab.rng import Streams
from tricklab.simulation import provenance, run_of
from tricklab.table import Table
from tricklab.tricks import choose_uniformly
from tricklab.view import View

CHUNK = 4096
"""Lines read and replayed at a time."""

SHARE_TOLERANCE = 1e-6
"""How far a stated share of a win may be from 1/k."""

ABSENT = -1
"""Stands for "not stated" among an action's numbers."""

UNKNOWN = -2
"""Stands for a card or suit that is not in the pack."""

MOST_LINES = 2**62
"""More lines than a file can have."""

FAR = 2**15
"""Numbers are cut to this size: nothing legal is so large."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a history.

    Attributes
    ----------
    kind : {"illegal", "mismatch", "malformed"}
        Against the rules, another result than the stated one, or not readable.
    action : int or None
        Number of the action, from 0.
    clause : str
        The clause broken, or ``turn``, ``holding``, ``format`` or ``switch``.
    message : str
        What is wrong and what would be right.
    """

    kind: str
    action: int | None
    clause: str
    message: str


@dataclass(frozen=True)
class Check:
    """What became of one line: its fault, or None, and its hand if it could be replayed."""

    line: int
    fault: Fault | None
    game: Game | None = None
    table: Table | None = None
    row: int = 0

    def in_words(self) -> str:
        """The line and what is wrong with it, or that it is right."""
        if self.fault is None:
            return f"line {self.line}: OK"
        f = self.fault
        where = "" if f.action is None else f", action {f.action}"
        return printable(f"line {self.line}{where}: {f.kind} ({f.clause}): {f.message}")

    def to_dict(self) -> dict[str, Any]:
        """The check ready for JSON."""
        names = ("kind", "action", "clause", "message")
        stated = {name: getattr(self.fault, name, None) for name in names}
        return {"line": self.line, "ok": self.fault is None, **stated}


class FaultError(Exception):
    """Carries a fault out of the reading of one history."""

    def __init__(self, kind: str, clause: str, message: str, action: int | None = None) -> None:
        super().__init__(message)
        self.fault = Fault(kind, action, clause, message)


@dataclass
class Parsed:
    """One history read but not yet replayed.

    Attributes
    ----------
    deal, stock : list
        Card indices of each seat and of the stock.
    actions : list of (do, seat, value, suit, cards)
        Numbers of each action, see :func:`_action`; a :class:`Fault` where one cannot be read.
    stated : dict
        The result that the history states.
    """

    line: int
    game: Game
    dealer: int
    deal: list[list[int]]
    stock: list[int]
    actions: list[Any] = field(default_factory=list)
    stated: dict[str, Any] = field(default_factory=dict)


def check_histories(path: str | Path) -> Iterator[Check]:
    """Replay every history of a file, in the order of its lines; blank lines are passed over.

    Raises
    ------
    UserError
        If the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            chunk: list[tuple[int, bytes]] = []
            for number, text in enumerate(file, start=1):
                if text.strip():
                    chunk.append((number, text))
                if len(chunk) == CHUNK:
                    yield from check_lines(chunk)
                    chunk = []
            yield from check_lines(chunk)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None


def check_lines(texts: list[tuple[int, bytes]]) -> list[Check]:
    """Replay histories given as numbered lines."""
    done: dict[int, Check] = {}
    groups: dict[str, list[Parsed]] = {}
    games: dict[str, Game] = {}
    for number, text in texts:
        try:
            parsed = _parse(number, text, games)
        except FaultError as error:
            done[number] = Check(number, error.fault)
        else:
            groups.setdefault(parsed.game.label + str(parsed.game.switches), []).append(parsed)
    for group in groups.values():
        done |= {check.line: check for check in _replay(group)}
    return [done[number] for number, _ in texts]


def read_histories(path: str | Path, game: Game | None = None) -> Run:
    """Read hand histories as a run, so that they can be analysed like simulated hands.

    Parameters
    ----------
    path : str or Path
        A file of histories, one a line.
    game : Game, optional
        Read only the hands of this game and these switches; default: all, which must be of one.

    Returns
    -------
    Run
        With all frames; hands are numbered in the order of their lines, from 0.

    Raises
    ------
    UserError
        If the file cannot be read, holds no such hand, holds several games, or has a line with a
        fault, which the message names.
    """
    blocks: list[Frames] = []
    hands = 0
    only = game
    for table, checks in groupby(check_histories(path), key=lambda check: check.table):
        found = list(checks)
        if table is None:
            raise UserError(f"{path}, {found[0].in_words()}")
        if only is None:
            only = table.game
        elif table.game != only:
            if game is not None:
                continue
            raise UserError(
                f"{path}, line {found[0].line} is of another game than those before: "
                f"{table.game.label}, not {only.label}; say which to read"
            )
        rows = table.take(np.array([check.row for check in found]))
        blocks.append(block_columns(rows, hands, "plays"))
        hands += len(found)
    if only is None or not blocks:
        raise UserError(f"there is no hand in {path}" + (f" of {only.label}" if only else ""))
    stated = provenance(only, (), hands, 0, "plays", source=str(path))
    return run_of(only, stated, blocks)


def history_at(path: str | Path, line: int) -> tuple[Table, int]:
    """The replayed hand of one line of a file, as a table and a row of it.

    Raises
    ------
    UserError
        If the file has no such line, or the line has a fault.
    """
    try:
        with Path(path).open("rb") as file:
            text = next(islice(file, min(line, MOST_LINES) - 1, None), b"") if line > 0 else b""
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    if not text.strip():
        raise UserError(f"there is no hand in line {line} of {path}; lines count from 1")
    check = check_lines([(line, text)])[0]
    if check.table is None:
        raise UserError(f"{path}, {check.in_words()}")
    return check.table, check.row


# -------------------------------------------------------------------------------- reading


def _parse(line: int, text: bytes, games: dict[str, Game]) -> Parsed:
    try:
        data = json.loads(text.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise _malformed("the line is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise _malformed(f"the line is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise _malformed("the line is not a JSON object")
    for key in ("format", "game", "switches", "dealer", "deal", "stock", "actions"):
        if key not in data:
            raise _malformed(f"{key!r} is missing")
    if data["format"] != FORMAT:
        raise _malformed(f"the format is {_short(data['format'])}, not {FORMAT!r}")
    game = _game(data["game"], data["switches"], games)
    dealer = data["dealer"]
    if not is_whole(dealer) or not 0 <= dealer < game.players:
        raise _malformed(
            f"dealer must be a seat from 0 to {game.players - 1}, not {_short(dealer)}"
        )
    parsed = Parsed(line, game, dealer, *_cards(game, data["deal"], data["stock"]))
    if not isinstance(data["actions"], list):
        raise _malformed(f"actions must be a list, not {_short(data['actions'])}")
    for number, action in enumerate(data["actions"]):
        try:
            parsed.actions.append(_action(game, action))
        except FaultError as error:
            fault = error.fault
            parsed.actions.append(Fault(fault.kind, number, fault.clause, fault.message))
            break
    stated = data.get("result", {})
    if not isinstance(stated, dict):
        raise _malformed(f"result must be an object, not {_short(stated)}")
    parsed.stated = stated
    return parsed


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _malformed(message: str) -> FaultError:
    return FaultError("malformed", "format", message)


def _short(value: Any) -> str:
    try:
        text = json.dumps(value)
    except ValueError:  # a whole number of more digits than Python writes out
        return "a huge number"
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= 60 else text[:57] + "..."


def _game(name: Any, switches: Any, games: dict[str, Game]) -> Game:
    if not isinstance(name, str) or not isinstance(switches, dict):
        raise _malformed("'game' must be a text and 'switches' an object")
    if name not in GAMES:
        raise _malformed(f"there is no game {_short(name)}; there is: {', '.join(GAMES)}")
    try:
        key = name + json.dumps(switches, sort_keys=True)
        if key not in games:
            games[key] = from_plain(GAMES[name], switches, f"{name} has no switch")
    except (UserError, ValueError, OverflowError) as error:
        raise FaultError("malformed", "switch", str(error)) from None
    except RecursionError:
        raise FaultError("malformed", "switch", "a switch is nested too deeply") from None
    return games[key]


def _cards(game: Game, deal: Any, stock: Any) -> tuple[list[list[int]], list[int]]:
    """Card indices of the deal and the stock, checked to be one pack dealt rightly."""
    for what, cards in [("deal", deal), ("stock", stock)]:
        if not isinstance(cards, list):
            raise _malformed(f"{what} must be a list, not {_short(cards)}")
    for cards in [*deal, stock]:
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            raise _malformed(f"cards must be a list of texts, not {_short(cards)}")
    deck, clauses = game.deck, game.clauses
    sizes = [len(cards) for cards in [*deal, stock]]
    right = [game.cards_each] * game.players + [game.set_aside]
    if sizes != right:
        raise FaultError(
            "illegal",
            clauses.numbers,
            f"{game.players} players hold {game.cards_each} cards each and {game.set_aside} are "
            f"left, not {', '.join(map(str, sizes))}",
        )
    seen = set()
    for card in [card for cards in [*deal, stock] for card in cards]:
        if card not in deck.numbers:
            raise FaultError("illegal", clauses.pack, f"there is no card {_short(card)}")
        if card in seen:
            raise FaultError("illegal", clauses.pack, f"card {card} is there twice")
        seen.add(card)
    indices = [[deck.numbers[card] for card in cards] for cards in [*deal, stock]]
    return indices[:-1], indices[-1]


KINDS = ("give", "bid", "discard", "roll", "play", "caught", "contract", "trumps", "call")
"""What can be done, by the number that stands for it; anything else is ``UNKNOWN``."""


def _action(game: Game, action: Any) -> tuple[int, int, int, int, list[int] | None]:
    """An action as numbers: what is done, by whom, the bid or card, the suit, and cards."""
    if not isinstance(action, dict):
        raise _malformed(f"an action must be an object, not {_short(action)}")
    seat = _wanted(action, "seat", is_whole, "a whole number")
    do = _wanted(action, "do", _is_text, "a text")
    seat = min(max(seat, -1), FAR)
    numbers = game.deck.numbers
    if do == "play":
        card = numbers.get(_wanted(action, "card", _is_text, "a text"), UNKNOWN)
        suit = ABSENT
        if "as" in action:
            suit = _suit(game, _wanted(action, "as", _is_text, "a text"))
        return KINDS.index(do), seat, card, suit, None
    if do == "bid":
        bid = _wanted(action, "bid", lambda x: is_whole(x) or _is_text(x), 'a number or "pass"')
        if isinstance(bid, str):
            value = PASS if bid == "pass" else UNKNOWN
        else:
            value = min(bid, FAR) if bid > PASS else UNKNOWN
        return KINDS.index(do), seat, value, ABSENT, None
    if do == "contract" and game.contracts:
        return KINDS.index(do), seat, _contract(game, action), ABSENT, None
    if do in ("give", "discard"):
        cards = _wanted(action, "cards", _is_texts, "a list of texts")
        listed = [numbers.get(card, UNKNOWN) for card in cards]
        return KINDS.index(do), seat, ABSENT, ABSENT, listed
    if do == "call":
        said = _wanted(action, "card", _is_text, "a text")
        card = ALONE if said == "alone" else numbers.get(said, UNKNOWN)
        return KINDS.index(do), seat, card, ABSENT, None
    if do in ("roll", "trumps"):
        suit = _suit(game, _wanted(action, "suit", _is_text, "a text"))
        return KINDS.index(do), seat, ABSENT, suit, None
    kind = KINDS.index(do) if do in KINDS else UNKNOWN
    return kind, seat, ABSENT, ABSENT, None


def _contract(game: Game, action: dict[str, Any]) -> int:
    """Number of the contract that an action names, or ``UNKNOWN``."""
    name = _wanted(action, "contract", _is_text, "a text")
    named = [number for number, each in enumerate(game.contracts) if each.name == name]
    if not any(game.contracts[number].letter for number in named):
        return named[0] if named else UNKNOWN
    letter = _wanted(action, "suit", _is_text, "a text")
    return next((n for n in named if game.contracts[n].letter == letter), UNKNOWN)


def _wanted(action: dict[str, Any], key: str, fits: Callable[[Any], bool], kind: str) -> Any:
    if key not in action:
        raise _malformed(f"an action {_short(action.get('do'))} needs {key!r}")
    if not fits(action[key]):
        raise _malformed(f"{key!r} of an action must be {kind}, not {_short(action[key])}")
    return action[key]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _suit(game: Game, letter: str) -> int:
    letters = [suit.letter for suit in game.deck.suits]
    return letters.index(letter) if letter in letters else UNKNOWN


# ------------------------------------------------------------------------------- replaying


def _replay(group: list[Parsed]) -> list[Check]:
    """Replay histories of one variant."""
    game = group[0].game
    hold = np.stack(
        [np.stack([game.deck.masks(cards) for cards in parsed.deal]) for parsed in group]
    )
    round_the_table = [
        [card for turn in zip(*parsed.deal, strict=True) for card in turn] for parsed in group
    ]
    pack = np.array(
        [cards + parsed.stock for cards, parsed in zip(round_the_table, group, strict=True)],
        np.uint8,
    )
    dealer = np.array([parsed.dealer for parsed in group], np.int8)
    table = Table(Deal(game, pack, hold, dealer), game.n_tricks, choices=True)
    script = Script(table, [parsed.actions for parsed in group])
    play_out(table, ReplayDesk(script))
    script.end()
    scored = game.score(table)
    checks = []
    for row, parsed in enumerate(group):
        fault = script.faults[row]
        if fault is None and parsed.stated:
            fault = _mismatch(game, parsed.stated, result(table, scored, row))
        if fault is None:
            checks.append(Check(parsed.line, None, game, table, row))
        else:
            checks.append(Check(parsed.line, fault))
    return checks


def _mismatch(game: Game, stated: dict[str, Any], computed: dict[str, Any]) -> Fault | None:
    """The first field of a stated result that differs from the computed one."""
    for name, right in computed.items():
        if name not in stated:
            continue
        said = stated[name]
        if not _same_kind(said, right, name):
            message = f"result {name} must be like {_short(right)}, not {_short(said)}"
            return Fault("malformed", None, "format", message)
        several = isinstance(right, list)
        close = all(map(_close, said, right)) if several else said == right
        if not close:
            clause = game.clauses.result[name]
            message = f"the {name} is {_short(right)} ({clause}), not {_short(said)} as stated"
            return Fault("mismatch", None, clause, message)
    return None


def _close(said: int | float, right: int | float) -> bool:
    # Huge whole numbers cannot be told from a share by subtraction.
    return said == right or (abs(said) < FAR and abs(said - right) <= SHARE_TOLERANCE)


def _same_kind(said: Any, right: Any, name: str) -> bool:
    if isinstance(right, list):
        numbers = (int, float)
        return (
            isinstance(said, list)
            and len(said) == len(right)
            and all(isinstance(x, numbers) and not isinstance(x, bool) for x in said)
        )
    if name == "made":
        return said is None or isinstance(said, bool)
    return said is None or is_whole(said)


class ReplayDesk(Desk):
    """A desk at which a script answers for every seat, and for chance."""

    def __init__(self, script: Script) -> None:
        super().__init__((script,) * script.game.players, Streams(0, 0))
        self.script = script

    def pass_over(self, do: str, table: Table) -> None:
        """Skip what the histories say of the step."""
        self.script.pass_over(do, table)

    def roll(self, table: Table, faces: int, step: int) -> NDArray[np.int64]:
        """The faces that the histories say (J25)."""
        return self.script.roll(table, faces)

    def pass_over(self, do: str, table: Table) -> None:
        """Skip what the histories say of the step."""
        self.script.pass_over(do, table)

    def detect(self, table: Table, revoked: NDArray[np.bool_], chance: float) -> NDArray[np.bool_]:
        """The calls that the histories say (J16)."""
        return self.script.calls(table, revoked)


class Script(Policy):
    """Answers every decision as the histories say, and notes where they are at fault.

    Parameters
    ----------
    table : Table
        Dealt hands, one a history.
    actions : list
        Their actions, as of :class:`Parsed`.

    Attributes
    ----------
    faults : list of Fault or None
        The first fault of each history.
    """

    name = ""

    def __init__(self, table: Table, actions: list[list[Any]]) -> None:
        self.game = table.game
        hands = table.hands
        longest = max(map(len, actions), default=0) + 1
        self._kind = np.full((hands, longest), UNKNOWN, np.int8)
        self._seat, self._value, self._suit = np.full((3, hands, longest), ABSENT, np.int32)
        self._lists: dict[tuple[int, int], list[int]] = {}
        self._unread: dict[int, Fault] = {}
        self._length = np.array([len(each) for each in actions])
        for h, each in enumerate(actions):
            if each and isinstance(each[-1], Fault):
                self._unread[h] = each[-1]
                self._length[h] -= 1
            read = [a for a in each if not isinstance(a, Fault)]
            if read:
                kinds, seats, values, suits, lists = zip(*read, strict=True)
                n = len(read)
                self._kind[h, :n], self._seat[h, :n] = kinds, seats
                self._value[h, :n], self._suit[h, :n] = values, suits
                self._lists |= {(h, a): cards for a, cards in enumerate(lists) if cards is not None}
        self._next = np.zeros(hands, np.int64)
        self.faults: list[Fault | None] = [None] * hands
        self._going = np.ones(hands, np.bool_)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def _fault(self, hand: int, clause: str, message: str) -> None:
        self.faults[hand] = Fault("illegal", int(self._next[hand]), clause, message)
        self._going[hand] = False

    def _due(
        self, hands: NDArray[np.int64], seats: NDArray[np.integer], do: str
    ) -> NDArray[np.bool_]:
        """In which hands the next action is of this kind and seat; faults in the others."""
        going = self._going[hands]
        now = self._next[hands]
        kind = KINDS.index(do)
        due = going & (self._kind[hands, now] == kind) & (self._seat[hands, now] == seats)
        due &= now < self._length[hands]
        for i in np.flatnonzero(going & ~due):
            self._untimely(int(hands[i]), f"seat {seats[i]} is to {do}")
        return due

    def _untimely(self, hand: int, wanted: str) -> None:
        """Note that the next action is missing, unreadable or another than wanted."""
        a = int(self._next[hand])
        if a >= self._length[hand]:
            if hand in self._unread:
                self.faults[hand] = self._unread[hand]
                self._going[hand] = False
            else:
                self._fault(hand, "turn", f"the history stops where {wanted}")
            return
        kind = int(self._kind[hand, a])
        do = KINDS[kind] if kind >= 0 else "something unknown"
        clause = self.game.clauses.untimely.get(do, "turn")
        self._fault(hand, clause, f"seat {self._seat[hand, a]} is said to {do}, where {wanted}")

    def end(self) -> None:
        """Note actions that are left when the hands are over."""
        for hand in np.flatnonzero(self._going):
            if self._next[hand] < self._length[hand] or hand in self._unread:
                self._untimely(int(hand), "the hand is over")

    # -- what policies are asked

    def give(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are given."""
        return self._apart(view, "give", self.game.gives, self.game.clauses.give)

    def discard(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are discarded."""
        return self._apart(view, "discard", self.game.discards, self.game.clauses.discard)

    def contract(self, view: View) -> NDArray[Any]:
        """The contracts that the histories say are chosen."""
        hands = view._origin
        out = view.contracts.argmax(axis=1)
        for i in np.flatnonzero(self._due(hands, view.seat, "contract")):
            hand = int(hands[i])
            chosen = int(self._value[hand, self._next[hand]])
            if chosen >= 0 and view.contracts[i, chosen]:
                out[i] = chosen
                self._next[hand] += 1
            else:
                may = ", ".join(
                    str(self.game.contracts[k]) for k in np.flatnonzero(view.contracts[i])
                )
                clause = self.game.contract_clause(max(chosen, NO_CONTRACT))
                self._fault(hand, clause, f"seat {view.seat[i]} may choose one of {may}")
        return out

    def pass_over(self, do: str, table: Table) -> None:
        """Skip a step that leaves nothing to choose, where the histories name it."""
        hands, now = table.origin, self._next[table.origin]
        named = self._going[hands] & (self._kind[hands, now] == KINDS.index(do))
        named &= (self._seat[hands, now] == table.state.seat) & (now < self._length[hands])
        for hand in hands[named]:
            if self._lists.get((int(hand), int(self._next[hand]))):
                self._fault(int(hand), getattr(self.game.clauses, do), f"there is nothing to {do}")
            else:
                self._next[hand] += 1

    def _apart(self, view: View, do: str, count: int, clause: str) -> NDArray[Any]:
        hands, holds = view._origin, view.holds
        fewest = self.game.fewest_discards if do == "discard" else count
        out = np.argsort(~holds, axis=1, kind="stable")[:, :count]
        for i in np.flatnonzero(self._due(hands, view.seat, do)):
            hand = int(hands[i])
            cards = self._lists[hand, int(self._next[hand])]
            who = f"seat {view.seat[i]}"
            right = f"{count}" if fewest == count else f"{fewest} to {count}"
            if not fewest <= len(cards) <= count:
                self._fault(hand, clause, f"{who} must {do} {right} cards, not {len(cards)}")
            elif len(set(cards)) < len(cards) or not all(c >= 0 and holds[i, c] for c in cards):
                held = " ".join(view.deck.cards_in(view.holding[i]))
                self._fault(hand, "holding", f"{who} must {do} {right} different cards of {held}")
            else:
                out[i] = [*cards, *[NOTHING] * (count - len(cards))]
                self._next[hand] += 1
        return out

    def bid(self, view: View) -> NDArray[Any]:
        """The bids that the histories say; a forced drop may be left out."""
        hands = view._origin
        now = self._next[hands]
        is_bid = (self._kind[hands, now] == KINDS.index("bid")) & (
            self._seat[hands, now] == view.seat
        )
        forced = self._going[hands] & (view.min_bid > view.max_bid)
        left_out = forced & ~(is_bid & (now < self._length[hands]))
        out = np.full(len(view), PASS, np.int64)
        asked = np.flatnonzero(~left_out)
        due = self._due(hands[asked], view.seat[asked], "bid")
        for i in asked[due]:
            hand = int(hands[i])
            bid = int(self._value[hand, self._next[hand]])
            if bid == PASS or view.min_bid[i] <= bid <= view.max_bid:
                out[i] = bid
                self._next[hand] += 1
            else:
                allowed = "may only drop out"
                if view.min_bid[i] <= view.max_bid:
                    allowed = f"may bid {view.min_bid[i]} to {view.max_bid}, or drop out"
                self._fault(hand, self.game.clauses.bid, f"seat {view.seat[i]} {allowed}")
        return out

    def trumps(self, view: View) -> NDArray[Any]:
        """The suits that the histories say are named."""
        hands = view._origin
        out = np.zeros(len(view), np.int64)
        due = self._due(hands, view.seat, "trumps")
        _, suit = self._stated(hands, due)
        right = due & (suit >= 0)
        out[right] = suit[right]
        self._next[hands[right]] += 1
        for i in np.flatnonzero(due & ~right):
            letters = " ".join(s.letter for s in view.deck.suits)
            message = f"seat {view.seat[i]} must name one of {letters} trumps"
            self._fault(int(hands[i]), self.game.clauses.trumps, message)
        return out

    def call(self, view: View) -> NDArray[Any]:
        """The cards that the histories say are called."""
        hands = view._origin
        out = np.full(len(view), ALONE, np.int64)
        due = self._due(hands, view.seat, "call")
        card, _ = self._stated(hands, due)
        may = (card >= 0) & view.may_call[np.arange(len(view)), card.clip(0)]
        right = due & (may | (card == ALONE))
        out[right] = card[right]
        self._next[hands[right]] += 1
        for i in np.flatnonzero(due & ~right):
            said = card_name(view.deck, card[i]) if card[i] >= 0 else "what is no card"
            message = (
                f"seat {view.seat[i]} may not call {said}, but a card that it neither holds nor "
                "has discarded, or play alone"
            )
            self._fault(int(hands[i]), self.game.clauses.call, message)
        return out

    def play(self, view: View) -> Answer:
        """The cards that the histories say are played."""
        cards, played_as = self._any_legal(view)
        hands = view._origin
        due = self._due(hands, view.seat, "play")
        card, suit = self._stated(hands, due)
        printed = self.game.deck.suit_of[card.clip(0)]
        named = np.where(suit == ABSENT, printed, suit)
        legal = self._among(view.legal_printed, view.legal_other, view.names, card, printed, suit)
        right = due & legal
        cards[right], played_as[right] = card[right], named[right]
        self._next[hands[right]] += 1
        for i in np.flatnonzero(due & ~legal):
            self._wrong_card(view, int(i), int(card[i]), int(suit[i]))
        return cards, played_as

    def revoke(self, view: View) -> Answer:
        """The cards that the histories say break the rules; all else is left to :meth:`play`."""
        hands = view._origin
        now = self._next[hands]
        timely = self._going[hands] & (self._kind[hands, now] == KINDS.index("play"))
        timely &= (self._seat[hands, now] == view.seat) & (now < self._length[hands])
        card, suit = self._stated(hands, timely)
        printed = self.game.deck.suit_of[card.clip(0)]
        stated = card, printed, suit
        legal = self._among(view.legal_printed, view.legal_other, view.names, *stated)
        freely = self._among(view.any_printed, view.any_other, view.any_names, *stated)
        revokes = timely & freely & ~legal
        self._next[hands[revokes]] += 1
        return np.where(revokes, card, HONEST), np.where(suit == ABSENT, printed, suit)

    def _stated(
        self, hands: NDArray[np.int64], where: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Card and suit of the next action in the hands chosen, none in the others."""
        now = self._next[hands]
        card = np.where(where, self._value[hands, now], UNKNOWN)
        return card, np.where(where, self._suit[hands, now], ABSENT)

    def _among(
        self,
        printed_masks: NDArray[np.uint32],
        other_masks: NDArray[np.uint32],
        names: NDArray[np.uint16],
        card: NDArray[np.int32],
        printed: NDArray[np.int8],
        suit: NDArray[np.int32],
    ) -> NDArray[np.bool_]:
        """Whether each card may be played as is stated."""
        deck, rows = self.game.deck, np.arange(len(card))
        known = card >= 0
        rank = deck.rank_of[card.clip(0)].astype(np.uint32)
        as_printed = (printed_masks[rows, printed] >> rank & 1) > 0
        led_excuse = (printed == deck.excuse) & (names > 0)
        plain = as_printed & (suit == ABSENT) & ~led_excuse
        named = as_printed & led_excuse & (suit >= 0) & (names >> suit.clip(0) & 1 > 0)
        turned = (other_masks[rows, printed] >> rank & 1) > 0
        turned &= (suit >= 0) & (suit == self.game.rules.other_suit[card.clip(0)])
        return known & (plain | named | turned)

    def _any_legal(self, view: View) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        cards, played_as = np.empty((2, len(view)), np.int16)
        choose_uniformly(
            self.game.rules,
            view.legal_printed,
            view.legal_other,
            view.names,
            view.n_legal,
            np.zeros(len(view), np.uint32),
            cards,
            played_as,
        )
        return cards, played_as

    def _wrong_card(self, view: View, i: int, card: int, suit: int) -> None:
        hand, deck = int(view._origin[i]), self.game.deck
        who = f"seat {view.seat[i]}, trick {view.trick}:"
        if card == UNKNOWN or not view.holds[i, card]:
            held = " ".join(deck.cards_in(view.holding[i]))
            name = card_name(deck, card) if card >= 0 else "a card that is not in the pack"
            self._fault(hand, "holding", f"{who} {name} is not held; the seat holds {held}")
            return
        leading = view.position == 0
        printed = int(deck.suit_of[card])
        led_excuse = printed == deck.excuse and leading
        if (suit == printed and not led_excuse) or (
            suit != ABSENT and printed == deck.excuse and not leading
        ):
            self.faults[hand] = Fault(
                "malformed",
                int(self._next[hand]),
                "format",
                f"{who} {deck.cards[card]} is played as printed: 'as' does not belong there",
            )
            self._going[hand] = False
            return
        attempt = Attempt(
            leading,
            int(view.lead[i]),
            int(view.trump[i]),
            view.holding[i],
            card,
            None if suit == ABSENT else suit,
        )
        said = deck.cards[card]
        if suit != ABSENT:
            said += f" as {deck.suits[suit].letter if suit >= 0 else 'another suit'}"
        free = self.game.chance_caught > 0
        masks = (view.legal_printed, view.legal_other, view.names)
        legal = ", ".join(answers(deck, *(mask[i] for mask in masks)))
        allowed = "any card, as a suit it has" if free else f"one of {legal}"
        clause = self.game.play_clause(attempt)
        self._fault(hand, clause, f"{who} {said} may not be played; {allowed} may")

    # -- what nobody chooses

    def pass_over(self, do: str, table: Table) -> None:
        """Skip a step that leaves nothing to choose, where the histories name it."""
        hands, now = table.origin, self._next[table.origin]
        named = self._going[hands] & (self._kind[hands, now] == KINDS.index(do))
        named &= (self._seat[hands, now] == table.state.seat) & (now < self._length[hands])
        for hand, action in zip(hands[named].tolist(), now[named].tolist(), strict=True):
            # Neither cards nor a card: what leaves nothing to choose can only be declined.
            if self._lists.get((hand, action)) or self._value[hand, action] != ABSENT:
                self._fault(hand, getattr(self.game.clauses, do), f"there is nothing to {do}")
            else:
                self._next[hand] += 1

    # -- what chance brings

    def roll(self, table: Table, faces: int) -> NDArray[np.int64]:
        """The faces that the histories say are rolled."""
        hands = table.origin
        out = np.zeros(table.hands, np.int64)
        due = self._due(hands, table.state.leader, "roll")
        suit = self._suit[hands, self._next[hands]]
        right = due & (suit >= 0) & (suit < faces)
        out[right] = suit[right]
        self._next[hands[right]] += 1
        for hand in hands[due & ~right]:
            letters = " ".join(s.letter for s in table.game.deck.suits[:faces])
            self._fault(int(hand), self.game.clauses.roll, f"the die's faces are {letters}")
        return out

    def calls(self, table: Table, revoked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The seats that the histories say are caught after this trick."""
        hands = table.origin
        called = np.zeros_like(revoked)
        for _ in range(table.game.players):
            now = self._next[hands]
            said = self._going[hands] & (self._kind[hands, now] == KINDS.index("caught"))
            said &= now < self._length[hands]
            for i in np.flatnonzero(said):
                hand = int(hands[i])
                seat = int(self._seat[hand, self._next[hand]])
                inside = 0 <= seat < table.game.players
                if inside and revoked[i, seat] and not called[i, seat]:
                    called[i, seat] = True
                    self._next[hand] += 1
                else:
                    clause = self.game.clauses.untimely["caught"]
                    self._fault(
                        hand, clause, f"seat {seat} did not revoke in this trick, or was caught"
                    )
        return called
