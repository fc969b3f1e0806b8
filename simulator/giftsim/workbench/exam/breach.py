"""How a probe says that the app broke its rule, or does not do what the probe asks for.

RuleBroken      the app broke the rule; the message says how
NotOffered      the app does not do what the probe asks for
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

MAX_REASON: Final = 300


class RuleBroken(Exception):
    """The app broke the rule. The message says how; `about` are the ids of what it is about, for its `why`.

    `mend` is what mends it, if the probe knows that.
    """

    def __init__(self, reason: str, about: Iterable[Any] = (), mend: str = "") -> None:
        line = " ".join(reason.split())
        super().__init__(line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1]}…")
        self.about, self.mend = tuple(about), mend


class NotOffered(Exception):
    """The app answered 501: it does not do what it was asked for."""
