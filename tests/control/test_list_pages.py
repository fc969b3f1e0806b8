"""Lists newest first, page by page from the end, by status, by text, and with counts."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.control.pagination import Rows, filtered_page
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients, email_recipients
from tests.support.worlds import World


@pytest.fixture
def ordered(world: World, partner: PartnerClient) -> World:
    """A world with five orders: 1001 to 1003 collect addresses, 1004 is in progress, 1005 is canceled."""
    for n in range(3):
        partner.create_order(idempotency_key=f"linked-{n}", recipients=email_recipients(1), name=f"Welcome {n}")
    partner.create_order(idempotency_key="addressed", recipients=address_recipients(1), reference="REF-4")
    partner.create_order(idempotency_key="canceled", recipients=email_recipients(1))
    partner.post("/team-orders/1005/cancel", {})
    return world


def ids(world: World, query: str) -> list[int]:
    return [row["id"] for row in list_orders(world, query)["orders"]]


def list_orders(world: World, query: str) -> Any:
    return world.call_control("GET", f"/orders?{query}")


def test_the_newest_orders_come_first_and_before_pages_back(ordered: World) -> None:
    first = list_orders(ordered, "order=newest&limit=2")
    assert [row["id"] for row in first["orders"]] == [1005, 1004]
    second = list_orders(ordered, f"order=newest&limit=2&before={first['next']}")
    assert [row["id"] for row in second["orders"]] == [1003, 1002]
    last = list_orders(ordered, f"order=newest&limit=2&before={second['next']}")
    assert ([row["id"] for row in last["orders"]], last["next"]) == ([1001], None)


def test_the_oldest_orders_come_first_unless_asked_otherwise(ordered: World) -> None:
    assert ids(ordered, "limit=2") == ids(ordered, "order=oldest&limit=2") == [1001, 1002]
    assert ids(ordered, "after=1&before=4") == [1002, 1003]
    assert ids(ordered, "order=newest&after=1&before=4") == [1003, 1002]


def test_orders_are_filtered_by_status(ordered: World) -> None:
    assert ids(ordered, "status=collecting_addresses&order=newest") == [1003, 1002, 1001]
    assert ids(ordered, "status=canceled") == [1005]
    assert ids(ordered, "status=delivered") == []


def test_a_status_that_orders_do_not_have_is_refused(ordered: World) -> None:
    response = ordered.control.call("GET", f"/worlds/{ordered.id}/orders?status=lost")
    assert response.status == 400
    assert "collecting_addresses" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("welcome 1", [1002]), ("ref-4", [1004]), ("1005", [1005]), ("@EXAMPLE.com", [1001, 1002, 1003, 1005]), ("%", [])],
)
def test_orders_are_found_by_a_text_in_them_or_in_a_recipient(ordered: World, text: str, found: list[int]) -> None:
    assert ids(ordered, f"q={text.replace('%', '%25').replace(' ', '%20')}") == found


def test_counts_are_by_status_of_all_that_the_other_filters_let_through(ordered: World) -> None:
    counts = list_orders(ordered, "counts=true&limit=1&status=canceled")["counts"]
    assert {status: count for status, count in counts.items() if count} == {
        "collecting_addresses": 3, "in_progress": 1, "canceled": 1,
    }  # fmt: skip
    assert counts["delivered"] == counts["awaiting_approval"] == 0
    assert list_orders(ordered, "counts=true&q=welcome%202")["counts"]["collecting_addresses"] == 1
    assert "counts" not in list_orders(ordered, "limit=1")


def test_a_board_has_the_newest_of_each_status_and_the_counts(ordered: World) -> None:
    board = list_orders(ordered, "per_status=2&counts=true&order=newest")
    assert [(row["id"], row["status"]) for row in board["orders"]] == [
        (1005, "canceled"), (1004, "in_progress"), (1003, "collecting_addresses"), (1002, "collecting_addresses"),
    ]  # fmt: skip
    assert (board["counts"]["collecting_addresses"], board["next"]) == (3, None)
    assert ids(ordered, "per_status=1&q=welcome&order=newest") == [1003]
    assert ids(ordered, "per_status=1&status=canceled") == [1005]


def test_a_page_from_the_end_reads_no_row_beyond_it() -> None:
    read: list[int] = []

    def at(number: int) -> str:
        read.append(number)
        return f"row {number}"

    call: Any = type("Query", (), {"query": {"order": "newest", "limit": 2, "before": 50_000}})()
    page = filtered_page(call, "rows", Rows(60_000, at), str)
    assert page.body == {"rows": ["row 49999", "row 49998"], "next": 49_998}
    assert read == [49_999, 49_998, 49_997]
