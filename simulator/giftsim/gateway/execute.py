"""The last step of a call: run the handler in transactions, between which deliveries may go out (G21, G28)."""

from __future__ import annotations

from functools import partial

from giftsim.gateway import idempotency
from giftsim.gateway.call import Call, DeferredResponse, Handler, Interface, Response
from giftsim.gateway.contract import Operation
from giftsim.gateway.faults.webhook_matching import bind_effect
from giftsim.gateway.plan import Check
from giftsim.worlds import sending


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
    with call.state.transaction():
        response = _with_effect(handler, call) if call.effect else handler(call)
        if isinstance(response, Response):
            return _store(call, response)
    sending.send_now(call.world, call.logged.n)
    call.refresh()
    with call.state.transaction():
        return _store(call, response.finish(call.state))


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
    if call.idempotency_key and 200 <= response.status < 300:
        idempotency.store(call.state, call.idempotency_key, response)
    return response
