"""The parcels of an order: waiting until something happens to them, and what the app says of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from giftsim.engine.kernel.texts import count_with_noun
from giftsim.workbench.app.messages import RecipientAnswer
from giftsim.workbench.exam.drawing import Order
from giftsim.workbench.exam.service_books import CLAIMED, DELIVERED, ORDERED, SHIPPED, since, stage_of
from giftsim.workbench.exam.sitting import Sitting

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
SOON: Final = "2h"  # in which the service tells what happened
STEP, STEPS = "18h", 60
HOUR_S: Final = 3600
NOTHING: Final = RecipientAnswer(ORDERED)


def said_of(sitting: Sitting, order: Order, email: str) -> RecipientAnswer:
    """What the app says of a recipient; that nothing happened, if it does not name the recipient."""
    return sitting.known(order).recipients.get(email, NOTHING)


def expect_since(sitting: Sitting, order: Order) -> None:
    """What the app tells of when a stage began must be when it happened."""
    for recipient in sitting.only_order(order)["recipients"]:
        at, said = since(recipient), said_of(sitting, order, recipient["email"])
        if at is None or not said.since:
            continue
        same = False
        with suppress(ValueError, TypeError):
            same = abs((datetime.fromisoformat(said.since) - datetime.fromisoformat(at)).total_seconds()) < 1
        wrong = f"the parcel of {recipient['email']} was {said.stage} at {at}, and the app says at {said.since}"
        sitting.expect(same, f"{wrong}{hours_off(at, said.since)}", [recipient["email"]])


def hours_off(at: str, said: str | None) -> str:
    """A clause that says by how many hours an instant of the app is off; empty if they are not whole hours."""
    try:
        seconds = (datetime.fromisoformat(said or "") - datetime.fromisoformat(at)).total_seconds()
    except (ValueError, TypeError):
        return ""
    hours, rest = divmod(abs(seconds), HOUR_S)
    if rest or not hours:
        return ""
    return f": it is off by {count_with_noun(int(hours), 'hour')}, as if by a wrong difference from UTC"


def expect_stage(sitting: Sitting, order: Order, stage: str, why: str) -> None:
    """RuleBroken with the reason unless the app says this stage of each gift of an order."""
    for email in order.emails:
        said = said_of(sitting, order, email).stage
        sitting.expect(said == stage, f"{why}, and the app says that the gift of {email} is {said}", [email])


def expect_booked(sitting: Sitting, order: Order, kind: str, times: int, why: str) -> None:
    """RuleBroken with the reason unless the app booked an event of each gift so many times."""
    for email in order.emails:
        booked = said_of(sitting, order, email).booked.get(kind, 0)
        sitting.expect(
            booked == times, f"{kind} of {email} in {order.reference!r} was booked {booked} times: {why}", [email]
        )


def until_stage(sitting: Sitting, order: Order, stage: str) -> None:
    """Let time pass until all gifts of an order have this stage, and an hour more, in which it is told."""
    _pass_time(sitting, lambda: {stage_of(each) for each in sitting.only_order(order)["recipients"]} == {stage})
    sitting.advance(SOON)


def expiry_of(sitting: Sitting, order: Order) -> str:
    """The instant at which the links of an order expire."""
    expires: str = max(each["claim_expires_at"] for each in sitting.only_order(order)["recipients"])
    return expires


def until_expired(sitting: Sitting, order: Order) -> None:
    """Let the links of an order expire, and the service tell it."""
    sitting.advance(expiry_of(sitting, order))
    sitting.advance(SOON)


def until_told(sitting: Sitting, kind: str) -> None:
    """Let time pass until the service has tried to tell the app of such an event."""
    _pass_time(sitting, lambda: any(row["type"] == kind for row in sitting.attempts()))


def _pass_time(sitting: Sitting, has_happened: Callable[[], bool]) -> None:
    for _ in range(STEPS):
        if has_happened():
            return
        sitting.advance(STEP)
