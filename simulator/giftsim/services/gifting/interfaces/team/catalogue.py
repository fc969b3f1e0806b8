"""The JSON of the catalogue (A8.3)."""

from __future__ import annotations

from typing import Any

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, PrintArea, Product, Variation
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, options_on_sale
from giftsim.services.gifting.domain.team import items
from giftsim.services.gifting.domain.team.items import (
    COLLECTIONS,
    Collection,
    collection_price_cents,
    collection_products,
)
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page, single_page

CURRENCY = "USD"


def item_view(product: Product) -> dict[str, Any]:
    """An item. Bundles refer to it by its id."""
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "merchant_product_id": product.id,
        "price_cents": product.price_cents,
        "currency": CURRENCY,
        "personalization": product.personalization,
    }


def collection_view(state: State, record: Collection) -> dict[str, Any]:
    """A collection with its items, at the current price."""
    return {
        "id": record.id,
        "slug": record.slug,
        "name": record.name,
        "items": [item_view(product) for product in collection_products(state, record)],
        "price_cents": collection_price_cents(state, record),
    }


def option_view(state: State, product: Product, variation: Variation) -> dict[str, Any]:
    """An option of an item, with its values that are on sale."""
    values = options_on_sale(state, product, variation) if state[OFF_SALE].rows else variation.options
    return {
        "variation_id": variation.id,
        "name": variation.name,
        "values": [{"option_id": value.id, "name": value.name} for value in values],
    }


def print_area_view(area: PrintArea) -> dict[str, Any]:
    """A print area of a product."""
    return {"key": area.key, "name": area.name, "width_px": area.width_px, "height_px": area.height_px}


def list_collections(call: Call) -> Response:
    """List collections."""
    state = call.state
    slots = items.collection_slots(state)
    return respond_with_page(call, "collections", slots, lambda n: collection_view(state, state[COLLECTIONS].get(n)))


def get_collection(call: Call) -> Response:
    """Read a collection."""
    named = items.collection_by_slug(call.state, call.params["slug"])
    return Response(200, collection_view(call.state, named))


def list_items(call: Call) -> Response:
    """List items."""
    return respond_with_page(
        call, "items", items.item_slots(call.state), lambda n: item_view(call.state[PRODUCTS].get(n))
    )


def list_item_options(call: Call) -> Response:
    """List the options of an item."""
    item = items.item_by_slug(call.state, call.params["slug"])
    return single_page([option_view(call.state, item, variation) for variation in item.variations])


def list_print_areas(call: Call) -> Response:
    """List the print areas of a product."""
    return single_page(map(print_area_view, items.item_by_slug_or_id(call.state, call.query["product"]).print_areas))
