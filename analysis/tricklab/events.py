"""The small language in which "how often does X happen?" is asked.

An event is an expression over the columns of a run's frames, such as ``trumps >= 4 and tricks < 5``
or ``any(card == "16T" and position == 0)``.  It is parsed into a few kinds of node that can name
columns and nothing else; no Python code of the user's is ever executed.
"""

from __future__ import annotations

import ast
import difflib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tricklab.errors import UserError
from tricklab.stats import RatioSums

__all__ = ["FRAMES", "Event", "EventError", "FinerColumnError", "UnknownColumnError"]

#: Coarsest first; inside any(), count() … the finer ones are searched in this order.
FRAMES = ("hands", "seats", "tricks", "plays")
REDUCERS = ("any", "all", "count", "sum", "max", "min")

_MAX_LENGTH = 2000
_MAX_DEPTH = 60
_MAX_NUMBER = 2**53  # beyond this a float no longer tells whole numbers apart

Columns = Mapping[str, Sequence[str] | Mapping[str, str]]
Frames = Mapping[str, Any]
BoolArray = NDArray[np.bool_]


class EventError(UserError):
    """An event that cannot be understood or evaluated."""


class UnknownColumnError(EventError):
    """A name that is no column of the frames at hand; `column` holds it."""

    column: str = ""


class FinerColumnError(EventError):
    """A name that is a column of a finer frame only: the event is not about the rows asked."""


# ------------------------------------------------------------------------------------------- nodes
# `kind` is "bool", "number", "text" or "any" (a column of undeclared type: number or text).
@dataclass(frozen=True)
class _Const:
    value: Any
    kind: str


@dataclass(frozen=True)
class _Column:
    frame: str
    name: str
    kind: str


@dataclass(frozen=True)
class _Arithmetic:
    op: str
    args: tuple[_Node, ...]
    kind: str = "number"


@dataclass(frozen=True)
class _Compare:
    op: str
    left: _Node
    right: _Node
    kind: str = "bool"


@dataclass(frozen=True)
class _Member:
    arg: _Node
    values: tuple[_Const, ...]
    kind: str = "bool"


@dataclass(frozen=True)
class _Logic:
    op: str
    args: tuple[_Node, ...]
    kind: str = "bool"


@dataclass(frozen=True)
class _Reduce:
    func: str
    frame: str
    arg: _Node
    kind: str


_Node = _Const | _Column | _Arithmetic | _Compare | _Member | _Logic | _Reduce

