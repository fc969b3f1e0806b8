"""The kinds of records of gifting: where each is kept, how it is found, and how answers refer to it."""

from __future__ import annotations

from typing import Any, Final

from giftsim.engine.gateway.record_kind import Kind, Ref, shown_as
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain import actor, actor_schedule, api_key
from giftsim.services.gifting.domain.actor_schedule import ScheduledAct
from giftsim.services.gifting.domain.fulfilment import fulfilment, mail, products, recipient, shipment
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment, TeamFulfilment
from giftsim.services.gifting.domain.fulfilment.order_errors import TeamOrderNotFound
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.money import account, charge, refund
from giftsim.services.gifting.domain.team import member, team
from giftsim.services.gifting.domain.team.billing import invoice, payment, tax_certificate, wallet
from giftsim.services.gifting.domain.team.campaigns import campaign
from giftsim.services.gifting.domain.team.design import preview, proof
from giftsim.services.gifting.domain.team.orders import approval, gift, team_fulfilment, team_order
from giftsim.services.gifting.domain.team.orders.team_order import OrderItem
from giftsim.services.gifting.domain.team.people import crm_contact, person
from giftsim.services.gifting.domain.team.tenant import TenantRecord, is_live, tenant_of_owner
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.records.parent_refs import ref_of_billed, ref_of_fulfilment
from giftsim.services.gifting.records.record_errors import (
    ApprovalNotFound,
    CampaignNotFound,
    CertificateNotFound,
    GiftNotFound,
    InvoiceNotFound,
    PaymentNotFound,
    PreviewNotFound,
    ProofNotFound,
)
from giftsim.services.gifting.records.titles import campaign_title, gift_title, order_title


def _order_status(state: State, order: Fulfilment) -> str:
    if isinstance(order, TeamFulfilment):
        return state[team_order.TEAM_ORDERS].get(order.subject).status
    return order.status


def _parcel_label(state: State, parcel: Shipment) -> str:
    """A parcel by its recipient, such as `team_order 1001 recipient 200001`, or else by its id: `order 500001`."""
    if parcel.recipient is None:
        return f"order {parcel.order_id}"
    order = state[FULFILMENTS].get(parcel.owner)
    ref = ref_of_fulfilment(state, order)
    return f"{ref.kind} {ref.id} recipient {team_fulfilment.recipient_id(state, order, parcel.recipient)}"


def _parcel_ref(state: State, parcel: Shipment) -> Ref:
    if parcel.recipient is None:
        return Ref("order", parcel.order_id)
    return ref_of_fulfilment(state, state[FULFILMENTS].get(parcel.owner))


def _parcel_title(state: State, parcel: Shipment) -> str:
    """The title of the order, gift or batch that a parcel is of; empty for a parcel that was ordered alone."""
    return "" if parcel.recipient is None else order_title(state, state[FULFILMENTS].get(parcel.owner))


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


def _item_ref(state: State, item: OrderItem) -> Ref | None:
    return (CAMPAIGN if item.resource_type == campaign.RESOURCE else TEAM_ORDER).ref_of(state, item.order)


def _refund_ref(state: State, row: refund.Refund) -> Ref | None:
    """The partner's order of a refund, or what the refunded payment of a team paid for."""
    paid = account.read_ledger_name(row.ref)
    if paid.n is None:
        return None
    return PAYMENT.ref_of(state, paid.n) if paid.kind == "payment" else Ref("team_order", paid.n)


def _claim_token(former: recipient.Recipient, row: recipient.Recipient) -> str | None:
    """The token of the link by which a recipient claimed."""
    return row.token if former.claimed_at_ms is None and row.claimed_at_ms is not None else None


def _same_entry(entry: account.Entry) -> object:
    return entry.kind, entry.owner, entry.ref, entry.at_ms, entry.postings


def _same_mail(sent: mail.Mail) -> object:
    return sent.kind, sent.to, sent.subject, sent.at_ms


