"""Approvals: a human's yes or no to what a key has prepared; no key can decide one (A1.2, A1.3, T-1.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from giftsim.domain.team.record_owner import is_live
from giftsim.domain.team.tenant import Id, Tenant, TenantRecord, find_record, public_id, tenant_table
from giftsim.kernel.instants import DAY
from giftsim.kernel.setting import Setting, flag
from giftsim.kernel.signals import KeyedSignal, Signal, ignore
from giftsim.kernel.state import State
from giftsim.kernel.state_machine import After, Machine, Row
from giftsim.kernel.table import TableSpec

FIRST_ID = 70_000_001

PENDING, APPROVED, REJECTED, CANCELED, SUPERSEDED = "pending", "approved", "rejected", "canceled", "superseded"
APPROVE, REJECT = "approve", "reject"

# A new approval waits for a decision.
APPROVAL_REQUESTED: Signal[Callable[[State, Approval], None]] = Signal("approval_asked", ignore)
# An approval was decided; by the type of the record that it is about.
APPROVAL_DECIDED: KeyedSignal[Callable[[State, Approval], None]] = KeyedSignal("approval_decided")


def _days(raw: Any) -> int | None:
    if raw is not None and (type(raw) is not int or not 1 <= raw <= 3650):
        raise ValueError("it goes from 1 to 3650, or is null")
    return raw


PAY_ON_APPROVE = flag(
    "approvals.pay_on_approve", True,
    "whether approving pays from the team's balance or terms; if not, orders wait unpaid, gifts go out so (A1.2)",
)  # fmt: skip
EXPIRE_DAYS: Setting[int | None] = Setting(
    "approvals.expire_days", None, _days, "a whole number of days, or null",
    "days after which a pending approval is canceled by itself; null is never (A1.2)",
)  # fmt: skip
AUTO_REQUEST = flag("approvals.auto_request", False, "whether creating a team order also requests its approval (0.4)")
SETTINGS: tuple[Setting[Any], ...] = (PAY_ON_APPROVE, EXPIRE_DAYS, AUTO_REQUEST)


class Approval(TenantRecord, frozen=True, gc=False):
    """One question about the record in slot `resource`, which is shown as `resource_id`.

    `amount_cents` is what a yes may cost; `note` is of who asked, `decision_note` of who decided.
    """

    resource_type: str
    resource: int
    resource_id: Id
    amount_cents: int
    note: str | None = None
    status: str = PENDING
    decision_note: str | None = None
    decided_ms: int | None = None
    expires_ms: int | None = None


APPROVALS: TableSpec[Approval] = tenant_table(
    "team.approval", Approval, groups={"resource": lambda row: f"{row.resource_type} {row.resource}"}
)

_expiry = After(lambda _, approval: approval.expires_ms, DAY, "nobody decided in time")

APPROVAL: Machine[Approval] = Machine(
    "approval",
    APPROVALS,
    initial=(PENDING,),
    final=(REJECTED, CANCELED, SUPERSEDED),
    rows=[
        Row(PENDING, APPROVE, APPROVED),
        Row(PENDING, REJECT, REJECTED),
        Row(PENDING, "cancel", CANCELED),
        Row(PENDING, "expire", CANCELED, after=_expiry),
        Row(PENDING, "supersede", SUPERSEDED),
        Row(APPROVED, "supersede", SUPERSEDED),
    ],
)


def request_approval(
    state: State, tenant: Tenant, resource_type: str, resource: int, *, resource_id: Id, amount_cents: int,
    note: str | None = None,
) -> Approval:  # fmt: skip
    """The pending approval of a record: the one there is, else a new one, told of by `approval.requested` (A1.3)."""
    found = pending_approval(state, resource_type, resource)
    if found is not None:
        return found
    n, days = state[APPROVALS].next_n, state.setting(EXPIRE_DAYS)
    approval = state[APPROVALS].add(
        Approval(
            n, tenant.owner, public_id(state, tenant, "approval", n, FIRST_ID), state.now_ms, resource_type, resource,
            resource_id, amount_cents, note, expires_ms=None if days is None else state.now_ms + days * DAY,
        )
    )  # fmt: skip
    APPROVAL.enter(state, approval)
    _emit(state, "approval.requested", approval)
    state.handler(APPROVAL_REQUESTED)(state, approval)
    return approval


def pending_approval(state: State, resource_type: str, resource: int) -> Approval | None:
    """The approval of a record that waits for a decision, or None."""
    found = latest_approval(state, resource_type, resource)
    return found if found is not None and found.status == PENDING else None


def latest_approval(state: State, resource_type: str, resource: int) -> Approval | None:
    """The newest approval of a record, or None before one was asked for."""
    slots = state[APPROVALS].slots_in("resource", f"{resource_type} {resource}")
    return state[APPROVALS].get(slots[-1]) if slots else None


def decide(state: State, approval: Approval, decision: str, note: str | None = None) -> Approval:
    """A human approves or rejects; `approval.decided` tells of it, then what was asked about hears.

    InvalidState unless it is pending.
    """
    approval = APPROVAL.fire(state, approval, decision, decision_note=note, decided_ms=state.now_ms)
    _emit(state, "approval.decided", approval)
    state.handler_of(APPROVAL_DECIDED, approval.resource_type)(state, approval)
    return approval


def withdraw_approval(state: State, resource_type: str, resource: int) -> None:
    """Nobody need decide any more, as what was asked about was canceled."""
    found = pending_approval(state, resource_type, resource)
    if found is not None:
        APPROVAL.fire(state, found, "cancel")


def supersede_approval(state: State, resource_type: str, resource: int) -> None:
    """What was asked or granted is not what is at stake any more: another price, or paid without a human."""
    found = latest_approval(state, resource_type, resource)
    if found is not None and found.status in (PENDING, APPROVED):
        APPROVAL.fire(state, found, "supersede")


def find_approval(state: State, tenant: Tenant, raw: object) -> Approval:
    """The approval of a public id; NotFound otherwise."""
    return find_record(state, APPROVALS, tenant, raw)


def _emit(state: State, kind: str, approval: Approval) -> None:
    state.emit(kind, approval.owner, approval.n, livemode=is_live(approval), status=approval.status)
