"""Errors that only the control API answers with.

Problem
├── ForeignHost 403, ForeignOrigin 403, TokenMissing 401, Starting 503
├── KeyNotFound 404, ShipmentNotFound 404
├── PaymentNotFound 404, InvoiceNotFound 404, CertificateNotFound 404
├── GiftNotFound 404, CampaignNotFound 404, ApprovalNotFound 404
├── ContactNotFound 404, MailNotFound 404, PreviewNotFound 404, ProofNotFound 404
├── EndpointDisabled 409
└── Ambiguous 400: a body does not name exactly one subject
"""

from __future__ import annotations

from giftsim.engine.problem import Problem


class ForeignHost(Problem, status=403, code="foreign_host"):
    """The `Host` is not the simulator's own, as in DNS rebinding: a foreign name resolved to this machine (G20)."""


class ForeignOrigin(Problem, status=403, code="foreign_origin"):
    """The call comes from a page of another origin."""


class TokenMissing(Problem, status=401, code="unauthorized"):
    """The control token is missing or wrong."""


class Starting(Problem, status=503, code="starting"):
    """The default world is not ready yet."""


class KeyNotFound(Problem, status=404, code="key_not_found"):
    """The world has no such key."""


class ShipmentNotFound(Problem, status=404, code="shipment_not_found"):
    """The world has no such parcel."""


class EndpointDisabled(Problem, status=409, code="invalid_state"):
    """The endpoint is disabled, so nothing is sent to it."""


class PaymentNotFound(Problem, status=404, code="payment_not_found"):
    """The world's teams have no such payment, or none without an outcome."""


class InvoiceNotFound(Problem, status=404, code="invoice_not_found"):
    """The world's teams have no such invoice."""


class CertificateNotFound(Problem, status=404, code="certificate_not_found"):
    """The world's teams have no such tax certificate."""


class GiftNotFound(Problem, status=404, code="gift_not_found"):
    """The world's teams have no such gift."""


class CampaignNotFound(Problem, status=404, code="campaign_not_found"):
    """The world's teams have no such large campaign."""


class ContactNotFound(Problem, status=404, code="contact_not_found"):
    """The team's CRM has no such contact."""


class ApprovalNotFound(Problem, status=404, code="approval_not_found"):
    """The world's teams have no such approval."""


class MailNotFound(Problem, status=404, code="mail_not_found"):
    """The world has no such mail, or no longer."""


class PreviewNotFound(Problem, status=404, code="preview_not_found"):
    """The world's teams have no such preview."""


class ProofNotFound(Problem, status=404, code="proof_not_found"):
    """No order or campaign has such an item, or the item needs no proof."""


class Ambiguous(Problem, status=400, code="invalid_body"):
    """A body does not name exactly one subject or goal, or has members that exclude one another."""
