"""The JSON of artwork and previews."""

from __future__ import annotations

from typing import Any

from giftsim.domain.fulfilment.products import PRODUCTS
from giftsim.domain.team.design.artwork import ARTWORK, Artwork
from giftsim.domain.team.design.preview import READY, Preview, image_path
from giftsim.domain.team.tenant import Tenant
from giftsim.kernel.instants import format_instant, instant_or_null
from giftsim.kernel.placeholders import link
from giftsim.kernel.state import State


def artwork(tenant: Tenant, artwork: Artwork) -> dict[str, Any]:
    """Artwork: an image to print."""
    return {
        "id": artwork.id,
        "name": artwork.name,
        "url": artwork.url,
        "content_type": artwork.content_type,
        "livemode": tenant.livemode,
        "created_at": format_instant(artwork.created_ms),
    }


def preview(state: State, preview: Preview, *, livemode: bool) -> dict[str, Any]:
    """A preview. Its image URL contains a random token."""
    return {
        "id": preview.id,
        "status": preview.status,
        "product_id": state[PRODUCTS].get(preview.product).id,
        "placements": {
            each.key: {"artwork_id": state[ARTWORK].get(each.artwork).id, "fit": each.fit}
            for each in preview.placements
        },
        "image_url": link(image_path(preview)) if preview.status == READY else None,
        "failure": preview.failure,
        "finished_at": instant_or_null(preview.finished_ms),
        "livemode": livemode,
        "created_at": format_instant(preview.created_ms),
    }
