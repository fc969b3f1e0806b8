"""Orders, gifts and campaigns, to read: their lists, and one with all that belongs to it (G40)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from giftsim.control import money
from giftsim.control import world_data as views
from giftsim.control.credentials import credential_name
from giftsim.control.order_lookup import find_campaign, find_gift
from giftsim.control.pagination import filtered_page, rows_of_table
from giftsim.control.record_search import (
    GIFT_STATUSES,
    ORDER_STATUSES,
    campaign_filter,
    gift_filter,
    is_order,
    order_rows,
    order_status,
)
from giftsim.control.records import CAMPAIGN, Sending, campaign_sending, find_order, gift_sending, read_id
from giftsim.control.timeline import Parts, timeline
from giftsim.control.world_access import current_state
from giftsim.control.world_data import order_view
from giftsim.domain.api_key import API_KEYS
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, parcel_slots, recipient_counts
from giftsim.domain.fulfilment.order_charge import PURPOSE
from giftsim.domain.fulfilment.shipment import SHIPMENT, Shipment
from giftsim.domain.money.account import ENTRIES, Entry
from giftsim.domain.money.charge import CHARGE, CHARGES, Charge
from giftsim.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.domain.team.billing.payment import PAYMENT, PAYMENTS, Payment, payment_of, payment_status
from giftsim.domain.team.campaigns.campaign import CAMPAIGN as CAMPAIGN_MACHINE
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS, Batch, Campaign, batches
from giftsim.domain.team.orders.approval import APPROVAL, APPROVALS, Approval
from giftsim.domain.team.orders.gift import GIFTS, Gift
from giftsim.domain.team.orders.gift import RESOURCE as GIFT
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import TenantRecord, is_live, tenant_of_owner
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.state import State
from giftsim.kernel.state_machine import Machine
from giftsim.webhooks.event import EVENT, Event
from giftsim.worlds.world import World

MAX_ROWS = 50


def gift_view(state: State, gift: Gift) -> dict[str, Any]:
    """The summary of a gift send."""
    fulfilment = state[FULFILMENTS].get(gift.fulfilment)
    return {
        "id": gift.id,
        **_owner(state, gift, gift.key),
        "status": gift.status,
        "payment_status": payment_status(payment_of(state, GIFT, gift.n)),
        "contents": gift.slug or ", ".join(item.name for item in fulfilment.items),
        "message": gift.message,
        "rule_id": gift.rule,
        "summary": recipient_counts(fulfilment),
        "total_cents": fulfilment.total_cents,
        "created_at": format_instant(gift.created_ms),
        "sent_at": instant_or_null(gift.sent_ms),
    }


def campaign_view(state: State, campaign: Campaign) -> dict[str, Any]:
    """The summary of a large campaign; `total_cents` is that of the batches that are prepared."""
    parts = batches(state, campaign)
    prepared = [state[FULFILMENTS].get(batch.fulfilment) for batch in parts if batch.fulfilment is not None]
    return {
        "id": campaign.id,
        **_owner(state, campaign, campaign.key),
        "name": campaign.name,
        "status": campaign.status,
        "contents": campaign.collection or ", ".join(item.name for item in campaign.items),
        "message": campaign.gift_message,
        "recipient_count": campaign.recipient_count,
        "batches": dict(Counter(batch.status for batch in parts)),
        "total_cents": sum(each.total_cents for each in prepared),
        "created_at": format_instant(campaign.created_ms),
    }


def detail_view(world: World, state: State, sending: Sending) -> dict[str, Any]:
    """What belongs to an order, gift or campaign: items, the first recipients, money, timeline, what is due, events."""
    parts = _parts(state, sending)
    first = sending.fulfilments[0] if sending.fulfilments else None
    items = first.items if first else getattr(sending.record, "items", ())
    return {
        "items": [
            {"code": item.code, "name": item.name, "quantity": item.quantity, "price_cents": item.price_cents}
            for item in items
        ],
        "recipient_count": sending.recipient_count,
        "recipients": [views.parcel_view(world, state, shipment) for _, shipment in parts.rows],
        "batches": [_batch(state, batch) for batch in parts.batches],
        "money": _money(state, sending, parts),
        "timeline": timeline(world, state, sending, parts),
        "due": sorted(_due(state, parts), key=lambda row: str(row["due"])),
        "events": [_event(event) for event in islice(_events(state, sending), MAX_ROWS)],
    }


def _owner(state: State, record: TenantRecord, key: int | None) -> dict[str, Any]:
    return {
        "team_id": state[TEAMS].get(tenant_of_owner(state, record.owner).team).id,
        "key": None if key is None else credential_name(state[API_KEYS].get(key)),
        "livemode": is_live(record),
    }


def _parts(state: State, sending: Sending) -> Parts:
    payments = [row for kind, slot in sending.paid for row in state[PAYMENTS].rows_in("resource", f"{kind} {slot}")]
    record = sending.record
    approvals: Sequence[Approval] = []
    if record is not None:
        approvals = state[APPROVALS].rows_in("resource", f"{sending.resource} {record.n}")
    return Parts(
        sending.rows(state, MAX_ROWS),
        charges := _charges(state, sending, payments),
        payments,
        approvals,
        batches(state, record) if isinstance(record, Campaign) else [],
        _refunds(state, sending, payments, charges),
    )


def _charges(state: State, sending: Sending, payments: Sequence[Payment]) -> Sequence[Charge]:
    """The charges of payments, or those of a partner's order, also the ones that failed."""
    if sending.record is not None:
        return [state[CHARGES].get(payment.charge) for payment in payments if payment.charge is not None]
    slot = sending.fulfilments[0].n
    rows = state[CHARGES].rows
    return [charge for charge in rows if charge is not None and charge.subject == slot and charge.purpose == PURPOSE]


