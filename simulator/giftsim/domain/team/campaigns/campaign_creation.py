"""Create a large campaign: resolve its recipients and divide them into batches (A7.18, T-4.162)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.domain.fulfilment.pricing import SHIPPING
from giftsim.domain.team.campaigns.campaign import (
    BATCH,
    BATCH_SIZE,
    BATCHES,
    CAMPAIGN,
    CAMPAIGNS,
    FIRST_ID,
    RESOURCE,
    Batch,
    Campaign,
)
from giftsim.domain.team.orders.order_fulfilment import NamedRecipient
from giftsim.domain.team.orders.order_items import Contents
from giftsim.domain.team.orders.setup import TemplateUse, requested_contents, requested_mode
from giftsim.domain.team.orders.team_order import add_order_items
from giftsim.domain.team.people.person import require_person
from giftsim.domain.team.problem import FieldError, ValidationFailed
from giftsim.domain.team.tenant import Tenant, public_id
from giftsim.kernel.email_address import trim_email
from giftsim.kernel.state import State


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
            n, tenant.owner, public_id(state, tenant, "large_campaign", n, FIRST_ID), state.now_ms, key,
            body.get("collection"), contents.items, contents.menu, len(recipients), len(batches), body.get("name"),
            body.get("gift_message"), body.get("payment_method"), mode=requested_mode(body), template=template,
        )
    )  # fmt: skip
    CAMPAIGN.enter(state, campaign)
    add_order_items(state, tenant, RESOURCE, n, campaign.items)
    for number, batch in enumerate(batches, start=1):
        _add_batch(state, n, number, batch)
    return campaign


def _contents(state: State, body: Mapping[str, Any]) -> tuple[Contents, list[FieldError]]:
    """What each recipient gets, and the errors of what is not in the catalogue."""
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
