"""What is not counted: parameters and members by operation, retries, states, outcomes, and who accepted events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.node import Node, Part, resolve_ref
from giftsim.workbench.coverage.items import Items, machine_of
from giftsim.workbench.coverage.met import Met

JSON: Final = "application/json"


def details_as_json(met: Met, items: Items) -> dict[str, Any]:
    """The details of a coverage as JSON."""
    ids = {item.name: key for key, item in items.operations.items()}
    called = {
        name: items.contracts[ids[name][0]].operations[ids[name][1]] for name in sorted(met.operations & ids.keys())
    }
    return {
        "operations": {name: _operation(met, name, called[name]) for name in sorted(called)},
        "retries": {name: msgspec.to_builtins(met.retries[name]) for name in sorted(met.retries)},
        "states": sorted({f"{machine_of(name)}: {name.rpartition('> ')[2]}" for name in met.transitions}),
        "outcomes": _record_outcomes(met, items),
        "captured": sorted(met.captured - met.answered),
    }


def _operation(met: Met, name: str, operation: Operation) -> dict[str, list[str]]:
    """The parameters and members of an operation, each with those that are documented and were not there."""
    body = operation.node.get("requestBody", {})
    documented = {
        "parameters": {parameter.name for parameter in operation.query_params},
        "sent": set(_members_of(operation, resolve_ref(operation.document, body))),
        "received": set(_answer(operation)),
    }
    found = {
        "parameters": met.parameters.get(name, set()),
        "sent": met.sent.get(name, set()),
        "received": met.received.get(name, set()),
    }
    missing = {f"missing_{kind}": sorted(names - found[kind]) for kind, names in documented.items()}
    return {kind: sorted(names) for kind, names in found.items()} | missing


def _answer(operation: Operation) -> Iterator[str]:
    for status in operation.documented:
        if status < 300:
            yield from _members_of(operation, resolve_ref(operation.document, operation.node["responses"][str(status)]))


def _members_of(operation: Operation, node: Mapping[str, Any]) -> Iterator[str]:
    media = node.get("content", {}).get(JSON, {})
    if "schema" in media:
        yield from _members(Node(operation.document, [Part("", media["schema"])]), "", frozenset())


def _members(node: Node, path: str, above: frozenset[int]) -> Iterator[str]:
    """The members that the schemas name, such as `recipients[].address.city`. One within itself is not entered."""
    schemas = {id(part.resolved(node.document).schema) for part in node.given if isinstance(part.schema, Mapping)}
    if not schemas or schemas & above:
        return
    above = above | schemas
    for name, member in node.members.items():
        yield f"{path}{name}"
        yield from _members(member, f"{path}{name}.", above)
    yield from _members(node.items, f"{path.removesuffix('.')}[].", above)


def _record_outcomes(met: Met, items: Items) -> dict[str, list[str]]:
    """The rare endings of records: those that the app has met, and those that it has not."""
    found, possible = set(met.outcomes), set[str]()
    for each in items.service.coverage:
        names = {*met.transitions, *map(_trigger, met.transitions)}
        found |= {outcome for name, outcome in each.endings.items() if name in names}
        found |= met.clock & each.outcomes.keys()
        possible |= {name for name, machines in each.outcomes.items() if met.machines.intersection(machines)}
    return {"met": sorted(found), "missing": sorted(possible - found)}


def _trigger(transition: str) -> str:
    return transition.partition("--")[2].partition("--")[0]
