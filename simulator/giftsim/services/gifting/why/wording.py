"""The words of reasons: names of records and people, amounts, and what somebody outside can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.reason import ADVANCE, Act, Proof
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.instants import format_instant, format_wait
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.timer import Timer
from giftsim.services.gifting.domain.actor import ACTORS, Actor
from giftsim.services.gifting.domain.actor_schedule import ACTS, OWNER
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.team.orders import team_fulfilment

NAMED: Final = 4  # people whom a sentence names
MEMBERS: Final = {"order": "team_order_id", "gift": "gift_id", "campaign": "campaign_id", "approval": "approval_id"}


def phrase_record(ref: Ref) -> str:
    """A record as people call it: `order 1001`."""
    return f"{ref.kind} {ref.id}"


def person(state: State, recipient: Recipient) -> str:
    """A recipient by name, or an open seat by its id."""
    if recipient.name:
        return recipient.name
    return f"recipient {team_fulfilment.recipient_id(state, state[FULFILMENTS].get(recipient.order), recipient.n)}"


def phrase_people(state: State, recipients: Sequence[Recipient]) -> str:
    """Recipients as part of a sentence: `Bo, Cy and 3 others`."""
    names = [person(state, each) for each in recipients[:NAMED]]
    if len(recipients) > NAMED:
        left = len(recipients) - len(names)
        return f"{', '.join(names)} and {left} other{'s' if left > 1 else ''}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def dollars(cents: int) -> str:
    """An amount: `$1,204.50`."""
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def mend_by_claiming(ref: Ref, places: Sequence[int]) -> tuple[Act, ...]:
    """What lets recipients claim, by their places counted through the whole record."""
    return tuple(
        Act(
            "claim", {MEMBERS[ref.kind]: ref.id, "recipient": place}, _called("claim", ref, *([place] if place else []))
        )
        for place in places
    )


def mend_by_linking(ref: Ref, places: Sequence[int]) -> tuple[Act, ...]:
    """What sends recipients new links, by their places counted through the whole record."""
    return tuple(Act("claim_link", {MEMBERS[ref.kind]: ref.id, "recipient": place}) for place in places)


def mend_by_moving(ref: Ref, to: str, places: Sequence[int]) -> tuple[Act, ...]:
    """What moves the parcels of recipients to a status."""
    return tuple(
        Act(
            "shipment",
            {MEMBERS[ref.kind]: ref.id, "recipient": place, "to": to},
            _called("ship", ref, to, place),
        )
        for place in places
    )


def find_scheduled_actor(state: State, role: str, subject: int) -> tuple[Actor, Timer, Proof] | None:
    """Who will claim for a recipient or decide an approval (a slot), when, and what proves it; None if nobody will."""
    act = state[ACTS].find("subject", f"{role} {subject}")
    timers = [] if act is None else state.timers.owned(OWNER, act.n)
    if act is None or not timers:
        return None
    actor = state[ACTORS].get(act.actor)
    when = f"the actor {actor.id} acts at {format_instant(timers[0].due_ms)}"
    return actor, timers[0], Proof(ACTS.name, act.n, None, None, when)


def mend_by_waiting(state: State, timer: Timer) -> tuple[Act, ...]:
    """What lets time pass until a timer fires."""
    return (Act(ADVANCE, {"by": format_wait(timer.due_ms - state.now_ms)}),)


def mend_by_deciding(ref: Ref, decision: str = "approve") -> tuple[Act, ...]:
    """What lets a reviewer decide about a record, or an approval."""
    return (Act("approval", {MEMBERS[ref.kind]: ref.id, "decision": decision}, _called(decision, ref)),)


def _called(method: str, ref: Ref, *more: Any) -> str:
    arguments = ", ".join(msgspec.json.encode(each).decode() for each in (ref.id, *more))
    return f"giftsim.{method}({arguments})"
