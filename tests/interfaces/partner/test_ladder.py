"""Retries: after what, exactly when, how often, and what comes of it (P-6.16 to P-6.20, B44, G22, G26)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.http_receiver import OK_RESPONSE, hang_up, http_receiver, respond_always
from tests.support.instants import later, unix_s
from tests.support.orders import address_recipients
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    endpoint_deliveries,
    endpoint_row,
    fail_host,
    is_valid_signature,
    received_webhooks,
    retry_instants,
    run_next_hour,
    ship_order,
)
from tests.support.worlds import World


@shows("P-4.16")
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


@shows("P-4.16")
@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_whatever_an_endpoint_subscribed_to_it_gets_a_ping(world: World, partner: PartnerClient, kind: str) -> None:
    partner.subscribe(kind)
    assert partner.post("/webhooks/1/test").json()["ok"] is True
    assert [post.type for post in received_webhooks(world)] == ["ping"]


@shows("P-4.16")
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


KIND = "team_order.shipped"


def begun(world: World, partner: PartnerClient, **entry: Any) -> tuple[Any, str]:
    """An endpoint with such a receiver that was tried once; the endpoint, and when that was."""
    made = partner.subscribe(KIND)
    world.set_receiver(**entry)
    ship_order(world, partner)
    return made, run_next_hour(world)


def counts(partner: PartnerClient, endpoint: Any) -> tuple[int, int]:
    row = endpoint_row(partner, endpoint)
    return row["pending_count"], row["dead_count"]


def tries(world: World) -> list[tuple[str, int | None]]:
    return [(post.at, post.status) for post in received_webhooks(world)]


@shows("P-6.18", "P-6.19")
def test_whatever_always_fails_is_tried_nine_times_and_is_dead_then(world: World, partner: PartnerClient) -> None:
    made, first = begun(world, partner, then={"status": 500})
    world.advance("26w")
    posts = received_webhooks(world)
    assert [post.at for post in posts] == retry_instants(first)
    assert [post.attempt for post in posts] == list(range(1, 10))
    assert [post.next_attempt_at for post in posts] == [*retry_instants(first)[1:], None]
    assert counts(partner, made) == (0, 1)
    (row,) = endpoint_deliveries(partner, made)
    assert (row["status"], row["attempts"], row["next_attempt_at"]) == ("dead", 9, None)


@shows("P-6.18", "P-6.19")
@pytest.mark.parametrize("steps", [["4000m"] * 3, ["1w", "104w"], ["19m"] * 300, ["1s", "299s", "15m", "3h"] * 40])
def test_retries_come_exactly_when_due_however_time_is_cut(
    world: World, partner: PartnerClient, steps: list[str]
) -> None:
    made, first = begun(world, partner, then={"timeout": True})
    for span in steps:
        world.advance(span)
    assert [post.at for post in received_webhooks(world)] == retry_instants(first)
    assert counts(partner, made) == (0, 1)


@shows("P-6.18", "P-6.19")
def test_until_idle_climbs_the_whole_ladder_and_leaves_nothing_pending(world: World, partner: PartnerClient) -> None:
    made, first = begun(world, partner, then={"reset": True})
    told = world.advance(until="idle")
    assert told["to"] == retry_instants(first)[-1]
    assert [row["at"] for row in told["deliveries"]] == retry_instants(first)[1:]
    assert counts(partner, made) == (0, 1)


@shows("P-6.18")
def test_until_next_goes_from_rung_to_rung(world: World, partner: PartnerClient) -> None:
    _, first = begun(world, partner, then={"status": 500})
    assert world.advance(until="next")["to"] == retry_instants(first)[1]
    assert world.advance(until="next")["to"] == retry_instants(first)[2]
    assert [post.at for post in received_webhooks(world)] == retry_instants(first)[:3]


def test_a_jump_far_past_facts_and_ladders_leaves_no_retry_out(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND, "team_order.delivered")
    fail_host(world)
    run_next_hour(world)
    paid = world.now
    partner.create_order(recipients=address_recipients(1))
    world.advance("104w")
    ladder = {
        kind: [post.at for post in received_webhooks(world, kind=kind)] for kind in (KIND, "team_order.delivered")
    }
    assert ladder == {
        KIND: retry_instants(later(paid, "3d")),
        "team_order.delivered": retry_instants(later(paid, "5d")),
    }
    assert [post.at for post in received_webhooks(world)] == sorted(post.at for post in received_webhooks(world))


@shows("P-6.19")
def test_the_last_retry_may_still_succeed(world: World, partner: PartnerClient) -> None:
    made, first = begun(world, partner, script=[{"status": 500}] * 8)
    world.advance(until="idle")
    assert tries(world)[-1] == (retry_instants(first)[-1], 200)
    assert counts(partner, made) == (0, 0)
    assert [row["status"] for row in endpoint_deliveries(partner, made)] == ["delivered"]


@pytest.mark.parametrize("failures", range(1, 9))
def test_the_first_success_ends_the_retries(world: World, partner: PartnerClient, failures: int) -> None:
    _, first = begun(world, partner, script=[{"status": 503}] * failures)
    world.advance("60d")
    assert [post.at for post in received_webhooks(world)] == retry_instants(first)[: failures + 1]


@shows("P-6.16")
@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 502, 503])
def test_any_answer_outside_2xx_is_tried_again_after_five_minutes(
    world: World, partner: PartnerClient, status: int
) -> None:
    made, first = begun(world, partner, script=[{"status": status}])
    assert endpoint_deliveries(partner, made)[0]["next_attempt_at"] == later(first, "5m")
    assert counts(partner, made) == (1, 0)
    world.advance("299s")
    assert tries(world) == [(first, status)]
    world.advance("1s")
    assert tries(world) == [(first, status), (later(first, "5m"), 200)]


@shows("P-6.16")
@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_a_success(world: World, partner: PartnerClient, status: int) -> None:
    made, first = begun(world, partner, script=[{"status": status}])
    world.advance("60d")
    assert tries(world) == [(first, status)]
    (row,) = endpoint_deliveries(partner, made)
    assert (row["status"], row["last_status_code"], row["next_attempt_at"]) == ("delivered", status, None)


@shows("P-6.16")
def test_a_redirect_is_not_followed(world: World, partner: PartnerClient) -> None:
    elsewhere = "elsewhere.partner.example"
    partner.subscribe("order.shipped", host=elsewhere)
    redirect = {"status": 302, "location": f"https://{elsewhere}/gifts"}
    begun(world, partner, then=redirect)
    world.advance("1h")
    assert [post.status for post in received_webhooks(world)] == [302, 302, 302]
    assert received_webhooks(world, host=elsewhere) == []


@shows("P-6.17")
@pytest.mark.parametrize(
    ("delay_s", "outcome"), [(9, "delivered"), (9.9, "delivered"), (10, "timeout"), (11, "timeout")]
)
def test_an_attempt_is_given_up_after_ten_seconds(
    world: World, partner: PartnerClient, delay_s: float, outcome: str
) -> None:
    _, first = begun(world, partner, script=[{"delay_s": delay_s}])
    assert [post.outcome for post in received_webhooks(world)] == [outcome]
    world.advance("5m")
    after = [(later(first, "5m"), 200)] if outcome == "timeout" else []
    assert tries(world)[1:] == after


@shows("P-6.16", "P-6.17")
@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ({"timeout": True}, "timeout"),
        ({"reset": True}, "connection_reset"),
        ({"refuse": True}, "connection_refused"),
        ({"tls_error": True}, "tls_error"),
        ({"dns_error": True}, "dns_error"),
    ],
)
def test_no_answer_is_a_failure_without_a_status(
    world: World, partner: PartnerClient, step: dict[str, bool], outcome: str
) -> None:
    made, first = begun(world, partner, script=[step])
    assert [(post.outcome, post.status) for post in received_webhooks(world)] == [(outcome, None)]
    assert endpoint_deliveries(partner, made)[0]["last_status_code"] is None
    world.advance("5m")
    assert tries(world)[-1] == (later(first, "5m"), 200)


@shows("P-6.20")
def test_all_attempts_are_of_one_event(world: World, partner: PartnerClient) -> None:
    begun(world, partner, then={"status": 500})
    world.advance(until="idle")
    (event,) = (event for event in world.events() if event["type"] == KIND)
    assert [post.event_id for post in received_webhooks(world)] == [event["id"]] * 9


def test_endpoints_and_events_climb_by_themselves(world: World, partner: PartnerClient) -> None:
    bad, first = begun(world, partner, then={"status": 500})
    good = partner.subscribe(KIND, host="good.partner.example")
    world.advance("2h")
    ship_order(world, partner)
    second = run_next_hour(world)
    world.advance(until="idle")
    assert [post.at for post in received_webhooks(world, host=WEBHOOK_HOST)] == sorted(
        retry_instants(first) + retry_instants(second)
    )
    assert [post.at for post in received_webhooks(world, host="good.partner.example")] == [second]
    assert (counts(partner, bad), counts(partner, good)) == ((0, 2), (0, 0))


def test_a_resend_is_one_more_attempt_beside_the_ladder(world: World, partner: PartnerClient) -> None:
    made, first = begun(world, partner, then={"status": 500})
    world.advance("1m")
    again = world.call_control("POST", "/deliveries/1/resend")
    assert (again["attempt"], again["mark"], again["status"]) == (2, "resend", 500)
    world.advance(until="idle")
    ladder = [post for post in received_webhooks(world) if post.mark is None]
    assert [post.at for post in ladder] == retry_instants(first)
    assert [post.attempt for post in received_webhooks(world)] == list(range(1, 11))
    assert counts(partner, made) == (0, 1)


@pytest.mark.parametrize("ended", [True, False])
def test_a_resend_that_is_taken_delivers_and_ends_the_retries(
    world: World, partner: PartnerClient, ended: bool
) -> None:
    made, _ = begun(world, partner, then={"status": 500})
    if ended:
        world.advance(until="idle")
        assert counts(partner, made) == (0, 1)
    world.set_receiver()
    assert world.call_control("POST", "/deliveries/1/resend")["outcome"] == "delivered"
    assert counts(partner, made) == (0, 0)
    assert [row["status"] for row in endpoint_deliveries(partner, made)] == ["delivered"]
    count = len(received_webhooks(world))
    world.advance("60d")
    assert len(received_webhooks(world)) == count


def test_a_resend_of_what_was_delivered_changes_nothing_but_the_inbox(world: World, partner: PartnerClient) -> None:
    made, _ = begun(world, partner)
    fail_host(world)
    world.call_control("POST", "/deliveries/1/resend")
    world.advance("60d")
    assert [post.status for post in received_webhooks(world)] == [200, 500]
    assert [row["status"] for row in endpoint_deliveries(partner, made)] == ["delivered"]
    assert counts(partner, made) == (0, 0)


@shows("P-6.20")
def test_a_receiver_may_get_an_event_twice_and_knows_it_by_its_id(world: World, partner: PartnerClient) -> None:
    world.add_fault({"webhook": "duplicate"}, when={"first": 1})
    made, first = begun(world, partner)
    one, two = received_webhooks(world)
    assert (one.event_id, one.text, one.at) == (two.event_id, two.text, two.at)
    assert one.at == first
    assert [row["status"] for row in endpoint_deliveries(partner, made)] == ["delivered"]


def test_a_receiver_may_get_events_out_of_order(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND, "team_order.delivered")
    world.add_fault({"webhook": "reorder"}, when={"first": 1})
    move_parcels(world, ship_order(world, partner), "delivered")
    run_next_hour(world)
    assert [post.type for post in received_webhooks(world)] == ["team_order.delivered", KIND]
