"""Reading back what was sent: pages, filters, bounds and fresh signatures (G11, G24)."""

from __future__ import annotations

import pytest

from giftsim.kernel.fingerprint import fingerprint
from giftsim.webhooks import inbox
from giftsim.webhooks.attempt import AttemptNotFound, find
from giftsim.webhooks.inbox import DeliveriesDropped
from giftsim.webhooks.signature import verify
from tests.support.webhook_world import SHIPPED, WebhookWorld

OTHER = "team_order.claimed"


def busy(events: int = 12, **settings: object) -> WebhookWorld:
    """Two endpoints, events of two kinds in turn."""
    scene = WebhookWorld()
    for name, raw in settings.items():
        scene.change_setting(f"webhooks.{name}", raw)
    scene.subscribe(url="https://a.partner.example/")
    scene.subscribe(SHIPPED, url="https://b.partner.example/")
    for subject in range(events):
        scene.emit(SHIPPED if subject % 2 else OTHER, subject)
    scene.advance("40m")
    return scene


def walk(scene: WebhookWorld, limit: int, **filters: str) -> list[int]:
    """Every page from the start."""
    found, after = [], None
    while True:
        page = inbox.list_attempts(scene.state, after=after, limit=limit, **filters)
        assert len(page.attempts) <= limit
        found += [attempt.seq for attempt in page.attempts]
        if (after := page.next) is None:
            return found


@pytest.mark.parametrize("limit", [1, 2, 5, 18, 100])
def test_pages_hold_everything_once_and_in_order(limit: int) -> None:
    scene = busy()
    assert walk(scene, limit) == list(range(1, 19))


def test_filters_by_kind_and_host_agree_with_looking_at_all() -> None:
    scene = busy()
    for kind in (None, SHIPPED, OTHER, "order.shipped"):
        for host in (None, "a.partner.example", "b.partner.example", "c.partner.example"):
            filters = {name: value for name, value in (("kind", kind), ("host", host)) if value}
            expected = [row.seq for row in scene.attempts if kind in (None, row.kind) and host in (None, row.host)]
            assert walk(scene, 4, **filters) == expected


def test_a_page_after_the_end_is_empty() -> None:
    page = inbox.list_attempts(busy().state, after=10**9)
    assert (page.attempts, page.next) == ((), None)


def test_the_log_is_bounded_and_asking_for_what_was_dropped_is_an_error() -> None:
    scene = busy(attempts_kept=5)
    assert walk(scene, 2) == [14, 15, 16, 17, 18]
    assert [attempt.seq for attempt in inbox.list_attempts(scene.state, after=13).attempts] == [14, 15, 16, 17, 18]
    for after in (0, 12):
        with pytest.raises(DeliveriesDropped, match="the first kept is 14") as caught:
            inbox.list_attempts(scene.state, after=after)
        assert caught.value.status == 409
    with pytest.raises(AttemptNotFound):
        find(scene.state, 13)
    assert walk(scene, 2, kind=SHIPPED) == [row.seq for row in scene.attempts if row.kind == SHIPPED]


def test_an_attempt_under_way_is_not_dropped() -> None:
    scene = WebhookWorld()
    scene.change_setting("webhooks.attempts_kept", 1)
    scene.subscribe(url="https://a.partner.example/")
    scene.subscribe(url="https://b.partner.example/")
    scene.set_receiver("a.partner.example", mode="forward", to="http://127.0.0.1:9000")
    scene.emit()
    scene.advance("40m")
    assert len(scene.sent) == 1
    assert scene.outcomes[-1] == ("delivered", 200)
    scene.emit()
    scene.advance("1h")
    assert len(scene.attempts) == 1


def test_reading_changes_nothing() -> None:
    scene = busy()
    before = fingerprint(scene.state)
    walk(scene, 3, kind=SHIPPED)
    scene.control_row(1)
    assert fingerprint(scene.state) == before


def test_a_captured_request_can_be_signed_for_the_present() -> None:
    scene = busy()
    fresh = inbox.request_view(scene.state, scene.attempts[0], lambda body: body, 1_900_000_000)
    signature = fresh["headers"]["X-Service-Signature"]  # type: ignore[index]
    body = str(fresh["body"]).encode()
    assert verify(scene.endpoints[0].secret, signature, body, 1_900_000_100)


def test_under_the_setting_wall_captured_requests_are_signed_as_they_are_read() -> None:
    scene = busy(signature_time="wall")
    assert scene.control_row(1, wall_s=1_900_000_000)["request"]["headers"]["X-Service-Signature"].startswith(
        "t=1900000000,"
    )


def test_a_row_says_everything_about_an_attempt() -> None:
    scene = busy(events=1)
    row = scene.control_row(1)
    assert list(row) == [
        "seq", "at", "url", "event_id", "type", "attempt", "mark", "fault", "request", "outcome", "status",
        "next_attempt_at", "delivery",
    ]  # fmt: skip
    assert (row["seq"], row["url"], row["attempt"], row["mark"]) == (1, "https://a.partner.example/", 1, None)
    assert set(row["request"]) == {"headers", "body"}


def test_bodies_are_shown_as_they_left() -> None:
    scene = busy(events=1)
    shown = inbox.attempt_view(scene.state, scene.attempts[0], lambda body: body.replace(b"team", b"TEAM"), 0)
    request = shown["request"]
    assert isinstance(request, dict)
    assert "TEAM_order" in request["body"]
    signature = request["headers"]["X-Service-Signature"]
    now = scene.attempts[0].at_ms // 1000
    assert verify(scene.endpoints[0].secret, signature, request["body"].encode(), now, tolerance=0)
