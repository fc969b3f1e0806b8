"""Actors of a world: creating and reading them."""

from __future__ import annotations

from typing import Any

from tests.support.worlds import World


def create_actor(world: World, **body: Any) -> Any:
    """Create an actor; its JSON."""
    return world.call_control("POST", "/actors", body)


def actors_by_id(world: World) -> dict[str, Any]:
    """The actors of a world by id."""
    return {row["id"]: row for row in world.call_control("GET", "/actors")["actors"]}


def actor_counts(world: World) -> dict[str, tuple[int, int, int]]:
    """How often each actor was asked, acted and was refused."""
    return {name: (row["asked"], row["acted"], row["refused"]) for name, row in actors_by_id(world).items()}
