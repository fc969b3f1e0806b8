"""Forwarded attempts: what the courier is given, and what its answer changes (G5, G21 to G24)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.kernel.fingerprint import fingerprint
from giftsim.kernel.instants import format_instant, parse_instant
from giftsim.kernel.placeholders import ORIGIN
from giftsim.kernel.signals import connect
from giftsim.webhooks import delivery, dispatch
from giftsim.webhooks.attempt import in_flight
from giftsim.webhooks.fan_out import EVENT_DATA
from giftsim.webhooks.outgoing import Outcome, Outgoing
from giftsim.webhooks.signature import verify
from giftsim.webhooks.signed_request import request_bytes
from tests.support.webhook_world import HOST, WebhookWorld

TO = "http://127.0.0.1:9000"
RUN_S = parse_instant("2027-01-04T10:00:00Z") // 1000
GOOD = Outcome("delivered", 200, 1_900_000_000, 0.25)
BAD = Outcome("connection_refused", None, 1_900_000_000, 0.25)


def under_way(**entry: Any) -> tuple[WebhookWorld, Outgoing]:
    """A world whose one attempt has left and is not back."""
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO, **entry)
    scene.emit()
    fire(scene)
    (outgoing,) = scene.take_outgoing()
    return scene, outgoing


def fire(scene: WebhookWorld) -> None:
    """Fire the sourcing run and the attempts of its instant."""
    while (timer := scene.state.timers.peek()) and timer.due_ms <= RUN_S * 1000:
        scene.state.fire(timer)


def test_the_courier_gets_the_exact_request_for_the_public_name() -> None:
    scene, outgoing = under_way()
    assert (outgoing.to, outgoing.path, outgoing.host) == (TO, "/gifts?from=us", HOST)
    assert dict(outgoing.headers)["Host"] == HOST
    assert dict(outgoing.headers)["Content-Type"] == "application/json"
    assert outgoing.body == scene.control_row(1)["request"]["body"].encode()
    assert (outgoing.number, outgoing.timeout_s, outgoing.sign_s) == (1, 10, None)


def test_the_host_header_may_be_the_target_s() -> None:
    _, outgoing = under_way(host_header="target")
    assert dict(outgoing.headers)["Host"] == "127.0.0.1:9000"


def test_links_in_a_body_are_absolute_when_they_go_out_and_signed_like_that() -> None:
    scene = WebhookWorld(connect(EVENT_DATA, lambda *_: f'"{ORIGIN}/claim"'.encode()))
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO)
    scene.emit()
    fire(scene)
    (outgoing,) = scene.take_outgoing()
    assert b'"http://giftsim.example/claim"' in outgoing.body
    head, _, body = request_bytes(outgoing, 1_900_000_000).partition(b"\r\n\r\n")
    assert body == outgoing.body
    signed = head.decode().partition("X-Service-Signature: ")[2].partition("\r\n")[0]
    assert verify(outgoing.secret, signed, body, 1_900_000_000, tolerance=0)


def test_while_an_attempt_is_under_way_its_delivery_is_pending_and_nothing_else_is_due() -> None:
    scene, _ = under_way()
    assert [(row.status, row.attempts, row.next_attempt_ms) for row in scene.deliveries] == [("pending", 1, None)]
    assert scene.state.timers.peek() is None
    assert [attempt.n for attempt in in_flight(scene.state)] == [0]
    assert scene.outcomes == [(None, None)]


def test_a_success_brought_back_delivers() -> None:
    scene, outgoing = under_way()
    scene.record(outgoing, GOOD)
    assert scene.outcomes == [("delivered", 200)]
    assert [row.status for row in scene.deliveries] == ["delivered"]
    assert in_flight(scene.state) == []


def test_a_failure_brought_back_late_counts_its_delay_from_the_attempt() -> None:
    scene, outgoing = under_way()
    scene.state.now_ms += 60_000
    scene.record(outgoing, BAD)
    assert scene.control_row(1)["next_attempt_at"] == "2027-01-04T10:05:00Z"
    timer = scene.state.timers.peek()
    assert timer is not None
    assert format_instant(timer.due_ms) == "2027-01-04T10:05:00Z"


def test_a_failure_brought_back_after_the_next_due_time_is_tried_at_once() -> None:
    scene, outgoing = under_way()
    scene.state.now_ms += 3_600_000
    scene.record(outgoing, BAD)
    scene.courier = lambda _: BAD
    scene.advance()
    assert scene.times == ["2027-01-04T10:00:00Z", "2027-01-04T11:00:00Z"]
    assert scene.control_row(2)["next_attempt_at"] == "2027-01-04T11:15:00Z"


def test_an_endpoint_disabled_meanwhile_stays_dropped() -> None:
    scene, outgoing = under_way()
    with scene.state.transaction():
        delivery.disable_endpoint(scene.state, scene.endpoints[0])
    scene.record(outgoing, GOOD)
    assert [row.status for row in scene.deliveries] == ["dropped"]
    assert (scene.outcomes, scene.endpoints[0].pending) == ([("delivered", 200)], 0)


def test_an_attempt_comes_back_once() -> None:
    scene, outgoing = under_way()
    scene.record(outgoing, GOOD)
    with pytest.raises(ValueError, match=r"attempt 1 is not in flight: its outcome is delivered already"):
        scene.record(outgoing, GOOD)


def test_a_script_is_played_before_anything_is_forwarded() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO, script=[{"status": 503}])
    scene.emit()
    scene.advance_until_idle()
    assert scene.outcomes == [("http_status", 503), ("delivered", 200)]
    assert [outgoing.number for outgoing in scene.sent] == [2]


def test_what_was_under_way_at_a_restart_is_sent_again_with_the_same_event() -> None:
    scene, lost = under_way()
    with scene.state.transaction():
        dispatch.requeue_in_flight(scene.state)
    assert scene.take_outgoing() == [lost]
    scene.record(lost, GOOD)
    assert len(scene.attempts) == 1


def test_what_was_under_way_at_a_restart_ends_where_nothing_is_forwarded_any_more() -> None:
    scene, _ = under_way()
    scene.set_receiver(then={"status": 500})
    with scene.state.transaction():
        dispatch.requeue_in_flight(scene.state)
    assert scene.outcomes == [("http_status", 500)]
    assert scene.control_row(1)["next_attempt_at"] == "2027-01-04T10:05:00Z"


def test_the_wall_clock_signs_what_is_forwarded_unless_the_world_s_clock_is_asked_for() -> None:
    scene, outgoing = under_way()
    scene.record(outgoing, GOOD)
    assert scene.control_row(1)["request"]["headers"]["X-Service-Signature"].startswith("t=1900000000,")
    simulated = WebhookWorld()
    simulated.change_setting("webhooks.signature_time", "simulated")
    simulated.change_setting("webhooks.forward_timeout_s", 2)
    simulated.subscribe()
    simulated.set_receiver(mode="forward", to=TO)
    simulated.emit()
    simulated.advance("1h")
    assert (simulated.sent[0].sign_s, simulated.sent[0].timeout_s) == (RUN_S, 2)


def test_what_only_the_network_tells_is_no_part_of_a_fingerprint() -> None:
    (first, one), (second, other) = under_way(), under_way()
    first.record(one, GOOD)
    second.record(other, Outcome("delivered", 200, 1_800_000_000, 3.5))
    assert fingerprint(first.state) == fingerprint(second.state)
    third, another = under_way()
    third.record(another, Outcome("delivered", 201, 1_900_000_000, 0.25))
    assert fingerprint(third.state) != fingerprint(first.state)


def test_all_that_is_due_at_one_instant_leaves_together_in_order() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO)
    for subject in range(30):
        scene.emit(subject=subject)
    fire(scene)
    assert [outgoing.attempt for outgoing in scene.take_outgoing()] == list(range(30))
    assert scene.take_outgoing() == []
