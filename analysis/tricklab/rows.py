"""Rows of arrays taken and put back: as NumPy's indexing, and several times as fast."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.tricks import kernel

FEW_RUNS = 16
"""Runs of consecutive rows up to which these are copied by the run."""

FEW_ROWS = 64
"""Rows up to which these are put back as NumPy does it: a kernel's call takes longer."""

Rows = list[slice] | NDArray[np.integer[Any]]
"""Some rows in ascending order, none twice, as runs or one by one; made by :func:`in_runs`."""


def in_runs(rows: NDArray[np.integer[Any]]) -> Rows:
    """The rows as slices if they are few runs, as where nearly all hands of a table go on.

    Copying whole runs is many times faster than copying row by row.
    """
    if len(rows) <= FEW_ROWS:
        return rows
    breaks = np.flatnonzero(np.diff(rows) != 1) + 1
    if len(breaks) >= FEW_RUNS:
        return rows
    first, last = rows[[0, *breaks]], rows[[*(breaks - 1), -1]]
    return [slice(a, b + 1) for a, b in zip(first.tolist(), last.tolist(), strict=True)]


def take_rows(array: NDArray[Any], rows: Rows, axis: int = 0) -> NDArray[Any]:
    """A copy of some rows of an array, which are those along the axis, 0 or 1."""
    if not isinstance(rows, list):
        return array.take(rows, axis)
    before: tuple[Any, ...] = (slice(None),) * axis
    return np.concatenate([array[(*before, run)] for run in rows], axis)


def put_rows(array: NDArray[Any], rows: Rows, values: NDArray[Any], axis: int = 0) -> None:
    """``array[rows] = values``, or with ``axis`` 1 ``array[:, rows] = values``."""
    if isinstance(rows, list):
        before: tuple[Any, ...] = (slice(None),) * axis
        done = 0
        for run in rows:
            count = run.stop - run.start
            array[(*before, run)] = values[(*before, slice(done, done + count))]
            done += count
    elif len(rows) <= FEW_ROWS:
        array[(slice(None),) * axis + (rows,)] = values
    elif array.size:
        same = np.ascontiguousarray(values, array.dtype)
        _put(_words(array, axis), rows, _words(same, axis))


def own_rows(
    array: NDArray[Any], rows: NDArray[np.int64], seats: NDArray[np.integer[Any]]
) -> NDArray[Any]:
    """``array[rows, seats]``, a new array."""
    out = np.empty((len(rows), *array.shape[2:]), array.dtype)
    if out.size:
        _own(array.reshape(*array.shape[:2], -1), rows, seats, out.reshape(len(rows), -1))
    return out


WORDS = (np.uint64, np.uint32, np.uint16, np.uint8)
"""What items are moved as, whatever they are, the largest that fits first."""


def _words(array: NDArray[Any], axis: int) -> NDArray[Any]:
    """The same memory as words, of shape (…, rows, words an item), three axes in all."""
    before, count = array.shape[0] if axis else 1, array.shape[axis]
    size = array.nbytes // (before * count)
    word = next(word for word in WORDS if size % np.dtype(word).itemsize == 0)
    return array.reshape(-1).view(word).reshape(before, count, -1)


@kernel
def _put(array: NDArray[Any], rows: NDArray[np.integer[Any]], values: NDArray[Any]) -> None:
    for t in range(array.shape[0]):
        for i in range(rows.size):
            row = rows[i]
            for k in range(array.shape[2]):
                array[t, row, k] = values[t, i, k]


@kernel
def _own(
    array: NDArray[Any],
    rows: NDArray[np.int64],
    seats: NDArray[np.integer[Any]],
    out: NDArray[Any],
) -> None:
    for i in range(rows.size):
        row, seat = rows[i], seats[i]
        for k in range(array.shape[2]):
            out[i, k] = array[row, seat, k]
