"""The user name and password of a world's museum. The user name selects the world (C12, G10)."""

from __future__ import annotations

import base64

PASSWORD = "museum-pass"
_DEFAULT = "default"
_USER = "museum"


def user_name(world_id: str) -> str:
    """The user name of a world: `museum` in world default, `museum.{w}` elsewhere."""
    return _USER if world_id == _DEFAULT else f"{_USER}.{world_id}"


def authorization_header(world_id: str) -> str:
    """The Authorization header for the museum of a world."""
    return "Basic " + base64.b64encode(f"{user_name(world_id)}:{PASSWORD}".encode()).decode()


def world_id_of(name: str) -> str | None:
    """The world id in a user name, or None if it is not a museum's; the world may not exist."""
    if name == _USER:
        return _DEFAULT
    head, dot, world_id = name.partition(".")
    return world_id if head == _USER and dot and world_id else None
