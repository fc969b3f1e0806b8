"""The operations of the team contract: groups of them, sample calls, and keys to call them with."""

from __future__ import annotations

import re
from typing import Any

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Operation
from tests.support.team.clients import SCOPES, TEAM_CONTRACT, TeamClient
from tests.support.worlds import World

OPERATIONS: tuple[Operation, ...] = tuple(TEAM_CONTRACT.operations.values())
KEY_OPERATIONS = tuple(op for op in OPERATIONS if "x-session" not in op.node)
SESSION_OPERATIONS = tuple(op for op in OPERATIONS if "x-session" in op.node)
SCOPED_OPERATIONS = tuple(op for op in KEY_OPERATIONS if op.scopes)
IDEMPOTENT_OPERATIONS = tuple(op for op in OPERATIONS if op.idempotency == "required")
LIST_OPERATIONS = tuple(op for op in OPERATIONS if any(parameter.name == "limit" for parameter in op.query_params))


def operation_id(op: Operation) -> str:
    """The id of a parametrized test."""
    return op.id


def sample_path(op: Operation) -> str:
    """The operation's path, with ids of records that do not exist."""
    query = "&".join(f"{each.name}=none" for each in op.query_params if each.required)
    return re.sub(r"\{\w+\}", "999999", op.template) + (f"?{query}" if query else "")


def sample_body(op: Operation) -> Any:
    """An empty object, if the operation takes a body."""
    return {} if op.body_schema is not None else None


def call_operation(client: TeamClient, op: Operation, **headers: str | None) -> Response:
    """Call the operation with a sample path and body, whose response depends on the credential."""
    return client.call(op.method, sample_path(op), sample_body(op), **headers)


def client_with_scopes(
    world: World, scopes: tuple[str, ...], *, mode: str = "live", role: str = "approver"
) -> TeamClient:
    """A client whose new key has only these scopes. A test key gets no `orders:pay`, since test keys never pay."""
    granted = [scope for scope in scopes if mode == "live" or scope != "orders:pay"]
    key = world.call_control("POST", "/keys", {"interface": "team", "mode": mode, "role": role, "scopes": granted})
    return TeamClient(world, {"Authorization": f"Bearer {key['key']}"})


def key_mode(op: Operation) -> str:
    """The mode of the keys that the operation accepts."""
    return "test" if op.node.get("x-mode") == "test" else "live"


def other_scopes(op: Operation) -> tuple[str, ...]:
    """Every scope except the operation's own."""
    return tuple(scope for scope in SCOPES if scope not in op.scopes)
