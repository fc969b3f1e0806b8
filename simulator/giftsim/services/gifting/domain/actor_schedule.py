"""Schedule the acts of actors on the world's timers, and run them when they are due.

A task (a claim link or an approval request) is assigned to the actor that `choose_actor` picks. Adding an actor
reassigns open tasks to it, removing one passes its tasks on, and the delay starts again then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain.actor import ACTORS, APPROVER, RECIPIENT, Actor, choose_actor
from giftsim.services.gifting.domain.fulfilment.claim import claim_by_token, default_claim_entry
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, Fulfilment
from giftsim.services.gifting.domain.fulfilment.mail import Bounce, bounces_of
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import AWAITING, SHIPMENTS
from giftsim.services.gifting.domain.team.orders.approval import APPROVALS, PENDING, Approval, decide_approval

OWNER = "actor"
CLAIM, DECIDE = "actor.claim", "actor.decide"

# The name that actors use for a resource type, where it differs.
APPROVAL_KINDS = {"large_campaign": "campaign"}


class ScheduledAct(Record, frozen=True, gc=False):
    """A pending act of an `actor` (a slot); `subject` is the slot of the recipient or of the approval."""

    actor: int
    role: str
    subject: int


# A role, the slot of the recipient or approval, and the names that actors use for it.
Task = tuple[str, int, Sequence[str]]

ACTS: TableSpec[ScheduledAct] = TableSpec(
    "acts",
    ScheduledAct,
    unique={"subject": lambda act: f"{act.role} {act.subject}"},
    groups={"actor": "actor"},
)


def on_link_opened(state: State, _: Fulfilment, recipient: Recipient) -> None:
    """Assign a claim link that can be used from now on."""
    if state[ACTORS].next_n:
        _assign(state, _claim_task(recipient))


def on_approval_requested(state: State, approval: Approval) -> None:
    """Assign a new request for approval."""
    if state[ACTORS].next_n:
        _assign(state, _approval_task(approval))


def on_mail_bounced(state: State, bounce: Bounce) -> None:
    """Take back the claims that actors would make with the link of a mail that bounced (G458)."""
    for act in list(state[ACTS]):
        if act.role == RECIPIENT and _link_of(state, state[RECIPIENTS].get(act.subject)) == bounce.token:
            _unschedule(state, act)


def assign_open_tasks(state: State, actor: Actor) -> None:
    """Assign a new actor the open tasks for which it is the chosen actor."""
    for task in list(_open_tasks(state, actor.role)):
        if _is_chosen(state, actor, task):
            _assign(state, task)


def remove_actor(state: State, actor: Actor) -> None:
    """Remove an actor and assign its tasks to the next actors."""
    tasks = [task for task in _open_tasks(state, actor.role) if _is_chosen(state, actor, task)]
    for act in state[ACTS].rows_in("actor", actor.n):
        _unschedule(state, act)
    state[ACTORS].drop(actor.n)
    for task in tasks:
        _assign(state, task)


def remove_all_actors(state: State) -> list[Actor]:
    """Remove every actor and all their pending acts; returns the removed actors."""
    actors = list(state[ACTORS])
    for act in list(state[ACTS]):
        _unschedule(state, act)
    for actor in actors:
        state[ACTORS].drop(actor.n)
    return actors


def pending_acts(state: State, actor: Actor) -> int:
    """The number of the actor's pending acts."""
    return len(state[ACTS].slots_in("actor", actor.n))


def run_act(state: State, n: int) -> None:
    """Run a due act. If it fails, the error is recorded on the actor."""
    act = state[ACTS].get(n)
    state[ACTS].drop(n)
    actor = state[ACTORS].get(act.actor)
    columns: dict[str, Any] = {"acted": actor.acted + 1, "acted_at_ms": state.now_ms}
    try:
        with state.transaction():
            _perform(state, actor, act)
    except Problem as refusal:
        columns = {
            "refused": actor.refused + 1,
            "refused_at_ms": state.now_ms,
            "refusal": (refusal.code, refusal.message),
        }
    # The act may have assigned another task to the same actor, so the record is read again.
    state[ACTORS].put(msgspec.structs.replace(state[ACTORS].get(actor.n), **columns))


def _perform(state: State, actor: Actor, act: ScheduledAct) -> None:
    if act.role == APPROVER:
        decide_approval(state, state[APPROVALS].get(act.subject), actor.decision or "", actor.note)
        return
    recipient = state[RECIPIENTS].get(act.subject)
    order = state[FULFILMENTS].get(recipient.order)
    entry = default_claim_entry(state, order, recipient)
    overrides = {"address": actor.address, "selection": actor.selection}
    entry |= {name: msgspec.json.decode(value) for name, value in overrides.items() if value is not None}
    claim_by_token(state, _link_of(state, recipient), entry)


def _assign(state: State, task: Task) -> None:
    """Assign a task to its chosen actor, and schedule the act unless the actor never acts; replaces a pending act."""
    role, subject, names = task
    pending = state[ACTS].find("subject", f"{role} {subject}")
    if pending is not None:
        _unschedule(state, pending)
    actor = choose_actor(state, role, names)
    if actor is None:
        return
    state[ACTORS].put(msgspec.structs.replace(actor, asked=actor.asked + 1))
    if actor.after_ms is not None:
        act = state[ACTS].add(ScheduledAct(state[ACTS].next_n, actor.n, role, subject))
        kind = CLAIM if role == RECIPIENT else DECIDE
        state.timers.set(state.now_ms + actor.after_ms, OWNER, act.n, kind, actor.does)


def _is_chosen(state: State, actor: Actor, task: Task) -> bool:
    chosen = choose_actor(state, actor.role, task[2])
    return chosen is not None and chosen.n == actor.n


def _unschedule(state: State, act: ScheduledAct) -> None:
    state.timers.clear(OWNER, act.n)
    state[ACTS].drop(act.n)


def _link_of(state: State, recipient: Recipient) -> str:
    """The token of the link by which a recipient can claim."""
    return recipient.token or state[FULFILMENTS].get(recipient.order).share_token or ""


def _claim_task(recipient: Recipient) -> Task:
    return RECIPIENT, recipient.n, [name for name in (recipient.email, recipient.name) if name]


def _approval_task(approval: Approval) -> Task:
    return APPROVER, approval.n, [APPROVAL_KINDS.get(approval.resource_type, approval.resource_type)]


def _open_tasks(state: State, role: str) -> Iterator[Task]:
    """Every usable claim link that somebody got, or every pending approval. Reads the whole table."""
    if role == APPROVER:
        yield from (_approval_task(approval) for approval in state[APPROVALS] if approval.status == PENDING)
        return
    for recipient in state[RECIPIENTS]:
        order = state[FULFILMENTS].get(recipient.order)
        is_open = order.paid_at_ms is not None and state[SHIPMENTS].get(recipient.shipment).status == AWAITING
        if is_open and not bounces_of(state, _link_of(state, recipient)):
            yield _claim_task(recipient)


DEFINITIONS = PackageDefinitions(
    tables=(ACTORS, ACTS),
    timers={CLAIM: run_act, DECIDE: run_act},
)
