"""The calls of a comparison with the service as a HAR file, with which later ones need no service."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim import __version__
from giftsim.engine.kernel.instants import SECOND, format_exact
from giftsim.workbench.compare.service_client import KeptExchange
from giftsim.workbench.har.writing import RealTime, entry_of_call, write_har

FIRST_LINE = '{\n  "log"'


def har_of(kept: Sequence[KeptExchange], start_ms: int) -> str:
    """The file for calls, the first of which was made at `start_ms`; secrets are hidden as in the call log."""
    if not kept:
        return write_har([], __version__).decode()
    first_s = kept[0].started_s
    entries = []
    for number, each in enumerate(kept, 1):
        at_ms = start_ms + round((each.started_s - first_s) * SECOND)
        response = {"status": each.response.status, "headers": each.response.headers, "body": _text(each.response.body)}
        request = {"method": each.method, "path": each.url, "headers": each.headers, "body": _text(each.body)}
        row = {
            "seq": number,
            "at": format_exact(at_ms),
            "operation": None,
            "credential": None,
            "fault": None,
            "request": request,
            "response": response,
        }
        entries.append(entry_of_call(row, "", RealTime(at_ms, each.took_s * SECOND)))
    return write_har(entries, __version__).decode()


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace")
