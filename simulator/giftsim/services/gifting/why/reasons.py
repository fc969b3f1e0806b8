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
from giftsim.services.gifting.domain.team.campaigns.campaign import Batch, Campaign
from giftsim.services.gifting.domain.team.campaigns.campaign_control import campaign_fulfilments
from giftsim.services.gifting.domain.team.orders import gift as gifts
from giftsim.services.gifting.domain.team.orders import team_order as orders
from giftsim.services.gifting.domain.team.orders.approval import APPROVED, PENDING, Approval, latest_approval
from giftsim.services.gifting.domain.team.orders.gift import Gift
from giftsim.services.gifting.domain.team.orders.team_fulfilment import has_started
from giftsim.services.gifting.domain.team.orders.team_order import TeamOrder
from giftsim.services.gifting.domain.team.tenant import tenant_of_owner
from giftsim.services.gifting.records.gifting_kinds import APPROVAL, CAMPAIGN, GIFT
from giftsim.services.gifting.records.named import find_any_record, find_order
from giftsim.services.gifting.records.parent_refs import ref_of_resource
from giftsim.services.gifting.why.approval_reasons import about_approval, approval_reasons
from giftsim.services.gifting.why.expected_stages import Goal, Row, Stage, behind, goal_of
from giftsim.services.gifting.why.parcel_reasons import parcel_reasons
from giftsim.services.gifting.why.payment_reasons import Payable, order_charge_reasons, payment_reasons
from giftsim.services.gifting.why.stock_reasons import no_batch
from giftsim.services.gifting.why.wording import phrase_record


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
    if kind == GIFT.name and (gift := find_any_record(state, GIFT, id_)) is not None:
        yield from _gift(state, Ref("gift", id_), gift, goal, question)
    if kind == CAMPAIGN.name and (campaign := find_any_record(state, CAMPAIGN, id_)) is not None:
        yield from _campaign(state, Ref("campaign", id_), campaign, goal, question)
    if kind == APPROVAL.name and (approval := find_any_record(state, APPROVAL, id_)) is not None:
        yield from _approval(state, approval)


def _partner_order(state: State, ref: Ref, order: PartnerOrder, goal: Goal, question: Question) -> Iterator[Reason]:
    if order.status == CANCELED:
        yield _canceled(ref, FULFILMENTS.name, order.n)
    elif order.status == UNPAID:
        yield from order_charge_reasons(state, ref, order)
    else:
        yield from _parcels(state, ref, (order,), goal, _of_parcel(question, order.status))


def _team_order(state: State, ref: Ref, order: TeamOrder, goal: Goal, question: Question) -> Iterator[Reason]:
    table, slot, status = orders.TEAM_ORDERS.name, order.n, order.status
    made = Proof(table, slot, None, None, f"{phrase_record(ref)} was placed")
    if status == CANCELED:
        yield _canceled(ref, table, slot, order.cancel_reason)
    elif status == REJECTED:
        yield from _decided(state, ref, orders.RESOURCE, slot)
    elif status == orders.AWAITING_APPROVAL and question.code is None:
        yield from approval_reasons(state, ref, orders.RESOURCE, slot, made)
    elif goal.stage is Stage.APPROVED:
        return
    elif not is_paid(state, orders.RESOURCE, slot) and (goal.stage is Stage.PAID or not _has_started(state, order)):
        yield from payment_reasons(state, _payable(state, ref, order, orders.RESOURCE, made), question.code)
    elif status in orders.PROGRESS:
        by_one = goal.by_one or goal.stage in (Stage.PRODUCED, Stage.LABELED, Stage.SHIPPED)
        fulfilment = state[FULFILMENTS].get(order.fulfilment)
        yield from _parcels(state, ref, (fulfilment,), goal._replace(by_one=by_one), _of_parcel(question, status))


def _has_started(state: State, order: TeamOrder) -> bool:
    """Whether the parcels of an order go on, also if its bank took back what paid for it (G435)."""
    return has_started(state[FULFILMENTS].get(order.fulfilment))


def _gift(state: State, ref: Ref, gift: Gift, goal: Goal, question: Question) -> Iterator[Reason]:
    made = Proof(gifts.GIFTS.name, gift.n, None, None, f"{phrase_record(ref)} was created")
    if gift.status == REJECTED:
        yield from _decided(state, ref, gifts.RESOURCE, gift.n)
    elif gift.status == gifts.AWAITING_APPROVAL:
        for reason in payment_reasons(state, _payable(state, ref, gift, gifts.RESOURCE, made), question.code):
            if reason.acts or reason.kind != "not_paid":  # approving pays, unless there is no money
                yield reason
        yield from approval_reasons(state, ref, gifts.RESOURCE, gift.n, made)
    else:
        fulfilment = state[FULFILMENTS].get(gift.fulfilment)
        yield from _parcels(state, ref, (fulfilment,), goal, _of_parcel(question, gift.status))


