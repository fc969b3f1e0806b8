"""Rules about orders that are made and paid once, whatever happens to the calls."""

from __future__ import annotations

import msgspec

from giftsim.workbench.exam.expectations import expect_answer, expect_placed
from giftsim.workbench.exam.rule import READINESS, Rule
from giftsim.workbench.exam.service_books import PLACED, UNKNOWN, UNPAID
from giftsim.workbench.exam.sitting import Order, Sitting
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
    first = sitting.app.do_later("order", **order.members)
    order = sitting.settled(order)
    first.result()
    expect_placed(sitting, order)


# An outcome that nobody knows for long.


def _unknown(sitting: Sitting) -> tuple[Order, int]:
    """An order whose payment nobody knows, which the app was told at least once; and the service's id of it."""
    sitting.begin()
    sitting.trouble(CREATE, UNKNOWN_OUTCOME)
    order = sitting.order()
    _expect_open(sitting, order)
    sitting.advance(sitting.draw.one_of("3m", "20m", "90m", "7h", "30h", "3d"))
    if not sitting.books.calls(status=409) or sitting.random.random() < 0.3:
        order = sitting.place(order)
        _expect_open(sitting, order)
    return order, sitting.only_order(order)["order"]["id"]


def _expect_open(sitting: Sitting, order: Order) -> None:
    sitting.only_order(order)
    expect_answer(sitting, order, UNKNOWN, UNPAID, reason="nobody knows yet whether the order was paid")


def _paid_in_the_end(sitting: Sitting) -> None:
    """It turns out that the order was paid, after the app would have given up."""
    order, number = _unknown(sitting)
    sitting.simulate("outcome", team_order_id=number, outcome="paid")
    expect_placed(sitting, sitting.settled(order))


def _failed_in_the_end(sitting: Sitting) -> None:
    """It turns out that the payment failed: the same order is paid when the app is asked again."""
    order, number = _unknown(sitting)
    sitting.simulate("outcome", team_order_id=number, outcome="failed")
    expect_placed(sitting, sitting.settled(order))


def _told_in_the_end(sitting: Sitting) -> None:
    """The app hears of the order by its webhooks first, and is asked later."""
    order, number = _unknown(sitting)
    sitting.simulate("outcome", team_order_id=number, outcome="paid")
    sitting.simulate("shipment", team_order_id=number, to="shipped")
    sitting.advance("3h")
    state = sitting.known(order).state
    sitting.expect(
        state in (PLACED, UNKNOWN),
        f"the app was told that {order.reference!r} is shipped, and says that it is {state}",
        [number],
    )
    expect_placed(sitting, sitting.settled(order))


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
    asked = [sitting.app.do_later("order", **order.members) for _ in range(sitting.draw.between(2, 3))]
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
        probes=(_paid_in_the_end, _failed_in_the_end, _told_in_the_end),
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
