"""The settings of webhooks: when they are sent and tried again, to which URLs, and what their content looks like."""

from __future__ import annotations

from typing import Any

from giftsim.engine.kernel.instants import HOUR, parse_duration
from giftsim.engine.kernel.setting import Setting, choice, duration, number
from giftsim.engine.webhooks.url_rules import DEFAULT_PORT


def _anchor(raw: Any) -> int:
    if not isinstance(raw, str) or not 0 <= (offset_ms := parse_duration(raw)) < HOUR:
        raise ValueError("it must be a string and shorter than an hour")
    return offset_ms


def _ports(raw: Any) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple) or not raw:
        raise ValueError("it must be a list of at least one port")
    if any(type(port) is not int or not 1 <= port <= 65535 for port in raw):
        raise ValueError("a port must be a whole number from 1 to 65535")
    return tuple(raw)


HOURLY_ANCHOR = Setting(
    "webhooks.hourly_anchor",
    "0s",
    _anchor,
    "a duration below 1h",
    "how long after each full hour UTC the hourly run takes place",
)
SIGNATURE_TIME = choice(
    "webhooks.signature_time",
    ("auto", "wall", "simulated"),
    "the clock of the signature's `t`: auto means wall for forwarded and simulated for captured attempts; under wall,"
    " a captured attempt is signed when you read it",
)
FORWARD_TIMEOUT = number(
    "webhooks.forward_timeout_s", 10, "how long a forwarded attempt may take in all, in real seconds", least=1, most=10
)
FORWARD_AT_ONCE = number(
    "webhooks.forward_at_once",
    1,
    "how many forwarded attempts of one instant a receiver gets at a time; 1 keeps their order",
    least=1,
    most=4,
)
URL_PORTS: Setting[tuple[int, ...]] = Setting(
    "webhooks.url_ports", [DEFAULT_PORT], _ports, "a list of port numbers", "the ports allowed in endpoint URLs"
)
ATTEMPTS_KEPT = number(
    "webhooks.attempts_kept", 100_000, "how many attempts a world keeps; the oldest are dropped first", least=1
)
LADDER_JITTER = duration(
    "webhooks.ladder_jitter", "0s", "how much later than its delay a retry may come, drawn for each (B44)"
)
ORDER = choice(
    "webhooks.order",
    ("created", "reversed"),
    "the order in which the hourly run creates the deliveries of its events (B45)",
)
EVENT_IDS = choice(
    "webhooks.event_ids", ("evt", "uuid"), "how the ids of events look: `evt_` and a token, or a UUID (B27)"
)
SPELLING = choice(
    "webhooks.spelling",
    ("plain", "varied"),
    "how the JSON of bodies is written: always alike, or with blanks, line ends, escapes and orders of members that the"
    " seed draws for each event (G395)",
)

ALL = (
    HOURLY_ANCHOR,
    SIGNATURE_TIME,
    FORWARD_TIMEOUT,
    FORWARD_AT_ONCE,
    URL_PORTS,
    ATTEMPTS_KEPT,
    LADDER_JITTER,
    ORDER,
    EVENT_IDS,
    SPELLING,
)
