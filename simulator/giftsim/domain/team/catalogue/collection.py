"""Collections: sets of items that are sent together, one of each (A8.3, A8.11)."""

from __future__ import annotations

from collections.abc import Sequence

from giftsim.domain.fulfilment.products import PRODUCTS, Product
from giftsim.domain.team.problem import NotFound
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec


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
