"""Verbs: actions of the outside world that a tester triggers, such as a claim or a shipment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.control import world_data as views
from giftsim.control.account_lookup import claim_token, named_account, named_accounts, named_charge
from giftsim.control.order_lookup import ORDER_MEMBERS, named_parcels, named_recipient, why_none_moves
from giftsim.control.pagination import numbered, page
from giftsim.control.problem import Ambiguous
from giftsim.control.world_access import change_state
from giftsim.domain.fulfilment import bundle
from giftsim.domain.fulfilment.bundle import Choice
from giftsim.domain.fulfilment.claim import (
    DEFAULT_ADDRESSES,
    claim_by_token,
    claim_for_recipient,
    read_claim_page,
    resend_link,
)
from giftsim.domain.fulfilment.products import (
    PRODUCTS,
    add_review,
    change_price,
    check_needs_review,
    find_product,
    withdraw_review,
)
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import SHIPMENTS, Shipment
from giftsim.domain.fulfilment.shipment_progress import create_single_order, progress_to
from giftsim.domain.money.account import change_account
from giftsim.domain.money.charge import PAID, fail_charge, settle_charge
from giftsim.gateway.call import Call, Response
from giftsim.kernel.state import State
from giftsim.problem import InvalidState

VERBS = "/worlds/{w}/simulate/"


def list_verbs(call: Call) -> Response:
    """List the verbs of the contract with their schemas."""
    operations = call.interface.contract.operations.values()
    verbs = [
        {"verb": op.template.removeprefix(VERBS), "summary": op.node["summary"], "schema": op.body_schema.document}
        for op in operations
        if op.template.startswith(VERBS) and op.body_schema
    ]
    return page(call, "verbs", numbered(verbs), dict)


def simulate_claim(call: Call) -> Response:
    """Claim a gift for a recipient: through the link, or for the account without it (G33)."""
    body = call.body
    with change_state(call) as state:
        if ("token" in body) == any(name in body for name in ORDER_MEMBERS):
            raise Ambiguous(
                "name the recipient by token, or by team_order_id, gift_id or campaign_id with recipient(_id)"
            )
        if "token" in body:
            token = claim_token(body["token"])
            claim_page = read_claim_page(state, token)
            entry = claim_entry(body, claim_page.countries, claim_page.choices, "Guest")
            row = claim_by_token(state, token, entry)
        else:
            order, recipient, shipment = named_recipient(state, body)
            choices = bundle.list_choices(state, order)
            entry = claim_entry(body, order.countries, choices, f"Guest {recipient.place + 1}")
            row = claim_for_recipient(state, order, recipient, shipment, entry)
        return _parcel_response(call, state, row)


def simulate_claim_link(call: Call) -> Response:
    """Send a recipient a new claim link by mail (G33)."""
    with change_state(call) as state:
        order, recipient, shipment = named_recipient(state, call.body)
        return _parcel_response(
            call, state, resend_link(state, order, recipient, shipment, call.body.get("expiry_days"))
        )


def simulate_shipment(call: Call) -> Response:
    """Move parcels to a status. Of several parcels those move that can; InvalidState only if none can."""
    with change_state(call) as state:
        named, moved = named_parcels(state, call.body), []
        for shipment in named:
            try:
                with state.transaction():
                    moved.append(progress_to(state, shipment, call.body["to"]))
            except InvalidState:
                if len(named) == 1:
                    raise
        if not moved:
            raise InvalidState(why_none_moves(named, call.body["to"]))
        return Response(200, {"parcels": [views.parcel_view(call.world, state, shipment) for shipment in moved]})


def simulate_single_order(call: Call) -> Response:
    """Create a single order outside the API, and move its parcel to a status (B37)."""
    body = call.body
    with change_state(call) as state:
        account = named_account(state, call.world.id, body, default="partner.prepaid")
        shipment = create_single_order(state, account, body.get("country", "US"))
        return Response(200, views.parcel_view(call.world, state, progress_to(state, shipment, body["to"])))


def simulate_account(call: Call) -> Response:
    """Change money, card and limits of an account."""
    with change_state(call) as state:
        account = named_account(state, call.world.id, call.body)
        return Response(200, views.account_view(state, change_account(state, account, call.body)))


def simulate_outcome(call: Call) -> Response:
    """Settle or fail a charge with an unknown outcome (G28)."""
    with change_state(call) as state:
        charge = named_charge(state, call.world.id, call.body)
        charge = settle_charge(state, charge) if call.body["outcome"] == PAID else fail_charge(state, charge)
        return Response(200, views.payment_view(state, charge))


def simulate_price(call: Call) -> Response:
    """Change the price of a product."""
    with change_state(call) as state:
        product = change_price(state, find_product(state, call.body["product"]), call.body["price_cents"])
        return Response(200, views.product_view(state, product))


def simulate_personalization(call: Call) -> Response:
    """Add or withdraw the review of a product's personalization, for one account or for all accounts (B10).

    InvalidState for a product that needs no review: it could be ordered all the same.
    """
    body = call.body
    decide = add_review if body.get("reviewed", True) else withdraw_review
    with change_state(call) as state:
        product = find_product(state, body["product"])
        check_needs_review(state, product)
        for account in named_accounts(state, call.world.id, body):
            decide(state, product, account.n)
        return Response(200, views.product_view(state, state[PRODUCTS].get(product.n)))


def claim_entry(
    body: Mapping[str, Any], countries: tuple[str, ...], choices: tuple[Choice, ...], guest: str
) -> dict[str, Any]:
    """What a recipient enters on the claim page, with defaults for what the body leaves out."""
    first_options = {str(choice.variation_id): choice.options[0].id for choice in choices}
    return {
        "address": body.get("address", DEFAULT_ADDRESSES[countries[0]]),
        "selection": body.get("selection", first_options),
        "name": body.get("name", guest),
        "email": body.get("email", f"{guest.lower().replace(' ', '')}@example.com"),
    }


def _parcel_response(call: Call, state: State, row: Recipient) -> Response:
    shipment: Shipment = state[SHIPMENTS].get(row.shipment)
    return Response(200, views.parcel_view(call.world, state, shipment))
