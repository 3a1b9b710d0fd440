"""Bit operations on rank masks, single machine instructions inside kernels, and scaled words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

if TYPE_CHECKING:

    def popcount(mask: Any) -> int:
        """Number of bits set in a ``uint32`` mask."""

    def lowest(mask: Any) -> int:
        """Number of the lowest bit set in a ``uint32`` mask; 32 for an empty one."""

    def highest(mask: Any) -> int:
        """Number of the highest bit set in a ``uint32`` mask; -1 for an empty one."""

    def wide_product(one: Any, other: Any) -> Any:
        """The product of two ``uint64``, its upper and its lower 64 bits."""

else:
    # An intrinsic takes a typing context that its callers do not pass; type checkers cannot know.

    @intrinsic
    def popcount(typingctx: Any, mask: Any) -> Any:
        """Number of bits set in a ``uint32`` mask, as int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.zext(builder.ctpop(args[0]), context.get_value_type(types.int64))

        return types.int64(types.uint32), codegen

    @intrinsic
    def lowest(typingctx: Any, mask: Any) -> Any:
        """Number of the lowest bit set in a ``uint32`` mask, as int64; 32 for an empty one."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            bit = builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
            return builder.zext(bit, context.get_value_type(types.int64))

        return types.int64(types.uint32), codegen

    @intrinsic
    def highest(typingctx: Any, mask: Any) -> Any:
        """Number of the highest bit set in a ``uint32`` mask, as int64; -1 for an empty one."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
            wide = builder.zext(zeros, context.get_value_type(types.int64))
            return builder.sub(ir.Constant(ir.IntType(64), 31), wide)

        return types.int64(types.uint32), codegen

    @intrinsic
    def wide_product(typingctx: Any, one: Any, other: Any) -> Any:
        """The product of two ``uint64``, its upper and its lower 64 bits."""
        both = types.UniTuple(types.uint64, 2)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide, word = ir.IntType(128), ir.IntType(64)
            product = builder.mul(*(builder.zext(arg, wide) for arg in args))
            upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
            return context.make_tuple(builder, both, (upper, builder.trunc(product, word)))

        return both(types.uint64, types.uint64), codegen


@numba.njit(inline="always")
def scaled(word: Any, n: Any) -> int:
    """A uniform 32-bit word scaled to 0 … n-1, with a bias below n / 2**32."""
    return np.int64((np.uint64(word) * np.uint64(n)) >> np.uint64(32))


def scaled_words(words: NDArray[np.uint32], n: Any) -> NDArray[np.int64]:
    """Uniform 32-bit words scaled to 0 … n-1 each, as :func:`scaled` does, for whole arrays."""
    many = np.asarray(n).astype(np.uint64)
    return ((words.astype(np.uint64) * many) >> np.uint64(32)).astype(np.int64)


def top(masks: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Number of the highest bit set in each mask, -1 in an empty one, for whole arrays."""
    return np.frexp(masks.astype(np.float64))[1].astype(np.int64) - 1


@numba.njit(inline="always")
def nth(mask: Any, k: int) -> int:
    """Number of the k-th bit set (from 0) in a ``uint32`` mask, by halving, without branches."""
    base = np.int64(0)
    bits = np.int64(mask)
    for half in (16, 8, 4, 2, 1):
        low = bits & ((1 << half) - 1)
        below = popcount(np.uint32(low))
        upper = k >= below
        k = k - below if upper else k
        bits = bits >> half if upper else low
        base = base + half if upper else base
    return base
