"""The call log of a world, usage counted from it, and the world as a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from giftsim.control.credentials import credential_name_in_headers
from giftsim.control.pagination import page
from giftsim.control.views.call_log import call_view
from giftsim.control.world_access import current_state, settled_state
from giftsim.event_log.call_record import CallRecord
from giftsim.event_log.events import ClientCall
from giftsim.gateway.call import Call, Handler, Interface, Response
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.worlds.world import World


def list_calls(call: Call) -> Response:
    """List client calls and their responses, by default from the oldest one kept."""
    world = call.world
    with current_state(world):
        log = world.call_log
        after = log.dropped if call.query["after"] is None else call.query["after"]
        rows = ((entry.seq, entry) for entry in log.after(after))
        return page(call, "calls", rows, lambda entry: call_view(world, entry), dropped=log.dropped)


@dataclass
class UsageCount:
    """How often one credential called one operation."""

    calls: int = 0
    refused: int = 0
    last_ms: int = 0

    def count(self, entry: CallRecord) -> None:
        """Add one call."""
        self.calls += 1
        self.refused += entry.status is not None and entry.status >= 400
        self.last_ms = entry.at_ms


def make_get_usage(simulated: Sequence[Interface]) -> Callable[[Call], Response]:
    """The handler that counts the calls in the log per credential and operation of the `simulated` interfaces."""

    def get_usage(call: Call) -> Response:
        world = call.world
        with current_state(world) as state:
            log, counts = world.call_log, dict[tuple[str | None, ...], UsageCount]()
            for entry in log.after(log.dropped):
                name = credential_name_in_headers(state, world.id, dict(entry.headers))
                counts.setdefault((name, *operation_of(simulated, entry)), UsageCount()).count(entry)
            usage = [_usage_row(key, count) for key, count in counts.items()]
            since = log.entries[0].seq if log.entries else None
            return Response(200, {"usage": usage, "calls": state.meters.get("calls", 0), "since": since})

    return get_usage


def operation_of(simulated: Sequence[Interface], entry: CallRecord | ClientCall) -> tuple[str | None, str | None]:
    """The names of the interface and the operation that a call matches, or None."""
    path = entry.path.partition("?")[0]
    for interface in simulated:
        prefix = interface.contract.prefix
        if path.startswith(f"{prefix}/"):
            match = interface.contract.match(path.removeprefix(prefix))
            operation = match[0].operation(entry.method) if match else None
            return interface.name, operation.id if operation else None
    return None, None


def make_get_scenario(record: Callable[[World, State], str]) -> Callable[[Call], Response]:
    """The handler that returns the world's history as a scenario, once no delivery is in flight."""

    def get_scenario(call: Call) -> Response:
        with settled_state(call.world) as state:
            text = record(call.world, state)
        return Response(200, text.encode(), content_type="application/yaml", opaque=True)

    return get_scenario


def _usage_row(key: tuple[str | None, ...], count: UsageCount) -> dict[str, Any]:
    credential, interface, operation = key
    return {
        "credential": credential, "interface": interface, "operation": operation, "calls": count.calls,
        "refused": count.refused, "last_at": format_instant(count.last_ms),
    }  # fmt: skip


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listCalls": list_calls,
    }
)
