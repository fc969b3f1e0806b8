"""Rules about what becomes of claim links and parcels: kept to the app, expired, claimed late, rejected, lost, late."""

from __future__ import annotations

from giftsim.engine.kernel.instants import SECOND, format_instant, parse_instant
from giftsim.workbench.exam.drawing import Order, Person
from giftsim.workbench.exam.exam_rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.parcels import SOON, expiry_of, until_expired
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.troubles import FOUND, HELD_UP, OUT_OF_ORDER, any_loss

LAST_S = 20 * 3600  # the last hours before a link expires


def _links_in_ordinary_life(sitting: Sitting) -> None:
    """Links are mailed, claimed and sent anew, and the app answers all the while."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(2, 3), address=False)
    sitting.check()
    _resend(sitting, order, order.people[1])
    sitting.claim(order, order.people[0])
    sitting.advance(SOON)
    sitting.place(order)
    sitting.advance("idle")
    sitting.check()
    sitting.expect_no_links()


def _links_in_trouble(sitting: Sitting) -> None:
    """The app answers about orders with links whose calls fail, or whose recipients are canceled."""
    sitting.begin()
    sitting.fault(match={"operation": "createTeamOrder"}, when={"first": 1}, effect={"drop": "after"})
    order = sitting.order(2, address=False)
    sitting.place(order)
    if sitting.offers("read"):
        sitting.app.do("read", status="collecting_addresses", page_size=sitting.draw.between(1, 20))
    if sitting.offers("cancel"):
        sitting.app.do("cancel", reference=order.reference, recipients=[order.emails[0]])
    sitting.advance("idle")
    sitting.check()
    sitting.expect_no_links()


def _claimed_in_the_last_second(sitting: Sitting) -> None:
    """Of three links one is claimed at once, one in its last second, and one expires in the next."""
    sitting.begin()
    order = sitting.order(3, address=False)
    sitting.claim(order, order.people[0])
    _claim_late(sitting, order, order.people[1], 1)
    sitting.advance("3h")
    sitting.expect_books(order)
    sitting.advance("idle")
    sitting.expect_books(order)


def _sent_anew(sitting: Sitting) -> None:
    """A link expires, a new one is sent, and the recipient claims the gift after all, in its last hours."""
    sitting.begin()
    order = sitting.order(2, address=False)
    until_expired(sitting, order)
    sitting.expect_books(order)
    _resend(sitting, order, order.people[0])
    _claim_late(sitting, order, order.people[0], sitting.draw.between(1, LAST_S))
    sitting.advance("idle")
    sitting.expect_books(order)


def _canceled_after_expiry(sitting: Sitting) -> None:
    """A link is claimed in its last hours, and the customer cancels a recipient whose link expired after that."""
    sitting.begin()
    sitting.need("cancel")
    order = sitting.order(2, address=False)
    _claim_late(sitting, order, order.people[1], sitting.draw.between(1, LAST_S))
    until_expired(sitting, order)
    sitting.app.do("cancel", reference=order.reference, recipients=[order.emails[0]])
    sitting.advance("idle")
    sitting.expect_books(order)


def _rejected(sitting: Sitting) -> None:
    """Production rejects a parcel, and the others arrive."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(2, 3), address=True)
    sitting.advance(f"{sitting.draw.between(0, 30)}h")
    _move(sitting, order, order.people[0], "rejected")
    sitting.advance(SOON)
    sitting.expect_books(order)
    sitting.advance("idle")
    sitting.expect_books(order)


def _rejected_after_a_claim(sitting: Sitting) -> None:
    """A parcel is rejected after its recipient claimed it; the customer cancels it if the app can do that."""
    sitting.begin()
    order = sitting.order(2, address=False)
    sitting.claim(order, order.people[0])
    sitting.claim(order, order.people[1])
    sitting.advance("26h")
    _move(sitting, order, order.people[0], "rejected")
    sitting.advance(SOON)
    sitting.expect_books(order)
    if sitting.offers("cancel"):
        sitting.app.do("cancel", reference=order.reference, recipients=[order.emails[0]])
    sitting.advance("idle")
    sitting.expect_books(order)


