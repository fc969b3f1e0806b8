"""The fulfilment of what a team sends, by the same recipients, claim links and shipments as partner orders.

Its channel is `team`, or `sandbox` for a test key. It is created unpaid and is held: its claim links do not work and
no timer runs. `activate_fulfilment` starts it, except in a sandbox, where only sandbox events move it.
FULFILMENT_CHANGED is called for each transition of its shipments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.signals import KeyedSignal, Signal
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    CLAIM_LINKS,
    FULFILMENTS,
    Fulfilment,
    TeamFulfilment,
    recipient_rows,
    update_tally,
)
from giftsim.services.gifting.domain.fulfilment.offer import Price, link_shipping_cents
from giftsim.services.gifting.domain.fulfilment.order_charge import start_fulfilment
from giftsim.services.gifting.domain.fulfilment.order_placement import (
    DESTINATIONS,
    EXPIRY_DAYS,
    OPEN_SEAT,
    RequestedRow,
    add_fulfilment,
    row_columns,
)
from giftsim.services.gifting.domain.fulfilment.recipient import FIRST_ID as FIRST_RECIPIENT_ID
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import (
    CANCELED,
    DELAYED,
    EXPIRED,
    REJECTED,
    SHIPMENTS,
    SHIPPED,
    STATUSES,
    Shipment,
    is_cancelable,
    take_step,
)
from giftsim.services.gifting.domain.team.billing.payment import SETTLED, payment_of
from giftsim.services.gifting.domain.team.billing.wallet_payment import refund_payment
from giftsim.services.gifting.domain.team.orders.order_items import Contents, at_current_prices
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.tenant import Id, Tenant, public_id

TEAM, SANDBOX = "team", "sandbox"
_DELAYED, _SHIPPED = STATUSES.index(DELAYED), STATUSES.index(SHIPPED)

REFUND_UNDELIVERABLE = flag(
    "gifts.refund_undeliverable",
    False,
    "whether a gift whose link expires or that production refuses is canceled, and its share refunded (G366)",
)
SETTINGS = (REFUND_UNDELIVERABLE,)


def team_name(state: State, tenant: Tenant) -> str:
    """The team's name, which recipients see as the sender unless its branding has another."""
    return state[TEAMS].get(tenant.team).name


# The name that recipients see as the sender.
SENDER: Signal[Callable[[State, Tenant], str]] = Signal("sender", team_name)
# A shipment of a fulfilment made a transition: the shipment before and after; keyed by the fulfilled record's type.
FULFILMENT_CHANGED: KeyedSignal[Callable[[State, TeamFulfilment, Shipment, Shipment], None]] = KeyedSignal(
    "fulfilment_changed"
)
# The kind and the public id by which responses name the fulfilled record (a slot); keyed by the record's type.
FULFILLED_RECORD: KeyedSignal[Callable[[State, int], tuple[str, Id]]] = KeyedSignal("fulfilled_record")
# The owner of the fulfilled record (a slot); keyed by the record's type.
FULFILLED_OWNER: KeyedSignal[Callable[[State, int], str]] = KeyedSignal("fulfilled_owner")


class NamedRecipient(msgspec.Struct, frozen=True, gc=False):
    """A recipient with a name, and the email address that the claim link is sent to."""

    name: str
    email: str


def create_fulfilment(
    state: State,
    tenant: Tenant,
    resource: str,
    subject: int,
    contents: Contents,
    recipients: Sequence[NamedRecipient],
    *,
    seats: int = 0,
    message: str | None = None,
    countries: Sequence[str] = (),
) -> Fulfilment:
    """Create a held fulfilment of the record in slot `subject`, for named recipients and then `seats` open seats."""
    destinations = tuple(countries) or state.setting(DESTINATIONS)
    rows = (*map(_row, recipients), *(OPEN_SEAT,) * seats)
    prices = (recipient_price(state, contents, destinations),) * len(rows)
    fulfilment = TeamFulfilment(
        n=state[FULFILMENTS].next_n,
        account=None,
        key=None,
        made_at_ms=state.now_ms,
        name=None,
        reference=None,
        po_number=None,
        address_mode=CLAIM_LINKS,
        items=contents.items,
        countries=destinations,
        gift_sender=sender_name(state, tenant),
        gift_message=message,
        card=None,
        party=None,
        expiry_days=state.setting(EXPIRY_DAYS),
        expires_at_ms=None,
        **row_columns(state, rows, prices, seats),
        channel=TEAM if tenant.livemode else SANDBOX,
        resource=resource,
        subject=subject,
        menu=contents.menu,
    )
    return add_fulfilment(state, fulfilment, rows, prices)


def _row(recipient: NamedRecipient) -> RequestedRow:
    return RequestedRow({"name": recipient.name, "email": recipient.email}, None)


def sender_name(state: State, tenant: Tenant) -> str:
    """The name that recipients see as the sender."""
    return state.handler(SENDER)(state, tenant)


def recipient_price(state: State, contents: Contents, countries: Sequence[str]) -> Price:
    """The price for one recipient: the contents, and shipping to the most expensive of the countries (A5.1)."""
    return Price(contents.cents, link_shipping_cents(state, countries), 0)


