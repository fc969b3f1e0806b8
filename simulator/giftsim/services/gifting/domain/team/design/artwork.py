"""Artwork: images to print, registered by public URL (T-2.30, T-4.107, A7.20, G38)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import TableSpec
from giftsim.services.gifting.domain.team.external_file import (
    COPIED,
    FILE_CHANGES,
    FILE_METADATA,
    file_address,
    file_extension,
    has_changed,
)
from giftsim.services.gifting.domain.team.team_errors import NotFound, validation_error
from giftsim.services.gifting.domain.team.tenant import (
    Tenant,
    TenantRecord,
    find_record,
    parse_id,
    public_id,
    tenant_table,
)

FIRST_ID = 50_001
IMAGE = "image/"
TYPES: Final[Mapping[str, str]] = {
    "avif": "image/avif",
    "bmp": "image/bmp",
    "gif": "image/gif",
    "heic": "image/heic",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "webp": "image/webp",
}


class Artwork(TenantRecord, frozen=True, gc=False):
    """An image; `content_type` is None if neither the registered file nor its extension gives one."""

    url: str
    name: str
    content_type: str | None


ARTWORK: TableSpec[Artwork] = tenant_table("team.artwork", Artwork)


def register_artwork(state: State, tenant: Tenant, url: str, name: str) -> Artwork:
    """Register artwork. ValidationFailed for a file that is not an image. The caller has checked the URL."""
    content_type = _content_type(state, url)
    if not _is_image(content_type):
        raise validation_error("url", "must name an image")
    n = state[ARTWORK].next_n
    artwork_id = public_id(state, tenant, "artwork", n, FIRST_ID)
    return state[ARTWORK].add(Artwork(n, tenant.owner, artwork_id, state.now_ms, url, name, content_type))


def require_artwork(state: State, tenant: Tenant, value: object, field: str) -> Artwork:
    """The artwork with an id from a body. ValidationFailed names the field if the tenant has none with this id."""
    artwork_id = parse_id(tenant, value, field)
    try:
        return find_record(state, ARTWORK, tenant, artwork_id)
    except NotFound:
        raise validation_error(field, "must be an id of the team's artwork") from None


def require_readable_artwork(state: State, tenant: Tenant, value: object, field: str) -> Artwork:
    """Artwork as for `require_artwork`, whose image can still be read; else ValidationFailed too (G448)."""
    artwork = require_artwork(state, tenant, value, field)
    if not is_readable(state, artwork):
        raise validation_error(field, "must be artwork whose address still has an image")
    return artwork


def is_readable(state: State, artwork: Artwork) -> bool:
    """Whether the image can still be read at the artwork's address, where that was changed meanwhile (G448)."""
    if not has_changed(state, artwork.url) or state.setting(COPIED):
        return True
    return _is_image(_content_type(state, artwork.url))


def artwork_slots(state: State, tenant: Tenant) -> Sequence[int]:
    """The slots of a tenant's artwork, in order of creation."""
    return state[ARTWORK].slots_in("owner", tenant.owner)


def _is_image(content_type: str | None) -> bool:
    return content_type is None or content_type.startswith(IMAGE)


def _content_type(state: State, url: str) -> str | None:
    """The type of the file that the URL leads to: None if nothing gives it, empty if there is no file."""
    if state[FILE_CHANGES].rows:
        target = file_address(state, url)
        if target is None:
            return ""
        url = target
    metadata = state.handler(FILE_METADATA)(state, url)
    if metadata is not None:
        return metadata[0]
    name = file_extension(url)
    return TYPES.get(name, "application/octet-stream") if name else None
