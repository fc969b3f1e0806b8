"""Invariants of orders and gifts under random operations: money, approvals and parcels agree."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.client.response import Response
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.orders import gift_body, order_body, reference, reload
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
