"""What a package adds to every world: its tables, machines, timers, settings and signal connections, in one shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from giftsim.engine.kernel.errors import PLAIN, ErrorTypes
from giftsim.engine.kernel.setting import Setting
from giftsim.engine.kernel.signals import Connection
from giftsim.engine.kernel.state import Definitions, TimerHandler
from giftsim.engine.kernel.state_machine import Machine
from giftsim.engine.kernel.table import TableSpec


class DefinedTwice(Exception):
    """Two packages define a table, a timer kind or a setting of the same name."""


class PackageDefinitions(msgspec.Struct, frozen=True):
    """The definitions of one package, or of several merged ones.

    `timers` maps a timer's kind to its verb. `perpetual` are the kinds that repeat for ever, which an advance until
    idle does not wait for. `connections` handle signals of this and of other packages.
    """

    tables: tuple[TableSpec[Any], ...] = ()
    machines: tuple[Machine[Any], ...] = ()
    timers: Mapping[str, TimerHandler] = {}
    perpetual: tuple[str, ...] = ()
    settings: tuple[Setting[Any], ...] = ()
    connections: tuple[Connection, ...] = ()

    def compiled(self, errors: ErrorTypes = PLAIN) -> Definitions:
        """The same, as a world's state looks it up; AlreadyConnected where a signal has two handlers."""
        return Definitions(
            self.tables,
            self.timers,
            {each.name: each for each in self.settings},
            self.connections,
            frozenset(self.perpetual),
            errors,
            {machine.name: machine.spec.name for machine in self.machines},
        )


def merge_definitions(*packages: PackageDefinitions) -> PackageDefinitions:
    """All definitions of several packages, in their order; DefinedTwice where two have the same name."""
    tables = tuple(table for package in packages for table in package.tables)
    settings = tuple(setting for package in packages for setting in package.settings)
    _check("table", (table.name for table in tables))
    _check("timer kind", (kind for package in packages for kind in package.timers))
    _check("setting", (setting.name for setting in settings))
    return PackageDefinitions(
        tables=tables,
        machines=tuple(machine for package in packages for machine in package.machines),
        timers={kind: verb for package in packages for kind, verb in package.timers.items()},
        perpetual=tuple(kind for package in packages for kind in package.perpetual),
        settings=settings,
        connections=tuple(connection for package in packages for connection in package.connections),
    )


def _check(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DefinedTwice(f"the {what} {twice[0]} is defined twice")
