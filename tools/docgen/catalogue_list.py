"""What the fixtures sell: a line for each product, with the codes and ids by which orders may name it."""

from __future__ import annotations

from typing import Any, Final

from giftsim.build import Simulator
from giftsim.services.gifting.domain.fulfilment.offer import SHIPPING
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS

# What a product's personalization requires.
PERSONALIZATIONS: Final = {"review_required": "needs review", "custom_artwork": "needs a signed proof in team orders"}
SKUS_OF_ONE: Final = 100  # ids from that of a product, times this, on belong to its SKUs


def catalogue() -> str:
    """Every product with its price, its SKUs and its variations, and the price of shipping."""
    state = Simulator(fixture="empty").registry.find("default").state
    lines = [_line(product, state[SKUS].rows_in("product", product.n)) for product in state[PRODUCTS]]
    shipping = ", ".join(f"{country} {setting.default / 100:.2f}" for country, setting in SHIPPING.items())
    return "\n".join(lines) + f"\n\nShipping for each parcel, in USD: {shipping}."


def _line(product: Any, skus: Any) -> str:
    """A product: its first SKU has its code, the others add their options. SKU ids count up from the product's."""
    first, *others = skus
    ids = [sku.id for sku in skus]
    if ids != list(range(product.id * SKUS_OF_ONE, product.id * SKUS_OF_ONE + len(ids))):
        raise ValueError(f"the SKUs of product {product.id} do not count up: say on the page which ids they have")
    if any(sku.price_cents not in (None, product.price_cents) for sku in skus):
        raise ValueError(f"the SKUs of product {product.id} have prices of their own: say them on the page")
    told = [f"- `{first.code}` {product.id} {product.name} {product.price_cents / 100:.2f}"]
    if others:
        told.append(", ".join(f"`{sku.code.removeprefix(first.code)}`" for sku in others))
        told.append(", ".join(f"{option.name} {option.id}" for option in product.variations))
    return "; ".join(filter(None, [*told, PERSONALIZATIONS.get(product.personalization)]))
