"""Create gift sends: resolve their recipients and contents (T-1.5, T-2.14 to T-2.20, 0.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar, cast

from giftsim.engine.kernel.email_address import trim_email
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.offer import SHIPPING
from giftsim.services.gifting.domain.fulfilment.order_placement import DESTINATIONS
from giftsim.services.gifting.domain.team.orders import order_items, team_fulfilment
from giftsim.services.gifting.domain.team.orders.gift import (
    COLLECTION,
    FIRST_ID,
    GIFTS,
    ITEM,
    ITEMS,
    RESOURCE,
    CrmReference,
    Gift,
    RecipientSource,
    add_timeline_entry,
)
from giftsim.services.gifting.domain.team.orders.gift_approval import request_gift_approval
from giftsim.services.gifting.domain.team.orders.order_items import Contents
from giftsim.services.gifting.domain.team.orders.team_fulfilment import NamedRecipient
from giftsim.services.gifting.domain.team.people.crm_contact import resolve_contact, shown_id
from giftsim.services.gifting.domain.team.people.person import require_person
from giftsim.services.gifting.domain.team.team_errors import FieldError, ValidationFailed
from giftsim.services.gifting.domain.team.tenant import Tenant, public_id

T = TypeVar("T")


def collect_errors(parts: Iterable[Callable[[], T]]) -> list[T]:
    """The results of the parts, in their order. One ValidationFailed with the errors of all parts."""
    results: list[T] = []
    errors: list[FieldError] = []
    for part in parts:
        try:
            results.append(part())
        except ValidationFailed as error:
            errors += [FieldError(**detail) for detail in cast("list[dict[str, Any]]", error.details["details"])]
    if errors:
        raise ValidationFailed(errors)
    return results


class ResolvedRecipient(NamedRecipient, frozen=True, gc=False):
    """A recipient of a request with name and email, where these were found, and the country if it is known."""

    source: RecipientSource
    country: str | None = None


def create_gift(state: State, tenant: Tenant, key: int | None, body: Mapping[str, Any]) -> Gift:
    """Create a held gift and request its approval (0.4).

    ValidationFailed names every unknown recipient, slug and product. ProviderUnavailable while a CRM is down (A8.5).
    """
    requested = body["recipients"]
    recipients = collect_errors(
        [partial(_resolve_recipient, state, tenant, row, f"recipients[{i}]") for i, row in enumerate(requested)]
    )
    contents = _contents(state, body["gift"])
    contents = order_items.with_menu(state, contents, body.get("gift_choices"), "gift_choices")
    chosen = next(name for name in (COLLECTION, ITEM, ITEMS) if name in body["gift"])
    slug = None if chosen == ITEMS else body["gift"][chosen]
    return add_gift(
        state,
        tenant,
        key,
        recipients,
        contents,
        chosen=chosen,
        slug=slug,
        message=body.get("message"),
        mode=body.get("mode"),
    )


def add_gift(
    state: State,
    tenant: Tenant,
    key: int | None,
    recipients: Sequence[ResolvedRecipient],
    contents: Contents,
    **columns: Any,
) -> Gift:
    """Add a held gift for resolved recipients and request its approval; `columns` are more columns of the record."""
    n = state[GIFTS].next_n
    fulfilment = team_fulfilment.create_fulfilment(
        state,
        tenant,
        RESOURCE,
        n,
        contents,
        recipients,
        message=columns.get("message"),
        countries=_countries(state, recipients),
    )
    gift = state[GIFTS].add(
        Gift(
            n,
            tenant.owner,
            public_id(state, tenant, "gift", n, FIRST_ID),
            state.now_ms,
            key,
            sources=tuple([each.source for each in recipients]),
            fulfilment=fulfilment.n,
            **columns,
        )
    )
    add_timeline_entry(state, n, "gift.created", gift.status)
    request_gift_approval(state, gift)
    return gift


def _resolve_recipient(state: State, tenant: Tenant, requested: Mapping[str, Any], field: str) -> ResolvedRecipient:
    if "person_id" in requested:
        person = require_person(state, tenant, requested["person_id"], f"{field}.person_id")
        return ResolvedRecipient(
            person.display_name, person.work_email, RecipientSource(person=person.id), person.country
        )
    if "crm" in requested:
        provider, contact_id, object_type = [requested["crm"][name] for name in ("provider", "id", "object_type")]
        name, email = resolve_contact(state, tenant, provider, contact_id, object_type, f"{field}.crm")
        crm = CrmReference(provider, shown_id(contact_id), object_type)
        return ResolvedRecipient(name, email, RecipientSource(crm=crm))
    return ResolvedRecipient(requested["name"], trim_email(requested["email"]), RecipientSource())


def _contents(state: State, requested: Mapping[str, Any]) -> Contents:
    if COLLECTION in requested:
        return order_items.from_collection(state, requested[COLLECTION], f"gift.{COLLECTION}")
    if ITEM in requested:
        return order_items.from_item(state, requested[ITEM], f"gift.{ITEM}")
    return order_items.from_lines(state, requested[ITEMS], f"gift.{ITEMS}")


def _countries(state: State, recipients: Sequence[ResolvedRecipient]) -> tuple[str, ...]:
    """The countries of the setting, and those that the roster gives for the recipients."""
    known = [each.country for each in recipients if each.country in SHIPPING]
    return tuple(dict.fromkeys([*state.setting(DESTINATIONS), *[country for country in known if country]]))
