"""References from fulfilments, payments and invoices to the order, gift or campaign under which answers show them."""

from __future__ import annotations

from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import Fulfilment, TeamFulfilment
from giftsim.services.gifting.domain.team.billing.billable import bill_of
from giftsim.services.gifting.domain.team.campaigns.campaign import RESOURCE as CAMPAIGN
from giftsim.services.gifting.domain.team.orders.team_fulfilment import FULFILLED_RECORD
from giftsim.services.gifting.domain.team.tenant import Id


def ref_of_fulfilment(state: State, order: Fulfilment) -> Ref:
    """The order, gift or campaign that a fulfilment belongs to."""
    if not isinstance(order, TeamFulfilment):
        return Ref("team_order", order.id)
    return Ref(*state.handler_of(FULFILLED_RECORD, order.resource)(state, order.subject))


def ref_of_billed(state: State, resource_type: str | None, slot: int | None) -> Ref | None:
    """What a payment or an invoice of a team is for; a batch counts as its campaign. None for the balance."""
    if resource_type is None or slot is None:
        return None
    bill = bill_of(state, resource_type, slot)
    return ref_of_resource(bill.type, bill.id)


def ref_of_resource(type_: str, id_: Id) -> Ref:
    """A record by the type and id that the team interface has for it."""
    return Ref("campaign" if type_ == CAMPAIGN else type_, id_)
