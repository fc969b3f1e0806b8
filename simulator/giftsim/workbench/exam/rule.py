"""What a rule is, and how a probe says that the app broke it.

RuleBroken      the app broke the rule; the message says how
NotOffered      the app does not do what the probe asks for
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

if TYPE_CHECKING:
    from giftsim.workbench.exam.sitting import Sitting

READINESS, RECEIVER = "readiness", "receiver"  # what `--only` takes beside the id of a rule
MAX_REASON: Final = 300

Probe: TypeAlias = "Callable[[Sitting], None]"


class Outcome(StrEnum):
    """How a rule came out. A skipped one was not reached in the budget."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_OFFERED = "not_offered"
    SKIPPED = "skipped"


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the documents that an app must obey, and the probes that show whether it does.

    `sources` are the statements and decisions that it rests on, `needs` the actions that the app must offer, and
    `groups` the names under which `--only` takes it with others. Each round runs one of its probes, in turn.
    """

    id: str
    rule: str
    sources: tuple[str, ...]
    probes: tuple[Probe, ...]
    needs: tuple[str, ...] = ("order",)
    groups: tuple[str, ...] = ()


class RuleBroken(Exception):
    """The app broke the rule. The message says how; `about` are the ids of what it is about, for its `why`."""

    def __init__(self, reason: str, about: Iterable[Any] = ()) -> None:
        line = " ".join(reason.split())
        super().__init__(line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1]}…")
        self.about = tuple(about)


class NotOffered(Exception):
    """The app answered 501: it does not do what it was asked for."""
