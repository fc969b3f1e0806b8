"""Rules about orders: made and paid once, whatever happens to the calls, and refused without harm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.exam.drawing import Address
from giftsim.workbench.exam.rule import READINESS, Rule
from giftsim.workbench.exam.service_books import PLACED, REFUSED, UNKNOWN, UNPAID, Row
from giftsim.workbench.exam.sitting import Order, Sitting

CREATE: Final = "createTeamOrder"
LOST_AFTER: Final = {"drop": "after"}
LOST_BEFORE: Final = {"drop": "before"}
SERVER_ERRORS: Final[tuple[Mapping[str, Any], ...]] = (
    {"status": 500, "undocumented": True},
    {"status": 502, "undocumented": True},
    {"status": 504, "undocumented": True},
    {"status": 503, "code": "idempotency_unavailable", "retry_after": 0},
)


def server_error(sitting: Sitting) -> Mapping[str, Any]:
    """An effect: the service has a trouble of its own."""
    return dict(sitting.draw.one_of(*SERVER_ERRORS))


def expect_answer(sitting: Sitting, order: Order, *states: str, reason: str) -> None:
    """The app must have answered one of these states. The reason says why."""
    state = order.answer.get("state")
    sitting.expect(state in states, f"{reason}, and the app answers {state!r} to {order.reference!r}")


def expect_placed(sitting: Sitting, order: Order) -> Row:
    """The service has the order once, paid, and the app knows that and what it cost."""
    made = sitting.only_order(order)
    sitting.expect_money(order)
    expect_answer(sitting, order, PLACED, reason="the service has the order, and it is paid")
    return made


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
    effects = [LOST_AFTER, sitting.draw.one_of(LOST_BEFORE, server_error(sitting))]
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
    sitting.trouble(CREATE, {"crash": "after_charge"})
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
    sitting.trouble(CREATE, *[{"delay_s": sitting.draw.between(5, 20) / 100}] * 3)
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
    sitting.trouble(CREATE, *[server_error(sitting) for _ in range(sitting.draw.between(1, 2))])
    expect_placed(sitting, sitting.settled(sitting.drawn_order()))


def _long_outage(sitting: Sitting) -> None:
    """The service fails for longer than one ask, which is no answer about the order; later it is well."""
    sitting.begin()
    outage = sitting.fault(match={"operation": CREATE, "interface": "partner"}, effect=server_error(sitting))
    order = sitting.order()
    expect_answer(sitting, order, UNKNOWN, reason="the service failed, which says nothing about the order")
    sitting.advance(f"{sitting.draw.between(10, 300)}m")
    sitting.end_fault(outage)
    expect_placed(sitting, sitting.settled(order))


WAIT_S: Final = 1


def _too_many_calls(sitting: Sitting) -> None:
    """The service asks for a second without calls, which is a real one here."""
    sitting.begin()
    effect = {"status": 429, "code": "rate_limited", "retry_after": WAIT_S}
    began = system_clock.seconds()
    sitting.fault(match={"operation": CREATE, "interface": "partner"}, when={"to": f"+{WAIT_S}s"}, effect=effect)
    sitting.world.send("PUT", "/clock", {"mode": "running", "rate": 1})
    order = sitting.order()
    system_clock.pause(max(0.0, began + WAIT_S - system_clock.seconds()))
    sitting.world.send("PUT", "/clock", {"mode": "manual"})
    calls = sitting.books.calls(status=429)
    sitting.expect(
        len(calls) == 1,
        f"the service asked for {WAIT_S} s without calls, and the app called {len(calls) - 1} times before that was over",
    )
    expect_placed(sitting, sitting.settled(order))


# What is asked for arrives as it is.


def _letters(sitting: Sitting) -> None:
    """Names, addresses, references and SKUs arrive as they were asked for, whatever letters they have."""
    sitting.begin()
    orders = [sitting.settled(sitting.drawn_order(3, address=address)) for address in (True, False)]
    for order in orders:
        made = expect_placed(sitting, order)
        _expect_as_asked(sitting, order, made)


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
        id="pays_once",
        rule="An order whose answer is lost is ordered and paid once.",
        sources=("P-4.17", "P-1.1"),
        probes=(_answer_lost, _call_after_call, _answer_late),
        groups=(READINESS,),
    ),
    Rule(
        id="waits_out_unknown_outcomes",
        rule="While nobody knows whether an order was paid, it is not ordered anew, and its outcome is known in the end.",
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
        probes=(_too_many_calls,),
        groups=(READINESS,),
    ),
    Rule(
        id="takes_letters_from_everywhere",
        rule="Names, addresses, references and items arrive at the service as they were asked for.",
        sources=("P-2.3", "P-2.7", "P-2.27", "P-2.31"),
        probes=(_letters,),
        groups=(READINESS,),
    ),
)
