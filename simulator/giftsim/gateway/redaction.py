"""Redaction of messages: email addresses, claim links, keys and tokens, also in URL encoding (T-1.14)."""

from __future__ import annotations

import re

REDACTED = "***"

_WORD = r"[^\s\"'<>(),;:]"
_SENSITIVE = re.compile(
    rf"""
      {_WORD}+ (?:@|%40) {_WORD}+                                     # email addresses
    | (?:https?:)?/{{0,2}}[^\s"'<>]*/claim/[^\s"'<>]+                  # claim links
    | (?:ptk|pk)_(?:live|test)_[a-z0-9\-]+_[A-Za-z0-9]+ | sess_[a-z0-9\-]+_[A-Za-z0-9]+ | whsec_[A-Za-z0-9]{{8,}}
    | \b(?=[A-Za-z0-9_\-]*[0-9])(?=[A-Za-z0-9_\-]*[A-Za-z])[A-Za-z0-9_\-]{{16,}}\b   # what looks like a token
    """,
    re.VERBOSE | re.IGNORECASE,
)


def redact(text: str) -> str:
    """The text with everything replaced that identifies a person or grants access."""
    return _SENSITIVE.sub(REDACTED, text)
