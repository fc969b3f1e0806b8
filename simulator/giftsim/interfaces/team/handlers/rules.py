"""Rules of both kinds, what they would do, and running them now (T-4.132 to T-4.152)."""

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
    """A page of the rules of a kind."""
    state, tenant, kind, rules = call.state, call.caller.tenant, call.query["kind"], call.state[rule.RULES]
    return page(
        call, "rules", rule.rules_of(state, tenant), lambda n: views.rule(state, tenant, rules.get(n)),
        keep=lambda n: rules.get(n).kind == kind, filters=(kind,),
    )  # fmt: skip


def create_rule(call: Call) -> Response:
    """A new rule."""
    tenant = call.caller.tenant
    made = rule.create_rule(call.state, tenant, call.query["kind"], call.body)
    return Response(201, views.rule(call.state, tenant, made))


def evaluate_rules(call: Call) -> Response:
    """Run the active rules of a kind now."""
    tenant, kind = call.caller.tenant, rule.kind_of(call.query["kind"], call.body or {})
    return Response(200, views.evaluation(call.state, tenant, kind, rule_evaluation.evaluate(call.state, tenant, kind)))


def preview_rule(call: Call) -> Response:
    """What a rule would do now; NotFound for one of another kind than the query's (T-4.146)."""
    state, tenant, found = call.state, call.caller.tenant, call.subject
    if found.kind != call.query["kind"]:
        raise NotFound("no rule of this kind has this id in the key's team and mode")
    return Response(200, views.preview(state, tenant, found, rule_evaluation.consider(state, tenant, found)))


def get_rule(call: Call) -> Response:
    """One rule."""
    return Response(200, views.rule(call.state, call.caller.tenant, call.subject))


def update_rule(call: Call) -> Response:
    """Some fields of a rule anew."""
    changed = rule.change_rule(call.state, call.subject, call.body)
    return Response(200, views.rule(call.state, call.caller.tenant, changed))


def delete_rule(call: Call) -> Response:
    """Take a rule away."""
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
