"""Reasons of what is wrong, in an app's words or an examiner's, and which of them are of one kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

# What differs from run to run within one kind of reason: long identifiers, and numbers anywhere in a word.
_VARYING: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=\w*\d)\w{8,}\b|\d+", re.IGNORECASE)
_PAGE: Final = re.compile(r"\s*<(?:!doctype|html)\b", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title>\s*(.*?)\s*</title>", re.IGNORECASE | re.DOTALL)


def kind_of(reason: str) -> str:
    """The kind of a reason: the reason without numbers and identifiers."""
    return _VARYING.sub("#", reason)


def said_in(body: bytes) -> str:
    """What an answer says, in one line: its error, the title of a page, or the last line of a text such as a trace."""
    text = body.decode(errors="replace")
    try:
        data: Any = msgspec.json.decode(body)
    except ValueError:
        title = _TITLE.search(text)
        lines = [title[1]] if title else [] if _PAGE.match(text) else text.split("\n")
    else:
        error = data.get("error", data.get("detail", data)) if isinstance(data, Mapping) else data
        lines = error.split("\n") if isinstance(error, str) else [msgspec.json.encode(error).decode()] if error else []
    return next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "")
