"""Makes attempts: answers them from the receiver table or queues them for the courier, and records outcomes (G21)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Protocol

import msgspec

from giftsim.engine.kernel.instants import HOUR, SECOND
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import Problem
from giftsim.engine.webhooks.attempt import (
    ATTEMPT,
    DUPLICATE,
    LADDER,
    NO_DELIVERY,
    PING,
    RESEND,
    WIRE_TIMING,
    Attempt,
    WireTiming,
    find_attempt,
    in_flight,
    log_attempt,
)
from giftsim.engine.webhooks.delivery import (
    DEAD,
    DELIVERY,
    MACHINE,
    PENDING,
    Delivery,
    apply_extra_answer,
    apply_ladder_answer,
    list_pending,
    schedule,
)
from giftsim.engine.webhooks.endpoint import ENABLED, ENDPOINT, Endpoint
from giftsim.engine.webhooks.event import EVENT, Event, encode_body
from giftsim.engine.webhooks.forward_targets import parse_target
from giftsim.engine.webhooks.outgoing import (
    DELIVERED,
    MISSING,
    Hold,
    Outcome,
    Outgoing,
    is_key_missing,
    require_signing_key,
    signed_at,
    unsigned_headers,
)
from giftsim.engine.webhooks.receiver import HOLD, TARGET, Receiver, respond
from giftsim.engine.webhooks.receiver_script import Answer, answer_of_step, keep_answer
from giftsim.engine.webhooks.trace_context import trace_headers
from giftsim.engine.webhooks.webhook_settings import FORWARD_AT_ONCE, FORWARD_TIMEOUT, SIGNATURE_TIME

MAX_DELAY_MS = HOUR


def postpone(state: State, delivery: Delivery, fault: str) -> bool:
    """Postpone a delivery. Return False if another of its endpoint is postponed: this one is sent and overtakes it."""
    if _postponed(state, delivery.endpoint) is not None:
        return False
    state.timers.clear(MACHINE.name, delivery.n)
    schedule(state, delivery, state.now_ms + MAX_DELAY_MS, held_by=fault)
    state.set_counter(_counter_name(delivery.endpoint), delivery.n + 1)
    return True


def end_postponement(state: State, delivery: Delivery) -> Delivery:
    """The delivery, no longer postponed if it was."""
    if not delivery.held_by:
        return delivery
    state.set_counter(_counter_name(delivery.endpoint), 0)
    state.timers.clear(MACHINE.name, delivery.n)
    return state[DELIVERY].put(msgspec.structs.replace(delivery, held_by=""))


def find_overtaken(state: State, passing: Delivery) -> int | None:
    """The slot of the postponed delivery that a sent one of its endpoint overtakes, or None."""
    postponed = _postponed(state, passing.endpoint)
    return None if postponed is None or postponed.n == passing.n else postponed.n


def _postponed(state: State, endpoint: int) -> Delivery | None:
    n = state.counter(_counter_name(endpoint))
    delivery = state[DELIVERY].get(n - 1) if n else None
    return delivery if delivery is not None and delivery.status == PENDING and delivery.held_by else None


def _counter_name(endpoint: int) -> str:
    return f"webhooks.held {endpoint}"


# Effects of faults on sending. Those on the signature are in `outgoing`.
SEND_TWICE, REORDER, KEEP_BACK = "duplicate", "reorder", "hold"


class AppliedFault(msgspec.Struct, frozen=True, gc=False):
    """The effect of a fault on one attempt, and the fault's name; both empty for no fault."""

    effect: str
    name: str


NO_FAULT = AppliedFault("", "")


class FindFault(Protocol):
    """Find the fault for the next attempt to send an event to an endpoint (both slots); None if there is none.

    `first` is True for the first attempt of a delivery.
    """

    def __call__(self, state: State, event: int, endpoint: int, /, *, first: bool) -> AppliedFault | None: ...


