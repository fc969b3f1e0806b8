"""What a rule is: a sentence with its sources, and the probes that show whether an app obeys it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

import msgspec

from giftsim.workbench.exam.sitting import Sitting

READINESS, RECEIVER = "readiness", "receiver"  # what `--only` takes beside the id of a rule

Probe: TypeAlias = Callable[[Sitting], None]


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
    No sitting of it reads the guesses in `usual` otherwise, by the names of their variants: no app could obey then.
    """

    id: str
    rule: str
    sources: tuple[str, ...]
    probes: tuple[Probe, ...]
    needs: tuple[str, ...] = ("order",)
    groups: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
