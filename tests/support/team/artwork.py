"""Builders of artwork, previews and templates."""

from __future__ import annotations

from typing import Any

from tests.support.responses import expect_status
from tests.support.team.clients import TeamClient

LOGO = "https://cdn.example.com/logo.png"


def create_artwork(client: TeamClient, **members: Any) -> Any:
    """Register artwork."""
    return client.post_json("/artwork", {"url": LOGO, "name": "Logo", **members})


def mug_preview_body(artwork_id: int | str, **members: Any) -> dict[str, Any]:
    """A body for a preview of the artwork on the front of a mug."""
    return {"product_id": 101, "placements": {"front": {"artwork_id": artwork_id}}, **members}


def create_preview(client: TeamClient, **members: Any) -> Any:
    """Start a preview of new artwork on a mug."""
    return client.post_json("/artwork/previews", mug_preview_body(create_artwork(client)["id"], **members), 202)


def template_body(**members: Any) -> dict[str, Any]:
    """A body for a template. Members given as None are left out."""
    body = {
        "name": "Birthday parcel",
        "occasion": "birthday",
        "budget_cents": 5000,
        "setup": {"bundle_items": [{"merchant_product_id": 101, "quantity": 2}, {"merchant_product_id": 103}]},
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def create_template(client: TeamClient, **members: Any) -> Any:
    """Create a template."""
    return client.post_json("/templates", template_body(**members))


def use_template(client: TeamClient, template_id: int | str) -> Any:
    """The campaign input made from a template."""
    return expect_status(client.get(f"/templates/{template_id}/use"), 200).json()["campaign_input"]
