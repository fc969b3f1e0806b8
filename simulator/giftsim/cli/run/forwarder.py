"""What the proxy of `run` answers: routed hosts by the simulator, all others by a refusal or by themselves."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

import h11

from giftsim.cli.run.passage import OF_CONNECTION, CallsItself, ClientLeft, Passage, connect
from giftsim.cli.run.routes import Routes
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.call import IS_CLIENT_GONE, ConnectionDropped
from giftsim.engine.gateway.json_body import MAX_BYTES
from giftsim.engine.gateway.wsgi_app import STATUS_LINES
from giftsim.engine.server.connection import Service
from giftsim.engine.server.request_parser import decoded, environ_key
from giftsim.engine.system import EXHAUSTED
from giftsim.engine.webhooks.url_rules import is_this_machine
from giftsim.testing.routing import Origin, Routed, Router, origin_of

# In the environment of a request: the target as it was sent, its headers, the tunnel in which it arrived (an Origin),
# and the refusal of a tunnel.
TARGET, FIELDS, TUNNEL, REFUSED = "run.target", "run.fields", "run.tunnel", "run.refused"
OPEN_ROUTES = "name it with --route, or pass all others with --others pass"
NO_DESCRIPTORS = "no file descriptor is left: raise the limit (ulimit -n), or make fewer calls at once"
ITSELF = "{} is the proxy of giftsim run itself, so the call would loop; call the host of a route: {}"
Environ = dict[str, Any]
StartResponse = Callable[..., Any]


class Forwarder:
    """A WSGI application. `calls`, `refused` and `gave_up` count what arrived; `own_port` is that of the proxy."""

    def __init__(self, routes: Routes, simulator: Service, own_port: int, *, passes_others: bool) -> None:
        self.routes, self.simulator, self._own_port, self._passes_others = routes, simulator, own_port, passes_others
        # By base, method, path and status. Calls without an answer have the status 0.
        self.calls: Counter[tuple[str, str, str, int]] = Counter()
        self.refused: Counter[str] = Counter()
        self.gave_up: Counter[tuple[str, bool]] = Counter()  # by host, and whether the certificate was the reason
        self.http2: Counter[str] = Counter()  # by host
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        answer = self._answer(environ, start_response)
        if not isinstance(answer, Response):
            return answer
        start_response(STATUS_LINES[answer.status], answer.fields())
        return (answer.body,)

    def count(self, counter: Counter[Any], key: object) -> None:
        """Count one more of something."""
        with self._lock:
            counter[key] += 1

    def tunnel(self, target: str) -> Response | Origin | socket.socket:
        """Where a tunnel ends: here, for a routed host, or at a connection to another one. Or its refusal."""
        origin = origin_of(f"https://{target}")
        if origin is None:
            return _message(400, "invalid_target", f"{target} is not a host and a port")
        if self.routes.owns(origin):
            return origin
        return self._reached(origin, target) if self._may_pass(origin) else self.refusal(target)

    def refusal(self, what: object, hint: str = OPEN_ROUTES) -> Response:
        """The refusal of a call, which is counted."""
        self.count(self.refused, str(what))
        return _message(403, "host_refused", f"giftsim run did not call {what}; {hint}")

    def _answer(self, environ: Environ, start_response: StartResponse) -> Response | Iterable[bytes]:
        if REFUSED in environ:
            refused: Response = environ[REFUSED]
            return refused
        url = _url(environ)
        origin = origin_of(url)
        if origin is None:
            return _message(400, "invalid_target", "the request names no host: its target is not a whole URL")
        if (router := self.routes.router(url)) is not None:
            return self._call(router, environ, url, start_response)
        if self.routes.owns(origin):
            return self.refusal(url.partition("?")[0], f"routes are {', '.join(self.routes.bases)}")
        return self._pass(origin, environ, url, start_response) if self._may_pass(origin) else self.refusal(origin)

    def _may_pass(self, origin: Origin) -> bool:
        return self._passes_others or is_this_machine(origin.host)

    def _call(self, router: Router, environ: Environ, url: str, start_response: StartResponse) -> Iterable[bytes]:
        """Make a call to the simulator. Until its answer starts, it is counted as one without an answer."""
        method = environ["REQUEST_METHOD"]
        routed, row = router.routed(method, url, environ[FIELDS]), (router.base, method, urlsplit(url).path or "*")
        self.count(self.calls, (*row, 0))

        def start(line: str, *arguments: Any) -> Any:
            status = int(line[:3])
            with self._lock:
                self.calls[*row, 0] -= 1
                self.calls[*row, status] += 1
            router.note(method, routed, status)
            return start_response(line, *arguments)

        return self.simulator.application.wsgi(self._routed_environ(environ, routed), start)

    def _routed_environ(self, environ: Environ, routed: Routed) -> Environ:
        """The environment in which a call reaches the simulator."""
        found = {name: value for name, value in environ.items() if not name.startswith(("HTTP_", "CONTENT_TYPE"))}
        path, _, query = routed.path.partition("?")
        simulator = self.routes.simulator
        found |= {
            "wsgi.url_scheme": simulator.scheme,
            "HTTP_HOST": f"{simulator.host}:{simulator.port}",
            "PATH_INFO": "*" if environ[TARGET] == "*" else decoded(path),
            "QUERY_STRING": query.partition("#")[0],
        }
        for name, value in routed.headers.items():
            key = environ_key(name.encode("latin-1"))
            if key is not None and name.lower() not in OF_CONNECTION:
                found[key] = value
        return found

    def _pass(
        self, origin: Origin, environ: Environ, url: str, start_response: StartResponse
    ) -> Response | Iterable[bytes]:
        """Make a call to another host. ConnectionDropped if the client leaves."""
        if int(environ.get("CONTENT_LENGTH") or 0) > MAX_BYTES:
            return _message(413, "body_too_large", f"the body is larger than {MAX_BYTES} bytes")
        connection = self._reached(origin, urlsplit(url).netloc)
        if isinstance(connection, Response):
            return connection
        parts = urlsplit(url)
        target = "*" if environ[TARGET] == "*" else (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        body = environ["wsgi.input"].read()
        try:
            passage = Passage(connection, origin, environ[IS_CLIENT_GONE])
            passage.send(environ["REQUEST_METHOD"], target, environ[FIELDS], body)
        except ClientLeft:
            connection.close()
            raise ConnectionDropped("the client has left") from None
        except (OSError, h11.ProtocolError) as error:
            connection.close()
            return _unreachable(parts.netloc, error)
        start_response(passage.status, passage.fields)
        return passage

    def _reached(self, origin: Origin, name: str) -> Response | socket.socket:
        """A connection to another host, or why there is none."""
        try:
            return connect(origin, self._own_port)
        except CallsItself:
            self.count(self.refused, name)
            return _message(400, "calls_itself", ITSELF.format(name, ", ".join(self.routes.bases)))
        except (OSError, UnicodeError) as error:
            return _unreachable(name, error)


def _url(environ: Environ) -> str:
    """The whole URL that a request means."""
    target: str = environ[TARGET]
    if target != "*" and not target.startswith("/"):
        return target
    tunnel: Origin | None = environ[TUNNEL]
    host = environ.get("HTTP_HOST") or (f"{tunnel.host}:{tunnel.port}" if tunnel else "")
    return f"{environ['wsgi.url_scheme']}://{host}{target if target != '*' else ''}"


def _unreachable(name: str, error: Exception) -> Response:
    if isinstance(error, OSError) and error.errno in EXHAUSTED:
        return _message(503, "no_descriptors", f"{name} was not called: {NO_DESCRIPTORS}")
    return _message(502, "unreachable", f"{name} cannot be reached: {error}")


def _message(status: int, code: str, text: str) -> Response:
    body = json.dumps({"error": {"code": code, "message": text}}).encode()
    return Response(status, {"content-type": "application/json"}, body)
