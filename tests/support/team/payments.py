"""What tests of a team's money share: keys that pay, orders to pay for, what is there, and papers as text."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pypdf import PdfReader

from giftsim.gateway.in_process_client import Response
from tests.support.responses import expect_status
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.worlds import World

KIT = "welcome-kit"
LOS_ANGELES = ZoneInfo("America/Los_Angeles")
CRASH = {"X_Sim_Fault": "crash=after_charge"}


def kit_order_body(headcount: int = 1, **members: Any) -> dict[str, Any]:
    """The body of an order."""
    return {"collection": KIT, "headcount": headcount, **members}


def net_terms_order_body(headcount: int = 1, **members: Any) -> dict[str, Any]:
    """The body of an order that pays at once."""
    return kit_order_body(headcount, payment_method="net_terms", **members)


def unit_cents(team: TeamClients) -> int:
    """What an order for one head costs; others cost so much for each."""
    return int(
        team.live.post_json("/team-orders/quote", {"collection": KIT, "headcount": 1}, 200)["totals"]["total_cents"]
    )


def key_with_limits(team: TeamClients, per_request: int, monthly: int) -> TeamClient:
    """A new live key with every scope and these ceilings, in cents."""
    return team.key(*SCOPES, pay_limits={"per_request_cents": per_request, "monthly_cents": monthly})


def request_funding(face: TeamClient, order: Any, method: str = "net_terms", **headers: str | None) -> Response:
    """Fund an order."""
    return face.call("POST", "/funding", {"method": method, "campaign_id": order["id"]}, **headers)


def fund(face: TeamClient, order: Any, method: str = "net_terms") -> Any:
    """A funding that must succeed."""
    return expect_status(request_funding(face, order, method), 201).json()


def reload_order(face: TeamClient, made: Any) -> Any:
    """An order as it is now."""
    return face.get_json(f"/team-orders/{made['id']}")


def billing_state(face: TeamClient) -> Any:
    """Everything that a key sees of its money."""
    return [
        face.get_json("/billing/balance"), face.get_json("/credit-terms"), face.list_all("/invoices"),
        [made["receipt_id"] for made in face.list_all("/team-orders")],
    ]  # fmt: skip


def pdf_text(answer: Response) -> str:
    """The text of a PDF, which must be one."""
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.body.startswith(b"%PDF-")
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body), strict=True).pages)


def local_month(world: World) -> str:
    """The Los Angeles month in which the world stands."""
    return local_time(world).strftime("%Y-%m")


def local_time(world: World) -> datetime:
    """The world's instant in Los Angeles."""
    return datetime.fromisoformat(world.now).astimezone(LOS_ANGELES)


def next_month_start(world: World, number: int | None = None) -> datetime:
    """The next midnight in Los Angeles that begins a month, or that month of the year."""
    day = local_time(world)
    while True:
        day = (day.replace(day=1) + timedelta(days=32)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        if number in (None, day.month):
            return day


def advance_to(world: World, at: datetime) -> None:
    """Let time pass up to an instant."""
    world.advance(to=at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
