"""The list of orders: newest first, in pages of any size, by status, with the roll-ups of the reads (B1)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.instants import MINUTE, SECOND, format_instant, parse_instant
from tests.shows import shows
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
from tests.support.responses import created, error_code, status_and_code
from tests.support.worlds import World


def meter(answer: Response) -> tuple[int, int]:
    """The limit and what is left of it."""
    return int(answer.headers["x-ratelimit-limit"]), int(answer.headers["x-ratelimit-remaining"])


def starter(world: World, calls: int = 60) -> PartnerClient:
    """A funded key on the plan `starter`, which allows so many calls."""
    world.change_settings(rate_limits__starter=calls)
    return world.partner_with_new_key(plan="starter", account={"wallet_cents": 100_000})


def at_the_minute(world: World) -> int:
    """Go to the beginning of a minute; it, in Unix seconds of the world."""
    begin = (parse_instant(world.now) // MINUTE + 1) * MINUTE
    world.advance(to=format_instant(begin))
    return begin // SECOND


@shows("P-7.26")
def test_more_calls_than_allowed_are_429_until_the_wait_is_over(world: World, partner: PartnerClient) -> None:
    start_s = at_the_minute(world)
    key = starter(world, 3)
    world.advance("13s")
    assert [meter(key.get("/team-orders")) for _ in range(3)] == [(3, 2), (3, 1), (3, 0)]
    for _ in range(2):
        answer = key.get("/team-orders")
        assert status_and_code(answer) == (429, "rate_limited")
        assert answer.headers["retry-after"] == "47"
        assert meter(answer) == (3, 0)
        assert int(answer.headers["x-ratelimit-reset"]) == start_s + 60
    assert partner.get("/team-orders").status == 200
    world.advance("46s")
    assert status_and_code(key.get("/team-orders")) == (429, "rate_limited")
    world.advance("1s")
    assert meter(key.get("/team-orders")) == (3, 2)


@shows("P-7.26")
def test_a_refused_call_does_nothing(world: World) -> None:
    key = starter(world, 1)
    key.get("/team-orders")
    with world.assert_unchanged():
        assert status_and_code(key.create_order()) == (429, "rate_limited")
        assert status_and_code(key.post("/team-orders", "[")) == (429, "rate_limited")
    world.advance("1m")
    created(key.create_order())


@shows("P-7.26")
def test_two_keys_of_one_account_have_windows_of_their_own(world: World) -> None:
    world.change_settings(rate_limits__starter=1)
    first = world.call_control("POST", "/keys", {"interface": "partner", "plan": "starter"})
    second = world.partner_with_new_key(plan="starter", account={"id": first["account_id"]})
    assert [world.partner(key=first["key"]).get("/webhooks").status for _ in range(2)] == [200, 429]
    assert [second.get("/webhooks").status for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(
    ("plan", "calls"), [("sandbox", 1_000_000), ("starter", 60), ("growth", 300), ("enterprise", 1_200)]
)
def test_every_plan_has_its_limit_and_keys_are_on_sandbox_unless_told(world: World, plan: str, calls: int) -> None:
    assert meter(world.partner().get("/webhooks")) == (1_000_000, 999_999)
    assert meter(world.partner_with_new_key(plan=plan).get("/webhooks")) == (calls, calls - 1)
    world.change_settings(**{f"rate_limits__{plan}": 7})
    assert meter(world.partner_with_new_key(plan=plan).get("/webhooks")) == (7, 6)


def metered(world: World) -> list[tuple[str, int, Response]]:
    """One answer of every status that a partner can get once the key is known: what it is, its status, the answer."""
    key, poor = starter(world), world.partner("partner.no_funds")
    order = created(key.create_order())["team_order"]["id"]
    unpaid = poor.create_order(idempotency_key="dead").json()["team_order_id"]
    poor.post(f"/team-orders/{unpaid}/cancel", {})
    bad: list[Any] = [{"name": "Bo", "email": "nobody"}]
    return [
        ("read", 200, key.get(f"/team-orders/{order}")),
        ("manifest", 200, key.get(f"/team-orders/{order}/manifest.csv")),
        ("create", 201, key.create_order(idempotency_key="second")),
        ("replay", 201, key.create_order(idempotency_key="second")),
        ("canceled", 200, poor.create_order(idempotency_key="dead")),
        ("no json", 400, key.post("/team-orders", "[")),
        ("query", 400, key.get("/team-orders?limit=x")),
        ("body", 400, key.create_order(idempotency_key="third", items=[])),
        ("charge", 402, poor.create_order()),
        ("unbound", 403, world.partner("partner.unbound").get("/webhooks")),
        ("unable", 403, world.partner("partner.no_capability").get("/webhooks")),
        ("unknown id", 404, key.get("/team-orders/1")),
        ("mismatch", 409, key.create_order(name="other")),
        ("rows", 422, key.create_order(idempotency_key="third", recipients=bad)),
        ("injected 429", 429, key.get("/webhooks", X_Sim_Fault="status=429")),
        ("injected 500", 500, key.get("/webhooks", X_Sim_Fault="status=500")),
        ("injected 503", 503, key.post("/team-orders", order_body(), X_Sim_Fault="status=503")),
        ("no such fault", 400, key.post("/webhooks", {}, X_Sim_Fault="nonsense")),
    ]


def test_every_answer_to_a_known_key_says_where_its_window_stands(world: World) -> None:
    reset_s = (parse_instant(world.now) // MINUTE + 1) * 60
    for name, status, answer in metered(world):
        assert answer.status == status, (name, answer.text)
        limit, remaining = meter(answer)
        assert 0 <= remaining < limit, name
        assert int(answer.headers["x-ratelimit-reset"]) == reset_s, name


def test_an_answer_to_nobody_says_nothing_of_windows(world: World, partner: PartnerClient) -> None:
    nobody = PartnerClient(world.client, partner.contract, {"X-Sim-World": world.id})
    for answer in (
        nobody.get("/webhooks"),
        nobody.get("/nothing"),
        partner.get("/nothing"),
        partner.call("PUT", "/webhooks"),
    ):
        assert answer.status in (401, 404, 405)
        assert "x-ratelimit-limit" not in answer.headers


def test_every_call_counts_one_whatever_its_answer(world: World) -> None:
    key = starter(world, 10)
    calls = [
        key.get("/webhooks"),
        key.post("/team-orders", "["),
        key.get("/team-orders/1"),
        key.create_order(),
        key.create_order(),
    ]
    assert [answer.status for answer in calls] == [200, 400, 404, 201, 201]
    assert [meter(answer)[1] for answer in calls] == [9, 8, 7, 6, 5]


def test_a_429_in_a_world_whose_clock_stands_says_how_far_to_advance_it(world: World) -> None:
    start_s = at_the_minute(world)
    key = starter(world, 1)
    world.advance("20s")
    key.get("/webhooks")
    answer = key.get("/webhooks")
    message = answer.json()["error"]["message"]
    assert "clock does not run" in message
    assert "40s" in message
    assert format_instant((start_s + 60) * SECOND) in message
    world.advance(f"{answer.headers['retry-after']}s")
    assert key.get("/webhooks").status == 200


def test_a_429_in_a_running_world_says_until_when_to_wait(world: World) -> None:
    key = starter(world, 1)
    world.call_control("PUT", "/clock", {"mode": "running", "rate": 0.000_001})
    key.get("/webhooks")
    answer = key.get("/webhooks")
    assert status_and_code(answer) == (429, "rate_limited")
    message = answer.json()["error"]["message"]
    assert "clock does not run" not in message
    assert format_instant(int(answer.headers["x-ratelimit-reset"]) * SECOND) in message


def test_windows_are_state_that_a_snapshot_brings_back(world: World) -> None:
    key = starter(world, 2)
    key.get("/webhooks")
    before = world.fingerprint()
    world.call_control("POST", "/snapshots", {"name": "one-left"})
    assert [key.get("/webhooks").status for _ in range(2)] == [200, 429]
    assert world.fingerprint() != before
    world.call_control("POST", "/snapshots/one-left/restore")
    assert world.fingerprint() == before
    assert [key.get("/webhooks").status for _ in range(2)] == [200, 429]


def test_a_lower_limit_holds_at_once_and_a_higher_one_too(world: World) -> None:
    key = starter(world, 5)
    assert [key.get("/webhooks").status for _ in range(3)] == [200] * 3
    world.change_settings(rate_limits__starter=3)
    assert status_and_code(key.get("/webhooks")) == (429, "rate_limited")
    world.change_settings(rate_limits__starter=4)
    assert meter(key.get("/webhooks")) == (4, 0)


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


@shows("P-4.2")
def test_the_newest_order_comes_first(world: World, partner: PartnerClient) -> None:
    assert page(partner) == {"team_orders": [], "limit": 20, "offset": 0, "total": 0}
    found = []
    for key in "abc":
        found.append(created(partner.create_order(idempotency_key=key))["team_order"]["id"])
        world.advance("1h")
    assert shown(page(partner)) == found[::-1]
    move_parcels(world, {"team_order": {"id": found[0]}}, "delivered", 0)
    assert shown(page(partner)) == found[::-1]


@shows("P-4.2")
def test_orders_of_one_instant_are_listed_the_later_call_first(partner: PartnerClient) -> None:
    found = fill(partner, 5)
    assert shown(page(partner)) == found[::-1]


@shows("P-4.2", "P-3.1")
def test_the_list_holds_the_orders_of_the_account_by_any_of_its_keys(world: World, partner: PartnerClient) -> None:
    mine = created(partner.create_order())["team_order"]["id"]
    second = world.partner_with_new_key(account={"id": account_of(world)["account_id"]})
    ours = created(second.create_order(idempotency_key="ours"))["team_order"]["id"]
    unpaid = world.partner("partner.no_funds").create_order().json()["team_order_id"]
    assert shown(page(partner)) == shown(page(second)) == [ours, mine]
    assert shown(page(world.partner("partner.no_funds"))) == [unpaid]
    assert shown(page(world.partner("partner.net_terms"))) == []


@shows("P-4.3")
def test_limit_and_offset_cut_a_window_out_of_the_list(partner: PartnerClient) -> None:
    found = fill(partner, 5)[::-1]
    assert shown(page(partner, limit=2, offset=2)) == found[2:4]
    assert shown(page(partner, limit=2)) == found[:2]
    assert shown(page(partner, offset=3)) == found[3:]
    assert shown(page(partner, limit=100, offset=4)) == found[4:]
    for offset in (5, 6, 10**17):
        assert shown(page(partner, offset=offset)) == []
        assert page(partner, offset=offset)["total"] == 5


@shows("P-4.3")
def test_a_page_has_twenty_rows_unless_told(partner: PartnerClient) -> None:
    found = fill(partner, HOW_MANY)[::-1]
    body = page(partner)
    assert (shown(body), body["total"]) == (found[:20], HOW_MANY)


@shows("P-4.2", "P-4.3")
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


@shows("P-4.3", "P-4.2")
@in_one_world
@given(limit=st.integers(1, 100), offset=st.integers(0, 40))
def test_any_window_is_that_part_of_the_whole(partner: PartnerClient, limit: int, offset: int) -> None:
    if not page(partner)["total"]:
        fill(partner, HOW_MANY)
    whole = shown(page(partner, limit=100))
    assert len(whole) == HOW_MANY
    assert shown(page(partner, limit=limit, offset=offset)) == whole[offset : offset + limit]


@shows("P-4.3")
@pytest.mark.parametrize(
    "query",
    [
        *(f"limit={text}" for text in ("0", "-1", "101", "2.0", "two", "", "1e1", "+2", "%202", "0x2", "²", "9" * 30)),
        *(f"offset={text}" for text in ("-1", "1.5", "x", "", "null", "9" * 30)),
        "limit=2&limit=3",
        "limit=2&offset=x",
    ],
)
def test_what_is_not_a_whole_number_in_bounds_is_refused(world: World, partner: PartnerClient, query: str) -> None:
    created(partner.create_order())
    assert error_code(partner.get(f"/team-orders?{query}"), 400) == "invalid_body"


@shows("P-4.4", "P-3.1", "P-3.2", "P-3.3", "P-3.4", "P-3.5", "P-3.6")
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


@shows("P-4.4")
@pytest.mark.parametrize("status", ["", "UNPAID", "awaiting", "lost", "shipped,delivered", "shipped%20", "rejected"])
def test_a_status_that_is_none_of_the_six_is_refused(partner: PartnerClient, status: str) -> None:
    assert error_code(partner.get(f"/team-orders?status={status}"), 400) == "invalid_body"


@shows("P-4.4")
def test_an_order_leaves_the_list_of_the_status_that_it_leaves(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(recipients=address_recipients(2)))
    stages = [("shipped", "in_progress", "shipped"), ("delivered", "shipped", "delivered")]
    for to, before, after in stages:
        assert (page(partner, status=before)["total"], page(partner, status=after)["total"]) == (1, 0)
        move_parcels(world, order, to)
        assert (page(partner, status=before)["total"], page(partner, status=after)["total"]) == (0, 1)


@shows("P-4.5", "P-2.3")
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
