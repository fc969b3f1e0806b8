"""The records that a subject is about: each with its machine, and the members by which a verb's body names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from giftsim.control.order_lookup import find_campaign, find_gift, find_order
from giftsim.control.problem import ApprovalNotFound, PaymentNotFound, ProofNotFound
from giftsim.control.record_lookup import (
    WITHOUT_OUTCOME,
    find_certificate,
    find_in_any_team,
    find_invoice,
    require_in_any_team,
)
from giftsim.control.records import CAMPAIGN as CAMPAIGN_KIND
from giftsim.control.records import GIFT, ORDER, read_id
from giftsim.control.world_data import order_ids
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, PartnerOrder, recipient_rows
from giftsim.domain.fulfilment.order_charge import has_unknown_charge
from giftsim.domain.fulfilment.shipment import SHIPMENT, Shipment, find_shipment
from giftsim.domain.money.charge import CHARGE, CHARGES
from giftsim.domain.team.billing.invoice import INVOICE, INVOICES, OPEN
from giftsim.domain.team.billing.payment import PAYMENT, PAYMENTS
from giftsim.domain.team.billing.tax_certificate import TAX_CERTIFICATE
from giftsim.domain.team.campaigns.campaign import BATCH, BATCH_RESOURCE, CAMPAIGN, batches
from giftsim.domain.team.campaigns.campaign import RESOURCE as CAMPAIGN_RESOURCE
from giftsim.domain.team.campaigns.campaign_control import fulfilments
from giftsim.domain.team.design.preview import PREVIEW, find_preview_of_any_team
from giftsim.domain.team.design.proof import PROOF, list_proofs, proof_of
from giftsim.domain.team.orders.approval import APPROVAL, APPROVALS, latest_approval
from giftsim.domain.team.orders.gift import RESOURCE as GIFT_RESOURCE
from giftsim.domain.team.orders.order_fulfilment import recipient_id
from giftsim.domain.team.orders.team_order import ORDER_ITEMS
from giftsim.domain.team.orders.team_order import RESOURCE as ORDER_RESOURCE
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State
from giftsim.kernel.state_machine import Machine

MAX_PAYMENTS = 50  # of a campaign


class Party(NamedTuple):
    """Records of one machine that move together, and the `names` by which a body names them.

    Without a record (an approval that nobody has requested yet) a verb may still make the first steps. `kind` and `id`
    say what they are, or what they belong to.
    """

    machine: Machine[Any]
    records: Sequence[Any]
    names: Mapping[str, Any]
    kind: str
    id: Id


def parties(state: State, kind: str, subject_id: str) -> list[Party]:
    """What can move of a subject, what is closest to it first. A Problem if there is none."""
    return list(_KINDS[kind](state, read_id(subject_id)))


def _of_order(state: State, order_id: Id) -> Iterator[Party]:
    order = find_order(state, order_id)
    names = {"team_order_id": order.id}
    if isinstance(order, PartnerOrder):
        yield _parcels(state, [order], names, ORDER)
        if order.charge is not None and has_unknown_charge(state, order):
            charge = state[CHARGES].get(order.charge)
            yield Party(CHARGE, [charge], names, "charge", charge.transaction_id)
        return
    yield from _paid_by_team(state, ORDER_RESOURCE, order.n, names, ORDER)
    yield from _proofs(state, ORDER_RESOURCE, order.n)
    yield _parcels(state, [state[FULFILMENTS].get(order.fulfilment)], names, ORDER)


def _of_gift(state: State, gift_id: Id) -> Iterator[Party]:
    gift = find_gift(state, gift_id)
    names = {"gift_id": gift.id}
    yield from _paid_by_team(state, GIFT_RESOURCE, gift.n, names, GIFT)
    yield _parcels(state, [state[FULFILMENTS].get(gift.fulfilment)], names, GIFT)


def _of_campaign(state: State, campaign_id: Id) -> Iterator[Party]:
    campaign = find_campaign(state, campaign_id)
    names = {"campaign_id": campaign.id}
    yield Party(CAMPAIGN, [campaign], names, CAMPAIGN_KIND, campaign.id)
    yield from _approval(state, CAMPAIGN_RESOURCE, campaign.n, names, CAMPAIGN_KIND)
    yield from _proofs(state, CAMPAIGN_RESOURCE, campaign.n)
    parts = batches(state, campaign)
    yield Party(BATCH, parts, {}, CAMPAIGN_KIND, campaign.id)
    yield from islice((party for batch in parts for party in _payments(state, BATCH_RESOURCE, batch.n)), MAX_PAYMENTS)
    yield _parcels(state, fulfilments(state, campaign), names, CAMPAIGN_KIND)


def _paid_by_team(state: State, resource: str, slot: int, names: Mapping[str, Any], kind: str) -> Iterator[Party]:
    yield from _approval(state, resource, slot, names, kind)
    yield from _payments(state, resource, slot)
    for invoice in state[INVOICES].rows_in("resource", f"{resource} {slot}"):
        if invoice.status == OPEN:
            yield Party(INVOICE, [invoice], {"invoice_id": invoice.id}, "invoice", invoice.id)


def _approval(state: State, resource: str, slot: int, names: Mapping[str, Any], kind: str) -> Iterator[Party]:
    """The latest approval, or none yet: the verb then asks for it."""
    approval = latest_approval(state, resource, slot)
    if approval is None:
        [owner] = names.values()
        yield Party(APPROVAL, [], names, kind, owner)
    else:
        yield Party(APPROVAL, [approval], names, "approval", approval.id)


def _payments(state: State, resource: str, slot: int) -> Iterator[Party]:
    for payment in state[PAYMENTS].rows_in("resource", f"{resource} {slot}"):
        if payment.status in WITHOUT_OUTCOME:
            yield Party(PAYMENT, [payment], {"payment_id": payment.id}, "payment", payment.id)


def _parcels(state: State, orders: Sequence[Fulfilment], names: Mapping[str, Any], kind: str) -> Party:
    """The parcels of an order, gift or campaign. One parcel is named by its recipient, so that it can be claimed."""
    shipments = [shipment for order in orders for _, shipment in recipient_rows(state, order)]
    [owner] = names.values()
    return Party(SHIPMENT, shipments, {**names, "recipient": 0} if len(shipments) == 1 else names, kind, owner)


def _proofs(state: State, resource: str, slot: int) -> Iterator[Party]:
    for item, proof in list_proofs(state, resource, slot):
        yield Party(PROOF, [proof], {"proof_id": item.id}, "proof", item.id)


def _of_proof(state: State, item_id: Id) -> Iterator[Party]:
    item = require_in_any_team(state, ORDER_ITEMS, item_id, ProofNotFound, "an order item")
    yield Party(PROOF, [proof_of(state, item)], {"proof_id": item.id}, "proof", item.id)


def _of_parcel(state: State, parcel_id: Id) -> Iterator[Party]:
    shipment = find_shipment(state, parcel_id if isinstance(parcel_id, int) else 0)
    yield Party(SHIPMENT, [shipment], parcel_names(state, shipment), "parcel", shipment.order_id)


def parcel_names(state: State, shipment: Shipment) -> Mapping[str, Any]:
    """How a body names one parcel: by its order and recipient if it has one, so that it can be claimed."""
    if shipment.recipient is None:
        return {"order_id": shipment.order_id}
    order = state[FULFILMENTS].get(shipment.owner)
    ids = {member: each for member, each in order_ids(state, order).items() if each is not None}
    return {**ids, "recipient_id": recipient_id(state, order, shipment.recipient)}


def _of_approval(state: State, approval_id: Id) -> Iterator[Party]:
    approval = find_in_any_team(state, APPROVALS, approval_id)
    if approval is None:
        raise ApprovalNotFound(f"no team has an approval with the id {str(approval_id)[:60]}")
    yield Party(APPROVAL, [approval], {"approval_id": approval.id}, "approval", approval.id)


def _of_payment(state: State, payment_id: Id) -> Iterator[Party]:
    payment = find_in_any_team(state, PAYMENTS, payment_id)
    if payment is None:
        raise PaymentNotFound(f"no team has a payment with the id {str(payment_id)[:60]}")
    yield Party(PAYMENT, [payment], {"payment_id": payment.id}, "payment", payment.id)


def _of_invoice(state: State, invoice_id: Id) -> Iterator[Party]:
    invoice = find_invoice(state, invoice_id)
    yield Party(INVOICE, [invoice], {"invoice_id": invoice.id}, "invoice", invoice.id)


def _of_certificate(state: State, certificate_id: Id) -> Iterator[Party]:
    certificate = find_certificate(state, certificate_id)
    yield Party(TAX_CERTIFICATE, [certificate], {"certificate_id": certificate.id}, "certificate", certificate.id)


def _of_preview(state: State, preview_id: Id) -> Iterator[Party]:
    preview = find_preview_of_any_team(state, preview_id)
    yield Party(PREVIEW, [preview], {"preview_id": preview.id}, "preview", preview.id)


_KINDS: Final[Mapping[str, Callable[[State, Id], Iterator[Party]]]] = {
    "order": _of_order,
    "gift": _of_gift,
    "campaign": _of_campaign,
    "parcel": _of_parcel,
    "approval": _of_approval,
    "payment": _of_payment,
    "invoice": _of_invoice,
    "certificate": _of_certificate,
    "preview": _of_preview,
    "proof": _of_proof,
}
