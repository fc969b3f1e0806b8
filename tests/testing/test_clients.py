"""Client libraries that call a world without a socket: errors, time-outs and base URLs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import anyio
import httpx
import pytest
import requests

from giftsim.testing import Giftsim
from tests.support.orders import order_body
from tests.support.routed_clients import CLIENTS
from tests.support.served_simulator import ROOT

PATH = "/api/external/team-orders"
VENDOR = "https://gifts.vendor.example"


def test_requests_calls_the_world_with_a_credential(sim: Giftsim) -> None:
    with sim.requests("partner.prepaid") as session:
        made = session.post(PATH, json=order_body())
        assert (made.status_code, made.reason) == (201, "Created")
        assert made.headers["Content-Type"].startswith("application/json")
        number = made.json()["team_order"]["id"]
        assert session.get(f"{sim.url}{PATH}", params={"limit": 1}).json()["team_orders"][0]["id"] == number
        csv = session.get(f"{PATH}/{number}/manifest.csv")
        assert csv.text.startswith('"recipient_id",')
    with sim.requests(None) as anonymous:
        assert anonymous.get(PATH).status_code == 401
        assert anonymous.get(PATH, headers=sim.headers("partner.prepaid")).status_code == 200


def test_httpx_calls_the_world_with_a_credential(sim: Giftsim) -> None:
    with sim.httpx() as client:
        made = client.post(PATH, json=order_body())
        assert made.status_code == 201
        assert client.get(PATH, params={"limit": 1}).json()["team_orders"][0]["id"] == made.json()["team_order"]["id"]


def test_two_idempotency_keys_are_refused_in_process_as_over_http(sim: Giftsim) -> None:
    keys = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
    with sim.httpx("team.live_approver") as client:
        response = client.post("/api/teams/v1/people", json={"people": []}, headers=keys)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid_idempotency_key")


def test_httpx_async_calls_run_concurrently(sim: Giftsim) -> None:
    async def run() -> list[int]:
        statuses: list[int] = []

        async def create(client: httpx.AsyncClient, name: str) -> None:
            statuses.append((await client.post(PATH, json=order_body(idempotency_key=name))).status_code)

        async with sim.httpx_async() as client, anyio.create_task_group() as group:
            for name in "abc":
                group.start_soon(create, client, name)
        return statuses

    assert anyio.run(run) == [201, 201, 201]


def test_werkzeugs_client_calls_the_world(local_sim: Giftsim, server_sim: Giftsim) -> None:
    client = local_sim.werkzeug()
    made = client.post(PATH, json=order_body())
    assert made.status_code == 201
    assert local_sim.claim(made)["status"] == "submitted"
    local_sim.fault(drop="before", when={"first": 1})
    with pytest.raises(ConnectionError, match="without a response"):
        client.get(PATH)
    with pytest.raises(TypeError, match="needs the fixture giftsim, in process"):
        server_sim.werkzeug()


def test_a_dropped_response_raises_the_librarys_own_error(sim: Giftsim) -> None:
    sim.fault(drop="after", when={"first": 2})
    with pytest.raises(requests.ConnectionError):
        sim.requests().post(PATH, json=order_body())
    with pytest.raises(httpx.RemoteProtocolError):
        sim.httpx().post(PATH, json=order_body())
    again = sim.httpx().post(PATH, json=order_body())
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_late_response_raises_the_librarys_own_timeout(sim: Giftsim) -> None:
    fault = sim.fault(hold=True, match={"operation": "listTeamOrders"})
    with pytest.raises(requests.ReadTimeout):
        sim.requests().get(PATH, timeout=(60, 0.05))
    with pytest.raises(httpx.ReadTimeout):
        sim.httpx().get(PATH, timeout=httpx.Timeout(60, read=0.05))
    sim.clear_faults(fault)


def test_urls_outside_the_world_are_refused(sim: Giftsim) -> None:
    with pytest.raises(requests.exceptions.InvalidURL, match="was not sent: this client calls only URLs below"):
        sim.requests().get("https://example.com/")
    with pytest.raises(httpx.UnsupportedProtocol, match="was not sent: this client calls only URLs below"):
        sim.httpx().get("https://example.com/")


def test_a_client_can_have_another_base_url(sim: Giftsim) -> None:
    session = sim.requests(base=f"{VENDOR}/v2", to="/api/external")
    assert session.get("team-orders").status_code == 200
    assert session.get(f"{VENDOR}/v2/team-orders").url == f"{VENDOR}/v2/team-orders"
    with pytest.raises(requests.exceptions.InvalidURL):
        session.get(f"{VENDOR}/v22/team-orders")
    assert sim.httpx(base=VENDOR).get(f"{VENDOR}{PATH}").status_code == 200


@pytest.mark.parametrize("library", ["requests", "httpx"])
def test_a_library_that_is_not_installed_is_named(local_sim: Giftsim, library: str, monkeypatch: Any) -> None:
    for name in [name for name in sys.modules if name.partition("_")[0] == f"giftsim.testing.{library}"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"pip install {library}"):
        getattr(local_sim, library)()


def test_streamed_bodies_arrive_complete(sim: Giftsim) -> None:
    parts = [b'{"url": "https://hooks.partner.example/', b'x", "events": ["team_order.shipped"]}']
    headers = {"Content-Type": "application/json"}
    made = sim.requests().post("/api/external/webhooks", data=iter(parts), headers=headers)
    assert made.status_code == 201, made.text
    also = sim.httpx().post("/api/external/webhooks", content=iter(parts), headers=headers)
    assert also.json()["endpoint"]["url"] == "https://hooks.partner.example/x"


PROGRAM = """
import asyncio, json, socket
from giftsim import Simulator
from giftsim.testing import CallNotRouted, InProcess
from giftsim.testing.world_for_test import open_world
from tests.support.routed_clients import CLIENTS

