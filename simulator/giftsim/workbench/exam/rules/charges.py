"""The rule about charges: the books have what the service charged, whatever happens to prices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

import msgspec

from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import READINESS, Rule
from giftsim.workbench.exam.expectations import account
from giftsim.workbench.exam.sitting import Sitting

SMALL_CENTS: Final = 150  # less than any order costs
LEAST_PRICE, MOST_PRICE = 199, 9999
# Cents that become dollars and cents again: in binary fractions each of these ways loses or adds one, of some totals.
THERE_AND_BACK: Final[Sequence[Callable[[int], int]]] = (
    lambda cents: int(cents / 100 * 100),
    lambda cents: int(cents * 0.01 * 100),
    lambda cents: ceil(cents / 100 * 100),
)


def _new_prices(sitting: Sitting, least: int, most: int) -> None:
    for product in sitting.products:
        sitting.simulate("price", product=product.code, price_cents=sitting.draw.between(least, most))


def _expect_charged(sitting: Sitting, orders: Sequence[Order]) -> None:
    for order in orders:
        sitting.only_order(order)
    sitting.expect_money(*orders)


def _of_one(sitting: Sitting, code: str) -> Order:
    """An order of one product for one recipient, so that its total rises with the price, cent by cent."""
    item = {"sku_code": code, "quantity": 1}
    return sitting.settled(msgspec.structs.replace(sitting.drawn_order(1), items=(item,)))


def _awkward_totals(sitting: Sitting) -> list[Order]:
    """Orders with totals that do not survive arithmetic in binary fractions, one for each way to lose a cent."""
    code, price = sitting.draw.one_of(*sitting.products).code, sitting.draw.between(LEAST_PRICE, MOST_PRICE)
    sitting.simulate("price", product=code, price_cents=price)
    orders = [_of_one(sitting, code)]
    shipping = sitting.only_order(orders[0])["money"]["total_cents"] - price
    for changed in sitting.random.sample(THERE_AND_BACK, len(THERE_AND_BACK)):
        prices = [each for each in range(LEAST_PRICE, MOST_PRICE) if changed(each + shipping) != each + shipping]
        sitting.simulate("price", product=code, price_cents=sitting.draw.one_of(*prices))
        orders.append(_of_one(sitting, code))
    return orders


def _prices_change(sitting: Sitting) -> None:
    """Prices change between orders for several recipients; wallet and card pay together in the end."""
    sitting.begin()
    orders = []
    for many in sitting.random.sample(range(1, 6), 2):
        orders.append(sitting.settled(sitting.drawn_order(many)))
        _new_prices(sitting, LEAST_PRICE, MOST_PRICE)
    orders += _awkward_totals(sitting)
    account(sitting, wallet_cents=sitting.draw.between(1, SMALL_CENTS), card="good", card_fallback=True)
    orders.append(sitting.settled(sitting.drawn_order()))
    _expect_charged(sitting, orders)


def _large_amounts(sitting: Sitting) -> None:
    """Amounts of millions, in odd cents, and of a few cents."""
    sitting.begin(wallet_cents=900_000_000_000)
    _new_prices(sitting, 500_000_001, 999_999_999)
    orders = [sitting.settled(sitting.drawn_order(sitting.draw.between(5, 9)))]
    _new_prices(sitting, 1, 9)
    orders.append(sitting.settled(sitting.drawn_order()))
    orders += _awkward_totals(sitting)
    _expect_charged(sitting, orders)


def _declined(sitting: Sitting) -> None:
    """Orders that have totals, of which nothing is charged: payment is declined. One of them is paid later."""
    sitting.begin(wallet_cents=sitting.draw.between(0, SMALL_CENTS))
    account(sitting, card=sitting.draw.one_of("none", "declined"), card_fallback=True)
    orders = [sitting.settled(sitting.drawn_order()) for _ in range(2)]
    _expect_charged(sitting, orders)
    account(sitting, wallet_cents=50_000_000)
    sitting.settled(orders[0])
    _expect_charged(sitting, orders)


RULES = (
    Rule(
        id="books_what_was_charged",
        rule="The books have what the service charged, to the cent, and not what the app computed.",
        sources=("P-1.1", "P-2.26", "P-2.30"),
        probes=(_prices_change, _large_amounts, _declined),
        groups=(READINESS,),
    ),
)
