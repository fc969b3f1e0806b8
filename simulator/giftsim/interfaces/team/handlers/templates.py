"""Templates with revisions, and the campaign input made from them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.design import template
from giftsim.domain.team.design.template import TEMPLATES
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.views import templates as views


def list_templates(call: Call) -> Response:
    """List templates."""
    state, tenant = call.state, call.caller.tenant
    slots = template.template_slots(state, tenant)
    return page(call, "templates", slots, lambda n: views.template(state, tenant, state[TEMPLATES].get(n)))


def create_template(call: Call) -> Response:
    """Create a template with its first revision."""
    tenant = call.caller.tenant
    return Response(201, views.template(call.state, tenant, template.create_template(call.state, tenant, call.body)))


def use_template(call: Call) -> Response:
    """Make campaign input from a template as it is now."""
    return Response(200, views.use(call.state, call.subject))


def get_template(call: Call) -> Response:
    """Read a template."""
    return Response(200, views.template(call.state, call.caller.tenant, call.subject))


def replace_template(call: Call) -> Response:
    """Replace a template."""
    replaced = template.replace_template(call.state, call.subject, call.body)
    return Response(200, views.template(call.state, call.caller.tenant, replaced))


def delete_template(call: Call) -> Response:
    """Delete a template."""
    template.delete_template(call.state, call.subject, call.body["revision"])
    return Response(200, views.deleted(call.caller.tenant, call.subject))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listTemplates": list_templates,
        "createTemplate": create_template,
        "useTemplate": use_template,
        "getTemplate": get_template,
        "replaceTemplate": replace_template,
        "deleteTemplate": delete_template,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"template": lambda call, raw: template.find_template(call.state, call.caller.tenant, raw)}
)  # fmt: skip
