"""Sending: attempts that the world answers itself, attempts that the courier carries, and what came back (G21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from giftsim.kernel.instants import SECOND
from giftsim.kernel.signals import Signal
from giftsim.kernel.state import State
from giftsim.problem import Problem
from giftsim.webhooks import reordering
from giftsim.webhooks.attempt import (
    ATTEMPT,
    DUPLICATE,
    LADDER,
    NO_DELIVERY,
    PING,
    RESEND,
    WIRE_TIMING,
    Attempt,
    WireTiming,
    add_attempt,
    find,
    in_flight,
)
from giftsim.webhooks.delivery import DELIVERY, Delivery, apply_extra_answer, apply_ladder_answer, list_pending
from giftsim.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint
from giftsim.webhooks.event import EVENT, Event, body
from giftsim.webhooks.forward_targets import parse_target
from giftsim.webhooks.outgoing import DELIVERED, Hold, Outcome, Outgoing
from giftsim.webhooks.receiver import HOLD, TARGET, Receiver, respond
from giftsim.webhooks.receiver_script import Answer, answer
from giftsim.webhooks.settings import FORWARD_AT_ONCE, FORWARD_TIMEOUT, SIGNATURE_TIME
from giftsim.webhooks.signed_request import headers
from giftsim.webhooks.signing_key import MISSING, is_missing, require_signing_key

# Effects of faults on sending; those on the signature are in `request`.
SEND_TWICE, REORDER = "duplicate", "reorder"


class AppliedFault(msgspec.Struct, frozen=True, gc=False):
    """What a fault does to one attempt, and the fault's name."""

    effect: str
    fault: str


NO_FAULT = AppliedFault("", "")


class FindFault(Protocol):
    """What a fault does to the attempt about to be made of an event to an endpoint (slots), or None.

    `first` is whether this delivery was not attempted before.
    """

    def __call__(self, state: State, event: int, endpoint: int, /, *, first: bool) -> AppliedFault | None: ...


def no_fault(_state: State, _event: int, _endpoint: int, *, first: bool) -> AppliedFault | None:  # noqa: ARG001
    """The default: no fault acts on deliveries."""
    return None


ATTEMPT_FAULT: Signal[FindFault] = Signal("attempt_fault", no_fault)


class NotResendable(Problem):
    """A resend of what cannot be sent again."""

    status = 409
    code = "invalid_state"


def make_ladder_attempt(state: State, n: int) -> None:
    """The ladder's next attempt of a delivery; while sending is suspended it waits for `restore_signing_key` (B30)."""
    delivery = state[DELIVERY].get(n)
    if is_missing(state):
        state[DELIVERY].put(msgspec.structs.replace(delivery, next_attempt_ms=None))
        return
    struck = AppliedFault(REORDER, delivery.held_by)
    if not delivery.held_by:
        struck = _find_fault(state, delivery.event, delivery.endpoint, first=not delivery.attempts)
        if struck.effect == REORDER and reordering.postpone(state, delivery, struck.fault):
            return
    _make_attempt(state, reordering.end_postponement(state, delivery), LADDER, struck)
    if struck.effect == SEND_TWICE:
        _make_attempt(state, state[DELIVERY].get(n), DUPLICATE, AppliedFault("", struck.fault))
    overtaken = reordering.find_overtaken(state, delivery)
    if overtaken is not None:
        make_ladder_attempt(state, overtaken)


def resend(state: State, seq: int) -> Attempt:
    """Send the event of attempt `seq` to its endpoint once more, beside the ladder; a 2xx delivers the pair (G26).

    AttemptNotFound; NotResendable for a ping and for a disabled endpoint; WebhooksUnavailable.
    """
    attempt = find(state, seq)
    if attempt.delivery == NO_DELIVERY:
        raise NotResendable(f"Delivery {seq} is a {attempt.kind}, which is not sent again: ask for a new one.")
    if state[ENDPOINT].get(attempt.endpoint).status != ENABLED:
        raise NotResendable(f"Delivery {seq} went to endpoint {attempt.endpoint + 1}, which is disabled.")
    require_signing_key(state)
    struck = _find_fault(state, attempt.event, attempt.endpoint, first=False)
    return _make_attempt(state, state[DELIVERY].get(attempt.delivery), RESEND, struck)


def send_ping(state: State, event: Event, endpoint: Endpoint) -> Attempt:
    """One attempt that belongs to no delivery: neither retried nor counted (B29)."""
    struck = _find_fault(state, event.n, endpoint.n, first=True)
    back = respond(state, endpoint.host)
    attempt = _add_attempt(state, event, endpoint, back, NO_DELIVERY, 1, PING, struck)
    return _enqueue(state, attempt, endpoint, back)


def complete_attempt(state: State, attempt: int, outcome: Outcome) -> Attempt:
    """What came of the attempt in a slot. ValueError if it is not under way."""
    row = state[ATTEMPT].get(attempt)
    if row.outcome is not None:
        raise ValueError(f"attempt {row.seq} is not under way: it came back as {row.outcome}")
    next_ms = None
    if row.delivery != NO_DELIVERY:
        delivery = state[DELIVERY].get(row.delivery)
        answer = Answer(outcome.outcome, outcome.status)
        next_ms = _apply_answer(state, delivery, row.at_ms, row.mark, answer, delivery.attempts).next_attempt_ms
    state[WIRE_TIMING].add(WireTiming(state[WIRE_TIMING].next_n, row.n, outcome.signed_s, round(outcome.took_s * SECOND)))
    return state[ATTEMPT].put(
        msgspec.structs.replace(row, outcome=outcome.outcome, status=outcome.status, next_ms=next_ms)
    )


