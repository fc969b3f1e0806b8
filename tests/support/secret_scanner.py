"""A secret scanner with rules like those of the usual ones."""

from __future__ import annotations

import re
from math import log2

# What scanners look for: prefixes of known services, bearer tokens, and random text behind a word like "key".
PREFIXED = re.compile(
    r"(?:whsec|sk|pk|ptk|rk|sess)_(?:live_|test_)?[A-Za-z0-9-]*_?[A-Za-z0-9]{12,}|Bearer [A-Za-z0-9._-]{16,}"
)
ASSIGNED = re.compile(
    r"(?i)(?:access|auth|api|credential|creds|key|passw(?:or)?d|secret|token)[\w.-]{0,20}['\"]?\s*[:=]\s*['\"]?"
    r"([\w.=-]{10,150})"
)
LINK = re.compile(r"/claim/[^/\s\"]+/[A-Za-z0-9]{8,}")


def findings(text: str) -> list[str]:
    """What a secret scanner would report in a text."""
    assigned = [word for word in ASSIGNED.findall(text) if re.search(r"\d", word) and entropy(word) >= 3.5]
    return [*PREFIXED.findall(text), *assigned, *LINK.findall(text)]


def entropy(text: str) -> float:
    """Bits per character."""
    return -sum(text.count(char) / len(text) * log2(text.count(char) / len(text)) for char in set(text))
