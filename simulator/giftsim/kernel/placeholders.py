"""Placeholders for the origin and the world id in stored bytes; they are filled in responses and requests (G1, G2).

A placeholder is a control character. JSON never holds one unescaped, so no text of a caller can look like one.
"""

from __future__ import annotations

import msgspec

ORIGIN = "\x01"
WORLD = "\x02"


def link(path: str) -> msgspec.Raw:
    """A JSON string for an absolute link to a path of the simulator. The path may hold WORLD."""
    return msgspec.Raw(f'"{ORIGIN}{path}"'.encode())


def slotted(text: str) -> msgspec.Raw:
    """A JSON string of plain ASCII with placeholders."""
    return msgspec.Raw(f'"{text}"'.encode("ascii"))


def fill(stored: bytes, origin: str, world_id: str) -> bytes:
    """The bytes with the placeholders filled in."""
    if 1 not in stored and 2 not in stored:  # the bytes of the placeholders, found faster as numbers
        return stored
    return stored.replace(b"\x01", origin.encode()).replace(b"\x02", world_id.encode())


def fill_text(stored: str, origin: str, world_id: str) -> str:
    """The text with the placeholders filled in."""
    return stored.replace(ORIGIN, origin).replace(WORLD, world_id)
