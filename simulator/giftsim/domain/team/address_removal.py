"""Remove email addresses and claim links from free text, which people write them into (T-1.9 to T-1.11, A7.26).

Every address is removed, not only those of recipients: otherwise text that is sent to try would tell who is one.
"""

from __future__ import annotations

import re

REMOVED = "[removed]"
# What a text must contain for anything to be removed: a quick test of long texts.
SIGNS = ("@", "%40", "/claim/")

_PRIVATE = re.compile(r"[^\s<>@]+(?:@|%40)[^\s<>]+|\S*/claim/\S+", re.IGNORECASE)


def remove_addresses(text: str) -> str:
    """The text with each word replaced that is an email address or a claim link, plain or encoded for a URL."""
    return _PRIVATE.sub(REMOVED, text) if any(sign in text for sign in SIGNS) else text


def remove_addresses_or_none(text: str | None) -> str | None:
    """The same for a text that may be missing."""
    return None if text is None else remove_addresses(text)
