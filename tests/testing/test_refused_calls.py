"""What `route` cannot lead away is refused before it leaves: clients of another kind, and other URLs of the host.

They run in a process of their own, without the test run's watch over what leaves the machine, which refuses them too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.support.served_simulator import ROOT

PROGRAM = """
import asyncio, json, socket
import httpcore
from giftsim import Simulator
from giftsim.testing import CallNotRouted, InProcess
from giftsim.testing.world import open_world
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
    "httpcore": lambda: httpcore.request("GET", f"https://{HOST}/"),
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
        assert "leads calls of requests, httpx, aiohttp, urllib, urllib3 and http.client to the world" in text
        assert "giftsim.router()" in text
        assert f" x {text}\n" in refused["report"]


def test_other_urls_of_the_routed_host_are_refused(refused: dict[str, Any]) -> None:
    assert len(refused["clients"]) == 21
    assert [text for text in refused["clients"].values() if "was not called: route(" not in text] == []
