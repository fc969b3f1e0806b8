"""What a project leaves out of its coverage: the table `coverage` of giftsim.toml or of pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.coverage.items import EVENTS, OPERATIONS, Items

FILE, PROJECT_FILE = "giftsim.toml", "pyproject.toml"


class InvalidExclusions(ValueError):
    """The exclusions cannot be read, or name something that does not exist."""


class Exclusions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of interfaces, operations and events to leave out. `*` stands for any characters."""

    interfaces: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    events: tuple[str, ...] = ()

    def leaves_out_interface(self, name: str) -> bool:
        """Whether an interface is left out."""
        return _matches(name, self.interfaces)

    def leaves_out_operation(self, name: str) -> bool:
        """Whether an operation is left out."""
        return _matches(name, self.operations)

    def leaves_out_event(self, name: str) -> bool:
        """Whether an event is left out."""
        return _matches(name, self.events)


NOTHING_LEFT_OUT: Final = Exclusions()


def find_exclusions(folder: Path, items: Items) -> Exclusions:
    """The exclusions of the project in a folder: in giftsim.toml, else in pyproject.toml. InvalidExclusions."""
    for name in (FILE, PROJECT_FILE):
        if (folder / name).is_file() and _table(folder / name) is not None:
            return read_exclusions(folder / name, items)
    return NOTHING_LEFT_OUT


def read_exclusions(path: Path, items: Items) -> Exclusions:
    """The exclusions of a file: table `coverage`, or in pyproject.toml `tool.giftsim.coverage`. InvalidExclusions."""
    table = _table(path)
    try:
        exclusions = _convert({} if table is None else table)
        _check(exclusions, items)
    except ValueError as error:
        name = "tool.giftsim.coverage" if path.name == PROJECT_FILE else "coverage"
        raise InvalidExclusions(f"{path}: [{name}] {error}") from None
    return exclusions


def _table(path: Path) -> Any:
    """The table of a file, None if it has none. InvalidExclusions."""
    try:
        content: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name == PROJECT_FILE:
            content = content.get("tool", {}).get("giftsim", {})
        return content.get("coverage")
    except (OSError, ValueError, AttributeError) as error:
        raise InvalidExclusions(f"{path}: {error}") from None


def _convert(table: Any) -> Exclusions:
    names = Exclusions.__struct_fields__
    for name in table if isinstance(table, dict) else ():
        if name not in names:
            raise ValueError(f"has no {name!r}; {suggest_name(name, names)}")
    return msgspec.convert(table, Exclusions)


def _check(exclusions: Exclusions, items: Items) -> None:
    """Refuse a name that fits nothing."""
    interfaces = list(dict.fromkeys(each.interface for each in items.operations.values()))
    for member, given, known in (
        ("interfaces", exclusions.interfaces, interfaces),
        ("operations", exclusions.operations, items.names(OPERATIONS)),
        ("events", exclusions.events, items.names(EVENTS)),
    ):
        for pattern in given:
            if not any(fnmatchcase(name, pattern) for name in known):
                raise ValueError(f"{member}: there is no {pattern!r}; {suggest_name(pattern, known)}")


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
