"""Reasons of what is wrong, in an app's words or an examiner's, and which of them are of one kind."""

from __future__ import annotations

import re
from typing import Final

# What differs from run to run within one kind of reason: long identifiers, and numbers anywhere in a word.
_VARYING: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=\w*\d)\w{8,}\b|\d+", re.IGNORECASE)


def kind_of(reason: str) -> str:
    """The kind of a reason: the reason without numbers and identifiers."""
    return _VARYING.sub("#", reason)
