"""Pings and resends: attempts outside the retry ladder."""

from __future__ import annotations

import json
from typing import Any

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks import delivery, dispatch
from giftsim.engine.webhooks.attempt import (
    Attempt,
    AttemptFilter,
    AttemptNotFound,
    DeliveriesDropped,
    attempt_view,
    attempts_of,
    find_attempt,
    list_attempts,
    request_view,
)
from giftsim.engine.webhooks.event import EVENT, iter_events
from tests.shows import shows
from tests.support.signatures import verifies
from tests.support.webhook_world import SHIPPED, WebhookWorld

START_S = parse_instant("2027-01-04T09:20:00Z") // 1000
TO = "http://127.0.0.1:9000"


def resend(world: WebhookWorld, seq: int) -> Attempt:
    with world.state.transaction():
        return dispatch.resend(world.state, seq)


def world_with_dead_delivery() -> WebhookWorld:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance_until_idle()
    return world


@shows("P-4.16")
def test_a_ping_is_sent_at_once_with_a_valid_signature() -> None:
    world = WebhookWorld()
    target = world.subscribe("order.shipped")
    attempt = world.ping()
    assert (attempt.kind, attempt.outcome, attempt.status) == ("ping", "delivered", 200)
    row = world.control_row(1)
    body = row["request"]["body"]
    assert (row["at"], row["mark"], json.loads(body)["type"]) == ("2027-01-04T09:20:00Z", "ping", "ping")
    assert list(json.loads(body)) == ["id", "type", "created_at", "data"]
    signature = row["request"]["headers"]["X-Service-Signature"]
    assert verifies(target.secret, signature, body.encode(), START_S, tolerance=0)


def test_a_failed_ping_is_not_retried_or_counted_or_listed_as_an_event() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    assert world.ping().status == 500
    world.advance_until_idle()
    assert len(world.attempts) == 1
    assert [(row.pending, row.dead) for row in world.endpoints] == [(0, 0)]
    assert list(iter_events(world.state)) == []
    assert world.deliveries == []


def test_a_forwarded_ping_gets_its_outcome_from_the_courier() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    assert world.ping().outcome is None
    world.send_due()
    assert world.outcomes == [("delivered", 200)]
    assert world.control_row(1)["next_attempt_at"] is None


def test_a_successful_resend_completes_a_dead_delivery() -> None:
    world = world_with_dead_delivery()
    world.set_receiver(then={"status": 202})
    attempt = resend(world, 4)
    assert (attempt.number, attempt.mark, attempt.status) == (10, "resend", 202)
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert [(row.pending, row.dead) for row in world.endpoints] == [(0, 0)]


def test_a_failed_resend_leaves_a_dead_delivery_dead() -> None:
    world = world_with_dead_delivery()
    resend(world, 1)
    world.advance_until_idle()
    assert len(world.attempts) == 10
    assert [(row.status, row.attempts) for row in world.deliveries] == [("dead", 10)]


def test_a_failed_resend_does_not_change_the_retry_times() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(then={"status": 500})
    world.emit()
    world.advance("41m")
    assert resend(world, 1).number == 2
    assert world.control_row(2)["next_attempt_at"] == "2027-01-04T10:05:00Z"
    world.advance_until_idle()
    ladder = [attempt for attempt in world.attempts if attempt.mark == ""]
    assert [attempt.number for attempt in ladder] == [1, *range(3, 11)]
    assert world.times[2:4] == ["2027-01-04T10:05:00Z", "2027-01-04T10:20:00Z"]


def test_a_successful_resend_ends_the_retries_of_a_pending_delivery() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(script=[{"status": 500}])
    world.emit()
    world.advance("41m")
    resend(world, 1)
    world.advance_until_idle()
    assert world.outcomes == [("http_status", 500), ("delivered", 200)]
    assert [(row.pending, row.dead) for row in world.endpoints] == [(0, 0)]


def test_a_failed_resend_of_a_completed_delivery_leaves_it_delivered() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.emit()
    world.advance("40m")
    world.set_receiver(then={"status": 500})
    resend(world, 1)
    world.advance_until_idle()
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert len(world.attempts) == 2


def test_a_resend_during_an_attempt_in_flight_counts_the_delivery_once() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to=TO)
    world.emit()
    while timer := world.state.timers.peek():
        world.state.fire(timer)
    (first,) = world.take_outgoing()
    resend(world, 1)
    world.send_due()
    world.record(first, world.courier(first))
    assert [row.status for row in world.deliveries] == ["delivered"]
    assert [row.pending for row in world.endpoints] == [0]


@pytest.mark.parametrize(("seq", "status"), [(0, 404), (99, 404), (-1, 404), (1, 409), (2, 409)])
def test_unknown_attempts_pings_and_disabled_endpoints_cannot_be_resent(seq: int, status: int) -> None:
    world = WebhookWorld()
    target = world.subscribe()
    world.emit()
    world.advance("40m")
    world.ping()
    with world.state.transaction():
        delivery.disable_endpoint(world.state, target)
    with pytest.raises(Problem) as caught:
        resend(world, seq)
    assert caught.value.status == status
    assert len(world.attempts) == 2


OTHER = "team_order.claimed"


def world_with_attempts(events: int = 12, **settings: object) -> WebhookWorld:
    """A world with two endpoints that got events of two kinds in turn."""
    world = WebhookWorld()
    for name, raw in settings.items():
        world.change_setting(f"webhooks.{name}", raw)
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(SHIPPED, url="https://b.partner.example/")
    for subject in range(events):
        world.emit(SHIPPED if subject % 2 else OTHER, subject)
    world.advance("40m")
    return world


