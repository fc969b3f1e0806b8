"""What timers and changes are about, as `{kind, id}`: a record that other routes show under that id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from giftsim.control.labels import event_label, order_reference
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.domain.fulfilment.shipment import SHIPMENT, SHIPMENTS
from giftsim.domain.money.charge import CHARGE, CHARGES
from giftsim.domain.team.billing.invoice import INVOICES
from giftsim.domain.team.orders.approval import APPROVAL, APPROVALS
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State
from giftsim.webhooks.delivery import DELIVERY, MACHINE
from giftsim.webhooks.event import EVENT, PING_SUBJECT, Event

Subject = dict[str, Id]
_EVENT_KINDS = ("gift", "team_order", "campaign", "approval", "invoice")


def subject(kind: str, id_: Id) -> Subject:
    """A subject of a kind."""
    return {"kind": kind, "id": id_}


def timer_subject(state: State, owner: str, n: int) -> Subject | None:
    """What a timer of `owner` for slot `n` is about; None where no route shows it. LookupError if it was dropped."""
    subject_of = _OF_OWNER.get(owner)
    return subject_of(state, n) if subject_of else None


def shipment_subject(state: State, n: int) -> Subject:
    """The team order, gift or campaign of a parcel, or its single order."""
    shipment = state[SHIPMENTS].get(n)
    if shipment.recipient is None:
        return subject("order", shipment.order_id)
    return order_subject(state, shipment.owner)


def order_subject(state: State, n: int) -> Subject:
    """A team order, gift or campaign."""
    member, id_ = order_reference(state, state[FULFILMENTS].get(n))
    return subject(member.removesuffix("_id"), id_)


def recipient_subject(state: State, n: int) -> Subject:
    """The team order, gift or campaign of a recipient."""
    return order_subject(state, state[RECIPIENTS].get(n).order)


def event_subject(state: State, n: int) -> Subject:
    """A webhook event."""
    return subject("event", state[EVENT].get(n).id)


def event_about(state: State, event: Event) -> Subject | None:
    """The record that an event is about. None for the balance of a team, and for a test of an endpoint."""
    if event.owner.startswith("account ") and event.subject != PING_SUBJECT:
        return shipment_subject(state, event.subject)
    kind, _, id_ = event_label(state, event).partition(" ")
    return subject(kind, int(id_) if id_.isdigit() else id_) if kind in _EVENT_KINDS else None


def _delivery_subject(state: State, n: int) -> Subject:
    return event_subject(state, state[DELIVERY].get(n).event)


def _approval_subject(state: State, n: int) -> Subject:
    return subject("approval", state[APPROVALS].get(n).id)


def _charge_subject(state: State, n: int) -> Subject:
    return subject("payment", state[CHARGES].get(n).transaction_id)


def _invoice_subject(state: State, n: int) -> Subject:
    return subject("invoice", state[INVOICES].get(n).id)


_OF_OWNER: Final[Mapping[str, Callable[[State, int], Subject]]] = {
    SHIPMENT.name: shipment_subject,
    "magic.parcel": shipment_subject,
    APPROVAL.name: _approval_subject,
    "magic.approver": _approval_subject,
    "magic.invoice": _invoice_subject,
    CHARGE.name: _charge_subject,
    MACHINE.name: _delivery_subject,
}
