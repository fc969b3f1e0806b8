"""The one rule for email addresses, in every body and every form.

An address is `local@domain`, at most 254 characters, in ASCII: a local part of at most 64 characters, with single dots
between its words, and a domain of labels that begin and end with a letter or digit. Quoted local parts, comments,
display names and address literals are refused. Blanks at either end do not belong to the address.
"""

from __future__ import annotations

import re

MAX_LENGTH = 254

_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_WORD}(?:\.{_WORD})*@{_LABEL}(?:\.{_LABEL})*")


def is_email(text: str) -> bool:
    """Whether a text is an address, with or without blanks around it."""
    address = text.strip()
    return len(address) <= MAX_LENGTH and _ADDRESS.fullmatch(address) is not None


def trim_email(text: str) -> str:
    """An address without the blanks at either end, as it is stored."""
    return text.strip()


def email_key(text: str) -> str:
    """The key of an address, equal for all its spellings: neither case nor the blanks at either end count."""
    return trim_email(text).lower()
