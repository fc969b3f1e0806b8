"""Approvals: a reviewer approves or rejects what a key has prepared; no key can decide one (A1.2, A1.3, T-1.6).

Approving also pays, if the setting says so (A8.4).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from giftsim.engine.kernel.instants import DAY
from giftsim.engine.kernel.setting import Setting, flag
from giftsim.engine.kernel.signals import KeyedSignal, Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import TableSpec
from giftsim.services.gifting.domain.team.billing.invoice import NET_TERMS
from giftsim.services.gifting.domain.team.billing.payment import BALANCE, payment_of
from giftsim.services.gifting.domain.team.billing.payment_errors import (
    CreditUnavailable,
    InsufficientBalance,
    PaymentRefused,
)
from giftsim.services.gifting.domain.team.billing.wallet_payment import pay_for_record
from giftsim.services.gifting.domain.team.tenant import (
    Id,
    Tenant,
    TenantRecord,
    find_record,
    is_live,
    public_id,
    tenant_table,
)

FIRST_ID = 70_000_001

PENDING, APPROVED, REJECTED, CANCELED, SUPERSEDED = "pending", "approved", "rejected", "canceled", "superseded"
APPROVE, REJECT = "approve", "reject"

# An approval was requested.
APPROVAL_REQUESTED: Signal[Callable[[State, Approval], None]] = Signal("approval_asked", ignore)
# An approval was decided or has expired; keyed by the type of the record it is about.
APPROVAL_DECIDED: KeyedSignal[Callable[[State, Approval], None]] = KeyedSignal("approval_decided")


def _days(raw: Any) -> int | None:
    if raw is not None and (type(raw) is not int or not 1 <= raw <= 3650):
        raise ValueError("it is a whole number from 1 to 3650, or null")
    return raw


PAY_ON_APPROVE = flag(
    "approvals.pay_on_approve",
    True,
    "whether approving also pays, from the balance or on terms; if not, orders wait and gifts go out unpaid (A1.2)",
)
EXPIRE_DAYS: Setting[int | None] = Setting(
    "approvals.expire_days",
    None,
    _days,
    "a whole number of days, or null",
    "days after which a pending approval expires; null for never (A1.2)",
)
AUTO_REQUEST = flag("approvals.auto_request", False, "whether creating a team order also requests its approval (0.4)")
SETTINGS: tuple[Setting[Any], ...] = (PAY_ON_APPROVE, EXPIRE_DAYS, AUTO_REQUEST)


class Approval(TenantRecord, frozen=True, gc=False):
    """An approval of the record in slot `resource`, whose public id is `resource_id`.

    `amount_cents` is what approving may cost. `note` is from the request, `decision_note` from the decision.
    `decided_ms` is also when it expired. `decided_by` is the member (a slot) who decided, None if the decision named
    nobody.
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
    decided_by: int | None = None


APPROVALS: TableSpec[Approval] = tenant_table(
    "team.approval",
    Approval,
    groups={"resource": lambda row: f"{row.resource_type} {row.resource}"},
    moving={"status": "status"},
)


def _on_expired(state: State, approval: Approval) -> None:
    """Tell that nobody decided in time: `approval.decided` with the status `canceled` (G168)."""
    _on_decided(state, state[APPROVALS].put(msgspec.structs.replace(approval, decided_ms=state.now_ms)))


def _on_decided(state: State, approval: Approval) -> None:
    _emit(state, "approval.decided", approval)
    state.handler_of(APPROVAL_DECIDED, approval.resource_type)(state, approval)


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
        Row(PENDING, "expire", CANCELED, after=_expiry, do=_on_expired),
        Row(PENDING, "supersede", SUPERSEDED),
        Row(APPROVED, "supersede", SUPERSEDED),
    ],
)


