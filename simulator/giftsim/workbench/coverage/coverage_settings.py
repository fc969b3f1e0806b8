"""What a project leaves out of its coverage: the table `coverage` of giftsim.toml or of pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.texts import suggest
from giftsim.workbench.coverage.items import EVENTS, OPERATIONS, Items

FILE, PROJECT_FILE = "giftsim.toml", "pyproject.toml"


class InvalidSettings(ValueError):
    """The settings cannot be read, or name something that does not exist."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


NOTHING_LEFT_OUT: Final = Settings()


def find_settings(folder: Path, items: Items) -> Settings:
    """The settings of the project in a folder: in giftsim.toml, else in pyproject.toml. InvalidSettings."""
    for name in (FILE, PROJECT_FILE):
        if (folder / name).is_file() and _table(folder / name) is not None:
            return read_settings(folder / name, items)
    return NOTHING_LEFT_OUT


def read_settings(path: Path, items: Items) -> Settings:
    """The settings in a file: its table `coverage`, or in pyproject.toml `tool.giftsim.coverage`. InvalidSettings."""
    table = _table(path)
    try:
        settings = _convert({} if table is None else table)
        _check(settings, items)
    except ValueError as error:
        name = "tool.giftsim.coverage" if path.name == PROJECT_FILE else "coverage"
        raise InvalidSettings(f"{path}: [{name}] {error}") from None
    return settings


def _table(path: Path) -> Any:
    """The table of a file, None if it has none. InvalidSettings."""
    try:
        content: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name == PROJECT_FILE:
            content = content.get("tool", {}).get("giftsim", {})
        return content.get("coverage")
    except (OSError, ValueError, AttributeError) as error:
        raise InvalidSettings(f"{path}: {error}") from None


def _convert(table: Any) -> Settings:
    names = Settings.__struct_fields__
    for name in table if isinstance(table, dict) else ():
        if name not in names:
            raise ValueError(f"has no {name!r}; {suggest(name, names)}")
    return msgspec.convert(table, Settings)


def _check(settings: Settings, items: Items) -> None:
    """Refuse a name that fits nothing."""
    interfaces = list(dict.fromkeys(each.interface for each in items.operations.values()))
    for member, given, known in (
        ("interfaces", settings.interfaces, interfaces),
        ("operations", settings.operations, items.names(OPERATIONS)),
        ("events", settings.events, items.names(EVENTS)),
    ):
        for pattern in given:
            if not any(fnmatchcase(name, pattern) for name in known):
                raise ValueError(f"{member}: there is no {pattern!r}; {suggest(pattern, known)}")


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
