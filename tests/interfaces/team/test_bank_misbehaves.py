"""Bank money that returns, or comes late, twice, as another amount or without a reference (G435 to G440)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interfaces.team.test_money_events import received_bodies, subscribe_to_balance
from tests.support.responses import expect_error, status_and_code
from tests.support.team.clients import TeamClients
from tests.support.team.orders import (
    EACH_CENTS,
    approve,
    cancel,
    claim,
    create_order,
    move_parcels,
    reject,
    reload,
    request_approval,
)
from tests.support.team.payments import balance_cents, fund, net_terms_order_body, request_funding

TOTAL_CENTS = 2 * EACH_CENTS


def bank(team: TeamClients, event: str, **body: Any) -> Any:
    """What a bank does, which must succeed."""
    return team.world.simulate("bank", event=event, **body)


def refused(team: TeamClients, event: str, **body: Any) -> tuple[int, str, str]:
    """The status, code and message with which the verb refuses; the world stays as it was."""
    before = team.world.call_control("GET", "/fingerprint")
    answer = team.world.client.call(
        "POST", f"/_sim/v1/worlds/{team.world.id}/simulate/bank", body={"event": event, **body}
    )
    assert team.world.call_control("GET", "/fingerprint") == before
    error = answer.json()["error"]
    return answer.status, error["code"], error["message"]


def paid_by_ach(team: TeamClients) -> Any:
    """An order that an ACH payment has paid, and the payment's id."""
    order = create_order(team.live)
    payment = fund(team.live, order, "us_bank_account")["payment_id"]
    team.world.simulate("payment", payment_id=payment, outcome="settled")
    return order, payment


def statuses(team: TeamClients, order: Any) -> tuple[str, str]:
    """The status and the payment status of an order."""
    reloaded = reload(team.live, order)
    return reloaded["status"], reloaded["payment_status"]


def entries(team: TeamClients) -> list[tuple[str, int, int]]:
    """The entries of this month's statement since the team's first, as kind, amount and balance."""
    rows = team.live.get_json(f"/statements/{team.world.now[:7]}")["entries"]
    return [(row["kind"], row["amount_cents"], row["balance_cents"]) for row in rows]


def last_entry(team: TeamClients) -> Any:
    """The last entry of this month's statement."""
    return team.live.get_json(f"/statements/{team.world.now[:7]}")["entries"][-1]


# Returned


def test_an_ach_payment_that_returns_leaves_its_order_unpaid(team: TeamClients) -> None:
    order, payment = paid_by_ach(team)
    before = balance_cents(team.live)
    approval = request_approval(team.live, order)
    answer = bank(team, "returned", payment_id=payment)
    assert (answer["payment"]["status"], answer["to_balance_cents"], answer["receipt_id"]) == ("failed", 0, None)
    assert statuses(team, order) == ("awaiting_approval", "unpaid")
    unpaid = reload(team.live, order)
    assert [unpaid[name] for name in ("payment_id", "payment_method", "receipt_id")] == [None, None, None]
    assert balance_cents(team.live) == before
    team.world.simulate("approval", approval_id=approval["id"], decision="approve")  # the balance pays
    assert (statuses(team, order), balance_cents(team.live)) == (("approved", "paid"), before - TOTAL_CENTS)


def test_what_has_shipped_stays_shipped_and_is_paid_again_without_starting_again(team: TeamClients) -> None:
    order, _ = paid_by_ach(team)
    approve(team.world, order)
    for place in (0, 1):
        claim(team.world, order, place)
    move_parcels(team.world, order, "shipped", recipient=0)
    mails = len(team.world.mail())
    bank(team, "returned", team_order_id=order["id"])
    assert statuses(team, order) == ("shipped", "unpaid")
    expect_error(team.live.post(f"/team-orders/{order['id']}/request-approval", {}), 409, "invalid_state")
    team.world.simulate("price", product="pen-01", price_cents=5000)
    funding = fund(team.live, order, "bank_transfer")
    assert funding["amount_cents"] == TOTAL_CENTS
    team.world.simulate("invoice", invoice_id=funding["invoice_id"])
    assert (statuses(team, order), len(team.world.mail())) == (("shipped", "paid"), mails)
    team.world.advance("30d")
    assert statuses(team, order) == ("delivered", "paid")


