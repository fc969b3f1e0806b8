"""Slots for the origin and the world id in stored bytes, filled when they leave the house (G1, G2).

A slot is a control character, which JSON never carries as such, so that no text of a caller can look like one.
"""

from __future__ import annotations

import msgspec

ORIGIN = "\x01"
WORLD = "\x02"


def link(path: str) -> msgspec.Raw:
    """A JSON string for a link to a path of ours, absolute once it is filled; the path may hold WORLD."""
    return msgspec.Raw(f'"{ORIGIN}{path}"'.encode())


def slotted(text: str) -> msgspec.Raw:
    """A JSON string of plain ASCII that holds slots."""
    return msgspec.Raw(f'"{text}"'.encode("ascii"))


def fill(stored: bytes, origin: str, world_id: str) -> bytes:
    """The bytes for one caller."""
    if b"\x01" not in stored and b"\x02" not in stored:
        return stored
    return stored.replace(b"\x01", origin.encode()).replace(b"\x02", world_id.encode())


def fill_text(stored: str, origin: str, world_id: str) -> str:
    """The same for text."""
    return stored.replace(ORIGIN, origin).replace(WORLD, world_id)
