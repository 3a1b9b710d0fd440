"""What every game is: its switches, its data for the trick kernels, its phases and its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklab import options
from tricklab.cards import NO_SUIT, Deck, read_only, thaw_proof
from tricklab.errors import SwitchError, UserError, printable
from tricklab.games.parts import Attempt, Clauses, Column, Columns, Score
from tricklab.play import Phase
from tricklab.trick_data import Rules

if TYPE_CHECKING:
    from tricklab.contracts import Contract
    from tricklab.table import Table
    from tricklab.view import View


class Nothing(NamedTuple):
    """What a table keeps where a game adds nothing."""


class Game:
    """Base of all games; a game is a frozen dataclass whose fields are its sheet's switches."""

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Changes whenever results change for the same seed."""

    score_dtype: ClassVar[str] = "int16"
    """NumPy dtype of scores in frames."""

    facts: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {}
    """What is said of columns of the ``hands`` frame in this game, beside the usual.

    By column pairs of what is counted (see ``console.hand_estimates``) and what it is called;
    ``"is 2"`` counts hands in which the column is 2, and no pair says nothing."""

    fitting: ClassVar[str] = ""
    """The module that fits what policies estimate by, with ``settings`` and ``fit_all``."""

    assumptions: ClassVar[tuple[str, ...]] = ()
    """What the sheet assumes because its source is silent, in sentences, with the clause."""

    timed_variants: ClassVar[tuple[dict[str, Any], ...]] = ({},)
    """Switches of the variants that the benchmark times."""

    frame_names: ClassVar[tuple[str, ...]] = ()
    """Names of the frames that this game adds to those of every run."""

    players: int

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(thaw_proof(state))

    @property
    def deck(self) -> Deck:
        """The pack played with."""
        raise TypeError(f"{type(self).__name__} states no deck")

    @property
    def rules(self) -> Rules:
        """The trick rules as data."""
        raise TypeError(f"{type(self).__name__} states no trick rules")

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The parts of a hand, in order."""
        raise TypeError(f"{type(self).__name__} states no phases")

    @property
    def cards_each(self) -> int:
        """Cards dealt to each seat."""
        return self.deck.n_cards // self.players

    @property
    def set_aside(self) -> int:
        """Cards dealt to nobody."""
        return self.deck.n_cards - self.cards_each * self.players

    @property
    def n_tricks(self) -> int:
        """Tricks in a hand."""
        return self.cards_each

    def blank(self, hands: int) -> tuple[NDArray[Any], ...]:
        """What a table keeps in this game only, as it is when so many hands are dealt.

        A named tuple of arrays, each with a row a hand.
        """
        return Nothing()

    def public(self, table: Table) -> dict[str, NDArray[Any]]:
        """What all seats know in this game only, by name, each with a row a hand."""
        return {}

    def learn(self, table: Table) -> None:
        """Note what the tricks taken so far, not only the last of them, show of the sides."""

    @property
    def bids(self) -> tuple[str, ...]:
        """Bids that have a name, by the number that stands for them; empty where there are none."""
        return ()

    @property
    def bonuses(self) -> tuple[str, ...]:
        """Names of what may be announced, by number; empty where nothing is."""
        return ()

    def bid_clause(self, bid: int) -> str:
        """The clause that a bid with a name breaks, negative for one that does not exist."""
        return self.clauses.bid

    def untimely_clause(self, do: str, due: str) -> str:
        """The clause that an action breaks which comes where another is due, ``""`` for none."""
        return self.clauses.untimely.get(do, "turn")

    def excluded(self, bonuses: int, may: int) -> bool:
        """Whether a set of bonuses may not be announced where those in ``may`` may be."""
        return bonuses & ~may != 0

    @property
    def excluding(self) -> tuple[int, int]:
        """Bonuses that exclude others from one answer, and those that they do, as bits."""
        return 0, 0

    @property
    def bonus_points(self) -> tuple[int, ...]:
        """Points of each bonus when announced; 0 for one that multiplies the payment."""
        return ()

    @property
    def common_bonuses(self) -> int:
        """Bonuses that are made easily, whatever they pay, a set as bits."""
        return 0

    @property
    def frames(self) -> dict[str, dict[str, Column]]:
        """Frames that this game adds to those of every run, by name."""
        return {}

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Categories of this game's own kinds of categorical columns, by dtype."""
        return {}

    def frame_features(self, table: Table, scored: Score) -> dict[str, Columns]:
        """The columns of this game's own ``frames``; ``hand`` is the row of the table."""
        return {}

    @property
    def seat_columns(self) -> dict[str, Column]:
        """Columns that this game adds to the ``seats`` frame."""
        return {}

    @property
    def hand_columns(self) -> dict[str, Column]:
        """Columns that this game adds to the ``hands`` frame."""
        return {}

    @property
    def gives(self) -> int:
        """Cards each seat gives to its left before play; 0 where there is no give."""
        return 0

    @property
    def discards(self) -> int:
        """Cards that a declarer discards before play; 0 where there is no discard."""
        return 0

    @property
    def fewest_discards(self) -> int:
        """The fewest cards that a declarer may discard: all of :attr:`discards`, or fewer."""
        return self.discards

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """What a declarer chooses from; empty where there is no such choice."""
        return ()

    @property
    def contract_kinds(self) -> tuple[str, ...]:
        """Names of the kinds of contract, by the numbers in the ``contract`` column."""
        return ()

    def offered(self, carried: NDArray[np.uint16]) -> NDArray[np.bool_]:
        """Which contracts declarers may choose, by what each carries, (n, contracts)."""
        return np.ones((len(carried), len(self.contracts)), np.bool_)

    def contract_clause(self, contract: int) -> str:
        """The clause that the choice of a contract which is not on offer breaks.

        Parameters
        ----------
        contract : int
            Its number, or ``NO_CONTRACT`` for one that does not exist.
        """
        raise TypeError(f"{type(self).__name__} has no contracts")

    def contract_worth(self, view: View) -> NDArray[np.float64]:
        """What each contract is worth to the declarers asked to choose, (n, contracts)."""
        raise TypeError(f"{type(self).__name__} has no contracts")

    def aim(self, view: View) -> NDArray[np.int8]:
        """What each seat asked wants of tricks: 1 to take them, -1 to avoid them, (n,)."""
        return np.ones(len(view), np.int8)

    @property
    def trump(self) -> int:
        """Suit that is trumps when a hand begins, or ``NO_SUIT``."""
        return NO_SUIT if self.deck.trump is None else self.deck.trump

    @cached_property
    def sides(self) -> NDArray[np.uint16]:
        """Seats on each seat's side, itself included, a set as bits, shape (players,).

        A contract may set other sides for its hand; results of a match go by these.
        """
        return read_only(np.array([1 << seat for seat in range(self.players)], dtype=np.uint16))

    def first_seat(self, dealer: NDArray[np.int8]) -> NDArray[np.int8]:
        """Seat that leads first, a new array."""
        return ((dealer + 1) % self.players).astype(np.int8)

    def opening_leader(self, table: Table) -> NDArray[np.int8]:
        """Seat that led the first trick of finished hands; who would have, if they passed out."""
        return self.first_seat(table.dealer)

    def score(self, table: Table) -> Score:
        """Score finished hands."""
        raise TypeError(f"{type(self).__name__} states no score")

    @cached_property
    def values(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], float, float]:
        """What capturing pays, in units of what an average trick pays with its cards.

        Returns
        -------
        points : float (n_cards,)
            What each captured card pays.
        kept : bool (n_cards,)
            Cards that pay whoever plays them instead.
        trick : float
            What a trick pays beside its cards.
        typical : float
            What a captured card pays on average.
        """
        n_cards = self.deck.n_cards
        nothing = read_only(np.zeros(n_cards))
        return nothing, read_only(np.zeros(n_cards, np.bool_)), 1.0, 0.0

    @property
    def highest_bid(self) -> int:
        """The most that can be bid."""
        return self.n_tricks

    @property
    def bid_pays(self) -> bool:
        """Whether a contract made scores what was bid, so that it pays to bid high at once."""
        return True

    @property
    def chance_caught(self) -> float:
        """Chance that a revoke is caught; 0 where play is checked as it happens."""
        return 0.0

    def wanted_bid(self, view: View, limit: NDArray[np.int64]) -> NDArray[np.int64]:
        """What it pays to bid for seats that would go up to a limit, (n,)."""
        return limit if self.bid_pays else view.min_bid

    def bid_limit(self, view: View, margin: float) -> NDArray[np.float64]:
        """What each seat asked to bid may expect to take as declarer, plus a margin, (n,).

        Parameters
        ----------
        view : View
            Of seats that are asked to bid.
        margin : float
            In average tricks.
        """
        raise TypeError(f"{type(self).__name__} has no auction")

    @property
    def book(self) -> int:
        """Tricks from which bids are counted."""
        return 0

    @property
    def largest_side(self) -> int:
        """Seats that the side of a declarer can have."""
        return 1

    @property
    def names_trumps(self) -> bool:
        """Whether a declarer names trumps, after discarding if it does."""
        return False

    def trump_worth(
        self, view: View, holding: NDArray[np.uint32], trump: int
    ) -> NDArray[np.float64]:
        """What a suit is worth to declarers as trumps, to be compared with others, (n,).

        Parameters
        ----------
        view : View
            Of declarers that are asked to discard, or to name trumps.
        holding : uint32 (n, n_suits)
            What they would hold then.
        trump : int
            The suit.
        """
        raise TypeError(f"{type(self).__name__} has no trumps to name")

    def call_worth(self, view: View) -> NDArray[np.float64]:
        """What calling each card, and last going alone, is worth to declarers, (n, n_cards + 1).

        Only cards that ``view.may_call`` need be right.
        """
        raise TypeError(f"{type(self).__name__} has no partner to call")

    def named_bid(self, view: View, margin: float) -> NDArray[np.int64]:
        """The bid by name, of ``view.offers["may_bid"]``, for an expectation and a margin, (n,)."""
        raise TypeError(f"{type(self).__name__} has no bids with names")

    def annul_worth(self, view: View) -> NDArray[np.float64]:
        """What another deal is worth above the hand as it stands, (n,)."""
        raise TypeError(f"{type(self).__name__} has no hands to annul")

    def announcements(self, view: View, assurance: float) -> NDArray[np.int64]:
        """The bonuses that come with at least such a chance, as bits, (n,)."""
        raise TypeError(f"{type(self).__name__} has no bonuses")

    def doublings(self, view: View, assurance: float) -> NDArray[np.int64]:
        """The claims that it pays to double, by such a chance or by what is at stake, (n,)."""
        raise TypeError(f"{type(self).__name__} has no contras")

    def friendly(self, view: View) -> NDArray[np.float64]:
        """The chance that each seat is on the side of the seat asked, (n, players)."""
        return (view.allies[:, None] >> np.arange(self.players) & 1).astype(np.float64)

    def plans(
        self, view: View, friendly: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What winning the trick with each card pays, and what keeping it for later, to who plays.

        In average tricks, beside what is captured; two of (n, n_cards), or of (0, n_cards) where
        there is nothing of the kind in this game.
        """
        return self._nothing_planned, self._nothing_planned

    @cached_property
    def _nothing_planned(self) -> NDArray[np.float64]:
        return read_only(np.zeros((0, self.deck.n_cards)))

    @property
    def patience(self) -> float:
        """Share of its worth that a high card of an ordinary suit has if it is kept for later."""
        return 1.0

    @property
    def trump_fall(self) -> float:
        """How much each higher trump unseen takes from a trump's worth: the power of a factor."""
        return 1.0

    @property
    def lasting_trumps(self) -> bool:
        """Whether the trumps of one trick are those of the next."""
        return True

    def check_match(self) -> None:
        """Raise :class:`SwitchError` if these switches do not make a match."""
        raise SwitchError(f"{self.name} has no matches")

    def carry(self, table: Table) -> NDArray[np.uint16]:
        """What each seat carries from finished hands into the next of their matches, (H, P)."""
        return table.carried

    def match_over(
        self, standing: NDArray[np.int32], hands: NDArray[np.int16]
    ) -> NDArray[np.bool_]:
        """Whether matches have come to their end, shape (M,).

        Parameters
        ----------
        standing : int32 (M, P)
            Score of each seat so far.
        hands : int16 (M,)
            Hands played.
        """
        raise TypeError(f"{type(self).__name__} has no matches")

    def seat_features(self, table: Table) -> Columns:
        """This game's ``seat_columns`` for finished hands, each of shape (H, P)."""
        return {}

    def hand_features(self, table: Table, scored: Score) -> Columns:
        """This game's ``hand_columns`` for finished and scored hands, each of shape (H,)."""
        return {}

    def trick_points(self, table: Table) -> NDArray[np.int16]:
        """Points that each trick brought its winner, shape (T, H)."""
        return np.zeros((table.tricks, table.hands), np.int16)

    def remarks(self, table: Table, scored: Score, row: int) -> list[str]:
        """What a picture of a finished hand says of this game's own, line by line."""
        return []

    def history_keys(self, table: Table, row: int) -> dict[str, Any]:
        """What a history of this game states beside the usual, before its result."""
        return {}

    def result_keys(self, table: Table, scored: Score, row: int) -> dict[str, Any]:
        """What the result in a history of this game states beside the usual."""
        return {}

    @property
    def clauses(self) -> Clauses:
        """The clauses that faults in a hand history are named after."""
        raise TypeError(f"{type(self).__name__} states no clauses")

    def play_clause(self, attempt: Attempt) -> str:
        """The clause that a card which may not be played breaks."""
        raise TypeError(f"{type(self).__name__} states no clauses")

    @property
    def switches(self) -> dict[str, Any]:
        """Every switch that differs from its default, and ``players``, ready for JSON."""
        specs = options.specs(self)
        plain = {name: self.plain_switch(name) for name in specs}
        return {"players": plain["players"]} | {
            name: value for name, value in plain.items() if value != specs[name].default
        }

    def plain_switch(self, name: str) -> Any:
        """A switch's value as text, number, flag or, where it is the user's own, inline table."""
        value = getattr(self, name)
        # NumPy's numbers, as from a loop over an array, do not go into JSON.
        return value.item() if isinstance(value, np.generic) else value

    @property
    def label(self) -> str:
        """The game and its switches in one line: ``junni players=4 shriving=true``."""
        parts = [f"{k}={str(v).lower()}" for k, v in _named(self.switches).items()]
        return " ".join([self.name, *parts])

    @classmethod
    def fits(cls) -> int:
        """How many settings of the switches are fitted; 0 if none are."""
        return len(list(import_module(cls.fitting).settings())) if cls.fitting else 0

    @classmethod
    def fit(cls, n_jobs: int | None, done: Callable[[int], object]) -> str:
        """Fit what is estimated anew; the text of the file that ships with the game."""
        if not cls.fitting:
            raise UserError(f"{cls.name} has nothing to fit")
        text: str = import_module(cls.fitting).fit_all(n_jobs, done)
        return text

    @classmethod
    def sheet(cls) -> str:
        """The game's rule sheet, Markdown."""
        return (resources.files(cls.__module__) / "rules.md").read_text(encoding="utf-8")

    def replace(self, **switches: Any) -> Game:
        """The same game with some switches changed."""
        values = {name: getattr(self, name) for name in options.specs(self)}
        return options.build(
            type(self), values | switches, f"{self.name} has no switch", SwitchError
        )


def _named(switches: dict[str, Any]) -> dict[str, Any]:
    """Switches with inline decks and tables shown by their names."""
    return {
        k: printable(v.get("name", "own")) if isinstance(v, dict) else v
        for k, v in switches.items()
    }
