"""The WSGI application: which interface gets a call, how its path and body are read, and how a response is written."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest

from giftsim.build import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.gateway.call import Call, ConnectionDropped, Interface, Response
from giftsim.engine.gateway.json_body import MAX_BYTES
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse, WsgiApp, WsgiCallable, read_body
from giftsim.engine.kernel.placeholders import ORIGIN, WORLD
from tests.support.concurrent_calls import call_concurrently
from tests.support.sample_api import sample_interface
from tests.support.worlds import World


def fallback(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """An application for all other paths, which answers with the path."""
    start_response("200 OK", [])
    return (environ["PATH_INFO"].encode("latin-1"),)


def no_fallback(_app: WsgiApp) -> WsgiCallable:
    """For applications that have no other paths."""
    raise AssertionError("no call goes to other paths")


Send = Callable[..., Any]


@pytest.fixture(params=["in process", "by WSGI"])
def send(simulator: Simulator, world: World, request: pytest.FixtureRequest) -> Send:
    """Calls the sample API in the fresh world."""

    def send(method: str, path: str, interface: Interface | None = None, **options: Any) -> Any:
        app = WsgiApp(simulator.registry, {"/sample/v1": interface or sample_interface()}, no_fallback)
        client = InProcessClient(app if request.param == "in process" else app.__call__, {"X-World": world.id})
        return client.call(method, f"/sample/v1{path}", **options)

    return send


def answering(response: Response) -> Interface:
    """The sample API, whose list of things is a given response."""
    return sample_interface({"listThings": lambda _call: response})


def test_a_path_below_the_prefix_is_a_call_of_the_interface(send: Send) -> None:
    response = send("GET", "/things/7")
    assert response.json() == {"operation": "getThing", "params": {"id": 7}, "query": {}, "body": None}


def test_the_base_path_is_of_the_interface_with_and_without_a_slash(send: Send) -> None:
    assert [send("GET", path).json()["code"] for path in ("", "/")] == ["not_found"] * 2


def test_an_escaped_slash_does_not_separate(send: Send) -> None:
    assert send("GET", "/things%2F7").status == 404
    assert "not '7/copies'" in send("GET", "/things/7%2fcopies").json()["message"]


def test_the_methods_of_a_path_have_a_request_id(send: Send) -> None:
    first, second = send("OPTIONS", "/things"), send("OPTIONS", "/things")
    assert (first.status, first.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")
    assert "" != first.headers["x-request-id"] != second.headers["x-request-id"]


def test_a_head_has_the_headers_of_the_get_and_no_body(send: Send) -> None:
    get, head = send("GET", "/things/7"), send("HEAD", "/things/7")
    assert (head.status, head.headers["content-length"], head.body) == (200, str(len(get.body)), b"")


def test_all_other_paths_go_to_the_fallback_which_is_made_once(simulator: Simulator) -> None:
    made: list[WsgiApp] = []

    def make(app: WsgiApp) -> WsgiCallable:
        made.append(app)
        return fallback

    app = WsgiApp(simulator.registry, {"/sample/v1": sample_interface()}, make)
    assert made == []
    for path in ("/", "/sample", "/sample/v10/things"):
        assert InProcessClient(app).call("GET", path).text == path
    assert made == [app]


def test_a_call_whose_credential_names_no_world_is_routed_and_authenticated(send: Send) -> None:
    seen: list[Call] = []

    def authenticate(call: Call) -> Any:
        seen.append(call)
        return None

    headers = {"X-World": "nowhere"}
    assert send("GET", "/nowhere", headers=headers).status == 404
    response = send("GET", "/things", sample_interface(authenticate=authenticate), headers=headers)
    assert response.status == 500  # authentication has to refuse such a call
    assert [call.selected_world for call in seen] == [None]


def test_a_header_can_name_the_world_where_the_credential_does_not(send: Send, world: World) -> None:
    interface = sample_interface(credential_world_id=lambda _call: None)
    assert send("GET", "/things", interface, headers={"X-Sim-World": world.id}).status == 200


@pytest.mark.parametrize(("written", "read"), [("%C3%A4", "ä"), ("%E4", "\xe4"), ("%2525", "%25")])
def test_a_path_is_utf_8_where_it_can_be(send: Send, written: str, read: str) -> None:
    response = send("GET", f"/things/{written}")
    assert response.json()["message"] == f"id is a whole number from 1, not {read!r}"


def test_a_response_without_content_has_neither_body_nor_content_headers(send: Send) -> None:
    response = send("GET", "/things", answering(Response(204, {"not": "sent"})))
    assert (response.status, response.body) == (204, b"")
    assert not {"content-type", "content-length"} & set(response.headers)


def test_a_response_has_its_type_and_length(send: Send) -> None:
    response = send("GET", "/things", answering(Response(200, "ä", content_type="text/plain")))
    assert (response.headers["content-type"], response.headers["content-length"]) == ("text/plain", "4")
    assert response.body == '"ä"'.encode()


def test_a_status_without_a_name_can_be_sent(send: Send) -> None:
    assert send("GET", "/things", answering(Response(299, {}))).status == 299


def test_placeholders_are_filled_unless_the_body_is_opaque(send: Send, simulator: Simulator, world: World) -> None:
    marked = f"{ORIGIN}/claim/{WORLD}".encode()
    response = send("GET", "/things", answering(Response(200, marked)))
    assert response.text == f"{simulator.registry.runtime.origin}/claim/{world.id}\n"
    assert response.headers["content-length"] == str(len(response.body))
    assert send("GET", "/things", answering(Response(200, marked, opaque=True))).body == marked


def test_a_dropped_connection_reaches_the_server(send: Send) -> None:
    def drop(_call: Call) -> Response:
        raise ConnectionDropped("crash")

    with pytest.raises(ConnectionError):
        send("GET", "/things", sample_interface({"listThings": drop}))


def test_the_same_application_can_serve_other_worlds(simulator: Simulator) -> None:
    app = WsgiApp(simulator.registry, {"/sample/v1": sample_interface()}, no_fallback)
    other: Any = object()
    assert app.with_registry(other).registry is other
    assert app.with_registry(other).interfaces == app.interfaces


@pytest.mark.parametrize(
    ("environ", "content"),
    [
        ({"CONTENT_LENGTH": "3"}, b"abc"),
        ({"CONTENT_LENGTH": "0"}, b""),
        ({"CONTENT_LENGTH": ""}, b""),
        ({}, b""),
        ({"wsgi.input_terminated": True}, b"abcdef"),
        ({"CONTENT_LENGTH": "99"}, b"abcdef"),
    ],
)
def test_a_body_is_read_by_its_length(environ: Environ, content: bytes) -> None:
    assert read_body({"wsgi.input": io.BytesIO(b"abcdef"), **environ}) == content


@pytest.mark.parametrize("environ", [{"CONTENT_LENGTH": str(10 * MAX_BYTES)}, {"wsgi.input_terminated": True}])
def test_no_more_than_a_byte_beyond_the_limit_is_read(environ: Environ) -> None:
    stream = io.BytesIO(b"x" * (MAX_BYTES + 10))
    assert len(read_body({"wsgi.input": stream, **environ})) == MAX_BYTES + 1


def test_pages_are_built_one_at_a_time_and_once_for_each_simulator(simulator: Simulator) -> None:
    building = threading.Barrier(2)
    built: list[WsgiApp] = []

    def build(app: WsgiApp) -> WsgiCallable:
        built.append(app)
        with pytest.raises(threading.BrokenBarrierError):
            building.wait(0.2)  # for another thread that builds too
        building.reset()
        return fallback

    apps = [WsgiApp(simulator.registry, {}, build) for _ in range(2)]
    clients = [InProcessClient(app) for app in apps]
    responses = call_concurrently(*[partial(client.call, "GET", "/page") for client in clients] * 2)
    assert [response.status for response in responses] == [200] * 4
    assert sorted(map(id, built)) == sorted(map(id, apps))
