"""Faults of deliveries: wrong signatures, duplicates, reordering (G16)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.signals import connect
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.delivery import disable_endpoint
from giftsim.engine.webhooks.dispatch import ATTEMPT_FAULT, AppliedFault
from giftsim.engine.webhooks.fan_out import SENT_AT_ONCE, ping_endpoint
from tests.support.signatures import verifies
from tests.support.webhook_world import WebhookWorld

START_S = parse_instant("2027-01-04T09:20:00Z") // 1000
TO = "http://127.0.0.1:9000"


def fault_with(effect: str) -> Callable[..., AppliedFault]:
    return lambda *_, **__: AppliedFault(effect, "a test's")


def send_ping(world: WebhookWorld) -> None:
    with world.state.transaction():
        ping_endpoint(world.state, world.endpoints[0])


@pytest.mark.parametrize(("effect", "shift_s"), [("stale_signature", -600), ("future_signature", 600)])
def test_stale_and_future_signatures_have_another_time_and_are_valid_otherwise(effect: str, shift_s: int) -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with(effect)))
    target = world.subscribe()
    send_ping(world)
    request = world.control_row(1)["request"]
    signature, body = request["headers"]["X-Service-Signature"], request["body"].encode()
    assert not verifies(target.secret, signature, body, START_S)
    assert verifies(target.secret, signature, body, START_S + shift_s, tolerance=0)


def test_a_bad_signature_does_not_verify() -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with("bad_signature")))
    target = world.subscribe()
    send_ping(world)
    request = world.control_row(1)["request"]
    signature = request["headers"]["X-Service-Signature"]
    assert signature.startswith(f"t={START_S},v1=")
    assert not verifies(target.secret, signature, request["body"].encode(), START_S)


def test_a_forwarded_attempt_carries_the_effect_of_its_fault() -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with("stale_signature")))
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    send_ping(world)
    assert [outgoing.effect for outgoing in world.take_outgoing()] == ["stale_signature"]


def test_a_duplicate_is_the_same_request_again() -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with("duplicate")))
    world.subscribe()
    world.emit()
    world.advance_until_idle()
    assert [(attempt.number, attempt.mark) for attempt in world.attempts] == [(1, ""), (1, "duplicate")]
    assert world.control_row(1)["request"] == world.control_row(2)["request"]
    assert [(row.status, row.attempts) for row in world.deliveries] == [("delivered", 1)]


def test_duplicates_do_not_change_the_retry_times() -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with("duplicate")))
    world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance_until_idle()
    assert len(world.attempts) == 18
    assert world.times[::2] == world.times[1::2]
    assert [row.dead for row in world.endpoints] == [1]


def test_reorder_lets_the_next_event_of_the_same_instant_overtake() -> None:
    def first_only(_state: State, event: int, _endpoint: int, *, first: bool) -> AppliedFault | None:
        return AppliedFault("reorder", "a test's") if event == 0 else None

    world = WebhookWorld(connect(ATTEMPT_FAULT, first_only))
    world.subscribe()
    for subject in range(3):
        world.emit(subject=subject)
    world.advance_until_idle()
    assert [attempt.event for attempt in world.attempts] == [1, 0, 2]
    assert set(world.times) == {"2027-01-04T10:00:00Z"}


def test_reordering_all_events_swaps_them_in_pairs() -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with("reorder")))
    world.subscribe()
    for subject in range(5):
        world.emit(subject=subject)
    world.advance_until_idle()
    assert [attempt.event for attempt in world.attempts] == [1, 0, 3, 2, 4]
    assert {attempt.fault for attempt in world.attempts} == {"a test's"}
    assert world.times[-1] == "2027-01-04T11:00:00Z"  # the last one is never overtaken, and is sent an hour late


def test_reorder_lets_an_event_of_a_later_instant_overtake() -> None:
    def first_only(_state: State, event: int, _endpoint: int, *, first: bool) -> AppliedFault | None:
        return AppliedFault("reorder", "a test's") if event == 0 else None

    world = WebhookWorld(connect(ATTEMPT_FAULT, first_only), connect(SENT_AT_ONCE, lambda *_: True))
    world.subscribe()
    world.subscribe(url="https://other.example/")
    world.emit(subject=0)
    assert world.attempts == []
    world.advance("10m")
    world.emit(subject=1)
    assert [(attempt.event, attempt.endpoint) for attempt in world.attempts] == [(1, 0), (0, 0), (1, 1), (0, 1)]
    world.advance_until_idle()
    assert len(world.attempts) == 4


def test_a_postponed_delivery_is_dropped_when_its_endpoint_is_disabled() -> None:
    world = WebhookWorld(connect(ATTEMPT_FAULT, fault_with("reorder")), connect(SENT_AT_ONCE, lambda *_: True))
    gone, stays = world.subscribe(), world.subscribe(url="https://other.example/")
    world.emit(subject=0)
    with world.state.transaction():
        disable_endpoint(world.state, gone)
    world.emit(subject=1)
    world.advance_until_idle()
    assert [(attempt.event, attempt.endpoint) for attempt in world.attempts] == [(1, stays.n), (0, stays.n)]
