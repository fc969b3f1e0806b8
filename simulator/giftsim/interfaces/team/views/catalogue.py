"""The catalogue as the team interface shows it (A8.3)."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.catalogue import PrintArea, Product, Variation
from giftsim.domain.team.catalogue.collection import Collection, contents, price_cents
from giftsim.kernel.state import State

CURRENCY = "USD"


def item(product: Product) -> dict[str, Any]:
    """A single item; its id is also what bundles name."""
    return {
        "id": product.id,
        "slug": product.slug,
        "name": product.name,
        "merchant_product_id": product.id,
        "price_cents": product.price_cents,
        "currency": CURRENCY,
        "personalization": product.personalization,
    }


def collection(state: State, held: Collection) -> dict[str, Any]:
    """A collection with its items, at today's price."""
    return {
        "id": held.id,
        "slug": held.slug,
        "name": held.name,
        "items": [item(product) for product in contents(state, held)],
        "price_cents": price_cents(state, held),
    }


def option(variation: Variation) -> dict[str, Any]:
    """What an item varies in, with the values there are."""
    return {
        "variation_id": variation.id,
        "name": variation.name,
        "values": [{"option_id": value.id, "name": value.name} for value in variation.options],
    }


def print_area(area: PrintArea) -> dict[str, Any]:
    """A place to print on."""
    return {"key": area.key, "name": area.name, "width_px": area.width_px, "height_px": area.height_px}
