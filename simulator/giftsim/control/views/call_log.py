"""Journal entries and mail, as JSON."""

from __future__ import annotations

from typing import Any

from giftsim.control import redaction
from giftsim.domain.fulfilment.mail import Mail
from giftsim.kernel.instants import format_instant
from giftsim.kernel.placeholders import fill, fill_text
from giftsim.worlds.call_log import Entry
from giftsim.worlds.world import World


def call_entry(world: World, entry: Entry) -> dict[str, Any]:
    """A client call and its answer without secrets; `response` is null where the connection was dropped."""
    answer = {
        "status": entry.status,
        "headers": redaction.headers(entry.answer_headers),
        "body": _body(world, entry.answer),
    }
    return {
        "seq": entry.seq,
        "at": format_instant(entry.at_ms),
        "request": {
            "method": entry.method,
            "path": redaction.text(entry.path),
            "headers": redaction.headers(entry.headers),
            "body": _body(world, entry.body),
        },
        "response": None if entry.status is None else answer,
        "fault": entry.fault,
        "note": entry.note,
    }


def letter(world: World, mail: Mail) -> dict[str, Any]:
    """A letter with its links in full: this is where a tester finds a claim link."""
    origin = world.registry.origin
    return {
        "seq": mail.n + 1,
        "at": format_instant(mail.at_ms),
        "to": mail.to,
        "kind": mail.kind,
        "subject": mail.subject,
        "links": [origin + fill_text(link, origin, world.id) for link in mail.links],
    }


def _body(world: World, stored: bytes) -> str | None:
    """A body as text; one that is no text is only measured."""
    if not stored:
        return None
    try:
        return redaction.text(fill(stored, world.registry.origin, world.id).decode())
    except UnicodeDecodeError:
        return f"({len(stored)} bytes)"
