"""Canceling recipients, and their refunds."""

from __future__ import annotations

import pytest

from giftsim.services.gifting.domain.fulfilment.cancellation import Cancellation, cancel_recipients
from giftsim.services.gifting.domain.fulfilment.fulfilment import PartnerOrder, recipient_counts
from giftsim.services.gifting.domain.fulfilment.order_errors import NothingToCancel, RecipientNotFound
from giftsim.services.gifting.domain.fulfilment.shipment_progress import progress_to
from tests.support.domain.partner_orders import RENO, PartnerDomain, address_order_body, email_order_body


def cancel_places(partner: PartnerDomain, order: PartnerOrder, *places: int) -> Cancellation:
    """Cancel the recipients at these places, or all."""
    ids = [partner.rows(order)[place][0].id for place in places]
    with partner.state.transaction():
        return cancel_recipients(partner.state, order, ids or None, "called off")


def test_refunds_use_the_wallet_part_of_the_whole_order_first() -> None:
    partner = PartnerDomain(wallet_cents=2400)
    order = partner.buy(email_order_body("Bo", "Cy", "Di"))
    assert (order.wallet_cents, order.card_cents) == (2400, 3000)
    parts = [
        (row.wallet_cents, row.card_cents)
        for place in (0, 2, 1)
        for row in cancel_places(partner, order, place).canceled
    ]
    assert parts == [(1800, 0), (600, 1200), (0, 1800)]
    assert (partner.account.cash_cents, partner.wallet_by_ledger(), partner.card_by_ledger()) == (2400, 2400, 0)
    assert partner.order(order).status == "canceled"


def test_refunds_of_uneven_shares_add_up_to_the_charge() -> None:
    partner = PartnerDomain(wallet_cents=1000)
    order = partner.buy(email_order_body("Bo", "Cy", "Di", event={"date": "2027-02-01", "rush": True}))
    refunded = [cancel_places(partner, order, place).refunded_cents for place in (1, 0, 2)]
    assert sum(refunded) == order.charged_cents == 3 * 1800 + 2500
    assert max(refunded) - min(refunded) == 1
    assert (partner.account.cash_cents, partner.card_by_ledger()) == (1000, 0)


def test_a_refund_on_net_terms_reduces_the_amount_owed() -> None:
    partner = PartnerDomain(wallet_cents=0, billing_mode="net_terms", credit_limit_cents=5400)
    order = partner.buy(email_order_body("Bo", "Cy", "Di"))
    cancel_places(partner, order, 1)
    assert partner.account.cash_cents == -3600
    partner.buy(email_order_body())


def test_an_unpaid_order_is_canceled_without_a_refund() -> None:
    partner = PartnerDomain(wallet_cents=100, card="none")
    order = partner.place(email_order_body("Bo", "Cy"))
    partner.charge(order)
    result = cancel_places(partner, order)
    assert [(row.was_paid, row.wallet_cents, row.card_cents) for row in result.canceled] == [(False, 0, 0)] * 2
    assert (result.order.status, result.order.total_cents, partner.account.cash_cents) == ("canceled", 0, 100)


def test_recipients_in_production_or_later_are_skipped_with_a_reason_and_still_progress() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body(*[RENO] * 6))
    for place, target in enumerate(("in_production", "labeled", "shipped", "delivered")):
        with partner.state.transaction():
            progress_to(partner.state, partner.rows(order)[place][1], target)
    cancel_places(partner, order, 5)
    result = cancel_places(partner, order)
    assert [row.recipient.place for row in result.canceled] == [4]
    assert [(row.recipient.place, row.reason) for row in result.skipped] == [
        (0, "already_in_production"),
        (1, "already_labeled"),
        (2, "already_shipped"),
        (3, "already_delivered"),
    ]
    assert [recipient.place for recipient, _ in result.already_canceled] == [5]
    assert result.refunded_cents == 1800
    partner.advance("10d")
    assert partner.statuses(order) == ["delivered"] * 4 + ["canceled"] * 2
    assert partner.rows(order)[4][0].cancel_reason == "called off"


def test_rejected_expired_and_early_delayed_shipments_can_be_canceled() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", "Cy", "Di", "Ed"))
    for place, steps in enumerate((["delayed"], ["in_production", "delayed"], ["labeled", "rejected"])):
        for target in steps:
            with partner.state.transaction():
                progress_to(partner.state, partner.rows(order)[place][1], target)
    partner.advance("30d")
    result = cancel_places(partner, order)
    assert [row.recipient.place for row in result.canceled] == [0, 2, 3]
    assert [(row.recipient.place, row.reason) for row in result.skipped] == [(1, "delayed_in_production")]
    assert recipient_counts(partner.order(order))["canceled"] == 3


def test_nothing_to_cancel_changes_nothing() -> None:
    partner = PartnerDomain()
    order = partner.buy(address_order_body())
    partner.advance("3d")
    before = partner.order(order)
    with pytest.raises(NothingToCancel):
        cancel_places(partner, order)
    assert partner.order(order) == before
    other = partner.buy(address_order_body())
    cancel_places(partner, other)
    with pytest.raises(NothingToCancel):
        cancel_places(partner, other)


def test_an_unknown_recipient_id_cancels_nobody() -> None:
    partner = PartnerDomain()
    first, second = partner.buy(email_order_body("Bo")), partner.buy(email_order_body("Cy"))
    foreign = partner.rows(second)[0][0].id
    with pytest.raises(RecipientNotFound), partner.state.transaction():
        cancel_recipients(partner.state, first, [partner.rows(first)[0][0].id, foreign])
    assert partner.statuses(first) == ["awaiting"]


def test_a_repeated_recipient_id_counts_once() -> None:
    partner = PartnerDomain()
    order = partner.buy(email_order_body("Bo", "Cy"))
    result = cancel_places(partner, order, 1, 1)
    assert (len(result.canceled), result.refunded_cents) == (1, 1800)
