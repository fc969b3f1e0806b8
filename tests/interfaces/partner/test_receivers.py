"""Who answers for a public host, and how receivers may fail (P-6.25, B49, outages, scripts, addresses that change)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.http_receiver import OK_RESPONSE, http_receiver, respond_always
from tests.support.instants import later, next_full_hour
from tests.support.partner.webhooks import (
    assert_webhook_conforms,
    endpoint_deliveries,
    endpoint_row,
    is_valid_signature,
    received_webhooks,
    retry_instants,
    run_next_hour,
    ship_order,
)
from tests.support.worlds import World

KIND = "team_order.shipped"
PRIVATE = ["127.0.0.1", "10.0.0.5", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1", "::1", "fd00::1"]
PUBLIC = ["93.184.215.14", "2606:2800:220:1::1"]


def outcomes(world: World, host: str = WEBHOOK_HOST) -> list[tuple[str | None, int | None]]:
    return [(post.outcome, post.status) for post in received_webhooks(world, host=host)]


def waiting(world: World, partner: PartnerClient) -> Any:
    """An endpoint whose event goes out with the next hourly run."""
    made = partner.subscribe(KIND)
    ship_order(world, partner)
    return made


def test_a_host_without_an_entry_is_captured_and_answers_200(world: World, partner: PartnerClient) -> None:
    waiting(world, partner)
    run_next_hour(world)
    assert outcomes(world) == [("delivered", 200)]
    assert world.call_control("GET", "/receivers")["receivers"] == []


@shows("P-6.25")
@pytest.mark.parametrize("address", PRIVATE)
def test_a_host_that_turned_private_is_not_contacted_and_tried_again_by_schedule(
    world: World, partner: PartnerClient, address: str
) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as machine:
        to = {"mode": "forward", "to": f"http://127.0.0.1:{machine.port}"}
        world.set_receiver(**to, addresses=PUBLIC)
        secret = waiting(world, partner)["secret"]
        world.set_receiver(**to, addresses=[address])
        first = run_next_hour(world)
        world.advance("5m")
        assert outcomes(world) == [("blocked_address", None)] * 2
        assert (machine.connections, machine.requests) == (0, [])
        world.set_receiver(**to, addresses=PUBLIC)
        world.advance("15m")
        assert outcomes(world)[2:] == [("delivered", 200)]
        assert len(machine.requests) == 1
    posts = received_webhooks(world)
    assert [post.at for post in posts] == retry_instants(first)[:3]
    assert machine.requests[0].endswith(b"\r\n\r\n" + posts[2].text.encode())
    assert is_valid_signature(
        secret, posts[2].headers["X-Service-Signature"], posts[2].text.encode(), posts[2].signed_at_s
    )


@shows("P-6.25")
def test_the_host_is_resolved_before_each_send(world: World, partner: PartnerClient) -> None:
    made = waiting(world, partner)
    due = retry_instants(next_full_hour(world.now))[:5]
    course: list[list[str]] = [["10.0.0.5"], [*PUBLIC, "127.0.0.1"], [], ["::ffff:127.0.0.1"], PUBLIC]
    for at, addresses in zip(due, course, strict=True):
        world.set_receiver(addresses=addresses)
        world.advance(to=at)
    blocked = ("blocked_address", None)
    assert outcomes(world) == [blocked, blocked, ("dns_error", None), blocked, ("delivered", 200)]
    assert [post.at for post in received_webhooks(world)] == due
    assert endpoint_row(partner, made)["pending_count"] == 0


@shows("P-6.25", "P-6.19")
def test_a_host_that_stays_private_ends_dead(world: World, partner: PartnerClient) -> None:
    made = waiting(world, partner)
    world.set_receiver(addresses=["10.0.0.5"])
    world.advance(until="idle")
    assert outcomes(world) == [("blocked_address", None)] * 9
    assert endpoint_row(partner, made)["dead_count"] == 1
    assert endpoint_deliveries(partner, made)[0]["last_status_code"] is None


@shows("P-6.25")
def test_pings_and_resends_resolve_the_host_too(world: World, partner: PartnerClient) -> None:
    waiting(world, partner)
    run_next_hour(world)
    world.set_receiver(addresses=["127.0.0.1"])
    answer = partner.post("/webhooks/1/test").json()
    assert (answer["ok"], answer["status_code"]) == (False, None)
    assert world.call_control("POST", "/deliveries/1/resend")["outcome"] == "blocked_address"


@pytest.mark.parametrize("status", [503, 404, 302])
def test_an_outage_includes_its_first_instant_and_not_its_last(
    world: World, partner: PartnerClient, status: int
) -> None:
    waiting(world, partner)
    hour = next_full_hour(world.now)
    world.set_receiver(outage={"from": hour, "to": later(hour, "20m"), "status": status}, then={"status": 202})
    world.advance("2h")
    assert [(post.at, post.status) for post in received_webhooks(world)] == [
        (hour, status),
        (later(hour, "5m"), status),
        (later(hour, "20m"), 202),
    ]


def test_an_outage_that_begins_a_second_later_lets_the_first_attempt_pass(world: World, partner: PartnerClient) -> None:
    waiting(world, partner)
    hour = next_full_hour(world.now)
    world.set_receiver(outage={"from": later(hour, "1s"), "to": later(hour, "2d")})
    world.advance("1h")
    assert [(post.at, post.status) for post in received_webhooks(world)] == [(hour, 200)]


def test_offsets_of_an_outage_count_from_the_world_s_beginning(world: World, partner: PartnerClient) -> None:
    born = world.now
    world.advance("1d")
    entry = world.set_receiver(outage={"from": "+2d", "to": "+4d"})
    assert entry["outage"] == {"from": later(born, "2d"), "to": later(born, "4d"), "status": 503}
    partner.subscribe(KIND)
    for _ in range(4):
        ship_order(world, partner)
        world.advance("1d")
    first_tries = [post for post in received_webhooks(world, kind=KIND) if post.attempt == 1]
    assert [post.status for post in first_tries] == [200, 503, 503, 200]


def test_retries_reach_past_an_outage_of_a_day_and_lose_nothing(world: World, partner: PartnerClient) -> None:
    made = waiting(world, partner)
    ship_order(world, partner, 7)
    hour = next_full_hour(world.now)
    world.set_receiver(outage={"from": hour, "to": later(hour, "1d")})
    world.advance("3d")
    taken = [post for post in received_webhooks(world, kind=KIND) if post.outcome == "delivered"]
    assert [post.at for post in taken] == [retry_instants(hour)[7]] * 8
    assert len({post.event_id for post in taken}) == 8
    assert (endpoint_row(partner, made)["pending_count"], endpoint_row(partner, made)["dead_count"]) == (0, 0)


def test_a_script_is_used_up_one_entry_per_attempt_and_pings_use_it_too(world: World, partner: PartnerClient) -> None:
    waiting(world, partner)
    world.set_receiver(script=[{"status": 500}, {"timeout": True}, {"status": 418}], then={"status": 204})
    run_next_hour(world)
    assert partner.post("/webhooks/1/test").json()["status_code"] is None
    world.advance(until="idle")
    assert outcomes(world) == [
        ("http_status", 500),
        ("timeout", None),
        ("http_status", 418),
        ("delivered", 204),
    ]
    assert world.call_control("GET", "/receivers")["receivers"][0]["used"] == 3


def test_a_refusing_host_is_an_outcome_of_its_own_and_tried_again(world: World, partner: PartnerClient) -> None:
    waiting(world, partner)
    world.set_receiver(mode="refuse")
    run_next_hour(world)
    world.call_control("DELETE", f"/receivers/{WEBHOOK_HOST}")
    world.advance("5m")
    assert outcomes(world) == [("refused", None), ("delivered", 200)]


def test_one_entry_may_answer_for_all_other_hosts(world: World, partner: PartnerClient) -> None:
    partner.subscribe(KIND)
    partner.subscribe(KIND, host="other.partner.example")
    world.set_receiver("*", then={"status": 503})
    world.set_receiver()
    ship_order(world, partner)
    run_next_hour(world)
    assert outcomes(world) == [("delivered", 200)]
    assert outcomes(world, "other.partner.example") == [("http_status", 503)]


@pytest.mark.parametrize("to", ["http://192.0.2.1:80", "http://example.com", "https://127.0.0.1:9000", "127.0.0.1"])
def test_nothing_is_forwarded_beyond_this_machine(world: World, to: str) -> None:
    path = f"/worlds/{world.id}/receivers/{WEBHOOK_HOST}"
    answer = world.control.call("PUT", path, {"mode": "forward", "to": to})
    assert (answer.status, answer.json()["error"]["code"]) == (400, "invalid_receiver")
    assert world.call_control("GET", "/receivers")["receivers"] == []


def test_what_is_forwarded_arrives_letter_by_letter_under_its_public_name(world: World, partner: PartnerClient) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        url = f"https://{WEBHOOK_HOST}/gifts?from=us&x=%C3%85"
        secret = partner.post("/webhooks", {"url": url, "events": [KIND]}).json()["secret"]
        ship_order(world, partner, name="\u00c5sa's kits")
        told = world.advance("2h")
    assert [row["outcome"] for row in told["deliveries"]] == ["delivered"]
    (raw,) = machine.requests
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name: value for name, _, value in (line.partition(": ") for line in lines)}
    assert first == "POST /gifts?from=us&x=%C3%85 HTTP/1.1"
    assert headers["Host"] == WEBHOOK_HOST
    assert int(headers["Content-Length"]) == len(body)
    assert_webhook_conforms(KIND, headers, body)
    (post,) = received_webhooks(world)
    assert (body.decode(), post.headers["X-Service-Signature"]) == (post.text, headers["X-Service-Signature"])
    assert is_valid_signature(secret, post.headers["X-Service-Signature"], body, post.signed_at_s)


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(world: World, partner: PartnerClient) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as machine:
        world.set_receiver(mode="forward", to=f"http://127.0.0.1:{machine.port}")
        waiting(world, partner)
        told = world.call_control("POST", "/clock/advance", {"by": "2h", "dry_run": True})
        assert [(row["type"], row["outcome"]) for row in told["deliveries"]] == [(KIND, "delivered")]
        assert (machine.connections, received_webhooks(world)) == (0, [])
