"""Judges what was met: which items are missing, which do not concern the app, and the percentage of each area.

An item is `apart` if the app has nothing to do with it: it belongs to an interface or a part that the app never
called, its credentials do not allow it, it subscribed to no such event, or the exclusions leave it out (G223).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from giftsim.workbench.coverage.coverage_details import details_as_json
from giftsim.workbench.coverage.coverage_exclusions import NOTHING_LEFT_OUT, Exclusions
from giftsim.workbench.coverage.coverage_map import map_as_json
from giftsim.workbench.coverage.items import (
    AREAS,
    CALENDAR,
    CALL_FAULTS,
    KEY_IN_USE,
    LOST,
    OF_ONE_INTERFACE,
    RATE_LIMIT,
    Items,
    OperationItem,
    machine_of,
)
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.coverage.next_steps import NextSteps

VERSION: Final = 1
# Refusals for want of a permission: a credential that has it does not get them.
PERMISSION_CODES: Final = frozenset(
    {
        "forbidden_capability",
        "forbidden_no_account",
        "insufficient_scope",
        "insufficient_role",
        "owner_required",
        "session_required",
        "test_key_required",
    }
)


class Area(msgspec.Struct, frozen=True):
    """The names of an area, sorted: met, missing, and apart. `percent` is of those that are not apart."""

    met: list[str]
    missing: list[str]
    apart: list[str]

    @property
    def percent(self) -> float:
        """The percentage that was met of the items that concern the app; 100 if there are none."""
        concerning = len(self.met) + len(self.missing)
        return round(100 * len(self.met) / concerning, 1) if concerning else 100.0


def judge(met: Met, items: Items, exclusions: Exclusions = NOTHING_LEFT_OUT) -> dict[str, Area]:
    """Each area with its names."""
    concerns = Concerns(met, items, exclusions)
    return {area: _area(items.names(area), met.area(area), concerns.of(area)) for area in AREAS}


def coverage_as_json(
    met: Met, items: Items, exclusions: Exclusions = NOTHING_LEFT_OUT, *, with_next: bool = True
) -> dict[str, Any]:
    """The coverage as JSON: areas, a map, next steps, details, and the facts from which several can be merged.

    Without `with_next` there are no next steps, which are most of it.
    """
    areas = judge(met, items, exclusions)
    missing = {name: area.missing for name, area in areas.items()} if with_next else {}
    return {
        "version": VERSION,
        "areas": {name: {**msgspec.to_builtins(area), "percent": area.percent} for name, area in areas.items()},
        "map": map_as_json(items, areas),
        "next": NextSteps(items).of(missing, met.interfaces) if missing else [],
        "details": details_as_json(met, items),
        "met": msgspec.json.decode(msgspec.json.encode(met, order="deterministic")),
    }


def _area(names: Iterable[str], met: set[str], concerning: set[str]) -> Area:
    """An item that was met counts, unless it was left out; then `concerning` does not have it."""
    everything = sorted(names)
    counted = [name for name in everything if name in concerning]
    return Area(
        [name for name in counted if name in met],
        [name for name in counted if name not in met],
        [name for name in everything if name not in concerning],
    )


class Concerns:
    """Which items concern an app, by what it did."""

    def __init__(self, met: Met, items: Items, exclusions: Exclusions) -> None:
        self._met, self._items, self._exclusions = met, items, exclusions
        self._tags = {(each.interface, each.tag) for each in items.operations.values() if each.name in met.operations}

    def of(self, area: str) -> set[str]:
        """The items of an area that concern the app."""
        match area:
            case "operations":
                return {each.name for each in self._called() if self._operation(each)}
            case "errors":
                return {name for each in self._called() for name in self._errors(each)}
            case "events":
                return {name for (interface, _), name in self._items.events.items() if self._event(interface, name)}
            case "transitions":
                return {name for name in self._items.transitions.values() if self._transition(name)}
            case "faults":
                return self._faults()
        return self._met.clock | self._met.uses | (set(CALENDAR) if self._met.interfaces else set())

    def _called(self) -> list[OperationItem]:
        """The operations of interfaces that were called, without those that the exclusions leave out."""
        return [
            each
            for each in self._items.operations.values()
            if each.interface in self._met.interfaces
            and not self._exclusions.leaves_out_interface(each.interface)
            and not self._exclusions.leaves_out_operation(each.name)
        ]

    def _operation(self, item: OperationItem) -> bool:
        if item.name in self._met.operations:
            return True
        granted = [rest for interface, *rest in self._met.credentials if interface == item.interface]
        return any(map(item.needs.issubset, granted)) and (item.interface, item.tag) in self._tags

    def _errors(self, item: OperationItem) -> list[str]:
        """The errors of an operation that was called and that its credentials can get."""
        if item.name not in self._met.operations:
            return []
        return [
            name
            for (_, code), name in item.errors.items()
            if name in self._met.errors
            or not (code in PERMISSION_CODES or (item.key_in is None and code.startswith("idempotency")))
        ]

    def _event(self, interface: str, name: str) -> bool:
        left_out = self._exclusions.leaves_out_interface(interface) or self._exclusions.leaves_out_event(name)
        return not left_out and (name in self._met.subscribed or name in self._met.events)

    def _transition(self, name: str) -> bool:
        interfaces = self._met.interfaces
        is_possible = OF_ONE_INTERFACE.get(name) in {None, *interfaces} or name in self._met.transitions
        return is_possible and machine_of(name) in self._met.machines

    def _faults(self) -> set[str]:
        """The failures of calls that a called operation can have; those of webhooks if there is an endpoint."""
        called = [each for each in self._called() if each.name in self._met.operations]
        possible: Mapping[str, bool] = {
            LOST: any(each.key_in for each in called),
            KEY_IN_USE: any(each.key_in for each in called),
            RATE_LIMIT: any(status == 429 for each in called for status, _ in each.errors),
        }
        calls = {name for name in CALL_FAULTS if possible.get(name, bool(called))}
        webhooks = set(self._items.names("faults")) - set(CALL_FAULTS) if self._met.subscribed else set()
        return calls | webhooks | self._met.faults
