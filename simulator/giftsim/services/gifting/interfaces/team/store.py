"""The JSON of the team's store."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.orders import order_creation
from giftsim.services.gifting.domain.team.orders.order_creation import quote_store, store_name, store_products
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team import orders as order_views
from giftsim.services.gifting.interfaces.team.catalogue import item_view


def store_view(state: State, tenant: Tenant) -> dict[str, Any]:
    """The store: its name and its items."""
    return {"name": store_name(state, tenant), "items": [item_view(product) for product in store_products(state)]}


def get_store(call: Call) -> Response:
    """Read the store."""
    return Response(200, store_view(call.state, call.caller.tenant))


def quote_store_order(call: Call) -> Response:
    """Quote a store order."""
    return Response(200, order_views.quote_view(call.state, call.caller.tenant, quote_store(call.state, call.body)))


def create_store_order(call: Call) -> Response:
    """Create a store order, held, and request its approval."""
    order = order_creation.create_store_order(call.state, call.caller.tenant, call.caller.key.n, call.body)
    return Response(201, order_views.team_order_view(call.state, call.caller.tenant, order))
