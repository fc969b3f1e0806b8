"""Why an order, a gift, a campaign or an approval has not got as far as somebody expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from giftsim.engine.gateway.reason import AT, CAUSE, Proof, Question, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import (
    FULFILMENTS,
    UNPAID,
    Fulfilment,
    PartnerOrder,
    recipient_rows,
)
from giftsim.services.gifting.domain.fulfilment.shipment import CANCELED, REJECTED
from giftsim.services.gifting.domain.team.billing.payment import is_paid
from giftsim.services.gifting.domain.team.campaigns import campaign as campaigns
from giftsim.services.gifting.domain.team.campaigns.campaign import Campaign
from giftsim.services.gifting.domain.team.campaigns.campaign_control import fulfilments
from giftsim.services.gifting.domain.team.design.proof import unsigned_item
from giftsim.services.gifting.domain.team.orders import gift as gifts
from giftsim.services.gifting.domain.team.orders import team_order as orders
from giftsim.services.gifting.domain.team.orders.approval import APPROVED, PENDING, Approval, latest_approval
from giftsim.services.gifting.domain.team.orders.gift import Gift
from giftsim.services.gifting.domain.team.orders.team_order import TeamOrder
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner
from giftsim.services.gifting.records.gifting_kinds import APPROVAL, CAMPAIGN, GIFT
from giftsim.services.gifting.records.named import find, find_order
from giftsim.services.gifting.records.record_refs import resource
from giftsim.services.gifting.why.approval_reasons import about_approval, approval_reasons
from giftsim.services.gifting.why.goals import Goal, Row, Stage, behind, goal_of
from giftsim.services.gifting.why.parcel_reasons import parcel_reasons
from giftsim.services.gifting.why.payment_reasons import order_charge_reasons, payment_reasons
from giftsim.services.gifting.why.wording import named


def reasons(state: State, question: Question) -> Sequence[Reason]:
    """Why a record is not as expected, from the state alone. Nothing if it is, or if only time is missing."""
    goal = goal_of(question.expected)
    found = () if goal is None else tuple(_reasons(state, question, goal))
    return tuple(reason for reason in found if question.code is None or question.code in reason.codes)


def _reasons(state: State, question: Question, goal: Goal) -> Iterator[Reason]:
    kind, id_ = question.ref, question.id
    if kind in ("team_order", "order"):
        order, ref = find_order(state, id_), Ref("order", id_)
        if isinstance(order, PartnerOrder):
            yield from _partner_order(state, ref, order, goal, question)
        else:
            yield from _team_order(state, ref, order, goal, question)
    if kind == GIFT.name and (gift := find(state, GIFT, id_)) is not None:
        yield from _gift(state, Ref("gift", id_), gift, goal, question)
    if kind == CAMPAIGN.name and (campaign := find(state, CAMPAIGN, id_)) is not None:
        yield from _campaign(state, Ref("campaign", id_), campaign, goal, question)
    if kind == APPROVAL.name and (approval := find(state, APPROVAL, id_)) is not None:
        yield from _approval(state, approval)


def _partner_order(state: State, ref: Ref, order: PartnerOrder, goal: Goal, question: Question) -> Iterator[Reason]:
    if order.status == CANCELED:
        yield _canceled(ref, FULFILMENTS.name, order.n)
    elif order.status == UNPAID:
        yield from order_charge_reasons(state, ref, order)
    else:
        yield from _parcels(state, ref, (order,), goal, question)


def _team_order(state: State, ref: Ref, order: TeamOrder, goal: Goal, question: Question) -> Iterator[Reason]:
    table, slot, status = orders.TEAM_ORDERS.name, order.n, order.status
    made = Proof(table, slot, None, None, f"{named(ref)} was placed")
    if status == CANCELED:
        yield _canceled(ref, table, slot, order.cancel_reason)
    elif status == REJECTED:
        yield from _decided(state, ref, orders.RESOURCE, slot)
    elif status == orders.AWAITING_APPROVAL and question.code is None:
        yield from approval_reasons(state, ref, orders.RESOURCE, slot, made)
    elif goal.stage is Stage.APPROVED:
        return
    elif not is_paid(state, orders.RESOURCE, slot):
        yield from payment_reasons(state, ref, tenant_of_owner(state, order.owner), orders.RESOURCE, slot, made)
    elif status in orders.PROGRESS:
        by_one = goal.by_one or goal.stage in (Stage.PRODUCED, Stage.LABELED, Stage.SHIPPED)
        fulfilment = state[FULFILMENTS].get(order.fulfilment)
        yield from _parcels(state, ref, (fulfilment,), goal._replace(by_one=by_one), question)


def _gift(state: State, ref: Ref, gift: Gift, goal: Goal, question: Question) -> Iterator[Reason]:
    made = Proof(gifts.GIFTS.name, gift.n, None, None, f"{named(ref)} was created")
    if gift.status == REJECTED:
        yield from _decided(state, ref, gifts.RESOURCE, gift.n)
    elif gift.status == gifts.AWAITING_APPROVAL:
        tenant, fulfilment = tenant_of_owner(state, gift.owner), state[FULFILMENTS].get(gift.fulfilment)
        item = unsigned_item(state, gift.owner, gifts.RESOURCE, gift.n, fulfilment)
        if item is not None:
            yield _unsigned_product(ref, item, made)
        else:
            unpaid = payment_reasons(state, ref, tenant, gifts.RESOURCE, gift.n, made)
            yield from (reason for reason in unpaid if reason.acts)  # what is only not paid yet waits for the approval
        yield from approval_reasons(state, ref, gifts.RESOURCE, gift.n, made)
    else:
        yield from _parcels(state, ref, (state[FULFILMENTS].get(gift.fulfilment),), goal, question)


def _campaign(state: State, ref: Ref, campaign: Campaign, goal: Goal, question: Question) -> Iterator[Reason]:
    made = Proof(campaigns.CAMPAIGNS.name, campaign.n, None, None, f"{named(ref)} was created")
    awaiting = campaign.paused_from if campaign.status == campaigns.PAUSED else campaign.status
    if campaign.status == campaigns.STOPPED:
        latest = latest_approval(state, campaigns.RESOURCE, campaign.n)
        if latest is not None and latest.status == REJECTED:
            yield from about_approval(state, ref, latest)
        else:
            yield _canceled(ref, campaigns.CAMPAIGNS.name, campaign.n, status=campaigns.STOPPED)
    elif awaiting == campaigns.AWAITING_APPROVAL:
        yield from approval_reasons(state, ref, campaigns.RESOURCE, campaign.n, made)
    elif goal.stage > Stage.APPROVED and awaiting in (campaigns.APPROVED, campaigns.COMPLETED):
        unpaid, tenant = campaigns.unpaid_batches(state, campaign), tenant_of_owner(state, campaign.owner)
        for batch in unpaid[:1]:
            yield from payment_reasons(state, ref, tenant, campaigns.BATCH_RESOURCE, batch.n, made)
        if not unpaid:
            yield from _parcels(state, ref, tuple(fulfilments(state, campaign)), goal, question)


def _approval(state: State, approval: Approval) -> Iterator[Reason]:
    """Why an approval is not the one that lets its record go on."""
    if approval.status == APPROVED:
        return
    shown = resource(approval.resource_type, approval.resource_id)
    ref = Ref("order", shown.id) if shown.kind == orders.RESOURCE else shown
    yield from about_approval(state, ref, approval)


def _decided(state: State, ref: Ref, resource_type: str, slot: int) -> Iterator[Reason]:
    latest = latest_approval(state, resource_type, slot)
    if latest is not None and latest.status not in (PENDING, APPROVED):
        yield from about_approval(state, ref, latest)


def _parcels(state: State, ref: Ref, parts: Sequence[Fulfilment], goal: Goal, question: Question) -> Iterator[Reason]:
    pairs = chain.from_iterable(recipient_rows(state, each) for each in parts)
    rows = [Row(place, *pair) for place, pair in enumerate(pairs)]
    yield from parcel_reasons(state, ref, behind(rows, goal, question.actual), goal)


def _canceled(ref: Ref, table: str, slot: int, why: str | None = None, status: str = CANCELED) -> Reason:
    return Reason(
        kind="canceled",
        sentence=f"{named(ref)} was {status} at {AT}{CAUSE}" + (f": {why}" if why else ""),
        proofs=(Proof(table, slot, "status", status, f"was {status}"),),
        why_not=f"what was {status} stays {status}: place it again, or leave that call out",
        codes=frozenset({"claim_canceled"}),
    )


def _unsigned_product(ref: Ref, item: str, made: Proof) -> Reason:
    """A gift of a product with custom artwork of which no proof was ever signed (G55)."""
    return Reason(
        kind="proof_unsigned",
        sentence=f"{named(ref)} cannot be paid: its team has signed no proof of its item {item}",
        proofs=(made,),
        why_not=f"a proof of {item} has to be signed in an order or a campaign first",
        codes=frozenset({"proof_not_signed"}),
    )