_ARITHMETIC: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARE: dict[type[ast.AST], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_REFUSED: dict[type[ast.AST], str] = {
    ast.Attribute: "attributes (a dot after a name)",
    ast.Subscript: "square brackets after a value",
    ast.Lambda: "lambda",
    ast.ListComp: "comprehensions",
    ast.SetComp: "comprehensions",
    ast.DictComp: "comprehensions",
    ast.GeneratorExp: "comprehensions",
    ast.IfExp: "if … else",
    ast.NamedExpr: "assignments",
    ast.JoinedStr: "f-strings",
    ast.Pow: "powers (**)",
    ast.Starred: "starred arguments",
    ast.Dict: "dictionaries",
    ast.Is: "'is' (write ==)",
    ast.IsNot: "'is not' (write !=)",
    ast.BitAnd: "& (write 'and')",
    ast.BitOr: "| (write 'or')",
    ast.Invert: "~ (write 'not')",
}
_ALLOWED = (
    "an event may use columns, numbers, strings, comparisons, and/or/not, + - * / // %, "
    "'in' a list, and " + ", ".join(f"{f}()" for f in REDUCERS)
)


# ------------------------------------------------------------------------------------------ parser
class _Parser:
    def __init__(self, text: str, of: str, columns: Columns) -> None:
        self.text = text
        self.of = of
        self.columns: dict[str, dict[str, str]] = {}
        for frame in FRAMES:
            listed = columns.get(frame, ())
            if isinstance(listed, Mapping):
                self.columns[frame] = {c: _kind_of_dtype(str(k)) for c, k in listed.items()}
            else:
                self.columns[frame] = dict.fromkeys(listed, "any")

    def fail(self, message: str, node: ast.AST | None = None) -> NoReturn:
        raise EventError(self.locate(message, node))

    def locate(self, message: str, node: ast.AST | None) -> str:
        shown = self.text if len(self.text) <= 200 else self.text[:200] + "…"
        if node is None or not hasattr(node, "col_offset"):
            return f"{message} (in the event {shown!r})"
        # ast counts UTF-8 bytes, people count characters
        before = self.text.encode()[: node.col_offset].decode(errors="ignore")
        return f"{message} (at character {len(before) + 1} of the event {shown!r})"

    def refuse(self, node: ast.AST, at: ast.AST | None = None) -> NoReturn:
        what = _REFUSED.get(type(node), f"this ({type(node).__name__})")
        self.fail(f"{what} cannot be used: {_ALLOWED}", at or node)

    # -- names
    def resolve(self, node: ast.Name, frame: str) -> _Column:
        """The column a name means where the rows are those of `frame`."""
        for where in dict.fromkeys((frame, "hands")):
            if node.id in self.columns[where]:
                return _Column(where, node.id, self.columns[where][node.id])
        finer = [f for f in FRAMES if node.id in self.columns[f]]
        if finer:
            message = (
                f"{node.id!r} is a column of {' and '.join(finer)}, not of {frame}: put it inside "
                "any(), all(), count(), sum(), max() or min()"
            )
            raise FinerColumnError(self.locate(message, node))
        self.unknown(node)

    def unknown(self, node: ast.Name) -> NoReturn:
        names = sorted({c for cols in self.columns.values() for c in cols})
        if node.id in REDUCERS:
            self.fail(f"{node.id} needs brackets: {node.id}(…)", node)
        close = difflib.get_close_matches(node.id, names, n=3, cutoff=0.6)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        listing = "; ".join(f"{f}: {', '.join(cols)}" for f, cols in self.columns.items() if cols)
        error = UnknownColumnError(
            self.locate(f"there is no column {node.id!r}{hint} Columns are {listing}", node)
        )
        error.column = node.id
        raise error

    def frame_for(self, call: ast.Call, arg: ast.expr) -> str:
        """The frame whose rows any(), count() … runs over: the first that has every name."""
        names = list(_free_names(arg))
        if not names:
            self.fail("any(), count() and the like need a column inside", call)
        for name in names:
            if not any(name.id in cols for cols in self.columns.values()):
                self.unknown(name)
        # A hand has one row in `hands`: reducing over it says nothing, so finer frames come first.
        order = [f for f in dict.fromkeys((self.of, *FRAMES)) if f != "hands"]
        ids = {n.id for n in names}
        for frame in (*order, "hands"):
            if ids <= self.columns[frame].keys():
                return frame
        for frame in order:
            own = self.columns[frame].keys()
            if ids & own and ids <= own | self.columns["hands"].keys():
                return frame
        self.fail(
            "no frame has all of " + ", ".join(repr(i) for i in sorted(ids)) + " in its rows", call
        )

    # -- expressions
    def build(self, node: ast.AST, frame: str, depth: int = 0) -> _Node:
        if depth > _MAX_DEPTH:
            self.fail(f"too deeply nested (more than {_MAX_DEPTH} levels)")
        d = depth + 1
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.Name):
            return self.resolve(node, frame)
        if isinstance(node, ast.BoolOp):
            op = "and" if isinstance(node.op, ast.And) else "or"
            args = tuple(self.boolean(v, frame, d, f"'{op}'") for v in node.values)
            return _Logic(op, args)
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Not):
                return _Logic("not", (self.boolean(node.operand, frame, d, "'not'"),))
            if isinstance(node.op, ast.Invert):
                self.refuse(node.op, node)
            sign = "neg" if isinstance(node.op, ast.USub) else "pos"
            return _Arithmetic(sign, (self.number(node.operand, frame, d, "a sign"),))
        if isinstance(node, ast.BinOp):
            if type(node.op) not in _ARITHMETIC:
                self.refuse(node.op, node)
            op = _ARITHMETIC[type(node.op)]
            left = self.number(node.left, frame, d, f"'{op}'")
            return _Arithmetic(op, (left, self.number(node.right, frame, d, f"'{op}'")))
        if isinstance(node, ast.Compare):
            return self.compare(node, frame, d)
        if isinstance(node, ast.Call):
            return self.call(node, d)
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            self.fail("a list can only stand after 'in'", node)
        self.refuse(node)

    def constant(self, node: ast.Constant) -> _Const:
        value = node.value
        if isinstance(value, bool):
            return _Const(value, "bool")
        if isinstance(value, int | float):
            if not abs(value) <= _MAX_NUMBER:
                self.fail("the number is too large", node)
            return _Const(float(value), "number")
        if isinstance(value, str):
            return _Const(value, "text")
        self.fail(f"{value!r} cannot be used: {_ALLOWED}", node)

    def boolean(self, node: ast.expr, frame: str, depth: int, what: str) -> _Node:
        out = self.build(node, frame, depth)
        if out.kind != "bool":
            self.fail(f"{what} needs something that is true or false, such as x > 3", node)
        return out

    def number(self, node: ast.expr, frame: str, depth: int, what: str) -> _Node:
        out = self.build(node, frame, depth)
        if out.kind not in ("number", "any"):
            needs = "true or false" if out.kind == "bool" else "text"
            self.fail(f"{what} needs a number, but this is {needs}", node)
        return out

    def compare(self, node: ast.Compare, frame: str, depth: int) -> _Node:
        parts: list[_Node] = []
        left = self.build(node.left, frame, depth)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if len(node.ops) > 1:
                    self.fail("'in' cannot be part of a chain of comparisons", node)
                member = _Member(left, self.literals(left, comparator))
                return member if isinstance(op, ast.In) else _Logic("not", (member,))
            if type(op) not in _COMPARE:
                self.refuse(op, node)
            right = self.build(comparator, frame, depth)
            symbol = _COMPARE[type(op)]
            self.comparable(symbol, left, right, comparator)
            parts.append(_Compare(symbol, left, right))
            left = right
        return parts[0] if len(parts) == 1 else _Logic("and", tuple(parts))

    def comparable(self, op: str, left: _Node, right: _Node, at: ast.AST) -> None:
        kinds = {left.kind, right.kind}
        ordered = op not in ("==", "!=")
        if ordered and kinds & {"text", "bool"}:
            what = "text" if "text" in kinds else "something true or false"
            self.fail(f"{what} can be compared with == and != only, not {op}", at)
        if "any" not in kinds and "text" in kinds and len(kinds) > 1:
            self.fail(f"text is compared with {'a number' if 'number' in kinds else 'a truth'}", at)
        # `won == 1` is natural for a true-or-false column, hence bool beside number is let through.

    def literals(self, left: _Node, node: ast.expr) -> tuple[_Const, ...]:
        if not isinstance(node, ast.Tuple | ast.List | ast.Set) or not node.elts:
            self.fail('after \'in\' comes a list of values, such as (1, 2) or ("16T", "1X")', node)
        out = []
        for item in node.elts:
            sign = 1
            inner: ast.expr = item
            if isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.USub):
                sign, inner = -1, item.operand
            if not isinstance(inner, ast.Constant):
                self.fail("a list after 'in' can only hold numbers and strings", item)
            const = self.constant(inner)
            if const.kind == "bool" or (const.kind == "text" and sign < 0):
                self.fail("a list after 'in' can only hold numbers and strings", item)
            self.comparable("==", left, const, item)
            out.append(_Const(-const.value, "number") if sign < 0 else const)
        if len({c.kind for c in out}) > 1:
            self.fail("a list after 'in' holds either numbers or strings, not both", node)
        return tuple(out)

    def call(self, node: ast.Call, depth: int) -> _Node:
        if not isinstance(node.func, ast.Name):
            self.refuse(node.func)
        func = node.func.id
        if func not in REDUCERS:
            self.fail(f"there is no function {func!r}: {_ALLOWED}", node)
        if len(node.args) != 1 or node.keywords:
            self.fail(f"{func}() takes exactly one expression", node)
        arg = node.args[0]
        if isinstance(arg, ast.GeneratorExp | ast.Starred):
            self.refuse(arg)
        frame = self.frame_for(node, arg)
        if func in ("any", "all", "count"):
            inner = self.boolean(arg, frame, depth, f"{func}()")
            return _Reduce(func, frame, inner, "number" if func == "count" else "bool")
        return _Reduce(func, frame, self.number(arg, frame, depth, f"{func}()"), "number")


