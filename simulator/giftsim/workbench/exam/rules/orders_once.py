"""Rules about orders that are made and paid once, whatever happens to the calls."""

from __future__ import annotations

import msgspec

from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import READINESS, Rule
from giftsim.workbench.exam.expectations import expect_answer, expect_placed
from giftsim.workbench.exam.service_books import PLACED, UNKNOWN, UNPAID
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.troubles import CREATE, LOST_AFTER, LOST_BEFORE, UNKNOWN_OUTCOME, server_error

# An answer that is lost.


def _answer_lost(sitting: Sitting) -> None:
    """The order is made and paid, but the app never hears of it, once or several times in a row."""
    sitting.begin()
    sitting.trouble(CREATE, *[LOST_AFTER] * sitting.draw.between(1, 2))
    order = sitting.settled(sitting.drawn_order())
    expect_placed(sitting, order)


def _call_after_call(sitting: Sitting) -> None:
    """Calls are lost on their way and on the way back, among errors of the service."""
    sitting.begin()
    effects = [LOST_AFTER, sitting.draw.one_of(LOST_BEFORE, server_error(sitting.draw))]
    sitting.random.shuffle(effects)
    sitting.trouble(CREATE, *effects)
    order = sitting.settled(sitting.drawn_order())
    sitting.advance(f"{sitting.draw.between(1, 20)}h")
    order = sitting.settled(order)
    expect_placed(sitting, order)


def _answer_late(sitting: Sitting) -> None:
    """The answer takes long, and the customer asks again meanwhile."""
    sitting.begin()
    sitting.trouble(CREATE, LOST_AFTER, {"delay_s": sitting.draw.between(10, 40) / 100})
    order = sitting.drawn_order()
    first = sitting.place_later(order)
    order = sitting.settled(order)
    first.result()
    expect_placed(sitting, order)


# An outcome that nobody knows for long.


def _is_told_unknown(sitting: Sitting) -> bool:
    """Whether the app was told that the outcome of a call is unknown."""
    return bool(sitting.books.calls(status=409))


def _known_soon(sitting: Sitting) -> None:
    """The outcome is known while the app still tries."""
    sitting.begin()
    sitting.trouble(CREATE, UNKNOWN_OUTCOME)
    order = sitting.drawn_order()
    asked = sitting.place_later(order)
    sitting.wait_until(lambda: asked.done() or _is_told_unknown(sitting))
    number = sitting.only_order(order)["order"]["id"]
    sitting.simulate("outcome", team_order_id=number, outcome=sitting.draw.one_of("paid", "failed"))
    order = msgspec.structs.replace(order, answer=asked.result())
    reason = "nobody knew for a moment whether the order was paid"
    expect_answer(sitting, order, PLACED, UNKNOWN, UNPAID, reason=reason)
    order = sitting.settled(order)
    _expect_not_anew(sitting, order)
    expect_placed(sitting, order)


def _known_late(sitting: Sitting) -> None:
    """Of two orders nobody knows for minutes, hours or days whether they are paid, and the app would have given up.

    An order was paid, or was not, or the app hears by a webhook that it was. Then it is asked for them again.
    """
    fates = dict(zip(sitting.random.sample(("paid", "failed", "told"), 2), _unknown(sitting), strict=True))
    numbers = {fate: sitting.only_order(order)["order"]["id"] for fate, order in fates.items()}
    for fate, number in numbers.items():
        sitting.simulate("outcome", team_order_id=number, outcome="failed" if fate == "failed" else "paid")
    known = [sitting.settled(order) for fate, order in fates.items() if fate != "told"]
    if "told" in fates:
        _tell(sitting, fates["told"], numbers["told"])
        known.append(sitting.settled(fates["told"]))
    for order in known:
        _expect_not_anew(sitting, order)
        expect_placed(sitting, order)


def _expect_not_anew(sitting: Sitting, order: Order) -> None:
    """The app must not have ordered a second time what may have been paid."""
    made = sitting.books.orders_with(order.emails)
    times = f"the app ordered it anew: {len(made)} times in all"
    reason = f"it was unknown whether {order.reference!r} was paid, and {times}"
    sitting.expect_once(order, made, reason)


