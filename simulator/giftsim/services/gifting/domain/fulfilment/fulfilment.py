"""Fulfilments: one bundle of items sent to many recipients (P-2.21, P-3.1 to P-3.6, G30, G31).

A fulfilment is the record behind a partner's team order, a team's order, a gift and a campaign batch. Its status is
derived from its shipments and its payment. A *row* of it is a recipient with its shipment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.index import Partitioned
from giftsim.engine.kernel.setting import Setting, flag
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.order_errors import RecipientNotFound, TeamOrderNotFound
from giftsim.services.gifting.domain.fulfilment.recipient import FIRST_ID as FIRST_RECIPIENT_ID
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
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
from giftsim.services.gifting.domain.money.account import Account, account_owner

FIRST_ID = 1001
CHANNEL = "partner"

UNPAID, COLLECTING, IN_PROGRESS = "unpaid", "collecting_addresses", "in_progress"
ORDER_STATUSES = (UNPAID, COLLECTING, IN_PROGRESS, SHIPPED, DELIVERED, CANCELED)
CLAIM_LINKS, ADDRESSES = "claim_links", "addresses"


def _parse_address_mode(raw: object) -> str:
    if not isinstance(raw, str) or not raw or raw == CLAIM_LINKS:
        raise ValueError(f"it must be a non-empty string other than {CLAIM_LINKS}")
    return raw


ADDRESS_MODE = Setting(
    "partner.address_mode",
    ADDRESSES,
    _parse_address_mode,
    "a word",
    "the value of address_mode in orders whose recipients have addresses (B21)",
)


BACK_FROM_DELIVERED = flag(
    "status.back_from_delivered",
    False,
    "whether an order or gift that is delivered goes back when another of its recipients is awaited or claims (G359)",
)


class Item(msgspec.Struct, frozen=True, gc=False):
    """One line of the bundle with its price; `product` and `sku` are slots.

    `fixed` are the (variation id, option id) pairs that the order chose. `choices` are the ids of the variations that
    each recipient chooses.
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
    """One entry of a gift-choice menu; the recipient who picks it gets its items in addition to the bundle (A7.6)."""

    label: str
    items: tuple[Item, ...]


class Card(msgspec.Struct, frozen=True, gc=False):
    """A printed 5x7 card in every parcel (P-2.12)."""

    message: str | None
    sender: str | None


def has_print(card: Any) -> bool:
    """Whether a request's `card` has anything to print: without, no card is in the parcels (G182)."""
    texts = (card.get("message"), card.get("sender")) if isinstance(card, Mapping) else ()
    return any(isinstance(text, str) and text.strip() for text in texts)


class Party(msgspec.Struct, frozen=True, gc=False):
    """The event that the parcels are for, such as a party; `date` is a UTC date (P-2.13)."""

    date: str
    rush: bool
    kit_assembly: bool


class Fulfilment(Record, frozen=True, gc=False, rename={"party": "event"}):
    """Items, recipients and amounts of one bundle.

    `tally` counts the rows by status, in the order of STATUSES. `status` is derived from it and from the payment.
    The rows have consecutive slots, starting at `first_recipient` and `first_shipment`; open seats come last.
    `charge` is the slot of the charge that paid it or, while it is unpaid, of the charge whose outcome is unknown.
    `expires_at_ms` is None while it is unpaid, and when recipients have addresses.

    Every row of the table is a PartnerOrder or a TeamFulfilment. Both have all the columns, so that they share one
    table with its public ids, and fingerprints are the same for both.
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
    party: Party | None
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


class PartnerOrder(Fulfilment, frozen=True, gc=False):
    """A partner's team order, in the channel `partner`: `key` (a slot) created it, and `account` (a slot) pays."""

    account: int
    key: int


class TeamFulfilment(Fulfilment, frozen=True, gc=False):
    """The fulfilment of what a team sends: the `resource` (`team_order`, `gift` or `batch`) in slot `subject`.

    The team pays for the resource, so nothing is charged here: `paid_at_ms` is when the fulfilment started.
    """

    resource: str = ""
    subject: int = 0


_INDEX = {status: i for i, status in enumerate(STATUSES)}
TROUBLE, UNCLAIMED = "trouble", "unclaimed"  # keys of the index `need`, beside UNPAID


def _need(order: Fulfilment) -> str | None:
    """What an order needs: payment by a partner, help with a parcel, or an address; None if it needs nothing."""
    awaiting, _, _, _, _, _, delayed, rejected, expired, _ = order.tally
    is_paid = order.paid_at_ms is not None
    if is_paid and not (awaiting or delayed or rejected or expired):
        return None  # as most orders, at each of their steps
    status = order.status
    if status in (DELIVERED, CANCELED) or order.resource not in (None, "team_order"):
        return None
    if status == UNPAID and order.account is not None:
        return UNPAID
    if delayed or rejected or expired:
        return TROUBLE
    return UNCLAIMED if awaiting and is_paid else None


FULFILMENTS: TableSpec[Fulfilment] = TableSpec(
    "team orders",
    Fulfilment,
    unique={"share": "share_token"},
    groups={"account": "account"},
    moving={
        "status": Partitioned(("account", "status")),
        "need": Partitioned(_need),
    },
)

# The webhook event of a row that enters a status, with the reason where it needs attention (P-6.1 ff.).
_EVENTS: Final = {
    SUBMITTED: ("team_order.claimed", None),
    SHIPPED: ("team_order.shipped", None),
    DELIVERED: ("team_order.delivered", None),
    DELAYED: ("team_order.needs_attention", "shipment_delayed"),
    REJECTED: ("team_order.needs_attention", "shipment_rejected"),
    EXPIRED: ("team_order.needs_attention", "claim_link_expired"),
}


