"""The trace of a world: a page that shows everything that happened, or its data."""

from __future__ import annotations

from giftsim.control.services import services_of
from giftsim.control.world_access import settled_state
from giftsim.gateway.call import Call, Response

PAGE, DATA = "text/html; charset=utf-8", "application/json"


def get_trace(call: Call) -> Response:
    """Return the trace of a world. Other calls wait only while its log is read, not while the trace is made."""
    as_json = call.query["format"] == "json"
    with settled_state(call.world) as state:
        make = services_of(call).trace(call.world, state)
    with call.registry.runtime.lend_thread():
        content = make(as_json)
    return Response(200, content, content_type=DATA if as_json else PAGE, opaque=True)
