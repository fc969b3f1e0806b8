"""The JSON of the catalogue (A8.3)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.products import PrintArea, Product, Variation
from giftsim.domain.team.catalogue.collection import Collection, collection_price_cents, collection_products
from giftsim.kernel.state import State

CURRENCY = "USD"


def item(product: Product) -> dict[str, Any]:
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


def collection(state: State, record: Collection) -> dict[str, Any]:
    """A collection with its items, at the present price."""
    return {
        "id": record.id,
        "slug": record.slug,
        "name": record.name,
        "items": [item(product) for product in collection_products(state, record)],
        "price_cents": collection_price_cents(state, record),
    }


def option(variation: Variation) -> dict[str, Any]:
    """An option of an item, with its values."""
    return {
        "variation_id": variation.id,
        "name": variation.name,
        "values": [{"option_id": value.id, "name": value.name} for value in variation.options],
    }


def print_area(area: PrintArea) -> dict[str, Any]:
    """A print area of a product."""
    return {"key": area.key, "name": area.name, "width_px": area.width_px, "height_px": area.height_px}
