"""Verification of a delivery's signature as a word of yes or no."""

from __future__ import annotations

from giftsim import verify


def verifies(secret: str, header: str | None, body: bytes, now: float, tolerance: float = verify.TOLERANCE_S) -> bool:
    """Whether the verifier that the package gives to apps accepts the delivery."""
    try:
        verify.webhook(body, header, secret, tolerance=tolerance, now=now)
    except verify.InvalidSignature:
        return False
    return True
