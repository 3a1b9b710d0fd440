"""Who sits where in a block, what chance brings them, and how their answers are checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tricklab.bits import scaled_words
from tricklab.dealing import again
from tricklab.errors import IllegalAnswer
from tricklab.policies.base import Policy
from tricklab.rng import Purpose, Streams
from tricklab.tricks import kernel
from tricklab.view import Draw, View

if TYPE_CHECKING:
    from tricklab.cards import Deck
    from tricklab.table import Table


ATTEMPT_STEPS = 1 << 16
"""Random steps by which decisions before play lie apart in a hand that is dealt again (E12); part
of the definition of a run."""


class Desk:
    """Who sits where in a block, and what chance brings.

    Parameters
    ----------
    policies : sequence of Policy
        One a seat.
    streams : Streams
        The block's random streams.
    first : int
        Number of the block's first hand (or match), for messages.
    what : str
        What is numbered so: ``"hand"`` or ``"match"``.
    """

    def __init__(
        self,
        policies: Sequence[Policy],
        streams: Streams,
        first: int = 0,
        what: str = "hand",
    ) -> None:
        self.policies = tuple(policies)
        self.streams = streams
        self.first = first
        self.what = what
        self._group_of, self._groups = _group(self.policies)
        self._uniform: dict[str, bool] = {}
        self._words: dict[int, NDArray[np.uint32]] = {}
        self._all_rows = np.arange(0)
        self._drawn_for: tuple[int, Any] = (-1, None)

    def uniform(self, decision: str) -> bool:
        """Whether all answer a decision uniformly, so that a kernel may answer in their place."""
        if decision not in self._uniform:
            who = self._groups
            self._uniform[decision] = all(_is_uniform(policy, decision) for policy in who)
        return self._uniform[decision]

    def turns(
        self, seats: NDArray[np.int8], among: NDArray[np.int64] | None = None
    ) -> Iterator[tuple[Policy, NDArray[np.int64]]]:
        """Each different policy with the rows (``among`` these, if given) where it has the turn."""
        if among is not None and not len(among):
            return
        if len(self._groups) == 1:
            if among is None and len(self._all_rows) != len(seats):
                self._all_rows = np.arange(len(seats))
            yield self._groups[0], self._all_rows if among is None else among
            return
        turn = self._group_of[seats]
        for g, policy in enumerate(self._groups):
            rows = np.flatnonzero(turn == g) if among is None else among[turn[among] == g]
            if len(rows):
                yield policy, rows

    def ask(
        self,
        table: Table,
        decision: str,
        step: int,
        among: NDArray[np.int64] | None = None,
        **more: Any,
    ) -> Iterator[Asked]:
        """Ask the policies of the seats whose turn it is, one question to each different policy.

        Parameters
        ----------
        decision : str
            Name of the policy's method.
        step : int
            The random step of the decision.
        among : int64 (n,), optional
            The rows in which anybody is asked; default: all that are not over.
        more
            What else the view is made of.
        """
        step = self.step(step, table)
        if among is None and table.over.any():
            among = np.flatnonzero(~table.over)
        for policy, rows in list(self.turns(table.state.seat, among)):
            yield Asked(policy, decision, self, table, rows, step, **more)

    def step(self, step: int, table: Table) -> int:
        """The random step of a decision before play, by how often the hands were dealt again."""
        return step + table.attempt * ATTEMPT_STEPS

    def all_words(self, step: int, table: Table, draw: int = 0) -> NDArray[np.uint32]:
        """One word of every seat's stream for every hand of a table, shape (P, H)."""
        # A desk may go on with a table that has been widened or narrowed since.
        if self._drawn_for[0] != step or self._drawn_for[1] is not table.origin:
            self._words.clear()
            self._drawn_for = (step, table.origin)
        if draw not in self._words:
            self._words[draw] = table.drawn_tables(
                self.streams, Purpose.SEAT, len(self.policies), step, draw
            )
        return self._words[draw]

    def draw(
        self, step: int, table: Table, seats: NDArray[np.int8], rows: NDArray[np.int64]
    ) -> Draw:
        """Draws of one step: each row's words come from its own seat's stream.

        Every seat's words are drawn for the whole block, so which hands a seat decides in, and
        what else is drawn, changes nothing.
        """

        def words(draw: int) -> NDArray[np.uint32]:
            drawn = self.all_words(step, table, draw)
            out = np.empty(len(rows), np.uint32)
            pick_words(drawn, seats, rows, out)
            return out

        return words

    def roll(self, table: Table, faces: int, step: int) -> NDArray[np.int64]:
        """Roll a die in every hand: a face from 0, all equally likely, shape (H,)."""
        words = table.drawn_words(self.streams, Purpose.CHANCE, step)
        return scaled_words(words, faces)

    def detect(self, table: Table, revoked: NDArray[np.bool_], chance: float) -> NDArray[np.bool_]:
        """Which of the seats that revoked in this trick are called out, shape (H, P) (J16)."""
        called = np.zeros_like(revoked)
        for seat in range(revoked.shape[1]):
            if revoked[:, seat].any():
                words = table.drawn_words(self.streams, Purpose.DETECTION, table.trick, seat)
                called[:, seat] = revoked[:, seat] & (words < chance * 2.0**32)
        return called

    def redeal(self, table: Table) -> Table | None:
        """Deal hands that were thrown in anew, each by the same dealer (E12).

        Returns
        -------
        Table or None
            The new hands as they are dealt; None where they are not dealt again here.
        """
        return again(table, self.streams)

    def pass_over(self, do: str, table: Table, rows: NDArray[np.int64] | None = None) -> None:
        """Note that a step leaves the seats whose turn it is nothing to choose.

        Nobody is asked then; but what is said at a table may name such a step all the same.
        """

    def place(self, table: Table, row: int) -> str:
        """A row of a table as a message names it."""
        return f"{self.what} {int(table.origin[row]) + self.first}"


