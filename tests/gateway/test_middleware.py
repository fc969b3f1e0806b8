"""Middleware: the order of the checks (G13), and what becomes of refusals, bugs, transactions and repeated calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.gateway import middleware
from giftsim.engine.gateway.call import Call, ConnectionDropped, DeferredResponse, Response
from giftsim.engine.gateway.execute import Stack, Step, handle, transact
from giftsim.engine.gateway.faults.table import FAULTS, add_fault
from giftsim.engine.gateway.middleware import find_subject_again, parse_path
from giftsim.engine.gateway.problem import Forbidden, RouteNotFound, Unauthorized
from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.problem import InvalidState, Problem
from tests.support.sample_api import Caller, echo, sample_interface
from tests.support.worlds import World

GOOD = {"method": "POST", "path": "/things/7/copies", "query": "limit=5", "caller": "ada", "key": "k1", "fault": ""}

# A mistake in every check, in the documented order: the change to a good call, then status and code of its refusal.
MISTAKES: dict[str, tuple[dict[str, Any], int, str]] = {
    "route": ({"path": "/nowhere"}, 404, "not_found"),
    "method": ({"method": "DELETE"}, 405, "method_not_allowed"),
    "credential": ({}, 401, "unauthorized"),
    "rate limit": ({"caller": "busy"}, 429, "rate_limited"),
    "fault header": ({"fault": "chrage=x"}, 400, "invalid_fault"),
    "right": ({}, 403, "not_allowed"),
    "idempotency key": ({"key": ""}, 400, "idempotency_key_required"),
    "json": ({"body": b"{"}, 400, "invalid_json"),
    "right to the body": ({}, 403, "body_not_allowed"),
    "reused key": ({"key": "used"}, 409, "idempotency_key_reused"),
    "query": ({"query": "limit=0"}, 400, "invalid_parameter"),
    "path id": ({"path": "/things/x/copies"}, 404, "not_found"),
    "record": ({}, 404, "thing_not_found"),
    "schema": ({"body": {"name": 1}}, 400, "invalid_body"),
    "state": ({}, 409, "invalid_state"),
}

Send = Callable[..., Any]


def check(name: str, problem: Problem) -> Callable[[Call], None]:
    """A check that fails for calls that make its mistake."""

    def check(call: Call) -> None:
        if name in (call.header("X-Mistakes") or "").split(", "):
            raise problem

    return check


def authenticate(call: Call) -> Caller:
    """The caller that the call names."""
    check("credential", Unauthorized("no"))(call)
    return Caller(call.header("X-Caller") or "ada")


def copy_thing(call: Call) -> Response:
    """Answer with what the call says, unless the thing is in another state."""
    check("state", InvalidState("no"))(call)
    return echo(call)


CHECKS = {
    "authenticate": authenticate,
    "authorize": check("right", Forbidden("no", code="not_allowed")),
    "authorize_body": check("right to the body", Forbidden("no", code="body_not_allowed")),
    "find_subject": check("record", RouteNotFound("no", code="thing_not_found")),
}


def client_of(world: World, handlers: Any = None, **fields: Any) -> InProcessClient:
    """A client of the sample API in a world."""
    interface = sample_interface(handlers, **fields)

    def no_fallback(_app: WsgiApp) -> Any:
        raise AssertionError("no call goes to other paths")

    return InProcessClient(
        WsgiApp(world.simulator.registry, {"/sample/v1": interface}, no_fallback), {"X-World": world.id}
    )


@pytest.fixture
def send(world: World) -> Send:
    """Sends a good call to the sample API, with changes and mistakes."""
    client = client_of(world, {"copyThing": copy_thing}, **CHECKS)

    def send(mistakes: str = "", **changes: Any) -> Any:
        call = {**GOOD, "body": {"name": "a"}, **changes}
        headers = {"X-Caller": call["caller"], "Idempotency-Key": call["key"], "X-Sim-Fault": call["fault"]}
        return client.call(
            call["method"],
            f"/sample/v1{call['path']}?{call['query']}",
            body=call["body"],
            headers={"X-Mistakes": mistakes, **{name: value for name, value in headers.items() if value}},
        )

    return send


def logged_statuses(world: World) -> list[int | None]:
    """The statuses in the call log of a world; None for a call without a response."""
    responses = [entry["response"] for entry in world.call_control("GET", "/calls")["calls"]]
    return [response and response["status"] for response in responses]


@pytest.mark.parametrize("first", range(len(MISTAKES)), ids=list(MISTAKES))
def test_the_first_of_several_mistakes_is_reported(send: Send, world: World, first: int) -> None:
    world.change_settings(rate_limits__starter=2)
    assert [send(caller="busy", key=key).status for key in ("b1", "b2")] == [200, 200]
    assert send(key="used", body={"name": "first"}).status == 200
    made = list(MISTAKES)[first:]
    changes: dict[str, Any] = {}
    for name in reversed(made):  # where two mistakes change the same part of the call, the first one is made
        changes |= MISTAKES[name][0]
    response = send(", ".join(made), **changes)
    assert (response.status, response.json()["code"]) == MISTAKES[made[0]][1:]


def test_a_call_without_mistakes_is_executed(send: Send) -> None:
    response = send()
    assert response.status == 200
    assert response.json()["params"] == {"id": 7}
    assert response.json()["query"] == {"limit": 5, "kind": None}
    assert response.json()["body"] == {"name": "a"}


def test_the_tuple_of_a_simulated_call_is_its_documented_order() -> None:
    order = (*middleware.OUTER, middleware.route, *middleware.SIMULATED.steps)
    assert [getattr(step, "__name__", "") for step in order] == [
        "lock_world", "log_call", "render_problems", "route", "authenticate", "limit_rate", "inject_faults",
        "authorize", "check_idempotency_header", "parse_body", "inject_magic_values", "authorize_body",
        "replay_idempotent", "parse_query", "parse_path", "validate_body", "hold", "transact",
    ]  # fmt: skip


@pytest.mark.parametrize("stack", [middleware.RELEASED, middleware.UNKNOWN_WORLD, middleware.CONTROL])
def test_every_other_stack_has_its_checks_in_the_same_order(stack: Stack) -> None:
    same: dict[Step, Step] = {find_subject_again: parse_path, handle: transact}
    places = [middleware.SIMULATED.steps.index(same.get(each, each)) for each in stack.steps]
    assert places == sorted(places)


def test_a_path_that_does_not_exist_names_the_nearest_one(world: World) -> None:
    response = client_of(world).call("GET", "/sample/v1/thing")
    assert response.json()["message"] == ("there is no operation at /sample/v1/thing; did you mean /sample/v1/things?")
    silent = client_of(world, echoes_input=False).call("GET", "/sample/v1/thing")
    assert silent.json()["message"] == "there is no operation at this path; did you mean /sample/v1/things?"


def test_a_method_that_a_path_does_not_have_is_answered_with_those_that_it_has(world: World) -> None:
    response = client_of(world).call("DELETE", "/sample/v1/things")
    assert response.headers["allow"] == "GET, HEAD, POST, OPTIONS"
    assert response.json()["message"] == "/things has GET, HEAD, POST, OPTIONS, not DELETE"


def test_a_bug_is_a_500_without_a_traceback(world: World, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_call: Call) -> Response:
        raise KeyError("secret")

    response = client_of(world, {"listThings": fail}).call("GET", "/sample/v1/things")
    assert (response.status, response.json()["code"]) == (500, "internal_error")
    assert "secret" not in response.text
    assert response.headers["x-request-id"] in caplog.text


def test_every_call_is_logged_with_its_response(send: Send, world: World) -> None:
    requests = [send(), send("right", key="k2"), send(path="/nowhere")]
    assert logged_statuses(world) == [200, 403, 404]
    assert len({response.headers["x-request-id"] for response in requests}) == 3


def test_a_dropped_connection_is_logged_without_a_response(world: World) -> None:
    def drop(_call: Call) -> Response:
        raise ConnectionDropped("crash")

    with pytest.raises(ConnectionError):
        client_of(world, {"listThings": drop}).call("GET", "/sample/v1/things")
    assert logged_statuses(world) == [None]


def test_a_refused_call_changes_nothing(world: World) -> None:
    def change_and_refuse(call: Call) -> Response:
        add_fault(call.state, {"id": "f1", "effect": {"status": 503}})
        raise InvalidState("too late")

    response = client_of(world, {"listThings": change_and_refuse}).call("GET", "/sample/v1/things")
    assert response.status == 409
    assert world.call_control("GET", "/faults")["faults"] == []


def test_a_repeated_call_is_answered_from_the_first_one(world: World) -> None:
    executed: list[Call] = []

    def copy_once(call: Call) -> Response:
        executed.append(call)
        return Response(201, {"copy": len(executed)})

    client = client_of(world, {"copyThing": copy_once})
    responses = [
        client.call("POST", "/sample/v1/things/7/copies", body=body, headers={"Idempotency-Key": "k1"})
        for body in ({"name": "a", "count": 1}, b'{"count": 1, "name": "a"}')
    ]
    assert [(response.status, response.body) for response in responses] == [(201, b'{"copy":1}\n')] * 2
    assert [response.headers.get("idempotent-replayed") for response in responses] == [None, "true"]
    assert len({response.headers["x-request-id"] for response in responses}) == 2
    assert len(executed) == 1


def test_a_refused_call_can_be_repeated_with_its_key(send: Send) -> None:
    assert send("state").status == 409
    response = send()
    assert response.json()["operation"] == "copyThing"
    assert "idempotent-replayed" not in response.headers


def test_an_error_that_a_handler_returns_is_not_stored(world: World) -> None:
    statuses = iter((409, 201))
    client = client_of(world, {"copyThing": lambda _call: Response(next(statuses), {})})
    sent: dict[str, Any] = {"body": {"name": "a"}, "headers": {"Idempotency-Key": "k1"}}
    assert [client.call("POST", "/sample/v1/things/7/copies", **sent).status for _ in range(3)] == [409, 201, 201]


def test_a_key_that_is_only_bound_goes_on_with_its_record(world: World) -> None:
    slots: list[int | None] = []

    def bind_and_drop(call: Call) -> Response:
        slots.append(call.bound_slot)
        call.bind(77, "things")
        call.state.commit_so_far()
        raise ConnectionDropped("crash")

    client = client_of(world, {"copyThing": bind_and_drop})
    for _ in range(2):
        with pytest.raises(ConnectionError):
            client.call("POST", "/sample/v1/things/7/copies", body={"name": "a"}, headers={"Idempotency-Key": "k1"})
    assert slots == [None, 77]


def test_a_deferred_response_is_finished_in_a_second_transaction(world: World) -> None:
    counts: list[int] = []

    def finish(state: Any) -> Response:
        counts.append(len(list(state[FAULTS])))
        return Response(201, {"done": True})

    def change_and_defer(call: Call) -> DeferredResponse:
        add_fault(call.state, {"id": "f1", "effect": {"status": 503}, "match": {"interface": "museum"}})
        return DeferredResponse(finish)

    client = client_of(world, {"copyThing": change_and_defer})
    sent: dict[str, Any] = {"body": {"name": "a"}, "headers": {"Idempotency-Key": "k1"}}
    assert [client.call("POST", "/sample/v1/things/7/copies", **sent).body for _ in range(2)] == [
        b'{"done":true}\n'
    ] * 2
    assert counts == [1]
