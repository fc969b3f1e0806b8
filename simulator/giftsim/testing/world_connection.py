"""The world's end of an HTTP/1.1 connection: bytes of requests in, bytes of responses out."""

from __future__ import annotations

from typing import NamedTuple

import h11

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.wsgi_app import STATUS_LINES
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.routing import Origin, origin_of, router_for
from giftsim.testing.transport import CallNotRouted

__tracebackhide__ = expected_errors
MAX_HEAD_BYTES = 1024 * 1024
HOP_BY_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})


class Request(NamedTuple):
    """A complete request as it was written to the connection."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes


class WorldConnection:
    """A connection to one origin. Any client that speaks HTTP/1.1 to a socket can speak to it."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
        self._head: h11.Request | None = None
        self._body: list[bytes] = []
        self._complete = False

    def receive(self, data: bytes) -> bool:
        """Take what the client writes; whether its request is complete."""
        self._http.receive_data(data)
        while not self._complete:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._head = event
            elif isinstance(event, h11.Data):
                self._body.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                self._complete = True
            else:  # NEED_DATA or PAUSED
                break
        return self._complete

    def continuation(self) -> bytes:
        """The interim response for which the client waits before it sends a body; empty if it does not wait."""
        if not self._http.they_are_waiting_for_100_continue:
            return b""
        return self._http.send(h11.InformationalResponse(status_code=100, headers=[])) or b""

    def respond(self, timeout_s: float | None) -> bytes:
        """Call the world; the bytes of its response. ConnectionError or TimeoutError if there is none."""
        request = self._take()
        url = request.target if origin_of(request.target) else f"{self._origin}{request.target}"
        router = router_for(url)
        if router is None:
            raise CallNotRouted(f"{request.method} {url} was not sent: its route to a world has ended")
        response = router.send(request.method, url, request.headers, request.body, timeout_s)
        return self._serialized(response)

    def _take(self) -> Request:
        if self._head is None or not self._complete:
            raise ConnectionError("the request is not complete")
        head, body = self._head, b"".join(self._body)
        self._head, self._body, self._complete = None, [], False
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers.raw_items()]
        return Request(head.method.decode("ascii"), head.target.decode("latin-1"), headers, body)

    def _serialized(self, response: Response) -> bytes:
        reason = STATUS_LINES.get(response.status, f"{response.status} Status")[4:].encode()
        headers = [(name, value) for name, value in response.fields() if name.lower() not in HOP_BY_HOP]
        head = h11.Response(status_code=response.status, headers=headers, reason=reason)
        parts = [self._http.send(head), self._http.send(h11.Data(response.body)), self._http.send(h11.EndOfMessage())]
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        return b"".join(part for part in parts if part)
