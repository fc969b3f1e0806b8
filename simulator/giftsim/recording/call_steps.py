"""Client calls as scenario steps: the credential, the request and the exact response that replay checks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from giftsim.event_log.events import ClientCall
from giftsim.event_log.log import NO_RESPONSE
from giftsim.event_log.segment import CallOutcome
from giftsim.recording.body import request_members, response_members
from giftsim.recording.variables import WorldVariables
from giftsim.recording.yaml_writer import OneLine

# The request headers that a response can depend on. Whatever else a client sends is its own, and may be a secret.
READ_HEADERS = ("accept", "authorization", "content-type", "cookie", "idempotency-key", "x-api-key", "x-sim-fault")
MCP = "/mcp"
MUSEUM = "/v1.1/"
SAFE = "/:@!$&'()*+,;=~-._"
_WHITE_SPACE = re.compile(r"[\x00-\x20\x7f-\xa0]")
CredentialNames = Mapping[str, str]


def call_step(
    call: ClientCall, outcome: CallOutcome | None, credential_names: CredentialNames, variables: WorldVariables
) -> dict[str, Any]:
    """A `call` step without its expectation; `credential_names` maps Authorization headers to named credentials."""
    if call.assistant is not None:
        step: dict[str, Any] = {"call": f"POST {MCP}"}
    else:
        path, mark, query = call.path.partition("?")
        target = quote(path, safe=SAFE) + mark + _WHITE_SPACE.sub(_quoted, query)
        step = {"call": f"{call.method} {variables.request_text(target)}"}
    headers = dict(call.headers)
    name = _take_credential(call.path, headers, outcome, credential_names)
    if name is not None:
        step["as"] = name
    kept = {each: variables.request_text(value) for each, value in headers.items() if _is_read(each, value)}
    if kept:
        step["headers"] = kept
    return step | request_members(call.body if call.assistant is None else call.assistant)


def response_check(call: ClientCall, outcome: CallOutcome | None, variables: WorldVariables) -> dict[str, Any]:
    """The `recorded` response of a call, or `expect` with a status or a lost connection if no more is known."""
    entry = outcome.entry if outcome else None
    if outcome is None or call.assistant is not None:
        return {}
    if outcome.status == NO_RESPONSE or (entry is not None and entry.status is None):
        return {"expect": {"connection": "lost"}}
    if entry is None:
        return {"expect": {"status": outcome.status}} if outcome.status else {}
    response: dict[str, Any] = {"status": entry.status}
    headers = {name: variables.request_text(value) for name, value in entry.answer_headers.items()}
    if entry.status == 204:
        return {"recorded": response | {"headers": OneLine(headers)}}
    headers["Content-Type"] = outcome.kind
    body = response_members(entry.answer, variables, opaque=outcome.opaque)
    return {"recorded": response | {"headers": OneLine(headers)} | body}


def _take_credential(
    path: str, headers: dict[str, str], outcome: CallOutcome | None, credential_names: CredentialNames
) -> str | None:
    """The name of the credential in the headers, which is removed from them; None leaves the header as text."""
    name = credential_names.get(headers.get("Authorization", ""))
    refused = outcome is not None and outcome.entry is not None and outcome.entry.status == 401
    if path.startswith(MUSEUM):
        # A museum credential holds the world's id in Base64. The world `default` also accepts other pairs, or none
        # (G10), and a wrong pair gets the same response as none, so the header is never needed.
        headers.pop("Authorization", None)
        return name or (None if refused else "museum")
    if name is None or refused:  # a key that was already revoked has no name when the scenario runs
        return None
    del headers["Authorization"]
    return name


def _quoted(match: re.Match[str]) -> str:
    return quote(match[0], encoding="latin-1")


def _is_read(name: str, value: str) -> bool:
    return name.lower() in READ_HEADERS and (name.lower(), value) != ("accept", "*/*")
