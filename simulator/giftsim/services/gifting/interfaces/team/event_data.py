"""The `data` of a team's webhook events: ids and a status, and nothing else (A6.2, T-6.16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.team.billing.invoice import INVOICES
from giftsim.services.gifting.domain.team.billing.payment import payment_of, payment_status
from giftsim.services.gifting.domain.team.campaigns.campaign import CAMPAIGNS
from giftsim.services.gifting.domain.team.orders.approval import APPROVALS
from giftsim.services.gifting.domain.team.orders.gift import GIFTS
from giftsim.services.gifting.domain.team.orders.team_order import TEAM_ORDERS
from giftsim.services.gifting.domain.team.team import TEAMS
from giftsim.services.gifting.domain.team.webhook_subscription import subscription_of_endpoint

Facts = Mapping[str, Any]
CAMPAIGN, CAMPAIGN_ID = "campaign", "campaign_id"
_encode = msgspec.json.Encoder().encode


def describe(state: State, kind: str, subject: int, facts: Facts) -> bytes:
    """The JSON of `data` for an event of type `kind` that happens now to the record in slot `subject`."""
    return _encode(_SERIALIZERS[subject_type(kind, facts)](state, subject, facts))


def subject_type(kind: str, facts: Facts) -> str:
    """What an event is about, such as `gift`. The gifts of a large campaign are about the `campaign`."""
    return CAMPAIGN if CAMPAIGN_ID in facts else kind.partition(".")[0]


def _gift(state: State, n: int, facts: Facts) -> dict[str, Any]:
    gift = state[GIFTS].get(n)
    return {"gift_id": gift.id, "recipient_id": facts.get("recipient_id"), "status": facts["status"]}


def _campaign(_: State, __: int, facts: Facts) -> dict[str, Any]:
    return {CAMPAIGN_ID: facts[CAMPAIGN_ID], "recipient_id": facts.get("recipient_id"), "status": facts["status"]}


def _team_order(state: State, n: int, _: Facts) -> dict[str, Any]:
    order = state[TEAM_ORDERS].get(n)
    return {
        "team_order_id": order.id,
        "campaign_id": order.id,
        "status": order.status,
        "payment_status": payment_status(state, payment_of(state, "team_order", n)),
    }


def _approval(state: State, n: int, _: Facts) -> dict[str, Any]:
    approval = state[APPROVALS].get(n)
    return {
        "approval_id": approval.id,
        "resource_type": approval.resource_type,
        "resource_id": approval.resource_id,
        "status": approval.status,
    }


def _invoice(state: State, n: int, _: Facts) -> dict[str, Any]:
    invoice = state[INVOICES].get(n)
    bill = invoice.bill
    return {
        "invoice_id": invoice.id,
        "resource_type": bill.type if bill else None,
        "resource_id": bill.id if bill else None,
        "status": invoice.status,
    }


def _balance(state: State, n: int, facts: Facts) -> dict[str, Any]:
    subscription = subscription_of_endpoint(state, facts["endpoint"])
    return {"team_id": state[TEAMS].get(n).id, "webhook_id": subscription.id, "status": "below_threshold"}


# The name of the table with the subjects of events, by what they are about.
SUBJECTS: Final[Mapping[str, str]] = {
    kind: spec.name
    for kind, spec in (
        ("gift", GIFTS),
        ("team_order", TEAM_ORDERS),
        ("approval", APPROVALS),
        ("invoice", INVOICES),
        ("balance", TEAMS),
        (CAMPAIGN, CAMPAIGNS),
    )
}
_SERIALIZERS: Final[Mapping[str, Callable[[State, int, Facts], dict[str, Any]]]] = {
    "gift": _gift,
    "team_order": _team_order,
    "approval": _approval,
    "invoice": _invoice,
    "balance": _balance,
    CAMPAIGN: _campaign,
}
