"""Gifts of a team in a sitting: how the app is asked for them, who decides on them, and how its books are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.worlds import system_clock
from giftsim.workbench.exam.drawing import Person
from giftsim.workbench.exam.ground import TEAM
from giftsim.workbench.exam.service_books import CANCELED, ORDERED, REJECTED, STAGES, Row, Told
from giftsim.workbench.exam.sitting import PATIENCE_S, Sitting

WAITING, SENT = "waiting", "sent"  # the other states of a gift are those of `_STATES`
_STATES: Final = {"awaiting_approval": WAITING, "rejected": REJECTED, "canceled": CANCELED}
UNKNOWN: Final = "unknown"
APPROVE, REJECT = "approve", "reject"


class Gift(msgspec.Struct, frozen=True):
    """A gift of a team that the app was asked for: its reference, recipient and item, and the app's answer."""

    reference: str
    person: Person
    item: str
    answer: Mapping[str, Any] = {}

    @property
    def members(self) -> dict[str, Any]:
        """The members of the action that asks for the gift."""
        return {"reference": self.reference, "recipient": self.person.row, "item": self.item}


def drawn_gift(sitting: Sitting, person: Person | None = None) -> Gift:
    """A gift that the app was not asked for yet."""
    item = sitting.draw.one_of(*sitting.products).slug
    return Gift(sitting.draw.plain_reference(), person or sitting.draw.person(), item)


def send(sitting: Sitting, gift: Gift | None = None) -> Gift:
    """Ask the app for a gift, perhaps for one that it was asked for before."""
    gift = gift or drawn_gift(sitting)
    answer = sitting.app.do("gift", **gift.members)
    sitting.wait_for_webhooks()
    return msgspec.structs.replace(gift, answer=answer)


def settle(sitting: Sitting, gift: Gift) -> Gift:
    """Ask the app for a gift again, with minutes between, until it does not say that the gift's fate is unknown."""
    for span_s in PATIENCE_S:
        if gift.answer.get("state") != UNKNOWN:
            break
        system_clock.pause(span_s)
        sitting.advance(f"{sitting.draw.between(2, 9)}m")
        gift = send(sitting, gift)
    return gift


def decide(sitting: Sitting, gift: Gift, decision: str) -> None:
    """Let a person of the team approve or reject a gift that still waits for that, and the service tell it."""
    made = only_gift(sitting, gift)
    if _STATES.get(made["status"]) == WAITING:
        sitting.simulate("approval", gift_id=made["id"], decision=decision)
        sitting.wait_for_webhooks()


def claim(sitting: Sitting, gift: Gift) -> None:
    """Let the recipient of a gift claim it, if it was sent: after a yes it may still wait for its payment."""
    made = only_gift(sitting, gift)
    if made["status"] != SENT:
        return
    about = {"gift_id": made["id"], "recipient_id": made["recipients"][0]["id"]}
    sitting.simulate("claim", **about, address=sitting.draw.address())
    sitting.wait_for_webhooks()


def only_gift(sitting: Sitting, gift: Gift) -> Row:
    """The one gift of the service for what the app was asked for. RuleBroken if there is none, or another."""
    made, name = sitting.books.gifts_with(gift.person.email), repr(gift.reference)
    sitting.expect(len(made) > 0, f"the app was asked for the gift {name}, and the service has no such gift")
    sitting.expect(len(made) == 1, f"the gift {name} was made {len(made)} times", made)
    row: Row = sitting.call("GET", f"/api/teams/v1/gifts/{made[0]}", credential=TEAM).json()
    return row


def expect_gift(sitting: Sitting, gift: Gift) -> Row:
    """RuleBroken unless the service has one gift, and the app's check, if it tells gifts, agrees with its books."""
    made, known = only_gift(sitting, gift), sitting.check().gifts.get(gift.reference)
    if known is None:
        return made
    name, state = repr(gift.reference), _STATES.get(made["status"], SENT)
    sitting.expect(known.state == state, f"the gift {name} is {state}, and the app says {known.state}", [made["id"]])
    told = sitting.books.told_of_gift(made["id"], sitting.host)
    stages = {_stage(made["recipients"][0]["status"]), _stage_told(told)}
    for email, said in known.recipients.items():
        wrong = f"the gift of {email} is {' or '.join(sorted(stages))}, and the app says {said.stage}"
        sitting.expect(said.stage in stages, wrong, [made["id"], *(each.id for each in told)])
        sitting.expect_booked(email, told, said.booked)
    return made


def _stage(status: str) -> str:
    """The stage of a recipient whose status is this."""
    return status if status in STAGES else ORDERED


def _stage_told(events: Sequence[Told]) -> str:
    """The stage that follows from the events that the app accepted."""
    kinds = {each.type.removeprefix("gift.") for each in events if each.accepted}
    return max(kinds.intersection(STAGES), key=STAGES.index, default=ORDERED)
