"""Scripts of receivers: how each step answers one request, and how steps are parsed (B41, G22)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from giftsim.engine.kernel.instants import SECOND
from giftsim.engine.kernel.member import Member, Number, Text, Yes
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.webhooks.outgoing import (
    CONNECTION_REFUSED,
    CONNECTION_RESET,
    DNS_ERROR,
    TIMEOUT,
    TLS_ERROR,
    outcome_of_status,
)

KEPT_BYTES = 4096
KEPT_ANSWERS = 1000


class ReceiverAnswer(Record, frozen=True, gc=False):
    """The body that answered an attempt (a slot), unchanged; `cut` if it was longer."""

    attempt: int
    body: bytes
    cut: bool


# Not hashed: what a receiver writes changes nothing in a world (G6).
RECEIVER_ANSWER: TableSpec[ReceiverAnswer] = TableSpec(
    "webhooks.receiver_answer", ReceiverAnswer, unique={"attempt": lambda answer: answer.attempt}, hashed=False
)


def keep_answer(state: State, attempt: int, body: bytes, cut: bool = False) -> None:
    """Keep the first KEPT_BYTES of a body, unless it is empty. Beyond KEPT_ANSWERS, drop the oldest."""
    if not body:
        return
    table = state[RECEIVER_ANSWER]
    n = table.next_n
    table.add(ReceiverAnswer(n, attempt, body[:KEPT_BYTES], cut or len(body) > KEPT_BYTES))
    if table.at(n - KEPT_ANSWERS) is not None:
        table.drop(n - KEPT_ANSWERS)


def find_answer(state: State, attempt: int) -> ReceiverAnswer | None:
    """The body that answered an attempt; None for an empty body, and for one that is not kept."""
    return state[RECEIVER_ANSWER].find("attempt", attempt)


def forget_answer(state: State, attempt: int) -> None:
    """Drop the answer of an attempt that is dropped."""
    if answer := find_answer(state, attempt):
        state[RECEIVER_ANSWER].drop(answer.n)


TIMEOUT_MS = 10 * SECOND
MAX_BODY = 4096

STATUS = Number(200, 599, "an HTTP status", whole=True)
DELAY = Number(0, 3600, "a number of seconds")
_ANSWERS: Final = (
    Member("status", STATUS, "An HTTP status."),
    Member(
        "delay_s",
        DELAY,
        "Seconds until the response; 10 or more are a timeout.",
        note="Virtual seconds. 10 or more is a timeout.",
    ),
    Member("location", Text(), "The target of a redirect."),
    Member(
        "body",
        Text(longest=MAX_BODY),
        "The text of the body, which is kept with the attempt for people to read.",
        note="Text of the body, which is kept with the attempt.",
    ),
)
# Each failure by its member, with the outcome of an attempt that it gives.
_FAILURES: Final = (
    (Member("timeout", Yes(), "No response in time."), TIMEOUT),
    (Member("reset", Yes(), "The connection is reset."), CONNECTION_RESET),
    (Member("refuse", Yes(), "The connection is refused."), CONNECTION_REFUSED),
    (Member("tls_error", Yes(), "The host's certificate is wrong."), TLS_ERROR),
    (Member("dns_error", Yes(), "The host's name does not resolve."), DNS_ERROR),
)
FAILURES: Final[Mapping[str, str]] = {member.name: outcome for member, outcome in _FAILURES}
# Every member that an answer may have; the contract of the control API and the schema of scenarios have them from here.
MEMBERS: Final = (*_ANSWERS, *(member for member, _ in _FAILURES))


class Step(msgspec.Struct, frozen=True, gc=False):
    """One scripted answer: a failure by name, or an HTTP status after a virtual delay."""

    failure: str | None = None
    status: int = 200
    delay_ms: int = 0
    location: str | None = None
    body: str = ""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The answer to an attempt: its outcome, and the HTTP status and the body if there are any."""

    outcome: str
    status: int | None
    body: bytes = b""


OK_ANSWER = Answer(outcome_of_status(200), 200)


def answer_of_step(step: Step) -> Answer:
    """The answer of a step. Delays take no virtual time; one of 10 s or more is a timeout (P-6.17, G22)."""
    if step.failure:
        return Answer(FAILURES[step.failure], None)
    if step.delay_ms >= TIMEOUT_MS:
        return Answer(TIMEOUT, None)
    return Answer(outcome_of_status(step.status), step.status, step.body.encode())


def read_step(raw: object) -> Step:
    """Parse a step: `{status?, delay_s?, location?, body?}`, or one of FAILURES, `{timeout: true}`. ValueError."""
    members = check_members(raw, "a step of a script", tuple(member.name for member in MEMBERS))
    failures = [name for name in FAILURES if name in members]
    if failures:
        if len(members) > 1 or members[failures[0]] is not True:
            raise ValueError(f"a step with {failures[0]} must be {{{failures[0]}: true}} without other members")
        return Step(failure=failures[0])
    if not members:
        raise ValueError(
            "a step must not be empty: write {status: 200}, {timeout: true}, {delay_s: 12} or {reset: true}"
        )
    location = members.get("location")
    if location is not None and not isinstance(location, str):
        raise ValueError("location must be a string")
    status, delay_ms = read_status(members.get("status", 200)), read_delay(members.get("delay_s", 0))
    return Step(None, status, delay_ms, location, read_body(members.get("body", "")))


def step_to_json(step: Step) -> dict[str, object]:
    """The step as JSON, in the form that `read_step` parses."""
    if step.failure:
        return {step.failure: True}
    members: dict[str, object] = {"status": step.status}
    if step.delay_ms:
        members["delay_s"] = step.delay_ms / SECOND
    members |= {"location": step.location} if step.location is not None else {}
    return members | ({"body": step.body} if step.body else {})


def read_status(raw: object) -> int:
    """A final HTTP status; ValueError unless it is from 200 to 599."""
    if not isinstance(raw, int) or not STATUS.accepts(raw):
        raise ValueError(f"status must be from {STATUS.minimum} to {STATUS.maximum}, not {raw!r}")
    return raw


def read_delay(raw: object) -> int:
    """Seconds as milliseconds; ValueError unless they are from 0 to 3600."""
    if not isinstance(raw, int | float) or not DELAY.accepts(raw):
        raise ValueError(f"delay_s must be from {DELAY.minimum} to {DELAY.maximum} seconds, not {raw!r}")
    return round(raw * SECOND)


def read_body(raw: object) -> str:
    """The text of a body; ValueError unless it is one of at most MAX_BODY characters."""
    if not isinstance(raw, str) or len(raw) > MAX_BODY:
        raise ValueError(f"body must be a text of at most {MAX_BODY} characters")
    return raw


def check_members(raw: object, what: str, known: tuple[str, ...]) -> Mapping[str, object]:
    """`raw` as an object with known members only; ValueError names an unknown member and the nearest known one."""
    if not isinstance(raw, dict):
        raise ValueError(f"{what} must be an object")
    for name in raw:
        if name not in known:
            hint = suggest_name(str(name), known, f"it has {', '.join(known)}", 0.6)
            raise ValueError(f"{what} has no member {name!r}: {hint}")
    return raw
