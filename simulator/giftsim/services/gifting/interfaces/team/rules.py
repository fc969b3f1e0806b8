"""The JSON of rules, of their previews, and of evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS
from giftsim.services.gifting.domain.team.orders.approval import latest_approval
from giftsim.services.gifting.domain.team.orders.gift import RESOURCE, Gift
from giftsim.services.gifting.domain.team.people.upcoming_dates import current_day
from giftsim.services.gifting.domain.team.rules import rule, rule_run
from giftsim.services.gifting.domain.team.rules.rule import Rule
from giftsim.services.gifting.domain.team.rules.rule_run import DueGift, PlannedGift, RulePlan, RunResult, SkippedGift
from giftsim.services.gifting.domain.team.team_errors import NotFound
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.request_checks import Finder


def rule_view(state: State, tenant: Tenant, rule: Rule) -> dict[str, Any]:
    """A rule."""
    return {
        "id": rule.id,
        "kind": rule.kind,
        "name": rule.name,
        "trigger_type": rule.trigger_type,
        "bundle": {
            "items": [
                {"merchant_product_id": state[PRODUCTS].get(line.product).id, "quantity": line.quantity}
                for line in rule.items
            ]
        },
        "gift_sender": rule.gift_sender,
        "approval_mode": rule.approval_mode,
        "budget_per_send_cents": rule.budget_per_send_cents,
        "budget_monthly_cents": rule.budget_monthly_cents,
        "active": rule.active,
        "livemode": tenant.livemode,
        "created_at": format_instant(rule.created_ms),
        "updated_at": format_instant(rule.updated_ms),
    }


def rule_preview_view(state: State, tenant: Tenant, rule: Rule, plan: RulePlan) -> dict[str, Any]:
    """What a rule would send now."""
    return {
        "rule_id": rule.id,
        "kind": rule.kind,
        "date": current_day(state).isoformat(),
        "sends": [_planned(rule, planned) for planned in plan.planned],
        "skipped": [_skipped(each) for each in plan.skipped],
        "total_cents": sum([planned.cents for planned in plan.planned]),
        "livemode": tenant.livemode,
    }


def evaluation_view(state: State, tenant: Tenant, kind: str, result: RunResult) -> dict[str, Any]:
    """The result of evaluating the rules of a kind."""
    return {
        "kind": kind,
        "date": current_day(state).isoformat(),
        "evaluated": result.evaluated,
        "gifts": [_gift(state, gift) for gift in result.gifts],
        "skipped": [_skipped(each) for each in result.skipped],
        "livemode": tenant.livemode,
    }


def deleted_rule_view(tenant: Tenant, rule: Rule) -> dict[str, Any]:
    """A rule that was just deleted."""
    return {"id": rule.id, "deleted": True, "livemode": tenant.livemode}


def _planned(rule: Rule, planned: PlannedGift) -> dict[str, Any]:
    due_gift = planned.due_gift
    return {
        **_recipient(due_gift),
        "trigger_type": rule.trigger_type,
        "date": due_gift.date,
        "amount_cents": planned.cents,
    }


def _skipped(skipped: SkippedGift) -> dict[str, Any]:
    return {
        "rule_id": skipped.rule.id,
        **_recipient(skipped.due_gift),
        "reason": skipped.reason,
    }


def _recipient(due_gift: DueGift) -> dict[str, Any]:
    source = due_gift.recipient.source
    return {
        "person_id": source.person,
        "crm": msgspec.to_builtins(source.crm),
        "display_name": due_gift.display_name,
    }


def _gift(state: State, gift: Gift) -> dict[str, Any]:
    approval = latest_approval(state, RESOURCE, gift.n)
    return {
        "id": gift.id,
        "rule_id": gift.rule,
        "approval_id": approval.id if approval else None,
        "status": gift.status,
    }


def list_rules(call: Call) -> Response:
    """List the rules of a kind."""
    state, tenant, kind, rules = call.state, call.caller.tenant, call.query["kind"], call.state[rule.RULES]
    return respond_with_page(
        call,
        "rules",
        rule.rule_slots(state, tenant),
        lambda n: rule_view(state, tenant, rules.get(n)),
        keep=lambda n: rules.get(n).kind == kind,
        filters=(kind,),
    )


def create_rule(call: Call) -> Response:
    """Create a rule."""
    tenant = call.caller.tenant
    created = rule.create_rule(call.state, tenant, call.query["kind"], call.body)
    return Response(201, rule_view(call.state, tenant, created))


def evaluate_rules(call: Call) -> Response:
    """Evaluate the active rules of a kind now."""
    tenant, kind = call.caller.tenant, rule.kind_of(call.query["kind"], call.body or {})
    return Response(200, evaluation_view(call.state, tenant, kind, rule_run.run_rules(call.state, tenant, kind)))


def preview_rule(call: Call) -> Response:
    """Preview what a rule would do now. Raises NotFound if the query names the other kind (T-4.146)."""
    state, tenant, subject = call.state, call.caller.tenant, call.subject
    if subject.kind != call.query["kind"]:
        raise NotFound("no rule of this kind has this id in the key's team and mode")
    return Response(200, rule_preview_view(state, tenant, subject, rule_run.plan_gifts(state, tenant, subject)))


def get_rule(call: Call) -> Response:
    """Read a rule."""
    return Response(200, rule_view(call.state, call.caller.tenant, call.subject))


def update_rule(call: Call) -> Response:
    """Change some members of a rule."""
    changed = rule.change_rule(call.state, call.subject, call.body)
    return Response(200, rule_view(call.state, call.caller.tenant, changed))


def delete_rule(call: Call) -> Response:
    """Delete a rule."""
    rule.delete_rule(call.state, call.subject)
    return Response(200, deleted_rule_view(call.caller.tenant, call.subject))


FINDERS: Final[Mapping[str, Finder]] = {"rule": lambda call, raw: rule.find_rule(call.state, call.caller.tenant, raw)}