def _delayed(sitting: Sitting) -> None:
    """A parcel is delayed, and is shipped after all."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 2), address=True)
    sitting.advance("25h")
    _move(sitting, order, order.people[0], "delayed")
    sitting.advance(SOON)
    sitting.expect_books(order)
    sitting.advance(f"{sitting.draw.between(5, 40)}h")
    _move(sitting, order, order.people[0], "shipped")
    sitting.advance("idle")
    sitting.expect_books(order)


def _late_in_transit(sitting: Sitting) -> None:
    """The carrier has an exception with a parcel, which stays shipped and arrives late."""
    order, person = _on_the_way(sitting)
    _happens(sitting, order, person, HELD_UP)
    sitting.advance("idle")
    sitting.expect_books(order)


def _lost_and_found(sitting: Sitting) -> None:
    """The carrier loses a parcel, and finds it days later."""
    order, person = _on_the_way(sitting)
    _happens(sitting, order, person, any_loss(sitting.draw))
    sitting.advance(f"{sitting.draw.between(2, 20)}d")
    _happens(sitting, order, person, FOUND)
    sitting.advance("idle")
    sitting.expect_books(order)


def _lost_and_canceled(sitting: Sitting) -> None:
    """The carrier loses a parcel, and the customer cancels it if the app can do that."""
    order, person = _on_the_way(sitting)
    _happens(sitting, order, person, any_loss(sitting.draw))
    if sitting.offers("cancel"):
        sitting.cancel(order, [person])
    sitting.advance("idle")
    sitting.expect_books(order)


def _out_of_order(sitting: Sitting) -> None:
    """The handover of a parcel is told after its delivery."""
    sitting.begin()
    order = sitting.settled(sitting.drawn_order(sitting.draw.between(1, 2), address=True))
    sitting.advance(f"{sitting.draw.between(1, 40)}h")
    _happens(sitting, order, order.people[0], OUT_OF_ORDER)
    sitting.advance("idle")
    sitting.expect_books(order)


def _on_the_way(sitting: Sitting) -> tuple[Order, Person]:
    """An order of which one parcel is on its way for hours."""
    sitting.begin()
    order = sitting.settled(sitting.drawn_order(sitting.draw.between(1, 3), address=True))
    person = sitting.random.choice(order.people)
    sitting.advance(f"{sitting.draw.between(0, 30)}h")
    _move(sitting, order, person, "shipped")
    sitting.advance(f"{sitting.draw.between(2, 20)}h")
    return order, person


def _happens(sitting: Sitting, order: Order, person: Person, name: str) -> None:
    """Let a situation happen to the parcel of a recipient, of which the app is told."""
    sitting.rehearse(name, **sitting.of(order, person))
    sitting.advance(SOON)
    sitting.expect_books(order)


def _claim_late(sitting: Sitting, order: Order, person: Person, left_s: int) -> None:
    """Let a recipient claim the gift so many seconds before the link expires."""
    last = parse_instant(expiry_of(sitting, order)) - left_s * SECOND
    sitting.advance(format_instant(last))
    sitting.claim(order, person)


def _resend(sitting: Sitting, order: Order, person: Person) -> None:
    """Let the service send a recipient a new link."""
    sitting.simulate("claim_link", **sitting.of(order, person))


def _move(sitting: Sitting, order: Order, person: Person, stage: str) -> None:
    """Let production move the parcel of a recipient to a stage."""
    sitting.simulate("shipment", **sitting.of(order, person), to=stage)


RULES = (
    Rule(
        id="keeps_claim_links",
        rule="A claim link is its recipient's only credential: the app tells it in no answer.",
        sources=("P-1.8", "P-2.15", "P-4.7"),
        probes=(_links_in_ordinary_life, _links_in_trouble),
    ),
    Rule(
        id="books_expired_links",
        rule="A link that expired is booked as expired, until its recipient claims the gift after all.",
        sources=("P-6.6", "P-3.16", "B19", "B47"),
        probes=(_claimed_in_the_last_second, _sent_anew, _canceled_after_expiry),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="books_rejected_parcels",
        rule="A rejected parcel is booked as rejected until it is found, and a delayed one goes on.",
        sources=("P-6.4", "P-6.5", "G38", "G430", "G431", "G433"),
        probes=(
            _rejected,
            _delayed,
            _rejected_after_a_claim,
            _late_in_transit,
            _lost_and_found,
            _lost_and_canceled,
            _out_of_order,
        ),
        groups=(READINESS, RECEIVER),
    ),
)