def contents_of(fulfilment: Fulfilment) -> Contents:
    """What a fulfilment sends, at the prices it has."""
    return Contents(fulfilment.items, fulfilment.menu)


def price_changed(state: State, fulfilment: Fulfilment) -> bool:
    """Whether the price for one recipient has changed since the fulfilment was priced."""
    row = state[RECIPIENTS].get(fulfilment.first_recipient)
    current = recipient_price(state, at_current_prices(state, contents_of(fulfilment)), fulfilment.countries)
    return (current.subtotal_cents, current.shipping_cents) != (row.subtotal_cents, row.shipping_cents)


def reprice_fulfilment(state: State, fulfilment: Fulfilment) -> Fulfilment:
    """Reprice an unpaid fulfilment at current prices."""
    contents = at_current_prices(state, contents_of(fulfilment))
    current = recipient_price(state, contents, fulfilment.countries)
    for recipient, _ in list(recipient_rows(state, fulfilment)):
        state[RECIPIENTS].put(
            msgspec.structs.replace(
                recipient, subtotal_cents=current.subtotal_cents, shipping_cents=current.shipping_cents
            )
        )
    return state[FULFILMENTS].put(
        msgspec.structs.replace(
            fulfilment,
            items=contents.items,
            menu=contents.menu,
            subtotal_cents=current.subtotal_cents * fulfilment.recipient_count,
            shipping_cents=current.shipping_cents * fulfilment.recipient_count,
        )
    )


def activate_fulfilment(state: State, fulfilment: Fulfilment) -> Fulfilment:
    """Activate and mail the claim links (A8.9) and start the shipments' timers, except in a sandbox."""
    return fulfilment if fulfilment.channel == SANDBOX else start_fulfilment(state, fulfilment)


def has_started(fulfilment: Fulfilment) -> bool:
    """Whether a fulfilment was activated, also if what paid for it has gone back to its bank. Never in a sandbox."""
    return fulfilment.paid_at_ms is not None


def all_cancelable(state: State, fulfilment: Fulfilment) -> bool:
    """Whether each shipment is canceled or can be canceled."""
    shipments = [shipment for _, shipment in recipient_rows(state, fulfilment)]
    return all(shipment.status == CANCELED or is_cancelable(state, shipment) for shipment in shipments)


def cancel_remaining(state: State, fulfilment: Fulfilment) -> None:
    """Cancel every shipment that still can be canceled, without a refund."""
    for _, shipment in list(recipient_rows(state, fulfilment)):
        if is_cancelable(state, shipment):
            take_step(state, shipment, "cancel")


def give_up(state: State, fulfilment: TeamFulfilment, shipment: Shipment) -> None:
    """Cancel a gift that cannot arrive and refund its share of a settled payment, if the setting says so (G366)."""
    payment = payment_of(state, fulfilment.resource, fulfilment.subject)
    cannot_arrive = shipment.status in (EXPIRED, REJECTED) and shipment.recipient is not None
    if not cannot_arrive or payment is None or payment.status != SETTLED or not state.setting(REFUND_UNDELIVERABLE):
        return
    take_step(state, shipment, "cancel")
    refund_payment(state, payment, state[RECIPIENTS].get(shipment.recipient or 0).total_cents)


def tally_of_gifts(state: State, fulfilment: Fulfilment) -> Sequence[int]:
    """The tally as gifts count it: shipments that are delayed in transit are still shipped (G430)."""
    if not fulfilment.tally[_DELAYED]:
        return fulfilment.tally
    tally, parcels = (
        list(fulfilment.tally),
        state[SHIPMENTS].span(fulfilment.first_shipment, fulfilment.recipient_count),
    )
    late = sum(parcel.status == DELAYED and parcel.shipped_at_ms is not None for parcel in parcels)
    tally[_DELAYED] -= late
    tally[_SHIPPED] += late
    return tally


def named_recipients(state: State, fulfilment: Fulfilment) -> list[tuple[Recipient, Shipment]]:
    """The recipients with a name and their shipments: first those of the request, then those of open seats."""
    recipients = [
        state[RECIPIENTS].get(fulfilment.first_recipient + place) for place in range(fulfilment.recipient_count)
    ]
    return [(row, state[SHIPMENTS].get(row.shipment)) for row in recipients if row.name is not None]


def recipient_id(state: State, fulfilment: Fulfilment, n: int) -> Id:
    """The public id of the recipient in slot `n`: an integer, or a UUID in a sandbox (0.7)."""
    tenant = Tenant("", 0, fulfilment.channel != SANDBOX)  # the id depends on the mode alone
    return public_id(state, tenant, "recipient", n, FIRST_RECIPIENT_ID)


def on_shipment_changed(state: State, before: Shipment, shipment: Shipment) -> None:
    """Update the fulfilment's tally and call FULFILMENT_CHANGED (handles SHIPMENT_CHANGED)."""
    fulfilment = update_tally(state, before, shipment)
    assert isinstance(fulfilment, TeamFulfilment)
    state.handler_of(FULFILMENT_CHANGED, fulfilment.resource)(state, fulfilment, before, shipment)