def find_no_fault(_state: State, _event: int, _endpoint: int, *, first: bool) -> AppliedFault | None:  # noqa: ARG001
    """The default handler: no fault acts on deliveries."""
    return None


ATTEMPT_FAULT: Signal[FindFault] = Signal("attempt_fault", find_no_fault)


class NotResendable(Problem, status=409, code="invalid_state"):
    """The attempt cannot be sent again."""


def make_ladder_attempt(state: State, n: int) -> None:
    """Make the next attempt of a delivery; without a signing key it waits for `restore_signing_key` (B30)."""
    delivery = state[DELIVERY].get(n)
    if is_key_missing(state):
        state[DELIVERY].put(msgspec.structs.replace(delivery, next_attempt_ms=None))
        return
    fault = AppliedFault(REORDER, delivery.held_by)
    if not delivery.held_by:
        fault = _find_fault(state, delivery.event, delivery.endpoint, first=not delivery.attempts)
        if fault.effect == REORDER and postpone(state, delivery, fault.name):
            return
        if fault.effect == KEEP_BACK:
            state[DELIVERY].put(msgspec.structs.replace(delivery, next_attempt_ms=None, held_by=fault.name))
            return
    _make_attempt(state, end_postponement(state, delivery), LADDER, fault)
    if fault.effect == SEND_TWICE:
        _make_attempt(state, state[DELIVERY].get(n), DUPLICATE, AppliedFault("", fault.name))
    overtaken = find_overtaken(state, delivery)
    if overtaken is not None:
        make_ladder_attempt(state, overtaken)


def release_held(state: State, faults: Collection[str]) -> None:
    """Make the attempts that these faults held back, in order of creation."""
    for n in sorted(n for endpoint in state[ENDPOINT] for n in list_pending(state, endpoint.n)):
        delivery = state[DELIVERY].get(n)
        if delivery.is_held_back and delivery.held_by in faults:
            state[DELIVERY].put(msgspec.structs.replace(delivery, held_by=""))
            make_ladder_attempt(state, n)


def resend(state: State, seq: int) -> Attempt:
    """Send the event of attempt number `seq` to its endpoint again, outside the retry ladder (G26).

    A 2xx response completes the delivery; a failure changes nothing. AttemptNotFound, WebhooksUnavailable;
    NotResendable for a ping or a disabled endpoint.
    """
    attempt = find_attempt(state, seq)
    if attempt.delivery == NO_DELIVERY:
        raise NotResendable(f"Delivery {seq} is a {attempt.kind}, which cannot be resent. Send a new one.")
    if state[ENDPOINT].get(attempt.endpoint).status != ENABLED:
        raise NotResendable(f"Delivery {seq} cannot be resent: its endpoint {attempt.endpoint + 1} is disabled.")
    require_signing_key(state)
    fault = _find_fault(state, attempt.event, attempt.endpoint, first=False)
    return _make_attempt(state, state[DELIVERY].get(attempt.delivery), RESEND, fault)


def resend_undelivered(state: State, endpoints: Iterable[Endpoint]) -> list[Attempt]:
    """Send to these endpoints again what they were not delivered, pending or given up, in order of creation.

    Nothing is sent to disabled ones, nor what is on its way or waits for the signing key or for the end of a fault.
    """
    if is_key_missing(state):
        return []
    table, wanted = state[DELIVERY], {endpoint.n for endpoint in endpoints if endpoint.status == ENABLED}
    given_up = [row for n in table.slots_in("undelivered", DEAD) if (row := table.get(n)).endpoint in wanted]
    pending = [table.get(n) for endpoint in wanted for n in list_pending(state, endpoint)]
    failed = [row for row in pending if row.failures and row.next_attempt_ms is not None and not row.held_by]
    sent = []
    for delivery in sorted([*given_up, *failed], key=attrgetter("n")):
        fault = _find_fault(state, delivery.event, delivery.endpoint, first=False)
        sent.append(_make_attempt(state, state[DELIVERY].get(delivery.n), RESEND, fault))
    return sent


