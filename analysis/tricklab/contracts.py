"""Contracts with a name: what a declarer chooses from, and the choice (T3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tricklab.bidding import NO_CONTRACT
from tricklab.cards import NO_SUIT
from tricklab.desk import Asked, Desk
from tricklab.play import Action
from tricklab.table import Table

CONTRACT_STEP = 10
"""Random step of the choice of a contract; part of the definition of a run."""


@dataclass(frozen=True)
class Contract:
    """One answer to the question what is played.

    Attributes
    ----------
    name : str
        As hand histories have it, such as ``"other"``.
    kind : int
        Number of the name: contracts that differ in their trumps alone share it.
    trump : int
        Suit that is trumps, or ``NO_SUIT``.
    letter : str
        The suit's letter where it is part of the choice, else empty.
    avoid : bool
        Whether tricks are to be avoided.
    """

    name: str
    kind: int
    trump: int = NO_SUIT
    letter: str = ""
    avoid: bool = False

    def __str__(self) -> str:
        return f"{self.name} {self.letter}".rstrip()


@dataclass(frozen=True)
class Declare:
    """The declarer, known by its place at the table, chooses a contract.

    What is on offer is ``game.contracts``, as far as ``game.offered`` says.

    Attributes
    ----------
    from_dealer : int
        Seats from the dealer, clockwise, to the declarer.
    """

    from_dealer: int = 1

    def run(self, table: Table, desk: Desk) -> None:
        """Ask every declarer; the contract decides what is trumps."""
        game, state = table.game, table.state
        table.declarer[:] = (table.dealer + self.from_dealer) % game.players
        state.seat[:] = table.declarer
        for asked in desk.ask(table, "contract", CONTRACT_STEP):
            chosen = asked.answers()
            self._check(asked, chosen, asked.view.contracts)
            table.contract[asked.rows] = chosen
        trumps = np.array([contract.trump for contract in game.contracts], np.int8)
        state.trump[:] = trumps[table.contract]
        state.seat[:] = state.leader

    def _check(self, asked: Asked, chosen: NDArray[np.int16], offered: NDArray[np.bool_]) -> None:
        """Raise if a contract was chosen that does not exist or is not on offer."""
        contracts = asked.table.game.contracts
        known = (chosen >= 0) & (chosen < len(contracts))
        number = np.where(known, chosen, 0)
        bad = np.flatnonzero(~known | ~offered[np.arange(len(chosen)), number])
        if not len(bad):
            return
        i = int(bad[0])
        said = str(contracts[number[i]]) if known[i] else ""
        may = ", ".join(f"{k} ({contracts[k]})" for k in np.flatnonzero(offered[i]))
        clause = asked.table.game.contract_clause(int(chosen[i]) if known[i] else NO_CONTRACT)
        answered = f"{chosen[i]}" + (f" ({said})" if said else "")
        raise asked.illegal(i, answered, f"one of {may} ({clause})")

    def actions(self, table: Table, row: int) -> list[Action]:
        """The declarer's choice."""
        contract = table.game.contracts[table.contract[row]]
        action: Action = {
            "seat": int(table.declarer[row]),
            "do": "contract",
            "contract": contract.name,
        }
        if contract.letter:
            action["suit"] = contract.letter
        return [action]
