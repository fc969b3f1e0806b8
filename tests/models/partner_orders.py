"""A partner's team order and its parcels: prices, statuses, timetable, and how they are shown (001, 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.models.calendar import Calendar
from tests.models.compare import Learned
from tests.models.partner_money import Account, Charge, Key
from tests.models.partner_timetable import Timetable
from tests.models.partner_webhooks import Json, instant, start_of

SHIPPING = {"US": 800, "CA": 1500, "GB": 1800, "AU": 2200, "DE": 1600, "FR": 1600, "NL": 1600, "IT": 1600, "ES": 1600}
RUSH, KIT_ASSEMBLY = 2500, 300  # B14

# Of a parcel that enters a status, this is reported (P-6.1 to P-6.6).
EVENTS = {
    "shipped": ("team_order.shipped", {}),
    "delivered": ("team_order.delivered", {}),
    "delayed": ("team_order.needs_attention", {"reason": "shipment_delayed"}),
    "rejected": ("team_order.needs_attention", {"reason": "shipment_rejected"}),
    "expired": ("team_order.needs_attention", {"reason": "claim_link_expired"}),
}

# The columns of the manifest that are compared (B35).
MANIFEST = (
    "recipient_id", "name", "email", "address1", "city", "state", "zip", "country", "claim_status", "order_status",
    "carrier", "tracking_number", "shipped_at", "delivered_at", "subtotal_cents", "shipping_cents", "event_fees_cents",
    "total_cents", "po_number", "reference", "quote_number", "event_date", "rush", "on_time",
)  # fmt: skip


def shares(cents: int, rows: int) -> list[int]:
    """Equal parts in whole cents that add up: the first rows get the cents that are left (B15)."""
    return [cents // rows + (place < cents % rows) for place in range(rows)]


@dataclass(eq=False)
class Mail:
    """The mail with a claim link: when it was sent and to whom, and when it bounced."""

    at: int
    to: str
    bounced_at: int | None = None


@dataclass(eq=False)
class Parcel(Timetable):
    """A recipient with claim and parcel. `since` is when its status began, None while the order is unpaid."""

    order: Order
    place: int
    name: str | None
    email: str | None
    address: Json | None
    goods: int
    shipping: int
    fees: int
    ship_on: int | None
    status: str
    has_link: bool
    since: int | None = None
    turn: int = 0
    expires_at: int | None = None
    stage: int = 0
    magic: tuple[int, int, str] | None = None
    at: dict[str, int] = field(default_factory=dict)  # when it entered a status
    shipped_at: int | None = None
    arrives_at: int | None = None  # when it is delayed in transit
    delivered_at: int | None = None
    selection: Json | None = None
    refunded: int = 0
    mail: Mail | None = None  # the one with its link
    id: Learned = field(default_factory=lambda: Learned(int))
    order_id: Learned = field(default_factory=lambda: Learned(int))
    external_id: Learned = field(default_factory=lambda: Learned(str))
    link: Learned = field(default_factory=lambda: Learned(str))
    carrier: Learned | None = None
    tracking: Learned | None = None
    tracking_url: Learned | None = None

    @property
    def cents(self) -> int:
        """The recipient's share of the order's price (B15)."""
        return self.goods + self.shipping + self.fees

    @property
    def can_be_canceled(self) -> bool:
        """Not in production, without a label, not shipped (P-3.11, P-3.12, P-3.16); a rejected one too (G30)."""
        untouched = ("awaiting", "expired", "submitted", "rejected")
        return self.status in untouched or (self.status == "delayed" and self.stage == 0)

    def on_time(self, now: int) -> bool | None:
        """Delivered by the event's date; False as soon as the date has passed (P-2.32, B32)."""
        if self.order.event is None or self.status == "canceled":
            return None
        if self.delivered_at is not None:
            return str(instant(self.delivered_at))[:10] <= str(self.order.event["date"])
        return False if str(instant(now))[:10] > self.order.event["date"] else None

    def row(self, links: bool) -> Json:
        """The recipient in the answer to a create: P-2.27, P-2.28."""
        claim = {
            "status": self.status if self.status in ("awaiting", "expired", "canceled") else "submitted",
            "expires_at": instant(self.expires_at),
        }
        shipment = {
            "order_id": self.order_id, "external_id": self.external_id, "status": self.status,
            "awaiting_address": self.status in ("awaiting", "expired"), "tracking_number": self.tracking,
        }  # fmt: skip
        return {
            "recipient_id": self.id, "name": self.name, "email": self.email, "status": self.status,
            "status_label": self.order.labels[self.status], "shipment": shipment,
            "claim": {**claim, "link": self.link} if links and self.has_link else claim,
        }  # fmt: skip

    def detail(self, links: bool, now: int) -> Json:
        """Reads add address, money, carrier and times: P-2.31, P-2.32, B50."""
        row = self.row(links)
        row["shipment"] |= {
            "carrier": self.carrier, "tracking_url": self.tracking_url, "shipped_at": instant(self.shipped_at),
            "delivered_at": instant(self.delivered_at),
        }  # fmt: skip
        money = {**totals([self]), "refunded_cents": self.refunded}
        day = self.ship_on and str(instant(self.ship_on))[:10]
        return {**row, "address": self.address, "ship_on": day, "money": money, "event": {"on_time": self.on_time(now)}}

    def manifest_row(self, now: int) -> Json:
        """Its row in the manifest, as text (P-2.3, P-4.9, B35)."""
        order, address, shipped = self.order, self.address or {}, (self.shipped_at, self.delivered_at)
        cells = [
            self.id, self.name, self.email, address.get("address1"), address.get("city"), address.get("state"),
            address.get("zip"), address.get("country"),
            self.row(links=False)["claim"]["status"], self.status, self.carrier, self.tracking, *map(instant, shipped),
            self.goods, self.shipping, self.fees, self.cents, order.body.get("po_number"), order.body.get("reference"),
            order.quote, order.event and order.event["date"], order.event and str(order.rush).lower(),
        ]  # fmt: skip
        on_time = self.on_time(now)
        return dict(zip(MANIFEST, map(_text, (*cells, None if on_time is None else str(on_time).lower())), strict=True))

    def ids(self) -> Json:
        """How a cancel names it: P-2.34, G116."""
        return {"recipient_id": self.id, "order_id": self.order_id, "external_id": self.external_id}


