"""Events, mail and webhook attempts as a trace shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from giftsim.engine.gateway.own_kinds import EVENT, kind_and_slot_of
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.instants import SECOND, format_exact
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import AttemptCompleted
from giftsim.engine.provenance.record_json import key_of_record
from giftsim.engine.webhooks.attempt import WIRE_TIMING, AppAnswer, Attempt, request_view
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT as EVENTS
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.outgoing import outcome_of_status
from giftsim.engine.webhooks.receiver_script import find_answer
from giftsim.engine.webhooks.trace_context import TRACEPARENT, trace_headers

NOT_SHOWN = 4_096  # characters of what a receiver answered, beyond which it is cut


def event_facts(state: State, event: Event) -> dict[str, Any]:
    """An event when it happened; `audience` counts the endpoints that were subscribed."""
    subject = kind_and_slot_of(state, event)
    about = {"about": key_of_record(service_of(state), subject[0].table.name, subject[1])} if subject else {}
    return {"id": event.id, "type": event.kind, "subject": EVENT.label_of(state, event.n), **about} | {
        "audience": len(event.audience)
    }


def attempt_facts(state: State, attempt: Attempt, fill: Callable[[bytes], bytes], event: int | None) -> dict[str, Any]:
    """An attempt with the exact request. The body is at the event's entry unless this is the first attempt or a ping.

    A captured attempt has the signature that it would have had at its instant.
    """
    wire, endpoint = state[WIRE_TIMING].find("attempt", attempt.n), state[ENDPOINT].get(attempt.endpoint)
    request = request_view(state, attempt, fill, wire.signed_s if wire else attempt.at_ms // SECOND)
    answer = find_answer(state, attempt.n)
    more = {
        TRACEPARENT: dict(trace_headers(state, attempt.event, attempt.n)).get(TRACEPARENT),
        "event": event,
        "mark": attempt.mark or None,
        "fault": attempt.fault or None,
        "next": None if attempt.next_ms is None else format_exact(attempt.next_ms),
        "took_ms": wire.took_ms if wire else None,
        "answer": None if answer is None else answer.body.decode("utf-8", "replace")[:NOT_SHOWN],
    }
    return {
        "seq": attempt.seq,
        "event_id": state[EVENTS].get(attempt.event).id,
        "type": attempt.kind,
        "url": endpoint.url,
        "endpoint": key_of_record(service_of(state), ENDPOINT.name, endpoint.n),
        "number": attempt.number,
        "outcome": attempt.outcome,
        "status": attempt.status,
        **request,
        **{name: value for name, value in more.items() if value is not None},
    }


def show_app_answers(entries: Iterable[dict[str, Any]], answers: Iterable[AppAnswer]) -> None:
    """Show what the app answered to attempts in place of what giftsim did, which captured them (G349).

    `passed_on` says when a test passed the attempt on, and in which order: that of the attempts may be another one.
    """
    attempts = {entry["attempt"]["seq"]: entry["attempt"] for entry in entries if "attempt" in entry}
    for order, answer in enumerate(answers, 1):
        if shown := attempts.get(answer.attempt + 1):
            shown |= {"outcome": outcome_of_status(answer.status), "status": answer.status, "answer": answer.body}
            shown["passed_on"] = {"order": order, "at": format_exact(answer.at_ms)}
            shown |= {} if answer.took_ms is None else {"took_ms": answer.took_ms}


def outcome_facts(event: AttemptCompleted) -> dict[str, Any]:
    """The answer to a forwarded attempt."""
    body = event.body.decode("utf-8", "replace")
    return {
        "attempt": event.attempt + 1,
        "outcome": event.outcome,
        "status": event.status,
        "took_ms": round(event.took_s * 1000),
    } | ({"body": body} if body else {})
