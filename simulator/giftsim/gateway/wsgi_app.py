"""The WSGI front: contract routes are answered here, all the rest falls through to Flask (kernel design, Front)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from giftsim.gateway.call import Call, Dropped, Reply
from giftsim.gateway.interface import Interface
from giftsim.gateway.json_body import MAX_BYTES
from giftsim.gateway.middleware import CONTROL, MODELLED, NOWHERE
from giftsim.kernel.placeholders import fill
from giftsim.kernel.problem import Problem
from giftsim.worlds import held_calls
from giftsim.worlds.advance import dispatch
from giftsim.worlds.registry import Registry
from giftsim.worlds.world import World

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Wsgi = Callable[[Environ, StartResponse], Iterable[bytes]]
REASONS = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class Front:
    """One object for server, test client and scenarios. `fallback(front)` makes the rest when it is first needed."""

    def __init__(self, registry: Registry, interfaces: Sequence[Interface], fallback: Callable[[Front], Wsgi]) -> None:
        self.registry = registry
        self.interfaces = {f"{face.contract.prefix}/": face for face in interfaces}
        self._make_fallback = fallback
        self._fallback: Wsgi | None = None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        path: str = environ["PATH_INFO"]
        for prefix, interface in self.interfaces.items():
            if path.startswith(prefix):
                return self._serve(interface, path[len(prefix) - 1 :], environ, start_response)
        if self._fallback is None:
            self._fallback = self._make_fallback(self)
        return self._fallback(environ, start_response)

    def before(self, registry: Registry) -> Front:
        """The same front before another house."""
        return Front(registry, tuple(self.interfaces.values()), self._make_fallback)

    def _serve(
        self, interface: Interface, path: str, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        call = Call(
            environ["REQUEST_METHOD"], _unmangled(path), environ.get("QUERY_STRING", ""), environ, body(environ),
            interface, self.registry,
        )  # fmt: skip
        try:
            reply = self.answer(call)
        except Dropped:
            if call.world is not None:
                dispatch(call.world)  # nobody hears of the work, but it is done
            raise
        if call.late_s:
            held_calls.delay(self.registry, call.world, call.late_s)
        return self._send(call, reply, start_response)

    def answer(self, call: Call) -> Reply:
        """Run the call through its stages; Dropped goes up to the server, which closes the connection."""
        try:
            if not call.interface.modelled:
                call.request_id = self.registry.next_request_id()
                return CONTROL(call)
            call.world = self._world(call)
            if call.world is None:
                call.request_id = self.registry.next_request_id()
                return NOWHERE(call)
            return MODELLED(call)
        except Problem as problem:
            call.request_id = call.request_id or self.registry.next_request_id()
            reply = call.interface.envelope(call, problem)
            reply.headers["X-Request-Id"] = call.request_id
            return reply

    def _world(self, call: Call) -> World | None:
        tag = call.interface.world_tag(call) or call.header("X-Sim-World")
        return self.registry.worlds.get(tag) if tag else None

    def _send(self, call: Call, reply: Reply, start_response: StartResponse) -> Iterable[bytes]:
        world_id = call.world.id if call.world else ""
        content = reply.bytes() if reply.status != 204 else b""
        if not reply.opaque:
            content = fill(content, self.registry.origin, world_id)
        headers = [(name, value) for name, value in reply.headers.items()]
        if reply.status != 204:
            headers += [("Content-Type", reply.content_type), ("Content-Length", str(len(content)))]
        start_response(REASONS.get(reply.status, f"{reply.status} Status"), headers)
        if call.world is not None and call.world.state.outbox:
            return Sent(content, call.world)
        return (content,)


class Sent:
    """An answer after which the world's courier goes out (G21)."""

    def __init__(self, content: bytes, world: World) -> None:
        self._content, self._world = content, world

    def __iter__(self) -> Iterator[bytes]:
        yield self._content

    def close(self) -> None:
        """The answer is written: let the deliveries start."""
        dispatch(self._world)


def body(environ: Mapping[str, Any]) -> bytes:
    """The request body, by its length; a little more than the bound is read, so that the parser can name it."""
    stream = environ["wsgi.input"]
    length = environ.get("CONTENT_LENGTH")
    if length:
        return bytes(stream.read(min(int(length), MAX_BYTES + 1)))
    return bytes(stream.read(MAX_BYTES + 1)) if environ.get("wsgi.input_terminated") else b""


def _unmangled(path: str) -> str:
    """WSGI hands paths over as Latin-1; what was not UTF-8 stays as it came."""
    try:
        return path.encode("latin-1").decode("utf-8")
    except (UnicodeDecodeError, UnicodeEncodeError):
        return path
