"""A connection that is kept for the next request, and breaks in the middle of it."""

from __future__ import annotations

import socket
import struct

from tests.support.http_receiver import (
    OK_RESPONSE,
    FakeClocks,
    HttpReceiver,
    http_receiver,
    outcome_and_status,
    outgoing_request,
    running_courier,
)

PATIENCE_S = 10.0


def test_a_request_that_breaks_a_kept_connection_half_way_is_sent_over_a_new_one() -> None:
    body = b"x" * 16_000_000  # more than the buffers of both sides hold

    def reset_the_second_request(connection: socket.socket, receiver: HttpReceiver) -> None:
        if receiver.connections == 1:
            receiver.read(connection)
            connection.sendall(OK_RESPONSE)
            connection.recv(100)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        left = len(body)
        while left > 0:
            left -= len(connection.recv(1 << 20))
        connection.sendall(OK_RESPONSE)
        receiver.released.wait(PATIENCE_S)

    with running_courier(FakeClocks()) as courier, http_receiver(reset_the_second_request) as receiver:
        for each in (b"small", body):
            outcome = courier.send(outgoing_request(receiver.port, body=each))
            assert outcome_and_status(outcome) == ("delivered", 200)
        assert receiver.connections == 2
