"""What a world may choose about its deliveries."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.instants import HOUR, parse_duration
from giftsim.kernel.setting import Setting, choice, number
from giftsim.webhooks.url_rules import DEFAULT_PORT


def _anchor(raw: Any) -> int:
    if not isinstance(raw, str) or not 0 <= (offset_ms := parse_duration(raw)) < HOUR:
        raise ValueError("it is written as text and shorter than an hour")
    return offset_ms


def _ports(raw: Any) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple) or not raw:
        raise ValueError("it names at least one port")
    if any(type(port) is not int or not 1 <= port <= 65535 for port in raw):
        raise ValueError("a port is a whole number from 1 to 65535")
    return tuple(raw)


HOURLY_ANCHOR = Setting(
    "webhooks.hourly_anchor",
    "0s",
    _anchor,
    "a duration below 1h",
    "how long after each full hour UTC the hourly run is",
)
SIGNATURE_TIME = choice(
    "webhooks.signature_time",
    ("auto", "wall", "simulated"),
    "which clock `t` is of: auto is wall for forwarded and simulated for captured attempts; a captured attempt signed"
    " by the wall clock is signed when it is read",
)
FORWARD_TIMEOUT = number(
    "webhooks.forward_timeout_s", 10, "real seconds that a forwarded attempt may take in all", least=1, most=10
)
FORWARD_AT_ONCE = number(
    "webhooks.forward_at_once",
    4,
    "forwarded attempts of one instant that an endpoint gets at a time; 1 keeps their order",
    least=1,
    most=4,
)
URL_PORTS: Setting[tuple[int, ...]] = Setting(
    "webhooks.url_ports", [DEFAULT_PORT], _ports, "a list of port numbers", "the ports that endpoint URLs may have"
)
ATTEMPTS_KEPT = number(
    "webhooks.attempts_kept", 100_000, "attempts that a world remembers; the oldest are dropped first", least=1
)

ALL = (HOURLY_ANCHOR, SIGNATURE_TIME, FORWARD_TIMEOUT, FORWARD_AT_ONCE, URL_PORTS, ATTEMPTS_KEPT)
