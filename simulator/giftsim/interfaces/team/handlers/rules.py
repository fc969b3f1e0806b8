"""Rules of both kinds: create, read, change, preview, and evaluate now (T-4.132 to T-4.152)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.problem import NotFound
from giftsim.domain.team.rules import rule, rule_evaluation
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.views import rules as views


def list_rules(call: Call) -> Response:
    """List the rules of a kind."""
    state, tenant, kind, rules = call.state, call.caller.tenant, call.query["kind"], call.state[rule.RULES]
    return page(
        call, "rules", rule.rule_slots(state, tenant), lambda n: views.rule(state, tenant, rules.get(n)),
        keep=lambda n: rules.get(n).kind == kind, filters=(kind,),
    )  # fmt: skip


def create_rule(call: Call) -> Response:
    """Create a rule."""
    tenant = call.caller.tenant
    created = rule.create_rule(call.state, tenant, call.query["kind"], call.body)
    return Response(201, views.rule(call.state, tenant, created))


def evaluate_rules(call: Call) -> Response:
    """Evaluate the active rules of a kind now."""
    tenant, kind = call.caller.tenant, rule.kind_of(call.query["kind"], call.body or {})
    return Response(
        200, views.evaluation(call.state, tenant, kind, rule_evaluation.run_rules(call.state, tenant, kind))
    )


def preview_rule(call: Call) -> Response:
    """Read what a rule would do now. Raises NotFound if the query names the other kind (T-4.146)."""
    state, tenant, subject = call.state, call.caller.tenant, call.subject
    if subject.kind != call.query["kind"]:
        raise NotFound("no rule of this kind has this id in the key's team and mode")
    return Response(200, views.preview(state, tenant, subject, rule_evaluation.plan_gifts(state, tenant, subject)))


def get_rule(call: Call) -> Response:
    """Read a rule."""
    return Response(200, views.rule(call.state, call.caller.tenant, call.subject))


def update_rule(call: Call) -> Response:
    """Change some members of a rule."""
    changed = rule.change_rule(call.state, call.subject, call.body)
    return Response(200, views.rule(call.state, call.caller.tenant, changed))


def delete_rule(call: Call) -> Response:
    """Delete a rule."""
    rule.delete_rule(call.state, call.subject)
    return Response(200, views.deleted(call.caller.tenant, call.subject))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listRules": list_rules,
        "createRule": create_rule,
        "evaluateRules": evaluate_rules,
        "previewRule": preview_rule,
        "getRule": get_rule,
        "updateRule": update_rule,
        "deleteRule": delete_rule,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"rule": lambda call, raw: rule.find_rule(call.state, call.caller.tenant, raw)}
)
