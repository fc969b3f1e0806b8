"""The format of magic values, chosen so that none occurs by accident, and the setting that turns them off."""

from __future__ import annotations

import re

from giftsim.engine.kernel.instants import parse_duration
from giftsim.engine.kernel.setting import flag

PREFIX = "Magic "
DOMAIN = "@magic.giftsim.example"
HOST = ".magic.giftsim.example"
FILES = "https://files.magic.giftsim.example/"
ONCE = " Once"

MAGIC_VALUES = flag("magic_values", True, "whether magic values have their effect")

_AFTER = re.compile(r"(.+) After ([0-9A-Za-z]+)")


def email(name: str) -> str:
    """The email with the same effect as a name: `answer-lost@...` for `Magic Answer Lost`."""
    return name.removeprefix(PREFIX).lower().replace(" ", "-") + DOMAIN


def magic_local_part(text: str | None) -> str | None:
    """The part of a magic email before the @, after a `+` if there is one; None for any other text."""
    if text is None or not text.endswith(DOMAIN):
        return None
    return text.removesuffix(DOMAIN).rpartition("+")[2]


def split_delay(text: str) -> tuple[str, int]:
    """Split `Magic Approved After 2h` into the name and the delay in ms, 0 if there is none. ValueError."""
    match = _AFTER.fullmatch(text)
    return (match[1], parse_duration(match[2])) if match else (text, 0)
