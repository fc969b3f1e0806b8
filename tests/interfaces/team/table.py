"""The operations of the team contract as a table: how to call each, and what it asks for."""

from __future__ import annotations

import re
from typing import Any

from giftsim.gateway.contract import Operation
from giftsim.gateway.in_process_client import Answer
from tests.harness import World
from tests.interfaces.team.scene import SCOPES, TEAM, TeamFace

OPERATIONS: tuple[Operation, ...] = tuple(TEAM.operations.values())
KEYED = tuple(op for op in OPERATIONS if "x-session" not in op.node)
SIGNED = tuple(op for op in OPERATIONS if "x-session" in op.node)
SCOPED = tuple(op for op in KEYED if op.scopes)
REQUIRED = tuple(op for op in OPERATIONS if op.idempotency == "required")
LISTS = tuple(op for op in OPERATIONS if any(parameter.name == "limit" for parameter in op.query_params))


def name(op: Operation) -> str:
    """How a test of the table is called."""
    return op.id


def path(op: Operation) -> str:
    """The operation's path, with values that name nothing."""
    query = "&".join(f"{each.name}=none" for each in op.query_params if each.required)
    return re.sub(r"\{\w+\}", "999999", op.template) + (f"?{query}" if query else "")


def body(op: Operation) -> Any:
    """A body that gets past JSON and no further, where the operation takes one."""
    return {} if op.shape is not None else None


def called(face: TeamFace, op: Operation, **headers: str | None) -> Answer:
    """The answer to a call that only who calls decides about."""
    return face.call(op.method, path(op), body(op), **headers)


def key(world: World, scopes: tuple[str, ...], *, mode: str = "live", role: str = "approver") -> TeamFace:
    """A key with just these scopes; one that cannot exist, a test key that pays, goes without `orders:pay`."""
    held = [scope for scope in scopes if mode == "live" or scope != "orders:pay"]
    made = world.ask("POST", "/keys", {"interface": "team", "mode": mode, "role": role, "scopes": held})
    return TeamFace(world, {"Authorization": f"Bearer {made['key']}"})


def mode_of(op: Operation) -> str:
    """The mode of a key that the operation takes."""
    return "test" if op.node.get("x-mode") == "test" else "live"


def others(op: Operation) -> tuple[str, ...]:
    """Every scope but the operation's own."""
    return tuple(scope for scope in SCOPES if scope not in op.scopes)
