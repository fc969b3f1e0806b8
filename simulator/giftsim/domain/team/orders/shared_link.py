"""The shared claim link of an order's seats without names, mailed to the person who approved the order (G61)."""

from __future__ import annotations

from giftsim.domain.fulfilment.mail import SHARED_CLAIM_LINK, record_mail
from giftsim.domain.fulfilment.recipient import claim_path
from giftsim.domain.team.member import MEMBERS, Member, default_approver
from giftsim.domain.team.orders.approval import latest_approval
from giftsim.domain.team.orders.team_order import RESOURCE, TeamOrder, fulfilment_of
from giftsim.domain.team.tenant import is_live, tenant_of_owner
from giftsim.kernel.state import State


def mail_shared_link(state: State, order: TeamOrder) -> None:
    """Mail the link of a started order's open seats, if it has any. A sandbox sends no mail (T-1.16)."""
    fulfilment = fulfilment_of(state, order)
    recipient = _approver(state, order)
    if fulfilment.share_token is None or recipient is None or not is_live(order):
        return
    seats = "1 seat" if fulfilment.open_seats == 1 else f"{fulfilment.open_seats} seats"
    subject = f"Share this link: {seats} of team order {order.id} can be claimed"
    record_mail(state, recipient.email, SHARED_CLAIM_LINK, subject, (claim_path(fulfilment.share_token),))


def _approver(state: State, order: TeamOrder) -> Member | None:
    """Who decided the order's approval; for an order that was paid without one, the team's approver."""
    approval = latest_approval(state, RESOURCE, order.n)
    if approval is not None and approval.decided_by is not None:
        return state[MEMBERS].get(approval.decided_by)
    return default_approver(state, tenant_of_owner(state, order.owner).team)
