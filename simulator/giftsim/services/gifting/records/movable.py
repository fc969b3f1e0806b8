"""The records that can move with a record: those of one machine, and the members by which a verb's body names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from giftsim.engine.gateway.record_kind import Kind, Ref
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, PartnerOrder, recipient_rows
from giftsim.services.gifting.domain.fulfilment.order_charge import has_unknown_charge
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENT, Shipment, find_shipment
from giftsim.services.gifting.domain.team.billing.invoice import OPEN, PAID
from giftsim.services.gifting.domain.team.billing.payment import BANK_METHODS, SETTLED
from giftsim.services.gifting.domain.team.campaigns import campaign
from giftsim.services.gifting.domain.team.campaigns.campaign_control import campaign_fulfilments
from giftsim.services.gifting.domain.team.design import proof
from giftsim.services.gifting.domain.team.orders.approval import latest_approval
from giftsim.services.gifting.domain.team.orders.gift import RESOURCE as GIFT_RESOURCE
from giftsim.services.gifting.domain.team.orders.team_fulfilment import recipient_id
from giftsim.services.gifting.domain.team.orders.team_order import RESOURCE as ORDER_RESOURCE
from giftsim.services.gifting.domain.team.tenant import Id
from giftsim.services.gifting.records.gifting_kinds import (
    APPROVAL,
    CAMPAIGN,
    CERTIFICATE,
    CHARGE,
    GIFT,
    INVOICE,
    PARCEL,
    PAYMENT,
    PREVIEW,
    PROOF,
    REFUND,
)
from giftsim.services.gifting.records.named import (
    WITHOUT_OUTCOME,
    find_order,
    read_id,
    refunds_of_orders,
    require_record,
)
from giftsim.services.gifting.records.parcels import order_ids

MAX_PAYMENTS = 50  # of a campaign


class Movable(NamedTuple):
    """Records of one machine that move together, and the `names` by which a body names them.

    Without a record (an approval that nobody has requested yet) a verb may still make the first steps. `ref` is what
    they are, or what they belong to.
    """

    machine: Machine[Any]
    records: Sequence[Any]
    names: Mapping[str, Any]
    ref: Ref


def records_moving_with(state: State, kind: str, record_id: str) -> list[Movable]:
    """The records that can move with a record, itself first. A Problem if the record does not exist."""
    return list(_KINDS[kind](state, read_id(record_id)))


def parcel_names(state: State, shipment: Shipment) -> Mapping[str, Any]:
    """How a body names one parcel: by its order and recipient if it has one, so that it can be claimed."""
    if shipment.recipient is None:
        return {"order_id": shipment.order_id}
    order = state[FULFILMENTS].get(shipment.owner)
    ids = {member: each for member, each in order_ids(state, order).items() if each is not None}
    return {**ids, "recipient_id": recipient_id(state, order, shipment.recipient)}


def _of_order(state: State, order_id: Id) -> Iterator[Movable]:
    order = find_order(state, order_id)
    names, ref = {"team_order_id": order.id}, Ref("order", order.id)
    if isinstance(order, PartnerOrder):
        yield _parcels(state, [order], names, ref)
        if order.charge is not None and has_unknown_charge(state, order):
            charge = state[CHARGE.table].get(order.charge)
            yield Movable(_machine(CHARGE), [charge], names, CHARGE.itself(charge))
        yield from _refunds(state, [order], names, ref)
        return
    yield from _paid_by_team(state, ORDER_RESOURCE, order.n, names, ref)
    yield from _refunds(state, [state[FULFILMENTS].get(order.fulfilment)], names, ref)
    yield from _proofs(state, ORDER_RESOURCE, order.n)
    yield _parcels(state, [state[FULFILMENTS].get(order.fulfilment)], names, ref)


def _of_gift(state: State, gift_id: Id) -> Iterator[Movable]:
    gift = require_record(state, GIFT, gift_id)
    names, ref = {"gift_id": gift.id}, GIFT.itself(gift)
    yield from _paid_by_team(state, GIFT_RESOURCE, gift.n, names, ref)
    yield from _refunds(state, [state[FULFILMENTS].get(gift.fulfilment)], names, ref)
    yield _parcels(state, [state[FULFILMENTS].get(gift.fulfilment)], names, ref)


def _of_campaign(state: State, campaign_id: Id) -> Iterator[Movable]:
    record = require_record(state, CAMPAIGN, campaign_id)
    names, ref = {"campaign_id": record.id}, CAMPAIGN.itself(record)
    yield Movable(_machine(CAMPAIGN), [record], names, ref)
    yield from _approval(state, campaign.RESOURCE, record.n, names, ref)
    yield from _proofs(state, campaign.RESOURCE, record.n)
    batches = campaign.campaign_batches(state, record)
    yield Movable(campaign.BATCH, batches, {}, ref)
    payments = (each for batch in batches for each in _payments(state, campaign.BATCH_RESOURCE, batch.n))
    yield from islice(payments, MAX_PAYMENTS)
    yield from _refunds(state, campaign_fulfilments(state, record), names, ref)
    yield _parcels(state, campaign_fulfilments(state, record), names, ref)


def _paid_by_team(state: State, resource: str, slot: int, names: Mapping[str, Any], ref: Ref) -> Iterator[Movable]:
    yield from _approval(state, resource, slot, names, ref)
    yield from _payments(state, resource, slot)
    for invoice in state[INVOICE.table].rows_in("resource", f"{resource} {slot}"):
        if invoice.status in (OPEN, PAID):
            yield _alone("invoice", INVOICE, invoice)


def _approval(state: State, resource: str, slot: int, names: Mapping[str, Any], ref: Ref) -> Iterator[Movable]:
    """The latest approval, or none yet: the verb then asks for it."""
    approval = latest_approval(state, resource, slot)
    if approval is None:
        yield Movable(_machine(APPROVAL), [], names, ref)
    else:
        yield Movable(_machine(APPROVAL), [approval], names, APPROVAL.itself(approval))


def _payments(state: State, resource: str, slot: int) -> Iterator[Movable]:
    for payment in state[PAYMENT.table].rows_in("resource", f"{resource} {slot}"):
        if payment.status in WITHOUT_OUTCOME or (payment.status == SETTLED and payment.method in BANK_METHODS):
            yield _alone("payment", PAYMENT, payment)


def _refunds(state: State, orders: Sequence[Fulfilment], names: Mapping[str, Any], ref: Ref) -> Iterator[Movable]:
    """The refunds that have a record, and for a card's that were done at once none yet: the verb then makes it."""
    refunds = refunds_of_orders(state, orders)
    if refunds or any(order.refunded_card_cents for order in orders):
        yield Movable(_machine(REFUND), refunds, names, ref)


