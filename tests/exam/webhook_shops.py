"""The example shop with one mistake each in what it makes of webhooks."""

# mypy: disable-error-code="misc,has-type,no-any-return"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any

from tests.exam.sample_shop import EXAMPLE, Shop
from tests.exam.signature_shops import (
    AnyAge,
    ComparesBeginnings,
    KeepsSecrets,
    LastSecret,
    LastSignature,
    OneSecret,
    ReadsLatin,
    RemembersForgeries,
    TrustsTheFuture,
    TrustsUnsigned,
    TwoFields,
    WritesAgain,
)

SHIPPED = "team_order.shipped"


class CountsTwice(Shop):
    """Books an event as often as it comes."""

    def __init__(self) -> None:
        super().__init__(["duplicates"])

    def errors(self) -> Any:
        """See nothing wrong."""
        return iter(())


class ShortMemory(Shop):
    """Remembers the last two events only."""

    def receive(self, event: Any) -> None:
        """Forget the others."""
        super().receive(event)
        self.recent = getattr(self, "recent", deque[str](maxlen=2))
        self.recent.append(event["id"])
        self.seen &= set(self.recent)


class LooksThenBooks(Shop):
    """Looks for an id, and stores it later."""

    def receive(self, event: Any) -> None:
        """Book between looking and storing."""
        if event["id"] in self.seen:
            return
        threading.Event().wait(0.01)
        with self.lock:
            self.update_parcel(event["type"], event["data"])
            self.seen.add(event["id"])


class _ByOtherKey(Shop):
    """Recognises an event by something else than its id."""

    def key(self, data: Any) -> Any:
        """What an event is recognised by, with its type."""
        raise NotImplementedError

    def receive(self, event: Any) -> None:
        """Book once by that."""
        key = event["id"]
        if event["type"].startswith("team_order."):
            key = (event["type"], self.key(event["data"]))
        super().receive({**event, "id": key})


class ByShipment(_ByOtherKey):
    """Books one event of a type for each parcel."""

    def key(self, data: Any) -> Any:
        """The parcel."""
        return data["shipment"]["order_id"]


class ByOrder(_ByOtherKey):
    """Books one event of a type for each order."""

    def key(self, data: Any) -> Any:
        """The order."""
        return data["team_order"]["id"]


class ByEmail(_ByOtherKey):
    """Books one event of a type for each email address."""

    def key(self, data: Any) -> Any:
        """The recipient's address."""
        return data["recipient"]["email"]


class ByName(_ByOtherKey):
    """Books one event of a type for each name in an order."""

    def key(self, data: Any) -> Any:
        """The order and the recipient's name."""
        return data["team_order"]["id"], data["recipient"]["name"]


class AsksTheService(Shop):
    """Says that it booked what the service says."""

    def beliefs(self) -> Any:
        """Read each order of the service."""
        told = super().beliefs()
        for reference, order in self.orders.items():
            found = self.fetch(f"/team-orders/{order['id']}") if order["id"] else {"recipients": []}
            for row in found["recipients"]:
                stage, said = row["shipment"]["status"], told[reference]["recipients"][row["email"]]
                stages = {"shipped": ("shipped",), "delivered": ("shipped", "delivered")}.get(stage, ())
                said["booked"] = {f"team_order.{each}": 1 for each in stages}
                said["stage"] = stages[-1] if stages else said["stage"]
        return told

    def errors(self) -> Any:
        """See nothing wrong."""
        return iter(())


class LastComesLast(Shop):
    """Takes the event that arrives last for the latest."""

    def __init__(self) -> None:
        super().__init__(["order"])

    def errors(self) -> Any:
        """See nothing wrong."""
        return iter(())


class BreaksOnOthers(Shop):
    """Reads the order of an event before it looks at its type."""

    def receive(self, event: Any) -> None:
        """Expect an order."""
        if not isinstance(event["data"].get("team_order"), dict):
            raise EXAMPLE.Broken
        super().receive(event)


class RefusesTypes(Shop):
    """Refuses types that it does not know, but knows all that the documents name."""

    def receive(self, event: Any) -> None:
        """Break on anything new."""
        if not event["type"].startswith(("order.", "ping")) and event["type"] not in (
            *EXAMPLE.STAGES,
            EXAMPLE.ATTENTION,
        ):
            raise EXAMPLE.Broken
        super().receive(event)


