"""An optional member that is null counts as absent, in every body of every interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.node import resolve_ref
from tests.support.valid_calls import CALLS, OPERATIONS, Calls, all_calls
from tests.support.worlds import World


@pytest.fixture(scope="module")
def calls(simulator: Simulator) -> Iterator[Calls]:
    """The calls, in one world."""
    world = World(simulator, fixture="empty")
    yield Calls(world)
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


def add_nulls(op: Operation, node: Mapping[str, Any], value: Any) -> int:
    """Add every member that the contract names here, may be missing, is missing and may not be null; their number."""
    node = resolve_ref(op.document, node)
    if isinstance(value, list):
        return sum(add_nulls(op, node.get("items", {}), each) for each in value)
    if not isinstance(value, dict):
        return 0
    added = 0
    for name, member in node.get("properties", {}).items():
        if name in value:
            added += add_nulls(op, member, value[name])
        elif not Schema(member, op.document).is_valid(None):
            value[name] = None
            added += 1
    return added


def test_every_operation_with_a_body_has_a_valid_call() -> None:
    assert set(CALLS) == set(OPERATIONS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_null_for_an_optional_member_counts_as_absent(calls: Calls, name: str) -> None:
    op = OPERATIONS[name]
    schema = op.node["requestBody"]["content"]["application/json"]["schema"]
    for client, path, given in all_calls(calls, name):
        body = deepcopy(given)
        if "idempotency_key" in body:
            body["idempotency_key"] = f"nulls of {name}"
        added = add_nulls(op, schema, body)
        response = client.call(op.method, path, body)
        assert 200 <= response.status < 300, (body, response.text)
        calls.world.change_settings(strict_nulls=True)
        refused = client.call(op.method, path, body)
        calls.world.change_settings(strict_nulls=False)
        assert not added or refused.status in (400, 409, 422), refused.text
