"""Permissions of billing operations: one scope each, and an approver's key for writes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.team.local_time import local_month
from tests.support.team.payments import kit_order_body

READ, WRITE = "billing:read", "billing:write"
CENTER = {"code": "CC-1", "name": "Sales"}
FILE = {"url": "https://files.example.com/exemption.pdf"}

# The paths contain the first ids of a world; the fixture below creates these records.
READS = [
    pytest.param("GET", "/billing/balance", READ, None, marks=shows("T-4.74")),
    pytest.param("GET", "/invoices", READ, None, marks=shows("T-4.76")),
    pytest.param("GET", "/invoices/840001.pdf", READ, None, marks=shows("T-4.79")),
    pytest.param("GET", "/receipts/860001.pdf", READ, None, marks=shows("T-4.81")),
    pytest.param("GET", "/statements/{month}", READ, None, marks=shows("T-4.83")),
    pytest.param("GET", "/cost-centers", READ, None, marks=shows("T-4.86")),
    pytest.param("GET", "/credit-terms", READ, None, marks=shows("T-4.91")),
]
WRITES = [
    pytest.param("POST", "/cost-centers", WRITE, CENTER, marks=shows("T-4.89", "T-4.219")),
    pytest.param("PUT", "/billing/profile", WRITE, {"legal_name": "A"}, marks=shows("T-4.93", "T-4.219")),
    pytest.param(
        "POST", "/funding", WRITE, {"method": "bank_transfer", "campaign_id": 20_000_001},
        marks=shows("T-4.181", "T-4.219"),
    ),
    pytest.param("POST", "/deposit-invoices", WRITE, {"amount_cents": 5}, marks=shows("T-4.187", "T-4.219")),
    pytest.param("POST", "/tax-certificates", WRITE, FILE, marks=shows("T-4.190", "T-4.219")),
]  # fmt: skip
OPERATIONS = pytest.mark.parametrize(("method", "path", "scope", "body"), [*READS, *WRITES])


@pytest.fixture
def team_with_records(team: TeamClients) -> TeamClients:
    """A team with an unpaid order and a paid invoice."""
    assert team.live.post_json("/team-orders", kit_order_body())["id"] == 20_000_001
    invoice = team.live.post_json("/deposit-invoices", {"amount_cents": 100})
    assert team.world.simulate("invoice", invoice_id=invoice["id"])["receipt_id"] == 860_001
    return team


def billing_records(team: TeamClients) -> Any:
    """The records that a refused call must not change."""
    return [team.live.list_all(path) for path in ("/invoices", "/cost-centers")]


def with_month(team: TeamClients, path: str) -> str:
    """The path with the world's present month."""
    return path.replace("{month}", local_month(team.world))


@OPERATIONS
def test_exactly_its_own_scope_permits_each_operation(
    team_with_records: TeamClients, method: str, path: str, scope: str, body: Any
) -> None:
    others = team_with_records.key(*(name for name in SCOPES if name != scope))
    before = billing_records(team_with_records)
    assert (
        scope
        in expect_error(others.call(method, with_month(team_with_records, path), body), 403, "insufficient_scope")[
            "message"
        ]
    )
    assert billing_records(team_with_records) == before
    assert team_with_records.key(scope).call(method, with_month(team_with_records, path), body).status in (200, 201)


@pytest.mark.parametrize(("method", "path", "scope", "body"), WRITES)
def test_a_requester_key_cannot_write_billing_data(
    team_with_records: TeamClients, method: str, path: str, scope: str, body: Any
) -> None:
    requester = team_with_records.key(scope, role="requester")
    before = billing_records(team_with_records)
    expect_error(requester.call(method, path, body), 403, "insufficient_role")
    expect_error(team_with_records.requester.call(method, path, body), 403, "insufficient_role")
    assert billing_records(team_with_records) == before


@pytest.mark.parametrize(("method", "path", "scope", "body"), READS)
def test_a_requester_key_can_read_billing_data(
    team_with_records: TeamClients, method: str, path: str, scope: str, body: Any
) -> None:
    assert (
        team_with_records.key(scope, role="requester").call(method, with_month(team_with_records, path), body).status
        == 200
    )


@shows("T-5.11")
def test_the_write_scope_does_not_include_reading(team_with_records: TeamClients) -> None:
    expect_error(team_with_records.key(WRITE).get("/invoices"), 403, "insufficient_scope")
