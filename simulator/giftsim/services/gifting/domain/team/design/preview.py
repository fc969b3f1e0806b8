"""Previews: artwork on the print areas of a product, rendered with a delay (A1.9, T-2.31, T-4.110, T-4.113)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.placeholders import WORLD
from giftsim.engine.kernel.setting import Setting, duration
from giftsim.engine.kernel.signals import Signal, ignore
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import After, Machine, Row
from giftsim.engine.kernel.table import TableSpec
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, PrintArea, Product
from giftsim.services.gifting.domain.team.design.artwork import ARTWORK, Artwork, is_readable, require_artwork
from giftsim.services.gifting.domain.team.external_file import FILE_CHANGES
from giftsim.services.gifting.domain.team.items import find_item_by_id
from giftsim.services.gifting.domain.team.team_errors import NotFound, validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, find_record, public_id, tenant_table
from giftsim.services.secrets import PREVIEW_IMAGE

FIRST_ID = 52_001
PENDING, READY, FAILED = "pending", "ready", "failed"
OUTCOMES: Final[Mapping[str, str]] = {READY: "finish", FAILED: "fail"}
CONTAIN = "contain"
IMAGES = PREVIEW_IMAGE.prefix.rstrip("/")  # where finished previews are served
FAILURE = "the renderer could not draw it"
UNREADABLE = "the renderer could not read the image at its address"

RENDER: Setting[int] = duration("previews.render", "5s", "how long rendering a preview takes (A1.9)")

# The rendering of a preview has started.
PREVIEW_STARTED: Signal[Callable[[State, Preview], None]] = Signal("preview_started", ignore)


class Placement(msgspec.Struct, frozen=True, gc=False):
    """Artwork (a slot) on the print area `key`; `fit` is free text."""

    key: str
    artwork: int
    fit: str


class Preview(TenantRecord, frozen=True, gc=False):
    """A preview of a `product` (a slot); `token` is the secret part of its image's URL."""

    product: int
    placements: tuple[Placement, ...]
    token: str
    due_ms: int
    status: str = PENDING
    failure: str | None = None
    finished_ms: int | None = None


class PrintedArea(msgspec.Struct, frozen=True, gc=False):
    """One print area of a finished preview, with its artwork."""

    area: PrintArea
    artwork: Artwork
    fit: str


PREVIEWS: TableSpec[Preview] = tenant_table("team.preview", Preview, unique={"token": "token"})


def _set_finished(state: State, preview: Preview) -> None:
    state[PREVIEWS].put(msgspec.structs.replace(preview, finished_ms=state.now_ms))


def _set_failed(state: State, preview: Preview) -> None:
    failure = preview.failure or UNREADABLE
    state[PREVIEWS].put(msgspec.structs.replace(preview, finished_ms=state.now_ms, failure=failure))


def _ready_ms(state: State, preview: Preview) -> int | None:
    return preview.due_ms if _can_read(state, preview) else None


def _failed_ms(state: State, preview: Preview) -> int | None:
    return None if _can_read(state, preview) else preview.due_ms


def _can_read(state: State, preview: Preview) -> bool:
    """Whether the renderer finds an image at the address of each artwork when it starts (G448)."""
    return not state[FILE_CHANGES].rows or all(
        is_readable(state, state[ARTWORK].get(each.artwork)) for each in preview.placements
    )


PREVIEW: Machine[Preview] = Machine(
    "preview",
    PREVIEWS,
    initial=(PENDING,),
    final=(READY, FAILED),
    rows=[
        Row(
            PENDING,
            "finish",
            READY,
            after=After(_ready_ms, 0, "the renderer is done"),
            do=_set_finished,
        ),
        Row(
            PENDING,
            "fail",
            FAILED,
            after=After(_failed_ms, 0, "the renderer cannot read an image"),
            do=_set_failed,
        ),
    ],
)


def start_preview(state: State, tenant: Tenant, body: Mapping[str, Any]) -> Preview:
    """Start rendering a preview. ValidationFailed for an unknown product, print area or artwork."""
    product = find_item_by_id(state, body["product_id"])
    if product is None:
        raise validation_error("product_id", "must be an item of the catalog")
    _check_areas(product, body["placements"])
    placements = [
        Placement(key, _require_artwork(state, tenant, key, placement).n, placement.get("fit", CONTAIN))
        for key, placement in body["placements"].items()
    ]
    n = state[PREVIEWS].next_n
    preview = state[PREVIEWS].add(
        Preview(
            n,
            tenant.owner,
            public_id(state, tenant, "preview", n, FIRST_ID),
            state.now_ms,
            product.n,
            tuple(placements),
            state.token("preview", PREVIEW_IMAGE.drawn),
            state.now_ms + state.setting(RENDER),
        )
    )
    PREVIEW.enter(state, preview)
    state.handler(PREVIEW_STARTED)(state, preview)
    return preview


def find_preview(state: State, tenant: Tenant, raw: object) -> Preview:
    """The preview with a public id. NotFound if there is none."""
    return find_record(state, PREVIEWS, tenant, raw)


def finish_preview(state: State, preview: Preview, outcome: str) -> Preview:
    """Finish rendering a preview, as ready or failed. InvalidState unless it is pending."""
    changes = {"failure": FAILURE} if outcome == FAILED else {}
    return state[PREVIEWS].get(PREVIEW.fire(state, preview, OUTCOMES[outcome], **changes).n)


def printed_areas(state: State, token: str) -> list[PrintedArea]:
    """The artwork that the image of a finished preview shows, in the order of the print areas. NotFound otherwise."""
    preview = state[PREVIEWS].find("token", token)
    if preview is None or preview.status != READY:
        raise NotFound("no finished preview has its image at this URL")
    placements = {placement.key: placement for placement in preview.placements}
    return [
        PrintedArea(area, state[ARTWORK].get(placements[area.key].artwork), placements[area.key].fit)
        for area in state[PRODUCTS].get(preview.product).print_areas
        if area.key in placements
    ]


def image_path(preview: Preview) -> str:
    """The path of a preview's image; it contains the placeholder of the world's id (G1)."""
    return PREVIEW_IMAGE.make(preview.token, WORLD)


def _check_areas(product: Product, placements: Mapping[str, Any]) -> None:
    known = [area.key for area in product.print_areas]
    if any(key not in known for key in placements):
        raise validation_error(
            "placements", f"must name print areas of the product, which has {', '.join(known) or 'none'}"
        )


def _require_artwork(state: State, tenant: Tenant, key: str, placement: Mapping[str, Any]) -> Artwork:
    return require_artwork(state, tenant, placement["artwork_id"], f"placements.{key}.artwork_id")