def send_ping(state: State, event: Event, endpoint: Endpoint) -> Attempt:
    """Make one attempt that belongs to no delivery: it is neither retried nor counted (B29)."""
    fault = _find_fault(state, event.n, endpoint.n, first=True)
    response = respond(state, endpoint.host)
    attempt = _add_attempt(state, event, endpoint, response, NO_DELIVERY, 1, PING, fault)
    return _enqueue(state, attempt, endpoint, response)


def check_in_flight(state: State, attempt: int) -> Attempt:
    """The attempt in a slot. ValueError if it has an outcome already."""
    row = state[ATTEMPT].get(attempt)
    if row.outcome is not None:
        raise ValueError(f"attempt {row.seq} is not in flight: its outcome is {row.outcome} already")
    return row


def complete_attempt(state: State, attempt: int, outcome: Outcome) -> Attempt:
    """Record the outcome of the attempt in a slot. ValueError if it is not in flight."""
    row, next_ms = check_in_flight(state, attempt), None
    if row.delivery != NO_DELIVERY:
        delivery = state[DELIVERY].get(row.delivery)
        answer = Answer(outcome.outcome, outcome.status)
        next_ms = _apply_answer(state, delivery, row.at_ms, row.mark, answer, delivery.attempts).next_attempt_ms
    keep_answer(state, row.n, outcome.body, outcome.cut)
    timings = state[WIRE_TIMING]
    timings.add(WireTiming(timings.next_n, row.n, outcome.signed_s, round(outcome.took_s * SECOND)))
    return state[ATTEMPT].put(
        msgspec.structs.replace(row, outcome=outcome.outcome, status=outcome.status, next_ms=next_ms)
    )


