"""Recipients and parcels named in a body, in a partner's or team's order, a gift or a campaign (G41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.control.problem import Ambiguous, CampaignNotFound, GiftNotFound, ShipmentNotFound
from giftsim.control.record_lookup import require_in_any_team
from giftsim.domain.fulfilment.fulfilment import FIRST_ID as FIRST_ORDER
from giftsim.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    Fulfilment,
    PartnerOrder,
    find_recipient_row,
    recipient_row_at,
    recipient_rows,
)
from giftsim.domain.fulfilment.problem import RecipientNotFound, TeamOrderNotFound
from giftsim.domain.fulfilment.recipient import FIRST_ID as FIRST_RECIPIENT
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import CANCELED, SHIPMENTS, Shipment
from giftsim.domain.fulfilment.shipment import FIRST_ID as FIRST_SHIPMENT
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS, Campaign
from giftsim.domain.team.campaigns.campaign_control import fulfilments
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.gift import GIFTS, Gift
from giftsim.domain.team.orders.team_order import FIRST_ID as FIRST_TEAM_ORDER
from giftsim.domain.team.orders.team_order import TEAM_ORDERS, TeamOrder
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State

RecipientRow = tuple[Fulfilment, Recipient, Shipment]
ORDER_MEMBERS = ("team_order_id", "gift_id", "campaign_id")


def find_order(state: State, order_id: Id) -> PartnerOrder | TeamOrder:
    """The partner's or team's order with a public id, of any account or team. Raises TeamOrderNotFound."""
    if isinstance(order_id, int) and order_id < FIRST_TEAM_ORDER:
        return find_partner_order(state, order_id)
    return require_in_any_team(state, TEAM_ORDERS, order_id, TeamOrderNotFound, "an order")


def find_partner_order(state: State, order_id: Id) -> PartnerOrder:
    """The partner's order with a public id, of any account. Raises TeamOrderNotFound."""
    order = state[FULFILMENTS].at(order_id - FIRST_ORDER) if isinstance(order_id, int) else None
    if not isinstance(order, PartnerOrder):
        raise TeamOrderNotFound(f"there is no team order {str(order_id)[:60]}")
    return order


def find_gift(state: State, gift_id: Id) -> Gift:
    """The gift with a public id, of any team. Raises GiftNotFound."""
    return require_in_any_team(state, GIFTS, gift_id, GiftNotFound, "a gift")


def find_campaign(state: State, campaign_id: Id) -> Campaign:
    """The large campaign with a public id, of any team. Raises CampaignNotFound."""
    return require_in_any_team(state, CAMPAIGNS, campaign_id, CampaignNotFound, "a large campaign")


def named_orders(state: State, body: Mapping[str, Any]) -> Sequence[Fulfilment]:
    """The fulfilment of the order or gift that a body names, or those of a campaign's prepared batches."""
    if sum(name in body for name in ORDER_MEMBERS) != 1:
        raise Ambiguous("name one order, gift or campaign: by team_order_id, gift_id or campaign_id")
    if "campaign_id" in body:
        return fulfilments(state, find_campaign(state, body["campaign_id"]))
    if "gift_id" in body:
        return (state[FULFILMENTS].get(find_gift(state, body["gift_id"]).fulfilment),)
    order = find_order(state, body["team_order_id"])
    return (order if isinstance(order, PartnerOrder) else state[FULFILMENTS].get(order.fulfilment),)


def named_recipient(state: State, body: Mapping[str, Any]) -> RecipientRow:
    """The recipient that a body names by order, gift or campaign, and `recipient_id` or `recipient` (from 0).

    A gift for one recipient needs neither.
    """
    orders = named_orders(state, body)
    is_single = "gift_id" in body and orders[0].recipient_count == 1
    names = ("recipient_id" in body) + ("recipient" in body)
    if names > 1 or (names == 0 and not is_single):
        raise Ambiguous("name one recipient: by recipient_id, or by recipient, its index from 0")
    if "recipient_id" not in body:
        return _recipient_at(state, orders, body.get("recipient", 0))
    if not isinstance(body["recipient_id"], int):
        return _find_sandbox_recipient(state, orders, body["recipient_id"])
    n = body["recipient_id"] - FIRST_RECIPIENT
    order = next((each for each in orders if 0 <= n - each.first_recipient < each.recipient_count), None)
    if order is None:
        raise RecipientNotFound(f"the order, gift or campaign has no recipient {body['recipient_id']}")
    return order, *find_recipient_row(state, order, body["recipient_id"])


def named_parcels(state: State, body: Mapping[str, Any]) -> Sequence[Shipment]:
    """The parcel of `order_id` or of one recipient, or all that are not canceled of an order, gift or campaign."""
    if ("order_id" in body) == any(name in body for name in ORDER_MEMBERS):
        raise Ambiguous(
            "name parcels by order_id, or by team_order_id, gift_id or campaign_id, with or without a recipient"
        )
    if "order_id" in body:
        shipment = state[SHIPMENTS].at(body["order_id"] - FIRST_SHIPMENT)
        if shipment is None:
            raise ShipmentNotFound(f"there is no parcel with the order id {body['order_id']}")
        return (shipment,)
    if "recipient_id" in body or "recipient" in body:
        return (named_recipient(state, body)[2],)
    rows = [row for order in named_orders(state, body) for row in recipient_rows(state, order)]
    return [shipment for _, shipment in rows if shipment.status != CANCELED]


def why_none_moves(parcels: Sequence[Shipment], to: str) -> str:
    """Why none of several parcels can become `to`, in words. They are those that are not canceled."""
    if not parcels:
        return f"all its parcels are canceled: none can become {to}"
    statuses = ", ".join(dict.fromkeys(shipment.status for shipment in parcels))
    return f"none of these {len(parcels)} parcels ({statuses}) can become {to}"


def _recipient_at(state: State, orders: Sequence[Fulfilment], index: int) -> RecipientRow:
    """The recipient with an index, counted through all fulfilments."""
    place = index
    for order in orders:
        if place < order.recipient_count:
            return order, *recipient_row_at(state, order, place)
        place -= order.recipient_count
    raise RecipientNotFound(f"the order, gift or campaign has no recipient at place {index}, or it is not prepared yet")


def _find_sandbox_recipient(state: State, orders: Sequence[Fulfilment], recipient_id: str) -> RecipientRow:
    """The recipient with a UUID in a sandbox order, gift or campaign."""
    for order in orders:
        for recipient, shipment in recipient_rows(state, order):
            if order_fulfilment.recipient_id(state, order, recipient.n) == recipient_id.lower():
                return order, recipient, shipment
    raise RecipientNotFound(f"the order, gift or campaign has no recipient {recipient_id[:60]}")
