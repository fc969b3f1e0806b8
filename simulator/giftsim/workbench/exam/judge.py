"""What is judged in a sitting: what the app believes must be what the service's books say, and what it was told.

All raise RuleBroken with the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.gateway.secret_kinds import REDACTED
from giftsim.engine.kernel.texts import count_with_noun
from giftsim.workbench.app.messages import CheckAnswer, OrderAnswer
from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.ground import Ground
from giftsim.workbench.exam.service_books import (
    PLACED,
    UNKNOWN,
    Row,
    Told,
    counts,
    stage_of,
    stage_told,
    state_of,
)
from giftsim.workbench.exam.told_apart import IN_COMMON, told_apart

SAME_KEY: Final = "Send the same idempotency_key again for the same order; a new key makes a new order."
MONEY, RECIPIENTS = "money", "recipients"  # what of an order is judged, beside its state


class Judge(Ground):
    """Judges the app by the books of the service in this world."""

    def expect(self, holds: bool, reason: str, about: Iterable[Any] = (), mend: str = "") -> None:
        """RuleBroken with the reason unless it holds; `about` are the ids of what it is about, `mend` what mends it."""
        if not holds:
            raise RuleBroken(reason, about, mend)

    def expect_accepted(self, *about: str, foreign: Collection[str] = ()) -> None:
        """RuleBroken unless the app accepted each attempt of the service, of all types by default.

        `foreign` are the references of orders that somebody else placed.
        """
        rows = [row for row in self.attempts() if not row["fault"] and (not about or row["type"] in about)]
        refused = [row for row in rows if row["outcome"] != "delivered"]
        if not refused:
            return
        accepted = [row["request"]["body"] for row in rows if row["outcome"] == "delivered"]
        apart = told_apart([row["request"]["body"] for row in refused], accepted, foreign)
        first = refused[0]
        reason = f"a genuine webhook of type {first['type']} was answered {first['status'] or first['outcome']}"
        among = f": of {len(rows)} webhooks the app refused {len(refused)}, and {IN_COMMON} {apart}"
        raise RuleBroken(f"{reason}{among if apart else ''}", [first["event_id"]])

    def only_order(self, order: Order) -> Row:
        """The one order of the service for what the app was asked for. RuleBroken if there is none, or another."""
        made = self.books.orders_with(order.emails)
        self.expect(len(made) > 0, f"the app was asked for {order.reference!r}, and the service has no such order")
        self.expect_once(order, made, f"{order.reference!r} was ordered {len(made)} times")
        return made[0]

    def expect_once(self, order: Order, made: Sequence[Row], reason: str) -> None:
        """RuleBroken with the reason if the service has several orders for what the app was asked for."""
        if len(made) > 1:
            keys = self.books.keys_of(order.reference, order.emails)
            raise RuleBroken(reason, [each["order"]["id"] for each in made], SAME_KEY if len(keys) > 1 else "")

    def expect_no_links(self) -> None:
        """RuleBroken if something that the app answered in this sitting has a claim link or its token."""
        tokens = self.books.claim_tokens() if self._worlds else {}
        if not tokens:
            return
        answers, hooks = "\n".join(self.app.texts()), "\n".join(self.books.answers_of(self.host))
        hidden = f"/{self.world.id}/{REDACTED}" in hooks
        for token, email in tokens.items():
            self.expect(token not in answers, f"the app's answers have the claim link of {email}", [email])
            found = token in hooks or hidden
            self.expect(not found, f"the app's answer to a webhook has a claim link, such as that of {email}", [email])

    def check(self, *, ended: bool = False) -> CheckAnswer:
        """What the app believes. RuleBroken if it says itself that something is wrong.

        `ended` says that nothing is left to happen, so that the app may also report what did not become right.
        """
        answer = self.app.check(ended=ended)
        if answer.wrong:
            raise RuleBroken(f"the app says: {answer.wrong[0]}")
        return answer

    def known(self, order: Order) -> OrderAnswer:
        """What the app believes of an order. RuleBroken if it does not tell it."""
        orders = self.check().orders
        self.expect(orders is not None, "the check tells no orders")
        self.expect(order.reference in (orders or {}), f"the check does not tell the order {order.reference!r}")
        return (orders or {})[order.reference]

    def expect_books(self, *orders: Order, unknown: bool = False) -> None:
        """What the app believes of these orders must be what the service's books say, and what it was told.

        With `unknown` the app need not know yet what became of them.
        """
        self._expect(orders, unknown=unknown, parts=(MONEY, RECIPIENTS))

    def expect_told(self, *orders: Order) -> None:
        """The same of the recipients of these orders alone: their stages, and what was booked of their events."""
        self._expect(orders, parts=(RECIPIENTS,))

    def expect_money(self, *orders: Order, unknown: bool = False) -> None:
        """The same of the states of these orders, and of what was charged and refunded, whatever the app was told."""
        self._expect(orders, unknown=unknown, parts=(MONEY,))

    def _expect(self, orders: Iterable[Order], parts: Collection[str], *, unknown: bool = False) -> None:
        told = self.check().orders
        self.expect(told is not None, "the check tells no orders")
        for order in orders:
            self.expect(order.reference in (told or {}), f"the check does not tell the order {order.reference!r}")
            known, made = (told or {})[order.reference], self.books.orders_with(order.emails)
            if unknown and known.state == UNKNOWN:
                continue
            self._expect_order(order, known, made[-1] if made else None, parts)

    def _expect_order(self, order: Order, known: OrderAnswer, made: Row | None, parts: Collection[str]) -> None:
        state, name = state_of(made), repr(order.reference)
        about = [made["order"]["id"]] if made else []
        self.expect(known.state == state, f"{name} is {state}, and the app says {known.state}", about)
        if made is None:
            return
        for kind in ("charged", "refunded") if MONEY in parts else ():
            cents, booked = made["money"][f"{kind}_cents"], getattr(known, f"{kind}_cents")
            hint = _hint(kind, booked, made) if cents != booked else ""
            self.expect(cents == booked, f"{cents} cents of {name} were {kind}, and the app says {booked}{hint}", about)
        if RECIPIENTS in parts and state == PLACED:
            for recipient in made["recipients"]:
                self._expect_recipient(name, recipient, known, about)

    def _expect_recipient(self, name: str, recipient: Row, known: OrderAnswer, about: list[Any]) -> None:
        email = recipient["email"]
        self.expect(email in known.recipients, f"the check does not tell the recipient {email} of {name}", about)
        told, said = self.books.told(email, self.host), known.recipients[email]
        stages = {stage_of(recipient), stage_told(told)}
        about = [*about, *(each.id for each in told)]
        stage = stage_of(recipient)
        knows = ", which the app was told" if stage == stage_told(told) else ""
        wrong = f"the gift of {email} is {stage}{knows}, and the app says {said.stage}"
        self.expect(said.stage in stages, wrong, about)
        self.expect_booked(email, told, said.booked)

    def expect_booked(self, email: str, told: Sequence[Told], said: Mapping[str, int]) -> None:
        """RuleBroken unless the app booked each event that it accepted once."""
        least, most = counts(told, accepted=True), counts(told, accepted=False)
        for kind in sorted(most | said.keys()):
            booked = said.get(kind, 0)
            wrong = _booked_wrongly(f"type {kind} about {email}", most[kind], booked)
            self.expect(least[kind] <= booked <= most[kind], wrong, [each.id for each in told if each.type == kind])


def _booked_wrongly(what: str, sent: int, booked: int) -> str:
    own = ", each with an id of its own" if sent > 1 else ""
    same = ": an event that comes again with the same id is the same event" if booked > sent > 0 else ""
    return f"the app was sent {count_with_noun(sent, 'event')} of {what}{own}, and booked {booked}{same}"


def _hint(kind: str, booked: int, made: Row) -> str:
    """What an amount that an app booked wrongly is, if that can be seen."""
    if kind == "charged" and booked == made["money"].get("subtotal_cents"):
        return ", which is what the items cost without their shipping"
    is_expired = any(row["status"] == "expired" for row in made["recipients"])
    if kind == "refunded" and is_expired and not made["money"]["refunded_cents"]:
        return ": that a claim link expires pays nothing back, as long as nothing is canceled"
    return ""