def test_an_approved_order_goes_on_and_can_still_be_canceled(team: TeamClients) -> None:
    order, _ = paid_by_ach(team)
    approve(team.world, order)
    before = balance_cents(team.live)
    bank(team, "returned", team_order_id=order["id"])
    assert statuses(team, order) == ("approved", "unpaid")
    claim(team.world, order)
    canceled = cancel(team.live, order)
    assert (canceled["status"], canceled["payment_status"]) == ("canceled", "unpaid")
    assert balance_cents(team.live) == before


@pytest.mark.parametrize("end", ["canceled", "rejected"])
def test_what_a_canceled_order_put_on_the_balance_is_taken_from_it_even_below_zero(team: TeamClients, end: str) -> None:
    order, payment = paid_by_ach(team)
    cancel(team.live, order) if end == "canceled" else reject(team.world, order)
    team.world.simulate("team", balance_cents=1000)
    subscribe_to_balance(team.live, 500)
    answer = bank(team, "returned", payment_id=payment)
    assert (answer["balance_cents"], answer["to_balance_cents"]) == (1000 - TOTAL_CENTS, -TOTAL_CENTS)
    assert statuses(team, order) == (end, "unpaid")
    balance = team.live.get_json("/billing/balance")
    assert (balance["balance_cents"], balance["available_cents"]) == (1000 - TOTAL_CENTS, 1000 - TOTAL_CENTS)
    assert (last_entry(team)["kind"], last_entry(team)["amount_cents"]) == ("adjustment", -TOTAL_CENTS)
    assert len(received_bodies(team.world, "balance.low")) == 1
    team.world.simulate("team", add_cents=100)  # still below 0
    assert balance_cents(team.live) == 1100 - TOTAL_CENTS


