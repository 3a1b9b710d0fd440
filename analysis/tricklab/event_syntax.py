"""The syntax of events: what an expression may hold, as a few kinds of checked node.

No Python code of the user's is ever executed: the text is parsed and every part that is not known
here is refused.
"""

from __future__ import annotations

import ast
import difflib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tricklab.errors import UserError

#: Coarsest first; inside any(), count() … the finer ones are searched in this order, and after them
#: the frames that a game has of its own.
FRAMES = ("hands", "seats", "tricks", "plays")
REDUCERS = ("any", "all", "count", "sum", "max", "min")

MAX_LENGTH = 2000
_MAX_DEPTH = 60
_MAX_NUMBER = 2**53  # beyond this a float no longer tells whole numbers apart

Columns = Mapping[str, Sequence[str] | Mapping[str, str]]


def frames_of(columns: Columns) -> tuple[str, ...]:
    """The frames that events can be about, in the order in which they are searched."""
    return (*FRAMES, *(frame for frame in columns if frame not in FRAMES))


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
class Const:
    """A number or a text."""

    value: Any
    kind: str


@dataclass(frozen=True)
class Column:
    """A column of a frame."""

    frame: str
    name: str
    kind: str


@dataclass(frozen=True)
class Arithmetic:
    """A number made of numbers."""

    op: str
    args: tuple[Node, ...]
    kind: str = "number"


@dataclass(frozen=True)
class Compare:
    """A comparison of two values."""

    op: str
    left: Node
    right: Node
    kind: str = "bool"


@dataclass(frozen=True)
class Member:
    """Whether a value is one of a list."""

    arg: Node
    values: tuple[Const, ...]
    kind: str = "bool"


@dataclass(frozen=True)
class Logic:
    """And, or, not."""

    op: str
    args: tuple[Node, ...]
    kind: str = "bool"


@dataclass(frozen=True)
class Reduce:
    """A finer frame's rows reduced by hand: any(), count() and the like."""

    func: str
    frame: str
    arg: Node
    kind: str


