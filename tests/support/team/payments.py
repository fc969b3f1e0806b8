"""Builders of orders that pay, of keys with pay limits and of fundings; reads of balances and PDFs."""

from __future__ import annotations

import io
from typing import Any

from pypdf import PdfReader

from giftsim.engine.client.response import Response
from tests.support.responses import expect_status
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.orders import KIT

CRASH = {"X_Sim_Fault": "crash=after_charge"}


def kit_order_body(headcount: int = 1, **members: Any) -> dict[str, Any]:
    """A body for an order of welcome kits without named recipients."""
    return {"collection": KIT, "headcount": headcount, **members}


def net_terms_order_body(headcount: int = 1, **members: Any) -> dict[str, Any]:
    """A body for an order that is paid at once on net terms."""
    return kit_order_body(headcount, payment_method="net_terms", **members)


def unit_cents(team: TeamClients) -> int:
    """The price of a welcome kit for one recipient, in cents."""
    return int(
        team.live.post_json("/team-orders/quote", {"collection": KIT, "headcount": 1}, 200)["totals"]["total_cents"]
    )


def key_with_limits(team: TeamClients, per_request: int, monthly: int) -> TeamClient:
    """A client whose new live key has every scope and these pay limits, in cents."""
    return team.key(*SCOPES, pay_limits={"per_request_cents": per_request, "monthly_cents": monthly})


def request_funding(client: TeamClient, order: Any, method: str = "net_terms", **headers: str | None) -> Response:
    """Fund an order; the response."""
    return client.call("POST", "/funding", {"method": method, "campaign_id": order["id"]}, **headers)


def fund(client: TeamClient, order: Any, method: str = "net_terms") -> Any:
    """Fund an order, which must succeed; the funding."""
    return expect_status(request_funding(client, order, method), 201).json()


def balance_cents(client: TeamClient) -> int:
    """The team's balance in cents."""
    return int(client.get_json("/billing/balance")["balance_cents"])


def billing_state(client: TeamClient) -> Any:
    """Everything about money that a key can read."""
    return [
        client.get_json("/billing/balance"), client.get_json("/credit-terms"), client.list_all("/invoices"),
        [order["receipt_id"] for order in client.list_all("/team-orders")],
    ]  # fmt: skip


def pdf_text(response: Response) -> str:
    """The text of a response that must be a PDF."""
    assert response.headers["content-type"] == "application/pdf"
    assert response.body.startswith(b"%PDF-")
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(response.body), strict=True).pages)