@dataclass(eq=False)
class Order:
    """A team order. Its amounts are fixed when it is paid; until then they are those of the live parcels (G32)."""

    key: Key
    body: Json
    countries: list[str]
    event: Json | None
    expiry_days: int
    labels: Mapping[str, Learned]
    lead: Mapping[str, int]
    calendar: Calendar
    made_at: int
    parcels: list[Parcel] = field(default_factory=list)
    paid_at: int | None = None
    charge: Charge | None = None
    fixed_totals: Json | None = None
    wallet_left: int = 0
    card_refunds_at_once: int = 0
    answer: Json | None = None
    id: Learned = field(default_factory=lambda: Learned(int))
    quote: Learned = field(default_factory=lambda: Learned(str))
    shared_link: Learned | None = None
    is_delivered: bool = False

    @property
    def account(self) -> Account:
        return self.key.account

    @property
    def rush(self) -> bool:
        return bool(self.event and self.event.get("rush"))

    @property
    def linked(self) -> bool:
        """No recipient has an address: each gets a claim link, or a seat behind the shared one (001, 1.2)."""
        return not self.body["recipients"][0].get("address")

    @property
    def live(self) -> list[Parcel]:
        return [parcel for parcel in self.parcels if parcel.status != "canceled"]

    @property
    def expires_at(self) -> int | None:
        """When the last of its links expires (G33); null until the payment (G32)."""
        return max((parcel.expires_at for parcel in self.parcels if parcel.expires_at is not None), default=None)

    @property
    def outcome_unknown(self) -> bool:
        return self.charge is not None and self.charge.status == "unknown"

    def note_delivery(self) -> None:
        """Once delivered, it stays so (G359). Call it after each step of a parcel."""
        self.is_delivered = self.status == "delivered"

    @property
    def status(self) -> str:
        """P-3.1 to P-3.6, G30."""
        if self.is_delivered:
            return "delivered"
        if not self.live:
            return "canceled"
        if self.paid_at is None:
            return "unpaid"
        left = {parcel.status for parcel in self.live} - {"expired", "rejected"}
        if not left:
            return "collecting_addresses" if any(each.status == "expired" for each in self.live) else "in_progress"
        if left <= {"shipped", "delivered"}:
            return "delivered" if left == {"delivered"} else "shipped"
        return "collecting_addresses" if "awaiting" in left else "in_progress"

    def totals(self) -> Json:
        return self.fixed_totals or totals(self.live)

    def summary(self) -> Json:
        """Each recipient is counted once (P-2.24, P-3.10, G31)."""
        states = [parcel.status for parcel in self.parcels]
        counted = {
            "total": len(states), "awaiting_address": states.count("awaiting"), "shipped": states.count("shipped"),
            "delivered": states.count("delivered"), "expired": states.count("expired"),
            "canceled": states.count("canceled"),
        }  # fmt: skip
        return {**counted, "claimed": 2 * len(states) - sum(counted.values())}

    def json(self, now: int, *, read: bool, links: bool = False) -> Json:
        """The member team_order: P-2.21."""
        card = self.body.get("card", {})
        members = {
            "id": self.id, "name": self.body.get("name"), "reference": self.body.get("reference"),
            "po_number": self.body.get("po_number"), "quote_number": self.quote, "status": self.status,
            "address_mode": "claim_links" if self.linked else "addresses", "recipient_count": len(self.parcels),
            "destination_countries": self.countries, "printed_card": any(map(str.strip, card.values())),  # P-2.12
            "claim_expires_at": instant(self.expires_at), "event": self._event(now, read), "summary": self.summary(),
            "totals": self.totals(),
        }  # fmt: skip
        return {**members, "shared_claim_link": self.shared_link} if links and self.shared_link else members

    def _event(self, now: int, read: bool) -> Json | None:
        """P-2.13; reads add on_time for all parcels together (B32)."""
        if self.event is None:
            return None
        fees = self.totals()["event_fees_cents"]
        shown = {"event_date": self.event["date"], "rush": self.rush, "fees_cents": fees}
        each = {parcel.on_time(now) for parcel in self.live}
        overall = False if False in each else True if each == {True} else None
        return {**shown, "on_time": overall} if read else shown

    def detail(self, now: int, *, links: bool) -> Json:
        """P-4.6; claim links only on request (P-1.8, P-4.7)."""
        rows = [parcel.detail(links, now) for parcel in self.parcels]
        return {"team_order": self.json(now, read=True, links=links), "recipients": rows}

    def created(self, now: int) -> Json:
        """P-4.1, P-2.26, P-2.29. Claim links only if the request asks for them (P-2.15)."""
        links, account = self.body.get("return_claim_links") is True, self.account
        paid = self.charge if self.paid_at is not None else None
        billing = {
            "billing_mode": account.mode, "wallet_cash_cents": paid.wallet if paid else 0,
            "card_charged_cents": paid.card if paid else 0,
            "new_cash_balance_cents": paid.balance_after if paid else account.wallet,
            "payment_transaction_id": paid.transaction if paid else None,
        }  # fmt: skip
        return {
            "team_order": self.json(now, read=False, links=links),
            "recipients": [parcel.row(links) for parcel in self.parcels],
            "totals": {**self.totals(), "charged_cents": paid.cents if paid else 0},
            "billing": billing,
        }

    def event_data(self, parcel: Parcel, at: int, facts: Json) -> Json:
        """The data of a webhook about a parcel, as it is now: P-2.42 to P-2.45."""
        return {
            "team_order": {
                "id": self.id, "name": self.body.get("name"), "reference": self.body.get("reference"),
                "recipient_count": len(self.parcels),
            },
            "recipient": {
                "id": parcel.id, "name": parcel.name, "email": parcel.email, "selection": parcel.selection,
            },
            "shipment": {
                "order_id": parcel.order_id, "external_id": parcel.external_id, "status": parcel.status,
                "country": parcel.address["country"] if parcel.address else None, "carrier": parcel.carrier,
                "tracking_number": parcel.tracking, "tracking_url": parcel.tracking_url,
                "shipped_at": instant(parcel.shipped_at), "delivered_at": instant(parcel.delivered_at),
            },
            "occurred_at": instant(at), **facts,
        }  # fmt: skip


