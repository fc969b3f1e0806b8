"""Rules about apps that crash, or of which two instances share the work."""

from __future__ import annotations

from contextlib import suppress

from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.sitting import Sitting

CREATE = {"operation": "createTeamOrder"}
ALWAYS = 99  # calls in a row that a fault changes: more than an app makes for one request


def _crash_in_a_call(sitting: Sitting) -> None:
    """The app ends while the service answers its order, and is asked for it again."""
    sitting.begin()
    held = sitting.fault(match=CREATE, when={"first": 1}, effect={"hold": True})
    order = sitting.drawn_order()
    asked = sitting.place_later(order)
    sitting.until_held(asked)
    sitting.app.restart()
    sitting.end_fault(held)
    with suppress(RuleBroken):
        asked.result()
    _expect_once(sitting, sitting.settled(order))


def _crash_after_lost_answers(sitting: Sitting) -> None:
    """The app ends when it does not know whether it ordered, and is asked for the order again."""
    sitting.begin()
    lost = sitting.fault(match=CREATE, when={"first": ALWAYS}, effect={"drop": "after"})
    order = sitting.drawn_order()
    with suppress(RuleBroken):  # whatever it says, it cannot know more
        sitting.place(order)
    sitting.app.restart()
    sitting.end_fault(lost)
    _expect_once(sitting, sitting.settled(order))


def _crash_before_a_repeated_webhook(sitting: Sitting) -> None:
    """The app books what it is told and ends before its answers arrive, so it is told again."""
    sitting.begin()
    order = sitting.order(2)
    if order.people[0].address is None:
        sitting.claim(order, order.people[0])
    sitting.advance("idle")
    sitting.app.restart()
    sitting.send_again()
    sitting.expect_books(order)


def _in_turn(sitting: Sitting) -> None:
    """One instance orders, and the other one is asked for the same, told what happened, and asked what it knows."""
    sitting.begin()
    order = sitting.order(address=True)
    sitting.other_instance()
    sitting.expect_books(order)
    sitting.place(order)
    sitting.only_order(order)
    sitting.advance("idle")
    sitting.expect_books(order)
    sitting.other_instance()
    sitting.send_again()
    sitting.expect_books(order)


def _at_the_same_moment(sitting: Sitting) -> None:
    """Both instances are asked for the same order while the call of the first one is in flight."""
    sitting.begin()
    sitting.other_instance()
    held = sitting.fault(match=CREATE, when={"first": 1}, effect={"hold": True})
    order = sitting.drawn_order()
    here = sitting.place_later(order)
    sitting.until_held(here)
    sitting.other_instance()
    there = sitting.place_later(order)
    with suppress(TimeoutError):
        there.result(timeout=sitting.draw.between(1, 3) / 10)
    sitting.end_fault(held)
    for asked in (here, there):
        asked.result()
    _expect_once(sitting, sitting.settled(order))


def _expect_once(sitting: Sitting, order: Order) -> None:
    sitting.only_order(order)
    sitting.advance("idle")
    sitting.expect_books(order)


RULES = (
    Rule(
        id="survives_restarts",
        rule="An app that crashed knows what it ordered and what it was told: it orders and books nothing twice.",
        sources=("P-4.17", "P-6.20", "G28"),
        probes=(_crash_in_a_call, _crash_before_a_repeated_webhook, _crash_after_lost_answers),
        needs=("order", "restart"),
    ),
    Rule(
        id="shares_work",
        rule="Two instances of the app are one: together they order and book everything once.",
        sources=("P-4.17", "P-6.20"),
        probes=(_in_turn, _at_the_same_moment),
        needs=("order", "instance"),
    ),
)
