"""Rules about money: payments that are declined, and net terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import READINESS, Rule
from giftsim.workbench.exam.expectations import account, expect_answer, expect_placed
from giftsim.workbench.exam.ground import NET_TERMS
from giftsim.workbench.exam.service_books import UNPAID
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.troubles import CREATE, LOST_AFTER, SETTLE, any_trouble

RICH_CENTS: Final = 50_000_000
SMALL_CENTS: Final = 150  # less than any order costs
SEVERAL: Final = (2, 3)  # orders that are declined one after the other

# By code: the account that cannot pay, and the changes after each of which it can.
DECLINES: Final[Mapping[str, tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]] = {
    "insufficient_funds": (
        {"card": "good", "card_fallback": False},
        ({"wallet_cents": RICH_CENTS}, {"card_fallback": True}),
    ),
    "insufficient_funds_no_card": (
        {"card": "none", "card_fallback": True},
        ({"wallet_cents": RICH_CENTS}, {"card": "good"}),
    ),
    "card_charge_failed": (
        {"card": "declined", "card_fallback": True},
        ({"wallet_cents": RICH_CENTS}, {"card": "good"}),
    ),
    "daily_spend_limit_exceeded": (
        {"card": "good", "card_fallback": True, "daily_limit_cents": SMALL_CENTS},
        ({"daily_limit_cents": None}, {"daily_limit_cents": 20 * RICH_CENTS}),
    ),
}


# Payments that are declined.


def _declined(sitting: Sitting, code: str, many: int = 1) -> list[Order]:
    """Orders that could not be paid, which the app must know. Of several, payment is asked for in vain as well."""
    orders = [sitting.settled(sitting.drawn_order()) for _ in range(many)]
    reason = f"the payment was declined with {code}, so the order exists and can be paid later"
    for order in orders:
        sitting.only_order(order)
        expect_answer(sitting, order, UNPAID, reason=reason)
    for order in sitting.random.sample(orders, many) if many > 1 and sitting.offers("pay") else ():
        expect_answer(sitting, _pay(sitting, order), UNPAID, reason=f"the payment was declined with {code} again")
    sitting.expect_money(*orders)
    return orders


def _pay(sitting: Sitting, order: Order) -> Order:
    """Ask the app to pay an order, until it knows whether that is paid."""
    answer = sitting.until_known(order, lambda: sitting.app.do("pay", reference=order.reference))
    return msgspec.structs.replace(order, answer=answer)


def _paid_later(sitting: Sitting, orders: Sequence[Order]) -> None:
    """The customers can pay now, and say so or ask for the orders again: the same orders are paid."""
    for order in sitting.random.sample(orders, len(orders)):
        if sitting.offers("pay") and (len(orders) > 1 or sitting.random.random() < 0.5):
            expect_placed(sitting, _pay(sitting, order))
        expect_placed(sitting, sitting.settled(order))


def _prepaid(sitting: Sitting) -> None:
    """A wallet and a card that do not suffice, in each documented way, until they do; once for several orders."""
    sitting.begin()
    for place, code in enumerate(sitting.random.sample(sorted(DECLINES), len(DECLINES))):
        broke, mended = DECLINES[code]
        cents = sitting.draw.between(0, SMALL_CENTS)
        account(sitting, **{"wallet_cents": cents, "daily_limit_cents": None, **broke})
        orders = _declined(sitting, code, 1 if place else sitting.draw.between(*SEVERAL))
        if sitting.random.random() < 0.5:
            sitting.advance(f"{sitting.draw.between(1, 60)}h")
        account(sitting, **sitting.draw.one_of(*mended))
        _paid_later(sitting, orders)


def _declined_twice(sitting: Sitting) -> None:
    """The first answer is lost, the payment is declined whenever the app asks, and days later it is not."""
    sitting.begin()
    code = sitting.draw.one_of(*sorted(DECLINES))
    broke, mended = DECLINES[code]
    account(sitting, **{"wallet_cents": sitting.draw.between(0, SMALL_CENTS), **broke})
    sitting.trouble(CREATE, LOST_AFTER)
    orders = _declined(sitting, code, sitting.draw.between(*SEVERAL))
    for _ in range(sitting.draw.between(1, 2)):
        sitting.advance(f"{sitting.draw.between(1, 3)}d")
        order = sitting.settled(sitting.draw.one_of(*orders))
        expect_answer(sitting, order, UNPAID, reason=f"the payment was declined with {code} again")
    account(sitting, **sitting.draw.one_of(*mended))
    _paid_later(sitting, orders)


def _no_credit(sitting: Sitting) -> None:
    """The credit does not suffice for some orders, until the limit is raised."""
    sitting.begin(credential=NET_TERMS)
    first = sitting.settled(sitting.drawn_order())
    owed = expect_placed(sitting, first)["money"]["charged_cents"]
    account(sitting, credit_limit_cents=owed + sitting.draw.between(0, SMALL_CENTS))
    orders = _declined(sitting, "credit_limit_exceeded", sitting.draw.between(*SEVERAL))
    account(sitting, credit_limit_cents=owed + RICH_CENTS)
    _paid_later(sitting, orders)
    sitting.expect_money(first)


# Net terms.


def _settle(sitting: Sitting) -> int:
    """Ask the app to settle. It must say what it settled, which is returned. It may also pay orders that waited."""
    before, charged = int(account(sitting)["owed_cents"]), sitting.books.charged_cents()
    said = sitting.app.do("settle").get("settled_cents", 0)
    paid = before - int(account(sitting)["owed_cents"]) + sitting.books.charged_cents() - charged
    can = account(sitting)["card"] != "declined" and not sitting.books.calls(operation=SETTLE, status=404)
    sitting.expect(bool(paid) or not can, f"{before} cents are owed, and the app settled nothing")
    sitting.expect(said == paid, f"the settlement paid {paid} cents, and the app says {said}")
    return paid


def _used_up(sitting: Sitting) -> Order:
    """An order that waits because the credit is used up by others."""
    sitting.begin(credential=NET_TERMS)
    orders = [sitting.settled(sitting.drawn_order()) for _ in range(sitting.draw.between(1, 2))]
    owed = sum(expect_placed(sitting, each)["money"]["charged_cents"] for each in orders)
    account(sitting, credit_limit_cents=owed + sitting.draw.between(0, SMALL_CENTS))
    [waiting] = _declined(sitting, "credit_limit_exceeded")
    total = sitting.only_order(waiting)["money"]["total_cents"]
    account(sitting, credit_limit_cents=max(owed, total) + sitting.draw.between(0, SMALL_CENTS))
    return waiting


def _settles(sitting: Sitting) -> None:
    """What is owed is settled, and the order that waited for it is paid; then the next settlement."""
    waiting = _used_up(sitting)
    if not _settle(sitting):  # this service has no settlement: a person has to make it
        return
    _paid_later(sitting, [waiting])
    if sitting.offers("cancel"):
        _cancel_one(sitting)
    _settle(sitting)


def _cancel_one(sitting: Sitting) -> None:
    """A further order, of which a part is canceled: less is owed then."""
    account(sitting, credit_limit_cents=RICH_CENTS)
    order = sitting.settled(sitting.drawn_order(2, address=False))
    sitting.cancel(order, order.people[:1])
    sitting.expect_money(order)


def _settles_with_trouble(sitting: Sitting) -> None:
    """The call that settles fails, or its answer is lost, or the card is declined first; then all goes well."""
    waiting = _used_up(sitting)
    sitting.trouble(SETTLE, any_trouble(sitting.draw))
    if sitting.random.random() < 0.5:
        account(sitting, card="declined")
        _settle(sitting)
        account(sitting, card="good")
    for _ in range(3):
        sitting.app.do("settle")
        if not account(sitting)["owed_cents"]:
            break
        sitting.advance("5m")
    if sitting.books.calls(operation=SETTLE, status="2xx"):
        _paid_later(sitting, [waiting])


RULES = (
    Rule(
        id="pays_declined_orders_later",
        rule="An order whose payment is declined waits, and the same order is paid once there is money.",
        sources=("P-3.1", "P-4.19", "P-7.11", "P-7.12", "P-7.13", "P-7.14", "P-7.15", "P-7.16"),
        probes=(_prepaid, _no_credit, _declined_twice),
        groups=(READINESS,),
    ),
    Rule(
        id="settles_what_is_owed",
        rule="What is owed on net terms is settled, and orders that waited for that are paid.",
        sources=("P-1.6", "P-1.7", "P-3.14", "P-4.19", "P-7.13", "B16"),
        probes=(_settles, _settles_with_trouble),
        needs=("order", "settle"),
        groups=(READINESS,),
    ),
)
