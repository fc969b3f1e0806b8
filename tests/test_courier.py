"""The courier against real sockets that misbehave: P-6.16, P-6.17, and never twice without saying so."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from giftsim.courier import MAX_IDLE_S, MAX_RESPONSE_BYTES, Courier
from giftsim.webhooks.signature import verify
from tests.claims import claims
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


@pytest.fixture
def hands() -> FakeClocks:
    return FakeClocks()


@pytest.fixture
def courier(hands: FakeClocks) -> Iterator[Courier]:
    with running_courier(hands) as courier:
        yield courier


def test_the_exact_body_arrives_under_the_public_name_signed_at_the_wall_clock(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        outcome = courier.send(outgoing_request(receiver.port))
    (request,) = receiver.requests
    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    assert body == BODY
    assert lines[0] == "POST /gifts?from=us HTTP/1.1"
    assert lines[1] == "Host: hooks.partner.example"
    signature = next(line for line in lines if line.startswith("X-Service-Signature: ")).partition(": ")[2]
    assert verify(SECRET, signature, body, 1_900_000_000, tolerance=0)
    assert (outcome_and_status(outcome), outcome.signed_s) == (("delivered", 200), 1_900_000_000)


def test_the_world_s_clock_signs_where_it_is_told_to(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        assert courier.send(outgoing_request(receiver.port, sign_s=5)).signed_s == 5
        assert b"X-Service-Signature: t=5,v1=" in receiver.requests[0]


@claims("P-6.16")
@pytest.mark.parametrize("status", [201, 204, 299, 301, 302, 307, 400, 404, 410, 429, 500, 503])
def test_only_2xx_counts_and_nothing_is_followed(courier: Courier, status: int) -> None:
    answer = f"HTTP/1.1 {status} X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".encode()
    with http_receiver(respond_always(answer)) as receiver:
        outcome = courier.send(outgoing_request(receiver.port))
        assert outcome_and_status(outcome) == ("delivered" if status < 300 else "http_status", status)
        assert len(receiver.requests) == 1


def test_connections_are_kept_and_used_again(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        for _ in range(5):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert (receiver.connections, len(receiver.requests)) == (1, 5)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + OK_RESPONSE,
    ],
)
def test_any_complete_answer_leaves_the_connection_usable(courier: Courier, answer: bytes) -> None:
    with http_receiver(respond_always(answer)) as receiver:
        for _ in range(2):
            assert courier.send(outgoing_request(receiver.port)).outcome == "delivered"
        assert receiver.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nbye",
        OK_RESPONSE + b"something nobody asked for",
    ],
)
def test_a_connection_that_ends_or_is_out_of_step_is_not_used_again(courier: Courier, answer: bytes) -> None:
    with http_receiver(respond_once(answer)) as receiver:
        for _ in range(2):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert receiver.connections == len(receiver.requests) == 2


def test_a_server_that_hangs_up_on_idle_connections_gets_every_request_once(courier: Courier) -> None:
    with http_receiver(respond_once(OK_RESPONSE)) as receiver:
        for _ in range(20):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert len(receiver.requests) == 20


def test_a_connection_that_was_idle_for_long_is_not_trusted(courier: Courier, hands: FakeClocks) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        courier.send(outgoing_request(receiver.port))
        hands.ahead_s += MAX_IDLE_S + 0.1
        courier.send(outgoing_request(receiver.port))
        assert receiver.connections == 2


def test_what_may_have_been_understood_is_never_sent_again_by_itself(courier: Courier) -> None:
    def second_is_lost(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.read(connection)
        connection.sendall(OK_RESPONSE)
        receiver.read(connection)

    with http_receiver(second_is_lost) as receiver:
        outcomes = [outcome_and_status(courier.send(outgoing_request(receiver.port))) for _ in range(2)]
        assert outcomes == [("delivered", 200), ("connection_reset", None)]
        assert (receiver.connections, len(receiver.requests)) == (1, 2)


def test_nobody_at_the_port_is_a_refusal(courier: Courier) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
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
        respond_once(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"),
        respond_once(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"),
    ],
)
def test_what_breaks_off_or_is_no_http_is_a_reset(courier: Courier, behave: Behaviour) -> None:
    with http_receiver(behave) as receiver:
        assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("connection_reset", None)


@claims("P-6.17")
@pytest.mark.parametrize(
    "behave",
    [
        never_respond,
        drip_bytes(b""),
        drip_bytes(b"HTTP/1.1 200 OK\r\nX-Long: "),
        drip_bytes(b"HTTP/1.1 200 OK\r\n\r\n"),
    ],
)
def test_one_deadline_holds_for_the_whole_exchange_however_it_is_dragged_out(
    courier: Courier, behave: Behaviour
) -> None:
    with http_receiver(behave) as receiver:
        outcome = courier.send(outgoing_request(receiver.port, timeout_s=0.3))
        assert outcome_and_status(outcome) == ("timeout", None)
        assert 0.25 < outcome.took_s < 2


def test_a_receiver_that_does_not_read_runs_into_the_deadline(courier: Courier) -> None:
    def deaf(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.released.wait(10)

    with http_receiver(deaf) as receiver:
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
def test_an_endless_answer_is_read_up_to_a_bound_and_counts_by_its_status(courier: Courier, head: bytes) -> None:
    def endless(connection: socket.socket, receiver: HttpReceiver) -> None:
        receiver.read(connection)
        connection.sendall(head)
        while True:
            connection.sendall(b"x" * MAX_RESPONSE_BYTES)

    with http_receiver(endless) as receiver:
        for _ in range(2):
            assert outcome_and_status(courier.send(outgoing_request(receiver.port))) == ("delivered", 200)
        assert receiver.connections == 2


def test_a_name_that_leads_nowhere_or_to_a_forbidden_place_is_not_called(hands: FakeClocks) -> None:
    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        if host == "nowhere":
            raise socket.gaierror("no such name")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", port))]

    courier = Courier(wall=hands.wall, monotonic=hands.monotonic, resolve=resolve)
    assert outcome_and_status(courier.send(outgoing_request(80, to="http://nowhere:80"))) == ("dns_error", None)
    assert outcome_and_status(courier.send(outgoing_request(80, to="http://app:80"))) == ("blocked_address", None)


def test_faults_on_signatures_reach_the_wire(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        courier.send(outgoing_request(receiver.port, effect="stale_signature"))
        assert b"X-Service-Signature: t=1899999400,v1=" in receiver.requests[0]


def test_two_places_do_not_share_connections(courier: Courier) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as one, http_receiver(respond_always(OK_RESPONSE)) as other:
        for receiver in (one, other, one, other):
            courier.send(outgoing_request(receiver.port))
        assert (one.connections, other.connections) == (1, 1)
        assert (len(one.requests), len(other.requests)) == (2, 2)
