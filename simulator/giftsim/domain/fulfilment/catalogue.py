"""What can be sent: products with their variations, and the SKUs that name one make of them (P-2.4, P-2.5, B10)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from giftsim.kernel.problem import Problem
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec

NO_PERSONALIZATION, REVIEW_REQUIRED, CUSTOM_ARTWORK = "none", "review_required", "custom_artwork"


class Option(msgspec.Struct, frozen=True, gc=False):
    """One value of a variation, such as M."""

    id: int
    name: str


class Variation(msgspec.Struct, frozen=True, gc=False):
    """What a product varies in, such as size."""

    id: int
    name: str
    options: tuple[Option, ...]

    def option(self, option_id: int) -> Option | None:
        """The option of that id, or None."""
        return next((option for option in self.options if option.id == option_id), None)


class PrintArea(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A place on a product that can be printed on; `key` names it in the placements of a preview (A8.3)."""

    key: str
    name: str
    width_px: int
    height_px: int


class Product(Record, frozen=True, gc=False):
    """`account` (a slot) is whose alone it is, None for everybody's.

    `personalization` may ask for a review first (partner, B10), or for a signed proof per order item (team, A1.5).
    """

    id: int
    slug: str
    name: str
    price_cents: int
    personalization: str = NO_PERSONALIZATION
    variations: tuple[Variation, ...] = ()
    account: int | None = None
    print_areas: tuple[PrintArea, ...] = ()

    def variation(self, variation_id: int) -> Variation | None:
        """The variation of that id, or None."""
        return next((variation for variation in self.variations if variation.id == variation_id), None)


class Sku(Record, frozen=True, gc=False):
    """One make of a product (a slot): `options` are (variation id, option id); its own price, or the product's."""

    id: int
    code: str
    product: int
    options: tuple[tuple[int, int], ...] = ()
    price_cents: int | None = None


class Review(Record, frozen=True, gc=False):
    """The personalization of a product was reviewed for an account."""

    product: int
    account: int


class ProductNotFound(Problem):
    """The catalogue has no such product."""

    status = 404
    code = "product_not_found"


PRODUCTS: TableSpec[Product] = TableSpec(
    "products", Product, unique={"id": lambda product: product.id, "slug": lambda product: product.slug}
)
SKUS: TableSpec[Sku] = TableSpec(
    "skus",
    Sku,
    unique={"id": lambda sku: sku.id, "code": lambda sku: sku.code},
    groups={"product": lambda sku: sku.product},
)
REVIEWS: TableSpec[Review] = TableSpec(
    "reviews", Review, unique={"pair": lambda review: f"{review.product} {review.account}"}
)


def find_product(state: State, named: str | int) -> Product:
    """The product of an id, a slug or the code of one of its SKUs; ProductNotFound otherwise."""
    table, skus = state[PRODUCTS], state[SKUS]
    if isinstance(named, int) or (named.isascii() and named.isdigit()):
        found = table.find("id", int(named))
        sku = skus.find("id", int(named))
    else:
        found = table.find("slug", named)
        sku = skus.find("code", named)
    if found is None and sku is None:
        raise ProductNotFound(f"there is no product {named}")
    return found or table.get(sku.product if sku else 0)


def visible(product: Product, account: int) -> bool:
    """Whether the product is on the account (a slot): everybody's or its own (P-7.17)."""
    return product.account is None or product.account == account


def reprice(state: State, product: Product, price_cents: int) -> Product:
    """The product at another price, its SKUs too; orders keep the price that they were made at."""
    for sku in state[SKUS].each("product", product.n):
        if sku.price_cents is not None:
            state[SKUS].put(msgspec.structs.replace(sku, price_cents=None))
    return state[PRODUCTS].put(msgspec.structs.replace(product, price_cents=price_cents))


def review(state: State, product: Product, account: int) -> None:
    """The personalization of the product is reviewed for the account (a slot) from now on."""
    if not reviewed(state, product, account):
        state[REVIEWS].add(Review(state[REVIEWS].next_n, product.n, account))


def unreview(state: State, product: Product, account: int) -> None:
    """The review no longer holds, as after a change of the artwork."""
    found = state[REVIEWS].find("pair", f"{product.n} {account}")
    if found:
        state[REVIEWS].drop(found.n)


def reviewed(state: State, product: Product, account: int) -> bool:
    """Whether nothing stands against ordering the product with its personalization (B10)."""
    if product.personalization != REVIEW_REQUIRED:
        return True
    return state[REVIEWS].find("pair", f"{product.n} {account}") is not None


def shown(state: State, account: int) -> Iterator[tuple[Product, list[Sku]]]:
    """The products on an account (a slot) with their SKUs, in order of creation."""
    for product in state[PRODUCTS]:
        if visible(product, account):
            yield product, state[SKUS].each("product", product.n)
