"""Why a comparison cannot be made."""

from __future__ import annotations


class CannotCompare(Exception):
    """A comparison cannot begin or go on; the message says why and what to do. It holds no credential."""
