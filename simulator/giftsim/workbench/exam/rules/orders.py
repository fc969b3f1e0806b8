"""Rules about ordering and paying once, whatever happens to the calls."""

from __future__ import annotations

from giftsim.workbench.exam.rule import READINESS, Rule
from giftsim.workbench.exam.sitting import Sitting

CREATE = {"operation": "createTeamOrder"}


def _answer_lost(sitting: Sitting) -> None:
    """The order is made and paid, but the app never hears of it, once or several times in a row."""
    sitting.begin()
    sitting.fault(match=CREATE, when={"first": sitting.draw.between(1, 3)}, effect={"drop": "after"})
    order = sitting.order()
    if order.answer.get("state") != "placed":  # it gave up for now: the customer asks again
        order = sitting.place(order)
    sitting.only_order(order)
    sitting.advance("idle")
    sitting.expect_books(order)


RULES = (
    Rule(
        id="pays_once",
        rule="An order whose answer is lost is ordered and paid once.",
        sources=("P-4.17",),
        probes=(_answer_lost,),
        groups=(READINESS,),
    ),
)
