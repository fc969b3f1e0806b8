"""Artwork, and previews of it on products."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from simulator.domain.team.studio import artwork, preview
from simulator.domain.team.studio.artwork import ARTWORK
from simulator.gateway.call import Call, Reply
from simulator.gateway.interface import Handler
from simulator.interfaces.team.address import wrong_url
from simulator.interfaces.team.paging import page
from simulator.interfaces.team.views import artwork as views


def list_artwork(call: Call) -> Reply:
    """A page of artwork."""
    table, space = call.state[ARTWORK], call.caller.space
    return page(call, "artwork", artwork.gallery(call.state, space), lambda n: views.artwork(space, table.get(n)))


def create_artwork(call: Call) -> Reply:
    """Register an image by its URL."""
    space = call.caller.space
    return Reply(201, views.artwork(space, artwork.register(call.state, space, call.body["url"], call.body["name"])))


def create_preview(call: Call) -> Reply:
    """Start rendering artwork on a product."""
    started = preview.start(call.state, call.caller.space, call.body)
    return Reply(202, views.preview(call.state, started, livemode=call.caller.space.livemode))


def get_preview(call: Call) -> Reply:
    """A preview as far as the renderer is."""
    return Reply(200, views.preview(call.state, call.subject, livemode=call.caller.space.livemode))


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "listArtwork": list_artwork,
        "createArtwork": create_artwork,
        "createPreview": create_preview,
        "getPreview": get_preview,
    }
)
FINDERS = MappingProxyType(
    {"preview": lambda call, raw: preview.find_preview(call.state, call.caller.space, raw)}
)  # fmt: skip
RULES = MappingProxyType({"createArtwork": wrong_url})
