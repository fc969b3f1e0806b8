"""Approvals: requested by keys, decided only by humans; approving pays where it can."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, invalid_fields
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    approve_and_reload,
    cancel,
    create_gift,
    create_order,
    event_types,
    move_parcels,
    recipient_statuses,
    reference,
    reject,
    reload,
    request_approval,
)
from tests.support.team.payments import balance_cents


def decide(team: TeamClients, decision: str, **subject: Any) -> Any:
    """Decide an approval; the response, which may be an error."""
    body = {"decision": decision, **subject}
    return team.world.control.post(f"/worlds/{team.world.id}/simulate/approval", body)


@shows("T-4.65", "T-4.71", "T-6.9")
def test_a_request_creates_a_pending_approval(team: TeamClients) -> None:
    order = create_order(team.live)
    approval = request_approval(team.live, order, note="For the offsite")
    assert approval == {
        "id": approval["id"],
        "status": "pending",
        "resource_type": "team_order",
        "resource_id": order["id"],
        "amount_cents": 2 * EACH_CENTS,
        "currency": "USD",
        "note": "For the offsite",
        "decision_note": None,
        "decided_at": None,
        "expires_at": None,
        "livemode": True,
        "created_at": team.world.now,
    }
    assert team.live.get_json(f"/approvals/{approval['id']}") == approval
    assert team.live.list_all("/approvals") == [approval]
    assert reload(team.live, order) == {**order, "approval_id": approval["id"]}
    assert event_types(team.world) == ["approval.requested"]


def test_every_request_returns_the_pending_approval(team: TeamClients) -> None:
    order = create_order(team.live)
    first = request_approval(team.live, order, note="first")
    assert request_approval(team.requester, order, note="second") == first
    assert team.live.list_all("/approvals") == [first]
    assert event_types(team.world) == ["approval.requested"]


@shows("T-4.65")
@pytest.mark.parametrize("body", [[], "x", 7, None, {"note": 5}])
def test_a_request_needs_an_object_as_body(team: TeamClients, body: Any) -> None:
    order = create_order(team.live)
    response = team.live.post(f"/team-orders/{order['id']}/request-approval", body)
    assert response.status in (400, 422), response.text
    assert team.live.list_all("/approvals") == []


@shows("T-1.6")
def test_no_call_with_a_key_decides_an_approval(team: TeamClients) -> None:
    approval = request_approval(team.live, create_order(team.live))
    path = f"/approvals/{approval['id']}"
    limits = {"per_request_cents": 10**6, "monthly_cents": 10**6}
    for client in (team.live, team.key(*SCOPES, role="approver", pay_limits=limits)):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            for suffix in ("", "/approve", "/decide", "/reject"):
                response = client.call(method, path + suffix, {"decision": "approve", "status": "approved"})
                assert response.status in (404, 405), response.text
    assert team.live.get_json(path) == approval


@shows("T-1.4", "T-6.10")
def test_approving_pays_and_releases_the_order(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    team.world.advance("30d")
    assert reload(team.live, order) == order
    assert balance_cents(team.live) == before
    request_approval(team.live, order)
    team.world.advance("30d")
    assert reload(team.live, order)["status"] == "awaiting_approval"
    decided = approve(team.world, order, note="Have fun")
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"]) == ("approved", "paid")
    assert balance_cents(team.live) == before - 2 * EACH_CENTS
    approval_now = team.live.get_json(f"/approvals/{decided['id']}")
    assert (approval_now["status"], approval_now["decision_note"], approval_now["decided_at"]) == (
        "approved",
        "Have fun",
        team.world.now,
    )
    assert event_types(team.world) == ["approval.requested", "approval.decided"]
    assert [message["to"] for message in team.world.mail()] == ["guest0@example.com", "guest1@example.com"]


@shows("T-6.10")
def test_rejecting_ends_the_order(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    request_approval(team.live, order)
    assert reject(team.world, order)["status"] == "rejected"
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"], recipient_statuses(reloaded)) == (
        "rejected",
        "unpaid",
        ["canceled"] * 2,
    )
    team.world.advance("60d")
    assert reload(team.live, order) == reloaded
    assert balance_cents(team.live) == before
    assert team.world.mail() == []
    assert event_types(team.world) == ["approval.requested", "approval.decided"]


def test_a_decision_requests_the_approval_if_there_is_none(team: TeamClients) -> None:
    order = create_order(team.live)
    decided = approve(team.world, order)
    assert [row["id"] for row in team.live.list_all("/approvals")] == [decided["id"]]
    assert event_types(team.world) == ["approval.requested", "approval.decided"]


def test_a_decided_approval_cannot_be_decided_again(team: TeamClients) -> None:
    order = create_order(team.live)
    approval = approve(team.world, order)["id"]
    for decision in ("approve", "reject"):
        expect_error(decide(team, decision, approval_id=approval), 409, "invalid_state")
        expect_error(decide(team, decision, **reference(order)), 409, "invalid_state")
    expect_error(team.live.post(f"/team-orders/{order['id']}/request-approval", {}), 409, "invalid_state")
    assert event_types(team.world) == ["approval.requested", "approval.decided"]


@pytest.mark.parametrize("end", ["cancel", "reject", "deliver"])
def test_an_ended_order_cannot_be_approved(team: TeamClients, end: str) -> None:
    order = create_order(team.live)
    if end == "cancel":
        cancel(team.live, order)
    elif end == "reject":
        reject(team.world, order)
    else:
        approve(team.world, order)
        move_parcels(team.world, order, "delivered")
    expect_error(team.live.post(f"/team-orders/{order['id']}/request-approval", {}), 409, "invalid_state")


def test_an_approval_can_expire(team: TeamClients) -> None:
    team.world.change_settings(approvals__expire_days=3)
    order = create_order(team.live)
    approval = request_approval(team.live, order)
    assert approval["expires_at"] is not None
    team.world.advance(to=approval["expires_at"])
    assert team.live.get_json(f"/approvals/{approval['id']}")["status"] == "canceled"
    expect_error(decide(team, "approve", approval_id=approval["id"]), 409, "invalid_state")
    assert reload(team.live, order)["status"] == "awaiting_approval"
    assert event_types(team.world) == ["approval.requested", "approval.decided"]
    assert request_approval(team.live, order)["id"] != approval["id"]
    assert approve_and_reload(team, order)["status"] == "approved"
    team.world.advance("10d")
    assert team.live.list_all("/approvals")[0]["status"] == "approved"


@shows("T-4.68", "T-4.70")
def test_approvals_are_listed_newest_first_in_pages(team: TeamClients) -> None:
    order = [request_approval(team.live, create_order(team.live, headcount=1, recipients=None)) for _ in range(31)][
        ::-1
    ]
    assert team.live.get_json("/approvals?limit=100") == {"data": order, "next_cursor": None}
    first = team.live.get_json("/approvals")
    assert first["data"] == order[:25]
    assert team.live.get_json(f"/approvals?cursor={first['next_cursor']}") == {"data": order[25:], "next_cursor": None}
    for limit in (1, 30, 31, 32):
        assert team.live.list_all("/approvals", limit) == order
    for bad in ("0", "101", "-1", "abc"):
        expect_error(team.live.get(f"/approvals?limit={bad}"), 400, "invalid_parameter")


@shows("T-1.14", "T-1.3")
def test_approvals_belong_to_their_tenant(team: TeamClients) -> None:
    live, test = (
        request_approval(team.live, create_order(team.live)),
        request_approval(team.test, create_order(team.test)),
    )
    assert test["livemode"] is False
    assert [client.list_all("/approvals") for client in (team.live, team.test)] == [[live], [test]]
    assert [client.list_all("/approvals") for client in (team.other, team.test_second)] == [[], []]
    expect_error(team.other.get(f"/approvals/{live['id']}"), 404, "not_found")
    expect_error(team.live.get(f"/approvals/{test['id']}"), 404, "not_found")


@shows("T-1.17", "T-1.15")
def test_approving_a_test_order_moves_no_money_and_no_parcel(team: TeamClients) -> None:
    order, before = create_order(team.test), team.live.get_json("/billing/balance")
    approve(team.world, order)
    reloaded = reload(team.test, order)
    assert (reloaded["status"], reloaded["payment_status"]) == ("approved", "unpaid")
    team.world.advance("60d")
    assert reload(team.test, order) == reloaded
    assert (team.live.get_json("/billing/balance"), team.world.mail()) == (before, [])
    assert team.live.list_all("/invoices") == []


def test_a_decision_needs_exactly_one_existing_subject(team: TeamClients) -> None:
    order = create_order(team.live)
    expect_error(decide(team, "approve"), 400, "invalid_body")
    expect_error(decide(team, "approve", gift_id=1, **reference(order)), 400, "invalid_body")
    expect_error(decide(team, "approve", approval_id=1), 404, "approval_not_found")
    expect_error(decide(team, "approve", gift_id=1), 404, "gift_not_found")
    expect_error(decide(team, "approve", team_order_id=1001), 404, "team_order_not_found")
    expect_error(decide(team, "maybe", **reference(order)), 400, "invalid_body")
    assert invalid_fields(team.live.post("/gifts", {})) == ["recipients", "gift"]


def test_the_control_api_lists_the_approvals_of_all_tenants(team: TeamClients) -> None:
    request_approval(team.live, create_order(team.live), note="yours")
    request_approval(team.test, create_order(team.test))
    request_approval(team.other, create_order(team.other))
    rows = team.world.call_control("GET", "/approvals")["approvals"]
    assert [row["livemode"] for row in rows] == [True, False, True]
    assert [row["note"] for row in rows] == ["yours", None, None]
    assert len({row["team_id"] for row in rows}) == 2
    assert team.world.call_control("GET", "/approvals?after=1&limit=1")["approvals"] == rows[1:2]


def make_unable_to_pay(team: TeamClients) -> None:
    """Set balance and credit limit to zero."""
    team.world.simulate("team", balance_cents=0, credit={"credit_limit_cents": 0})


def test_approving_pays_on_terms_if_the_balance_is_too_low(team: TeamClients) -> None:
    team.world.simulate("team", balance_cents=EACH_CENTS)
    approved = approve_and_reload(team, create_order(team.live))
    assert (approved["status"], approved["payment_status"]) == ("approved", "paid")
    assert approved["invoice_id"] is not None
    assert balance_cents(team.live) == EACH_CENTS


def test_approving_without_funds_leaves_the_order_approved_and_unpaid(team: TeamClients) -> None:
    make_unable_to_pay(team)
    order = create_order(team.live)
    approved = approve_and_reload(team, order)
    assert (approved["status"], approved["payment_status"]) == ("approved", "unpaid")
    assert team.world.mail() == []
    team.world.advance("60d")
    assert reload(team.live, order) == approved
    team.world.simulate("team", balance_cents=2 * EACH_CENTS)
    again_asked = request_approval(team.live, order)
    assert (again_asked["status"], reload(team.live, order)["status"]) == ("pending", "awaiting_approval")
    assert approve_and_reload(team, order)["payment_status"] == "paid"
    assert balance_cents(team.live) == 0
    assert len(team.world.mail()) == 2


def test_a_setting_keeps_approvals_from_paying(team: TeamClients) -> None:
    team.world.change_settings(approvals__pay_on_approve=False)
    before, order = balance_cents(team.live), create_order(team.live)
    approved = approve_and_reload(team, order)
    assert (approved["status"], approved["payment_status"]) == ("approved", "unpaid")
    assert (balance_cents(team.live), team.world.mail()) == (before, [])
    sent = approve_and_reload(team, create_gift(team.live))
    assert (sent["status"], sent["payment_status"]) == ("sent", "unpaid")
    assert balance_cents(team.live) == before
    assert len(team.world.mail()) == 1


def test_a_price_that_changes_back_needs_no_new_approval(team: TeamClients) -> None:
    order = create_order(team.live)
    first = request_approval(team.live, order)
    team.world.simulate("price", product="pen-01", price_cents=1000)
    team.world.simulate("price", product="pen-01", price_cents=600)
    assert request_approval(team.live, order) == first
