"""Folds one world into what was met: its calls and webhooks since the last fold, and the rows its machines have taken.

What was met stays met, also if it is undone: the counters of rows are compared with those of the world's first state.
The edges of the calendar are those that the app was active on both sides of (G226).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from giftsim.engine.gateway.contract import Contract
from giftsim.engine.kernel.instants import local_date
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.log.inputs import CallRecord
from giftsim.engine.webhooks.attempt import ATTEMPT
from giftsim.engine.worlds.observer import KeptWorld
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    EXPIRED,
    SHIPMENT,
    SHIPMENTS,
    STATUSES,
)
from giftsim.services.gifting.domain.money.account import ENTRIES
from giftsim.services.gifting.domain.money.charge import SPEND_ZONE
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES, OPEN
from giftsim.workbench.coverage.call_facts import CallFacts
from giftsim.workbench.coverage.items import DST_DAY, LEAP_DAY, LINK_EXPIRED, MONTH, PAST_DUE, YEAR, Items, machine_of
from giftsim.workbench.coverage.met import Met
from giftsim.workbench.coverage.uncounted import PARTIAL_CANCELLATION, REFUND
from giftsim.workbench.coverage.webhook_facts import WebhookFacts

R = TypeVar("R", bound=Record)
CANCEL = "--cancel-->"


class Subject(msgspec.Struct, frozen=True):
    """What worlds are folded with: the items, the contracts by interface, and the machines."""

    items: Items
    contracts: Mapping[str, Contract]
    machines: Sequence[Machine[Any]]


class Baseline(msgspec.Struct, frozen=True):
    """What later states of a world are compared with: the counters of rows, and each table's next slot."""

    counters: Mapping[str, int]
    slots: Mapping[str, int]


def baseline_of(state: State, subject: Subject) -> Baseline:
    """The baseline of a world, from its first state: what comes later has been met."""
    counters = {name: count for name, count in state.counters.items() if name in subject.items.transitions}
    return Baseline(counters, {table.name: table.next_n for table in state.tables()})


class WorldFold:
    """What was met in one world so far."""

    def __init__(self, subject: Subject, baseline: Baseline) -> None:
        self.met = Met()
        self._subject, self._baseline = subject, baseline
        self._calls = CallFacts(subject.items, subject.contracts, self.met)
        self._webhooks = WebhookFacts(subject.items, self.met, baseline.slots[ATTEMPT.name])
        self._epoch = 0
        self._slots = dict(baseline.slots)
        self._at_ms: int | None = None
        self._days: set[date] = set()

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
        self._note_expiries(state)
        self._note_outcomes(state)
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
            self._days.add(date.fromisoformat(local_date(at_ms, SPEND_ZONE)))

    def _note_machines(self, state: State) -> None:
        before, met = self._baseline.counters, self.met
        for counter, name in self._subject.items.transitions.items():
            if state.counters.get(counter, 0) > before.get(counter, 0):
                met.transitions.add(name)
        for machine in self._subject.machines:
            added = state[machine.spec].next_n > self._baseline.slots[machine.spec.name]
            if added or any(machine_of(name) == machine.name for name in met.transitions):
                met.machines.add(machine.name)

    def _note_expiries(self, state: State) -> None:
        """The expiries that concern the app, and whether it met them. Invoices are few."""
        if f"{SHIPMENT.name}: {AWAITING} --expire--> {EXPIRED}" in self.met.transitions:
            self.met.clock.add(LINK_EXPIRED)
        if any(shipment.expires_at_ms is not None for shipment in self._added(state, SHIPMENTS)):
            self.met.uses.add(LINK_EXPIRED)
        for invoice in state[INVOICES].rows[self._baseline.slots[INVOICES.name] :]:
            if invoice is not None:
                self.met.uses.add(PAST_DUE)
                owed_ms = state.now_ms if invoice.status == OPEN else invoice.paid_ms
                if owed_ms is not None and invoice.due_on < local_date(owed_ms, SPEND_ZONE):
                    self.met.clock.add(PAST_DUE)

    def _note_outcomes(self, state: State) -> None:
        """The endings that no transition shows: refunds, and orders of which a part was canceled."""
        if any(entry.kind == REFUND for entry in self._added(state, ENTRIES)):
            self.met.outcomes.add(REFUND)
        if any(CANCEL in name for name in self.met.transitions):
            orders = state[FULFILMENTS].rows[self._baseline.slots[FULFILMENTS.name] :]
            if any(order is not None and _is_partly(order) for order in orders):
                self.met.outcomes.add(PARTIAL_CANCELLATION)

    def _added(self, state: State, spec: TableSpec[R]) -> Iterator[R]:
        """The records that were added to a table since the last fold."""
        first, rows = self._slots[spec.name], state[spec].rows
        self._slots[spec.name] = len(rows)
        return (row for row in rows[first:] if row is not None)

    def _note_calendar(self) -> None:
        self.met.clock.update(_edges(self._days))


def _is_partly(order: Fulfilment) -> bool:
    """Whether some recipients of an order are canceled, and others are not."""
    return 0 < order.tally[STATUSES.index(CANCELED)] < sum(order.tally)


def _edges(days: set[date]) -> Iterator[str]:
    """The edges of the calendar that days of one app touch."""
    if len({(day.year, day.month) for day in days}) > 1:
        yield MONTH
    if len({day.year for day in days}) > 1:
        yield YEAR
    if any((day.month, day.day) == (2, 29) for day in days):
        yield LEAP_DAY
    if any(map(_changes_clocks, days)):
        yield DST_DAY


def _changes_clocks(day: date) -> bool:
    """Whether daylight saving time begins or ends on a day, in the zone in which the service counts days."""
    zone = ZoneInfo(SPEND_ZONE)
    morning = datetime(day.year, day.month, day.day, tzinfo=zone)
    return day < date.max and morning.utcoffset() != (morning + timedelta(days=1)).utcoffset()
