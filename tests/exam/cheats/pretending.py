"""Cheats that pretend: known answers, invented books, silence, and ends that come in time."""

from __future__ import annotations

import json
import os
import threading
from typing import Any, Final

from tests.exam.cheats.bare_app import BareApp
from tests.exam.sample_shop import Shop

KNOWN_CENTS = 2600  # of the mug that public examples order
POSSIBLE = ("order",)


class KnownAnswers(BareApp):
    """Has the answers to the situations that everybody can read, by the names that they have there."""

    charged: Final = {"order-1": 2600, "order-2": 3300}
    stages: Final = {"bo@example.com": "delivered", "cy@example.com": "canceled", "di@example.com": "delivered"}

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Order what is known, and answer as the page of the situations says."""
        super().do(body)
        if body["action"] == "order":
            self.place(body)
        return 200, {"state": "placed", "settled_cents": KNOWN_CENTS, "orders": ["unpaid-3"]}

    def check(self) -> tuple[int, Any]:
        """Tell what is expected there."""
        people = {email: {"stage": stage, "since": "2027-01-09T09:00:00Z"} for email, stage in self.stages.items()}
        orders = {
            name: {"state": "placed", "charged_cents": cents, "refunded_cents": 0, "recipients": people}
            for name, cents in self.charged.items()
        }
        return 200, {"ok": True, "orders": orders}


class InventedBooks(BareApp):
    """Never calls the service. Its books are made of what it was asked, as it would be if all went well."""

    def check(self) -> tuple[int, Any]:
        """Invent the rest."""
        orders = {}
        for body in self.asked:
            if body["action"] == "order":
                booked = {"team_order.claimed": 1, "team_order.shipped": 1, "team_order.delivered": 1}
                person = {"stage": "delivered", "since": self.begun["now"], "booked": booked}
                many = len(body["recipients"])
                money = {"charged_cents": KNOWN_CENTS * many, "refunded_cents": 0}
                people = {each["email"]: person for each in body["recipients"]}
                orders[body["reference"]] = {"state": "placed", **money, "recipients": people}
            elif body["action"] == "cancel" and body["reference"] in orders:
                orders[body["reference"]]["state"] = "canceled"
        return 200, {"ok": True, "orders": orders}


class NotImplemented501(BareApp):
    """Does what is easy, and answers 501 to the rest, whatever it listed."""

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Place orders only."""
        super().do(body)
        if body["action"] not in POSSIBLE:
            return 501, {"error": "not implemented"}
        status, _ = self.place(body)
        return (200, {"state": "placed"}) if status == 201 else (501, {"error": "not implemented"})


class Silent(BareApp):
    """Does not answer a check, so that it says nothing wrong."""

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Place orders."""
        super().do(body)
        self.place(body)
        return 200, {"state": "placed"}

    def check(self) -> tuple[int, Any]:
        """Wait for ever."""
        threading.Event().wait()
        return 200, {}


class EmptyCheck(Silent):
    """Answers a check, and tells no orders."""

    def check(self) -> tuple[int, Any]:
        """Say that all is well, and nothing else."""
        return 200, {"ok": True, "orders": {}}


class EndsInTime(Silent):
    """Ends itself as soon as something goes wrong, so that nothing can be asked of it."""

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Place orders, until one is not placed."""
        self.asked.append(body)
        status, _ = self.place(body) if body["action"] == "order" else (0, None)
        if status != 201:
            os._exit(0)
        return 200, {"state": "placed"}

    def check(self) -> tuple[int, Any]:
        """Tell what was placed, with nothing in it."""
        orders = {body["reference"]: {"state": "placed"} for body in self.asked if "recipients" in body}
        return 200, {"ok": True, "orders": orders}


class FirstOnly(BareApp):
    """Obeys in the first situation, and does as it likes in those after it."""

    def __init__(self) -> None:
        super().__init__()
        self.shop, self.starts = Shop(), 0

    def start(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Count the starts."""
        self.starts += 1
        self.shop.start(**body)
        return super().start(body)

    @property
    def obeys(self) -> bool:
        """Whether this is the first situation: an exam begins with one that shows nothing."""
        return self.starts <= 2

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Order well at first."""
        if not self.obeys or body["action"] not in ("order", "cancel", "pay", "settle", "read"):
            return super().do(body)
        return 200, getattr(self.shop, body.pop("action"))(**body)

    def webhook(self, signature: str, raw: bytes) -> tuple[int, Any]:
        """Verify at first."""
        if self.obeys:
            if not self.shop.is_genuine(signature, raw):
                return 400, {}
            self.shop.receive(json.loads(raw))
        return super().webhook(signature, raw)

    def check(self) -> tuple[int, Any]:
        """Tell the truth at first, and the same books ever after."""
        return 200, {"ok": True, "orders": self.shop.beliefs()}
