"""A call as an event of its world's event log, and as an entry of its call log."""

from __future__ import annotations

from functools import lru_cache

from giftsim.engine.gateway.call import ASSISTANT, JSON, NO_OPERATION, NOT_LOGGED, Call, Response
from giftsim.engine.gateway.json_body import is_json_type
from giftsim.engine.log.inputs import CallRecord, ClientCall
from giftsim.engine.log.segment import CallOutcome
from giftsim.engine.problem import Problem
from giftsim.engine.worlds.changes import CALL, FAULT

KEPT_BYTES = 64 * 1024  # a larger body is kept only if its credential is valid
OMITTED = ("HTTP_HOST", "HTTP_CONNECTION", "HTTP_ACCEPT_ENCODING")


def call_event(call: Call) -> ClientCall:
    """The event for a call that is about to be handled."""
    world, environ = call.world, call.environ
    keys, names = _logged_headers(tuple(environ))
    values = tuple([str(environ[key]) for key in keys])
    kind = environ.get("CONTENT_TYPE", "")
    if kind != JSON and call.raw and not is_json_type(kind):
        names, values = (*names, "Content-Type"), (*values, kind)  # a reading refuses it (G352)
    headers = _shared_headers(names, values)
    body = call.raw if len(call.raw) <= KEPT_BYTES else _kept_body(call)
    return ClientCall(
        at_ms=call.state.now_ms,
        method=call.method,
        path=full_path(call),
        headers=headers,
        body=body,
        assistant=environ.get(ASSISTANT),
        during=world.clock.waits_for,
    )


def _kept_body(call: Call) -> bytes:
    """A large body, unless the call will be refused before its body matters (404, 405, 401)."""
    match = call.interface.contract.match(call.path) if call.base is None else None
    call.matched_operation = match[0].operation(call.method) if match else None
    if call.matched_operation is None:
        return b""
    try:
        call.interface.authenticate(call)
    except Problem:
        return b""
    return call.raw


@lru_cache(64)  # a client sends the same headers with every call; a key takes at most what a request's headers may
def _logged_headers(keys: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The headers among the keys of a WSGI environ: their keys, and their names (`HTTP_X_API_KEY` is `X-Api-Key`)."""
    sent = [key for key in keys if key.startswith("HTTP_") and key not in OMITTED]
    return tuple(sent), tuple([key[5:].replace("_", "-").title() for key in sent])


@lru_cache(64)  # so that the thousands of calls in a log share the headers of their client
def _shared_headers(names: tuple[str, ...], values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(names, values, strict=True))


def log_response(call: Call, response: Response | None) -> None:
    """Log the call's response (None: the connection was dropped) and whether the call changed any record.

    Nothing is logged for a call that was undone.
    """
    if call.logged is NOT_LOGGED:
        return
    world, event = call.world, call.logged
    sent = b"" if response is None or call.method == "HEAD" else response.bytes()
    content_type, opaque = (response.content_type, response.opaque) if response else ("", False)
    entry = CallRecord(
        world.calls.log.next_seq,
        world.state.now_ms,
        event.method,
        event.path,
        event.headers,
        event.body,
        response.status if response else None,
        response.headers if response else {},
        sent,
        call.fault,
        "no such route" if call.operation is NO_OPERATION else None,
        content_type,
    )
    outcome = CallOutcome(entry, call.changed_records, content_type, opaque)
    world.calls.log.add(entry, world.event_log.set_outcome(event.n, outcome))
    world.note(CALL, entry.seq, entry.status is None or entry.status >= 400)
    if call.fault is not None:
        world.note(FAULT, call.fault)


def full_path(call: Call) -> str:
    """Path and query. In the path only `%` and `?` are percent-encoded, which is enough to read it back."""
    path = (call.interface.contract.prefix if call.base is None else call.base) + call.path
    if "?" in path or "%" in path:
        path = path.replace("%", "%25").replace("%252F", "%2F").replace("?", "%3F")
    return f"{path}?{call.query_string}" if call.query_string else path
