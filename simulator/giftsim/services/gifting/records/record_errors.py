"""Errors of the control API for records of gifting that there are not.

Problem
├── ShipmentNotFound 404
├── PaymentNotFound 404, InvoiceNotFound 404, CertificateNotFound 404
├── GiftNotFound 404, CampaignNotFound 404, ApprovalNotFound 404
├── ContactNotFound 404, ProviderNotFound 404, PersonNotFound 404
└── MailNotFound 404, PreviewNotFound 404, ProofNotFound 404
"""

from __future__ import annotations

from giftsim.engine.problem import Problem


class ShipmentNotFound(Problem, status=404, code="shipment_not_found"):
    """The world has no such parcel."""


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


class ProviderNotFound(Problem, status=404, code="provider_not_found"):
    """No team of the world has connected this CRM provider."""


class PersonNotFound(Problem, status=404, code="person_not_found"):
    """Nobody on the team's roster has this email."""


class ApprovalNotFound(Problem, status=404, code="approval_not_found"):
    """The world's teams have no such approval."""


class MailNotFound(Problem, status=404, code="mail_not_found"):
    """The world has no such mail, or no longer."""


class PreviewNotFound(Problem, status=404, code="preview_not_found"):
    """The world's teams have no such preview."""


class ProofNotFound(Problem, status=404, code="proof_not_found"):
    """No order or campaign has such an item, or the item needs no proof."""
