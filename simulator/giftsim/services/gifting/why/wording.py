"""The words of reasons: names of records and people, amounts, and what somebody outside can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.reason import Act
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.team.orders import team_fulfilment

NAMED: Final = 4  # people whom a sentence names
MEMBERS: Final = {"order": "team_order_id", "gift": "gift_id", "campaign": "campaign_id", "approval": "approval_id"}


def named(ref: Ref) -> str:
    """A record as people call it: `order 1001`."""
    return f"{ref.kind} {ref.id}"


def person(state: State, recipient: Recipient) -> str:
    """A recipient by name, or an open seat by its id."""
    if recipient.name:
        return recipient.name
    return f"recipient {team_fulfilment.recipient_id(state, state[FULFILMENTS].get(recipient.order), recipient.n)}"


def people(state: State, recipients: Sequence[Recipient]) -> str:
    """Recipients as part of a sentence: `Bo, Cy and 3 others`."""
    names = [person(state, each) for each in recipients[:NAMED]]
    if len(recipients) > NAMED:
        left = len(recipients) - len(names)
        return f"{', '.join(names)} and {left} other{'s' if left > 1 else ''}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def dollars(cents: int) -> str:
    """An amount: `$1,204.50`."""
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def claims(ref: Ref, places: Sequence[int]) -> tuple[Act, ...]:
    """What lets recipients claim, by their places counted through the whole record."""
    return tuple(
        Act(
            "claim", {MEMBERS[ref.kind]: ref.id, "recipient": place}, _called("claim", ref, *([place] if place else []))
        )
        for place in places
    )


def moves(ref: Ref, to: str, places: Sequence[int]) -> tuple[Act, ...]:
    """What moves the parcels of recipients to a status."""
    return tuple(
        Act(
            "shipment",
            {MEMBERS[ref.kind]: ref.id, "recipient": place, "to": to},
            _called("ship", ref, to, place),
        )
        for place in places
    )


def decides(ref: Ref, decision: str = "approve") -> tuple[Act, ...]:
    """What lets a reviewer decide about a record, or an approval."""
    return (Act("approval", {MEMBERS[ref.kind]: ref.id, "decision": decision}, _called(decision, ref)),)


def _called(method: str, ref: Ref, *more: Any) -> str:
    arguments = ", ".join(msgspec.json.encode(each).decode() for each in (ref.id, *more))
    return f"giftsim.{method}({arguments})"
