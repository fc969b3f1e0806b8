"""What an order's status and summary are, from the rows that it has and whether it is paid (G30 to G32)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shows import shows
from tests.support.api_clients import PartnerClient
from tests.support.instants import instant_from_now
from tests.support.orders import address_recipients, email_recipients
from tests.support.partner.catalogue import ROW_CENTS
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

COUNTED = {"awaiting": "awaiting_address", "expired": "expired", "canceled": "canceled", "shipped": "shipped"}
COUNTED |= {"delivered": "delivered"}


def listed(partner: PartnerClient, status: str) -> list[int]:
    """The ids that the list has under a status."""
    rows = partner.get(f"/team-orders?status={status}").json()["team_orders"]
    assert {row["status"] for row in rows} <= {status}
    return [row["id"] for row in rows]


def told(statuses: Sequence[str]) -> str:
    """The status of a paid order whose rows stand so, as G30 has it."""
    live = [status for status in statuses if status != "canceled"]
    going = set(live) - {"expired", "rejected"}
    if not live:
        return "canceled"
    if not going:
        return "collecting_addresses" if "expired" in live else "in_progress"
    if going <= {"shipped", "delivered"}:
        return "shipped" if "shipped" in going else "delivered"
    return "collecting_addresses" if "awaiting" in going else "in_progress"


def recount(detail: Any) -> dict[str, int]:
    """The summary, counted from the rows."""
    found = Counter(COUNTED.get(status, "claimed") for status in recipient_statuses(detail))
    names = ("awaiting_address", "claimed", "shipped", "delivered", "expired", "canceled")
    return {"total": len(detail["recipients"]), **{name: found[name] for name in names}}


@shows("P-3.2", "P-3.3", "P-3.4", "P-3.5", "P-3.6")
@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ("awaiting", "collecting_addresses"),
        ("submitted", "in_progress"),
        ("in_production", "in_progress"),
        ("labeled", "in_progress"),
        ("shipped", "shipped"),
        ("delivered", "delivered"),
        ("delayed", "in_progress"),
        ("rejected", "in_progress"),
        ("expired", "collecting_addresses"),
        ("canceled", "canceled"),
        ("awaiting delivered", "collecting_addresses"),
        ("awaiting shipped delivered", "collecting_addresses"),
        ("awaiting in_production", "collecting_addresses"),
        ("awaiting expired", "collecting_addresses"),
        ("awaiting rejected canceled", "collecting_addresses"),
        ("submitted shipped", "in_progress"),
        ("labeled delivered", "in_progress"),
        ("delayed shipped", "in_progress"),
        ("submitted expired", "in_progress"),
        ("shipped delivered", "shipped"),
        ("shipped expired", "shipped"),
        ("shipped rejected canceled", "shipped"),
        ("delivered canceled", "delivered"),
        ("delivered expired", "delivered"),
        ("delivered rejected", "delivered"),
        ("expired canceled", "collecting_addresses"),
        ("expired rejected", "collecting_addresses"),
        ("rejected canceled", "in_progress"),
        ("canceled canceled", "canceled"),
    ],
)
def test_the_status_follows_from_the_rows(world: World, partner: PartnerClient, rows: str, status: str) -> None:
    detail = order_with_statuses(world, partner, rows.split())
    assert detail["team_order"]["status"] == status
    assert listed(partner, status) == [detail["team_order"]["id"]]


@shows("P-2.24", "P-3.10")
@in_one_world
@given(rows=st.lists(st.sampled_from(STATUSES), min_size=1, max_size=6))
def test_status_and_summary_follow_from_any_mixture_of_rows(
    world: World, partner: PartnerClient, rows: list[str]
) -> None:
    order = order_with_statuses(world, partner, rows)["team_order"]
    assert order["status"] == told(rows)
    assert order["summary"] == recount({"recipients": [{"status": status} for status in rows]})


@shows("P-2.24", "P-3.2", "P-3.4", "P-3.5", "P-3.7", "P-3.8", "P-4.4", "P-4.5")
def test_an_order_lives_from_its_links_to_the_door(world: World, partner: PartnerClient) -> None:
    answer = partner.create_order(recipients=email_recipients(2))
    seen = []

    def look() -> None:
        detail = partner.read_order(answer)
        order = detail["team_order"]
        assert order["summary"] == recount(detail)
        assert partner.get("/team-orders").json()["team_orders"] == [order]
        assert listed(partner, order["status"]) == [order["id"]]
        seen.append((order["status"], [row["claim"]["status"] for row in detail["recipients"]]))

    look()
    for place in (0, 1):
        world.simulate("claim", team_order_id=1001, recipient=place)
        look()
    for to in ("shipped", "delivered"):
        for place in (0, 1):
            move_parcels(world, created(answer), to, place)
            look()
    assert [status for status, _ in seen] == [
        "collecting_addresses", "collecting_addresses", "in_progress", "in_progress", "shipped", "shipped", "delivered",
    ]  # fmt: skip
    assert [row for _, row in seen[:3]] == [["awaiting"] * 2, ["submitted", "awaiting"], ["submitted"] * 2]


@shows("P-3.3", "P-3.4", "P-3.5")
def test_an_addressed_order_lives_by_the_clock(world: World, partner: PartnerClient) -> None:
    answer = partner.create_order(recipients=address_recipients(2))
    seen = [created(answer)["team_order"]["status"]]
    for _ in range(5):
        world.advance("1d")
        seen.append(partner.read_order(answer)["team_order"]["status"])
    assert seen == ["in_progress", "in_progress", "in_progress", "shipped", "shipped", "delivered"]


@shows("P-3.1")
@pytest.mark.parametrize("recipients", [email_recipients(2), address_recipients(2)])
def test_an_order_whose_charge_failed_is_unpaid_however_long(world: World, recipients: list[dict[str, Any]]) -> None:
    partner = world.partner("partner.no_funds")
    answer = partner.create_order(recipients=recipients, claim_expiry_days=1)
    assert error_code(answer, 402) == "insufficient_funds_no_card"
    order_id = answer.json()["team_order_id"]
    before = partner.read_order(order_id)
    assert before["team_order"]["status"] == "unpaid"
    world.advance("60d")
    assert partner.read_order(order_id) == before
    assert listed(partner, "unpaid") == [order_id]
    assert listed(partner, "collecting_addresses") == listed(partner, "in_progress") == []
    assert world.events() == world.mail() == []


@shows("P-3.1")
def test_the_expiry_of_links_counts_from_the_payment(world: World) -> None:
    partner = world.partner("partner.no_funds")
    order_id = partner.create_order(claim_expiry_days=10).json()["team_order_id"]
    for wait in ("0s", "10d", "10d"):
        world.advance(wait)
        unpaid = partner.read_order(order_id)
        assert unpaid["team_order"]["claim_expires_at"] is None
        assert unpaid["recipients"][0]["claim"] == {"status": "awaiting", "expires_at": None}
    world.change_account("partner.no_funds", add_cents=ROW_CENTS)
    paid = created(partner.create_order(claim_expiry_days=10))
    assert paid["team_order"]["claim_expires_at"] == instant_from_now(world, days=10)
    assert paid["recipients"][0]["claim"] == {"status": "awaiting", "expires_at": instant_from_now(world, days=10)}
    assert paid["team_order"]["status"] == "collecting_addresses"
    world.advance(to=instant_from_now(world, days=10, seconds=-1))
    assert recipient_statuses(partner.read_order(order_id)) == ["awaiting"]
    world.advance("1s")
    assert recipient_statuses(partner.read_order(order_id)) == ["expired"]


def test_an_order_canceled_before_it_was_paid_never_has_an_expiry(world: World) -> None:
    partner = world.partner("partner.no_funds")
    order_id = partner.create_order(claim_expiry_days=10).json()["team_order_id"]
    cancel_rows(partner, partner.read_order(order_id))
    canceled = partner.create_order(claim_expiry_days=10)
    assert (canceled.status, canceled.json()["team_order"]["claim_expires_at"]) == (200, None)
    assert canceled.json()["recipients"][0]["claim"] == {"status": "canceled", "expires_at": None}


@shows("P-3.1", "P-3.15")
def test_a_retry_pays_for_the_rows_still_live(world: World) -> None:
    partner = world.partner("partner.no_funds")
    order_id = partner.create_order(recipients=email_recipients(3)).json()["team_order_id"]
    cancel_rows(partner, partner.read_order(order_id), [1])
    order = partner.read_order(order_id)["team_order"]
    assert (order["status"], order["totals"]["total_cents"]) == ("unpaid", 2 * ROW_CENTS)
    world.change_account("partner.no_funds", wallet_cents=2 * ROW_CENTS)
    paid = created(partner.create_order(recipients=email_recipients(3)))
    assert paid["team_order"]["id"] == order_id
    assert (paid["totals"]["total_cents"], paid["totals"]["charged_cents"]) == (2 * ROW_CENTS, 2 * ROW_CENTS)
    assert recipient_statuses(paid) == ["awaiting", "canceled", "awaiting"]
    assert account_of(world, "partner.no_funds")["wallet_cents"] == 0
    assert len(world.mail()) == 2
    cancel_rows(partner, paid, [0])
    assert partner.read_order(order_id)["team_order"]["totals"] == paid["team_order"]["totals"]


@shows("P-3.6", "P-3.15")
def test_an_unpaid_order_that_is_canceled_is_canceled_for_good(world: World) -> None:
    partner = world.partner("partner.no_funds")
    order_id = partner.create_order(recipients=email_recipients(2)).json()["team_order_id"]
    assert cancel_rows(partner, partner.read_order(order_id))["refunded_cents"] == 0
    assert partner.read_order(order_id)["team_order"]["status"] == "canceled"
    world.change_account("partner.no_funds", wallet_cents=100_000)
    again = partner.create_order(recipients=email_recipients(2))
    assert (again.status, again.json()["team_order"]["status"]) == (200, "canceled")
    assert (again.json()["totals"]["charged_cents"], again.json()["billing"]["payment_transaction_id"]) == (0, None)
    assert account_of(world, "partner.no_funds")["wallet_cents"] == 100_000


@shows("P-3.1", "P-7.22")
@pytest.mark.parametrize(("outcome", "status"), [("paid", "collecting_addresses"), ("failed", "unpaid")])
def test_an_order_is_unpaid_while_nobody_knows_of_its_charge(
    world: World, partner: PartnerClient, outcome: str, status: str
) -> None:
    order_id = order_with_unknown_charge(world, partner)
    assert partner.read_order(order_id)["team_order"]["status"] == "unpaid"
    assert error_code(partner.create_order(), 409) == "idempotency_outcome_unknown"
    assert account_of(world)["wallet_cents"] == 500_000
    world.simulate("outcome", team_order_id=order_id, outcome=outcome)
    assert partner.read_order(order_id)["team_order"]["status"] == status
    assert created(partner.create_order())["team_order"]["id"] == order_id
    assert account_of(world)["wallet_cents"] == 500_000 - ROW_CENTS


@shows("P-3.10")
def test_an_expired_link_that_is_sent_again_waits_again(world: World, partner: PartnerClient) -> None:
    order = order_with_statuses(world, partner, ["expired", "expired"])
    order_id = order["team_order"]["id"]
    world.simulate("claim_link", team_order_id=order_id, recipient=0, expiry_days=3)
    detail = partner.read_order(order_id)
    assert recipient_statuses(detail) == ["awaiting", "expired"]
    assert detail["recipients"][0]["claim"]["expires_at"] == instant_from_now(world, days=3)
    world.simulate("claim", team_order_id=order_id, recipient=1)
    assert recipient_statuses(partner.read_order(order_id)) == ["awaiting", "submitted"]
    assert partner.read_order(order_id)["team_order"]["summary"] == recount(partner.read_order(order_id))


@shows("P-2.24")
def test_open_seats_count_as_recipients(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(open_seats=2))
    assert order["team_order"]["recipient_count"] == 3
    assert order["team_order"]["summary"]["awaiting_address"] == 3
    world.simulate("claim", team_order_id=1001, recipient=2)
    cancel_rows(partner, order, [0, 1])
    detail = partner.read_order(1001)
    assert detail["team_order"]["summary"] == recount(detail)
    assert (detail["team_order"]["status"], recipient_statuses(detail)) == (
        "in_progress",
        ["canceled", "canceled", "submitted"],
    )


@shows("P-3.5", "P-3.10")
@pytest.mark.parametrize("verb", ["claim_link", "claim"])
@pytest.mark.parametrize(("back", "status"), [(False, "delivered"), (True, None)])
def test_an_order_that_is_delivered_stays_so_unless_it_may_go_back(
    world: World, partner: PartnerClient, verb: str, back: bool, status: str | None
) -> None:
    world.change_settings(**{"status.back_from_delivered": back})
    order = order_with_statuses(world, partner, ["delivered", "expired"])
    order_id = order["team_order"]["id"]
    assert order["team_order"]["status"] == "delivered"
    world.simulate(verb, team_order_id=order_id, recipient=1)
    now = partner.read_order(order_id)
    status = status or {"claim_link": "collecting_addresses", "claim": "in_progress"}[verb]
    assert (now["team_order"]["status"], listed(partner, status)) == (status, [order_id])
    assert recipient_statuses(now) == ["delivered", {"claim_link": "awaiting", "claim": "submitted"}[verb]]
    assert now["team_order"]["summary"] == recount(now)
    world.simulate("shipment", team_order_id=order_id, recipient=1, to="delivered")
    assert partner.read_order(order_id)["team_order"]["status"] == "delivered"
    assert [event["type"] for event in world.events()].count("team_order.delivered") == 2
