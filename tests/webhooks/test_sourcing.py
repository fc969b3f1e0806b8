"""What happens becomes events, which the hourly run makes deliveries of: P-6.9 to P-6.15, B26, B27, B45."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel.errors import InvalidSetting
from giftsim.kernel.instants import HOUR, parse_instant
from giftsim.kernel.signals import connect
from giftsim.kernel.state import State
from giftsim.webhooks.definitions import DEFINITIONS
from giftsim.webhooks.event import iter_events
from giftsim.webhooks.fan_out import EVENT_DATA, SENT_AT_ONCE, next_run
from tests.claims import claims
from tests.support.webhook_world import SHIPPED, WebhookWorld

DELIVERED = "team_order.delivered"


@claims("P-6.15")
def test_what_happens_is_sent_at_the_next_full_hour_and_not_before() -> None:
    scene = WebhookWorld(start="2027-01-04T09:00:01Z")
    scene.subscribe()
    scene.emit()
    scene.advance("58m")
    assert scene.attempts == []
    scene.advance("2m")
    assert scene.times == ["2027-01-04T10:00:00Z"]


def test_two_facts_of_one_hour_share_the_run_and_keep_their_order() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    for subject in (7, 3):
        scene.emit(subject=subject)
        scene.advance("10m")
    scene.advance("1h")
    assert scene.times == ["2027-01-04T10:00:00Z"] * 2
    assert [json.loads(scene.control_row(seq)["request"]["body"])["data"]["subject"] for seq in (1, 2)] == [7, 3]


@claims("P-6.15")
def test_a_call_at_the_full_hour_waits_for_the_next_but_a_change_due_then_goes_at_once() -> None:
    scene = WebhookWorld(start="2027-01-04T10:00:00Z")
    scene.subscribe()
    scene.emit()
    scene.emit_at("2027-01-04T11:00:00Z")
    scene.advance("1h")
    assert scene.times == ["2027-01-04T11:00:00Z"] * 2


def test_a_change_due_at_the_hour_is_gathered_by_the_run_of_that_hour_alone() -> None:
    scene = WebhookWorld(start="2027-01-04T10:30:00Z")
    scene.subscribe()
    scene.emit_at("2027-01-04T12:00:00Z")
    scene.advance("1d")
    assert scene.times == ["2027-01-04T12:00:00Z"]


def test_the_hourly_anchor_moves_the_run_within_the_hour() -> None:
    scene = WebhookWorld()
    scene.change_setting("webhooks.hourly_anchor", "25m")
    scene.subscribe()
    scene.emit()
    scene.advance("1h")
    assert scene.times == ["2027-01-04T09:25:00Z"]


@pytest.mark.parametrize("raw", ["1h", "90m", "soon", 5, None])
def test_an_anchor_of_an_hour_or_more_is_refused(raw: object) -> None:
    with pytest.raises(InvalidSetting, match=r"webhooks\.hourly_anchor"):
        WebhookWorld().change_setting("webhooks.hourly_anchor", raw)


@claims("P-6.9")
def test_an_endpoint_gets_only_the_kinds_that_it_asked_for() -> None:
    scene = WebhookWorld()
    scene.subscribe(DELIVERED)
    scene.emit(SHIPPED)
    scene.advance("1h")
    assert scene.attempts == []
    scene.emit(DELIVERED)
    scene.advance("1h")
    assert [attempt.kind for attempt in scene.attempts] == [DELIVERED]


def test_only_the_owner_hears_of_what_is_his() -> None:
    scene = WebhookWorld()
    scene.subscribe(owner="account 1")
    scene.emit(owner="account 0")
    scene.advance("1h")
    assert scene.attempts == []


def test_an_endpoint_made_after_the_fact_gets_nothing_of_it() -> None:
    scene = WebhookWorld()
    scene.emit()
    scene.subscribe()
    scene.advance("2h")
    assert scene.attempts == []
    assert len(list(iter_events(scene.state))) == 1


@claims("P-6.20")
def test_one_fact_is_one_event_for_all_endpoints_and_no_id_comes_twice() -> None:
    scene = WebhookWorld()
    scene.subscribe(url="https://a.partner.example/")
    scene.subscribe(url="https://b.partner.example/")
    scene.emit()
    scene.emit()
    scene.advance("1h")
    ids = [scene.control_row(seq)["event_id"] for seq in (1, 2, 3, 4)]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert ids[0].startswith("evt_")


def test_an_event_tells_of_the_moment_it_happened_and_of_the_moment_it_was_gathered() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.emit(subject=5)
    scene.advance("1h")
    body = json.loads(scene.control_row(1)["request"]["body"])
    assert body == {
        "id": scene.control_row(1)["event_id"],
        "type": SHIPPED,
        "created_at": "2027-01-04T10:00:00Z",
        "data": {"subject": 5, "occurred_at": "2027-01-04T09:20:00Z"},
    }


def test_a_call_that_is_rolled_back_leaves_no_event_and_no_run() -> None:
    scene = WebhookWorld()
    scene.subscribe()

    def refused() -> None:
        with scene.state.transaction():
            scene.state.emit(SHIPPED, "account 0", 0)
            raise KeyError

    with pytest.raises(KeyError):
        refused()
    assert list(iter_events(scene.state)) == []
    assert scene.state.timers.peek() is None


def test_events_are_listed_by_owner_and_leave_facts_readable() -> None:
    scene = WebhookWorld()
    scene.emit("team_order.needs_attention", 4, reason="shipment_rejected")
    scene.emit(owner="account 1")
    (mine,) = iter_events(scene.state, owner="account 0")
    assert (mine.subject, mine.facts, mine.data) == (4, (("reason", "shipment_rejected"),), None)


def test_a_prompt_event_is_sent_within_the_call_that_caused_it() -> None:
    scene = WebhookWorld(connect(SENT_AT_ONCE, lambda _kind, owner: owner.startswith("team ")))
    scene.subscribe(owner="team 1")
    scene.subscribe()
    scene.emit(owner="team 1", livemode=False)
    scene.emit()
    assert [attempt.outcome for attempt in scene.attempts] == ["delivered"]
    assert json.loads(scene.control_row(1)["request"]["body"])["livemode"] is False
    scene.advance("1h")
    assert len(scene.attempts) == 2


def test_a_prompt_event_of_a_timer_comes_after_all_that_happens_at_that_instant() -> None:
    scene = WebhookWorld(connect(SENT_AT_ONCE, lambda _kind, _owner: True))
    scene.subscribe()
    for subject in (1, 2):
        scene.emit_at("2027-01-04T09:30:00Z", subject)
    for _ in range(2):
        timer = scene.state.timers.peek()
        assert timer is not None
        scene.state.fire(timer)
    assert scene.attempts == []
    scene.advance()
    assert scene.times == ["2027-01-04T09:30:00Z"] * 2


def test_an_audience_can_be_narrowed_to_some_endpoints() -> None:
    scene = WebhookWorld()
    scene.subscribe(url="https://a.partner.example/")
    second = scene.subscribe(url="https://b.partner.example/")
    scene.emit(only=(second.n,))
    scene.advance("1h")
    assert [attempt.host for attempt in scene.attempts] == ["b.partner.example"]


def test_nobody_is_described_to_where_nobody_listens() -> None:
    described: list[str] = []

    def describe(state: State, owner: str, kind: str, subject: int, facts: object, now_ms: int) -> bytes:
        described.append(kind)
        return b"{}"

    scene = WebhookWorld(connect(EVENT_DATA, describe))
    scene.emit(SHIPPED)
    scene.subscribe(DELIVERED)
    scene.emit(SHIPPED)
    scene.emit(DELIVERED)
    assert described == [DELIVERED]


@given(st.integers(-(10**9), 10**13), st.integers(0, HOUR - 1), st.booleans())
def test_the_next_run_is_the_first_instant_on_the_anchor(at_ms: int, anchor_ms: int, inclusive: bool) -> None:
    state = State(DEFINITIONS.compiled(), 1, 0)
    with state.transaction():
        state.set_setting("webhooks.hourly_anchor", f"{anchor_ms}ms")
    run_ms = next_run(state, at_ms, inclusive=inclusive)
    assert run_ms % HOUR == anchor_ms
    assert run_ms >= at_ms if inclusive else run_ms > at_ms
    assert run_ms - at_ms < HOUR + (not inclusive)


def test_the_same_seed_makes_the_same_ids_and_another_seed_others() -> None:
    def first_id(seed: int) -> str:
        scene = WebhookWorld(seed=seed)
        scene.emit()
        return next(iter(iter_events(scene.state))).id

    assert first_id(1) == first_id(1) != first_id(2)


@pytest.mark.parametrize("start", ["1999-12-31T23:30:00Z", "2096-02-29T23:30:00Z"])
def test_the_hour_is_an_hour_in_any_year(start: str) -> None:
    scene = WebhookWorld(start=start)
    scene.subscribe()
    scene.emit()
    scene.advance("1h")
    assert [attempt.at_ms for attempt in scene.attempts] == [parse_instant(start) + HOUR // 2]
