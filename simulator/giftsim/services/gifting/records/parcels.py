"""Parcels as JSON, and the verbs that move them: claims, claim links, shipments and single orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from giftsim.engine.control.control_errors import Ambiguous
from giftsim.engine.control.pagination import respond_with_page, rows_of_table
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import instant_or_null
from giftsim.engine.kernel.placeholders import fill_text
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.fulfilment import offer
from giftsim.services.gifting.domain.fulfilment.address_correction import correct_address
from giftsim.services.gifting.domain.fulfilment.claim import (
    DEFAULT_ADDRESSES,
    claim_by_token,
    claim_for_recipient,
    find_order_of_link,
    read_claim_page,
    resend_link,
    taken_seat,
)
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Card, Fulfilment, parcel_slots
from giftsim.services.gifting.domain.fulfilment.order_errors import ClaimNotFound, TeamOrderNotFound
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient, claim_path
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED, DELIVERED, SHIPMENTS, Shipment
from giftsim.services.gifting.domain.fulfilment.shipment_progress import create_single_order, progress_to
from giftsim.services.gifting.domain.team.orders.team_fulfilment import recipient_id
from giftsim.services.gifting.domain.team.tenant import Id
from giftsim.services.gifting.records.named import (
    PLACED,
    named_account,
    named_orders,
    named_parcels,
    named_recipient,
    read_id,
)
from giftsim.services.gifting.records.parent_refs import ref_of_fulfilment
from giftsim.services.gifting.records.record_errors import CampaignNotFound, GiftNotFound


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
        "claim_link": claim_link(world, row.token if row else None),
        "claim_expires_at": instant_or_null(shipment.expires_at_ms),
        "claimed_at": instant_or_null(row.claimed_at_ms if row else None),
        "produced_at": instant_or_null(shipment.produced_at_ms),
        "labeled_at": instant_or_null(shipment.labeled_at_ms),
        "shipped_at": instant_or_null(shipment.shipped_at_ms),
        "delivered_at": instant_or_null(shipment.delivered_at_ms),
    }


def order_ids(state: State, order: Fulfilment | None) -> dict[str, Id | None]:
    """The ids of the order, gift or campaign that a parcel belongs to; at most one is not null."""
    ref = None if order is None else ref_of_fulfilment(state, order)
    return {member: ref.id if ref and ref.kind == kind.name else None for member, kind in PLACED.items()}


def _card(card: Card | None) -> dict[str, Any] | None:
    """The printed card of a parcel; it is always 5x7 inches (P-2.12)."""
    return None if card is None else {"size": "5x7", "message": card.message, "sender": card.sender}


def claim_link(world: World, token: str | None) -> str | None:
    """The address of the claim page of a token; None for none."""
    if token is None:
        return None
    return world.runtime.origin + fill_text(claim_path(token), world.runtime.origin, world.id)


def list_parcels(call: Call) -> Response:
    """List all parcels, or those of one order, gift or campaign. For an unknown id the list is empty."""
    named = {member: read_id(call.query[member]) for member in PLACED if call.query[member] is not None}
    with current_state(call.world) as state:
        table = state[SHIPMENTS]
        rows = rows_of_table(table).rows_of_page(call)
        if named:
            rows = ((n + 1, table.get(n)) for order in _named_orders(state, named) for n in parcel_slots(order))
        return respond_with_page(call, "parcels", rows, lambda row: parcel_view(call.world, state, row))


def _named_orders(state: State, named: Mapping[str, Id]) -> list[Fulfilment]:
    try:
        return sorted(named_orders(state, named), key=lambda order: order.first_shipment)
    except (TeamOrderNotFound, GiftNotFound, CampaignNotFound):
        return []


def simulate_claim(call: Call) -> Response:
    """Claim a gift for a recipient: through the link, or for the account without it (G33)."""
    body = call.body
    with change_state(call) as state:
        if ("token" in body) == any(name in body for name in PLACED):
            raise Ambiguous(
                "name the recipient by token, or by team_order_id, gift_id or campaign_id with recipient(_id)"
            )
        if "token" in body:
            token = claim_token(body["token"])
            row = taken_seat(state, token, body.get("email")) or _claim_by_link(state, token, body)
        else:
            order, recipient, shipment = named_recipient(state, body)
            entry = claim_entry(state, order, body, f"Guest {recipient.place + 1}")
            row = claim_for_recipient(state, order, recipient, shipment, entry)
        return _parcel_response(call, state, row)


def _claim_by_link(state: State, token: str, body: Mapping[str, Any]) -> Recipient:
    page = read_claim_page(state, token)
    return claim_by_token(state, token, entry_by_link(state, token, body, f"Guest {page.place + 1}"))


def simulate_claim_link(call: Call) -> Response:
    """Send a recipient a new claim link by mail (G33)."""
    with change_state(call) as state:
        order, recipient, shipment = named_recipient(state, call.body)
        return _parcel_response(
            call, state, resend_link(state, order, recipient, shipment, call.body.get("expiry_days"))
        )


def simulate_address(call: Call) -> Response:
    """Correct the address of a recipient until production starts (G457)."""
    with change_state(call) as state:
        _, recipient, shipment = named_recipient(state, call.body)
        return _parcel_response(call, state, correct_address(state, recipient, shipment, call.body["address"]))


def simulate_shipment(call: Call) -> Response:
    """Move parcels to a status."""
    return move_parcels(call, progress_to, "to", why_none_moves)


def move_parcels(
    call: Call,
    move: Callable[[State, Shipment, str], Shipment],
    member: str,
    why_none: Callable[[Sequence[Shipment], str], str],
) -> Response:
    """Move parcels by a member of the body. Of several parcels those move that can; InvalidState only if none can."""
    with change_state(call) as state:
        named, moved = named_parcels(state, call.body), []
        for shipment in named:
            try:
                with state.transaction():
                    moved.append(move(state, shipment, call.body[member]))
            except InvalidState as refusal:
                if len(named) == 1:
                    refusal.message += way_on(named)
                    raise
        if not moved:
            raise InvalidState(why_none(named, call.body[member]))
        return Response(200, {"parcels": [parcel_view(call.world, state, shipment) for shipment in moved]})


def way_on(parcels: Sequence[Shipment]) -> str:
    """The end of a refusal: what helps if all of these parcels, or all parcels there are, have come to their end."""
    return "" if any(shipment.status not in (CANCELED, DELIVERED) for shipment in parcels) else "; order anew"


def simulate_single_order(call: Call) -> Response:
    """Create a single order outside the API, and move its parcel to a status (B37)."""
    body = call.body
    with change_state(call) as state:
        account = named_account(state, call.world.id, body, default="partner.prepaid")
        shipment = create_single_order(state, account, body.get("country", "US"))
        return Response(200, parcel_view(call.world, state, progress_to(state, shipment, body["to"])))


def claim_entry(state: State, order: Fulfilment, body: Mapping[str, Any], guest: str) -> dict[str, Any]:
    """What a recipient enters on the claim page, with defaults for what the body leaves out."""
    return {
        "address": body.get("address", DEFAULT_ADDRESSES[order.countries[0]]),
        "selection": body["selection"] if "selection" in body else offer.first_selection(state, order),
        "name": body.get("name", guest),
        "email": body.get("email", f"{guest.lower().replace(' ', '')}@example.com"),
    }


def entry_by_link(state: State, token: str, body: Mapping[str, Any], guest: str) -> dict[str, Any]:
    """The same for the claim link of a token. ClaimNotFound."""
    order = find_order_of_link(state, token)
    if order is None:
        raise ClaimNotFound("there is no such claim link")
    return claim_entry(state, order, body, guest)


def _parcel_response(call: Call, state: State, row: Recipient) -> Response:
    shipment: Shipment = state[SHIPMENTS].get(row.shipment)
    return Response(200, parcel_view(call.world, state, shipment))


def why_none_moves(parcels: Sequence[Shipment], to: str) -> str:
    """Why none of several parcels can become `to`. `parcels` are those that are not canceled."""
    if not parcels:
        return f"all its parcels are canceled: none can become {to}{way_on(parcels)}"
    statuses = ", ".join(dict.fromkeys(shipment.status for shipment in parcels))
    return f"these {len(parcels)} parcels are {statuses}: none can become {to}{way_on(parcels)}"


def claim_token(link_or_token: str) -> str:
    """The token of a claim, from a claim link or from the token itself."""
    return link_or_token.rstrip("/").rpartition("/")[2]
