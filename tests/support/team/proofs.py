"""Operations of proofs: add versions, review and sign."""

from __future__ import annotations

from typing import Any

from giftsim.engine.client.response import Response
from tests.support.responses import expect_status
from tests.support.team.artwork import create_artwork
from tests.support.team.clients import TeamClient, TeamClients

APPROVE, CHANGES = {"decision": "approve"}, {"decision": "request_changes", "note": "Larger, please"}


def create_branded_order(client: TeamClient, collection: str = "branded-kit", **members: Any) -> Any:
    """Create a team order for two, whose items have proofs."""
    return client.post_json("/team-orders", {"collection": collection, "headcount": 2, **members})


def list_proofs(client: TeamClient, order: Any) -> list[Any]:
    """The proofs of an order."""
    page = client.get_json(f"/team-orders/{order['id']}/proofs")
    assert page["next_cursor"] is None
    return list(page["data"])


def first_proof(client: TeamClient, order: Any) -> Any:
    """The first proof of an order."""
    return list_proofs(client, order)[0]


def add_version(client: TeamClient, item: int | str, **members: Any) -> Any:
    """Add a version; the proof."""
    artwork_id = members.pop("artwork_id", None) or create_artwork(client)["id"]
    return client.post_json(f"/proofs/{item}/versions", {"artwork_id": artwork_id, **members})


def review(client: TeamClient, item: int | str, body: dict[str, Any] = APPROVE) -> Any:
    """Review a proof; the proof."""
    return client.post_json(f"/proofs/{item}/review", body, 200)


def sign(client: TeamClient, item: int | str, version: object = 1, **headers: str | None) -> Response:
    """Sign a version; the response."""
    return client.post(f"/proofs/{item}/sign", {"version": version}, **headers)


def sign_all(team: TeamClients, order: Any) -> None:
    """Add a version to every proof of a live order, approve and sign it."""
    for proof in list_proofs(team.live, order):
        version = add_version(team.live, proof["id"])["current_version"]
        review(team.live, proof["id"])
        expect_status(sign(team.approver, proof["id"], version), 200)