class Strict(Shop):
    """Refuses events with members that it does not know."""

    def receive(self, event: Any) -> None:
        """Compare the names of members."""
        if event.keys() != {"id", "type", "created_at", "data"}:
            raise EXAMPLE.Broken
        super().receive(event)


class SaysYes(Shop):
    """Answers 2xx although its work failed."""

    def receive(self, event: Any) -> None:
        """Drop what cannot be processed."""
        if not self.broken:
            super().receive(event)


class MarksFirst(Shop):
    """Marks an event as done before its work is done."""

    def receive(self, event: Any) -> None:
        """Mark, then work."""
        if self.broken and event["id"] not in self.seen:
            self.seen.add(event["id"])
            raise EXAMPLE.Broken
        super().receive(event)


class ArrivalTime(Shop):
    """Books an event at the time of its arrival."""

    def belief(self, order: Any) -> Any:
        """Tell the time of the clock on the wall."""
        told = super().belief(order)
        for said in told["recipients"].values():
            said["since"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) if said["since"] else ""
        return told


class RefusesOthers(Shop):
    """Refuses events of orders that it does not know."""

    def receive(self, event: Any) -> None:
        """Break on a foreign order."""
        made = event["data"].get("team_order") or {}
        if "id" in made and made["id"] not in [order["id"] for order in self.orders.values()]:
            raise EXAMPLE.Broken
        super().receive(event)


class BooksByEmail(Shop):
    """Books an event for the recipient with its email address, whoever ordered."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Find the order by the address."""
        email = (data.get("recipient") or {}).get("email")
        for reference, order in self.orders.items():
            if email in EXAMPLE.emails(order["body"]):
                made = {**data["team_order"], "reference": reference, "id": order["id"]}
                return super().update_parcel(event_type, {**data, "team_order": made})
        return None


class KnowsPlacedOnly(Shop):
    """Ignores events of orders of which it has no answer yet."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Look for the order's id."""
        made = (data.get("team_order") or {}).get("id")
        if made in [order["id"] for order in self.orders.values()]:
            super().update_parcel(event_type, data)


class LosesUpdates(Shop):
    """Reads all records, changes one, and writes all, without a lock."""

    def receive(self, event: Any) -> None:
        """Read, wait, write."""
        if event["type"] != SHIPPED:
            return super().receive(event)
        with self.lock:
            before = {number: {**parcel, "booked": {**parcel["booked"]}} for number, parcel in self.parcels.items()}
        number = event["data"]["shipment"]["order_id"]
        threading.Event().wait(0.005)
        super().receive(event)
        with self.lock:
            if number in self.parcels:
                self.parcels = {**before, number: self.parcels[number]}
        return None


MISTAKES: dict[type[Any], str] = {
    WritesAgain: "verifies_raw_bytes",
    ReadsLatin: "verifies_raw_bytes",
    TrustsUnsigned: "refuses_forged_webhooks",
    ComparesBeginnings: "refuses_forged_webhooks",
    RemembersForgeries: "refuses_forged_webhooks",
    AnyAge: "refuses_old_webhooks",
    TrustsTheFuture: "refuses_old_webhooks",
    LastSignature: "reads_every_signature",
    TwoFields: "reads_every_signature",
    OneSecret: "takes_new_secrets",
    LastSecret: "takes_new_secrets",
    KeepsSecrets: "refuses_old_secrets",
    CountsTwice: "books_each_event_once",
    ShortMemory: "books_each_event_once",
    LooksThenBooks: "books_each_event_once",
    ByShipment: "books_every_event",
    ByOrder: "books_every_event",
    ByEmail: "books_every_event",
    ByName: "books_every_event",
    AsksTheService: "books_what_was_told",
    LastComesLast: "orders_events_by_time",
    BreaksOnOthers: "survives_unknown_kinds",
    RefusesTypes: "survives_unknown_kinds",
    Strict: "survives_unknown_members",
    SaysYes: "reports_its_failures",
    MarksFirst: "reports_its_failures",
    ArrivalTime: "catches_up_after_outages",
    RefusesOthers: "ignores_others_events",
    BooksByEmail: "ignores_others_events",
    KnowsPlacedOnly: "takes_early_webhooks",
    LosesUpdates: "takes_webhooks_at_once",
}
