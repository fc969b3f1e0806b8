"""Settings of webhooks that read the documents otherwise: jitter, the order of a run, types and data of tests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from giftsim.engine.kernel.instants import parse_instant
from tests.support.api_clients import WEBHOOK_HOST
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

Worlds = Callable[..., World]
MINUTE = 60_000


def test_a_retry_comes_up_to_the_jitter_later(new_world: Worlds) -> None:
    delays = []
    for settings in ({}, {"webhooks.ladder_jitter": "2m"}):
        world = new_world(settings=settings)
        partner = world.partner()
        partner.subscribe("team_order.claimed")
        world.set_receiver(script=[{"status": 500}] * 9)
        world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)
        world.advance("2d")
        instants = [parse_instant(each["at"]) for each in world.deliveries()]
        delays.append([later - earlier for earlier, later in pairwise(instants)][:4])
    exact, drawn = delays
    assert exact == [5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 180 * MINUTE]
    assert all(0 <= late - due <= 2 * MINUTE for due, late in zip(exact, drawn, strict=True))
    assert drawn != exact


@pytest.mark.parametrize(("order", "expected"), [("created", [1, 2, 3]), ("reversed", [3, 2, 1])])
def test_the_events_of_a_run_come_in_the_order_of_the_setting(
    new_world: Worlds, order: str, expected: list[int]
) -> None:
    world = new_world(settings={"webhooks.order": order})
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    orders = [partner.create_order(idempotency_key=f"o{n}").json()["team_order"]["id"] for n in range(3)]
    for number in orders:
        world.simulate("claim", team_order_id=number, recipient=0)
    world.advance("1h")
    came = [each["event_id"] for each in world.deliveries()]
    happened = [each["id"] for each in world.events()]
    assert [happened.index(each) + 1 for each in came] == expected


@pytest.mark.parametrize(
    ("shape", "pattern"), [("evt", "evt_[0-9a-f]{24}"), ("uuid", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")]
)
def test_the_ids_of_events_have_the_shape_of_the_setting(new_world: Worlds, shape: str, pattern: str) -> None:
    world = new_world(settings={"webhooks.event_ids": shape})
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    world.simulate("claim", team_order_id=partner.create_order().json()["team_order"]["id"], recipient=0)
    world.advance("1h")
    [delivery] = world.deliveries()
    assert re.fullmatch(pattern, delivery["event_id"])


@pytest.mark.parametrize("kind", ["webhook.test", "ping"])
def test_a_team_is_sent_a_test_of_the_type_of_the_setting(new_world: Worlds, kind: str) -> None:
    world = new_world(settings={"webhooks.test_type": kind})
    live = TeamClients(world).live
    body = {"url": f"https://{WEBHOOK_HOST}/gifts", "events": ["gift.sent"]}
    live.post(f"/webhooks/{live.post('/webhooks', body).json()['id']}/test", {})
    assert [each["type"] for each in world.deliveries()] == [kind]


@pytest.mark.parametrize(("data", "members"), [("endpoint", {"endpoint", "occurred_at"}), ("empty", set())])
def test_a_ping_has_the_data_of_the_setting(new_world: Worlds, data: str, members: set[str]) -> None:
    world = new_world(settings={"webhooks.ping_data": data})
    partner = world.partner()
    endpoint = partner.subscribe("team_order.claimed")["endpoint"]["id"]
    partner.post(f"/webhooks/{endpoint}/test")
    [delivery] = world.deliveries()
    sent = world.call_control("GET", f"/deliveries/{delivery['seq']}")
    assert set(json.loads(sent["request"]["body"])["data"]) == members


def test_a_page_of_orders_has_the_length_of_the_setting_unless_the_call_says(new_world: Worlds) -> None:
    partner = new_world(settings={"partner.page_size": 2}).partner()
    for n in range(3):
        partner.create_order(idempotency_key=f"order-{n}")
    assert len(partner.get("/team-orders").json()["team_orders"]) == 2
    assert len(partner.get("/team-orders?limit=3").json()["team_orders"]) == 3
