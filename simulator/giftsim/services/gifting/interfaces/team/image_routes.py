"""Routes of the images that responses link to: finished previews, opened by their link without a key (A1.9)."""

from __future__ import annotations

from flask import Blueprint, Response

from giftsim.engine.worlds.registry import Registry
from giftsim.services.gifting.domain.team.design.preview import IMAGES, printed_areas


def image_routes(registry: Registry) -> Blueprint:
    """The routes as a blueprint for the Flask application, which serves everything outside the contracts."""
    routes = Blueprint("images", __name__)

    @routes.get(f"{IMAGES}/<world_id>/<token>.png")
    def preview(world_id: str, token: str) -> Response:
        from giftsim.services.gifting.interfaces.team.preview_image import render_preview  # Pillow is slow to import

        world = registry.find(world_id)
        with world.locked() as state:
            world.clock.catch_up()
            placements = printed_areas(state, token)
        return Response(render_preview(placements), mimetype="image/png")

    return routes
