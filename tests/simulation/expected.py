"""What clients know for certain: the orders that were acknowledged, and those that may or may not exist."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.simulation.exchange import Violation


class Order(NamedTuple):
    """An acknowledged order."""

    number: int
    reference: str
    total_cents: int


class Expected:
    """The orders of the default world, which nothing takes back. `tried` are the references of all that were sent."""

    def __init__(self) -> None:
        self.orders: dict[str, Order] = {}
        self.tried: set[str] = set()

    def acknowledge(self, reference: str, order: Any) -> None:
        """An order was answered. Violation if it is not the one that was sent, or another than before."""
        if order["reference"] != reference:
            raise Violation(f"the order {reference} was answered with {order['reference']}", "wrong client")
        new = Order(order["id"], reference, order["totals"]["total_cents"])
        if self.orders.setdefault(reference, new) != new:
            raise Violation(f"the order {reference} was {self.orders[reference]} and is {new}", "charged twice")
