"""A contract fixed beforehand, for studies: who declares plays as another policy does (T5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.errors import UserError
from tricklab.options import suggestion
from tricklab.policies.delegates import Delegate
from tricklab.view import View, among


@dataclass(frozen=True)
class Declares(Delegate):
    """Declares one contract, where that is on offer, and leaves the rest to another policy.

    Of several contracts of that name, such as Other with each suit, the other policy chooses; and
    where none is on offer, of all there are.

    It has no textual form, as what it is made of is itself a policy, with parameters of its own: it
    is for Python, ``tl.Declares(tl.policy("careful"), "nullo")``.

    Attributes
    ----------
    base : Policy
        Who plays.
    declares : str
        A contract's name, such as ``"nullo"`` or ``"other"``, or one contract: ``"other H"``.
    """

    declares: str

    def contract(self, view: View) -> NDArray[Any]:
        """The contract, as the other policy would choose it."""
        names = [(contract.name, str(contract)) for contract in view.game.contracts]
        meant = np.array([self.declares in each for each in names])
        if not meant.any():
            known = list(dict.fromkeys(name for each in names for name in each))
            raise UserError(
                f"there is no contract {self.declares!r}; {suggestion(self.declares, known)}"
            )
        return self.base.contract(among(view, meant))
