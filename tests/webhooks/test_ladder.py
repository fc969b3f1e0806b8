"""The attempts of the retry ladder that are still to come, with their instants and reasons (P-6.18, B44)."""

from __future__ import annotations

from typing import Any

from giftsim.engine.control.retry_ladder import (
    PlannedAttempt,
    gives_up_ms,
    places_in_ladder,
    planned_attempts,
    planned_while_waiting,
)
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.webhooks import dispatch
from giftsim.engine.webhooks.attempt import attempts_of
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.webhooks.fan_out import EventStatuses, deliveries_of, status_of
from giftsim.engine.webhooks.outgoing import remove_signing_key
from tests.support.webhook_world import WebhookWorld

RUN = "2027-01-04T10:00:00Z"
DEAD = "2027-01-08T08:20:00Z"


def world_with_event(**entry: Any) -> WebhookWorld:
    """A world after the first attempt to send an event to a receiver that fails unless told otherwise."""
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(**(entry or {"then": {"status": 503}}))
    world.emit()
    return world


def to_come(world: WebhookWorld) -> list[PlannedAttempt]:
    """The planned attempts of the only delivery."""
    return planned_attempts(world.state, world.deliveries[0], world.attempts)


def instants(planned: list[PlannedAttempt]) -> list[str | None]:
    """When the attempts are made."""
    return [None if each.at_ms is None else format_instant(each.at_ms) for each in planned]


def test_the_planned_attempts_are_the_attempts_that_follow() -> None:
    world = world_with_event()
    planned = planned_while_waiting(world.state)
    world.advance("40m")
    for tried in range(1, 10):
        assert world.times + instants(to_come(world)) == instants(planned), tried
        world.advance_until_idle() if tried == 9 else world.advance(_until_next(world))
    assert instants(planned) == world.times
    assert to_come(world) == []
    assert gives_up_ms([], world.deliveries[0], world.attempts) == world.attempts[-1].at_ms


def _until_next(world: WebhookWorld) -> str:
    timer = world.state.timers.peek()
    return "0s" if timer is None else f"{(timer.due_ms - world.state.now_ms) // 1000}s"


def test_each_rung_says_why() -> None:
    world = world_with_event()
    assert planned_while_waiting(world.state)[0].because == "the hourly run sends new events"
    world.advance("40m")
    assert [each.because for each in to_come(world)][:2] == [
        "5 minutes after attempt 1, which failed",
        "15 minutes after attempt 2, if that fails",
    ]
    assert to_come(world)[-1].because == "2 days after attempt 8, if that fails"


def test_a_delivered_event_has_no_rungs() -> None:
    world = world_with_event(then={"status": 200})
    world.advance("40m")
    assert to_come(world) == []
    assert gives_up_ms([], world.deliveries[0], world.attempts) is None


def test_without_a_signing_key_the_instant_is_open() -> None:
    world = world_with_event()
    remove_signing_key(world.state)
    world.advance("40m")
    assert instants(to_come(world)) == [None] * 9
    assert to_come(world)[0].because == "the world has no signing key; the attempt is made as soon as there is one"
    assert gives_up_ms(to_come(world), world.deliveries[0], world.attempts) is None


def test_the_rungs_after_an_attempt_in_flight_count_from_it() -> None:
    world = world_with_event(mode="forward", to="http://127.0.0.1:9000")
    while timer := world.state.timers.peek():
        world.state.fire(timer)
    assert [world.times[0], *instants(to_come(world))][:3] == [RUN, "2027-01-04T10:05:00Z", "2027-01-04T10:20:00Z"]


def test_a_resend_is_on_no_rung() -> None:
    world = world_with_event()
    world.advance("40m")
    dispatch.resend(world.state, 1)
    world.advance("5m")
    assert [attempt.mark for attempt in world.attempts] == ["", "resend", ""]
    assert places_in_ladder(world.deliveries[0], world.attempts) == {0: 1, 2: 2}


def test_the_status_of_an_event_is_that_of_its_worst_delivery() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(url="https://b.partner.example/")
    world.set_receiver("b.partner.example", then={"status": 500})
    world.emit()
    event = world.state[EVENT].get(0)
    assert status_of(event, deliveries_of(world.state, event)) == "waiting"
    world.advance("40m")
    event = world.state[EVENT].get(0)
    assert [delivery.status for delivery in deliveries_of(world.state, event)] == ["delivered", "pending"]
    assert status_of(event, deliveries_of(world.state, event)) == "pending"
    world.advance("5d")
    world.emit(owner="account 9")
    world.emit()
    every = EventStatuses(world.state)
    assert [every.of(event) for event in world.state[EVENT]] == ["dead", "unsubscribed", "waiting"]
    assert every.counts() == {
        "waiting": 1, "pending": 0, "delivered": 0, "dead": 1, "dropped": 0, "unsubscribed": 1,
    }  # fmt: skip
    assert [every.of(event) for event in world.state[EVENT]] == [
        status_of(event, deliveries_of(world.state, event)) for event in world.state[EVENT]
    ]
    assert len(attempts_of(world.state, world.state[EVENT].get(0))) == 10
