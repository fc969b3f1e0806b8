"""Create team orders and store orders from requests: held, at current prices (T-4.48, T-4.177, A7.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import ApiKey
from giftsim.services.gifting.domain.fulfilment.offer import Price
from giftsim.services.gifting.domain.fulfilment.order_placement import DESTINATIONS
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, Product
from giftsim.services.gifting.domain.money.charge import ChargeFault
from giftsim.services.gifting.domain.team.billing.billing_profile import HOLD, ON_CEILING
from giftsim.services.gifting.domain.team.billing.invoice import NET_TERMS
from giftsim.services.gifting.domain.team.billing.payment_errors import CeilingExceeded
from giftsim.services.gifting.domain.team.billing.wallet_payment import complete_payment, reserve_payment
from giftsim.services.gifting.domain.team.items import item_slots
from giftsim.services.gifting.domain.team.orders import order_items, team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import AUTO_REQUEST
from giftsim.services.gifting.domain.team.orders.order_approval import request_order_approval
from giftsim.services.gifting.domain.team.orders.order_items import Contents
from giftsim.services.gifting.domain.team.orders.setup import TemplateUse, requested_contents, requested_mode
from giftsim.services.gifting.domain.team.orders.team_fulfilment import recipient_price
from giftsim.services.gifting.domain.team.orders.team_order import (
    BY_STORE,
    BY_TEAM,
    FIRST_ID,
    RESOURCE,
    TEAM_ORDERS,
    TeamOrder,
    add_order_items,
    fulfilment_of,
)
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.team_errors import validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant, public_id


class Quote(msgspec.Struct, frozen=True, gc=False):
    """A quote; `each` is the price for one recipient."""

    collection: str | None
    headcount: int
    countries: tuple[str, ...]
    contents: Contents
    each: Price


def quote_order(state: State, body: Mapping[str, Any]) -> Quote:
    """Quote a collection for a headcount. ValidationFailed for an unknown collection."""
    contents = order_items.from_collection(state, body["collection"])
    countries = tuple(body.get("destination_countries") or state.setting(DESTINATIONS))
    return Quote(
        body["collection"], body["headcount"], countries, contents, recipient_price(state, contents, countries)
    )


def quote_store(state: State, body: Mapping[str, Any]) -> Quote:
    """Quote store items for every recipient in the body, or for one if there is none."""
    contents, countries = store_contents(state, body["items"]), state.setting(DESTINATIONS)
    heads = max(1, len(body.get("recipients", ())))
    return Quote(None, heads, countries, contents, recipient_price(state, contents, countries))


def store_name(state: State, tenant: Tenant) -> str:
    """The store's name."""
    return f"{state[TEAMS].get(tenant.team).name} store"


def store_products(state: State) -> list[Product]:
    """The products of the store, in order of creation."""
    return [state[PRODUCTS].get(n) for n in item_slots(state)]


def store_contents(state: State, lines: Sequence[Mapping[str, Any]]) -> Contents:
    """The contents of `{merchant_product_id, quantity}` lines. ValidationFailed for an unknown product."""
    return order_items.from_lines(state, lines, "items")


def create_order(
    state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any], template: TemplateUse | None = None
) -> TeamOrder:
    """Create a held order. ValidationFailed for an unknown collection or product, and for too many recipients.

    Without a headcount, it is for the recipients. The setting `approvals.auto_request` requests its approval at once,
    unless the request also pays for it.
    """
    recipients = body.get("recipients", ())
    headcount = body.get("headcount", len(recipients))
    if len(recipients) > headcount:
        raise validation_error("recipients", "must be an array of recipients, not more than headcount")
    columns = {name: body.get(name) for name in ("collection", "gift_message", "po_number", "payment_method")}
    order = _add_order(
        state,
        tenant,
        requested_contents(state, body),
        recipients,
        headcount,
        key=key,
        source=BY_TEAM,
        mode=requested_mode(body),
        template=template,
        countries=body.get("destination_countries", ()),
        **columns,
    )
    if order.payment_method is None and state.setting(AUTO_REQUEST):
        request_order_approval(state, order)
    return order


def create_store_order(state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any]) -> TeamOrder:
    """Create a held order of store items, each line for every recipient, and request its approval (0.4)."""
    contents, recipients = store_contents(state, body["items"]), body.get("recipients", ())
    order = _add_order(
        state, tenant, contents, recipients, max(1, len(recipients)), key=key, source=BY_STORE, collection=None
    )
    request_order_approval(state, order)
    return state[TEAM_ORDERS].get(order.n)


def pay_on_terms(state: State, tenant: Tenant, order: TeamOrder, key: ApiKey, fault: ChargeFault) -> None:
    """Pay for a new order on net terms, with the key that created it (A5.2).

    PaymentRefused, except that the setting `on_ceiling` may hold an order above a spending limit (A5.3).
    CrashAfterCharge with the payment uncertain, if `fault` crashes (A8.7).
    """
    try:
        payment = reserve_payment(
            state,
            tenant,
            key=key,
            method=NET_TERMS,
            amount_cents=fulfilment_of(state, order).total_cents,
            resource_type=RESOURCE,
            slot=order.n,
        )
    except CeilingExceeded:
        if state.setting(ON_CEILING) != HOLD:
            raise
        if state.setting(AUTO_REQUEST):
            request_order_approval(state, order)
        return
    complete_payment(state, payment, fault)


def _add_order(
    state: State,
    tenant: Tenant,
    contents: Contents,
    rows: Sequence[Mapping[str, Any]],
    headcount: int,
    *,
    countries: Sequence[str] = (),
    **columns: Any,
) -> TeamOrder:
    n = state[TEAM_ORDERS].next_n
    recipients = [team_fulfilment.NamedRecipient(row["name"], trim_email(row["email"])) for row in rows]
    fulfilment = team_fulfilment.create_fulfilment(
        state,
        tenant,
        RESOURCE,
        n,
        contents,
        recipients,
        seats=headcount - len(recipients),
        message=columns.get("gift_message"),
        countries=countries,
    )
    order_id = public_id(state, tenant, "team_order", n, FIRST_ID)
    order = state[TEAM_ORDERS].add(
        TeamOrder(n, tenant.owner, order_id, state.now_ms, headcount=headcount, fulfilment=fulfilment.n, **columns)
    )
    add_order_items(state, tenant, RESOURCE, n, contents.items)
    return order
