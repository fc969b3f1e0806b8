"""Rules about cancellations: what they mean, what comes too late, and the money that comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import wait
from typing import Final

import msgspec

from giftsim.workbench.exam.drawing import ABROAD, Order, Person
from giftsim.workbench.exam.exam_rule import READINESS, Rule
from giftsim.workbench.exam.expectations import account, expect_canceled, expect_placed
from giftsim.workbench.exam.ground import NET_TERMS, PREPAID
from giftsim.workbench.exam.service_books import CANCELED, EXPIRED, REJECTED, Row
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.troubles import CANCEL, CREATE, LOST_AFTER, UNKNOWN_OUTCOME, any_trouble

NEEDS: Final = ("order", "cancel")
AT_ONCE_S: Final = 0.2
COUNTRIES: Final = ("US", *sorted({each["country"] for each in ABROAD}))
CANCELABLE: Final = ("awaiting", "submitted", EXPIRED, REJECTED)


def _order(sitting: Sitting, least: int, most: int, *, address: bool | None = None) -> Order:
    """An order for several people, of whom two have the same name."""
    order = sitting.drawn_order(sitting.draw.between(least, most), address=address)
    first, second, *others = order.people
    people = [first, msgspec.structs.replace(second, name=first.name), *others]
    sitting.random.shuffle(people)
    order = sitting.settled(msgspec.structs.replace(order, people=tuple(people)))
    sitting.only_order(order)
    return order


def _one_of_namesakes(sitting: Sitting, order: Order) -> list[Person]:
    """One of the two recipients with the same name, and perhaps some others, but not the other one."""
    names = [each.name for each in order.people]
    namesakes = [each for each in order.people if names.count(each.name) > 1]
    others = [each for each in order.people if each not in namesakes]
    meant = [*sitting.random.sample(namesakes, 1), *sitting.random.sample(others, sitting.draw.between(0, 1))]
    return sitting.random.sample(meant, len(meant))


def _some(sitting: Sitting, order: Order) -> list[Person]:
    """Some of an order's recipients, but not all, in any order."""
    return sitting.random.sample(order.people, sitting.draw.between(1, len(order.people) - 1))


def _with_status(order: Order, made: Row, statuses: Iterable[str]) -> list[Person]:
    """The recipients of an order whose parcels have one of these statuses."""
    emails = {each["email"] for each in made["recipients"] if each["status"] in statuses}
    return [each for each in order.people if each.email in emails]


# What is meant.


def _part(sitting: Sitting) -> None:
    """Some recipients of one of two orders: the others of it, and the other order, go on."""
    sitting.begin()
    order, other = _order(sitting, 3, 5), sitting.settled(sitting.drawn_order())
    meant = _one_of_namesakes(sitting, order)
    sitting.cancel(order, meant)
    expect_canceled(sitting, order, meant)
    expect_canceled(sitting, other, [])
    sitting.advance("3d")
    expect_canceled(sitting, order, meant)


def _whole(sitting: Sitting) -> None:
    """A whole order at once, or first some of its recipients and then the others."""
    sitting.begin()
    order, other = _order(sitting, 2, 4), sitting.settled(sitting.drawn_order())
    rest = list(order.people)
    if sitting.random.random() < 0.5:
        meant = _some(sitting, order)
        sitting.cancel(order, meant)
        expect_canceled(sitting, order, meant)
        rest = [each for each in rest if each not in meant]
    sitting.cancel(order, sitting.draw.one_of(None, rest))
    expect_canceled(sitting, order, order.people)
    expect_canceled(sitting, other, [])


# What is too late.


def _cancel_late(sitting: Sitting, order: Order, asked: Sequence[Person] | None) -> None:
    """Cancel what is partly too late: what can be canceled is, and the rest goes on to the door."""
    number = sitting.only_order(order)["order"]["id"]
    can = _with_status(order, sitting.books.order(number), CANCELABLE)
    meant = [each for each in can if asked is None or each in asked]
    sitting.cancel(order, asked)
    expect_canceled(sitting, order, meant)
    sitting.advance("12d")
    expect_canceled(sitting, order, meant)


