"""What tests of artwork, previews, proofs and templates make again and again."""

from __future__ import annotations

from typing import Any

from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient

LOGO = "https://cdn.example.com/logo.png"
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


def create_artwork(face: TeamClient, **members: Any) -> Any:
    """New artwork."""
    return face.post_json("/artwork", {"url": LOGO, "name": "Logo", **members})


def mug_preview_body(artwork_id: int | str, **members: Any) -> dict[str, Any]:
    """The body of a preview of the artwork on the front of a mug."""
    return {"product_id": 101, "placements": {"front": {"artwork_id": artwork_id}}, **members}


def create_preview(face: TeamClient, **members: Any) -> Any:
    """A new preview of new artwork on a mug."""
    return face.post_json("/artwork/previews", mug_preview_body(create_artwork(face)["id"], **members), 202)


def template_body(**members: Any) -> dict[str, Any]:
    """The body of a template; a member given as None is left out."""
    body = {
        "name": "Birthday parcel",
        "occasion": "birthday",
        "budget_cents": 5000,
        "setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": 2}, {"merchant_product_id": 103}]},
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def create_template(face: TeamClient, **members: Any) -> Any:
    """A new template."""
    return face.post_json("/templates", template_body(**members))


def use_template(face: TeamClient, template_id: int | str) -> Any:
    """The campaign input that a template gives now."""
    return expect_status(face.get(f"/templates/{template_id}/use"), 200).json()["campaign_input"]
