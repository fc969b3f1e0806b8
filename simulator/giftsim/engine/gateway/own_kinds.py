"""The engine's own kinds of records, and the records that events and timers are about."""

from __future__ import annotations

from typing import Any, Final

from giftsim.engine.gateway import idempotency_record
from giftsim.engine.gateway.faults.webhook_faults import EVENT_TABLE
from giftsim.engine.gateway.record_kind import Kind, Ref, shown_as
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.engine.webhooks import attempt, delivery, endpoint, event, fan_out
from giftsim.engine.webhooks.attempt import Attempt
from giftsim.engine.webhooks.delivery import Delivery
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.outgoing import OUTCOMES


def kind_and_slot_of(state: State, occurred: Event) -> tuple[Kind[Any], int] | None:
    """The kind and slot of the record that an event is about. None for the test of an endpoint."""
    if occurred.subject == event.PING_SUBJECT:
        return None
    return service_of(state).kind_of_table[state.handler(EVENT_TABLE)(occurred)], occurred.subject


def _event_label(state: State, occurred: Event) -> str:
    """The subject of an event, such as a record or a balance."""
    subject = kind_and_slot_of(state, occurred)
    return subject[0].label_of(state, subject[1]) if subject else "a test of an endpoint"


def event_title(state: State, occurred: Event) -> str:
    """The title of what an event is about; empty if it has none."""
    subject = kind_and_slot_of(state, occurred)
    title = subject and (subject[0].ref_title or subject[0].title)
    return title(state, state[subject[0].table].get(subject[1])) if subject and title else ""


def _delivery_label(state: State, sent: Delivery) -> str:
    return f"{state[event.EVENT].get(sent.event).id} to {state[endpoint.ENDPOINT].get(sent.endpoint).url}"


def _same_event(occurred: Event) -> object:
    return occurred.kind, occurred.owner, occurred.subject, occurred.facts, occurred.occurred_ms


def _same_attempt(made: Attempt) -> object:
    return made.kind, made.endpoint, made.number, made.at_ms, made.outcome, made.status


EVENT = Kind(
    "event",
    event.EVENT,
    label=_event_label,
    ref=shown_as("event"),
    same=_same_event,
    status=lambda state, row: fan_out.status_of(row, fan_out.deliveries_of(state, row)),
    statuses=fan_out.STATUSES,
)
DELIVERY = Kind(
    "delivery",
    delivery.DELIVERY,
    label=_delivery_label,
    ref=lambda state, row: EVENT.ref_of(state, row.event),
    machine=delivery.MACHINE,
)
ATTEMPT = Kind(
    "attempt",
    attempt.ATTEMPT,
    id=lambda row: row.seq,
    ref=lambda _, row: Ref("delivery", row.seq),
    same=_same_attempt,
    status=lambda _, row: row.outcome or attempt.IN_FLIGHT,
    statuses=(*OUTCOMES, attempt.IN_FLIGHT),
)
ENDPOINT = Kind("endpoint", endpoint.ENDPOINT, statuses=(endpoint.ENABLED, endpoint.DISABLED))
IDEMPOTENCY_KEY = Kind("idempotency_key", idempotency_record.IDEMPOTENCY_RECORDS)
KINDS: Final = (EVENT, DELIVERY, ATTEMPT, ENDPOINT, IDEMPOTENCY_KEY)


def timer_ref(state: State, timer: Timer) -> Ref | None:
    """The record that a timer is about; None if no operation shows it. LookupError if the record was dropped."""
    return owner_ref(state, timer.owner, timer.subject)


def owner_ref(state: State, owner: str, subject: int) -> Ref | None:
    """The record that the timers of an owner's subject are about, as `timer_ref` tells it."""
    kind = service_of(state).kind_of_timer.get(owner)
    return kind.ref_of(state, subject) if kind else None


def event_ref(state: State, occurred: Event) -> Ref | None:
    """The record that an event is about. None for a record that nothing shows, and for the test of an endpoint."""
    subject = kind_and_slot_of(state, occurred)
    return subject[0].ref_of(state, subject[1]) if subject else None
