"""Permissions of orders, gifts, approvals, the store and sandbox events: one scope each; idempotency keys."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.client.response import Response
from tests.claims import claims
from tests.support.responses import expect_error
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.orders import create_order, gift_body, order_body, request_approval

STORE = {"items": [{"merchant_product_id": 101}]}
QUOTE = {"collection": "welcome-kit", "headcount": 1}

# Each operation with its scope, in a call that only a missing permission can refuse; `{order}` etc. are ids.
OPERATIONS = [
    pytest.param("POST", "/gifts", "gifts:send", gift_body(), marks=claims("T-4.36", "T-4.37")),
    pytest.param("GET", "/gifts", "orders:read", None, marks=claims("T-4.40")),
    pytest.param("GET", "/gifts/{gift}/timeline", "orders:read", None, marks=claims("T-4.43")),
    pytest.param("GET", "/gifts/{gift}", "orders:read", None, marks=claims("T-4.45")),
    pytest.param("POST", "/team-orders/quote", "catalog:read", QUOTE, marks=claims("T-4.47")),
    pytest.param("POST", "/team-orders", "orders:write", order_body(), marks=claims("T-4.49", "T-4.50")),
    pytest.param("GET", "/team-orders", "orders:read", None, marks=claims("T-4.52")),
    pytest.param("GET", "/team-orders/{order}/manifest.csv", "orders:read", None, marks=claims("T-4.55")),
    pytest.param("GET", "/team-orders/{order}", "orders:read", None, marks=claims("T-4.59")),
    pytest.param("PATCH", "/team-orders/{order}", "orders:write", {"po_number": "PO-1"}, marks=claims("T-4.61")),
    pytest.param("POST", "/team-orders/{order}/cancel", "orders:write", {}, marks=claims("T-4.63", "T-4.64")),
    pytest.param("POST", "/team-orders/{order}/request-approval", "orders:write", {}, marks=claims("T-4.66", "T-4.67")),
    pytest.param("GET", "/approvals", "orders:read", None, marks=claims("T-4.69")),
    pytest.param("GET", "/approvals/{approval}", "orders:read", None, marks=claims("T-4.72")),
    pytest.param("GET", "/store", "catalog:read", None, marks=claims("T-4.174")),
    pytest.param("POST", "/store/quote", "catalog:read", STORE, marks=claims("T-4.176")),
    pytest.param("POST", "/store/orders", "orders:write", STORE, marks=claims("T-4.178", "T-4.179")),
]
UNKEYED = ("/team-orders/quote", "/store/quote")


@pytest.fixture
def ids(team: TeamClients) -> dict[str, Any]:
    """The ids that paths name: of an order without approval, a gift, and another order's approval."""
    approval = request_approval(team.live, create_order(team.live))
    sent = team.live.post_json("/gifts", gift_body())
    return {"order": create_order(team.live)["id"], "gift": sent["id"], "approval": approval["id"]}


def records(team: TeamClients) -> Any:
    """The records that a refused call must not change."""
    lists = [team.live.list_all(path) for path in ("/team-orders", "/gifts", "/approvals")]
    return [lists, team.world.events(), team.world.mail()]


def call_operation(
    client: TeamClient, method: str, path: str, ids: dict[str, Any], body: Any, **headers: str | None
) -> Response:
    """Call the operation with the client's key."""
    return client.call(method, path.format(**ids), body, **headers)


@pytest.mark.parametrize(("method", "path", "scope", "body"), OPERATIONS)
def test_exactly_its_own_scope_permits_each_operation(
    team: TeamClients, ids: dict[str, Any], method: str, path: str, scope: str, body: Any
) -> None:
    before = records(team)
    others = team.key(*(name for name in SCOPES if name != scope), role="approver")
    assert scope in expect_error(call_operation(others, method, path, ids, body), 403, "insufficient_scope")["message"]
    expect_error(call_operation(team.key(), method, path, ids, body), 403, "insufficient_scope")
    assert records(team) == before
    assert call_operation(team.key(scope, role="requester"), method, path, ids, body).status in (200, 201)
    assert (records(team) == before) == (method == "GET" or path in UNKEYED)


@pytest.mark.parametrize(("method", "path", "scope", "body"), OPERATIONS)
def test_writes_need_an_idempotency_key(
    team: TeamClients, ids: dict[str, Any], method: str, path: str, scope: str, body: Any
) -> None:
    before = records(team)
    response = call_operation(team.live, method, path, ids, body, Idempotency_Key=None)
    if method != "POST" or path in UNKEYED:
        assert response.status == 200, response.text
        return
    expect_error(response, 400, "idempotency_key_required")
    assert records(team) == before
    assert call_operation(team.live, method, path, ids, body, Idempotency_Key="k").status in (200, 201)


@pytest.mark.parametrize(("method", "path", "scope", "body"), OPERATIONS)
def test_ids_of_other_teams_and_modes_are_not_found(
    team: TeamClients, ids: dict[str, Any], method: str, path: str, scope: str, body: Any
) -> None:
    if "{" not in path:
        return
    before = records(team)
    for client in (team.other, team.test):
        expect_error(call_operation(client, method, path, ids, body), 404, "not_found")
    for unknown in ("999999999", "0", "-1", "x", "1.0", "00000000-0000-4000-8000-000000000000"):
        ids = dict.fromkeys(ids, unknown)
        expect_error(call_operation(team.live, method, path, ids, body), 404, "not_found")
    assert records(team) == before


@claims("T-4.197", "T-4.198")
def test_a_sandbox_event_needs_the_scope_to_write_orders_and_an_idempotency_key(team: TeamClients) -> None:
    order = create_order(team.test)
    body = {"type": "team_order.shipped", "resource_id": order["id"]}
    others = team.key(*(name for name in SCOPES if name not in ("orders:write", "orders:pay")), mode="test")
    expect_error(others.post("/sandbox/events", body), 403, "insufficient_scope")
    expect_error(team.test.post("/sandbox/events", body, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.test.get_json(f"/team-orders/{order['id']}") == order
    assert team.test.post("/sandbox/events", body).status == 200
