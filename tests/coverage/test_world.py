"""The coverage of a world over HTTP: what each area counts as met, missing and apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api_clients import ApiClient
from tests.support.orders import RENO, order_body
from tests.support.team.clients import TeamClient
from tests.support.worlds import World

MISSING, APART = "missing", "apart"


def coverage(world: World) -> Any:
    """The coverage of a world."""
    return world.call_control("GET", "/coverage")


def areas(world: World) -> Any:
    """The areas of a world's coverage."""
    return coverage(world)["areas"]


def place(world: World, area: str, name: str) -> str:
    """Whether an item is met, missing or apart."""
    found = areas(world)[area]
    [listed] = [kind for kind in ("met", MISSING, APART) if name in found[kind]]
    return listed


def lost(client: ApiClient, body: Any) -> None:
    """Create an order whose answer is lost."""
    with pytest.raises(ConnectionError):
        client.post("/team-orders", body, X_Sim_Fault="drop=after")


def test_nothing_is_missing_of_a_service_that_was_not_called(world: World) -> None:
    for name, area in areas(world).items():
        assert (area["met"], area["missing"], area["percent"]) == ([], [], 100.0), name


def test_operations_of_a_part_that_was_called_are_missing_and_others_apart(world: World) -> None:
    world.partner().create_order()
    operations = areas(world)["operations"]
    assert operations["met"] == ["createTeamOrder"]
    assert operations["missing"] == ["cancelTeamOrder", "getTeamOrder", "getTeamOrderManifest", "listTeamOrders"]
    assert {"createWebhook", "settleBalance", "createFunding", "team.createTeamOrder"} <= set(operations["apart"])
    assert operations["percent"] == 20.0


def test_an_operation_that_no_credential_allows_is_apart(world: World) -> None:
    key = world.call_control("POST", "/keys", {"interface": "team", "scopes": ["webhooks:manage", "billing:read"]})[
        "key"
    ]
    team = TeamClient(world, {"Authorization": f"Bearer {key}"})
    team.get("/webhooks")
    team.get("/billing/balance")
    assert place(world, "operations", "team.listWebhooks") == "met"
    assert place(world, "operations", "team.createWebhook") == MISSING
    assert place(world, "operations", "createCostCenter") == APART


def test_documented_errors_of_called_operations(world: World) -> None:
    partner = world.partner()
    partner.post("/team-orders", order_body(items=[{"sku_code": "NO"}]))
    assert place(world, "errors", "createTeamOrder 404 sku_not_found") == "met"
    assert place(world, "errors", "createTeamOrder 402 insufficient_funds") == MISSING
    assert place(world, "errors", "createTeamOrder 403 forbidden_capability") == APART
    assert place(world, "errors", "cancelTeamOrder 409 nothing_to_cancel") == APART


def test_events_that_an_endpoint_asked_for(world: World) -> None:
    partner = world.partner()
    partner.subscribe("team_order.shipped", "team_order.claimed")
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("2h")
    assert place(world, "events", "team_order.claimed") == MISSING  # only giftsim captured it
    assert coverage(world)["details"]["captured"] == ["team_order.claimed"]
    world.call_control("POST", "/deliveries/1/app-answer", {"status": 500})
    assert place(world, "events", "team_order.claimed") == MISSING
    world.call_control("POST", "/deliveries/1/app-answer", {"status": 204})
    assert place(world, "events", "team_order.claimed") == "met"
    assert place(world, "events", "team_order.shipped") == MISSING
    assert place(world, "events", "team_order.delivered") == APART
    assert place(world, "events", "team.team_order.shipped") == APART
    assert coverage(world)["details"]["captured"] == []


def test_an_event_that_the_endpoint_refuses_is_missing(world: World) -> None:
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    world.call_control("PUT", "/receivers/hooks.partner.example", {"mode": "capture", "then": {"status": 500}})
    order = partner.create_order().json()["team_order"]["id"]
    world.simulate("claim", team_order_id=order, recipient=0, address=RENO)
    world.advance("2h")
    assert place(world, "events", "team_order.claimed") == MISSING


