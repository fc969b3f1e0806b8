"""The example shop with one mistake each about claim links, parcels, instants, and what the documents leave open."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from giftsim.engine.worlds import system_clock
from tests.exam.sample_shop import EXAMPLE, TIMEOUT_S, Shop

HERE = ZoneInfo("America/Los_Angeles")


class Trusting(Shop):
    """Sees nothing wrong in its own records, so that only the exam can."""

    def __init__(self) -> None:
        super().__init__((), TIMEOUT_S)

    def errors(self) -> Iterator[str]:
        """See nothing wrong."""
        return iter(())


class LinksInAnswers(Trusting):
    """Answers an order with all that the service says of it, links included."""

    def order(self, reference: str, **members: Any) -> Any:
        """Read the order with its links."""
        answer = super().order(reference, **members)
        made = self.orders[reference]["id"]
        seen = self.fetch(f"/team-orders/{made}?include=claim_links") if made else None
        return {**answer, "service": seen}


class LinksInChecks(Trusting):
    """Tells in its check what it logged: the links of its orders, without their addresses."""

    def beliefs(self) -> Any:
        """Add a log."""
        found = super().beliefs()
        for reference, belief in found.items():
            made = self.orders[reference]["id"]
            rows = self.fetch(f"/team-orders/{made}?include=claim_links")["recipients"] if made else []
            links = [row["claim"]["link"] for row in rows if row["claim"].get("link")]
            belief["log"] = [link.rpartition("/")[2].encode().decode() for link in links]
        return found


class LinksInWebhookAnswers(Trusting):
    """Answers a webhook with the order that it is about."""

    def receive(self, event: Any) -> Any:
        """Read the order with its links."""
        super().receive(event)
        made = (event.get("data") or {}).get("team_order", {}).get("id")
        return self.fetch(f"/team-orders/{made}?include=claim_links") if made else None


class NoAttention(Trusting):
    """Ignores the events that need attention."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Store good news only."""
        if event_type != EXAMPLE.ATTENTION:
            super().update_parcel(event_type, data)


class ExpiredForGood(Trusting):
    """Takes an expired link for the end of it."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Keep what expired."""
        before = {number: dict(parcel) for number, parcel in self.parcels.items()}
        super().update_parcel(event_type, data)
        for number, parcel in before.items():
            if parcel["stage"] == "expired":
                self.parcels[number] |= {each: parcel[each] for each in ("stage", "since")}


class ExpiresByTheCalendar(Trusting):
    """Takes a recipient who has not claimed when the link of another one expires for expired too."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Expire the whole order."""
        super().update_parcel(event_type, data)
        if data.get("reason") == "claim_link_expired":
            for parcel in self.parcels.values():
                parcel |= {"stage": "expired", "since": datetime.fromisoformat(data["occurred_at"])}


class DelayedIsRejected(Trusting):
    """Takes every event that needs attention for the end of the parcel."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Reject it."""
        super().update_parcel(event_type, data)
        if event_type == EXAMPLE.ATTENTION and data["reason"] == "shipment_delayed":
            self.parcels[data["shipment"]["order_id"]] |= {"stage": "rejected"}


class ShippedIsSafe(Trusting):
    """Takes a parcel that was handed over for one that arrives."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Ignore a rejection of what is shipped."""
        parcel = self.parcels.get((data.get("shipment") or {}).get("order_id"))
        if parcel is None or parcel["stage"] != "shipped" or event_type != EXAMPLE.ATTENTION:
            super().update_parcel(event_type, data)


class RejectedIsDelayed(Trusting):
    """Waits for a parcel that was rejected."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Count it, and wait."""
        super().update_parcel(event_type, {**data, "reason": "shipment_delayed"} if "reason" in data else data)


class RejectedForGood(Trusting):
    """Does not believe that a parcel arrives which the carrier had lost."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Leave what was rejected as it is."""
        parcel = self.parcels.get(data["shipment"]["order_id"])
        if parcel is None or parcel["stage"] != "rejected":
            super().update_parcel(event_type, data)


class DelayedIsNotShipped(Trusting):
    """Takes every parcel that is delayed for one that was not shipped yet."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Take the parcel back."""
        super().update_parcel(event_type, data)
        if data.get("reason") == "shipment_delayed":
            self.parcels[data["shipment"]["order_id"]] |= {"stage": "ordered"}


class ArrivesNow(Trusting):
    """Books an event when it arrives."""

    def belief(self, order: Any) -> Any:
        """Say when it was told."""
        found = super().belief(order)
        for person in found["recipients"].values():
            person["since"] = person["since"] and datetime.fromtimestamp(system_clock.monotonic(), UTC).isoformat()
        return found


class OwnZone(Trusting):
    """Keeps instants as the clock on the wall shows them, and forgets the zone."""

    def belief(self, order: Any) -> Any:
        """Come back from the clock on the wall."""
        found = super().belief(order)
        for person in found["recipients"].values():
            if person["since"]:
                wall = datetime.fromisoformat(person["since"]).astimezone(HERE).replace(tzinfo=None, fold=0)
                person["since"] = wall.replace(tzinfo=HERE).astimezone(UTC).isoformat()
        return found


class NoZone(Trusting):
    """Says a time, and not where."""

    def belief(self, order: Any) -> Any:
        """Cut off the zone."""
        found = super().belief(order)
        for person in found["recipients"].values():
            person["since"] = person["since"].removesuffix("Z")
        return found


class DaysOnly(Trusting):
    """Keeps the day alone."""

    def belief(self, order: Any) -> Any:
        """Say midnight."""
        found = super().belief(order)
        for person in found["recipients"].values():
            person["since"] = person["since"] and f"{person['since'][:10]}T00:00:00Z"
        return found


class WeekYears(Trusting):
    """Writes the year of the week instead of the year."""

    def belief(self, order: Any) -> Any:
        """Write it with %G."""
        found = super().belief(order)
        for person in found["recipients"].values():
            instant = person["since"] and datetime.fromisoformat(person["since"])
            person["since"] = instant and f"{instant:%G-%m-%dT%H:%M:%SZ}"
        return found


class NestedCodes(Trusting):
    """Knows a declined order by a code whose place the documents do not show."""

    def keep(self, reference: str, order: Any, status: Any, answer: Any) -> None:
        """Take a 402 without it for a refusal."""
        declined = status == 402 and isinstance(answer.get("error"), dict)
        super().keep(reference, order, 400 if status == 402 and not declined else status, answer)


class KnownModes(Trusting):
    """Believes in orders with the address modes that it saw."""

    def record(self, reference: str, order: Any, answer: Any) -> None:
        """Look at a name that the documents do not give."""
        if answer["team_order"]["address_mode"] not in ("claim_links", "addresses"):
            order["state"] = "refused"
            return
        super().record(reference, order, answer)
