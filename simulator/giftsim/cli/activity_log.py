"""The log of a running simulator: a line for every call and every delivery attempt, for people or for machines."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import click
import msgspec

from giftsim.cli.terminal import AMBER, GREEN, RED, TEAL
from giftsim.engine.control.credentials import list_credentials
from giftsim.engine.gateway.simulated_service import Activity, service_of
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.texts import one_line
from giftsim.engine.webhooks.attempt import ATTEMPT, Attempt
from giftsim.engine.webhooks.endpoint import ENDPOINT
from giftsim.engine.webhooks.event import EVENT
from giftsim.engine.worlds.observer import AnsweredCall, ObservedWorld
from giftsim.services.secrets import redact

NO_TIME = " " * len("2027-01-04T09:00:00Z")
UNKNOWN_KEY = "an unknown credential"


class Before(NamedTuple):
    """The next row number of each watched table before a call, and the name of the credential."""

    next_rows: tuple[int, ...]
    credential: str | None


class Effects(msgspec.Struct, frozen=True):
    """What a call did: the instant it happened, who made it, the new events, and what the services tell of it."""

    at: str | None = None
    credential: str | None = None
    events: list[str] = []
    told: list[tuple[Activity, Any]] = []

    @property
    def words(self) -> str:
        """The effects as a short text, such as `team_order 1027, 2 mail, charged 49.00`; "" for none."""
        counted = Counter(self.events)
        events = [name if count == 1 else f"{count} {name}" for name, count in counted.items()]
        return ", ".join([*self._told(leading=True), *events, *self._told(leading=False)])

    def _told(self, *, leading: bool) -> list[str]:
        return [word for each, value in self.told if each.leads == leading for word in each.words(value)]


NO_EFFECTS = Effects()


class NewAttempts:
    """The attempts of each world that were not shown yet. Those made before a world was first seen are not new."""

    def __init__(self) -> None:
        self._next: WeakKeyDictionary[ObservedWorld, int] = WeakKeyDictionary()
        self._in_flight: WeakKeyDictionary[ObservedWorld, list[int]] = WeakKeyDictionary()

    def completed(self, world: ObservedWorld) -> list[Attempt]:
        """The new attempts that have an outcome, in their order; each is given once."""
        table = world.state[ATTEMPT]
        first = self._next.get(world)
        if first is None or first > table.next_n:  # first seen, or put back to an earlier state
            first = _first_of_now(world)
        waiting = [n for n in self._in_flight.get(world, []) if n < first]
        rows = [row for n in (*waiting, *range(first, table.next_n)) if (row := table.at(n))]
        self._next[world] = table.next_n
        self._in_flight[world] = [row.n for row in rows if row.outcome is None]
        return [row for row in rows if row.outcome is not None]


def _first_of_now(world: ObservedWorld) -> int:
    table = world.state[ATTEMPT]
    first = table.next_n
    while (row := table.at(first - 1)) and row.at_ms >= world.state.now_ms:
        first -= 1
    return first


class ActivityLog:
    """An observer that writes each call and each delivery attempt to standard error."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._attempts = NewAttempts()
        self._coloured = sys.stderr.isatty() and "NO_COLOR" not in os.environ
        handler = logging.StreamHandler(sys.stderr)  # a broken pipe must not break the call
        handler.setFormatter(logging.Formatter("%(message)s"))
        self._logger = logging.getLogger("giftsim.activity")
        self._logger.handlers, self._logger.propagate = [handler], False
        self._logger.setLevel(logging.INFO)

    def call_begins(self, world: ObservedWorld, authorization: str | None) -> Before:
        """Note the size of the tables, and who calls."""
        state = world.state
        tables = (EVENT, *(each.table for each in service_of(state).activity))
        return Before(tuple(state[spec].next_n for spec in tables), _credential(world, authorization))

    def call_ends(self, world: ObservedWorld, before: object) -> Effects:
        """The rows added to the watched tables since then."""
        assert isinstance(before, Before)
        state, (events, *others) = world.state, before.next_rows
        self.world_changed(world)
        watched = zip(service_of(state).activity, others, strict=True)
        return Effects(
            format_instant(state.now_ms),
            before.credential,
            [row.kind for n in range(events, state[EVENT].next_n) if (row := state[EVENT].at(n))],
            [(each, each.value(state, first, state[each.table].next_n)) for each, first in watched],
        )

    def call_answered(self, call: AnsweredCall) -> None:
        """Write the line of a call."""
        effects = call.effects if isinstance(call.effects, Effects) else NO_EFFECTS
        if self._as_json:
            self._write_json(_call_data(call, effects))
            return
        fault = f"fault {one_line(call.fault)}" if call.fault else ""
        rest = "  ".join(part for part in (effects.credential, effects.words, fault) if part)
        at, world = _now(call, effects) or NO_TIME, f"  {call.world.id}" if call.world else ""
        path = one_line(redact(call.path))
        self._write(f"{at}{world}  {one_line(call.method)} {path}  {_status(call.status)}  {rest}".rstrip())

    def world_changed(self, world: ObservedWorld) -> None:
        """Write the lines of the attempts that have an outcome now."""
        for attempt in self._attempts.completed(world):
            self._attempt_answered(world, attempt)

    def _attempt_answered(self, world: ObservedWorld, attempt: Attempt) -> None:
        data = _attempt_data(world, attempt)
        if self._as_json:
            self._write_json(data)
            return
        outcome = _status(data["status"]) if data["status"] else click.style(data["outcome"], fg=RED)
        arrow, url = click.style("->", fg=TEAL), one_line(data["url"])
        following = f", next at {data['next_attempt_at']}" if data["next_attempt_at"] else ""
        event = f"{data['type']} attempt {data['attempt']}{following}"
        self._write(f"{data['at']}  {world.id}  {arrow} {url}  {outcome}  {event}")

    def _write(self, line: str) -> None:
        self._logger.info(line if self._coloured else click.unstyle(line))

    def _write_json(self, data: Mapping[str, Any]) -> None:
        self._logger.info(json.dumps(data))


