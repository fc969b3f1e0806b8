"""The retry ladder: times, outcomes and requests of attempts (P-6.14, P-6.16 to P-6.20, P-6.25, B44, G22)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from giftsim.engine.kernel.instants import format_instant, parse_instant
from tests.shows import shows
from tests.support.signatures import verifies
from tests.support.webhook_world import WebhookWorld

RUN = "2027-01-04T10:00:00Z"

# From the first attempt: +5m, +20m, +1h20m, +4h20m, +10h20m, +22h20m, +46h20m, +94h20m.
ALL_NINE = [
    RUN,
    "2027-01-04T10:05:00Z",
    "2027-01-04T10:20:00Z",
    "2027-01-04T11:20:00Z",
    "2027-01-04T14:20:00Z",
    "2027-01-04T20:20:00Z",
    "2027-01-05T08:20:00Z",
    "2027-01-06T08:20:00Z",
    "2027-01-08T08:20:00Z",
]


def world_with_event(*steps: object, **entry: Any) -> WebhookWorld:
    """A world after the first attempt to send one event, with a receiver scripted by these steps."""
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(script=list(steps), **entry)
    world.emit()
    world.advance("40m")
    return world


@shows("P-6.18", "P-6.19")
def test_a_delivery_is_dead_after_nine_failed_attempts() -> None:
    world = world_with_event(then={"status": 500})
    world.advance("26w")
    assert world.times == ALL_NINE
    assert [delivery.status for delivery in world.deliveries] == ["dead"]
    assert [(endpoint.pending, endpoint.dead) for endpoint in world.endpoints] == [(0, 1)]
    assert [attempt.number for attempt in world.attempts] == list(range(1, 10))


def test_each_attempt_shows_when_the_next_one_is_due() -> None:
    world = world_with_event(then={"status": 500})
    world.advance_until_idle()
    assert [world.control_row(seq)["next_attempt_at"] for seq in range(1, 10)] == [*ALL_NINE[1:], None]


def test_retry_times_do_not_depend_on_the_size_of_advances() -> None:
    world = world_with_event(then={"timeout": True})
    for span in ("1m", "3h", "250ms", "1d", "7m", "1w"):
        world.advance(span)
    assert world.times == ALL_NINE


@pytest.mark.parametrize("tries", range(1, 9))
def test_the_first_success_ends_the_retries(tries: int) -> None:
    world = world_with_event(*[{"status": 503}] * tries)
    world.advance_until_idle()
    assert world.times == ALL_NINE[: tries + 1]
    assert [delivery.status for delivery in world.deliveries] == ["delivered"]
    assert [(endpoint.pending, endpoint.dead) for endpoint in world.endpoints] == [(0, 0)]


@shows("P-6.16")
@pytest.mark.parametrize("status", [300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599])
def test_any_status_outside_2xx_is_a_failure_with_a_retry_after_five_minutes(status: int) -> None:
    world = world_with_event({"status": status, "location": "https://elsewhere.example/"})
    world.advance("5m")
    assert world.outcomes == [("http_status", status), ("delivered", 200)]
    assert world.times == ALL_NINE[:2]


@shows("P-6.16")
@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_a_success(status: int) -> None:
    world = world_with_event({"status": status})
    world.advance_until_idle()
    assert world.outcomes == [("delivered", status)]


@shows("P-6.17")
@pytest.mark.parametrize(
    ("delay_s", "outcomes"),
    [
        (9, [("delivered", 200)]),
        (9.999, [("delivered", 200)]),
        (10, [("timeout", None), ("delivered", 200)]),
        (11, [("timeout", None), ("delivered", 200)]),
    ],
)
def test_an_answer_after_ten_seconds_is_a_timeout(delay_s: float, outcomes: object) -> None:
    world = world_with_event({"delay_s": delay_s})
    world.advance("1h")
    assert world.outcomes == outcomes


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ({"timeout": True}, "timeout"),
        ({"reset": True}, "connection_reset"),
        ({"refuse": True}, "connection_refused"),
        ({"tls_error": True}, "tls_error"),
        ({"dns_error": True}, "dns_error"),
    ],
)
def test_a_connection_failure_has_no_status_and_is_retried(step: dict[str, Any], outcome: str) -> None:
    world = world_with_event(step)
    world.advance("5m")
    assert world.outcomes == [(outcome, None), ("delivered", 200)]


@shows("P-6.12", "P-6.13", "P-6.14")
def test_every_attempt_signs_the_same_bytes_with_its_own_time() -> None:
    world = world_with_event(then={"status": 500})
    world.advance_until_idle()
    requests = [world.control_row(seq)["request"] for seq in range(1, 10)]
    signatures = [request["headers"]["X-Service-Signature"] for request in requests]
    assert len({request["body"] for request in requests}) == 1
    assert len({value.partition("v1=")[2] for value in signatures}) == 9
    for value, request, time in zip(signatures, requests, ALL_NINE, strict=True):
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", value)
        now = parse_instant(time) // 1000
        assert verifies(world.endpoints[0].secret, value, request["body"].encode(), now, tolerance=0)


@shows("P-6.10", "P-6.11", "P-6.20")
def test_the_headers_of_every_attempt_name_the_kind_and_id_of_the_event() -> None:
    world = world_with_event({"status": 500})
    world.advance_until_idle()
    for seq in (1, 2):
        row = world.control_row(seq)
        assert row["request"]["headers"]["X-Service-Event"] == row["type"] == "team_order.shipped"
        assert row["request"]["headers"]["X-Service-Event-Id"] == row["event_id"]
        assert f'"id":"{row["event_id"]}"' in row["request"]["body"]
    assert world.control_row(1)["event_id"] == world.control_row(2)["event_id"]


@shows("P-6.25")
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "::1", "fd00::1"])
def test_a_host_with_a_private_address_is_not_contacted_and_is_retried(address: str) -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(mode="forward", to="http://127.0.0.1:9000", addresses=[address])
    world.emit()
    world.advance("40m")
    assert world.outcomes == [("blocked_address", None)]
    world.set_receiver(mode="forward", to="http://127.0.0.1:9000")
    world.advance("5m")
    assert [outgoing.number for outgoing in world.sent] == [2]
    assert world.outcomes == [("blocked_address", None), ("delivered", 200)]


def test_one_private_address_among_public_ones_blocks_the_attempt() -> None:
    world = world_with_event()
    world.set_receiver(addresses=["93.184.215.14", "192.168.0.9"])
    world.emit()
    world.advance("1h")
    assert world.outcomes[-1] == ("blocked_address", None)


def test_a_host_that_does_not_resolve_is_a_dns_error() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(addresses=[])
    world.emit()
    world.advance("40m")
    assert world.outcomes == [("dns_error", None)]


def test_an_outage_includes_its_start_and_excludes_its_end() -> None:
    world = WebhookWorld()
    world.subscribe()
    world.set_receiver(outage={"from": RUN, "to": "2027-01-04T10:20:00Z", "status": 502}, script=[{"status": 201}])
    world.emit()
    world.advance("2h")
    assert world.outcomes == [("http_status", 502), ("http_status", 502), ("delivered", 201)]
    assert world.times == ALL_NINE[:3]


def test_deliveries_to_two_endpoints_are_retried_independently() -> None:
    world = WebhookWorld()
    world.subscribe(url="https://good.partner.example/")
    world.subscribe(url="https://bad.partner.example/")
    world.set_receiver("bad.partner.example", then={"status": 500})
    world.emit()
    world.advance_until_idle()
    good, bad = world.endpoints
    assert [delivery.status for delivery in world.deliveries] == ["delivered", "dead"]
    assert (good.dead, bad.dead) == (0, 1)
    assert len(world.attempts) == 10


def test_the_next_attempt_of_a_failed_delivery_is_a_timer() -> None:
    world = world_with_event({"status": 500})
    timer = world.state.timers.peek()
    assert timer is not None
    assert (format_instant(timer.due_ms), timer.kind) == (ALL_NINE[1], "delivery.attempt")
