"""Create gift sends, and send them once they are approved and paid (T-1.5, T-2.14 to T-2.20, 0.4, A8.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from giftsim.domain.fulfilment.placement import DESTINATIONS
from giftsim.domain.fulfilment.pricing import SHIPPING
from giftsim.domain.fulfilment.shipment import REJECTED
from giftsim.domain.team.billing.billable import Bill, Billable, BillLine
from giftsim.domain.team.billing.payment_record import Payment
from giftsim.domain.team.billing.problem import PriceChanged
from giftsim.domain.team.billing.settlement import payment_of
from giftsim.domain.team.orders import approval as approvals
from giftsim.domain.team.orders import order_fulfilment, order_items
from giftsim.domain.team.orders.approval import PAY_ON_APPROVE, Approval
from giftsim.domain.team.orders.collected_errors import collect_errors
from giftsim.domain.team.orders.gift import (
    AWAITING_APPROVAL,
    COLLECTION,
    FIRST_ID,
    GIFTS,
    ITEM,
    ITEMS,
    RESOURCE,
    CrmReference,
    Gift,
    RecipientSource,
    fulfilment_of,
    send_gift,
)
from giftsim.domain.team.orders.gift_timeline import add_timeline_entry
from giftsim.domain.team.orders.order_fulfilment import NamedRecipient
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.orders.payment_summary import pay_approved
from giftsim.domain.team.people.contact import resolve_contact
from giftsim.domain.team.people.person import require_person
from giftsim.domain.team.record_owner import tenant_of_owner
from giftsim.domain.team.tenant import Tenant, public_id
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


class ResolvedRecipient(NamedRecipient, frozen=True, gc=False):
    """A recipient of a request with name and email, where these were found, and the country if it is known."""

    source: RecipientSource
    country: str | None = None


def create_gift(state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any]) -> Gift:
    """Create a held gift and request its approval (0.4).

    ValidationFailed names every unknown recipient, slug and product. ProviderUnavailable while a CRM is down (A8.5).
    """
    requested = body["recipients"]
    recipients = collect_errors(
        [partial(_resolve_recipient, state, tenant, row, f"recipients[{i}]") for i, row in enumerate(requested)]
    )
    contents = _contents(state, body["gift"])
    contents = order_items.with_menu(state, contents, body.get("gift_choices"), "gift_choices")
    chosen = next(name for name in (COLLECTION, ITEM, ITEMS) if name in body["gift"])
    slug = None if chosen == ITEMS else body["gift"][chosen]
    return add_gift(
        state,
        tenant,
        key,
        recipients,
        contents,
        chosen=chosen,
        slug=slug,
        message=body.get("message"),
        mode=body.get("mode"),
    )


def add_gift(
    state: State,
    tenant: Tenant,
    key: int | None,
    recipients: Sequence[ResolvedRecipient],
    contents: Contents,
    **columns: Any,
) -> Gift:
    """Add a held gift for resolved recipients and request its approval; `columns` are more columns of the record."""
    n = state[GIFTS].next_n
    fulfilment = order_fulfilment.create_fulfilment(
        state, tenant, RESOURCE, n, contents, recipients, message=columns.get("message"),
        countries=_countries(state, recipients),
    )  # fmt: skip
    gift = state[GIFTS].add(
        Gift(
            n, tenant.owner, public_id(state, tenant, "gift", n, FIRST_ID), state.now_ms, key,
            sources=tuple([each.source for each in recipients]), fulfilment=fulfilment.n, **columns,
        )
    )  # fmt: skip
    add_timeline_entry(state, n, "gift.created", gift.status)
    request_gift_approval(state, gift)
    return gift


def request_gift_approval(state: State, gift: Gift, note: str | None = None) -> Approval:
    """The pending approval of a held gift at current prices. InvalidState if there is nothing to approve."""
    if gift.status != AWAITING_APPROVAL or payment_of(state, RESOURCE, gift.n) is not None:
        raise InvalidState(f"this gift is {gift.status}: there is nothing to approve")
    fulfilment = fulfilment_of(state, gift)
    if order_fulfilment.price_changed(state, fulfilment):
        fulfilment = order_fulfilment.reprice(state, fulfilment)
        approvals.supersede_approval(state, RESOURCE, gift.n)
    if approvals.pending_approval(state, RESOURCE, gift.n) is None:
        add_timeline_entry(state, gift.n, "approval.requested", gift.status)
    return approvals.request_approval(
        state, tenant_of_owner(state, gift.owner), RESOURCE, gift.n, resource_id=gift.id,
        amount_cents=fulfilment.total_cents, note=note,
    )  # fmt: skip


def on_approval_decided(state: State, approval: Approval) -> None:
    """Pay for the gift or send it unpaid, or reject and cancel it (handles APPROVAL_DECIDED)."""
    gift = state[GIFTS].get(approval.resource)
    if approval.status == approvals.REJECTED:
        gift = state[GIFTS].put(msgspec.structs.replace(gift, status=REJECTED))
        add_timeline_entry(state, gift.n, "approval.decided", gift.status)
        add_timeline_entry(state, gift.n, "gift.rejected", gift.status)
        order_fulfilment.cancel_remaining(state, fulfilment_of(state, gift))
        return
    add_timeline_entry(state, gift.n, "approval.decided", gift.status)
    tenant = tenant_of_owner(state, gift.owner)
    if tenant.livemode and state.setting(PAY_ON_APPROVE):
        pay_approved(state, tenant, RESOURCE, gift.n, fulfilment_of(state, gift).total_cents)
    else:
        send_gift(state, gift)


class BillableGift(Billable):
    """Gifts as something that can be paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """The bill of a gift."""
        gift = state[GIFTS].get(slot)
        fulfilment = fulfilment_of(state, gift)
        count = fulfilment.recipient_count
        gifts = BillLine("Gifts", count, fulfilment.subtotal_cents)
        shipping = BillLine("Shipping", count, fulfilment.shipping_cents)
        return Bill(
            RESOURCE, gift.id, f"Gift send {gift.id}", fulfilment.total_cents, is_open=gift.status == AWAITING_APPROVAL,
            key=gift.key, lines=(gifts, shipping),
        )  # fmt: skip

    def check_payable(self, state: State, slot: int) -> None:
        """PriceChanged if the gift would cost something else today."""
        if order_fulfilment.price_changed(state, fulfilment_of(state, state[GIFTS].get(slot))):
            raise PriceChanged("prices have changed since the gift was priced; request its approval to reprice it")

    def on_paid(self, state: State, payment: Payment) -> None:
        """Send the gift."""
        gift = state[GIFTS].get(payment.resource)
        if gift.status == AWAITING_APPROVAL:
            send_gift(state, gift)

    def on_payment_failed(self, state: State, payment: Payment) -> None:
        """Leave the gift held, so that it can be paid again."""


