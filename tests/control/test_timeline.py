"""The timeline of a world: how much happened and is due, however much that is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import RENO, email_recipients
from tests.support.responses import created, status_and_code
from tests.support.worlds import World


def timeline(world: World, query: str = "") -> Any:
    """The timeline."""
    return world.call_control("GET", f"/timeline{query}")


def counted(world: World, kind: str, query: str = "") -> list[tuple[str, int, int]]:
    """The parts of a kind in the past: from when, how many, and how many failed."""
    past = timeline(world, query)["past"]
    return [(part["from"], part["count"], part["failed"]) for part in past if part["kind"] == kind]


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_calls_deliveries_and_timers_are_counted_with_those_that_failed(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(script=[{"status": 500}])
    order = created(partner.create_order(recipients=email_recipients(1)))["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    partner.get("/team-orders/99999")
    world.advance("2d")
    assert counted(world, "call") == [("2027-01-04T09:00:00Z", 3, 1)]
    assert counted(world, "delivery") == [("2027-01-04T10:00:00Z", 1, 1), ("2027-01-04T10:05:00Z", 1, 0)]
    assert counted(world, "timer") == [("2027-01-05T09:00:00Z", 1, 0), ("2027-01-06T09:00:00Z", 1, 0)]
    calls = next(part for part in timeline(world)["past"] if part["kind"] == "call")
    assert calls["newest"]["summary"] == calls["newest_failed"]["summary"] == "GET /api/external/team-orders/99999: 404"
    assert timeline(world)["first"] == "2027-01-04T09:00:00Z"
    due = timeline(world)["due"]
    assert [(part["kind"], part["count"], part["example"]["kind"]) for part in due] == [("timer", 1, "shipment.ship")]


def test_a_stretch_is_counted_alone(world: World, partner: PartnerClient) -> None:
    partner.get("/team-orders")
    begin = world.now
    world.advance("1d")
    partner.get("/team-orders")
    now = world.now
    assert counted(world, "call") == [(begin, 1, 0), (now, 1, 0)]
    assert counted(world, "call", f"?from={now}") == [(now, 1, 0)]
    assert counted(world, "call", f"?to={begin}") == [(begin, 1, 0)]
    for query, named in ((f"from={now}&to={begin}", "from is after to"), ("from=yesterday", "from: 'yesterday'")):
        refused = world.control.get(f"/worlds/{world.id}/timeline?{query}")
        assert status_and_code(refused) == (400, "invalid_parameter")
        assert named in refused.text


def test_what_is_undone_is_not_counted_any_more(world: World, partner: PartnerClient) -> None:
    partner.create_order(idempotency_key="one")
    once = counted(world, "call"), counted(world, "mail")
    partner.create_order(idempotency_key="two")
    world.advance("1d")
    partner.create_order(idempotency_key="three")
    world.call_control("POST", "/undo", {"count": 2})
    assert (counted(world, "call"), counted(world, "mail")) == once
    world.call_control("POST", "/reset")
    assert (timeline(world)["first"], timeline(world)["past"]) == (None, [])


def test_many_instants_are_counted_in_few_parts_that_are_finer_near_now(world: World, partner: PartnerClient) -> None:
    for _ in range(60):
        partner.get("/team-orders")
        world.advance("7h")
    parts = [part for part in timeline(world, "?parts=8")["past"] if part["kind"] == "call"]
    assert sum(part["count"] for part in parts) == 60
    assert len(parts) <= 9
    assert max(part["count"] for part in parts[:2]) > 3 * parts[-1]["count"]
    even = [part["count"] for part in timeline(world, "?parts=6&from=2000-01-01T00:00:00Z")["past"]]
    assert max(even) - min(even) <= 2 or len(even) > 6


def test_timers_of_one_instant_are_one_part(world: World, partner: PartnerClient) -> None:
    for n in range(5):
        partner.create_order(idempotency_key=f"key-{n}", recipients=[{"name": "Bo", "address": RENO}])
    due = [(part["from"], part["count"]) for part in timeline(world)["due"] if part["kind"] == "timer"]
    assert sum(count for _, count in due) == timeline(world)["pending"]
    assert max(count for _, count in due) == 5
