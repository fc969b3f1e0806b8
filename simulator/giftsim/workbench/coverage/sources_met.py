"""The sources of what was met: the ids of statements and decisions behind what an app called, sent and got."""

from __future__ import annotations

from collections.abc import Iterable

from giftsim.engine.gateway.sources import Item, Sources
from giftsim.workbench.coverage.items import Items
from giftsim.workbench.coverage.met import Met


def sources_met(met: Met, items: Items) -> set[str]:
    """The ids at the operations, parameters, members, statuses, headers and codes that were met, and at events."""
    return {name for interface in met.interfaces for item in _met_in(interface, met, items) for name in item.ids}


def _met_in(interface: str, met: Met, items: Items) -> Iterable[Item]:
    contract = items.contracts[interface]
    operations = {operation: item.name for (each, operation), item in items.operations.items() if each == interface}
    events = {
        path["post"]["operationId"]: items.events[interface, kind]
        for kind, path in contract.document.get("webhooks", {}).items()
    }
    errors = _errors(interface, met, items)
    codes = {code for _, _, code in errors}
    answered = {(operation, str(status)) for operation, status, _ in errors}
    for item in Sources(contract).items:
        name = operations.get(item.operation, "")
        if item.kind == "code":
            was_met = item.name in codes
        elif item.kind.startswith("event"):
            was_met = events.get(item.operation) in met.events
        elif name not in met.operations:
            was_met = False
        elif item.status.startswith(("4", "5")):
            was_met = (item.operation, item.status) in answered
        else:
            was_met = _was_used(item, name, met)
        if was_met:
            yield item


def _errors(interface: str, met: Met, items: Items) -> set[tuple[str, int, str]]:
    """The operation, the status and the code of each error that was met."""
    return {
        (operation, status, code)
        for (each, operation), item in items.operations.items()
        if each == interface
        for (status, code), name in item.errors.items()
        if name in met.errors
    }


def _was_used(item: Item, operation: str, met: Met) -> bool:
    """Whether a parameter or a member was sent, or came with a value; all else comes with the operation."""
    match item.kind:
        case "parameter":
            return item.name in met.parameters.get(operation, ())
        case "request member":
            return item.name in met.sent.get(operation, ())
        case "response member":
            return item.name in met.received.get(operation, ())
    return True
