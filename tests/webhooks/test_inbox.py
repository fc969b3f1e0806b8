"""The inbox: pages, filters, limits and signatures of attempts (G11, G24)."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.kernel.serializer import fingerprint
from giftsim.webhooks import inbox
from giftsim.webhooks.attempt import AttemptNotFound, find_attempt
from giftsim.webhooks.event import EVENT
from giftsim.webhooks.inbox import DeliveriesDropped, Wanted
from tests.support.signatures import verifies
from tests.support.webhook_world import SHIPPED, WebhookWorld

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
        page = inbox.list_attempts(world.state, Wanted(after=after, **filters), limit)
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
    page = inbox.list_attempts(world_with_attempts().state, Wanted(after=10**9))
    assert (page.attempts, page.next) == ((), None)


def test_the_log_is_bounded_and_dropped_attempts_are_an_error() -> None:
    world = world_with_attempts(attempts_kept=5)
    assert all_pages(world, 2) == [14, 15, 16, 17, 18]
    assert [attempt.seq for attempt in inbox.list_attempts(world.state, Wanted(after=13)).attempts] == [
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
            inbox.list_attempts(world.state, Wanted(after=after))
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
    fresh = inbox.request_view(world.state, world.attempts[0], lambda body: body, 1_900_000_000)
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
    shown = inbox.attempt_view(world.state, world.attempts[0], lambda body: body.replace(b"team", b"TEAM"), 0)
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
            page = inbox.list_attempts(world.state, Wanted(before=before, newest=True, **filters), 4)
            numbers += [attempt.seq for attempt in page.attempts]
            if (before := page.next) is None:
                break
        assert numbers == expected, filters


def test_attempts_of_one_event_are_found_among_others() -> None:
    world = world_with_attempts()
    world.emit(SHIPPED, 99)
    world.advance("1h")
    last = list(world.state[EVENT])[-1]
    assert [attempt.seq for attempt in inbox.attempts_of(world.state, last)] == [19, 20]
    assert [attempt.event for attempt in inbox.attempts_of(world.state, world.state[EVENT].get(3))] == [3, 3]
