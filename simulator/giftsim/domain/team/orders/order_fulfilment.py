"""Fulfilment: how what a team sends gets to its recipients, on the rows, links and parcels of partners' orders.

A fulfilment is a TeamOrder of the channel `team`, or `sandbox` for a test key's. It is placed unpaid, so that it is
held: its links do not work and nothing falls due. `start` sets it going; a sandbox's never goes, and moves only by
sandbox events. FULFILMENT_CHANGED is called for each step of its parcels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from giftsim.domain.fulfilment.fulfilment import CLAIM_LINKS, FULFILMENTS, Fulfilment, recipient_rows, update_tally
from giftsim.domain.fulfilment.payment import start_fulfilment
from giftsim.domain.fulfilment.placement import (
    DESTINATIONS,
    EXPIRY_DAYS,
    OPEN_SEAT,
    RequestedRow,
    add_fulfilment,
    fulfilment_columns,
)
from giftsim.domain.fulfilment.pricing import Price, link_shipping_cents
from giftsim.domain.fulfilment.recipient import FIRST_ID as FIRST_RECIPIENT_ID
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import SHIPMENTS, Shipment, is_cancelable, transition
from giftsim.domain.team.orders.order_items import Contents, at_current_prices
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id, Tenant, public_id
from giftsim.kernel.instants import DAY
from giftsim.kernel.signals import KeyedSignal, Signal
from giftsim.kernel.state import State

TEAM, SANDBOX = "team", "sandbox"


def team_name(state: State, tenant: Tenant) -> str:
    """The team's name, which gifts come from unless the team has another name for its recipients."""
    return state[TEAMS].get(tenant.team).name


# Who gifts come from.
SENDER: Signal[Callable[[State, Tenant], str]] = Signal("sender", team_name)
# A parcel of a fulfilment took a step: the shipment before and after; by the type of the record it fulfils.
FULFILMENT_CHANGED: KeyedSignal[Callable[[State, Fulfilment, Shipment, Shipment], None]] = KeyedSignal(
    "fulfilment_changed"
)
# The record (a slot) that a fulfilment is for, as a response names it: (member, public id); by the record's type.
FULFILLED_ID: KeyedSignal[Callable[[State, int], tuple[str, Id]]] = KeyedSignal("fulfilled_id")


class NamedRecipient(msgspec.Struct, frozen=True, gc=False):
    """A recipient by name, with the address that the claim link is mailed to."""

    name: str
    email: str


def create_fulfilment(
    state: State, tenant: Tenant, resource: str, subject: int, goods: Contents, guests: Sequence[NamedRecipient], *, seats: int = 0,
    message: str | None = None, countries: Sequence[str] = (),
) -> Fulfilment:  # fmt: skip
    """A held fulfilment of the record in slot `subject`: a row for each guest with a link of their own, then `seats`.

    Recipients may be in `countries`, else in those of the setting `partner.destination_countries`.
    """
    bound = tuple(countries) or state.setting(DESTINATIONS)
    people = [RequestedRow({"name": guest.name, "email": guest.email}, None, 1) for guest in guests]
    found = (*people, *(OPEN_SEAT,) * seats)
    prices = (recipient_price(state, goods, bound),) * len(found)
    days = state.setting(EXPIRY_DAYS)
    order = Fulfilment(
        account=None, key=None, name=None, reference=None, po_number=None, address_mode=CLAIM_LINKS,
        items=goods.items, countries=bound, gift_sender=sender_name(state, tenant), gift_message=message, card=None,
        event=None, expiry_days=days, expires_at_ms=state.now_ms + days * DAY,
        channel=TEAM if tenant.livemode else SANDBOX, resource=resource, subject=subject, menu=goods.menu,
        **fulfilment_columns(state, found, prices, seats),
    )  # fmt: skip
    return add_fulfilment(state, order, found, prices)


def sender_name(state: State, tenant: Tenant) -> str:
    """Who gifts come from."""
    return state.handler(SENDER)(state, tenant)


def recipient_price(state: State, goods: Contents, countries: Sequence[str]) -> Price:
    """What one recipient costs: the goods, and a parcel to the dearest of the countries (A5.1)."""
    return Price(goods.cents, link_shipping_cents(state, countries), 0)


def contents_of(order: Fulfilment) -> Contents:
    """What the fulfilment sends, at the prices it was made at."""
    return Contents(order.items, order.menu)


def price_changed(state: State, order: Fulfilment) -> bool:
    """Whether a recipient would cost something else today than when the fulfilment was priced."""
    row = state[RECIPIENTS].get(order.first_recipient)
    now = recipient_price(state, at_current_prices(state, contents_of(order)), order.countries)
    return (now.subtotal_cents, now.shipping_cents) != (row.subtotal_cents, row.shipping_cents)


def reprice(state: State, order: Fulfilment) -> Fulfilment:
    """An unpaid fulfilment at today's prices."""
    goods = at_current_prices(state, contents_of(order))
    now = recipient_price(state, goods, order.countries)
    for recipient, _ in list(recipient_rows(state, order)):
        state[RECIPIENTS].put(
            msgspec.structs.replace(
                recipient, subtotal_cents=now.subtotal_cents, shipping_cents=now.shipping_cents
            )
        )  # fmt: skip
    return state[FULFILMENTS].put(
        msgspec.structs.replace(
            order, items=goods.items, menu=goods.menu, subtotal_cents=now.subtotal_cents * order.recipient_count,
            shipping_cents=now.shipping_cents * order.recipient_count,
        )
    )  # fmt: skip


def start(state: State, order: Fulfilment) -> Fulfilment:
    """From now on links work and are mailed (A8.9), and parcels run by the clock; a sandbox's stays as it is."""
    return order if order.channel == SANDBOX else start_fulfilment(state, order)


def cancel_remaining(state: State, order: Fulfilment) -> None:
    """Cancel every row that still can be; what was paid for it is another matter."""
    for _, shipment in list(recipient_rows(state, order)):
        if is_cancelable(state, shipment):
            transition(state, shipment, "cancel")


def named_recipients(state: State, order: Fulfilment) -> list[tuple[Recipient, Shipment]]:
    """The rows of recipients with a name, in order: who was named in the request, then who took an open seat."""
    recipients = [state[RECIPIENTS].get(order.first_recipient + place) for place in range(order.recipient_count)]
    return [(row, state[SHIPMENTS].get(row.shipment)) for row in recipients if row.name is not None]


def recipient_id(state: State, order: Fulfilment, n: int) -> Id:
    """The public id of the fulfilment's recipient in slot `n`, in the type of the mode (0.7)."""
    tenant = Tenant("", 0, order.channel != SANDBOX)  # whose it is plays no part
    return public_id(state, tenant, "recipient", n, FIRST_RECIPIENT_ID)


def on_shipment_changed(state: State, was: Shipment, shipment: Shipment) -> None:
    """Count a step of a row, and tell whom the fulfilment is for (handles SHIPMENT_CHANGED)."""
    order = update_tally(state, was, shipment)
    state.handler_of(FULFILMENT_CHANGED, order.resource or "")(state, order, was, shipment)
