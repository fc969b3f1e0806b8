"""What is sent outside the schedule, and what keeps things from being sent: pings, resends, a missing key."""

from __future__ import annotations

import json

import pytest

from giftsim.kernel.instants import parse_instant
from giftsim.problem import Problem
from giftsim.webhooks import delivery, dispatch, signing_key
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.event import iter_events
from giftsim.webhooks.ping import ping
from giftsim.webhooks.signature import verify
from giftsim.webhooks.signing_key import WebhooksUnavailable
from tests.claims import claims
from tests.support.webhook_world import WebhookWorld

START_S = parse_instant("2027-01-04T09:20:00Z") // 1000
TO = "http://127.0.0.1:9000"


def send_ping(scene: WebhookWorld) -> Attempt:
    with scene.state.transaction():
        return ping(scene.state, scene.endpoints[0])


def resend(scene: WebhookWorld, seq: int) -> Attempt:
    with scene.state.transaction():
        return dispatch.resend(scene.state, seq)


def remove_key(scene: WebhookWorld) -> None:
    with scene.state.transaction():
        signing_key.remove(scene.state)


def restore_key(scene: WebhookWorld) -> None:
    with scene.state.transaction():
        dispatch.restore_signing_key(scene.state)


def dead_scene() -> WebhookWorld:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(then={"status": 500})
    scene.emit()
    scene.advance_until_idle()
    return scene


@claims("P-4.16")
def test_a_ping_is_sent_at_once_and_verifies() -> None:
    scene = WebhookWorld()
    target = scene.subscribe("order.shipped")
    attempt = send_ping(scene)
    assert (attempt.kind, attempt.outcome, attempt.status) == ("ping", "delivered", 200)
    row = scene.control_row(1)
    body = row["request"]["body"]
    assert (row["at"], row["mark"], json.loads(body)["type"]) == ("2027-01-04T09:20:00Z", "ping", "ping")
    assert list(json.loads(body)) == ["id", "type", "created_at", "data"]
    signature = row["request"]["headers"]["X-Service-Signature"]
    assert verify(target.secret, signature, body.encode(), START_S, tolerance=0)


def test_a_failing_ping_is_neither_retried_nor_counted_nor_an_event() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(then={"status": 500})
    assert send_ping(scene).status == 500
    scene.advance_until_idle()
    assert len(scene.attempts) == 1
    assert [(row.pending, row.dead) for row in scene.endpoints] == [(0, 0)]
    assert list(iter_events(scene.state)) == []
    assert scene.deliveries == []


def test_a_forwarded_ping_is_completed_by_the_courier() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO)
    assert send_ping(scene).outcome is None
    scene.send_due()
    assert scene.outcomes == [("delivered", 200)]
    assert scene.control_row(1)["next_attempt_at"] is None


def test_a_resend_of_a_dead_delivery_that_is_taken_delivers_it() -> None:
    scene = dead_scene()
    scene.set_receiver(then={"status": 202})
    attempt = resend(scene, 4)
    assert (attempt.number, attempt.mark, attempt.status) == (10, "resend", 202)
    assert [row.status for row in scene.deliveries] == ["delivered"]
    assert [(row.pending, row.dead) for row in scene.endpoints] == [(0, 0)]


def test_a_resend_that_fails_leaves_a_dead_delivery_dead() -> None:
    scene = dead_scene()
    resend(scene, 1)
    scene.advance_until_idle()
    assert len(scene.attempts) == 10
    assert [(row.status, row.attempts) for row in scene.deliveries] == [("dead", 10)]


def test_a_resend_does_not_move_the_ladder() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(then={"status": 500})
    scene.emit()
    scene.advance("41m")
    assert resend(scene, 1).number == 2
    assert scene.control_row(2)["next_attempt_at"] == "2027-01-04T10:05:00Z"
    scene.advance_until_idle()
    ladder = [attempt for attempt in scene.attempts if attempt.mark == ""]
    assert [attempt.number for attempt in ladder] == [1, *range(3, 11)]
    assert scene.times[2:4] == ["2027-01-04T10:05:00Z", "2027-01-04T10:20:00Z"]


