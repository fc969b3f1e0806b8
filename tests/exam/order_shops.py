"""The example shop with one mistake each about orders, money, cancellations and lists."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import math
import threading
import unicodedata
from collections.abc import Iterator
from typing import Any

from tests.exam.sample_shop import EXAMPLE, TIMEOUT_S, Shop

IMPATIENCE = 0.02  # of the seconds that the shop means to wait, in tests that are not about waiting


class QuickShop(Shop):
    """The example shop, which waits for a moment before it tries again. It reports nothing as wrong by itself."""

    def __init__(self, bugs: tuple[str, ...] = ()) -> None:
        super().__init__(bugs, TIMEOUT_S, sleep=lambda span_s: threading.Event().wait(span_s * IMPATIENCE))
        self.new_keys = 0

    def errors(self) -> Iterator[str]:
        """See nothing wrong."""
        return iter(())

    def new_key(self, reference: str) -> None:
        """Send an order with another key from now on."""
        order = self.orders[reference]
        self.new_keys += 1
        order["body"] = {**order["body"], "idempotency_key": f"{reference}, try {self.new_keys}"}


# Orders.


class NewKeyAfterLoss(QuickShop):
    """Sends an order with a new key after its answer was lost."""

    def __init__(self) -> None:
        super().__init__(("new-key",))


class NewKeyForUnknown(QuickShop):
    """Sends an order with a new key when it is asked again for one whose outcome is unknown."""

    def order(self, reference: str, **members: Any) -> Any:
        """Forget the key of an order that is not known."""
        if reference in self.orders and self.orders[reference]["state"] == "unknown":
            self.new_key(reference)
        return super().order(reference, **members)


class ConflictIsNo(QuickShop):
    """Takes the 409 of an unknown outcome for a refusal."""

    def retried(self, order: dict[str, Any], *_: Any) -> Any:
        """Try again after lost answers and errors only."""
        for _try in range(4):
            try:
                status, answer, _wait = self.service.call("POST", "/team-orders", order["body"])
            except EXAMPLE.NoResponse:
                continue
            if status < 500 and status != 429:
                return status, answer
        return None, None


class GivesUpForGood(QuickShop):
    """Never asks again for an order that it once gave up."""

    def place(self, reference: str, order: dict[str, Any], tries: int = 4) -> None:
        """Send an order once in its life."""
        if not order.get("given_up"):
            order["given_up"] = True
            super().place(reference, order, tries)


class OrdersAnew(QuickShop):
    """Makes a new order whenever it is asked for one."""

    def order(self, reference: str, **members: Any) -> Any:
        """Forget what it knows of the reference."""
        known = self.orders.pop(reference, None)
        if known is None:
            return super().order(reference, **members)
        self.orders[reference] = known | {"state": "unknown"}
        self.new_key(reference)
        return super().order(reference, **members)


class NoTwoAlike(QuickShop):
    """Takes an order for the same people for the same order."""

    def order(self, reference: str, recipients: Any = None, **members: Any) -> Any:
        """Look for an order with the same recipients."""
        for known, order in self.orders.items():
            if order["body"]["recipients"] == recipients and known != reference:
                self.orders[reference] = order
                return {"state": order["state"]}
        return super().order(reference, recipients=recipients, **members)


# What is refused.


class KeepsRefused(QuickShop):
    """Sends a refused order again as it was."""

    def correct(self, order: dict[str, Any], body: Any) -> None:
        """Never look at the correction."""
        super().correct(order, {**body, **{name: order["body"][name] for name in ("recipients", "items")}})


class RefusedIsPlaced(QuickShop):
    """Takes any answer below 500 for a yes."""

    def order(self, reference: str, **members: Any) -> Any:
        """Believe in the order."""
        super().order(reference, **members)
        return {"state": "placed"}


class ErrorIsNo(QuickShop):
    """Takes an error of the service for a refusal."""

    def retried(self, order: dict[str, Any], *_: Any) -> Any:
        """Try once."""
        status, answer, _wait = self.service.call("POST", "/team-orders", order["body"])
        return (400, answer) if status >= 500 else (status, answer)


class OutageIsNo(QuickShop):
    """Takes an outage for a refusal when all its tries are used up."""

    def retried(self, order: dict[str, Any], *_: Any) -> Any:
        """Try as often as it is right, and then say no."""
        status, answer = super().retried(order)
        return (400, {}) if status is None else (status, answer)


class PlainLetters(QuickShop):
    """Writes names without their accents."""

    def order(self, reference: str, recipients: Any = None, **members: Any) -> Any:
        """Make all letters plain."""
        plain = [
            {**each, "name": unicodedata.normalize("NFKD", each["name"]).encode("ascii", "replace").decode()}
            for each in recipients
        ]
        return super().order(reference, recipients=plain, **members)


# Money.


class NewKeyAfterDecline(QuickShop):
    """Makes a new order of one that could not be paid."""

    def place(self, reference: str, order: dict[str, Any], tries: int = 4) -> None:
        """Forget the key of an order that was declined before."""
        if order["state"] == "unknown" and order["id"] is not None:
            self.new_key(reference)
            order["id"] = None
        super().place(reference, order, tries)


class DeclineIsNo(QuickShop):
    """Takes a payment that is declined for a refusal."""

    def keep(self, reference: str, order: dict[str, Any], status: Any, answer: Any) -> None:
        """Treat a 402 like a 400."""
        super().keep(reference, order, 400 if status == 402 else status, answer)


class SettlesByItsBooks(QuickShop):
    """Says that it settled all that it ever ordered."""

    def settle(self, **members: Any) -> Any:
        """Add up what it was charged."""
        answer = super().settle(**members)
        charged = sum(order["charged_cents"] for order in self.orders.values() if order["state"] == "placed")
        return answer | {"settled_cents": charged}


class PaysAfterSettling(QuickShop):
    """Settles, and in the same action pays the orders that waited for it, which is right."""

    def settle(self, **members: Any) -> Any:
        """Pay what was declined before."""
        answer = super().settle(**members)
        for reference, order in list(self.orders.items()):
            if order["state"] == "unpaid":
                self.pay(reference=reference)
        return answer


class NeverSettles(QuickShop):
    """Leaves the debt as it is."""

    def settle(self, **_: Any) -> Any:
        """Say that all is well."""
        return {"settled_cents": 0}


class OwnPrices(QuickShop):
    """Books the price per gift that it saw first."""

    price = 0

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Multiply."""
        super().record(reference, order, answer)
        self.price = self.price or order["charged_cents"] // len(answer["recipients"])
        order["charged_cents"] = self.price * len(answer["recipients"])


