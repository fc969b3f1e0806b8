"""Gift sends: a gift for 1 to 50 recipients, held until approved; each recipient has a status (A1.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    TeamFulfilment,
    stays_delivered,
)
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPPED,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.domain.team.orders import team_fulfilment
from giftsim.services.gifting.domain.team.tenant import Id, Tenant, TenantRecord, find_record, is_live, tenant_table

FIRST_ID = 60_000_001
RESOURCE = "gift"

AWAITING_APPROVAL, SENT, CLAIMED = "awaiting_approval", "sent", "claimed"
PROGRESS = (SENT, CLAIMED, SHIPPED, DELIVERED)
COLLECTION, ITEM, ITEMS = "collection_slug", "item_slug", "items"

STATUS_BY_SHIPMENT: Final[Mapping[str, str]] = {
    AWAITING: SENT,
    SUBMITTED: CLAIMED,
    IN_PRODUCTION: CLAIMED,
    LABELED: CLAIMED,
    DELAYED: CLAIMED,
    SHIPPED: SHIPPED,
    DELIVERED: DELIVERED,
    REJECTED: CANCELED,
    EXPIRED: EXPIRED,
    CANCELED: CANCELED,
}
EVENT_STATUSES = (CLAIMED, SHIPPED, DELIVERED)
_TIMELINE_STATUSES = (*EVENT_STATUSES, EXPIRED, CANCELED)


class CrmReference(msgspec.Struct, frozen=True, gc=False):
    """The id of a contact in a CRM."""

    provider: str
    id: str
    object_type: str


class RecipientSource(msgspec.Struct, frozen=True, gc=False):
    """Where a recipient was found: on the roster, in a CRM, or in the request itself (neither)."""

    person: Id | None = None
    crm: CrmReference | None = None


class Gift(TenantRecord, frozen=True, gc=False):
    """A gift send. `chosen` is the member of the request that named its contents, `slug` its value for one slug.

    `sources` has one entry per recipient; `rule` is the public id of the rule that made it. `sent_ms` is when it was
    sent, None while it is held or if it was rejected.
    """

    key: int | None
    chosen: str
    slug: str | None
    sources: tuple[RecipientSource, ...]
    fulfilment: int
    message: str | None = None
    mode: str | None = None
    rule: Id | None = None
    status: str = AWAITING_APPROVAL
    sent_ms: int | None = None


GIFTS: TableSpec[Gift] = tenant_table("team.gift", Gift, moving={"status": "status"})


def find_gift(state: State, tenant: Tenant, raw: object) -> Gift:
    """The gift with a public id. NotFound if there is none."""
    return find_record(state, GIFTS, tenant, raw)


def fulfilment_of(state: State, gift: Gift) -> Fulfilment:
    """The record with the items, recipients and amounts of a gift."""
    return state[FULFILMENTS].get(gift.fulfilment)


def status_of_parcel(shipment: Shipment) -> str:
    """The status that a gift that was sent has by its shipment: one that is delayed in transit stays shipped (G430)."""
    if shipment.status == DELAYED and shipment.shipped_at_ms is not None:
        return SHIPPED
    return STATUS_BY_SHIPMENT[shipment.status]


def recipient_status(gift: Gift, shipment: Shipment) -> str:
    """The status of one recipient's gift."""
    return gift.status if gift.sent_ms is None else status_of_parcel(shipment)


def gift_status(tally: Sequence[int]) -> str:
    """The status of a sent gift: that of the least advanced recipient still under way; if none is, how it ended."""
    awaiting, submitted, producing, labeled, shipped, delivered, delayed, _, expired, _ = tally
    for count, status in (
        (awaiting, SENT),
        (submitted + producing + labeled + delayed, CLAIMED),
        (shipped, SHIPPED),
        (delivered, DELIVERED),
        (expired, EXPIRED),
    ):
        if count:
            return status
    return CANCELED