def _campaign(state: State, ref: Ref, campaign: Campaign, goal: Goal, question: Question) -> Iterator[Reason]:
    made = Proof(campaigns.CAMPAIGNS.name, campaign.n, None, None, f"{phrase_record(ref)} was created")
    awaiting = campaign.paused_from if campaign.status == campaigns.PAUSED else campaign.status
    if campaign.status == campaigns.STOPPED:
        latest = latest_approval(state, campaigns.RESOURCE, campaign.n)
        if latest is not None and latest.status == REJECTED:
            yield from about_approval(state, ref, latest)
        else:
            yield _canceled(ref, campaigns.CAMPAIGNS.name, campaign.n, status=campaigns.STOPPED)
    elif awaiting == campaigns.AWAITING_APPROVAL:
        yield from approval_reasons(state, ref, campaigns.RESOURCE, campaign.n, made)
    elif awaiting == campaigns.PREPARING:
        yield no_batch(state, ref, campaign) or _unprepared(state, ref, campaign, made)
    elif goal.stage > Stage.APPROVED:
        unpaid = campaigns.unpaid_batches(state, campaign)
        for batch in unpaid[:1]:
            yield from payment_reasons(state, _batch(state, ref, campaign, batch, made), question.code)
        if not unpaid:
            parts = tuple(campaign_fulfilments(state, campaign))
            yield from _parcels(state, ref, parts, goal, _of_parcel(question, campaign.status))


def _payable(state: State, ref: Ref, record: TeamOrder | Gift, kind: str, made: Proof) -> Payable:
    tenant, fulfilment = tenant_of_owner(state, record.owner), state[FULFILMENTS].get(record.fulfilment)
    return Payable(phrase_record(ref), tenant, kind, record.n, fulfilment, (kind, record.n), made)


def _batch(state: State, ref: Ref, campaign: Campaign, batch: Batch, made: Proof) -> Payable:
    tenant, fulfilment = tenant_of_owner(state, campaign.owner), campaigns.fulfilment_of(state, batch)
    name, proofs_of = f"batch {batch.number} of {phrase_record(ref)}", (campaigns.RESOURCE, campaign.n)
    return Payable(name, tenant, campaigns.BATCH_RESOURCE, batch.n, fulfilment, proofs_of, made)


def _unprepared(state: State, ref: Ref, campaign: Campaign, made: Proof) -> Reason:
    """A campaign whose approval nobody could ask for yet: a batch is not prepared, or has an outdated price."""
    left = sum(batch.status == campaigns.PENDING for batch in campaigns.campaign_batches(state, campaign))
    words = f"{left} of its {campaign.batch_count} batches {'is' if left == 1 else 'are'} not prepared"
    return Reason(
        kind="not_approved",
        sentence=f"no approval of {phrase_record(ref)} is requested yet: "
        + (words if left else "not all of its batches have the new price"),
        proofs=(made,),
        why_not="a key of the team prepares each batch: processLargeCampaign"
        if left
        else "a key of the team prices each batch again: updateLargeCampaign",
    )


def _of_parcel(question: Question, status: str) -> str | None:
    """The status that was seen, if it is not that of the whole record."""
    return None if question.actual == status else question.actual


def _approval(state: State, approval: Approval) -> Iterator[Reason]:
    """Why an approval is not the one that lets its record go on."""
    if approval.status == APPROVED:
        return
    shown = ref_of_resource(approval.resource_type, approval.resource_id)
    ref = Ref("order", shown.id) if shown.kind == orders.RESOURCE else shown
    yield from about_approval(state, ref, approval)


def _decided(state: State, ref: Ref, resource_type: str, slot: int) -> Iterator[Reason]:
    latest = latest_approval(state, resource_type, slot)
    if latest is not None and latest.status not in (PENDING, APPROVED):
        yield from about_approval(state, ref, latest)


def _parcels(state: State, ref: Ref, parts: Sequence[Fulfilment], goal: Goal, actual: str | None) -> Iterator[Reason]:
    pairs = chain.from_iterable(recipient_rows(state, each) for each in parts)
    rows = [Row(place, *pair) for place, pair in enumerate(pairs)]
    yield from parcel_reasons(state, ref, behind(rows, goal, actual), goal)


def _canceled(ref: Ref, table: str, slot: int, why: str | None = None, status: str = CANCELED) -> Reason:
    return Reason(
        kind="canceled",
        sentence=f"{phrase_record(ref)} was {status} {AT}{CAUSE}" + (f": {why}" if why else ""),
        proofs=(Proof(table, slot, "status", status, f"was {status}"),),
        why_not=f"what was {status} stays {status}: place it again, or leave that call out",
        codes=frozenset({"claim_canceled"}),
    )