class SmallNumbers(QuickShop):
    """Keeps amounts in 32 bits."""

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Drop what is above."""
        super().record(reference, order, answer)
        order["charged_cents"] &= 0x7FFFFFFF


class TotalIsCharged(QuickShop):
    """Books the total of an order whose payment was declined as charged."""

    def keep(self, reference: str, order: dict[str, Any], status: int, answer: Any) -> None:
        """Read what the unpaid order costs."""
        super().keep(reference, order, status, answer)
        if status == 402:
            found = self.fetch(f"/team-orders/{order['id']}")["team_order"]
            order["charged_cents"] = found["totals"]["total_cents"]


class PaysTheFirst(QuickShop):
    """Pays the first order that waits, whichever is to be paid."""

    def pay(self, reference: str, **_: Any) -> Any:
        """Look for the first one."""
        waiting = [each for each, order in self.orders.items() if order["state"] == "unpaid"]
        super().pay(waiting[0] if waiting else reference)
        return {"state": self.orders[reference]["state"]}


class CutsDollars(QuickShop):
    """Keeps dollars, and cuts them to whole cents."""

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Lose a cent of some amounts."""
        super().record(reference, order, answer)
        order["charged_cents"] = int(order["charged_cents"] / 100 * 100)


class RaisesDollars(QuickShop):
    """Keeps dollars, and rounds them up to whole cents."""

    def record(self, reference: str, order: dict[str, Any], answer: Any) -> None:
        """Add a cent to some amounts."""
        super().record(reference, order, answer)
        order["charged_cents"] = math.ceil(order["charged_cents"] / 100 * 100)


# Cancellations.


