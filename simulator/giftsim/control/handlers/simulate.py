"""The outside world, played by a tester: the verbs, and what each of them does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.control.order_lookup import PLACED, one_row, parcels_of
from giftsim.control.pagination import numbered, page
from giftsim.control.problem import Ambiguous
from giftsim.control.subject_lookup import account_of, accounts_of, charge_of, link_token
from giftsim.control.views import records as views
from giftsim.control.world_access import changing
from giftsim.domain.fulfilment import variation_choice
from giftsim.domain.fulfilment.catalogue import PRODUCTS, find_product, reprice, review, unreview
from giftsim.domain.fulfilment.claim import claim, claim_row, read_claim, resend
from giftsim.domain.fulfilment.progress import DEFAULT_ADDRESSES, progress
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import SHIPMENTS, Shipment
from giftsim.domain.fulfilment.single_order import make_single
from giftsim.domain.fulfilment.variation_choice import Choice
from giftsim.domain.money.account import change_account
from giftsim.domain.money.charge import PAID, fail_charge, settle_charge
from giftsim.gateway.call import Call, Reply
from giftsim.kernel.problem import InvalidTransition
from giftsim.kernel.state import State

VERBS = "/worlds/{w}/simulate/"


def list_verbs(call: Call) -> Reply:
    """The verbs, from the contract itself."""
    operations = call.interface.contract.operations.values()
    verbs = [
        {"verb": op.template.removeprefix(VERBS), "summary": op.node["summary"], "schema": op.shape.document}
        for op in operations
        if op.template.startswith(VERBS) and op.shape
    ]
    return page(call, "verbs", numbered(verbs), dict)


def simulate_claim(call: Call) -> Reply:
    """A recipient enters an address, by the link or by the account's hand (G33)."""
    body = call.body
    with changing(call) as state:
        if ("token" in body) == any(name in body for name in PLACED):
            raise Ambiguous("a claim names its row by token, or by team_order_id or gift_id with one recipient")
        if "token" in body:
            token = link_token(body["token"])
            shown = read_claim(state, token)
            row = claim(state, token, entered(body, shown.countries, shown.choices, "Guest"))
        else:
            order, recipient, shipment = one_row(state, body)
            choices = variation_choice.choices(state, order)
            entry = entered(body, order.countries, choices, f"Guest {recipient.place + 1}")
            row = claim_row(state, order, recipient, shipment, entry)
        return _parcel(call, state, row)


def simulate_claim_link(call: Call) -> Reply:
    """A new link in a new mail (G33)."""
    with changing(call) as state:
        order, recipient, shipment = one_row(state, call.body)
        return _parcel(call, state, resend(state, order, recipient, shipment, call.body.get("expiry_days")))


def simulate_shipment(call: Call) -> Reply:
    """A parcel goes on; of several named, those go that can, and it is an error only if none can."""
    with changing(call) as state:
        named, moved = parcels_of(state, call.body), []
        for shipment in named:
            try:
                with state.transaction():
                    moved.append(progress(state, shipment, call.body["to"]))
            except InvalidTransition:
                if len(named) == 1:
                    raise
        if not moved:
            states = ", ".join(dict.fromkeys(shipment.status for shipment in named))
            raise InvalidTransition(f"none of these {len(named)} parcels ({states}) can become {call.body['to']}")
        return Reply(200, {"parcels": [views.parcel(call.here, state, shipment) for shipment in moved]})


def simulate_single_order(call: Call) -> Reply:
    """An order made elsewhere, as far as it is told to come (B37)."""
    body = call.body
    with changing(call) as state:
        account = account_of(state, call.here.id, body, default="partner.prepaid")
        shipment = make_single(state, account, body.get("country", "US"))
        return Reply(200, views.parcel(call.here, state, progress(state, shipment, body["to"])))


def simulate_account(call: Call) -> Reply:
    """Money, card and limits of an account."""
    with changing(call) as state:
        account = account_of(state, call.here.id, call.body)
        return Reply(200, views.account(state, change_account(state, account, call.body)))


def simulate_outcome(call: Call) -> Reply:
    """It becomes known what came of a charge (G28)."""
    with changing(call) as state:
        charge = charge_of(state, call.here.id, call.body)
        decided = settle_charge(state, charge) if call.body["outcome"] == PAID else fail_charge(state, charge)
        return Reply(200, views.payment(state, decided))


def simulate_price(call: Call) -> Reply:
    """A product costs something else from now on."""
    with changing(call) as state:
        product = reprice(state, find_product(state, call.body["product"]), call.body["price_cents"])
        return Reply(200, views.product(state, product))


def simulate_personalization(call: Call) -> Reply:
    """A product was reviewed for one account, or for all that are there (B10)."""
    body = call.body
    decide = review if body.get("reviewed", True) else unreview
    with changing(call) as state:
        product = find_product(state, body["product"])
        for account in accounts_of(state, call.here.id, body):
            decide(state, product, account.n)
        return Reply(200, views.product(state, state[PRODUCTS].get(product.n)))


def entered(
    body: Mapping[str, Any], countries: tuple[str, ...], choices: tuple[Choice, ...], guest: str
) -> dict[str, Any]:
    """What a recipient enters, with whatever the body leaves out."""
    first = {str(choice.variation_id): choice.options[0].id for choice in choices}
    return {
        "address": body.get("address", DEFAULT_ADDRESSES[countries[0]]),
        "selection": body.get("selection", first),
        "name": body.get("name", guest),
        "email": body.get("email", f"{guest.lower().replace(' ', '')}@example.com"),
    }


def _parcel(call: Call, state: State, row: Recipient) -> Reply:
    shipment: Shipment = state[SHIPMENTS].get(row.shipment)
    return Reply(200, views.parcel(call.here, state, shipment))
