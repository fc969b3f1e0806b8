"""Rules about deliveries: what an app makes of webhooks while it or the service is down, and of early and many ones."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import msgspec

from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.exam_rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.parcels import (
    DELIVERED_EVENT,
    IN_AN_HOUR,
    SHIPPED_EVENT,
    expect_booked,
    expect_since,
    until_told,
)
from giftsim.workbench.exam.receiver.own_webhooks import OwnWebhooks, of_receiver
from giftsim.workbench.exam.sitting import Sitting

LATE_S: Final = 0.6  # real seconds, in which webhooks of some days are sent
READS: Final = ("getTeamOrder", "listTeamOrders", "getTeamOrderManifest")


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
        expect_since(sitting, order)


def _broken(sitting: Sitting) -> None:
    """The app cannot do its work when a webhook comes, and can again later."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 2), address=True)
    kind = sitting.draw.one_of(SHIPPED_EVENT, DELIVERED_EVENT)
    if kind == DELIVERED_EVENT:
        until_told(sitting, SHIPPED_EVENT)
    before = len(sitting.attempts())
    sitting.app.do("break")
    try:
        until_told(sitting, kind)
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
        expect_booked(sitting, order, each, 1, "the webhook was sent again after the app had failed")
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
        expect_booked(sitting, placed, kind, 1, "its webhook came before the answer to the order")
    sitting.expect_told(placed)


def _together(sitting: Sitting) -> None:
    """Events of many parcels arrive together, several at a time."""
    sitting.begin(settings={**IN_AN_HOUR, "webhooks.forward_at_once": 4})
    order = sitting.order(sitting.draw.between(16, 24), address=True)
    sitting.advance("idle")
    sitting.expect_accepted()
    sitting.expect_told(order)


RULES = (
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
