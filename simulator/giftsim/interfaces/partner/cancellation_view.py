"""The response to a cancellation (P-2.33 to P-2.37)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.cancellation import CanceledRecipient, Cancellation
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import Shipment


def cancellation(done: Cancellation) -> dict[str, Any]:
    """Three lists: recipients canceled now, recipients skipped with the reason, and recipients canceled before."""
    return {
        "ok": True,
        "team_order_id": done.order.id,
        "canceled": [_canceled(row) for row in done.canceled],
        "skipped": [{**_ids(row.recipient, row.shipment), "reason": row.reason} for row in done.skipped],
        "already_canceled": [_ids(*row) for row in done.already_canceled],
        "refunded_cents": done.refunded_cents,
    }


def _canceled(row: CanceledRecipient) -> dict[str, Any]:
    refund = {
        "wallet_cents": row.wallet_cents,
        "card_cents": row.card_cents,
        "total_cents": row.wallet_cents + row.card_cents,
    }
    return {**_ids(row.recipient, row.shipment), "was_paid": row.was_paid, "refund": refund}


def _ids(recipient: Recipient, shipment: Shipment) -> dict[str, Any]:
    return {
        "recipient_id": recipient.id,
        "order_id": shipment.order_id,
        "external_id": shipment.external_id,
    }
