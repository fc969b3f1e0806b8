"""Team orders: one bundle for many recipients, whose status follows from theirs (P-2.21, P-3.1 to P-3.6, G30, G31)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from giftsim.domain.fulfilment.problem import RecipientNotFound, TeamOrderNotFound
from giftsim.domain.fulfilment.recipient import FIRST_ID as FIRST_RECIPIENT_ID
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    DELIVERED,
    EXPIRED,
    REJECTED,
    SHIPMENTS,
    SHIPPED,
    STATUSES,
    SUBMITTED,
    Shipment,
)
from giftsim.domain.money.account import Account
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

FIRST_ID = 1001
CHANNEL = "partner"

UNPAID, COLLECTING, IN_PROGRESS = "unpaid", "collecting_addresses", "in_progress"
ORDER_STATUSES = (UNPAID, COLLECTING, IN_PROGRESS, SHIPPED, DELIVERED, CANCELED)
CLAIM_LINKS, ADDRESSES = "claim_links", "addresses"


def _word(raw: object) -> str:
    if not isinstance(raw, str) or not raw or raw == CLAIM_LINKS:
        raise ValueError(f"it is written as text, and is not {CLAIM_LINKS}")
    return raw


ADDRESS_MODE = Setting(
    "partner.address_mode", ADDRESSES, _word, "a word", "what address_mode says of orders with addresses (B21)"
)


class Item(msgspec.Struct, frozen=True, gc=False):
    """One line of the bundle at its price; `product` and `sku` are slots.

    `fixed` are (variation id, option id) for everybody, `choices` the variation ids that the recipient picks.
    """

    product: int
    sku: int | None
    code: str
    name: str
    quantity: int
    price_cents: int
    fixed: tuple[tuple[int, int], ...] = ()
    choices: tuple[int, ...] = ()


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One entry of a gift-choice menu: the recipient who picks it gets its items beside the bundle (A7.6)."""

    label: str
    items: tuple[Item, ...]


class Card(msgspec.Struct, frozen=True, gc=False):
    """A printed 5x7 card in every parcel (P-2.12)."""

    message: str | None
    sender: str | None


class Event(msgspec.Struct, frozen=True, gc=False):
    """What the parcels are for, on a UTC day (P-2.13)."""

    date: str
    rush: bool
    kit_assembly: bool


class Fulfilment(Record, frozen=True, gc=False):
    """`tally` counts the rows by status, in the order of STATUSES; `status` follows from it and from the payment.

    Rows stand in consecutive slots from `first_recipient` and `first_shipment` on, the open seats last. `charge` is
    what paid it, or while it is unpaid the charge whose outcome is unknown. `expires_at_ms` is None with addresses.

    It belongs to a channel, whose hook `parcel.{channel}` hears of every step of its parcels. A partner's order has an
    `account` and a `key`; in the other channels it is the fulfilment of the `resource` (`gift` ...) in slot `subject`,
    which is paid in a way of its own, so that `paid_at_ms` only says since when it goes.
    """

    account: int | None
    key: int | None
    made_at_ms: int
    name: str | None
    reference: str | None
    po_number: str | None
    address_mode: str
    items: tuple[Item, ...]
    countries: tuple[str, ...]
    gift_sender: str | None
    gift_message: str | None
    card: Card | None
    event: Event | None
    expiry_days: int
    expires_at_ms: int | None
    open_seats: int
    share_token: str | None
    first_recipient: int
    first_shipment: int
    recipient_count: int
    tally: tuple[int, ...]
    subtotal_cents: int
    shipping_cents: int
    event_fees_cents: int
    status: str = UNPAID
    paid_at_ms: int | None = None
    charge: int | None = None
    wallet_cents: int = 0
    card_cents: int = 0
    refunded_wallet_cents: int = 0
    refunded_card_cents: int = 0
    channel: str = CHANNEL
    resource: str | None = None
    subject: int | None = None
    menu: tuple[Offer, ...] = ()

    @property
    def id(self) -> int:
        return FIRST_ID + self.n

    @property
    def payer(self) -> int:
        """The slot of the account that a partner's order is charged to."""
        if self.account is None:
            raise TypeError(f"{self.ref} of the channel {self.channel} has no account")
        return self.account

    @property
    def quote_number(self) -> str:
        return f"Q-{700_001 + self.n}"

    @property
    def ref(self) -> str:
        return f"team_order {self.id}"

    @property
    def total_cents(self) -> int:
        return self.subtotal_cents + self.shipping_cents + self.event_fees_cents

    @property
    def charged_cents(self) -> int:
        return self.wallet_cents + self.card_cents


def _account_and_status(order: Fulfilment) -> str | None:
    return None if order.account is None else f"{order.account} {order.status}"


FULFILMENTS: TableSpec[Fulfilment] = TableSpec(
    "team orders",
    Fulfilment,
    unique={"share": lambda order: order.share_token},
    groups={"account": lambda order: order.account},
    moving={"status": _account_and_status},
)

