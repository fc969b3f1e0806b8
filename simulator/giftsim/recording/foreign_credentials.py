"""Credentials in recorded headers that no world has given out: someone's own, which a recording must not keep.

A refusal is the same for every unknown credential of the same form, so another one takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

Step = dict[str, Any]

# Keys and sessions in the form of this service: what stays, and the end that may be a secret.
_OURS: Final = re.compile(r"((?:pt?k_(?:live|test)|sess)_(?:\$\{world\}|[a-z0-9-]{1,40})_)(\S+)", re.ASCII)
_RANDOM: Final = re.compile(r"[0-9a-f]{16,}")
_THIS_WORLD: Final = "${world}"
_WORD: Final = re.compile(r"\S+")
_SESSION_COOKIE: Final = re.compile(r"(?:^|;)\s*session=([^;\s]+)")
_WHOLE: Final = ("x-api-key",)
UNAUTHORIZED: Final = 401


class ForeignCredentials:
    """The foreign credentials of one recording; each has its own replacement, so that two stay two."""

    def __init__(self) -> None:
        self._replacements: dict[str, str] = {}

    def process(self, steps: Sequence[Step]) -> list[Step]:
        """The steps without foreign credentials."""
        return [self._step(step) for step in steps]

    def _step(self, step: Step) -> Step:
        if "on_delivery" in step:
            entries = [{**entry, "steps": self.process(entry["steps"])} for entry in step["on_delivery"]]
            return {**step, "on_delivery": entries}
        if "headers" not in step:
            return step
        refused = step.get("recorded", {}).get("status") == UNAUTHORIZED
        headers = {
            name: kept
            for name, value in step["headers"].items()
            if (kept := self._header(name, value, refused=refused))
        }
        rest = {name: member for name, member in step.items() if name != "headers"}
        if not headers:
            return rest
        return {name: headers if name == "headers" else member for name, member in step.items()}

    def _header(self, name: str, value: str, *, refused: bool) -> str:
        """The header without foreign credentials; "" to leave it out. `refused` is whether the call was."""
        lower = name.lower()
        if lower == "authorization":
            scheme, space, credential = value.partition(" ")
            hidden = self._hide(credential if space else value, refused=refused)
            return f"{scheme} {hidden}" if space else hidden
        if lower in _WHOLE:
            return self._hide(value, refused=refused)
        if lower == "cookie":
            session = _SESSION_COOKIE.search(value)
            return f"session={self._hide(session[1], refused=refused)}" if session else ""
        return value

    def _hide(self, credential: str, *, refused: bool) -> str:
        return _WORD.sub(lambda match: self._replacement(match[0], refused=refused), credential)

    def _replacement(self, word: str, *, refused: bool) -> str:
        """The word itself if it may be a credential of this world."""
        ours = _OURS.fullmatch(word)
        if ours is None:
            return self._unknown(word)
        known = _THIS_WORLD in ours[1] and not (refused and _RANDOM.search(ours[2]))
        return word if known else ours[1] + self._unknown(ours[2])

    def _unknown(self, secret: str) -> str:
        return self._replacements.setdefault(secret, f"unknown{len(self._replacements) + 1}")
