"""What a careful seat goes by: what it knows, and what cards are worth, as arrays for kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Known(NamedTuple):
    """What a seat knows when it must play; fields of n rows are those of ``View``.

    ``played`` holds what the seat has discarded as well: it will not come.  ``friendly`` (n, P) is
    the chance that each seat is on the same side.
    """

    holding: NDArray[np.uint32]
    printed: NDArray[np.uint32]
    other: NDArray[np.uint32]
    names: NDArray[np.uint16]
    n_legal: NDArray[np.int16]
    played: NDArray[np.uint32]
    voids: NDArray[np.uint16]
    given: NDArray[np.uint32]
    seat: NDArray[np.int8]
    trump: NDArray[np.int8]
    lead: NDArray[np.int8]
    best_seat: NDArray[np.int8]
    best_suit: NDArray[np.int8]
    best_strength: NDArray[np.int16]
    friendly: NDArray[np.float64]
    table_cards: NDArray[np.uint8]


class Plans(NamedTuple):
    """What single cards pay beside what they capture, in units of an average trick.

    Attributes
    ----------
    win : float (n, n_cards), or (0, n_cards) where there is nothing of the kind
        What winning this trick with each card pays.
    keep : float (n, n_cards) or (0, n_cards)
        What keeping each card out of this trick pays.
    """

    win: NDArray[np.float64]
    keep: NDArray[np.float64]


class Aims(NamedTuple):
    """What cards are worth at one step, in units of an average trick.

    Attributes
    ----------
    plain : float (MAX_RANKS + 1, MAX_RANKS + 1)
        Worth of keeping the highest card left of an ordinary suit, by the unseen cards of its
        suit and the unseen trumps.
    decay : float (2, MAX_RANKS + 1)
        Factor to that worth, by the number of higher cards unseen, in hands with and without
        trumps.
    trumps : float (MAX_RANKS + 1,)
        Worth of keeping a trump, by the number of higher ones unseen.
    excuse, void, trust, give_void : float
        Parameters of ``Careful``.
    unblock : float
        Parameter of ``Careful`` where there is a contract, else 0.
    lasting : bool
        Whether the trumps of this trick are those of the next.
    points : float (n_cards,)
        What capturing each card pays.
    kept : bool (n_cards,)
        Cards that stay with their player whoever wins.
    trick : float
        What a trick pays beside its cards.
    typical : float
        What capturing a card pays on average.
    misses : float (unseen + 1,)
        Chance that another seat has none of k given unseen cards, by k.
    """

    plain: NDArray[np.float64]
    decay: NDArray[np.float64]
    trumps: NDArray[np.float64]
    excuse: float
    void: float
    trust: float
    give_void: float
    unblock: float
    lasting: bool
    points: NDArray[np.float64]
    kept: NDArray[np.bool_]
    trick: float
    typical: float
    misses: NDArray[np.float64]
