"""The last step of a call: run the handler in transactions, between which deliveries may go out (G21, G28)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import NamedTuple, Protocol

from giftsim.engine.gateway.call import Call, CallNext, DeferredResponse, Handler, Interface, Response
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.faults.webhook_faults import bind_effect
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.trace_context import TraceContext, read_context

Check = Callable[[Call], Response | None]  # it refuses by a Problem; a response ends the call


class Around(NamedTuple):
    """A check that wraps the rest of the call. If it returns None, the rest runs as usual."""

    run: Callable[[CallNext, Call], Response | None]


class Step(Protocol):
    """One step of a call. For each operation, it returns a check, or None if the operation needs none."""

    __name__: str

    def __call__(self, interface: Interface, operation: Operation, /) -> Check | Around | None: ...


class Stack:
    """Steps in order; the plan of each operation is made by its first call."""

    def __init__(self, *steps: Step) -> None:
        self.steps = steps

    def plan(self, call: Call) -> CallNext:
        """A function that runs the call through the steps, first to last."""
        plans, key = call.interface.plans, (self, call.operation.id)
        plan = plans.get(key)
        if plan is None:
            plan = plans[key] = make_plan(self.steps, call.interface, call.operation)
        return plan


def make_plan(steps: Sequence[Step], interface: Interface, operation: Operation) -> CallNext:
    """A function that runs calls of an operation through the steps."""
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


def transact(interface: Interface, operation: Operation) -> Check:
    """Run the handler in a transaction and note whether it changed any record.

    A refused call may have changed records too, such as an order that waits for its payment (G28).
    """
    return partial(_transact, interface.handlers[operation.id])


def _transact(handler: Handler, call: Call) -> Response:
    writes = call.state.writes
    try:
        return _run_handler(handler, call)
    finally:
        call.changed_records = call.world.state.writes != writes


def _run_handler(handler: Handler, call: Call) -> Response:
    """One transaction, which also stores a 2xx response under its idempotency key. A deferred response takes two."""
    with _transaction(call):
        response = _with_effect(handler, call) if call.effect else handler(call)
        if isinstance(response, Response):
            return _store(call, response)
    call.world.deliveries.send_within(call.logged.n)
    call.refresh()
    with _transaction(call):
        return _store(call, response.finish(call.state))


def _transaction(call: Call) -> AbstractContextManager[None]:
    """A transaction of the call, which passes on the trace that the call is part of."""
    traced = read_context(call.environ) if "HTTP_TRACEPARENT" in call.environ else None
    return call.state.transaction() if traced is None else _traced(call.state, traced)


@contextmanager
def _traced(state: State, context: TraceContext) -> Iterator[None]:
    state.context = context
    try:
        with state.transaction():
            yield
    finally:
        state.context = None


def _with_effect(handler: Handler, call: Call) -> Response | DeferredResponse:
    with bind_effect(call):
        return handler(call)


def handle(interface: Interface, operation: Operation) -> Check:
    """Run the handler without lock or transaction; handlers of the control API take their own."""
    handler = interface.handlers[operation.id]

    def handle(call: Call) -> Response:
        response = handler(call)
        if not isinstance(response, Response):
            raise TypeError(f"{operation.id} cannot defer its response")
        return response

    return handle


def _store(call: Call, response: Response) -> Response:
    key = call.idempotency_key
    if key and 200 <= response.status < 300:
        key.store(call.state, response.status, response.content_type, response.headers, response.bytes())
    return response