# Orders, gifts and campaigns, and what belongs to them.
ORDER = Kind(
    "order",
    FULFILMENTS,
    ref=ref_of_fulfilment,
    by_ref=True,
    hidden=frozenset({"tally"}),  # it follows from the parcels
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
    title=order_title,
)
TEAM_ORDER = Kind(
    "team_order",
    team_order.TEAM_ORDERS,
    ref=shown_as("team_order"),
    missing=TeamOrderNotFound,
    noun="an order",
    title=lambda state, row: order_title(state, state[FULFILMENTS].get(row.fulfilment)),
)
GIFT = Kind(
    "gift",
    gift.GIFTS,
    ref=shown_as("gift"),
    missing=GiftNotFound,
    noun="a gift",
    title=gift_title,
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
)
CAMPAIGN = Kind(
    "campaign",
    campaign.CAMPAIGNS,
    ref=shown_as("campaign"),
    missing=CampaignNotFound,
    noun="a large campaign",
    title=lambda _, row: campaign_title(row),
    machine=campaign.CAMPAIGN,
    statuses=campaign.CAMPAIGN.states,
)
RECIPIENT = Kind(
    "recipient",
    recipient.RECIPIENTS,
    ref=lambda state, row: ORDER.ref_of(state, row.order),
    used=_claim_token,
)
PARCEL = Kind(
    "parcel",
    shipment.SHIPMENTS,
    label=_parcel_label,
    ref=_parcel_ref,
    ref_title=_parcel_title,
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
    ref=lambda state, row: ref_of_billed(state, row.resource_type, row.resource),
    machine=payment.PAYMENT,
    missing=PaymentNotFound,
    noun="a payment",
)
REFUND = Kind("refund", refund.REFUNDS, ref=_refund_ref, machine=refund.REFUND)
INVOICE = Kind(
    "invoice",
    invoice.INVOICES,
    ref=shown_as("invoice"),
    machine=invoice.INVOICE,
    timers=("magic.invoice",),
    missing=InvoiceNotFound,
    noun="an invoice",
    statuses=invoice.INVOICE.states,
)
CERTIFICATE = Kind(
    "tax_certificate",
    tax_certificate.TAX_CERTIFICATES,
    machine=tax_certificate.TAX_CERTIFICATE,
    missing=CertificateNotFound,
    noun="a tax certificate",
    statuses=tax_certificate.TAX_CERTIFICATE.states,
)
LEDGER_ENTRY = Kind("ledger_entry", account.ENTRIES, same=_same_entry)
WALLET = Kind("wallet", wallet.WALLETS)

# Teams, people and credentials.
TEAM = Kind("team", team.TEAMS)
PERSON = Kind("person", person.PEOPLE)
CONTACT = Kind("contact", crm_contact.CONTACTS)
KEY = Kind(
    "key",
    api_key.API_KEYS,
    label=lambda _, row: credential_name(row),
    hidden=frozenset({"name"}),  # the end of its text
)
SESSION = Kind(
    "session",
    member.SESSIONS,
    label=lambda _, row: f"session.{row.label or row.n + 1}",
    hidden=frozenset({"name"}),  # the end of its text
)
ACT = Kind("act", actor_schedule.ACTS, label=_act_label, ref=_act_ref, timers=(actor_schedule.OWNER,))

# What the service sends.
MAIL = Kind(
    "mail",
    mail.MAILS,
    ref=lambda _, row: Ref("mail", row.n + 1),
    same=_same_mail,
)
BOUNCE = Kind("bounce", mail.BOUNCES, ref=lambda _, row: Ref("mail", row.mail + 1))

# What is sold.
PRODUCT = Kind("product", products.PRODUCTS)
KINDS: Final = tuple(row for row in list(globals().values()) if isinstance(row, Kind))


def team_id(state: State, owner: str) -> int:
    """The public id of the team that owns a record, live or in a sandbox."""
    return state[team.TEAMS].get(tenant_of_owner(state, owner).team).id


def team_and_mode(state: State, record: TenantRecord) -> dict[str, Any]:
    """The members that name the owner of a record: `team_id` and `livemode`."""
    return {"team_id": team_id(state, record.owner), "livemode": is_live(record)}
