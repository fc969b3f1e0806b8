"""Mistakes that teams make later on: with money, with time, with the second of two things, and with strangers."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.exam.planted.first_integration import Believer
from tests.exam.sample_shop import EXAMPLE, Broken

HOME, WINTER = ZoneInfo("America/Los_Angeles"), timedelta(hours=-8)


class BooksGoodsOnly(Believer):
    """Books what the goods cost, without shipping."""

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Take the wrong total."""
        super().record(reference, order, answer)
        order["charged_cents"] = answer["totals"]["subtotal_cents"]


class CancelsAll(Believer):
    """Cancels the whole order if some of its parcels are to be canceled."""

    def cancel(self, reference: str, *_: Any, **__: Any) -> Any:
        """Leave the recipients out."""
        return super().cancel(reference)


class RefundsExpired(Believer):
    """Books a refund as soon as a link has expired, although the service pays back what is canceled."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Give the money back."""
        super().update_parcel(event_type, data)
        parcel = self.parcels.get(data.get("shipment", {}).get("order_id"))
        if parcel is not None and data.get("reason") == "claim_link_expired":
            order = self.orders[parcel["reference"]]
            parcel["refunded_cents"] = order["charged_cents"] // max(len(order["rows"]), 1)


class FirstPage(Believer):
    """Reads the first page of a list, and takes it for the list."""

    def listed(self, status: str | None, page_size: int) -> dict[int, Any]:
        """Read one page."""
        page = self.fetch(f"/team-orders?status={status}&limit={page_size}&offset=0")["team_orders"]
        return {row["id"]: row["reference"] for row in page}


class AsciiNames(Believer):
    """Prints a label for each parcel, on a printer that knows the letters of English."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Fail to print the name."""
        try:
            str((data.get("recipient") or {}).get("name")).encode("ascii")
        except UnicodeEncodeError:
            raise Broken from None
        super().update_parcel(event_type, data)


class MissesEarlyEvents(Believer):
    """Ignores events about an order until its answer has come."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Look for the order by its id."""
        ids = [order["id"] for order in self.orders.values()]
        if data.get("team_order", {}).get("id") in ids:
            super().update_parcel(event_type, data)


class BelievesTheFuture(Believer):
    """Asks whether a signature is old, and not whether it is from the future."""

    def is_recent(self, seconds: int) -> bool:
        """Look back only."""
        return seconds > EXAMPLE.time.time() or bool(super().is_recent(seconds))


class FirstSignature(Believer):
    """Compares the first of several signatures."""

    def is_genuine(self, signature: str, body: bytes) -> bool:
        """Leave the others out."""
        fields = (signature or "").split(",")
        first = [field for field in fields if field.startswith("v1=")][:1]
        others = [field for field in fields if not field.startswith("v1=")]
        return bool(super().is_genuine(",".join([*others, *first]), body))


class KeepsSecrets(Believer):
    """Accepts a new secret, and the old ones for good."""

    def use_secrets(self, secrets: list[str], **_: Any) -> Any:
        """Add to what is known."""
        return super().use_secrets([*self.secrets, *secrets])


class OrdersAnew(Believer):
    """Gives up an order whose outcome stays unknown, and orders anew when it is asked again."""

    def order(self, reference: str, *about: Any, **more: Any) -> Any:
        """Take what is unknown for what never was."""
        known = self.orders.get(reference, {"state": ""})
        if known["state"] == "unknown":
            known["body"] = {**known["body"], "idempotency_key": f"again-{reference}"}
        return super().order(reference, *about, **more)

    def catch_up(self) -> None:
        """Forget what was given up."""


class TellsLinks(Believer):
    """Keeps the claim links, and shows them with its orders."""

    def retried(self, order: dict[str, Any], *tries: Any) -> Any:
        """Ask for the links."""
        order["body"]["return_claim_links"] = True
        return super().retried(order, *tries)

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Keep them."""
        super().record(reference, order, answer)
        order["links"] = [row["claim"].get("link") for row in answer["recipients"]]

    def belief(self, order: dict[str, Any]) -> Any:
        """Show them."""
        return {**super().belief(order), "links": order.get("links", [])}


class WinterTime(Believer):
    """Keeps times as the clocks of Los Angeles show them, by the difference that there is in winter."""

    def belief(self, order: dict[str, Any]) -> Any:
        """Turn the kept times into UTC again, by the rules of the zone."""
        told = super().belief(order)
        for recipient in told["recipients"].values():
            if recipient["since"]:
                local = datetime.fromisoformat(recipient["since"]).replace(tzinfo=None) + WINTER
                recipient["since"] = local.replace(tzinfo=HOME).astimezone(UTC).isoformat().replace("+00:00", "Z")
        return told


class MarksFirst(Believer):
    """Marks an event as done before its work is done."""

    def receive(self, event: Any) -> None:
        """Mark, then work."""
        if self.broken and event["id"] not in self.seen:
            self.seen.add(event["id"])
            raise Broken
        super().receive(event)


class KnowsItsOwn(Believer):
    """Takes an event about somebody else's order for a failure."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Find no such order."""
        made = data.get("team_order")
        if made is not None and made.get("reference") not in self.orders:
            raise Broken
        super().update_parcel(event_type, data)


class SettlesByItsBooks(Believer):
    """Books all that it ever ordered as settled, and not what was paid."""

    def settle(self, **_: Any) -> Any:
        """Add up its own orders."""
        super().settle()
        return {"settled_cents": sum(order["charged_cents"] for order in self.orders.values())}
