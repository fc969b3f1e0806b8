"""What happens becomes events, which the hourly run makes deliveries of: P-6.9 to P-6.15, B26, B27, B45."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.kernel.instants import HOUR, parse_instant
from giftsim.kernel.setting import InvalidSetting
from giftsim.kernel.state import Definitions, State
from giftsim.webhooks import definitions
from giftsim.webhooks.event import happened
from giftsim.webhooks.sourcing import next_run
from tests.claims import claims
from tests.webhooks.scene import SHIPPED, Scene

DELIVERED = "team_order.delivered"


@claims("P-6.15")
def test_what_happens_is_sent_at_the_next_full_hour_and_not_before() -> None:
    scene = Scene(start="2027-01-04T09:00:01Z")
    scene.subscribe()
    scene.happen()
    scene.advance("58m")
    assert scene.attempts == []
    scene.advance("2m")
    assert scene.times == ["2027-01-04T10:00:00Z"]


def test_two_facts_of_one_hour_share_the_run_and_keep_their_order() -> None:
    scene = Scene()
    scene.subscribe()
    for subject in (7, 3):
        scene.happen(subject=subject)
        scene.advance("10m")
    scene.advance("1h")
    assert scene.times == ["2027-01-04T10:00:00Z"] * 2
    assert [json.loads(scene.shown(seq)["request"]["body"])["data"]["subject"] for seq in (1, 2)] == [7, 3]


@claims("P-6.15")
def test_a_call_at_the_full_hour_waits_for_the_next_but_a_change_due_then_goes_at_once() -> None:
    scene = Scene(start="2027-01-04T10:00:00Z")
    scene.subscribe()
    scene.happen()
    scene.happen_at("2027-01-04T11:00:00Z")
    scene.advance("1h")
    assert scene.times == ["2027-01-04T11:00:00Z"] * 2


def test_a_change_due_at_the_hour_is_gathered_by_the_run_of_that_hour_alone() -> None:
    scene = Scene(start="2027-01-04T10:30:00Z")
    scene.subscribe()
    scene.happen_at("2027-01-04T12:00:00Z")
    scene.advance("1d")
    assert scene.times == ["2027-01-04T12:00:00Z"]


def test_the_hourly_anchor_moves_the_run_within_the_hour() -> None:
    scene = Scene()
    scene.choose("webhooks.hourly_anchor", "25m")
    scene.subscribe()
    scene.happen()
    scene.advance("1h")
    assert scene.times == ["2027-01-04T09:25:00Z"]


@pytest.mark.parametrize("raw", ["1h", "90m", "soon", 5, None])
def test_an_anchor_of_an_hour_or_more_is_refused(raw: object) -> None:
    with pytest.raises(InvalidSetting, match=r"webhooks\.hourly_anchor"):
        Scene().choose("webhooks.hourly_anchor", raw)


@claims("P-6.9")
def test_an_endpoint_gets_only_the_kinds_that_it_asked_for() -> None:
    scene = Scene()
    scene.subscribe(DELIVERED)
    scene.happen(SHIPPED)
    scene.advance("1h")
    assert scene.attempts == []
    scene.happen(DELIVERED)
    scene.advance("1h")
    assert [attempt.kind for attempt in scene.attempts] == [DELIVERED]


def test_only_the_owner_hears_of_what_is_his() -> None:
    scene = Scene()
    scene.subscribe(owner="account 1")
    scene.happen(owner="account 0")
    scene.advance("1h")
    assert scene.attempts == []


def test_an_endpoint_made_after_the_fact_gets_nothing_of_it() -> None:
    scene = Scene()
    scene.happen()
    scene.subscribe()
    scene.advance("2h")
    assert scene.attempts == []
    assert len(list(happened(scene.state))) == 1


@claims("P-6.20")
def test_one_fact_is_one_event_for_all_endpoints_and_no_id_comes_twice() -> None:
    scene = Scene()
    scene.subscribe(url="https://a.partner.example/")
    scene.subscribe(url="https://b.partner.example/")
    scene.happen()
    scene.happen()
    scene.advance("1h")
    ids = [scene.shown(seq)["event_id"] for seq in (1, 2, 3, 4)]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert ids[0].startswith("evt_")


def test_an_event_tells_of_the_moment_it_happened_and_of_the_moment_it_was_gathered() -> None:
    scene = Scene()
    scene.subscribe()
    scene.happen(subject=5)
    scene.advance("1h")
    body = json.loads(scene.shown(1)["request"]["body"])
    assert body == {
        "id": scene.shown(1)["event_id"],
        "type": SHIPPED,
        "created_at": "2027-01-04T10:00:00Z",
        "data": {"subject": 5, "occurred_at": "2027-01-04T09:20:00Z"},
    }


def test_a_call_that_is_rolled_back_leaves_no_event_and_no_run() -> None:
    scene = Scene()
    scene.subscribe()

    def refused() -> None:
        with scene.state.transaction():
            scene.state.emit(SHIPPED, "account 0", 0)
            raise KeyError

    with pytest.raises(KeyError):
        refused()
    assert list(happened(scene.state)) == []
    assert scene.state.timers.peek() is None


def test_events_are_listed_by_owner_and_leave_facts_readable() -> None:
    scene = Scene()
    scene.happen("team_order.needs_attention", 4, reason="shipment_rejected")
    scene.happen(owner="account 1")
    (mine,) = happened(scene.state, owner="account 0")
    assert (mine.subject, mine.facts, mine.data) == (4, (("reason", "shipment_rejected"),), None)


def test_a_prompt_event_is_sent_within_the_call_that_caused_it() -> None:
    scene = Scene(prompt=lambda _kind, owner: owner.startswith("team "))
    scene.subscribe(owner="team 1")
    scene.subscribe()
    scene.happen(owner="team 1", livemode=False)
    scene.happen()
    assert [attempt.outcome for attempt in scene.attempts] == ["delivered"]
    assert json.loads(scene.shown(1)["request"]["body"])["livemode"] is False
    scene.advance("1h")
    assert len(scene.attempts) == 2


def test_a_prompt_event_of_a_timer_comes_after_all_that_happens_at_that_instant() -> None:
    scene = Scene(prompt=lambda _kind, _owner: True)
    scene.subscribe()
    for subject in (1, 2):
        scene.happen_at("2027-01-04T09:30:00Z", subject)
    for _ in range(2):
        timer = scene.state.timers.peek()
        assert timer is not None
        scene.state.fire(timer)
    assert scene.attempts == []
    scene.advance()
    assert scene.times == ["2027-01-04T09:30:00Z"] * 2


def test_an_audience_can_be_narrowed_to_some_endpoints() -> None:
    scene = Scene()
    scene.subscribe(url="https://a.partner.example/")
    second = scene.subscribe(url="https://b.partner.example/")
    scene.happen(only=(second.n,))
    scene.advance("1h")
    assert [attempt.host for attempt in scene.attempts] == ["b.partner.example"]


def test_nobody_is_described_to_where_nobody_listens() -> None:
    described: list[str] = []

    def describe(state: State, owner: str, kind: str, subject: int, facts: object, now_ms: int) -> bytes:
        described.append(kind)
        return b"{}"

    scene = Scene(describe=describe)
    scene.happen(SHIPPED)
    scene.subscribe(DELIVERED)
    scene.happen(SHIPPED)
    scene.happen(DELIVERED)
    assert described == [DELIVERED]


@given(st.integers(-(10**9), 10**13), st.integers(0, HOUR - 1), st.booleans())
def test_the_next_run_is_the_first_instant_on_the_anchor(at_ms: int, anchor_ms: int, inclusive: bool) -> None:
    state = State(Definitions(definitions.SPECS, settings=definitions.SETTINGS), 1, 0)
    with state.transaction():
        state.choose("webhooks.hourly_anchor", f"{anchor_ms}ms")
    run_ms = next_run(state, at_ms, inclusive=inclusive)
    assert run_ms % HOUR == anchor_ms
    assert run_ms >= at_ms if inclusive else run_ms > at_ms
    assert run_ms - at_ms < HOUR + (not inclusive)


def test_the_same_seed_makes_the_same_ids_and_another_seed_others() -> None:
    def first_id(seed: int) -> str:
        scene = Scene(seed=seed)
        scene.happen()
        return next(iter(happened(scene.state))).id

    assert first_id(1) == first_id(1) != first_id(2)


@pytest.mark.parametrize("start", ["1999-12-31T23:30:00Z", "2096-02-29T23:30:00Z"])
def test_the_hour_is_an_hour_in_any_year(start: str) -> None:
    scene = Scene(start=start)
    scene.subscribe()
    scene.happen()
    scene.advance("1h")
    assert [attempt.at_ms for attempt in scene.attempts] == [parse_instant(start) + HOUR // 2]
