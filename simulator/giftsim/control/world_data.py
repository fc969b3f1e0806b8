"""Records of a world as JSON: orders, parcels, payments, ledger, accounts, catalogue and endpoints (G40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from giftsim.control import money
from giftsim.control.credentials import credential_name
from giftsim.control.labels import order_reference
from giftsim.control.order_lookup import ORDER_MEMBERS, named_orders
from giftsim.control.pagination import filtered_page, page, rows_of_table, search
from giftsim.control.paid_subject import paid_subject
from giftsim.control.problem import CampaignNotFound, GiftNotFound
from giftsim.control.world_access import current_state
from giftsim.domain.api_key import API_KEYS
from giftsim.domain.fulfilment.fulfilment import FIRST_ID as FIRST_ORDER
from giftsim.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Card,
    Fulfilment,
    TeamFulfilment,
    parcel_slots,
    partner_order,
    recipient_counts,
)
from giftsim.domain.fulfilment.order_charge import PURPOSE
from giftsim.domain.fulfilment.problem import TeamOrderNotFound
from giftsim.domain.fulfilment.products import PRODUCTS, REVIEWS, SKUS, Product
from giftsim.domain.fulfilment.recipient import RECIPIENTS, claim_path
from giftsim.domain.fulfilment.shipment import SHIPMENTS, Shipment
from giftsim.domain.money.account import ACCOUNTS, ENTRIES, Account, Entry
from giftsim.domain.money.account import FIRST_ID as FIRST_ACCOUNT
from giftsim.domain.money.charge import CHARGE, CHARGES, Charge, spent_today
from giftsim.domain.team.billing.invoice import FIRST_ID as FIRST_INVOICE
from giftsim.domain.team.billing.payment import PAYMENTS, SETTLED, payment_of
from giftsim.domain.team.billing.wallet_payment import FIRST_ID as FIRST_PAYMENT
from giftsim.domain.team.billing.wallet_payment import PURPOSE as TEAM
from giftsim.domain.team.orders.order_fulfilment import recipient_id
from giftsim.domain.team.orders.team_order import RESOURCE, TEAM_ORDERS, TeamOrder
from giftsim.domain.team.team import TEAMS
from giftsim.domain.team.tenant import Id, tenant_of_owner
from giftsim.gateway.call import Call, Response
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.placeholders import fill_text
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, Table
from giftsim.webhooks.endpoint import ENDPOINT, Endpoint
from giftsim.worlds.world import World

# The first public ids of what the ledger names by slot.
_FIRST_IDS = {
    **dict.fromkeys(("wallet", "card", "bank", "account"), FIRST_ACCOUNT),
    "order": FIRST_ORDER,
    "payment": FIRST_PAYMENT,
    "invoice": FIRST_INVOICE,
}


def order_view(world: World, state: State, order: Fulfilment) -> dict[str, Any]:
    """The summary of a partner's team order or a team's order."""
    return {
        **_status_and_money(state, order),
        "created_at": format_instant(order.made_at_ms),
        "paid_at": instant_or_null(order.paid_at_ms),
        "name": order.name,
        "reference": order.reference,
        "address_mode": order.address_mode,
        "summary": recipient_counts(order),
        "shared_claim_link": _link(world, order.share_token),
        "total_cents": order.total_cents,
    }


def _status_and_money(state: State, order: Fulfilment) -> dict[str, Any]:
    if isinstance(order, TeamFulfilment):
        return _team_order(state, state[TEAM_ORDERS].get(order.subject))
    order = partner_order(state, order.n)
    return {
        "id": order.id,
        "account_id": state[ACCOUNTS].get(order.account).id,
        "team_id": None,
        "key": credential_name(state[API_KEYS].get(order.key)),
        "status": order.status,
        "charged_cents": order.charged_cents,
        "refunded_cents": order.refunded_wallet_cents + order.refunded_card_cents,
    }


def _team_order(state: State, order: TeamOrder) -> dict[str, Any]:
    payment = payment_of(state, RESOURCE, order.n)
    return {
        "id": order.id,
        "account_id": None,
        "team_id": state[TEAMS].get(tenant_of_owner(state, order.owner).team).id,
        "key": None if order.key is None else credential_name(state[API_KEYS].get(order.key)),
        "status": order.status,
        "charged_cents": payment.amount_cents if payment and payment.status == SETTLED else 0,
        "refunded_cents": payment.refunded_cents if payment else 0,
    }


def parcel_view(world: World, state: State, shipment: Shipment) -> dict[str, Any]:
    """A parcel: its recipient, its status, its printed card and its claim link."""
    row = None if shipment.recipient is None else state[RECIPIENTS].get(shipment.recipient)
    owner = None if shipment.recipient is None else state[FULFILMENTS].get(shipment.owner)
    return {
        "order_id": shipment.order_id,
        "external_id": shipment.external_id,
        "channel": shipment.channel,
        **order_ids(state, owner),
        "recipient_id": recipient_id(state, owner, row.n) if row and owner else None,
        "name": row.name if row else None,
        "email": row.email if row else None,
        "status": shipment.status,
        "country": shipment.country,
        "ship_on": shipment.ship_on,
        "card": _card(owner.card if owner else None),
        "carrier": shipment.carrier,
        "tracking_number": shipment.tracking_number,
        "tracking_url": shipment.tracking_url,
        "cancel_reason": row.cancel_reason if row else None,
        "claim_link": _link(world, row.token if row else None),
        "claim_expires_at": instant_or_null(shipment.expires_at_ms),
        "claimed_at": instant_or_null(row.claimed_at_ms if row else None),
        "produced_at": instant_or_null(shipment.produced_at_ms),
        "labeled_at": instant_or_null(shipment.labeled_at_ms),
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
    }


def order_ids(state: State, order: Fulfilment | None) -> dict[str, Id | None]:
    """The ids of the order, gift or campaign that a parcel belongs to; at most one is not null."""
    ids = dict.fromkeys(("team_order_id", "gift_id", "campaign_id"))
    return ids if order is None else {**ids, **dict([order_reference(state, order)])}


def payment_view(state: State, charge: Charge) -> dict[str, Any]:
    """A charge. The status `sent` means that its outcome is unknown."""
    return {
        "id": charge.transaction_id,
        "account_id": state[ACCOUNTS].get(charge.account).id,
        "key": None if charge.key is None else credential_name(state[API_KEYS].get(charge.key)),
        "purpose": charge.purpose,
        "team_order_id": state[FULFILMENTS].get(charge.subject).id if charge.purpose == PURPOSE else None,
        "status": charge.status,
        "amount_cents": charge.amount_cents,
        "wallet_cents": charge.wallet_cents,
        "card_cents": charge.card_cents,
        "code": charge.code,
        "opened_at": format_instant(charge.opened_at_ms),
        "closed_at": instant_or_null(charge.closed_at_ms),
        "team_payment": money.payment_view(state, state[PAYMENTS].get(charge.subject))
        if charge.purpose == TEAM
        else None,
    }


def ledger_entry_view(state: State, entry: Entry) -> dict[str, Any]:
    """An entry of the ledger, and the order, gift or campaign it is about. Its postings add up to zero."""
    return {
        "seq": entry.n + 1,
        "at": format_instant(entry.at_ms),
        "kind": entry.kind,
        "owner": with_public_id(entry.owner),
        "ref": with_public_id(entry.ref),
        "about": paid_subject(state, entry.ref),
        "postings": [{"account": with_public_id(name), "cents": cents} for name, cents in entry.postings],
    }


def account_view(state: State, account: Account) -> dict[str, Any]:
    """An account: money, card, limits, its keys, and what each key has spent today."""
    keys = [key for key in state[API_KEYS].rows_in("account", account.n) if not key.revoked]
    return {
        "account_id": account.id,
        "label": account.label,
        "billing_mode": account.billing_mode,
        "wallet_cents": account.cash_cents,
        "held_cents": account.held_cents,
        "owed_cents": account.owed_cents,
        "card": account.card,
        "card_fallback": account.card_fallback,
        "credit_limit_cents": account.credit_limit_cents,
        "daily_limit_cents": account.daily_limit_cents,
        "limits": money.account_limits_view(account),
        "keys": [credential_name(key) for key in keys],
        "spent_today_cents": {credential_name(key): spent_today(state, key) for key in keys},
    }


def product_view(state: State, product: Product) -> dict[str, Any]:
    """A product with its variations and SKUs, and the accounts for which its personalization was reviewed."""
    reviewed = [review.account for review in state[REVIEWS] if review.product == product.n]
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "price_cents": product.price_cents,
        "personalization": product.personalization,
        "account_id": None if product.account is None else state[ACCOUNTS].get(product.account).id,
        "reviewed_for": [state[ACCOUNTS].get(n).id for n in reviewed],
        "variations": msgspec.to_builtins(product.variations),
        "skus": [
            {
                "id": sku.id,
                "code": sku.code,
                "price_cents": product.price_cents if sku.price_cents is None else sku.price_cents,
                "options": {str(variation): option for variation, option in sku.options},
            }
            for sku in state[SKUS].rows_in("product", product.n)
        ],
    }


def endpoint_view(state: State, endpoint: Endpoint) -> dict[str, Any]:
    """A webhook endpoint of an account or a team, without its secret."""
    kind, _, slot = endpoint.owner.partition(" ")
    of_account = kind == "account"
    return {
        "id": endpoint.id,
        "account_id": state[ACCOUNTS].get(int(slot)).id if of_account else None,
        "team_id": None if of_account else state[TEAMS].get(tenant_of_owner(state, endpoint.owner).team).id,
        "key": endpoint.key if of_account else None,
        "url": endpoint.url,
        "events": list(endpoint.kinds),
        "status": endpoint.status,
        "pending": endpoint.pending,
        "dead": endpoint.dead,
        "created_at": format_instant(endpoint.created_ms),
    }


def _card(card: Card | None) -> dict[str, Any] | None:
    """The printed card of a parcel; it is always 5x7 inches (P-2.12)."""
    return None if card is None else {"size": "5x7", "message": card.message, "sender": card.sender}


def _link(world: World, token: str | None) -> str | None:
    if token is None:
        return None
    return world.runtime.origin + fill_text(claim_path(token), world.runtime.origin, world.id)


def with_public_id(name: str) -> str:
    """A name in the ledger with its slot replaced by the public id: `wallet 0` becomes `wallet 501`."""
    kind, _, slot = name.partition(" ")
    return f"{kind} {_FIRST_IDS[kind] + int(slot)}" if kind in _FIRST_IDS and slot.isdigit() else name


R = TypeVar("R", bound=Record)


def list_parcels(call: Call) -> Response:
    """List all parcels, or those of one order, gift or campaign. An unknown one has none."""
    named = {name: _id(call.query[name]) for name in ORDER_MEMBERS if call.query[name] is not None}
    with current_state(call.world) as state:
        table = state[SHIPMENTS]
        rows = _slots(call, table)
        if named:
            rows = ((n + 1, table.get(n)) for order in _named_orders(state, named) for n in parcel_slots(order))
        return page(call, "parcels", rows, lambda row: parcel_view(call.world, state, row))


def list_payments(call: Call) -> Response:
    """List charges and settlements."""
    with current_state(call.world) as state:
        return filtered_page(
            call,
            "payments",
            rows_of_table(state[CHARGES]),
            lambda row: payment_view(state, row),
            status=lambda row: row.status,
            statuses=CHARGE.states,
        )


def list_ledger(call: Call) -> Response:
    """List the entries of the ledger."""
    with current_state(call.world) as state:
        return filtered_page(
            call, "ledger", rows_of_table(state[ENTRIES]), lambda entry: ledger_entry_view(state, entry)
        )


def list_accounts(call: Call) -> Response:
    """List the accounts of partners. The money of teams is listed with the teams."""
    with current_state(call.world) as state:
        rows = ((number, row) for number, row in _slots(call, state[ACCOUNTS]) if row.team is None)
        return page(call, "accounts", rows, lambda row: account_view(state, row))


def list_endpoints(call: Call) -> Response:
    """List webhook endpoints."""
    with current_state(call.world) as state:
        return page(call, "endpoints", _slots(call, state[ENDPOINT]), lambda row: endpoint_view(state, row))


def list_catalogue(call: Call) -> Response:
    """List products."""
    with current_state(call.world) as state:
        codes = {row.n: [sku.code for sku in state[SKUS].rows_in("product", row.n)] for row in state[PRODUCTS]}
        keep = search(call.query["q"], lambda row: (row.id, row.slug, row.name, *codes[row.n]))
        rows = rows_of_table(state[PRODUCTS])
        return filtered_page(call, "catalogue", rows, lambda row: product_view(state, row), keep=keep)


def _id(text: str) -> Id:
    return int(text) if text.isascii() and text.isdigit() else text


def _named_orders(state: State, named: Mapping[str, Id]) -> list[Fulfilment]:
    try:
        return sorted(named_orders(state, named), key=lambda order: order.first_shipment)
    except (TeamOrderNotFound, GiftNotFound, CampaignNotFound):
        return []


def _slots(call: Call, table: Table[R]) -> Iterable[tuple[int, R]]:
    """The rows of a table after `after`, with their slots counted from 1."""
    for n in range(call.query["after"] or 0, table.next_n):
        row = table.at(n)
        if row is not None:
            yield n + 1, row
