"""Authentication of museum calls: the user name selects the world (C12, G10, M-5.1, M-5.2)."""

from __future__ import annotations

import base64

import msgspec

from giftsim.engine.gateway.call import Call
from giftsim.engine.gateway.problem import Unauthorized
from giftsim.engine.worlds.registry import DEFAULT
from giftsim.engine.worlds.world import World
from giftsim.services.museum import museum_settings
from giftsim.services.museum.museum_settings import OPEN

Credentials = tuple[str, str]


class Visitor(msgspec.Struct, frozen=True):
    """The only kind of caller; `name` is the credential's."""

    name: str = "museum"
    scope: str = "museum"
    bucket: str = "museum"
    plan: str = "sandbox"


VISITOR = Visitor()


def parse_credentials(call: Call) -> Credentials | None:
    """User and password in the header, or None."""
    scheme, _, encoded = (call.header("Authorization") or "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except ValueError:  # also binascii.Error and UnicodeDecodeError
        return None
    user, colon, password = text.partition(":")
    return (user, password) if colon else None


def credential_world_id(call: Call) -> str | None:
    """The id of the world that the user names; otherwise `default`, if that accepts any user."""
    given = parse_credentials(call)
    named = museum_settings.world_id_of(given[0]) if given else None
    if named in call.registry.worlds:
        return named
    return DEFAULT if not call.header("X-Sim-World") and _accepts_anyone(call.registry.worlds.get(DEFAULT)) else named


def authenticate(call: Call) -> Visitor:
    """The visitor. Unauthorized unless the world accepts the user and password."""
    given, world = parse_credentials(call), call.selected_world
    if world is None or not (_fits(world, given) or _accepts_anyone(world)):
        raise Unauthorized("the museum takes HTTP basic authentication with the user and password of a world")
    return VISITOR


def _fits(world: World, given: Credentials | None) -> bool:
    if given is None or given[0] != museum_settings.user_name(world.id):
        return False
    return given[1] == museum_settings.PASSWORD or world.state.setting(OPEN)


def _accepts_anyone(world: World | None) -> bool:
    return world is not None and world.id == DEFAULT and world.state.setting(OPEN)
