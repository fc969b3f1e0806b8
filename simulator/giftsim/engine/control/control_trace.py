"""The trace of a world: a page that shows everything that happened, or its data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import current_state, settled_state
from giftsim.engine.gateway.call import Call, Response

PAGE, DATA = "text/html; charset=utf-8", "application/json"


def get_trace(call: Call) -> Response:
    """Return the trace of a world."""
    return _trace(call, {})


def make_trace(call: Call) -> Response:
    """Return the trace of a world with the facts of a test."""
    return _trace(call, call.body)


def _trace(call: Call, facts: Mapping[str, Any]) -> Response:
    """Other calls wait only while the log is read, not while the trace is made.

    What is held is shown as it is: a failed test may leave it so.
    """
    world, as_json = call.world, call.query["format"] == "json"
    services_of(call).reach_back(world, lambda: False)  # a restart has left what came before in the journal file
    access = current_state if world.clock.advancing or world.deliveries.held.unanswered else settled_state
    with access(world) as state:
        make = services_of(call).trace(world, state)
    with call.registry.runtime.lend_thread():
        content = make(as_json, facts)
    return Response(200, content, content_type=DATA if as_json else PAGE, opaque=True)
