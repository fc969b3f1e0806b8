"""Rows and parcels as a body names them: of a partner's team order, or of a team's order or gift (G41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.control.problem import Ambiguous, GiftNotFound, ShipmentNotFound
from giftsim.control.record_lookup import known
from giftsim.domain.fulfilment.fulfilment import CHANNEL, FULFILMENTS, Fulfilment, find_row, row_at, rows
from giftsim.domain.fulfilment.fulfilment import FIRST_ID as FIRST_ORDER
from giftsim.domain.fulfilment.problem import RecipientNotFound, TeamOrderNotFound
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.fulfilment.shipment import CANCELED, SHIPMENTS, Shipment
from giftsim.domain.fulfilment.shipment import FIRST_ID as FIRST_SHIPMENT
from giftsim.domain.team.orders import order_fulfilment
from giftsim.domain.team.orders.gift import GIFTS, Gift
from giftsim.domain.team.orders.team_order import FIRST_ID as FIRST_TEAM_ORDER
from giftsim.domain.team.orders.team_order import TEAM_ORDERS, TeamOrder
from giftsim.domain.team.tenant import Id
from giftsim.kernel.state import State

Row = tuple[Fulfilment, Recipient, Shipment]
PLACED = ("team_order_id", "gift_id")


def is_teams(order_id: Id) -> bool:
    """Whether a team order's id is a team's and not a partner's: its numbers begin far above, or it is a UUID."""
    return not isinstance(order_id, int) or order_id >= FIRST_TEAM_ORDER


def partner_order(state: State, order_id: Id) -> Fulfilment:
    """The partner's team order of a public id, whosever it is; TeamOrderNotFound."""
    order = None if is_teams(order_id) else state[FULFILMENTS].at(int(order_id) - FIRST_ORDER)
    if order is None or order.channel != CHANNEL:
        raise TeamOrderNotFound(f"there is no team order {str(order_id)[:60]}")
    return order


def team_order(state: State, order_id: Id) -> TeamOrder:
    """The team's order of a public id, whosever it is; TeamOrderNotFound."""
    return known(state, TEAM_ORDERS, order_id, TeamOrderNotFound, "an order")


def gift(state: State, gift_id: Id) -> Gift:
    """The gift of a public id, whosever it is; GiftNotFound."""
    return known(state, GIFTS, gift_id, GiftNotFound, "a gift")


def placed(state: State, body: Mapping[str, Any]) -> Fulfilment:
    """The rows of the one order or gift that a body names."""
    if ("team_order_id" in body) == ("gift_id" in body):
        raise Ambiguous("name one order or gift: team_order_id or gift_id")
    if "gift_id" in body:
        return state[FULFILMENTS].get(gift(state, body["gift_id"]).fulfilment)
    order_id = body["team_order_id"]
    if is_teams(order_id):
        return state[FULFILMENTS].get(team_order(state, order_id).fulfilment)
    return partner_order(state, order_id)


def one_row(state: State, body: Mapping[str, Any]) -> Row:
    """The row that an order or gift with `recipient_id` or `recipient` (from 0) names; a gift for one needs neither."""
    order = placed(state, body)
    alone = "gift_id" in body and order.recipient_count == 1
    told = ("recipient_id" in body) + ("recipient" in body)
    if told > 1 or (told == 0 and not alone):
        raise Ambiguous("name one recipient: recipient_id, or recipient as a place from 0")
    if "recipient_id" not in body:
        return order, *row_at(state, order, body.get("recipient", 0))
    if isinstance(body["recipient_id"], int):
        return order, *find_row(state, order, body["recipient_id"])
    return order, *_tested(state, order, body["recipient_id"])


def parcels_of(state: State, body: Mapping[str, Any]) -> Sequence[Shipment]:
    """The parcel of `order_id` or of one recipient, or all of an order or gift that are not canceled."""
    if ("order_id" in body) == any(name in body for name in PLACED):
        raise Ambiguous("name the parcel by order_id, or by team_order_id or gift_id with one recipient or none")
    if "order_id" in body:
        shipment = state[SHIPMENTS].at(body["order_id"] - FIRST_SHIPMENT)
        if shipment is None:
            raise ShipmentNotFound(f"there is no parcel with the order id {body['order_id']}")
        return (shipment,)
    if "recipient_id" in body or "recipient" in body:
        return (one_row(state, body)[2],)
    return [shipment for _, shipment in rows(state, placed(state, body)) if shipment.status != CANCELED]


def _tested(state: State, order: Fulfilment, recipient_id: str) -> tuple[Recipient, Shipment]:
    """The row of a test order or gift whose recipient has that UUID."""
    for recipient, shipment in rows(state, order):
        if order_fulfilment.recipient_id(state, order, recipient.n) == recipient_id.lower():
            return recipient, shipment
    raise RecipientNotFound(f"it has no recipient {recipient_id[:60]}")
