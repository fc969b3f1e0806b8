"""Rules about deliveries: which events an app books, how often, in which order, and whatever happens on their way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

import msgspec

from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.receiver.own_webhooks import OwnWebhooks, send_probes
from giftsim.workbench.exam.receiver.probes import probes_of
from giftsim.workbench.exam.rule import READINESS, RECEIVER, Probe, Rule
from giftsim.workbench.exam.service_books import CLAIMED, DELIVERED, EXPIRED, ORDERED, SHIPPED, since, stage_of
from giftsim.workbench.exam.sitting import Order, Sitting

CLAIMED_EVENT, SHIPPED_EVENT, DELIVERED_EVENT = KINDS = tuple(
    f"team_order.{each}" for each in (CLAIMED, SHIPPED, DELIVERED)
)
ATTENTION: Final = "team_order.needs_attention"
# All of a parcel's way within one hour, so that its events are sent together.
IN_AN_HOUR: Final = {
    "partner.lead_times.production": "5m",
    "partner.lead_times.label": "10m",
    "partner.lead_times.shipped": "15m",
    "partner.lead_times.transit": "15m",
}
LATE_S: Final = 0.6  # real seconds, in which webhooks of some days are sent
READS: Final = ("getTeamOrder", "listTeamOrders", "getTeamOrderManifest")
STEP, STEPS = "18h", 60


def of_receiver(rule: str) -> Probe:
    """A probe that sends the app all that shows a receiver's rule, about orders of its own."""

    def send(sitting: Sitting) -> None:
        sitting.begin()
        send_probes(sitting, probes_of(rule))

    return send


def _expect_since(sitting: Sitting, order: Order) -> None:
    """What the app tells of when a stage began must be when it happened."""
    known = sitting.known(order)
    for recipient in sitting.only_order(order)["recipients"]:
        at, said = since(recipient), known.recipients[recipient["email"]].since
        if at is None or not said:
            continue
        same = False
        with suppress(ValueError):
            same = abs((datetime.fromisoformat(said) - datetime.fromisoformat(at)).total_seconds()) < 1
        stage = known.recipients[recipient["email"]].stage
        sitting.expect(same, f"the parcel of {recipient['email']} was {stage} at {at}, and the app says at {said}")


def _expect_stage(sitting: Sitting, order: Order, stage: str, why: str) -> None:
    for email, known in sitting.known(order).recipients.items():
        sitting.expect(known.stage == stage, f"{why}, and the app says that the gift of {email} is {known.stage}")


def _expect_booked(sitting: Sitting, order: Order, kind: str, times: int, why: str) -> None:
    known = sitting.known(order)
    for email in order.emails:
        booked = known.recipients[email].booked.get(kind, 0) if email in known.recipients else 0
        sitting.expect(
            booked == times, f"{kind} of {email} in {order.reference!r} was booked {booked} times: {why}", [email]
        )


def _until(sitting: Sitting, order: Order, stage: str) -> None:
    """Let time pass until all gifts of an order have this stage, and an hour more, in which it is told."""
    _pass_time(sitting, lambda: {stage_of(each) for each in sitting.only_order(order)["recipients"]} == {stage})
    sitting.advance("2h")


def _until_told(sitting: Sitting, kind: str) -> None:
    """Let time pass until the service has tried to tell the app of such an event."""
    _pass_time(sitting, lambda: any(row["type"] == kind for row in sitting.attempts()))


def _pass_time(sitting: Sitting, has_happened: Callable[[], bool]) -> None:
    for _ in range(STEPS):
        if has_happened():
            return
        sitting.advance(STEP)


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
            _expect_booked(sitting, order, kind, 1, "each of its recipients has a parcel with an event of its own")


