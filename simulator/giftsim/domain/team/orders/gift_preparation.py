"""Preparing gift sends, and what lets them go: a human's yes, which pays too (T-1.5, T-2.14 to T-2.20, 0.4, A8.9)."""

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
from giftsim.domain.team.orders.gift_timeline import add_timeline_entry as write
from giftsim.domain.team.orders.order_fulfilment import NamedRecipient
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.orders.payment_summary import pay_approved
from giftsim.domain.team.people.contact import resolve_contact
from giftsim.domain.team.people.person import require_person
from giftsim.domain.team.record_owner import tenant_of_owner
from giftsim.domain.team.tenant import Tenant, public_id
from giftsim.kernel.state import State
from giftsim.problem import InvalidState


class GiftRecipient(msgspec.Struct, frozen=True, gc=False):
    """A recipient as found: the guest, where it was found, and the country that is known of it."""

    guest: NamedRecipient
    source: RecipientSource
    country: str | None = None


def create_gift(state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any]) -> Gift:
    """A held gift of a request, whose approval is asked for at once (0.4).

    ValidationFailed names every recipient, slug and product there is not; ProviderUnavailable (A8.5).
    """
    asked = body["recipients"]
    found = collect_errors(
        [partial(_resolve_recipient, state, tenant, row, f"recipients[{i}]") for i, row in enumerate(asked)]
    )
    held = _contents(state, body["gift"])
    held = order_items.with_menu(state, held, body.get("gift_choices"), "gift_choices")
    chosen = next(name for name in (COLLECTION, ITEM, ITEMS) if name in body["gift"])
    slug = None if chosen == ITEMS else body["gift"][chosen]
    return add_gift(
        state, tenant, key, found, held, chosen=chosen, slug=slug, message=body.get("message"), mode=body.get("mode")
    )


def add_gift(
    state: State, tenant: Tenant, key: int | None, to: Sequence[GiftRecipient], held: Contents, **columns: Any
) -> Gift:
    """A held gift of goods for addressees, whose approval is asked for; `columns` are further ones of the record."""
    n = state[GIFTS].next_n
    placed = order_fulfilment.create_fulfilment(
        state, tenant, RESOURCE, n, held, [each.guest for each in to], message=columns.get("message"),
        countries=_countries(state, to),
    )  # fmt: skip
    gift = state[GIFTS].add(
        Gift(
            n, tenant.owner, public_id(state, tenant, "gift", n, FIRST_ID), state.now_ms, key,
            sources=tuple([each.source for each in to]), fulfilment=placed.n, **columns,
        )
    )  # fmt: skip
    write(state, n, "gift.created", gift.status)
    request_gift_approval(state, gift)
    return gift


def request_gift_approval(state: State, gift: Gift, note: str | None = None) -> Approval:
    """The pending approval of a held gift, at today's prices; InvalidState where there is nothing to approve."""
    if gift.status != AWAITING_APPROVAL or payment_of(state, RESOURCE, gift.n) is not None:
        raise InvalidState(f"this gift is {gift.status}: there is nothing to approve")
    placed = fulfilment_of(state, gift)
    if order_fulfilment.price_changed(state, placed):
        placed = order_fulfilment.reprice(state, placed)
        approvals.supersede_approval(state, RESOURCE, gift.n)
    if approvals.pending_approval(state, RESOURCE, gift.n) is None:
        write(state, gift.n, "approval.requested", gift.status)
    return approvals.request_approval(
        state, tenant_of_owner(state, gift.owner), RESOURCE, gift.n, resource_id=gift.id,
        amount_cents=placed.total_cents, note=note,
    )  # fmt: skip


def on_approval_decided(state: State, approval: Approval) -> None:
    """A human decided (handles APPROVAL_DECIDED): after a yes it goes out as soon as it is paid, a no ends it."""
    gift = state[GIFTS].get(approval.resource)
    if approval.status == approvals.REJECTED:
        gift = state[GIFTS].put(msgspec.structs.replace(gift, status=REJECTED))
        write(state, gift.n, "approval.decided", gift.status)
        write(state, gift.n, "gift.rejected", gift.status)
        order_fulfilment.cancel_remaining(state, fulfilment_of(state, gift))
        return
    write(state, gift.n, "approval.decided", gift.status)
    tenant = tenant_of_owner(state, gift.owner)
    if tenant.livemode and state.setting(PAY_ON_APPROVE):
        pay_approved(state, tenant, RESOURCE, gift.n, fulfilment_of(state, gift).total_cents)
    else:
        send_gift(state, gift)


class BillableGift(Billable):
    """How gifts are paid for."""

    def bill(self, state: State, slot: int) -> Bill:
        """What money is told of a gift."""
        gift = state[GIFTS].get(slot)
        placed = fulfilment_of(state, gift)
        count = placed.recipient_count
        return Bill(
            RESOURCE, gift.id, f"Gift send {gift.id}", placed.total_cents, is_open=gift.status == AWAITING_APPROVAL,
            key=gift.key,
            lines=(BillLine("Gifts", count, placed.subtotal_cents), BillLine("Shipping", count, placed.shipping_cents)),
        )  # fmt: skip

    def check_payable(self, state: State, slot: int) -> None:
        """PriceChanged."""
        if order_fulfilment.price_changed(state, fulfilment_of(state, state[GIFTS].get(slot))):
            raise PriceChanged("prices have changed since the gift was priced; it has to be approved anew")

    def on_paid(self, state: State, payment: Payment) -> None:
        """The money is there: an approved gift goes out."""
        gift = state[GIFTS].get(payment.resource)
        if gift.status == AWAITING_APPROVAL:
            send_gift(state, gift)

    def on_payment_failed(self, state: State, payment: Payment) -> None:
        """The gift stays held and can be paid again."""


def _resolve_recipient(state: State, tenant: Tenant, asked: Mapping[str, Any], field: str) -> GiftRecipient:
    if "person_id" in asked:
        person = require_person(state, tenant, asked["person_id"], f"{field}.person_id")
        return GiftRecipient(
            NamedRecipient(person.display_name, person.work_email), RecipientSource(person=person.id), person.country
        )
    if "crm" in asked:
        crm = CrmReference(*[asked["crm"][name] for name in ("provider", "id", "object_type")])
        name, email = resolve_contact(state, tenant, crm.provider, crm.id, crm.object_type, f"{field}.crm")
        return GiftRecipient(NamedRecipient(name, email), RecipientSource(crm=crm))
    return GiftRecipient(NamedRecipient(asked["name"], asked["email"]), RecipientSource())


def _contents(state: State, asked: Mapping[str, Any]) -> Contents:
    if COLLECTION in asked:
        return order_items.from_collection(state, asked[COLLECTION], f"gift.{COLLECTION}")
    if ITEM in asked:
        return order_items.from_item(state, asked[ITEM], f"gift.{ITEM}")
    return order_items.from_lines(state, asked[ITEMS], f"gift.{ITEMS}")


def _countries(state: State, to: Sequence[GiftRecipient]) -> tuple[str, ...]:
    """Where the recipients may be: as everybody, and in the countries that the roster has them in."""
    known = [each.country for each in to if each.country in SHIPPING]
    return tuple(dict.fromkeys([*state.setting(DESTINATIONS), *[country for country in known if country]]))
