"""What a team sends, as the documents describe it: orders, gifts and campaigns, with their approvals and parcels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.models.compare import Learned
from tests.models.team_money import BALANCE, BANK, TERMS, Bill, Key, Payment, Refused, wrong_state

if TYPE_CHECKING:
    from tests.models.team import Team

HOUR, DAY = 3_600, 86_400
PRICES = {"mug-01": 1800, "note-01": 1400, "pen-01": 600, "bmug-01": 2300}
NEEDS_PROOF = ("bmug-01",)
KIT = ("mug-01", "note-01", "pen-01")  # the collection `welcome-kit`
SHIPPING = {"US": 800, "DE": 1600}

# What happens to a parcel by itself, and how long after its last step (B25).
NEXT_STEP = {
    "submitted": ("in_production", 24 * HOUR),
    "in_production": ("labeled", 24 * HOUR),
    "labeled": ("shipped", 24 * HOUR),
    "shipped": ("delivered", 48 * HOUR),
}
LINK_DAYS = 30  # until a claim link expires (B19)
MADE = ("submitted", "in_production", "labeled", "shipped", "delivered")
PROGRESS = ("approved", "in_production", "shipped", "delivered")
GIFT_STATUS = {
    "awaiting": "sent", "submitted": "claimed", "in_production": "claimed", "labeled": "claimed", "delayed": "claimed",
}  # fmt: skip


class Event(NamedTuple):
    """A webhook event: its kind, the record it is about, and what its data say."""

    kind: str
    about: Any
    status: str
    more: Any = None


@dataclass(eq=False)
class Parcel:
    """The parcel of one recipient. An open seat has no name until it is claimed (G61)."""

    name: Any
    status: str = "awaiting"
    due: int | None = None
    serial: int = 0
    stages: int = 0  # how far production got, also when it is delayed
    id: Learned = field(default_factory=lambda: Learned(int))


@dataclass(eq=False)
class Approval:
    """A request for a human's yes. No key can give it (T-1.6)."""

    about: Any
    amount: int
    made_at: int
    expires_at: int | None = None
    serial: int = 0
    status: str = "pending"
    decided_at: int | None = None
    id: Learned = field(default_factory=lambda: Learned(int))

    @property
    def due(self) -> int | None:
        """When it expires, if nobody decides in time (A1.2)."""
        return self.expires_at if self.status == "pending" else None


class Held:
    """What a human approves: an order, a gift or a campaign."""

    kind = ""

    def __init__(self) -> None:
        self.approvals: list[Approval] = []
        self.status = ""
        self.id = Learned(int)

    @property
    def pending(self) -> Approval | None:
        """The approval that waits for a decision."""
        return self.approvals[-1] if self.approvals and self.approvals[-1].status == "pending" else None

    def end_approval(self, status: str, ends: Sequence[str] = ("pending",)) -> None:
        """The approval is of no more use."""
        if self.approvals and self.approvals[-1].status in ends:
            self.approvals[-1].status = status


class Send(Bill, Held):
    """What is priced, paid and sent: the same for each recipient, to one of the countries (A5.1)."""

    def __init__(self, team: Team, key: Key, items: Sequence[str], names: Iterable[str | None], country: str) -> None:
        Bill.__init__(self, key)
        Held.__init__(self)
        self.team, self.items, self.country, self.made_at = team, tuple(items), country, team.now
        self.parcels = [Parcel(name) for name in names]
        self.is_started = False
        self.price = self.price_now

    @property
    def price_now(self) -> tuple[int, int]:
        """The goods and the shipping of one recipient, today."""
        return sum(self.team.prices[item] for item in self.items), SHIPPING[self.country]

    @property
    def subtotal(self) -> int:
        return self.price[0] * len(self.parcels)

    @property
    def total(self) -> int:
        return sum(self.price) * len(self.parcels)

    @property
    def is_outdated(self) -> bool:
        """Whether it costs something else by now (T-5.22)."""
        return self.price != self.price_now

    def start(self) -> None:
        """It is paid: claim links open (A8.9)."""
        self.is_started = True
        for parcel in self.parcels:
            if parcel.status == "awaiting":
                self.team.open_link(parcel)

    def cancel_parcels(self) -> None:
        """Cancel what can be canceled: production has not started, or rejected it (P-3.12, G30)."""
        for parcel in self.parcels:
            if is_cancelable(parcel):
                parcel.status, parcel.due = "canceled", None

    def on_parcel(self, parcel: Parcel, before: str) -> None:
        """A parcel has taken a step."""


def is_cancelable(parcel: Parcel) -> bool:
    """Whether production has not touched a parcel, or has rejected it (A1.1, G30)."""
    return parcel.status in ("awaiting", "expired", "submitted", "rejected") or (
        parcel.status == "delayed" and parcel.stages == 0
    )


