"""Webhook signatures, with which a receiver verifies sender and age (P-6.12 to P-6.14, B43)."""

from __future__ import annotations

import hmac
import re

HEADER = "X-Service-Signature"
EVENT_HEADER = "X-Service-Event"  # the event's kind (P-6.10)
EVENT_ID_HEADER = "X-Service-Event-Id"  # the body's `id` (P-6.11)

TOLERANCE_S = 300

# Exactly what `sign` writes: no leading zeros, no upper case, nothing before or after.
_SIGNATURE = re.compile(r"t=(0|[1-9][0-9]{0,11}),v1=([0-9a-f]{64})")


def sign(secret: str, t: int, body: bytes) -> str:
    """The header value `t=<t>,v1=<hex>` for the exact bytes sent at `t` (unix seconds).

    HMAC-SHA256 over `<t>.<body>`. The key is the whole secret including `whsec_`, as UTF-8 (B43).
    """
    return f"t={t},v1={hmac.digest(secret.encode(), b'%d.%b' % (t, body), 'sha256').hex()}"


def verify(secret: str, header: str, body: bytes, now: int, tolerance: int = TOLERANCE_S) -> bool:
    """Whether `header` signs `body` and its `t` is at most `tolerance` seconds before or after `now` (unix seconds)."""
    match = _SIGNATURE.fullmatch(header)
    if match is None:
        return False
    t = int(match[1])
    genuine = hmac.compare_digest(sign(secret, t, body), header)
    return genuine and abs(now - t) <= tolerance
