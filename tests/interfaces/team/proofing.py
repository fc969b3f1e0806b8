"""What tests of proofs do with an order: add versions, review and sign."""

from __future__ import annotations

from typing import Any

from giftsim.gateway.in_process_client import Answer
from tests.interfaces.team.scene import Team, TeamFace, well
from tests.interfaces.team.workshop import artwork

APPROVE, CHANGES = {"decision": "approve"}, {"decision": "request_changes", "note": "Larger, please"}


def order(face: TeamFace, collection: str = "branded-kit", **members: Any) -> Any:
    """A team order of two heads, held."""
    return face.make("/team-orders", {"collection": collection, "headcount": 2, **members})


def proofs(face: TeamFace, made: Any) -> list[Any]:
    """The proofs of an order, all on one page."""
    page = face.got(f"/team-orders/{made['id']}/proofs")
    assert page["next_cursor"] is None
    return list(page["data"])


def first(face: TeamFace, made: Any) -> Any:
    """The first proof of an order."""
    return proofs(face, made)[0]


def submit(face: TeamFace, item: int | str, **members: Any) -> Any:
    """The proof with a new version."""
    artwork_id = members.pop("artwork_id", None) or artwork(face)["id"]
    return face.make(f"/proofs/{item}/versions", {"artwork_id": artwork_id, **members})


def review(face: TeamFace, item: int | str, body: dict[str, Any] = APPROVE) -> Any:
    """The proof after a review."""
    return face.make(f"/proofs/{item}/review", body, 200)


def sign(face: TeamFace, item: int | str, version: object = 1, **headers: str | None) -> Answer:
    """The answer to a signature."""
    return face.post(f"/proofs/{item}/sign", {"version": version}, **headers)


def signed(team: Team, made: Any) -> None:
    """Bring every proof of a live order to its signature."""
    for proof in proofs(team.live, made):
        version = submit(team.live, proof["id"])["current_version"]
        review(team.live, proof["id"])
        well(sign(team.approver, proof["id"], version), 200)
