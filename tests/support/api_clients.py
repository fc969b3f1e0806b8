"""HTTP clients of one interface with one credential."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from giftsim.build import CONTRACTS
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.support.orders import order_body

PARTNER_CONTRACT = Contract.load(CONTRACTS["partner"])
CONTROL_CONTRACT = Contract.load(CONTRACTS["control"])

WEBHOOK_HOST = "hooks.partner.example"
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


class ApiClient:
    """One interface with one credential. `tests.support.answers` checks every response against the contract."""

    def __init__(self, client: InProcessClient, contract: Contract, headers: Mapping[str, str]) -> None:
        self.client, self.contract, self.headers = client, contract, dict(headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        """Send one request below the interface's prefix; write header names with `_` for `-`."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        response = self.client.call(method, self.contract.prefix + path, body=body, headers=sent)
        assert response.headers["x-request-id"]
        return response

    def get(self, path: str, **headers: str) -> Response:
        """GET."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Response:
        """POST."""
        return self.call("POST", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Response:
        """DELETE."""
        return self.call("DELETE", path, **headers)


class PartnerClient(ApiClient):
    """The partner interface with one key."""

    def create_order(self, **members: Any) -> Response:
        """POST a team order: by default one mug for Bo, sent as a claim link."""
        return self.post("/team-orders", order_body(**members))

    def read_order(self, order: int | Response, query: str = "") -> Any:
        """The detail of an order, given its id or the response that created it."""
        order_id = order if isinstance(order, int) else order.json()["team_order"]["id"]
        response = self.get(f"/team-orders/{order_id}{query}")
        assert response.status == 200, response.text
        return response.json()

    def subscribe(self, *events: str, host: str = WEBHOOK_HOST) -> Any:
        """Create a webhook endpoint for these event types; the response's JSON, with the secret."""
        response = self.post("/webhooks", {"url": f"https://{host}/gifts", "events": list(events)})
        assert response.status == 201, response.text
        return response.json()
