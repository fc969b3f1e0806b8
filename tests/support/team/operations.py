"""The operations of the team contract as a table: how to call each, and what it asks for."""

from __future__ import annotations

import re
from typing import Any

from giftsim.gateway.contract import Operation
from giftsim.gateway.in_process_client import Response
from tests.support.team.clients import SCOPES, TEAM_CONTRACT, TeamClient
from tests.support.worlds import World

OPERATIONS: tuple[Operation, ...] = tuple(TEAM_CONTRACT.operations.values())
KEY_OPERATIONS = tuple(op for op in OPERATIONS if "x-session" not in op.node)
SESSION_OPERATIONS = tuple(op for op in OPERATIONS if "x-session" in op.node)
SCOPED_OPERATIONS = tuple(op for op in KEY_OPERATIONS if op.scopes)
IDEMPOTENT_OPERATIONS = tuple(op for op in OPERATIONS if op.idempotency == "required")
LIST_OPERATIONS = tuple(op for op in OPERATIONS if any(parameter.name == "limit" for parameter in op.query_params))


def operation_id(op: Operation) -> str:
    """How a test of the table is called."""
    return op.id


def sample_path(op: Operation) -> str:
    """The operation's path, with values that name nothing."""
    query = "&".join(f"{each.name}=none" for each in op.query_params if each.required)
    return re.sub(r"\{\w+\}", "999999", op.template) + (f"?{query}" if query else "")


def sample_body(op: Operation) -> Any:
    """A body that gets past JSON and no further, where the operation takes one."""
    return {} if op.body_schema is not None else None


def call_operation(face: TeamClient, op: Operation, **headers: str | None) -> Response:
    """The answer to a call that only who calls decides about."""
    return face.call(op.method, sample_path(op), sample_body(op), **headers)


def client_with_scopes(
    world: World, scopes: tuple[str, ...], *, mode: str = "live", role: str = "approver"
) -> TeamClient:
    """A key with just these scopes; one that cannot exist, a test key that pays, goes without `orders:pay`."""
    held = [scope for scope in scopes if mode == "live" or scope != "orders:pay"]
    made = world.call_control("POST", "/keys", {"interface": "team", "mode": mode, "role": role, "scopes": held})
    return TeamClient(world, {"Authorization": f"Bearer {made['key']}"})


def key_mode(op: Operation) -> str:
    """The mode of a key that the operation takes."""
    return "test" if op.node.get("x-mode") == "test" else "live"


def other_scopes(op: Operation) -> tuple[str, ...]:
    """Every scope but the operation's own."""
    return tuple(scope for scope in SCOPES if scope not in op.scopes)
