"""Access to the control API (G20)."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.control.access import Access, is_own_host
from giftsim.engine.gateway.wsgi_app import WsgiApp
from tests.support.responses import status_and_code
from tests.support.worlds import World

HEALTH = "/_sim/v1/health"


@pytest.fixture(scope="module")
def bound() -> Iterator[Simulator]:
    """A simulator on loopback with one more host name."""
    simulator = Simulator(fixture="bare", access=Access(host_names=("Sim.Example.org",)))
    yield simulator
    simulator.close()


@pytest.fixture(scope="module")
def guarded() -> Iterator[Simulator]:
    """A simulator with a control token."""
    simulator = Simulator(fixture="bare", access=Access(token="let me in"))
    yield simulator
    simulator.close()


def get(simulator: Simulator, path: str = HEALTH, **headers: str) -> Response:
    """Send a GET request through the in-process client."""
    return simulator.client.call("GET", path, headers=headers)


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "LOCALHOST", "sim.localhost:1", "127.0.0.1:8080", "127.9.9.9", "[::1]", "[::1]:80"],
)
def test_names_of_this_machine_are_own_hosts(host: str) -> None:
    assert is_own_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "127.1",
        "128.0.0.1",
        "[::2]",
        "localhost:port",
        "localhost evil.example",
        "xlocalhost",
        "user@localhost",
        "169.254.169.254",
    ],
)
def test_other_names_are_not_own_hosts(host: str) -> None:
    assert not is_own_host(host)


def test_a_foreign_host_is_refused(bound: Simulator) -> None:
    response = get(bound, Host="evil.example")
    assert status_and_code(response) == (403, "foreign_host")


def test_an_added_host_name_is_accepted(bound: Simulator) -> None:
    assert get(bound, Host="sim.example.org:8080").status == 200


def test_a_page_of_another_origin_is_refused(bound: Simulator) -> None:
    for origin in (
        "https://evil.example",
        "null",
        "http://localhost:3000",
        "http://localhost:8080.evil.example",
        "http://[",
    ):
        response = get(bound, Host="localhost:8080", Origin=origin)
        assert status_and_code(response) == (403, "foreign_origin"), origin


def test_a_page_of_the_same_origin_may_call(bound: Simulator) -> None:
    assert get(bound, Host="localhost:8080", Origin="http://localhost:8080").status == 200


def test_a_refused_caller_changes_nothing(bound: Simulator) -> None:
    response = bound.client.call("POST", "/_sim/v1/worlds", body={"id": "foreign"}, headers={"Host": "evil.example"})
    assert response.status == 403
    assert "foreign" not in bound.registry.worlds


def test_the_simulated_interfaces_accept_any_host(bound: Simulator) -> None:
    key = "Bearer pk_live_default_prepaid"
    assert get(bound, "/api/external/team-orders", Host="evil.example", Authorization=key).status == 200


def test_every_caller_over_a_socket_needs_the_token(guarded: Simulator) -> None:
    app = WsgiApp(guarded.registry, guarded.wsgi_app.interfaces, guarded._make_pages)
    assert wsgi_status(app) == 401
    assert wsgi_status(app, Authorization="Bearer let me out") == 401
    assert wsgi_status(app, Authorization="Basic let me in") == 401
    assert wsgi_status(app, Authorization="Bearer let me in") == 200
    assert (
        wsgi_status(app, Authorization="bearer let me in", Host="sim.example.org", Origin="https://app.example") == 200
    )


def wsgi_status(app: WsgiApp, **headers: str) -> int:
    """The status of a health call that does not come from the in-process client."""
    status: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": HEALTH, "QUERY_STRING": "", "wsgi.input": io.BytesIO(),
        **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
    }  # fmt: skip
    app(environ, lambda line, _: status.append(line))
    return int(status[0][:3])


def test_the_in_process_client_needs_no_token_but_an_own_host(guarded: Simulator) -> None:
    assert get(guarded).status == 200
    assert get(guarded, Host="evil.example").status == 403


def test_the_error_for_an_unknown_name_names_the_nearest_one(world: World) -> None:
    base = f"/worlds/{world.id}"
    cases = [
        ("POST", "/worlds", {"sed": 1}, "did you mean seed?"),
        (
            "POST",
            "/worlds",
            {"clock": {"mode": "running", "rat": 2}},
            "clock: unknown member 'rat'; did you mean rate?",
        ),
        ("POST", f"{base}/faults", {"effect": {"hold": True}, "wen": {}}, "did you mean when?"),
        ("PUT", f"{base}/receivers/h.example", {"script": [{"outage": {}}]}, "'outage'; write it beside script"),
        ("POST", f"{base}/faults", {"effect": {"hold": True, "when": {}}}, "'when'; write it beside effect"),
        ("POST", f"{base}/faults", {"effect": {}, "when": {"frist": 1}}, "did you mean first?"),
        ("POST", f"{base}/clock/advance", {"bye": "1d"}, "did you mean by?"),
        ("GET", "/worlds?limt=1", None, "did you mean limit?"),
        ("GET", f"{base}/delivries", None, "/deliveries?"),
    ]
    for method, path, body, message in cases:
        response = world.control.call(method, path, body)
        assert response.status in (400, 404), path
        assert message in response.json()["error"]["message"]


def test_the_error_for_an_invalid_value_says_what_is_accepted(world: World) -> None:
    response = world.control.post("/worlds", {"seed": "stale"})
    assert response.json()["error"]["message"] == "seed takes a whole number from 0 or the word fresh, not 'stale'"
    assert world.control.post("/worlds", {"now": "tomorrow"}).status == 400
    with_rate = world.control.post("/worlds", {"clock": {"mode": "manual", "rate": 2}})
    assert with_rate.status == 400
    assert with_rate.json()["error"]["message"] == "rate: a clock with mode manual has no rate; use mode running"
    assert world.control.post("/worlds", {"clock": {"mode": "running", "rate": 0}}).status == 400


@pytest.mark.parametrize("path", ["/orders?limit=0", "/orders?limit=x", "/journal?after=-1"])
def test_details_of_an_invalid_parameter_are_left_out(world: World, path: str) -> None:
    refused = world.control.get(f"/worlds/{world.id}{path}")
    assert (refused.status, refused.json()["error"]["code"]) == (400, "invalid_parameter")
    assert "details" not in refused.json()["error"]
