"""Whether an app works without the start: one that was restarted, or a second instance, gets none of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.examined_app import AppGone
from giftsim.workbench.exam.service_books import Row
from giftsim.workbench.exam.sitting import Sitting

RESTARTED, SECOND = "a restarted app", "a second instance"
KEPT: Final = "gets no start, so `simulator`, `key` and `secret` have to be kept with the app's data"
KEEP: Final = "Keep what the start says where the app's data is, and let each process read it from there."


def settled_without_start(sitting: Sitting, who: str, order: Order) -> Order:
    """Ask an app without the start for an order that it cannot settle without a call, until it knows of it.

    RuleBroken, which names the cause if the app made no call to the service.
    """
    with _explained(sitting, who):
        order = sitting.settled(order)
        sitting.only_order(order)
    return order


@contextmanager
def _explained(sitting: Sitting, who: str) -> Iterator[None]:
    before = len(sitting.books.calls())
    try:
        yield
    except AppGone:
        raise
    except RuleBroken as error:
        if len(sitting.books.calls()) > before:
            raise
        raise RuleBroken(f"{who} {KEPT}: it made no call to the service, and {error}", error.about, KEEP) from None


def expect_taken(who: str, without: Sequence[Row], others: Sequence[Row]) -> None:
    """RuleBroken if an app without the start refused each webhook, and some of them were accepted elsewhere.

    `without` are the attempts that it got, `others` those that the app got as it was started.
    """
    accepted = {row["event_id"] for row in others if row["outcome"] == "delivered"}
    refused = [row for row in without if row["event_id"] in accepted and not row["fault"]]
    if not refused or any(row["outcome"] == "delivered" for row in without):
        return
    first = refused[0]
    reason = f"it answered {first['status'] or first['outcome']} to each webhook, such as one of type {first['type']}"
    raise RuleBroken(f"{who} {KEPT}: {reason}, which the process that got the start accepts", [first["event_id"]], KEEP)
