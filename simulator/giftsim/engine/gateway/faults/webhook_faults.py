"""The faults that act on webhooks: those of the table, and those of a call, bound to the events that it causes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.faults.effects import WEBHOOK
from giftsim.engine.gateway.faults.table import FAULTS, count_match, decode
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.webhooks.dispatch import AppliedFault
from giftsim.engine.webhooks.endpoint import ENDPOINT, Endpoint
from giftsim.engine.webhooks.event import EVENT, PING_SUBJECT, Event

CURRENT_CALL = "the call under way"

# All tables whose records events are about; and the one that an event is about.
EVENT_TABLES: Signal[Callable[[], Sequence[str]]] = Signal("event_tables")
EVENT_TABLE: Signal[Callable[[Event], str]] = Signal("event_table")
# The interface that the owner of an endpoint uses.
OWNER_INTERFACE: Signal[Callable[[str], str]] = Signal("owner_interface")


class BoundEffect(Record, frozen=True, gc=False):
    """A webhook effect bound to one event, or to all events about one record.

    `about` is the name of a table and a slot in it, or CURRENT_CALL for events from slot `since` on.
    """

    about: str
    effect: str
    fault: str
    since: int = 0


BOUND_EFFECTS: TableSpec[BoundEffect] = TableSpec("faults.bound", BoundEffect, unique={"about": "about"})


@contextmanager
def bind_effect(call: Call) -> Iterator[None]:
    """Bind the call's webhook effect, if it has one, to the events and records of what runs inside."""
    effect = call.effect.get(WEBHOOK.name)
    if effect is None:
        yield
        return
    state, table = call.state, call.state[BOUND_EFFECTS]
    events = state[EVENT].next_n
    sizes = {name: state.table(name).next_n for name in state.handler(EVENT_TABLES)()}
    current = table.add(BoundEffect(table.next_n, CURRENT_CALL, effect, call.fault or "", events))
    yield
    table.drop(current.n)
    waiting = [event.n for event in _since(state, events) if event.audience and event.created_ms is None]
    bind(state, [f"{EVENT.name} {n}" for n in waiting], effect, call.fault or "")
    for name, size in sizes.items():
        bind(state, [f"{name} {n}" for n in range(size, state.table(name).next_n)], effect, call.fault or "")


def bind(state: State, about: list[str], effect: str, fault: str) -> None:
    """Bind an effect to events or records, except to those that are bound already."""
    table = state[BOUND_EFFECTS]
    for name in about:
        if table.find("about", name) is None:
            table.add(BoundEffect(table.next_n, name, effect, fault))


def fault_for_attempt(state: State, event: int, endpoint: int, *, first: bool) -> AppliedFault | None:
    """What a fault does to the next attempt to deliver an event to an endpoint, both given by slot (ATTEMPT_FAULT).

    `first` says whether it is the first attempt of this delivery.
    """
    if not state[FAULTS].next_n and not state[BOUND_EFFECTS].next_n:
        return None
    webhook_event = state[EVENT].get(event)
    if first and (bound := _bound_effect(state, webhook_event)):
        return AppliedFault(bound.effect, bound.fault)
    for fault in state[FAULTS]:
        effect = decode(fault.effect)
        if WEBHOOK.name not in effect:
            continue
        matches = _matches(state, state[ENDPOINT].get(endpoint), webhook_event, decode(fault.match))
        if matches and count_match(state, fault):
            return AppliedFault(str(effect[WEBHOOK.name]), fault.id)
    return None


def _bound_effect(state: State, event: Event) -> BoundEffect | None:
    table = state[BOUND_EFFECTS]
    current = table.find("about", CURRENT_CALL)
    if current is not None and event.n >= current.since:
        return current
    own = table.find("about", f"{EVENT.name} {event.n}")
    if own is not None or event.subject == PING_SUBJECT:
        return own
    return table.find("about", f"{state.handler(EVENT_TABLE)(event)} {event.subject}")


def _since(state: State, first: int) -> Iterator[Event]:
    table = state[EVENT]
    return (table.get(n) for n in range(first, table.next_n))


def _matches(state: State, endpoint: Endpoint, event: Event, match: Mapping[str, Any]) -> bool:
    """Whether a delivery matches by interface and key of its endpoint, kind of event, and host."""
    delivery = {
        "interface": state.handler(OWNER_INTERFACE)(endpoint.owner), "credential": endpoint.key, "event": event.kind,
        "host": endpoint.host,
    }  # fmt: skip
    return all(delivery[name] == wanted for name, wanted in match.items())