def _in_production(sitting: Sitting) -> None:
    """Those who claimed are in production a day later, and the others wait still."""
    sitting.begin()
    order = _order(sitting, 3, 4, address=False)
    claimed = _some(sitting, order)
    for person in claimed:
        sitting.claim(order, person)
    sitting.advance(f"{sitting.draw.between(25, 47)}h")
    waiting = [each for each in order.people if each not in claimed]
    asked = [*sitting.random.sample(claimed, 1), *sitting.random.sample(waiting, 1)]
    sitting.random.shuffle(asked)
    _cancel_late(sitting, order, sitting.draw.one_of(None, asked))


def _on_its_way(sitting: Sitting) -> None:
    """Some parcels, or all of them, were produced, labeled or shipped sooner than usual."""
    sitting.begin()
    order = _order(sitting, 2, 4)
    number = sitting.only_order(order)["order"]["id"]
    early = sitting.draw.one_of(list(order.people), _some(sitting, order))
    for row in sitting.books.order(number)["recipients"]:
        if row["email"] in [each.email for each in early]:
            to = sitting.draw.one_of("in_production", "labeled", "shipped", "delivered")
            sitting.simulate("shipment", order_id=row["order_id"], to=to)
    _cancel_late(sitting, order, sitting.draw.one_of(None, list(order.people), early))


# What comes back.


def _refunds(sitting: Sitting) -> None:
    """Parcels of unequal prices, which wallet and card paid together, or which are owed on net terms."""
    prices = sitting.random.sample(range(401, 2400), len(COUNTRIES))
    shipping = {f"partner.prices.shipping.{each}": cents for each, cents in zip(COUNTRIES, prices, strict=True)}
    sitting.begin(credential=sitting.draw.one_of(PREPAID, PREPAID, NET_TERMS), settings=shipping)
    if sitting.credential == PREPAID:
        account(sitting, wallet_cents=sitting.draw.between(1, 5000), card="good", card_fallback=True)
    order = _home_and_abroad(sitting)
    people = sitting.random.sample(order.people, len(order.people))
    expect_placed(sitting, order)
    for count in (1, sitting.draw.between(2, len(people))):
        sitting.cancel(order, people[:count])
        expect_canceled(sitting, order, people[:count])


def _home_and_abroad(sitting: Sitting) -> Order:
    """An order for several people, of whom one lives in another country: shipping there costs more or less."""
    order = sitting.drawn_order(sitting.draw.between(3, 5), address=True)
    first, *others = order.people
    people = [msgspec.structs.replace(first, address=sitting.draw.address_abroad()), *others]
    sitting.random.shuffle(people)
    return sitting.settled(msgspec.structs.replace(order, people=tuple(people)))


def _parcel_in_trouble(sitting: Sitting) -> None:
    """A parcel cannot be made, or a link expires: the recipient is canceled, and the money comes back."""
    sitting.begin()
    address = sitting.random.random() < 0.6
    order = _order(sitting, 2, 3, address=address)
    number, chosen = sitting.only_order(order)["order"]["id"], sitting.random.choice(order.people)
    if address:
        sitting.advance("30h")
        [row] = [each for each in sitting.books.order(number)["recipients"] if each["email"] == chosen.email]
        sitting.simulate("shipment", order_id=row["order_id"], to="rejected")
        sitting.advance("2h")
    else:
        for person in order.people:
            if person != chosen:
                sitting.claim(order, person)
        sitting.advance("31d")
    sitting.expect_books(order)
    sitting.cancel(order, [chosen])
    expect_canceled(sitting, order, [chosen])
    sitting.advance("6d")
    expect_canceled(sitting, order, [chosen])


def _unpaid(sitting: Sitting) -> None:
    """Nothing comes back of an order that was never paid; what is left of it is paid later, or nothing is."""
    sitting.begin(wallet_cents=0)
    account(sitting, card="none")
    order = _order(sitting, 2, 4)
    meant = sitting.draw.one_of(list(order.people), _some(sitting, order))
    sitting.cancel(order, meant)
    expect_canceled(sitting, order, meant)
    account(sitting, wallet_cents=sitting.draw.between(10_000_000, 20_000_000))
    order = sitting.settled(order)
    expect_canceled(sitting, order, meant)


