"""Making large campaigns of requests: who is in them, cut into batches, with nothing prepared yet (A7.18, T-4.162)."""

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
    Batch,
    Campaign,
)
from giftsim.domain.team.orders import order_items
from giftsim.domain.team.orders.order_fulfilment import NamedRecipient
from giftsim.domain.team.people.person import require_person
from giftsim.domain.team.problem import FieldError, ValidationFailed
from giftsim.domain.team.tenant import Tenant, public_id
from giftsim.kernel.state import State


class CampaignRecipient(msgspec.Struct, frozen=True, gc=False):
    """A recipient as found, with the country that the roster has them in."""

    guest: NamedRecipient
    country: str | None = None


def create_campaign(state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any]) -> Campaign:
    """A campaign that is being prepared; ValidationFailed names every person and the collection that there is not."""
    found = _recipients(state, tenant, body["recipients"], _collection_errors(state, body["collection"]))
    size, n = state.setting(BATCH_SIZE), state[CAMPAIGNS].next_n
    cuts = [found[at : at + size] for at in range(0, len(found), size)]
    campaign = state[CAMPAIGNS].add(
        Campaign(
            n, tenant.owner, public_id(state, tenant, "large_campaign", n, FIRST_ID), state.now_ms, key,
            body["collection"], len(found), len(cuts), body.get("name"), body.get("gift_message"),
            body.get("payment_method"),
        )
    )  # fmt: skip
    CAMPAIGN.enter(state, campaign)
    for number, cut in enumerate(cuts, start=1):
        _add_batch(state, n, number, cut)
    return campaign


def _collection_errors(state: State, slug: str) -> list[FieldError]:
    """What is wrong with the collection that a request names: nothing, if the catalogue has it."""
    try:
        order_items.from_collection(state, slug)
    except ValidationFailed as refusal:
        return _field_errors(refusal)
    return []


def _recipients(
    state: State, tenant: Tenant, asked: Sequence[Mapping[str, Any]], wrong: list[FieldError]
) -> list[CampaignRecipient]:
    """Whom the rows name; ValidationFailed for what is wrong already, and for all who are not on the roster."""
    found = []
    for i, row in enumerate(asked):
        if "person_id" not in row:
            found.append(CampaignRecipient(NamedRecipient(row["name"], row["email"])))
            continue
        try:
            person = require_person(state, tenant, row["person_id"], f"recipients[{i}].person_id")
        except ValidationFailed as refusal:
            wrong += _field_errors(refusal)
        else:
            country = person.country if person.country in SHIPPING else None
            found.append(CampaignRecipient(NamedRecipient(person.display_name, person.work_email), country))
    if wrong:
        raise ValidationFailed(wrong)
    return found


def _field_errors(refusal: ValidationFailed) -> list[FieldError]:
    return msgspec.convert(refusal.details["details"], list[FieldError])


def _add_batch(state: State, campaign: int, number: int, cut: Sequence[CampaignRecipient]) -> None:
    guests = tuple([each.guest for each in cut])
    countries = tuple(dict.fromkeys([each.country for each in cut if each.country]))
    batch = Batch(state[BATCHES].next_n, campaign, number, len(guests), guests, countries)
    BATCH.enter(state, state[BATCHES].add(batch))
