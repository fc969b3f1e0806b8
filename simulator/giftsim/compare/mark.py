"""A mark stands for a value in a masked answer: its type, what it looks like, and its text where that may be shown."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

ID, VALUE, SENT, SECRET, CURSOR, TEXT, EMPTY = "id", "value", "sent", "secret", "cursor", "text", "empty"
OF = " of "  # between an id and the place in the contract that it has
# What a text looks like, the first that fits.
LOOKS = tuple(
    (look, re.compile(pattern))
    for look, pattern in (
        ("instant", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
        ("instant with fractions", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"),
        ("instant with an offset", r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d"),
        ("instant without a zone", r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?"),
        ("date", r"\d{4}-\d\d-\d\d"),
        ("time", r"\d\d:\d\d(?::\d\d)?"),
        ("uuid", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
        ("url", r"https?://\S+"),
        ("email", r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    )
)


class Mark(NamedTuple):
    """`type` is a type of JSON. `look` says more about a text, `value` is its text, or of an id which one it is."""

    type: str
    look: str = ""
    value: str = ""

    @property
    def text(self) -> str:
        """The mark as it is kept in a snapshot: `string id TeamOrder.id#1`."""
        parts = [self.type, self.look.replace(" ", "_"), self.value]
        return " ".join(parts).rstrip()

    @property
    def shown(self) -> str:
        """The mark for people."""
        if self.type == "string" and self.look == VALUE:
            return f'"{self.value}"'
        if self.type == "boolean":
            return self.value
        if self.look.startswith(ID):
            look = self.look.removeprefix(ID).strip()
            return f"id ({look or self.type})"
        names = {SENT: "the text that was sent", EMPTY: "an empty text", TEXT: "a text", CURSOR: "a cursor"}
        return names.get(self.look, self.look) or self.type


def parse_mark(text: str) -> Mark:
    """The mark that a snapshot has kept."""
    kind, look, value = (*text.split(" ", 2), "", "")[:3]
    return Mark(kind, look.replace("_", " "), value)


def look_of(text: str) -> str:
    """What a text looks like."""
    if not text:
        return EMPTY
    return next((look for look, pattern in LOOKS if pattern.fullmatch(text)), TEXT)


def json_type(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    types = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
    return types[type(value)]