def all_pages(world: WebhookWorld, limit: int, **filters: Any) -> list[int]:
    """The numbers of the attempts on all pages."""
    numbers, after = [], None
    while True:
        page = list_attempts(world.state, AttemptFilter(after=after, **filters), limit)
        assert len(page.attempts) <= limit
        numbers += [attempt.seq for attempt in page.attempts]
        if (after := page.next) is None:
            return numbers


@pytest.mark.parametrize("limit", [1, 2, 5, 18, 100])
def test_pages_list_every_attempt_once_in_order(limit: int) -> None:
    world = world_with_attempts()
    assert all_pages(world, limit) == list(range(1, 19))


def test_filters_by_kind_and_host() -> None:
    world = world_with_attempts()
    for kind in (None, SHIPPED, OTHER, "order.shipped"):
        for host in (None, "a.partner.example", "b.partner.example", "c.partner.example"):
            filters = {name: value for name, value in (("kind", kind), ("host", host)) if value}
            expected = [row.seq for row in world.attempts if kind in (None, row.kind) and host in (None, row.host)]
            assert all_pages(world, 4, **filters) == expected


def test_a_page_after_the_end_is_empty() -> None:
    page = list_attempts(world_with_attempts().state, AttemptFilter(after=10**9))
    assert (page.attempts, page.next) == ((), None)


def test_the_log_is_bounded_and_dropped_attempts_are_an_error() -> None:
    world = world_with_attempts(attempts_kept=5)
    assert all_pages(world, 2) == [14, 15, 16, 17, 18]
    assert [attempt.seq for attempt in list_attempts(world.state, AttemptFilter(after=13)).attempts] == [
        14,
        15,
        16,
        17,
        18,
    ]
    for after in (0, 12):
        with pytest.raises(
            DeliveriesDropped, match=r"Deliveries up to 13 were dropped. The first kept is 14: ask for after=13."
        ) as caught:
            list_attempts(world.state, AttemptFilter(after=after))
        assert caught.value.status == 409
    with pytest.raises(AttemptNotFound):
        find_attempt(world.state, 13)
    assert all_pages(world, 2, kind=SHIPPED) == [row.seq for row in world.attempts if row.kind == SHIPPED]


def test_an_attempt_in_flight_is_not_dropped() -> None:
    world = WebhookWorld()
    world.change_setting("webhooks.attempts_kept", 1)
    world.subscribe(url="https://a.partner.example/")
    world.subscribe(url="https://b.partner.example/")
    world.set_receiver("a.partner.example", mode="forward", to="http://127.0.0.1:9000")
    world.emit()
    world.advance("40m")
    assert len(world.sent) == 1
    assert world.outcomes[-1] == ("delivered", 200)
    world.emit()
    world.advance("1h")
    assert len(world.attempts) == 1


def test_reading_does_not_change_the_state() -> None:
    world = world_with_attempts()
    before = fingerprint(world.state)
    all_pages(world, 3, kind=SHIPPED)
    world.control_row(1)
    assert fingerprint(world.state) == before


def test_a_captured_request_can_be_signed_as_of_now() -> None:
    world = world_with_attempts()
    fresh = request_view(world.state, world.attempts[0], lambda body: body, 1_900_000_000)
    signature = fresh["headers"]["X-Service-Signature"]  # type: ignore[index]
    body = str(fresh["body"]).encode()
    assert verifies(world.endpoints[0].secret, signature, body, 1_900_000_100)


def test_with_wall_signatures_captured_requests_are_signed_when_read() -> None:
    world = world_with_attempts(signature_time="wall")
    assert world.control_row(1, wall_s=1_900_000_000)["request"]["headers"]["X-Service-Signature"].startswith(
        "t=1900000000,"
    )


def test_the_view_of_an_attempt_has_all_members() -> None:
    world = world_with_attempts(events=1)
    row = world.control_row(1)
    assert list(row) == [
        "seq", "at", "url", "event_id", "type", "attempt", "mark", "fault", "request", "outcome", "status",
        "next_attempt_at", "delivery",
    ]  # fmt: skip
    assert (row["seq"], row["url"], row["attempt"], row["mark"]) == (1, "https://a.partner.example/", 1, None)
    assert set(row["request"]) == {"headers", "body"}


def test_bodies_are_shown_and_signed_with_placeholders_filled_in() -> None:
    world = world_with_attempts(events=1)
    shown = attempt_view(world.state, world.attempts[0], lambda body: body.replace(b"team", b"TEAM"), 0)
    request = shown["request"]
    assert isinstance(request, dict)
    assert "TEAM_order" in request["body"]
    signature = request["headers"]["X-Service-Signature"]
    now = world.attempts[0].at_ms // 1000
    assert verifies(world.endpoints[0].secret, signature, request["body"].encode(), now, tolerance=0)


def test_the_newest_attempts_are_listed_first_page_by_page() -> None:
    world = world_with_attempts()
    every: list[dict[str, Any]] = [{}, {"kind": SHIPPED}, {"host": "a.partner.example"}, {"endpoint": 1}]
    for filters in every:
        expected = [
            row.seq
            for row in reversed(world.attempts)
            if all(getattr(row, name) == value for name, value in filters.items())
        ]
        numbers: list[int] = []
        before = None
        while True:
            page = list_attempts(world.state, AttemptFilter(before=before, newest=True, **filters), 4)
            numbers += [attempt.seq for attempt in page.attempts]
            if (before := page.next) is None:
                break
        assert numbers == expected, filters


def test_attempts_of_one_event_are_found_among_others() -> None:
    world = world_with_attempts()
    world.emit(SHIPPED, 99)
    world.advance("1h")
    last = list(world.state[EVENT])[-1]
    assert [attempt.seq for attempt in attempts_of(world.state, last)] == [19, 20]
    assert [attempt.event for attempt in attempts_of(world.state, world.state[EVENT].get(3))] == [3, 3]