def test_a_deposit_that_returns_takes_its_order_and_its_rest_with_it(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    body = {"amount_cents": TOTAL_CENTS + 700, "campaign_id": order["id"]}
    invoice = team.live.post_json("/deposit-invoices", body)["id"]
    team.world.simulate("invoice", invoice_id=invoice)
    assert (statuses(team, order)[1], balance_cents(team.live)) == ("paid", before + 700)
    payment = reload(team.live, order)["payment_id"]
    answer = bank(team, "returned", payment_id=payment)
    assert (answer["payment"]["status"], answer["to_balance_cents"]) == ("failed", -700)
    assert (statuses(team, order)[1], balance_cents(team.live)) == ("unpaid", before)
    [listed] = [row for row in team.live.list_all("/invoices") if row["id"] == invoice]
    assert [listed[name] for name in ("status", "paid_at", "receipt_id")] == ["open", None, None]
    team.world.simulate("invoice", invoice_id=invoice)
    assert (statuses(team, order)[1], balance_cents(team.live)) == ("paid", before + 700)
    cancel(team.live, order)
    assert bank(team, "returned", invoice_id=invoice)["invoice"]["status"] == "void"
    assert (statuses(team, order), balance_cents(team.live)) == (("canceled", "unpaid"), before)


def test_a_purchase_on_terms_is_owed_again_when_the_money_for_its_invoice_returns(team: TeamClients) -> None:
    order = team.live.post_json("/team-orders", net_terms_order_body())
    owed = team.live.get_json("/credit-terms")["outstanding_cents"]
    team.world.simulate("invoice", invoice_id=order["invoice_id"])
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == owed - EACH_CENTS
    answer = bank(team, "returned", team_order_id=order["id"])
    assert (answer["invoice"]["status"], answer["to_balance_cents"]) == ("open", 0)
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == owed
    reloaded = reload(team.live, order)
    assert [reloaded[name] for name in ("payment_status", "invoice_id", "receipt_id")] == [
        "paid", order["invoice_id"], None,
    ]  # fmt: skip
    team.world.simulate("invoice", invoice_id=order["invoice_id"])
    assert len(received_bodies_of_all(team, "invoice.paid")) == 2


def received_bodies_of_all(team: TeamClients, kind: str) -> list[Any]:
    """The events of a kind, sent or not."""
    return [event for event in team.world.events() if event["type"] == kind]


def test_with_the_setting_the_balance_pays_for_what_returns(team: TeamClients) -> None:
    team.world.change_settings(bank__returns_take_balance=True)
    order, payment = paid_by_ach(team)
    approve(team.world, order)
    before = balance_cents(team.live)
    assert bank(team, "returned", payment_id=payment)["to_balance_cents"] == -TOTAL_CENTS
    assert (statuses(team, order), balance_cents(team.live)) == (("approved", "paid"), before - TOTAL_CENTS)
    assert last_entry(team)["resource_id"] == order["id"]
    assert refused(team, "returned", payment_id=payment)[:2] == (409, "invalid_state")
    cancel(team.live, order)
    assert (statuses(team, order), balance_cents(team.live)) == (("canceled", "refunded"), before)


def test_a_sandbox_has_the_same_statuses_and_no_money(team: TeamClients) -> None:
    order = create_order(team.test)
    funding = fund(team.test, order, "bank_transfer")
    before = team.test.get_json("/billing/balance")
    bank(team, "overpaid", invoice_id=funding["invoice_id"], amount_cents=TOTAL_CENTS + 1)
    assert reload(team.test, order)["payment_status"] == "paid"
    bank(team, "returned", invoice_id=funding["invoice_id"])
    assert (reload(team.test, order)["payment_status"], team.test.get_json("/billing/balance")) == ("unpaid", before)
    assert [row["status"] for row in team.test.list_all("/invoices")] == ["open"]


# Other amounts, late, twice, without a reference


def deposit(team: TeamClients, cents: int = 5000, **body: Any) -> Any:
    """A deposit invoice."""
    return team.live.post_json("/deposit-invoices", {"amount_cents": cents, **body})["id"]


def invoice_status(team: TeamClients, invoice: Any) -> str:
    """The status of an invoice."""
    return next(str(row["status"]) for row in team.live.list_all("/invoices") if row["id"] == invoice)


def test_less_than_invoiced_pays_nothing_and_is_on_the_balance(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    invoice = deposit(team, TOTAL_CENTS, campaign_id=order["id"])
    bank(team, "underpaid", invoice_id=invoice, amount_cents=TOTAL_CENTS - 1)
    answer = bank(team, "underpaid", invoice_id=invoice, amount_cents=1)
    assert (answer["to_balance_cents"], answer["invoice"]["status"]) == (1, "open")
    assert (statuses(team, order)[1], invoice_status(team, invoice)) == ("unpaid", "open")
    assert balance_cents(team.live) == before + TOTAL_CENTS
    entry = last_entry(team)
    assert [entry[name] for name in ("kind", "invoice_id", "receipt_id")] == ["deposit", None, answer["receipt_id"]]
    assert team.live.get(f"/receipts/{answer['receipt_id']}.pdf").status == 200
    assert [event["type"] for event in team.world.events()] == ["invoice.issued"]


def test_more_than_invoiced_pays_and_the_rest_is_on_the_balance(team: TeamClients) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    invoice = fund(team.live, order, "bank_transfer")["invoice_id"]
    answer = bank(team, "overpaid", invoice_id=invoice, amount_cents=TOTAL_CENTS + 77)
    assert (answer["to_balance_cents"], answer["invoice"]["status"], statuses(team, order)[1]) == (77, "paid", "paid")
    assert balance_cents(team.live) == before + 77
    assert answer["invoice"]["receipt_id"] != answer["receipt_id"]


def test_what_comes_twice_pays_once(team: TeamClients) -> None:
    order = team.live.post_json("/team-orders", net_terms_order_body())
    before, owed = balance_cents(team.live), team.live.get_json("/credit-terms")["outstanding_cents"]
    assert bank(team, "paid_twice", team_order_id=order["id"])["to_balance_cents"] == EACH_CENTS
    assert bank(team, "paid_twice", invoice_id=order["invoice_id"])["to_balance_cents"] == EACH_CENTS
    assert balance_cents(team.live) == before + 2 * EACH_CENTS
    assert team.live.get_json("/credit-terms")["outstanding_cents"] == owed - EACH_CENTS
    assert len(received_bodies_of_all(team, "invoice.paid")) == 1


@pytest.mark.parametrize("method", ["bank_transfer", "us_bank_account"])
def test_money_after_a_cancel_is_on_the_balance(team: TeamClients, method: str) -> None:
    order, before = create_order(team.live), balance_cents(team.live)
    funding = fund(team.live, order, method)
    cancel(team.live, order)
    answer = bank(team, "late", team_order_id=order["id"])
    assert answer["to_balance_cents"] == TOTAL_CENTS
    assert (statuses(team, order), balance_cents(team.live)) == (("canceled", "unpaid"), before + TOTAL_CENTS)
    if method == "bank_transfer":
        assert invoice_status(team, funding["invoice_id"]) == "void"
    else:
        assert answer["payment"]["status"] == "failed"
    assert received_bodies_of_all(team, "invoice.paid") == []


def test_money_without_a_reference_pays_no_invoice_unless_the_setting_looks_for_one(team: TeamClients) -> None:
    before, invoice = balance_cents(team.live), deposit(team)
    assert bank(team, "unreferenced", amount_cents=5000)["invoice"] is None
    assert (balance_cents(team.live), invoice_status(team, invoice)) == (before + 5000, "open")
    assert [last_entry(team)[name] for name in ("kind", "resource_id", "invoice_id")] == ["deposit", None, None]
    team.world.change_settings(bank__matches_amount=True)
    assert bank(team, "unreferenced", amount_cents=4999)["invoice"] is None
    assert bank(team, "unreferenced", amount_cents=5000, team_id=team.live.get_json("/team")["id"])["invoice"] == (
        team.world.call_control("GET", f"/invoices/{invoice}")
    )
    assert invoice_status(team, invoice) == "paid"


def test_with_the_setting_money_that_pays_nothing_is_sent_back(team: TeamClients) -> None:
    team.world.change_settings(bank__unapplied="returned")
    before, invoice = balance_cents(team.live), deposit(team)
    for event, body in (("underpaid", {"invoice_id": invoice}), ("unreferenced", {})):
        answer = bank(team, event, amount_cents=10, **body)
        assert (answer["to_balance_cents"], answer["receipt_id"]) == (0, None)
    assert balance_cents(team.live) == before
    bank(team, "overpaid", invoice_id=invoice, amount_cents=6000)
    assert balance_cents(team.live) == before + 5000


def test_below_zero_nothing_is_paid_from_the_balance(team: TeamClients) -> None:
    team.world.simulate("team", balance_cents=100, credit={"credit_limit_cents": 0})
    invoice = deposit(team)
    team.world.simulate("invoice", invoice_id=invoice)
    team.world.simulate("team", balance_cents=0)
    bank(team, "returned", invoice_id=invoice)
    assert balance_cents(team.live) == -5000
    order = create_order(team.live)
    approve(team.world, order)
    assert statuses(team, order) == ("approved", "unpaid")
    bank(team, "unreferenced", amount_cents=5000)
    assert (balance_cents(team.live), entries(team)[-1]) == (0, ("deposit", 5000, 0))


# Refusals


def test_the_verb_refuses_what_does_not_fit_and_names_it(team: TeamClients) -> None:
    order, payment = paid_by_ach(team)
    invoice = deposit(team)
    bought = team.live.post_json("/team-orders", net_terms_order_body())
    cases = [
        ({"event": "returned"}, 400, "payment_id, invoice_id"),
        ({"event": "returned", "payment_id": payment, "amount_cents": 5}, 400, "leave out amount_cents"),
        ({"event": "underpaid", "invoice_id": invoice}, 400, "amount_cents is missing"),
        ({"event": "overpaid", "payment_id": payment, "amount_cents": 5}, 400, "name an invoice"),
        ({"event": "unreferenced", "invoice_id": invoice, "amount_cents": 5}, 400, "leave out invoice_id"),
        ({"event": "underpaid", "invoice_id": invoice, "amount_cents": 5000}, 409, "not less than the 5000"),
        ({"event": "overpaid", "invoice_id": invoice, "amount_cents": 5000}, 409, "not more than the 5000"),
        ({"event": "late", "invoice_id": invoice}, 409, "the verb invoice pays it"),
        ({"event": "returned", "invoice_id": invoice}, 409, "is open"),
        ({"event": "returned", "payment_id": bought["payment_id"]}, 409, "by its paid invoice"),
        ({"event": "late", "payment_id": payment}, 409, "ACH intent that has failed"),
        ({"event": "late", "team_order_id": order["id"]}, 409, "no bank payment that has failed"),
        ({"event": "returned", "invoice_id": 1}, 404, "no team has an invoice"),
        ({"event": "returned", "team_order_id": 999}, 404, "999"),
        ({"event": "returned", "gift_id": 999}, 404, "999"),
        ({"event": "unreferenced", "team_id": "nobody", "amount_cents": 5}, 404, "nobody"),
    ]
    for body, status, words in cases:
        answer = refused(team, **body)
        assert (answer[0], words in answer[2]) == (status, True), (body, answer)
    bank(team, "returned", payment_id=payment)
    assert refused(team, "returned", payment_id=payment)[0] == 409


def test_a_partners_order_has_no_bank(team: TeamClients) -> None:
    order = team.world.partner().create_order().json()["team_order"]["id"]
    status, code, message = refused(team, "returned", team_order_id=order)
    assert (status, code, "wallet and card" in message) == (409, "invalid_state", True)


def test_an_order_on_terms_cannot_be_funded_while_it_is_paid(team: TeamClients) -> None:
    order, _ = paid_by_ach(team)
    assert status_and_code(request_funding(team.live, order)) == (409, "invalid_state")
    bank(team, "returned", team_order_id=order["id"])
    assert fund(team.live, order)["status"] == "succeeded"
    assert statuses(team, order) == ("approved", "paid")


def test_what_happened_tells_of_the_return_and_what_comes_does_not_wait_for_money(team: TeamClients) -> None:
    order, payment = paid_by_ach(team)
    approve(team.world, order)
    claim(team.world, order)
    team.world.advance("1h")
    bank(team, "returned", payment_id=payment)
    read = team.world.call_control("GET", f"/orders/{order['id']}")
    steps = [(row["status"], row["at"]) for row in read["timeline"] if row["subject"]["kind"] == "payment"]
    assert steps[-2:] == [("settled", order["created_at"]), ("returned", team.world.now)]
    journey = team.world.call_control("GET", f"/journey?about=order:{order['id']}")
    assert "took $92 back" in str(journey) or "took $92.00 back" in str(journey)
    assert "pays for it" not in str(journey["ahead"])


def test_a_refund_that_is_pending_ends_with_the_payment_that_returns(team: TeamClients) -> None:
    team.world.change_settings(refunds__settle_after="3d")
    order, payment = paid_by_ach(team)
    before = balance_cents(team.live)
    assert cancel(team.live, order)["payment_status"] == "paid"
    assert bank(team, "returned", payment_id=payment)["to_balance_cents"] == 0
    assert statuses(team, order) == ("canceled", "unpaid")
    team.world.advance("5d")
    assert balance_cents(team.live) == before
    answer = team.world.client.call(
        "POST",
        f"/_sim/v1/worlds/{team.world.id}/simulate/refund",
        body={"team_order_id": order["id"], "outcome": "done"},
    )
    assert answer.status == 409
