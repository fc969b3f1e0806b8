"""What tests of proofs do with an order: add versions, review and sign."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.in_process_client import Response
from tests.support.responses import expect_status
from tests.support.team.artwork import create_artwork
from tests.support.team.clients import TeamClient, TeamClients

APPROVE, CHANGES = {"decision": "approve"}, {"decision": "request_changes", "note": "Larger, please"}


def create_order(face: TeamClient, collection: str = "branded-kit", **members: Any) -> Any:
    """A team order of two heads, held."""
    return face.post_json("/team-orders", {"collection": collection, "headcount": 2, **members})


def list_proofs(face: TeamClient, made: Any) -> list[Any]:
    """The proofs of an order, all on one page."""
    page = face.get_json(f"/team-orders/{made['id']}/proofs")
    assert page["next_cursor"] is None
    return list(page["data"])


def first_proof(face: TeamClient, made: Any) -> Any:
    """The first proof of an order."""
    return list_proofs(face, made)[0]


def add_version(face: TeamClient, item: int | str, **members: Any) -> Any:
    """The proof with a new version."""
    artwork_id = members.pop("artwork_id", None) or create_artwork(face)["id"]
    return face.post_json(f"/proofs/{item}/versions", {"artwork_id": artwork_id, **members})


def review(face: TeamClient, item: int | str, body: dict[str, Any] = APPROVE) -> Any:
    """The proof after a review."""
    return face.post_json(f"/proofs/{item}/review", body, 200)


def sign(face: TeamClient, item: int | str, version: object = 1, **headers: str | None) -> Response:
    """The answer to a signature."""
    return face.post(f"/proofs/{item}/sign", {"version": version}, **headers)


def sign_all(team: TeamClients, made: Any) -> None:
    """Bring every proof of a live order to its signature."""
    for proof in list_proofs(team.live, made):
        version = add_version(team.live, proof["id"])["current_version"]
        review(team.live, proof["id"])
        expect_status(sign(team.approver, proof["id"], version), 200)
