"""The one pair of a museum: the user names the world, so that worlds never meet (C12, G10)."""

from __future__ import annotations

import base64

PASSWORD = "museum-pass"
_DEFAULT = "default"
_USER = "museum"


def user_name(world_id: str) -> str:
    """The user of a world: `museum` in world default, `museum.{w}` elsewhere."""
    return _USER if world_id == _DEFAULT else f"{_USER}.{world_id}"


def authorization_header(world_id: str) -> str:
    """The Authorization header that opens the museum of a world."""
    return "Basic " + base64.b64encode(f"{user_name(world_id)}:{PASSWORD}".encode()).decode()


def world_id_of(name: str) -> str | None:
    """The id of the world that a user name speaks of, whether there is one or not; None for other names."""
    if name == _USER:
        return _DEFAULT
    head, dot, world_id = name.partition(".")
    return world_id if head == _USER and dot and world_id else None