def totals(parcels: Sequence[Parcel]) -> Json:
    """Whole cents; the total is the sum of the others (P-2.25)."""
    goods, shipping, fees = (sum(getattr(each, name) for each in parcels) for name in ("goods", "shipping", "fees"))
    return {
        "subtotal_cents": goods, "shipping_cents": shipping, "event_fees_cents": fees,
        "total_cents": goods + shipping + fees,
    }  # fmt: skip


def new_order(
    key: Key, body: Json, prices: Mapping[str, int], labels: Mapping[str, Learned], lead: Mapping[str, int],
    calendar: Calendar, now: int,
) -> Order:  # fmt: skip
    """An order of a valid body, unpaid, with a share of the price for each recipient (P-2.7, P-2.20, B14, B15)."""
    unit = sum(prices[code_of(item)] * item.get("quantity", 1) for item in body["items"])
    addresses = [row.get("address") for row in body["recipients"]]
    seats = body.get("open_seats") or 0
    if addresses[0]:
        countries = list(dict.fromkeys(address["country"] for address in addresses))  # G34
    else:
        countries = body.get("destination_countries") or ["US"]
    event = body.get("event")
    order = Order(key, body, countries, event, body.get("claim_expiry_days") or 30, labels, lead, calendar, now)  # B19
    rows: list[Json] = [*body["recipients"], *({} for _ in range(seats))]  # open seats come last (P-2.8, G29)
    fees = [0] * len(rows)
    if event:  # rush once per order, kit assembly for each recipient (P-2.14, B14)
        extra = KIT_ASSEMBLY if event.get("kit_assembly") else 0
        fees = [share + extra for share in shares(RUSH if event.get("rush") else 0, len(rows))]
    for place, row in enumerate(rows):
        address = row.get("address")
        order.parcels.append(
            Parcel(
                order, place, row.get("name"), row.get("email"), address and {"state": None, **address},
                goods=unit * (row.get("quantity", 1) if address else 1),
                # with links the country is not known yet, so the dearest one counts (B14)
                shipping=SHIPPING[address["country"]] if address else max(SHIPPING[each] for each in countries),
                fees=fees[place], ship_on=start_of(row["ship_on"]) if address and "ship_on" in row else None,
                status="submitted" if address else "awaiting",
                has_link=bool(row) and not address,
            )
        )  # fmt: skip
    order.shared_link = Learned(str) if seats else None
    return order


def code_of(item: Json) -> str:
    """What an item names: an SKU by its code, or a product by its id (P-2.4, P-2.5)."""
    return str(item.get("sku_code") or item.get("merchant_product_id") or "")


def _text(cell: Any) -> Any:
    """A cell of the manifest."""
    if isinstance(cell, Learned):
        return cell if cell.kind is str else str(cell.value)
    return "" if cell is None else str(cell)