_PLACE = {status: i for i, status in enumerate(STATUSES)}

# What the account's webhooks hear when a row comes into a status, with the reason where it needs attention (P-6.1 ff.).
_EVENTS: Final = MappingProxyType(
    {
        SUBMITTED: ("team_order.claimed", None),
        SHIPPED: ("team_order.shipped", None),
        DELIVERED: ("team_order.delivered", None),
        DELAYED: ("team_order.needs_attention", "shipment_delayed"),
        REJECTED: ("team_order.needs_attention", "shipment_rejected"),
        EXPIRED: ("team_order.needs_attention", "claim_link_expired"),
    }
)


def derive(tally: Sequence[int], paid: bool) -> str:
    """The status of an order from its rows' and its payment (G30)."""
    awaiting, _, _, _, shipped, delivered, _, rejected, expired, canceled = tally
    live = sum(tally) - canceled
    if not live:
        return CANCELED
    if not paid:
        return UNPAID
    left = live - expired - rejected
    if not left:
        return COLLECTING if expired else IN_PROGRESS
    if delivered == left:
        return DELIVERED
    if delivered + shipped == left:
        return SHIPPED
    return COLLECTING if awaiting else IN_PROGRESS


def counted(awaiting: int, submitted: int) -> tuple[int, ...]:
    """The tally of a new order."""
    return (awaiting, submitted) + (0,) * (len(STATUSES) - 2)


def summary(order: Fulfilment) -> dict[str, int]:
    """How many rows stand where: a partition that adds up to `total` (G31, P-2.24, P-3.10)."""
    awaiting, submitted, producing, labeled, shipped, delivered, delayed, rejected, expired, canceled = order.tally
    return {
        "total": order.recipient_count,
        "awaiting_address": awaiting,
        "claimed": submitted + producing + labeled + delayed + rejected,
        "shipped": shipped,
        "delivered": delivered,
        "expired": expired,
        "canceled": canceled,
    }


def count(state: State, was: Shipment, shipment: Shipment) -> Fulfilment:
    """A row of an order took a step: the order with its tally and status after that."""
    order = state[FULFILMENTS].get(shipment.owner)
    if was.status == shipment.status:
        return order
    tally = list(order.tally)
    tally[_PLACE[was.status]] -= 1
    tally[_PLACE[shipment.status]] += 1
    status = derive(tally, order.paid_at_ms is not None)
    return state[FULFILMENTS].put(msgspec.structs.replace(order, tally=tuple(tally), status=status))


def follow(state: State, was: Shipment, shipment: Shipment) -> None:
    """Count a step of a partner's row, and tell of it (the hook `parcel.partner`)."""
    order = count(state, was, shipment)
    told = _EVENTS.get(shipment.status)
    if told is not None:
        kind, reason = told
        facts = {} if reason is None else {"reason": reason}
        state.emit(kind, f"account {order.account}", shipment.n, **facts)


def find_order(state: State, account: Account, order_id: int) -> Fulfilment:
    """The account's order of a public id; TeamOrderNotFound otherwise (P-1.9, P-7.18)."""
    order = state[FULFILMENTS].at(order_id - FIRST_ID)
    if order is None or order.account != account.n:
        raise TeamOrderNotFound(f"there is no team order {order_id} on this account")
    return order


def list_orders(
    state: State, account: Account, *, limit: int, offset: int, status: str | None = None
) -> tuple[list[Fulfilment], int]:
    """A page of the account's orders, newest first, and how many there are in all (P-4.2 to P-4.4)."""
    table = state[FULFILMENTS]
    found = table.among("account", account.n) if status is None else table.among("status", f"{account.n} {status}")
    total = len(found)
    last = max(0, total - offset)
    return [table.get(n) for n in reversed(found[max(0, last - limit) : last])], total


def rows(state: State, order: Fulfilment) -> Iterator[tuple[Recipient, Shipment]]:
    """The recipients of an order with their shipments, in the order of the request, open seats last (G29)."""
    recipients, shipments = state[RECIPIENTS], state[SHIPMENTS]
    for place in range(order.recipient_count):
        yield recipients.get(order.first_recipient + place), shipments.get(order.first_shipment + place)


def find_row(state: State, order: Fulfilment, recipient_id: int) -> tuple[Recipient, Shipment]:
    """The recipient of a public id in the order; RecipientNotFound otherwise (P-7.19)."""
    place = recipient_id - FIRST_RECIPIENT_ID - order.first_recipient
    return row_at(state, order, place, f"recipient {recipient_id}")


def row_at(state: State, order: Fulfilment, place: int, said: str = "") -> tuple[Recipient, Shipment]:
    """The recipient at a place from 0; RecipientNotFound otherwise."""
    if not 0 <= place < order.recipient_count:
        raise RecipientNotFound(f"team order {order.id} has no {said or f'recipient at place {place}'}")
    return state[RECIPIENTS].get(order.first_recipient + place), state[SHIPMENTS].get(order.first_shipment + place)


SETTINGS = (ADDRESS_MODE,)
