"""Failures of a run: what the app, or the way it answered, shows to be wrong, and which failures are of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from giftsim.workbench.app.app_calls import NOT_IMPLEMENTED
from giftsim.workbench.app.reasons import kind_of, said_in
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.explore.plan import Plan

MAX_REASON = 200
UNKNOWN = "unknown"  # the kind of a verdict that names no cause


Verdict: TypeAlias = Mapping[str, Any]  # as a trace has it


class Wrong(msgspec.Struct, frozen=True):
    """Where something was wrong first: after which action of the plan, from 1, and for whom if the books show it."""

    step: int
    email: str | None = None


class Failure(msgspec.Struct, frozen=True):
    """One thing that is wrong, in the app's words; `undelivered` is the type of the webhook it never accepted.

    `wrong` is where it was first, if that was seen before the end.
    """

    reason: str
    undelivered: str | None = None
    wrong: Wrong | None = None

    @property
    def kind(self) -> str:
        """The key that all failures of one kind share."""
        return kind_of(self.reason)


class RunResult(msgspec.Struct, frozen=True):
    """The failures of a run, none if it passed; `timed_out` says whether a call to the app did.

    `waited_s` is how many real seconds it waited for the app, in steps of a second or longer.

    `met` is what was met in the world of the run, if coverage is kept. `begun` says for each step of the scenario how
    many calls, verbs and advances there were before it, if the run was traced.
    """

    failures: tuple[Failure, ...] = ()
    timed_out: bool = False
    met: Met | None = None
    begun: tuple[int, ...] = ()
    waited_s: float = 0.0

    def find(self, kind: str) -> Failure | None:
        """The failure of a kind, or None."""
        return next((failure for failure in self.failures if failure.kind == kind), None)


class SeedResult(msgspec.Struct, frozen=True):
    """The result of the plan of a seed, the real seconds that it took, and why nothing is run after it, if so.

    In a search the plan's number takes the place of a seed.
    """

    seed: int
    plan: Plan
    result: RunResult
    took_s: float = 0.0
    stop_reason: str | None = None


def make_failure(reason: object, undelivered: str | None = None, wrong: Wrong | None = None) -> Failure:
    """A failure whose reason is one line of limited length."""
    line = " ".join(str(reason).split()) or "the app gave no reason"
    return Failure(line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1]}…", undelivered, wrong)


def cause_of(verdicts: Sequence[Verdict]) -> str:
    """What all findings with one cause share: the first verdict; empty if no cause was found."""
    first = verdicts[0] if verdicts else None
    return f"{first['kind']}: {kind_of(first['sentence'])}" if first and first["kind"] != UNKNOWN else ""


def answer_failure(call: str, status: int, body: bytes, action: str | None = None) -> Failure:
    """The failure of a call that was not answered with 2xx, in the words of the answer.

    501 is the answer of an app that does not offer what it is asked for, so it should not say that it can do it.
    """
    if status == NOT_IMPLEMENTED and action is not None:
        return make_failure(f"the app does not offer {action}: it answered 501, so `actions` should not list it")
    said = said_in(body)
    asked = f"{call} {action}" if action is not None and said else call
    return make_failure(f"{asked} answered {status}" + (f": {said}" if said else ""))


def check_failures(call: str, status: int, body: bytes, wrong: Wrong | None = None) -> tuple[Failure, ...]:
    """The failures in the app's response to the check; a response that breaks the protocol is one itself."""
    if not 200 <= status <= 299:
        return (msgspec.structs.replace(answer_failure(call, status, body), wrong=wrong),)
    try:
        data: Any = msgspec.json.decode(body)
    except ValueError:
        return (make_failure(f"{call} did not answer with JSON"),)
    if not isinstance(data, Mapping) or ("wrong" not in data and data.get("ok") is not True):
        return (make_failure(f'{call} answered neither {{"ok": true}} nor {{"wrong": ...}}'),)
    reasons = data.get("wrong", [])
    by_kind: dict[str, Failure] = {}
    for failure in (make_failure(each, wrong=wrong) for each in (reasons if isinstance(reasons, list) else (reasons,))):
        by_kind.setdefault(failure.kind, failure)
    return tuple(by_kind.values())
