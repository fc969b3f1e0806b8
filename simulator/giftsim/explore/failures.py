"""What came of a run: what the app, or the way it answered, says is wrong; and which wrongs are one and the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

LONGEST = 200
# What differs from run to run and makes no other mistake: long identifiers, and numbers anywhere in a word.
PARTICULAR = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=\w*\d)\w{8,}\b|\d+", re.IGNORECASE)


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong, in the app's words; `accepts` is the kind of event that the app never took."""

    reason: str
    accepts: str | None = None

    @property
    def kind(self) -> str:
        """What all wrongs of this kind have in common: the reason without its numbers and identifiers."""
        return PARTICULAR.sub("#", self.reason)


class Verdict(msgspec.Struct, frozen=True):
    """What is wrong after a run, nothing if all held; `hung` where the app kept somebody waiting until time was up."""

    wrongs: tuple[Wrong, ...] = ()
    hung: bool = False

    def find(self, kind: str) -> Wrong | None:
        """The wrong of a kind, if it is among these."""
        return next((wrong for wrong in self.wrongs if wrong.kind == kind), None)


HELD = Verdict()


def wrong(reason: object, accepts: str | None = None) -> Wrong:
    """A wrong, its reason cut to a line of fair length."""
    line = " ".join(str(reason).split()) or "wrong, without a reason"
    return Wrong(line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…", accepts)


def said(call: str, status: int, body: bytes) -> tuple[Wrong, ...]:
    """What the app's answer to the check says; an answer outside the contract is wrong in itself."""
    if not 200 <= status <= 299:
        return (wrong(f"{call} answered {status}"),)
    try:
        found: Any = msgspec.json.decode(body)
    except ValueError:
        return (wrong(f"{call} answered no JSON"),)
    if not isinstance(found, Mapping) or ("wrong" not in found and found.get("ok") is not True):
        return (wrong(f"{call} says neither ok nor wrong"),)
    reasons = found.get("wrong", [])
    unique: dict[str, Wrong] = {}
    for item in map(wrong, reasons if isinstance(reasons, list) else (reasons,)):
        unique.setdefault(item.kind, item)
    return tuple(unique.values())