def _is_uniform(policy: Policy, decision: str) -> bool:
    """Whether the class that defines the decision says so; one that overrides it must say it, too.

    A subclass may also take it back.
    """
    if not policy.uniform:
        return False
    for cls in type(policy).__mro__:
        if decision in vars(cls):
            return bool(vars(cls).get("uniform", False))
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


class Asked:
    """One question to one policy, for checking what it answers and saying what was wrong.

    Parameters
    ----------
    policy : Policy
        Who was asked.
    decision : str
        Name of the policy's method.
    desk : Desk
        Where it sits.
    table : Table
        The hands.
    rows : int64 (n,)
        The hands in which it is asked, for the seats whose turn it is.
    step : int
        The random step of the decision.
    more
        What else the view is made of.

    Attributes
    ----------
    view : View
        What it is shown.
    """

    def __init__(
        self,
        policy: Policy,
        decision: str,
        desk: Desk,
        table: Table,
        rows: NDArray[np.int64],
        step: int,
        **more: Any,
    ) -> None:
        self.policy, self.decision, self.desk = policy, decision, desk
        self.table, self.rows = table, rows
        self._seats = table.state.seat[rows]
        draw = desk.draw(step, table, table.state.seat, rows)
        self.view = View(table, rows, draw, decision, **more)

    def answer(self) -> Any:
        """What the policy answers, unchecked."""
        return getattr(self.policy, self.decision)(self.view)

    def answers(self, *columns: int) -> NDArray[np.int16]:
        """What the policy answers, of one row a hand asked; see :meth:`array`."""
        return self.array(self.answer(), *columns)

    def sets(self) -> NDArray[np.int64]:
        """What the policy answers where that is a set as bits, of one row a hand asked."""
        answer = self.answer()
        out = np.asarray(answer)
        if out.shape == (len(self.rows),) and out.dtype.kind in "iu":
            return out.astype(np.int64)
        got = f"{out.dtype} of shape {out.shape}"
        raise self.illegal(0, got, f"whole numbers of shape {(len(self.rows),)}")

    def array(self, answer: object, *columns: int) -> NDArray[np.int16]:
        """An answer of one row a hand asked as an array, or :class:`IllegalAnswer`."""
        shape = (len(self.rows), *columns)
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
            raise self.illegal(row, f"number {number}", "numbers of what is legal")
        got = f"{out.dtype} of shape {out.shape}"
        raise self.illegal(0, got, f"whole numbers of shape {shape}")

    def illegal(self, i: int, answered: str, allowed: str) -> IllegalAnswer:
        """The error for the answer in the i-th row asked."""
        return illegal(
            f"policy {self.policy!r}, {self.desk.place(self.table, int(self.rows[i]))}",
            int(self._seats[i]),
            self.decision,
            answered,
            allowed,
        )


def illegal(who: str, seat: int, decision: str, answered: str, allowed: str) -> IllegalAnswer:
    """The error for an answer that the rules do not allow."""
    return IllegalAnswer(
        f"{who}, seat {seat}, decision {decision}: answered {answered}; allowed: {allowed}"
    )


def card_name(deck: Deck, card: int) -> str:
    """A card in notation, or its number where there is none."""
    return deck.cards[card] if 0 <= card < deck.n_cards else f"card number {card}"
