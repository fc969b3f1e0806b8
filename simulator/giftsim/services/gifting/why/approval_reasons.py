"""Why something is not approved: nobody decided, somebody refused, time ran out, or another approval took its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from giftsim.engine.gateway.reason import AT, CAUSE, Proof, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import DAY, format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.services.gifting.domain.actor import APPROVER, Actor
from giftsim.services.gifting.domain.team.billing.payment import SETTLED, payment_of
from giftsim.services.gifting.domain.team.orders.approval import (
    APPROVALS,
    APPROVE,
    CANCELED,
    PENDING,
    REJECTED,
    SUPERSEDED,
    Approval,
    latest_approval,
)
from giftsim.services.gifting.why.wording import (
    dollars,
    find_scheduled_actor,
    mend_by_deciding,
    mend_by_waiting,
    phrase_record,
)

_FINAL: Final = "what was rejected stays so: ask again with another one, or let the reviewer approve"


def approval_reasons(state: State, ref: Ref, resource_type: str, slot: int, made: Proof) -> Iterator[Reason]:
    """Why a record that waits for its approval is not approved. `made` proves that the record is there."""
    latest = latest_approval(state, resource_type, slot)
    if latest is None:
        yield Reason(
            kind="not_approved",
            sentence=f"{phrase_record(ref)} waits for an approval, and nobody has asked for one",
            proofs=(made,),
            acts=mend_by_deciding(ref),
        )
        return
    slots = state[APPROVALS].slots_in("resource", f"{resource_type} {slot}")
    before = state[APPROVALS].get(slots[-2]) if len(slots) > 1 else None
    if latest.status == PENDING and before is not None and before.status == SUPERSEDED:
        yield _replaced(ref, before, latest)
    yield from about_approval(state, ref, latest)


def about_approval(state: State, ref: Ref, approval: Approval) -> Iterator[Reason]:
    """Why an approval of a record is not the one that lets it go on."""
    match approval.status:
        case "pending":
            yield from _pending(state, ref, approval)
        case "rejected":
            yield _rejected(ref, approval)
        case "canceled":
            yield _expired(ref, approval) if approval.decided_ms is not None else _withdrawn(ref, approval)
        case "superseded":
            latest = latest_approval(state, approval.resource_type, approval.resource)
            if latest is not None and latest.n != approval.n:
                yield _replaced(ref, approval, latest)
                if latest.status == PENDING:
                    yield from _pending(state, ref, latest)
            else:
                yield _without(state, ref, approval)


def _pending(state: State, ref: Ref, approval: Approval) -> Iterator[Reason]:
    will = find_scheduled_actor(state, APPROVER, approval.n)
    if will is not None:
        yield _to_be_decided(state, ref, approval, *will)
        return
    yield Reason(
        kind="not_approved",
        sentence=f"{phrase_record(ref)} waits for approval {approval.id}, which was requested at"
        f" {format_instant(approval.created_ms)} and which nobody has decided",
        proofs=(Proof(APPROVALS.name, approval.n, "status", PENDING, f"approval {approval.id} was requested"),),
        acts=mend_by_deciding(ref),
    )


def _to_be_decided(state: State, ref: Ref, approval: Approval, actor: Actor, timer: Timer, proof: Proof) -> Reason:
    """An actor will decide; if it will refuse, time does not help."""
    approves = actor.decision == APPROVE
    words = "approves" if approves else "rejects"
    return Reason(
        kind="not_due" if approves else "not_approved",
        sentence=f"{phrase_record(ref)} waits for approval {approval.id}, which the actor {actor.id} {words} at"
        f" {format_instant(timer.due_ms)}",
        proofs=(proof,),
        acts=mend_by_waiting(state, timer) if approves else (),
        why_not=None if approves else f"the actor {actor.id} rejects it: let it approve, or remove it",
    )


def _rejected(ref: Ref, approval: Approval) -> Reason:
    note = f": {approval.decision_note}" if approval.decision_note else ""
    return Reason(
        kind="rejected",
        sentence=f"approval {approval.id} of {phrase_record(ref)} was rejected {AT}{note}",
        proofs=(_became(approval, REJECTED, f"approval {approval.id} was rejected"),),
        why_not=_FINAL,
    )


def _expired(ref: Ref, approval: Approval) -> Reason:
    """Nobody decided in time, so the approval is canceled (G168)."""
    days = "" if approval.expires_ms is None else f", {(approval.expires_ms - approval.created_ms) // DAY} d after it"
    return Reason(
        kind="expired",
        sentence=f"approval {approval.id} of {phrase_record(ref)} expired {AT}{days} was requested, undecided",
        proofs=(_became(approval, CANCELED, f"approval {approval.id} expired"),),
        acts=mend_by_deciding(ref),
    )


def _withdrawn(ref: Ref, approval: Approval) -> Reason:
    return Reason(
        kind="canceled",
        sentence=f"approval {approval.id} was canceled {AT} with {phrase_record(ref)}{CAUSE}",
        proofs=(_became(approval, CANCELED, f"approval {approval.id} was canceled"),),
        why_not="the approval of what was canceled cannot be decided: place it again, or do not cancel it",
    )


def _replaced(ref: Ref, approval: Approval, latest: Approval) -> Reason:
    """Another approval took the place of one, because the price changed."""
    was, now = dollars(approval.amount_cents), dollars(latest.amount_cents)
    price = "it was priced again" if was == now else f"its price changed from {was} to {now}"
    return Reason(
        kind="superseded",
        sentence=f"approval {approval.id} of {phrase_record(ref)} was superseded {AT}, when {price}: approval"
        f" {latest.id}"
        f" took its place, and is {latest.status}",
        proofs=(
            _became(approval, SUPERSEDED, f"approval {approval.id} was superseded"),
            Proof(APPROVALS.name, latest.n, None, None, f"approval {latest.id} took its place"),
        ),
        acts=mend_by_deciding(ref) if latest.status == PENDING else (),
        why_not=None if latest.status == PENDING else f"approval {latest.id} counts now: ask for that one",
    )


def _without(state: State, ref: Ref, approval: Approval) -> Reason:
    """An approval that nothing waits for any more: the record was paid without it, or is priced again."""
    payment = payment_of(state, approval.resource_type, approval.resource)
    paid = payment is not None and payment.status == SETTLED
    how = f"{phrase_record(ref)} was paid without it" if paid else "its price is made again"
    return Reason(
        kind="superseded",
        sentence=f"approval {approval.id} of {phrase_record(ref)} was superseded {AT}{CAUSE}: {how}",
        proofs=(_became(approval, SUPERSEDED, f"approval {approval.id} was superseded"),),
        why_not="a payment by a key needs no approval: wait for one of the two, not for both"
        if paid
        else "a new approval is requested once all is priced",
    )


def _became(approval: Approval, status: str, what: str) -> Proof:
    return Proof(APPROVALS.name, approval.n, "status", status, what)
