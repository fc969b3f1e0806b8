"""The JSON of templates and of the campaign input made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS
from giftsim.services.gifting.domain.team.design import template
from giftsim.services.gifting.domain.team.design.template import TEMPLATES, Template, TemplateItem
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.request_checks import Finder

ItemsView = Callable[[State, Sequence[TemplateItem]], list[dict[str, Any]]]


def template_view(state: State, tenant: Tenant, template: Template) -> dict[str, Any]:
    """A template."""
    return {
        "id": template.id,
        **_content(state, template, _items),
        "livemode": tenant.livemode,
        "created_at": format_instant(template.created_ms),
        "updated_at": format_instant(template.updated_ms),
    }


def used_template_view(state: State, template: Template) -> dict[str, Any]:
    """The campaign input made from a template: a body for a campaign or an order (T-2.34, T-2.35, G63).

    Requests name an item of a menu by one member, so the input has its id alone.
    """
    return {"campaign_input": {"template_id": template.id, **_content(state, template, _products)}}


def deleted_template_view(tenant: Tenant, template: Template) -> dict[str, Any]:
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
    return [{"merchant_product_id": state[PRODUCTS].get(line.product).id, "quantity": line.quantity} for line in lines]


def _items(state: State, lines: Sequence[TemplateItem]) -> list[dict[str, Any]]:
    return [
        {"item_slug": state[PRODUCTS].get(line.product).slug, **product}
        for line, product in zip(lines, _products(state, lines), strict=True)
    ]


def list_templates(call: Call) -> Response:
    """List templates."""
    state, tenant = call.state, call.caller.tenant
    slots = template.template_slots(state, tenant)
    return respond_with_page(call, "templates", slots, lambda n: template_view(state, tenant, state[TEMPLATES].get(n)))


def create_template(call: Call) -> Response:
    """Create a template with its first revision."""
    tenant = call.caller.tenant
    return Response(201, template_view(call.state, tenant, template.create_template(call.state, tenant, call.body)))


def use_template(call: Call) -> Response:
    """Make campaign input from a template as it is now."""
    return Response(200, used_template_view(call.state, call.subject))


def get_template(call: Call) -> Response:
    """Read a template."""
    return Response(200, template_view(call.state, call.caller.tenant, call.subject))


def replace_template(call: Call) -> Response:
    """Replace a template."""
    replaced = template.replace_template(call.state, call.subject, call.body)
    return Response(200, template_view(call.state, call.caller.tenant, replaced))


def delete_template(call: Call) -> Response:
    """Delete a template."""
    template.delete_template(call.state, call.subject, call.body["revision"])
    return Response(200, deleted_template_view(call.caller.tenant, call.subject))


FINDERS: Final[Mapping[str, Finder]] = {
    "template": lambda call, raw: template.find_template(call.state, call.caller.tenant, raw),
}
