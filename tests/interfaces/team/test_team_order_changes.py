"""Reading, updating and canceling team orders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.api_clients import UNKNOWN_ID
from tests.support.responses import expect_error, expect_status, invalid_fields
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    approve_and_reload,
    cancel,
    create_order,
    event_types,
    mailed_tokens,
    move_parcels,
    recipient_statuses,
    reject,
    reload,
    request_approval,
)
from tests.support.team.payments import balance_cents, fund, net_terms_order_body

APPROVER = "approver@example.com"


def claim_seat(team: TeamClients, token: str, name: str) -> Any:
    """Claim a seat through the shared link; the response."""
    return team.world.claim(token, name=name, email=f"{name.lower()}@example.com")


@pytest.mark.parametrize("seats", [1, 3])
def test_each_claim_of_the_shared_link_fills_a_seat_of_an_order_for_a_headcount(team: TeamClients, seats: int) -> None:
    order = create_order(team.live, headcount=seats, recipients=None)
    approve(team.world, order)
    (mail,) = team.world.mail()
    assert (mail["to"], mail["kind"]) == (APPROVER, "shared_claim_link")
    (token,) = mailed_tokens(team.world)
    for filled in range(seats):
        expect_status(claim_seat(team, token, f"Guest{filled}"), 200)
        assert [row["name"] for row in reload(team.live, order)["recipients"]] == [
            f"Guest{each}" for each in range(filled + 1)
        ]
    assert recipient_statuses(reload(team.live, order)) == ["submitted"] * seats
    assert claim_seat(team, token, "Late").status == 409
    team.world.advance(until="idle")
    assert reload(team.live, order)["status"] == "delivered"


def test_a_store_order_without_recipients_is_claimed_by_its_link(team: TeamClients) -> None:
    order = team.live.post_json("/store/orders", {"items": [{"merchant_product_id": 101}]})
    approve(team.world, order)
    (token,) = mailed_tokens(team.world)
    expect_status(claim_seat(team, token, "Bo"), 200)
    assert [row["name"] for row in reload(team.live, order)["recipients"]] == ["Bo"]


def test_the_link_is_mailed_to_the_user_who_approved(team: TeamClients) -> None:
    order = create_order(team.live, headcount=3)
    approval = team.world.simulate("approval", team_order_id=order["id"], decision="approve", user="owner")
    assert approval["decided_by"] == "owner"
    assert [(mail["to"], mail["kind"]) for mail in team.world.mail()] == [
        ("guest0@example.com", "claim_link"), ("guest1@example.com", "claim_link"),
        ("owner@example.com", "shared_claim_link"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("user", "status", "code"), [("member", 409, "invalid_state"), ("stranger", 404, "member_not_found")]
)
def test_only_an_approver_or_owner_of_the_team_can_be_the_one_who_approves(
    team: TeamClients, user: str, status: int, code: str
) -> None:
    order = create_order(team.live, recipients=None)
    before = team.world.fingerprint()
    body = {"team_order_id": order["id"], "decision": "approve", "user": user}
    expect_error(team.world.control.call("POST", f"/worlds/{team.world.id}/simulate/approval", body), status, code)
    assert (team.world.fingerprint(), reload(team.live, order)) == (before, order)


def test_an_order_paid_on_terms_has_its_link_mailed_to_the_team_s_approver(team: TeamClients) -> None:
    team.live.post_json("/team-orders", net_terms_order_body(2))
    fund(team.live, create_order(team.live, recipients=None))
    assert [(mail["to"], mail["kind"]) for mail in team.world.mail()] == [(APPROVER, "shared_claim_link")] * 2


def test_an_order_that_a_bank_pays_before_it_is_approved_has_its_link_mailed_with_the_approval(
    team: TeamClients,
) -> None:
    order = create_order(team.live, recipients=None)
    intent = fund(team.live, order, "us_bank_account")
    team.world.simulate("payment", payment_id=intent["payment_id"], outcome="settled")
    assert team.world.mail() == []
    approve(team.world, order)
    assert [(mail["to"], mail["kind"]) for mail in team.world.mail()] == [(APPROVER, "shared_claim_link")]


def test_no_answer_of_the_team_interface_holds_the_link(team: TeamClients) -> None:
    order = create_order(team.live, recipients=None)
    approve(team.world, order)
    (token,) = mailed_tokens(team.world)
    for path in (
        "/team-orders",
        f"/team-orders/{order['id']}",
        f"/team-orders/{order['id']}/manifest.csv",
        "/approvals",
    ):
        assert token not in team.live.get(path).text


@shows("T-1.16")
def test_a_test_order_s_link_is_not_mailed(team: TeamClients) -> None:
    order = create_order(team.test, recipients=None)
    approve(team.world, order)
    team.test.post_json("/sandbox/events", {"type": "team_order.shipped", "resource_id": order["id"]}, 200)
    assert team.world.mail() == []


def test_an_order_whose_recipients_all_have_names_has_no_shared_link(team: TeamClients) -> None:
    approve(team.world, create_order(team.live))
    assert [mail["kind"] for mail in team.world.mail()] == ["claim_link"] * 2


def patch_order(team: TeamClients, record: Any, **members: Any) -> Any:
    """Change an order, which must succeed; the order."""
    return expect_status(team.live.patch(f"/team-orders/{record['id']}", members), 200).json()


@shows("T-4.51", "T-4.53")
def test_orders_are_listed_newest_first_in_pages(team: TeamClients) -> None:
    order = [create_order(team.live, headcount=1, recipients=None) for _ in range(31)][::-1]
    assert team.live.get_json("/team-orders?limit=100") == {"data": order, "next_cursor": None}
    first = team.live.get_json("/team-orders")
    assert first["data"] == order[:25]
    assert team.live.get_json(f"/team-orders?cursor={first['next_cursor']}") == {
        "data": order[25:],
        "next_cursor": None,
    }
    for limit in (1, 2, 30, 31, 32):
        assert team.live.list_all("/team-orders", limit) == order
    for bad in ("0", "101", "-1", "abc", "1.5"):
        expect_error(team.live.get(f"/team-orders?limit={bad}"), 400, "invalid_parameter")


@shows("T-4.58", "T-1.14", "T-1.3")
def test_an_order_is_readable_only_by_its_team_and_mode(team: TeamClients) -> None:
    live, test = create_order(team.live), create_order(team.test)
    assert reload(team.requester, live) == live
    assert reload(team.test, test) == test
    for client, record in ((team.test, live), (team.other, live), (team.live, test), (team.test_second, test)):
        expect_error(client.get(f"/team-orders/{record['id']}"), 404, "not_found")
        assert record["id"] not in [row["id"] for row in client.list_all("/team-orders")]
    expect_error(team.live.get("/team-orders/20999999"), 404, "not_found")


@shows("T-4.60", "T-2.23")
def test_po_number_and_cost_center_can_be_changed_and_cleared(team: TeamClients) -> None:
    center = team.live.post_json("/cost-centers", {"code": "CC-1", "name": "People"})
    order = create_order(team.live, po_number="PO-1")
    changed = patch_order(team, order, po_number="PO-2", cost_center_id=center["id"])
    assert changed == {**order, "po_number": "PO-2", "cost_center_id": center["id"]} == reload(team.live, order)
    assert patch_order(team, order, po_number=None) == {**changed, "po_number": None}
    assert patch_order(team, order, cost_center_id=None)["cost_center_id"] is None
    assert patch_order(team, order) == {**order, "po_number": None}


@shows("T-2.23")
def test_no_other_member_of_an_order_can_be_changed(team: TeamClients) -> None:
    order = create_order(team.live)
    other_members = {
        "headcount": 9, "recipients": [], "collection": "desk-kit", "status": "approved", "gift_message": "x",
        "payment_method": "net_terms", "totals": {"total_cents": 0},
    }  # fmt: skip
    assert patch_order(team, order, **other_members) == order == reload(team.live, order)


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"po_number": 7}, "po_number"),
        ({"po_number": "x" * 201}, "po_number"),
        ({"cost_center_id": 41_999}, "cost_center_id"),
        ({"cost_center_id": UNKNOWN_ID}, "cost_center_id"),
        ({"cost_center_id": "CC-1"}, "cost_center_id"),
        ({"cost_center_id": True}, "cost_center_id"),
    ],
)
def test_an_invalid_change_is_refused_by_field(team: TeamClients, members: dict[str, Any], field: str) -> None:
    order = create_order(team.live)
    assert invalid_fields(team.live.patch(f"/team-orders/{order['id']}", members)) == [field]
    assert reload(team.live, order) == order


def test_a_cost_center_of_another_tenant_is_refused(team: TeamClients) -> None:
    own_center, other_center = (
        client.post_json("/cost-centers", {"code": "C", "name": "C"})["id"] for client in (team.test, team.other)
    )
    assert invalid_fields(
        team.live.patch(f"/team-orders/{create_order(team.live)['id']}", {"cost_center_id": other_center})
    )
    order = create_order(team.test)
    assert invalid_fields(team.test.patch(f"/team-orders/{order['id']}", {"cost_center_id": 41_001}))
    assert team.test.patch(f"/team-orders/{order['id']}", {"cost_center_id": own_center}).status == 200


def test_a_canceled_or_rejected_order_cannot_be_changed(team: TeamClients) -> None:
    canceled, rejected = create_order(team.live), create_order(team.live)
    cancel(team.live, canceled)
    reject(team.world, rejected)
    for record in (canceled, rejected):
        expect_error(team.live.patch(f"/team-orders/{record['id']}", {"po_number": "PO-3"}), 409, "invalid_state")
    delivered = create_order(team.live)
    approve(team.world, delivered)
    move_parcels(team.world, delivered, "delivered")
    assert patch_order(team, delivered, po_number="PO-3")["po_number"] == "PO-3"


@shows("T-4.62", "T-2.24")
def test_canceling_a_held_order_cancels_its_approval(team: TeamClients) -> None:
    order = create_order(team.live)
    approval = request_approval(team.live, order)
    canceled = cancel(team.live, order, reason="The event was called off")
    assert canceled == {
        **order, "status": "canceled", "cancel_reason": "The event was called off", "approval_id": approval["id"],
        "recipients": [{**row, "status": "canceled"} for row in order["recipients"]],
    }  # fmt: skip
    assert team.live.get_json(f"/approvals/{approval['id']}")["status"] == "canceled"
    for decision in ("approve", "reject"):
        body = {"approval_id": approval["id"], "decision": decision}
        response = team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body)
        expect_error(response, 409, "invalid_state")
    assert reload(team.live, order) == canceled
    assert event_types(team.world) == ["approval.requested"]


@shows("T-2.24")
def test_a_cancel_reason_is_optional_text(team: TeamClients) -> None:
    order = create_order(team.live)
    assert invalid_fields(team.live.post(f"/team-orders/{order['id']}/cancel", {"reason": 7})) == ["reason"]
    assert reload(team.live, order) == order
    assert expect_status(team.live.post(f"/team-orders/{order['id']}/cancel"), 200).json()["cancel_reason"] is None


def test_an_order_can_be_canceled_only_once(team: TeamClients) -> None:
    order = create_order(team.live)
    first = team.live.post(f"/team-orders/{order['id']}/cancel", {}, Idempotency_Key="k")
    assert team.live.post(f"/team-orders/{order['id']}/cancel", {}, Idempotency_Key="k").body == first.body
    expect_error(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 409, "invalid_state")


def test_canceling_a_paid_order_refunds_it_and_disables_its_links(team: TeamClients) -> None:
    before, order = balance_cents(team.live), create_order(team.live)
    assert approve_and_reload(team, order)["payment_status"] == "paid"
    assert balance_cents(team.live) == before - 2 * EACH_CENTS
    canceled = cancel(team.live, order)
    assert (canceled["status"], canceled["payment_status"], recipient_statuses(canceled)) == (
        "canceled",
        "refunded",
        ["canceled"] * 2,
    )
    assert canceled["totals"] == order["totals"]
    assert balance_cents(team.live) == before
    assert [team.world.claim(token).status for token in mailed_tokens(team.world)] == [410, 410]
    team.world.advance("60d")
    assert reload(team.live, order) == canceled


def test_an_order_in_production_and_beyond_cannot_be_canceled(team: TeamClients) -> None:
    for to, status in (("in_production", "in_production"), ("shipped", "shipped"), ("delivered", "delivered")):
        order = create_order(team.live)
        approve(team.world, order)
        move_parcels(team.world, order, to)
        expect_error(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 409, "invalid_state")
        assert (reload(team.live, order)["status"], reload(team.live, order)["payment_status"]) == (status, "paid")


def test_an_order_with_one_recipient_in_production_cannot_be_canceled(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    move_parcels(team.world, order, "in_production", recipient=1)
    assert reload(team.live, order)["status"] == "in_production"
    expect_error(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 409, "invalid_state")


def test_a_claimed_order_before_production_can_be_canceled(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    team.world.simulate("claim", team_order_id=order["id"], recipient=0)
    assert recipient_statuses(reload(team.live, order)) == ["submitted", "awaiting"]
    assert cancel(team.live, order)["payment_status"] == "refunded"


def test_an_order_whose_parcels_were_all_rejected_in_production_is_canceled_and_refunded(team: TeamClients) -> None:
    before, order = balance_cents(team.live), create_order(team.live)
    approve(team.world, order)
    move_parcels(team.world, order, "in_production")
    move_parcels(team.world, order, "rejected", recipient=0)
    expect_error(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 409, "invalid_state")
    move_parcels(team.world, order, "rejected", recipient=1)
    assert reload(team.live, order)["status"] == "in_production"
    canceled = cancel(team.live, order)
    assert (canceled["status"], canceled["payment_status"], recipient_statuses(canceled)) == (
        "canceled",
        "refunded",
        ["canceled"] * 2,
    )
    assert balance_cents(team.live) == before


def test_a_rejected_parcel_beside_one_that_was_sent_cannot_be_canceled(team: TeamClients) -> None:
    order = create_order(team.live)
    approve(team.world, order)
    move_parcels(team.world, order, "rejected", recipient=0)
    move_parcels(team.world, order, "shipped", recipient=1)
    expect_error(team.live.post(f"/team-orders/{order['id']}/cancel", {}), 409, "invalid_state")


def test_canceling_a_test_order_moves_no_money(team: TeamClients) -> None:
    order = create_order(team.test)
    canceled = cancel(team.test, order)
    assert (canceled["status"], canceled["payment_status"]) == ("canceled", "unpaid")
    expect_error(team.test.post(f"/team-orders/{order['id']}/cancel", {}), 409, "invalid_state")
