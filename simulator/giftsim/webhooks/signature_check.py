"""A signature taken apart, step by step, for people who look for what their verification does otherwise (P-6.12)."""

from __future__ import annotations

from hmac import compare_digest

import msgspec

from giftsim.webhooks.signature import TOLERANCE_S, digest


class SignatureSteps(msgspec.Struct, frozen=True, gc=False):
    """What a receiver computes: `t` and `v1` of the header, the text that is signed, and its digest with the secret.

    `age_s` is how old the signature was when it was sent. `accepted` says whether a receiver has to take the webhook.
    """

    header: str
    timestamp: int
    given: str
    signed_text: str
    expected: str
    matches: bool
    age_s: int
    tolerance_s: int
    accepted: bool


def check_signature(header: str, secret: str, body: bytes, sent_s: int) -> SignatureSteps:
    """The steps for a header of our own, `t=<seconds>,v1=<digest>`, sent at `sent_s`."""
    members = dict(part.split("=", 1) for part in header.split(","))
    timestamp, given = int(members["t"]), members["v1"]
    expected, age_s = digest(secret, timestamp, body), sent_s - timestamp
    matches = compare_digest(given, expected)
    accepted = matches and abs(age_s) <= TOLERANCE_S
    text = f"{timestamp}.{body.decode()}"
    return SignatureSteps(header, timestamp, given, text, expected, matches, age_s, TOLERANCE_S, accepted)
