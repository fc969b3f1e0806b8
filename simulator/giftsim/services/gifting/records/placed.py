"""Orders, gifts and campaigns as one type, with everything that belongs to them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from giftsim.engine.gateway.record_kind import Kind, Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    PartnerOrder,
    parcel_slots,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.order_charge import PURPOSE
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.money.account import ENTRIES, Entry, account_owner
from giftsim.services.gifting.domain.money.charge import CHARGES, Charge, failed_key
from giftsim.services.gifting.domain.team.billing.payment import PAYMENTS, Payment
from giftsim.services.gifting.domain.team.billing.wallet import balance_account
from giftsim.services.gifting.domain.team.campaigns.campaign import BATCH_RESOURCE, Batch, Campaign, campaign_batches
from giftsim.services.gifting.domain.team.campaigns.campaign import RESOURCE as CAMPAIGN_RESOURCE
from giftsim.services.gifting.domain.team.campaigns.campaign_control import campaign_fulfilments
from giftsim.services.gifting.domain.team.orders.approval import APPROVALS, Approval
from giftsim.services.gifting.domain.team.orders.gift import RESOURCE as GIFT_RESOURCE
from giftsim.services.gifting.domain.team.orders.gift import Gift
from giftsim.services.gifting.domain.team.orders.team_order import RESOURCE as ORDER_RESOURCE
from giftsim.services.gifting.domain.team.orders.team_order import TeamOrder
from giftsim.services.gifting.domain.team.tenant import Id, tenant_of_owner
from giftsim.services.gifting.records.gifting_kinds import CAMPAIGN, GIFT, PARCEL, TEAM_ORDER
from giftsim.services.gifting.records.named import find_order

MAX_ROWS = 50


class Placed(NamedTuple):
    """An order, a gift or a campaign. `ref` names it as `GET /moves` does; `record` is None for a partner's order.

    Its events are about the records of a kind in some slots, `subjects`. `resource` names the record to approvals,
    `paid` are the (type, slot) pairs that payments name.
    """

    ref: Ref
    created_ms: int
    fulfilments: tuple[Fulfilment, ...]
    subjects: tuple[Kind[Any], Container[int]]
    record: TeamOrder | Gift | Campaign | None = None
    resource: str | None = None
    paid: tuple[tuple[str, int], ...] = ()

    @property
    def recipient_count(self) -> int:
        return sum(each.recipient_count for each in self.fulfilments)


def placed_order(state: State, order_id: Id) -> Placed:
    """A partner's or a team's order. TeamOrderNotFound."""
    order = find_order(state, order_id)
    if isinstance(order, PartnerOrder):
        return Placed(Ref("order", order.id), order.made_at_ms, (order,), (PARCEL, parcel_slots(order)))
    fulfilment = state[FULFILMENTS].get(order.fulfilment)
    subjects, paid = (TEAM_ORDER, (order.n,)), ((ORDER_RESOURCE, order.n),)
    return Placed(Ref("order", order.id), order.created_ms, (fulfilment,), subjects, order, ORDER_RESOURCE, paid)


def placed_gift(state: State, gift: Gift) -> Placed:
    """A gift with its fulfilment."""
    fulfilment = state[FULFILMENTS].get(gift.fulfilment)
    subjects, paid = (GIFT, (gift.n,)), ((GIFT_RESOURCE, gift.n),)
    return Placed(GIFT.itself(gift), gift.created_ms, (fulfilment,), subjects, gift, GIFT_RESOURCE, paid)


def placed_campaign(state: State, campaign: Campaign) -> Placed:
    """A large campaign with the fulfilments of its prepared batches."""
    prepared, ref = tuple(campaign_fulfilments(state, campaign)), CAMPAIGN.itself(campaign)
    subjects, paid = (
        (CAMPAIGN, (campaign.n,)),
        tuple([(BATCH_RESOURCE, each.n) for each in campaign_batches(state, campaign)]),
    )
    return Placed(ref, campaign.created_ms, prepared, subjects, campaign, CAMPAIGN_RESOURCE, paid)


class Parts(msgspec.Struct, frozen=True):
    """The details of an order, gift or campaign: the first recipients with their parcels, and all its money."""

    rows: Sequence[tuple[Recipient, Shipment]]
    charges: Sequence[Charge]
    payments: Sequence[Payment]
    approvals: Sequence[Approval]
    batches: Sequence[Batch]
    refunds: Sequence[Entry]


def parts_of(state: State, placed: Placed) -> Parts:
    """The records that belong to an order, gift or campaign."""
    record = placed.record
    payments = [row for type_, slot in placed.paid for row in state[PAYMENTS].rows_in("resource", f"{type_} {slot}")]
    charges = _charges(state, placed, payments)
    return Parts(
        rows=list(islice(_rows(state, placed), MAX_ROWS)),
        charges=charges,
        payments=payments,
        approvals=state[APPROVALS].rows_in("resource", f"{placed.resource} {record.n}") if record else [],
        batches=campaign_batches(state, record) if isinstance(record, Campaign) else [],
        refunds=_refunds(state, placed, payments, charges),
    )


def _rows(state: State, placed: Placed) -> Iterator[tuple[Recipient, Shipment]]:
    for fulfilment in placed.fulfilments:
        yield from recipient_rows(state, fulfilment)


def _charges(state: State, placed: Placed, payments: Sequence[Payment]) -> Sequence[Charge]:
    """The charges of payments, or those of a partner's order, also the ones that failed."""
    if placed.record is not None:
        return [state[CHARGES].get(payment.charge) for payment in payments if payment.charge is not None]
    order = placed.fulfilments[0]
    slots = {*state[CHARGES].slots_in("unpaid", failed_key(PURPOSE, order.n))}
    if order.charge is not None:
        slots.add(order.charge)
    return [state[CHARGES].get(n) for n in sorted(slots)]


def _refunds(state: State, placed: Placed, payments: Sequence[Payment], charges: Sequence[Charge]) -> Sequence[Entry]:
    """The refunds in the ledger: those on the account that was charged and, for a team, on its balance."""
    refunded = any(payment.refunded_cents for payment in payments) or any(
        order.refunded_wallet_cents + order.refunded_card_cents for order in placed.fulfilments
    )
    if not refunded:
        return []
    refs = {*(order.ref for order in placed.fulfilments), *(f"payment {payment.n}" for payment in payments)}
    owners = dict.fromkeys(account_owner(charge.account) for charge in charges)
    if placed.record is not None:
        owners[balance_account(state, tenant_of_owner(state, placed.record.owner).team).owner] = None
    rows = (entry for owner in owners for entry in state[ENTRIES].rows_in("owner", owner))
    return [entry for entry in rows if entry.kind == "refund" and entry.ref in refs]
