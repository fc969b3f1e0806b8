"""Batches of the courier: 16 requests at once, 4 per receiver, in order, and ended at once when closed (G23)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from giftsim.engine.courier.courier import Courier, CourierClosed, SendGroup
from tests.support.http_receiver import (
    OK_RESPONSE,
    FakeClocks,
    HttpReceiver,
    http_receiver,
    never_respond,
    outcome_and_status,
    outgoing_request,
    respond_always,
    running_courier,
)
from tests.support.waiting import wait_until


@pytest.fixture
def courier() -> Iterator[Courier]:
    with running_courier(FakeClocks()) as courier:
        yield courier


def test_outcomes_are_in_the_order_of_the_batch(courier: Courier) -> None:
    def by_path(connection: socket.socket, receiver: HttpReceiver) -> None:
        while (body := receiver.read(connection)) is not None:
            connection.sendall(b"HTTP/1.1 %s X\r\nContent-Length: 0\r\n\r\n" % body)

    with http_receiver(by_path) as receiver:
        statuses = [200 + n % 350 for n in range(120)]
        batch = [
            outgoing_request(receiver.port, body=str(status).encode(), endpoint=n % 7)
            for n, status in enumerate(statuses)
        ]
        assert [outcome.status for outcome in courier.send_all(batch)] == statuses
    assert courier.send_all([]) == []


@pytest.mark.parametrize(("receivers", "at_once"), [(1, 4), (2, 8), (6, 16)])
def test_at_most_sixteen_requests_run_at_once_and_four_per_receiver(
    courier: Courier, receivers: int, at_once: int
) -> None:
    def count_in_flight(connection: socket.socket, of: HttpReceiver) -> None:
        while of.read(connection) is not None:
            with receiver.lock:
                receiver.in_flight += 1
                receiver.peak = max(receiver.peak, receiver.in_flight)
            if receiver.peak >= at_once:
                receiver.released.set()
            receiver.released.wait(60)
            with receiver.lock:
                receiver.in_flight -= 1
            connection.sendall(OK_RESPONSE)

    with ExitStack() as stack:
        ports = [stack.enter_context(http_receiver(count_in_flight)) for _ in range(receivers)]
        receiver = ports[0]  # counts for all
        batch = [outgoing_request(ports[n % receivers].port, at_once=9, endpoint=n) for n in range(60)]
        outcomes = courier.send_all(batch)
        assert {outcome_and_status(outcome) for outcome in outcomes} == {("delivered", 200)}
        assert receiver.peak == at_once


def test_the_endpoints_of_a_receiver_get_their_requests_in_one_order(courier: Courier) -> None:
    bodies = [str(n).encode() for n in range(40)]
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        courier.send_all([outgoing_request(receiver.port, body=body, endpoint=int(body) % 3) for body in bodies])
        assert [request.partition(b"\r\n\r\n")[2] for request in receiver.requests] == bodies


def test_a_slow_endpoint_does_not_delay_others(courier: Courier) -> None:
    with http_receiver(never_respond) as slow, http_receiver(respond_always(OK_RESPONSE)) as quick:
        batch = [outgoing_request(slow.port, endpoint=0, at_once=4, timeout_s=2) for _ in range(4)]
        batch += [outgoing_request(quick.port, endpoint=1) for _ in range(40)]
        outcomes = courier.send_all(batch)
    assert [outcome.outcome for outcome in outcomes] == ["timeout"] * 4 + ["delivered"] * 40
    assert max(outcome.took_s for outcome in outcomes[4:]) < 2


def test_closing_ends_requests_in_flight_with_courier_closed(courier: Courier) -> None:
    with http_receiver(never_respond) as receiver:
        errors: list[BaseException] = []

        def send() -> None:
            try:
                courier.send_all([outgoing_request(receiver.port, endpoint=n, at_once=3) for n in range(3)])
            except CourierClosed as error:
                errors.append(error)

        thread = threading.Thread(target=send)
        thread.start()
        wait_until(lambda: len(receiver.requests) == 3)
        courier.close()
        thread.join(20)
        assert not thread.is_alive()
        assert len(errors) == 1
    with pytest.raises(CourierClosed):
        courier.send(outgoing_request(receiver.port))


def test_ending_a_group_ends_its_requests_alone(courier: Courier) -> None:
    ended, other = SendGroup(), SendGroup()
    with http_receiver(never_respond) as hanging:
        errors: list[BaseException] = []

        def send() -> None:
            try:
                courier.send_all([outgoing_request(hanging.port, at_once=4) for _ in range(9)], ended)
            except CourierClosed as error:
                errors.append(error)

        thread = threading.Thread(target=send)
        thread.start()
        wait_until(lambda: len(hanging.requests) == 4)
        courier.end(ended)
        thread.join(20)
        assert not thread.is_alive()
        assert (len(errors), len(hanging.requests)) == (1, 4)
    with http_receiver(respond_always(OK_RESPONSE)) as receiver:
        with pytest.raises(CourierClosed):
            courier.send(outgoing_request(receiver.port), ended)
        assert receiver.requests == []
        assert outcome_and_status(courier.send(outgoing_request(receiver.port), other)) == ("delivered", 200)
