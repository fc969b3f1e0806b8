"""The timeline of an order, gift or campaign: when the status of each part changed, and what caused that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.log.segment import Segment
from giftsim.engine.provenance.causes import Cause, History, cause_of
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPMENT,
    SHIPPED,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.domain.money.account import Entry
from giftsim.services.gifting.domain.money.charge import Charge
from giftsim.services.gifting.domain.team.billing.invoice import bank_return
from giftsim.services.gifting.domain.team.billing.payment import FAILED, SETTLED, Payment
from giftsim.services.gifting.domain.team.campaigns.campaign import BATCHES, Batch, Campaign
from giftsim.services.gifting.domain.team.orders.approval import APPROVED, SUPERSEDED, Approval
from giftsim.services.gifting.records.gifting_kinds import APPROVAL, CHARGE, ORDER, PARCEL, PAYMENT, RECIPIENT
from giftsim.services.gifting.records.placed import Parts, Placed

_STAMPS = (
    (IN_PRODUCTION, "produced_at_ms"),
    (LABELED, "labeled_at_ms"),
    (SHIPPED, "shipped_at_ms"),
    (DELIVERED, "delivered_at_ms"),
)
# The first row of a status: a parcel whose delay is over continues for the reason for which it would have.
_DELAYS = {row.target: row.after for row in reversed(SHIPMENT.rows) if row.after}
RETURNED = "returned"
_ENDS = (DELAYED, REJECTED, EXPIRED, CANCELED)


class Step(msgspec.Struct, frozen=True):
    """One entry: a subject became `status` at an instant."""

    at_ms: int
    subject: Ref
    status: str
    detail: str | None = None
    cause: Cause | None = None


def timeline(world: World, state: State, placed: Placed, parts: Parts) -> list[dict[str, Any]]:
    """The steps of an order, gift or campaign as JSON, oldest first."""
    return [_view(step) for step in steps_of(world, state, placed, parts)]


def steps_of(world: World, state: State, placed: Placed, parts: Parts) -> list[Step]:
    """The steps of an order, gift or campaign, oldest first."""
    history = History(world, state, _wanted(placed, parts))
    steps = [  # of one instant in this order
        *_created(placed, history),
        *(step for batch in parts.batches for step in _batch_steps(batch, placed, history)),
        *(step for approval in parts.approvals for step in _approval_steps(approval, history)),
        *(step for payment in parts.payments for step in _payment_steps(payment, history)),
        *(step for charge in parts.charges for step in _charge_steps(charge, history)),
        *_started(placed, history),
        *(step for row in parts.rows for step in _parcel_steps(*row, history)),
        *(Step(entry.at_ms, Ref("refund", entry.ref), "refunded", _refunded(entry)) for entry in parts.refunds),
    ]
    parcels = {shipment.order_id: shipment for _, shipment in parts.rows}
    return list(_with_reasons(state, parcels, sorted(steps, key=lambda step: step.at_ms)))


def _with_reasons(state: State, parcels: Mapping[int, Shipment], steps: Sequence[Step]) -> Iterator[Step]:
    """The steps; those of parcels by the clock with the reason of their timer."""
    since: dict[Ref, int] = {}  # when each subject took its last step
    started_ms = 0
    for step in steps:
        cause = step.cause
        if cause is None or cause.kind != "clock" or step.subject.kind != PARCEL.name:
            yield step
        else:
            reason = _reason(state, parcels[int(step.subject.id)], since.get(step.subject, started_ms), step)
            yield msgspec.structs.replace(step, cause=Cause(cause.kind, reason or cause.text))
        since[step.subject] = step.at_ms
        if step.status == "started":
            started_ms = step.at_ms


def _reason(state: State, shipment: Shipment, since_ms: int, step: Step) -> str | None:
    """Why the clock moved a parcel, with what it waited for beside its lead time."""
    after = _DELAYS.get(step.status)
    if after is None:
        return None
    if after.note is None or not state.setting_values:
        return after.because
    before = msgspec.structs.replace(shipment, since_ms=since_ms)
    is_due = after.due(state, before) == step.at_ms  # by the settings of now
    return after.because + (after.note(state, before, step.at_ms) if is_due else "")


def _view(step: Step) -> dict[str, Any]:
    return {
        "at": format_instant(step.at_ms),
        "subject": step.subject,
        "status": step.status,
        "detail": step.detail,
        "cause": step.cause,
    }


def _wanted(placed: Placed, parts: Parts) -> dict[str, frozenset[int]]:
    rows: list[tuple[TableSpec[Any], Sequence[Record]]] = [
        (ORDER.table, placed.fulfilments),
        (RECIPIENT.table, [recipient for recipient, _ in parts.rows]),
        (PARCEL.table, [shipment for _, shipment in parts.rows]),
        (CHARGE.table, parts.charges),
        (PAYMENT.table, parts.payments),
        (APPROVAL.table, parts.approvals),
        (BATCHES, parts.batches),
    ]
    return {spec.name: frozenset([record.n for record in records]) for spec, records in rows}


def _created(placed: Placed, history: History) -> Iterator[Step]:
    made, cause = placed.created_ms, None
    if not isinstance(placed.record, Campaign):
        cause = history.cause(ORDER.table, placed.fulfilments[0], made, made_at_ms=made)
    yield Step(made, placed.ref, "created", cause=cause)


def _started(placed: Placed, history: History) -> Iterator[Step]:
    if isinstance(placed.record, Campaign):  # its batches say when each was paid
        return
    fulfilment = placed.fulfilments[0]
    paid = fulfilment.paid_at_ms
    if paid is not None:
        cause = history.cause(ORDER.table, fulfilment, paid, paid_at_ms=paid)
        yield Step(paid, placed.ref, "started", "its claim links work and its lead times run", cause)


def _parcel_steps(recipient: Recipient, shipment: Shipment, history: History) -> Iterator[Step]:
    subject, name, claimed = PARCEL.itself(shipment), recipient.name or recipient.email, recipient.claimed_at_ms
    if claimed is not None:
        change = history.change(RECIPIENT.table, recipient, claimed_at_ms=claimed)
        yield Step(claimed, subject, SUBMITTED, name, _cause_of(change, claimed, shipment, history))
    for status, column in _STAMPS:
        at_ms = getattr(shipment, column)
        if at_ms is not None:
            change = history.change(PARCEL.table, shipment, **{column: at_ms})
            yield Step(at_ms, subject, status, name, _cause_of(change, at_ms, shipment, history))
    if shipment.status in _ENDS and shipment.since_ms is not None:
        cause = history.cause(PARCEL.table, shipment, shipment.since_ms, status=shipment.status)
        detail = f"{name}: {recipient.cancel_reason}" if name and recipient.cancel_reason else name
        yield Step(shipment.since_ms, subject, shipment.status, detail, cause)

    for status, since_ms in _overcome(shipment, history):
        cause = history.cause(PARCEL.table, shipment, since_ms, status=status, since_ms=since_ms)
        yield Step(since_ms, subject, status, name, cause)


def _overcome(shipment: Shipment, history: History) -> Iterator[tuple[str, int]]:
    """The troubles in transit that a parcel had before its present status, and when they began (G430)."""
    present = shipment.status, shipment.since_ms
    if shipment.shipped_at_ms is None or shipment.status == SHIPPED:
        return
    formers = (former for former in history.formers(PARCEL.table, shipment) if isinstance(former, Shipment))
    in_transit = ((each.status, each.since_ms) for each in formers if each.shipped_at_ms is not None)
    for status, since_ms in dict.fromkeys(in_transit):
        if status in (DELAYED, REJECTED) and since_ms is not None and (status, since_ms) != present:
            yield status, since_ms


def _cause_of(change: tuple[Segment, int] | None, at_ms: int, shipment: Shipment, history: History) -> Cause | None:
    """The cause of a step of a parcel. What delivered it at once has made the steps before it too (G357)."""
    if change is None:
        return None
    cause, delivered_ms = cause_of(history.state, *change, at_ms), shipment.delivered_at_ms
    if cause is None or cause.kind != "clock" or delivered_ms is None:
        return cause
    is_one_change = change == history.change(PARCEL.table, shipment, delivered_at_ms=delivered_ms)
    return cause_of(history.state, *change, delivered_ms) if is_one_change else cause


def _charge_steps(charge: Charge, history: History) -> Iterator[Step]:
    at_ms = charge.opened_at_ms if charge.closed_at_ms is None else charge.closed_at_ms
    cause = history.cause(CHARGE.table, charge, at_ms, status=charge.status)
    yield Step(at_ms, CHARGE.itself(charge), charge.status, charge.code, cause)


def _payment_steps(payment: Payment, history: History) -> Iterator[Step]:
    subject, made = PAYMENT.itself(payment), payment.created_ms
    cause = history.cause(PAYMENT.table, payment, made, created_ms=made)
    yield Step(made, subject, "created", payment.method, cause)
    if payment.settled_ms is not None:
        cause = history.cause(PAYMENT.table, payment, payment.settled_ms, settled_ms=payment.settled_ms)
        yield Step(payment.settled_ms, subject, SETTLED, payment.method, cause)
        yield from _returned(payment, history)
    elif payment.status == FAILED:
        yield Step(made, subject, FAILED, payment.method)


def _returned(payment: Payment, history: History) -> Iterator[Step]:
    """A bank took the money of a payment back (G435)."""
    gone = bank_return(history.state, payment.receipt)
    if gone is not None:
        cause = history.cause(PAYMENT.table, payment, gone.at_ms, status=FAILED)
        yield Step(gone.at_ms, PAYMENT.itself(payment), RETURNED, payment.method, cause)


def _approval_steps(approval: Approval, history: History) -> Iterator[Step]:
    subject, made = APPROVAL.itself(approval), approval.created_ms
    cause = history.cause(APPROVAL.table, approval, made, created_ms=made)
    yield Step(made, subject, "requested", approval.note, cause)
    if approval.decided_ms is not None:
        cause = history.cause(APPROVAL.table, approval, approval.decided_ms, decided_ms=approval.decided_ms)
        decision = APPROVED if approval.status == SUPERSEDED else approval.status
        yield Step(approval.decided_ms, subject, decision, approval.decision_note, cause)


def _batch_steps(batch: Batch, placed: Placed, history: History) -> Iterator[Step]:
    for status, column in (("prepared", "prepared_ms"), ("repriced", "repriced_ms"), ("paid", "paid_ms")):
        at_ms = getattr(batch, column)
        if at_ms is not None:
            cause = history.cause(BATCHES, batch, at_ms, **{column: at_ms})
            yield Step(at_ms, placed.ref, status, f"batch {batch.number}", cause)


def _refunded(entry: Entry) -> str:
    return f"{sum(cents for _, cents in entry.postings if cents > 0) / 100:,.2f}"
