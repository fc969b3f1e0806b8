"""Webhook endpoints: made, read, counted and disabled (P-2.38, P-2.39, P-4.12 to P-4.15, P-8.3, P-8.4, B28, G26)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.instants import later
from tests.support.orders import order_body
from tests.support.partner.orders import move_parcels
from tests.support.partner.webhooks import (
    EVENT_TYPES,
    endpoint_deliveries,
    endpoint_row,
    endpoint_rows,
    fail_host,
    received_webhooks,
    retry_instants,
    run_next_hour,
    ship_order,
)
from tests.support.worlds import World

URL = f"https://{WEBHOOK_HOST}/gifts?from=us"


def colleague(world: World) -> PartnerClient:
    """Another key of the account that the prepaid key is bound to."""
    accounts = world.call_control("GET", "/accounts")["accounts"]
    own = next(row["account_id"] for row in accounts if "partner.prepaid" in row["keys"])
    return world.partner_with_new_key(account={"id": own})


@shows("P-2.38", "P-4.12", "P-5.6")
def test_subscribing_answers_with_the_endpoint_its_secret_and_the_signature_header(
    world: World, partner: PartnerClient
) -> None:
    answer = partner.post("/webhooks", {"url": URL, "events": ["order.delivered", "team_order.shipped"]})
    assert answer.status == 201
    made = answer.json()
    assert set(made) == {"endpoint", "secret", "signature_header"}
    assert type(made["endpoint"].pop("id")) is int
    assert made["endpoint"] == {
        "url": URL,
        "status": "active",
        "events": ["order.delivered", "team_order.shipped"],
        "created_at": world.now,
    }
    assert re.fullmatch(r"whsec_\w{24,}", made["secret"])
    assert made["signature_header"] == "X-Service-Signature"


@shows("P-2.38", "P-4.13", "P-4.14")
def test_the_list_and_the_detail_show_the_endpoint_as_it_was_made(partner: PartnerClient) -> None:
    made = partner.subscribe(*EVENT_TYPES)
    assert endpoint_rows(partner) == [{**made["endpoint"], "pending_count": 0, "dead_count": 0}]
    read = partner.get(f"/webhooks/{made['endpoint']['id']}")
    assert read.status == 200
    assert read.json() == {"endpoint": made["endpoint"], "deliveries": []}


def test_a_kind_that_is_named_twice_is_kept_and_sent_once(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped", "team_order.shipped")
    assert made["endpoint"]["events"] == ["team_order.shipped"]
    ship_order(world, partner)
    run_next_hour(world)
    assert len(received_webhooks(world)) == 1


@shows("P-5.6")
def test_every_endpoint_has_a_secret_and_an_id_of_its_own_also_at_the_same_url(partner: PartnerClient) -> None:
    made = [partner.subscribe("team_order.shipped") for _ in range(10)]
    assert len({endpoint["secret"] for endpoint in made}) == 10
    assert len({endpoint["endpoint"]["id"] for endpoint in made}) == 10
    assert all(endpoint["secret"].startswith("whsec_") for endpoint in made)


@shows("P-5.6")
def test_worlds_of_different_seeds_have_different_secrets(new_world: Callable[..., World]) -> None:
    secrets = [new_world(seed=seed).partner().subscribe("order.shipped")["secret"] for seed in (1, 1, 2)]
    assert secrets[0] == secrets[1] != secrets[2]


@shows("P-2.39")
def test_the_secret_is_told_at_creation_and_never_again(world: World, partner: PartnerClient) -> None:
    secret = partner.subscribe(*EVENT_TYPES)["secret"]
    ship_order(world, partner)
    fail_host(world)
    run_next_hour(world)
    calls = [("GET", ""), ("GET", "/1"), ("POST", "/1/test"), ("DELETE", "/1"), ("GET", ""), ("GET", "/1")]
    answers = [partner.call(method, f"/webhooks{path}") for method, path in calls]
    refused = [partner.post("/webhooks/1/test"), partner.get("/webhooks/2"), partner.post("/webhooks", {"url": "x"})]
    assert [answer.status for answer in answers] == [200] * 6
    assert [answer.status for answer in refused] == [404, 404, 400]
    said = [answer.text + str(answer.headers) for answer in answers + refused]
    said += [post.text + str(post.headers) for post in received_webhooks(world)]
    said.append(str(world.call_control("GET", "/calls?limit=1000")))
    assert [text for text in said if secret in text or secret.removeprefix("whsec_") in text] == []


@shows("P-4.13")
def test_the_list_counts_what_is_pending_and_what_is_dead(world: World, partner: PartnerClient) -> None:
    first, second = partner.subscribe("team_order.shipped"), partner.subscribe("order.shipped", host="b.example")
    fail_host(world)
    ship_order(world, partner)
    world.advance("5d")
    ship_order(world, partner)
    assert endpoint_row(partner, first)["pending_count"] == 0
    run_next_hour(world)
    assert (endpoint_row(partner, first)["pending_count"], endpoint_row(partner, first)["dead_count"]) == (1, 1)
    assert (endpoint_row(partner, second)["pending_count"], endpoint_row(partner, second)["dead_count"]) == (0, 0)
    world.advance(until="idle")
    assert (endpoint_row(partner, first)["pending_count"], endpoint_row(partner, first)["dead_count"]) == (0, 2)


@shows("P-4.14")
def test_the_detail_shows_the_latest_deliveries_newest_first(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    ship_order(world, partner)
    first = run_next_hour(world)
    fail_host(world, status=503)
    ship_order(world, partner)
    second = run_next_hour(world)
    sent = received_webhooks(world)
    rows = endpoint_deliveries(partner, made)
    assert [row.pop("id") for row in rows] == [2, 1]
    common = {"type": "team_order.shipped", "attempts": 1}
    failed = {"status": "pending", "last_status_code": 503, "next_attempt_at": later(second, "5m")}
    good = {"status": "delivered", "last_status_code": 200, "next_attempt_at": None}
    assert rows == [
        {"event_id": sent[1].event_id, "created_at": second, **failed, **common},
        {"event_id": sent[0].event_id, "created_at": first, **good, **common},
    ]


@shows("P-8.4")
def test_a_ping_is_not_a_delivery_of_the_endpoint(partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    assert partner.post("/webhooks/1/test").json()["ok"] is True
    assert partner.get("/webhooks/1").json()["deliveries"] == []


def test_the_detail_shows_the_last_fifty_deliveries(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    ship_order(world, partner, 60)
    run_next_hour(world)
    ids = [post.event_id for post in received_webhooks(world)]
    assert len(ids) == 60
    assert [row["event_id"] for row in endpoint_deliveries(partner, made)] == ids[:9:-1]


@shows("P-8.3")
def test_a_key_has_ten_endpoints_and_is_refused_an_eleventh(world: World, partner: PartnerClient) -> None:
    for i in range(10):
        partner.subscribe("team_order.shipped", host=f"hooks{i}.partner.example")
    answer = partner.post("/webhooks", {"url": URL, "events": ["team_order.shipped"]})
    assert (answer.status, answer.json()["error"]["code"]) == (409, "too_many_endpoints")
    assert len(endpoint_rows(partner)) == 10
    stranger = world.partner("partner.net_terms")
    assert stranger.subscribe("team_order.shipped")["endpoint"]["id"] > 10
    assert len(endpoint_rows(stranger)) == 1


@shows("P-8.3")
def test_endpoints_count_for_the_key_that_made_them_and_are_seen_by_the_account(
    world: World, partner: PartnerClient
) -> None:
    other = colleague(world)
    made = [partner.subscribe("team_order.shipped") for _ in range(10)]
    own = other.subscribe("team_order.shipped")
    assert endpoint_rows(other) == endpoint_rows(partner)
    assert [row["id"] for row in endpoint_rows(other)] == [row["endpoint"]["id"] for row in (*made, own)]
    assert other.delete(f"/webhooks/{made[3]['endpoint']['id']}").status == 200
    partner.subscribe("team_order.shipped")
    refused = partner.post("/webhooks", {"url": URL, "events": ["team_order.shipped"]})
    assert (refused.status, refused.json()["error"]["code"]) == (409, "too_many_endpoints")


def test_a_disabled_endpoint_gives_its_place_free_and_stays_in_the_list(partner: PartnerClient) -> None:
    made = [partner.subscribe("team_order.shipped") for _ in range(10)]
    partner.delete(f"/webhooks/{made[0]['endpoint']['id']}")
    partner.delete(f"/webhooks/{made[0]['endpoint']['id']}")
    partner.subscribe("team_order.shipped")
    assert partner.post("/webhooks", {"url": URL, "events": ["order.shipped"]}).status == 409
    assert [row["status"] for row in endpoint_rows(partner)] == ["disabled"] + ["active"] * 10


@shows("P-4.15")
def test_disabling_says_so_in_every_read_and_may_be_repeated(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    path = f"/webhooks/{made['endpoint']['id']}"
    disabled = {**made["endpoint"], "status": "disabled"}
    for _ in range(2):
        answer = partner.delete(path)
        assert (answer.status, answer.json()) == (200, {"ok": True, "endpoint": disabled})
        assert partner.get(path).json()["endpoint"] == disabled
        assert endpoint_row(partner, made)["status"] == "disabled"
        world.advance("1h")


@shows("P-4.15")
def test_neither_queued_retries_nor_new_events_reach_a_disabled_endpoint(world: World, partner: PartnerClient) -> None:
    gone = partner.subscribe("team_order.shipped", "team_order.delivered")
    stays = partner.subscribe("team_order.shipped", host="stays.partner.example")
    fail_host(world)
    fail_host(world, "stays.partner.example")
    ship_order(world, partner)
    first = run_next_hour(world)
    ship_order(world, partner)  # a fact that waits for the next run
    partner.delete(f"/webhooks/{gone['endpoint']['id']}")
    ship_order(world, partner)
    world.advance("60d")
    assert [(post.at, post.type) for post in received_webhooks(world, host=WEBHOOK_HOST)] == [
        (first, "team_order.shipped")
    ]
    assert [row["status"] for row in endpoint_deliveries(partner, gone)] == ["dropped"]
    assert (endpoint_row(partner, gone)["pending_count"], endpoint_row(partner, gone)["dead_count"]) == (0, 0)
    assert [post.at for post in received_webhooks(world, host="stays.partner.example")][:2] == retry_instants(first)[:2]
    assert endpoint_row(partner, stays)["dead_count"] == 3


def test_what_was_dead_before_an_endpoint_was_disabled_stays_counted(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    fail_host(world)
    ship_order(world, partner)
    world.advance(until="idle")
    partner.delete(f"/webhooks/{made['endpoint']['id']}")
    assert endpoint_row(partner, made)["dead_count"] == 1
    assert [row["status"] for row in endpoint_deliveries(partner, made)] == ["dead"]


@shows("P-7.20")
@pytest.mark.parametrize("endpoint_id", ["2", "999999", "0", "-1", "first", "1.0", "99999999999999999999999"])
@pytest.mark.parametrize(("method", "rest"), [("GET", ""), ("DELETE", ""), ("POST", "/test")])
def test_an_unknown_endpoint_is_not_found(partner: PartnerClient, method: str, rest: str, endpoint_id: str) -> None:
    made = partner.subscribe("team_order.shipped")
    answer = partner.call(method, f"/webhooks/{endpoint_id}{rest}")
    assert (answer.status, answer.json()["error"]["code"]) == (404, "endpoint_not_found")
    assert endpoint_row(partner, made)["status"] == "active"


@shows("P-1.9", "P-7.20")
def test_endpoints_of_another_account_are_not_there(world: World, partner: PartnerClient) -> None:
    made = partner.subscribe("team_order.shipped")
    stranger = world.partner("partner.net_terms")
    path = f"/webhooks/{made['endpoint']['id']}"
    answers = [stranger.get(path), stranger.delete(path), stranger.post(f"{path}/test")]
    assert [answer.json()["error"]["code"] for answer in answers] == ["endpoint_not_found"] * 3
    assert endpoint_rows(stranger) == []
    assert endpoint_row(partner, made)["status"] == "active"
    assert received_webhooks(world) == []


def test_endpoints_outlive_the_key_that_made_them(world: World, partner: PartnerClient) -> None:
    other = colleague(world)
    made = other.subscribe("team_order.shipped")
    world.call_control("DELETE", f"/keys/{other.headers['Authorization'].removeprefix('Bearer ')}")
    assert other.get("/webhooks").status == 401
    ship_order(world, partner)
    run_next_hour(world)
    assert endpoint_row(partner, made)["status"] == "active"
    assert len(received_webhooks(world)) == 1


def test_creating_an_endpoint_neither_costs_nor_orders_anything(world: World, partner: PartnerClient) -> None:
    with world.assert_unchanged():
        partner.subscribe(*EVENT_TYPES)
        partner.delete("/webhooks/1")


def test_worlds_do_not_hear_of_one_another(new_world: Callable[..., World]) -> None:
    worlds: list[Any] = [new_world(), new_world()]
    for world in worlds:
        world.partner().subscribe("team_order.shipped")
    order = worlds[0].partner().post("/team-orders", order_body())
    move_parcels(worlds[0], order, "shipped")
    for world in worlds:
        run_next_hour(world)
    assert [len(received_webhooks(world)) for world in worlds] == [1, 0]