def test_transitions_of_machines_with_a_record(world: World) -> None:
    partner = world.partner()
    partner.create_order()
    assert place(world, "transitions", "shipment: awaiting --expire--> expired") == MISSING
    world.advance("60d")
    assert place(world, "transitions", "shipment: awaiting --expire--> expired") == "met"
    assert place(world, "transitions", "shipment: awaiting --cancel--> canceled") == MISSING
    assert place(world, "transitions", "invoice: open --pay--> paid") == APART
    assert place(world, "transitions", "delivery: pending --fail--> pending") == APART


def test_what_a_fixture_had_before_the_app_came_does_not_count(new_world: Callable[..., World]) -> None:
    assert areas(new_world(fixture="default"))["transitions"]["met"] == []


def test_a_lost_answer_that_is_retried_with_the_same_key(world: World) -> None:
    partner = world.partner()
    body = order_body()
    lost(partner, body)
    assert place(world, "faults", "answer lost, retried with the same key") == MISSING
    partner.post("/team-orders", {**body, "idempotency_key": "another"})
    assert place(world, "faults", "answer lost, retried with the same key") == MISSING
    lost(partner, body)
    partner.post("/team-orders", body)
    assert place(world, "faults", "answer lost, retried with the same key") == "met"
    assert coverage(world)["details"]["retries"]["createTeamOrder lost"] == {
        "met": 2,
        "retried": 2,
        "same_key": 1,
        "other_key": 1,
        "least_delay_s": 0.0,
        "most_delay_s": 0.0,
    }


def test_a_server_error_that_is_retried(world: World) -> None:
    partner, body = world.partner(), order_body()
    partner.post("/team-orders", body, X_Sim_Fault="status=500")
    assert place(world, "faults", "5xx, retried") == MISSING
    partner.post("/team-orders", order_body(idempotency_key="other", reference="other"))
    assert place(world, "faults", "5xx, retried") == MISSING
    partner.post("/team-orders", body)
    assert place(world, "faults", "5xx, retried") == "met"


def test_a_rate_limit_that_is_retried_when_the_service_said(world: World) -> None:
    partner, body = world.partner(), order_body()
    for wait, expected in (("5s", MISSING), ("7s", "met")):
        partner.post("/team-orders", body, X_Sim_Fault="status=429;retry_after=7")
        world.advance(wait)
        partner.post("/team-orders", body)
        assert place(world, "faults", "429, retried after Retry-After") == expected


def test_a_key_in_use_that_is_retried_with_the_same_key(world: World) -> None:
    partner, body = world.partner(), order_body()
    with pytest.raises(ConnectionError):
        partner.post("/team-orders", body, X_Sim_Fault="crash=after_charge")
    assert partner.post("/team-orders", body).status == 409
    assert place(world, "faults", "409 of a key in use, retried with the same key") == MISSING
    partner.post("/team-orders", body)
    assert place(world, "faults", "409 of a key in use, retried with the same key") == "met"


def test_a_body_that_is_not_text_may_follow_a_call_that_failed(world: World) -> None:
    orders = world.partner()
    orders.post("/team-orders", order_body(), X_Sim_Fault="status=503")
    assert orders.call("POST", "/team-orders", b'{"a": "\xdd"}', Content_Type="application/json").status == 400
    assert "createTeamOrder" in areas(world)["operations"]["met"]


def test_a_retry_that_is_like_many_calls_before_counts(world: World) -> None:
    partner = world.partner()
    for _ in range(30):
        partner.get("/team-orders")
    partner.get("/team-orders", X_Sim_Fault="status=500")
    partner.get("/team-orders")
    assert place(world, "faults", "5xx, retried") == "met"
