"""Rows of arrays taken and put back: as NumPy's indexing, and several times as fast.

Items are moved as whole words where they can be, whatever they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricklab.tricks import kernel


def put_rows(
    array: NDArray[Any], rows: NDArray[np.integer[Any]], values: NDArray[Any], axis: int = 0
) -> None:
    """``array[rows] = values``, or with ``axis`` 1 ``array[:, rows] = values``."""
    if array.size and len(rows):
        same = np.ascontiguousarray(values, array.dtype)
        _put(_words(array, axis), rows, _words(same, axis))


def own_rows(array: NDArray[Any], rows: NDArray[np.int64], seats: NDArray[np.int8]) -> NDArray[Any]:
    """``array[rows, seats]``, a new array."""
    out = np.empty((len(rows), *array.shape[2:]), array.dtype)
    if out.size:
        _own(array.reshape(*array.shape[:2], -1), rows, seats, out.reshape(len(rows), -1))
    return out


WORDS = (np.uint64, np.uint32, np.uint16, np.uint8)
"""What items are moved as, the largest that fits first."""


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
    array: NDArray[Any], rows: NDArray[np.int64], seats: NDArray[np.int8], out: NDArray[Any]
) -> None:
    for i in range(rows.size):
        row, seat = rows[i], seats[i]
        for k in range(array.shape[2]):
            out[i, k] = array[row, seat, k]
