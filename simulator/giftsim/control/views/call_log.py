"""Entries of the call log, as JSON."""

from __future__ import annotations

from typing import Any

from giftsim.control.call_names import CallNames
from giftsim.control.redaction import redact_request_headers, redact_response_headers, redact_text
from giftsim.event_log.call_record import CallRecord
from giftsim.kernel.instants import format_instant
from giftsim.kernel.placeholders import fill
from giftsim.worlds.world import World


def call_view(world: World, entry: CallRecord, names: CallNames, *, bodies: bool = True) -> dict[str, Any]:
    """A client call and its response, without secrets. `response` is null if the connection was dropped."""
    response = {
        "status": entry.status,
        "headers": redact_response_headers(entry.answer_headers),
        "body": _body(world, entry.answer) if bodies else None,
    }
    return {
        "seq": entry.seq,
        "at": format_instant(entry.at_ms),
        **names.of(entry)._asdict(),
        "request": {
            "method": entry.method,
            "path": redact_text(entry.path),
            "headers": redact_request_headers(entry.headers),
            "body": _body(world, entry.body) if bodies else None,
        },
        "response": None if entry.status is None else response,
        "fault": entry.fault,
        "note": entry.note,
    }


def _body(world: World, stored: bytes) -> str | None:
    """A body as text, or `(N bytes)` if it is not UTF-8."""
    if not stored:
        return None
    try:
        return redact_text(fill(stored, world.runtime.origin, world.id).decode())
    except UnicodeDecodeError:
        return f"({len(stored)} bytes)"
