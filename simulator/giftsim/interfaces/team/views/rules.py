"""The JSON of rules, of their previews, and of evaluations."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.orders.approval import latest_approval
from giftsim.domain.team.orders.gift import RESOURCE, Gift
from giftsim.domain.team.people.upcoming_dates import today
from giftsim.domain.team.rules.rule import Rule
from giftsim.domain.team.rules.rule_evaluation import PlannedGift, RulePlan, RunResult, SkippedGift
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State


def rule(state: State, tenant: Tenant, rule: Rule) -> dict[str, Any]:
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


def preview(state: State, tenant: Tenant, rule: Rule, plan: RulePlan) -> dict[str, Any]:
    """What a rule would send now."""
    return {
        "rule_id": rule.id,
        "kind": rule.kind,
        "date": today(state).isoformat(),
        "sends": [_planned(rule, planned) for planned in plan.planned],
        "skipped": [_skipped(each) for each in plan.skipped],
        "total_cents": sum([planned.cents for planned in plan.planned]),
        "livemode": tenant.livemode,
    }


def evaluation(state: State, tenant: Tenant, kind: str, result: RunResult) -> dict[str, Any]:
    """The result of evaluating the rules of a kind."""
    return {
        "kind": kind,
        "date": today(state).isoformat(),
        "evaluated": result.evaluated,
        "gifts": [_gift(state, gift) for gift in result.gifts],
        "skipped": [_skipped(each) for each in result.skipped],
        "livemode": tenant.livemode,
    }


def deleted(tenant: Tenant, rule: Rule) -> dict[str, Any]:
    """A rule that was just deleted."""
    return {"id": rule.id, "deleted": True, "livemode": tenant.livemode}


def _planned(rule: Rule, planned: PlannedGift) -> dict[str, Any]:
    due_gift, crm = planned.due_gift, planned.due_gift.recipient.source.crm
    return {
        "person_id": due_gift.recipient.source.person,
        "crm": None if crm is None else {"provider": crm.provider, "id": crm.id, "object_type": crm.object_type},
        "display_name": due_gift.display_name,
        "trigger_type": rule.trigger_type,
        "date": due_gift.date,
        "amount_cents": planned.cents,
    }


def _skipped(skipped: SkippedGift) -> dict[str, Any]:
    return {
        "rule_id": skipped.rule.id,
        "person_id": skipped.due_gift.recipient.source.person,
        "display_name": skipped.due_gift.display_name,
        "reason": skipped.reason,
    }


def _gift(state: State, gift: Gift) -> dict[str, Any]:
    approval = latest_approval(state, RESOURCE, gift.n)
    return {
        "id": gift.id,
        "rule_id": gift.rule,
        "approval_id": approval.id if approval else None,
        "status": gift.status,
    }
