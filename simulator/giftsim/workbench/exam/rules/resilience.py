"""Rules about apps that crash, or of which two instances share the work."""

from __future__ import annotations

from contextlib import suppress

from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.exam_rule import Rule
from giftsim.workbench.exam.service_books import Row
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.without_start import RESTARTED, SECOND, expect_taken, settled_without_start

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
    sitting.wait_until(lambda: sitting.books.calls(**CREATE))  # the service ends the call, which nobody waits for
    _expect_once(sitting, settled_without_start(sitting, RESTARTED, order))


def _crash_after_lost_answers(sitting: Sitting) -> None:
    """The app ends when it does not know whether it ordered, and is asked for the order again."""
    sitting.begin()
    lost = sitting.fault(match=CREATE, when={"first": ALWAYS}, effect={"drop": "after"})
    order = sitting.drawn_order()
    with suppress(RuleBroken):  # whatever it says, it cannot know more
        sitting.place(order)
    sitting.app.restart()
    sitting.end_fault(lost)
    _expect_once(sitting, settled_without_start(sitting, RESTARTED, order))


def _crash_before_a_repeated_webhook(sitting: Sitting) -> None:
    """The app books what it is told and ends before its answers arrive, so it is told again."""
    sitting.begin()
    order = sitting.order(2)
    if order.people[0].address is None:
        sitting.claim(order, order.people[0])
    sitting.advance("idle")
    before = sitting.attempts()
    sitting.app.restart()
    expect_taken(RESTARTED, _sent_again(sitting), before)
    sitting.expect_books(order)


def _sent_again(sitting: Sitting) -> list[Row]:
    """Send the app each of its webhooks once more; the attempts of that."""
    before = len(sitting.attempts())
    sitting.send_again()
    return sitting.attempts()[before:]


def _in_turn(sitting: Sitting) -> None:
    """One instance orders, the other one is asked for the same and for more, told what happened, and what it knows."""
    sitting.begin()
    order = sitting.order(address=True)
    sitting.other_instance()
    sitting.expect_books(order)
    sitting.place(order)
    sitting.only_order(order)
    more = settled_without_start(sitting, SECOND, sitting.drawn_order(address=True))
    sitting.advance("idle")
    sitting.expect_books(order, more)
    told = sitting.attempts()
    sitting.other_instance()
    expect_taken(SECOND, told, _sent_again(sitting))
    sitting.expect_books(order, more)


def _at_the_same_moment(sitting: Sitting) -> None:
    """Both instances are asked for the same order while the call of the second one is in flight."""
    sitting.begin()
    sitting.other_instance()
    settled_without_start(sitting, SECOND, sitting.drawn_order())
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
    told = sitting.attempts()
    sitting.other_instance()
    expect_taken(SECOND, _sent_again(sitting), told)
    sitting.expect_books(order)


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
