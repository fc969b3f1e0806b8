"""A number with its noun."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the singular or plural: `1 call`, `2 calls`."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
