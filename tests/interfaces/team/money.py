"""What tests of a team's money share: keys that pay, orders to pay for, what is there, and papers as text."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pypdf import PdfReader

from giftsim.gateway.in_process_client import Answer
from tests.harness import World
from tests.interfaces.team.scene import SCOPES, Team, TeamFace, well

KIT = "welcome-kit"
LOS_ANGELES = ZoneInfo("America/Los_Angeles")
CRASH = {"X_Sim_Fault": "crash=after_charge"}


def kit(headcount: int = 1, **members: Any) -> dict[str, Any]:
    """The body of an order."""
    return {"collection": KIT, "headcount": headcount, **members}


def on_terms(headcount: int = 1, **members: Any) -> dict[str, Any]:
    """The body of an order that pays at once."""
    return kit(headcount, payment_method="net_terms", **members)


def unit(team: Team) -> int:
    """What an order for one head costs; others cost so much for each."""
    return int(team.live.make("/team-orders/quote", {"collection": KIT, "headcount": 1}, 200)["totals"]["total_cents"])


def payer(team: Team, per_request: int, monthly: int) -> TeamFace:
    """A new live key with every scope and these ceilings, in cents."""
    return team.key(*SCOPES, pay_limits={"per_request_cents": per_request, "monthly_cents": monthly})


def fund(face: TeamFace, order: Any, method: str = "net_terms", **headers: str | None) -> Answer:
    """Fund an order."""
    return face.call("POST", "/funding", {"method": method, "campaign_id": order["id"]}, **headers)


def funded(face: TeamFace, order: Any, method: str = "net_terms") -> Any:
    """A funding that must succeed."""
    return well(fund(face, order, method), 201).json()


def order(face: TeamFace, made: Any) -> Any:
    """An order as it is now."""
    return face.got(f"/team-orders/{made['id']}")


def money(face: TeamFace) -> Any:
    """Everything that a key sees of its money."""
    return [
        face.got("/billing/balance"), face.got("/credit-terms"), face.listed("/invoices"),
        [made["receipt_id"] for made in face.listed("/team-orders")],
    ]  # fmt: skip


def text(answer: Answer) -> str:
    """The text of a PDF, which must be one."""
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.body.startswith(b"%PDF-")
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body), strict=True).pages)


def month(world: World) -> str:
    """The Los Angeles month in which the world stands."""
    return local(world).strftime("%Y-%m")


def local(world: World) -> datetime:
    """The world's instant in Los Angeles."""
    return datetime.fromisoformat(world.now).astimezone(LOS_ANGELES)


def next_first(world: World, number: int | None = None) -> datetime:
    """The next midnight in Los Angeles that begins a month, or that month of the year."""
    day = local(world)
    while True:
        day = (day.replace(day=1) + timedelta(days=32)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        if number in (None, day.month):
            return day


def advance_to(world: World, at: datetime) -> None:
    """Let time pass up to an instant."""
    world.advance(to=at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
