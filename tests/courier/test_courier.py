"""The courier against real sockets: outcomes, time-outs, connection reuse, and no silent resending (P-6.16, P-6.17)."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from giftsim.engine.courier.connection import MAX_RESPONSE_BYTES
from giftsim.engine.courier.courier import MAX_IDLE_S, Courier
from tests.shows import shows
from tests.support.http_receiver import (  # fmt: skip
    BODY,
    OK_RESPONSE,
    SECRET,
    Behaviour,
    FakeClocks,
    HttpReceiver,
    drip_bytes,
    hang_up,
    http_receiver,
    never_respond,
    outcome_and_status,
    outgoing_request,
    reset_connection,
    respond_always,
    respond_once,
    running_courier,
)
from tests.support.signatures import verifies


@pytest.fixture
def clocks() -> FakeClocks:
    return FakeClocks()


@pytest.fixture
def courier(clocks: FakeClocks) -> Iterator[Courier]:
    with running_courier(clocks) as courier:
        yield courier


def test_the_request_has_the_exact_body_the_public_host_and_a_signature_of_the_system_time(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        outcome = courier.send(outgoing_request(receiver.port))
    (request,) = receiver.requests
    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    assert body == BODY
    assert lines[0] == "POST /gifts?from=us HTTP/1.1"
    assert lines[1] == "Host: hooks.partner.example"
    signature = next(line for line in lines if line.startswith("X-Service-Signature: ")).partition(": ")[2]
    assert verifies(SECRET, signature, body, 1_900_000_000, tolerance=0)
    assert (outcome_and_status(outcome), outcome.signed_s) == (("delivered", 200), 1_900_000_000)


def test_a_given_signature_time_is_used(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        assert courier.send(outgoing_request(receiver.port, sign_s=5)).signed_s == 5
        assert b"X-Service-Signature: t=5,v1=" in receiver.requests[0]


@shows("P-6.16")
@pytest.mark.parametrize("status", [201, 204, 299, 301, 302, 307, 400, 404, 410, 429, 500, 503])
def test_only_2xx_is_delivered_and_redirects_are_not_followed(courier: Courier, status: int) -> None:
    response = f"HTTP/1.1 {status} X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".encode()
    with http_receiver(respond_always(response)) as receiver:
        outcome = courier.send(outgoing_request(receiver.port))
        assert outcome_and_status(outcome) == ("delivered" if status < 300 else "http_status", status)
        assert len(receiver.requests) == 1


def test_connections_are_reused(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        for _ in range(5):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert (receiver.connections, len(receiver.requests)) == (1, 5)


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + OK_RESPONSE,
    ],
)
def test_a_connection_is_reused_after_any_complete_response(courier: Courier, response: bytes) -> None:
    with http_receiver(respond_always(response)) as receiver:
        for _ in range(2):
            assert courier.send(outgoing_request(receiver.port)).outcome == "delivered"
        assert receiver.connections == 1


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nbye",
        OK_RESPONSE + b"unexpected data",
    ],
)
def test_a_closed_or_unsynchronized_connection_is_not_reused(courier: Courier, response: bytes) -> None:
    with http_receiver(respond_once(response)) as receiver:
        for _ in range(2):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert receiver.connections == len(receiver.requests) == 2


def test_a_server_that_closes_idle_connections_gets_every_request_once(courier: Courier) -> None:
    with http_receiver(respond_once(OK_RESPONSE)) as receiver:
        for _ in range(20):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert len(receiver.requests) == 20


def test_a_long_idle_connection_is_not_reused(courier: Courier, clocks: FakeClocks) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        courier.send(outgoing_request(receiver.port))
        clocks.ahead_s += MAX_IDLE_S + 0.1
        courier.send(outgoing_request(receiver.port))
        assert receiver.connections == 2


def test_a_request_that_may_have_been_received_is_not_resent(courier: Courier) -> None:
    def drop_second_request(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.read(connection)
        connection.sendall(OK_RESPONSE)
        receiver.read(connection)

    with http_receiver(drop_second_request) as receiver:
        outcomes = [outcome_and_status(courier.send(outgoing_request(receiver.port))) for _ in range(2)]
        assert outcomes == [("delivered", 200), ("connection_reset", None)]
        assert (receiver.connections, len(receiver.requests)) == (1, 2)


def test_a_closed_port_is_connection_refused(courier: Courier) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert outcome_and_status(courier.send(outgoing_request(port))) == ("connection_refused", None)


@pytest.mark.parametrize(
    "behave",
    [
        hang_up,
        reset_connection,
        respond_once(b"SSH-2.0-OpenSSH_9.9\r\n"),
        respond_once(b"HTTP/1.1 huh\r\n\r\n"),
        respond_once(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
        respond_once(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        respond_once(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
        respond_once(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"),
        drip_bytes(b""),
    ],
)
def test_an_incomplete_or_invalid_response_is_connection_reset(courier: Courier, behave: Behaviour) -> None:
    with http_receiver(behave) as receiver:
        assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("connection_reset", None)


@shows("P-6.17")
@pytest.mark.parametrize(
    "behave",
    [
        never_respond,
        drip_bytes(b"HTTP/1.1 200 "),
        drip_bytes(b"HTTP/1.1 200 OK\r\nX-Long: "),
        drip_bytes(b"HTTP/1.1 200 OK\r\n\r\n"),
    ],
)
def test_the_time_out_covers_the_whole_exchange(courier: Courier, behave: Behaviour) -> None:
    with http_receiver(behave) as receiver:
        outcome = courier.send(outgoing_request(receiver.port, timeout_s=0.3))
        assert outcome_and_status(outcome) == ("timeout", None)
        assert 0.25 < outcome.took_s < 2


def test_a_receiver_that_does_not_read_times_out(courier: Courier) -> None:
    def ignore_request(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.released.wait(10)

    with http_receiver(ignore_request) as receiver:
        outcome = courier.send(outgoing_request(receiver.port, body=b"x" * 20_000_000, timeout_s=0.3))
        assert outcome_and_status(outcome) == ("timeout", None)


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3b9ac9ff\r\n",
    ],
)
def test_an_endless_response_is_read_up_to_a_limit_and_judged_by_its_status(courier: Courier, head: bytes) -> None:
    def respond_endlessly(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.read(connection)
        connection.sendall(head)
        while True:
            connection.sendall(b"x" * MAX_RESPONSE_BYTES)

    with http_receiver(respond_endlessly) as receiver:
        for _ in range(2):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert receiver.connections == 2


def test_headers_beyond_the_limit_make_no_response(courier: Courier) -> None:
    lines = b"".join(b"X-%d: %b\r\n" % (n, b"x" * (MAX_RESPONSE_BYTES // 2)) for n in range(3))
    with http_receiver(respond_always(b"HTTP/1.1 200 OK\r\n" + lines + b"Content-Length: 0\r\n\r\n")) as receiver:
        assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("connection_reset", None)


def test_an_unresolvable_host_or_blocked_address_is_not_called(clocks: FakeClocks) -> None:
    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        if host == "nowhere":
            raise socket.gaierror("no such name")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", port))]

    allowed = ("nowhere", "app")
    courier = Courier(clocks.system()._replace(resolve=resolve), forward_allow=allowed)
    assert outcome_and_status(courier.send(outgoing_request(80, to="http://nowhere:80"))) == ("dns_error", None)
    assert outcome_and_status(courier.send(outgoing_request(80, to="http://app:80"))) == ("blocked_address", None)


def test_what_is_not_allowed_is_not_even_resolved(clocks: FakeClocks) -> None:
    resolved: list[str] = []

    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        resolved.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        allowed = (f"app:{receiver.port}",)
        courier = Courier(clocks.system()._replace(resolve=resolve), forward_allow=allowed)
        outcomes = [
            outcome_and_status(courier.send(outgoing_request(receiver.port, to=f"http://{host}")))
            for host in (f"app:{receiver.port}", "app:1", f"other:{receiver.port}", "10.0.0.1:80")
        ]
        courier.close()
    assert outcomes == [("delivered", 200), *[("blocked_address", None)] * 3]
    assert resolved == ["app"]


@pytest.mark.parametrize(
    ("address", "outcome"), [("127.0.0.1", ("delivered", 200)), ("10.0.0.1", ("blocked_address", None))]
)
def test_localhost_is_a_target_that_leads_only_to_loopback(
    clocks: FakeClocks, address: str, outcome: tuple[str, int | None]
) -> None:
    def resolve(_host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        courier = Courier(clocks.system()._replace(resolve=resolve))
        sent = courier.send(outgoing_request(receiver.port, to=f"http://localhost:{receiver.port}"))
        courier.close()
    assert outcome_and_status(sent) == outcome


def test_signature_faults_change_the_request(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        courier.send(outgoing_request(receiver.port, effect="stale_signature"))
        assert b"X-Service-Signature: t=1899999400,v1=" in receiver.requests[0]


def test_two_origins_do_not_share_connections(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as one, http_receiver(respond_always(OK_RESPONSE)) as other:
        for receiver in (one, other, one, other):
            courier.send(outgoing_request(receiver.port))
        assert (one.connections, other.connections) == (1, 1)
        assert (len(one.requests), len(other.requests)) == (2, 2)
