"""What caused a change of a record: a call, a verb of the control API, or the clock.

The event log keeps, for undo, what each record was before it changed. Read forwards, that is each record's history.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.control.records import CAMPAIGN, Sending
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPMENT,
    SHIPMENTS,
    SHIPPED,
    SUBMITTED,
    Shipment,
)
from giftsim.domain.money.account import Entry
from giftsim.domain.money.charge import CHARGES, Charge
from giftsim.domain.team.billing.payment import FAILED, PAYMENTS, SETTLED, Payment
from giftsim.domain.team.campaigns.campaign import BATCHES, Batch
from giftsim.domain.team.orders.approval import APPROVALS, Approval
from giftsim.event_log.inputs import AnyEvent, AttemptCompleted, ClientCall, ControlCall
from giftsim.event_log.segment import Segment
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec, Undo, is_addition
from giftsim.worlds.world import World

MOST_CHANGES = 100_000  # of a world that are looked at, the newest first
Wanted = Mapping[str, Collection[int]]  # the slots of each table


class Cause(msgspec.Struct, frozen=True):
    """A cause: its `kind` (`call`, `verb`, `clock` or `delivery`), its words, and a call's number in the journal."""

    kind: str
    text: str
    call: int | None = None


class History:
    """The earlier versions of some records, each with the event after which it was replaced.

    `wanted` are the slots of each table. What the log has forgotten, what a fixture made, and what happened before the
    last MOST_CHANGES has no cause.
    """

    def __init__(self, world: World, state: State, wanted: Wanted) -> None:
        self._versions: dict[tuple[str, int], list[tuple[Segment, int, Record]]] = {}  # the newest first
        self._unborn = {(table, n) for table, slots in wanted.items() for n in slots}
        looked_at = 0
        for segment, n, entries in _newest_first(world, state):
            self._add(segment, n, entries, wanted)
            looked_at += len(entries)
            if not self._unborn or looked_at > MOST_CHANGES:
                return  # earlier changes cannot be theirs, or are too many to look at

    def _add(self, segment: Segment, n: int, entries: Sequence[Undo | State], wanted: Wanted) -> None:
        slots = wanted.get
        found = [
            entry
            for entry in entries
            if entry.__class__ is Undo and (own := slots(entry.part)) and entry.former.n in own
        ]
        for entry in reversed(found):
            key = (entry.part, entry.former.n)
            if key in self._unborn:
                self._versions.setdefault(key, []).append((segment, n, entry.former))
                if is_addition(entry):
                    self._unborn.discard(key)

    def cause(self, table: str, record: Record, at_ms: int, **columns: Any) -> Cause | None:
        """What made a record have these columns at an instant; None if it is not known any more."""
        after = record
        for segment, n, former in self._versions.get((table, record.n), ()):
            if _has(after, columns) and (former is after or not _has(former, columns)):
                return _cause(segment, n, at_ms)
            after = former
        return None


def _newest_first(world: World, state: State) -> Iterator[tuple[Segment, int, Sequence[Undo | State]]]:
    """What is kept of each change, the newest first: the segment and the event after which it was made."""
    segments = world.event_log.segments
    yield segments[-1], segments[-1].next_n - 1, state.undo_log or ()
    for segment in reversed(segments):
        for n in reversed(segment.undo_logs):
            yield segment, n, segment.undo_logs[n]


def _has(record: Record, columns: Mapping[str, Any]) -> bool:
    return all(getattr(record, name) == value for name, value in columns.items())


def _cause(segment: Segment, n: int, at_ms: int) -> Cause | None:
    """The cause of a change after event `n`: the call itself, or, if it happened later, the clock that went on."""
    place = n - segment.first_n
    event: AnyEvent | None = segment.events[place] if 0 <= place < len(segment.events) else None
    if isinstance(event, ClientCall) and event.at_ms == at_ms:
        outcome = segment.outcomes.get(n)
        path = event.path.partition("?")[0]
        if path.startswith("/claim/"):
            return Cause("call", "the claim page")
        return Cause("call", f"{event.method} {path}", outcome.entry.seq if outcome and outcome.entry else None)
    if isinstance(event, ControlCall) and event.at_ms == at_ms:
        return Cause("verb", f"{event.method} {event.path.partition('?')[0].removeprefix('/')}")
    if isinstance(event, AttemptCompleted):
        return Cause("delivery", "the answer to a webhook")
    return Cause("clock", "the clock")


_STAMPS = (
    (IN_PRODUCTION, "produced_at_ms"),
    (LABELED, "labeled_at_ms"),
    (SHIPPED, "shipped_at_ms"),
    (DELIVERED, "delivered_at_ms"),
)
_REASONS = {row.target: row.after.because for row in SHIPMENT.rows if row.after}
_ENDS = (DELAYED, REJECTED, EXPIRED, CANCELED)


class Step(msgspec.Struct, frozen=True):
    """One entry: a subject became `status` at an instant."""

    at_ms: int
    kind: str
    id: object
    status: str
    detail: str | None = None
    cause: Cause | None = None


class Parts(msgspec.Struct, frozen=True):
    """The records whose changes a timeline shows."""

    rows: Sequence[tuple[Recipient, Shipment]]
    charges: Sequence[Charge]
    payments: Sequence[Payment]
    approvals: Sequence[Approval]
    batches: Sequence[Batch]
    refunds: Sequence[Entry]