def _parcels(state: State, orders: Sequence[Fulfilment], names: Mapping[str, Any], ref: Ref) -> Movable:
    """The parcels of an order, gift or campaign. One parcel is named by its recipient, so that it can be claimed."""
    shipments = [shipment for order in orders for _, shipment in recipient_rows(state, order)]
    return Movable(SHIPMENT, shipments, {**names, "recipient": 0} if len(shipments) == 1 else names, ref)


def _proofs(state: State, resource: str, slot: int) -> Iterator[Movable]:
    for item, found in proof.list_proofs(state, resource, slot):
        yield Movable(proof.PROOF, [found], {"proof_id": item.id}, Ref("proof", item.id))


def _of_proof(state: State, item_id: Id) -> Iterator[Movable]:
    item = require_record(state, PROOF, item_id)
    yield Movable(proof.PROOF, [proof.proof_of(state, item)], {"proof_id": item.id}, Ref("proof", item.id))


def _of_parcel(state: State, parcel_id: Id) -> Iterator[Movable]:
    shipment = find_shipment(state, parcel_id if isinstance(parcel_id, int) else 0)
    yield Movable(SHIPMENT, [shipment], parcel_names(state, shipment), PARCEL.itself(shipment))


def _of_one(name: str, kind: Kind[Any]) -> Callable[[State, Id], Iterator[Movable]]:
    """A record of a kind that moves alone, and how a body names it."""

    def of_one(state: State, record_id: Id) -> Iterator[Movable]:
        yield _alone(name, kind, require_record(state, kind, record_id))

    return of_one


def _alone(name: str, kind: Kind[Any], record: Any) -> Movable:
    return Movable(_machine(kind), [record], {f"{name}_id": record.id}, Ref(name, record.id))


def _machine(kind: Kind[Any]) -> Machine[Any]:
    if kind.machine is None:
        raise LookupError(f"{kind.name} has no machine")
    return kind.machine


_KINDS: Final[Mapping[str, Callable[[State, Id], Iterator[Movable]]]] = {
    "order": _of_order,
    "gift": _of_gift,
    "campaign": _of_campaign,
    "parcel": _of_parcel,
    "approval": _of_one("approval", APPROVAL),
    "payment": _of_one("payment", PAYMENT),
    "invoice": _of_one("invoice", INVOICE),
    "certificate": _of_one("certificate", CERTIFICATE),
    "preview": _of_one("preview", PREVIEW),
    "proof": _of_proof,
}
