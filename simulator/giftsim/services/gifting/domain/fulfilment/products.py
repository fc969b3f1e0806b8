"""The catalogue: products with their variations, and SKUs, each one configuration of a product (P-2.4, P-2.5, B10)."""

from __future__ import annotations

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.kernel.texts import find_nearest
from giftsim.engine.problem import InvalidState, Problem

MAX_DIGITS = 18  # of an id as text

NO_PERSONALIZATION, REVIEW_REQUIRED, CUSTOM_ARTWORK = "none", "review_required", "custom_artwork"


class Option(msgspec.Struct, frozen=True, gc=False):
    """One value of a variation, such as M."""

    id: int
    name: str


class Variation(msgspec.Struct, frozen=True, gc=False):
    """A property of a product that has options, such as size."""

    id: int
    name: str
    options: tuple[Option, ...]

    def option(self, option_id: int) -> Option | None:
        """The option with an id, or None."""
        return next((option for option in self.options if option.id == option_id), None)


class PrintArea(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A printable area of a product; `key` names it in the placements of a preview (A8.3)."""

    key: str
    name: str
    width_px: int
    height_px: int


class Product(Record, frozen=True, gc=False):
    """A product. With an `account` (a slot), only that account can order it.

    `personalization` may require a review first (partner, B10), or a signed proof per order item (team, A1.5).
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
        """The variation with an id, or None."""
        return next((variation for variation in self.variations if variation.id == variation_id), None)


class Sku(Record, frozen=True, gc=False):
    """One configuration of `product` (a slot): `options` are (variation id, option id) pairs.

    Its price is the product's if `price_cents` is None.
    """

    id: int
    code: str
    product: int
    options: tuple[tuple[int, int], ...] = ()
    price_cents: int | None = None


class Review(Record, frozen=True, gc=False):
    """A record that the personalization of a product was reviewed for an account."""

    product: int
    account: int


class ProductNotFound(Problem, status=404, code="product_not_found"):
    """The catalogue has no such product."""


PRODUCTS: TableSpec[Product] = TableSpec("products", Product, unique={"id": "id", "slug": "slug"})
SKUS: TableSpec[Sku] = TableSpec(
    "skus",
    Sku,
    unique={"id": "id", "code": "code"},
    groups={"product": "product"},
)
REVIEWS: TableSpec[Review] = TableSpec(
    "reviews", Review, unique={"pair": lambda review: f"{review.product} {review.account}"}
)


def find_product(state: State, name: str | int) -> Product:
    """The product with an id, a slug, or the id or code of one of its SKUs; ProductNotFound if there is none."""
    products = state[PRODUCTS]
    product = products.find("id", int(name)) if _is_id(name) else products.find("slug", name)
    sku = find_sku(state, name)
    if product is None and sku is None:
        raise ProductNotFound(f"there is no product {str(name)[:60]}{_nearest(state, str(name))}")
    return product or products.get(sku.product if sku else 0)


def find_sku(state: State, name: str | int) -> Sku | None:
    """The SKU with an id or a code, or None."""
    return state[SKUS].find("id", int(name)) if _is_id(name) else state[SKUS].find("code", name)


def _nearest(state: State, name: str) -> str:
    """The end of a message: the code or slug that may be meant, if one is alike."""
    codes = [*(sku.code for sku in state[SKUS]), *(product.slug for product in state[PRODUCTS])]
    found = find_nearest(name, codes, 0.7)
    return f"; did you mean {found}?" if found else ""


def _is_id(name: str | int) -> bool:
    return isinstance(name, int) or (name.isascii() and name.isdigit() and len(name) <= MAX_DIGITS)


def is_visible(product: Product, account: int) -> bool:
    """Whether the account (a slot) can order the product (P-7.17)."""
    return product.account is None or product.account == account


def change_price(state: State, product: Product, price_cents: int) -> Product:
    """Change the price of a product and its SKUs; existing orders keep their prices."""
    for sku in state[SKUS].rows_in("product", product.n):
        if sku.price_cents is not None:
            state[SKUS].put(msgspec.structs.replace(sku, price_cents=None))
    return state[PRODUCTS].put(msgspec.structs.replace(product, price_cents=price_cents))


def check_needs_review(state: State, product: Product) -> None:
    """InvalidState if the product can be ordered without a review of its personalization."""
    if product.personalization == REVIEW_REQUIRED:
        return
    names = [other.slug for other in state[PRODUCTS] if other.personalization == REVIEW_REQUIRED]
    hint = f"take a product that does, such as {names[0]}" if names else "no product of this world does"
    raise InvalidState(
        f"product {product.slug} needs no review, as its personalization is {product.personalization}; {hint}"
    )


def add_review(state: State, product: Product, account: int) -> None:
    """Record that the personalization of a product was reviewed for an account (a slot)."""
    if not is_reviewed(state, product, account):
        state[REVIEWS].add(Review(state[REVIEWS].next_n, product.n, account))


def withdraw_review(state: State, product: Product, account: int) -> None:
    """Remove the review of a product for an account (a slot), for example after a change of the artwork."""
    review = state[REVIEWS].find("pair", f"{product.n} {account}")
    if review:
        state[REVIEWS].drop(review.n)


def is_reviewed(state: State, product: Product, account: int) -> bool:
    """Whether the account (a slot) may order the product: it needs no review, or has been reviewed (B10)."""
    if product.personalization != REVIEW_REQUIRED:
        return True
    return state[REVIEWS].find("pair", f"{product.n} {account}") is not None
