"""How states, outcomes and statuses are said and coloured: one table for the console, the commands and all pages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

GOOD, WAITING, BAD, MOVING, PLAIN = "good", "wait", "bad", "move", "plain"
TONES: Final[Mapping[str, str]] = {
    GOOD: "delivered paid completed complete claimed approved settled active ready accepted passed signed funded ok"
    " succeeded available issued 2xx",
    BAD: "failed unpaid dead canceled cancelled rejected refused expired declined timeout dns_error connection_refused"
    " connection_reset tls_error blocked_address http_status error voided unknown returned lost 5xx",
    MOVING: "in_production labeled shipped in_transit processing sending submitted running fulfilling"
    " partially_shipped in_progress generating",
    WAITING: "pending awaiting_approval collecting_addresses awaiting_payment pending_approval draft held queued"
    " scheduled awaiting_claim invited proof_pending needs_review delayed awaiting_address waiting open in_review"
    " ready_to_sign pending_review reserved uncertain sent awaiting awaiting_version in_flight skipped not_offered 4xx",
}
TONE_OF: Final = {state: name for name, states in TONES.items() for state in states.split()}

# What is said of a state; any other is its name with blanks.
SAID: Final[Mapping[str, str]] = {
    "awaiting": "unclaimed",
    "awaiting_address": "unclaimed",
    "awaiting_version": "needs a version",
    "blocked_address": "address not allowed",
    "connection_refused": "connection refused",
    "connection_reset": "connection lost",
    "dns_error": "host not found",
    "http_status": "answered an error",
    "in_flight": "on its way",
    "tls_error": "no TLS",
    "uncertain": "no outcome yet",
    "unsubscribed": "no endpoint",
}
_BETWEEN: Final = re.compile(r"[_.]+")


def words(name: object) -> str:
    """An identifier as words: `awaiting_approval` is "awaiting approval"."""
    return SAID.get(str(name), _BETWEEN.sub(" ", str(name)))


def tone(state: object) -> str:
    """The colour of a state: good, bad, moving, waiting, or plain for one that has none of its own."""
    return TONE_OF.get(str(state), PLAIN)


def answer_text(status: int | None, outcome: str | None) -> str:
    """How a call or a delivery ended: "answered 503", or its outcome if nothing was answered."""
    if status is not None:
        return f"answered {status}"
    return "on its way" if outcome is None else words(outcome)


def javascript_module() -> str:
    """The table of what is said, as a module in JavaScript with the function `stateText`."""
    return (
        f"const SAID = {json.dumps(SAID, indent=2)};\n"
        'export const stateText = (name) => SAID[name] ?? String(name).replace(/[_.]+/g, " ");\n'
    )