HOST, BASE = "gifts.vendor.example", "https://gifts.vendor.example/v2"

def connect(address):
    with socket.socket() as sock:
        sock.settimeout(0.1)
        sock.connect(address)

def refusal(call, *args):
    try:
        return f"not refused: {call(*args)}"
    except CallNotRouted as error:
        return str(error)
    except Exception as error:
        return f"not refused: {error!r}"

others = {
    "create_connection": lambda: socket.create_connection((HOST, 443), 0.1),
    "upper case, in bytes": lambda: socket.getaddrinfo(HOST.upper().encode() + b".", None),
    "another port": lambda: socket.getaddrinfo(HOST, 8080),
    "gethostbyname": lambda: socket.gethostbyname(HOST),
    "asyncio": lambda: asyncio.run(asyncio.open_connection(HOST, 443)),
}
addresses = [("192.0.2.7", 8080), ("localhost", 8080)]
urls = [f"https://{HOST}/v22/team-orders", f"http://{HOST}/v2/team-orders", f"https://{HOST}:8443/v2/team-orders"]
with open_world(InProcess(Simulator(fixture="bare"))) as sim:
    with sim.route(BASE, "partner.prepaid", to="/api/external"):
        assert all(call("GET", f"{BASE}/team-orders", {})[0] == 200 for call in CLIENTS.values())
        clients = {f"{name} {url}": refusal(call, "GET", url, {}) for name, call in CLIENTS.items() for url in urls}
        refused = {name: refusal(call) for name, call in others.items()}
    for address in addresses:
        with sim.route("http://%s:%d" % address):
            refused[address[0]] = refusal(connect, address)
    with sim.route("http://192.0.2.7:8080"), socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        refused["a datagram"] = refusal(lambda: datagrams.sendto(b"x", addresses[0]))
    with sim.route("http://localhost:8080"):
        assert socket.getaddrinfo("localhost", 9)
    print(json.dumps({"clients": clients, "others": refused, "report": sim.summary()}))
"""


@pytest.fixture(scope="module")
def refused() -> dict[str, Any]:
    """What the program prints."""
    paths = f"{ROOT / 'simulator'}:{ROOT}"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False,
        env={"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_any_other_client_is_refused_before_it_connects(refused: dict[str, Any]) -> None:
    assert len(refused["others"]) == 8
    for client, text in refused["others"].items():
        assert "was not called: route(" in text, client
        assert "sends calls of requests, httpx, httpx2, httpcore, aiohttp, pyreqwest, urllib, urllib3" in text
        assert "giftsim.router()" in text
        assert f" x {text.rpartition(' (see ')[0]}\n" in refused["report"]


def test_other_urls_of_the_routed_host_are_refused(refused: dict[str, Any]) -> None:
    assert len(refused["clients"]) == 3 * len(CLIENTS)
    assert [text for text in refused["clients"].values() if "was not called: route(" not in text] == []
