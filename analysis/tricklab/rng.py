"""The only place random streams are made.

Every random number of a run is a pure function of (seed, block, hand, purpose, step, draw): a
counter-based generator (Philox 4x64-10; Salmon et al., "Parallel random numbers: as easy as
1, 2, 3", SC11, 2011) is keyed by the seed and its counter spells the rest.  So nothing that one
part of a run draws can shift what another part draws, whatever the policies, variant, number of
workers or order of blocks.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tricklab.errors import UserError, is_whole


class Purpose(IntEnum):
    """What a stream is for.  Values are part of the definition of a run: never renumber."""

    DEAL = 0
    CHANCE = 1
    DETECTION = 2
    REDEAL = 3
    SEAT = 16
    """Seat *s* draws from purpose ``SEAT + s``."""


class Streams:
    """The random streams of one block.

    Parameters
    ----------
    seed : int
        The run's seed, 0 or more.
    block : int
        The block's number within the run.
    hand : int
        Number of the hand within its match, from 0; 0 for single hands.
    """

    def __init__(self, seed: int, block: int, hand: int = 0) -> None:
        self._hand = hand
        self._key = np.random.SeedSequence(check_seed(seed)).generate_state(2, np.uint64)
        self._block = block
        self._bits = np.random.Philox(key=self._key)

    def words(self, purpose: int, step: int, size: int, draw: int = 0) -> NDArray[np.uint32]:
        """Uniform 32-bit words.

        Parameters
        ----------
        purpose : int
            A :class:`Purpose`, or ``Purpose.SEAT + seat``.
        step : int
            The decision or event within the hand, below 2**32.
        size : int
            How many; a longer array begins with the shorter one.
        draw : int
            Which of several draws at the same step.

        Returns
        -------
        ndarray of uint32, shape (size,)
        """
        # Turning one generator to a new place is quicker than making one.
        state = self._bits.state
        state["state"]["counter"][:] = self._counter(purpose, step, draw)
        state["buffer_pos"] = len(state["buffer"])
        self._bits.state = state
        return self._bits.random_raw((size + 1) // 2).view(np.uint32)[:size]

    def generator(self, purpose: int, step: int, draw: int = 0) -> np.random.Generator:
        """A NumPy generator of its own for one step, for draws of any other shape or law."""
        counter = self._counter(purpose, step, draw)
        return np.random.Generator(np.random.Philox(key=self._key, counter=counter))

    def _counter(self, purpose: int, step: int, draw: int) -> list[int]:
        """Where a draw begins; the first word of four is left for what is drawn there."""
        return [0, step | draw << 32, purpose | self._hand << 32, self._block]


def check_seed(seed: int) -> int:
    """Return the seed as an int, or raise :class:`UserError` if it is not a whole number >= 0."""
    if not is_whole(seed) or seed < 0:
        raise UserError(f"seed must be a whole number, 0 or more, not {seed!r}")
    return int(seed)