class CancelsWhole(QuickShop):
    """Cancels the whole order when a part of it is to be canceled."""

    def cancel(self, reference: str, recipients: Any = None, **_: Any) -> Any:
        """Do not look at the recipients."""
        del recipients
        return super().cancel(reference)


class CancelsByName(QuickShop):
    """Cancels everybody of the same name."""

    def cancel(self, reference: str, recipients: Any = None, **_: Any) -> Any:
        """Look for names."""
        people = self.orders[reference]["body"]["recipients"]
        names = {each["name"] for each in people if each["email"] in (recipients or ())}
        some = recipients and [each["email"] for each in people if each["name"] in names]
        return super().cancel(reference, some)


class AskedIsCanceled(QuickShop):
    """Books all that it asked to cancel as canceled."""

    def cancel(self, reference: str, recipients: Any = None, **_: Any) -> Any:
        """Do not read what was skipped."""
        answer = super().cancel(reference, recipients)
        order = self.orders[reference]
        for parcel in self.parcels_of(order):
            if recipients is None or parcel["email"] in recipients:
                parcel |= {"stage": "canceled"}
        self.close_canceled(order)
        return {"state": order["state"]} if answer else answer


class EqualShares(QuickShop):
    """Books an equal share of the price for each canceled recipient."""

    def record_cancel(self, reference: str, order: dict[str, Any], status: int, answer: Any) -> None:
        """Divide, without the fees for shipping."""
        super().record_cancel(reference, order, status, answer)
        for parcel in self.parcels_of(order):
            parcel["refunded_cents"] = parcel["refunded_cents"] * 9 // 10


class DividesTheCharge(QuickShop):
    """Books what was charged, divided by the recipients, for each that is canceled."""

    def record_cancel(self, reference: str, order: dict[str, Any], status: int, answer: Any) -> None:
        """Divide, in whole cents, so that all parts add up."""
        super().record_cancel(reference, order, status, answer)
        parcels = self.parcels_of(order)
        for place, parcel in enumerate(parcels):
            if parcel["stage"] == "canceled" and order["charged_cents"]:
                share, left = divmod(order["charged_cents"], len(parcels))
                parcel["refunded_cents"] = share + (place < left)


class RefundsNothingLost(QuickShop):
    """Books no refund when the answer of a cancellation was lost."""

    def refresh(self, reference: str, order: dict[str, Any]) -> None:
        """Read who is canceled, and not what came back."""
        before = {number: parcel["refunded_cents"] for number, parcel in self.parcels.items()}
        super().refresh(reference, order)
        for number, parcel in self.parcels.items():
            parcel["refunded_cents"] = before.get(number, 0)


class CanceledWhileUnknown(QuickShop):
    """Says that an order is canceled when nobody knows whether it is paid."""

    def cancel(self, reference: str, recipients: Any = None, **_: Any) -> Any:
        """Promise it."""
        answer = super().cancel(reference, recipients)
        return {"state": "canceled"} if answer["state"] == "unknown" else answer


# Lists.


class FirstPage(QuickShop):
    """Reads one page only."""

    def read(self, status: str, page_size: int, **_: Any) -> Any:
        """Read once."""
        page = self.fetch(f"/team-orders?status={status}&limit={page_size}&offset=0")["team_orders"]
        return {"orders": [each["reference"] for each in page]}


class AnyStatus(QuickShop):
    """Forgets the status."""

    def listed(self, status: str, page_size: int) -> Any:
        """Read all."""
        del status
        return super().listed(None, page_size)


class OnePass(QuickShop):
    """Reads a list once, as if it stood still."""

    def read(self, status: str, page_size: int, **_: Any) -> Any:
        """Read once."""
        return {"orders": list(self.listed(status, page_size).values())}


class AppendsPages(QuickShop):
    """Appends page to page, as if the list stood still."""

    def read(self, status: str, page_size: int, **_: Any) -> Any:
        """Read what comes."""
        found: list[str] = []
        while page := self.fetch(f"/team-orders?status={status}&limit={page_size}&offset={len(found)}")["team_orders"]:
            found += [each["reference"] for each in page]
        return {"orders": found}


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
