"""The coverage as a map: each operation with how many of its errors the app got, each machine with its edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from giftsim.engine.kernel.state_machine import Machine
from giftsim.workbench.coverage.items import ERRORS, OPERATIONS, TRANSITIONS, Items, transition_names

MET, MISSING, APART = "met", "missing", "apart"
STATES: Final = (MET, MISSING, APART)
Areas = Mapping[str, Any]


def map_as_json(items: Items, areas: Areas) -> dict[str, Any]:
    """The map of a coverage that was judged: its areas have the names `met`, `missing` and `apart`."""
    return {
        "operations": list(_operations(items, _states(areas[OPERATIONS]), _states(areas[ERRORS]))),
        "machines": [_machine(each, _states(areas[TRANSITIONS])) for each in items.machines],
    }


def _states(area: Any) -> dict[str, str]:
    return {name: state for state in STATES for name in getattr(area, state)}


def _operations(items: Items, states: Mapping[str, str], errors: Mapping[str, str]) -> Iterable[dict[str, Any]]:
    for (interface, operation_id), item in items.operations.items():
        found = [errors[name] for name in item.errors.values()]
        yield {
            "name": item.name,
            "interface": interface,
            "tag": item.tag,
            "title": items.contracts[interface].operations[operation_id].node["summary"],
            "state": states[item.name],
            "errors": {MET: found.count(MET), MISSING: found.count(MISSING)},
        }


def _machine(machine: Machine[Any], states: Mapping[str, str]) -> dict[str, Any]:
    names = transition_names([machine])
    rows = zip(machine.counters, machine.rows, strict=True)
    return {
        "name": machine.name,
        "states": list(machine.states),
        "edges": [
            {
                "name": names[counter],
                "from": row.state,
                "trigger": row.trigger,
                "to": row.target,
                "state": states[names[counter]],
            }
            for counter, row in rows
        ],
    }
