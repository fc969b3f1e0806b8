"""Client libraries on a world without a socket: their own errors and time-outs, an application's own base URL."""

from __future__ import annotations

import sys
from typing import Any

import anyio
import httpx
import pytest
import requests

from giftsim.testing import Giftsim
from tests.support.orders import order_body

PATH = "/api/external/team-orders"
VENDOR = "https://gifts.vendor.example"


def test_requests_reaches_the_world_by_a_credential(held: Giftsim) -> None:
    with held.requests("partner.prepaid") as session:
        made = session.post(PATH, json=order_body())
        assert (made.status_code, made.reason) == (201, "Created")
        assert made.headers["Content-Type"].startswith("application/json")
        number = made.json()["team_order"]["id"]
        assert session.get(f"{held.url}{PATH}", params={"limit": 1}).json()["team_orders"][0]["id"] == number
        csv = session.get(f"{PATH}/{number}/manifest.csv")
        assert csv.text.startswith('"recipient_id",')
    with held.requests(None) as nobody:
        assert nobody.get(PATH).status_code == 401
        assert nobody.get(PATH, headers=held.headers("partner.prepaid")).status_code == 200


def test_httpx_reaches_the_world_by_a_credential(held: Giftsim) -> None:
    with held.httpx() as client:
        made = client.post(PATH, json=order_body())
        assert made.status_code == 201
        assert client.get(PATH, params={"limit": 1}).json()["team_orders"][0]["id"] == made.json()["team_order"]["id"]


def test_httpx_async_calls_run_side_by_side(held: Giftsim) -> None:
    async def run() -> list[int]:
        found: list[int] = []

        async def one(client: httpx.AsyncClient, name: str) -> None:
            found.append((await client.post(PATH, json=order_body(idempotency_key=name))).status_code)

        async with held.httpx_async() as client, anyio.create_task_group() as group:
            for name in "abc":
                group.start_soon(one, client, name)
        return found

    assert anyio.run(run) == [201, 201, 201]


def test_werkzeugs_client_reaches_the_world(here: Giftsim, there: Giftsim) -> None:
    client = here.werkzeug()
    made = client.post(PATH, json=order_body())
    assert made.status_code == 201
    assert here.claim(made)["status"] == "submitted"
    here.fault(drop="before", when={"first": 1})
    with pytest.raises(ConnectionError, match="without a response"):
        client.get(PATH)
    with pytest.raises(TypeError, match="needs the fixture giftsim, in process"):
        there.werkzeug()


def test_a_lost_answer_is_each_librarys_own_error(held: Giftsim) -> None:
    held.fault(drop="after", when={"first": 2})
    with pytest.raises(requests.ConnectionError):
        held.requests().post(PATH, json=order_body())
    with pytest.raises(httpx.RemoteProtocolError):
        held.httpx().post(PATH, json=order_body())
    again = held.httpx().post(PATH, json=order_body())
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_late_answer_is_each_librarys_own_timeout(held: Giftsim) -> None:
    fault = held.fault(hold=True, match={"operation": "listTeamOrders"})
    with pytest.raises(requests.ReadTimeout):
        held.requests().get(PATH, timeout=(1, 0.05))
    with pytest.raises(httpx.ReadTimeout):
        held.httpx().get(PATH, timeout=0.05)
    held.clear_faults(fault)


def test_nothing_else_is_ever_called(held: Giftsim) -> None:
    with pytest.raises(requests.exceptions.InvalidURL, match="leads out of the world"):
        held.requests().get("https://example.com/")
    with pytest.raises(httpx.UnsupportedProtocol, match="leads out of the world"):
        held.httpx().get("https://example.com/")


def test_a_client_knows_the_world_by_another_base_url(held: Giftsim) -> None:
    session = held.requests(base=f"{VENDOR}/v2", to="/api/external")
    assert session.get("team-orders").status_code == 200
    assert session.get(f"{VENDOR}/v2/team-orders").url == f"{VENDOR}/v2/team-orders"
    with pytest.raises(requests.exceptions.InvalidURL):
        session.get(f"{VENDOR}/v22/team-orders")
    assert held.httpx(base=VENDOR).get(f"{VENDOR}{PATH}").status_code == 200


def test_an_applications_own_calls_are_led_into_the_world(held: Giftsim) -> None:
    def application() -> tuple[int, int]:
        told = held.headers("partner.prepaid")
        with httpx.Client() as client:
            first = client.get(f"{VENDOR}{PATH}", headers=told)
        return first.status_code, requests.get(f"{VENDOR}{PATH}", timeout=5, headers=told).status_code

    async def asynchronous() -> int:
        async with httpx.AsyncClient() as client:
            return (await client.get(f"{VENDOR}{PATH}")).status_code

    with held.route(VENDOR, "partner.prepaid"):
        assert application() == (200, 200)
        assert anyio.run(asynchronous) == 200
    assert held.listed("journal", "calls")[-1]["request"]["path"] == PATH


def test_routes_leave_other_addresses_alone(here: Giftsim, there: Giftsim) -> None:
    with here.route(VENDOR):
        health = f"{there.url}/_sim/v1/health"
        assert httpx.get(health).json()["status"] == "ready"
        assert requests.get(health, timeout=5).json()["status"] == "ready"


@pytest.mark.parametrize("library", ["requests", "httpx"])
def test_a_library_that_is_not_there_is_named(here: Giftsim, library: str, monkeypatch: Any) -> None:
    for name in [name for name in sys.modules if name.partition("_")[0] == f"giftsim.testing.{library}"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"pip install {library}"):
        getattr(here, library)()


def test_bodies_of_every_shape_arrive_whole(held: Giftsim) -> None:
    parts = [b'{"url": "https://hooks.partner.example/', b'x", "events": ["team_order.shipped"]}']
    told = {"Content-Type": "application/json"}
    made = held.requests().post("/api/external/webhooks", data=iter(parts), headers=told)
    assert made.status_code == 201, made.text
    also = held.httpx().post("/api/external/webhooks", content=iter(parts), headers=told)
    assert also.json()["endpoint"]["url"] == "https://hooks.partner.example/x"