def drain_outbox(state: State, origin: str, world_id: str) -> list[Outgoing]:
    """What waits for the courier, out of the outbox and as it goes out; for the driver, after a commit."""
    batch = [outgoing.filled(origin, world_id) for outgoing in state.outbox]
    state.outbox.clear()
    return batch


def requeue_in_flight(state: State) -> None:
    """After a restart: send what was under way once more, with the same event id (G5)."""
    for attempt in in_flight(state):
        back = respond(state, attempt.host)
        if isinstance(back, Receiver):
            state.send(_outgoing(state, attempt, state[ENDPOINT].get(attempt.endpoint), back))
        else:
            complete_attempt(state, attempt.n, Outcome(back.outcome, back.status, state.now_ms // SECOND, 0))


def restore_signing_key(state: State) -> None:
    """Put the key back: all that waits goes at once, in order of creation (B30)."""
    state.set_counter(MISSING, 0)
    away = [attempt.delivery for attempt in in_flight(state) if attempt.mark == LADDER]
    for n in sorted(n for endpoint in state[ENDPOINT] for n in list_pending(state, endpoint.n)):
        if state[DELIVERY].get(n).next_attempt_ms is None and n not in away:
            make_ladder_attempt(state, n)


def _make_attempt(state: State, delivery: Delivery, mark: str, struck: AppliedFault) -> Attempt:
    endpoint, event = state[ENDPOINT].get(delivery.endpoint), state[EVENT].get(delivery.event)
    number = delivery.attempts + (mark != DUPLICATE)
    back = respond(state, endpoint.host)
    if isinstance(back, Receiver):
        next_ms = None if mark == LADDER else delivery.next_attempt_ms
        state[DELIVERY].put(msgspec.structs.replace(delivery, attempts=number, next_attempt_ms=next_ms))
    else:
        next_ms = _apply_answer(state, delivery, state.now_ms, mark, back, number).next_attempt_ms
    attempt = _add_attempt(state, event, endpoint, back, delivery.n, number, mark, struck, next_ms)
    return _enqueue(state, attempt, endpoint, back)


def _apply_answer(state: State, delivery: Delivery, at_ms: int, mark: str, answer: Answer, attempts: int) -> Delivery:
    accepted = answer.outcome == DELIVERED
    if mark == LADDER:
        return apply_ladder_answer(state, delivery, at_ms, accepted, attempts=attempts, last_status=answer.status)
    return apply_extra_answer(state, delivery, accepted, attempts=attempts, last_status=answer.status)


def _add_attempt(
    state: State, event: Event, endpoint: Endpoint, back: Answer | Receiver, delivery: int, number: int, mark: str,
    struck: AppliedFault, next_ms: int | None = None,
) -> Attempt:  # fmt: skip
    answer = back if isinstance(back, Answer) else Answer("", None)
    return add_attempt(
        state,
        Attempt(
            state[ATTEMPT].next_n, delivery, event.n, endpoint.n, state.now_ms, number, event.kind, endpoint.host,
            answer.outcome or None, answer.status, next_ms, mark, struck.effect, struck.fault,
        ),
    )  # fmt: skip


def _enqueue(state: State, attempt: Attempt, endpoint: Endpoint, back: Answer | Receiver) -> Attempt:
    if isinstance(back, Receiver):
        state.send(_outgoing(state, attempt, endpoint, back))
    return attempt


def _outgoing(state: State, attempt: Attempt, endpoint: Endpoint, receiver: Receiver) -> Outgoing:
    event, to = state[EVENT].get(attempt.event), receiver.to or ""
    lines: Sequence[tuple[str, str]] = headers(event, endpoint.host, endpoint.port)
    if receiver.host_header == TARGET:
        lines = (("Host", parse_target(to).authority), *lines[1:])
    hold = _hold(receiver)
    clock = state.setting(SIGNATURE_TIME)
    simulated = clock == "simulated" or (hold is not None and clock != "wall")
    return Outgoing(
        attempt=attempt.n, endpoint=endpoint.n, host=endpoint.host, event_id=event.id, number=attempt.number,
        to=to, path=endpoint.path, headers=tuple(lines), body=body(event), secret=endpoint.secret,
        sign_s=attempt.at_ms // SECOND if simulated else None, effect=attempt.effect,
        timeout_s=state.setting(FORWARD_TIMEOUT), at_once=state.setting(FORWARD_AT_ONCE),
        hold=hold,
    )  # fmt: skip


def _hold(receiver: Receiver) -> Hold | None:
    if receiver.mode != HOLD:
        return None
    own = answer(receiver.then)
    return Hold(receiver.host, own.outcome, own.status)


def _find_fault(state: State, event: int, endpoint: int, *, first: bool) -> AppliedFault:
    """What a fault does to the attempt about to be made."""
    return state.handler(ATTEMPT_FAULT)(state, event, endpoint, first=first) or NO_FAULT
