"""The page of the statements and decisions, and the tests that show each statement, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from giftsim.build import make_definitions
from giftsim.console.markdown import anchor
from giftsim.services.gifting.statements.decision import load_decisions
from giftsim.services.gifting.statements.entry import Entry, all_entries
from giftsim.services.gifting.statements.statement import as_text
from tools.docgen.markdown import written

Function = ast.FunctionDef | ast.AsyncFunctionDef


class ComputedId(ValueError):
    """An id that is not written as a literal, which no search would find."""


class NamingTest(NamedTuple):
    """A test function, by its pytest id, and the claims that it or its parameters name."""

    test: str
    claims: tuple[str, ...]


def claim_tests(root: Path) -> str:
    """The text of `statements/claim_tests.txt` for the tests in `root/tests`."""
    return as_text(naming_tests(root))


def naming_tests(root: Path) -> list[NamingTest]:
    """The tests in `root/tests` that name claims, in order of file and line."""
    found: list[NamingTest] = []
    for path in sorted((root / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "claims(" in source:
            found += naming_tests_in(source, path.relative_to(root).as_posix())
    return found


def naming_tests_in(source: str, file: str) -> Iterator[NamingTest]:
    """The tests of one file that name claims. ComputedId if an id is not a literal."""
    tree = ast.parse(source)
    variables = dict(_variables(tree.body))
    for name, nodes in _functions(tree.body):
        if ids := sorted(set(_named(nodes, variables)), key=id_order):
            yield NamingTest(f"{file}::{name}", tuple(ids))


def id_order(claim_id: str) -> tuple[str, tuple[int, ...]]:
    """Sorts ids by family and number: P-6.2 before P-6.16."""
    family, _, number = claim_id.partition("-")
    return family, tuple(map(int, number.split(".")))


def named_ids(node: ast.AST) -> Iterator[str]:
    """The ids in the calls of `claims(...)` below a node. ComputedId if one is not a literal."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "claims":
            for argument in call.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise ComputedId(
                        f"line {argument.lineno}: write the id as a literal, not `{ast.unparse(argument)}`"
                    )
                yield argument.value


def _functions(
    body: Iterable[ast.stmt], prefix: str = "", outer: Iterable[ast.expr] = ()
) -> Iterator[tuple[str, list[ast.expr]]]:
    """Each test with its decorators and those of its class; `TestX = claims("P-6.16")(Machine.TestCase)` is one too."""
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


SECTIONS: Final = {
    "1": "what the service does",
    "2": "resources and their fields",
    "3": "states",
    "4": "endpoints",
    "5": "authentication",
    "6": "events",
    "7": "errors",
    "8": "limits",
    "9": "versioning",
}


def claims() -> str:
    """Every claim, by interface and section, with the tests that name it."""
    found = [entry for entry in all_entries(make_definitions().settings) if entry.is_claim]
    return "\n\n".join(part for _, group in groupby(found, _section) for part in _claims_of(list(group)))


def decisions() -> str:
    """Every decision by its title, with how sure it is and its settings; the pages of decisions have the texts."""
    found = [entry for entry in all_entries(make_definitions().settings) if not entry.is_claim]
    groups = groupby(found, lambda entry: (load_decisions()[entry.id].page, load_decisions()[entry.id].section))
    return "\n\n".join(part for (page, section), group in groups for part in _decisions_of(page, section, group))


def _section(entry: Entry) -> tuple[str, str]:
    return entry.family, entry.id.partition("-")[2].partition(".")[0]


def _claims_of(entries: list[Entry]) -> Iterator[str]:
    family, section = _section(entries[0])
    yield f"### {family.capitalize()} API: {SECTIONS[section]}"
    for entry in entries:
        yield f"#### {entry.id}"
        yield entry.text + (f" (Inferred: {entry.inferred}.)" if entry.inferred else "")
        yield f"{entry.kind}, {entry.basis}. {_shown_by(entry)}"


def _shown_by(entry: Entry) -> str:
    """The tests by their names, with links to their files."""
    names = (test.test.split("::") for test in entry.tests)
    files = groupby(names, lambda parts: parts[0])
    shown = (f"{', '.join(f'`{parts[-1]}`' for parts in group)} in [{file}](../../{file})" for file, group in files)
    return f"Shown by {'; '.join(shown)}." if entry.tests else "No test names it."


def _decisions_of(page: str, section: str, entries: Iterable[Entry]) -> Iterator[str]:
    link = f"../explanation/{page}.md#{anchor(section)}"
    yield f"### {section}"
    for entry in entries:
        title = load_decisions()[entry.id].title or entry.text
        yield f"#### {entry.id}"
        yield f"{title.rstrip('.:')} ([text]({link})). Basis: {entry.basis}.{_settings(entry)}"


def _settings(entry: Entry) -> str:
    named = ", ".join(f"`{setting.name}` ({written(setting.default)})" for setting in entry.settings)
    return f" Settings, with their defaults: {named}." if named else ""