def test_a_resend_that_is_taken_ends_the_ladder_of_a_pending_delivery() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(script=[{"status": 500}])
    scene.emit()
    scene.advance("41m")
    resend(scene, 1)
    scene.advance_until_idle()
    assert scene.outcomes == [("http_status", 500), ("delivered", 200)]
    assert [(row.pending, row.dead) for row in scene.endpoints] == [(0, 0)]


def test_a_resend_of_what_was_delivered_changes_no_state_even_if_it_fails() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.emit()
    scene.advance("40m")
    scene.set_receiver(then={"status": 500})
    resend(scene, 1)
    scene.advance_until_idle()
    assert [row.status for row in scene.deliveries] == ["delivered"]
    assert len(scene.attempts) == 2


def test_a_resend_overtaking_the_ladder_s_attempt_under_way_delivers_once() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO)
    scene.emit()
    while timer := scene.state.timers.peek():
        scene.state.fire(timer)
    (first,) = scene.take_outgoing()
    resend(scene, 1)
    scene.send_due()
    scene.record(first, scene.courier(first))
    assert [row.status for row in scene.deliveries] == ["delivered"]
    assert [row.pending for row in scene.endpoints] == [0]


@pytest.mark.parametrize(("seq", "status"), [(0, 404), (99, 404), (-1, 404), (1, 409), (2, 409)])
def test_what_cannot_be_sent_again_is_refused(seq: int, status: int) -> None:
    scene = WebhookWorld()
    target = scene.subscribe()
    scene.emit()
    scene.advance("40m")
    send_ping(scene)
    with scene.state.transaction():
        delivery.disable_endpoint(scene.state, target)
    with pytest.raises(Problem) as caught:
        resend(scene, seq)
    assert caught.value.status == status
    assert len(scene.attempts) == 2


@claims("P-7.28")
def test_without_a_signing_key_endpoints_are_neither_made_nor_tested() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    remove_key(scene)
    for refused in (scene.subscribe, lambda: send_ping(scene)):
        with pytest.raises(WebhooksUnavailable) as caught:
            refused()
        assert (caught.value.status, caught.value.code) == (503, "webhooks_unavailable")
    restore_key(scene)
    scene.subscribe()
    assert send_ping(scene).outcome == "delivered"


def test_without_a_signing_key_deliveries_wait_and_time_ends_in_peace() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    remove_key(scene)
    scene.emit(subject=1)
    scene.emit(subject=2)
    scene.advance_until_idle()
    assert scene.attempts == []
    assert [(row.status, row.next_attempt_ms) for row in scene.deliveries] == [("pending", None)] * 2
    scene.advance("3h")
    restore_key(scene)
    assert [attempt.event for attempt in scene.attempts] == [0, 1]
    assert [row.status for row in scene.deliveries] == ["delivered"] * 2


def test_a_retry_that_came_due_without_a_key_keeps_its_rung() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(script=[{"status": 500}, {"status": 500}])
    scene.emit()
    scene.advance("41m")
    remove_key(scene)
    scene.advance("2h")
    assert len(scene.attempts) == 1
    restore_key(scene)
    assert [attempt.number for attempt in scene.attempts] == [1, 2]
    assert scene.control_row(2)["next_attempt_at"] == "2027-01-04T12:16:00Z"


def test_what_is_under_way_or_not_due_yet_is_not_sent_when_the_key_comes_back() -> None:
    scene = WebhookWorld()
    scene.subscribe(url="https://a.partner.example/")
    scene.subscribe(url="https://b.partner.example/")
    scene.set_receiver("a.partner.example", mode="forward", to=TO)
    scene.set_receiver("b.partner.example", script=[{"status": 500}])
    scene.emit()
    for _ in range(3):
        timer = scene.state.timers.peek()
        assert timer is not None
        scene.state.fire(timer)
    remove_key(scene)
    restore_key(scene)
    assert len(scene.attempts) == 2
    scene.advance_until_idle()
    assert len(scene.attempts) == 3