def _tell(sitting: Sitting, order: Order, number: int) -> None:
    """The app hears that an order is shipped before it knows that it is paid."""
    sitting.simulate("shipment", team_order_id=number, to="shipped")
    sitting.advance("3h")
    state = sitting.known(order).state
    reason = f"the app was told that {order.reference!r} is shipped, and says that it is {state}"
    sitting.expect(state in (PLACED, UNKNOWN), reason, [number])


def _unknown(sitting: Sitting) -> list[Order]:
    """Two orders whose payment nobody knows, as the app was told."""
    sitting.begin()
    crash = sitting.fault(match={"operation": CREATE, "interface": "partner"}, effect=UNKNOWN_OUTCOME)
    orders = _asked(sitting, [sitting.drawn_order() for _ in range(2)])
    sitting.advance(sitting.draw.one_of("3m", "20m", "90m", "7h", "30h", "3d"))
    if not _is_told_unknown(sitting) or sitting.random.random() < 0.2:
        orders = _asked(sitting, orders)
    sitting.end_fault(crash)
    return orders


def _asked(sitting: Sitting, orders: list[Order]) -> list[Order]:
    """The app is asked for orders at the same time, and must not decide what nobody knows."""
    asked = [sitting.place_later(each) for each in orders]
    answered = [msgspec.structs.replace(order, answer=each.result()) for order, each in zip(orders, asked, strict=True)]
    for order in answered:
        _expect_not_anew(sitting, order)
        sitting.only_order(order)
        expect_answer(sitting, order, UNKNOWN, UNPAID, reason="nobody knows yet whether the order was paid")
    return answered


# The same reference again.


def _asked_again(sitting: Sitting) -> None:
    """The customer asks for the same order at once, in the same hour, a day later, and weeks later."""
    sitting.begin()
    order = sitting.settled(sitting.drawn_order())
    spans = ["", f"{sitting.draw.between(5, 55)}m", f"{sitting.draw.between(24, 50)}h", "9d", "32d"]
    for span in ["", *sorted(sitting.random.sample(spans[1:], 2), key=spans.index)]:
        if span:
            sitting.advance(span)
        order = sitting.settled(order)
    expect_placed(sitting, order)


def _asked_at_once(sitting: Sitting) -> None:
    """The same order is asked for several times in the same moment."""
    sitting.begin()
    match = {"operation": CREATE, "interface": "partner"}
    sitting.fault(match=match, when={"first": 3}, effect={"delay_s": sitting.draw.between(5, 20) / 100})
    order = sitting.drawn_order()
    asked = [sitting.place_later(order) for _ in range(sitting.draw.between(2, 3))]
    for each in asked:
        each.result()
    expect_placed(sitting, sitting.settled(order))


def _two_alike(sitting: Sitting) -> None:
    """Two orders that differ in their references only are two orders; each of them again is the same."""
    sitting.begin()
    first = sitting.settled(sitting.drawn_order())
    second = sitting.settled(msgspec.structs.replace(first, reference=sitting.draw.reference()))
    for order in sitting.random.sample([first, second, second], 3):
        sitting.settled(order)
    made = sitting.books.orders_with(first.emails)
    names = f"{first.reference!r} and {second.reference!r}"
    ids = [each["order"]["id"] for each in made]
    sitting.expect(len(made) == 2, f"{names} are two orders, and the service has {len(made)}", ids)
    sitting.expect_money(first, second)


RULES = (
    Rule(
        id="pays_once",
        rule="An order whose answer is lost is ordered and paid once.",
        sources=("P-4.17", "P-1.1"),
        probes=(_answer_lost, _call_after_call, _answer_late),
        groups=(READINESS,),
    ),
    Rule(
        id="waits_out_unknown_outcomes",
        rule="An order whose payment is unknown is not ordered anew, and the app learns what became of it.",
        sources=("P-7.22", "P-4.17", "G28"),
        probes=(_known_late, _known_soon),
        groups=(READINESS,),
    ),
    Rule(
        id="orders_once",
        rule="An order that is asked for again is the same order, and another reference is another one.",
        sources=("P-4.17", "P-1.1"),
        probes=(_asked_again, _asked_at_once, _two_alike),
        groups=(READINESS,),
    ),
)
