"""What the exam asked the app and what the app answered, as a text for the trace of a sitting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.secret_kinds import REDACTED

TITLE: Final = "What the app was asked, and its answers"
MAX_TEXT: Final = 2000
PASSWORDS: Final = "museum"  # whose password is an ordinary word, which nothing else would hide


class _Ask(msgspec.Struct):
    text: str
    answer: str = "no answer"


class Asked:
    """The calls of the exam in a sitting, in order. `time` tells the world's instant."""

    def __init__(self) -> None:
        self._asks: list[_Ask] = []
        self.time: Callable[[], str] = str

    def clear(self) -> None:
        """Begin anew, without a world."""
        self._asks.clear()
        self.time = str

    def call(self, method: str, target: str, body: Any, at: str = "") -> Callable[[Response], None]:
        """Note a call that is made now, or was asked for at an instant; what is returned notes its answer."""
        ask = _Ask(f"{at or self.time()}  {method} {target}{_json(body)}")
        self._asks.append(ask)

        def answered(response: Response) -> None:
            ask.answer = _cut(f"{response.status} {response.body.decode(errors='replace')}")

        return answered

    def happened(self, what: str) -> None:
        """Note what the exam did with the app's process."""
        self._asks.append(_Ask(f"{self.time()}  {what}", ""))

    def __str__(self) -> str:
        lines = (f"{each.text}\n    {each.answer}" if each.answer else each.text for each in self._asks)
        return "\n".join(lines)


def _json(body: Any) -> str:
    if body is None:
        return ""
    shown = {**body, **({PASSWORDS: REDACTED} if PASSWORDS in body else {})} if isinstance(body, Mapping) else body
    return f" {_cut(msgspec.json.encode(shown).decode())}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
