"""Errors of orders, claims and cancellations, with the documented codes where there is one.

Problem
├── BadOrder 400, in the order of the error table
│   ├── InvalidBody, ItemsRequired, InvalidItem, RecipientsRequired
│   └── MixedAddressModes, GiftSenderRequired, InvalidEvent
├── SkuNotFound, TeamOrderNotFound, RecipientNotFound, ClaimNotFound 404
├── NothingToCancel, PersonalizationReviewRequired, ClaimUnpaid, ClaimExhausted 409
├── ClaimUsed, ClaimExpired, ClaimCanceled 410
└── InvalidRecipients, InvalidClaim 422: `errors` name the fields
"""

from __future__ import annotations

from giftsim.problem import Problem


class BadOrder(Problem):
    """The request is not a valid order; nothing was created or charged."""

    status = 400
    code = "invalid_body"


class InvalidBody(BadOrder):
    """The body, or a member of it, is invalid."""


class ItemsRequired(BadOrder):
    """The request has no items."""

    code = "items_required"


class InvalidItem(BadOrder):
    """An item is not identified properly, or has options that the product does not have."""

    code = "invalid_item"


class RecipientsRequired(BadOrder):
    """The request has no recipients."""

    code = "recipients_required"


class MixedAddressModes(BadOrder):
    """Some recipients have an address and some do not."""

    code = "mixed_address_modes"


class GiftSenderRequired(BadOrder):
    """The order needs a gift sender and has none (B9)."""

    code = "gift_sender_required"


class InvalidEvent(BadOrder):
    """The event is malformed or its date has passed (B33)."""

    code = "invalid_event"


class SkuNotFound(Problem):
    """An item's id or code is not on the account."""

    status = 404
    code = "sku_not_found"


class TeamOrderNotFound(Problem):
    """The account has no such team order."""

    status = 404
    code = "team_order_not_found"


class RecipientNotFound(Problem):
    """The team order has no such recipient."""

    status = 404
    code = "recipient_not_found"


class NothingToCancel(Problem):
    """None of the requested recipients could be canceled; nothing changed."""

    status = 409
    code = "nothing_to_cancel"


class PersonalizationReviewRequired(Problem):
    """A product's personalization has not been reviewed for the account (B10)."""

    status = 409
    code = "personalization_review_required"


class InvalidRecipients(Problem):
    """Recipients are invalid: `errors` is `[{recipient_index, errors: [{field, message}]}]` (B51)."""

    status = 422
    code = "invalid_recipients"


class ClaimNotFound(Problem):
    """No claim link has this token."""

    status = 404
    code = "claim_not_found"


class ClaimUnpaid(Problem):
    """The order is not paid yet, so its claim links do not work (B20)."""

    status = 409
    code = "claim_unpaid"


class ClaimExhausted(Problem):
    """Every open seat of the shared link is taken."""

    status = 409
    code = "claim_exhausted"


class ClaimUsed(Problem):
    """The gift has already been claimed."""

    status = 410
    code = "claim_used"


class ClaimExpired(Problem):
    """The link has expired or was replaced by a newer one."""

    status = 410
    code = "claim_expired"


class ClaimCanceled(Problem):
    """The gift was canceled."""

    status = 410
    code = "claim_canceled"


class InvalidClaim(Problem):
    """The claim is invalid: `errors` is `[{field, message}]`."""

    status = 422
    code = "invalid_claim"
