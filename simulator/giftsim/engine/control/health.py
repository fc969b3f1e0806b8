"""Whether the simulator is ready."""

from __future__ import annotations

from typing import Any

from giftsim.engine.control.control_errors import Starting
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import process_view
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.worlds.registry import DEFAULT


def get_health(call: Call) -> Response:
    """Answer 200 once the default world is ready, 503 before; with the faults of giftsim itself (G348)."""
    if DEFAULT not in call.registry.worlds:
        raise Starting("the default world is not ready yet; try again")
    registry = call.registry
    body = {"status": "ready", "version": services_of(call).version, "worlds": len(registry.worlds)}
    failures: dict[str, Any] = {"failures": registry.runtime.failures}
    if registry.runtime.latest_failure is not None:
        failures["latest_failure"] = registry.runtime.latest_failure
    return Response(200, {**body, **failures, **process_view(registry.ids.prefix)})
