"""The team interface as its documents describe it: what keys, the people who approve and claim, banks and time do.

Read it to learn the rules: each names its statement (`T-...`) or decision. It is written from these alone, takes
nothing from giftsim, and knows the prices of the fixture `empty`. `team_sends.py` has orders, gifts and campaigns,
`team_money.py` balance, terms, payments and invoices; `team_machine.py` compares all that with a world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.models.compare import Learned
from tests.models.team_campaigns import Batch, Campaign
from tests.models.team_money import BALANCE, TERMS, Money, Refused, wrong_state
from tests.models.team_parcels import Parcels
from tests.models.team_sends import (
    DAY,
    KIT,
    PRICES,
    PROGRESS,
    Approval,
    Event,
    Gift,
    Held,
    Order,
    Parcel,
    Send,
    gift_status,
    is_cancelable,
)


class Team(Parcels):
    """A team with one world to itself, or the sandbox of a test key (T-1.14)."""

    def __init__(self, now: int, money: Money, expire_days: int | None = None, *, live: bool = True) -> None:
        self.now, self.money, self.prices, self.expire_days = now, money, dict(PRICES), expire_days
        self.is_live, self.id_kind = live, int if live else str  # ids of a sandbox are UUIDs (T-2.3)
        self.off: set[str] = set()  # the items that are off sale (G444)
        self.short_collections = self.refunds_undeliverable = False  # by settings
        self.orders: list[Order] = []
        self.gifts: list[Gift] = []
        self.campaigns: list[Campaign] = []
        self.approvals: list[Approval] = []
        self.events: list[Event] = []
        self.mails: list[tuple[int, str, str]] = []  # when, to whom, and its kind
        money.emit = self.emit

    def check_stock(self, items: Sequence[str]) -> None:
        """What is off sale cannot be ordered: the catalogue does not have it (G444)."""
        if not self.off.isdisjoint(items):
            raise Refused(422, "validation_failed")

    def kit(self) -> tuple[str, ...]:
        """The items of the collection, which is off sale with any of them, or by a setting sold without it (G444)."""
        left = tuple(item for item in KIT if item not in self.off)
        if self.short_collections and left:
            return left
        self.check_stock(KIT)
        return KIT

    def emit(self, kind: str, about: Any, status: str, more: Any = None) -> None:
        """A webhook event, once (T-6.21)."""
        self.events.append(Event(kind, about, status, more))

    def emit_gift_step(self, send: Send, parcel: Parcel, before: str) -> None:
        """One recipient's gift was claimed, shipped or delivered."""
        status = gift_status(parcel)
        if status != before and status in ("claimed", "shipped", "delivered"):
            self.emit(f"gift.{status}", send.campaign if isinstance(send, Batch) else send, status, parcel)

    @property
    def held(self) -> list[Order | Gift | Campaign]:
        """Everything that a human approves."""
        return [*self.orders, *self.gifts, *self.campaigns]

    # Approvals

    def request(self, held: Held, amount: int) -> Approval:
        """Ask a human; while one request is pending, that one is meant (A1.3)."""
        if held.pending is None:
            expires_at = self.now + self.expire_days * DAY if self.expire_days else None
            serial, chosen = self.money.next_serial(), Learned(self.id_kind)
            approval = Approval(held, amount, self.now, expires_at, serial, id=chosen)
            held.approvals.append(approval)
            self.approvals.append(approval)
            self.emit("approval.requested", approval, "pending")
            if isinstance(held, Gift):
                held.note("approval.requested")
        assert held.pending is not None
        return held.pending

    def request_approval(self, held: Held) -> Approval:
        """Ask a human about what is held, at today's prices (T-4.65, 0.4)."""
        if isinstance(held, Campaign):
            if (held.paused_from if held.status == "paused" else held.status) != "awaiting_approval":
                raise wrong_state()
            return self.request(held, held.total)
        assert isinstance(held, Order | Gift)
        if not held.can_be_asked:
            raise wrong_state()
        if held.payment is None and held.is_outdated:
            held.price = held.price_now
            held.end_approval("superseded", ("pending", "approved"))
        held.status = "awaiting_approval"
        return self.request(held, held.total)

    def decide(self, approval: Approval, decision: str) -> None:
        """A human decides what is pending: a yes pays the amount that was asked for, or nothing (A1.2, G57)."""
        if approval.status != "pending":
            raise wrong_state()
        held = approval.about
        if decision == "approve" and isinstance(held, Gift) and not held.is_outdated:
            self._check_wallet(held.total)  # a gift that cannot be paid stays as it is (G57)
        approval.status, approval.decided_at = f"{decision}d".replace("td", "ted"), self.now
        self._tell_decision(approval)
        if decision == "reject":
            self._reject(held)
        elif isinstance(held, Campaign):
            if held.status == "paused":
                held.paused_from = "approved"
            else:
                held.status = "approved"
        elif isinstance(held, Gift) and held.is_outdated:
            self.request_approval(held)
        else:
            self._approve(held)

    def expire(self, approval: Approval) -> None:
        """Nobody decided in time: that is told, and what it is about stays held (G168)."""
        approval.status, approval.decided_at = "canceled", self.now
        self._tell_decision(approval)

    def _tell_decision(self, approval: Approval) -> None:
        self.emit("approval.decided", approval, approval.status)
        if isinstance(approval.about, Gift):
            approval.about.note("approval.decided")

    def _approve(self, held: Any) -> None:
        """Pay from the balance, else on terms; an order that cannot be paid is approved and unpaid (A1.2)."""
        if isinstance(held, Order):
            held.status = "approved"
            if held.payment_status == "paid":
                held.start()
                return
            if not self.is_live:
                return  # a sandbox never moves money (T-1.17)
        if held.payment is None:
            for method in (BALANCE, TERMS):
                try:
                    self.money.pay(held, method)
                except Refused:
                    continue
                return

    def _check_wallet(self, cents: int) -> None:
        """The balance refuses a gift that neither it nor the terms cover."""
        if cents > self.money.available and cents > self.money.credit_left:
            raise Refused(422, "insufficient_balance")

    def decide_about(self, held: Order | Gift | Campaign, decision: str) -> None:
        """A human decides what is pending, else asks at today's prices and decides that, all or nothing (G41)."""
        if held.pending is None and decision == "approve" and isinstance(held, Gift) and held.can_be_asked:
            self._check_wallet(sum(held.price_now) * len(held.parcels))
        self.decide(held.pending or self.request_approval(held), decision)

    def _reject(self, held: Any) -> None:
        """It ends; what a bank had paid is given back (G59, G170)."""
        if isinstance(held, Campaign):
            held.stop()
            return
        held.status = "rejected"
        if isinstance(held, Gift):
            held.note("gift.rejected")
        held.cancel_parcels()
        self.money.release(held)
        if held.payment_status == "paid":
            self.money.refund(held.payment)

    # Orders

    def cancel(self, order: Order, reason: str | None) -> Order:
        """Cancel and refund, while each parcel can be canceled (T-4.62, A1.1, A5.5)."""
        if order.status in ("canceled", "rejected") or order.payment_status == "uncertain":
            raise wrong_state()
        if not all(is_cancelable(each) for each in order.parcels):
            raise wrong_state()
        order.status, order.cancel_reason = "canceled", reason
        order.end_approval("canceled")
        order.cancel_parcels()
        self.money.release(order)
        if order.payment is not None and order.payment_status == "paid":
            self.money.refund(order.payment)
        return order

    def simulate(self, order: Order, status: str) -> Order:
        """A sandbox event brings a test order and its parcels to a status, without a yes or money (T-4.196, A8.10)."""
        progress = ("awaiting_approval", *PROGRESS)
        if order.status not in progress or progress.index(order.status) >= progress.index(status):
            raise wrong_state()  # A6.9
        if order.status == "awaiting_approval":
            order.end_approval("superseded")
        order.status = status
        for parcel in order.parcels:
            parcel.status, parcel.name = status, Learned(str) if parcel.name is None else parcel.name
        self.emit(f"team_order.{status}", order, status, order.payment_status)
        return order

    # Time

    @property
    def sends(self) -> list[Send]:
        """Everything with parcels."""
        return [*self.orders, *self.gifts, *(batch for each in self.campaigns for batch in each.batches)]

    def advance(self, seconds: int) -> None:
        """Time passes; what falls due happens, in order."""
        end = self.now + seconds
        while True:
            timed: list[tuple[Any, Callable[..., None], tuple[Any, ...]]] = [
                *((each, self.step_by_itself, (send, each)) for send in self.sends for each in send.parcels),
                *((each, self.money.settle, (each,)) for each in self.money.payments),
                *((each, self.money.end_refund, (each,)) for each in self.money.refunds),
                *((each, self.expire, (each,)) for each in self.approvals),
            ]
            due = [each for each in timed if each[0].due is not None and each[0].due <= end]
            if not due:
                break
            record, act, about = min(due, key=lambda each: (each[0].due, each[0].serial))
            self.now = self.money.now = record.due
            act(*about)
        self.now = self.money.now = end
