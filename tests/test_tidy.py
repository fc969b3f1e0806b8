"""The project's rules that no linter checks: sizes, names, docstrings, and words that its text may not contain."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CODE = ("simulator", "tests", "tools", "benchmarks")

LONGEST_FUNCTION = 40
SHORT_FUNCTION = 20
LONG_ONE_IN = 10
LONGEST_FILE = 400
EVIDENT_METHOD = 3

VAGUE_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "core", "manager"})

# Spelled in pieces, so that this file can keep the rules it holds.
UNFINISHED = tuple("".join(word) for word in (("TO", "DO"), ("FIX", "ME"), ("X", "XX")))
PLACES = tuple("/".join(parts) for parts in (("", "work", ""), ("shared", "spec"), ("shared", "design")))
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("yarnpkg", "com"), ("debian", "org"))
)
FORBIDDEN = re.compile(
    "|".join([*(rf"\b{word}\b" for word in UNFINISHED), *(re.escape(text) for text in PLACES + REGISTRIES)])
)

# Neither ours nor text: what version control, tools and builds leave in the tree.
UNREAD = frozenset({".git", ".venv", ".cache", ".hypothesis", "__pycache__", "build", "dist", "node_modules"})
TEXT = re.compile(r"\.(py|pyi|toml|lock|md|txt|ya?ml|json|html|css|js|mjs|ts|svg|csv|cfg|ini|sh)$|^[^.]+$|^\.[^.]+$")
# Written by people: `generated` holds what a command makes of the contracts.
SCRIPT = re.compile(r"^(?!.*/generated/).*\.(mjs|ts)$")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

RULES = 'see "Rules that tools check" in CONTRIBUTING.md'


class Function(NamedTuple):
    """A function: where it is, and how many lines it has."""

    place: str
    lines: int


class Module(NamedTuple):
    """What the rules ask of one Python file. Its tree is not kept: those of all files take 200 MB."""

    path: Path
    text: str
    is_described: bool
    functions: tuple[Function, ...]
    undocumented: tuple[str, ...]


@cache
def files() -> tuple[Path, ...]:
    """Every file of the project, whether version control knows it yet or not."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in UNREAD and not name.endswith("_cache"))
        found += [Path(folder, name) for name in sorted(names) if name not in UNREAD]
    return tuple(found)


@cache
def modules(*folders: str) -> tuple[Module, ...]:
    paths = [path for path in files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders]
    return tuple(map(read, paths))


@cache
def read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    tree, place = ast.parse(text), str(path.relative_to(ROOT))
    functions = tuple(Function(f"{place}:{node.lineno} {node.name}", lines(node)) for node in functions_in(tree))
    bare = tuple(f"{place}:{node.lineno} {node.name}" for node in undocumented(tree.body))
    return Module(path, text, ast.get_docstring(tree) is not None, functions, bare)


def functions_in(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function in a statement, at any depth. Expressions, which can hold none, are passed over."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        yield from functions_in(child)


def lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def undocumented(body: Iterable[ast.stmt], *, methods: bool = False) -> Iterator[Definition]:
    """The public functions and classes without a docstring; a method that says all by itself needs none."""
    for node in body:
        if not isinstance(node, Definition) or node.name.startswith("_"):
            continue
        evident = methods and not isinstance(node, ast.ClassDef) and lines(node) <= EVIDENT_METHOD
        if not evident and ast.get_docstring(node) is None:
            yield node
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node.body, methods=True)


def test_no_function_is_longer_than_forty_lines() -> None:
    functions = [function for module in modules(*CODE) for function in module.functions]
    assert [function for function in functions if function.lines > LONGEST_FUNCTION] == [], RULES


def test_nine_functions_of_ten_are_shorter_than_twenty_lines() -> None:
    functions = [function for module in modules("simulator") for function in module.functions]
    long = [function for function in functions if function.lines >= SHORT_FUNCTION]
    assert len(long) <= len(functions) // LONG_ONE_IN, (RULES, long)


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    texts = {module.path: module.text for module in modules(*CODE)}
    texts |= {path: path.read_text(encoding="utf-8") for path in files() if SCRIPT.search(path.as_posix())}
    sizes = {str(path.relative_to(ROOT)): len(text.splitlines()) for path, text in texts.items()}
    assert {place: size for place, size in sizes.items() if size > LONGEST_FILE} == {}, RULES


def test_no_module_or_folder_has_a_name_that_says_nothing() -> None:
    named = {module.path.relative_to(ROOT).with_suffix("") for module in modules(*CODE)}
    assert sorted(str(path) for path in named if VAGUE_NAMES.intersection(path.parts)) == [], RULES


def test_every_module_says_in_its_docstring_what_it_is() -> None:
    undescribed = [module for module in modules(*CODE, "run_sim.py") if not module.is_described]
    assert [str(module.path.relative_to(ROOT)) for module in undescribed if module.text.strip()] == [], RULES


def test_every_public_function_and_class_of_the_simulator_has_a_docstring() -> None:
    bare = [place for module in modules("simulator") for place in module.undocumented]
    assert bare == [], RULES


def test_the_text_leaves_nothing_unfinished_and_names_no_machine_or_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number} {match.group()}"
        for path in files()
        if TEXT.search(path.name) and FORBIDDEN.search(text := path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), start=1)
        for match in FORBIDDEN.finditer(line)
    ]
    assert found == [], RULES
