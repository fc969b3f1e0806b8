"""A missing signing key: nothing is created, tested or sent, and deliveries wait (P-7.28, B30)."""

from __future__ import annotations

import pytest

from giftsim.webhooks import dispatch, signed_request
from giftsim.webhooks.attempt import Attempt
from giftsim.webhooks.fan_out import ping
from giftsim.webhooks.signed_request import WebhooksUnavailable
from tests.claims import claims
from tests.support.webhook_world import WebhookWorld

TO = "http://127.0.0.1:9000"


def send_ping(world: WebhookWorld) -> Attempt:
    with world.state.transaction():
        return ping(world.state, world.endpoints[0])


def remove_key(world: WebhookWorld) -> None:
    with world.state.transaction():
        signed_request.remove_signing_key(world.state)


def restore_key(world: WebhookWorld) -> None:
    with world.state.transaction():
        dispatch.restore_signing_key(world.state)


@claims("P-7.28")
def test_without_a_signing_key_endpoints_are_neither_created_nor_tested() -> None:
    world = WebhookWorld()
    world.subscribe()
    remove_key(world)
    for refused in (world.subscribe, lambda: send_ping(world)):
        with pytest.raises(WebhooksUnavailable) as caught:
            refused()
        assert (caught.value.status, caught.value.code) == (503, "webhooks_unavailable")
    restore_key(world)
    world.subscribe()
    assert send_ping(world).outcome == "delivered"


def test_without_a_signing_key_deliveries_wait_until_it_is_restored() -> None:
    world = WebhookWorld()
    world.subscribe()
    remove_key(world)
    world.emit(subject=1)
    world.emit(subject=2)
    world.advance_until_idle()
    assert world.attempts == []
    assert [(row.status, row.next_attempt_ms) for row in world.deliveries] == [("pending", None)] * 2
    world.advance("3h")
    restore_key(world)
    assert [attempt.event for attempt in world.attempts] == [0, 1]
    assert [row.status for row in world.deliveries] == ["delivered"] * 2


def test_a_retry_that_waited_for_the_key_keeps_its_place_on_the_ladder() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(script=[{"status": 500}, {"status": 500}])
    world.emit()
    world.advance("41m")
    remove_key(world)
    world.advance("2h")
    assert len(world.attempts) == 1
    restore_key(world)
    assert [attempt.number for attempt in world.attempts] == [1, 2]
    assert world.control_row(2)["next_attempt_at"] == "2027-01-04T12:16:00Z"


def test_restoring_the_key_sends_neither_attempts_in_flight_nor_future_ones() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(url="https://b.partner.example/")
    world.set_receiver("a.partner.example", mode="forward", to=TO)
    world.set_receiver("b.partner.example", script=[{"status": 500}])
    world.emit()
    for _ in range(3):
        timer = world.state.timers.peek()
        assert timer is not None
        world.state.fire(timer)
    remove_key(world)
    restore_key(world)
    assert len(world.attempts) == 2
    world.advance_until_idle()
    assert len(world.attempts) == 3
