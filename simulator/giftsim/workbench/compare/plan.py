"""Which steps of a scenario can be played against a service, and why the others are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from giftsim.engine.kernel.instants import parse_duration
from giftsim.workbench.compare.called_operation import Contracts
from giftsim.workbench.compare.target import Base
from giftsim.workbench.scenario import Scenario
from giftsim.workbench.scenario.compiled_scenario import Step
from giftsim.workbench.scenario.steps.advance import Advance
from giftsim.workbench.scenario.steps.call_steps import FAULT_HEADER, Call
from giftsim.workbench.scenario.variables import has_expressions

FREE, SPENDS = "free", "spends"
_NO_CLOCK = "a service's clock cannot be moved"
_WHY: Mapping[str, str] = {
    "app": "it calls an app of your own",
    "control": "a service has no test-control API",
    "await": "it waits for a call in the background",
    "simulate": "nobody acts for the people of a service",
    "rehearse": "nobody acts for the people of a service",
    "receiver": "a service's webhooks go to real receivers",
    "fault": "a service has no faults on demand",
    "settings": "a service has no settings",
    "snapshot": "a service has no snapshots",
    "restore": "a service has no snapshots",
    "undo": "a service cannot undo",
    "fork": "a service cannot be copied",
    "expect": "it only checks a world",
}


class LeftOut(NamedTuple):
    """A step, or a whole scenario (line 0), that is not played, and the reason."""

    file: str
    line: int
    title: str
    reason: str


def left_out_lines(entries: Sequence[LeftOut]) -> Iterator[str]:
    """What was left out, for people: scenarios by their reason, then steps one by one."""
    by_reason: dict[str, list[str]] = {}
    for each in entries:
        if not each.line:
            by_reason.setdefault(each.reason, []).append(each.file)
    for reason, (first, *more) in by_reason.items():
        yield f"  {first}{f' and {len(more)} more' if more else ''}: {reason}"
    yield from (f"  {each.file}:{each.line}: {each.title}: {each.reason}" for each in entries if each.line)


def left_out(step: Step, reason: str) -> LeftOut:
    """A step that is left out."""
    return LeftOut(step.file, step.line, step.full_title, reason)


def reason_to_leave_out(step: Step, patience_s: float) -> str | None:
    """Why a step cannot be played against a service; None if it can, as far as that is known beforehand."""
    if step.world is not None:
        return "it runs in a fork of the world"
    if isinstance(step, Advance):
        return _why_not_wait(step, patience_s)
    if not isinstance(step, Call):
        return _WHY[step.kind]
    if step.background is not None:
        return "it is made in the background"
    if any(name.lower() == FAULT_HEADER for name in step.headers):
        return _WHY["fault"]
    return None


def wait_s(step: Advance) -> float:
    """How long an advance takes when it is waited for, in seconds."""
    return parse_duration(step.value) / 1000


def _why_not_wait(step: Advance, patience_s: float) -> str | None:
    if step.mode != "by" or step.entries or has_expressions(step.value):
        return _NO_CLOCK
    if wait_s(step) > patience_s:
        return f"{_NO_CLOCK}; with --patience {step.value} it is waited for"
    return None


def reason_not_to_play(
    scenario: Scenario, bases: Mapping[str, Base], contracts: Contracts, credentials: frozenset[str]
) -> str | None:
    """Why a scenario cannot be played at all: an interface without a target, or a credential that was not given."""
    calls = [step for step in scenario.steps if isinstance(step, Call)]
    missing = sorted({name for call in calls for name in _interfaces(call, contracts) if name not in bases})
    if missing:
        return f"it calls the {missing[0]} interface, which has no --target"
    needed = {call.credential for call in calls if call.credential and not has_expressions(call.credential)}
    if unknown := sorted(needed - credentials):
        return f"it needs --credential {unknown[0]}=VARIABLE"
    return None


def _interfaces(call: Call, contracts: Contracts) -> Iterator[str]:
    return (name for name, contract in contracts.items() if call.path.startswith(f"{contract.prefix}/"))
