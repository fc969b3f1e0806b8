"""Orders paid on net terms as they are created: paid at once or not created; uncertain payments."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    cancel,
    create_order,
    event_types,
    order_body,
    reload,
    request_approval,
)
from tests.support.team.payments import balance_cents

ORDER = order_body(payment_method="net_terms")
TOTAL_CENTS = 2 * EACH_CENTS


def client_with_limits(team: TeamClients, **limits: int | None) -> TeamClient:
    """A client whose key has every scope and these pay limits."""
    pay_limits = {"per_request_cents": 10**6, "monthly_cents": 10**6, **limits}
    return team.key(*SCOPES, role="approver", pay_limits=pay_limits)


def outstanding_cents(team: TeamClients) -> int:
    """The outstanding credit in cents."""
    return int(team.live.get_json("/credit-terms")["outstanding_cents"])


def create_with_lost_response(client: TeamClient, key: str) -> None:
    """Create an order whose charge succeeds and whose response is lost."""
    with pytest.raises(ConnectionError):
        client.post("/team-orders", ORDER, Idempotency_Key=key, X_Sim_Fault="crash=after_charge")


@shows("T-1.7", "T-2.22")
def test_an_order_on_terms_is_paid_and_released_without_approval(team: TeamClients) -> None:
    order = client_with_limits(team).post_json("/team-orders", ORDER)
    assert (order["status"], order["payment_status"], order["payment_method"]) == ("approved", "paid", "net_terms")
    assert order["approval_id"] is None
    assert None not in (order["payment_id"], order["invoice_id"])
    assert outstanding_cents(team) == TOTAL_CENTS
    assert len(team.world.mail()) == 2
    assert event_types(team.world) == ["invoice.issued"]
    assert reload(team.live, order) == order


@shows("T-1.7", "T-1.4")
@pytest.mark.parametrize("limits", [{"per_request_cents": None}, {"monthly_cents": None}])
def test_a_key_without_both_limits_creates_no_order_on_terms(team: TeamClients, limits: dict[str, None]) -> None:
    expect_error(client_with_limits(team, **limits).post("/team-orders", ORDER), 422, "payment_not_permitted")
    assert (team.live.list_all("/team-orders"), outstanding_cents(team)) == ([], 0)


@shows("T-1.7")
@pytest.mark.parametrize("missing", ["orders:pay", "billing:write"])
def test_a_key_without_the_scopes_creates_no_order_on_terms(team: TeamClients, missing: str) -> None:
    client = team.key(*[scope for scope in SCOPES if scope != missing])
    expect_error(client.post("/team-orders", ORDER), 403, "insufficient_scope")
    expect_error(team.test.post("/team-orders", ORDER), 403, "insufficient_scope")
    assert (team.live.list_all("/team-orders"), outstanding_cents(team)) == ([], 0)
    assert create_order(client)["status"] == "awaiting_approval"


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"per_request_cents": TOTAL_CENTS - 1}, "spending_ceiling_exceeded"),
        ({"monthly_cents": TOTAL_CENTS - 1}, "monthly_cap_exceeded"),
    ],
)
def test_a_setting_refuses_or_holds_orders_above_a_limit(team: TeamClients, limits: dict[str, int], code: str) -> None:
    client = client_with_limits(team, **limits)
    with team.world.assert_unchanged():
        expect_error(client.post("/team-orders", ORDER), 422, code)
    team.world.change_settings(on_ceiling="hold")
    order = client.post_json("/team-orders", ORDER)
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "unpaid")
    assert outstanding_cents(team) == 0
    assert team.world.mail() == []
    assert expect_status(client_with_limits(team).post("/team-orders", ORDER), 201).json()["payment_status"] == "paid"


def test_an_order_without_credit_is_not_created_and_its_key_can_be_reused(team: TeamClients) -> None:
    team.world.simulate("team", credit={"credit_limit_cents": TOTAL_CENTS - 1})
    client = client_with_limits(team)
    with team.world.assert_unchanged():
        expect_error(client.post("/team-orders", ORDER, Idempotency_Key="k"), 422, "credit_unavailable")
    assert team.live.list_all("/team-orders") == []
    team.world.simulate("team", credit={"credit_limit_cents": TOTAL_CENTS})
    assert (
        expect_status(client.post("/team-orders", ORDER, Idempotency_Key="k"), 201).json()["payment_status"] == "paid"
    )
    assert len(team.live.list_all("/team-orders")) == 1


@shows("T-5.23")
def test_an_order_that_needs_a_signature_is_not_created_on_terms(team: TeamClients) -> None:
    client = client_with_limits(team)
    body = order_body(collection="branded-kit", payment_method="net_terms")
    expect_error(client.post("/team-orders", body), 422, "proof_not_signed")
    assert team.live.list_all("/team-orders") == []
    order = create_order(client, collection="branded-kit")
    assert {item["proof_status"] for item in order["items"]} == {"awaiting_version"}
    approve(team.world, order)
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"]) == ("approved", "unpaid")


@shows("T-4.208")
def test_a_repeated_create_on_terms_is_paid_once(team: TeamClients) -> None:
    client = client_with_limits(team)
    first = client.post("/team-orders", ORDER, Idempotency_Key="k")
    assert client.post("/team-orders", ORDER, Idempotency_Key="k").body == first.body
    assert outstanding_cents(team) == TOTAL_CENTS
    assert len(team.world.mail()) == 2


def test_a_crash_after_the_charge_leaves_the_order_uncertain_until_the_outcome_is_set(team: TeamClients) -> None:
    client = client_with_limits(team)
    create_with_lost_response(client, "k")
    (order,) = team.live.list_all("/team-orders")
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "uncertain")
    assert team.world.mail() == []
    waits = client.post("/team-orders", ORDER, Idempotency_Key="k")
    expect_error(waits, 409, "idempotency_in_progress")
    assert waits.headers["retry-after"] == "1"
    for path in ("cancel", "request-approval"):
        expect_error(client.post(f"/team-orders/{order['id']}/{path}", {}), 409, "invalid_state")
    team.world.simulate("payment", team_order_id=order["id"], outcome="settled")
    settled = expect_status(client.post("/team-orders", ORDER, Idempotency_Key="k"), 201)
    assert (settled.json()["id"], settled.json()["payment_status"]) == (order["id"], "paid")
    assert settled.json()["status"] == "approved"
    assert client.post("/team-orders", ORDER, Idempotency_Key="k").headers["idempotent-replayed"] == "true"
    assert (len(team.live.list_all("/team-orders")), outstanding_cents(team)) == (1, TOTAL_CENTS)
    assert len(team.world.mail()) == 2


def test_after_a_failed_charge_the_same_idempotency_key_pays_the_same_order(team: TeamClients) -> None:
    client = client_with_limits(team)
    create_with_lost_response(client, "k")
    (order,) = team.live.list_all("/team-orders")
    team.world.simulate("payment", team_order_id=order["id"], outcome="failed")
    assert reload(team.live, order)["payment_status"] == "unpaid"
    now = expect_status(client.post("/team-orders", ORDER, Idempotency_Key="k"), 201).json()
    assert (now["id"], now["payment_status"]) == (order["id"], "paid")
    assert now["payment_id"] != order["payment_id"]
    assert (len(team.live.list_all("/team-orders")), outstanding_cents(team)) == (1, TOTAL_CENTS)


def test_after_a_failed_charge_the_order_is_held(team: TeamClients) -> None:
    client = client_with_limits(team)
    create_with_lost_response(client, "k")
    (order,) = team.live.list_all("/team-orders")
    team.world.simulate("payment", team_order_id=order["id"], outcome="failed")
    assert request_approval(client, order)["status"] == "pending"
    approve(team.world, order)
    assert reload(team.live, order)["payment_status"] == "paid"
    assert expect_status(client.post("/team-orders", ORDER, Idempotency_Key="k"), 201).json()["id"] == order["id"]
    assert outstanding_cents(team) == 0
    assert len(team.world.mail()) == 2


def test_a_slow_payment_is_reserved_until_it_settles(team: TeamClients) -> None:
    team.world.change_settings(payments__settle_after="2h")
    order = client_with_limits(team).post_json("/team-orders", ORDER)
    assert (order["status"], order["payment_status"]) == ("awaiting_approval", "reserved")
    assert team.world.mail() == []
    team.world.advance("2h")
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"]) == ("approved", "paid")
    assert len(team.world.mail()) == 2


def test_canceling_an_order_releases_its_reservation(team: TeamClients) -> None:
    team.world.change_settings(payments__settle_after="2h")
    order = client_with_limits(team).post_json("/team-orders", ORDER)
    assert cancel(team.live, order)["payment_status"] == "unpaid"
    terms = team.live.get_json("/credit-terms")
    assert (terms["outstanding_cents"], terms["available_cents"]) == (0, terms["credit_limit_cents"])
    team.world.advance("3d")
    assert reload(team.live, order)["status"] == "canceled"


def test_canceling_an_order_restores_the_credit(team: TeamClients) -> None:
    order = client_with_limits(team).post_json("/team-orders", ORDER)
    assert cancel(team.live, order)["payment_status"] == "refunded"
    assert outstanding_cents(team) == 0


def test_a_refund_of_a_paid_invoice_is_credited_to_the_balance(team: TeamClients) -> None:
    client, before = client_with_limits(team), balance_cents(team.live)
    order = client.post_json("/team-orders", ORDER)
    team.world.simulate("invoice", invoice_id=order["invoice_id"])
    assert cancel(team.live, order)["payment_status"] == "refunded"
    terms = team.live.get_json("/credit-terms")
    assert (terms["outstanding_cents"], terms["available_cents"]) == (0, terms["credit_limit_cents"])
    assert balance_cents(team.live) == before + TOTAL_CENTS
    statement = team.live.get_json(f"/statements/{team.world.now[:7]}")
    assert [(row["kind"], row["amount_cents"]) for row in statement["entries"]][-1] == ("refund", TOTAL_CENTS)
    [shown] = team.world.call_control("GET", f"/orders/{order['id']}")["money"]["refunds"]
    assert max(row["cents"] for row in shown["postings"]) == TOTAL_CENTS
    client.post_json("/team-orders", ORDER)
    due = [invoice["amount_cents"] for invoice in team.live.list_all("/invoices") if invoice["status"] == "open"]
    assert (due, outstanding_cents(team)) == ([TOTAL_CENTS], TOTAL_CENTS)


def test_paying_an_order_replaces_its_pending_approval(team: TeamClients) -> None:
    client = client_with_limits(team)
    order = create_order(client)
    approval = request_approval(client, order)
    client.post_json("/funding", {"method": "net_terms", "campaign_id": order["id"]})
    reloaded = reload(team.live, order)
    assert (reloaded["status"], reloaded["payment_status"]) == ("approved", "paid")
    assert team.live.get_json(f"/approvals/{approval['id']}")["status"] == "superseded"


def statuses(team: TeamClients, record: Any) -> tuple[str, str]:
    """The present status and payment status of an order or gift."""
    reloaded = reload(team.live, record)
    return reloaded["status"], reloaded["payment_status"]


def test_an_order_with_a_changed_price_is_not_funded_until_repriced(team: TeamClients) -> None:
    client = client_with_limits(team)
    order = create_order(client)
    team.world.simulate("price", product="mug-01", price_cents=2000)
    funding = {"method": "net_terms", "campaign_id": order["id"]}
    expect_error(client.post("/funding", funding), 422, "price_changed")
    assert statuses(team, order) == ("awaiting_approval", "unpaid")
    request_approval(client, order)
    client.post_json("/funding", funding)
    assert statuses(team, order) == ("approved", "paid")
    assert outstanding_cents(team) == TOTAL_CENTS + 2 * 200
