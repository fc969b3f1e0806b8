"""`route` sends an application's own calls to a world; what it cannot send does not leave."""

from __future__ import annotations

import asyncio
import http.client
import json
import multiprocessing
import socket
import sys
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import aiohttp
import anyio
import httpcore
import httpcore2
import httpx
import httpx2
import pytest
import requests
import urllib3
from pip._vendor import requests as requests_of_pip
from urllib3.util import Retry

from giftsim.testing import CallNotRouted, Giftsim
from giftsim.testing.routing import check_address
from tests.support.application import serve_wsgi
from tests.support.routed_clients import BODY, CLIENTS, NOTHING, Call

VENDOR = "https://gifts.vendor.example"
PATH = "/api/external/team-orders"
HOOKS = "/api/external/webhooks"
OWN_KEY = {"Authorization": "Bearer sk_live_of_the_application_0815"}

each_client = pytest.mark.parametrize("call", CLIENTS.values(), ids=CLIENTS)


@each_client
def test_a_client_is_led_into_the_world(sim: Giftsim, call: Call) -> None:
    with sim.route(VENDOR, "partner.prepaid"):
        status, body = call("POST", f"{VENDOR}{HOOKS}", NOTHING)
        assert (status, body["endpoint"]["url"]) == (201, "https://hooks.partner.example/x")
        assert call("GET", f"{VENDOR}{HOOKS}", sim.headers("partner.prepaid"))[0] == 200
    assert [row["request"]["path"] for row in sim.listed("journal", "calls")] == [HOOKS, HOOKS]


@each_client
def test_a_key_of_the_application_is_replaced_on_demand(local_sim: Giftsim, call: Call) -> None:
    with local_sim.route(VENDOR, "partner.prepaid", replace_key=True):
        assert call("GET", f"{VENDOR}{PATH}", OWN_KEY)[0] == 200
    with pytest.raises(TypeError, match="needs a credential"):
        local_sim.route(VENDOR, replace_key=True)


def test_the_report_of_a_failed_test_names_a_strange_credential_and_keeps_it_secret(sim: Giftsim) -> None:
    with sim.route(VENDOR, "partner.prepaid"):
        assert requests.get(f"{VENDOR}{PATH}", headers=OWN_KEY, timeout=60).status_code == 401
        requests.get(f"{VENDOR}{PATH}", auth=("user", "secret"), timeout=60)
    report = sim.summary()
    assert "calls so far: 2\n" in report
    assert (
        f"1 x GET {PATH} -> 401: the application's own credential (Authorization: Bearer sk_live***) is not one of this"
        " world; route(url, credential, replace_key=True) sends that of the world in its place" in report
    )
    assert "0815" not in report
    assert "secret" not in report


@each_client
def test_other_spellings_of_the_url_are_routed_too(local_sim: Giftsim, call: Call) -> None:
    with local_sim.route("https://Gifts.Vendor.Example:443/api/", "partner.prepaid", to="/api"):
        assert call("GET", f"https://GIFTS.vendor.example:443{PATH}", NOTHING)[0] == 200


# Hosts whose letters IDNA 2003 and 2008 spell differently, as urllib and requests do, and names of one address.
SPELLED = [
    ("straße.example", ("straße.example", "strasse.example", "xn--strae-oqa.example")),
    ("βόλος.example", ("xn--nxasmq6b.example", "xn--nxasmm1c.example")),
    ("xn--strae-oqa.example", ("straße.example",)),
    ("[2001:db8::1]", ("[2001:DB8:0::1]",)),
]


@each_client
@pytest.mark.parametrize(("host", "spellings"), SPELLED, ids=[host for host, _ in SPELLED])
def test_every_spelling_of_a_host_is_routed(
    local_sim: Giftsim, call: Call, host: str, spellings: tuple[str, ...]
) -> None:
    with local_sim.route(f"https://{host}", "partner.prepaid"):
        assert [call("GET", f"https://{each}{PATH}", NOTHING)[0] for each in spellings] == [200] * len(spellings)


@pytest.mark.parametrize(
    "spelling", ["straße.example", "xn--strae-oqa.example", "STRASSE.example.", b"strasse.example"]
)
def test_no_spelling_of_a_routed_host_is_looked_up(local_sim: Giftsim, spelling: str | bytes) -> None:
    with (
        local_sim.route("https://straße.example", "partner.prepaid"),
        pytest.raises(CallNotRouted, match="was not called"),
    ):
        check_address(spelling, 443)  # as the audit hook does when Python resolves a name


