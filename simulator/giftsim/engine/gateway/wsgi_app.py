"""The WSGI application: it serves the routes of the contracts, and passes everything else to the pages in Flask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from giftsim.engine.gateway.call import Answer, Application, Call, ConnectionDropped, Interface, Place, Response
from giftsim.engine.gateway.call_logging import full_path
from giftsim.engine.gateway.json_body import MAX_BYTES, finish_json, take_pretty
from giftsim.engine.gateway.middleware import (
    failed,
    handle_control_call,
    handle_simulated_call,
    handle_unknown_world_call,
)
from giftsim.engine.gateway.nearest_route import slashed_base
from giftsim.engine.kernel.placeholders import fill_placeholders
from giftsim.engine.problem import Problem
from giftsim.engine.url_paths import as_utf8
from giftsim.engine.worlds.observer import AnsweredCall
from giftsim.engine.worlds.registry import Registry
from giftsim.engine.worlds.world import World
from giftsim.engine.worlds.world_calls import delay

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
WsgiCallable = Callable[[Environ, StartResponse], Iterable[bytes]]
# Held while pages are built by their first call. Flask compiles their routes, and Python 3.11 raises SystemError if two
# threads make syntax trees at the same moment: so all simulators of a process share one lock.
BUILDING: Final = Lock()
STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class WsgiApp(Application):
    """The application that server, in-process clients and scenarios call.

    `interfaces` are by their base paths, and each may be made when it is first read. `make_fallback(app)` builds the
    application for all other paths when the first of them is called.
    """

    def __init__(
        self, registry: Registry, interfaces: Mapping[str, Interface], make_fallback: Callable[[WsgiApp], WsgiCallable]
    ) -> None:
        self.registry = registry
        self.interfaces = interfaces
        self._bases = tuple((base, f"{base}/") for base in interfaces)
        self._make_fallback = make_fallback
        self._fallback: WsgiCallable | None = None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        chunks = self._respond(environ, start_response)
        return HeadersOnly(chunks) if environ["REQUEST_METHOD"] == "HEAD" else chunks

    def _respond(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        place = self.place(environ["PATH_INFO"])
        if place is None:
            return self.pages()(environ, self._observed(environ, start_response))
        query = environ.get("QUERY_STRING", "")
        answer = self.answer(place, environ["REQUEST_METHOD"], query, environ, read_body(environ))
        start_response(STATUS_LINES.get(answer.status) or f"{answer.status} Status", answer.headers)
        if answer.stream is not None:
            return answer.stream
        return (answer.content,) if answer.sends_for is None else DispatchAfter(answer.content, answer.sends_for)

    def pages(self) -> WsgiCallable:
        """The application of all other paths."""
        with BUILDING:
            if self._fallback is None:
                self._fallback = self._make_fallback(self)
            return self._fallback

    def place(self, path: str) -> Place | None:
        """The interface that a path of WSGI belongs to, whatever slashes it has too many. None for a page."""
        for base, prefix in self._bases:
            if path.startswith(prefix) or path == base:
                below = path[len(base) :]
                return self.interfaces[base], below if below.isascii() else as_utf8(below), None
        return self._place_with_slashes(path) if "//" in path else None

    def _place_with_slashes(self, path: str) -> Place | None:
        """The interface of a path whose base has slashes too many, such as `//api/external`."""
        for base in self.interfaces:
            if sent := slashed_base(base, path):
                return self.interfaces[base], as_utf8(path[len(sent) :]), sent
        return None

    def answer(self, place: Place, method: str, query: str, environ: Mapping[str, Any], raw: bytes) -> Answer:
        """Answer a call of an interface. `environ` has its headers, as WSGI names them, and what the server adds."""
        interface, path, base = place
        if method == "OPTIONS" and base is None and (match := interface.contract.match(path)):
            return self._answer_options(interface.contract.prefix + path, match[0].methods)
        pretty = False
        if "pretty" in query:
            query, pretty = take_pretty(query)
        call = Call(method, path, query, environ, raw[: MAX_BYTES + 1], interface, self.registry)
        if base is not None:
            call.base = base
        try:
            response = self.respond(call)
        except ConnectionDropped:
            if call.selected_world is not None:
                # The client gets no response, but the work of the call is done.
                call.selected_world.deliveries.send_in_background()
            self._observe(call, None)
            raise
        if self.registry.runtime.observer is not None:
            self._observe(call, response)
        if call.delay_s:
            if call.selected_world is None:
                delay(self.registry.runtime, call.delay_s)
            else:
                call.selected_world.calls.delay(call.delay_s)
        return self._answer(call, response, pretty=pretty)

    def _answer_options(self, path: str, methods: Iterable[str]) -> Answer:
        """Say which methods a path takes. This is not a call: it has no caller, no world and no log entry (G101)."""
        request_id = self.registry.next_request_id()
        if (observer := self.registry.runtime.observer) is not None:
            observer.call_answered(AnsweredCall("OPTIONS", path, 204))
        return Answer(204, [("Allow", ", ".join(methods)), ("X-Request-Id", request_id)])

    def _observed(self, environ: Environ, start_response: StartResponse) -> StartResponse:
        """Tell the observer of a page when its response starts."""
        observer = self.registry.runtime.observer
        if observer is None:
            return start_response

        def start(status: str, *arguments: Any) -> Any:
            observer.call_answered(AnsweredCall(environ["REQUEST_METHOD"], environ["PATH_INFO"], int(status[:3])))
            return start_response(status, *arguments)

        return start

    def _observe(self, call: Call, response: Response | None) -> None:
        """Tell the observer of a call and its response, None if the connection is dropped."""
        observer = self.registry.runtime.observer
        if observer is not None:
            observer.call_answered(
                AnsweredCall(
                    call.method,
                    full_path(call),
                    response.status if response else None,
                    call.request_id,
                    call.selected_world,
                    call.matched_operation.id if call.matched_operation else None,
                    call.fault,
                    call.effects,
                )
            )

    def with_registry(self, registry: Registry) -> WsgiApp:
        """The same application over other worlds."""
        return WsgiApp(registry, self.interfaces, self._make_fallback)

    def respond(self, call: Call) -> Response:
        """Run the call through its middleware. ConnectionDropped goes up to the server, which closes the connection."""
        try:
            if not call.interface.simulated:
                call.request_id = self.registry.next_request_id()
                return handle_control_call(call)
            world = self._find_world(call)
            if world is None:
                call.request_id = self.registry.next_request_id()
                return handle_unknown_world_call(call)
            call.world, call.state = world, world.state
            return handle_simulated_call(call)
        except Problem as problem:
            call.request_id = call.request_id or self.registry.next_request_id()
            response = call.interface.refuse(call, problem)
            response.headers["X-Request-Id"] = call.request_id
            return response
        except ConnectionDropped:
            raise
        except Exception as error:  # noqa: BLE001 - around the middleware, such as where the world is locked
            return failed(call, error)

    def _find_world(self, call: Call) -> World | None:
        world_id = call.interface.credential_world_id(call) or call.header("X-Sim-World")
        return self.registry.worlds.get(world_id) if world_id else None

    def _answer(self, call: Call, response: Response, *, pretty: bool) -> Answer:
        headers = list(response.headers.items())
        if response.stream is not None:
            return Answer(response.status, [*headers, ("Content-Type", response.content_type)], stream=response.stream)
        world, content = call.selected_world, b""
        if response.status != 204:
            content = response.bytes()
            if not response.opaque:
                content = fill_placeholders(content, self.registry.runtime.origin, world.id if world else "")
                if response.content_type.endswith("json"):
                    content = finish_json(content, pretty=pretty)
            headers += [("Content-Type", response.content_type), ("Content-Length", str(len(content)))]
        return Answer(
            response.status, headers, content, sends_for=world if world is not None and world.state.outbox else None
        )


class DispatchAfter:
    """A response body; once it is sent, the world's pending webhooks are dispatched (G21)."""

    def __init__(self, content: bytes, world: World) -> None:
        self._content, self._world = content, world

    def __iter__(self) -> Iterator[bytes]:
        yield self._content

    def close(self) -> None:
        """Start the deliveries. The WSGI server calls this when the response is written."""
        self._world.deliveries.send_in_background()


class HeadersOnly:
    """The response to HEAD: the headers of the response to GET, and no body."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        for _ in self._chunks:
            pass
        return iter(())

    def close(self) -> None:
        """Close the response to GET."""
        if close := getattr(self._chunks, "close", None):
            close()


def read_body(environ: Mapping[str, Any]) -> bytes:
    """The request body, and at most one byte more than the limit, so that the parser can refuse a larger body."""
    stream = environ["wsgi.input"]
    length = environ.get("CONTENT_LENGTH")
    if length:
        return bytes(stream.read(min(int(length), MAX_BYTES + 1)))
    return bytes(stream.read(MAX_BYTES + 1)) if environ.get("wsgi.input_terminated") else b""
