"""Register artwork, and render previews of it on products."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.design import artwork, preview
from giftsim.domain.team.design.artwork import ARTWORK
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.body_validation import BodyCheck
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.public_url import url_errors
from giftsim.interfaces.team.views import artwork as views


def list_artwork(call: Call) -> Response:
    """List artwork."""
    table, tenant = call.state[ARTWORK], call.caller.tenant
    return page(
        call, "artwork", artwork.artwork_slots(call.state, tenant), lambda n: views.artwork(tenant, table.get(n))
    )


def create_artwork(call: Call) -> Response:
    """Register an image by its URL."""
    tenant = call.caller.tenant
    return Response(
        201, views.artwork(tenant, artwork.register_artwork(call.state, tenant, call.body["url"], call.body["name"]))
    )


def create_preview(call: Call) -> Response:
    """Start to render artwork on a product."""
    started = preview.start_preview(call.state, call.caller.tenant, call.body)
    return Response(202, views.preview(call.state, started, livemode=call.caller.tenant.livemode))


def get_preview(call: Call) -> Response:
    """Read a preview, which may still be rendering."""
    return Response(200, views.preview(call.state, call.subject, livemode=call.caller.tenant.livemode))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listArtwork": list_artwork,
        "createArtwork": create_artwork,
        "createPreview": create_preview,
        "getPreview": get_preview,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"preview": lambda call, raw: preview.find_preview(call.state, call.caller.tenant, raw)}
)  # fmt: skip
BODY_CHECKS: Mapping[str, BodyCheck] = MappingProxyType({"createArtwork": url_errors})
