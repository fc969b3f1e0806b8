"""Items: the products that are not reserved for one partner account, named by slug (A8.3, G36)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, Product
from giftsim.services.gifting.domain.team.team_errors import NotFound

_DECIMAL = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def item_by_slug(state: State, slug: str) -> Product:
    """The item with a slug. NotFound if there is none."""
    return _require(find_item(state, slug))


def find_item(state: State, slug: str) -> Product | None:
    """The item with a slug, or None."""
    return _shared(state[PRODUCTS].find("slug", slug))


def find_item_by_id(state: State, product_id: int) -> Product | None:
    """The item with a `merchant_product_id`, which is also its `id`, or None."""
    return _shared(state[PRODUCTS].find("id", product_id))


def item_by_slug_or_id(state: State, text: str) -> Product:
    """The item with a slug, or with an id in decimal digits (D9). NotFound if there is none."""
    by_id = find_item_by_id(state, int(text)) if _DECIMAL.fullmatch(text) else None
    return _require(by_id or find_item(state, text))


def item_slots(state: State) -> Sequence[int]:
    """The slots of all items, in order of creation."""
    return [product.n for product in state[PRODUCTS] if product.account is None]


def _shared(product: Product | None) -> Product | None:
    return product if product is not None and product.account is None else None


def _require(product: Product | None) -> Product:
    if product is None:
        raise NotFound("the catalog has no such item")
    return product


class Collection(Record, frozen=True, gc=False):
    """A collection; `products` are the slots of its items, in order."""

    id: int
    slug: str
    name: str
    products: tuple[int, ...]


COLLECTIONS: TableSpec[Collection] = TableSpec("team.collection", Collection, unique={"id": "id", "slug": "slug"})


def collection_by_slug(state: State, slug: str) -> Collection:
    """The collection with a slug. NotFound if there is none."""
    collection = find_collection(state, slug)
    if collection is None:
        raise NotFound("the catalog has no such collection")
    return collection


def find_collection(state: State, slug: str) -> Collection | None:
    """The collection with a slug, or None."""
    return state[COLLECTIONS].find("slug", slug)


def collection_slots(state: State) -> Sequence[int]:
    """The slots of all collections, in order of creation."""
    return [row.n for row in state[COLLECTIONS]]


def collection_products(state: State, collection: Collection) -> list[Product]:
    """The items of a collection, in order."""
    return [state[PRODUCTS].get(n) for n in collection.products]


def collection_price_cents(state: State, collection: Collection) -> int:
    """The current price of a collection: one of each item."""
    return sum(product.price_cents for product in collection_products(state, collection))
