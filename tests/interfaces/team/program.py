"""Large campaigns to try things on: made, processed and approved in a line each."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.in_process_client import Answer
from tests.harness import World
from tests.interfaces.team.scene import Team, TeamFace, well

KIT, LAMP = "welcome-kit", "lamp-01"
PATH = "/large-campaigns"


def typed(count: int) -> list[dict[str, str]]:
    """So many typed recipients, whose addresses are found nowhere else."""
    return [{"name": f"Guest {i}", "email": f"sentinel.{i}@example.com"} for i in range(count)]


def request(count: int = 6, **members: Any) -> dict[str, Any]:
    """A request for so many typed recipients, with the members given put over it."""
    return {"name": "Year's end", "collection": KIT, "recipients": typed(count), **members}


def campaign(face: TeamFace, count: int = 6, **members: Any) -> Any:
    """A new campaign, preparing."""
    return face.make(PATH, request(count, **members), 202)


def process(face: TeamFace, made: Any, action: str | None = None, **headers: str | None) -> Answer:
    """One `process` call, with a fresh Idempotency-Key unless told."""
    body = {} if action is None else {"action": action}
    return face.post(f"{PATH}/{made['id']}/process", body, **headers)


def processed(face: TeamFace, made: Any, action: str | None = None, **headers: str | None) -> Any:
    """The campaign after a `process` call that must succeed."""
    return well(process(face, made, action, **headers), 202).json()


def steered(face: TeamFace, made: Any, action: str) -> Any:
    """The campaign after a PATCH that must succeed."""
    return well(face.patch(f"{PATH}/{made['id']}", {"action": action}), 200).json()


def read(face: TeamFace, made: Any) -> Any:
    """The campaign as it is now."""
    return face.got(f"{PATH}/{made['id']}")


def prepared(face: TeamFace, count: int = 6, **members: Any) -> Any:
    """A campaign whose batches are all prepared, and which awaits approval."""
    made = campaign(face, count, **members)
    for _ in made["batches"]:
        made = processed(face, made)
    assert made["status"] == "awaiting_approval"
    return made


def approve(world: World, made: Any, decision: str = "approve") -> Any:
    """A human decides the pending approval of the campaign."""
    return world.simulate("approval", campaign_id=made["id"], decision=decision)


def approved(team: Team, count: int = 6, face: TeamFace | None = None, **members: Any) -> Any:
    """A campaign that a human has approved, with nothing paid."""
    made = prepared(face or team.live, count, **members)
    approve(team.world, made)
    return read(face or team.live, made)


def dearer(world: World, face: TeamFace, cents: int = 100) -> None:
    """The first item of the kit costs that much more from now on."""
    item = face.got(f"/collections/{KIT}")["items"][0]
    world.simulate("price", product=item["slug"], price_cents=item["price_cents"] + cents)


def statuses(made: Any) -> list[str]:
    """How the batches are, in their order."""
    return [batch["status"] for batch in made["batches"]]


def cents(made: Any) -> list[int | None]:
    """What the batches cost, in their order; None before they are prepared."""
    return [batch["totals"] and batch["totals"]["total_cents"] for batch in made["batches"]]


def balance(face: TeamFace) -> int:
    """The team's balance in cents."""
    return int(face.got("/billing/balance")["balance_cents"])
