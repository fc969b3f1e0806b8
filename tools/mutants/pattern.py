"""Patterns of Python code, which are found once in the syntax tree of a definition, and replaced or removed there.

A pattern is an expression, statements, or entries of a mapping (`"secret": ...`), written as in the product; layout and
comments do not count. `...` stands for anything: one expression, any number of arguments, elements, operands, entries
or statements, or any characters of a text. In the replacement, the first `...` is what the first `...` of the pattern
stood for, and so on. A compound statement may be given by its head: `if key.revoked` is `if key.revoked: ...`.
"""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, TypeVar

ANYTHING = "..."
ENTRIES = "{{{}}}"
FORMS = ("{}", "{}: ...", ENTRIES)
BODIES = ("body", "orelse", "finalbody")
Captures = Mapping[int, Any]
Node = TypeVar("Node", bound=ast.AST)


class Mismatch(Exception):
    """A definition does not have a pattern exactly once, or the replacement does not fit."""


def changed(definition: ast.stmt, pattern: str, to: str | None) -> tuple[list[ast.stmt], int]:
    """A copy of the definition with the pattern replaced, or removed if `to` is None, and the line of the change."""
    wanted, new = parse(pattern), [] if to is None else parse(to)
    copy = pickle.loads(pickle.dumps(definition))  # a third of the time that `deepcopy` takes
    holder: ast.Module = _Uniform().visit(ast.Module([copy], []))
    spots = list(_spots(holder, wanted, 0))
    if len(spots) != 1:
        raise Mismatch(f"has the pattern {len(spots)} times")
    _put(spots[0], _Filling(spots[0].captures).visit(_make(ast.Module([], []), body=new)).body)
    return _Plain().visit(holder).body, spots[0].line


def parse(text: str) -> list[Any]:
    """The nodes of a pattern or a replacement. Mismatch if it is neither statements nor entries of a mapping."""
    for form in FORMS:
        try:
            tree = ast.parse(form.format(text))
        except SyntaxError:
            continue
        match _Wildcards(tree).visit(_Uniform().visit(tree)).body:
            case [ast.AnnAssign(value=None)]:  # `NAME: ...` is an entry
                continue
            case [UniformDict() as entries] if form == ENTRIES:
                return entries.entries
            case nodes if form != ENTRIES:
                return list(nodes)
    raise Mismatch(f"cannot have {text!r}, which is not Python")


class Wildcard(ast.expr):
    """A `...` of a pattern. `number` is its place among them."""

    _fields = ("number",)
    number: int


class TextPattern(ast.expr):
    """A text with `...` in it. `number` is that of the first."""

    _fields = ("text", "number")
    text: str
    number: int


class UniformCall(ast.expr):
    """A call, whose arguments of both kinds are one list."""

    _fields = ("func", "arguments")
    func: ast.expr
    arguments: list[ast.expr | ast.keyword]


class UniformDict(ast.expr):
    """A mapping, as one list of entries."""

    _fields = ("entries",)
    entries: list[Entry]


class Entry(ast.AST):
    """An entry of a mapping. `key` is None for `**value`."""

    _fields = ("key", "value")
    key: ast.expr | None
    value: ast.expr


class Spot(NamedTuple):
    """Where a pattern was found: items of the list in a field (`of_list`), or the node in it."""

    holder: ast.AST
    field: str
    of_list: bool
    items: slice
    captures: Captures
    line: int


def _make(node: Node, **fields: Any) -> Node:
    for name, value in fields.items():
        setattr(node, name, value)
    return node


class _Uniform(ast.NodeTransformer):
    """Makes lists of what a pattern can be an item of: statements (expressions among them), arguments, entries."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        return self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        return ast.copy_location(_make(UniformCall(), func=node.func, arguments=[*node.args, *node.keywords]), node)

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        entries = [_make(Entry(), key=key, value=value) for key, value in zip(node.keys, node.values, strict=True)]
        return ast.copy_location(_make(UniformDict(), entries=entries), node)


class _Plain(ast.NodeTransformer):
    """Makes Python of a uniform tree again. What a removal left too short is completed."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in BODIES:
            if isinstance(body := getattr(node, name, None), list):
                body[:] = [ast.Expr(each) if isinstance(each, ast.expr) else each for each in body]
                if not body and name == "body":
                    body.append(ast.Pass())
        return node

    def visit_UniformCall(self, node: UniformCall) -> Any:
        self.generic_visit(node)
        keywords = [each for each in node.arguments if isinstance(each, ast.keyword)]
        return ast.Call(node.func, [each for each in node.arguments if isinstance(each, ast.expr)], keywords)

    def visit_UniformDict(self, node: UniformDict) -> Any:
        self.generic_visit(node)
        return ast.Dict([each.key for each in node.entries], [each.value for each in node.entries])

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        return node.values[0] if len(node.values) == 1 else node


