"""The JSON of gift sends. Recipients have an id and a name, never an email (A7.1, T-4.38)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import latest_approval
from giftsim.services.gifting.domain.team.orders.gift import (
    COLLECTION,
    GIFTS,
    ITEM,
    ITEMS,
    RESOURCE,
    Gift,
    RecipientSource,
    TimelineEntry,
    find_gift,
    fulfilment_of,
    recipient_status,
    timeline,
)
from giftsim.services.gifting.domain.team.orders.gift_creation import create_gift
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.orders import bundle_view, menu_view, totals_view
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page, single_page
from giftsim.services.gifting.interfaces.team.payments import summarize_payment
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def sent_view(state: State, tenant: Tenant, gift: Gift) -> dict[str, Any]:
    """The response to a send: ids and a status only."""
    approval, fulfilment = latest_approval(state, RESOURCE, gift.n), fulfilment_of(state, gift)
    return {
        "id": gift.id,
        "status": gift.status,
        "approval_id": approval.id if approval else None,
        "recipients": [
            {
                "id": team_fulfilment.recipient_id(state, fulfilment, recipient.n),
                "status": recipient_status(gift, shipment),
            }
            for recipient, shipment in team_fulfilment.named_recipients(state, fulfilment)
        ],
        "livemode": tenant.livemode,
    }


def gift_view(state: State, tenant: Tenant, gift: Gift) -> dict[str, Any]:
    """A gift send with its recipients and payment."""
    fulfilment, payment, approval = (
        fulfilment_of(state, gift),
        summarize_payment(state, RESOURCE, gift.n),
        latest_approval(state, RESOURCE, gift.n),
    )
    recipients = zip(team_fulfilment.named_recipients(state, fulfilment), gift.sources, strict=True)
    return {
        "id": gift.id,
        "status": gift.status,
        "payment_status": payment.payment_status,
        "gift": _content(state, gift, fulfilment),
        "message": gift.message,
        "mode": gift.mode,
        "gift_choices": menu_view(state, fulfilment.menu),
        "recipients": [_recipient(state, gift, fulfilment, row, source) for row, source in recipients],
        "totals": totals_view(fulfilment.subtotal_cents, fulfilment.shipping_cents),
        "approval_id": approval.id if approval else None,
        "rule_id": gift.rule,
        "invoice_id": payment.invoice_id,
        "receipt_id": payment.receipt_id,
        "payment_id": payment.payment_id,
        "livemode": tenant.livemode,
        "created_at": format_instant(gift.created_ms),
    }


def timeline_view(state: State, gift: Gift, entry: TimelineEntry) -> dict[str, Any]:
    """An entry of a gift's timeline."""
    recipient, fulfilment = entry.recipient, fulfilment_of(state, gift)
    return {
        "at": format_instant(entry.at_ms),
        "kind": entry.kind,
        "recipient_id": None if recipient is None else team_fulfilment.recipient_id(state, fulfilment, recipient),
        "status": entry.status,
        "decision": entry.decision,
    }


def _content(state: State, gift: Gift, fulfilment: Fulfilment) -> dict[str, Any]:
    return {
        COLLECTION: gift.slug if gift.chosen == COLLECTION else None,
        ITEM: gift.slug if gift.chosen == ITEM else None,
        ITEMS: bundle_view(state, fulfilment.items) if gift.chosen == ITEMS else None,
    }


def _recipient(
    state: State, gift: Gift, fulfilment: Fulfilment, row: tuple[Recipient, Shipment], source: RecipientSource
) -> dict[str, Any]:
    recipient, shipment = row
    return {
        "id": team_fulfilment.recipient_id(state, fulfilment, recipient.n),
        "name": recipient.name,
        "person_id": source.person,
        "crm": msgspec.to_builtins(source.crm),
        "status": recipient_status(gift, shipment),
        "carrier": shipment.carrier,
        "tracking_number": shipment.tracking_number,
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
    }


def send_gift(call: Call) -> Response:
    """Create a gift send, held for a human's approval. The response has ids and a status only."""
    gift = create_gift(call.state, call.caller.tenant, call.caller.key.n, call.body)
    return Response(201, sent_view(call.state, call.caller.tenant, gift))


def list_gifts(call: Call) -> Response:
    """List gift sends."""
    state, tenant = call.state, call.caller.tenant
    slots = state[GIFTS].slots_in("owner", tenant.owner)
    return respond_with_page(call, "gifts", slots, lambda n: gift_view(state, tenant, state[GIFTS].get(n)))


def get_gift(call: Call) -> Response:
    """Read a gift send."""
    return Response(200, gift_view(call.state, call.caller.tenant, call.subject))


def get_gift_timeline(call: Call) -> Response:
    """Read the timeline of a gift send, oldest first."""
    moments = timeline(call.state, call.subject.n)
    return single_page(timeline_view(call.state, call.subject, moment) for moment in moments)


FINDERS: Final[Mapping[str, Finder]] = {"gift": lambda call, raw: find_gift(call.state, call.caller.tenant, raw)}
