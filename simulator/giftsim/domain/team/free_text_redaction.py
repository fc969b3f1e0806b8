"""Remove email addresses and claim links that people write into free text (T-1.9 to T-1.11, A7.26).

Every address is removed, not only those of recipients: otherwise a caller could find out who is a recipient.
"""

from __future__ import annotations

import re

REMOVED = "[removed]"
# What a text must contain for anything to be removed: a quick test of long texts.
SIGNS = ("@", "%40", "/claim/")

# Each part begins where a word can begin, and nowhere within one: a long word is read once and not once per letter.
_ADDRESS = r"(?<![^\s<>@])[^\s<>@]+(?:@|%40)[^\s<>]+"
_CLAIM_LINK = r"(?<![^\s<>])[^\s<>]*/claim/[^\s<>]+"
_PRIVATE = re.compile(f"{_ADDRESS}|{_CLAIM_LINK}")


def remove_addresses(text: str) -> str:
    """The text with each word replaced that is an email address or a claim link, plain or encoded for a URL."""
    return _PRIVATE.sub(REMOVED, text) if any(sign in text for sign in SIGNS) else text


def remove_addresses_or_none(text: str | None) -> str | None:
    """The same for a text that may be missing."""
    return None if text is None else remove_addresses(text)
