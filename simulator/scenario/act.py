"""What each kind of step does to the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from simulator.kernel.clock import format_instant
from simulator.scenario.client import Answer
from simulator.scenario.expectation import answer_mismatches
from simulator.scenario.match import ABSENT, shown
from simulator.scenario.moment import anchored, moment
from simulator.scenario.sandbox import CONTROL, Sandbox, content, segment
from simulator.scenario.saving import Saving
from simulator.scenario.step import (
    Advance,
    Call,
    Clear,
    Expect,
    Fault,
    Receiver,
    Scenario,
    Settings,
    Simulate,
    Step,
)
from simulator.scenario.variables import fill


class Done(NamedTuple):
    """What an act came to: a word for the timeline, or what was wrong with it and the answer it got."""

    said: str = ""
    faults: tuple[str, ...] = ()
    answer: str = ""


class Play:
    """One run of a scenario: the world it has and the values it has saved."""

    def __init__(self, scenario: Scenario, sandbox: Sandbox) -> None:
        start_ms = sandbox.start_ms
        self.scenario, self.sandbox = scenario, sandbox
        self.variables: dict[str, Any] = {"world": sandbox.id, "start": start_ms, "start_date": start_ms}

    def fill(self, value: Any) -> Any:
        """The value with its variables filled in."""
        return fill(value, self.variables)


def _call(run: Play, step: Call) -> Done:
    done = Done()
    for number in range(1, step.repeat + 1):
        run.variables["n"] = number
        headers = {**run.sandbox.credential(run.fill(step.credential)), **_written(run.fill(step.headers))}
        target = _target(str(run.fill(step.path)))
        done = _exchanged(run, step, step.method, target, run.fill(step.body), headers)
        if done.faults:
            return done
    return done if step.repeat == 1 else done._replace(said=f"{done.said}, {step.repeat} times")


def _written(headers: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(value) for name, value in headers.items()}


def _target(address: str) -> str:
    """Path and query: a link that the service handed out is called on the simulator, whatever its origin."""
    parts = urlsplit(address)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def _simulate(run: Play, step: Simulate) -> Done:
    path = f"{CONTROL}{run.sandbox.path(f'/simulate/{step.verb}')}"
    return _exchanged(run, step, "POST", path, run.fill(step.members), {})


def _exchanged(run: Play, step: Call | Simulate, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Done:
    """One call, held against what the step expects of its answer; then what it saves is taken."""
    answer: Answer | None
    try:
        answer = run.sandbox.call(method, path, body, headers)
    except ConnectionError:
        answer = None
    faults = [str(mismatch) for mismatch in answer_mismatches(run.fill(step.expect), answer)]
    if answer is None:
        return Done("no answer: the connection was lost", tuple(faults))
    found = content(answer)
    if not faults:
        faults = [fault for saving in step.saves if (fault := _saved(run, saving, found))]
    return Done(str(answer.status), tuple(faults), f"{answer.status} {shown(found)}")


def _saved(run: Play, saving: Saving, found: Any) -> str | None:
    try:
        run.variables[saving.name] = saving.take(None if found is ABSENT else found)
    except LookupError:
        return f"save.{saving.name}: expected a value at {saving.text}, actual none"
    return None


def _advance(run: Play, step: Advance) -> Done:
    value = step.value if step.how != "to" else format_instant(moment(step.value, run.sandbox.start_ms))
    answer = run.sandbox.control("POST", "/clock/advance", {step.how: value})
    run.sandbox.now = answer["to"]
    return Done(f"to {answer['to']}")


def _receiver(run: Play, step: Receiver) -> Done:
    members = run.fill(step.members)
    if "outage" in members:
        members["outage"] = anchored(members["outage"], ("from", "to"), run.sandbox.start_ms)
    run.sandbox.control("PUT", f"/receivers/{segment(str(run.fill(step.host)))}", members)
    return Done()


def _fault(run: Play, step: Fault) -> Done:
    members = run.fill(step.members)
    if "when" in members:
        members["when"] = anchored(members["when"], ("from", "to"), run.sandbox.start_ms)
    run.sandbox.control("POST", "/faults", members)
    return Done()


def _clear(run: Play, step: Clear) -> Done:
    run.sandbox.control("DELETE", "/faults" if step.fault is None else f"/faults/{segment(step.fault)}")
    return Done()


def _settings(run: Play, step: Settings) -> Done:
    run.sandbox.control("PATCH", "/settings", run.fill(step.members))
    return Done()


def _expect(_run: Play, _step: Expect) -> Done:
    return Done()


ACTS: Mapping[type[Step], Callable[[Play, Any], Done]] = {
    Call: _call,
    Simulate: _simulate,
    Advance: _advance,
    Receiver: _receiver,
    Fault: _fault,
    Clear: _clear,
    Settings: _settings,
    Expect: _expect,
}
