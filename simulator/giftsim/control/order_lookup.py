"""Recipients and parcels named in a body, in a partner's team order, a team's order or a gift (G41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from giftsim.control.problem import Ambiguous, GiftNotFound, ShipmentNotFound
from giftsim.control.record_lookup import require_in_any_team
from giftsim.domain.fulfilment.fulfilment import (
    CHANNEL,
    FULFILMENTS,
    Fulfilment,
    find_recipient_row,
    recipient_row_at,
    recipient_rows,
)
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

RecipientRow = tuple[Fulfilment, Recipient, Shipment]
ORDER_MEMBERS = ("team_order_id", "gift_id")


def is_team_order_id(order_id: Id) -> bool:
    """Whether an order's id is that of a team's order: a number above all partners' ids, or a UUID."""
    return not isinstance(order_id, int) or order_id >= FIRST_TEAM_ORDER


def find_partner_order(state: State, order_id: Id) -> Fulfilment:
    """The partner's team order with a public id, of any account. Raises TeamOrderNotFound."""
    order = None if is_team_order_id(order_id) else state[FULFILMENTS].at(int(order_id) - FIRST_ORDER)
    if order is None or order.channel != CHANNEL:
        raise TeamOrderNotFound(f"there is no team order {str(order_id)[:60]}")
    return order


def find_team_order(state: State, order_id: Id) -> TeamOrder:
    """The team's order with a public id, of any team. Raises TeamOrderNotFound."""
    return require_in_any_team(state, TEAM_ORDERS, order_id, TeamOrderNotFound, "an order")


def find_gift(state: State, gift_id: Id) -> Gift:
    """The gift with a public id, of any team. Raises GiftNotFound."""
    return require_in_any_team(state, GIFTS, gift_id, GiftNotFound, "a gift")


def named_order(state: State, body: Mapping[str, Any]) -> Fulfilment:
    """The fulfilment of the order or gift that a body names."""
    if ("team_order_id" in body) == ("gift_id" in body):
        raise Ambiguous("name one order or gift: by team_order_id or by gift_id")
    if "gift_id" in body:
        return state[FULFILMENTS].get(find_gift(state, body["gift_id"]).fulfilment)
    order_id = body["team_order_id"]
    if is_team_order_id(order_id):
        return state[FULFILMENTS].get(find_team_order(state, order_id).fulfilment)
    return find_partner_order(state, order_id)


def named_recipient(state: State, body: Mapping[str, Any]) -> RecipientRow:
    """The recipient that a body names by order or gift, and `recipient_id` or `recipient` (an index from 0).

    A gift for one recipient needs neither.
    """
    order = named_order(state, body)
    is_single = "gift_id" in body and order.recipient_count == 1
    names = ("recipient_id" in body) + ("recipient" in body)
    if names > 1 or (names == 0 and not is_single):
        raise Ambiguous("name one recipient: by recipient_id, or by recipient, its index from 0")
    if "recipient_id" not in body:
        return order, *recipient_row_at(state, order, body.get("recipient", 0))
    if isinstance(body["recipient_id"], int):
        return order, *find_recipient_row(state, order, body["recipient_id"])
    return order, *_find_sandbox_recipient(state, order, body["recipient_id"])


def named_parcels(state: State, body: Mapping[str, Any]) -> Sequence[Shipment]:
    """The parcel of `order_id` or of one recipient, or all parcels of an order or gift except canceled ones."""
    if ("order_id" in body) == any(name in body for name in ORDER_MEMBERS):
        raise Ambiguous("name parcels by order_id, or by team_order_id or gift_id, with or without a recipient")
    if "order_id" in body:
        shipment = state[SHIPMENTS].at(body["order_id"] - FIRST_SHIPMENT)
        if shipment is None:
            raise ShipmentNotFound(f"there is no parcel with the order id {body['order_id']}")
        return (shipment,)
    if "recipient_id" in body or "recipient" in body:
        return (named_recipient(state, body)[2],)
    return [shipment for _, shipment in recipient_rows(state, named_order(state, body)) if shipment.status != CANCELED]


def _find_sandbox_recipient(state: State, order: Fulfilment, recipient_id: str) -> tuple[Recipient, Shipment]:
    """The recipient with a UUID in a sandbox order or gift."""
    for recipient, shipment in recipient_rows(state, order):
        if order_fulfilment.recipient_id(state, order, recipient.n) == recipient_id.lower():
            return recipient, shipment
    raise RecipientNotFound(f"the order or gift has no recipient {recipient_id[:60]}")
