"""Gift sends: something for 1 to 50 recipients, held until a human approves; each recipient has a status (A1.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.shipment import (
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
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.gift_timeline import add_timeline_entry
from giftsim.domain.team.record_owner import is_live
from giftsim.domain.team.tenant import Id, Tenant, TenantRecord, find_record, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.table import TableSpec

FIRST_ID = 60_000_001
RESOURCE = "gift"

AWAITING_APPROVAL, SENT, CLAIMED = "awaiting_approval", "sent", "claimed"
PROGRESS = (SENT, CLAIMED, SHIPPED, DELIVERED)
COLLECTION, ITEM, ITEMS = "collection_slug", "item_slug", "items"

_STATUS_BY_SHIPMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        AWAITING: SENT, SUBMITTED: CLAIMED, IN_PRODUCTION: CLAIMED, LABELED: CLAIMED, DELAYED: CLAIMED,
        SHIPPED: SHIPPED, DELIVERED: DELIVERED, REJECTED: REJECTED, EXPIRED: EXPIRED, CANCELED: CANCELED,
    }
)  # fmt: skip
_EVENT_STATUSES = (CLAIMED, SHIPPED, DELIVERED)
_TIMELINE_STATUSES = (*_EVENT_STATUSES, REJECTED, EXPIRED, CANCELED)


class CrmReference(msgspec.Struct, frozen=True, gc=False):
    """A contact as a CRM names it."""

    provider: str
    id: str
    object_type: str


class RecipientSource(msgspec.Struct, frozen=True, gc=False):
    """Where a recipient was found: on the roster, in a CRM, or typed in (neither)."""

    person: Id | None = None
    crm: CrmReference | None = None


class Gift(TenantRecord, frozen=True, gc=False):
    """`chosen` says which member named the goods, `slug` which slug; `sources` has one entry per recipient.

    `rule` is the public id of the rule that made it. `sent_ms` is when it went out: None while it is held, and for ever
    if it is rejected.
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


GIFTS: TableSpec[Gift] = tenant_table("team.gift", Gift)


def find_gift(state: State, tenant: Tenant, raw: object) -> Gift:
    """The gift of a public id; NotFound otherwise."""
    return find_record(state, GIFTS, tenant, raw)


def fulfilment_of(state: State, gift: Gift) -> Fulfilment:
    """The rows that a gift is fulfilled by."""
    return state[FULFILMENTS].get(gift.fulfilment)


def recipient_status(gift: Gift, shipment: Shipment) -> str:
    """How far a recipient's gift has come."""
    return gift.status if gift.sent_ms is None else _STATUS_BY_SHIPMENT[shipment.status]


def gift_status(tally: Sequence[int]) -> str:
    """The status of a send that is out: the least advanced of its recipients that go on; if none does, why."""
    awaiting, submitted, producing, labeled, shipped, delivered, delayed, rejected, expired, _ = tally
    for count, status in (
        (awaiting, SENT), (submitted + producing + labeled + delayed, CLAIMED), (shipped, SHIPPED),
        (delivered, DELIVERED), (expired, EXPIRED), (rejected, REJECTED),
    ):  # fmt: skip
        if count:
            return status
    return CANCELED


def send_gift(state: State, gift: Gift) -> Gift:
    """The gift goes out: its links are mailed and work, unless it is a sandbox's; `gift.sent` tells of it once."""
    gift = state[GIFTS].put(msgspec.structs.replace(gift, status=SENT, sent_ms=state.now_ms))
    add_timeline_entry(state, gift.n, "gift.sent", SENT)
    emit_gift_event(state, gift, "gift.sent", SENT)
    order_fulfilment.start(state, fulfilment_of(state, gift))
    return gift


def on_fulfilment_changed(state: State, placed: Fulfilment, was: Shipment, shipment: Shipment) -> None:
    """A parcel took a step (handles FULFILMENT_CHANGED): its recipient's status and the send's come along."""
    gift = state[GIFTS].get(placed.subject or 0)
    if gift.sent_ms is None:
        return
    before, status = _STATUS_BY_SHIPMENT[was.status], _STATUS_BY_SHIPMENT[shipment.status]
    whole = gift_status(placed.tally)
    if whole != gift.status:
        gift = state[GIFTS].put(msgspec.structs.replace(gift, status=whole))
    if status == before:
        return
    if status in _TIMELINE_STATUSES:
        add_timeline_entry(state, gift.n, f"gift.{status}", status, shipment.recipient)
    if status in _EVENT_STATUSES and placed.channel == order_fulfilment.TEAM:
        emit_gift_event(state, gift, f"gift.{status}", status, shipment)


def emit_gift_event(state: State, gift: Gift, kind: str, status: str, shipment: Shipment | None = None) -> None:
    """Let the subscriptions hear of a whole send, or of one recipient's gift."""
    facts: dict[str, Id] = {}
    if shipment is not None and shipment.recipient is not None:
        facts["recipient_id"] = order_fulfilment.recipient_id(state, fulfilment_of(state, gift), shipment.recipient)
    state.emit(kind, gift.owner, gift.n, livemode=is_live(gift), status=status, **facts)
