"""Rules about events: which of them an app books, how often, and in which order."""

from __future__ import annotations

import msgspec

from giftsim.workbench.exam.exam_rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.parcels import (
    ATTENTION,
    DELIVERED_EVENT,
    IN_AN_HOUR,
    KINDS,
    SHIPPED_EVENT,
    expect_booked,
    expect_since,
    expect_stage,
    said_of,
    until_stage,
    until_told,
)
from giftsim.workbench.exam.receiver.own_webhooks import of_receiver
from giftsim.workbench.exam.service_books import DELIVERED, EXPIRED, ORDERED, SHIPPED
from giftsim.workbench.exam.sitting import Sitting

# Each event once, and every event.


def _sent_again(sitting: Sitting) -> None:
    """Every event arrives twice, and again days later."""
    sitting.begin()
    fault = sitting.fault(effect={"webhook": "duplicate"})
    orders = [sitting.order(2, address=True), sitting.order(1, address=False)]
    sitting.claim_all(orders[1])
    sitting.advance("10d")
    sitting.expect_told(*orders)
    sitting.end_fault(fault)
    for row in sitting.random.sample(sitting.attempts(), 4):
        sitting.advance(sitting.draw.one_of("1h", "30h", "5d"))
        sitting.world.send("POST", f"/deliveries/{row['seq']}/resend", {})
    sitting.expect_accepted()
    sitting.expect_told(*orders)


def _namesakes(sitting: Sitting) -> None:
    """Two recipients of one order have the same name and address, and both get a gift of another order too."""
    sitting.begin()
    drawn = sitting.drawn_order(2, address=True)
    first, second = drawn.people
    drawn = msgspec.structs.replace(drawn, people=(first, msgspec.structs.replace(first, email=second.email)))
    again = msgspec.structs.replace(drawn, reference=sitting.draw.reference())
    orders = [sitting.place(drawn), sitting.place(again)]
    sitting.advance("idle")
    sitting.expect_accepted()
    for order in orders:
        for kind in (SHIPPED_EVENT, DELIVERED_EVENT):
            expect_booked(sitting, order, kind, 1, "each of its recipients has a parcel with an event of its own")


def _attention_twice(sitting: Sitting) -> None:
    """A claim link expires, so does the next one, and the third is claimed: each parcel has two events of one type."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 2), address=False)
    for times in (1, 2):
        until_stage(sitting, order, EXPIRED)
        sitting.expect_told(order)
        expect_booked(sitting, order, ATTENTION, times, f"a claim link expired {times} times, each with an event")
        for gift in sitting.gifts_of(order):
            sitting.simulate("claim_link", **gift, resend=True, expiry_days=sitting.draw.between(1, 5))
    sitting.claim_all(order)
    sitting.advance("idle")
    sitting.expect_accepted()
    sitting.expect_told(order)


def _withheld(sitting: Sitting) -> None:
    """An event happens, and the app is told of it much later."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 2), address=True)
    kind = sitting.draw.one_of(SHIPPED_EVENT, DELIVERED_EVENT)
    fault = sitting.fault(match={"event": kind}, effect={"webhook": "hold"})
    until_stage(sitting, order, DELIVERED)
    expect_booked(sitting, order, kind, 0, "it happened, but no webhook told of it yet")
    sitting.expect_told(order)
    sitting.end_fault(fault)
    sitting.advance("1h")
    expect_booked(sitting, order, kind, 1, "the webhook came")
    sitting.expect_told(order)


# What happened, and when.


def _overtaken(sitting: Sitting) -> None:
    """That a parcel was delivered is told before that it was shipped."""
    sitting.begin()
    order = sitting.order(1, address=True)
    fault = sitting.withhold(SHIPPED_EVENT)
    until_stage(sitting, order, DELIVERED)
    expect_stage(sitting, order, DELIVERED, "the app was told that the parcel was delivered")
    sitting.end_fault(fault)
    sitting.advance("1h")
    expect_stage(sitting, order, DELIVERED, "the parcel was delivered after it was shipped, though told before")
    expect_since(sitting, order)
    sitting.expect_told(order)


def _reordered(sitting: Sitting) -> None:
    """Events of one hour arrive in another order, and one that a link had expired after the gift was claimed."""
    sitting.begin(settings=IN_AN_HOUR)
    sitting.fault(effect={"webhook": "reorder"}, when={"first": sitting.draw.between(1, 2)})
    order = sitting.order(sitting.draw.between(1, 2), address=True)
    sitting.advance("idle")
    sitting.expect_told(order)
    expect_since(sitting, order)


