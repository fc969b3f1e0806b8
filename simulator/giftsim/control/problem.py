"""Errors that only the control API answers with.

Problem
├── ForeignHost 403, ForeignOrigin 403, TokenMissing 401, Starting 503
├── KeyNotFound 404, ShipmentNotFound 404
├── PaymentNotFound 404, InvoiceNotFound 404, CertificateNotFound 404
├── GiftNotFound 404, CampaignNotFound 404, ApprovalNotFound 404
├── ContactNotFound 404, MailNotFound 404, ProofNotFound 404
└── Ambiguous 400: a body does not name exactly one subject
"""

from __future__ import annotations

from giftsim.problem import Problem


class ForeignHost(Problem):
    """The `Host` is not the simulator's own, as in DNS rebinding: a foreign name resolved to this machine (G20)."""

    status = 403
    code = "foreign_host"


class ForeignOrigin(Problem):
    """The call comes from a page of another origin."""

    status = 403
    code = "foreign_origin"


class TokenMissing(Problem):
    """The control token is missing or wrong."""

    status = 401
    code = "unauthorized"


class Starting(Problem):
    """The default world is not ready yet."""

    status = 503
    code = "starting"


class KeyNotFound(Problem):
    """The world has no such key."""

    status = 404
    code = "key_not_found"


class ShipmentNotFound(Problem):
    """The world has no such parcel."""

    status = 404
    code = "shipment_not_found"


class PaymentNotFound(Problem):
    """The world's teams have no such payment, or none without an outcome."""

    status = 404
    code = "payment_not_found"


class InvoiceNotFound(Problem):
    """The world's teams have no such invoice."""

    status = 404
    code = "invoice_not_found"


class CertificateNotFound(Problem):
    """The world's teams have no such tax certificate."""

    status = 404
    code = "certificate_not_found"


class GiftNotFound(Problem):
    """The world's teams have no such gift."""

    status = 404
    code = "gift_not_found"


class CampaignNotFound(Problem):
    """The world's teams have no such large campaign."""

    status = 404
    code = "campaign_not_found"


class ContactNotFound(Problem):
    """The team's CRM has no such contact."""

    status = 404
    code = "contact_not_found"


class ApprovalNotFound(Problem):
    """The world's teams have no such approval."""

    status = 404
    code = "approval_not_found"


class MailNotFound(Problem):
    """The world has no such mail, or no longer."""

    status = 404
    code = "mail_not_found"


class ProofNotFound(Problem):
    """No order or campaign has such an item, or the item needs no proof."""

    status = 404
    code = "proof_not_found"


class Ambiguous(Problem):
    """A body does not name exactly one subject or goal, or has members that exclude one another."""

    status = 400
    code = "invalid_body"
