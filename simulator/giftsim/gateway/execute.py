"""The last middleware of a call: run the handler in transactions, between which deliveries may go out (G21, G28)."""

from __future__ import annotations

from contextlib import nullcontext

from giftsim.gateway import idempotency
from giftsim.gateway.call import Call, CallNext, DeferredResponse, Response
from giftsim.gateway.faults.webhook_matching import bind_effect
from giftsim.worlds import sending

NO_EFFECT = nullcontext()


def transact(call: Call, call_next: CallNext) -> Response:  # noqa: ARG001 - it is the last one
    """Run the handler in a transaction and note whether it changed any record.

    A refused call may have changed records too, such as an order that waits for its payment (G28).
    """
    world = call.world
    writes = world.state.writes
    try:
        return _run_handler(call)
    finally:
        call.changed_records = world.state.writes != writes


def _run_handler(call: Call) -> Response:
    """One transaction, which also stores a 2xx response under its idempotency key. A deferred response takes two."""
    with call.state.transaction(), bind_effect(call) if call.effect else NO_EFFECT:
        response = call.interface.handlers[call.operation.id](call)
        if isinstance(response, Response):
            return _store(call, response)
    sending.send_now(call.world, call.logged.n)
    with call.state.transaction():
        return _store(call, response.finish(call.state))


def handle(call: Call, call_next: CallNext) -> Response:  # noqa: ARG001 - it is the last one
    """Run the handler without lock or transaction; handlers of the control API take their own."""
    response = call.interface.handlers[call.operation.id](call)
    if isinstance(response, DeferredResponse):
        raise TypeError(f"{call.operation.id} cannot defer its response")
    return response


def _store(call: Call, response: Response) -> Response:
    if call.idempotency_key and 200 <= response.status < 300:
        idempotency.store(call.state, call.idempotency_key, response)
    return response
