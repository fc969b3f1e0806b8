"""Calls as steps: who made them, what they sent, and the answer that each byte of must come again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from giftsim.event_log.events import Called
from giftsim.event_log.log import LOST, Seen
from giftsim.recording import body
from giftsim.recording.variables import Slots
from giftsim.recording.yaml_writer import Line

# Headers that no answer follows from, by their names in lower case.
IDLE = (
    "host", "user-agent", "accept-encoding", "accept-language", "connection", "keep-alive", "content-length",
    "transfer-encoding", "x-sim-world",
)  # fmt: skip
MCP = "/mcp"
MUSEUM = "/v1.1/"
SAFE = "/:@!$&'()*+,;=~-._"
_SPACE = re.compile(r"[\x00-\x20\x7f-\xa0]")
Names = Mapping[str, str]


def call_step(came: Called, seen: Seen | None, names: Names, slots: Slots) -> dict[str, Any]:
    """A `call` step with all but what is expected; `names` gives the credential that an Authorization header is."""
    if came.assistant is not None:
        step: dict[str, Any] = {"call": f"POST {MCP}"}
    else:
        path, mark, query = came.path.partition("?")
        step = {"call": f"{came.method} {slots.sent(quote(path, safe=SAFE) + mark + _SPACE.sub(_quoted, query))}"}
    headers = dict(came.headers)
    name = _credential(came.path, headers, seen, names)
    if name is not None:
        step["as"] = name
    kept = {each: slots.sent(value) for each, value in headers.items() if not _is_idle(each, value)}
    if kept:
        step["headers"] = kept
    return step | body.sent(came.body if came.assistant is None else came.assistant)


def outcome(came: Called, seen: Seen | None, slots: Slots) -> dict[str, Any]:
    """What is to be seen of the answer: `recorded`, or `expect` where less is known of it."""
    entry = seen.entry if seen else None
    if seen is None or came.assistant is not None:
        return {}
    if seen.status == LOST or (entry is not None and entry.status is None):
        return {"expect": {"connection": "lost"}}
    if entry is None:
        return {"expect": {"status": seen.status}} if seen.status else {}
    told: dict[str, Any] = {"status": entry.status}
    headers = {name: slots.sent(value) for name, value in entry.answer_headers}
    if entry.status == 204:
        return {"recorded": told | {"headers": Line(headers)}}
    headers["Content-Type"] = seen.kind
    return {"recorded": told | {"headers": Line(headers)} | body.came(entry.answer, slots, opaque=seen.opaque)}


def _credential(path: str, headers: dict[str, str], seen: Seen | None, names: Names) -> str | None:
    """The name that the headers' credential has; what speaks for it is taken out of them."""
    name = names.get(headers.get("Authorization", ""))
    refused = seen is not None and seen.entry is not None and seen.entry.status == 401
    if path.startswith(MUSEUM):
        # A pair of user and password names the world in Base64; the world `default` takes others too, or none (G10).
        # A wrong pair is refused as none at all is.
        headers.pop("Authorization", None)
        return name or (None if refused else "museum")
    if name is None or refused:  # one that was revoked by then has no name there
        return None
    del headers["Authorization"]
    return name


def _quoted(found: re.Match[str]) -> str:
    return quote(found[0], encoding="latin-1")


def _is_idle(name: str, value: str) -> bool:
    return name.lower() in IDLE or (name.lower() == "accept" and value == "*/*")
