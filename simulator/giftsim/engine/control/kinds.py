"""The kinds of records: where each is kept, how it is found and searched, and how answers refer to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from giftsim.engine.control.credentials import credential_name
from giftsim.engine.control.problem import (
    ApprovalNotFound,
    CampaignNotFound,
    CertificateNotFound,
    GiftNotFound,
    InvoiceNotFound,
    PaymentNotFound,
    PreviewNotFound,
    ProofNotFound,
)
from giftsim.engine.control.record_refs import Ref, billed, fulfilled
from giftsim.engine.gateway import idempotency_record
from giftsim.engine.gateway.faults.webhook_faults import EVENT_TABLE
from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.signals import connect_key
from giftsim.engine.kernel.state import TIMER_SUBJECT, State
from giftsim.engine.kernel.state_machine import Machine
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks import attempt, delivery, endpoint, event
from giftsim.engine.webhooks.delivery import Delivery
from giftsim.engine.webhooks.event import Event
from giftsim.services.gifting.domain import actor, actor_schedule, api_key
from giftsim.services.gifting.domain.actor_schedule import ScheduledAct
from giftsim.services.gifting.domain.fulfilment import fulfilment, mail, products, recipient, shipment
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, TeamFulfilment
from giftsim.services.gifting.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.services.gifting.domain.fulfilment.products import Product
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.money import account, charge
from giftsim.services.gifting.domain.museum import special_event, ticket
from giftsim.services.gifting.domain.team import member, team
from giftsim.services.gifting.domain.team.billing import invoice, payment, tax_certificate, wallet
from giftsim.services.gifting.domain.team.campaigns import campaign
from giftsim.services.gifting.domain.team.design import preview, proof
from giftsim.services.gifting.domain.team.orders import approval, gift, team_fulfilment, team_order
from giftsim.services.gifting.domain.team.orders.team_order import OrderItem
from giftsim.services.gifting.domain.team.people import contact, person
from giftsim.services.gifting.domain.team.tenant import Id, TenantRecord, is_live, tenant_of_owner

R = TypeVar("R", bound=Record)


class Kind(msgspec.Struct, Generic[R], frozen=True):
    """The records of one table. Functions take the state and a record.

    - `name` is the word for such a record, `id` its public id, `label` its text if name and id are not enough.
    - `ref` is the record under which operations show it: itself, or what it belongs to.
    - `machine` has its states. `timers` are the owners of further timers about such records.
    - `missing` is raised for an unknown id; its message names the record as `noun`.
    - `status`, `statuses` and `text` are how lists filter: by a status, and by a part of a text.
    """

    name: str
    table: TableSpec[R]
    machine: Machine[R] | None = None
    id: Callable[[R], Id] = lambda record: getattr(record, "id", record.n + 1)
    label: Callable[[State, R], str] | None = None
    ref: Callable[[State, R], Ref | None] = lambda _, __: None
    timers: tuple[str, ...] = ()
    missing: type[Problem] = Problem
    noun: str = ""
    status: Callable[[State, Any], str] = lambda _, record: record.status
    statuses: Sequence[str] = ()
    text: Callable[[State, R], Iterable[object]] = lambda _, __: ()

    def itself(self, record: R) -> Ref:
        """The record by its own kind and id."""
        return Ref(self.name, self.id(record))

    def label_of(self, state: State, n: int) -> str:
        """The record in a slot as text, such as `gift 7` or `team_order 1001 recipient 200001`."""
        record = state[self.table].get(n)
        return self.label(state, record) if self.label else f"{self.name} {self.id(record)}"

    def ref_of(self, state: State, n: int) -> Ref | None:
        """The record under which operations show the record in a slot; None if none does."""
        return self.ref(state, state[self.table].get(n))

    @property
    def timer_owners(self) -> tuple[str, ...]:
        """The owners of all timers about such records."""
        return (self.machine.name, *self.timers) if self.machine else self.timers


def shown_as(kind: str) -> Callable[[State, Any], Ref]:
    """The `ref` of records that are shown as `kind` under their own id."""
    return lambda _, record: Ref(kind, record.id)


def kind_and_slot_of(state: State, occurred: Event) -> tuple[Kind[Any], int] | None:
    """The kind and slot of the record that an event is about. None for the test of an endpoint."""
    if occurred.subject == event.PING_SUBJECT:
        return None
    return KIND_OF_TABLE[state.handler(EVENT_TABLE)(occurred)], occurred.subject


def _order_status(state: State, order: Fulfilment) -> str:
    if isinstance(order, TeamFulfilment):
        return state[team_order.TEAM_ORDERS].get(order.subject).status
    return order.status


def _order_text(state: State, order: Fulfilment) -> Iterable[object]:
    if not isinstance(order, TeamFulfilment):
        return order.id, order.name, order.reference, order.po_number
    of_team = state[team_order.TEAM_ORDERS].get(order.subject)
    return of_team.id, of_team.po_number


def _parcel_label(state: State, parcel: Shipment) -> str:
    """A parcel by its recipient, such as `team_order 1001 recipient 200001`, or else by its id: `order 500001`."""
    if parcel.recipient is None:
        return f"order {parcel.order_id}"
    order = state[FULFILMENTS].get(parcel.owner)
    ref = fulfilled(state, order)
    return f"{ref.kind} {ref.id} recipient {team_fulfilment.recipient_id(state, order, parcel.recipient)}"


def _parcel_ref(state: State, parcel: Shipment) -> Ref:
    if parcel.recipient is None:
        return Ref("order", parcel.order_id)
    return fulfilled(state, state[FULFILMENTS].get(parcel.owner))


def _acted_on(state: State, act: ScheduledAct) -> tuple[Kind[Any], int]:
    """What an actor will act on: an approval, or the parcel of a recipient."""
    if act.role == actor.APPROVER:
        return APPROVAL, act.subject
    return PARCEL, state[recipient.RECIPIENTS].get(act.subject).shipment


def _act_label(state: State, act: ScheduledAct) -> str:
    kind, n = _acted_on(state, act)
    return f"{state[actor.ACTORS].get(act.actor).id}: {kind.label_of(state, n)}"


def _act_ref(state: State, act: ScheduledAct) -> Ref | None:
    kind, n = _acted_on(state, act)
    return kind.ref_of(state, n)


def _event_label(state: State, occurred: Event) -> str:
    """The subject of an event: a parcel for a partner, a record or the balance for a team."""
    subject = kind_and_slot_of(state, occurred)
    return subject[0].label_of(state, subject[1]) if subject else "a test of an endpoint"


def _delivery_label(state: State, sent: Delivery) -> str:
    return f"{state[event.EVENT].get(sent.event).id} to {state[endpoint.ENDPOINT].get(sent.endpoint).url}"


def _item_ref(state: State, item: OrderItem) -> Ref | None:
    return (CAMPAIGN if item.resource_type == campaign.RESOURCE else TEAM_ORDER).ref_of(state, item.order)


def _product_text(state: State, product: Product) -> Iterable[object]:
    codes = (sku.code for sku in state[products.SKUS].rows_in("product", product.n))
    return product.id, product.slug, product.name, *codes


# Orders, gifts and campaigns, and what belongs to them.
ORDER = Kind(
    "order",
    FULFILMENTS,
    ref=fulfilled,
    status=_order_status,
    statuses=(  # of partners' and of teams' orders, in the order of an order's life
        fulfilment.UNPAID,
        team_order.AWAITING_APPROVAL,
        team_order.APPROVED,
        fulfilment.COLLECTING,
        fulfilment.IN_PROGRESS,
        shipment.IN_PRODUCTION,
        shipment.SHIPPED,
        shipment.DELIVERED,
        shipment.CANCELED,
        shipment.REJECTED,
    ),
    text=_order_text,
)
TEAM_ORDER = Kind(
    "team_order", team_order.TEAM_ORDERS, ref=shown_as("team_order"), missing=TeamOrderNotFound, noun="an order"
)
GIFT = Kind(
    "gift",
    gift.GIFTS,
    ref=shown_as("gift"),
    missing=GiftNotFound,
    noun="a gift",
    statuses=(
        team_order.AWAITING_APPROVAL,
        gift.SENT,
        gift.CLAIMED,
        shipment.SHIPPED,
        shipment.DELIVERED,
        shipment.REJECTED,
        shipment.EXPIRED,
        shipment.CANCELED,
    ),
    text=lambda _, row: (row.id, row.slug, row.message),
)
CAMPAIGN = Kind(
    "campaign",
    campaign.CAMPAIGNS,
    ref=shown_as("campaign"),
    missing=CampaignNotFound,
    noun="a large campaign",
    machine=campaign.CAMPAIGN,
    statuses=campaign.CAMPAIGN.states,
    text=lambda _, row: (row.id, row.name, row.collection, row.gift_message),
)
RECIPIENT = Kind(
    "recipient",
    recipient.RECIPIENTS,
    ref=lambda state, row: ORDER.ref_of(state, row.order),
    text=lambda _, row: (row.name, row.email, row.company),
)
PARCEL = Kind(
    "parcel",
    shipment.SHIPMENTS,
    label=_parcel_label,
    ref=_parcel_ref,
    machine=shipment.SHIPMENT,
    id=lambda row: row.order_id,
    timers=("magic.parcel",),
)
PROOF = Kind(
    "order_item",  # its proof has its id
    team_order.ORDER_ITEMS,
    ref=_item_ref,
    missing=ProofNotFound,
    noun="a proof",
    status=lambda state, item: proof.proof_of(state, item).status,
    statuses=proof.PROOF.states,
    text=lambda _, item: (item.id, item.name),
)
PREVIEW = Kind(
    "preview",
    preview.PREVIEWS,
    machine=preview.PREVIEW,
    timers=("magic.preview",),
    missing=PreviewNotFound,
    noun="a preview",
    statuses=preview.PREVIEW.states,
)
APPROVAL = Kind(
    "approval",
    approval.APPROVALS,
    ref=shown_as("approval"),
    machine=approval.APPROVAL,
    timers=("magic.approver",),
    missing=ApprovalNotFound,
    noun="an approval",
    statuses=approval.APPROVAL.states,
)

# Money.
CHARGE = Kind(
    "charge",
    charge.CHARGES,
    machine=charge.CHARGE,
    id=lambda row: row.transaction_id,
    label=lambda _, row: row.transaction_id,
    ref=lambda _, row: Ref("payment", row.transaction_id),
    statuses=charge.CHARGE.states,
)
PAYMENT = Kind(
    "payment",
    payment.PAYMENTS,
    ref=lambda state, row: billed(state, row.resource_type, row.resource),
    machine=payment.PAYMENT,
    missing=PaymentNotFound,
    noun="a payment",
)
INVOICE = Kind(
    "invoice",
    invoice.INVOICES,
    ref=shown_as("invoice"),
    machine=invoice.INVOICE,
    timers=("magic.invoice",),
    missing=InvoiceNotFound,
    noun="an invoice",
    statuses=invoice.INVOICE.states,
    text=lambda _, row: (row.id, row.number, row.bill and row.bill.id),
)
CERTIFICATE = Kind(
    "tax_certificate",
    tax_certificate.TAX_CERTIFICATES,
    machine=tax_certificate.TAX_CERTIFICATE,
    missing=CertificateNotFound,
    noun="a tax certificate",
    statuses=tax_certificate.TAX_CERTIFICATE.states,
    text=lambda _, row: (row.id, row.url, row.region),
)
LEDGER_ENTRY = Kind("ledger_entry", account.ENTRIES)
WALLET = Kind("wallet", wallet.WALLETS)

# Teams, people and credentials.
TEAM = Kind("team", team.TEAMS)
PERSON = Kind("person", person.PEOPLE, text=lambda _, row: (row.id, row.display_name, row.work_email, row.department))
CONTACT = Kind("contact", contact.CONTACTS, text=lambda _, row: (row.id, row.name, row.email, row.company, row.title))
KEY = Kind(
    "key",
    api_key.API_KEYS,
    label=lambda _, row: credential_name(row),
    text=lambda _, row: (credential_name(row), row.title, row.role, row.plan),
)
SESSION = Kind("session", member.SESSIONS, label=lambda _, row: f"session.{row.label or row.n + 1}")
IDEMPOTENCY_KEY = Kind("idempotency_key", idempotency_record.IDEMPOTENCY_RECORDS)
ACT = Kind("act", actor_schedule.ACTS, label=_act_label, ref=_act_ref, timers=(actor_schedule.OWNER,))

# What the service sends.
EVENT = Kind("event", event.EVENT, label=_event_label, ref=shown_as("event"))
DELIVERY = Kind(
    "delivery",
    delivery.DELIVERY,
    label=_delivery_label,
    ref=lambda state, row: EVENT.ref_of(state, row.event),
    machine=delivery.MACHINE,
)
ATTEMPT = Kind("attempt", attempt.ATTEMPT, id=lambda row: row.seq, ref=lambda _, row: Ref("delivery", row.seq))
ENDPOINT = Kind("endpoint", endpoint.ENDPOINT, text=lambda _, row: (row.url, *row.kinds))
MAIL = Kind("mail", mail.MAILS, ref=lambda _, row: Ref("mail", row.n + 1), text=lambda _, row: (row.to, row.subject))

# What is sold.
PRODUCT = Kind("product", products.PRODUCTS, text=_product_text)
SPECIAL_EVENT = Kind(
    "museum_special_event",
    special_event.SPECIAL_EVENTS,
    id=lambda row: row.event_id,
    text=lambda _, row: (row.event_id, row.name, row.location, row.description),
)
TICKET = Kind(
    "museum_ticket",
    ticket.TICKETS,
    id=lambda row: row.ticket_id,
    text=lambda _, row: (row.ticket_id, row.email, row.confirmation_code, row.day),
)
KINDS: Final = tuple(row for row in list(globals().values()) if isinstance(row, Kind))
KIND_OF_TABLE: Final[Mapping[str, Kind[Any]]] = {kind.table.name: kind for kind in KINDS}
KIND_OF_TIMER: Final[Mapping[str, Kind[Any]]] = {owner: kind for kind in KINDS for owner in kind.timer_owners}

DEFINITIONS = PackageDefinitions(
    connections=tuple(connect_key(TIMER_SUBJECT, owner, kind.label_of) for owner, kind in KIND_OF_TIMER.items())
)


def timer_ref(state: State, timer: Timer) -> Ref | None:
    """The record that a timer is about; None if no operation shows it. LookupError if the record was dropped."""
    return owner_ref(state, timer.owner, timer.subject)


def owner_ref(state: State, owner: str, subject: int) -> Ref | None:
    """The record that the timers of an owner's subject are about, as `timer_ref` tells it."""
    kind = KIND_OF_TIMER.get(owner)
    return kind.ref_of(state, subject) if kind else None


def event_ref(state: State, occurred: Event) -> Ref | None:
    """The record that an event is about. None for the balance of a team, and for the test of an endpoint."""
    subject = kind_and_slot_of(state, occurred)
    return subject[0].ref_of(state, subject[1]) if subject else None


def team_id(state: State, owner: str) -> int:
    """The public id of the team that owns a record, live or in a sandbox."""
    return state[team.TEAMS].get(tenant_of_owner(state, owner).team).id


def team_and_mode(state: State, record: TenantRecord) -> dict[str, Any]:
    """The members that name the owner of a record: `team_id` and `livemode`."""
    return {"team_id": team_id(state, record.owner), "livemode": is_live(record)}
