"""From events to deliveries: the hourly run, audiences and bodies (P-6.9, P-6.15, P-6.20, B26, B27, B45)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.definitions import WEBHOOKS
from giftsim.engine.kernel.errors import InvalidSetting
from giftsim.engine.kernel.instants import HOUR, parse_instant
from giftsim.engine.kernel.signals import connect
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.event import iter_events
from giftsim.engine.webhooks.fan_out import EVENT_DATA, SENT_AT_ONCE, next_run
from tests.shows import shows
from tests.support.webhook_world import SHIPPED, WebhookWorld

DELIVERED = "team_order.delivered"


@shows("P-6.15")
def test_an_event_is_sent_at_the_next_full_hour() -> None:
    world = WebhookWorld(start="2027-01-04T09:00:01Z")
    world.subscribe()
    world.emit()
    world.advance("58m")
    assert world.attempts == []
    world.advance("2m")
    assert world.times == ["2027-01-04T10:00:00Z"]


def test_two_events_of_one_hour_are_sent_in_their_order() -> None:
    world = WebhookWorld()
    world.subscribe()
    for subject in (7, 3):
        world.emit(subject=subject)
        world.advance("10m")
    world.advance("1h")
    assert world.times == ["2027-01-04T10:00:00Z"] * 2
    assert [json.loads(world.control_row(seq)["request"]["body"])["data"]["subject"] for seq in (1, 2)] == [7, 3]


@shows("P-6.15")
def test_an_event_of_a_call_at_the_full_hour_waits_and_one_of_a_timer_does_not() -> None:
    world = WebhookWorld(start="2027-01-04T10:00:00Z")
    world.subscribe()
    world.emit()
    world.emit_at("2027-01-04T11:00:00Z")
    world.advance("1h")
    assert world.times == ["2027-01-04T11:00:00Z"] * 2


def test_an_event_of_a_timer_at_the_full_hour_is_sent_once() -> None:
    world = WebhookWorld(start="2027-01-04T10:30:00Z")
    world.subscribe()
    world.emit_at("2027-01-04T12:00:00Z")
    world.advance("1d")
    assert world.times == ["2027-01-04T12:00:00Z"]


def test_the_hourly_anchor_shifts_the_hourly_run() -> None:
    world = WebhookWorld()
    world.change_setting("webhooks.hourly_anchor", "25m")
    world.subscribe()
    world.emit()
    world.advance("1h")
    assert world.times == ["2027-01-04T09:25:00Z"]


@pytest.mark.parametrize("raw", ["1h", "90m", "soon", 5, None])
def test_an_anchor_of_an_hour_or_more_is_refused(raw: object) -> None:
    with pytest.raises(InvalidSetting, match=r"webhooks\.hourly_anchor"):
        WebhookWorld().change_setting("webhooks.hourly_anchor", raw)


@shows("P-6.9")
def test_an_endpoint_gets_only_its_subscribed_kinds() -> None:
    world = WebhookWorld()
    world.subscribe(DELIVERED)
    world.emit(SHIPPED)
    world.advance("1h")
    assert world.attempts == []
    world.emit(DELIVERED)
    world.advance("1h")
    assert [attempt.kind for attempt in world.attempts] == [DELIVERED]


def test_an_endpoint_gets_only_events_of_its_owner() -> None:
    world = WebhookWorld()
    world.subscribe(owner="account 1")
    world.emit(owner="account 0")
    world.advance("1h")
    assert world.attempts == []


def test_an_endpoint_gets_no_events_from_before_its_creation() -> None:
    world = WebhookWorld()
    world.emit()
    world.subscribe()
    world.advance("2h")
    assert world.attempts == []
    assert len(list(iter_events(world.state))) == 1


@shows("P-6.20")
def test_all_endpoints_get_the_same_event_id_and_no_id_is_reused() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(url="https://b.partner.example/")
    world.emit()
    world.emit()
    world.advance("1h")
    ids = [world.control_row(seq)["event_id"] for seq in (1, 2, 3, 4)]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert ids[0].startswith("evt_")


def test_the_body_has_the_time_of_the_event_and_of_the_hourly_run() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.emit(subject=5)
    world.advance("1h")
    body = json.loads(world.control_row(1)["request"]["body"])
    assert body == {
        "id": world.control_row(1)["event_id"],
        "type": SHIPPED,
        "created_at": "2027-01-04T10:00:00Z",
        "data": {"subject": 5, "occurred_at": "2027-01-04T09:20:00Z"},
    }


def test_a_rolled_back_transaction_leaves_no_event_and_no_timer() -> None:
    world = WebhookWorld()
    world.subscribe()

    def refused() -> None:
        with world.state.transaction():
            world.state.emit(SHIPPED, "account 0", 0)
            raise KeyError

    with pytest.raises(KeyError):
        refused()
    assert list(iter_events(world.state)) == []
    assert world.state.timers.peek() is None


def test_events_are_listed_by_owner_with_their_facts() -> None:
    world = WebhookWorld()
    world.emit("team_order.needs_attention", 4, reason="shipment_rejected")
    world.emit(owner="account 1")
    (mine,) = iter_events(world.state, owner="account 0")
    assert (mine.subject, mine.facts, mine.data) == (4, (("reason", "shipment_rejected"),), None)


def test_an_event_sent_at_once_is_delivered_within_its_call() -> None:
    world = WebhookWorld(connect(SENT_AT_ONCE, lambda _kind, owner: owner.startswith("team ")))
    world.subscribe(owner="team 1")
    world.subscribe()
    world.emit(owner="team 1", livemode=False)
    world.emit()
    assert [attempt.outcome for attempt in world.attempts] == ["delivered"]
    assert json.loads(world.control_row(1)["request"]["body"])["livemode"] is False
    world.advance("1h")
    assert len(world.attempts) == 2


def test_an_event_of_a_timer_is_sent_after_all_state_changes_of_that_instant() -> None:
    world = WebhookWorld(connect(SENT_AT_ONCE, lambda _kind, _owner: True))
    world.subscribe()
    for subject in (1, 2):
        world.emit_at("2027-01-04T09:30:00Z", subject)
    for _ in range(2):
        timer = world.state.timers.peek()
        assert timer is not None
        world.state.fire(timer)
    assert world.attempts == []
    world.advance()
    assert world.times == ["2027-01-04T09:30:00Z"] * 2


def test_an_event_can_be_restricted_to_some_endpoints() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://a.partner.example/")
    second = world.subscribe(url="https://b.partner.example/")
    world.emit(only=(second.n,))
    world.advance("1h")
    assert [attempt.host for attempt in world.attempts] == ["b.partner.example"]


def test_event_data_is_made_only_if_an_endpoint_is_subscribed() -> None:
    described: list[str] = []

    def describe(state: State, owner: str, kind: str, subject: int, facts: object, now_ms: int) -> bytes:
        described.append(kind)
        return b"{}"

    world = WebhookWorld(connect(EVENT_DATA, describe))
    world.emit(SHIPPED)
    world.subscribe(DELIVERED)
    world.emit(SHIPPED)
    world.emit(DELIVERED)
    assert described == [DELIVERED]


@given(st.integers(-(10**9), 10**13), st.integers(0, HOUR - 1), st.booleans())
def test_the_next_run_is_the_next_full_hour_plus_the_anchor(at_ms: int, anchor_ms: int, inclusive: bool) -> None:
    state = State(WEBHOOKS.compiled(), 1, 0)
    with state.transaction():
        state.set_setting("webhooks.hourly_anchor", f"{anchor_ms}ms")
    run_ms = next_run(state, at_ms, inclusive=inclusive)
    assert run_ms % HOUR == anchor_ms
    assert run_ms >= at_ms if inclusive else run_ms > at_ms
    assert run_ms - at_ms < HOUR + (not inclusive)


def test_event_ids_depend_on_the_seed() -> None:
    def first_id(seed: int) -> str:
        world = WebhookWorld(seed=seed)
        world.emit()
        return next(iter(iter_events(world.state))).id

    assert first_id(1) == first_id(1) != first_id(2)


@pytest.mark.parametrize("start", ["1999-12-31T23:30:00Z", "2096-02-29T23:30:00Z"])
def test_the_hourly_run_works_in_any_year(start: str) -> None:
    world = WebhookWorld(start=start)
    world.subscribe()
    world.emit()
    world.advance("1h")
    assert [attempt.at_ms for attempt in world.attempts] == [parse_instant(start) + HOUR // 2]
