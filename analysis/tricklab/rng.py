"""The only place random streams are made.

Every random number of a run is a pure function of (seed, block, hand, purpose, step, draw): a
counter-based generator (Philox 4x64-10; Salmon et al., "Parallel random numbers: as easy as
1, 2, 3", SC11, 2011) is keyed by the seed and its counter spells the rest.  So nothing that one
part of a run draws can shift what another part draws, whatever the policies, variant, number of
workers or order of blocks.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tricklab.bits import wide_product
from tricklab.errors import UserError, is_whole
from tricklab.tricks import kernel

WORDS = 8
"""Words that the generator makes at once."""

ROUNDS = 10
MULTIPLIERS = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
KEY_STEPS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
"""Constants of Philox 4x64-10."""


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
        return self.table(purpose, 1, step, size, draw)[0]

    def table(
        self, purpose: int, count: int, step: int, size: int, draw: int = 0
    ) -> NDArray[np.uint32]:
        """The words of ``count`` purposes that follow each other, shape (count, size).

        Row *i* is ``words(purpose + i, step, size, draw)``.
        """
        out = np.empty((count, -(-size // WORDS) * WORDS), np.uint32)
        _, *at = self._counter(purpose, step, draw)
        fill(self._key, np.array(at, np.uint64), out.view(np.uint64))
        return out[:, :size]

    def sparse(
        self,
        purpose: int,
        count: int,
        step: int,
        rows: NDArray[np.int64],
        width: int = 1,
        draw: int = 0,
    ) -> NDArray[np.uint32]:
        """The words of some rows, shape (count, len(rows) * width), where all are ``width`` words.

        What :meth:`table` has at ``rows * width`` and after; faster where rows are few.
        """
        out = np.empty((count, len(rows) * width), np.uint32)
        _, *at = self._counter(purpose, step, draw)
        pick(self._key, np.array(at, np.uint64), rows, width, out)
        return out

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


@kernel
def fill(key: NDArray[np.uint64], at: NDArray[np.uint64], out: NDArray[np.uint64]) -> None:
    """Write what NumPy's Philox generators give, several times as fast as by asking those.

    Parameters
    ----------
    key : uint64 (2,)
        The generators' key.
    at : uint64 (3,)
        Words 1 to 3 of the first generator's counter; word 2 grows by one from row to row.
    out : uint64 (count, 4 n)
        A row for each generator.
    """
    for row in range(out.shape[0]):
        for block in range(out.shape[1] // 4):
            first = 4 * block
            a, b, c, d = _four(key, at, row, block)
            out[row, first], out[row, first + 1] = a, b
            out[row, first + 2], out[row, first + 3] = c, d


@numba.njit(inline="always")
def _four(
    key: NDArray[np.uint64], at: NDArray[np.uint64], row: int, block: int
) -> tuple[Any, Any, Any, Any]:
    """Four numbers of 64 bits, so many blocks of four on in a row's stream."""
    # NumPy moves the counter on before it draws.
    a, b = np.uint64(block) + np.uint64(1), at[0]
    c, d = at[1] + np.uint64(row), at[2]
    k0, k1 = key[0], key[1]
    for _ in range(ROUNDS):
        high0, low0 = wide_product(MULTIPLIERS[0], a)
        high1, low1 = wide_product(MULTIPLIERS[1], c)
        a, b, c, d = high1 ^ b ^ k0, low1, high0 ^ d ^ k1, low0
        k0 += KEY_STEPS[0]
        k1 += KEY_STEPS[1]
    return a, b, c, d


@kernel
def pick(
    key: NDArray[np.uint64],
    at: NDArray[np.uint64],
    rows: NDArray[np.int64],
    width: int,
    out: NDArray[np.uint32],
) -> None:
    """Write some rows' words alone to ``out`` (count, n); see :func:`fill` and ``sparse``."""
    for row in range(out.shape[0]):
        made = np.int64(-1)
        a = b = c = d = np.uint64(0)
        for i in range(rows.size):
            for k in range(width):
                word = rows[i] * width + k
                if word >> 3 != made:
                    made = word >> 3
                    a, b, c, d = _four(key, at, row, made)
                pair = (word & 7) >> 1
                both = (a if pair == 0 else b) if pair < 2 else (c if pair == 2 else d)
                half = both >> np.uint64(32) if word & 1 else both
                out[row, i * width + k] = np.uint32(half & np.uint64(0xFFFFFFFF))
