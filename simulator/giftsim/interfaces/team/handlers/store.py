"""The team's store: read, quote, order (T-4.173 to T-4.179)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.orders.order_creation import create_store_order
from giftsim.domain.team.orders.quote import quote_store
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.views import orders as order_views
from giftsim.interfaces.team.views import store as views


def get_store(call: Call) -> Response:
    """Read the store."""
    return Response(200, views.store(call.state, call.caller.tenant))


def quote_store_order(call: Call) -> Response:
    """Quote a store order."""
    return Response(200, order_views.quote(call.state, call.caller.tenant, quote_store(call.state, call.body)))


def order_from_store(call: Call) -> Response:
    """Create a store order, held, and request its approval."""
    order = create_store_order(call.state, call.caller.tenant, call.caller.key.n, call.body)
    return Response(201, order_views.team_order(call.state, call.caller.tenant, order))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {"getStore": get_store, "quoteStoreOrder": quote_store_order, "createStoreOrder": order_from_store}
)