def _refunds(state: State, sending: Sending, payments: Sequence[Payment], charges: Sequence[Charge]) -> Sequence[Entry]:
    """The refunds in the ledger. Only the entries of the account that was charged are read."""
    refunded = any(payment.refunded_cents for payment in payments) or any(
        order.refunded_wallet_cents + order.refunded_card_cents for order in sending.fulfilments
    )
    if not refunded:
        return []
    refs = {*(order.ref for order in sending.fulfilments), *(f"payment {payment.n}" for payment in payments)}
    owners = dict.fromkeys(f"account {charge.account}" for charge in charges)
    rows = (entry for owner in owners for entry in state[ENTRIES].rows_in("owner", owner))
    return [entry for entry in rows if entry.kind == "refund" and entry.ref in refs]


def _money(state: State, sending: Sending, parts: Parts) -> dict[str, Any]:
    orders = sending.fulfilments
    invoices: list[Invoice] = []
    for kind, slot in sending.paid:
        invoices += state[INVOICES].rows_in("resource", f"{kind} {slot}")
    settled = [payment for payment in parts.payments if payment.status == "settled"]
    return {
        "subtotal_cents": sum(each.subtotal_cents for each in orders),
        "shipping_cents": sum(each.shipping_cents for each in orders),
        "event_fees_cents": sum(each.event_fees_cents for each in orders),
        "total_cents": sum(each.total_cents for each in orders),
        "charged_cents": sum(each.charged_cents for each in orders) + sum(each.amount_cents for each in settled),
        "refunded_cents": sum(each.refunded_wallet_cents + each.refunded_card_cents for each in orders)
        + sum(payment.refunded_cents for payment in parts.payments),
        "charges": [views.payment_view(state, charge) for charge in parts.charges],
        "payments": [money.payment_view(state, payment) for payment in parts.payments],
        "invoices": [money.invoice_view(state, invoice) for invoice in invoices],
        "refunds": [views.ledger_entry_view(state, entry) for entry in parts.refunds],
    }


def _batch(state: State, batch: Batch) -> dict[str, Any]:
    fulfilment = None if batch.fulfilment is None else state[FULFILMENTS].get(batch.fulfilment)
    return {
        "number": batch.number,
        "status": batch.status,
        "recipient_count": batch.recipient_count,
        "total_cents": fulfilment.total_cents if fulfilment else None,
        "prepared_at": instant_or_null(batch.prepared_ms),
        "paid_at": instant_or_null(batch.paid_ms),
    }


