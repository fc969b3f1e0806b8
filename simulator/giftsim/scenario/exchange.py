"""Steps that are a call: to an interface, to the outside world, to the downstream app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from giftsim.paths import CONTROL
from giftsim.scenario.app_client import AppFailed
from giftsim.scenario.background_call import Ask
from giftsim.scenario.client_protocol import Answer
from giftsim.scenario.expectation import answer_mismatches
from giftsim.scenario.matching import shown
from giftsim.scenario.recorded_response import differing, recorded
from giftsim.scenario.run import Done, Run
from giftsim.scenario.step import App, Await, Call, Control, Exchange, Simulate
from giftsim.scenario.world_client import content

# Control calls after which the world's lists are others.
REWINDING = ("/reset", "/restore", "/undo")


def call(run: Run, step: Call) -> Done:
    """A client's call, as often as it is to be repeated."""

    def ready() -> Ask:
        sandbox, target, body = run.sandbox, _target(run.fill(step.path)), run.fill(step.body)
        headers = {**sandbox.credential(run.fill(step.credential)), **_written(run.fill(step.headers))}
        return lambda: sandbox.call(step.method, target, body, headers)

    return _made(run, step, ready)


def app(run: Run, step: App) -> Done:
    """A call to the downstream app."""

    def ready() -> Ask:
        url, target = run.variables["app"], _target(run.fill(step.path))
        body, headers = run.fill(step.body), _written(run.fill(step.headers))
        return lambda: run.dial(url, step.method, target, body, headers)

    return _made(run, step, ready)


def control(run: Run, step: Control) -> Done:
    """A call to the control plane; the world may be another afterwards."""
    path = CONTROL + run.sandbox.path(str(run.fill(step.path)))
    done = exchanged(run, step, lambda: run.sandbox.call(step.method, path, run.fill(step.body), {}))
    if path.endswith(REWINDING):
        run.sandbox.rewound()
    elif step.method != "GET":
        run.sandbox.refresh()
    return done


def awaited(run: Run, step: Await) -> Done:
    """The answer of a call that went out before."""
    background = run.backgrounds[step.name]
    if not run.come_back(background):
        told = f"the call {step.name} is still held; end the fault, or answer the delivery, that holds it first"
        return Done(faults=(told,))
    del run.backgrounds[step.name]
    return exchanged(run, step, background.answer)


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
    faults: tuple[str, ...] = ()
    if step.recorded is None or step.expect:
        faults = tuple(str(mismatch) for mismatch in answer_mismatches(run.fill(step.expect), answer))
    other = None if step.recorded is None else differing(recorded(step.recorded, run.fill), answer)
    if other is not None:
        faults += (other.told,)
    if answer is None:
        return Done("no answer: the connection was lost", faults, difference=other)
    found = content(answer)
    return Done(str(answer.status), faults or run.save(step.saves, found), f"{answer.status} {shown(found)}", other)


def _made(run: Run, step: Call | App, ready: Callable[[], Ask]) -> Done:
    """The call that `ready` has filled in: in the background, once, or again and again."""
    if step.background is not None:
        out = run.send(step, step.background, ready())
        return Done("goes on in the background" if out else "answered in the background")
    if step.repeat is None:
        return exchanged(run, step, ready())
    done = Done()
    for number in range(1, step.repeat + 1):
        run.variables["n"] = number
        done = exchanged(run, step, ready())
        if done.faults:
            return done
    return done._replace(said=f"{done.said}, {step.repeat} times") if step.repeat > 1 else done


def _written(headers: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(value) for name, value in headers.items()}


def _target(address: Any) -> str:
    """Path and query: a link that the service handed out is called on the simulator, whatever its origin."""
    parts = urlsplit(str(address))
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
