"""What the service's books say of an order, as an app should know it: states, money, stages, and events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from giftsim.engine.client.world import ClientWorld
from giftsim.workbench.exam.troubles import CREATE

Row = dict[str, Any]

ORDERED, CLAIMED, SHIPPED, DELIVERED, EXPIRED, REJECTED, CANCELED = STAGES = (
    "ordered", "claimed", "shipped", "delivered", "expired", "rejected", "canceled",
)  # fmt: skip
PLACED, UNPAID, REFUSED, UNKNOWN = "placed", "unpaid", "refused", "unknown"
_STAGE_OF: Final = {
    "awaiting": ORDERED, "submitted": CLAIMED, "in_production": CLAIMED, "labeled": CLAIMED, "delayed": CLAIMED,
    "shipped": SHIPPED, "delivered": DELIVERED, "expired": EXPIRED, "rejected": REJECTED, "canceled": CANCELED,
}  # fmt: skip
_MAY_HAVE_MADE: Final = (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.PAYMENT_REQUIRED, HTTPStatus.CONFLICT)
_TOLD: Final = {
    "team_order.claimed": CLAIMED, "team_order.shipped": SHIPPED, "team_order.delivered": DELIVERED,
    "claim_link_expired": EXPIRED, "shipment_rejected": REJECTED,
}  # fmt: skip


class Told(msgspec.Struct, frozen=True):
    """An event about a recipient that the app was sent: its id, type, reason, when it happened, whether it accepted."""

    id: str
    type: str
    reason: str | None
    occurred_at: str
    accepted: bool


class ServiceBooks:
    """The books of the service in one world, read anew by each call."""

    def __init__(self, world: ClientWorld) -> None:
        self._world = world

    def orders_with(self, emails: Iterable[str]) -> list[Row]:
        """The orders that have any of these recipients, in the order in which they were made, each with its detail."""
        wanted = set(emails)
        rows = self._world.rows("/recipients", "recipients")
        made = (row["about"] for row in rows if row["email"] in wanted and row["about"])
        ids = dict.fromkeys(each["id"] for each in made if each["kind"] == "team_order")
        return [self.order(each) for each in ids]

    def gifts_with(self, email: str) -> list[int]:
        """The ids of the gifts of teams to a recipient, in the order in which they were made."""
        return self._about(email, "gift")

    def campaigns_with(self, email: str) -> list[int]:
        """The ids of the campaigns that made something for a recipient, one for each gift."""
        return self._about(email, "campaign")

    def _about(self, email: str, kind: str) -> list[int]:
        rows = self._world.rows("/recipients", "recipients")
        return [row["about"]["id"] for row in rows if row["email"] == email and (row["about"] or {})["kind"] == kind]

    def charged_cents(self) -> int:
        """What the service charged for all orders together."""
        return sum(row["charged_cents"] for row in self._world.rows("/orders", "orders"))

    def order(self, order_id: int) -> Row:
        """An order of the service with its recipients, money, timeline and events."""
        detail: Row = self._world.send("GET", f"/orders/{order_id}")
        return detail

    def calls(self, **query: Any) -> list[Row]:
        """The calls of the app and of others, in order, such as those with a `status` or of an `operation`."""
        return self._world.rows("/calls", "calls", **query)

    def keys_of(self, reference: str, emails: Iterable[str]) -> set[str]:
        """The idempotency keys of the calls that may have made an order of a reference for any of these recipients."""
        wanted, rows = set(emails), self.calls(operation=CREATE)
        made = [row for row in rows if row["response"] is None or row["response"]["status"] in _MAY_HAVE_MADE]
        bodies = [msgspec.json.decode(row["request"]["body"]) for row in made]
        return {
            str(body.get("idempotency_key"))
            for body in bodies
            if body.get("reference") == reference and wanted & {each.get("email") for each in body["recipients"]}
        }

    def carried_out(self, operation: str) -> list[Row]:
        """The calls of an operation that the service carried out, also those whose answer was lost."""
        rows = self.calls(operation=operation)
        return [
            row for row in rows if (row["response"] or {"status": HTTPStatus.OK})["status"] < HTTPStatus.BAD_REQUEST
        ]

    def told(self, email: str, host: str) -> list[Told]:
        """The events about a recipient of which an attempt reached a host, in the order in which they were sent."""
        return self._told(host, lambda data: (data.get("recipient") or {}).get("email") == email)

    def told_of_gift(self, gift: int, host: str) -> list[Told]:
        """The events about a gift of which an attempt reached a host, in the order in which they were sent."""
        return self._told(host, lambda data: data.get("gift_id") == gift)

    def _told(self, host: str, is_about: Callable[[Row], bool]) -> list[Told]:
        events: dict[str, Told] = {}
        for row in self._world.rows("/deliveries", "deliveries"):
            if f"//{host}/" not in row["url"] or row["outcome"] in ("withheld", "held"):
                continue
            data = msgspec.json.decode(row["request"]["body"]).get("data") or {}
            if not is_about(data):
                continue
            accepted = row["outcome"] == "delivered" or (row["event_id"] in events and events[row["event_id"]].accepted)
            when = data.get("occurred_at", "")
            events[row["event_id"]] = Told(row["event_id"], row["type"], data.get("reason"), when, accepted)
        return list(events.values())

    def claim_tokens(self) -> dict[str, str]:
        """The recipient's email for the token of each claim link that was mailed."""
        mails = self._world.rows("/mail", "mail")
        return {link.rpartition("/")[2]: mail["to"] for mail in mails for link in mail["links"]}

    def answers_of(self, host: str) -> list[str]:
        """The beginnings of what a host answered to webhooks. A whole claim link ends in ***."""
        rows = self._world.rows("/deliveries", "deliveries")
        details = (self._world.send("GET", f"/deliveries/{row['seq']}") for row in rows if f"//{host}/" in row["url"])
        return [each["answer"]["body"] for each in details if each["answer"] is not None]


def stage_of(recipient: Row) -> str:
    """The stage of a recipient in the service's books. One with an address is ordered until the parcel is shipped.

    A parcel that is delayed in transit stays shipped (G430).
    """
    stage = _STAGE_OF[recipient["status"]]
    if recipient["status"] == "delayed" and recipient["shipped_at"] is not None:
        return SHIPPED
    return ORDERED if stage == CLAIMED and recipient["claimed_at"] is None else stage


def stage_told(events: Sequence[Told]) -> str:
    """The stage that follows from the events that the app accepted: that of the latest that happened."""
    accepted = [each for each in events if each.accepted]
    known = [(each.occurred_at, STAGES.index(stage)) for each in accepted for stage in stages_of(each)]
    return STAGES[max(known)[1]] if known else ORDERED


def stages_of(event: Told) -> list[str]:
    """The stage that an event tells, if it tells one."""
    stage = _TOLD.get(event.reason or "") or _TOLD.get(event.type)
    return [stage] if stage else []


def counts(events: Sequence[Told], *, accepted: bool) -> Counter[str]:
    """How many events of each type the app was sent, or of these accepted."""
    return Counter(each.type for each in events if each.accepted or not accepted)


def since(recipient: Row) -> str | None:
    """When the present stage of a recipient began, if the books say."""
    stage = stage_of(recipient)
    return recipient.get(f"{stage}_at") if stage in (CLAIMED, SHIPPED, DELIVERED) else None


def state_of(order: Row | None) -> str:
    """The state of an order as an app should know it; without an order it was refused, or its fate is unknown."""
    if order is None:
        return REFUSED
    status = order["order"]["status"]
    return status if status in (UNPAID, CANCELED) else PLACED
