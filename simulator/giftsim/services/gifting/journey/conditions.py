"""What a journey waits for that no clock brings: an approval, a payment, a claim, a new link; and how it is met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.actor import APPROVER, RECIPIENT
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.fulfilment.claim import claim_for_recipient, default_claim_entry, resend_link
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, UNPAID, PartnerOrder, partner_order
from giftsim.services.gifting.domain.fulfilment.order_charge import charge_order, has_unknown_charge
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.domain.fulfilment.shipment import AWAITING, EXPIRED, SHIPMENTS
from giftsim.services.gifting.domain.money.account import ACCOUNTS, Account
from giftsim.services.gifting.domain.money.charge import ChargeFault
from giftsim.services.gifting.domain.money.money_errors import PaymentRefused
from giftsim.services.gifting.domain.team.billing.billable import bill_of
from giftsim.services.gifting.domain.team.billing.payment import payment_of
from giftsim.services.gifting.domain.team.billing.wallet import balance_account
from giftsim.services.gifting.domain.team.campaigns import campaign as campaigns
from giftsim.services.gifting.domain.team.campaigns.campaign import Campaign
from giftsim.services.gifting.domain.team.orders import gift, team_order
from giftsim.services.gifting.domain.team.orders.approval import (
    APPROVE,
    decide_approval,
    pay_from_wallet,
    pending_approval,
)
from giftsim.services.gifting.domain.team.orders.team_fulfilment import SANDBOX, has_started
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner
from giftsim.services.gifting.journey.traveller import Row, Traveller
from giftsim.services.gifting.records.approvals import APPROVABLE
from giftsim.services.gifting.records.placed import Placed
from giftsim.services.gifting.why.wording import MEMBERS, find_scheduled_actor

APPROVED, PAID, LINKED, CLAIMED = "approved", "paid", "sent a new link", "claimed"


class Condition(NamedTuple):
    """Something that somebody has to do. `done` says it as part of a condition, `what` as a sentence.

    `body` is that of the verb below `/simulate` which does it, None if an app does. `parcel` is the slot of the parcel
    that it is about, None if it is about all. `meet` does it, in a copy of the world. `ends_ms` is how long it can be
    done.
    """

    done: str
    what: str
    meet: Callable[[State], object]
    verb: str | None = None
    body: Mapping[str, Any] | None = None
    parcel: int | None = None
    ends_ms: int | None = None


def conditions(state: State, traveller: Traveller, rows: Sequence[Row]) -> Iterator[Condition]:
    """What could be done now, in order: approve, pay, and for each parcel of `rows` send a link and claim."""
    if traveller.placed is not None:
        yield from _approval(state, traveller)
        yield from _payment(state, traveller, {row.parcel.owner for row in rows})
    for row in rows:
        yield from _claim(state, traveller, row)


def _approval(state: State, traveller: Traveller) -> Iterator[Condition]:
    placed = traveller.placed
    assert placed is not None
    if placed.record is None or placed.resource is None:
        return
    record = state.table(_TABLES[placed.ref.kind]).get(placed.record.n)
    if record.status != team_order.AWAITING_APPROVAL:
        return
    pending = pending_approval(state, placed.resource, record.n)
    if pending is not None and _is_scheduled(state, pending.n):
        return
    member = MEMBERS[placed.ref.kind]
    yield Condition(
        APPROVED,
        "Somebody approves it",
        partial(_approve, traveller=traveller, member=member),
        "approval",
        {member: placed.ref.id, "decision": APPROVE},
        ends_ms=pending.expires_ms if pending else None,
    )


_TABLES: Final = {
    "order": team_order.TEAM_ORDERS.name,
    "gift": gift.GIFTS.name,
    "campaign": campaigns.CAMPAIGNS.name,
}


def _is_scheduled(state: State, approval: int) -> bool:
    """Whether an approval is decided by a timer: by an actor, or by a magic value of its note."""
    if find_scheduled_actor(state, APPROVER, approval) is not None:
        return True
    return bool(state.timers.owned("magic.approver", approval))


def _approve(state: State, traveller: Traveller, member: str) -> None:
    placed = traveller.placed
    assert placed is not None
    assert placed.record is not None
    resource, request = APPROVABLE[member]
    record = state.table(_TABLES[placed.ref.kind]).get(placed.record.n)
    approval = pending_approval(state, resource, record.n) or request(state, record, None)
    try:
        with state.transaction():
            decide_approval(state, approval, APPROVE)
    except PaymentRefused:
        _fund_team(state, record.owner, approval.amount_cents)
        decide_approval(state, approval, APPROVE)


def _payment(state: State, traveller: Traveller, orders: Set[int]) -> Iterator[Condition]:
    placed = traveller.placed
    assert placed is not None
    if placed.record is None:
        order = state[FULFILMENTS].get(placed.fulfilments[0].n)
        if isinstance(order, PartnerOrder) and order.status == UNPAID and not has_unknown_charge(state, order):
            yield Condition(PAID, "Your app pays for it", partial(_pay_order, n=order.n))
        return
    record = state.table(_TABLES[placed.ref.kind]).get(placed.record.n)
    if record.status != team_order.APPROVED or _has_started(state, placed):
        return
    unpaid = [(kind, slot) for kind, slot in _bills(state, traveller, orders) if payment_of(state, kind, slot) is None]
    if unpaid:
        yield Condition(PAID, "Your app pays for it", partial(_pay_bills, owner=record.owner, bills=unpaid))


def _has_started(state: State, placed: Placed) -> bool:
    """Whether the parcels of an order go on without its payment, which its bank took back (G435)."""
    return not isinstance(placed.record, Campaign) and has_started(state[FULFILMENTS].get(placed.fulfilments[0].n))


def _bills(state: State, traveller: Traveller, orders: Set[int]) -> Iterator[tuple[str, int]]:
    """What is to be paid: of a campaign, the batches with the parcels that travel."""
    placed = traveller.placed
    assert placed is not None
    if not isinstance(placed.record, Campaign):
        yield from placed.paid
        return
    for batch in campaigns.unpaid_batches(state, placed.record):
        if batch.fulfilment in orders:
            yield campaigns.BATCH_RESOURCE, batch.n


def _pay_order(state: State, n: int) -> None:
    """Pay for a partner's order as its app would when the account has enough."""
    order = partner_order(state, n)
    account = state[ACCOUNTS].get(order.account)
    _fund(state, msgspec.structs.replace(account, daily_limit_cents=None), order.total_cents)
    paid = charge_order(state, order, state[API_KEYS].get(order.key), ChargeFault())
    if isinstance(paid, PaymentRefused):
        raise paid


