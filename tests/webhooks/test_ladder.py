"""The ladder of retries, as seen by receivers: P-6.14, P-6.16 to P-6.20, P-6.25, B44, G22."""

from __future__ import annotations

import re
from typing import Any

import pytest

from giftsim.kernel.instants import format_instant, parse_instant
from giftsim.webhooks.signature import verify
from tests.claims import claims
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


def happened(*steps: object, **entry: Any) -> WebhookWorld:
    """A world where one event was due an hour ago, and a receiver that plays these steps."""
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(script=list(steps), **entry)
    scene.emit()
    scene.advance("40m")
    return scene


@claims("P-6.18", "P-6.19")
def test_a_receiver_that_always_fails_is_tried_nine_times_and_never_again() -> None:
    scene = happened(then={"status": 500})
    scene.advance("26w")
    assert scene.times == ALL_NINE
    assert [delivery.status for delivery in scene.deliveries] == ["dead"]
    assert [(endpoint.pending, endpoint.dead) for endpoint in scene.endpoints] == [(0, 1)]
    assert [attempt.number for attempt in scene.attempts] == list(range(1, 10))


def test_each_attempt_says_when_the_next_one_is_due() -> None:
    scene = happened(then={"status": 500})
    scene.advance_until_idle()
    assert [scene.control_row(seq)["next_attempt_at"] for seq in range(1, 10)] == [*ALL_NINE[1:], None]


def test_the_ladder_does_not_depend_on_how_the_time_is_cut_into_advances() -> None:
    scene = happened(then={"timeout": True})
    for span in ("1m", "3h", "250ms", "1d", "7m", "1w"):
        scene.advance(span)
    assert scene.times == ALL_NINE


@pytest.mark.parametrize("tries", range(1, 9))
def test_the_first_success_on_any_rung_ends_the_ladder(tries: int) -> None:
    scene = happened(*[{"status": 503}] * tries)
    scene.advance_until_idle()
    assert scene.times == ALL_NINE[: tries + 1]
    assert [delivery.status for delivery in scene.deliveries] == ["delivered"]
    assert [(endpoint.pending, endpoint.dead) for endpoint in scene.endpoints] == [(0, 0)]


@claims("P-6.16")
@pytest.mark.parametrize("status", [300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599])
def test_any_answer_outside_2xx_is_a_failure_that_is_tried_again_after_five_minutes(status: int) -> None:
    scene = happened({"status": status, "location": "https://elsewhere.example/"})
    scene.advance("5m")
    assert scene.outcomes == [("http_status", status), ("delivered", 200)]
    assert scene.times == ALL_NINE[:2]


@claims("P-6.16")
@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_a_success(status: int) -> None:
    scene = happened({"status": status})
    scene.advance_until_idle()
    assert scene.outcomes == [("delivered", status)]


@claims("P-6.17")
@pytest.mark.parametrize(
    ("delay_s", "outcomes"),
    [
        (9, [("delivered", 200)]),
        (9.999, [("delivered", 200)]),
        (10, [("timeout", None), ("delivered", 200)]),
        (11, [("timeout", None), ("delivered", 200)]),
    ],
)
def test_an_answer_counts_if_it_comes_within_ten_seconds(delay_s: float, outcomes: object) -> None:
    scene = happened({"delay_s": delay_s})
    scene.advance("1h")
    assert scene.outcomes == outcomes


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
def test_whatever_breaks_off_is_a_failure_without_a_status(step: dict[str, Any], outcome: str) -> None:
    scene = happened(step)
    scene.advance("5m")
    assert scene.outcomes == [(outcome, None), ("delivered", 200)]


@claims("P-6.12", "P-6.13", "P-6.14")
def test_every_attempt_is_signed_anew_at_its_own_time_over_the_same_bytes() -> None:
    scene = happened(then={"status": 500})
    scene.advance_until_idle()
    requests = [scene.control_row(seq)["request"] for seq in range(1, 10)]
    signatures = [request["headers"]["X-Service-Signature"] for request in requests]
    assert len({request["body"] for request in requests}) == 1
    assert len({value.partition("v1=")[2] for value in signatures}) == 9
    for value, request, time in zip(signatures, requests, ALL_NINE, strict=True):
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", value)
        now = parse_instant(time) // 1000
        assert verify(scene.endpoints[0].secret, value, request["body"].encode(), now, tolerance=0)


@claims("P-6.10", "P-6.11", "P-6.20")
def test_the_headers_name_the_kind_and_the_one_event_in_every_attempt() -> None:
    scene = happened({"status": 500})
    scene.advance_until_idle()
    for seq in (1, 2):
        row = scene.control_row(seq)
        assert row["request"]["headers"]["X-Service-Event"] == row["type"] == "team_order.shipped"
        assert row["request"]["headers"]["X-Service-Event-Id"] == row["event_id"]
        assert f'"id":"{row["event_id"]}"' in row["request"]["body"]
    assert scene.control_row(1)["event_id"] == scene.control_row(2)["event_id"]


@claims("P-6.25")
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "::1", "fd00::1"])
def test_a_host_that_turns_private_is_not_contacted_and_is_tried_again_by_schedule(address: str) -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(mode="forward", to="http://127.0.0.1:9000", addresses=[address])
    scene.emit()
    scene.advance("40m")
    assert scene.outcomes == [("blocked_address", None)]
    scene.set_receiver(mode="forward", to="http://127.0.0.1:9000")
    scene.advance("5m")
    assert [outgoing.number for outgoing in scene.sent] == [2]
    assert scene.outcomes == [("blocked_address", None), ("delivered", 200)]


def test_one_private_address_among_public_ones_is_enough_to_block() -> None:
    scene = happened()
    scene.set_receiver(addresses=["93.184.215.14", "192.168.0.9"])
    scene.emit()
    scene.advance("1h")
    assert scene.outcomes[-1] == ("blocked_address", None)


def test_a_host_that_no_longer_resolves_is_a_failure() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(addresses=[])
    scene.emit()
    scene.advance("40m")
    assert scene.outcomes == [("dns_error", None)]


def test_an_outage_includes_its_beginning_and_excludes_its_end() -> None:
    scene = WebhookWorld()
    scene.subscribe()
    scene.set_receiver(outage={"from": RUN, "to": "2027-01-04T10:20:00Z", "status": 502}, script=[{"status": 201}])
    scene.emit()
    scene.advance("2h")
    assert scene.outcomes == [("http_status", 502), ("http_status", 502), ("delivered", 201)]
    assert scene.times == ALL_NINE[:3]


def test_deliveries_to_two_endpoints_climb_by_themselves() -> None:
    scene = WebhookWorld()
    scene.subscribe(url="https://good.partner.example/")
    scene.subscribe(url="https://bad.partner.example/")
    scene.set_receiver("bad.partner.example", then={"status": 500})
    scene.emit()
    scene.advance_until_idle()
    good, bad = scene.endpoints
    assert [delivery.status for delivery in scene.deliveries] == ["delivered", "dead"]
    assert (good.dead, bad.dead) == (0, 1)
    assert len(scene.attempts) == 10


def test_the_next_attempt_of_a_failed_delivery_is_a_timer() -> None:
    scene = happened({"status": 500})
    timer = scene.state.timers.peek()
    assert timer is not None
    assert (format_instant(timer.due_ms), timer.kind) == (ALL_NINE[1], "delivery.attempt")
