"""Forwarded attempts: what the courier gets, and what its outcomes change (G5, G21 to G24)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.kernel.instants import format_instant, parse_instant
from giftsim.engine.kernel.placeholders import ORIGIN
from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.kernel.signals import connect
from giftsim.engine.webhooks import delivery, dispatch
from giftsim.engine.webhooks.attempt import in_flight
from giftsim.engine.webhooks.fan_out import EVENT_DATA
from giftsim.engine.webhooks.outgoing import Outcome, Outgoing, request_bytes
from tests.support.signatures import verifies
from tests.support.webhook_world import HOST, WebhookWorld

TO = "http://127.0.0.1:9000"
RUN_S = parse_instant("2027-01-04T10:00:00Z") // 1000
GOOD = Outcome("delivered", 200, 1_900_000_000, 0.25)
BAD = Outcome("connection_refused", None, 1_900_000_000, 0.25)


def attempt_in_flight(**entry: Any) -> tuple[WebhookWorld, Outgoing]:
    """A world with one attempt in flight, and what the courier got of it."""
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO, **entry)
    world.emit()
    fire(world)
    (outgoing,) = world.take_outgoing()
    return world, outgoing


def fire(world: WebhookWorld) -> None:
    """Fire the hourly run and the attempts of its instant."""
    while (timer := world.state.timers.peek()) and timer.due_ms <= RUN_S * 1000:
        world.state.fire(timer)


def test_the_courier_gets_the_exact_request_for_the_public_host() -> None:
    world, outgoing = attempt_in_flight()
    assert (outgoing.to, outgoing.path, outgoing.host) == (TO, "/gifts?from=us", HOST)
    assert dict(outgoing.headers)["Host"] == HOST
    assert dict(outgoing.headers)["Content-Type"] == "application/json"
    assert outgoing.body == world.control_row(1)["request"]["body"].encode()
    assert (outgoing.number, outgoing.timeout_s, outgoing.sign_s) == (1, 10, None)


def test_the_host_header_can_name_the_target() -> None:
    _, outgoing = attempt_in_flight(host_header="target")
    assert dict(outgoing.headers)["Host"] == "127.0.0.1:9000"


def test_placeholders_in_the_body_are_filled_in_before_it_is_signed() -> None:
    world = WebhookWorld(connect(EVENT_DATA, lambda *_: f'"{ORIGIN}/claim"'.encode()))
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    world.emit()
    fire(world)
    (outgoing,) = world.take_outgoing()
    assert b'"http://giftsim.example/claim"' in outgoing.body
    head, _, body = request_bytes(outgoing, 1_900_000_000).partition(b"\r\n\r\n")
    assert body == outgoing.body
    signed = head.decode().partition("X-Service-Signature: ")[2].partition("\r\n")[0]
    assert verifies(outgoing.secret, signed, body, 1_900_000_000, tolerance=0)


def test_a_delivery_with_an_attempt_in_flight_is_pending_without_a_timer() -> None:
    world, _ = attempt_in_flight()
    assert [(row.status, row.attempts, row.next_attempt_ms) for row in world.deliveries] == [("pending", 1, None)]
    assert world.state.timers.peek() is None
    assert [attempt.n for attempt in in_flight(world.state)] == [0]
    assert world.outcomes == [(None, None)]


def test_a_success_completes_the_delivery() -> None:
    world, outgoing = attempt_in_flight()
    world.record(outgoing, GOOD)
    assert world.outcomes == [("delivered", 200)]
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert in_flight(world.state) == []


def test_the_retry_delay_counts_from_the_attempt_not_from_its_outcome() -> None:
    world, outgoing = attempt_in_flight()
    world.state.now_ms += 60_000
    world.record(outgoing, BAD)
    assert world.control_row(1)["next_attempt_at"] == "2027-01-04T10:05:00Z"
    timer = world.state.timers.peek()
    assert timer is not None
    assert format_instant(timer.due_ms) == "2027-01-04T10:05:00Z"


def test_an_overdue_retry_is_made_at_once() -> None:
    world, outgoing = attempt_in_flight()
    world.state.now_ms += 3_600_000
    world.record(outgoing, BAD)
    world.courier = lambda _: BAD
    world.advance()
    assert world.times == ["2027-01-04T10:00:00Z", "2027-01-04T11:00:00Z"]
    assert world.control_row(2)["next_attempt_at"] == "2027-01-04T11:15:00Z"


def test_a_delivery_dropped_while_in_flight_stays_dropped() -> None:
    world, outgoing = attempt_in_flight()
    with world.state.transaction():
        delivery.disable_endpoint(world.state, world.endpoints[0])
    world.record(outgoing, GOOD)
    assert [row.status for row in world.deliveries] == ["dropped"]
    assert (world.outcomes, world.endpoints[0].pending) == ([("delivered", 200)], 0)


def test_an_attempt_is_completed_once() -> None:
    world, outgoing = attempt_in_flight()
    world.record(outgoing, GOOD)
    with pytest.raises(ValueError, match=r"attempt 1 is not in flight: its outcome is delivered already"):
        world.record(outgoing, GOOD)


def test_a_script_answers_before_anything_is_forwarded() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO, script=[{"status": 503}])
    world.emit()
    world.advance_until_idle()
    assert world.outcomes == [("http_status", 503), ("delivered", 200)]
    assert [outgoing.number for outgoing in world.sent] == [2]


def test_an_attempt_in_flight_at_a_restart_is_sent_again_unchanged() -> None:
    world, lost = attempt_in_flight()
    with world.state.transaction():
        dispatch.requeue_attempts(world.state, [attempt.n for attempt in in_flight(world.state)])
    assert world.take_outgoing() == [lost]
    world.record(lost, GOOD)
    assert len(world.attempts) == 1


def test_an_attempt_in_flight_at_a_restart_is_answered_by_a_new_script() -> None:
    world, _ = attempt_in_flight()
    world.set_receiver(then={"status": 500})
    with world.state.transaction():
        dispatch.requeue_attempts(world.state, [attempt.n for attempt in in_flight(world.state)])
    assert world.outcomes == [("http_status", 500)]
    assert world.control_row(1)["next_attempt_at"] == "2027-01-04T10:05:00Z"


def test_forwarded_attempts_are_signed_by_the_wall_clock_unless_set_otherwise() -> None:
    world, outgoing = attempt_in_flight()
    world.record(outgoing, GOOD)
    assert world.control_row(1)["request"]["headers"]["X-Service-Signature"].startswith("t=1900000000,")
    simulated = WebhookWorld()
    simulated.change_setting("webhooks.signature_time", "simulated")
    simulated.change_setting("webhooks.forward_timeout_s", 2)
    simulated.subscribe()
    simulated.set_receiver(mode="forward", to=TO)
    simulated.emit()
    simulated.advance("1h")
    assert (simulated.sent[0].sign_s, simulated.sent[0].timeout_s) == (RUN_S, 2)


def test_signing_time_and_duration_are_not_part_of_the_fingerprint() -> None:
    (first, one), (second, other) = attempt_in_flight(), attempt_in_flight()
    first.record(one, GOOD)
    second.record(other, Outcome("delivered", 200, 1_800_000_000, 3.5))
    assert fingerprint(first.state) == fingerprint(second.state)
    third, another = attempt_in_flight()
    third.record(another, Outcome("delivered", 201, 1_900_000_000, 0.25))
    assert fingerprint(third.state) != fingerprint(first.state)


def test_attempts_of_one_instant_are_sent_together_in_order() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    for subject in range(30):
        world.emit(subject=subject)
    fire(world)
    assert [outgoing.attempt for outgoing in world.take_outgoing()] == list(range(30))
    assert world.take_outgoing() == []
