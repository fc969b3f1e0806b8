"""The signed ping of `POST /webhooks/{id}/test` (P-4.16, B29, G21)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.claims import claims
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.http_receiver import OK_RESPONSE, hang_up, http_receiver, respond_always
from tests.support.instants import unix_s
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    endpoint_deliveries,
    endpoint_row,
    fail_host,
    is_valid_signature,
    received_webhooks,
    run_next_hour,
    ship_order,
)
from tests.support.worlds import World


@claims("P-4.16")
def test_a_signed_ping_is_sent_at_once_though_the_clock_stands(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    world.advance("17m")
    at = world.now
    answer = partner.post("/webhooks/1/test")
    (post,) = received_webhooks(world)
    assert answer.status == 200
    assert answer.json() == {"ok": True, "status_code": 200, "event_id": post.event_id}
    assert (post.type, post.at, world.now) == ("ping", at, at)
    assert is_valid_signature(made["secret"], post.headers["X-Service-Signature"], post.text.encode(), unix_s(at))
    assert post.data == {"endpoint": {"id": 1, "status": "active"}, "occurred_at": at}


@claims("P-4.16")
@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_whatever_an_endpoint_subscribed_to_it_gets_a_ping(world: World, partner: PartnerClient, kind: str) -> None:
    partner.subscribe(kind)
    assert partner.post("/webhooks/1/test").json()["ok"] is True
    assert [post.type for post in received_webhooks(world)] == ["ping"]


@claims("P-4.16")
def test_only_the_endpoint_that_is_named_is_pinged(world: World, partner: PartnerClient) -> None:
    hosts = ["a.partner.example", "b.partner.example", "c.partner.example"]
    for host in hosts:
        partner.subscribe("team_order.shipped", host=host)
    partner.post("/webhooks/2/test")
    assert [post.url for post in received_webhooks(world)] == ["https://b.partner.example/gifts"]


@pytest.mark.parametrize(
    ("step", "ok", "code"),
    [
        ({"status": 204}, True, 204),
        ({"status": 299}, True, 299),
        ({"status": 302, "location": "https://elsewhere.example/"}, False, 302),
        ({"status": 404}, False, 404),
        ({"status": 500}, False, 500),
        ({"timeout": True}, False, None),
        ({"delay_s": 11}, False, None),
        ({"reset": True}, False, None),
    ],
)
def test_the_answer_tells_what_came_back(
    world: World, partner: PartnerClient, step: dict[str, Any], ok: bool, code: int | None
) -> None:
    partner.subscribe("team_order.shipped")
    world.set_receiver(then=step)
    answer = partner.post("/webhooks/1/test")
    assert answer.status == 200
    assert (answer.json()["ok"], answer.json()["status_code"]) == (ok, code)


def test_a_failed_ping_is_neither_tried_again_nor_counted_nor_an_event(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe(*EVENT_TYPES)
    fail_host(world)
    partner.post("/webhooks/1/test")
    assert received_webhooks(world)[0].next_attempt_at is None
    world.advance("60d")
    assert [post.type for post in received_webhooks(world)] == ["ping"]
    assert (endpoint_row(partner, made)["pending_count"], endpoint_row(partner, made)["dead_count"]) == (0, 0)
    assert world.events() == []
    refused = world.control.call("POST", f"/worlds/{world.id}/deliveries/1/resend")
    assert (refused.status, refused.json()["error"]["code"]) == (409, "invalid_state")


def test_every_ping_is_an_event_of_its_own(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    ids = [partner.post("/webhooks/1/test").json()["event_id"] for _ in range(5)]
    ship_order(world, partner)
    run_next_hour(world)
    assert len({*ids, received_webhooks(world)[-1].event_id}) == 6


def test_a_ping_overtakes_what_waits_for_the_hour(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    ship_order(world, partner)
    partner.post("/webhooks/1/test")
    assert [post.type for post in received_webhooks(world)] == ["ping"]
    run_next_hour(world)
    assert [post.type for post in received_webhooks(world)] == ["ping", "team_order.shipped"]
    assert [row["status"] for row in endpoint_deliveries(partner, made) if row["type"] != "ping"] == ["delivered"]


def test_a_disabled_endpoint_is_not_pinged(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    partner.delete("/webhooks/1")
    answer = partner.post("/webhooks/1/test")
    assert (answer.status, answer.json()["error"]["code"]) == (404, "endpoint_not_found")
    assert received_webhooks(world) == []


@pytest.mark.parametrize(("body", "status"), [(None, 200), ({}, 200), (b"{", 400), (b"[]", 400)])
def test_a_ping_needs_no_body(world: World, partner: PartnerClient, body: Any, status: int) -> None:
    partner.subscribe("team_order.shipped")
    assert partner.post("/webhooks/1/test", body).status == status
    assert len(received_webhooks(world)) == (status == 200)


def test_the_answer_waits_for_a_real_receiver(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe("team_order.shipped")["secret"]
    for behave, code in ((respond_always(OK_RESPONSE.replace(b"200 OK", b"202 Yes")), 202), (hang_up, None)):
        with http_receiver(behave) as machine:
            world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
            answer = partner.post("/webhooks/1/test").json()
            assert (answer["ok"], answer["status_code"]) == (code == 202, code)
            assert len(machine.requests) == 1
            assert f"Host: {WEBHOOK_HOST}".encode() in machine.requests[0]
    assert [post.outcome for post in received_webhooks(world)] == ["delivered", "connection_reset"]
    for post in received_webhooks(world):
        assert is_valid_signature(secret, post.headers["X-Service-Signature"], post.text.encode(), post.signed_at_s)