def partner_order(state: State, n: int) -> PartnerOrder:
    """The partner's order in a slot that is known to hold one."""
    order = state[FULFILMENTS].get(n)
    assert isinstance(order, PartnerOrder)
    return order


def derive_status(tally: Sequence[int], paid: bool) -> str:
    """The status of an order, derived from the statuses of its rows and its payment (G30)."""
    awaiting, _, _, _, shipped, delivered, _, rejected, expired, canceled = tally
    active = sum(tally) - canceled
    if not active:
        return CANCELED
    if not paid:
        return UNPAID
    remaining = active - expired - rejected
    if not remaining:
        return COLLECTING if expired else IN_PROGRESS
    if delivered == remaining:
        return DELIVERED
    if delivered + shipped == remaining:
        return SHIPPED
    return COLLECTING if awaiting else IN_PROGRESS


@lru_cache(64)  # new orders of one size share it
def initial_tally(awaiting: int, submitted: int) -> tuple[int, ...]:
    """The tally of a new order."""
    return (awaiting, submitted) + (0,) * (len(STATUSES) - 2)


def recipient_counts(order: Fulfilment) -> dict[str, int]:
    """The number of recipients in each stage; the stages add up to `total` (G31, P-2.24, P-3.10)."""
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


def update_tally(state: State, before: Shipment, shipment: Shipment) -> Fulfilment:
    """Update the tally and status of a shipment's fulfilment after a step of the shipment."""
    order = state[FULFILMENTS].get(shipment.owner)
    if before.status == shipment.status:
        return order
    tally, status = _after_step(order.tally, before.status, shipment.status, order.paid_at_ms is not None)
    if stays_delivered(state, order.status):
        status = DELIVERED
    return state[FULFILMENTS].put(msgspec.structs.replace(order, tally=tally, status=status))


def stays_delivered(state: State, status: str) -> bool:
    """Whether an order or gift of this status stays as it is, whatever its parcels do: once delivered (G359)."""
    return status == DELIVERED and not state.setting(BACK_FROM_DELIVERED)


@lru_cache(4_096)  # most orders are small, so that they take the same steps and share their tallies
def _after_step(tally: tuple[int, ...], before: str, after: str, paid: bool) -> tuple[tuple[int, ...], str]:
    """The tally after one row has gone from a status to another, and the status that follows."""
    counts = list(tally)
    counts[_INDEX[before]] -= 1
    counts[_INDEX[after]] += 1
    return tuple(counts), derive_status(counts, paid)


def on_shipment_step(state: State, before: Shipment, shipment: Shipment) -> None:
    """Update the order of a partner's shipment after a step, and emit the webhook event of the new status.

    After a link has expired the account enters the address, which does not make an event (P-6.1, G33).
    """
    order = update_tally(state, before, shipment)
    if shipment.status in _EVENTS and (before.status, shipment.status) != (EXPIRED, SUBMITTED):
        emit_step(state, order, shipment)


def emit_step(state: State, order: Fulfilment, shipment: Shipment) -> None:
    """Emit the webhook event of the status of a partner's shipment, if it has one."""
    event = _EVENTS.get(shipment.status)
    if event is not None:
        kind, reason = event
        facts = {} if reason is None else {"reason": reason}
        state.emit(kind, account_owner(partner_order(state, order.n).account), shipment.n, **facts)


def recipient_rows(state: State, order: Fulfilment) -> Iterator[tuple[Recipient, Shipment]]:
    """The recipients with their shipments, in the order of the request; open seats come last (G29)."""
    recipients = state[RECIPIENTS].span(order.first_recipient, order.recipient_count)
    return zip(recipients, state[SHIPMENTS].span(order.first_shipment, order.recipient_count))


def parcel_slots(order: Fulfilment) -> range:
    """The slots of the shipments of an order."""
    return range(order.first_shipment, order.first_shipment + order.recipient_count)


def find_recipient_row(state: State, order: Fulfilment, recipient_id: int) -> tuple[Recipient, Shipment]:
    """The order's recipient with a public id; RecipientNotFound if it has none (P-7.19)."""
    place = recipient_id - FIRST_RECIPIENT_ID - order.first_recipient
    return recipient_row_at(state, order, place, f"recipient {recipient_id}")


def recipient_row_at(state: State, order: Fulfilment, place: int, label: str = "") -> tuple[Recipient, Shipment]:
    """The recipient at a place, counted from 0; RecipientNotFound if there is none. `label` names it in the error."""
    if not 0 <= place < order.recipient_count:
        raise RecipientNotFound(f"team order {order.id} has no {label or f'recipient at place {place}'}")
    return state[RECIPIENTS].get(order.first_recipient + place), state[SHIPMENTS].get(order.first_shipment + place)


SETTINGS = (ADDRESS_MODE, BACK_FROM_DELIVERED)


def find_account_order(state: State, account: Account, order_id: int) -> PartnerOrder:
    """The account's order with a public id; TeamOrderNotFound if it has none (P-1.9, P-7.18)."""
    order = state[FULFILMENTS].at(order_id - FIRST_ID)
    if not isinstance(order, PartnerOrder) or order.account != account.n:
        raise TeamOrderNotFound(f"there is no team order {order_id} on this account")
    return order


def list_account_orders(
    state: State, account: Account, *, limit: int, offset: int, status: str | None = None
) -> tuple[list[Fulfilment], int]:
    """A page of the account's orders, newest first, and the number of all of them (P-4.2 to P-4.4)."""
    table = state[FULFILMENTS]
    if status is None:
        slots = table.slots_in("account", account.n)
    else:
        slots = table.slots_in("status", f"{account.n} {status}")
    total = len(slots)
    end = max(0, total - offset)
    return [table.get(n) for n in reversed(slots[max(0, end - limit) : end])], total
