"""Magic people: emails of recipients who claim by themselves, and texts that decide a request for approval."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from giftsim.engine.kernel.instants import format_duration, parse_duration
from giftsim.engine.kernel.state import State, TimerHandler
from giftsim.engine.problem import Problem
from giftsim.services.gifting.domain import actor_schedule
from giftsim.services.gifting.domain.actor import ACTORS, RECIPIENT, add_actor
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.services.gifting.domain.team.orders.approval import APPROVALS, APPROVE, REJECT, Approval, decide_approval
from giftsim.services.gifting.domain.team.orders.gift import GIFTS
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.services.gifting.magic.value_format import MAGIC_VALUES, PREFIX, magic_local_part, split_delay

CLAIMS, NEVER = "claims", "never-claims"
OWNER = "magic.approver"
DECISIONS: Final[Mapping[str, str]] = {"Magic Approved": APPROVE, "Magic Rejected": REJECT}


def on_link_opened(state: State, order: Fulfilment, recipient: Recipient) -> None:
    """Add an actor for a magic email such as `claims-3d@...`, unless it has one already (handles LINK_OPENED)."""
    local_part = magic_local_part(recipient.email)
    if local_part is not None and state.setting(MAGIC_VALUES):
        delay, email = claim_delay(local_part), recipient.email or ""
        if delay is not None and not state[ACTORS].slots_in("whom", f"{RECIPIENT} {email.casefold()}"):
            add_actor(state, {"id": email, "recipient": email, "claims": delay})
    actor_schedule.on_link_opened(state, order, recipient)


def on_approval_requested(state: State, approval: Approval) -> None:
    """Schedule the decision of a magic text such as `Magic Approved After 2h`; without one, ask the actors."""
    texts = [text for text in _texts_of(state, approval) if text and text.startswith(PREFIX)]
    timed_decision = next(filter(None, map(parse_decision, texts)), None)
    if timed_decision is None or not state.setting(MAGIC_VALUES):
        actor_schedule.on_approval_requested(state, approval)
        return
    decision, delay_ms = timed_decision
    state.timers.set(
        state.now_ms + delay_ms, OWNER, approval.n, f"{OWNER} {decision}", f"a magic value decides: {decision}"
    )


def claim_delay(local_part: str) -> str | None:
    """The delay in `claims-3d`; `0s` for `claims`, `never` for `never-claims`, None for other texts."""
    if local_part in (CLAIMS, NEVER):
        return "0s" if local_part == CLAIMS else "never"
    name, dash, delay = local_part.partition("-")
    try:
        return format_duration(parse_duration(delay)) if name == CLAIMS and dash else None
    except ValueError:
        return None


def parse_decision(text: str) -> tuple[str, int] | None:
    """The decision in `Magic Approved After 2h` and its delay in ms; None for other texts."""
    try:
        name, delay_ms = split_delay(text)
    except ValueError:
        return None
    return (DECISIONS[name], delay_ms) if name in DECISIONS else None


def _texts_of(state: State, approval: Approval) -> tuple[str | None, ...]:
    """The texts in a request for approval and in the gift, order or campaign that it is about."""
    if approval.resource_type == "gift":
        return approval.note, state[GIFTS].get(approval.resource).message
    if approval.resource_type == "team_order":
        order = state[TEAM_ORDERS].get(approval.resource)
        return approval.note, order.gift_message, order.po_number
    if approval.resource_type == "large_campaign":
        campaign = state[CAMPAIGNS].get(approval.resource)
        return approval.note, campaign.name, campaign.gift_message
    return (approval.note,)


def _decision_handler(decision: str) -> TimerHandler:
    def make_decision(state: State, n: int) -> None:
        # It may have been decided or withdrawn in the meantime, or cannot be paid.
        with suppress(Problem), state.transaction():
            decide_approval(state, state[APPROVALS].get(n), decision, "decided by magic")

    return make_decision


TIMERS: Final[Mapping[str, TimerHandler]] = {
    f"{OWNER} {decision}": _decision_handler(decision) for decision in DECISIONS.values()
}
