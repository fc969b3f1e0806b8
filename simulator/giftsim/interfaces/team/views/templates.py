"""The JSON of templates and of the campaign input made from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.design.template import Template, TemplateItem
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State

ItemsView = Callable[[State, Sequence[TemplateItem]], list[dict[str, Any]]]


def template(state: State, tenant: Tenant, template: Template) -> dict[str, Any]:
    """A template."""
    return {
        "id": template.id,
        **_content(state, template, _items),
        "livemode": tenant.livemode,
        "created_at": format_instant(template.created_ms),
        "updated_at": format_instant(template.updated_ms),
    }


def use(state: State, template: Template) -> dict[str, Any]:
    """The campaign input made from a template: a body for a campaign or an order (T-2.34, T-2.35, G63).

    Requests name an item of a menu by one member, so the input has its id alone.
    """
    return {"campaign_input": {"template_id": template.id, **_content(state, template, _products)}}


def deleted(tenant: Tenant, template: Template) -> dict[str, Any]:
    """A template that was just deleted."""
    return {"id": template.id, "deleted": True, "livemode": tenant.livemode}


def _content(state: State, template: Template, menu_items: ItemsView) -> dict[str, Any]:
    choices = [{"label": choice.label, "items": menu_items(state, choice.items)} for choice in template.choices]
    return {
        "revision": template.revision,
        "name": template.name,
        "occasion": template.occasion,
        "budget_cents": template.budget_cents,
        "setup": {
            "bundle_items": _products(state, template.items),
            **({"gift_choices": choices} if template.menu_in_setup else {}),
        },
        "mode": template.mode,
        "gift_choices": choices,
    }


def _products(state: State, lines: Sequence[TemplateItem]) -> list[dict[str, Any]]:
    return [
        {"merchant_product_id": state[PRODUCTS].get(line.product).id, "quantity": line.quantity} for line in lines
    ]  # fmt: skip


def _items(state: State, lines: Sequence[TemplateItem]) -> list[dict[str, Any]]:
    return [
        {"item_slug": state[PRODUCTS].get(line.product).slug, **product}
        for line, product in zip(lines, _products(state, lines), strict=True)
    ]
