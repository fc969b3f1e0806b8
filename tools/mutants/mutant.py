"""Mutants as data: what breaks, where, by which change of text, and the tests that have to notice.

A table in `tables` maps files to their mutants. A file is named by its path below `simulator/giftsim`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import yaml

PRODUCT = Path("simulator/giftsim")
TABLES = Path(__file__).with_name("tables")


class NotApplicable(Exception):
    """A file no longer has a mutant's text exactly once, so that the mutant's table is out of date."""


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to break the product.

    `breaks` is a sentence about what goes wrong, and the mutant's name. `old` is in the file exactly once, and becomes
    `new`. `tests` are arguments of pytest. `survives` is the reason why no test can notice; such a mutant is run, and
    its survival is no failure.
    """

    breaks: str
    old: str
    new: str
    tests: tuple[str, ...]
    survives: str = ""
    file: str = ""

    @property
    def path(self) -> Path:
        """The file, from the root of the checkout."""
        return PRODUCT / self.file

    @property
    def digest(self) -> str:
        """A hash of everything that the mutant is."""
        return sha256(msgspec.json.encode(self)).hexdigest()[:16]

    def line(self, text: str) -> int:
        """The line at which the change begins, given the file's text. NotApplicable."""
        count = text.count(self.old)
        if count != 1 or self.old == self.new:
            raise NotApplicable(f"{self.path} has the old text {count} times, and not once:\n{self.old}")
        return text[: text.index(self.old)].count("\n") + 1

    def apply(self, text: str) -> str:
        """The file's text with the fault. NotApplicable."""
        self.line(text)
        return text.replace(self.old, self.new)


def read_table(path: Path) -> Iterator[Mutant]:
    """The mutants of one table. msgspec.ValidationError names a member that is wrong."""
    files = msgspec.convert(yaml.load(path.read_bytes(), yaml.CSafeLoader), dict[str, list[Mutant]])
    for file, mutants in files.items():
        yield from (msgspec.structs.replace(mutant, file=file) for mutant in mutants)


def read_tables(folder: Path = TABLES) -> list[Mutant]:
    """Every mutant of every table, in the order of their names."""
    return [mutant for path in sorted(folder.glob("*.yaml")) for mutant in read_table(path)]


def sample(mutants: Iterable[Mutant], count: int, seed: str) -> list[Mutant]:
    """`count` of the mutants that have to be noticed, chosen by a seed."""
    chosen = [mutant for mutant in mutants if not mutant.survives]
    return sorted(chosen, key=lambda mutant: sha256(f"{seed}|{mutant.breaks}".encode()).digest())[:count]