def _resolve_recipient(state: State, tenant: Tenant, requested: Mapping[str, Any], field: str) -> ResolvedRecipient:
    if "person_id" in requested:
        person = require_person(state, tenant, requested["person_id"], f"{field}.person_id")
        return ResolvedRecipient(
            person.display_name, person.work_email, RecipientSource(person=person.id), person.country
        )
    if "crm" in requested:
        crm = CrmReference(*[requested["crm"][name] for name in ("provider", "id", "object_type")])
        name, email = resolve_contact(state, tenant, crm.provider, crm.id, crm.object_type, f"{field}.crm")
        return ResolvedRecipient(name, email, RecipientSource(crm=crm))
    return ResolvedRecipient(requested["name"], requested["email"], RecipientSource())


def _contents(state: State, requested: Mapping[str, Any]) -> Contents:
    if COLLECTION in requested:
        return order_items.from_collection(state, requested[COLLECTION], f"gift.{COLLECTION}")
    if ITEM in requested:
        return order_items.from_item(state, requested[ITEM], f"gift.{ITEM}")
    return order_items.from_lines(state, requested[ITEMS], f"gift.{ITEMS}")


def _countries(state: State, recipients: Sequence[ResolvedRecipient]) -> tuple[str, ...]:
    """The countries of the setting, and those that the roster gives for the recipients."""
    known = [each.country for each in recipients if each.country in SHIPPING]
    return tuple(dict.fromkeys([*state.setting(DESTINATIONS), *[country for country in known if country]]))