def _attention_twice(sitting: Sitting) -> None:
    """A claim link expires, so does the next one, and the third is claimed: each parcel has two events of one type."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 2), address=False)
    for times in (1, 2):
        _until(sitting, order, EXPIRED)
        sitting.expect_told(order)
        _expect_booked(sitting, order, ATTENTION, times, f"a claim link expired {times} times, each with an event")
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
    _until(sitting, order, DELIVERED)
    _expect_booked(sitting, order, kind, 0, "it happened, but no webhook told of it yet")
    sitting.expect_told(order)
    sitting.end_fault(fault)
    sitting.advance("1h")
    _expect_booked(sitting, order, kind, 1, "the webhook came")
    sitting.expect_told(order)


# What happened, and when.


def _overtaken(sitting: Sitting) -> None:
    """That a parcel was delivered is told before that it was shipped."""
    sitting.begin()
    order = sitting.order(1, address=True)
    fault = sitting.withhold(SHIPPED_EVENT)
    _until(sitting, order, DELIVERED)
    _expect_stage(sitting, order, DELIVERED, "the app was told that the parcel was delivered")
    sitting.end_fault(fault)
    sitting.advance("1h")
    _expect_stage(sitting, order, DELIVERED, "the parcel was delivered after it was shipped, though told before")
    _expect_since(sitting, order)
    sitting.expect_told(order)


def _reordered(sitting: Sitting) -> None:
    """Events of one hour arrive in another order, and one that a link had expired after the gift was claimed."""
    sitting.begin(settings=IN_AN_HOUR)
    sitting.fault(effect={"webhook": "reorder"}, when={"first": sitting.draw.between(1, 2)})
    order = sitting.order(sitting.draw.between(1, 2), address=True)
    sitting.advance("idle")
    sitting.expect_told(order)
    _expect_since(sitting, order)


def _late_expiry(sitting: Sitting) -> None:
    """That a claim link had expired is told when the parcel is on its way already."""
    sitting.begin()
    order = sitting.order(1, address=False)
    fault = sitting.withhold(ATTENTION)
    _until(sitting, order, EXPIRED)
    [gift] = sitting.gifts_of(order)
    sitting.simulate("claim_link", **gift, resend=True, expiry_days=7)
    sitting.claim_all(order)
    _until_told(sitting, sitting.draw.one_of(*KINDS))
    sitting.end_fault(fault)
    sitting.advance("1h")
    stage = sitting.known(order).recipients[order.emails[0]].stage
    sitting.expect(
        stage not in (ORDERED, EXPIRED), f"the gift was claimed after its link had expired, and the app says {stage}"
    )
    sitting.advance("idle")
    sitting.expect_told(order)


# Outages and failures.


def _outage(sitting: Sitting) -> None:
    """The app is away from hours to three days, and everything that happens meanwhile arrives late."""
    sitting.begin(settings=sitting.draw.one_of({}, IN_AN_HOUR))
    hours = sitting.draw.one_of(3, 26, 72)
    orders = [sitting.drawn_order(2, address=True), sitting.drawn_order(1, address=False)]
    sitting.receive(outage={"from": "+0s", "to": f"+{hours + sitting.draw.between(0, 20)}h", "status": 503})
    orders = [sitting.place(order) for order in orders]
    sitting.claim_all(orders[1])
    sitting.advance("idle")
    sitting.expect_told(*orders)
    for order in orders:
        _expect_since(sitting, order)


def _broken(sitting: Sitting) -> None:
    """The app cannot do its work when a webhook comes, and can again later."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 2), address=True)
    kind = sitting.draw.one_of(SHIPPED_EVENT, DELIVERED_EVENT)
    if kind == DELIVERED_EVENT:
        _until_told(sitting, SHIPPED_EVENT)
    before = len(sitting.attempts())
    sitting.app.do("break")
    try:
        _until_told(sitting, kind)
        sitting.advance(sitting.draw.one_of("1m", "2h", "26h"))
        for row in sitting.attempts()[before:]:
            sitting.expect(
                row["outcome"] != "delivered",
                f"the app answered {row['status']} to a webhook of type {row['type']} while it could not do its work,"
                " so the event is lost",
                [row["event_id"]],
            )
    finally:
        sitting.app.do("mend")
    sitting.advance("idle")
    for each in (SHIPPED_EVENT, DELIVERED_EVENT):
        _expect_booked(sitting, order, each, 1, "the webhook was sent again after the app had failed")
    sitting.expect_told(order)


