"""The list of orders: newest first, in pages of any size, by status, with the roll-ups of the reads (B1)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients, order_body
from tests.support.partner.money import account_of
from tests.support.partner.orders import (
    STATUSES,
    cancel_rows,
    move_parcels,
    order_with_statuses,
    order_with_unknown_charge,
    recipient_statuses,
)
from tests.support.responses import created, error_code
from tests.support.worlds import World

in_one_world = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)

ORDER_STATUSES = ("unpaid", "collecting_addresses", "in_progress", "shipped", "delivered", "canceled")
HOW_MANY = 23


def page(partner: PartnerClient, **query: Any) -> Any:
    """A page of the list, held against what was asked for."""
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = partner.get(f"/team-orders?{text}" if text else "/team-orders")
    assert answer.status == 200, answer.text
    body = answer.json()
    assert sorted(body) == ["limit", "offset", "team_orders", "total"]
    assert (body["limit"], body["offset"]) == (query.get("limit", 20), query.get("offset", 0))
    return body


def shown(body: Any) -> list[int]:
    """The ids of a page."""
    return [order["id"] for order in body["team_orders"]]


def fill(partner: PartnerClient, count: int) -> list[int]:
    """So many orders, every third of them canceled; their ids, oldest first."""
    orders = [created(partner.create_order(idempotency_key=str(i))) for i in range(count)]
    for order in orders[::3]:
        cancel_rows(partner, order)
    return [order["team_order"]["id"] for order in orders]


@claims("P-4.2")
def test_the_newest_order_comes_first(world: World, partner: PartnerClient) -> None:
    assert page(partner) == {"team_orders": [], "limit": 20, "offset": 0, "total": 0}
    found = []
    for key in "abc":
        found.append(created(partner.create_order(idempotency_key=key))["team_order"]["id"])
        world.advance("1h")
    assert shown(page(partner)) == found[::-1]
    move_parcels(world, {"team_order": {"id": found[0]}}, "delivered", 0)
    assert shown(page(partner)) == found[::-1]


@claims("P-4.2")
def test_orders_of_one_instant_are_listed_the_later_call_first(partner: PartnerClient) -> None:
    found = fill(partner, 5)
    assert shown(page(partner)) == found[::-1]


@claims("P-4.2", "P-3.1")
def test_the_list_holds_the_orders_of_the_account_by_any_of_its_keys(world: World, partner: PartnerClient) -> None:
    mine = created(partner.create_order())["team_order"]["id"]
    second = world.partner_with_new_key(account={"id": account_of(world)["account_id"]})
    ours = created(second.create_order())["team_order"]["id"]
    unpaid = world.partner("partner.no_funds").create_order().json()["team_order_id"]
    assert shown(page(partner)) == shown(page(second)) == [ours, mine]
    assert shown(page(world.partner("partner.no_funds"))) == [unpaid]
    assert shown(page(world.partner("partner.net_terms"))) == []


@claims("P-4.3")
def test_limit_and_offset_cut_a_window_out_of_the_list(partner: PartnerClient) -> None:
    found = fill(partner, 5)[::-1]
    assert shown(page(partner, limit=2, offset=2)) == found[2:4]
    assert shown(page(partner, limit=2)) == found[:2]
    assert shown(page(partner, offset=3)) == found[3:]
    assert shown(page(partner, limit=100, offset=4)) == found[4:]
    for offset in (5, 6, 10**17):
        assert shown(page(partner, offset=offset)) == []
        assert page(partner, offset=offset)["total"] == 5


@claims("P-4.3")
def test_a_page_has_twenty_rows_unless_told(partner: PartnerClient) -> None:
    found = fill(partner, HOW_MANY)[::-1]
    body = page(partner)
    assert (shown(body), body["total"]) == (found[:20], HOW_MANY)


@claims("P-4.2", "P-4.3")
@in_one_world
@given(limit=st.integers(1, 100), status=st.sampled_from([None, "canceled", "collecting_addresses", "shipped"]))
def test_paging_by_any_limit_lists_every_order_once_newest_first(
    partner: PartnerClient, limit: int, status: str | None
) -> None:
    if not page(partner)["total"]:
        fill(partner, HOW_MANY)
    chosen = {} if status is None else {"status": status}
    expected = [
        order["id"] for order in page(partner, limit=100)["team_orders"] if status is None or order["status"] == status
    ]
    assert expected == sorted(expected, reverse=True)
    found: list[int] = []
    for offset in range(0, len(expected) + 1, limit):
        body = page(partner, limit=limit, offset=offset, **chosen)
        assert body["total"] == len(expected)
        assert len(body["team_orders"]) == min(limit, len(expected) - offset)
        found += shown(body)
    assert found == expected


@claims("P-4.3", "P-4.2")
@in_one_world
@given(limit=st.integers(1, 100), offset=st.integers(0, 40))
def test_any_window_is_that_part_of_the_whole(partner: PartnerClient, limit: int, offset: int) -> None:
    if not page(partner)["total"]:
        fill(partner, HOW_MANY)
    whole = shown(page(partner, limit=100))
    assert len(whole) == HOW_MANY
    assert shown(page(partner, limit=limit, offset=offset)) == whole[offset : offset + limit]


@claims("P-4.3")
@pytest.mark.parametrize(
    "query",
    [
        *(f"limit={text}" for text in ("0", "-1", "101", "2.0", "two", "", "1e1", "+2", "%202", "0x2", "²", "9" * 30)),
        *(f"offset={text}" for text in ("-1", "1.5", "x", "", "null", "9" * 30)),
        "limit=2&limit=3",
        "limit=2&offset=x",
    ],
)
def test_what_is_no_whole_number_in_bounds_is_refused(world: World, partner: PartnerClient, query: str) -> None:
    created(partner.create_order())
    assert error_code(partner.get(f"/team-orders?{query}"), 400) == "invalid_body"


@claims("P-4.4", "P-3.1", "P-3.2", "P-3.3", "P-3.4", "P-3.5", "P-3.6")
def test_each_status_lists_exactly_the_orders_that_have_it(world: World, partner: PartnerClient) -> None:
    statuses = ("awaiting", "submitted", "shipped", "delivered", "canceled")
    orders: list[int] = []
    unpaid = order_with_unknown_charge(world, partner)
    for status in statuses:
        answer = created(partner.create_order(idempotency_key=status, claim_expiry_days=365))
        orders.append(answer["team_order"]["id"])
        if status == "submitted":
            world.simulate("claim", team_order_id=orders[-1], recipient=0)
        elif status == "canceled":
            cancel_rows(partner, answer)
        elif status != "awaiting":
            move_parcels(world, answer, status)
    for status, order_id in zip(ORDER_STATUSES, (unpaid, *orders), strict=True):
        body = page(partner, status=status)
        assert (shown(body), body["total"]) == ([order_id], 1)
        assert body["team_orders"][0]["status"] == status
    assert page(partner)["total"] == len(ORDER_STATUSES)


@claims("P-4.4")
@pytest.mark.parametrize("status", ["", "UNPAID", "awaiting", "lost", "shipped,delivered", "shipped%20", "rejected"])
def test_a_status_that_is_none_of_the_six_is_refused(partner: PartnerClient, status: str) -> None:
    assert error_code(partner.get(f"/team-orders?status={status}"), 400) == "invalid_body"


@claims("P-4.4")
def test_an_order_leaves_the_list_of_the_status_that_it_leaves(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(2)))
    stages = [("shipped", "in_progress", "shipped"), ("delivered", "shipped", "delivered")]
    for to, before, after in stages:
        assert (page(partner, status=before)["total"], page(partner, status=after)["total"]) == (1, 0)
        move_parcels(world, order, to)
        assert (page(partner, status=before)["total"], page(partner, status=after)["total"]) == (0, 1)


@claims("P-4.5", "P-2.3")
def test_a_row_is_the_order_as_the_detail_shows_it(world: World, partner: PartnerClient) -> None:
    asked = order_body(
        recipients=email_recipients(2), name="Welcome", reference="REF-1", po_number="PO-7", open_seats=1
    )
    assert partner.post("/team-orders", {**asked, "return_claim_links": True}).status == 201
    order_with_statuses(world, partner, STATUSES)
    order_with_statuses(world, partner, ("shipped", "delivered", "canceled"))
    rows = page(partner)["team_orders"]
    assert len(rows) == 3
    for row in rows:
        detail = partner.read_order(row["id"])
        assert row == detail["team_order"]
        assert row["summary"]["total"] == len(recipient_statuses(detail))
        assert "recipients" not in row
    assert (rows[-1]["name"], rows[-1]["reference"], rows[-1]["po_number"]) == ("Welcome", "REF-1", "PO-7")
