"""Orders, gifts and campaigns as JSON: their lists, and one with all that belongs to it (G40)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from giftsim.engine.control.pagination import list_records, page_of_records, rows_of_table
from giftsim.engine.control.world_access import current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.gateway.faults.webhook_faults import EVENT_TABLE
from giftsim.engine.gateway.record_kind import Kind
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.event import EVENT, Event
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.api_key import API_KEYS
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    TeamFulfilment,
    partner_order,
    recipient_counts,
)
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, Invoice
from giftsim.services.gifting.domain.team.billing.payment import SETTLED, payment_of, payment_status
from giftsim.services.gifting.domain.team.campaigns.campaign import Batch, Campaign, campaign_batches
from giftsim.services.gifting.domain.team.orders.gift import RESOURCE as GIFT_RESOURCE
from giftsim.services.gifting.domain.team.orders.gift import Gift
from giftsim.services.gifting.domain.team.orders.team_order import RESOURCE, TEAM_ORDERS, TeamOrder
from giftsim.services.gifting.domain.team.tenant import TenantRecord, is_live
from giftsim.services.gifting.records.gifting_kinds import (
    APPROVAL,
    CAMPAIGN,
    CHARGE,
    GIFT,
    PARCEL,
    PAYMENT,
    team_id,
)
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.records.money import charge_view, invoice_view, ledger_entry_view, payment_view
from giftsim.services.gifting.records.named import read_id, require_record
from giftsim.services.gifting.records.order_searches import CAMPAIGN_SEARCH, GIFT_SEARCH, ORDER_SEARCH
from giftsim.services.gifting.records.parcels import claim_link, parcel_view
from giftsim.services.gifting.records.placed import (
    MAX_ROWS,
    Parts,
    Placed,
    parts_of,
    placed_campaign,
    placed_gift,
    placed_order,
)
from giftsim.services.gifting.records.timeline import timeline
from giftsim.services.gifting.records.titles import campaign_title, gift_title, order_title


def order_view(world: World, state: State, order: Fulfilment) -> dict[str, Any]:
    """The summary of a partner's team order or a team's order."""
    return {
        **_status_and_money(state, order),
        "title": order_title(state, order),
        "created_at": format_instant(order.made_at_ms),
        "paid_at": instant_or_null(order.paid_at_ms),
        "name": order.name,
        "reference": order.reference,
        "address_mode": order.address_mode,
        "summary": recipient_counts(order),
        "shared_claim_link": claim_link(world, order.share_token),
        "total_cents": order.total_cents,
    }


def _status_and_money(state: State, order: Fulfilment) -> dict[str, Any]:
    if isinstance(order, TeamFulfilment):
        return _team_order(state, state[TEAM_ORDERS].get(order.subject))
    order = partner_order(state, order.n)
    return {
        "id": order.id,
        "account_id": state[ACCOUNTS].get(order.account).id,
        "team_id": None,
        "key": credential_name(state[API_KEYS].get(order.key)),
        "status": order.status,
        "charged_cents": order.charged_cents,
        "refunded_cents": order.refunded_wallet_cents + order.refunded_card_cents,
    }


def _team_order(state: State, order: TeamOrder) -> dict[str, Any]:
    payment = payment_of(state, RESOURCE, order.n)
    return {
        "id": order.id,
        "account_id": None,
        "team_id": team_id(state, order.owner),
        "key": None if order.key is None else credential_name(state[API_KEYS].get(order.key)),
        "status": order.status,
        "charged_cents": payment.amount_cents if payment and payment.status == SETTLED else 0,
        "refunded_cents": payment.refunded_cents if payment else 0,
    }


def gift_view(state: State, gift: Gift) -> dict[str, Any]:
    """The summary of a gift send."""
    fulfilment = state[FULFILMENTS].get(gift.fulfilment)
    return {
        "id": gift.id,
        "title": gift_title(state, gift),
        **_owner(state, gift, gift.key),
        "status": gift.status,
        "payment_status": payment_status(state, payment_of(state, GIFT_RESOURCE, gift.n)),
        "contents": gift.slug or ", ".join(item.name for item in fulfilment.items),
        "message": gift.message,
        "rule_id": gift.rule,
        "summary": recipient_counts(fulfilment),
        "total_cents": fulfilment.total_cents,
        "created_at": format_instant(gift.created_ms),
        "sent_at": instant_or_null(gift.sent_ms),
    }


def campaign_view(state: State, campaign: Campaign) -> dict[str, Any]:
    """The summary of a large campaign. `total_cents` counts the prepared batches."""
    parts = campaign_batches(state, campaign)
    prepared = [state[FULFILMENTS].get(batch.fulfilment) for batch in parts if batch.fulfilment is not None]
    return {
        "id": campaign.id,
        "title": campaign_title(campaign),
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


def detail_view(world: World, state: State, placed: Placed) -> dict[str, Any]:
    """The details of an order, gift or campaign: items, the first recipients, money, timeline, what is due, events."""
    parts = parts_of(state, placed)
    first = placed.fulfilments[0] if placed.fulfilments else None
    items = first.items if first else getattr(placed.record, "items", ())
    return {
        "items": [
            {"code": item.code, "name": item.name, "quantity": item.quantity, "price_cents": item.price_cents}
            for item in items
        ],
        "recipient_count": placed.recipient_count,
        "recipients": [parcel_view(world, state, shipment) for _, shipment in parts.rows],
        "batches": [_batch(state, batch) for batch in parts.batches],
        "money": _money(state, placed, parts),
        "timeline": timeline(world, state, placed, parts),
        "due": sorted(_due(state, parts), key=lambda row: str(row["due"])),
        "events": [_event(event) for event in islice(_events(state, placed), MAX_ROWS)],
    }


def _owner(state: State, record: TenantRecord, key: int | None) -> dict[str, Any]:
    return {
        "team_id": team_id(state, record.owner),
        "key": None if key is None else credential_name(state[API_KEYS].get(key)),
        "livemode": is_live(record),
    }


def _money(state: State, placed: Placed, parts: Parts) -> dict[str, Any]:
    orders = placed.fulfilments
    invoices: list[Invoice] = []
    for kind, slot in placed.paid:
        invoices += state[INVOICES].rows_in("resource", f"{kind} {slot}")
    settled = [payment for payment in parts.payments if payment.status == "settled"]
    return {
        "subtotal_cents": sum(each.subtotal_cents for each in orders),
        "shipping_cents": sum(each.shipping_cents for each in orders),
        "event_fees_cents": sum(each.event_fees_cents for each in orders),
        "total_cents": sum(each.total_cents for each in orders),
        "charged_cents": sum(each.charged_cents for each in orders) + sum(each.amount_cents for each in settled),
        "refunded_cents": sum(each.refunded_wallet_cents + each.refunded_card_cents for each in orders)
        + sum(payment.refunded_cents for payment in settled),
        "charges": [charge_view(state, charge) for charge in parts.charges],
        "payments": [payment_view(state, payment) for payment in parts.payments],
        "invoices": [invoice_view(state, invoice) for invoice in invoices],
        "refunds": [ledger_entry_view(state, entry) for entry in parts.refunds],
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
    """The timers of the records, with their reasons."""
    timed: list[tuple[Kind[Any], Sequence[Any]]] = [
        (PARCEL, [parcel for _, parcel in parts.rows]),
        (CHARGE, parts.charges),
        (PAYMENT, parts.payments),
        (APPROVAL, parts.approvals),
    ]
    for kind, records in timed:
        for record in records:
            for timer in state.timers.owned(kind.timer_owners[0], record.n):
                yield {
                    "due": format_instant(timer.due_ms),
                    "kind": timer.kind,
                    "because": timer.because,
                    "subject": kind.itself(record),
                }


def _events(state: State, placed: Placed) -> Iterator[Event]:
    """The events about an order, gift or campaign, newest first, back to its creation."""
    table, table_of = state[EVENT], state.handler(EVENT_TABLE)
    kind, slots = placed.subjects
    for n in range(table.next_n - 1, -1, -1):
        event = table.get(n)
        if event.occurred_ms < placed.created_ms:
            return
        if event.subject in slots and table_of(event) == kind.table.name:
            yield event


def _event(event: Event) -> Mapping[str, Any]:
    return {"seq": event.n + 1, "id": event.id, "type": event.kind, "at": format_instant(event.occurred_ms)}


def list_orders(call: Call) -> Response:
    """List the team orders of all accounts and teams."""
    with current_state(call.world) as state:
        view = partial(order_view, call.world, state)
        return page_of_records(call, state, ORDER_SEARCH, rows_of_table(state[FULFILMENTS]), view, keep=_is_order)


def list_gifts(call: Call) -> Response:
    """List the gift sends of all teams."""
    return list_records(call, GIFT_SEARCH, gift_view)


def list_campaigns(call: Call) -> Response:
    """List the large campaigns of all teams."""
    return list_records(call, CAMPAIGN_SEARCH, campaign_view)


def get_order(call: Call) -> Response:
    """Read an order with its recipients, money, timeline and events."""
    with current_state(call.world) as state:
        placed = placed_order(state, read_id(call.params["id"]))
        [fulfilment] = placed.fulfilments
        summary = order_view(call.world, state, fulfilment)
        return Response(200, {"order": summary, **detail_view(call.world, state, placed)})


def get_gift(call: Call) -> Response:
    """Read a gift send with its recipients, money, timeline and events."""
    with current_state(call.world) as state:
        gift = require_record(state, GIFT, read_id(call.params["id"]))
        detail = detail_view(call.world, state, placed_gift(state, gift))
        return Response(200, {"gift": gift_view(state, gift), **detail})


def get_campaign(call: Call) -> Response:
    """Read a large campaign with its batches, recipients, money, timeline and events."""
    with current_state(call.world) as state:
        campaign = require_record(state, CAMPAIGN, read_id(call.params["id"]))
        detail = detail_view(call.world, state, placed_campaign(state, campaign))
        return Response(200, {"campaign": campaign_view(state, campaign), **detail})


def _is_order(order: Fulfilment) -> bool:
    """Whether a fulfilment is that of an order, not of a gift or a batch."""
    return not isinstance(order, TeamFulfilment) or order.resource == RESOURCE
