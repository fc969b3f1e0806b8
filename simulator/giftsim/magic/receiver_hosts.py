"""Hosts by magic: the name in the URL of a webhook says how whoever answers there does, as a receiver of the world."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.kernel.instants import format_duration, parse_duration
from giftsim.kernel.state import State
from giftsim.magic.format import HOST, MAGIC_VALUES
from giftsim.webhooks.endpoint import Endpoint
from giftsim.webhooks.receiver import RECEIVER, InvalidReceiver, set_receiver

MOST_FAILURES = 100

Entry = Mapping[str, Any]


class Host(msgspec.Struct, frozen=True, gc=False):
    """A label before the magic domain, `example` of it, and the receiver that it stands for."""

    pattern: str
    example: str
    entry: Callable[[str], Entry | None]
    means: str
    source: str


def _failing(times: str) -> Entry | None:
    return {"script": [{"status": 503}] * int(times)} if 1 <= int(times) <= MOST_FAILURES else None


def _down(span: str) -> Entry | None:
    try:
        return {"outage": {"from": "+0s", "to": f"+{format_duration(parse_duration(span))}"}}
    except ValueError:
        return None


HOSTS: Final = (
    Host(r"status-(\d{3})", "status-503", lambda code: {"then": {"status": int(code)}}, "always that status", "P-6.16"),
    Host(r"(timeout)", "timeout", lambda name: {"then": {name: True}}, "never answers in time", "P-6.17"),
    Host(r"(reset)", "reset", lambda name: {"then": {name: True}}, "breaks the connection", "P-6.16"),
    Host(r"(refuse)", "refuse", lambda name: {"then": {name: True}}, "refuses the connection", "P-6.16"),
    Host(r"fails-(\d{1,3})", "fails-2", _failing, "503 so many times, then 200", "P-6.18"),
    Host(r"down-(\w+)", "down-1d", _down, "503 for that span from the making of the webhook on, then 200", "P-6.18"),
)


def endpoint_made(state: State, endpoint: Endpoint) -> None:
    """A webhook was made (the hook of that name): one at a magic host gets its receiver, unless there is an entry."""
    host = endpoint.host
    if not host.endswith(HOST) or not state.setting(MAGIC_VALUES) or state[RECEIVER].find("host", host) is not None:
        return
    label = host.removesuffix(HOST).rpartition(".")[2]
    for row in HOSTS:
        found = re.fullmatch(row.pattern, label)
        entry = row.entry(found[1]) if found else None
        if entry is not None:
            _put(state, host, entry)


def _put(state: State, host: str, entry: Entry) -> None:
    """The receiver, unless no receiver can be so (a status of 999)."""
    try:
        set_receiver(state, host, dict(entry), start_ms=state.now_ms)
    except InvalidReceiver:
        return
