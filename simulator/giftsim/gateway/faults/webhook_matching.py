"""Which fault a delivery meets: one that is bound to what a call caused, else the oldest of the world that matches.

What a call causes are the events recorded while it works, and all later ones about the records that it makes: of a
team order made with `X-Sim-Fault: webhook=duplicate` every event comes twice. Such a fault strikes first attempts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from giftsim.gateway.call import Call
from giftsim.gateway.faults.table import FAULTS, decode, strike
from giftsim.gateway.faults.webhook_effects import WEBHOOK
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.webhooks.dispatch import Struck
from giftsim.webhooks.endpoint import ENDPOINT, Endpoint
from giftsim.webhooks.event import EVENT, Event

UNDER_WAY = "the call under way"


class Bound(Record, frozen=True, gc=False):
    """An effect that stays with what a call caused: with one event, or with all that are about one record.

    `about` is the name of a table and a slot in it, or UNDER_WAY for events from slot `since` on.
    """

    about: str
    effect: str
    fault: str
    since: int = 0


BOUND: TableSpec[Bound] = TableSpec("faults.bound", Bound, unique={"about": lambda row: row.about})


@contextmanager
def causing(call: Call) -> Iterator[None]:
    """Bind the call's webhook effect, if it has one, to what happens inside and to what that makes."""
    effect = call.effect.get(WEBHOOK.name)
    if effect is None:
        yield
        return
    state, table = call.state, call.state[BOUND]
    events = state[EVENT].next_n
    sizes = {name: state.tables[name].next_n for name in state.definitions.hooks["event_tables"]()}
    present = table.add(Bound(table.next_n, UNDER_WAY, effect, call.fault or "", events))
    yield
    table.drop(present.n)
    waiting = [event.n for event in _since(state, events) if event.audience and event.created_ms is None]
    bind(state, [f"{EVENT.name} {n}" for n in waiting], effect, call.fault or "")
    for name, size in sizes.items():
        bind(state, [f"{name} {n}" for n in range(size, state.tables[name].next_n)], effect, call.fault or "")


def bind(state: State, about: list[str], effect: str, fault: str) -> None:
    """Let the first attempts of events, or of all events about records, meet a webhook effect."""
    table = state[BOUND]
    for name in about:
        if table.find("about", name) is None:
            table.add(Bound(table.next_n, name, effect, fault))


def on_delivery(state: State, event: int, endpoint: int, *, first: bool) -> Struck | None:
    """What a fault does to the attempt about to be made of an event to an endpoint (the hook `webhook_fault`).

    Both are slots; `first` is whether nobody tried this delivery before.
    """
    if not state[FAULTS].next_n and not state[BOUND].next_n:
        return None
    about = state[EVENT].get(event)
    if first and (bound := _bound(state, about)):
        return Struck(bound.effect, bound.fault)
    for fault in state[FAULTS]:
        effect = decode(fault.effect)
        if WEBHOOK.name not in effect or not _concerns(state[ENDPOINT].get(endpoint), about, decode(fault.match)):
            continue
        if strike(state, fault):
            return Struck(str(effect[WEBHOOK.name]), fault.id)
    return None


def _bound(state: State, event: Event) -> Bound | None:
    table = state[BOUND]
    present = table.find("about", UNDER_WAY)
    if present is not None and event.n >= present.since:
        return present
    subject = state.definitions.hooks["event_table"](event.kind, event.owner)
    return table.find("about", f"{EVENT.name} {event.n}") or table.find("about", f"{subject} {event.subject}")


def _since(state: State, first: int) -> Iterator[Event]:
    table = state[EVENT]
    return (table.get(n) for n in range(first, table.next_n))


def _concerns(endpoint: Endpoint, event: Event, match: Mapping[str, Any]) -> bool:
    """Whether a fault for deliveries means this one, by whose the endpoint is, which key made it, event and host."""
    interface = "partner" if endpoint.owner.startswith("account ") else "team"
    told = {"interface": interface, "credential": endpoint.key, "event": event.kind, "host": endpoint.host}
    return all(told[name] == wanted for name, wanted in match.items())