Node = Const | Column | Arithmetic | Compare | Member | Logic | Reduce

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
class Parser:
    """Turns one text into checked nodes; raises :class:`EventError` at what it cannot."""

    def __init__(self, text: str, of: str, columns: Columns) -> None:
        self.text = text
        self.of = of
        self.columns: dict[str, dict[str, str]] = {}
        for frame in frames_of(columns):
            listed = columns.get(frame, ())
            if isinstance(listed, Mapping):
                self.columns[frame] = {c: _kind_of_dtype(str(k)) for c, k in listed.items()}
            else:
                self.columns[frame] = dict.fromkeys(listed, "any")

    def fail(self, message: str, node: ast.AST | None = None) -> NoReturn:
        """Raise an error that says where in the text it is."""
        raise EventError(self.locate(message, node))

    def locate(self, message: str, node: ast.AST | None) -> str:
        """A message with the place in the text that it is about."""
        shown = self.text if len(self.text) <= 200 else self.text[:200] + "…"
        if node is None or not hasattr(node, "col_offset"):
            return f"{message} (in the event {shown!r})"
        # ast counts UTF-8 bytes, people count characters
        before = self.text.encode()[: node.col_offset].decode(errors="ignore")
        return f"{message} (at character {len(before) + 1} of the event {shown!r})"

    def refuse(self, node: ast.AST, at: ast.AST | None = None) -> NoReturn:
        """Refuse a kind of syntax, saying what may be used."""
        what = _REFUSED.get(type(node), f"this ({type(node).__name__})")
        self.fail(f"{what} cannot be used: {_ALLOWED}", at or node)

    # -- names
    def resolve(self, node: ast.Name, frame: str) -> Column:
        """The column a name means where the rows are those of `frame`."""
        for where in dict.fromkeys((frame, "hands")):
            if node.id in self.columns[where]:
                return Column(where, node.id, self.columns[where][node.id])
        finer = [f for f in self.columns if node.id in self.columns[f]]
        if finer:
            message = (
                f"{node.id!r} is a column of {' and '.join(finer)}, not of {frame}: put it inside "
                "any(), all(), count(), sum(), max() or min()"
            )
            raise FinerColumnError(self.locate(message, node))
        self.unknown(node)

    def unknown(self, node: ast.Name) -> NoReturn:
        """Refuse a name that is no column, with the nearest ones and the list."""
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
        order = [f for f in dict.fromkeys((self.of, *self.columns)) if f != "hands"]
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
    def build(self, node: ast.AST, frame: str, depth: int = 0) -> Node:
        """The node of any expression over the rows of a frame."""
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
            return Logic(op, args)
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Not):
                return Logic("not", (self.boolean(node.operand, frame, d, "'not'"),))
            if isinstance(node.op, ast.Invert):
                self.refuse(node.op, node)
            sign = "neg" if isinstance(node.op, ast.USub) else "pos"
            return Arithmetic(sign, (self.number(node.operand, frame, d, "a sign"),))
        if isinstance(node, ast.BinOp):
            if type(node.op) not in _ARITHMETIC:
                self.refuse(node.op, node)
            op = _ARITHMETIC[type(node.op)]
            left = self.number(node.left, frame, d, f"'{op}'")
            return Arithmetic(op, (left, self.number(node.right, frame, d, f"'{op}'")))
        if isinstance(node, ast.Compare):
            return self.compare(node, frame, d)
        if isinstance(node, ast.Call):
            return self.call(node, d)
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            self.fail("a list can only stand after 'in'", node)
        self.refuse(node)

    def constant(self, node: ast.Constant) -> Const:
        """The node of a number or a text."""
        value = node.value
        if isinstance(value, bool):
            return Const(value, "bool")
        if isinstance(value, int | float):
            if not abs(value) <= _MAX_NUMBER:
                self.fail("the number is too large", node)
            return Const(float(value), "number")
        if isinstance(value, str):
            return Const(value, "text")
        self.fail(f"{value!r} cannot be used: {_ALLOWED}", node)

    def boolean(self, node: ast.expr, frame: str, depth: int, what: str) -> Node:
        """The node of an operand that must be true or false."""
        out = self.build(node, frame, depth)
        if out.kind != "bool":
            self.fail(f"{what} needs something that is true or false, such as x > 3", node)
        return out

    def number(self, node: ast.expr, frame: str, depth: int, what: str) -> Node:
        """The node of an operand that must be a number."""
        out = self.build(node, frame, depth)
        if out.kind not in ("number", "any"):
            needs = "true or false" if out.kind == "bool" else "text"
            self.fail(f"{what} needs a number, but this is {needs}", node)
        return out

    def compare(self, node: ast.Compare, frame: str, depth: int) -> Node:
        """The node of a comparison, chained ones included."""
        parts: list[Node] = []
        left = self.build(node.left, frame, depth)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if len(node.ops) > 1:
                    self.fail("'in' cannot be part of a chain of comparisons", node)
                member = Member(left, self.literals(left, comparator))
                return member if isinstance(op, ast.In) else Logic("not", (member,))
            if type(op) not in _COMPARE:
                self.refuse(op, node)
            right = self.build(comparator, frame, depth)
            symbol = _COMPARE[type(op)]
            self.comparable(symbol, left, right, comparator)
            parts.append(Compare(symbol, left, right))
            left = right
        return parts[0] if len(parts) == 1 else Logic("and", tuple(parts))

    def comparable(self, op: str, left: Node, right: Node, at: ast.AST) -> None:
        """Refuse to compare what cannot be compared."""
        kinds = {left.kind, right.kind}
        ordered = op not in ("==", "!=")
        if ordered and kinds & {"text", "bool"}:
            what = "text" if "text" in kinds else "something true or false"
            self.fail(f"{what} can be compared with == and != only, not {op}", at)
        if "any" not in kinds and "text" in kinds and len(kinds) > 1:
            self.fail(f"text is compared with {'a number' if 'number' in kinds else 'a truth'}", at)
        # `won == 1` is natural for a true-or-false column, hence bool beside number is let through.

    def literals(self, left: Node, node: ast.expr) -> tuple[Const, ...]:
        """The values of a list after ``in``."""
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
            out.append(Const(-const.value, "number") if sign < 0 else const)
        if len({c.kind for c in out}) > 1:
            self.fail("a list after 'in' holds either numbers or strings, not both", node)
        return tuple(out)

    def call(self, node: ast.Call, depth: int) -> Node:
        """The node of any(), count() and the like."""
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
            return Reduce(func, frame, inner, "number" if func == "count" else "bool")
        return Reduce(func, frame, self.number(arg, frame, depth, f"{func}()"), "number")


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


def read_tree(text: str) -> ast.expr:
    """Python's syntax tree of an expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's remarks on odd literals are not for our users
        return ast.parse(text, mode="eval").body