def _due(state: State, parts: Parts) -> Iterator[dict[str, Any]]:
    """The timers of the records, with why they are due."""
    timed: list[tuple[Machine[Any], str, Sequence[Any]]] = [
        (SHIPMENT, "parcel", [shipment for _, shipment in parts.rows]),
        (CHARGE, "charge", parts.charges),
        (PAYMENT, "payment", parts.payments),
        (APPROVAL, "approval", parts.approvals),
    ]
    for machine, kind, records in timed:
        for record in records:
            for timer in state.timers.owned(machine.name, record.n):
                yield {
                    "due": format_instant(timer.due_ms),
                    "kind": timer.kind,
                    "because": timer.because,
                    "subject": {"kind": kind, "id": _public_id(record)},
                }


def _public_id(record: Any) -> Any:
    if isinstance(record, Shipment):
        return record.order_id
    return record.transaction_id if isinstance(record, Charge) else record.id


def _events(state: State, sending: Sending) -> Iterator[Event]:
    """The events about a sending, newest first, back to its creation."""
    table, about = state[EVENT], _event_test(sending)
    for n in range(table.next_n - 1, -1, -1):
        event = table.get(n)
        if event.occurred_ms < sending.created_ms:
            return
        if about(event):
            yield event


def _event_test(sending: Sending) -> Any:
    record = sending.record
    if record is None:
        [order] = sending.fulfilments
        owner, parcels = f"account {order.account}", parcel_slots(order)
        return lambda event: event.owner == owner and event.subject in parcels
    noun = {"order": "team_order.", "gift": "gift.", "campaign": "gift."}[sending.kind]
    is_campaign = sending.kind == CAMPAIGN
    return lambda event: (
        event.subject == record.n
        and event.owner == record.owner
        and event.kind.startswith(noun)
        and (("campaign_id" in dict(event.facts)) is is_campaign)
    )


def _event(event: Event) -> Mapping[str, Any]:
    return {"seq": event.n + 1, "id": event.id, "type": event.kind, "at": format_instant(event.occurred_ms)}


def list_orders(call: Call) -> Response:
    """List the team orders of all accounts and teams."""
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "orders",
            order_rows(state, call.query["q"]),
            lambda row: order_view(call.world, state, row),
            keep=is_order,
            status=partial(order_status, state),
            statuses=ORDER_STATUSES,
        )


def list_gifts(call: Call) -> Response:
    """List the gift sends of all teams."""
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "gifts",
            rows_of_table(state[GIFTS]),
            partial(gift_view, state),
            keep=gift_filter(state, call.query["q"]),
            status=lambda row: row.status,
            statuses=GIFT_STATUSES,
        )


def list_campaigns(call: Call) -> Response:
    """List the large campaigns of all teams."""
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "campaigns",
            rows_of_table(state[CAMPAIGNS]),
            partial(campaign_view, state),
            keep=campaign_filter(call.query["q"]),
            status=lambda row: row.status,
            statuses=CAMPAIGN_MACHINE.states,
        )


def get_order(call: Call) -> Response:
    """Read an order with its recipients, money, timeline and events."""
    with current_state(call.world) as state:
        sending = find_order(state, call.params["id"])
        [fulfilment] = sending.fulfilments
        summary = order_view(call.world, state, fulfilment)
        return Response(200, {"order": summary, **detail_view(call.world, state, sending)})


def get_gift(call: Call) -> Response:
    """Read a gift send with its recipients, money, timeline and events."""
    with current_state(call.world) as state:
        gift = find_gift(state, read_id(call.params["id"]))
        detail = detail_view(call.world, state, gift_sending(state, gift))
        return Response(200, {"gift": gift_view(state, gift), **detail})


def get_campaign(call: Call) -> Response:
    """Read a large campaign with its batches, recipients, money, timeline and events."""
    with current_state(call.world) as state:
        campaign = find_campaign(state, read_id(call.params["id"]))
        detail = detail_view(call.world, state, campaign_sending(state, campaign))
        return Response(200, {"campaign": campaign_view(state, campaign), **detail})
