"""What a read of one order shows, what it never does, and where these paths stand (B50)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import PARTNER_CONTRACT, PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, address_recipients, claim_tokens, email_recipients
from tests.support.partner.catalogue import ROW_CENTS
from tests.support.partner.orders import (
    STATUSES,
    cancel_rows,
    move_parcels,
    order_with_statuses,
    recipient_ids,
    recipient_statuses,
)
from tests.support.responses import created, error_code
from tests.support.worlds import World

PATHS = ("", "/manifest.csv", "/cancel")
SHIPMENT_MEMBERS = [
    "awaiting_address", "carrier", "delivered_at", "external_id", "order_id", "shipped_at", "status", "tracking_number",
    "tracking_url",
]  # fmt: skip
ROW_MEMBERS = [
    "address", "claim", "email", "event", "money", "name", "recipient_id", "ship_on", "shipment", "status",
    "status_label",
]  # fmt: skip
MONEY_MEMBERS = ["event_fees_cents", "refunded_cents", "shipping_cents", "subtotal_cents", "total_cents"]


def at(partner: PartnerClient, order: object, path: str) -> Any:
    """Call a path below an order, by the method that it has."""
    method = "POST" if path == "/cancel" else "GET"
    return partner.call(method, f"/team-orders/{order}{path}")


@shows("P-2.31", "P-4.6")
def test_a_read_shows_the_order_and_every_row_in_its_parts(world: World, partner: PartnerClient) -> None:
    order_with_statuses(world, partner, STATUSES)
    detail = partner.read_order(1001)
    assert sorted(detail) == ["recipients", "team_order"]
    assert [sorted(row) for row in detail["recipients"]] == [ROW_MEMBERS] * len(STATUSES)
    for row in detail["recipients"]:
        assert sorted(row["shipment"]) == SHIPMENT_MEMBERS
        assert sorted(row["money"]) == MONEY_MEMBERS
        assert sorted(row["event"]) == ["on_time"]


@shows("P-4.6")
def test_an_order_of_a_hundred_shows_a_hundred(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(100)))
    detail = partner.read_order(1001)
    assert [row["name"] for row in detail["recipients"]] == [f"Person {i}" for i in range(100)]
    assert recipient_ids(detail) == recipient_ids(order)
    assert len(set(recipient_ids(detail))) == 100
    assert detail["team_order"]["summary"]["total"] == 100


@shows("P-2.31")
def test_what_is_not_known_yet_is_null_and_then_filled(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())
    row = partner.read_order(1001)["recipients"][0]
    assert row["address"] is None
    names = ("carrier", "tracking_number", "tracking_url", "shipped_at", "delivered_at")
    assert [row["shipment"][name] for name in names] == [None] * 5
    address = {"address1": "9 Elm St", "city": "Reno", "state": "NV", "zip": "89502", "country": "US"}
    world.simulate("claim", team_order_id=1001, recipient=0, address=address)
    filled = {"in_production": 0, "labeled": 3, "shipped": 4, "delivered": 5}
    for to, count in filled.items():
        world.advance("1h")
        move_parcels(world, order, to, 0)
        row = partner.read_order(1001)["recipients"][0]
        assert row["address"] == address
        assert [row["shipment"][name] is not None for name in names] == [True] * count + [False] * (5 - count)
        if to in ("shipped", "delivered"):
            assert row["shipment"][f"{to}_at"] == world.now
    [parcel] = world.rows("parcels")
    assert {name: row["shipment"][name] for name in names} == {name: parcel[name] for name in names}


@shows("P-2.31")
def test_an_address_is_shown_as_it_was_given(partner: PartnerClient) -> None:
    london = {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"}
    asked = [{"name": "Bo", "address": RENO}, {"name": "Cy", "address": london}]
    created(partner.create_order(recipients=asked))
    detail = partner.read_order(1001)
    assert [row["address"] for row in detail["recipients"]] == [RENO, {**london, "state": None}]
    assert detail["team_order"]["destination_countries"] == ["US", "GB"]


@shows("P-2.31")
def test_the_money_of_a_row_is_its_share_and_what_went_back(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(2)))
    share = {"subtotal_cents": 1800, "shipping_cents": 800, "event_fees_cents": 0, "total_cents": ROW_CENTS}
    assert [row["money"] for row in partner.read_order(1001)["recipients"]] == [{**share, "refunded_cents": 0}] * 2
    cancel_rows(partner, order, [1])
    refunded = [row["money"] for row in partner.read_order(1001)["recipients"]]
    assert refunded == [{**share, "refunded_cents": 0}, {**share, "refunded_cents": ROW_CENTS}]


@shows("P-4.7")
def test_links_are_shown_to_who_asks_for_them_in_these_words(partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=email_recipients(2), open_seats=1, return_claim_links=True))
    shared = order["team_order"]["shared_claim_link"]
    detail = partner.read_order(1001, "?include=claim_links")
    assert claim_tokens(detail) == claim_tokens(order)
    assert len(set(claim_tokens(detail))) == 2
    assert detail["team_order"]["shared_claim_link"] == shared
    assert "link" not in detail["recipients"][2]["claim"]
    secret = [*claim_tokens(order), shared.rsplit("/", 1)[1]]
    for query in ("", "?include=", "?include=claim_link", "?include=CLAIM_LINKS", "?include=x,claim_link", "?links=1"):
        answer = partner.get(f"/team-orders/1001{query}")
        assert answer.status == 200
        assert not [token for token in secret if token in answer.text]
        assert '"link"' not in answer.text


@shows("P-4.7")
def test_addressed_orders_have_no_links_to_show(partner: PartnerClient) -> None:
    created(partner.create_order(recipients=address_recipients(2)))
    asked = partner.read_order(1001, "?include=claim_links")
    assert asked == partner.read_order(1001)
    assert claim_tokens(asked) == []


def test_a_parameter_given_twice_is_refused(partner: PartnerClient) -> None:
    created(partner.create_order())
    twice = partner.get("/team-orders/1001?include=claim_links&include=claim_links")
    assert error_code(twice, 400) == "invalid_body"
    assert partner.get("/team-orders/1001?foo=1&foo=2").status == 200, "no operation knows it"


@shows("P-4.20")
@pytest.mark.parametrize("path", ["/team-orders/1001", "/team-orders/1001/manifest.csv", "/team-orders"])
def test_a_read_cancels_nothing_whatever_is_sent_with_it(world: World, partner: PartnerClient, path: str) -> None:
    order = created(partner.create_order(recipients=email_recipients(2)))
    named, before = recipient_ids(order), partner.get(path).body
    with world.assert_unchanged():
        query = "&".join(f"recipient_ids={recipient}" for recipient in named)
        for asked in (f"{path}?{query}", f"{path}?recipient_ids[]={named[0]}", f"{path}?recipient_ids=[{named[0]}]"):
            for body in (None, {"recipient_ids": named}, {"recipient_ids": named, "reason": "Left"}, b"[not json"):
                answer = partner.call("GET", asked, body)
                assert (answer.status, answer.body) == (200, before)
    assert recipient_statuses(partner.read_order(1001)) == ["awaiting", "awaiting"]


@shows("P-4.20")
def test_reads_leave_no_trace_in_the_orders_and_answer_the_same_again(world: World, partner: PartnerClient) -> None:
    order_with_statuses(world, partner, STATUSES)
    with world.assert_unchanged():
        first = [partner.get(f"/team-orders/1001{path}").body for path in ("", "?include=claim_links", "/manifest.csv")]
        again = [partner.get(f"/team-orders/1001{path}").body for path in ("", "?include=claim_links", "/manifest.csv")]
        assert first == again


@shows("P-4.6")
def test_each_read_shows_the_rows_as_they_are_now(world: World, partner: PartnerClient) -> None:
    """Also where the order has the same members as at another read: a restore lets another parcel take the step."""
    order = created(partner.create_order(recipients=address_recipients(2)))
    world.call_control("POST", "/snapshots", {"name": "made"})
    for moved, expected in ((0, ["in_production", "submitted"]), (1, ["submitted", "in_production"])):
        move_parcels(world, order, "in_production", moved)
        assert recipient_statuses(partner.read_order(1001)) == expected
        world.call_control("POST", "/snapshots/made/restore")
    assert recipient_statuses(partner.read_order(1001)) == ["submitted", "submitted"]


@shows("P-1.9")
def test_a_read_shows_the_order_of_its_own_world(new_world: Callable[..., World]) -> None:
    named = ((new_world(), "Ada"), (new_world(), "Bo"))
    for each, name in named:
        created(each.partner().create_order(name=name))
    for each, name in named * 2:
        assert each.partner().read_order(1001)["team_order"]["name"] == name
        assert [row["name"] for row in each.partner().get("/team-orders").json()["team_orders"]] == [name]


@shows("P-7.18")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("order", ["999999", "0", "-1", "1000", "abc", "1001.0", "1e3", "9" * 30, "Q-700001", "%20"])
def test_an_unknown_order_is_not_found(world: World, partner: PartnerClient, order: str, path: str) -> None:
    created(partner.create_order())
    with world.assert_unchanged():
        assert error_code(at(partner, order, path), 404) == "team_order_not_found"


@shows("P-7.18", "P-1.9")
@pytest.mark.parametrize("path", PATHS)
def test_another_accounts_order_is_not_found(world: World, partner: PartnerClient, path: str) -> None:
    theirs = created(world.partner("partner.net_terms").create_order())["team_order"]["id"]
    with world.assert_unchanged():
        answer = at(partner, theirs, path)
        assert error_code(answer, 404) == "team_order_not_found"
    unknown = at(partner, 999_999, path).json()["error"]["message"]
    assert answer.json()["error"]["message"] == unknown.replace("999999", str(theirs))


@shows("P-7.18")
def test_an_unknown_order_is_told_before_what_is_wrong_with_the_cancel(partner: PartnerClient) -> None:
    answer = partner.post("/team-orders/999999/cancel", {"recipient_ids": []})
    assert error_code(answer, 404) == "team_order_not_found"


@shows("P-9.1")
def test_the_paths_have_no_version_segment(world: World, partner: PartnerClient) -> None:
    client, headers = world.client, partner.headers
    created(partner.create_order())
    assert PARTNER_CONTRACT.prefix == "/api/external"
    for path in ("/team-orders", "/team-orders/1001", "/team-orders/1001/manifest.csv", "/webhooks"):
        assert client.call("GET", f"/api/external{path}", headers=headers).status == 200
        for version in ("v1", "v2", "1", "v1.0"):
            answer = client.call("GET", f"/api/external/{version}{path}", headers=headers)
            assert answer.status == 404, f"{version}{path}"
            assert answer.json()["error"]["code"] == "not_found"


def test_instants_are_whole_seconds_in_utc_and_days_are_days(world: World, partner: PartnerClient) -> None:
    created(partner.create_order(event={"date": date_from_now(world, 9)}))
    world.advance("1500ms")
    move_parcels(world, {"team_order": {"id": 1001}}, "delivered", 0)
    row = partner.read_order(1001)["recipients"][0]
    assert row["shipment"]["delivered_at"] == world.now
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["shipment"]["delivered_at"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", partner.read_order(1001)["team_order"]["event"]["event_date"])
