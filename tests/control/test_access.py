"""Who may call the control plane (G20)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.control.access import Access, is_own_host
from giftsim.gateway.in_process_client import Response

HEALTH = "/_sim/v1/health"


@pytest.fixture(scope="module")
def bound() -> Iterator[Simulator]:
    """A simulator that is bound to loopback, under one further name."""
    simulator = Simulator(fixture="bare", access=Access(host_names=("Sim.Example.org",)))
    yield simulator
    simulator.close()


@pytest.fixture(scope="module")
def guarded() -> Iterator[Simulator]:
    """A simulator that is bound elsewhere and has a token."""
    simulator = Simulator(fixture="bare", access=Access(token="let me in"))
    yield simulator
    simulator.close()


def asked(simulator: Simulator, path: str = HEALTH, **headers: str) -> Response:
    """A call as it comes over a socket, without the mark of the client library."""
    return simulator.client.call("GET", path, headers=headers)


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "LOCALHOST", "sim.localhost:1", "127.0.0.1:8080", "127.9.9.9", "[::1]", "[::1]:80"],
)
def test_names_of_this_machine_are_its_own(host: str) -> None:
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
def test_other_names_are_foreign(host: str) -> None:
    assert not is_own_host(host)


def test_a_foreign_host_is_refused(bound: Simulator) -> None:
    answer = asked(bound, Host="evil.example")
    assert (answer.status, answer.json()["error"]["code"]) == (403, "foreign_host")


def test_a_host_name_that_was_added_is_own(bound: Simulator) -> None:
    assert asked(bound, Host="sim.example.org:8080").status == 200


def test_a_page_of_another_origin_is_refused(bound: Simulator) -> None:
    for origin in ("https://evil.example", "null", "http://localhost:3000", "http://localhost:8080.evil.example"):
        answer = asked(bound, Host="localhost:8080", Origin=origin)
        assert (answer.status, answer.json()["error"]["code"]) == (403, "foreign_origin"), origin


def test_its_own_pages_may_call(bound: Simulator) -> None:
    assert asked(bound, Host="localhost:8080", Origin="http://localhost:8080").status == 200


def test_a_refused_caller_changes_nothing(bound: Simulator) -> None:
    answer = bound.client.call("POST", "/_sim/v1/worlds", body={"id": "foreign"}, headers={"Host": "evil.example"})
    assert answer.status == 403
    assert "foreign" not in bound.registry.worlds


def test_the_modelled_interfaces_take_any_host(bound: Simulator) -> None:
    key = "Bearer pk_live_default_prepaid"
    assert asked(bound, "/api/external/team-orders", Host="evil.example", Authorization=key).status == 200


def test_with_a_token_every_caller_over_a_socket_needs_it(guarded: Simulator) -> None:
    from giftsim.gateway.wsgi_app import WsgiApp

    def told(**headers: str) -> int:
        return socket_call(WsgiApp(guarded.registry, guarded.interfaces, guarded._make_pages), **headers)

    assert told() == 401
    assert told(Authorization="Bearer let me out") == 401
    assert told(Authorization="Basic let me in") == 401
    assert told(Authorization="Bearer let me in") == 200
    assert told(Authorization="bearer let me in", Host="sim.example.org", Origin="https://app.example") == 200


def socket_call(wsgi_app: object, **headers: str) -> int:
    """The status of a health call without the client library."""
    import io

    status: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": HEALTH, "QUERY_STRING": "", "wsgi.input": io.BytesIO(),
        **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
    }  # fmt: skip
    wsgi_app(environ, lambda line, _: status.append(line))  # type: ignore[operator]
    return int(status[0][:3])


def test_in_process_the_client_librarys_name_is_own_and_no_token_is_needed(guarded: Simulator) -> None:
    assert asked(guarded).status == 200
    assert asked(guarded, Host="evil.example").status == 403
