"""A call as a journal entry: what came, what went, with nothing of the call but its own bytes."""

from __future__ import annotations

from simulator.gateway.call import Call, Reply
from simulator.worlds.journal import Entry

UNSHOWN = ("HTTP_HOST", "HTTP_CONNECTION", "HTTP_ACCEPT_ENCODING")


def entry(call: Call, reply: Reply | None) -> Entry:
    """The entry for a call and its answer (None: the connection was dropped)."""
    world, environ = call.here, call.environ
    sent = tuple(
        (name[5:].replace("_", "-").title(), str(value))
        for name, value in environ.items()
        if name.startswith("HTTP_") and name not in UNSHOWN
    )
    return Entry(
        world.journal.next_seq, world.state.now_ms, call.method, full_path(call), sent, call.raw,
        reply.status if reply else None, tuple(reply.headers.items()) if reply else (),
        reply.bytes() if reply else b"", call.fault, None if call.op else "no such route",
    )  # fmt: skip


def full_path(call: Call) -> str:
    """Path and query as the client wrote them."""
    path = call.interface.contract.prefix + call.path
    return f"{path}?{call.query_string}" if call.query_string else path
