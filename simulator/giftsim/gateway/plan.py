"""What the calls of an operation pass: made once for each operation, of the steps that it needs.

Most calls have nothing to do in most steps: no body to parse, no query, no rate limit. A step therefore says for an
operation what a call passes there, or None. The calls of the operation then run through what is left, one after the
other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from giftsim.gateway.call import Call, CallNext, Interface, Response
from giftsim.gateway.contract import Operation

Check = Callable[[Call], Response | None]  # it refuses by a Problem; a response ends the call


class Around(NamedTuple):
    """A check that may call the rest itself, to act before and after it; None where it has nothing to do after it."""

    run: Callable[[CallNext, Call], Response | None]


class Step(Protocol):
    """One step of a call: what the calls of an operation pass there, or None for nothing."""

    __name__: str

    def __call__(self, interface: Interface, operation: Operation, /) -> Check | Around | None: ...


class Stack:
    """Steps in their order."""

    def __init__(self, *steps: Step) -> None:
        self.steps = steps

    def plan(self, call: Call) -> CallNext:
        """What runs the call through the steps, first to last."""
        plans, key = call.interface.plans, (self, call.operation.id)
        plan = plans.get(key)
        if plan is None:
            plan = plans[key] = make_plan(self.steps, call.interface, call.operation)
        return plan


def make_plan(steps: Sequence[Step], interface: Interface, operation: Operation) -> CallNext:
    """What runs the calls of an operation through the steps."""
    checks: list[Check] = []
    for step in reversed(steps):
        made = step(interface, operation)
        if isinstance(made, Around):
            checks.insert(0, partial(made.run, partial(_run, tuple(checks))))
        elif made is not None:
            checks.insert(0, made)
    return partial(_run, tuple(checks))


def _run(checks: Sequence[Check], call: Call) -> Response:
    for check in checks:
        response = check(call)
        if response is not None:
            return response
    raise RuntimeError("the last step must return a response")