@dataclass(eq=False)
class Line:
    """An item of an order, which may need a signed proof of its artwork before anything is paid (T-5.23, A1.5)."""

    slug: str
    quantity: int
    proof: str | None
    version: int = 0
    id: Learned = field(default_factory=lambda: Learned(int))


class Order(Send):
    """A team order or store order: held until a human or a payment starts it (T-1.4)."""

    kind = "team_order"

    def __init__(self, team: Team, key: Key, items: Sequence[str], names: Iterable[str | None], country: str) -> None:
        super().__init__(team, key, items, names, country)
        self.status = "awaiting_approval"
        self.lines = [
            Line(slug, count, "awaiting_version" if slug in NEEDS_PROOF else None)
            for slug, count in Counter(items).items()
        ]
        self.method: str | None = None
        self.source = "team"
        self.cancel_reason: str | None = None

    @property
    def is_open(self) -> bool:
        return self.status not in ("canceled", "rejected")

    @property
    def needs_proof(self) -> bool:
        return any(each.proof not in (None, "signed") for each in self.lines)

    def prove(self, line: Line, act: str) -> Order:
        """A version is added, until the order is paid or has ended, reviewed and signed (A1.4, G55)."""
        steps = {"approve": "in_review", "request_changes": "in_review", "sign": "ready_to_sign"}
        is_paid = self.payment is not None and self.payment.status == "settled"
        if line.proof != steps.get(act, line.proof):
            raise wrong_state()
        if act == "version":
            if is_paid or not self.is_open:
                raise wrong_state()
            line.version += 1
        results = {"approve": "ready_to_sign", "request_changes": "changes_requested", "sign": "signed"}
        line.proof = results.get(act, "in_review")
        return self

    def on_paid(self, payment: Payment) -> None:
        """A key's payment starts a held order, and its approval is not needed; a bank's money does not (G59)."""
        if self.status in ("canceled", "rejected"):
            self.team.money.refund(payment)
            return
        if self.status == "awaiting_approval":
            if payment.method in BANK:
                return
            self.end_approval("superseded", ("pending", "approved"))
            self.status = "approved"
        self.start()

    def on_parcel(self, _parcel: Parcel, _before: str) -> None:
        """It is made and shipped with its first parcel and delivered with its last, and never goes back (G178)."""
        if self.status in ("awaiting_approval", "rejected", "canceled"):
            return
        statuses = {each.status for each in self.parcels} - {"rejected", "canceled", "expired"}
        if statuses == {"delivered"}:
            self.reach("delivered")
        elif statuses & {"shipped", "delivered"}:
            self.reach("shipped")
        elif statuses & {"in_production", "labeled"}:
            self.reach("in_production")

    def reach(self, status: str) -> None:
        """Two of these steps are told, each once (T-6.8, A6.1)."""
        if PROGRESS.index(status) > PROGRESS.index(self.status):
            self.status = status
            if status in ("shipped", "delivered"):
                self.team.emit(f"team_order.{status}", self, status, self.payment_status)


class Gift(Send):
    """A gift send: held until its approval pays for it (T-1.5, G57). Its timeline has each step once (T-4.42)."""

    kind = "gift"

    def __init__(self, team: Team, key: Key, items: Sequence[str], names: Iterable[str | None], country: str) -> None:
        super().__init__(team, key, items, names, country)
        self.status = "awaiting_approval"
        self.timeline: list[tuple[int, str, Parcel | None]] = []
        self.note("gift.created")

    @property
    def is_open(self) -> bool:
        return self.status == "awaiting_approval"

    def note(self, kind: str, parcel: Parcel | None = None) -> None:
        """An entry of the timeline."""
        self.timeline.append((self.team.now, kind, parcel))

    def on_paid(self, _payment: Payment) -> None:
        """It goes out (T-6.4)."""
        self.status = "sent"
        self.note("gift.sent")
        self.team.emit("gift.sent", self, "sent")
        self.start()

    def on_parcel(self, parcel: Parcel, before: str) -> None:
        """A recipient's step is told once (T-6.5 to T-6.7); the send is as far as its last recipient (A1.6)."""
        if self.status in ("awaiting_approval", "rejected") and not self.is_started:
            return
        self.team.emit_gift_step(self, parcel, before)
        status = gift_status(parcel.status)
        if status not in ("sent", gift_status(before)):
            self.note(f"gift.{status}", parcel)
        statuses = [gift_status(each.status) for each in self.parcels]
        order = ("sent", "claimed", "shipped", "delivered", "expired", "rejected", "canceled")
        self.status = min(statuses, key=order.index)


def gift_status(parcel_status: str) -> str:
    """What a gift's recipient reads of a parcel (A1.6)."""
    return GIFT_STATUS.get(parcel_status, parcel_status)


