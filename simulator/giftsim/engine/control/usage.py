"""Usage counted from the call log of a world."""

from __future__ import annotations

from typing import Any

import msgspec

from giftsim.engine.control.call_names import CallNames
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.log.inputs import CallRecord


class UsageCount(msgspec.Struct):
    """How often one credential called one operation."""

    calls: int = 0
    refused: int = 0
    last_ms: int = 0

    def count(self, entry: CallRecord) -> None:
        """Add one call."""
        self.calls += 1
        self.refused += entry.status is not None and entry.status >= 400
        self.last_ms = entry.at_ms


def get_usage(call: Call) -> Response:
    """Count the calls in the log by credential and operation."""
    world = call.world
    with current_state(world) as state:
        log, counts = world.calls.log, dict[tuple[str | None, ...], UsageCount]()
        names = CallNames(services_of(call).simulated(), state, world.id)
        for entry in log.entries:
            interface, operation, credential = names.of(entry)
            counts.setdefault((credential, interface, operation), UsageCount()).count(entry)
        usage = [_usage_row(key, count) for key, count in counts.items()]
        since = log.entries[0].seq if log.entries else None
        return Response(200, {"usage": usage, "calls": state.meters.get("calls", 0), "since": since})


def _usage_row(key: tuple[str | None, ...], count: UsageCount) -> dict[str, Any]:
    credential, interface, operation = key
    return {
        "credential": credential,
        "interface": interface,
        "operation": operation,
        "calls": count.calls,
        "refused": count.refused,
        "last_at": format_instant(count.last_ms),
    }