def _free_names(node: ast.AST) -> Iterator[ast.Name]:
    """Column names of an expression, those inside a nested any(), count() … left out."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.Name):
            yield item
        elif not isinstance(item, ast.Call):
            stack.extend(ast.iter_child_nodes(item))


def _kind_of_dtype(kind: str) -> str:
    """A dtype's kind letter or name -> this language's kind."""
    if kind in ("b", "bool", "boolean"):
        return "bool"
    if kind in ("i", "u", "f", "number") or kind.startswith(("int", "uint", "float")):
        return "number"
    if kind in ("O", "U", "T", "text", "category", "str", "string", "object"):
        return "text"
    return "any"


def _tree(text: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's remarks on odd literals are not for our users
        return ast.parse(text, mode="eval").body


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

    def column(self, node: _Column, frame: str) -> _Value:
        if node.frame not in self.frames or node.name not in self.frames[node.frame]:
            self._array(node.frame, node.name)
        value = _load(self.frames[node.frame][node.name])
        found = "bool" if isinstance(value, _Truth) else "number"
        found = "text" if isinstance(value, _Text) else found
        if node.kind != "any" and found != node.kind:
            self.fail(f"column {node.name!r} should hold {node.kind} values but holds {found}")
        return value if node.frame == frame else self.spread(value, frame)

    def run(self, node: _Node, frame: str) -> _Value:
        match node:
            case _Const():
                if node.kind == "text":
                    return _Text(np.int64(0), (node.value,))
                return _Truth(np.bool_(node.value)) if node.kind == "bool" else float(node.value)
            case _Column():
                return self.column(node, frame)
            case _Arithmetic():
                result: _Value = _arithmetic(node.op, [self.number(a, frame) for a in node.args])
                return result
            case _Compare():
                return self.compare(
                    node.op, self.run(node.left, frame), self.run(node.right, frame)
                )
            case _Member():
                value = self.run(node.arg, frame)
                tests = [self.compare("==", value, self.run(c, frame)) for c in node.values]
                return _logic("or", tests)
            case _Logic():
                return _logic(node.op, [self.truth(a, frame) for a in node.args])
            case _Reduce():
                return self.spread(self.reduce(node), frame)

    def number(self, node: _Node, frame: str) -> Any:
        value = self.run(node, frame)
        if isinstance(value, _Truth | _Text):
            what = f"column {node.name!r}" if isinstance(node, _Column) else "this"
            self.fail(f"{what} is not a number")
        return value

    def truth(self, node: _Node, frame: str) -> _Truth:
        value = self.run(node, frame)
        if not isinstance(value, _Truth):
            what = f"column {node.name!r}" if isinstance(node, _Column) else "this"
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

    def reduce(self, node: _Reduce) -> _Value:
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
    _root: _Node

    @classmethod
    def parse(cls, text: str, of: str, columns: Columns) -> Event:
        """Check `text` against the columns there are.

        Parameters
        ----------
        text : str
        of : {"hands", "seats", "tricks", "plays"}
            What is counted.
        columns : mapping
            For each frame its column names, or a mapping from name to dtype kind ("i", "f", "b",
            "category" …) so that more mistakes are found before anything is played.

        Raises
        ------
        EventError
            One message saying what is wrong and where.
        """
        if of not in FRAMES:
            raise EventError(f"'of' must be one of {', '.join(FRAMES)}; got {of!r}")
        if not isinstance(text, str) or not text.strip():
            raise EventError("an event is a text such as 'trumps >= 4'; got nothing")
        if len(text) > _MAX_LENGTH:
            raise EventError(f"an event may have {_MAX_LENGTH} characters; this has {len(text)}")
        # line ends matter to Python but not here
        clean = text.replace("\r", " ").replace("\n", " ").strip()
        parser = _Parser(clean, of, columns)
        if "\0" in clean:
            parser.fail("an event cannot hold a null character")
        try:
            root = parser.build(_tree(clean), of)
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
        return any(isinstance(node, _Reduce) for node in _walk(self._root))

    @property
    def names(self) -> frozenset[str]:
        """The columns it names."""
        return frozenset(node.name for node in _walk(self._root) if isinstance(node, _Column))

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


def _walk(node: _Node) -> Iterator[_Node]:
    yield node
    match node:
        case _Arithmetic() | _Logic():
            children: tuple[_Node, ...] = node.args
        case _Compare():
            children = (node.left, node.right)
        case _Member() | _Reduce():
            children = (node.arg,)
        case _:
            children = ()
    for child in children:
        yield from _walk(child)


def _frames_of(root: _Node) -> set[str]:
    return {n.frame for n in _walk(root) if isinstance(n, _Column | _Reduce)}
