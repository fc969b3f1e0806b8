"""Previews of products with artwork, and their outcomes, set by a tester (A1.9, A7.20)."""

from __future__ import annotations

from functools import partial
from typing import Any

from giftsim.engine.control.pagination import list_records
from giftsim.engine.control.world_access import change_state, current_state
from giftsim.engine.gateway.call import Call, Response
from giftsim.engine.kernel.instants import format_instant, instant_or_null
from giftsim.engine.kernel.placeholders import fill_text
from giftsim.engine.kernel.state import State
from giftsim.engine.worlds.world import World
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK
from giftsim.services.gifting.domain.team.design.preview import (
    PENDING,
    READY,
    Placement,
    Preview,
    finish_preview,
    image_path,
)
from giftsim.services.gifting.records.gifting_kinds import PREVIEW, team_and_mode
from giftsim.services.gifting.records.named import require_record
from giftsim.services.gifting.records.searches import PREVIEW_SEARCH


def list_previews(call: Call) -> Response:
    """List the previews of all teams and sandboxes."""
    return list_records(call, PREVIEW_SEARCH, partial(record_view, call.world))


def get_preview(call: Call) -> Response:
    """One preview."""
    with current_state(call.world) as state:
        preview = require_record(state, PREVIEW, call.params["id"])
        return Response(200, record_view(call.world, state, preview))


def simulate_preview(call: Call) -> Response:
    """Finish the rendering of a preview: it is ready or has failed."""
    with change_state(call) as state:
        preview = require_record(state, PREVIEW, call.body["preview_id"])
        return Response(200, view(finish_preview(state, preview, call.body["outcome"])))


def view(preview: Preview) -> dict[str, Any]:
    """The status of a preview. The team interface's own responses link to its image."""
    return {
        "preview_id": preview.id,
        "status": preview.status,
        "failure": preview.failure,
        "finished_at": instant_or_null(preview.finished_ms),
    }


def record_view(world: World, state: State, preview: Preview) -> dict[str, Any]:
    """A preview with what it shows and what it waits for. Its image needs no key."""
    pending, ready = preview.status == PENDING, preview.status == READY
    image = fill_text(image_path(preview), world.runtime.origin, world.id)
    return {
        "seq": preview.n + 1,
        "preview_id": preview.id,
        **team_and_mode(state, preview),
        "product_id": state[PRODUCTS].get(preview.product).id,
        "product": state[PRODUCTS].get(preview.product).name,
        "placements": [_placement(state, each) for each in preview.placements],
        "status": preview.status,
        "waits_for": "the renderer, which simulate/preview takes the place of" if pending else None,
        "due_at": format_instant(preview.due_ms),
        "image_url": world.runtime.origin + image if ready else None,
        "failure": preview.failure,
        "created_at": format_instant(preview.created_ms),
        "finished_at": instant_or_null(preview.finished_ms),
    }


def _placement(state: State, placement: Placement) -> dict[str, Any]:
    artwork = state[ARTWORK].get(placement.artwork)
    return {"area": placement.key, "artwork_id": artwork.id, "artwork": artwork.name, "fit": placement.fit}
