"""The tests that show each statement, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from giftsim.services.statements.statement import as_text

Function = ast.FunctionDef | ast.AsyncFunctionDef


class ComputedId(ValueError):
    """An id that is not written as a literal, which no search would find."""


class NamingTest(NamedTuple):
    """A test function, by its pytest id, and the statements that it or its parameters name."""

    test: str
    statements: tuple[str, ...]


def statement_tests(root: Path) -> str:
    """The text of `statements/statement_tests.txt` for the tests in `root/tests`."""
    return as_text(naming_tests(root))


def naming_tests(root: Path) -> list[NamingTest]:
    """The tests in `root/tests` that name statements, in order of file and line."""
    found: list[NamingTest] = []
    for path in sorted((root / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "shows(" in source:
            found += naming_tests_in(source, path.relative_to(root).as_posix())
    return found


def naming_tests_in(source: str, file: str) -> Iterator[NamingTest]:
    """The tests of one file that name statements. ComputedId if an id is not a literal."""
    tree = ast.parse(source)
    variables = dict(_variables(tree.body))
    for name, nodes in _functions(tree.body):
        if ids := sorted(set(_named(nodes, variables)), key=id_order):
            yield NamingTest(f"{file}::{name}", tuple(ids))


def id_order(statement_id: str) -> tuple[str, tuple[int, ...]]:
    """Sorts ids by family and number: P-6.2 before P-6.16."""
    family, _, number = statement_id.partition("-")
    return family, tuple(map(int, number.split(".")))


def named_ids(node: ast.AST) -> Iterator[str]:
    """The ids in the calls of `shows(...)` below a node. ComputedId if one is not a literal."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "shows":
            for argument in call.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise ComputedId(
                        f"line {argument.lineno}: write the id as a literal, not `{ast.unparse(argument)}`"
                    )
                yield argument.value


def _functions(
    body: Iterable[ast.stmt], prefix: str = "", outer: Iterable[ast.expr] = ()
) -> Iterator[tuple[str, list[ast.expr]]]:
    """Each test with its decorators and those of its class; `TestX = shows("P-6.16")(Machine.TestCase)` is one too."""
    for node in body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield prefix + node.name, [*outer, *node.decorator_list]
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}::", [*outer, *node.decorator_list])
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            names = (target.id for target in node.targets if isinstance(target, ast.Name))
            yield from ((f"{prefix}{name}::runTest", [*outer, node.value.func]) for name in names if name[:4] == "Test")


def _variables(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((target.id, node.value) for target in targets if isinstance(target, ast.Name))


def _named(nodes: Iterable[ast.AST], variables: Mapping[str, ast.expr]) -> Iterator[str]:
    """The ids in the decorators of a test, and in the variables that they use."""
    for node in nodes:
        yield from named_ids(node)
        used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        yield from _named([variables[name] for name in sorted(used & variables.keys())], variables)
