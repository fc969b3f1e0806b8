"""Images that answers of the team interface link to: finished previews (A1.9), open to whoever has the link."""

from __future__ import annotations

from flask import Blueprint, Response

from giftsim.domain.team.studio.preview import printed
from giftsim.interfaces.team.views.artwork import PREVIEW_IMAGES
from giftsim.worlds.advance import catch_up
from giftsim.worlds.registry import Registry


def images(registry: Registry) -> Blueprint:
    """The routes, for the application that serves what contracts do not."""
    routes = Blueprint("images", __name__)

    @routes.get(f"{PREVIEW_IMAGES}/<world_id>/<token>.png")
    def preview(world_id: str, token: str) -> Response:
        from giftsim.interfaces.team.preview_image import paint

        world = registry.find(world_id)
        with world.held() as state:
            catch_up(world)
            shown = printed(state, token)
        return Response(paint(shown), mimetype="image/png")

    return routes
