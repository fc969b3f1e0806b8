"""The JSON of artwork and previews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.placeholders import json_link
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS
from giftsim.services.gifting.domain.team.design import artwork, preview
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK, Artwork
from giftsim.services.gifting.domain.team.design.preview import READY, Preview, image_path
from giftsim.services.gifting.domain.team.tenant import Tenant
from giftsim.services.gifting.interfaces.team.pagination import respond_with_page
from giftsim.services.gifting.interfaces.team.request_checks import BodyCheck, Finder, url_errors


def artwork_view(tenant: Tenant, artwork: Artwork) -> dict[str, Any]:
    """Artwork: an image to print."""
    return {
        "id": artwork.id,
        "name": artwork.name,
        "url": artwork.url,
        "content_type": artwork.content_type,
        "livemode": tenant.livemode,
        "created_at": format_instant(artwork.created_ms),
    }


def preview_view(state: State, preview: Preview, *, livemode: bool) -> dict[str, Any]:
    """A preview. Its image URL contains a random token."""
    return {
        "id": preview.id,
        "status": preview.status,
        "product_id": state[PRODUCTS].get(preview.product).id,
        "placements": {
            each.key: {"artwork_id": state[ARTWORK].get(each.artwork).id, "fit": each.fit}
            for each in preview.placements
        },
        "image_url": json_link(image_path(preview)) if preview.status == READY else None,
        "failure": preview.failure,
        "finished_at": instant_or_null(preview.finished_ms),
        "livemode": livemode,
        "created_at": format_instant(preview.created_ms),
    }


def list_artwork(call: Call) -> Response:
    """List artwork."""
    table, tenant = call.state[ARTWORK], call.caller.tenant
    return respond_with_page(
        call, "artwork", artwork.artwork_slots(call.state, tenant), lambda n: artwork_view(tenant, table.get(n))
    )


def create_artwork(call: Call) -> Response:
    """Register an image by its URL."""
    tenant = call.caller.tenant
    return Response(
        201, artwork_view(tenant, artwork.register_artwork(call.state, tenant, call.body["url"], call.body["name"]))
    )


def create_preview(call: Call) -> Response:
    """Start to render artwork on a product."""
    started = preview.start_preview(call.state, call.caller.tenant, call.body)
    return Response(202, preview_view(call.state, started, livemode=call.caller.tenant.livemode))


def get_preview(call: Call) -> Response:
    """Read a preview, which may still be rendering."""
    return Response(200, preview_view(call.state, call.subject, livemode=call.caller.tenant.livemode))


FINDERS: Final[Mapping[str, Finder]] = {
    "preview": lambda call, raw: preview.find_preview(call.state, call.caller.tenant, raw),
}
BODY_CHECKS: Final[Mapping[str, BodyCheck]] = {"createArtwork": url_errors}
