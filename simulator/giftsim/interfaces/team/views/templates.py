"""The JSON of templates and of the campaign input made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.design.template import Template, TemplateItem
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State


def template(state: State, tenant: Tenant, template: Template) -> dict[str, Any]:
    """A template."""
    return {
        "id": template.id,
        **_content(state, template),
        "livemode": tenant.livemode,
        "created_at": format_instant(template.created_ms),
        "updated_at": format_instant(template.updated_ms),
    }


def use(state: State, template: Template) -> dict[str, Any]:
    """The campaign input made from a template (T-2.34, T-2.35)."""
    return {"campaign_input": {"template_id": template.id, **_content(state, template)}}


def deleted(tenant: Tenant, template: Template) -> dict[str, Any]:
    """A template that was just deleted."""
    return {"id": template.id, "deleted": True, "livemode": tenant.livemode}


def _content(state: State, template: Template) -> dict[str, Any]:
    return {
        "revision": template.revision,
        "name": template.name,
        "occasion": template.occasion,
        "budget_cents": template.budget_cents,
        "setup": {"bundle_items": _products(state, template.items)},
        "mode": template.mode,
        "gift_choices": [
            {"label": choice.label, "items": _items(state, choice.items)} for choice in template.choices
        ],
    }  # fmt: skip


def _products(state: State, lines: Sequence[TemplateItem]) -> list[dict[str, Any]]:
    return [
        {"merchant_product_id": state[PRODUCTS].get(line.product).id, "quantity": line.quantity} for line in lines
    ]  # fmt: skip


def _items(state: State, lines: Sequence[TemplateItem]) -> list[dict[str, Any]]:
    return [
        {"item_slug": state[PRODUCTS].get(line.product).slug, **product}
        for line, product in zip(lines, _products(state, lines), strict=True)
    ]
