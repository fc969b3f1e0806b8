"""Builders and operations of large campaigns."""

from __future__ import annotations

from typing import Any

from giftsim.engine.client.response import Response
from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient, TeamClients
from tests.support.team.orders import KIT
from tests.support.worlds import World

PATH = "/large-campaigns"


def sentinel_recipients(count: int) -> list[dict[str, str]]:
    """So many typed recipients, whose addresses occur nowhere else."""
    return [{"name": f"Guest {i}", "email": f"sentinel.{i}@example.com"} for i in range(count)]


def campaign_body(count: int = 6, **members: Any) -> dict[str, Any]:
    """A body for a campaign of so many typed recipients."""
    return {"name": "Year's end", "collection": KIT, "recipients": sentinel_recipients(count), **members}


def create_campaign(client: TeamClient, count: int = 6, **members: Any) -> Any:
    """Create a campaign, which is preparing."""
    return client.post_json(PATH, campaign_body(count, **members), 202)


def request_processing(client: TeamClient, campaign: Any, action: str | None = None, **headers: str | None) -> Response:
    """Process the next batch; the response."""
    body = {} if action is None else {"action": action}
    return client.post(f"{PATH}/{campaign['id']}/process", body, **headers)


def process(client: TeamClient, campaign: Any, action: str | None = None, **headers: str | None) -> Any:
    """Process the next batch, which must succeed; the campaign."""
    return expect_status(request_processing(client, campaign, action, **headers), 202).json()


def patch_action(client: TeamClient, campaign: Any, action: str) -> Any:
    """Pause, resume or reprice the campaign, which must succeed; the campaign."""
    return expect_status(client.patch(f"{PATH}/{campaign['id']}", {"action": action}), 200).json()


def read_campaign(client: TeamClient, campaign: Any) -> Any:
    """Read the campaign, without its recipients."""
    read = client.get_json(f"{PATH}/{campaign['id']}")
    del read["recipients"]
    return read


def prepared_campaign(client: TeamClient, count: int = 6, **members: Any) -> Any:
    """Create a campaign and prepare all its batches, so that it awaits approval."""
    campaign = create_campaign(client, count, **members)
    for _ in campaign["batches"]:
        campaign = process(client, campaign)
    assert campaign["status"] == "awaiting_approval"
    return campaign


def decide(world: World, campaign: Any, decision: str = "approve") -> Any:
    """Decide the pending approval of the campaign, as a human."""
    return world.simulate("approval", campaign_id=campaign["id"], decision=decision)


def approved_campaign(team: TeamClients, count: int = 6, client: TeamClient | None = None, **members: Any) -> Any:
    """Create a campaign that a human has approved and none of whose batches is paid."""
    campaign = prepared_campaign(client or team.live, count, **members)
    decide(team.world, campaign)
    return read_campaign(client or team.live, campaign)


def raise_price(world: World, client: TeamClient, cents: int = 100) -> None:
    """Raise the price of the first item of the kit."""
    item = client.get_json(f"/collections/{KIT}")["items"][0]
    world.simulate("price", product=item["slug"], price_cents=item["price_cents"] + cents)


def batch_statuses(campaign: Any) -> list[str]:
    """The statuses of the batches, in order."""
    return [batch["status"] for batch in campaign["batches"]]


def batch_cents(campaign: Any) -> list[int | None]:
    """The totals of the batches in cents, in order; None before they are prepared."""
    return [batch["totals"] and batch["totals"]["total_cents"] for batch in campaign["batches"]]
