"""The rule about events of before a cancellation that are told after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from giftsim.workbench.exam.drawing import Order, Person
from giftsim.workbench.exam.exam_rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.expectations import expect_canceled
from giftsim.workbench.exam.parcels import ATTENTION, CLAIMED_EVENT, SOON, until_expired
from giftsim.workbench.exam.sitting import Sitting

End: TypeAlias = Callable[[], Any]


def _claimed(sitting: Sitting) -> None:
    """That a gift was claimed is told when it is canceled."""
    order = _begin(sitting, address=False)
    chosen = sitting.random.choice(order.people)
    end = _keep_quiet(sitting, CLAIMED_EVENT)
    sitting.claim(order, chosen)
    sitting.advance(SOON)
    _cancel_and_hear(sitting, order, chosen, end)


def _expired(sitting: Sitting) -> None:
    """That a link had expired is told when its gift is canceled. The others were claimed, and have arrived."""
    order = _begin(sitting, address=False)
    chosen, *others = sitting.random.sample(order.people, len(order.people))
    for person in others:
        sitting.claim(order, person)
    sitting.advance(f"{sitting.draw.between(1, 40)}h")
    end = _keep_quiet(sitting, ATTENTION)
    until_expired(sitting, order)
    _cancel_and_hear(sitting, order, chosen, end)


def _rejected(sitting: Sitting) -> None:
    """That production had rejected a parcel is told when it is canceled."""
    order = _begin(sitting, address=True)
    chosen = sitting.random.choice(order.people)
    sitting.advance(f"{sitting.draw.between(25, 40)}h")
    end = _keep_quiet(sitting, ATTENTION)
    sitting.simulate("shipment", **sitting.of(order, chosen), to="rejected")
    sitting.advance(SOON)
    _cancel_and_hear(sitting, order, chosen, end)


def _begin(sitting: Sitting, *, address: bool) -> Order:
    sitting.begin()
    order = sitting.settled(sitting.drawn_order(sitting.draw.between(2, 3), address=address))
    sitting.only_order(order)
    return order


def _keep_quiet(sitting: Sitting, kind: str) -> End:
    """Let the app not hear of events of a type until this is called: they are withheld, or its receiver is down."""
    if sitting.random.random() < 0.5:
        fault = sitting.fault(match={"event": kind}, effect={"webhook": "hold"})
        return lambda: sitting.end_fault(fault)
    sitting.receive(outage={"from": "+0s", "to": "+60d", "status": 503})
    return sitting.receive


def _cancel_and_hear(sitting: Sitting, order: Order, chosen: Person, end: End) -> None:
    """A recipient is canceled, and then the app hears of what happened before."""
    sitting.cancel(order, [chosen])
    expect_canceled(sitting, order, [chosen])
    end()
    for span in (SOON, "3d"):
        sitting.advance(span)
        expect_canceled(sitting, order, [chosen])


RULES = (
    Rule(
        id="keeps_what_is_canceled",
        rule="What is canceled stays canceled, also when an event of before the cancellation arrives after it.",
        sources=("P-2.45", "P-3.11", "P-6.18"),
        probes=(_claimed, _expired, _rejected),
        needs=("order", "cancel"),
        groups=(READINESS, RECEIVER),
    ),
)
