"""A client of server-sent events, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple

TIMEOUT_S = 60.0


class SentEvent(NamedTuple):
    """A server-sent event: its id, its name, and its data as JSON."""

    id: int
    event: str
    data: Any


class EventStream:
    """An open stream; its events come as the server sends them."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self.connection, self.response = connection, response

    def events(self) -> Iterator[SentEvent]:
        """Every event until the server ends the stream."""
        fields: dict[str, str] = {}
        while line := self.response.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
                continue
            if "data" in fields:
                yield SentEvent(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}

    def take(self, count: int) -> list[SentEvent]:
        """The next events."""
        events = self.events()
        return [next(events) for _ in range(count)]


@contextmanager
def event_stream(host: str, port: int, path: str, headers: Mapping[str, str] | None = None) -> Iterator[EventStream]:
    """Open a stream of server-sent events, which must be answered with 200."""
    connection = HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", path, headers={"Accept": "text/event-stream", **(headers or {})})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        yield EventStream(connection, response)
    finally:
        connection.close()
