"""HTTP calls of the soak on kept connections: timed, and judged when they end without an answer or with a 5xx."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple

from giftsim.engine.client.response import Response
from tools.soak.findings import BROKEN, SERVER_ERROR, Findings
from tools.soak.server import Server

CALL_LIMIT_S = 100.0
MOST_BROKEN = 500

# What a call that waits for a delivery is told when a tester undoes, restores or resets beside it.
ENDED_BY_RACE = "was reset or restored while a delivery was under way; make the call again"


class Lost(Exception):
    """The call ended without an answer: the server was killed, or a fault broke the connection."""


class SoakEnded(Exception):
    """The server does not come up again."""


class Request(NamedTuple):
    """One call. With `faulty` a 5xx or a broken connection is what a fault asked for; such calls are not timed."""

    kind: str
    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}
    faulty: bool = False


class Caller:
    """Sends one call at a time, on a connection that it keeps."""

    def __init__(self, server: Server, findings: Findings) -> None:
        self.server, self.findings = server, findings
        self._connection: HTTPConnection | None = None
        self._generation = -1

    def send(self, request: Request) -> Response:
        """Send one call; waits while the server restarts. Lost, SoakEnded."""
        self.server.up.wait()
        if self.server.ended:
            raise SoakEnded
        generation, began = self.server.generation, time.perf_counter()
        try:
            response = self._exchange(request, generation)
        except (OSError, HTTPException) as error:
            self.close()
            self._judge_break(request, error, killed=self.server.generation != generation)
            raise Lost from None
        self.findings.count("calls")
        if not request.faulty:
            self.findings.time(request.kind, time.perf_counter() - began)
        if response.status >= 500:
            self._judge_error(request, response)
        return response

    def close(self) -> None:
        """Close the kept connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _judge_error(self, request: Request, response: Response) -> None:
        if request.faulty or ENDED_BY_RACE in response.text:
            self.findings.count("5xx asked for")
            return
        self.findings.fail(SERVER_ERROR, f"{request.method} {request.path}: {response.status} {response.text[:200]}")

    def _judge_break(self, request: Request, error: Exception, *, killed: bool) -> None:
        """Count a call that ended without an answer. SoakEnded once too many have ended so without a reason."""
        if killed or request.faulty:
            self.findings.count("calls cut by a kill" if killed else "calls cut by a fault")
            return
        self.findings.fail(BROKEN, f"{request.method} {request.path}: {error!r}")
        if self.findings.failures[BROKEN] >= MOST_BROKEN:
            raise SoakEnded from None

    def _exchange(self, request: Request, generation: int) -> Response:
        if generation != self._generation:
            self.close()
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self.server.port, timeout=CALL_LIMIT_S)
            self._generation = generation
        content, headers = _encode(request)
        self._connection.request(request.method, request.path, content, headers)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.will_close:
            self.close()
        return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, body)


def _encode(request: Request) -> tuple[bytes | None, dict[str, str]]:
    if request.body is None:
        return None, dict(request.headers)
    if isinstance(request.body, bytes):
        return request.body, {"Content-Type": "application/x-www-form-urlencoded", **request.headers}
    return json.dumps(request.body).encode(), {"Content-Type": "application/json", **request.headers}
