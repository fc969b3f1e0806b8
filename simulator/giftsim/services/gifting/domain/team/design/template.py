"""Templates: saved campaign setups; each write makes a new revision (T-2.32 to T-2.35, T-2.44, A7.6, A7.15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.services.gifting.domain.fulfilment.fulfilment import Item
from giftsim.services.gifting.domain.team.orders.setup import TemplateUse, has_menu, requested_mode, setup_contents
from giftsim.services.gifting.domain.team.team_errors import NotFound, RevisionConflict, validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, find_record, public_id, tenant_table

FIRST_ID = 54_001


class TemplateItem(msgspec.Struct, frozen=True, gc=False):
    """A product (a slot) and its quantity."""

    product: int
    quantity: int


class TemplateChoice(msgspec.Struct, frozen=True, gc=False):
    """One entry of a gift-choice menu."""

    label: str
    items: tuple[TemplateItem, ...]


class Template(TenantRecord, frozen=True, gc=False):
    """A saved setup, without prices: the prices on the day of its use apply.

    `menu_in_setup` is whether the request had the choices in its `setup`.
    """

    name: str
    occasion: str | None
    budget_cents: int | None
    items: tuple[TemplateItem, ...]
    mode: str | None
    choices: tuple[TemplateChoice, ...]
    updated_ms: int
    revision: int = 1
    menu_in_setup: bool = False


TEMPLATES: TableSpec[Template] = tenant_table("team.template", Template)


def create_template(state: State, tenant: Tenant, body: Mapping[str, Any]) -> Template:
    """Create a template with revision 1. ValidationFailed for unknown products."""
    content = _content(state, body)
    n = state[TEMPLATES].next_n
    template_id = public_id(state, tenant, "template", n, FIRST_ID)
    return state[TEMPLATES].add(
        Template(n, tenant.owner, template_id, state.now_ms, updated_ms=state.now_ms, **content)
    )


def replace_template(state: State, template: Template, body: Mapping[str, Any]) -> Template:
    """Replace a whole template, even by an equal one. RevisionConflict if the body has another revision."""
    content = _content(state, body)
    _check_revision(template, body.get("revision", template.revision))
    return state[TEMPLATES].put(
        msgspec.structs.replace(template, revision=template.revision + 1, updated_ms=state.now_ms, **content)
    )


def delete_template(state: State, template: Template, revision: int) -> None:
    """Delete a template. RevisionConflict unless `revision` is the current one."""
    _check_revision(template, revision)
    state[TEMPLATES].drop(template.n)


def find_template(state: State, tenant: Tenant, raw: object) -> Template:
    """The template with a public id. NotFound if there is none."""
    return find_record(state, TEMPLATES, tenant, raw)


def find_template_use(state: State, tenant: Tenant, body: Mapping[str, Any]) -> TemplateUse | None:
    """The template and revision that a body was made from, if it names them (G63).

    ValidationFailed for an unknown template, and for a revision that it does not have yet.
    """
    if "template_id" not in body:
        return None
    try:
        template = find_template(state, tenant, body["template_id"])
    except NotFound:
        raise validation_error("template_id", "must be the id of a template of the team") from None
    if body["revision"] > template.revision:
        raise validation_error("revision", "must be a revision of the template, at most the current one")
    return TemplateUse(template.id, body["revision"])


def template_slots(state: State, tenant: Tenant) -> Sequence[int]:
    """The slots of a tenant's templates, in order of creation."""
    return state[TEMPLATES].slots_in("owner", tenant.owner)


def _content(state: State, body: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a template by a body; what the body leaves out is empty."""
    contents = setup_contents(state, body)
    return {
        "name": body["name"],
        "occasion": body.get("occasion"),
        "budget_cents": body.get("budget_cents"),
        "items": _template_items(contents.items),
        "mode": requested_mode(body),
        "choices": tuple(TemplateChoice(offer.label, _template_items(offer.items)) for offer in contents.menu),
        "menu_in_setup": has_menu(body["setup"]),
    }


def _template_items(items: Sequence[Item]) -> tuple[TemplateItem, ...]:
    return tuple(TemplateItem(item.product, item.quantity) for item in items)


def _check_revision(template: Template, revision: int) -> None:
    if revision != template.revision:
        raise RevisionConflict(f"the template is at revision {template.revision}; read it again and use that revision")
