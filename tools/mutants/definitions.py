"""Definitions of Python files, found by their names wherever they are."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

BEGIN = re.compile(r"^ *(?:(?:async )?def |class )?(\w+(?:, \w+)*)", re.MULTILINE)
INDENT = 4


class Definition(NamedTuple):
    """A function, method or class, a variable of a module or class, or a module.

    `name` begins with the folders of the file, and has the module and classes that the definition is in. `text` is that
    of the file. `node` is the definition's statement, None for a module.
    """

    path: Path
    name: tuple[str, ...]
    text: str
    node: ast.stmt | None

    def __str__(self) -> str:
        return f"{'.'.join(self.own_name)} in {self.path}"

    @property
    def own_name(self) -> tuple[str, ...]:
        """The name without folders and module."""
        return self.name[len(self.path.parts) :]

    def fits(self, words: Sequence[str]) -> bool:
        """Whether the name ends with the last of the words, and has the others before it in this order."""
        before = iter(self.name[:-1])
        return self.name[-1] == words[-1] and all(word in before for word in words[:-1])

    def text_with(self, new: Sequence[ast.stmt]) -> str:
        """The text of the file with other statements in place of the definition."""
        if self.node is None:
            raise ValueError(f"{self} is a whole module")
        depth, body = self.node.col_offset // INDENT, list(new)
        for _ in range(depth):  # so that they are indented, and the lines of their texts are not
            body = [ast.If(ast.Constant(True), body, [])]
        lines = self.text.split("\n")
        decorators: list[ast.expr] = getattr(self.node, "decorator_list", [])
        first = min([self.node.lineno, *(each.lineno for each in decorators)])
        lines[first - 1 : self.node.end_lineno] = ast.unparse(ast.Module(body, [])).split("\n")[depth:]
        return "\n".join(lines)


class Definitions:
    """The definitions in the files of a folder. A file is parsed when it may have what is looked for."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self._texts = {path: path.read_text(encoding="utf-8") for path in sorted((root / folder).rglob("*.py"))}
        self._parsed: dict[Path, list[Definition]] = {}

    def find(self, name: str) -> list[Definition]:
        """The definitions that a name fits: `add` is found as `add`, `Ledger.add` and `money.Ledger.add`."""
        words = name.split(".")
        return [each for path in self._paths[words[-1]] for each in self._definitions(path) if each.fits(words)]

    def with_words(self, words: Iterable[str]) -> Iterator[Definition]:
        """The definitions, but for classes and modules, of the files that have these words."""
        for path, text in self._texts.items():
            if all(word in text for word in words):
                yield from (each for each in self._definitions(path) if not isinstance(each.node, ast.ClassDef | None))

    @cached_property
    def _paths(self) -> Mapping[str, Sequence[Path]]:
        """The files that may define a name: those of which it begins a line, and the module of that name."""
        found = defaultdict(list)
        for path, text in self._texts.items():
            lines = BEGIN.findall(text)
            for word in {path.stem}.union(*(line.split(", ") for line in lines)):
                found[word].append(path)
        return found

    def _definitions(self, path: Path) -> list[Definition]:
        if path not in self._parsed:
            text, own = self._texts[path], path.relative_to(self.root)
            names = own.with_suffix("").parts
            whole = Definition(own, names, text, None)
            self._parsed[path] = [whole, *_definitions(whole, names, ast.parse(text).body)]
        return self._parsed[path]


def _definitions(whole: Definition, name: tuple[str, ...], body: list[ast.stmt]) -> Iterator[Definition]:
    for node in body:
        for own in _names(node):
            yield whole._replace(name=(*name, own), node=node)
        match node:
            case ast.ClassDef():
                yield from _definitions(whole, (*name, node.name), node.body)
            case ast.If() | ast.Try() | ast.With():
                yield from _definitions(whole, name, node.body)


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []
