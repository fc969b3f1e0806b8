"""Collections, items, options and print areas; nothing here belongs to anybody."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.fulfilment.catalogue import PRODUCTS
from giftsim.domain.team.catalogue import collection, item
from giftsim.domain.team.catalogue.collection import COLLECTIONS
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.pagination import page, single_page
from giftsim.interfaces.team.views import catalogue as views


def list_collections(call: Call) -> Response:
    """A page of collections."""
    state = call.state
    slots = collection.collections(state)
    return page(call, "collections", slots, lambda n: views.collection(state, state[COLLECTIONS].get(n)))


def get_collection(call: Call) -> Response:
    """One collection."""
    found = collection.collection(call.state, call.params["slug"])
    return Response(200, views.collection(call.state, found))


def list_items(call: Call) -> Response:
    """A page of items."""
    return page(call, "items", item.items(call.state), lambda n: views.item(call.state[PRODUCTS].get(n)))


def list_item_options(call: Call) -> Response:
    """What an item varies in."""
    return single_page(map(views.option, item.item(call.state, call.params["slug"]).variations))


def list_print_areas(call: Call) -> Response:
    """Where a product can be printed on."""
    return single_page(map(views.print_area, item.named_item(call.state, call.query["product"]).print_areas))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listCollections": list_collections,
        "getCollection": get_collection,
        "listItems": list_items,
        "listItemOptions": list_item_options,
        "listPrintAreas": list_print_areas,
    }
)
