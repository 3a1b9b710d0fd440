"""The small language in which "how often does X happen?" is asked.

An event is an expression over the columns of a run's frames, such as ``trumps >= 4 and tricks < 5``
or ``any(card == "16T" and position == 0)``.  It is parsed into a few kinds of node that can name
columns and nothing else; no Python code of the user's is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab.event_syntax import (
    FRAMES,
    MAX_LENGTH,
    Arithmetic,
    Column,
    Columns,
    Compare,
    Const,
    EventError,
    FinerColumnError,
    Logic,
    Member,
    Node,
    Parser,
    Reduce,
    UnknownColumnError,
    frames_of,
    read_tree,
)
from tricklab.stats import RatioSums

__all__ = ["FRAMES", "Event", "EventError", "FinerColumnError", "UnknownColumnError"]

Frames = Mapping[str, Any]
BoolArray = NDArray[np.bool_]


# ------------------------------------------------------------------------------------------ values
@dataclass(frozen=True)
class _Truth:
    """Three-valued: where `undefined`, neither true nor false (0/0, the max of no rows)."""

    true: Any
    undefined: Any = False


@dataclass(frozen=True)
class _Text:
    codes: Any  # -1 where missing
    categories: tuple[Any, ...]


_Value = _Truth | _Text | NDArray[np.float64] | float  # a number is undefined where NaN


class _Evaluation:
    """One event over one set of frames."""

    def __init__(self, frames: Frames, text: str) -> None:
        self.frames = frames
        self.text = text
        self._index: dict[str, NDArray[np.intp]] = {}
        ids = self._array("hands", "hand") if "hands" in frames else None
        self.hands: NDArray[Any] | None = ids

    def fail(self, message: str) -> NoReturn:
        raise EventError(f"{message} (in the event {self.text!r})")

    def _array(self, frame: str, column: str) -> NDArray[Any]:
        if frame not in self.frames:
            self.fail(f"the run has no {frame} frame")
        if column not in self.frames[frame]:
            self.fail(f"the {frame} frame has no column {column!r}")
        return np.asarray(self.frames[frame][column])

    def index(self, frame: str) -> NDArray[np.intp]:
        """Row number of its hand, for each row of a frame."""
        if frame not in self._index:
            ids = self._array(frame, "hand")
            if self.hands is None:
                self.hands = np.unique(ids)
            index = np.searchsorted(self.hands, ids)
            known = np.minimum(index, max(len(self.hands) - 1, 0))
            if len(ids) and (len(self.hands) == 0 or (self.hands[known] != ids).any()):
                self.fail(f"the {frame} frame has hands that the hands frame lacks")
            self._index[frame] = index
        return self._index[frame]

    def spread(self, value: _Value, frame: str) -> _Value:
        """A value by hand, repeated for the rows of `frame`."""
        if frame == "hands":
            return value
        rows = self.index(frame)
        if isinstance(value, _Truth):
            return _Truth(*(x[rows] if np.ndim(x) else x for x in (value.true, value.undefined)))
        if isinstance(value, _Text):
            return _Text(value.codes[rows], value.categories)
        return value[rows] if isinstance(value, np.ndarray) and value.ndim else value

    def column(self, node: Column, frame: str) -> _Value:
        if node.frame not in self.frames or node.name not in self.frames[node.frame]:
            self._array(node.frame, node.name)
        value = _load(self.frames[node.frame][node.name])
        found = "bool" if isinstance(value, _Truth) else "number"
        found = "text" if isinstance(value, _Text) else found
        if node.kind != "any" and found != node.kind:
            self.fail(f"column {node.name!r} should hold {node.kind} values but holds {found}")
        return value if node.frame == frame else self.spread(value, frame)

    def run(self, node: Node, frame: str) -> _Value:
        match node:
            case Const():
                if node.kind == "text":
                    return _Text(np.int64(0), (node.value,))
                return _Truth(np.bool_(node.value)) if node.kind == "bool" else float(node.value)
            case Column():
                return self.column(node, frame)
            case Arithmetic():
                result: _Value = _arithmetic(node.op, [self.number(a, frame) for a in node.args])
                return result
            case Compare():
                return self.compare(
                    node.op, self.run(node.left, frame), self.run(node.right, frame)
                )
            case Member():
                value = self.run(node.arg, frame)
                tests = [self.compare("==", value, self.run(c, frame)) for c in node.values]
                return _logic("or", tests)
            case Logic():
                return _logic(node.op, [self.truth(a, frame) for a in node.args])
            case Reduce():
                return self.spread(self.reduce(node), frame)

    def number(self, node: Node, frame: str) -> Any:
        value = self.run(node, frame)
        if isinstance(value, _Truth | _Text):
            what = f"column {node.name!r}" if isinstance(node, Column) else "this"
            self.fail(f"{what} is not a number")
        return value

    def truth(self, node: Node, frame: str) -> _Truth:
        value = self.run(node, frame)
        if not isinstance(value, _Truth):
            what = f"column {node.name!r}" if isinstance(node, Column) else "this"
            self.fail(f"{what} is neither true nor false")
        return value

    def compare(self, op: str, left: _Value, right: _Value) -> _Truth:
        if isinstance(left, _Text) or isinstance(right, _Text):
            if not (isinstance(left, _Text) and isinstance(right, _Text)):
                self.fail("text is compared with something that is not text")
            if op not in ("==", "!="):
                self.fail(f"text can be compared with == and != only, not {op}")
            position = {c: i for i, c in enumerate(left.categories)}
            # one more entry at the end, so that code -1 (missing) stays missing
            to_left = np.array([position.get(c, -2) for c in right.categories] + [-1])
            same = left.codes == to_left[right.codes]
            undefined = (left.codes < 0) | (right.codes < 0)
            return _Truth((same if op == "==" else ~same) & ~undefined, undefined)
        x, y = _as_number(left), _as_number(right)
        undefined = np.isnan(x) | np.isnan(y)
        result = _COMPARISONS[op](x, y)
        return _Truth(result & ~undefined, undefined)

    def reduce(self, node: Reduce) -> _Value:
        index = self.index(node.frame)
        assert self.hands is not None
        n, rows = len(self.hands), len(index)
        if node.kind == "bool" or node.func == "count":
            value = self.truth(node.arg, node.frame)
            true = np.broadcast_to(value.true, rows)
            undefined = np.broadcast_to(value.undefined, rows)
            hits = np.bincount(index[true], minlength=n)
            if node.func == "count":
                return hits.astype(np.float64)
            unsure = np.bincount(index[undefined], minlength=n) > 0
            if node.func == "any":
                return _Truth(hits > 0, unsure & (hits == 0))
            misses = np.bincount(index[~true & ~undefined], minlength=n) > 0
            return _Truth(~misses & ~unsure, unsure & ~misses)
        numbers = np.broadcast_to(self.number(node.arg, node.frame), rows).astype(np.float64)
        if node.func == "sum":
            return np.bincount(index, weights=numbers, minlength=n).astype(np.float64)
        worst, step = (-np.inf, np.maximum) if node.func == "max" else (np.inf, np.minimum)
        out = np.full(n, worst)
        with np.errstate(invalid="ignore"):
            step.at(out, index, numbers)
        out[np.bincount(index, minlength=n) == 0] = np.nan
        return out


_COMPARISONS: dict[str, Any] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def _load(column: Any) -> _Value:
    """A frame's column as a truth, text or number value."""
    values = getattr(column, "array", column)  # a Series' own array
    categories = getattr(values, "categories", None)
    if categories is not None:
        labels = np.asarray(categories)
        codes = np.asarray(values.codes, dtype=np.int64)
        if labels.dtype.kind not in "biuf":
            return _Text(codes, tuple(labels.tolist()))
        numbers = np.append(labels.astype(np.float64), np.nan)
        return np.asarray(numbers[codes], dtype=np.float64)
    array = np.asarray(values)
    if array.dtype.kind == "b":
        return _Truth(array)
    if array.dtype.kind in "iuf":
        return array.astype(np.float64)  # also keeps small integer types from wrapping round
    codes, found = pd.factorize(array)
    return _Text(np.asarray(codes, dtype=np.int64), tuple(np.asarray(found).tolist()))


