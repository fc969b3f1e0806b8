"""What the partner interface answers to a call."""

from __future__ import annotations

from typing import Any, NamedTuple

# The status of each error code (001, section 7; B2, G35 for the two that the documents do not name).
STATUS_OF = {
    "invalid_body": 400, "items_required": 400, "invalid_item": 400, "recipients_required": 400,
    "mixed_address_modes": 400, "gift_sender_required": 400, "invalid_event": 400,
    "insufficient_funds": 402, "insufficient_funds_no_card": 402, "credit_limit_exceeded": 402,
    "daily_spend_limit_exceeded": 402, "card_charge_failed": 402,
    "sku_not_found": 404, "team_order_not_found": 404, "recipient_not_found": 404, "endpoint_not_found": 404,
    "idempotency_payload_mismatch": 409, "idempotency_outcome_unknown": 409, "nothing_to_cancel": 409,
    "too_many_endpoints": 409, "personalization_review_required": 409, "nothing_to_settle": 409,
    "invalid_recipients": 422,
}  # fmt: skip


class Reply(NamedTuple):
    """A status, for an error its code, and the JSON: all of a success, of an error what stands beside `error`."""

    status: int
    code: str = ""
    json: Any = None


def refused(code: str, **beside: Any) -> Reply:
    """An error of the partner interface; nothing was created or changed, but for the unpaid order of a 402."""
    return Reply(STATUS_OF[code], code, beside)
