"""A call as an input of its world, and as a journal entry: what came, what went, nothing of it but its own bytes."""

from __future__ import annotations

from functools import lru_cache

from giftsim.event_log.events import Called
from giftsim.event_log.log import Seen
from giftsim.gateway.call import ASSISTANT, NOT_YET, Call, Reply
from giftsim.worlds.call_log import Entry

UNSHOWN = ("HTTP_HOST", "HTTP_CONNECTION", "HTTP_ACCEPT_ENCODING")


def begun(call: Call) -> Called:
    """The input that the call is, before it acts."""
    world, environ = call.here, call.environ
    sent = tuple(
        [  # a list of them first is quicker
            (_named(name), str(value))
            for name, value in environ.items()
            if name.startswith("HTTP_") and name not in UNSHOWN
        ]
    )
    return Called(
        at_ms=world.state.now_ms, method=call.method, path=full_path(call), headers=sent, body=call.raw,
        assistant=environ.get(ASSISTANT), during=world.at_delivery,
    )  # fmt: skip


@lru_cache(1_000)
def _named(member: str) -> str:
    """What a header is called that WSGI calls HTTP_SO_AND_SO."""
    return member[5:].replace("_", "-").title()


def note(call: Call, reply: Reply | None) -> None:
    """Keep what became of the call (None: the connection was dropped), and whether it changed any record.

    Of a call that was taken back nothing is kept.
    """
    if call.came is NOT_YET:
        return
    world, came = call.here, call.came
    entry = Entry(
        world.journal.next_seq, world.state.now_ms, came.method, came.path, came.headers, came.body,
        reply.status if reply else None, tuple(reply.headers.items()) if reply else (),
        reply.bytes() if reply else b"", call.fault, None if call.op else "no such route",
    )  # fmt: skip
    world.journal.add(entry)
    kind, opaque = (reply.content_type, reply.opaque) if reply else ("", False)
    world.event_log.see(came.n, Seen(entry, call.wrote, kind, opaque))


def full_path(call: Call) -> str:
    """Path and query; of what must be written with a percent sign only that and the question mark are."""
    path = call.interface.contract.prefix + call.path
    if "?" in path or "%" in path:
        path = path.replace("%", "%25").replace("?", "%3F")
    return f"{path}?{call.query_string}" if call.query_string else path
