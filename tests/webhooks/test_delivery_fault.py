"""What faults do to deliveries, which receivers must survive: wrong signatures, duplicates, another order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from giftsim.kernel.instants import parse_instant
from giftsim.kernel.signals import connect
from giftsim.kernel.state import State
from giftsim.webhooks.delivery import disable_endpoint
from giftsim.webhooks.dispatch import ATTEMPT_FAULT, AppliedFault
from giftsim.webhooks.fan_out import SENT_AT_ONCE
from giftsim.webhooks.ping import ping
from giftsim.webhooks.signature import verify
from tests.support.webhook_world import WebhookWorld

START_S = parse_instant("2027-01-04T09:20:00Z") // 1000
TO = "http://127.0.0.1:9000"


def failing(effect: str) -> Callable[..., AppliedFault]:
    return lambda *_, **__: AppliedFault(effect, "a test's")


def pinged(scene: WebhookWorld) -> None:
    with scene.state.transaction():
        ping(scene.state, scene.endpoints[0])


@pytest.mark.parametrize(("effect", "shift_s"), [("stale_signature", -600), ("future_signature", 600)])
def test_a_fault_shifts_the_time_of_a_signature_that_is_genuine_otherwise(effect: str, shift_s: int) -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing(effect)))
    target = scene.subscribe()
    pinged(scene)
    request = scene.control_row(1)["request"]
    signature, body = request["headers"]["X-Service-Signature"], request["body"].encode()
    assert not verify(target.secret, signature, body, START_S)
    assert verify(target.secret, signature, body, START_S + shift_s, tolerance=0)


def test_a_fault_makes_a_signature_that_no_secret_makes() -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing("bad_signature")))
    target = scene.subscribe()
    pinged(scene)
    request = scene.control_row(1)["request"]
    signature = request["headers"]["X-Service-Signature"]
    assert signature.startswith(f"t={START_S},v1=")
    assert not verify(target.secret, signature, request["body"].encode(), START_S)


def test_a_fault_reaches_what_is_forwarded() -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing("stale_signature")))
    scene.subscribe()
    scene.set_receiver(mode="forward", to=TO)
    pinged(scene)
    assert [outgoing.effect for outgoing in scene.take_outgoing()] == ["stale_signature"]


def test_a_fault_sends_an_event_twice_under_one_id() -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing("duplicate")))
    scene.subscribe()
    scene.emit()
    scene.advance_until_idle()
    assert [(attempt.number, attempt.mark) for attempt in scene.attempts] == [(1, ""), (1, "duplicate")]
    assert scene.control_row(1)["request"] == scene.control_row(2)["request"]
    assert [(row.status, row.attempts) for row in scene.deliveries] == [("delivered", 1)]


def test_a_duplicate_does_not_move_the_ladder() -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing("duplicate")))
    scene.subscribe()
    scene.set_receiver(then={"status": 500})
    scene.emit()
    scene.advance_until_idle()
    assert len(scene.attempts) == 18
    assert scene.times[::2] == scene.times[1::2]
    assert [row.dead for row in scene.endpoints] == [1]


def test_a_fault_lets_a_later_event_overtake_at_the_same_instant() -> None:
    def first_only(_state: State, event: int, _endpoint: int, *, first: bool) -> AppliedFault | None:
        return AppliedFault("reorder", "a test's") if event == 0 else None

    scene = WebhookWorld(connect(ATTEMPT_FAULT, first_only))
    scene.subscribe()
    for subject in range(3):
        scene.emit(subject=subject)
    scene.advance_until_idle()
    assert [attempt.event for attempt in scene.attempts] == [1, 0, 2]
    assert set(scene.times) == {"2027-01-04T10:00:00Z"}


def test_a_fault_that_reorders_all_lets_every_second_overtake_the_one_before() -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing("reorder")))
    scene.subscribe()
    for subject in range(5):
        scene.emit(subject=subject)
    scene.advance_until_idle()
    assert [attempt.event for attempt in scene.attempts] == [1, 0, 3, 2, 4]
    assert {attempt.fault for attempt in scene.attempts} == {"a test's"}
    assert scene.times[-1] == "2027-01-04T11:00:00Z"  # overtaken by nobody, an hour late


def test_a_delivery_is_overtaken_by_one_that_comes_later() -> None:
    def first_only(_state: State, event: int, _endpoint: int, *, first: bool) -> AppliedFault | None:
        return AppliedFault("reorder", "a test's") if event == 0 else None

    scene = WebhookWorld(connect(ATTEMPT_FAULT, first_only), connect(SENT_AT_ONCE, lambda *_: True))
    scene.subscribe()
    scene.subscribe(url="https://other.example/")
    scene.emit(subject=0)
    assert scene.attempts == []
    scene.advance("10m")
    scene.emit(subject=1)
    assert [(attempt.event, attempt.endpoint) for attempt in scene.attempts] == [(1, 0), (0, 0), (1, 1), (0, 1)]
    scene.advance_until_idle()
    assert len(scene.attempts) == 4


def test_an_endpoint_that_is_disabled_meanwhile_hears_of_nothing_that_was_held_back() -> None:
    scene = WebhookWorld(connect(ATTEMPT_FAULT, failing("reorder")), connect(SENT_AT_ONCE, lambda *_: True))
    gone, stays = scene.subscribe(), scene.subscribe(url="https://other.example/")
    scene.emit(subject=0)
    with scene.state.transaction():
        disable_endpoint(scene.state, gone)
    scene.emit(subject=1)
    scene.advance_until_idle()
    assert [(attempt.event, attempt.endpoint) for attempt in scene.attempts] == [(1, stays.n), (0, stays.n)]
