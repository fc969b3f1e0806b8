"""What a test key does in its sandbox, beside all that happens to its team (T-1.14)."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.models import team_views as views
from tests.models.team_comparison import TeamComparison, pick, places, typed
from tests.models.team_money import Key
from tests.models.team_sends import Order


class SandboxRules(TeamComparison):
    """The orders of a test key."""

    asks = False  # whether creating an order also requests its approval

    def _create(self) -> None:
        order = Order(self.sandbox, Key("team.test"), self.sandbox.kit(), ["Guest"], "US")
        self.sandbox.orders.append(order)
        if self.asks:
            self.sandbox.request(order, order.total)

    @rule(
        place=places, act=st.sampled_from(("create", "request", "approve", "reject", "shipped", "delivered", "cancel"))
    )
    def sandbox_action(self, place: int, act: str) -> None:
        """A test key's orders go on by sandbox events alone, and pay nothing (T-1.15 to T-1.17, T-4.196)."""
        if act == "create" or not self.sandbox.orders:
            body = {"collection": "welcome-kit", "headcount": 1, "recipients": typed(["Guest"])}
            answer = self._send("team.test", "/team-orders", body)
            self._agree(answer, self._create)
            return
        order = pick(self.sandbox.orders, place)
        path = f"/team-orders/{order.id.value}"
        if act == "request":
            answer = self._send("team.test", f"{path}/request-approval", {})
            self._agree(answer, lambda: self.sandbox.request_approval(order), views.approval)
        elif act == "cancel":
            answer = self._send("team.test", f"{path}/cancel", {})
            self._agree(answer, lambda: self.sandbox.cancel(order, None), views.order)
        elif act in ("approve", "reject"):
            self._decide(order, act)
        else:
            body = {"type": f"team_order.{act}", "resource_id": order.id.value}
            answer = self._send("team.test", "/sandbox/events", body)
            self._agree(answer, lambda: self.sandbox.simulate(order, act))