class Batch(Send):
    """A part of a campaign, priced and paid as a whole (T-5.17). It is `prepared` with the prices of that day."""

    kind = "large_campaign"

    def __init__(self, campaign: Campaign, names: Sequence[str]) -> None:
        super().__init__(campaign.team, campaign.key, KIT, names, "US")
        self.campaign, self.status = campaign, "pending"
        self.is_priced = self.needs_price = False

    @property
    def is_open(self) -> bool:
        return self.status in ("prepared", "failed") and self.campaign.status == "approved"

    @property
    def is_outdated(self) -> bool:
        return self.needs_price or self.price != self.price_now

    @property
    def is_unpaid(self) -> bool:
        """Whether it has a price and nobody has paid it, or may have (T-3.6)."""
        return self.status in ("prepared", "failed") and self.payment is None

    def on_paid(self, _payment: Payment) -> None:
        """Its gifts go out; the last batch completes the campaign (A8.8)."""
        self.status = "paid"
        self.team.emit("gift.sent", self.campaign, "sent")
        self.start()
        campaign = self.campaign
        if all(each.status == "paid" for each in campaign.batches) and campaign.status in ("approved", "paused"):
            campaign.end_approval("canceled")
            campaign.status = "completed"

    def on_failed(self) -> None:
        """It can be paid again, unless the campaign was stopped meanwhile (A1.7, A1.8)."""
        if self.campaign.status == "stopped":
            self.drop()
        else:
            self.status = "failed"

    def drop(self) -> None:
        """It is never sent (A1.8)."""
        self.status = "dropped"
        self.cancel_parcels()

    def on_parcel(self, parcel: Parcel, before: str) -> None:
        """The events of a paid batch are those of gifts (G66)."""
        if self.status == "paid":
            self.team.emit_gift_step(self, parcel, before)


class Campaign(Held):
    """A large campaign: prepared, approved and paid batch by batch (T-3.1 to T-3.9, A1.7, A8.8)."""

    kind = "large_campaign"

    def __init__(self, team: Team, key: Key, names: Sequence[str], method: str | None, size: int) -> None:
        super().__init__()
        self.team, self.key, self.method, self.status, self.paused_from = team, key, method, "preparing", ""
        self.batches = [Batch(self, names[i : i + size]) for i in range(0, len(names), size)]

    @property
    def unpaid(self) -> list[Batch]:
        return [each for each in self.batches if each.is_unpaid]

    @property
    def total(self) -> int:
        """What an approval may cost: the batches that are not paid."""
        return sum(each.total for each in self.unpaid)

    def process(self, key: Key, *, crash: bool = False) -> Payment | None:
        """Prepare the next batch; once a human has approved all of them, pay the next one (T-4.170, A8.8)."""
        if self.status == "approved":
            if not self.unpaid:
                raise wrong_state()
            if self.method == TERMS and not key.may_pay:
                raise Refused(403, "insufficient_scope")  # G56
            return self.team.money.pay(self.unpaid[0], self.method or BALANCE, key, crash=crash)
        pending = [each for each in self.batches if each.status == "pending"]
        if self.status != "preparing" or not pending:
            raise wrong_state()
        pending[0].status, pending[0].price, pending[0].is_priced = "prepared", pending[0].price_now, True
        self.ask_when_ready()
        return None

    def reprice(self) -> None:
        """Reprice one unpaid batch; earlier authority ends, and paid batches keep their totals (T-3.1 to T-3.6)."""
        if self.status not in ("preparing", "awaiting_approval", "approved") or not self.unpaid:
            raise wrong_state()
        if self.status != "preparing" or not any(each.needs_price for each in self.unpaid):
            self.end_approval("superseded", ("pending", "approved"))
            self.status = "preparing"
            for batch in self.unpaid:
                batch.needs_price = True
        batch = next(each for each in self.unpaid if each.needs_price)
        batch.price, batch.needs_price, batch.status = batch.price_now, False, "prepared"
        self.ask_when_ready()

    def ask_when_ready(self) -> None:
        """When every batch has its price, a human is asked (T-3.3)."""
        waiting = [each for each in self.batches if each.status == "pending" or (each.is_unpaid and each.needs_price)]
        if not waiting:
            self.status = "awaiting_approval"
            self.team.request(self, self.total)

    def pause(self) -> None:
        """Pausing halts preparation and payment (T-3.8)."""
        if self.status not in ("preparing", "awaiting_approval", "approved"):
            raise wrong_state()
        self.paused_from, self.status = self.status, "paused"

    def resume(self) -> None:
        """It goes on from where it was paused (T-3.9)."""
        if self.status != "paused":
            raise wrong_state()
        self.status = self.paused_from

    def stop(self) -> None:
        """Paid batches continue, the others are dropped (T-3.7, A1.8); one that may be paid waits for its outcome."""
        if self.status in ("completed", "stopped"):
            raise wrong_state()
        self.status = "stopped"
        self.end_approval("canceled")
        for batch in self.batches:
            self.team.money.release(batch)
            if batch.payment is None and batch.status != "dropped":
                batch.drop()
