"""Pings and resends: attempts outside the retry ladder."""

from __future__ import annotations

import json

import pytest

from giftsim.kernel.instants import parse_instant
from giftsim.problem import Problem
from giftsim.webhooks import delivery, dispatch
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.event import iter_events
from giftsim.webhooks.fan_out import ping
from tests.claims import claims
from tests.support.signatures import verifies
from tests.support.webhook_world import WebhookWorld

START_S = parse_instant("2027-01-04T09:20:00Z") // 1000
TO = "http://127.0.0.1:9000"


def send_ping(world: WebhookWorld) -> Attempt:
    with world.state.transaction():
        return ping(world.state, world.endpoints[0])


def resend(world: WebhookWorld, seq: int) -> Attempt:
    with world.state.transaction():
        return dispatch.resend(world.state, seq)


def world_with_dead_delivery() -> WebhookWorld:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance_until_idle()
    return world


@claims("P-4.16")
def test_a_ping_is_sent_at_once_with_a_valid_signature() -> None:
    world = WebhookWorld()
    target = world.subscribe("order.shipped")
    attempt = send_ping(world)
    assert (attempt.kind, attempt.outcome, attempt.status) == ("ping", "delivered", 200)
    row = world.control_row(1)
    body = row["request"]["body"]
    assert (row["at"], row["mark"], json.loads(body)["type"]) == ("2027-01-04T09:20:00Z", "ping", "ping")
    assert list(json.loads(body)) == ["id", "type", "created_at", "data"]
    signature = row["request"]["headers"]["X-Service-Signature"]
    assert verifies(target.secret, signature, body.encode(), START_S, tolerance=0)


def test_a_failed_ping_is_not_retried_or_counted_or_listed_as_an_event() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    assert send_ping(world).status == 500
    world.advance_until_idle()
    assert len(world.attempts) == 1
    assert [(row.pending, row.dead) for row in world.endpoints] == [(0, 0)]
    assert list(iter_events(world.state)) == []
    assert world.deliveries == []


def test_a_forwarded_ping_gets_its_outcome_from_the_courier() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    assert send_ping(world).outcome is None
    world.send_due()
    assert world.outcomes == [("delivered", 200)]
    assert world.control_row(1)["next_attempt_at"] is None


def test_a_successful_resend_completes_a_dead_delivery() -> None:
    world = world_with_dead_delivery()
    world.set_receiver(then={"status": 202})
    attempt = resend(world, 4)
    assert (attempt.number, attempt.mark, attempt.status) == (10, "resend", 202)
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert [(row.pending, row.dead) for row in world.endpoints] == [(0, 0)]


def test_a_failed_resend_leaves_a_dead_delivery_dead() -> None:
    world = world_with_dead_delivery()
    resend(world, 1)
    world.advance_until_idle()
    assert len(world.attempts) == 10
    assert [(row.status, row.attempts) for row in world.deliveries] == [("dead", 10)]


def test_a_failed_resend_does_not_change_the_retry_times() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance("41m")
    assert resend(world, 1).number == 2
    assert world.control_row(2)["next_attempt_at"] == "2027-01-04T10:05:00Z"
    world.advance_until_idle()
    ladder = [attempt for attempt in world.attempts if attempt.mark == ""]
    assert [attempt.number for attempt in ladder] == [1, *range(3, 11)]
    assert world.times[2:4] == ["2027-01-04T10:05:00Z", "2027-01-04T10:20:00Z"]


def test_a_successful_resend_ends_the_retries_of_a_pending_delivery() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(script=[{"status": 500}])
    world.emit()
    world.advance("41m")
    resend(world, 1)
    world.advance_until_idle()
    assert world.outcomes == [("http_status", 500), ("delivered", 200)]
    assert [(row.pending, row.dead) for row in world.endpoints] == [(0, 0)]


def test_a_failed_resend_of_a_completed_delivery_leaves_it_delivered() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.emit()
    world.advance("40m")
    world.set_receiver(then={"status": 500})
    resend(world, 1)
    world.advance_until_idle()
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert len(world.attempts) == 2


def test_a_resend_during_an_attempt_in_flight_counts_the_delivery_once() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    world.emit()
    while timer := world.state.timers.peek():
        world.state.fire(timer)
    (first,) = world.take_outgoing()
    resend(world, 1)
    world.send_due()
    world.record(first, world.courier(first))
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert [row.pending for row in world.endpoints] == [0]


@pytest.mark.parametrize(("seq", "status"), [(0, 404), (99, 404), (-1, 404), (1, 409), (2, 409)])
def test_unknown_attempts_pings_and_disabled_endpoints_cannot_be_resent(seq: int, status: int) -> None:
    world = WebhookWorld()
    target = world.subscribe()
    world.emit()
    world.advance("40m")
    send_ping(world)
    with world.state.transaction():
        delivery.disable_endpoint(world.state, target)
    with pytest.raises(Problem) as caught:
        resend(world, seq)
    assert caught.value.status == status
    assert len(world.attempts) == 2
