"""The courier with many requests at once: 16 together, 4 per endpoint, in order, ended at once when closed (G23)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from giftsim.courier import Courier, CourierClosed
from tests.raw_receiver import GOOD, Hands, Receiver, always, at_work, outgoing, receiving, silent, told


@pytest.fixture
def courier() -> Iterator[Courier]:
    with at_work(Hands()) as courier:
        yield courier


def test_a_batch_comes_back_in_its_order(courier: Courier) -> None:
    def by_path(connection: socket.socket, receiver: Receiver) -> None:
        while (body := receiver.read(connection)) is not None:
            connection.sendall(b"HTTP/1.1 %s X\r\nContent-Length: 0\r\n\r\n" % body)

    with receiving(by_path) as receiver:
        statuses = [200 + n % 350 for n in range(120)]
        batch = [
            outgoing(receiver.port, body=str(status).encode(), endpoint=n % 7) for n, status in enumerate(statuses)
        ]
        assert [outcome.status for outcome in courier.send_all(batch)] == statuses
    assert courier.send_all([]) == []


@pytest.mark.parametrize(("endpoints", "together"), [(1, 4), (2, 8), (30, 16)])
def test_sixteen_leave_together_and_four_for_one_endpoint(courier: Courier, endpoints: int, together: int) -> None:
    def meet(connection: socket.socket, receiver: Receiver) -> None:
        while receiver.read(connection) is not None:
            with receiver.lock:
                receiver.now += 1
                receiver.most = max(receiver.most, receiver.now)
            if receiver.most >= together:
                receiver.gate.set()
            receiver.gate.wait(5)
            with receiver.lock:
                receiver.now -= 1
            connection.sendall(GOOD)

    with receiving(meet) as receiver:
        batch = [outgoing(receiver.port, endpoint=n % endpoints) for n in range(60)]
        outcomes = courier.send_all(batch)
        assert {told(outcome) for outcome in outcomes} == {("delivered", 200)}
        assert receiver.most == together


def test_an_endpoint_that_takes_one_at_a_time_hears_them_in_order(courier: Courier) -> None:
    bodies = [str(n).encode() for n in range(40)]
    with receiving(always(GOOD)) as receiver:
        courier.send_all([outgoing(receiver.port, body=body, at_once=1) for body in bodies])
        assert [request.partition(b"\r\n\r\n")[2] for request in receiver.requests] == bodies


def test_a_slow_endpoint_does_not_hold_up_the_others(courier: Courier) -> None:
    with receiving(silent) as slow, receiving(always(GOOD)) as quick:
        batch = [outgoing(slow.port, endpoint=0, timeout_s=0.4) for _ in range(4)]
        batch += [outgoing(quick.port, endpoint=1) for _ in range(40)]
        outcomes = courier.send_all(batch)
    assert [outcome.outcome for outcome in outcomes] == ["timeout"] * 4 + ["delivered"] * 40
    assert max(outcome.took_s for outcome in outcomes[4:]) < 0.4


def test_closing_ends_what_is_under_way_and_says_that_nothing_is_known(courier: Courier) -> None:
    with receiving(silent) as receiver:
        ended: list[BaseException] = []

        def send() -> None:
            try:
                courier.send_all([outgoing(receiver.port, endpoint=n) for n in range(3)])
            except CourierClosed as error:
                ended.append(error)

        thread = threading.Thread(target=send)
        thread.start()
        while len(receiver.requests) < 3:
            receiver.gate.wait(0.01)
        courier.close()
        thread.join(2)
        assert not thread.is_alive()
        assert len(ended) == 1
    with pytest.raises(CourierClosed):
        courier.send(outgoing(receiver.port))