def _pay_bills(state: State, owner: str, bills: Sequence[tuple[str, int]]) -> None:
    tenant = tenant_of_owner(state, owner)
    for kind, slot in bills:
        cents = bill_of(state, kind, slot).total_cents
        _fund_team(state, owner, cents)
        pay_from_wallet(state, tenant, kind, slot, cents)


def _fund_team(state: State, owner: str, cents: int) -> None:
    _fund(state, balance_account(state, tenant_of_owner(state, owner).team), cents)


def _fund(state: State, account: Account, cents: int) -> None:
    """Let a copy of the world have the money."""
    state[ACCOUNTS].put(msgspec.structs.replace(account, cash_cents=account.cash_cents + cents))


def _claim(state: State, traveller: Traveller, row: Row) -> Iterator[Condition]:
    parcel, recipient = row.parcel, row.recipient
    if recipient is None or parcel.channel == SANDBOX or parcel.status not in (AWAITING, EXPIRED):
        return
    if parcel.since_ms is None or find_scheduled_actor(state, RECIPIENT, recipient.n) is not None:
        return
    names = _names(traveller, row)
    if parcel.status == EXPIRED:
        again = partial(_resend, n=recipient.n)
        yield Condition(LINKED, f"A new link goes to {row.name}", again, "claim_link", names, parcel.n)
        return
    claim = partial(_enter, n=recipient.n)
    yield Condition(CLAIMED, f"{row.name} says where it goes", claim, "claim", names, parcel.n, parcel.expires_at_ms)


def _names(traveller: Traveller, row: Row) -> Mapping[str, Any]:
    """How a body names a recipient."""
    assert traveller.placed is not None
    ref = traveller.placed.ref
    return {MEMBERS[ref.kind]: ref.id, "recipient": row.place}


def _resend(state: State, n: int) -> None:
    recipient = state[RECIPIENTS].get(n)
    order = state[FULFILMENTS].get(recipient.order)
    resend_link(state, order, recipient, state[SHIPMENTS].get(recipient.shipment))


def _enter(state: State, n: int) -> None:
    recipient = state[RECIPIENTS].get(n)
    order = state[FULFILMENTS].get(recipient.order)
    entry = default_claim_entry(state, order, recipient)
    claim_for_recipient(state, order, recipient, state[SHIPMENTS].get(recipient.shipment), entry)
