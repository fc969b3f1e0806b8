"""The partner interface: its contract, its handlers and its order of checks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from giftsim.engine.gateway.body_schema import Violation
from giftsim.engine.gateway.call import Call, Interface, handlers_in
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.webhooks import endpoint as endpoints
from giftsim.services.gifting.domain.fulfilment import validation
from giftsim.services.gifting.domain.fulfilment.fulfilment import find_account_order
from giftsim.services.gifting.interfaces.partner import billing, endpoint_views, team_orders
from giftsim.services.gifting.interfaces.partner.authentication import (
    authenticate,
    authorize,
    credential_world_id,
)
from giftsim.services.gifting.interfaces.partner.error_envelope import envelope
from giftsim.services.gifting.interfaces.partner.partner_settings import PAGE_SIZE

CONTRACT = Path(__file__).parent / "contract.yaml"
RANKS = ("invalid_body", "invalid_url", "invalid_events")


def partner() -> Interface:
    """The interface under `/api/external`."""
    contract = Contract.load(CONTRACT)
    return Interface(
        name="partner",
        contract=contract,
        handlers=handlers_in(contract, team_orders, endpoint_views, billing),
        credential_world_id=credential_world_id,
        authenticate=authenticate,
        authorize=authorize,
        find_subject=find_subject,
        validate_body=validate_body,
        envelope=envelope,
        page_size=PAGE_SIZE,
        challenge=lambda _call: 'Bearer realm="partner"',
    )


def find_subject(call: Call) -> None:
    """Find the record that the path names, in the caller's account only (P-1.9)."""
    path, name = call.operation.template, call.operation.id
    if path.startswith("/team-orders/{id}"):
        call.subject = find_account_order(call.state, call.caller.account, call.params["id"])
    elif path.startswith("/webhooks/{id}"):
        find = endpoints.find_enabled if name == "testWebhook" else endpoints.find_endpoint
        call.subject = find(call.state, call.caller.account.owner, call.params["id"])


def validate_body(call: Call, violations: Sequence[Violation]) -> None:
    """Raise the error that is first in the documents' error table (G13)."""
    if call.operation.id == "createTeamOrder" and call.bound_slot is None:
        call.validated = validation.validate_order(call.state, call.caller.account, call.body, violations)
    elif violations:
        first = min(violations, key=lambda violation: RANKS.index(violation.code or "invalid_body"))
        if first.code == "invalid_events":
            endpoints.check_target(call.state, call.body["url"])
        raise InvalidBody(first.message, code=first.code)
