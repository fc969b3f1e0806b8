"""The items that an app can meet, by area, each with its documented name.

Operations, errors and events come from the contracts, transitions from the state machines. Names are those of the
documents. Where the partner interface has the same name, that of another interface is written `team.createTeamOrder`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.effect_types import error_codes
from giftsim.engine.gateway.idempotency import takes_header, takes_key
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.kernel.state_machine import Machine

OPERATIONS, ERRORS, EVENTS, TRANSITIONS, FAULTS, CLOCK = (
    "operations",
    "errors",
    "events",
    "transitions",
    "faults",
    "clock",
)
AREAS: Final = (OPERATIONS, ERRORS, EVENTS, TRANSITIONS, FAULTS, CLOCK)

INTERFACES: Final = ("partner", "team", "museum")  # in this order they take names

LOST = "answer lost, retried with the same key"
KEY_IN_USE = "409 of a key in use, retried with the same key"
SERVER_ERROR = "5xx, retried"
RATE_LIMIT = "429, retried after Retry-After"
TWICE = "webhook delivered twice"
OUT_OF_ORDER = "webhooks out of order"
LATE = "webhook a day late"
AGAIN = "webhook sent again after the app's own 5xx"
ROTATED = "webhook signed with a rotated secret"
WRONG_SIGNATURE = "webhook with a wrong signature, refused"
OLD_SIGNATURE = "webhook with an old signature, refused"
CALL_FAULTS: Final = (LOST, KEY_IN_USE, SERVER_ERROR, RATE_LIMIT)
WEBHOOK_FAULTS: Final = (TWICE, OUT_OF_ORDER, LATE, AGAIN, ROTATED, WRONG_SIGNATURE, OLD_SIGNATURE)

MONTH, YEAR, DST_DAY, LEAP_DAY = "month turned", "year turned", "daylight saving day", "leap day"
KEY_EXPIRED = "idempotency key expired"
CALENDAR: Final = (MONTH, YEAR, DST_DAY, LEAP_DAY)

# Rows of a machine that several interfaces have, and the only interface whose records take them.
OF_ONE_INTERFACE: Final = {
    "charge: sent --reconcile_paid--> paid": "partner",
    "charge: sent --reconcile_failed--> failed": "partner",
}

SESSION = "session"
KEY_CODES: Final = frozenset({"idempotency_outcome_unknown", "idempotency_in_progress"})  # 409s to retry


class OperationItem(msgspec.Struct, frozen=True):
    """An operation. `tag` is its part of the interface; `needs` are the permissions that a credential must have.

    `errors` are the names of its documented errors, by status and code.
    """

    name: str
    interface: str
    tag: str
    needs: frozenset[str]
    key_in: str | None
    errors: Mapping[tuple[int, str], str]


class Items(msgspec.Struct, frozen=True):
    """All items: operations and events by interface and documented id, transitions by the counter of their row.

    `contracts` and `machines` are those of the `service`, from which they were read.
    """

    operations: Mapping[tuple[str, str], OperationItem]
    events: Mapping[tuple[str, str], str]
    transitions: Mapping[str, str]
    contracts: Mapping[str, Contract]
    machines: Sequence[Machine[Any]]
    service: Service

    @property
    def expiries(self) -> list[str]:
        """What can expire."""
        return sorted([KEY_EXPIRED, *(name for each in self.service.coverage for name in each.expiries)])

    def names(self, area: str) -> list[str]:
        """The names of an area, in order."""
        match area:
            case "operations":
                return [each.name for each in self.operations.values()]
            case "errors":
                return [name for each in self.operations.values() for name in each.errors.values()]
            case "events":
                return list(self.events.values())
            case "transitions":
                return list(self.transitions.values())
        return list((*CALL_FAULTS, *WEBHOOK_FAULTS) if area == FAULTS else (*CALENDAR, *self.expiries))


def items_of(service: Service) -> Items:
    """The items of a service: of its interfaces, those of INTERFACES first, and of its machines."""
    order = [*(name for name in INTERFACES if name in service.interfaces), *service.interfaces]
    contracts = {name: Contract.load(service.interfaces[name].contract) for name in dict.fromkeys(order)}
    machines = service.definitions.machines
    operations: dict[tuple[str, str], OperationItem] = {}
    events: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for interface, contract in contracts.items():
        for operation in contract.operations.values():
            name = _unique(interface, operation.id, taken)
            operations[interface, operation.id] = _operation(interface, name, operation)
        for kind in contract.document.get("webhooks", {}):
            events[interface, kind] = _unique(interface, kind, taken)
        taken |= {name for each, name in (*operations, *events) if each == interface}
    return Items(operations, events, transition_names(machines), contracts, machines, service)


def transition_names(machines: Iterable[Machine[Any]]) -> dict[str, str]:
    """The rows of machines, each with its name, by the name of its counter."""
    return {
        counter: f"{machine.name}: {row.state} --{row.trigger}--> {row.target}"
        for machine in machines
        for counter, row in zip(machine.counters, machine.rows, strict=True)
    }


def machine_of(transition: str) -> str:
    """The machine of a transition."""
    return transition.partition(":")[0]


def _unique(interface: str, name: str, taken: set[str]) -> str:
    return f"{interface}.{name}" if name in taken else name


def _operation(interface: str, name: str, operation: Operation) -> OperationItem:
    codes = [(status, code) for status in operation.documented for code in error_codes(operation, status)]
    key_in = None if not takes_key(operation) else "header" if takes_header(operation) else "body"
    return OperationItem(
        name,
        interface,
        operation.node.get("tags", [""])[0],
        frozenset(_needs(operation)),
        key_in,
        {(status, code): f"{name} {status} {code}" for status, code in sorted(codes)},
    )


def _needs(operation: Operation) -> Iterator[str]:
    """The permissions that an operation needs: scopes and capabilities, a session, a role, the mode of a key."""
    node = operation.node
    if "x-session" in node:
        yield SESSION
        yield f"role {node['x-session']}"
        return
    yield from operation.scopes
    if "x-capability" in node:
        yield node["x-capability"]
    if "x-role" in node:
        yield f"role {node['x-role']}"
    if "x-mode" in node:
        yield f"mode {node['x-mode']}"
