"""Pay for an approved campaign, one whole batch at a time (A8.7, A8.8, T-3.4, T-3.5, T-5.17, T-5.22)."""

from __future__ import annotations

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.money.charge import ChargeFault
from giftsim.services.gifting.domain.team.billing.billable import Bill, Billable, BillLine
from giftsim.services.gifting.domain.team.billing.invoice import NET_TERMS
from giftsim.services.gifting.domain.team.billing.payment import BALANCE, PAYMENTS
from giftsim.services.gifting.domain.team.billing.payment_errors import PriceChanged
from giftsim.services.gifting.domain.team.billing.wallet_payment import check_made_by, pay_for_record
from giftsim.services.gifting.domain.team.campaigns.campaign import (
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
    campaign_batches,
    fulfilment_of,
    unpaid_batches,
)
from giftsim.services.gifting.domain.team.campaigns.campaign_control import drop_batch, emit_campaign_event
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.gift import SENT
from giftsim.services.gifting.domain.team.orders.setup import check_proofs
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner


def next_payable_batch(state: State, campaign: Campaign) -> Batch:
    """The batch that an approved campaign pays next. InvalidState if every other batch is paid, or may be."""
    batches_left = unpaid_batches(state, campaign)
    if not batches_left:
        raise InvalidState("every batch of this campaign is paid, or its payment is still undecided")
    return batches_left[0]


def pay_batch(state: State, campaign: Campaign, batch: Batch, key: ApiKey, fault: ChargeFault) -> None:
    """Pay for a batch by the campaign's payment method, else from the balance; a paid batch is sent.

    On terms, only the key that made the campaign can pay (G56). PaymentRefused before any money moves; CrashAfterCharge
    with the payment uncertain, if `fault` crashes.
    """
    if campaign.payment_method == NET_TERMS:
        check_made_by(state, BATCH_RESOURCE, batch.n, key)
    pay_for_record(
        state,
        tenant_of_owner(state, campaign.owner),
        key=key,
        method=campaign.payment_method or BALANCE,
        amount_cents=fulfilment_of(state, batch).total_cents,
        resource_type=BATCH_RESOURCE,
        slot=batch.n,
        fault=fault,
    )


class BillableBatch(Billable):
    """Campaign batches as something that can be paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """The bill of a batch, which is open while its campaign is approved."""
        batch = state[BATCHES].get(slot)
        campaign, fulfilment = state[CAMPAIGNS].get(batch.campaign), fulfilment_of(state, batch)
        count = fulfilment.recipient_count
        gifts = BillLine("Gifts", count, fulfilment.subtotal_cents)
        shipping = BillLine("Shipping", count, fulfilment.shipping_cents)
        return Bill(
            RESOURCE,
            campaign.id,
            f"Large campaign {campaign.id}, batch {batch.number}",
            fulfilment.total_cents,
            is_open=batch.status in UNPAID and campaign.status == APPROVED,
            key=campaign.key,
            lines=(gifts, shipping),
        )

    def check_payable(self, state: State, slot: int) -> None:
        """ProofNotSigned, or PriceChanged unless the batch has the prices that were approved (T-5.22, T-5.23)."""
        batch = state[BATCHES].get(slot)
        campaign, fulfilment = state[CAMPAIGNS].get(batch.campaign), fulfilment_of(state, batch)
        check_proofs(state, campaign.owner, RESOURCE, campaign.n, fulfilment)
        if batch.round < campaign.round or team_fulfilment.price_changed(state, fulfilment):
            raise PriceChanged(
                "prices have changed since the batch was priced; reprice the campaign and have it approved"
            )

    def on_paid(self, state: State, payment: int) -> None:
        """Send the batch, which emits `gift.sent`; the last one completes its campaign."""
        batch = BATCH.fire(
            state, state[BATCHES].get(state[PAYMENTS].get(payment).resource), "pay", paid_ms=state.now_ms
        )
        campaign = state[CAMPAIGNS].get(batch.campaign)
        emit_campaign_event(state, campaign, SENT)
        team_fulfilment.activate_fulfilment(state, fulfilment_of(state, batch))
        if all(each.status == PAID for each in campaign_batches(state, campaign)) and CAMPAIGN.can(
            state, campaign, "complete"
        ):
            approvals.withdraw_approval(state, RESOURCE, campaign.n)
            CAMPAIGN.fire(state, campaign, "complete", paused_from=None)

    def on_payment_failed(self, state: State, slot: int) -> None:
        """Mark the batch failed, so that it can be paid again; drop it if its campaign was stopped."""
        batch = state[BATCHES].get(slot)
        if state[CAMPAIGNS].get(batch.campaign).status == STOPPED:
            drop_batch(state, batch.n)
        else:
            BATCH.fire(state, batch, "fail")
