"""A closed simulator: its app calls what is simulated, and reaches nothing else, however it writes the address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlsplit

import msgspec
import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.control.access import Access
from tests.support.api_clients import CONTROL_CONTRACT
from tests.support.orders import RENO, order_body
from tests.support.worlds import World

TOKEN = "known to the examiner"
WORLD = "/_sim/v1/worlds/default"
NOTHING: Final[Mapping[str, str]] = {}


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    """A closed simulator that serves on this machine."""
    simulator = Simulator(fixture="empty", access=Access(token=TOKEN, closed=True))
    simulator.serve_locally()
    yield simulator
    simulator.close()


@pytest.fixture
def world(simulator: Simulator) -> World:
    """A world, as its examiner has it."""
    return World(simulator, fixture="empty")


def send(
    simulator: Simulator, method: str, target: str, headers: Mapping[str, str] = NOTHING, body: bytes = b""
) -> Response:
    """What an app is answered over HTTP. The target is sent as it is."""
    address = urlsplit(simulator.registry.runtime.origin)
    connection = HTTPConnection(str(address.hostname), address.port or 0, timeout=10)
    connection.putrequest(method, target, skip_host="Host" in headers)
    for name, value in {"Content-Length": str(len(body)), "Content-Type": "application/json", **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)


def key_of(world: World, name: str = "partner.prepaid") -> dict[str, str]:
    """The header with which an app calls as a credential."""
    headers: dict[str, str] = world.credentials[name]["headers"]
    return headers


def routes_of_control() -> list[str]:
    """Every path of the control API, in the default world."""
    templates = {operation.template for operation in CONTROL_CONTRACT.operations.values()}
    return [f"/_sim/v1{template.replace('{w}', 'default').replace('{', '').replace('}', '')}" for template in templates]


SPELLINGS = [
    "/_sim/v1/worlds",
    "/_sim/v1/",
    "/_sim/v1",
    "/_sim",
    "/_sim/v2/anything",
    "//_sim/v1/worlds",
    "/_sim//v1///worlds",
    "/%5Fsim/v1/worlds",
    "/%5fsim%2Fv1/worlds",
    "/%2F_sim/v1/worlds",
    "/./_sim/v1/worlds",
    "/claim/../_sim/v1/worlds",
    "/api/external/../../_sim/v1/worlds",
    "/_SIM/v1/worlds",
    "http://127.0.0.1/_sim/v1/worlds",
    "http://giftsim.example/_sim/v1/worlds",
    "/_sim/v1/worlds?x=/claim/",
    "/_sim/v1/worlds;/claim/",
    "*",
]
PAGES = [
    "/", "/openapi", "/openapi/partner.json", "/schemas/scenario.json", "/favicon.ico", "/llms.txt", "/robots.txt",
    "/console/", "/console/docs/", "/console/sign-in", "/w/default/", "/w/default/changes", "/w/default/inbox",
    "/w/default/faults", "/claim", "/mcp/", "/apix/external", "/version", "/trace",
]  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"])
def test_an_app_reaches_nothing_that_is_not_simulated(simulator: Simulator, method: str) -> None:
    for target in (*SPELLINGS, *PAGES, *routes_of_control()):
        if target.startswith(("/claim/..", "/api/external/..")):
            continue
        if target == "*" and method != "OPTIONS":
            continue
        answer = send(simulator, method, target)
        assert (answer.status, target) == (401, target)
        assert b"console" not in answer.body
        assert (answer.body == b"") is (method == "HEAD")


@pytest.mark.parametrize("target", [each for each in SPELLINGS if ".." in each])
def test_dots_lead_nowhere(simulator: Simulator, target: str) -> None:
    assert send(simulator, "GET", target).status in (401, 404)


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        {"Host": "giftsim.example"},
        {"Host": "localhost"},
        {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "giftsim.example", "X-Forwarded-Prefix": "/claim"},
        {"X-Original-URL": "/claim/", "X-Rewrite-URL": "/claim/"},
        {"X-HTTP-Method-Override": "GET"},
        {"Cookie": f"giftsim-control={TOKEN}"},
        {"Accept": "text/html"},
        {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"},
        {"X-Sim-World": "default", "X-Sim-Caller": "test"},
        {"giftsim.in_process": "1"},
    ],
)
def test_no_header_opens_it_but_the_token(simulator: Simulator, headers: dict[str, str]) -> None:
    for target in (WORLD, "/", "/w/default/", "/w/default/changes"):
        assert send(simulator, "GET", target, headers).status == 401


def test_a_key_of_the_world_does_not_open_it(simulator: Simulator, world: World) -> None:
    for name in world.credentials:
        answer = send(simulator, "GET", f"/_sim/v1/worlds/{world.id}/faults", key_of(world, name))
        assert answer.status == 401


def test_the_token_opens_it_and_so_does_the_client_in_process(simulator: Simulator, world: World) -> None:
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert send(simulator, "GET", WORLD, bearer).json()["id"] == "default"
    assert send(simulator, "GET", "/", bearer).status == 200
    assert world.call_control("GET", "")["id"] == world.id
    assert simulator.client.call("GET", "/openapi").status == 200


def test_an_app_orders_and_a_recipient_claims(simulator: Simulator, world: World) -> None:
    body = msgspec.json.encode(order_body())
    ordered = send(simulator, "POST", "/api/external/team-orders", key_of(world), body)
    assert ordered.status == 201, ordered.text
    link = urlsplit(world.mail()[-1]["links"][0]).path
    page = send(simulator, "GET", link, {"Accept": "text/html"})
    assert (page.status, "/console" in page.text, "/w/" in page.text) == (200, False, False)
    claimed = send(simulator, "POST", link, body=msgspec.json.encode({"address": RENO}))
    assert claimed.json() == {"status": "submitted"}
    assert send(simulator, "GET", "/v1.1/museum-hours", key_of(world, "museum")).status == 200
    assert send(simulator, "POST", "/mcp", body=b"{}").status == 401  # asks for a key of the team
    assert send(simulator, "OPTIONS", "/api/external/team-orders").status == 204


@pytest.mark.parametrize("name", ["X-Sim-Fault", "x-sim-fault", "X-SIM-FAULT"])
def test_an_apps_header_neither_makes_a_fault_nor_takes_one_back(simulator: Simulator, world: World, name: str) -> None:
    key = key_of(world)
    path = "/api/external/team-orders"
    assert send(simulator, "GET", path, {**key, name: "status=429"}).status == 200
    planned = world.add_fault({"status": 503, "code": "x", "undocumented": True}, when={"first": 1})
    assert send(simulator, "GET", path, {**key, name: "delay_s=0"}).status == 503
    assert send(simulator, "GET", path, key).status == 200
    [fault] = world.call_control("GET", "/faults")["faults"]
    assert (fault["id"], fault["hits"]) == (planned, 1)


def test_an_app_cannot_name_the_world_of_a_call(simulator: Simulator, world: World) -> None:
    other = World(simulator, fixture="empty")
    for headers in ({}, {"Authorization": "Bearer pk_live_nobody"}, key_of(world)):
        send(simulator, "GET", "/api/external/team-orders", {**headers, "X-Sim-World": other.id})
    assert (count_calls(other), count_calls(world)) == (0, 1)


def count_calls(world: World) -> int:
    """How many calls the log of a world has."""
    return len(world.call_control("GET", "/calls")["calls"])


def test_a_closed_simulator_has_a_token(simulator: Simulator) -> None:
    with pytest.raises(ValueError, match="token"):
        Access(closed=True)


def test_answers_have_no_header_of_giftsims_own(simulator: Simulator, world: World) -> None:
    key = key_of(world)
    world.add_fault({"status": 503, "code": "x", "undocumented": True}, when={"calls": [2]})
    path = "/api/external/team-orders"
    answers = [send(simulator, method, path, key) for method in ("GET", "GET", "HEAD", "PUT", "OPTIONS")]
    assert {name for answer in answers for name in answer.headers} == {
        "allow", "content-length", "content-type", "date", "server", "x-request-id",
        "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
    }  # fmt: skip