def drain_outbox(
    state: State, origin: str, world_id: str, *, app_follows: bool = False, app_now_ms: int | None = None
) -> list[Outgoing]:
    """Empty the outbox after a commit: the attempts for the courier, with placeholders filled in.

    If the app's clock follows this world's, they are signed at the time that the app sees (B46, G469). If it follows
    another world's, `app_now_ms` is what it sees (G487).
    """
    batch = [outgoing.filled(origin, world_id) for outgoing in state.outbox]
    state.outbox.clear()
    if app_follows and state.setting(SIGNATURE_TIME) != "wall":
        return [signed_at(outgoing, state[ATTEMPT].get(outgoing.attempt).at_ms // SECOND) for outgoing in batch]
    if app_now_ms is not None and state.setting(SIGNATURE_TIME) == "auto":
        return [signed_at(outgoing, app_now_ms // SECOND) for outgoing in batch]
    return batch


def requeue_attempts(state: State, attempts: Sequence[int]) -> None:
    """Put attempts in flight (slots) into the outbox again after a restart, with the same event ids (G5)."""
    for n in attempts:
        attempt = state[ATTEMPT].get(n)
        response = respond(state, attempt.host)
        if isinstance(response, Receiver):
            state.send(_outgoing(state, attempt, state[ENDPOINT].get(attempt.endpoint), response))
        else:
            outcome = Outcome(response.outcome, response.status, state.now_ms // SECOND, 0, response.body)
            complete_attempt(state, n, outcome)


def restore_signing_key(state: State) -> None:
    """Restore the signing key and make all waiting attempts at once, in order of creation (B30)."""
    state.set_counter(MISSING, 0)
    sending = [attempt.delivery for attempt in in_flight(state) if attempt.mark == LADDER]
    for n in sorted(n for endpoint in state[ENDPOINT] for n in list_pending(state, endpoint.n)):
        delivery = state[DELIVERY].get(n)
        if delivery.next_attempt_ms is None and not delivery.is_held_back and n not in sending:
            make_ladder_attempt(state, n)


def _make_attempt(state: State, delivery: Delivery, mark: str, fault: AppliedFault) -> Attempt:
    endpoint, event = state[ENDPOINT].get(delivery.endpoint), state[EVENT].get(delivery.event)
    number = delivery.attempts + (mark != DUPLICATE)
    response = respond(state, endpoint.host)
    if isinstance(response, Receiver):
        next_ms = None if mark == LADDER else delivery.next_attempt_ms
        state[DELIVERY].put(msgspec.structs.replace(delivery, attempts=number, next_attempt_ms=next_ms))
    else:
        next_ms = _apply_answer(state, delivery, state.now_ms, mark, response, number).next_attempt_ms
    attempt = _add_attempt(state, event, endpoint, response, delivery.n, number, mark, fault, next_ms)
    return _enqueue(state, attempt, endpoint, response)


def _apply_answer(state: State, delivery: Delivery, at_ms: int, mark: str, answer: Answer, attempts: int) -> Delivery:
    accepted = answer.outcome == DELIVERED
    if mark == LADDER:
        return apply_ladder_answer(state, delivery, at_ms, accepted, attempts=attempts, last_status=answer.status)
    return apply_extra_answer(state, delivery, accepted, attempts=attempts, last_status=answer.status)


def _add_attempt(
    state: State,
    event: Event,
    endpoint: Endpoint,
    response: Answer | Receiver,
    delivery: int,
    number: int,
    mark: str,
    fault: AppliedFault,
    next_ms: int | None = None,
) -> Attempt:
    answer = response if isinstance(response, Answer) else Answer("", None)
    return log_attempt(
        state,
        Attempt(
            state[ATTEMPT].next_n,
            delivery,
            event.n,
            endpoint.n,
            state.now_ms,
            number,
            event.kind,
            endpoint.host,
            answer.outcome or None,
            answer.status,
            next_ms,
            mark,
            fault.effect,
            fault.name,
        ),
    )


def _enqueue(state: State, attempt: Attempt, endpoint: Endpoint, response: Answer | Receiver) -> Attempt:
    """Put the attempt into the outbox if it is forwarded or held; else keep what its receiver answered."""
    if isinstance(response, Receiver):
        state.send(_outgoing(state, attempt, endpoint, response))
    else:
        keep_answer(state, attempt.n, response.body)
    return attempt


def _outgoing(state: State, attempt: Attempt, endpoint: Endpoint, receiver: Receiver) -> Outgoing:
    event, to = state[EVENT].get(attempt.event), receiver.to or ""
    lines: Sequence[tuple[str, str]] = unsigned_headers(event, endpoint.host, endpoint.port)
    if receiver.host_header == TARGET:
        lines = (("Host", parse_target(to).authority), *lines[1:])
    hold = _hold(receiver)
    clock = state.setting(SIGNATURE_TIME)
    simulated = clock == "simulated" or (hold is not None and clock != "wall")
    return Outgoing(
        attempt=attempt.n,
        endpoint=endpoint.n,
        host=endpoint.host,
        event_id=event.id,
        number=attempt.number,
        to=to,
        path=endpoint.path,
        headers=(*lines, *trace_headers(state, event.n, attempt.n)),
        body=encode_body(event),
        secret=endpoint.secret,
        sign_s=attempt.at_ms // SECOND if simulated else None,
        effect=attempt.effect,
        timeout_s=state.setting(FORWARD_TIMEOUT),
        at_once=state.setting(FORWARD_AT_ONCE),
        hold=hold,
    )


def _hold(receiver: Receiver) -> Hold | None:
    if receiver.mode != HOLD:
        return None
    default = answer_of_step(receiver.then)
    return Hold(receiver.host, default.outcome, default.status, default.body)


def _find_fault(state: State, event: int, endpoint: int, *, first: bool) -> AppliedFault:
    return state.handler(ATTEMPT_FAULT)(state, event, endpoint, first=first) or NO_FAULT