class _Wildcards(ast.NodeTransformer):
    """Puts wildcards in place of the `...` of a pattern."""

    def __init__(self, tree: ast.AST) -> None:
        constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and _wildcards_in(node)]
        self.numbers: dict[ast.AST, int] = {}
        number = 0
        for node in sorted(constants, key=lambda each: (each.lineno, each.col_offset)):
            self.numbers[node] = number
            number += _wildcards_in(node)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if node not in self.numbers:
            return node
        number = self.numbers[node]
        if isinstance(node.value, str):
            return _make(TextPattern(), text=node.value, number=number)
        return _make(Wildcard(), number=number)


class _Filling(ast.NodeTransformer):
    """Puts what the wildcards of a pattern stood for in place of those of a replacement."""

    def __init__(self, captures: Captures) -> None:
        self.captures = captures

    def visit_Wildcard(self, node: Wildcard) -> Any:
        found = deepcopy(self._capture(node.number))
        return found[0] if isinstance(found, list) and len(found) == 1 else found

    def visit_TextPattern(self, node: TextPattern) -> Any:
        first, *others = node.text.split(ANYTHING)
        return ast.Constant(first + "".join(f"{self._capture(node.number + i)}{text}" for i, text in enumerate(others)))

    def _capture(self, number: int) -> Any:
        if number not in self.captures:
            raise Mismatch("cannot be changed: the replacement has more of ... than the pattern")
        return self.captures[number]


def _wildcards_in(node: ast.Constant) -> int:
    return node.value.count(ANYTHING) if isinstance(node.value, str) else int(node.value is Ellipsis)


def _spots(node: ast.AST, wanted: Sequence[ast.AST], line: int) -> Iterator[Spot]:
    """Every spot inside a node where the pattern is. Nodes in an f-string have the line of the f-string."""
    for name, value in ast.iter_fields(node):
        items = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, ast.AST)]
        for start, item in enumerate(items):
            item_line = max(line, getattr(item, "lineno", 0))
            for end in [start + 1] if len(wanted) == 1 else range(start + 1, len(items) + 1):
                if (captures := next(_match_items(wanted, items[start:end]), None)) is not None:
                    yield Spot(node, name, isinstance(value, list), slice(start, end), captures, item_line)
                    break
            yield from _spots(item, wanted, item_line)


def _put(spot: Spot, new: list[ast.AST]) -> None:
    if spot.of_list:
        getattr(spot.holder, spot.field)[spot.items] = new
    elif len(new) == 1:
        setattr(spot.holder, spot.field, new[0])
    else:
        raise Mismatch("cannot be changed: the pattern is not in a list, from which one can remove")


def _match(wanted: object, found: object) -> Iterator[Captures]:
    """Each way in which a node, or the value of its field, fits that of a pattern."""
    match wanted:
        case Wildcard():
            if isinstance(found, ast.AST):
                yield {wanted.number: found}
        case TextPattern():
            if isinstance(found, ast.Constant) and isinstance(found.value, str):
                texts = "(.*?)".join(map(re.escape, wanted.text.split(ANYTHING)))
                if fits := re.fullmatch(texts, found.value, re.DOTALL):
                    yield {wanted.number + i: text for i, text in enumerate(fits.groups())}
        case list():
            if isinstance(found, list):
                yield from _match_items(wanted, found)
        case ast.AST():
            if isinstance(found, ast.AST) and type(wanted) is type(found):
                yield from _match_fields(*([value for _, value in ast.iter_fields(node)] for node in (wanted, found)))
        case _:
            if type(wanted) is type(found) and wanted == found:
                yield {}


def _match_fields(wanted: Sequence[object], found: Sequence[object]) -> Iterator[Captures]:
    if not wanted:
        yield {}
        return
    for first in _match(wanted[0], found[0]):
        yield from ({**first, **others} for others in _match_fields(wanted[1:], found[1:]))


def _match_items(wanted: Sequence[object], found: Sequence[object]) -> Iterator[Captures]:
    """Each way in which items fit those of a pattern, where a wildcard takes any number, as few as possible first."""
    match wanted:
        case []:
            if not found:
                yield {}
        case [Wildcard() as wildcard, *others]:
            for count in range(len(found) + 1):
                rest = _match_items(others, found[count:])
                yield from ({wildcard.number: found[:count], **captures} for captures in rest)
        case [first, *others] if found:
            for captures in _match(first, found[0]):
                yield from ({**captures, **rest} for rest in _match_items(others, found[1:]))
