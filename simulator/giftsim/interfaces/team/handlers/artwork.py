"""Artwork, and previews of it on products."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from giftsim.domain.team.studio import artwork, preview
from giftsim.domain.team.studio.artwork import ARTWORK
from giftsim.gateway.call import Call, Handler, Response
from giftsim.interfaces.team.address import wrong_url
from giftsim.interfaces.team.body_validation import Rule
from giftsim.interfaces.team.finder import Finder
from giftsim.interfaces.team.pagination import page
from giftsim.interfaces.team.views import artwork as views


def list_artwork(call: Call) -> Response:
    """A page of artwork."""
    table, space = call.state[ARTWORK], call.caller.space
    return page(call, "artwork", artwork.gallery(call.state, space), lambda n: views.artwork(space, table.get(n)))


def create_artwork(call: Call) -> Response:
    """Register an image by its URL."""
    space = call.caller.space
    return Response(201, views.artwork(space, artwork.register(call.state, space, call.body["url"], call.body["name"])))


def create_preview(call: Call) -> Response:
    """Start rendering artwork on a product."""
    started = preview.start(call.state, call.caller.space, call.body)
    return Response(202, views.preview(call.state, started, livemode=call.caller.space.livemode))


def get_preview(call: Call) -> Response:
    """A preview as far as the renderer is."""
    return Response(200, views.preview(call.state, call.subject, livemode=call.caller.space.livemode))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listArtwork": list_artwork,
        "createArtwork": create_artwork,
        "createPreview": create_preview,
        "getPreview": get_preview,
    }
)
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {"preview": lambda call, raw: preview.find_preview(call.state, call.caller.space, raw)}
)  # fmt: skip
RULES: Mapping[str, Rule] = MappingProxyType({"createArtwork": wrong_url})
