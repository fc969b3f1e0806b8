"""Rules, what they would give, and what came of running them."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.catalogue import PRODUCTS
from giftsim.domain.team.orders.approval import latest
from giftsim.domain.team.orders.gift import RESOURCE, Gift
from giftsim.domain.team.people.upcoming_dates import today
from giftsim.domain.team.rules.rule import Rule
from giftsim.domain.team.rules.rule_evaluation import Outcome, Owed, Skipped, Verdict
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant
from giftsim.kernel.state import State


def rule(state: State, tenant: Tenant, rule: Rule) -> dict[str, Any]:
    """A rule as it is now."""
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


def preview(state: State, tenant: Tenant, rule: Rule, verdict: Verdict) -> dict[str, Any]:
    """What a rule would give now."""
    return {
        "rule_id": rule.id,
        "kind": rule.kind,
        "date": today(state).isoformat(),
        "sends": [_owed(rule, owed) for owed in verdict.owed],
        "skipped": [_skipped(each) for each in verdict.skipped],
        "total_cents": sum([owed.cents for owed in verdict.owed]),
        "livemode": tenant.livemode,
    }


def evaluation(state: State, tenant: Tenant, kind: str, outcome: Outcome) -> dict[str, Any]:
    """What came of running the rules of a kind."""
    return {
        "kind": kind,
        "date": today(state).isoformat(),
        "evaluated": outcome.evaluated,
        "gifts": [_gift(state, gift) for gift in outcome.gifts],
        "skipped": [_skipped(each) for each in outcome.skipped],
        "livemode": tenant.livemode,
    }


def deleted(tenant: Tenant, rule: Rule) -> dict[str, Any]:
    """A rule that is gone."""
    return {"id": rule.id, "deleted": True, "livemode": tenant.livemode}


def _owed(rule: Rule, owed: Owed) -> dict[str, Any]:
    occasion, crm = owed.occasion, owed.occasion.addressee.source.crm
    return {
        "person_id": occasion.addressee.source.person,
        "crm": None if crm is None else {"provider": crm.provider, "id": crm.id, "object_type": crm.object_type},
        "display_name": occasion.display_name,
        "trigger_type": rule.trigger_type,
        "date": occasion.date,
        "amount_cents": owed.cents,
    }


def _skipped(skipped: Skipped) -> dict[str, Any]:
    return {
        "rule_id": skipped.rule.id,
        "person_id": skipped.occasion.addressee.source.person,
        "display_name": skipped.occasion.display_name,
        "reason": skipped.reason,
    }


def _gift(state: State, gift: Gift) -> dict[str, Any]:
    asked = latest(state, RESOURCE, gift.n)
    return {
        "id": gift.id,
        "rule_id": gift.rule,
        "approval_id": asked.id if asked else None,
        "status": gift.status,
    }
