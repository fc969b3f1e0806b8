"""Request the approval of a gift send, and pay for and send it once it is approved (T-1.5, 0.4, A1.2, A8.9)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.shipment import REJECTED
from giftsim.services.gifting.domain.team.billing.billable import Bill, Billable, BillLine
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS, payment_of
from giftsim.services.gifting.domain.team.billing.payment_errors import PriceChanged
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import Approval, pay_from_wallet, pays_on_approval
from giftsim.services.gifting.domain.team.orders.gift import (
    AWAITING_APPROVAL,
    GIFTS,
    RESOURCE,
    Gift,
    add_timeline_entry,
    fulfilment_of,
    send_gift,
)
from giftsim.services.gifting.domain.team.orders.setup import check_proofs
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner


def request_gift_approval(state: State, gift: Gift, note: str | None = None) -> Approval:
    """The pending approval of a held gift at current prices. InvalidState if there is nothing to approve."""
    if gift.status != AWAITING_APPROVAL or payment_of(state, RESOURCE, gift.n) is not None:
        raise InvalidState(f"this gift is {gift.status}: there is nothing to approve")
    fulfilment = fulfilment_of(state, gift)
    if team_fulfilment.price_changed(state, fulfilment):
        fulfilment = team_fulfilment.reprice_fulfilment(state, fulfilment)
        approvals.supersede_approval(state, RESOURCE, gift.n)
    if approvals.pending_approval(state, RESOURCE, gift.n) is None:
        add_timeline_entry(state, gift.n, "approval.requested", gift.status)
    return approvals.request_approval(
        state,
        tenant_of_owner(state, gift.owner),
        RESOURCE,
        gift.n,
        resource_id=gift.id,
        amount_cents=fulfilment.total_cents,
        note=note,
    )


def on_approval_decided(state: State, approval: Approval) -> None:
    """Pay for the gift or send it unpaid, or reject and cancel it (handles APPROVAL_DECIDED).

    If its price has changed, request the approval of the new amount. PaymentRefused for a gift that cannot be paid:
    its approval stays pending (G57).
    """
    gift = state[GIFTS].get(approval.resource)
    if approval.status == approvals.REJECTED:
        gift = state[GIFTS].put(msgspec.structs.replace(gift, status=REJECTED))
    add_timeline_entry(state, gift.n, "approval.decided", gift.status, decision=approval.status)
    if approval.status == approvals.REJECTED:
        add_timeline_entry(state, gift.n, "gift.rejected", gift.status)
        team_fulfilment.cancel_remaining(state, fulfilment_of(state, gift))
    if approval.status != approvals.APPROVED:
        return
    tenant = tenant_of_owner(state, gift.owner)
    if not pays_on_approval(state, tenant):
        send_gift(state, gift)
    elif team_fulfilment.price_changed(state, fulfilment_of(state, gift)):
        request_gift_approval(state, gift, approval.note)
    else:
        pay_from_wallet(state, tenant, RESOURCE, gift.n, approval.amount_cents)


class BillableGift(Billable):
    """Gifts as something that can be paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """What a gift costs: a line for the gifts, and one for shipping."""
        gift = state[GIFTS].get(slot)
        fulfilment = fulfilment_of(state, gift)
        count = fulfilment.recipient_count
        gifts = BillLine("Gifts", count, fulfilment.subtotal_cents)
        shipping = BillLine("Shipping", count, fulfilment.shipping_cents)
        return Bill(
            RESOURCE,
            gift.id,
            f"Gift send {gift.id}",
            fulfilment.total_cents,
            is_open=gift.status == AWAITING_APPROVAL,
            key=gift.key,
            lines=(gifts, shipping),
        )

    def check_payable(self, state: State, slot: int) -> None:
        """ProofNotSigned or PriceChanged if the gift cannot be paid as it is (T-5.22, T-5.23)."""
        gift = state[GIFTS].get(slot)
        check_proofs(state, gift.owner, RESOURCE, slot, fulfilment_of(state, gift))
        if team_fulfilment.price_changed(state, fulfilment_of(state, gift)):
            raise PriceChanged("prices have changed since the gift was priced; request its approval to reprice it")

    def on_paid(self, state: State, payment: int) -> None:
        """Send the gift."""
        gift = state[GIFTS].get(state[PAYMENTS].get(payment).resource)
        if gift.status == AWAITING_APPROVAL:
            send_gift(state, gift)

    def on_payment_failed(self, state: State, slot: int) -> None:
        """Leave the gift held, so that it can be paid again."""