def _late_expiry(sitting: Sitting) -> None:
    """That a claim link had expired is told when the parcel is on its way already."""
    sitting.begin()
    order = sitting.order(1, address=False)
    fault = sitting.withhold(ATTENTION)
    until_stage(sitting, order, EXPIRED)
    [gift] = sitting.gifts_of(order)
    sitting.simulate("claim_link", **gift, resend=True, expiry_days=7)
    sitting.claim_all(order)
    until_told(sitting, sitting.draw.one_of(*KINDS))
    sitting.end_fault(fault)
    sitting.advance("1h")
    stage = said_of(sitting, order, order.emails[0]).stage
    reason = f"the gift was claimed after its link had expired, and the app says {stage}"
    sitting.expect(stage not in (ORDERED, EXPIRED), reason, [gift["team_order_id"]])
    sitting.advance("idle")
    sitting.expect_told(order)


def _others(sitting: Sitting) -> None:
    """Somebody else orders with the same account, for others and for a recipient whom the app knows."""
    sitting.begin()
    order, other = sitting.order(1, address=True), sitting.drawn_order(2, address=True)
    people = [other.people[0].row, {**order.people[0].row}]
    body = {
        "idempotency_key": sitting.draw.word(),
        "reference": other.reference,
        "gift_sender": other.sender,
        "items": list(other.items),
        "recipients": people,
    }
    made = sitting.call("POST", "/api/external/team-orders", body)
    sitting.expect(made.is_success, f"the examiner's order was answered {made.status}")
    sitting.advance("idle")
    sitting.expect_accepted(foreign=[other.reference])
    orders = sitting.check().orders or {}
    sitting.expect(other.reference not in orders, "the app took an order that somebody else placed for its own")
    for reference, known in orders.items():
        emails = known.recipients.keys() - {order.emails[0]}
        sitting.expect(
            not emails, f"the app booked somebody else's recipient {min(emails, default='')} in {reference!r}"
        )
    for kind in (SHIPPED_EVENT, DELIVERED_EVENT):
        expect_booked(sitting, order, kind, 1, "the parcel of somebody else's order has events of its own")


def _other_kinds(sitting: Sitting) -> None:
    """A ping, an order that somebody placed elsewhere, and types that no page mentions."""
    sitting.begin()
    order = sitting.order(1, address=True)
    sitting.call("POST", f"/api/external/webhooks/{sitting.endpoint}/test", {})
    for to in (SHIPPED, DELIVERED):
        sitting.simulate("single_order", to=to)
    for data in ({}, {sitting.draw.word(): {"id": sitting.draw.between(1, 9999)}}):
        kind = sitting.draw.one_of("{}", "team_order.{}", "{}.changed").format(sitting.draw.word())
        sitting.world.send("POST", f"/endpoints/{sitting.endpoint}/test", {"type": kind, "data": data})
    sitting.advance("idle")
    sitting.expect_accepted()
    sitting.expect_told(order)


RULES = (
    Rule(
        id="books_each_event_once",
        rule="An event that arrives several times is booked once.",
        sources=("P-6.20", "P-6.18"),
        probes=(_sent_again, of_receiver("books_each_event_once")),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="books_every_event",
        rule="Events with ids of their own are all booked, however much else they have in common.",
        sources=("P-6.20", "P-6.2", "P-6.3", "P-6.6"),
        probes=(_namesakes, _attention_twice),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="books_what_was_told",
        rule="An event is booked when its webhook comes, and not before.",
        sources=("P-6.16", "P-6.20"),
        probes=(_withheld,),
        groups=(RECEIVER,),
    ),
    Rule(
        id="orders_events_by_time",
        rule="The state of a parcel follows from what happened last, and not from what was told last.",
        sources=("P-2.45", "P-6.18"),
        probes=(_overtaken, _reordered, _late_expiry),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="survives_unknown_kinds",
        rule="Events of types that an app does not know are answered with 2xx, and change nothing.",
        sources=("P-4.16", "P-6.7", "P-6.16", "G218"),
        probes=(_other_kinds, of_receiver("survives_unknown_kinds")),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="survives_unknown_members",
        rule="Members that an app does not know, or that are null, do not keep it from booking an event.",
        sources=("G218", "B22"),
        probes=(of_receiver("survives_unknown_members"),),
        groups=(RECEIVER,),
    ),
    Rule(
        id="ignores_others_events",
        rule="Events about orders that the app did not place are answered with 2xx, and not booked.",
        sources=("P-6.9", "P-6.16"),
        probes=(_others,),
        groups=(RECEIVER,),
    ),
)
