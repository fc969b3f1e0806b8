"""Builders and operations of rules."""

from __future__ import annotations

from typing import Any

from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient

MUG = {"merchant_product_id": 101, "quantity": 1}


def create_rule(client: TeamClient, trigger: str = "birthday", **members: Any) -> Any:
    """Create a rule of the kind that its trigger belongs to."""
    kind = "crm" if trigger in ("deal_won", "stage_changed") else "hr"
    body = {"kind": kind, "name": "A rule", "trigger_type": trigger, "bundle": {"items": [MUG]}, **members}
    return client.post_json("/rules", body)


def evaluate_rules(client: TeamClient, kind: str = "hr") -> Any:
    """Evaluate the rules of a kind now; the result."""
    return expect_status(client.post("/rules/evaluate", {"kind": kind}), 200).json()


def preview_rule(client: TeamClient, rule: Any) -> Any:
    """Preview what the rule would do now."""
    return client.get_json(f"/rules/{rule['id']}/preview?kind={rule['kind']}")


def due_names(result: Any) -> list[str]:
    """The names of those who get a gift by a preview."""
    return [send["display_name"] for send in result["sends"]]


def skip_reasons(result: Any) -> list[tuple[str, str]]:
    """The names of those who are skipped by a preview or evaluation, each with the reason."""
    return [(each["display_name"], each["reason"]) for each in result["skipped"]]


def list_gifts(client: TeamClient) -> list[Any]:
    """All gift sends, oldest first."""
    return list(reversed(client.list_all("/gifts", 50)))
