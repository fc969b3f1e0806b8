"""Paying an approved campaign, one batch as a whole at a time (A8.7, A8.8, T-3.4, T-3.5, T-5.17, T-5.22)."""

from __future__ import annotations

from giftsim.domain.access.api_key import ApiKey
from giftsim.domain.money.charge import ChargeFault
from giftsim.domain.team.billing.billable import Bill, Billable, BillLine
from giftsim.domain.team.billing.payment import BALANCE, pay
from giftsim.domain.team.billing.payment_record import Payment
from giftsim.domain.team.billing.problem import PriceChanged
from giftsim.domain.team.campaigns.campaign import (
    APPROVED,
    BATCH,
    BATCH_RESOURCE,
    BATCHES,
    CAMPAIGN,
    CAMPAIGNS,
    PAID,
    RESOURCE,
    STOPPED,
    UNPAID,
    Batch,
    Campaign,
    batches,
    fulfilment_of,
    unpaid_batches,
)
from giftsim.domain.team.campaigns.campaign_control import drop_batch
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.record_owner import tenant_of_owner
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


def next_payable_batch(state: State, campaign: Campaign) -> Batch:
    """The batch that an approved campaign pays next; InvalidState while all that are left wait for an outcome."""
    found = unpaid_batches(state, campaign)
    if not found:
        raise InvalidState("every batch of this campaign is paid, or its payment has no outcome yet")
    return found[0]


def pay_batch(state: State, campaign: Campaign, batch: Batch, key: ApiKey, fault: ChargeFault) -> None:
    """Pay a batch from the balance, or on terms if the campaign says so, and release it.

    PaymentRefused with nothing moved, or Crash where nobody knows what came of it.
    """
    pay(
        state, tenant_of_owner(state, campaign.owner), key=key, method=campaign.payment_method or BALANCE,
        amount_cents=fulfilment_of(state, batch).total_cents, resource_type=BATCH_RESOURCE, slot=batch.n,
        fault=fault,
    )  # fmt: skip


class BillableBatch(Billable):
    """How the batches of campaigns are paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """What money is told of a batch; it is open while its campaign is approved."""
        batch = state[BATCHES].get(slot)
        campaign, placed = state[CAMPAIGNS].get(batch.campaign), fulfilment_of(state, batch)
        count = placed.recipient_count
        return Bill(
            RESOURCE, campaign.id, f"Large campaign {campaign.id}, batch {batch.number}", placed.total_cents,
            is_open=batch.status in UNPAID and campaign.status == APPROVED, key=campaign.key,
            lines=(BillLine("Gifts", count, placed.subtotal_cents), BillLine("Shipping", count, placed.shipping_cents)),
        )  # fmt: skip

    def check_payable(self, state: State, slot: int) -> None:
        """PriceChanged: prices that nobody approved are not paid (T-5.22)."""
        batch = state[BATCHES].get(slot)
        outdated = batch.round < state[CAMPAIGNS].get(batch.campaign).round
        if outdated or order_fulfilment.price_changed(state, fulfilment_of(state, batch)):
            raise PriceChanged(
                "prices have changed since the batch was priced; reprice the campaign and have it approved"
            )

    def on_paid(self, state: State, payment: Payment) -> None:
        """The money is there: the batch goes, and the last one completes its campaign."""
        batch = BATCH.fire(state, state[BATCHES].get(payment.resource), "pay", paid_ms=state.now_ms)
        order_fulfilment.start(state, fulfilment_of(state, batch))
        campaign = state[CAMPAIGNS].get(batch.campaign)
        if all(each.status == PAID for each in batches(state, campaign)) and CAMPAIGN.can(state, campaign, "complete"):
            approvals.withdraw_approval(state, RESOURCE, campaign.n)
            CAMPAIGN.fire(state, campaign, "complete", paused_from=None)

    def on_payment_failed(self, state: State, payment: Payment) -> None:
        """The money never moved: the batch can be paid anew, unless all is over."""
        batch = state[BATCHES].get(payment.resource)
        if state[CAMPAIGNS].get(batch.campaign).status == STOPPED:
            drop_batch(state, batch.n)
        else:
            BATCH.fire(state, batch, "fail")