def send_gift(state: State, gift: Gift) -> Gift:
    """Send a gift: emits `gift.sent`, mails its claim links and activates them, except in a sandbox."""
    gift = state[GIFTS].put(msgspec.structs.replace(gift, status=SENT, sent_ms=state.now_ms))
    add_timeline_entry(state, gift.n, "gift.sent", SENT)
    emit_gift_event(state, gift, "gift.sent", SENT)
    team_fulfilment.activate_fulfilment(state, fulfilment_of(state, gift))
    return gift


def on_fulfilment_changed(state: State, fulfilment: TeamFulfilment, before: Shipment, shipment: Shipment) -> None:
    """Update the status of the send, and emit events of the recipient's gift (handles FULFILMENT_CHANGED)."""
    gift = state[GIFTS].get(fulfilment.subject)
    if gift.sent_ms is None:
        return
    previous, status = status_of_parcel(before), status_of_parcel(shipment)
    send_status = gift_status(team_fulfilment.tally_of_gifts(state, fulfilment))
    if send_status != gift.status and not stays_delivered(state, gift.status):
        gift = state[GIFTS].put(msgspec.structs.replace(gift, status=send_status))
    if status != previous:
        tell_step(state, gift, fulfilment, shipment, status)
    team_fulfilment.give_up(state, fulfilment, shipment)


def tell_step(state: State, gift: Gift, fulfilment: Fulfilment, shipment: Shipment, status: str) -> None:
    """Add the new status of a recipient's gift to the timeline, and emit its event."""
    if status in _TIMELINE_STATUSES:
        at_ms = max(gift.sent_ms or 0, _reached_ms(state, shipment))
        add_timeline_entry(state, gift.n, f"gift.{status}", status, shipment.recipient, at_ms=at_ms)
    if status in EVENT_STATUSES and fulfilment.channel == team_fulfilment.TEAM:
        emit_gift_event(state, gift, f"gift.{status}", status, shipment)


def _reached_ms(state: State, shipment: Shipment) -> int:
    """When a recipient's gift got its status: of a parcel that was moved to its delivery, some time ago (G357)."""
    if shipment.status == SUBMITTED and shipment.recipient is not None:
        claimed_ms = state[RECIPIENTS].get(shipment.recipient).claimed_at_ms
        return state.now_ms if claimed_ms is None else claimed_ms
    if shipment.status == SHIPPED and shipment.shipped_at_ms is not None:
        return shipment.shipped_at_ms
    return state.now_ms


def emit_gift_event(state: State, gift: Gift, kind: str, status: str, shipment: Shipment | None = None) -> None:
    """Emit an event of a whole send, or of one recipient's gift."""
    facts: dict[str, Id] = {}
    if shipment is not None and shipment.recipient is not None:
        facts["recipient_id"] = team_fulfilment.recipient_id(state, fulfilment_of(state, gift), shipment.recipient)
    state.emit(kind, gift.owner, gift.n, livemode=is_live(gift), status=status, **facts)


class TimelineEntry(Record, frozen=True, gc=False):
    """One entry for a gift (a slot): `recipient` (a slot) is None for the whole send, `status` is the new status.

    `decision` is how its approval was decided, None in other entries.
    """

    gift: int
    at_ms: int
    kind: str
    recipient: int | None
    status: str
    decision: str | None = None


TIMELINE_ENTRIES: TableSpec[TimelineEntry] = TableSpec("team.gift_moment", TimelineEntry, groups={"gift": "gift"})


def add_timeline_entry(
    state: State,
    gift: int,
    kind: str,
    status: str,
    recipient: int | None = None,
    decision: str | None = None,
    at_ms: int | None = None,
) -> None:
    """Add an entry, at the current instant unless `at_ms` is given."""
    table = state[TIMELINE_ENTRIES]
    at_ms = state.now_ms if at_ms is None else at_ms
    table.add(TimelineEntry(table.next_n, gift, at_ms, kind, recipient, status, decision))


def timeline(state: State, gift: int) -> Sequence[TimelineEntry]:
    """The entries of a gift, oldest first."""
    return sorted(state[TIMELINE_ENTRIES].rows_in("gift", gift), key=lambda entry: entry.at_ms)
