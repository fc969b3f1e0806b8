"""Scenarios: a world as one, playing one, the library, and sessions that play one step by step.

A call that runs steps lends its thread to the server, because the steps call the server.
"""

from __future__ import annotations

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import number_rows, respond_with_page
from giftsim.engine.control.search import text_condition
from giftsim.engine.control.services import services_of
from giftsim.engine.control.world_access import settled_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.problem import InvalidJson


def get_scenario(call: Call) -> Response:
    """Return the world's history as a scenario, once no delivery is in flight."""
    with settled_state(call.world) as state:
        text = services_of(call).record(call.world, state)
    return Response(200, text.encode(), content_type="application/yaml", opaque=True)


def play_scenario(call: Call) -> Response:
    """Play a scenario in a new world."""
    text = _text(call)
    with call.registry.runtime.lend_thread():
        return Response(200, services_of(call).play(text, call.query["keep"]))


def list_scenarios(call: Call) -> Response:
    """List the scenario library."""
    rows = services_of(call).scenarios().entries(text_condition(call.query["q"]))
    return respond_with_page(call, "scenarios", number_rows(rows), dict)


def get_library_scenario(call: Call) -> Response:
    """Read a scenario of the library."""
    return Response(200, services_of(call).scenarios().read(call.params["name"]))


def list_scenario_sessions(call: Call) -> Response:
    """List the sessions without their steps."""
    return respond_with_page(call, "sessions", number_rows(services_of(call).scenarios().sessions()), dict)


def create_scenario_session(call: Call) -> Response:
    """Begin a session with a text or a scenario of the library."""
    name, text = call.query["name"], _text(call)
    if (name is None) == (not text.strip()):
        raise Ambiguous("a session needs either the text of a scenario as its body, or a `name` of the library")
    with call.registry.runtime.lend_thread():
        return Response(201, services_of(call).scenarios().begin(None if name else text, name, call.query["limit"]))


def get_scenario_session(call: Call) -> Response:
    """Read a session with its steps."""
    return Response(
        200, services_of(call).scenarios().show(call.params["id"], call.query["after"] or 0, call.query["limit"])
    )


def step_scenario_session(call: Call) -> Response:
    """Play the next steps of a session."""
    if "count" in call.body and "to" in call.body:
        raise Ambiguous("count and to exclude one another: play a number of steps, or all to the end")
    steps = None if call.body.get("to") == "end" else call.body.get("count", 1)
    with call.registry.runtime.lend_thread():
        return Response(200, services_of(call).scenarios().play(call.params["id"], steps, call.query["limit"]))


def delete_scenario_session(call: Call) -> Response:
    """End a session."""
    with call.registry.runtime.lend_thread():
        return Response(200, services_of(call).scenarios().stop(call.params["id"], keep=call.query["keep"]))


def _text(call: Call) -> str:
    try:
        return call.raw.decode()
    except UnicodeDecodeError:
        raise InvalidJson("the scenario is not UTF-8") from None
