"""Who may call the museum, and in which world: the user name says it (C12, G10, M-5.1, M-5.2)."""

from __future__ import annotations

import base64
import binascii

import msgspec

from giftsim.domain.museum import credentials
from giftsim.domain.museum.settings import OPEN
from giftsim.gateway.call import Call
from giftsim.gateway.problem import Unauthorized
from giftsim.worlds.registry import DEFAULT
from giftsim.worlds.world import World

Pair = tuple[str, str]


class Visitor(msgspec.Struct, frozen=True):
    """The one caller there is; `name` is that of the credentials table."""

    name: str = "museum"
    scope: str = "museum"
    bucket: str = "museum"
    plan: str = "sandbox"


VISITOR = Visitor()


def pair(call: Call) -> Pair | None:
    """User and password of the header, or None where it holds no such pair."""
    scheme, _, encoded = (call.header("Authorization") or "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    user, colon, password = text.partition(":")
    return (user, password) if colon else None


def world_tag(call: Call) -> str | None:
    """The world that the user names; failing that, `default` where that takes anyone."""
    given = pair(call)
    named = credentials.world_of(given[0]) if given else None
    if named in call.registry.worlds:
        return named
    return DEFAULT if not call.header("X-Sim-World") and _takes_anyone(call.registry.worlds.get(DEFAULT)) else named


def authenticate(call: Call) -> Visitor:
    """The visitor, or Unauthorized."""
    given, world = pair(call), call.world
    if world is None or not (_owns(world, given) or _takes_anyone(world)):
        raise Unauthorized("the museum takes HTTP basic authentication with the user and password of a world")
    return VISITOR


def _owns(world: World, given: Pair | None) -> bool:
    if given is None or given[0] != credentials.user(world.id):
        return False
    return given[1] == credentials.PASSWORD or world.state.setting(OPEN)


def _takes_anyone(world: World | None) -> bool:
    return world is not None and world.id == DEFAULT and world.state.setting(OPEN)