# What is canceled once.


def _answer_lost(sitting: Sitting) -> None:
    """The answer of the cancellation is lost, and it is asked for again."""
    sitting.begin()
    order = _order(sitting, 2, 4)
    effects = [LOST_AFTER, any_trouble(sitting.draw)]
    sitting.trouble(CANCEL, *sitting.random.sample(effects, sitting.draw.between(1, 2)))
    meant = sitting.draw.one_of(None, _some(sitting, order))
    for _ in range(sitting.draw.between(2, 3)):
        sitting.cancel(order, meant)
    expect_canceled(sitting, order, order.people if meant is None else meant)


def _canceled_before(sitting: Sitting) -> None:
    """The service's support canceled some recipients already, and the customer asks the app for the same, and more."""
    sitting.begin()
    order = _order(sitting, 3, 5)
    made = sitting.only_order(order)
    before = _some(sitting, order)
    emails = [each.email for each in before]
    ids = [each["recipient_id"] for each in made["recipients"] if each["email"] in emails]
    sitting.call("POST", f"/api/external/team-orders/{made['order']['id']}/cancel", {"recipient_ids": ids})
    sitting.cancel(order, before)
    expect_canceled(sitting, order, before)
    if sitting.random.random() < 0.5:
        sitting.cancel(order)
        expect_canceled(sitting, order, order.people)


def _not_known_yet(sitting: Sitting) -> None:
    """The order is to be canceled while nobody knows whether it is paid, for moments or hours, and again later."""
    sitting.begin()
    sitting.trouble(CREATE, UNKNOWN_OUTCOME)
    order = sitting.drawn_order(sitting.draw.between(1, 3))
    asked = sitting.place_later(order)
    sitting.wait_until(lambda: asked.done() or sitting.books.calls(status=409))
    number = sitting.only_order(order)["order"]["id"]
    canceled = sitting.app.do_later("cancel", reference=order.reference)
    takes_long = sitting.random.random() < 0.3
    wait([canceled], None if takes_long else AT_ONCE_S)
    if canceled.done():
        state = canceled.result().get("state")
        reason = f"{order.reference!r} was not canceled, since its payment is unknown, and the app says that it was"
        sitting.expect(state != CANCELED, reason, [number])
    if takes_long:
        sitting.advance(f"{sitting.draw.between(10, 500)}m")
    sitting.simulate("outcome", team_order_id=number, outcome=sitting.draw.one_of("paid", "failed"))
    for each in (asked, canceled):
        each.result()
    sitting.settled(order)
    sitting.cancel(order)
    expect_canceled(sitting, order, order.people)


RULES = (
    Rule(
        id="cancels_what_it_means",
        rule="A cancellation is for the recipients that it names, or for the whole order, and for nobody else.",
        sources=("P-3.6", "P-3.11", "P-4.10", "P-4.11"),
        probes=(_part, _whole),
        needs=NEEDS,
        groups=(READINESS,),
    ),
    Rule(
        id="cancels_too_late",
        rule="What is in production or on its way goes on, and is not booked as canceled.",
        sources=("P-3.12", "P-2.33", "P-7.23"),
        probes=(_in_production, _on_its_way),
        needs=NEEDS,
        groups=(READINESS,),
    ),
    Rule(
        id="books_refunds",
        rule="The books have what came back of an order, to the cent.",
        sources=("P-2.34", "P-2.35", "P-2.36", "P-3.13", "P-3.14", "P-3.15", "P-3.16", "P-6.5"),
        probes=(_refunds, _parcel_in_trouble, _unpaid),
        needs=NEEDS,
        groups=(READINESS,),
    ),
    Rule(
        id="cancels_once",
        rule="What is canceled already, or by a call whose answer was lost, is canceled and refunded once.",
        sources=("P-2.37", "P-7.22", "P-7.23"),
        probes=(_answer_lost, _canceled_before, _not_known_yet),
        needs=NEEDS,
        groups=(READINESS,),
    ),
)
