"""What coverage asks gifting: permissions of credentials, expiries and rare endings that were met, verbs for steps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from giftsim.engine.gateway.simulated_service import Coverage, FoldedWorld
from giftsim.engine.kernel.instants import local_date
from giftsim.engine.kernel.state import State
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
from giftsim.services.gifting.domain.team.member import APPROVER, MEMBERS, OWNER, SESSIONS
from giftsim.services.gifting.records.key_credentials import named_key

SESSION = "session"
LINK_EXPIRED, PAST_DUE = "claim link expired", "net terms past due"
EXPIRY, REJECTION, REVERSAL = "expiry", "rejection", "reversal"
PARTIAL_CANCELLATION, REFUND = "partial cancellation", "refund"
# The machines whose records can end so.
OUTCOMES: Final[Mapping[str, tuple[str, ...]]] = {
    EXPIRY: ("shipment", "approval"),
    REJECTION: ("shipment", "approval", "certificate"),
    PARTIAL_CANCELLATION: ("shipment",),
    REFUND: ("charge", "payment"),
    REVERSAL: ("charge", "payment"),
    PAST_DUE: ("invoice",),
}
CANCEL = "--cancel-->"


def _permissions(state: State, world_id: str, credential: str) -> Collection[str]:
    """The scopes, capabilities, role and mode of a key, and the roles of a session."""
    kind, _, name = credential.partition(".")
    if kind == SESSION:
        rows = (row for row in state[SESSIONS] if name in (row.label, state[MEMBERS].get(row.member).user))
        role = next((state[MEMBERS].get(row.member).role for row in rows), "")
        return {SESSION, f"role {role}", *((f"role {APPROVER}",) if role == OWNER else ())}
    if kind not in ("partner", "team"):
        return ()
    key = named_key(state, world_id, credential)
    if kind == "partner":
        return set(key.capabilities) if key.account is not None else ()
    return {*key.scopes, f"role {key.role}", f"mode {key.mode}"}


def _note(state: State, world: FoldedWorld) -> None:
    """The expiries that concern the app, whether it met them, and the endings that no transition shows."""
    met = world.met
    if f"{SHIPMENT.name}: {AWAITING} --expire--> {EXPIRED}" in met.transitions:
        met.clock.add(LINK_EXPIRED)
    if any(shipment.expires_at_ms is not None for shipment in world.added(state, SHIPMENTS)):
        met.uses.add(LINK_EXPIRED)
    for invoice in world.since_start(state, INVOICES):  # they are few
        met.uses.add(PAST_DUE)
        owed_ms = state.now_ms if invoice.status == OPEN else invoice.paid_ms
        if owed_ms is not None and invoice.due_on < local_date(owed_ms, SPEND_ZONE):
            met.clock.add(PAST_DUE)
    if any(entry.kind == REFUND for entry in world.added(state, ENTRIES)):
        met.outcomes.add(REFUND)
    if any(CANCEL in name for name in met.transitions) and any(map(_is_partly, world.since_start(state, FULFILMENTS))):
        met.outcomes.add(PARTIAL_CANCELLATION)


def _is_partly(order: Fulfilment) -> bool:
    """Whether some recipients of an order are canceled, and others are not."""
    return 0 < order.tally[STATUSES.index(CANCELED)] < sum(order.tally)


def _verbs() -> Mapping[tuple[str, str], Any]:
    from giftsim.services.gifting.records.possible_moves import VERBS

    return VERBS


COVERAGE: Final = Coverage(
    permissions=_permissions,
    note=_note,
    zone=SPEND_ZONE,
    expiries=(LINK_EXPIRED, PAST_DUE),
    outcomes=OUTCOMES,
    endings={
        "expire": EXPIRY,
        "reject": REJECTION,
        "reconcile_failed": REVERSAL,
        "payment: uncertain --fail--> failed": REVERSAL,
    },
    verbs=_verbs,
)
