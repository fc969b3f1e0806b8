"""In whose name a claim page is: the sender, and the color of the team's branding (G165)."""

from __future__ import annotations

from giftsim.domain.fulfilment.claim import find_order_of_link
from giftsim.domain.team.design.branding import branding_of
from giftsim.domain.team.orders.order_fulfilment import FULFILLED_OWNER
from giftsim.domain.team.tenant import tenant_of_owner
from giftsim.kernel.state import State
from giftsim.pages.theme import Theme

SHEETS = ("page.css", "claim.css")
NO_BRAND = Theme(sheets=SHEETS)


def brand_of_link(state: State, token: str) -> Theme:
    """The look of the page of a link, also of one that cannot be used. A partner's order has a sender but no color."""
    order = find_order_of_link(state, token)
    if order is None:
        return NO_BRAND
    if order.resource is None or order.subject is None:
        return Theme(order.gift_sender, sheets=SHEETS)
    tenant = tenant_of_owner(state, state.handler_of(FULFILLED_OWNER, order.resource)(state, order.subject))
    return Theme(order.gift_sender, branding_of(state, tenant).primary_color, SHEETS)
