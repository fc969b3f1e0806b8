"""The trace of a world: a page that shows everything that happened, or its data; and why something did not happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import current_state, settled_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State

Read = TypeVar("Read")
PAGE, DATA = "text/html; charset=utf-8", "application/json"


def get_trace(call: Call) -> Response:
    """Return the trace of a world."""
    return _trace(call, {})


def make_trace(call: Call) -> Response:
    """Return the trace of a world with the facts of a test."""
    return _trace(call, call.body)


def explain_world(call: Call) -> Response:
    """Say why something did not happen: the verdicts on a record or a call of a world."""
    return _why(call, {name: value for name, value in call.query.items() if value is not None})


def explain_test(call: Call) -> Response:
    """Say why a test of a world failed."""
    return _why(call, call.body)


def _why(call: Call, asked: Mapping[str, Any]) -> Response:
    make = _read(call, lambda state: services_of(call).why(call.world, state, asked))
    with call.registry.runtime.lend_thread():
        content = make()
    return Response(200, content, content_type=DATA, opaque=True)


def _trace(call: Call, facts: Mapping[str, Any]) -> Response:
    as_json = call.query["format"] == "json"
    make = _read(call, lambda state: services_of(call).trace(call.world, state))
    with call.registry.runtime.lend_thread():
        content = make(as_json, facts)
    return Response(200, content, content_type=DATA if as_json else PAGE, opaque=True)


def _read(call: Call, read: Callable[[State], Read]) -> Read:
    """Other calls wait only while the log is read, not while the trace is made.

    What is held is read as it is: a failed test may leave it so.
    """
    world = call.world
    services_of(call).reach_back(world, lambda: False)  # a restart has left what came before in the journal file
    access = current_state if world.clock.advancing or world.deliveries.held.unanswered else settled_state
    with access(world) as state:
        return read(state)
