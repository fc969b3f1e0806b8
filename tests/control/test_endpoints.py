"""One webhook endpoint: its secret, how its attempts went, and a test event (G250, G251)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.console import claim_order
from tests.support.team.clients import TeamClients
from tests.support.team.webhooks import subscribe
from tests.support.worlds import World


def endpoint(world: World, number: int = 1) -> dict[str, Any]:
    """The endpoint as the control API shows it."""
    found: dict[str, Any] = world.call_control("GET", f"/endpoints/{number}")
    return found


def test_an_endpoint_has_the_secret_that_its_creation_showed(world: World, partner: PartnerClient) -> None:
    created = partner.subscribe("team_order.claimed")
    found = endpoint(world)
    assert found["secret"] == created["secret"]
    assert (found["host"], found["history"]["attempts"], found["history"]["since"]) == (WEBHOOK_HOST, 0, None)
    (row,) = world.rows("endpoints")
    assert {name: found[name] for name in row} == row


@pytest.mark.begins("2027-01-04T09:00:00Z")
def test_endpoints_are_found_by_their_url_and_events(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed", "team_order.shipped")
    partner.subscribe("team_order.delivered", host="hooks.other.example")
    for text, ids in (("OTHER.example", [2]), ("shipped", [1]), ("team_order.", [1, 2]), ("nothing", [])):
        found = world.call_control("GET", f"/endpoints?q={text}")["endpoints"]
        assert [row["id"] for row in found] == ids, text


def test_the_history_counts_attempts_and_says_when_they_failed(world: World, partner: PartnerClient) -> None:
    world.set_receiver(script=[{"status": 503}, {"timeout": True}])
    claim_order(world, partner)
    world.advance("2h")
    history = endpoint(world)["history"]
    assert (history["attempts"], history["delivered"], history["failed"]) == (3, 1, 2)
    assert history["since"] == "2027-01-04T10:00:00Z"
    assert history["failing"] == [
        {
            "from": "2027-01-04T10:00:00Z",
            "until": "2027-01-04T10:20:00Z",
            "attempts": 2,
            "outcome": "timeout",
            "status": None,
        }
    ]
    periods = history["periods"]
    assert sum(each["failed"] for each in periods) == 2
    assert sum(each["delivered"] for each in periods) == 1
    assert [each["to"] for each in periods[:-1]] == [each["from"] for each in periods[1:]]
    assert periods[0]["from"] <= history["since"]
    assert periods[-1]["from"] <= world.now < periods[-1]["to"]


def test_at_most_24_periods_reach_until_now(world: World, partner: PartnerClient) -> None:
    claim_order(world, partner)
    for by in ("1h", "1d", "30d", "400d"):
        world.advance(by)
        assert len(endpoint(world)["history"]["periods"]) <= 24, by


def test_a_test_event_is_what_the_call_of_the_owner_sends(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.post("/webhooks/1/test", {})
    sent = world.call_control("POST", "/endpoints/1/test")
    own, verb = world.deliveries()
    assert (sent["type"], sent["mark"], sent["outcome"], sent["endpoint"], sent["about"]) == (
        *("ping", "ping", "delivered", 1, None),
    )
    assert verb["seq"] == sent["seq"]
    assert verb["request"]["body"].replace(verb["event_id"], own["event_id"]) == own["request"]["body"]


def test_a_team_gets_the_test_event_of_its_interface(world: World) -> None:
    subscribe(TeamClients(world).live, "gift.sent")
    sent = world.call_control("POST", "/endpoints/1/test")
    assert (sent["type"], sent["outcome"]) == ("webhook.test", "delivered")


@pytest.mark.parametrize("data", [None, {}, {"tier": "gold", "since": [1, {"a": None}]}])
def test_an_endpoint_gets_an_event_of_an_invented_type(world: World, partner: PartnerClient, data: Any) -> None:
    partner.subscribe("team_order.claimed")
    live = TeamClients(world).live
    subscribe(live, "gift.sent")
    kind = "loyalty.tier_changed"
    for number in (1, 2):
        sent = world.call_control("POST", f"/endpoints/{number}/test", {"type": kind, "data": data})
        assert (sent["type"], sent["mark"], sent["outcome"]) == (kind, "ping", "delivered")
        assert sent["request"]["headers"]["X-Service-Event"] == kind
        body = json.loads(sent["request"]["body"])
        assert (body["type"], body["data"], body.get("livemode")) == (kind, data or {}, True if number == 2 else None)
        assert world.call_control("POST", f"/deliveries/{sent['seq']}/verify", {})["accepted"]
    assert [row["type"] for row in world.deliveries()] == [kind, kind]
    played = world.client.call(
        "POST",
        "/_sim/v1/scenarios/play",
        body=world.recording,
        headers={"Content-Type": "application/yaml"},
    )
    assert played.json()["outcome"] == "passed", played.text


@pytest.mark.parametrize("body", [{"type": "a\r\nB: 1"}, {"type": ""}, {"type": "ö"}, {"data": []}, {"kind": "x"}])
def test_a_type_is_a_word_and_data_an_object(world: World, partner: PartnerClient, body: Any) -> None:
    partner.subscribe("team_order.claimed")
    answer = world.control.post(f"/worlds/{world.id}/endpoints/1/test", body)
    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid_body")
    assert world.deliveries() == []


def test_a_disabled_endpoint_gets_no_test_event(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.delete("/webhooks/1")
    answer = world.control.post(f"/worlds/{world.id}/endpoints/1/test")
    assert (answer.status, answer.json()["error"]["code"]) == (409, "invalid_state")
    assert world.control.get(f"/worlds/{world.id}/endpoints/2").json()["error"]["code"] == "endpoint_not_found"


def test_an_attempt_names_its_endpoint_and_what_it_is_about(world: World, partner: PartnerClient) -> None:
    claim_order(world, partner)
    world.advance(until="next")
    (row,) = world.deliveries()
    assert (row["endpoint"], row["about"]) == (1, {"kind": "team_order", "id": 1001})
