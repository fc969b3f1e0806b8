"""What a scripted receiver does with one request: steps, read from what a tester wrote (B41, G22)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from giftsim.kernel.instants import SECOND
from giftsim.kernel.suggestion import suggest
from giftsim.webhooks.outgoing import (
    CONNECTION_REFUSED,
    CONNECTION_RESET,
    DNS_ERROR,
    TIMEOUT,
    TLS_ERROR,
    outcome_of_status,
)

TIMEOUT_MS = 10 * SECOND

FAILURES = {
    "timeout": TIMEOUT,
    "reset": CONNECTION_RESET,
    "refuse": CONNECTION_REFUSED,
    "tls_error": TLS_ERROR,
    "dns_error": DNS_ERROR,
}


class Step(msgspec.Struct, frozen=True, gc=False):
    """One answer: a failure by name, or an HTTP status after a virtual delay."""

    failure: str | None = None
    status: int = 200
    delay_ms: int = 0
    location: str | None = None


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What came back of an attempt: one of the outcomes, and the HTTP status if there was one."""

    outcome: str
    status: int | None


OK_ANSWER = Answer(outcome_of_status(200), 200)


def answer(step: Step) -> Answer:
    """What the step comes to: a delay of 10 s or more is a time-out, since it takes no virtual time (P-6.17, G22)."""
    if step.failure:
        return Answer(FAILURES[step.failure], None)
    if step.delay_ms >= TIMEOUT_MS:
        return Answer(TIMEOUT, None)
    return Answer(outcome_of_status(step.status), step.status)


def read_step(raw: object) -> Step:
    """A step as written: `{status?, delay_s?, location?}` or one of FAILURES as `{timeout: true}`; ValueError."""
    members = check_members(raw, "a step of a script", ("status", "delay_s", "location", *FAILURES))
    failures = [name for name in FAILURES if name in members]
    if failures:
        if len(members) > 1 or members[failures[0]] is not True:
            raise ValueError(f"a step with {failures[0]} is {{{failures[0]}: true}} and nothing else")
        return Step(failure=failures[0])
    if not members:
        raise ValueError("a step says something: {status: 200}, {timeout: true}, {delay_s: 12} or {reset: true}")
    location = members.get("location")
    if location is not None and not isinstance(location, str):
        raise ValueError("location is text")
    return Step(None, read_status(members.get("status", 200)), read_delay(members.get("delay_s", 0)), location)


def step_to_json(step: Step) -> dict[str, object]:
    """The step as it is written."""
    if step.failure:
        return {step.failure: True}
    written: dict[str, object] = {"status": step.status}
    if step.delay_ms:
        written["delay_s"] = step.delay_ms / SECOND
    return written | ({"location": step.location} if step.location is not None else {})


def read_status(raw: object) -> int:
    """An HTTP status that ends an exchange; ValueError."""
    if type(raw) is not int or not 200 <= raw <= 599:
        raise ValueError(f"a status goes from 200 to 599, not {raw!r}")
    return raw


def read_delay(raw: object) -> int:
    """Seconds as milliseconds; ValueError."""
    if type(raw) not in (int, float) or not 0 <= raw <= 3600:  # type: ignore[operator]
        raise ValueError(f"delay_s goes from 0 to 3600 seconds, not {raw!r}")
    return round(raw * SECOND)  # type: ignore[operator]


def check_members(raw: object, what: str, known: tuple[str, ...]) -> Mapping[str, object]:
    """`raw` as an object with known members only; ValueError names a strange one and the nearest known."""
    if not isinstance(raw, dict):
        raise ValueError(f"{what} is an object")
    for name in raw:
        if name not in known:
            hint = suggest(str(name), known, f"it has {', '.join(known)}", 0.6)
            raise ValueError(f"{what} has no member {name!r}: {hint}")
    return raw
