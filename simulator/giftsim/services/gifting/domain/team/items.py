"""Items: the products that are not reserved for one partner account, named by slug (A8.3, G36)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from giftsim.engine.kernel.setting import choice
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, Product
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, is_on_sale
from giftsim.services.gifting.domain.team.team_errors import NotFound

WITHOUT_IT = "sold_without_it"
SHORT_COLLECTION = choice(
    "catalogue.short_collection",
    ("off_sale", WITHOUT_IT),
    "whether a collection with an item that is off sale is off sale too, or is sold without that item (G444)",
)
SETTINGS = (SHORT_COLLECTION,)

_DECIMAL = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


def item_by_slug(state: State, slug: str) -> Product:
    """The item with a slug. NotFound if there is none."""
    return _require(find_item(state, slug))


def find_item(state: State, slug: str) -> Product | None:
    """The item with a slug, or None."""
    return _shared(state, state[PRODUCTS].find("slug", slug))


def find_item_by_id(state: State, product_id: int) -> Product | None:
    """The item with a `merchant_product_id`, which is also its `id`, or None."""
    return _shared(state, state[PRODUCTS].find("id", product_id))


def item_by_slug_or_id(state: State, text: str) -> Product:
    """The item with a slug, or with an id in decimal digits (D9). NotFound if there is none."""
    by_id = find_item_by_id(state, int(text)) if _DECIMAL.fullmatch(text) else None
    return _require(by_id or find_item(state, text))


def item_slots(state: State) -> Sequence[int]:
    """The slots of all items, in order of creation."""
    shared = [product for product in state[PRODUCTS] if product.account is None]
    return [product.n for product in shared if not state[OFF_SALE].rows or is_on_sale(state, product)]


def _shared(state: State, product: Product | None) -> Product | None:
    """A product that is on sale for all (G444), or None."""
    if product is None or product.account is not None or (state[OFF_SALE].rows and not is_on_sale(state, product)):
        return None
    return product


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
    """The collection with a slug, or None; also None while it cannot be ordered (G444)."""
    collection = state[COLLECTIONS].find("slug", slug)
    return collection if collection is not None and _is_whole(state, collection) else None


def collection_slots(state: State) -> Sequence[int]:
    """The slots of all collections that can be ordered, in order of creation."""
    return [row.n for row in state[COLLECTIONS] if not state[OFF_SALE].rows or _is_whole(state, row)]


def collection_products(state: State, collection: Collection) -> list[Product]:
    """The items of a collection, in order; those that are off sale only if it is not sold without them."""
    products = [state[PRODUCTS].get(n) for n in collection.products]
    return [each for each in products if is_on_sale(state, each)] if _is_shortened(state) else products


def _is_shortened(state: State) -> bool:
    return bool(state[OFF_SALE].rows) and state.setting(SHORT_COLLECTION) == WITHOUT_IT


def _is_whole(state: State, collection: Collection) -> bool:
    """Whether a collection can be ordered: each of its items is on sale, or by the setting at least one."""
    if not state[OFF_SALE].rows or not collection.products:
        return True
    on_sale = [is_on_sale(state, state[PRODUCTS].get(n)) for n in collection.products]
    return any(on_sale) if _is_shortened(state) else all(on_sale)


def collection_price_cents(state: State, collection: Collection) -> int:
    """The current price of a collection: one of each item."""
    return sum(product.price_cents for product in collection_products(state, collection))
