"""What tests of artwork, previews, proofs and templates make again and again."""

from __future__ import annotations

from typing import Any

from tests.interfaces.team.scene import TeamFace, well

LOGO = "https://cdn.example.com/logo.png"
NOBODY = "00000000-0000-4000-8000-000000000000"


def artwork(face: TeamFace, **members: Any) -> Any:
    """New artwork."""
    return face.make("/artwork", {"url": LOGO, "name": "Logo", **members})


def on_mug(artwork_id: int | str, **members: Any) -> dict[str, Any]:
    """The body of a preview of the artwork on the front of a mug."""
    return {"product_id": 101, "placements": {"front": {"artwork_id": artwork_id}}, **members}


def preview(face: TeamFace, **members: Any) -> Any:
    """A new preview of new artwork on a mug."""
    return face.make("/artwork/previews", on_mug(artwork(face)["id"], **members), 202)


def parcel(**members: Any) -> dict[str, Any]:
    """The body of a template; a member given as None is left out."""
    body = {
        "name": "Birthday parcel",
        "occasion": "birthday",
        "budget_cents": 5000,
        "setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": 2}, {"merchant_product_id": 103}]},
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def template(face: TeamFace, **members: Any) -> Any:
    """A new template."""
    return face.make("/templates", parcel(**members))


def used(face: TeamFace, template_id: int | str) -> Any:
    """The campaign input that a template gives now."""
    return well(face.get(f"/templates/{template_id}/use"), 200).json()["campaign_input"]
