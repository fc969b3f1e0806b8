"""Rules about orders that the service refuses, or cannot take now, and about what arrives of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.exam.drawing import Address, Order
from giftsim.workbench.exam.exam_rule import READINESS, Rule
from giftsim.workbench.exam.expectations import expect_answer, expect_canceled, expect_placed
from giftsim.workbench.exam.service_books import PLACED, REFUSED, UNKNOWN, Row
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.troubles import CANCEL, CREATE, LIST, LOST_AFTER, LOST_BEFORE, server_error

WAIT_S: Final = 1


# What the service refuses.


def _wrong_address(sitting: Sitting, address: Address) -> Address:
    codes = ("N1 9GU", "123", "ABCDE", "9999999", "75008 Paris")
    return {**address, "zip": sitting.draw.one_of(*codes)}


def _refused(sitting: Sitting, wrong: Order, right: Order) -> None:
    """The wrong order is refused, without a trace; the corrected one is made once under the same reference."""
    wrong = sitting.settled(wrong)
    made = [each["order"]["id"] for each in sitting.books.orders_with(wrong.emails)]
    sitting.expect(not made, f"{wrong.reference!r} cannot be made as it was asked for, and the service has it", made)
    expect_answer(sitting, wrong, REFUSED, reason="the service refused the order, and nothing was created")
    sitting.expect_money(wrong)
    if sitting.random.random() < 0.5:
        sitting.advance(f"{sitting.draw.between(1, 40)}h")
    for _ in range(2):
        right = sitting.settled(right)
    expect_answer(sitting, right, PLACED, reason="the order was corrected, and nothing is wrong with it any more")
    made_now = expect_placed(sitting, right)
    asked, made_for = sorted(right.emails), sorted(each["email"] for each in made_now["recipients"])
    sitting.expect(asked == made_for, f"{right.reference!r} was corrected for {asked}, and it was made for {made_for}")


def _bad_address(sitting: Sitting) -> None:
    """One address of several is wrong; or the only one."""
    sitting.begin()
    if sitting.random.random() < 0.5:
        sitting.trouble(CREATE, sitting.draw.one_of(LOST_AFTER, LOST_BEFORE))
    right = sitting.drawn_order(sitting.draw.between(1, 4), address=True)
    people = list(right.people)
    place = sitting.random.randrange(len(people))
    address = _wrong_address(sitting, people[place].address or {})
    people[place] = msgspec.structs.replace(people[place], address=address)
    _refused(sitting, msgspec.structs.replace(right, people=tuple(people)), right)


def _bad_body(sitting: Sitting) -> None:
    """The service refuses the items, or recipients of whom some have addresses and some have none."""
    sitting.begin()
    right = sitting.drawn_order(sitting.draw.between(2, 3))
    item = dict(right.items[0])
    wrong_items = sitting.draw.one_of({**item, "quantity": 0}, {**item, "sku_code": sitting.draw.word()})
    some = msgspec.structs.replace(right.people[0], address=None if right.people[0].address else sitting.draw.address())
    wrong = sitting.draw.one_of(
        msgspec.structs.replace(right, items=(wrong_items, *right.items[1:])),
        msgspec.structs.replace(right, people=(some, *right.people[1:])),
    )
    _refused(sitting, wrong, right)


# Troubles of the service.


def _server_errors(sitting: Sitting) -> None:
    """The service fails once or twice, and is well a moment later."""
    sitting.begin()
    sitting.trouble(CREATE, *[server_error(sitting.draw) for _ in range(sitting.draw.between(1, 2))])
    order = sitting.settled(sitting.drawn_order())
    expect_answer(sitting, order, PLACED, reason="the service failed, and was well again when it was asked again")
    expect_placed(sitting, order)


def _long_outage(sitting: Sitting) -> None:
    """The service fails for longer than one ask, which says nothing about the order; later it is well."""
    sitting.begin()
    outage = sitting.fault(match={"operation": CREATE, "interface": "partner"}, effect=server_error(sitting.draw))
    order = sitting.order()
    expect_answer(sitting, order, UNKNOWN, reason="the service failed, which says nothing about the order")
    sitting.advance(f"{sitting.draw.between(10, 300)}m")
    sitting.end_fault(outage)
    expect_placed(sitting, sitting.settled(order))


def _quiet(sitting: Sitting, operation: str, ask: Callable[[], Any]) -> None:
    """While the app is asked, the service wants a second without calls, which is a real one here."""
    effect = {"status": 429, "code": "rate_limited", "retry_after": WAIT_S}
    began = system_clock.seconds()
    sitting.fault(match={"operation": operation, "interface": "partner"}, when={"to": f"+{WAIT_S}s"}, effect=effect)
    sitting.world.send("PUT", "/clock", {"mode": "running", "rate": 1})
    ask()
    system_clock.pause(max(0.0, began + WAIT_S - system_clock.seconds()))
    sitting.world.send("PUT", "/clock", {"mode": "manual"})
    more = len(sitting.books.calls(status=429)) - 1
    sitting.expect(more >= 0, "the app was asked for something, and did not call the service")
    sitting.expect(more == 0, f"the app was to wait for {WAIT_S} s, and called {more} times before that was over")


def _too_many_orders(sitting: Sitting) -> None:
    """The call that makes an order is one too many."""
    sitting.begin()
    order = sitting.drawn_order()
    _quiet(sitting, CREATE, lambda: sitting.place(order))
    expect_placed(sitting, sitting.settled(order))


def _too_many_others(sitting: Sitting) -> None:
    """A call that cancels or lists is one too many; without these, one that makes an order."""
    sitting.begin()
    order = sitting.settled(sitting.drawn_order())
    other = sitting.draw.one_of(*(each for each in ("cancel", "read") if sitting.offers(each)), "order")
    if other == "cancel":
        _quiet(sitting, CANCEL, lambda: sitting.app.do("cancel", reference=order.reference))
        sitting.cancel(order)
        expect_canceled(sitting, order, order.people)
    elif other == "read":
        status = sitting.only_order(order)["order"]["status"]
        _quiet(sitting, LIST, lambda: sitting.app.do("read", status=status, page_size=sitting.draw.between(2, 50)))
    else:
        _too_many_orders(sitting)


# What is asked for arrives as it is.


def _letters(sitting: Sitting) -> None:
    """Names, addresses, references and SKUs arrive as they were asked for, and so do webhooks that tell them."""
    sitting.begin()
    orders = [sitting.settled(sitting.drawn_order(3, address=address)) for address in (True, False)]
    for order in orders:
        made = expect_placed(sitting, order)
        _expect_as_asked(sitting, order, made)
    sitting.advance("10d")
    sitting.expect_accepted()
    sitting.expect_told(*orders)


def _expect_as_asked(sitting: Sitting, order: Order, made: Row) -> None:
    number = made["order"]["id"]
    read = sitting.call("GET", f"/api/external/team-orders/{number}").json()
    rows = {each["email"]: each for each in read["recipients"]}
    for person in order.people:
        row = rows.get(person.email, {})
        _expect_same(sitting, order, "the name of a recipient", person.name, row.get("name"), number)
        for member, value in (person.address or {}).items():
            arrived = (row.get("address") or {}).get(member)
            _expect_same(sitting, order, f"{member} of {person.email}", value, arrived, number)
    asked = sorted((each["sku_code"], each["quantity"]) for each in order.items)
    arrived_items = sorted((each["code"], each["quantity"]) for each in made["items"])
    _expect_same(sitting, order, "the items", asked, arrived_items, number)
    reference = made["order"]["reference"]
    if reference is not None:
        _expect_same(sitting, order, "the reference", order.reference, reference, number)


def _expect_same(sitting: Sitting, order: Order, what: str, asked: Any, arrived: Any, number: int) -> None:
    reason = f"{what} of {order.reference!r} was asked for as {asked!r} and arrived as {arrived!r}"
    sitting.expect(asked == arrived, reason, [number])


RULES = (
    Rule(
        id="corrects_refused_orders",
        rule="An order that the service refuses is not made, and is made once when it is corrected.",
        sources=("P-2.18", "P-7.3", "P-7.5", "P-7.10", "P-7.17", "P-7.25"),
        probes=(_bad_address, _bad_body),
        groups=(READINESS,),
    ),
    Rule(
        id="retries_server_errors",
        rule="An error of the service says nothing about an order, which is made when the service is well again.",
        sources=("P-4.17", "P-7.27"),
        probes=(_server_errors, _long_outage),
        groups=(READINESS,),
    ),
    Rule(
        id="honours_retry_after",
        rule="After a 429 the app calls no sooner than Retry-After says.",
        sources=("P-7.26",),
        probes=(_too_many_orders, _too_many_others),
        groups=(READINESS,),
    ),
    Rule(
        id="takes_letters_from_everywhere",
        rule="Names, addresses and references arrive as asked for, and webhooks that tell them are processed.",
        sources=("P-2.3", "P-2.7", "P-2.27", "P-2.31", "P-6.13"),
        probes=(_letters,),
        groups=(READINESS,),
    ),
)
