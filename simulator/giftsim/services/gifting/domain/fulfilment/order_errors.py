"""Errors of orders, claims and cancellations, with the documented codes where there is one.

Problem
├── BadOrder 400, in the order of the error table
│   ├── InvalidBody, ItemsRequired, InvalidItem, RecipientsRequired
│   └── MixedAddressModes, GiftSenderRequired, InvalidParty
├── SkuNotFound, TeamOrderNotFound, RecipientNotFound, ClaimNotFound 404
├── NothingToCancel, PersonalizationReviewRequired, ClaimUnpaid, ClaimExhausted 409
├── ClaimUsed, ClaimExpired, ClaimCanceled 410
└── InvalidRecipients, InvalidClaim 422: `errors` name the fields
"""

from __future__ import annotations

from giftsim.engine.problem import Problem


class BadOrder(Problem, status=400, code="invalid_body"):
    """The request is not a valid order; nothing was created or charged."""


class InvalidBody(BadOrder):
    """The body, or a member of it, is invalid."""


class ItemsRequired(BadOrder, code="items_required"):
    """The request has no items."""


class InvalidItem(BadOrder, code="invalid_item"):
    """An item is not identified properly, or has options that the product does not have."""


class RecipientsRequired(BadOrder, code="recipients_required"):
    """The request has no recipients."""


class MixedAddressModes(BadOrder, code="mixed_address_modes"):
    """Some recipients have an address and some do not."""


class GiftSenderRequired(BadOrder, code="gift_sender_required"):
    """The order needs a gift sender and has none (B9)."""


class InvalidParty(BadOrder, code="invalid_event"):
    """The party is malformed or its date has passed (B33)."""


class SkuNotFound(Problem, status=404, code="sku_not_found"):
    """An item's id or code is not on the account."""


class TeamOrderNotFound(Problem, status=404, code="team_order_not_found"):
    """The account has no such team order."""


class RecipientNotFound(Problem, status=404, code="recipient_not_found"):
    """The team order has no such recipient."""


class NothingToCancel(Problem, status=409, code="nothing_to_cancel"):
    """None of the requested recipients could be canceled; nothing changed."""


class PersonalizationReviewRequired(Problem, status=409, code="personalization_review_required"):
    """A product's personalization has not been reviewed for the account (B10)."""


class InvalidRecipients(Problem, status=422, code="invalid_recipients"):
    """Recipients are invalid: `errors` is `[{recipient_index, errors: [{field, message}]}]` (B51)."""


class ClaimNotFound(Problem, status=404, code="claim_not_found"):
    """No claim link has this token."""


class ClaimUnpaid(Problem, status=409, code="claim_unpaid"):
    """The order is not paid yet, so its claim links do not work (B20)."""


class ClaimExhausted(Problem, status=409, code="claim_exhausted"):
    """Every open seat of the shared link is taken."""


class ClaimUsed(Problem, status=410, code="claim_used"):
    """The gift has already been claimed."""


class ClaimExpired(Problem, status=410, code="claim_expired"):
    """The link has expired or was replaced by a newer one."""


class ClaimCanceled(Problem, status=410, code="claim_canceled"):
    """The gift was canceled."""


class InvalidClaim(Problem, status=422, code="invalid_claim"):
    """The claim is invalid: `errors` is `[{field, message}]`."""
