"""Mutants as data, and what they change in a checkout.

A table in `tables` lists mutants. Each names a definition of the product and a test, both by name: where they are is
looked up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import unified_diff
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
import yaml

from tools.mutants.definitions import Definition, Definitions
from tools.mutants.pattern import Mismatch, changed

PRODUCT, TESTS = Path("simulator/giftsim"), Path("tests")
TABLES = Path(__file__).with_name("tables")


class NotApplicable(Exception):
    """A mutant no longer fits the product or its tests, so that its table is out of date."""


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to break the product.

    `breaks` is a sentence about what goes wrong, and the mutant's name. `place` is the definition that it changes: the
    pattern `change` becomes `to`, or the pattern `remove` is taken out. `test` is the test, or the file of tests, that
    has to notice. `survives` is the reason why no test can; such a mutant is run, and its survival is not a failure.
    """

    breaks: str
    place: str = msgspec.field(name="in")
    test: str
    change: str | None = None
    to: str | bool | int | None = None
    remove: str | None = None
    survives: str = ""

    def __post_init__(self) -> None:
        if (self.remove is None) == (self.change is None) or (self.change is None) != (self.to is None):
            raise ValueError(f"{self.breaks}: a mutant has either `change` and `to`, or `remove`")

    @property
    def pattern(self) -> str:
        """What is looked for in the definition."""
        return self.remove or self.change or ""

    @property
    def replacement(self) -> str | None:
        """What takes its place; YAML reads `False` and `0` as what they are in Python."""
        return None if self.to is None else str(self.to)

    @property
    def digest(self) -> str:
        """A hash of everything that the mutant is."""
        return sha256(msgspec.json.encode(self)).hexdigest()[:16]


class Change(NamedTuple):
    """A mutant as it applies to a checkout: the definition and its new statements, the lines that differ, the test."""

    mutant: Mutant
    definition: Definition
    line: int
    new: Sequence[ast.stmt]
    difference: tuple[str, ...]
    test: str

    @property
    def path(self) -> Path:
        """The file that changes."""
        return self.definition.path

    @property
    def text(self) -> str:
        """Its new text."""
        return self.definition.text_with(self.new)


class Checkout:
    """The product and its tests as they are in a folder, which is only read."""

    def __init__(self, root: Path) -> None:
        self.product, self.tests = Definitions(root, PRODUCT), Definitions(root, TESTS)

    def change(self, mutant: Mutant) -> Change:
        """What a mutant changes. NotApplicable."""
        definition, old, new, line = self._place(mutant)
        before, after = ("\n".join(map(ast.unparse, nodes)).splitlines() for nodes in ([old], new))
        lines = list(unified_diff(before, after, n=0, lineterm=""))
        difference = tuple(line for line in lines[2:] if not line.startswith("@@"))
        return Change(mutant, definition, line, new, difference, self._test(mutant))

    def _place(self, mutant: Mutant) -> tuple[Definition, ast.stmt, list[ast.stmt], int]:
        fits, reasons = [], []
        for definition in self.product.find(mutant.place):
            try:
                if node := definition.node:
                    fits.append((definition, node, *changed(node, mutant.pattern, mutant.replacement)))
            except Mismatch as mismatch:
                reasons.append(f"{definition} {mismatch}")
        if len(fits) == 1:
            return fits[0]
        if fits:
            reasons = [f"{' and '.join(str(each[0]) for each in fits)} have the pattern: name a module too"]
        elsewhere = "" if fits else "".join(f"; {each} has it" for each in self._others(mutant))
        why = "; ".join(reasons) or f"{PRODUCT} has no {mutant.place}"
        raise NotApplicable(f"{mutant.breaks}: {why}{elsewhere}\n  {mutant.pattern}")

    def _others(self, mutant: Mutant) -> Iterator[Definition]:
        """The definitions of any name that have the pattern of a mutant: perhaps its own got another name."""
        for definition in self.product.with_words(re.findall(r"\w+", mutant.pattern)):
            with suppress(Mismatch):
                if definition.node and changed(definition.node, mutant.pattern, mutant.replacement):
                    yield definition

    def _test(self, mutant: Mutant) -> str:
        match self.tests.find(mutant.test):
            case [found]:
                return "::".join((str(found.path), *found.own_name))
            case []:
                raise NotApplicable(f"{mutant.breaks}: {TESTS} has no {mutant.test}")
            case several:
                raise NotApplicable(f"{mutant.breaks}: {' and '.join(map(str, several))}: name a folder or file too")


def read_table(path: Path) -> Iterator[Mutant]:
    """The mutants of one table. msgspec.ValidationError names a member that is wrong."""
    yield from msgspec.convert(yaml.load(path.read_bytes(), yaml.CSafeLoader), list[Mutant])


def read_tables(folder: Path = TABLES) -> list[Mutant]:
    """Every mutant of every table, in the order of their names."""
    return [mutant for path in sorted(folder.glob("*.yaml")) for mutant in read_table(path)]


def sample(mutants: Iterable[Mutant], count: int, seed: str) -> list[Mutant]:
    """`count` of the mutants that have to be noticed, chosen by a seed."""
    chosen = [mutant for mutant in mutants if not mutant.survives]
    return sorted(chosen, key=lambda mutant: sha256(f"{seed}|{mutant.breaks}".encode()).digest())[:count]
