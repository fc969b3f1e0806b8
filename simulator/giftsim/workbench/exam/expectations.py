"""What rules about orders, money and cancellations expect of the app and of the service's books."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from giftsim.workbench.exam.breach import RuleBroken
from giftsim.workbench.exam.drawing import Order, Person
from giftsim.workbench.exam.service_books import CANCELED, PLACED, Row, stage_of
from giftsim.workbench.exam.sitting import Sitting


def expect_answer(sitting: Sitting, order: Order, *states: str, reason: str) -> None:
    """The app must have answered one of these states to an order. The reason says why."""
    state = order.answer.get("state")
    sitting.expect(state in states, f"{reason}, and the app answers {state!r} to {order.reference!r}")


def expect_placed(sitting: Sitting, order: Order) -> Row:
    """The service must have the order once, paid, and the app must know that and what it cost."""
    made = sitting.only_order(order)
    expect_answer(sitting, order, PLACED, reason="the service has the order, and it is paid")
    sitting.expect_money(order)
    return made


def expect_canceled(sitting: Sitting, order: Order, meant: Iterable[Person]) -> Row:
    """Of an order these recipients must be canceled, and no other; the app must know it, and what was refunded."""
    made = sitting.only_order(order)
    emails = {each.email for each in meant}
    for row in made["recipients"]:
        is_canceled, email = row["status"] == CANCELED, row["email"]
        reason = f"{email} of {order.reference!r} was not to be canceled, and the app canceled it"
        sitting.expect(not is_canceled or email in emails, reason, [made["order"]["id"]])
        reason = f"{email} of {order.reference!r} was to be canceled, and the service still has it as {row['status']}"
        sitting.expect(is_canceled or email not in emails, reason, [made["order"]["id"]])
    expect_stages(sitting, order, made)
    return made


def expect_stages(sitting: Sitting, order: Order, made: Row) -> None:
    """The app must know which recipients of an order are canceled, and the money of it."""
    sitting.expect_money(order)
    if made["order"]["status"] == CANCELED:
        return
    known = sitting.known(order).recipients
    for row in made["recipients"]:
        email, said = row["email"], known.get(row["email"])
        if said is None:
            raise RuleBroken(f"the check does not tell the recipient {email} of {order.reference!r}")
        is_canceled = stage_of(row) == CANCELED
        actual = "canceled" if is_canceled else f"not canceled but {row['status']}"
        reason = f"{email} of {order.reference!r} is {actual}, and the app says {said.stage}"
        sitting.expect((said.stage == CANCELED) == is_canceled, reason, [made["order"]["id"]])


def account(sitting: Sitting, **changes: Any) -> Mapping[str, Any]:
    """The account of the app's key as the service has it, perhaps after changes of its money, card and limits."""
    found: Mapping[str, Any] = sitting.simulate("account", key=sitting.credential, **changes)
    return found
