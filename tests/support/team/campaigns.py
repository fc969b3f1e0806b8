"""Large campaigns to try things on: made, processed and approved in a line each."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.in_process_client import Response
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.worlds import World

KIT, LAMP = "welcome-kit", "lamp-01"
PATH = "/large-campaigns"


def typed_recipients(count: int) -> list[dict[str, str]]:
    """So many typed recipients, whose addresses are found nowhere else."""
    return [{"name": f"Guest {i}", "email": f"sentinel.{i}@example.com"} for i in range(count)]


def campaign_body(count: int = 6, **members: Any) -> dict[str, Any]:
    """A request for so many typed recipients, with the members given put over it."""
    return {"name": "Year's end", "collection": KIT, "recipients": typed_recipients(count), **members}


def create_campaign(face: TeamClient, count: int = 6, **members: Any) -> Any:
    """A new campaign, preparing."""
    return face.post_json(PATH, campaign_body(count, **members), 202)


def request_processing(face: TeamClient, made: Any, action: str | None = None, **headers: str | None) -> Response:
    """One `request_processing` call, with a fresh Idempotency-Key unless told."""
    body = {} if action is None else {"action": action}
    return face.post(f"{PATH}/{made['id']}/process", body, **headers)


def process(face: TeamClient, made: Any, action: str | None = None, **headers: str | None) -> Any:
    """The campaign after a `request_processing` call that must succeed."""
    return expect_status(request_processing(face, made, action, **headers), 202).json()


def patch_action(face: TeamClient, made: Any, action: str) -> Any:
    """The campaign after a PATCH that must succeed."""
    return expect_status(face.patch(f"{PATH}/{made['id']}", {"action": action}), 200).json()


def read_campaign(face: TeamClient, made: Any) -> Any:
    """The campaign as it is now."""
    return face.get_json(f"{PATH}/{made['id']}")


def prepared_campaign(face: TeamClient, count: int = 6, **members: Any) -> Any:
    """A campaign whose batches are all prepared, and which awaits approval."""
    made = create_campaign(face, count, **members)
    for _ in made["batches"]:
        made = process(face, made)
    assert made["status"] == "awaiting_approval"
    return made


def decide(world: World, made: Any, decision: str = "approve") -> Any:
    """A human decides the pending approval of the campaign."""
    return world.simulate("approval", campaign_id=made["id"], decision=decision)


def approved_campaign(team: TeamClients, count: int = 6, face: TeamClient | None = None, **members: Any) -> Any:
    """A campaign that a human has approved, with nothing paid."""
    made = prepared_campaign(face or team.live, count, **members)
    decide(team.world, made)
    return read_campaign(face or team.live, made)


def raise_price(world: World, face: TeamClient, cents: int = 100) -> None:
    """The first item of the kit costs that much more from now on."""
    item = face.get_json(f"/collections/{KIT}")["items"][0]
    world.simulate("price", product=item["slug"], price_cents=item["price_cents"] + cents)


def batch_statuses(made: Any) -> list[str]:
    """How the batches are, in their order."""
    return [batch["status"] for batch in made["batches"]]


def batch_cents(made: Any) -> list[int | None]:
    """What the batches cost, in their order; None before they are prepared."""
    return [batch["totals"] and batch["totals"]["total_cents"] for batch in made["batches"]]


def balance_cents(face: TeamClient) -> int:
    """The team's balance in cents."""
    return int(face.get_json("/billing/balance")["balance_cents"])
