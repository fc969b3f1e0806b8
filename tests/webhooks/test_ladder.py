"""The rungs of the retry ladder that are still to come, with their instants and reasons (P-6.18, B44)."""

from __future__ import annotations

from typing import Any

from giftsim.control.delivery_views import Rung, gives_up_ms, planned_rungs, rungs_of_waiting, rungs_tried
from giftsim.kernel.instants import format_instant
from giftsim.webhooks import attempt_log, dispatch, signed_request
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.event_status import EventStatuses, deliveries_of, status_of
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


def rungs(world: WebhookWorld) -> list[Rung]:
    """The planned rungs of the only delivery."""
    return planned_rungs(world.state, world.deliveries[0], world.attempts)


def instants(planned: list[Rung]) -> list[str | None]:
    """When the rungs are made."""
    return [None if rung.at_ms is None else format_instant(rung.at_ms) for rung in planned]


def test_the_planned_rungs_are_the_attempts_that_follow() -> None:
    world = world_with_event()
    planned = rungs_of_waiting(world.state)
    world.advance("40m")
    for tried in range(1, 10):
        assert world.times + instants(rungs(world)) == instants(planned), tried
        world.advance_until_idle() if tried == 9 else world.advance(_until_next(world))
    assert instants(planned) == world.times
    assert rungs(world) == []
    assert gives_up_ms([], world.deliveries[0], world.attempts) == world.attempts[-1].at_ms


def _until_next(world: WebhookWorld) -> str:
    timer = world.state.timers.peek()
    return "0s" if timer is None else f"{(timer.due_ms - world.state.now_ms) // 1000}s"


def test_each_rung_says_why() -> None:
    world = world_with_event()
    assert rungs_of_waiting(world.state)[0].because == "the hourly run sends new events"
    world.advance("40m")
    assert [rung.because for rung in rungs(world)][:2] == [
        "5 minutes after rung 1, which failed",
        "15 minutes after rung 2, if that fails",
    ]
    assert rungs(world)[-1].because == "2 days after rung 8, if that fails"


def test_a_delivered_event_has_no_rungs() -> None:
    world = world_with_event(then={"status": 200})
    world.advance("40m")
    assert rungs(world) == []
    assert gives_up_ms([], world.deliveries[0], world.attempts) is None


def test_without_a_signing_key_the_instant_is_open() -> None:
    world = world_with_event()
    signed_request.remove_signing_key(world.state)
    world.advance("40m")
    assert instants(rungs(world)) == [None] * 9
    assert rungs(world)[0].because == "there is no signing key; it is made as soon as there is one"
    assert gives_up_ms(rungs(world), world.deliveries[0], world.attempts) is None


def test_the_rungs_after_an_attempt_in_flight_count_from_it() -> None:
    world = world_with_event(mode="forward", to="http://127.0.0.1:9000")
    while timer := world.state.timers.peek():
        world.state.fire(timer)
    assert [world.times[0], *instants(rungs(world))][:3] == [RUN, "2027-01-04T10:05:00Z", "2027-01-04T10:20:00Z"]


def test_a_resend_is_on_no_rung() -> None:
    world = world_with_event()
    world.advance("40m")
    dispatch.resend(world.state, 1)
    world.advance("5m")
    assert [attempt.mark for attempt in world.attempts] == ["", "resend", ""]
    assert rungs_tried(world.deliveries[0], world.attempts) == {0: 1, 2: 2}


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
    assert len(attempt_log.attempts_of(world.state, world.state[EVENT].get(0))) == 10