def _call_data(call: AnsweredCall, effects: Effects) -> dict[str, Any]:
    return {
        "kind": "call",
        "at": _now(call, effects),
        "world": call.world.id if call.world else None,
        "method": call.method,
        "path": redact(call.path),
        "operation": call.operation,
        "credential": effects.credential,
        "status": call.status,
        "fault": call.fault,
        "request_id": call.request_id or None,
        **{each.name: value for each, value in effects.told if each.leads},
        "events": effects.events,
        **{each.name: value for each, value in effects.told if not each.leads},
    }


def _now(call: AnsweredCall, effects: Effects) -> str | None:
    """The instant of a call in its world, and None for a call to no world."""
    return effects.at or (format_instant(call.world.state.now_ms) if call.world else None)


def _attempt_data(world: ObservedWorld, attempt: Attempt) -> dict[str, Any]:
    state = world.state
    return {
        "kind": "delivery",
        "at": format_instant(attempt.at_ms),
        "world": world.id,
        "url": redact(state[ENDPOINT].get(attempt.endpoint).url),
        "type": attempt.kind,
        "event_id": state[EVENT].get(attempt.event).id,
        "attempt": attempt.number,
        "outcome": attempt.outcome,
        "status": attempt.status,
        "next_attempt_at": None if attempt.next_ms is None else format_instant(attempt.next_ms),
    }


def _credential(world: ObservedWorld, authorization: str | None) -> str | None:
    if authorization is None:
        return None
    for name, credential in list_credentials(world.state, world.id).items():
        if credential["headers"].get("Authorization") == authorization:
            return name
    return UNKNOWN_KEY


def _status(status: int | None) -> str:
    """A status in its colour."""
    text = "lost" if status is None else str(status)
    colour = RED if status is None or status >= 500 else AMBER if status >= 400 else GREEN
    return click.style(text, fg=colour)
