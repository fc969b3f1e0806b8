"""Canceling recipients, and the money that goes back."""

from __future__ import annotations

import pytest

from giftsim.domain.fulfilment.cancellation import Cancellation, cancel_recipients
from giftsim.domain.fulfilment.fulfilment import Fulfilment, recipient_counts
from giftsim.domain.fulfilment.problem import NothingToCancel, RecipientNotFound
from giftsim.domain.fulfilment.shipment_progress import progress_to
from tests.support.domain.partner_orders import RENO, PartnerDomain, address_order_body, email_order_body


def undo(stage: PartnerDomain, order: Fulfilment, *places: int) -> Cancellation:
    """Cancel the rows at those places, or all."""
    ids = [stage.rows(order)[place][0].id for place in places]
    with stage.state.transaction():
        return cancel_recipients(stage.state, order, ids or None, "called off")


def test_refunds_use_the_wallet_part_of_the_whole_order_first() -> None:
    stage = PartnerDomain(wallet_cents=2400)
    order = stage.buy(email_order_body("Bo", "Cy", "Di"))
    assert (order.wallet_cents, order.card_cents) == (2400, 3000)
    parts = [(row.wallet_cents, row.card_cents) for place in (0, 2, 1) for row in undo(stage, order, place).canceled]
    assert parts == [(1800, 0), (600, 1200), (0, 1800)]
    assert (stage.account.cash_cents, stage.wallet_by_ledger(), stage.card_by_ledger()) == (2400, 2400, 0)
    assert stage.order(order).status == "canceled"


def test_refunds_of_uneven_shares_add_up_to_the_charge() -> None:
    stage = PartnerDomain(wallet_cents=1000)
    order = stage.buy(email_order_body("Bo", "Cy", "Di", event={"date": "2027-02-01", "rush": True}))
    refunded = [undo(stage, order, place).refunded_cents for place in (1, 0, 2)]
    assert sum(refunded) == order.charged_cents == 3 * 1800 + 2500
    assert max(refunded) - min(refunded) == 1
    assert (stage.account.cash_cents, stage.card_by_ledger()) == (1000, 0)


def test_a_refund_on_net_terms_reduces_the_amount_owed() -> None:
    stage = PartnerDomain(wallet_cents=0, billing_mode="net_terms", credit_limit_cents=5400)
    order = stage.buy(email_order_body("Bo", "Cy", "Di"))
    undo(stage, order, 1)
    assert stage.account.cash_cents == -3600
    stage.buy(email_order_body())


def test_an_unpaid_order_is_canceled_without_a_refund() -> None:
    stage = PartnerDomain(wallet_cents=100, card="none")
    order = stage.place(email_order_body("Bo", "Cy"))
    stage.charge(order)
    done = undo(stage, order)
    assert [(row.was_paid, row.wallet_cents, row.card_cents) for row in done.canceled] == [(False, 0, 0)] * 2
    assert (done.order.status, done.order.total_cents, stage.account.cash_cents) == ("canceled", 0, 100)


def test_recipients_in_production_or_later_are_skipped_with_a_reason_and_still_progress() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body(*[RENO] * 6))
    for place, to in enumerate(("in_production", "labeled", "shipped", "delivered")):
        with stage.state.transaction():
            progress_to(stage.state, stage.rows(order)[place][1], to)
    undo(stage, order, 5)
    done = undo(stage, order)
    assert [row.recipient.place for row in done.canceled] == [4]
    assert [(row.recipient.place, row.reason) for row in done.skipped] == [
        (0, "already_in_production"),
        (1, "already_labeled"),
        (2, "already_shipped"),
        (3, "already_delivered"),
    ]
    assert [recipient.place for recipient, _ in done.already_canceled] == [5]
    assert done.refunded_cents == 1800
    stage.advance("10d")
    assert stage.statuses(order) == ["delivered"] * 4 + ["canceled"] * 2
    assert stage.rows(order)[4][0].cancel_reason == "called off"


def test_rejected_expired_and_early_delayed_shipments_can_be_canceled() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body("Bo", "Cy", "Di", "Ed"))
    for place, steps in enumerate((["delayed"], ["in_production", "delayed"], ["labeled", "rejected"])):
        for to in steps:
            with stage.state.transaction():
                progress_to(stage.state, stage.rows(order)[place][1], to)
    stage.advance("30d")
    done = undo(stage, order)
    assert [row.recipient.place for row in done.canceled] == [0, 2, 3]
    assert [(row.recipient.place, row.reason) for row in done.skipped] == [(1, "delayed_in_production")]
    assert recipient_counts(stage.order(order))["canceled"] == 3


def test_nothing_to_cancel_changes_nothing() -> None:
    stage = PartnerDomain()
    order = stage.buy(address_order_body())
    stage.advance("3d")
    before = stage.order(order)
    with pytest.raises(NothingToCancel):
        undo(stage, order)
    assert stage.order(order) == before
    other = stage.buy(address_order_body())
    undo(stage, other)
    with pytest.raises(NothingToCancel):
        undo(stage, other)


def test_an_unknown_recipient_id_cancels_nobody() -> None:
    stage = PartnerDomain()
    first, second = stage.buy(email_order_body("Bo")), stage.buy(email_order_body("Cy"))
    foreign = stage.rows(second)[0][0].id
    with pytest.raises(RecipientNotFound), stage.state.transaction():
        cancel_recipients(stage.state, first, [stage.rows(first)[0][0].id, foreign])
    assert stage.statuses(first) == ["awaiting"]


def test_a_repeated_recipient_id_counts_once() -> None:
    stage = PartnerDomain()
    order = stage.buy(email_order_body("Bo", "Cy"))
    done = undo(stage, order, 1, 1)
    assert (len(done.canceled), done.refunded_cents) == (1, 1800)
