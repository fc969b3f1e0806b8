"""Invariants of orders and gifts under random operations: money, approvals and parcels agree."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.orders import create_order, gift_body, order_body, reference, reload, request_approval
from tests.support.team.payments import balance_cents
from tests.support.worlds import World

BALANCE_CENTS, CREDIT_CENTS = 40_000, 30_000
ENDED = ("canceled", "rejected")
MAKING = ("order", "gift", "terms", "store", "crash")
ACTS = (
    *MAKING, "ask", "approve", "approve", "reject", "cancel", "claim", "ship", "deliver", "price", "wait", "settle",
    "fail",
)  # fmt: skip
acts = st.tuples(st.sampled_from(ACTS), st.integers(0, 5))
operation_lists = st.tuples(
    st.tuples(st.sampled_from(MAKING), st.integers(0, 5)), st.lists(acts, min_size=4, max_size=16)
)


class TeamModel:
    """A team under random operations. An operation may be refused and then must change nothing."""

    def __init__(self, world: World) -> None:
        self.team = TeamClients(world)
        world.simulate("team", balance_cents=BALANCE_CENTS, credit={"credit_limit_cents": CREDIT_CENTS})
        limits = {"per_request_cents": 10**6, "monthly_cents": 10**7}
        self.client: TeamClient = self.team.key(*SCOPES, role="approver", pay_limits=limits)
        self.records: list[Any] = []

    def act(self, name: str, which: int) -> None:
        """Run one operation on one of the existing records."""
        if name in MAKING:
            self._create(name, which)
        elif name == "price":
            self._simulate("price", product="mug-01", price_cents=1500 + 100 * which)
        elif name == "wait":
            self.team.world.advance(f"{1 + which * which}d")
        elif self.records:
            self._act_on(name, self.records[which % len(self.records)])

    def _create(self, name: str, which: int) -> None:
        heads = 1 + which % 3
        order = order_body(headcount=heads, recipients=order_body()["recipients"][:heads])
        store = {"items": [{"merchant_product_id": 101, "quantity": heads}]}
        path, body = {
            "gift": ("/gifts", gift_body(heads)),
            "store": ("/store/orders", store),
        }.get(name, ("/team-orders", order if name == "order" else {**order, "payment_method": "net_terms"}))
        if name == "crash":
            before = len(self.team.live.list_all("/team-orders"))
            with suppress(ConnectionError):
                self.client.post(path, body, X_Sim_Fault="crash=after_charge")
            listed = self.team.live.list_all("/team-orders")
            self.records += listed[: len(listed) - before]
            return
        response = self.client.post(path, body)
        if response.status == 201:
            self.records.append(
                reload(self.client, {"gift": 0, **response.json()}) if name == "gift" else response.json()
            )
        else:
            assert (name, response.status) == ("terms", 422), response.text

    def _act_on(self, name: str, record: Any) -> None:
        path = f"/team-orders/{record['id']}"
        if name == "ask":
            self._assert_documented(self.client.post(f"{path}/request-approval", {}))
        elif name == "cancel":
            self._assert_documented(self.client.post(f"{path}/cancel", {}))
        elif name in ("approve", "reject"):
            self._simulate("approval", decision=name, **reference(record))
        elif name == "claim":
            self._simulate("claim", recipient=0, **reference(record))
        elif name in ("settle", "fail"):
            self._simulate("payment", outcome={"settle": "settled", "fail": "failed"}[name], **reference(record))
        else:
            self._simulate("shipment", to={"ship": "shipped", "deliver": "delivered"}[name], **reference(record))

    def _simulate(self, verb: str, **body: Any) -> None:
        self._assert_documented(self.team.world.control.post(f"/worlds/{self.team.world.id}/simulate/{verb}", body))

    @staticmethod
    def _assert_documented(response: Response) -> None:
        assert response.status in (200, 404, 409, 410, 422), response.text

    def check(self) -> None:
        """Check what always holds."""
        records = [reload(self.client, record) for record in self.records]
        for record in records:
            self._check_record(record)
        self._check_money(records)
        approvals = self.team.live.list_all("/approvals")
        pending = [(row["resource_type"], row["resource_id"]) for row in approvals if row["status"] == "pending"]
        assert len(pending) == len(set(pending))
        waiting = {record["id"] for record in records if record["status"] == "awaiting_approval"}
        assert {resource for _, resource in pending} <= waiting

    def _check_record(self, record: Any) -> None:
        totals = record["totals"]
        assert totals["total_cents"] == totals["subtotal_cents"] + totals["shipping_cents"]
        paid = record["payment_status"]
        if record["status"] in ("in_production", "shipped", "delivered", "sent", "claimed"):
            assert paid == "paid", record
        if record["status"] in ENDED:
            assert paid in ("unpaid", "refunded"), record
            assert {row["status"] for row in record["recipients"]} <= set(ENDED)
        assert (record["payment_id"] is None) == (paid == "unpaid")

    def _check_money(self, records: list[Any]) -> None:
        """Check that the money spent is the sum of the paid records."""
        terms = self.team.live.get_json("/credit-terms")
        spent = BALANCE_CENTS - balance_cents(self.team.live) + terms["outstanding_cents"]
        assert spent == sum(row["totals"]["total_cents"] for row in records if row["payment_status"] == "paid")
        assert balance_cents(self.team.live) >= 0
        assert 0 <= terms["outstanding_cents"] <= CREDIT_CENTS


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(operations=operation_lists)
def test_money_approvals_and_parcels_agree_after_any_operations(
    new_world: Callable[..., World], operations: tuple[tuple[str, int], list[tuple[str, int]]]
) -> None:
    model = TeamModel(new_world())
    for name, which in (operations[0], *operations[1]):
        model.act(name, which)
    model.check()
    model.team.world.advance("90d")
    model.check()
    events = [(row["type"], row["subject"]) for row in model.team.world.events()]
    once = [event for event in events if event[0].startswith("team_order.") or event[0] == "gift.sent"]
    assert len(once) == len(set(once))


STORE = {"items": [{"merchant_product_id": 101}]}
QUOTE = {"collection": "welcome-kit", "headcount": 1}

# Each operation with its scope, in a call that only a missing permission can refuse; `{order}` etc. are ids.
OPERATIONS = [
    pytest.param("POST", "/gifts", "gifts:send", gift_body(), marks=shows("T-4.36", "T-4.37")),
    pytest.param("GET", "/gifts", "orders:read", None, marks=shows("T-4.40")),
    pytest.param("GET", "/gifts/{gift}/timeline", "orders:read", None, marks=shows("T-4.43")),
    pytest.param("GET", "/gifts/{gift}", "orders:read", None, marks=shows("T-4.45")),
    pytest.param("POST", "/team-orders/quote", "catalog:read", QUOTE, marks=shows("T-4.47")),
    pytest.param("POST", "/team-orders", "orders:write", order_body(), marks=shows("T-4.49", "T-4.50")),
    pytest.param("GET", "/team-orders", "orders:read", None, marks=shows("T-4.52")),
    pytest.param("GET", "/team-orders/{order}/manifest.csv", "orders:read", None, marks=shows("T-4.55")),
    pytest.param("GET", "/team-orders/{order}", "orders:read", None, marks=shows("T-4.59")),
    pytest.param("PATCH", "/team-orders/{order}", "orders:write", {"po_number": "PO-1"}, marks=shows("T-4.61")),
    pytest.param("POST", "/team-orders/{order}/cancel", "orders:write", {}, marks=shows("T-4.63", "T-4.64")),
    pytest.param("POST", "/team-orders/{order}/request-approval", "orders:write", {}, marks=shows("T-4.66", "T-4.67")),
    pytest.param("GET", "/approvals", "orders:read", None, marks=shows("T-4.69")),
    pytest.param("GET", "/approvals/{approval}", "orders:read", None, marks=shows("T-4.72")),
    pytest.param("GET", "/store", "catalog:read", None, marks=shows("T-4.174")),
    pytest.param("POST", "/store/quote", "catalog:read", STORE, marks=shows("T-4.176")),
    pytest.param("POST", "/store/orders", "orders:write", STORE, marks=shows("T-4.178", "T-4.179")),
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


@shows("T-4.197", "T-4.198")
def test_a_sandbox_event_needs_the_scope_to_write_orders_and_an_idempotency_key(team: TeamClients) -> None:
    order = create_order(team.test)
    body = {"type": "team_order.shipped", "resource_id": order["id"]}
    others = team.key(*(name for name in SCOPES if name not in ("orders:write", "orders:pay")), mode="test")
    expect_error(others.post("/sandbox/events", body), 403, "insufficient_scope")
    expect_error(team.test.post("/sandbox/events", body, Idempotency_Key=None), 400, "idempotency_key_required")
    assert team.test.get_json(f"/team-orders/{order['id']}") == order
    assert team.test.post("/sandbox/events", body).status == 200
