"""A sitting: one probe with a world of its own, and what the app is asked for there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, Final

import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.exam.breach import NotOffered
from giftsim.workbench.exam.drawing import Order, Person
from giftsim.workbench.exam.judge import Judge
from giftsim.workbench.exam.service_books import UNKNOWN, Row

# Real seconds between asks of an app that does not know yet, after a delay that the service asked for, for example.
PATIENCE_S: Final = (0.0, 0.2, 0.4, 0.7, 1.0)


class Sitting(Judge):
    """One probe.

    RuleBroken if the app breaks the rule or the protocol, NotOffered if it does not do what is asked.
    """

    def order(self, many: int | None = None, *, address: bool | None = None, **members: Any) -> Order:
        """Draw an order and ask the app for it: for so many recipients, with addresses or with claim links."""
        order = self.drawn_order(many, address=address)
        return self.place(order, **members)

    def drawn_order(self, many: int | None = None, *, address: bool | None = None) -> Order:
        """An order that the app was not asked for yet."""
        to_address = self.random.random() < 0.5 if address is None else address
        people = self.draw.people(many or self.draw.between(1, 3), address=to_address)
        chosen = self.random.sample(self.products, self.draw.between(1, 2))
        items = tuple({"sku_code": each.code, "quantity": self.draw.between(1, 3)} for each in chosen)
        return Order(self.draw.reference(), items, tuple(people), self.draw.person().name)

    def place(self, order: Order, **members: Any) -> Order:
        """Ask the app for an order, perhaps for one that it was asked for before."""
        answer = self.app.do("order", **order.members, **members)
        return msgspec.structs.replace(order, answer=answer)

    def place_later(self, order: Order) -> Future[dict[str, Any]]:
        """Ask the app for an order in the background, while the caller goes on."""
        return self.app.do_later("order", **order.members)

    def other_instance(self) -> None:
        """Let the other instance of the app answer from now on, and get the webhooks."""
        self.app.other_instance()
        self.receive()

    def send_again(self, event: str = "") -> None:
        """Send the app each of its webhooks once more, or those of one type: the same events with the same ids."""
        rows = self.world.rows("/deliveries", "deliveries")
        sent = {row["event_id"]: row["seq"] for row in rows if f"//{self.host}/" in row["url"] and row["mark"] is None}
        wanted = {row["seq"] for row in rows if row["type"] == event or not event}
        for seq in sent.values():
            if seq in wanted:
                self.world.send("POST", f"/deliveries/{seq}/resend")
        self.wait_for_webhooks()

    def settled(self, order: Order) -> Order:
        """Ask the app for an order until it knows what became of it."""
        known = self.until_known(order, lambda: self.app.do("order", **order.members))
        return msgspec.structs.replace(order, answer=known)

    def cancel(self, order: Order, people: Iterable[Person] | None = None) -> Mapping[str, Any]:
        """Ask the app to cancel an order, or the parcels of these recipients, until it knows what became of that."""
        some = {} if people is None else {"recipients": [each.email for each in people]}
        return self.until_known(order, lambda: self.app.do("cancel", reference=order.reference, **some))

    def until_known(self, order: Order, ask: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """Ask the app, with minutes between, until it knows what became of an order. RuleBroken if it never does."""
        answer = ask()
        for span_s in PATIENCE_S:
            if answer.get("state") != UNKNOWN:
                break
            system_clock.pause(span_s)
            self.advance(f"{self.draw.between(2, 9)}m")
            answer = ask()
        asks = len(PATIENCE_S) + 1
        self.expect(
            answer.get("state") != UNKNOWN,
            f"the app was asked {asks} times and still does not know what became of {order.reference!r}",
        )
        return answer

    def of(self, order: Order, person: Person) -> dict[str, int]:
        """The members that name a recipient of an order to the world around the service."""
        made = self.only_order(order)
        [recipient] = [each for each in made["recipients"] if each["email"] == person.email]
        return {"team_order_id": made["order"]["id"], "recipient_id": recipient["recipient_id"]}

    def claim(self, order: Order, person: Person) -> None:
        """Let a recipient claim the gift."""
        self.simulate("claim", **self.of(order, person), address=self.draw.address())

    def claim_all(self, order: Order) -> None:
        """Let each recipient claim the gift."""
        for gift in self.gifts_of(order):
            self.simulate("claim", **gift, address=self.draw.address())

    def gifts_of(self, order: Order) -> list[Row]:
        """The gifts of an order as verbs name them: its id and that of the recipient."""
        made = self.only_order(order)
        order_id = made["order"]["id"]
        return [{"team_order_id": order_id, "recipient_id": row["recipient_id"]} for row in made["recipients"]]

    def offers(self, *actions: str) -> bool:
        """Whether the app says that it can do all of this."""
        return all(each in self.app.actions for each in actions)

    def need(self, *actions: str) -> None:
        """NotOffered unless the app says that it can do all of this."""
        missing = [each for each in actions if each not in self.app.actions]
        if missing:
            raise NotOffered(f"the app does not offer {', '.join(missing)}")
