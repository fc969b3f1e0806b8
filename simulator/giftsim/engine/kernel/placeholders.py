"""Placeholders for the origin and the world id in stored bytes; they are filled in responses and requests (G1, G2).

A placeholder is a control character. JSON never holds one unescaped, so no text of a caller can look like one.
"""

from __future__ import annotations

import msgspec

ORIGIN = "\x01"
WORLD = "\x02"


def json_link(path: str) -> msgspec.Raw:
    """A JSON string for an absolute link to a path of the simulator. The path may hold WORLD."""
    return msgspec.Raw(f'"{ORIGIN}{path}"'.encode())


def slotted(text: str) -> msgspec.Raw:
    """A JSON string of plain ASCII with placeholders."""
    return msgspec.Raw(f'"{text}"'.encode("ascii"))


def fill_placeholders(stored: bytes, origin: str, world_id: str) -> bytes:
    """The bytes with the placeholders filled in."""
    if 1 not in stored and 2 not in stored:  # the bytes of the placeholders, found faster as numbers
        return stored
    return stored.replace(b"\x01", origin.encode()).replace(b"\x02", world_id.encode())


def fill_text(stored: str, origin: str, world_id: str) -> str:
    """The text with the placeholders filled in."""
    return stored.replace(ORIGIN, origin).replace(WORLD, world_id)


# A character that no standard gives a meaning, before a digit, stands for a placeholder; before 0, for itself.
_MARK = "\ue000"
_AS_TEXT = ((_MARK, f"{_MARK}0"), (ORIGIN, f"{_MARK}1"), (WORLD, f"{_MARK}2"))
_PAIRS = tuple((plain.encode(), marked.encode()) for plain, marked in _AS_TEXT)


def is_placeholder(character: str) -> bool:
    """Whether a character of the text that `as_text` made stands for a placeholder, and must stay as it is."""
    return character == _MARK


def as_text(stored: bytes) -> bytes:
    """JSON whose placeholders are ordinary text, so that it can be decoded. `from_text` undoes it."""
    for plain, marked in _PAIRS:
        stored = stored.replace(plain, marked)
    return stored


def from_text(content: bytes) -> bytes:
    """The JSON with its placeholders again."""
    for plain, marked in reversed(_PAIRS):
        content = content.replace(marked, plain)
    return content
