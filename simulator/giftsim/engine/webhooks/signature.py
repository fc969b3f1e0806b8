"""Webhook signatures, with which a receiver verifies sender and age (P-6.12 to P-6.14, B43): see `giftsim.verify`."""

from __future__ import annotations

import hmac

HEADER = "X-Service-Signature"
EVENT_HEADER = "X-Service-Event"  # the event's kind (P-6.10)
EVENT_ID_HEADER = "X-Service-Event-Id"  # the body's `id` (P-6.11)

TOLERANCE_S = 300


def signature_digest(secret: str, t: int, body: bytes) -> str:
    """HMAC-SHA256 over `<t>.<body>`, in lower-case hexadecimal, for the exact bytes sent at `t` (unix seconds).

    The key is the whole secret including `whsec_`, as UTF-8 (B43).
    """
    return hmac.digest(secret.encode(), b"%d.%b" % (t, body), "sha256").hex()


def sign(secret: str, t: int, body: bytes) -> str:
    """The header value `t=<t>,v1=<digest>`."""
    return f"t={t},v1={signature_digest(secret, t, body)}"