def _as_number(value: Any) -> Any:
    if isinstance(value, _Truth):
        return np.where(value.undefined, np.nan, np.asarray(value.true, dtype=np.float64))
    return value


def _arithmetic(op: str, args: list[Any]) -> Any:
    if op in ("neg", "pos"):
        return -args[0] if op == "neg" else args[0]
    x, y = args
    with np.errstate(all="ignore"):
        if op == "+":
            return np.add(x, y)
        if op == "-":
            return np.subtract(x, y)
        if op == "*":
            return np.multiply(x, y)
        y = np.where(np.equal(y, 0), np.nan, y)  # undefined, rather than infinite
        if op == "/":
            return np.divide(x, y)
        return np.floor_divide(x, y) if op == "//" else np.mod(x, y)


def _logic(op: str, args: list[_Truth]) -> _Truth:
    first = args[0]
    if op == "not":
        return _Truth(np.logical_not(np.logical_or(first.true, first.undefined)), first.undefined)
    true, undefined = first.true, first.undefined
    for arg in args[1:]:
        either = np.logical_or(undefined, arg.undefined)
        if op == "or":
            true = np.logical_or(true, arg.true)
            undefined = np.logical_and(either, np.logical_not(true))
        else:
            possible = np.logical_and(
                np.logical_or(true, undefined), np.logical_or(arg.true, arg.undefined)
            )
            true = np.logical_and(true, arg.true)
            undefined = np.logical_and(possible, np.logical_not(true))
    return _Truth(true, undefined)


