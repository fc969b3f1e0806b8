"""Writes HAR 1.2: the calls that giftsim answered, and the webhooks that it sent, for other tools (G485).

`startedDateTime` is the world's time, so ten days of a world are ten days in the file; `_realStarted` is the machine's.
Members that HAR does not have begin with `_`, as it asks. Secrets are shown as the call log shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import msgspec

from giftsim.engine.kernel.instants import format_exact, parse_instant
from giftsim.services.secrets import redact

VERSION: Final = "1.2"
CALL, WEBHOOK = "call", "webhook"
SIMULATED: Final = "_simulated"
UNKNOWN: Final = -1  # as HAR writes sizes and times that are not known
HTTP: Final = "HTTP/1.1"
JSON: Final = "application/json"
Row = Mapping[str, Any]


class RealTime(msgspec.Struct, frozen=True):
    """When a call began on the machine, and how many milliseconds it took."""

    started_ms: int
    took_ms: float


def write_har(entries: Iterable[Row], version: str, *, simulated: bool = False) -> bytes:
    """The file for entries in their order; `version` is that of giftsim.

    `simulated` says that giftsim answered, and no service: such a file does not show what the service does.
    """
    creator = {"name": "giftsim", "version": version}
    log = {"version": VERSION, "creator": creator, **({SIMULATED: True} if simulated else {}), "entries": list(entries)}
    return msgspec.json.format(msgspec.json.encode({"log": log}), indent=2) + b"\n"


def in_order(calls: Iterable[Row], deliveries: Iterable[Row], origin: str, **more: Any) -> list[dict[str, Any]]:
    """The entries for rows of the call log and of the list of deliveries, by their instants.

    A webhook follows the calls of its instant.
    """
    entries = [*(entry_of_call(row, origin, **more) for row in calls), *map(entry_of_webhook, deliveries)]
    return sorted(entries, key=lambda entry: str(entry["startedDateTime"]))


def entry_of_call(row: Row, origin: str, real: RealTime | None = None, **more: Any) -> dict[str, Any]:
    """The entry for a row of the call log. A call whose connection was dropped has the status 0, as browsers write."""
    request, response = row["request"], row["response"]
    took_ms = UNKNOWN if real is None else real.took_ms
    own = {
        "kind": CALL,
        "seq": row["seq"],
        "operation": row["operation"],
        "credential": row["credential"],
        "fault": row["fault"],
        "realStarted": None if real is None else _in_ms(format_exact(real.started_ms)),
        **more,
    }
    sent = _request(request["method"], origin + request["path"], request["headers"], request["body"])
    return _entry(row["at"], took_ms, sent, _response(response), own)


def entry_of_webhook(row: Row, **more: Any) -> dict[str, Any]:
    """The entry for an attempt to deliver a webhook. What its receiver answered beside the status is not known.

    `_event` is the id of its event: a webhook is marked by `_kind`, and by its header `X-Service-Event-Id`.
    """
    request = row["request"]
    own = {
        "kind": WEBHOOK,
        "seq": row["seq"],
        "event": row["event_id"],
        "attempt": row["attempt"],
        "outcome": row["outcome"],
        "fault": row["fault"],
        **more,
    }
    status = None if row["status"] is None else {"status": row["status"], "headers": {}, "body": None}
    return _entry(
        row["at"], UNKNOWN, _request("POST", row["url"], request["headers"], request["body"]), _response(status), own
    )


def _entry(at: str, took_ms: float, request: Row, response: Row, own: Row) -> dict[str, Any]:
    wait = max(took_ms, 0)
    return {
        "startedDateTime": _in_ms(at),
        "time": wait,
        "request": request,
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": wait, "receive": 0},
        **{f"_{name}": value for name, value in own.items() if value is not None},
    }


def _in_ms(text: str) -> str:
    """An instant with milliseconds, which tools expect."""
    exact = format_exact(parse_instant(text))
    return exact if "." in exact else f"{exact.removesuffix('Z')}.000Z"


def _request(method: str, url: str, headers: Mapping[str, str], body: str | None) -> dict[str, Any]:
    shown, text = _headers(headers), "" if body is None else redact(body)
    query = parse_qsl(urlsplit(redact(url)).query, keep_blank_values=True)
    posted = {"postData": {"mimeType": _type(headers) or JSON, "text": text}} if text else {}
    return {
        "method": method,
        "url": redact(url),
        "httpVersion": HTTP,
        "cookies": [],
        "headers": shown,
        "queryString": [{"name": name, "value": value} for name, value in query],
        "headersSize": UNKNOWN,
        "bodySize": len(text.encode()),
        **posted,
    }


def _response(response: Row | None) -> dict[str, Any]:
    headers = {} if response is None else response["headers"]
    text, status = (
        "" if response is None else redact(response["body"] or ""),
        0 if response is None else response["status"],
    )
    size = len(text.encode())
    return {
        "status": status,
        "statusText": HTTPStatus(status).phrase if status in _KNOWN else "",
        "httpVersion": HTTP,
        "cookies": [],
        "headers": _headers(headers),
        "content": {"size": size, "mimeType": _type(headers), **({"text": text} if text else {})},
        "redirectURL": "",
        "headersSize": UNKNOWN,
        "bodySize": size,
    }


_KNOWN: Final = frozenset(map(int, HTTPStatus))


def _headers(headers: Mapping[str, str]) -> Sequence[dict[str, str]]:
    return [{"name": name, "value": redact(value)} for name, value in headers.items()]


def _type(headers: Mapping[str, str]) -> str:
    return next((value for name, value in headers.items() if name.lower() == "content-type"), "")
