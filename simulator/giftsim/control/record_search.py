"""Status and text of orders, gifts and campaigns, as lists filter by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from giftsim.control.pagination import Rows, chosen_rows, rows_of_table, text_filter
from giftsim.domain.fulfilment.fulfilment import (
    COLLECTING,
    FULFILMENTS,
    IN_PROGRESS,
    UNPAID,
    Fulfilment,
    TeamFulfilment,
)
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.domain.fulfilment.shipment import CANCELED, DELIVERED, EXPIRED, IN_PRODUCTION, REJECTED, SHIPPED
from giftsim.domain.team.campaigns.campaign import Campaign
from giftsim.domain.team.orders.gift import CLAIMED, SENT, Gift
from giftsim.domain.team.orders.team_order import APPROVED, AWAITING_APPROVAL, RESOURCE, TEAM_ORDERS
from giftsim.kernel.state import State

# The statuses of partners' orders and of teams' orders, in the order of an order's life.
ORDER_STATUSES: Final = (
    UNPAID,
    AWAITING_APPROVAL,
    APPROVED,
    COLLECTING,
    IN_PROGRESS,
    IN_PRODUCTION,
    SHIPPED,
    DELIVERED,
    CANCELED,
    REJECTED,
)


GIFT_STATUSES: Final = (
    AWAITING_APPROVAL,
    SENT,
    CLAIMED,
    SHIPPED,
    DELIVERED,
    REJECTED,
    EXPIRED,
    CANCELED,
)


def order_status(state: State, order: Fulfilment) -> str:
    """The status of a partner's or a team's order."""
    return state[TEAM_ORDERS].get(order.subject).status if isinstance(order, TeamFulfilment) else order.status


def order_rows(state: State, text: str | None) -> Rows[Fulfilment]:
    """The fulfilments of orders, or of those that have a text in what they say or in a recipient of them."""
    table, has_text = state[FULFILMENTS], text_filter(text)
    if has_text is None:
        return rows_of_table(table)
    found = {row.order for row in state[RECIPIENTS] if has_text(f"{row.name or ''}\n{row.email or ''}")}
    found |= {order.n for order in table if is_order(order) and has_text(_text(state, order))}
    return chosen_rows(table, [n for n in found if is_order(table.get(n))])


def is_order(order: Fulfilment) -> bool:
    """Whether a fulfilment is that of an order, not of a gift or a batch."""
    return not isinstance(order, TeamFulfilment) or order.resource == RESOURCE


def _text(state: State, order: Fulfilment) -> str:
    if not isinstance(order, TeamFulfilment):
        return f"{order.id}\n{order.name or ''}\n{order.reference or ''}\n{order.po_number or ''}"
    team_order = state[TEAM_ORDERS].get(order.subject)
    return f"{team_order.id}\n{team_order.po_number or ''}"


def gift_filter(state: State, text: str | None) -> Callable[[Gift], bool] | None:
    """Whether a gift has a text in its id, its contents, its message or a recipient of it; None for no text."""
    has_text = text_filter(text)
    if has_text is None:
        return None
    found = {row.order for row in state[RECIPIENTS] if has_text(f"{row.name or ''}\n{row.email or ''}")}
    return lambda gift: gift.fulfilment in found or has_text(f"{gift.id}\n{gift.slug or ''}\n{gift.message or ''}")


def campaign_filter(text: str | None) -> Callable[[Campaign], bool] | None:
    """Whether a campaign has a text in its id, its name, its contents or its message; None for no text."""
    has_text = text_filter(text)
    if has_text is None:
        return None
    return lambda row: has_text(f"{row.id}\n{row.name or ''}\n{row.collection or ''}\n{row.gift_message or ''}")
