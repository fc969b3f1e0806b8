"""Folds one world into what was met: its calls and webhooks since the last fold, and the rows its machines have taken.

What was met stays met, also if it is undone: the counters of rows are compared with those of the world's first state.
The edges of the calendar are those that the app was active on both sides of (G226).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

import msgspec

from giftsim.engine.kernel.instants import local_date
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.log.inputs import CallRecord
from giftsim.engine.webhooks.attempt import ATTEMPT
from giftsim.engine.worlds.observer import KeptWorld
from giftsim.workbench.coverage.call_facts import CallFacts
from giftsim.workbench.coverage.items import DST_DAY, LEAP_DAY, MONTH, YEAR, Items, machine_of
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.coverage.webhook_facts import WebhookFacts

R = TypeVar("R", bound=Record)
UTC = "UTC"


class Baseline(msgspec.Struct, frozen=True):
    """What later states of a world are compared with: the counters of rows, and each table's next slot."""

    counters: Mapping[str, int]
    slots: Mapping[str, int]


def baseline_of(state: State, items: Items) -> Baseline:
    """The baseline of a world, from its first state: what comes later has been met."""
    counters = {name: count for name, count in state.counters.items() if name in items.transitions}
    return Baseline(counters, {table.name: table.next_n for table in state.tables()})


class WorldFold:
    """What was met in one world so far."""

    def __init__(self, items: Items, baseline: Baseline) -> None:
        self.met = Met()
        self._items, self._baseline = items, baseline
        self._calls = CallFacts(items, self.met)
        self._webhooks = WebhookFacts(items, self.met, baseline.slots[ATTEMPT.name])
        self._epoch = 0
        self._slots = dict(baseline.slots)
        self._at_ms: int | None = None
        self._days: set[date] = set()
        self._zone = next((each.zone for each in items.service.coverage), UTC)

    def fold(self, world: KeptWorld, state: State) -> Met:
        """Fold what has happened since the last time. The caller holds the world's lock."""
        if world.epoch != self._epoch:
            self._webhooks.begin()
            self._epoch, self._slots = world.epoch, dict(self._baseline.slots)
        self._calls.forget_callers()
        self.met.settings.update(state.parsed_settings)
        for entry in world.calls.log.not_folded():
            self.fold_call(state, world.id, entry)
        for at_ms in self._webhooks.read(state, world.app_answers):
            self._note_day(at_ms)
        self._note_machines(state)
        for each in self._items.service.coverage:
            each.note(state, self)
        self._note_calendar()
        return self.met

    def fold_call(self, state: State, world_id: str, entry: CallRecord) -> None:
        """Fold one call, and note the day on which it was made."""
        self._calls.read(state, world_id, entry)
        self._note_day(entry.at_ms)

    def _note_day(self, at_ms: int) -> None:
        """Note that the app called, or was called, at an instant."""
        if at_ms != self._at_ms:
            self._at_ms = at_ms
            self._days.add(date.fromisoformat(local_date(at_ms, self._zone)))

    def _note_machines(self, state: State) -> None:
        before, met = self._baseline.counters, self.met
        for counter, name in self._items.transitions.items():
            if state.counters.get(counter, 0) > before.get(counter, 0):
                met.transitions.add(name)
        for machine in self._items.machines:
            added = state[machine.spec].next_n > self._baseline.slots[machine.spec.name]
            if added or any(machine_of(name) == machine.name for name in met.transitions):
                met.machines.add(machine.name)

    def added(self, state: State, spec: TableSpec[R]) -> Iterator[R]:
        """The records that were added to a table since the last fold."""
        first, rows = self._slots[spec.name], state[spec].rows
        self._slots[spec.name] = len(rows)
        return (row for row in rows[first:] if row is not None)

    def since_start(self, state: State, spec: TableSpec[R]) -> Iterator[R]:
        """The records that were added to a table since the world is followed."""
        return (row for row in state[spec].rows[self._baseline.slots[spec.name] :] if row is not None)

    def _note_calendar(self) -> None:
        self.met.clock.update(_edges(self._days, self._zone))


def _edges(days: set[date], zone: str) -> Iterator[str]:
    """The edges of the calendar that days of one app touch."""
    if len({(day.year, day.month) for day in days}) > 1:
        yield MONTH
    if len({day.year for day in days}) > 1:
        yield YEAR
    if any((day.month, day.day) == (2, 29) for day in days):
        yield LEAP_DAY
    if any(_changes_clocks(day, ZoneInfo(zone)) for day in days):
        yield DST_DAY


def _changes_clocks(day: date, zone: ZoneInfo) -> bool:
    """Whether daylight saving time begins or ends on a day, in the zone in which the service counts days."""
    morning = datetime(day.year, day.month, day.day, tzinfo=zone)
    return day < date.max and morning.utcoffset() != (morning + timedelta(days=1)).utcoffset()
