"""Read the catalogue: collections, items, options and print areas. All teams share it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.catalogue import collection, item
from giftsim.domain.team.catalogue.collection import COLLECTIONS
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.pagination import page, single_page
from giftsim.interfaces.team.views import catalogue as views


def list_collections(call: Call) -> Response:
    """List collections."""
    state = call.state
    slots = collection.collection_slots(state)
    return page(call, "collections", slots, lambda n: views.collection(state, state[COLLECTIONS].get(n)))


def get_collection(call: Call) -> Response:
    """Read a collection."""
    named = collection.collection_by_slug(call.state, call.params["slug"])
    return Response(200, views.collection(call.state, named))


def list_items(call: Call) -> Response:
    """List items."""
    return page(call, "items", item.item_slots(call.state), lambda n: views.item(call.state[PRODUCTS].get(n)))


def list_item_options(call: Call) -> Response:
    """List the options of an item."""
    return single_page(map(views.option, item.item_by_slug(call.state, call.params["slug"]).variations))


def list_print_areas(call: Call) -> Response:
    """List the print areas of a product."""
    return single_page(map(views.print_area, item.item_by_slug_or_id(call.state, call.query["product"]).print_areas))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listCollections": list_collections,
        "getCollection": get_collection,
        "listItems": list_items,
        "listItemOptions": list_item_options,
        "listPrintAreas": list_print_areas,
    }
)
