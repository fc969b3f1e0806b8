"""Remove what is private from texts: email addresses, claim links and claim tokens (T-1.9 to T-1.12, A7.26).

One judgement for the texts of callers and for messages, in JSON, CSV and PDF. It goes by what a word looks like, not by
the recipients there are: otherwise a caller could find out who is one.
"""

from __future__ import annotations

import re

from giftsim.services.gifting.domain.fulfilment.order_placement import TOKEN_LENGTH

REMOVED = "[removed]"

# A slash, also escaped as in JSON or encoded for a URL, once or twice.
_SLASH = r"(?:\\?/|%(?:25)?2[fF])"
# Where a token or a path can begin: not within a word, but behind an encoded character.
_BEGIN = r"(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})|(?<=%25[0-9A-Fa-f]{2}))"
# The first two begin where a word can begin, and nowhere within one: a long word is read once and not once per letter.
_ADDRESS = r"(?<![^\s<>@])[^\s<>@]+(?:@|%(?:25)?40)[^\s<>]+"
_CLAIM_LINK = rf"(?<![^\s<>])[^\s<>]*{_BEGIN}(?i:claim){_SLASH}[^\s<>]+"
_CLAIM_TOKEN = rf"{_BEGIN}[0-9A-Fa-f]{{{TOKEN_LENGTH}}}(?![0-9A-Za-z])"
_PRIVATE = re.compile(f"{_ADDRESS}|{_CLAIM_LINK}|{_CLAIM_TOKEN}")

# With every hexadecimal digit as 0, every other letter in lower case, and `@` and `/` for what stands for them, each of
# the three contains a fixed text.
_ALIKE = bytes.maketrans(b"123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ%\\", b"0" * 21 + b"ghijklmnopqrstuvwxyz@/")
_SIGNS = (b"@", b"0l0im/", b"0" * TOKEN_LENGTH)


def remove_private(text: str) -> str:
    """The text with each word replaced that is an email address or a claim link, plain or encoded, and each token."""
    return _PRIVATE.sub(REMOVED, text) if may_be_private(text.encode(errors="replace")) else text


def remove_private_or_none(text: str | None) -> str | None:
    """The same for a text that may be missing."""
    return None if text is None else remove_private(text)


def may_be_private(content: bytes) -> bool:
    """Whether a long text may contain anything to remove: a quick test, which is wrong only if it says yes."""
    alike = content.translate(_ALIKE)
    return any(sign in alike for sign in _SIGNS)
