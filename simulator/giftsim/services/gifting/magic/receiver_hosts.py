"""Magic hosts: the host in the URL of a webhook decides how its receiver answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.instants import format_duration, parse_duration
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.endpoint import Endpoint
from giftsim.engine.webhooks.receiver import RECEIVER, InvalidReceiver, set_receiver
from giftsim.services.gifting.magic.value_format import HOST, MAGIC_VALUES

MAX_FAILURES = 100

Entry = Mapping[str, Any]


class Host(msgspec.Struct, frozen=True, gc=False):
    """The pattern of a label before the magic domain, an example of it, and the receiver entry for it."""

    pattern: str
    example: str
    entry: Callable[[str], Entry | None]
    means: str
    source: str


def _failing(times: str) -> Entry | None:
    return {"script": [{"status": 503}] * int(times)} if 1 <= int(times) <= MAX_FAILURES else None


def _down(span: str) -> Entry | None:
    try:
        return {"outage": {"from": "+0s", "to": f"+{format_duration(parse_duration(span))}"}}
    except ValueError:
        return None


HOSTS: Final = (
    Host(
        r"status-(\d{3})",
        "status-503",
        lambda code: {"then": {"status": int(code)}},
        "always answers with that status",
        "P-6.16",
    ),
    Host(r"(timeout)", "timeout", lambda name: {"then": {name: True}}, "never answers in time", "P-6.17"),
    Host(r"(reset)", "reset", lambda name: {"then": {name: True}}, "breaks the connection", "P-6.16"),
    Host(r"(refuse)", "refuse", lambda name: {"then": {name: True}}, "refuses the connection", "P-6.16"),
    Host(r"fails-(\d{1,3})", "fails-2", _failing, "answers 503 that many times, then 200", "P-6.18"),
    Host(r"down-(\w+)", "down-1d", _down, "answers 503 for that long after the webhook is created, then 200", "P-6.18"),
)


def on_endpoint_created(state: State, endpoint: Endpoint) -> None:
    """Add a receiver for an endpoint at a magic host, unless the host has one (handles ENDPOINT_CREATED)."""
    host = endpoint.host
    if not host.endswith(HOST) or not state.setting(MAGIC_VALUES) or state[RECEIVER].find("host", host) is not None:
        return
    entry = entry_of(host.removesuffix(HOST).rpartition(".")[2])
    if entry is not None:
        _set_receiver(state, host, entry)


def entry_of(label: str) -> Entry | None:
    """The receiver entry for the label before the magic domain, such as `status-503`; None for other labels."""
    matches = ((row, re.fullmatch(row.pattern, label)) for row in HOSTS)
    return next((row.entry(match[1]) for row, match in matches if match), None)


def _set_receiver(state: State, host: str, entry: Entry) -> None:
    """Set the receiver, unless its entry is not valid, as with a status of 999."""
    with suppress(InvalidReceiver):
        set_receiver(state, host, dict(entry), start_ms=state.now_ms)