# ----------------------------------------------------------------------------------------- public
@dataclass(frozen=True)
class Event:
    """A checked event; make one with :meth:`parse`.

    Attributes
    ----------
    text : str
        As written.
    of : str
        The frame whose rows it is true or false of.
    needs : frozenset of str
        The frames it reads.
    """

    text: str
    of: str
    needs: frozenset[str]
    _root: Node

    @classmethod
    def parse(cls, text: str, of: str, columns: Columns) -> Event:
        """Check `text` against the columns there are.

        Parameters
        ----------
        text : str
        of : str
            The frame whose rows are counted.
        columns : mapping
            For each frame its column names, or a mapping from name to dtype kind ("i", "f", "b",
            "category" …) so that more mistakes are found before anything is played.

        Raises
        ------
        EventError
            One message saying what is wrong and where.
        """
        frames = frames_of(columns)
        if of not in frames:
            raise EventError(f"'of' must be one of {', '.join(frames)}; got {of!r}")
        if not isinstance(text, str) or not text.strip():
            raise EventError("an event is a text such as 'trumps >= 4'; got nothing")
        if len(text) > MAX_LENGTH:
            raise EventError(f"an event may have {MAX_LENGTH} characters; this has {len(text)}")
        # line ends matter to Python but not here
        clean = text.replace("\r", " ").replace("\n", " ").strip()
        parser = Parser(clean, of, columns)
        if "\0" in clean:
            parser.fail("an event cannot hold a null character")
        try:
            root = parser.build(read_tree(clean), of)
        except EventError:
            raise
        except SyntaxError as error:
            hint = ""
            if "=" in clean and not any(s in clean for s in ("==", "<=", ">=", "!=", ":=")):
                hint = "; equality is written =="
            at = error.offset or 1
            parser.fail(f"this cannot be read near character {at}: {error.msg}{hint}")
        except (RecursionError, MemoryError):
            parser.fail("too deeply nested")
        except ValueError as error:
            parser.fail(f"this cannot be read: {error}")
        if root.kind != "bool":
            parser.fail("an event must be true or false, such as 'tricks > 5'; this is a value")
        return cls(clean, of, frozenset(_frames_of(root) | {of}), root)

    @property
    def reduces(self) -> bool:
        """Whether any(), all(), count() … look at a whole hand for it."""
        return any(isinstance(node, Reduce) for node in _walk(self._root))

    @property
    def names(self) -> frozenset[str]:
        """The columns it names."""
        return frozenset(node.name for node in _walk(self._root) if isinstance(node, Column))

    def evaluate(self, frames: Frames) -> BoolArray:
        """Where the event holds: one truth for each row of the frame `of`.

        Where it is undefined (a division by zero, a missing value) it does not hold.
        """
        return self._evaluate(_Evaluation(frames, self.text))

    def _evaluate(self, run: _Evaluation) -> BoolArray:
        value = run.truth(self._root, self.of)
        rows = len(run._array(self.of, "hand"))
        return np.array(np.broadcast_to(value.true, rows), dtype=np.bool_)

    def sums(self, frames: Frames, given: Event | None = None) -> RatioSums:
        """Hits and rows by deal, among the rows where `given` holds; exact, so blocks add up."""
        run = _Evaluation(frames, self.text)
        hit = self._evaluate(run)
        index = run.index(self.of)
        assert run.hands is not None
        if given is not None:
            if given.of not in (self.of, "hands"):
                raise EventError(
                    f"the condition is about {given.of}, the event about {self.of}: "
                    "both must be about the same rows"
                )
            holds = given.evaluate(frames)
            if given.of != self.of:
                holds = holds[index]
            hit, index = hit[holds], index[holds]
        n = len(run.hands)
        return RatioSums.of(np.bincount(index[hit], minlength=n), np.bincount(index, minlength=n))

    def __str__(self) -> str:
        return self.text


def _walk(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Arithmetic() | Logic():
            children: tuple[Node, ...] = node.args
        case Compare():
            children = (node.left, node.right)
        case Member() | Reduce():
            children = (node.arg,)
        case _:
            children = ()
    for child in children:
        yield from _walk(child)


def _frames_of(root: Node) -> set[str]:
    return {n.frame for n in _walk(root) if isinstance(n, Column | Reduce)}
