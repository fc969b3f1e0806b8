"""The last stage of a call: its work, in transactions, between which the courier may go (G21, G28)."""

from __future__ import annotations

from contextlib import nullcontext

from giftsim.gateway.call import Call, Later, Proceed, Reply
from giftsim.gateway.faults.webhook_matching import causing
from giftsim.worlds import advance

UNHARMED = nullcontext()


def transact(call: Call, _: Proceed) -> Reply:
    """The work, and whether it changed any record: a refusal may have (an order that waits for its money, G28)."""
    world = call.here
    writes = world.state.writes
    try:
        return _work(call)
    finally:
        call.wrote = world.state.writes != writes


def _work(call: Call) -> Reply:
    """One transaction, in which a 2xx answer is remembered under its idempotency key."""
    with call.state.transaction(), causing(call) if call.effect else UNHARMED:
        reply = call.interface.handlers[call.operation.id](call)
        if isinstance(reply, Reply):
            return _remember(call, reply)
    advance.send_now(call.here, call.came.n)
    with call.state.transaction():
        return _remember(call, reply.finish(call.state))


def handle(call: Call, _: Proceed) -> Reply:
    """The work without a lock or a transaction around it: control operations that drive worlds take their own."""
    reply = call.interface.handlers[call.operation.id](call)
    if isinstance(reply, Later):
        raise TypeError(f"{call.operation.id} cannot wait for the courier")
    return reply


def _remember(call: Call, reply: Reply) -> Reply:
    if call.memory and 200 <= reply.status < 300:
        call.memory.store(call, reply)
    return reply