def _service_down(sitting: Sitting) -> None:
    """A webhook comes while the service answers no read, and the app still waits for the answer to another order."""
    sitting.begin()
    own, later = OwnWebhooks(sitting, addressed=1), sitting.drawn_order(1, address=True)
    [event, *_] = own.story()
    trouble = sitting.draw.one_of({"status": 503}, {"drop": "before"})
    faults = [sitting.fault(match={"operation": each}, effect=trouble) for each in READS]
    faults.append(sitting.fault(match={"operation": "createTeamOrder"}, effect={"hold": True}))
    placing = sitting.app.do_later("order", **later.members)
    try:
        sitting.until_held(placing)
        answer = own.tell(event)
    finally:
        for fault in faults:
            sitting.end_fault(fault)
        with suppress(RuleBroken):
            placing.result()
    late = "the app did not answer a webhook within 10 s, while the service was down and another order was being placed"
    sitting.expect(not answer.timed_out, late)
    again = own.tell(event)
    sitting.expect(
        again.is_success, f"a genuine webhook was answered {again} when it came again after the service had been down"
    )
    own.expect_booked()


# Whose events, when they come, and how many.


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
    sitting.expect_accepted()
    orders = sitting.check().orders or {}
    sitting.expect(other.reference not in orders, "the app took an order that somebody else placed for its own")
    for reference, known in orders.items():
        emails = known.recipients.keys() - {order.emails[0]}
        sitting.expect(
            not emails, f"the app booked somebody else's recipient {min(emails, default='')} in {reference!r}"
        )
    for kind in (SHIPPED_EVENT, DELIVERED_EVENT):
        _expect_booked(sitting, order, kind, 1, "the parcel of somebody else's order has events of its own")


def _early(sitting: Sitting) -> None:
    """Webhooks about an order arrive before the answer to the call that made it."""
    sitting.begin(settings=IN_AN_HOUR)
    order = sitting.drawn_order(sitting.draw.between(1, 2), address=True)
    sitting.fault(match={"operation": "createTeamOrder"}, when={"first": 1}, effect={"delay_s": LATE_S})
    answer = sitting.app.do_later("order", **order.members)
    sitting.wait_until(lambda: sitting.books.orders_with(order.emails))
    sitting.advance("idle")
    placed = msgspec.structs.replace(order, answer=answer.result())
    if placed.answer.get("state") != "placed":
        placed = sitting.place(order)
    sitting.advance("idle")
    for kind in (SHIPPED_EVENT, DELIVERED_EVENT):
        _expect_booked(sitting, placed, kind, 1, "its webhook came before the answer to the order")
    sitting.expect_told(placed)


def _together(sitting: Sitting) -> None:
    """Events of many parcels arrive together, several at a time."""
    sitting.begin(settings={**IN_AN_HOUR, "webhooks.forward_at_once": 4})
    order = sitting.order(sitting.draw.between(16, 24), address=True)
    sitting.advance("idle")
    sitting.expect_accepted()
    sitting.expect_told(order)


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
        id="answers_in_time",
        rule="A webhook is answered within 10 seconds, whatever else the app waits for, and with no redirect.",
        sources=("P-6.17", "P-6.16"),
        probes=(_service_down, of_receiver("answers_in_time")),
        groups=(RECEIVER,),
    ),
    Rule(
        id="reports_its_failures",
        rule="A webhook that an app cannot process is answered with no 2xx, and processed when it comes again.",
        sources=("P-6.16", "P-6.18", "P-6.20"),
        probes=(_broken, of_receiver("reports_its_failures")),
        needs=("order", "break", "mend"),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="catches_up_after_outages",
        rule="After an outage everything that was told late is booked once, with the time at which it happened.",
        sources=("P-6.18", "P-2.45"),
        probes=(_outage,),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="ignores_others_events",
        rule="Events about orders that the app did not place are answered with 2xx, and not booked.",
        sources=("P-6.9", "P-6.16"),
        probes=(_others,),
        groups=(RECEIVER,),
    ),
    Rule(
        id="takes_early_webhooks",
        rule="Webhooks about an order are booked even if they arrive before the answer to the order.",
        sources=("P-6.15", "P-6.16"),
        probes=(_early,),
        groups=(RECEIVER,),
    ),
    Rule(
        id="takes_webhooks_at_once",
        rule="Webhooks that arrive at the same time are all booked.",
        sources=("P-6.15", "P-6.17"),
        probes=(_together, of_receiver("takes_webhooks_at_once")),
        groups=(RECEIVER,),
    ),
)
