"""How magic values are spelled, so that nobody writes one by accident, and the setting that turns them off."""

from __future__ import annotations

import re

from giftsim.kernel.instants import parse_duration
from giftsim.kernel.setting import flag

PREFIX = "Magic "
DOMAIN = "@magic.giftsim.example"
HOST = ".magic.giftsim.example"
FILES = "https://files.magic.giftsim.example/"
ONCE = " Once"

MAGIC_VALUES = flag("magic_values", True, "whether the reserved magic values make things happen")

_AFTER = re.compile(r"(.+) After ([0-9A-Za-z]+)")


def email(name: str) -> str:
    """The email that says the same as a name: `answer-lost@...` for `Magic Answer Lost`."""
    return name.removeprefix(PREFIX).lower().replace(" ", "-") + DOMAIN


def local(text: str | None) -> str | None:
    """What a magic email says before the @, without a name and a plus in front; None for any other text."""
    if text is None or not text.endswith(DOMAIN):
        return None
    return text.removesuffix(DOMAIN).rpartition("+")[2]


def after(text: str) -> tuple[str, int]:
    """`Magic Approved After 2h` as its name and the span in ms; without a span at once. ValueError."""
    found = _AFTER.fullmatch(text)
    return (found[1], parse_duration(found[2])) if found else (text, 0)
