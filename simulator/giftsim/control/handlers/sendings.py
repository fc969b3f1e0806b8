"""Orders, gifts and campaigns, to read: their lists, and one with all that belongs to it (G40)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from giftsim.control.order_lookup import find_campaign, find_gift
from giftsim.control.pagination import filtered_page, rows_of_table
from giftsim.control.record_search import (
    GIFT_STATUSES,
    ORDER_STATUSES,
    campaign_filter,
    gift_filter,
    is_order,
    order_rows,
    order_status,
)
from giftsim.control.records import campaign_sending, find_order, gift_sending, read_id
from giftsim.control.views import sendings as views
from giftsim.control.views.world_data import order
from giftsim.control.world_access import current_state
from giftsim.domain.team.campaigns.campaign import CAMPAIGN, CAMPAIGNS
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.gateway.call import Call, Handler, Response


def list_orders(call: Call) -> Response:
    """List the team orders of all accounts and teams."""
    with current_state(call.world) as state:
        return filtered_page(
            call, "orders", order_rows(state, call.query["q"]), lambda row: order(call.world, state, row),
            keep=is_order, status=partial(order_status, state), statuses=ORDER_STATUSES,
        )  # fmt: skip


def list_gifts(call: Call) -> Response:
    """List the gift sends of all teams."""
    with current_state(call.world) as state:
        return filtered_page(
            call, "gifts", rows_of_table(state[GIFTS]), partial(views.gift, state),
            keep=gift_filter(state, call.query["q"]), status=lambda row: row.status, statuses=GIFT_STATUSES,
        )  # fmt: skip


def list_campaigns(call: Call) -> Response:
    """List the large campaigns of all teams."""
    with current_state(call.world) as state:
        return filtered_page(
            call, "campaigns", rows_of_table(state[CAMPAIGNS]), partial(views.campaign, state),
            keep=campaign_filter(call.query["q"]), status=lambda row: row.status, statuses=CAMPAIGN.states,
        )  # fmt: skip


def get_order(call: Call) -> Response:
    """Read an order with its recipients, money, timeline and events."""
    with current_state(call.world) as state:
        sending = find_order(state, call.params["id"])
        [fulfilment] = sending.fulfilments
        summary = order(call.world, state, fulfilment)
        return Response(200, {"order": summary, **views.detail(call.world, state, sending)})


def get_gift(call: Call) -> Response:
    """Read a gift send with its recipients, money, timeline and events."""
    with current_state(call.world) as state:
        gift = find_gift(state, read_id(call.params["id"]))
        detail = views.detail(call.world, state, gift_sending(state, gift))
        return Response(200, {"gift": views.gift(state, gift), **detail})


def get_campaign(call: Call) -> Response:
    """Read a large campaign with its batches, recipients, money, timeline and events."""
    with current_state(call.world) as state:
        campaign = find_campaign(state, read_id(call.params["id"]))
        detail = views.detail(call.world, state, campaign_sending(state, campaign))
        return Response(200, {"campaign": views.campaign(state, campaign), **detail})


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listOrders": list_orders,
        "listGifts": list_gifts,
        "listCampaigns": list_campaigns,
        "getOrder": get_order,
        "getGift": get_gift,
        "getCampaign": get_campaign,
    }
)
