"""Acting: what comes to an actor is armed as a timer of the world, and its act is the verb that anybody else would use.

Whoever is first by `actor.first` is asked, at any moment: one who comes takes over what is open, one who goes leaves it
to the next, and the time counts from then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from giftsim.domain.actors.actor import ACTORS, APPROVER, RECIPIENT, Actor, choose_actor
from giftsim.domain.fulfilment.claim import claim_by_token
from giftsim.domain.fulfilment.default_claim import default_claim_entry
from giftsim.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.domain.fulfilment.shipment import AWAITING, SHIPMENTS
from giftsim.domain.team.orders.approval import APPROVALS, PENDING, Approval, decide
from giftsim.kernel.state import State
from giftsim.kernel.table import Record, TableSpec
from giftsim.problem import Problem

OWNER = "actor"
CLAIM, DECIDE = "actor.claim", "actor.decide"

# How a request for approval is told of: a large campaign's as one of a campaign.
APPROVAL_KINDS = {"large_campaign": "campaign"}


class ScheduledAct(Record, frozen=True, gc=False):
    """What an actor (a slot) is going to do about a recipient or an approval (a slot)."""

    actor: int
    role: str
    subject: int


Thing = tuple[str, int, Sequence[str]]

ACTS: TableSpec[ScheduledAct] = TableSpec(
    "acts",
    ScheduledAct,
    unique={"subject": lambda act: f"{act.role} {act.subject}"},
    groups={"actor": lambda act: act.actor},
)


def on_link_opened(state: State, _: Fulfilment, recipient: Recipient) -> None:
    """A claim link works from now on: whoever is told for its recipient is asked."""
    if state[ACTORS].next_n:
        _ask(state, _link(recipient))


def on_approval_requested(state: State, approval: Approval) -> None:
    """Somebody has to decide: whoever is told for such is asked."""
    if state[ACTORS].next_n:
        _ask(state, _question(approval))


def assign_open_tasks(state: State, actor: Actor) -> None:
    """A new actor is asked about all that is open and that nobody goes before him in."""
    for thing in list(_open(state, actor.role)):
        if _is_first(state, actor, thing):
            _ask(state, thing)


def remove_actor(state: State, actor: Actor) -> None:
    """An actor goes, and the next in order is asked about what he would have done."""
    left = [thing for thing in _open(state, actor.role) if _is_first(state, actor, thing)]
    for act in state[ACTS].rows_in("actor", actor.n):
        _disarm(state, act)
    state[ACTORS].drop(actor.n)
    for thing in left:
        _ask(state, thing)


def remove_all_actors(state: State) -> list[Actor]:
    """Every actor goes, with all that they had in mind."""
    gone = list(state[ACTORS])
    for act in list(state[ACTS]):
        _disarm(state, act)
    for actor in gone:
        state[ACTORS].drop(actor.n)
    return gone


def pending_acts(state: State, actor: Actor) -> int:
    """How many acts of the actor are still to come."""
    return len(state[ACTS].slots_in("actor", actor.n))


def run_act(state: State, n: int) -> None:
    """An act is due: it is done as anybody would, and what refuses it is noted on the actor."""
    act = state[ACTS].get(n)
    state[ACTS].drop(n)
    actor = state[ACTORS].get(act.actor)
    try:
        with state.transaction():
            _do(state, actor, act)
    except Problem as problem:
        noted: dict[str, Any] = {
            "refused": actor.refused + 1, "refused_at_ms": state.now_ms, "refusal": (problem.code, problem.message)
        }  # fmt: skip
    else:
        noted = {"acted": actor.acted + 1, "acted_at_ms": state.now_ms}
    # What it did may have asked the same actor again, so the row is read anew.
    state[ACTORS].put(msgspec.structs.replace(state[ACTORS].get(actor.n), **noted))


def _do(state: State, actor: Actor, act: ScheduledAct) -> None:
    if act.role == APPROVER:
        decide(state, state[APPROVALS].get(act.subject), actor.decision or "", actor.note)
        return
    recipient = state[RECIPIENTS].get(act.subject)
    order = state[FULFILMENTS].get(recipient.order)
    entry = default_claim_entry(state, order, recipient)
    given = {"address": actor.address, "selection": actor.selection}
    entry |= {name: msgspec.json.decode(value) for name, value in given.items() if value is not None}
    claim_by_token(state, recipient.token or order.share_token or "", entry)


def _ask(state: State, thing: Thing) -> None:
    """Let the first actor for a thing have it: armed, unless he never acts; whoever had it gives way."""
    role, subject, names = thing
    was = state[ACTS].find("subject", f"{role} {subject}")
    if was is not None:
        _disarm(state, was)
    actor = choose_actor(state, role, names)
    if actor is None:
        return
    state[ACTORS].put(msgspec.structs.replace(actor, asked=actor.asked + 1))
    if actor.after_ms is not None:
        act = state[ACTS].add(ScheduledAct(state[ACTS].next_n, actor.n, role, subject))
        kind = CLAIM if role == RECIPIENT else DECIDE
        state.timers.set(state.now_ms + actor.after_ms, OWNER, act.n, kind, actor.does)


def _is_first(state: State, actor: Actor, thing: Thing) -> bool:
    found = choose_actor(state, actor.role, thing[2])
    return found is not None and found.n == actor.n


def _disarm(state: State, act: ScheduledAct) -> None:
    state.timers.clear(OWNER, act.n)
    state[ACTS].drop(act.n)


def _link(recipient: Recipient) -> Thing:
    return RECIPIENT, recipient.n, [name for name in (recipient.email, recipient.name) if name]


def _question(approval: Approval) -> Thing:
    return APPROVER, approval.n, [APPROVAL_KINDS.get(approval.resource_type, approval.resource_type)]


def _open(state: State, role: str) -> Iterator[Thing]:
    """What waits for somebody now: every link that works, or every question. Walks the world, for its owner alone."""
    if role == APPROVER:
        yield from (_question(approval) for approval in state[APPROVALS] if approval.status == PENDING)
        return
    for recipient in state[RECIPIENTS]:
        order = state[FULFILMENTS].get(recipient.order)
        if order.paid_at_ms is not None and state[SHIPMENTS].get(recipient.shipment).status == AWAITING:
            yield _link(recipient)
