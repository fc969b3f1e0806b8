"""Rules for every operation of the team contract: statuses, bodies, malformed calls (section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Operation
from giftsim.engine.gateway.node import resolve_ref
from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import SCOPES, TEAM_CONTRACT, TeamClient, TeamClients
from tests.support.team.operations import (
    KEY_OPERATIONS,
    OPERATIONS,
    SCOPED_OPERATIONS,
    call_operation,
    client_with_scopes,
    key_mode,
    operation_id,
    other_scopes,
    sample_body,
    sample_path,
)
from tests.support.worlds import World

ERRORS = {400, 401, 403, 404, 409, 422, 429, 503}
READ, WRITTEN = {200}, {200, 201, 202}
PLAIN = [op for op in KEY_OPERATIONS if op.method == "GET" and not op.path_params]
TEXTS = ("", "{", "[]", "5", "null", '"x"', "\ufeff{}", "[" * 500, '{"a": 1, "a": 2}', '{"url": 5, "items": 5}')
TAKES_BODY = [op for op in KEY_OPERATIONS if op.body_schema is not None]


@pytest.fixture(scope="module")
def world(simulator: Simulator, pytestconfig: pytest.Config) -> Iterator[World]:
    """One world for all operations."""
    now = pytestconfig.getoption("--world-now")
    world = World(simulator, fixture="empty", **({"now": now} if now else {}))
    yield world
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@pytest.fixture(scope="module")
def team(world: World) -> TeamClients:
    """The clients of that world."""
    return TeamClients(world)


def client_for(team: TeamClients, op: Operation) -> TeamClient:
    """A client that may call the operation."""
    if "x-session" in op.node:
        return team.owner
    return team.test if key_mode(op) == "test" else team.live


def malformed_calls(client: TeamClient, op: Operation) -> Iterator[Response]:
    """Responses to calls that are malformed in many ways."""
    for query in ("", "?limit=0", "?limit=x&limit=y", "?cursor=x", "?q=" + "x" * 20_000, "?%00=%ff"):
        yield client.call(op.method, sample_path(op).partition("?")[0] + query, sample_body(op))
    for one in ("0", "-1", "x", "%00", "9" * 30, "00000000-0000-4000-8000-000000000000"):
        yield client.call(op.method, sample_path(op).replace("999999", one), sample_body(op))
    if op.body_schema is not None:
        for text in (
            "",
            "{",
            "[]",
            "5",
            "null",
            '"x"',
            "\ufeff{}",
            "[" * 500,
            '{"a": 1, "a": 2}',
            '{"url": 5, "items": 5}',
        ):
            yield client.call(op.method, sample_path(op), text)


@shows("T-4.206")
@pytest.mark.parametrize("op", OPERATIONS, ids=operation_id)
def test_successful_statuses_are_200_201_or_202_with_a_body(op: Operation) -> None:
    good = {status for status in op.documented if status < 400}
    assert good
    assert good <= (READ if op.method == "GET" else WRITTEN)
    for status in good:
        assert resolve_ref(op.document, op.node["responses"][str(status)])["content"]


@shows("T-4.207")
@pytest.mark.parametrize("op", OPERATIONS, ids=operation_id)
def test_every_json_body_is_an_object(op: Operation) -> None:
    for node in op.node["responses"].values():
        content = resolve_ref(op.document, node)["content"]
        if "application/json" in content:
            schema = resolve_ref(op.document, content["application/json"]["schema"])
            wholes = [resolve_ref(op.document, part) for part in schema.get("allOf", schema.get("oneOf", [schema]))]
            assert {whole["type"] for whole in wholes} == {"object"}


@shows("T-4.206", "T-4.207")
@pytest.mark.parametrize("op", PLAIN, ids=operation_id)
def test_every_read_without_an_id_succeeds_with_an_object(team: TeamClients, op: Operation) -> None:
    needed: dict[str, Any] = {"provider": "hubspot", "product": 101}
    query = "&".join(f"{each.name}={needed[each.name]}" for each in op.query_params if each.required)
    template = op.template + (f"?{query}" if query else "")
    assert isinstance(expect_status(client_for(team, op).get(template), 200).json(), dict)


@shows("T-7.8", "T-4.206", "T-4.207")
@pytest.mark.parametrize("op", OPERATIONS, ids=operation_id)
def test_malformed_calls_get_a_documented_status_and_a_json_object(team: TeamClients, op: Operation) -> None:
    assert {status for status in op.documented if status >= 400} <= ERRORS
    for client in (client_for(team, op), team.anonymous):
        for response in malformed_calls(client, op):
            assert response.status in ERRORS | (READ if op.method == "GET" else WRITTEN), response.text
            if response.headers["content-type"].startswith("application/json"):
                assert isinstance(response.json(), dict)


@pytest.mark.parametrize("op", TAKES_BODY, ids=operation_id)
def test_a_body_that_is_not_json_is_400_and_not_an_object_422(team: TeamClients, op: Operation) -> None:
    client = client_for(team, op)
    for text in ("{", '{"a": 1, "a": 2}', "NaN", b"\xff"):
        expect_error(client.call(op.method, sample_path(op), text), 400, "invalid_json")
    if not op.path_params:
        wrongs: tuple[Any, ...] = ("[]", "5", "null", '"x"', "true")
        for text in wrongs:
            expect_error(client.call(op.method, sample_path(op), text), 422, "validation_failed")


@shows("T-4.4")
def test_listing_members_needs_the_scope_to_read_people(world: World) -> None:
    op = TEAM_CONTRACT.operations["listMembers"]
    assert op.scopes == ("people:read",)
    expect_error(call_operation(client_with_scopes(world, other_scopes(op)), op), 403, "insufficient_scope")
    expect_status(call_operation(client_with_scopes(world, op.scopes), op), 200)


@pytest.mark.parametrize("op", SCOPED_OPERATIONS, ids=operation_id)
def test_a_call_without_the_scope_has_no_effect(world: World, op: Operation) -> None:
    lacking = client_with_scopes(world, tuple(scope for scope in SCOPES if scope not in op.scopes), mode=key_mode(op))
    before = world.observable_state()
    expect_error(call_operation(lacking, op), 403, "insufficient_scope")
    assert world.observable_state() == before


@pytest.mark.parametrize("op", OPERATIONS, ids=operation_id)
def test_an_outage_is_503_and_the_same_key_can_be_retried(team: TeamClients, op: Operation) -> None:
    client = client_for(team, op)
    response = call_operation(client, op, X_Sim_Fault="status=503", Idempotency_Key="again")
    assert response.status == 503
    assert call_operation(client, op, Idempotency_Key="again").status != 503