def hello(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", "7")])
    return [b'"hello"']


@pytest.fixture
def vendor() -> Iterator[str]:
    """A server on this machine, in the place of the vendor's."""
    with serve_wsgi(hello) as origin:
        yield origin


@each_client
def test_other_hosts_are_called_as_ever(sim: Giftsim, call: Call, vendor: str) -> None:
    with sim.route(VENDOR, "partner.prepaid"):
        assert call("GET", f"{vendor}/", NOTHING) == (200, "hello")


def test_a_kept_connection_is_led_away_and_back(sim: Giftsim, vendor: str) -> None:
    session, pool, url = requests.Session(), urllib3.PoolManager(), f"{vendor}{PATH}"
    line = http.client.HTTPConnection(vendor.removeprefix("http://"), timeout=60)

    def calls() -> list[Any]:
        line.request("GET", PATH)
        return [session.get(url, timeout=60).json(), pool.request("GET", url).json(), json.load(line.getresponse())]

    assert calls() == ["hello"] * 3
    with sim.route(vendor, "partner.prepaid"):
        assert ["team_orders" in answer for answer in calls()] == [True] * 3
        assert ["team_orders" in answer for answer in calls()] == [True] * 3
    assert calls() == ["hello"] * 3
    session.close()
    pool.clear()
    line.close()


def test_a_routed_session_opens_no_socket(local_sim: Giftsim) -> None:
    """So it works under pytest-socket. urllib3 asks the descriptor of an idle connection before its second call."""
    opened, watching = list[str](), list[bool]()
    sys.addaudithook(lambda event, _: opened.append(event) if event == "socket.__new__" and watching else None)
    with requests.Session() as session, local_sim.route(VENDOR, "partner.prepaid"):
        watching.append(True)
        assert [session.get(f"{VENDOR}{PATH}", timeout=60).status_code for _ in range(3)] == [200] * 3
        watching.clear()
    assert opened == []


def test_a_kept_connection_of_aiohttp_is_led_away_and_back(sim: Giftsim, vendor: str) -> None:
    async def run() -> list[Any]:
        async with aiohttp.ClientSession() as session:

            async def call() -> Any:
                async with session.get(f"{vendor}{PATH}") as response:
                    return await response.json()

            first = await call()
            with sim.route(vendor, "partner.prepaid"):
                second = "team_orders" in await call()
            return [first, second, await call()]

    assert anyio.run(run) == ["hello", True, "hello"]


def test_proxies_are_not_asked(local_sim: Giftsim, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = "http://192.0.2.1:3128"
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.setenv("http_proxy", proxy)
    for base in (VENDOR, "http://gifts.vendor.example"):
        with local_sim.route(base, "partner.prepaid"):
            for call in CLIENTS.values():
                assert call("GET", f"{base}{PATH}", NOTHING)[0] == 200
            with urllib3.ProxyManager(proxy) as pool:
                assert pool.request("GET", f"{base}{PATH}").status == 200


def test_routes_of_several_worlds_may_overlap(local_sim: Giftsim) -> None:
    other, name = local_sim.fork(), "https://other.example"
    outer, inner = ExitStack(), ExitStack()
    outer.enter_context(local_sim.route(VENDOR, "partner.prepaid"))
    inner.enter_context(other.route(name, "partner.prepaid"))
    requests.get(f"{VENDOR}{PATH}", timeout=60)
    outer.close()
    requests.get(f"{name}{PATH}", timeout=60)
    inner.close()
    assert [len(each.listed("journal", "calls")) for each in (local_sim, other)] == [1, 1]
    assert socket.socket.connect.__qualname__ == "socket.connect"
    assert http.client.HTTPConnection.connect.__module__ == "http.client"


def test_a_server_can_be_routed_to_itself(server_sim: Giftsim) -> None:
    with server_sim.route(server_sim.url, "partner.prepaid"):
        assert requests.get(f"{server_sim.url}{PATH}", timeout=60).status_code == 200
        server_sim.advance("1d")


def test_a_base_without_a_scheme_is_refused(local_sim: Giftsim) -> None:
    with pytest.raises(ValueError, match=r"a base URL is like https://api.vendor.example"):
        local_sim.route("gifts.vendor.example")


def test_retries_of_the_library_act(local_sim: Giftsim) -> None:
    local_sim.fault(status=503, code="service_unavailable", when={"first": 2})
    session = requests.Session()
    retry = Retry(2, status_forcelist=[503], allowed_methods=None, respect_retry_after_header=False)
    session.mount("https://", requests.adapters.HTTPAdapter(max_retries=retry))
    with local_sim.route(VENDOR, "partner.prepaid"):
        assert session.post(f"{VENDOR}{HOOKS}", json=BODY["POST"], timeout=60).status_code == 201
    assert len(local_sim.listed("journal", "calls")) == 3


LOST: dict[str, type[Exception]] = {
    "requests": requests.ConnectionError, "httpx": httpx.RemoteProtocolError, "httpx async": httpx.RemoteProtocolError,
    "aiohttp": aiohttp.ServerDisconnectedError, "urllib": http.client.RemoteDisconnected,
    "urllib3": urllib3.exceptions.ProtocolError, "http.client": http.client.RemoteDisconnected,
    "httpx2": httpx2.RemoteProtocolError, "httpx2 async": httpx2.RemoteProtocolError,
    "requests of pip": requests_of_pip.ConnectionError,
}  # fmt: skip


@pytest.mark.parametrize("name", CLIENTS)
def test_a_lost_response_is_the_librarys_own_error(sim: Giftsim, name: str) -> None:
    sim.fault(drop="after", when={"first": 1})
    with sim.route(VENDOR, "partner.prepaid"):
        with pytest.raises(LOST[name]):
            CLIENTS[name]("POST", f"{VENDOR}{HOOKS}", NOTHING)
        assert CLIENTS[name]("POST", f"{VENDOR}{HOOKS}", NOTHING)[0] == 201


async def with_aiohttp(url: str) -> None:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(0.05)) as session:
        await session.get(url)


LATE: dict[str, tuple[Callable[[str], Any], type[Exception]]] = {
    "requests": (lambda url: requests.get(url, timeout=(60, 0.05)), requests.ReadTimeout),
    "aiohttp": (lambda url: asyncio.run(with_aiohttp(url)), TimeoutError),
    "urllib": (lambda url: urllib.request.urlopen(url, timeout=0.05), TimeoutError),
    "urllib3": (
        lambda url: urllib3.request("GET", url, timeout=urllib3.Timeout(connect=60, read=0.05), retries=False),
        urllib3.exceptions.ReadTimeoutError,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LATE)
def test_a_late_response_is_the_librarys_own_error(sim: Giftsim, name: str) -> None:
    fault = sim.fault(hold=True, match={"operation": "listTeamOrders"})
    call, error = LATE[name]
    with sim.route(VENDOR, "partner.prepaid"), pytest.raises(error):
        call(f"{VENDOR}{PATH}")
    sim.clear_faults(fault)


def test_streamed_bodies_arrive_complete(sim: Giftsim) -> None:
    parts = [b'{"url": "https://hooks.partner.example/', b'x", "events": ["team_order.shipped"]}']
    headers = {"Content-Type": "application/json"}

    async def stream() -> int:
        async def body() -> Any:
            for part in parts:
                yield part

        async with aiohttp.ClientSession() as session:
            return (await session.post(f"{VENDOR}{HOOKS}", data=body(), headers=headers, expect100=True)).status

    with sim.route(VENDOR, "partner.prepaid"):
        made = [
            requests.post(f"{VENDOR}{HOOKS}", data=iter(parts), headers=headers, timeout=60).status_code,
            urllib3.request("POST", f"{VENDOR}{HOOKS}", body=iter(parts), headers=headers).status,
            urllib.request.urlopen(urllib.request.Request(f"{VENDOR}{HOOKS}", iter(parts), headers)).status,
            anyio.run(stream),
        ]
    assert made == [201] * 4


class OwnConnection(http.client.HTTPSConnection):
    """A connection of a library built on http.client that connects by itself, as httplib2's."""

    def connect(self) -> None:
        self.sock = socket.create_connection((self.host, self.port))


def called_by(kind: type[http.client.HTTPConnection]) -> int:
    connection = kind("gifts.vendor.example", timeout=60)
    connection.connect()  # before the request, as libraries with pools do
    connection.request("GET", PATH)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def test_a_connection_built_on_http_client_is_routed_though_it_connects_by_itself(local_sim: Giftsim) -> None:
    original = OwnConnection.connect
    with local_sim.route(VENDOR, "partner.prepaid"):

        class LaterConnection(OwnConnection):
            def connect(self) -> None:
                raise AssertionError("not routed")

        assert [called_by(kind) for kind in (OwnConnection, LaterConnection)] == [200, 200]
    assert OwnConnection.connect is original
    assert "__init_subclass__" not in vars(http.client.HTTPConnection)


EVENTS = [
    "connection.connect_tcp.started", "connection.connect_tcp.complete",
    "connection.start_tls.started", "connection.start_tls.complete",
    "http11.send_request_headers.started", "http11.send_request_headers.complete",
    "http11.send_request_body.started", "http11.send_request_body.complete",
    "http11.receive_response_headers.started", "http11.receive_response_headers.complete",
    "http11.receive_response_body.started", "http11.receive_response_body.complete",
    "http11.response_closed.started", "http11.response_closed.complete",
]  # fmt: skip


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
def test_httpx_tells_the_trace_of_a_routed_request(local_sim: Giftsim, library: Any) -> None:
    def traced(seen: list[str]) -> Any:
        with library.Client() as client:
            return client.get(f"{VENDOR}{PATH}", extensions={"trace": lambda event, _: seen.append(event)})

    async def traced_async(seen: list[str]) -> Any:
        async def trace(event: str, _info: Any) -> None:
            seen.append(event)

        async with library.AsyncClient() as client:
            return await client.get(f"{VENDOR}{PATH}", extensions={"trace": trace})

    with local_sim.route(VENDOR, "partner.prepaid"):
        for run in (traced, lambda seen: anyio.run(traced_async, seen)):
            events = list[str]()
            response = run(events)
            assert (response.status_code, response.json()["team_orders"]) == (200, [])
            assert events == EVENTS
        local_sim.fault(drop="after", when={"first": 2})
        for run in (traced, lambda seen: anyio.run(traced_async, seen)):
            with pytest.raises(library.RemoteProtocolError):
                run([])


@pytest.mark.parametrize("library", [httpx, httpx2], ids=["httpx", "httpx2"])
def test_httpx_has_the_network_stream_of_a_routed_response(local_sim: Giftsim, library: Any) -> None:
    with local_sim.route(VENDOR, "partner.prepaid"), library.Client() as routed:
        for options in ({}, {"extensions": {"trace": lambda *_: None}}):
            response = routed.get(f"{VENDOR}{PATH}", **options)
            assert response.extensions["network_stream"].get_extra_info("server_addr") == ("gifts.vendor.example", 443)
            assert response.extensions["network_stream"].get_extra_info("socket") is None
            assert (response.http_version, response.reason_phrase) == ("HTTP/1.1", "OK")
    assert local_sim.httpx().get(PATH).extensions["network_stream"].get_extra_info("server_addr")


@pytest.mark.parametrize("core", [httpcore, httpcore2], ids=["httpcore", "httpcore2"])
def test_a_call_of_httpcore_is_routed(local_sim: Giftsim, vendor: str, core: Any) -> None:
    with local_sim.route(VENDOR, "partner.prepaid"), core.ConnectionPool() as pool:
        assert [pool.request("GET", f"{each}{PATH}").status for each in (VENDOR, vendor, VENDOR)] == [200] * 3
        with pytest.raises(CallNotRouted, match="route\\(\\) sends only URLs below"):
            pool.request("GET", f"http://gifts.vendor.example{PATH}")
    assert len(local_sim.listed("journal", "calls")) == 2


def status_of_a_call() -> int:
    return requests.post(f"{VENDOR}{HOOKS}", json=BODY["POST"], timeout=60).status_code


in_a_fork = pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")


@in_a_fork
def test_a_call_of_a_forked_process_is_refused_where_it_would_change_a_copy(local_sim: Giftsim) -> None:
    with (
        local_sim.route(VENDOR, "partner.prepaid"),
        multiprocessing.get_context("fork").Pool(1) as pool,
        pytest.raises(CallNotRouted, match=rf"POST {HOOKS} was not sent: this process was forked .* giftsim_server"),
    ):
        pool.apply(status_of_a_call)


@in_a_fork
def test_a_call_of_a_forked_process_reaches_a_world_on_a_server(server_sim: Giftsim) -> None:
    with (
        server_sim.route(VENDOR, "partner.prepaid"),
        multiprocessing.get_context("fork").Pool(1) as pool,
    ):
        assert [pool.apply(status_of_a_call), status_of_a_call(), pool.apply(status_of_a_call)] == [201] * 3
    assert len(server_sim.listed("endpoints")) == 3
