"""Recipients and approvers by magic: an email stands for an actor, a text of a request for a decision."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from giftsim.domain.actors import schedule
from giftsim.domain.actors.actor import ACTORS, RECIPIENT, add_actor
from giftsim.domain.fulfilment.fulfilment import Fulfilment
from giftsim.domain.fulfilment.recipient import Recipient
from giftsim.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.domain.team.orders.approval import APPROVALS, APPROVE, REJECT, Approval, decide
from giftsim.domain.team.orders.gift import GIFTS
from giftsim.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.kernel.instants import format_duration, parse_duration
from giftsim.kernel.state import State, TimerHandler
from giftsim.magic.format import MAGIC_VALUES, PREFIX, after, local
from giftsim.problem import Problem

CLAIMS, NEVER = "claims", "never-claims"
OWNER = "magic.approver"
DECISIONS: Final[Mapping[str, str]] = MappingProxyType({"Magic Approved": APPROVE, "Magic Rejected": REJECT})


def link_opened(state: State, order: Fulfilment, recipient: Recipient) -> None:
    """A claim link works: `claims-3d@...` is an actor who claims after three days, if nobody is told for that email."""
    said = local(recipient.email)
    if said is not None and state.setting(MAGIC_VALUES):
        span, email = _claims(said), recipient.email or ""
        if span is not None and not state[ACTORS].slots_in("whom", f"{RECIPIENT} {email.casefold()}"):
            add_actor(state, {"id": email, "recipient": email, "claims": span})
    schedule.on_link_opened(state, order, recipient)


def approval_asked(state: State, approval: Approval) -> None:
    """Somebody has to decide: `Magic Approved After 2h` in the request does it, and no actor is asked."""
    texts = [text for text in _said(state, approval) if text and text.startswith(PREFIX)]
    found = next(filter(None, map(_decision, texts)), None)
    if found is None or not state.setting(MAGIC_VALUES):
        schedule.on_approval_requested(state, approval)
        return
    decision, span_ms = found
    state.timers.set(state.now_ms + span_ms, OWNER, approval.n, f"{OWNER} {decision}", f"a magic text: {decision}")


def _claims(said: str) -> str | None:
    """The span of `claims-3d`, `0s` of `claims`, `never` of `never-claims`; None for what says nothing."""
    if said in (CLAIMS, NEVER):
        return "0s" if said == CLAIMS else "never"
    name, dash, span = said.partition("-")
    try:
        return format_duration(parse_duration(span)) if name == CLAIMS and dash else None
    except ValueError:
        return None


def _decision(text: str) -> tuple[str, int] | None:
    try:
        name, span_ms = after(text)
    except ValueError:
        return None
    return (DECISIONS[name], span_ms) if name in DECISIONS else None


def _said(state: State, approval: Approval) -> tuple[str | None, ...]:
    """The texts of a request for approval and of what it is about."""
    if approval.resource_type == "gift":
        return approval.note, state[GIFTS].get(approval.resource).message
    if approval.resource_type == "team_order":
        order = state[TEAM_ORDERS].get(approval.resource)
        return approval.note, order.gift_message, order.po_number
    if approval.resource_type == "large_campaign":
        campaign = state[CAMPAIGNS].get(approval.resource)
        return approval.note, campaign.name, campaign.gift_message
    return (approval.note,)


def _deciding(decision: str) -> TimerHandler:
    def happen(state: State, n: int) -> None:
        try:
            with state.transaction():
                decide(state, state[APPROVALS].get(n), decision, "decided by magic")
        except Problem:
            return  # it was decided or called off meanwhile

    return happen


TIMERS: Final[Mapping[str, TimerHandler]] = MappingProxyType(
    {f"{OWNER} {decision}": _deciding(decision) for decision in DECISIONS.values()}
)