def request_approval(
    state: State,
    tenant: Tenant,
    resource_type: str,
    resource: int,
    *,
    resource_id: Id,
    amount_cents: int,
    note: str | None = None,
) -> Approval:
    """The pending approval of a record, else a new one, which emits `approval.requested` (A1.3)."""
    approval = pending_approval(state, resource_type, resource)
    if approval is not None:
        return approval
    n, days = state[APPROVALS].next_n, state.setting(EXPIRE_DAYS)
    approval = state[APPROVALS].add(
        Approval(
            n,
            tenant.owner,
            public_id(state, tenant, "approval", n, FIRST_ID),
            state.now_ms,
            resource_type,
            resource,
            resource_id,
            amount_cents,
            note,
            expires_ms=None if days is None else state.now_ms + days * DAY,
        )
    )
    APPROVAL.enter(state, approval)
    _emit(state, "approval.requested", approval)
    state.handler(APPROVAL_REQUESTED)(state, approval)
    return approval


def pending_approval(state: State, resource_type: str, resource: int) -> Approval | None:
    """The pending approval of a record, or None."""
    approval = latest_approval(state, resource_type, resource)
    return approval if approval is not None and approval.status == PENDING else None


def latest_approval(state: State, resource_type: str, resource: int) -> Approval | None:
    """The newest approval of a record, or None."""
    slots = state[APPROVALS].slots_in("resource", f"{resource_type} {resource}")
    return state[APPROVALS].get(slots[-1]) if slots else None


def decide_approval(
    state: State, approval: Approval, decision: str, note: str | None = None, decided_by: int | None = None
) -> Approval:
    """Approve or reject: emits `approval.decided`, then calls APPROVAL_DECIDED, which pays no other amount (G57).

    InvalidState unless it is pending. PaymentRefused for a gift that cannot be paid, except at an outdated price.
    """
    approval = APPROVAL.fire(
        state, approval, decision, decision_note=note, decided_ms=state.now_ms, decided_by=decided_by
    )
    _on_decided(state, approval)
    return state[APPROVALS].get(approval.n)


def withdraw_approval(state: State, resource_type: str, resource: int) -> None:
    """Cancel the pending approval of a record that was canceled, if there is one."""
    approval = pending_approval(state, resource_type, resource)
    if approval is not None:
        APPROVAL.fire(state, approval, "cancel")


def supersede_approval(state: State, resource_type: str, resource: int) -> None:
    """Supersede a pending or approved approval: the record has another price, or was paid without it."""
    approval = latest_approval(state, resource_type, resource)
    if approval is not None and approval.status in (PENDING, APPROVED):
        APPROVAL.fire(state, approval, "supersede")


def find_approval(state: State, tenant: Tenant, raw: object) -> Approval:
    """The approval with a public id. NotFound if there is none."""
    return find_record(state, APPROVALS, tenant, raw)


def pay_approved(state: State, tenant: Tenant, resource_type: str, slot: int, amount_cents: int) -> None:
    """Pay for an approved record from the balance, else on terms, if it is unpaid and can be paid (A1.2)."""
    if pays_on_approval(state, tenant) and payment_of(state, resource_type, slot) is None:
        with suppress(PaymentRefused):
            pay_from_wallet(state, tenant, resource_type, slot, amount_cents)


def pays_on_approval(state: State, tenant: Tenant) -> bool:
    """Whether approving a record of this tenant also pays for it."""
    return tenant.livemode and state.setting(PAY_ON_APPROVE)


def pay_from_wallet(state: State, tenant: Tenant, resource_type: str, slot: int, amount_cents: int) -> None:
    """Pay for an approved record from the balance, else on terms. PaymentRefused, as the balance refuses it."""
    columns: dict[str, Any] = {"amount_cents": amount_cents, "resource_type": resource_type, "slot": slot}
    try:
        pay_for_record(state, tenant, key=None, method=BALANCE, **columns)
    except InsufficientBalance as refusal:
        try:
            pay_for_record(state, tenant, key=None, method=NET_TERMS, **columns)
        except CreditUnavailable:
            raise refusal from None


def _emit(state: State, kind: str, approval: Approval) -> None:
    state.emit(kind, approval.owner, approval.n, livemode=is_live(approval), status=approval.status)
