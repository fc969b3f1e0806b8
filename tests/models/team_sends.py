"""What a team sends, as the documents describe it: orders and gifts, with their approvals and parcels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.models.compare import Learned
from tests.models.team_money import BANK, Bill, Key, Payment, wrong_state

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
APPROVER = "approver@example.com"  # who gets the shared link of an order's open seats
LINK_DAYS = 30  # until a claim link expires (B19)
MADE = ("submitted", "in_production", "labeled", "shipped", "delivered")
PROGRESS = ("approved", "in_production", "shipped", "delivered")
GIFT_STATUS = {
    "awaiting": "sent", "submitted": "claimed", "in_production": "claimed", "labeled": "claimed", "delayed": "claimed",
    "rejected": "canceled",
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
    email: str | None = None
    status: str = "awaiting"
    due: int | None = None
    serial: int = 0
    stages: int = 0  # how far production got, also when it is delayed
    at: dict[str, int] = field(default_factory=dict)  # when it entered a status
    since: int | None = None
    has_bounced: bool = False
    carrier: Learned | None = None
    tracking: Learned | None = None
    id: Learned = field(default_factory=lambda: Learned(int))

    @property
    def was_shipped(self) -> bool:
        """Whether the carrier has it, or had it when it was delayed, rejected or delivered."""
        return "shipped" in self.at


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

    def __init__(self, team: Team) -> None:
        self.team = team
        self.approvals: list[Approval] = []
        self.status = ""
        self.id = Learned(team.id_kind)

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
        Held.__init__(self, team)
        self.items, self.country, self.made_at = tuple(items), country, team.now
        self.parcels = [Parcel(name, email_of(name), id=Learned(team.id_kind)) for name in names]
        self.is_started, self.started_at, self.has_bounced = False, 0, False
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
        """Whether it costs something else by now (T-5.22); what has started is paid again as it was (G435)."""
        return not self.is_started and self.price != self.price_now

    def start(self) -> None:
        """It is paid: claim links open (A8.9), once (G435)."""
        if self.is_started:
            return
        self.is_started, self.started_at = True, self.team.now
        for parcel in self.parcels:
            if parcel.status == "awaiting":
                parcel.since = self.team.now
                self.team.open_link(parcel)
        if any(parcel.email is None for parcel in self.parcels) and self.team.is_live:
            self.team.mails.append((self.team.now, APPROVER, "shared_claim_link"))  # G61

    def cancel_parcels(self) -> None:
        """Cancel what can be canceled: production has not started, or rejected it (P-3.12, G30)."""
        for parcel in self.parcels:
            if is_cancelable(parcel):
                parcel.status, parcel.due = "canceled", None

    def on_parcel(self, parcel: Parcel, before: str) -> None:
        """A parcel has taken a step; `before` is what a gift's recipient read of it."""

    def give_up(self, parcel: Parcel) -> None:
        """By a setting, a gift that cannot arrive is canceled, and its share of the payment goes back (G366)."""
        lost = parcel.status in ("expired", "rejected") and self.is_paid
        if lost and self.payment is not None and self.team.refunds_undeliverable:
            before, parcel.status, parcel.due = gift_status(parcel), "canceled", None
            self.on_parcel(parcel, before)
            self.team.money.refund(self.payment, sum(self.price))

    @property
    def progress(self) -> str:
        """How far it is."""
        return self.status

    def on_late_handover(self, parcel: Parcel, before: str) -> None:
        """The handover of a parcel is reported after its delivery, which took it on from `before` (G433)."""


def email_of(name: str | None) -> str | None:
    """The email of a typed recipient; an open seat has none."""
    return name and f"{name.replace(' ', '').lower()}@example.com"


def before_delivery(send: Send, parcel: Parcel) -> int:
    """When a parcel that is delivered by hand had its steps before: as long ago as transit takes, but not before the
    last thing that happened to it at an earlier instant, nor before its production and label (G357)."""
    now = send.team.now
    happened = [send.made_at, send.started_at, parcel.since, parcel.at.get("submitted")]
    made = [parcel.at[status] for status in ("in_production", "labeled") if status in parcel.at]
    return max([now - NEXT_STEP["shipped"][1], *(at for at in happened if at is not None and at < now), *made])


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
            Line(slug, count, "awaiting_version" if slug in NEEDS_PROOF else None, id=Learned(team.id_kind))
            for slug, count in Counter(items).items()
        ]
        self.method: str | None = None
        self.source = "team"
        self.cancel_reason: str | None = None

    @property
    def is_open(self) -> bool:
        return self.status not in ("canceled", "rejected")

    @property
    def can_be_asked(self) -> bool:
        """Whether there is something to approve: it is unpaid, or a bank has paid it (G59)."""
        by_bank = self.status == "awaiting_approval" and self.payment_status == "paid"
        unpaid = self.payment is None and not self.is_started  # what a bank took back is not approved anew (G435)
        return self.status in ("awaiting_approval", "approved") and (unpaid or by_bank)

    @property
    def needs_proof(self) -> bool:
        return not self.is_started and any(each.proof not in (None, "signed") for each in self.lines)

    def prove(self, line: Line, act: str) -> Order:
        """A version is added, reviewed and signed, until the order is paid or has ended (A1.4, G55)."""
        steps = {"approve": "in_review", "request_changes": "in_review", "sign": "ready_to_sign"}
        if self.is_paid or self.is_started or not self.is_open or line.proof != steps.get(act, line.proof):
            raise wrong_state()
        if act == "version":
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

    def on_late_handover(self, _parcel: Parcel, before: str) -> None:
        """The order's event of the handover is sent late too, if the delivery was its first step so far."""
        if before in ("approved", "in_production") and self.status == "delivered":
            self.team.emit("team_order.shipped", self, "delivered", self.payment_status)

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

    @property
    def can_be_asked(self) -> bool:
        """Whether there is something to approve."""
        return self.status == "awaiting_approval" and self.payment is None

    def note(self, kind: str, parcel: Parcel | None = None, at: int | None = None) -> None:
        """An entry of the timeline, which is in order of time."""
        self.timeline.append((self.team.now if at is None else at, kind, parcel))
        self.timeline.sort(key=lambda entry: entry[0])

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
        status = gift_status(parcel)
        if status not in ("sent", before):
            self.note(f"gift.{status}", parcel, max(self.started_at, parcel.at.get(parcel.status, self.team.now)))
        statuses = [gift_status(each) for each in self.parcels]
        order = ("sent", "claimed", "shipped", "delivered", "expired", "canceled")
        if self.status != "delivered":  # for good (G359)
            self.status = min(statuses, key=order.index)
        self.give_up(parcel)

    def on_late_handover(self, parcel: Parcel, _before: str) -> None:
        """The recipient's step is told late."""
        self.note("gift.shipped", parcel, max(self.started_at, parcel.at["shipped"]))
        self.team.emit("gift.shipped", self, "shipped", parcel)


def gift_status(parcel: Parcel) -> str:
    """What a gift's recipient reads of a parcel (A1.6); one that is late in transit is still shipped (G430)."""
    if parcel.status == "delayed" and parcel.was_shipped:
        return "shipped"
    return GIFT_STATUS.get(parcel.status, parcel.status)
