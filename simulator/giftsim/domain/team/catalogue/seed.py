"""The section `collections:` of a fixture: sets of items, by their slugs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from giftsim.domain.fulfilment.products import Product
from giftsim.domain.problem import InvalidFixture
from giftsim.domain.team.catalogue.collection import COLLECTIONS, Collection
from giftsim.domain.team.catalogue.item import find_item
from giftsim.kernel.state import State

Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,64}$")]


class CollectionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A collection of `items`, given by their slugs."""

    id: Annotated[int, msgspec.Meta(ge=1)]
    slug: Slug
    name: Annotated[str, msgspec.Meta(min_length=1)]
    items: Annotated[tuple[Slug, ...], msgspec.Meta(min_length=1)]


def seed_collections(state: State, data: Mapping[str, Any]) -> None:
    """Add a fixture's collections to a state that has its products. InvalidFixture says what is wrong."""
    try:
        entries = msgspec.convert(data.get("collections", ()), tuple[CollectionEntry, ...])
        with state.transaction():
            for entry in entries:
                products = tuple(_item(state, slug).n for slug in dict.fromkeys(entry.items))
                n = state[COLLECTIONS].next_n
                state[COLLECTIONS].add(Collection(n, entry.id, entry.slug, entry.name, products))
    except ValueError as error:
        raise InvalidFixture(f"the fixture's collections: {error}") from None


def _item(state: State, slug: str) -> Product:
    product = find_item(state, slug)
    if product is None:
        raise InvalidFixture(f"the fixture's collections: there is no product {slug} that all accounts can order")
    return product
