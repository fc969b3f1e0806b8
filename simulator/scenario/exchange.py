"""Steps that are a call: to an interface, to the outside world, to the downstream app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from simulator.scenario.app import AppFailed
from simulator.scenario.client import Answer
from simulator.scenario.expectation import answer_mismatches
from simulator.scenario.match import shown
from simulator.scenario.run import Done, Run
from simulator.scenario.sandbox import CONTROL, content
from simulator.scenario.step import App, Call, Exchange, Simulate

Ask = Callable[[], Answer]


def call(run: Run, step: Call) -> Done:
    """A client's call, as often as it is to be repeated."""

    def ask() -> Answer:
        headers = {**run.sandbox.credential(run.fill(step.credential)), **_written(run.fill(step.headers))}
        return run.sandbox.call(step.method, _target(run.fill(step.path)), run.fill(step.body), headers)

    return _repeated(run, step, step.repeat, ask)


def app(run: Run, step: App) -> Done:
    """A call to the downstream app."""

    def ask() -> Answer:
        headers = _written(run.fill(step.headers))
        return run.dial(run.variables["app"], step.method, _target(run.fill(step.path)), run.fill(step.body), headers)

    return _repeated(run, step, step.repeat, ask)


def simulate(run: Run, step: Simulate) -> Done:
    """Something that people, carriers or banks do."""
    path = CONTROL + run.sandbox.path(f"/simulate/{step.verb}")
    return exchanged(run, step, lambda: run.sandbox.call("POST", path, run.fill(step.members), {}))


def exchanged(run: Run, step: Exchange, ask: Ask) -> Done:
    """One answer, held against what the step expects of it; then what it saves is taken."""
    answer: Answer | None
    try:
        answer = ask()
    except AppFailed as failure:
        return Done(faults=(str(failure),))
    except ConnectionError:
        answer = None
    return judged(run, step, answer)


def judged(run: Run, step: Exchange, answer: Answer | None) -> Done:
    """What is to be said of an answer; None is a connection that broke without one."""
    faults = tuple(str(mismatch) for mismatch in answer_mismatches(run.fill(step.expect), answer))
    if answer is None:
        return Done("no answer: the connection was lost", faults)
    found = content(answer)
    return Done(str(answer.status), faults or run.save(step.saves, found), f"{answer.status} {shown(found)}")


def _repeated(run: Run, step: Exchange, times: int | None, ask: Ask) -> Done:
    if times is None:
        return exchanged(run, step, ask)
    done = Done()
    for number in range(1, times + 1):
        run.variables["n"] = number
        done = exchanged(run, step, ask)
        if done.faults:
            return done
    return done if times == 1 else done._replace(said=f"{done.said}, {times} times")


def _written(headers: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(value) for name, value in headers.items()}


def _target(address: Any) -> str:
    """Path and query: a link that the service handed out is called on the simulator, whatever its origin."""
    parts = urlsplit(str(address))
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
