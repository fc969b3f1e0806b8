"""The example shop in this process, right or with one planted fault."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tests.exam.sample_shop import EXAMPLE, TIMEOUT_S, Shop


class NewKeyAfterLoss(Shop):
    """Sends an order again with a new key after its answer was lost."""

    def __init__(self) -> None:
        super().__init__(["new-key"], TIMEOUT_S)


class CountsTwice(Shop):
    """Counts an event that arrives twice twice."""

    def __init__(self) -> None:
        super().__init__(["duplicates"], TIMEOUT_S)

    def errors(self) -> Iterator[str]:
        """Report what it can see by itself: two lots of points for one parcel."""
        booked = [parcel["booked"].get("team_order.shipped", 0) for parcel in self.parcels.values()]
        return (f"{100 * times} points" for times in booked if times > 1)


class LastComesLast(Shop):
    """Takes the event that arrives last for the latest."""

    def __init__(self) -> None:
        super().__init__(["order"], TIMEOUT_S)

    def errors(self) -> Iterator[str]:
        """See nothing wrong."""
        return iter(())


class GivesUp(Shop):
    """Takes a server's error for a refusal."""

    def retried(self, order: dict[str, Any], *_others: Any) -> Any:
        """Try once."""
        status, answer, _ = self.service.call("POST", "/team-orders", order["body"])
        return (400, answer) if status >= 500 else (status, answer)


class Impatient(Shop):
    """Does not wait as long as Retry-After says."""

    def retried(self, order: dict[str, Any], *_others: Any) -> Any:
        """Try until it works."""
        for _ in range(1000):
            status, answer, _ = self.service.call("POST", "/team-orders", order["body"])
            if status != 429:
                return status, answer
            threading.Event().wait(0.02)
        return None, None


class NewKeyAfterDecline(Shop):
    """Makes a new order of one that could not be paid."""

    def order(self, reference: str, recipient: Any = None, recipients: Any = None, **_: Any) -> Any:
        """Forget the key of an unpaid order."""
        known = self.orders.get(reference, {"state": ""})
        if known["state"] == "unpaid":
            known["body"] = {**known["body"], "idempotency_key": f"again-{reference}"}
        return super().order(reference, recipient, recipients)


class DeclinedIsPlaced(Shop):
    """Takes any answer below 500 for a yes."""

    def order(self, reference: str, recipient: Any = None, recipients: Any = None, **_: Any) -> Any:
        """Believe in the order."""
        answer = super().order(reference, recipient, recipients)
        if answer["state"] in ("unpaid", "refused"):
            self.orders[reference]["state"] = "placed"
            answer = {"state": "placed"}
        return answer

    def errors(self) -> Iterator[str]:
        """See nothing wrong."""
        return iter(())


class OwnPrices(Shop):
    """Books the price that it showed, and not what was charged."""

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Book the price of the shop's own list."""
        super().record(reference, order, answer)
        order["charged_cents"] = 2600 * len(answer["recipients"])


class CancelsAll(Shop):
    """Takes all parcels that it asked to cancel for canceled."""

    def cancel(self, reference: str, recipients: Any = None) -> Any:
        """Do not read what was skipped."""
        answer = super().cancel(reference, recipients)
        for parcel in self.parcels.values():
            if parcel["email"] in recipients:
                parcel |= {"stage": "canceled", "since": "2999"}
        return answer


class NoAttention(Shop):
    """Ignores the events that need attention."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Store good news only."""
        if event_type != "team_order.needs_attention":
            super().update_parcel(event_type, data)


class ArrivalTime(Shop):
    """Books an event at the time of its arrival."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Take the time of the clock on the wall."""
        super().update_parcel(event_type, data)
        for parcel in self.parcels.values():
            parcel["since"] = datetime.fromisoformat(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))


class OnePass(Shop):
    """Reads a list once, as if it stood still."""

    def read(self, status: str, page_size: int) -> Any:
        """Read once."""
        return {"orders": list(self.listed(status, page_size).values())}


class KeepsRefused(Shop):
    """Sends a refused order again as it was."""

    def order(self, reference: str, recipient: Any = None, recipients: Any = None, **_: Any) -> Any:
        """Never look at the corrected address."""
        known = self.orders.get(reference)
        return super().order(reference, None, known["body"]["recipients"] if known else recipients or [recipient])


class MarksFirst(Shop):
    """Marks an event as done before its work is done."""

    def receive(self, event: Any) -> None:
        """Mark, then work."""
        broken, done = self.broken, event["id"] in self.seen
        if broken and not done:
            self.seen.add(event["id"])
            raise EXAMPLE.Broken
        super().receive(event)


class TrustsAll(Shop):
    """Does not look at the signature."""

    def is_genuine(self, *_: Any) -> bool:
        """Trust anybody."""
        return True


class NoTolerance(Shop):
    """Does not look at the time of the signature."""

    def is_genuine(self, signature: str, body: bytes) -> bool:
        """Look at the digest only."""
        fields = dict(field.partition("=")[::2] for field in signature.split(","))
        return fields["v1"].encode() in [self.digest(secret, fields["t"], body) for secret in self.secrets]


class OneSecret(Shop):
    """Knows one secret only, the one that it got first."""

    def use_secrets(self, *_: Any, **__: Any) -> Any:
        """Keep what it has."""
        return {}


class RefusesUnknown(Shop):
    """Answers 500 to an event that it does not know."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Break on anything new."""
        if event_type not in EXAMPLE.STAGES:
            raise EXAMPLE.Broken
        super().update_parcel(event_type, data)
