"""Four mistakes of a first integration."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.exam.sample_shop import Shop


class Believer(Shop):
    """A shop that sees nothing wrong with itself."""

    def errors(self) -> Iterator[str]:
        """See nothing."""
        return iter(())


class NewKeyOnRetry(Believer):
    """Sends an order again with a new key after its answer was lost."""

    def __init__(self) -> None:
        super().__init__(["new-key"])


class OncePerShipment(Believer):
    """Takes a second event of a shipment for the first one again."""

    def receive(self, event: Any) -> None:
        """Know an event by its shipment."""
        shipment = (event.get("data") or {}).get("shipment") or {}
        super().receive({**event, "id": shipment.get("order_id", event["id"])})


class WritesAgain(Believer):
    """Verifies the JSON as it writes it itself, and not the bytes that came."""

    def is_genuine(self, signature: str, body: bytes) -> bool:
        """Parse first."""
        try:
            written = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False)
        except ValueError:
            return False
        return bool(super().is_genuine(signature, written.encode()))


class LastComesLast(Believer):
    """Takes the event that arrives last for the latest."""

    def __init__(self) -> None:
        super().__init__(["order"])