def timeline(world: World, state: State, sending: Sending, parts: Parts) -> list[dict[str, Any]]:
    """The steps of a sending, oldest first."""
    history = History(world, state, _wanted(sending, parts))
    steps = [  # of one instant in this order
        *_created(sending, history),
        *(step for batch in parts.batches for step in _batch_steps(batch, sending, history)),
        *(step for approval in parts.approvals for step in _approval_steps(approval, history)),
        *(step for payment in parts.payments for step in _payment_steps(payment, history)),
        *(step for charge in parts.charges for step in _charge_steps(charge, history)),
        *_started(sending, history),
        *(step for row in parts.rows for step in _parcel_steps(*row, history)),
        *(Step(entry.at_ms, "refund", entry.ref, "refunded", _refunded(entry)) for entry in parts.refunds),
    ]
    return [_view(step) for step in sorted(steps, key=lambda step: step.at_ms)]


def _view(step: Step) -> dict[str, Any]:
    cause = step.cause
    if cause is not None and cause.kind == "clock" and step.kind == "parcel":
        cause = Cause(cause.kind, _REASONS.get(step.status, cause.text))
    return {
        "at": format_instant(step.at_ms),
        "subject": {"kind": step.kind, "id": step.id},
        "status": step.status,
        "detail": step.detail,
        "cause": None if cause is None else msgspec.to_builtins(cause),
    }


def _wanted(sending: Sending, parts: Parts) -> dict[str, frozenset[int]]:
    rows: list[tuple[TableSpec[Any], Sequence[Record]]] = [
        (FULFILMENTS, sending.fulfilments),
        (RECIPIENTS, [recipient for recipient, _ in parts.rows]),
        (SHIPMENTS, [shipment for _, shipment in parts.rows]),
        (CHARGES, parts.charges),
        (PAYMENTS, parts.payments),
        (APPROVALS, parts.approvals),
        (BATCHES, parts.batches),
    ]
    return {spec.name: frozenset([record.n for record in records]) for spec, records in rows}


def _created(sending: Sending, history: History) -> Iterator[Step]:
    made, cause = sending.created_ms, None
    if sending.kind != CAMPAIGN:
        cause = history.cause(FULFILMENTS.name, sending.fulfilments[0], made, made_at_ms=made)
    yield Step(made, sending.kind, sending.id, "created", cause=cause)


def _started(sending: Sending, history: History) -> Iterator[Step]:
    if sending.kind == CAMPAIGN:  # its batches say when each was paid
        return
    fulfilment = sending.fulfilments[0]
    paid = fulfilment.paid_at_ms
    if paid is not None:
        cause = history.cause(FULFILMENTS.name, fulfilment, paid, paid_at_ms=paid)
        yield Step(paid, sending.kind, sending.id, "started", "its claim links work and its lead times run", cause)


def _parcel_steps(recipient: Recipient, shipment: Shipment, history: History) -> Iterator[Step]:
    who, claimed = recipient.name or recipient.email, recipient.claimed_at_ms
    if claimed is not None:
        cause = history.cause(RECIPIENTS.name, recipient, claimed, claimed_at_ms=claimed)
        yield Step(claimed, "parcel", shipment.order_id, SUBMITTED, who, cause)
    for status, column in _STAMPS:
        at_ms = getattr(shipment, column)
        if at_ms is not None:
            cause = history.cause(SHIPMENTS.name, shipment, at_ms, **{column: at_ms})
            yield Step(at_ms, "parcel", shipment.order_id, status, who, cause)
    if shipment.status in _ENDS and shipment.since_ms is not None:
        cause = history.cause(SHIPMENTS.name, shipment, shipment.since_ms, status=shipment.status)
        detail = f"{who}: {recipient.cancel_reason}" if who and recipient.cancel_reason else who
        yield Step(shipment.since_ms, "parcel", shipment.order_id, shipment.status, detail, cause)


def _charge_steps(charge: Charge, history: History) -> Iterator[Step]:
    at_ms = charge.opened_at_ms if charge.closed_at_ms is None else charge.closed_at_ms
    cause = history.cause(CHARGES.name, charge, at_ms, status=charge.status)
    yield Step(at_ms, "charge", charge.transaction_id, charge.status, charge.code, cause)


def _payment_steps(payment: Payment, history: History) -> Iterator[Step]:
    made = payment.created_ms
    cause = history.cause(PAYMENTS.name, payment, made, created_ms=made)
    yield Step(made, "payment", payment.id, "created", payment.method, cause)
    if payment.status == SETTLED and payment.settled_ms is not None:
        cause = history.cause(PAYMENTS.name, payment, payment.settled_ms, status=SETTLED)
        yield Step(payment.settled_ms, "payment", payment.id, SETTLED, payment.method, cause)
    elif payment.status == FAILED:
        yield Step(made, "payment", payment.id, FAILED, payment.method)


def _approval_steps(approval: Approval, history: History) -> Iterator[Step]:
    made = approval.created_ms
    cause = history.cause(APPROVALS.name, approval, made, created_ms=made)
    yield Step(made, "approval", approval.id, "requested", approval.note, cause)
    if approval.decided_ms is not None:
        cause = history.cause(APPROVALS.name, approval, approval.decided_ms, decided_ms=approval.decided_ms)
        yield Step(approval.decided_ms, "approval", approval.id, approval.status, approval.decision_note, cause)


def _batch_steps(batch: Batch, sending: Sending, history: History) -> Iterator[Step]:
    for status, column in (("prepared", "prepared_ms"), ("repriced", "repriced_ms"), ("paid", "paid_ms")):
        at_ms = getattr(batch, column)
        if at_ms is not None:
            cause = history.cause(BATCHES.name, batch, at_ms, **{column: at_ms})
            yield Step(at_ms, sending.kind, sending.id, status, f"batch {batch.number}", cause)


def _refunded(entry: Entry) -> str:
    return f"{sum(cents for _, cents in entry.postings if cents > 0) / 100:,.2f}"
