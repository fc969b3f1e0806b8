"""Faults of deliveries: matched by event, host, interface and key, counted, and bound to what one call caused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.orders import RENO, email_recipients
from tests.support.responses import expect_status
from tests.support.team import webhooks as team_webhooks
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")
OTHER = "other.partner.example"
CLAIMED, SHIPPED = "team_order.claimed", "team_order.shipped"


def attempts(world: World, query: str = "") -> list[tuple[str, str | None, str | None]]:
    """Type, mark and fault of every attempt."""
    return [(row["type"].partition(".")[2], row["mark"], row["fault"]) for row in world.deliveries(query)]


def claim(world: World, order_id: int, recipient: int = 0) -> None:
    """Claim for a recipient, and advance by an hour."""
    world.simulate("claim", team_order_id=order_id, recipient=recipient, address=RENO)
    world.advance("1h")


@pytest.fixture
def order(partner: PartnerClient) -> int:
    """A paid order for three recipients. Its account has webhooks for claims and shipments at two hosts."""
    for host in (WEBHOOK_HOST, OTHER):
        partner.subscribe(CLAIMED, SHIPPED, host=host)
    return int(partner.create_order(recipients=email_recipients(3)).json()["team_order"]["id"])


def test_a_fault_can_match_one_host_and_one_event_type(world: World, order: int) -> None:
    world.add_fault({"webhook": "duplicate"}, id="twice", match={"event": SHIPPED, "host": OTHER.upper()})
    claim(world, order)
    world.simulate("shipment", team_order_id=order, recipient=0, to="shipped")
    world.advance("1h")
    assert attempts(world, f"&host={WEBHOOK_HOST}") == [("claimed", None, None), ("shipped", None, None)]
    twice = [("shipped", None, "twice"), ("shipped", "duplicate", "twice")]
    assert attempts(world, f"&host={OTHER}") == [("claimed", None, None), *twice]
    (row,) = world.call_control("GET", "/faults")["faults"]
    assert (row["calls"], row["hits"]) == (1, 1)


@pytest.mark.parametrize(
    ("when", "hits"),
    [({"first": 1}, "x.."), ({"calls": [2, 3]}, ".xx"), ({"every": 2}, ".x."), ({"from": "+2h"}, ".xx"),
     ({"to": "+2h"}, "x.."), ({"probability": 1}, "xxx"), ({"probability": 0}, "...")],
)  # fmt: skip
def test_a_fault_hits_the_deliveries_chosen_by_when(world: World, order: int, when: Any, hits: str) -> None:
    world.add_fault({"webhook": "stale_signature"}, id="stale", match={"host": WEBHOOK_HOST}, when=when)
    for recipient in range(3):
        claim(world, order, recipient)
    assert "".join("x" if row[2] else "." for row in attempts(world, f"&host={WEBHOOK_HOST}")) == hits


def test_the_probability_of_a_fault_uses_the_seed(new_world: Callable[..., World]) -> None:
    def faults_of_attempts(seed: int) -> list[str | None]:
        world = new_world(seed=seed)
        world.partner().subscribe(CLAIMED)
        world.add_fault({"webhook": "bad_signature"}, id="some", when={"probability": 0.5})
        order_id = world.partner().create_order(recipients=email_recipients(40)).json()["team_order"]["id"]
        for recipient in range(40):
            world.simulate("claim", team_order_id=order_id, recipient=recipient)
        world.advance("1h")
        return [row[2] for row in attempts(world)]

    assert faults_of_attempts(1) == faults_of_attempts(1) != faults_of_attempts(2)
    assert 8 <= faults_of_attempts(1).count("some") <= 32


def test_a_reordered_delivery_is_sent_after_the_next_one_of_its_endpoint(world: World, order: int) -> None:
    world.add_fault({"webhook": "reorder"}, id="late", when={"first": 1}, match={"host": WEBHOOK_HOST})
    for recipient in range(2):
        world.simulate("claim", team_order_id=order, recipient=recipient)
    world.advance("1h")
    events = [row["event_id"] for row in world.deliveries(f"&host={OTHER}")]
    assert [row["event_id"] for row in world.deliveries(f"&host={WEBHOOK_HOST}")] == events[::-1]
    assert [row["fault"] for row in world.deliveries(f"&host={WEBHOOK_HOST}")] == [None, "late"]
    (row,) = world.call_control("GET", "/faults")["faults"]
    assert (row["calls"], row["hits"]) == (2, 1)


def test_a_reordered_delivery_that_was_resent_meanwhile_is_not_sent_again(world: World, order: int) -> None:
    world.set_receiver(script=[{"status": 500}])
    world.add_fault({"webhook": "reorder"}, when={"calls": [2]}, match={"host": WEBHOOK_HOST})
    claim(world, order)
    world.advance("5m")  # the retry waits for the next delivery
    world.call_control("POST", f"/deliveries/{world.deliveries(f'&host={WEBHOOK_HOST}')[0]['seq']}/resend")
    claim(world, order, 1)
    world.advance("3h")
    assert [(row["status"], row["mark"]) for row in world.deliveries(f"&host={WEBHOOK_HOST}")] == [
        (500, None), (200, "resend"), (200, None)
    ]  # fmt: skip


def test_the_header_affects_all_webhooks_of_the_order_that_the_call_makes_and_no_others(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe(CLAIMED, SHIPPED)
    for name in ("plain", "affected", "later"):
        headers = {"X_Sim_Fault": "webhook=duplicate"} if name == "affected" else {}
        body = {
            "idempotency_key": name,
            "gift_sender": "Ada",
            "items": [{"sku_code": "MUG-01"}],
            "recipients": email_recipients(1),
        }
        assert partner.post("/team-orders", body, **headers).status == 201
    for order_id in (1001, 1002, 1003):
        claim(world, order_id)
    header = "webhook=duplicate"
    once = ("claimed", None, None)
    assert attempts(world) == [once, ("claimed", None, header), ("claimed", "duplicate", header), once]
    assert world.call_control("GET", "/faults")["faults"] == []
    assert [call["fault"] for call in world.call_control("GET", "/calls")["calls"]] == [None, None, header, None]


def test_the_header_affects_the_first_attempt_and_not_the_retry(world: World, partner: PartnerClient) -> None:
    partner.subscribe(CLAIMED)
    world.set_receiver(script=[{"status": 401}])
    partner.call("POST", "/team-orders", {
        "idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
        "recipients": email_recipients(1),
    }, X_Sim_Fault="webhook=bad_signature")  # fmt: skip
    claim(world, 1001)
    world.advance("5m")
    assert attempts(world) == [("claimed", None, "webhook=bad_signature"), ("claimed", None, None)]


def test_the_header_affects_a_ping(world: World, partner: PartnerClient) -> None:
    partner.subscribe(CLAIMED)
    for headers in ({"X_Sim_Fault": "webhook=stale_signature"}, {}):
        assert partner.post("/webhooks/1/test", **headers).status == 200
    assert attempts(world) == [("", "ping", "webhook=stale_signature"), ("", "ping", None)]


def test_a_fault_affects_test_deliveries_of_the_team_interface(world: World) -> None:
    team = TeamClients(world)
    subscription = team_webhooks.subscribe(team.live, "gift.sent")
    world.add_fault({"webhook": "bad_signature"}, id="bad", match={"host": team_webhooks.HOST}, when={"first": 1})
    for _ in range(2):
        expect_status(team.live.post(f"/webhooks/{subscription['id']}/test", {}), 202)
    assert [row["fault"] for row in world.deliveries()] == ["bad", None]


def test_the_header_affects_present_and_later_events_on_the_team_interface(world: World) -> None:
    team = TeamClients(world)
    team_webhooks.subscribe(team.live, "approval.requested", "approval.decided", "gift.sent")
    body = {"recipients": email_recipients(1), "gift": {"collection_slug": "welcome-kit"}}
    header = "webhook=duplicate"
    for headers in ({}, {"X_Sim_Fault": header}):
        gift = expect_status(team.live.post("/gifts", body, **headers), 201).json()
        world.simulate("approval", gift_id=gift["id"], decision="approve")
    plain = [("requested", None, None), ("decided", None, None), ("sent", None, None)]
    affected = [(kind, mark, header) for kind, _, _ in plain for mark in (None, "duplicate")]
    assert attempts(world) == [*plain, *affected]


def test_the_header_on_a_refused_call_affects_no_webhook(world: World, partner: PartnerClient) -> None:
    for method, path, status in (("POST", "/team-orders", 400), ("POST", "/webhooks/7/test", 404)):
        assert partner.call(method, path, {}, X_Sim_Fault="webhook=duplicate").status == status
    assert partner.get("/team-orders", X_Sim_Fault="webhook=duplicate").status == 400
    partner.subscribe(CLAIMED)
    partner.create_order()
    claim(world, 1001)
    assert attempts(world) == [("claimed", None, None)]


def test_the_effects_of_a_header_are_part_of_snapshots(world: World, partner: PartnerClient) -> None:
    partner.subscribe(CLAIMED)
    partner.call("POST", "/team-orders", {
        "idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
        "recipients": email_recipients(1),
    }, X_Sim_Fault="webhook=future_signature")  # fmt: skip
    world.call_control("POST", "/snapshots", {"name": "made"})
    runs = []
    for _ in range(2):
        claim(world, 1001)
        runs.append(world.deliveries())
        world.call_control("POST", "/snapshots/made/restore")
    assert runs[0] == runs[1]
    assert runs[0][0]["fault"] == "webhook=future_signature"
