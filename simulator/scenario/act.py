"""Steps that change the world around the calls: its time, receivers, faults and settings."""

from __future__ import annotations

from simulator.kernel.clock import format_instant
from simulator.scenario.moment import anchored, moment
from simulator.scenario.run import Done, Run
from simulator.scenario.sandbox import segment
from simulator.scenario.step import Advance, Clear, Expect, Fault, Receiver, Settings


def advance(run: Run, step: Advance) -> Done:
    """Time passes."""
    value = run.fill(step.value)
    if step.how == "to":
        value = format_instant(moment(value, run.sandbox.start_ms))
    answer = run.sandbox.control("POST", "/clock/advance", {step.how: value})
    run.sandbox.now = answer["to"]
    return Done(f"to {answer['to']}")


def receiver(run: Run, step: Receiver) -> Done:
    """Somebody else answers for a host from now on."""
    members = run.fill(step.members)
    if "outage" in members:
        members["outage"] = anchored(members["outage"], ("from", "to"), run.sandbox.start_ms)
    run.sandbox.control("PUT", f"/receivers/{segment(str(run.fill(step.host)))}", members)
    return Done()


def fault(run: Run, step: Fault | Clear) -> Done:
    """Something goes wrong from now on, or no longer."""
    if isinstance(step, Clear):
        run.sandbox.control("DELETE", "/faults" if step.fault is None else f"/faults/{segment(run.fill(step.fault))}")
        return Done()
    members = run.fill(step.members)
    if "when" in members:
        members["when"] = anchored(members["when"], ("from", "to"), run.sandbox.start_ms)
    run.sandbox.control("POST", "/faults", members)
    return Done()


def settings(run: Run, step: Settings) -> Done:
    """Settings change."""
    run.sandbox.control("PATCH", "/settings", run.fill(step.members))
    return Done()


def expect(_run: Run, _step: Expect) -> Done:
    """Nothing: what is expected of the world is judged after every step alike."""
    return Done()
