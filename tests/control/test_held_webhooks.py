"""Webhooks that a fault holds back until it is deleted, while time and all others go on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.orders import RENO, email_recipients
from tests.support.partner.webhooks import ship_order
from tests.support.responses import status_and_code
from tests.support.team import webhooks as team_webhooks
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")
SHIPPED, DELIVERED = "team_order.shipped", "team_order.delivered"
OTHER = "other.partner.example"
HOLD = {"webhook": "hold"}


def arrived(world: World) -> list[tuple[str, str, str]]:
    """Day and time, event and host of every attempt."""
    rows = world.deliveries()
    return [(row["at"][8:16], row["type"].partition(".")[2], row["url"].split("/")[2]) for row in rows]


def release(world: World, fault: str) -> None:
    """Delete a fault."""
    world.call_control("DELETE", f"/faults/{fault}")


def test_a_held_webhook_arrives_when_its_fault_is_deleted(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED, DELIVERED)
    world.add_fault(HOLD, id="late", match={"event": SHIPPED}, when={"first": 1})
    order = ship_order(world, partner, 2)
    world.advance(until="idle")
    assert arrived(world) == [
        ("04T10:00", "shipped", WEBHOOK_HOST),
        ("06T09:00", "delivered", WEBHOOK_HOST),
        ("06T09:00", "delivered", WEBHOOK_HOST),
    ]
    [row] = world.rows("endpoints")
    assert row["pending"] == 1
    held = world.call_control("GET", "/events?limit=1")["events"][0]
    assert (held["status"], held["about"]["id"]) == ("pending", order["team_order"]["id"])
    [delivery] = world.call_control("GET", f"/events/{held['id']}")["deliveries"]
    assert delivery["planned"][0] == {
        "rung": 1, "at": None, "because": "the fault late holds it until the fault is deleted",
    }  # fmt: skip
    world.advance("3d")
    release(world, "late")
    [*_, last] = world.deliveries()
    assert (last["event_id"], last["attempt"], last["at"], last["outcome"], last["fault"]) == (
        *(held["id"], 1, world.now, "delivered", None),
    )
    world.advance(until="idle")
    assert len(arrived(world)) == 4


def test_all_that_faults_hold_is_released_in_order_each_fault_its_own(world: World, partner: PartnerClient) -> None:
    for host in (WEBHOOK_HOST, OTHER):
        partner.subscribe(SHIPPED, DELIVERED, host=host)
    world.add_fault(HOLD, id="one", match={"host": OTHER, "event": SHIPPED}, when={"first": 1})
    world.add_fault(HOLD, id="two", match={"event": DELIVERED}, when={"first": 2})
    ship_order(world, partner)
    world.advance(until="idle")
    assert arrived(world) == [("04T10:00", "shipped", WEBHOOK_HOST)]
    release(world, "two")
    assert arrived(world)[1:] == [("06T09:00", "delivered", WEBHOOK_HOST), ("06T09:00", "delivered", OTHER)]
    world.call_control("DELETE", "/faults")
    assert arrived(world)[3:] == [("06T09:00", "shipped", OTHER)]
    assert [row["pending"] for row in world.rows("endpoints")] == [0, 0]


def test_a_retry_can_be_held_and_the_ladder_continues(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    world.set_receiver(script=[{"status": 500}, {"status": 500}])
    world.add_fault(HOLD, id="late", when={"calls": [2]})
    ship_order(world, partner)
    world.advance("5h")
    assert [row["attempt"] for row in world.deliveries()] == [1]
    release(world, "late")
    world.advance("15m")
    assert [(row["attempt"], row["at"][11:16], row["status"]) for row in world.deliveries()] == [
        *((1, "10:00", 500), (2, "14:00", 500), (3, "14:15", 200)),
    ]


def test_a_webhook_that_is_sent_at_once_can_be_held(world: World) -> None:
    live = TeamClients(world).live
    team_webhooks.subscribe(live, "approval.requested")
    world.add_fault(HOLD, id="late", when={"first": 1})
    create_gift(live)
    world.advance("1h")
    assert world.deliveries() == []
    release(world, "late")
    assert [(row["type"], row["at"][11:16]) for row in world.deliveries()] == [("approval.requested", "10:00")]


def test_reordered_and_held_webhooks_do_not_mix(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    world.add_fault({"webhook": "reorder"}, id="swap", when={"first": 1})
    world.add_fault(HOLD, id="late", when={"first": 1})
    order = ship_order(world, partner, 3)
    world.advance("2h")
    events = [row["id"] for row in world.events()]
    assert [events.index(row["event_id"]) for row in world.deliveries()] == [2, 0]
    release(world, "late")
    assert [events.index(row["event_id"]) for row in world.deliveries()] == [2, 0, 1]
    assert len(order["recipients"]) == 3


def test_a_new_signing_key_does_not_send_what_is_held(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    world.add_fault(HOLD, id="late", when={"first": 1})
    ship_order(world, partner)
    world.advance("1h")
    world.add_fault({"signing_key": "missing"}, id="no-key")
    ship_order(world, partner)
    world.advance("1h")
    release(world, "no-key")
    assert [row["at"][11:16] for row in world.deliveries()] == ["11:00"]
    world.add_fault({"signing_key": "missing"}, id="no-key")
    release(world, "late")
    assert len(world.deliveries()) == 1
    release(world, "no-key")
    assert [row["attempt"] for row in world.deliveries()] == [1, 1]


def test_a_deleted_endpoint_gets_nothing_that_was_held(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    world.add_fault(HOLD, id="late")
    ship_order(world, partner)
    world.advance("1h")
    partner.delete("/webhooks/1")
    release(world, "late")
    assert world.deliveries() == []


def test_a_call_cannot_hold_webhooks_by_its_header(partner: PartnerClient) -> None:
    answer = partner.post("/team-orders", {}, X_Sim_Fault="webhook=hold")
    assert status_and_code(answer) == (400, "invalid_fault")


def played(world: World, text: str) -> Any:
    """The report of a played scenario."""
    yaml = {"Content-Type": "application/yaml"}
    return world.client.call("POST", "/_sim/v1/scenarios/play", body=text, headers=yaml).json()


def test_recordings_forks_and_dry_runs_know_what_is_held(world: World, partner: PartnerClient) -> None:
    partner.subscribe(SHIPPED)
    world.add_fault(HOLD, id="late", when={"first": 1})
    number = partner.create_order(recipients=email_recipients(1)).json()["team_order"]["id"]
    world.simulate("claim", team_order_id=number, recipient=0, address=RENO)
    assert world.advance("10d", dry_run=True)["deliveries"] == []
    world.advance("10d")
    release(world, "late")
    assert len(world.deliveries()) == 1
    report = played(world, world.recording)
    assert report["outcome"] == "passed", report
