"""Responses of receivers as they arrive: in whatever pieces, and written by whatever server."""

from __future__ import annotations

import socket
import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.courier.connection import NotHttp, PartialResponse, Reply
from giftsim.engine.webhooks.receiver_script import KEPT_BYTES
from tests.support.http_receiver import (
    OK_RESPONSE,
    FakeClocks,
    HttpReceiver,
    http_receiver,
    outcome_and_status,
    outgoing_request,
    running_courier,
)

OK = b"HTTP/1.1 200 OK\r\n"
LONG = b"x" * (KEPT_BYTES + 1)
WHOLE = {
    OK + b"Content-Length: 2\r\n\r\nok": Reply(200, b"ok", False, True),
    OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n": Reply(200, b"ok!", False, True),
    b"HTTP/1.1 503\r\nContent-Length: 0\r\n\r\n": Reply(503, b"", False, True),
    b"HTTP/1.1 204 No Content\r\n\r\n": Reply(204, b"", False, True),
    b"HTTP/1.1 100 On\r\n\r\nHTTP/1.1 103 Hint\r\nX: y\r\n\r\nHTTP/1.1 204 Done\r\n\r\n": Reply(204, b"", False, True),
    b"HTTP/1.1 101 On\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n": Reply(101, b"", False, False),
    OK + b"Content-Length: 0\r\nConnection: close\r\n\r\n": Reply(200, b"", False, False),
    OK + b"Content-Length: 2\r\n\r\nok and more": Reply(200, b"ok", False, False),
    OK + b"Content-Length: 2\r\n\r\nok" + OK + b"Content-Length: 0\r\n\r\n": Reply(200, b"ok", False, False),
    OK + b"Content-Length: %d\r\n\r\n" % len(LONG) + LONG: Reply(200, LONG[:-1], True, True),
    OK + b"X: y\r\n" * 300 + b"Content-Length: 0\r\n\r\n": Reply(200, b"", False, True),
    b"HTTP/1.0 200 OK\nContent-Length: 2\n\nok": Reply(200, b"ok", False, False),
}  # fmt: skip
UP_TO_THE_END = {
    OK + b"\r\nto the end": Reply(200, b"to the end", False, False),
    b"HTTP/1.0 500 Oh\n\n": Reply(500, b"", False, False),
}
CUT_SHORT = [
    b"",
    b"HTTP/1.1 2",
    OK,
    OK + b"Content-Length: 3\r\n\r\nok",
    OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nok",
    b"HTTP/1.1 100 Continue\r\n\r\n",
]


def fed(data: bytes, cuts: list[int]) -> PartialResponse:
    response = PartialResponse()
    for begin, end in pairwise([0, *sorted({cut % len(data) for cut in cuts} - {0}), len(data)]):
        response.feed(data[begin:end])
    return response


@given(st.sampled_from(list(WHOLE)), st.lists(st.integers(0, 10_000), max_size=6))
def test_a_response_is_the_same_in_whatever_pieces_it_arrives(data: bytes, cuts: list[int]) -> None:
    response = fed(data, cuts)
    assert response.is_complete
    assert response.reply() == WHOLE[data]


@given(st.sampled_from(list(UP_TO_THE_END)), st.lists(st.integers(0, 10_000), max_size=6))
def test_a_response_without_a_length_ends_with_its_connection(data: bytes, cuts: list[int]) -> None:
    response = fed(data, cuts)
    assert not response.is_complete
    response.end()
    assert response.reply() == UP_TO_THE_END[data]


@pytest.mark.parametrize("data", CUT_SHORT)
def test_a_response_that_breaks_off_is_none(data: bytes) -> None:
    response = PartialResponse()
    response.feed(data)
    with pytest.raises(ConnectionResetError):
        response.end()


@pytest.mark.parametrize("data", [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 huh\r\n\r\n", b"{}", b"HTTP/2 200\r\n\r\n"])
def test_what_is_not_http_is_refused(data: bytes) -> None:
    with pytest.raises(NotHttp):
        PartialResponse().feed(data)


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
