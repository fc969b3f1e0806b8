"""Idempotency keys of a recording: random ones become variables of its head, since scanners take them for credentials.

They are no secrets, and a replay must send the same ones. A key that a person would write stays where it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log2
from typing import Any, Final

from giftsim.recording.variables import map_strings

Step = dict[str, Any]

_HEADER: Final = "idempotency-key"
_MEMBER: Final = "idempotency_key"
_IN_TEXT: Final = re.compile(rf'("{_MEMBER}"\s*:\s*")([^"\\]+)(?=")')
_WORD: Final = re.compile(r"(?=.*[0-9])[\w.=-]{10,}", re.ASCII)
_MOST_BITS: Final = 3.5  # per character; more looks random


class IdempotencyKeys:
    """The random keys of one recording, each with its variable; `values` are the variables for the head."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    @property
    def values(self) -> dict[str, str]:
        """The keys by the names of their variables."""
        return {name: key for key, name in self._names.items()}

    def process(self, steps: Sequence[Step]) -> list[Step]:
        """The steps with variables in place of random keys."""
        return [self._replace(step) for step in steps]

    def _replace(self, value: Any) -> Any:
        if isinstance(value, dict):
            return type(value)({name: self._member(name, member) for name, member in value.items()})
        if isinstance(value, list):
            return [self._replace(item) for item in value]
        return map_strings(value, lambda text: _IN_TEXT.sub(lambda match: match[1] + self._variable(match[2]), text))

    def _member(self, name: str, member: Any) -> Any:
        is_key = isinstance(member, str) and name.lower() in (_HEADER, _MEMBER)
        return self._variable(member) if is_key else self._replace(member)

    def _variable(self, key: str) -> str:
        if not looks_random(key):
            return key
        name = self._names.setdefault(key, f"idempotency_{len(self._names) + 1}")
        return f"${{{name}}}"


def looks_random(text: str) -> bool:
    """Whether a text is one word with digits in which characters rarely repeat, such as a UUID."""
    if not _WORD.fullmatch(text):
        return False
    counts = Counter(text)
    return -sum(count / len(text) * log2(count / len(text)) for count in counts.values()) >= _MOST_BITS
