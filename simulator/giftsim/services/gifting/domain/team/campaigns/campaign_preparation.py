"""Prepare and reprice a campaign batch by batch, and request its approval (A1.7, 0.8, T-3.1 to T-3.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.state import State
from giftsim.engine.problem import InvalidState
from giftsim.services.gifting.domain.fulfilment.offer import SHIPPING
from giftsim.services.gifting.domain.fulfilment.order_placement import DESTINATIONS
from giftsim.services.gifting.domain.fulfilment.stock import OFF_SALE, missing_item
from giftsim.services.gifting.domain.team.campaigns.campaign import (
    AWAITING_APPROVAL,
    BATCH,
    BATCH_RESOURCE,
    BATCH_SIZE,
    BATCHES,
    CAMPAIGN,
    CAMPAIGNS,
    FIRST_ID,
    PAUSED,
    PREPARING,
    RESOURCE,
    Batch,
    Campaign,
    fulfilment_of,
    next_pending_batch,
    unpaid_batches,
)
from giftsim.services.gifting.domain.team.orders import approval as approvals
from giftsim.services.gifting.domain.team.orders import order_items, team_fulfilment
from giftsim.services.gifting.domain.team.orders.approval import Approval
from giftsim.services.gifting.domain.team.orders.order_items import Contents
from giftsim.services.gifting.domain.team.orders.setup import TemplateUse, requested_contents, requested_mode
from giftsim.services.gifting.domain.team.orders.team_fulfilment import NamedRecipient
from giftsim.services.gifting.domain.team.orders.team_order import add_order_items
from giftsim.services.gifting.domain.team.people.person import require_person
from giftsim.services.gifting.domain.team.team_errors import FieldError, ValidationFailed
from giftsim.services.gifting.domain.team.tenant import Tenant, public_id, tenant_of_owner


class CampaignRecipient(msgspec.Struct, frozen=True, gc=False):
    """A recipient of a request, with the country that the roster gives."""

    recipient: NamedRecipient
    country: str | None = None


def create_campaign(
    state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any], template: TemplateUse | None = None
) -> Campaign:
    """Create a campaign whose batches are not prepared yet.

    ValidationFailed names an unknown collection or product and every unknown person.
    """
    contents, errors = _contents(state, body)
    recipients = _recipients(state, tenant, body["recipients"], errors)
    size, n = state.setting(BATCH_SIZE), state[CAMPAIGNS].next_n
    batches = [recipients[at : at + size] for at in range(0, len(recipients), size)]
    campaign = state[CAMPAIGNS].add(
        Campaign(
            n,
            tenant.owner,
            public_id(state, tenant, "large_campaign", n, FIRST_ID),
            state.now_ms,
            key,
            body.get("collection"),
            contents.items,
            contents.menu,
            len(recipients),
            len(batches),
            body.get("name"),
            body.get("gift_message"),
            body.get("payment_method"),
            mode=requested_mode(body),
            template=template,
        )
    )
    CAMPAIGN.enter(state, campaign)
    add_order_items(state, tenant, RESOURCE, n, campaign.items)
    for number, batch in enumerate(batches, start=1):
        _add_batch(state, n, number, batch)
    return campaign


def _contents(state: State, body: Mapping[str, Any]) -> tuple[Contents, list[FieldError]]:
    """The contents for each recipient, and an error for each item that is not in the catalogue."""
    try:
        return requested_contents(state, body), []
    except ValidationFailed as error:
        return Contents(()), _field_errors(error)


def _recipients(
    state: State, tenant: Tenant, rows: Sequence[Mapping[str, Any]], errors: list[FieldError]
) -> list[CampaignRecipient]:
    """The recipients of a request. ValidationFailed for `errors` and for every person who is not on the roster."""
    recipients = []
    for i, row in enumerate(rows):
        if "person_id" not in row:
            recipients.append(CampaignRecipient(NamedRecipient(row["name"], trim_email(row["email"]))))
            continue
        try:
            person = require_person(state, tenant, row["person_id"], f"recipients[{i}].person_id")
        except ValidationFailed as error:
            errors += _field_errors(error)
        else:
            country = person.country if person.country in SHIPPING else None
            recipients.append(CampaignRecipient(NamedRecipient(person.display_name, person.work_email), country))
    if errors:
        raise ValidationFailed(errors)
    return recipients


def _field_errors(error: ValidationFailed) -> list[FieldError]:
    return msgspec.convert(error.details["details"], list[FieldError])


def _add_batch(state: State, campaign: int, number: int, recipients: Sequence[CampaignRecipient]) -> None:
    guests = tuple([each.recipient for each in recipients])
    countries = tuple(dict.fromkeys([each.country for each in recipients if each.country]))
    batch = Batch(state[BATCHES].next_n, campaign, number, len(guests), guests, countries)
    BATCH.enter(state, state[BATCHES].add(batch))


def prepare_next_batch(state: State, campaign: Campaign) -> Campaign:
    """Prepare and price the next batch; the last one requests the campaign's approval.

    InvalidState if none is left, and while an item of the campaign is off sale (G447).
    """
    batch = next_pending_batch(state, campaign)
    if batch is None:
        raise InvalidState("all batches of this campaign are prepared, but not all are repriced: call reprice")
    _prepare(state, campaign, batch)
    return _finish(state, campaign)


def reprice_next_batch(state: State, campaign: Campaign) -> Campaign:
    """Reprice one unpaid batch at current prices. Repricing the last one requests a new approval.

    The first call of a round includes every unpaid batch and supersedes the current approval. A batch that may have
    been paid keeps its price. InvalidState if nothing can be repriced.
    """
    if not CAMPAIGN.can(state, campaign, "reprice"):
        raise InvalidState(f"this campaign is {campaign.status}: it cannot be repriced")
    if not unpaid_batches(state, campaign):
        raise InvalidState("this campaign has no prepared batch that is unpaid")
    if campaign.status != PREPARING or not outdated_batches(state, campaign):
        approvals.supersede_approval(state, RESOURCE, campaign.n)
        campaign = CAMPAIGN.fire(state, campaign, "reprice", round=campaign.round + 1)
    batch = outdated_batches(state, campaign)[0]
    team_fulfilment.reprice_fulfilment(state, fulfilment_of(state, batch))
    BATCH.fire(state, batch, "reprice", round=campaign.round, repriced_ms=state.now_ms)
    return _finish(state, campaign)


def request_campaign_approval(state: State, campaign: Campaign, note: str | None = None) -> Approval:
    """The pending approval of a campaign, requested if there is none. InvalidState if there is nothing to approve."""
    awaiting = campaign.paused_from if campaign.status == PAUSED else campaign.status
    if awaiting != AWAITING_APPROVAL:
        raise InvalidState(f"this campaign is {campaign.status}: there is nothing to approve")
    amounts = [fulfilment_of(state, batch).total_cents for batch in unpaid_batches(state, campaign)]
    return approvals.request_approval(
        state,
        tenant_of_owner(state, campaign.owner),
        RESOURCE,
        campaign.n,
        resource_id=campaign.id,
        amount_cents=sum(amounts),
        note=note,
    )


def outdated_batches(state: State, campaign: Campaign) -> list[Batch]:
    """The unpaid batches with prices of an earlier round."""
    return [batch for batch in unpaid_batches(state, campaign) if batch.round < campaign.round]


def _prepare(state: State, campaign: Campaign, batch: Batch) -> None:
    if state[OFF_SALE].rows and (missing := missing_item(state, campaign.items, campaign.menu)):
        raise InvalidState(f"{missing} is off sale: prepare this batch when it is back, or stop the campaign")
    contents = order_items.at_current_prices(state, Contents(campaign.items, campaign.menu))
    countries = dict.fromkeys((*state.setting(DESTINATIONS), *batch.countries))
    fulfilment = team_fulfilment.create_fulfilment(
        state,
        tenant_of_owner(state, campaign.owner),
        BATCH_RESOURCE,
        batch.n,
        contents,
        batch.guests,
        message=campaign.gift_message,
        countries=tuple(countries),
    )
    BATCH.fire(
        state, batch, "prepare", fulfilment=fulfilment.n, guests=(), round=campaign.round, prepared_ms=state.now_ms
    )


def _finish(state: State, campaign: Campaign) -> Campaign:
    """Request the campaign's approval once every batch is prepared at the prices of the current round."""
    campaign = state[CAMPAIGNS].get(campaign.n)
    if next_pending_batch(state, campaign) is None and not outdated_batches(state, campaign):
        campaign = CAMPAIGN.fire(state, campaign, "ask")
        request_campaign_approval(state, campaign)
    return campaign
