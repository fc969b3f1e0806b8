"""How far something had to get, by the status or event that was expected, and which parcels are behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    AWAITING,
    CANCELED,
    DELIVERED,
    EXPIRED,
    IN_PRODUCTION,
    LABELED,
    REJECTED,
    SHIPPED,
    STATUSES,
    SUBMITTED,
    Shipment,
)
from giftsim.services.gifting.domain.team.orders.gift import STATUS_BY_SHIPMENT, status_of_parcel


class Stage(IntEnum):
    """The stages of a gift's life, in order."""

    MADE = 0
    APPROVED = 1
    PAID = 2
    CLAIMED = 3
    PRODUCED = 4
    LABELED = 5
    SHIPPED = 6
    DELIVERED = 7


_BY_STATUS: Final[Mapping[str, Stage]] = {
    "approved": Stage.APPROVED,
    "paid": Stage.PAID,
    "settled": Stage.PAID,
    "sent": Stage.PAID,
    "completed": Stage.PAID,
    "collecting_addresses": Stage.PAID,
    AWAITING: Stage.PAID,
    "claimed": Stage.CLAIMED,
    "in_progress": Stage.CLAIMED,
    SUBMITTED: Stage.CLAIMED,
    IN_PRODUCTION: Stage.PRODUCED,
    LABELED: Stage.LABELED,
    SHIPPED: Stage.SHIPPED,
    DELIVERED: Stage.DELIVERED,
}
_BY_EVENT: Final[Mapping[str, Stage]] = {
    "approval.decided": Stage.APPROVED,
    "gift.sent": Stage.PAID,
    **{
        f"{what}.{status}": _BY_STATUS[status]
        for what in ("team_order", "gift")
        for status in ("claimed", SHIPPED, DELIVERED)
    },
}
_AT: Final[Mapping[str, Stage]] = {
    AWAITING: Stage.PAID,
    SUBMITTED: Stage.CLAIMED,
    IN_PRODUCTION: Stage.PRODUCED,
    LABELED: Stage.LABELED,
    SHIPPED: Stage.SHIPPED,
    DELIVERED: Stage.DELIVERED,
}
ENDED: Final = (EXPIRED, CANCELED, REJECTED)


class Goal(NamedTuple):
    """How far something had to get; `by_one` if one parcel is enough. `text` is what was expected, for sentences."""

    stage: Stage
    by_one: bool
    text: str


class Row(NamedTuple):
    """A parcel with its recipient, and its place in the whole order, gift or campaign."""

    place: int
    recipient: Recipient
    shipment: Shipment


def goal_of(expected: str | None) -> Goal | None:
    """The goal of a status or of the type of an event, the end of all for None. Some have none, such as `expired`."""
    if expected is None:
        return Goal(Stage.DELIVERED, False, DELIVERED)
    if expected in _BY_EVENT:
        return Goal(_BY_EVENT[expected], True, expected)
    return Goal(_BY_STATUS[expected], False, expected) if expected in _BY_STATUS else None


def behind(rows: Sequence[Row], goal: Goal, actual: str | None) -> Sequence[Row]:
    """The parcels because of which a goal is not reached: those that go on, or if none does, those that have ended.

    With a status that was seen of a recipient, only the parcels that have it.
    """
    left = [row for row in rows if not _is_at(row.shipment, goal.stage)]
    if goal.by_one and len(left) < len(rows):
        return ()
    going = [row for row in left if row.shipment.status not in ENDED]
    ended = [row for row in left if row.shipment.status in ENDED]
    if actual in STATUSES or actual in STATUS_BY_SHIPMENT.values():
        seen = [row for row in left if actual in (row.shipment.status, status_of_parcel(row.shipment))]
        if seen:
            return seen
    return going or (ended if len(left) == len(rows) else ())


def _is_at(shipment: Shipment, stage: Stage) -> bool:
    """Whether a parcel got to a stage: one that is delayed or rejected as far as its stamps say."""
    if shipment.status in _AT:
        return _AT[shipment.status] >= stage
    if shipment.status in (EXPIRED, CANCELED):
        return False
    reached = Stage.CLAIMED
    reached = Stage.PRODUCED if shipment.produced_at_ms is not None else reached
    reached = Stage.LABELED if shipment.labeled_at_ms is not None else reached
    reached = Stage.SHIPPED if shipment.shipped_at_ms is not None else reached
    return reached >= stage
