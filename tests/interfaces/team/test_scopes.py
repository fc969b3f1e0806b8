"""Scopes as in the contract: each operation is permitted with exactly its own and refused with all others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.contract import Operation
from giftsim.services.gifting.domain.team.api_keys import SCOPES as KNOWN
from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.clients import SCOPES, TeamClients
from tests.support.team.operations import (
    IDEMPOTENT_OPERATIONS,
    KEY_OPERATIONS,
    LIST_OPERATIONS,
    SCOPED_OPERATIONS,
    SESSION_OPERATIONS,
    call_operation,
    client_with_scopes,
    key_mode,
    operation_id,
    other_scopes,
    sample_path,
)
from tests.support.worlds import World

BY_BODY = tuple(op for op in KEY_OPERATIONS if "x-scope-by-body" in op.node)


@pytest.fixture(scope="module")
def world(simulator: Simulator, pytestconfig: pytest.Config) -> Iterator[World]:
    """One world for all operations: refused calls change nothing."""
    now = pytestconfig.getoption("--world-now")
    world = World(simulator, fixture="empty", **({"now": now} if now else {}))
    yield world
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@shows("T-5.10")
def test_there_are_exactly_thirteen_scopes() -> None:
    assert len(SCOPES) == 13
    assert SCOPES == KNOWN


@shows("T-5.5")
@pytest.mark.parametrize("op", KEY_OPERATIONS, ids=operation_id)
def test_without_a_key_every_operation_answers_401(team: TeamClients, op: Operation) -> None:
    expect_error(call_operation(team.anonymous, op), 401, "missing_api_key")


@pytest.mark.parametrize("op", SESSION_OPERATIONS, ids=operation_id)
def test_without_a_session_every_session_operation_answers_401(team: TeamClients, op: Operation) -> None:
    expect_error(call_operation(team.anonymous, op), 401, "missing_session")


@shows("T-5.9")
@pytest.mark.parametrize("op", SESSION_OPERATIONS, ids=operation_id)
def test_no_key_can_call_a_session_operation(team: TeamClients, op: Operation) -> None:
    expect_error(call_operation(team.live, op), 403, "session_required")


@shows("T-5.11")
@pytest.mark.parametrize("op", SCOPED_OPERATIONS, ids=operation_id)
def test_an_operation_is_refused_with_all_scopes_except_its_own(world: World, op: Operation) -> None:
    expect_error(
        call_operation(client_with_scopes(world, other_scopes(op), mode=key_mode(op)), op), 403, "insufficient_scope"
    )


@pytest.mark.parametrize("op", SCOPED_OPERATIONS, ids=operation_id)
def test_an_operation_is_permitted_with_exactly_its_scopes(world: World, op: Operation) -> None:
    response = call_operation(client_with_scopes(world, op.scopes, mode=key_mode(op)), op)
    assert response.status not in (401, 403), response.text


@shows("T-4.2")
def test_reading_the_team_needs_no_scope(world: World) -> None:
    for mode in ("live", "test"):
        expect_status(client_with_scopes(world, (), mode=mode).get("/team"), 200)
        expect_status(client_with_scopes(world, ("webhooks:manage",), mode=mode).get("/team"), 200)


@shows("T-7.3")
@pytest.mark.parametrize("op", [op for op in SCOPED_OPERATIONS if "x-role" in op.node], ids=operation_id)
def test_the_role_is_checked_after_the_scope(world: World, op: Operation) -> None:
    expect_error(call_operation(client_with_scopes(world, op.scopes, role="requester"), op), 403, "insufficient_role")
    expect_error(
        call_operation(client_with_scopes(world, other_scopes(op), role="requester"), op), 403, "insufficient_scope"
    )


@pytest.mark.parametrize("op", [op for op in SCOPED_OPERATIONS if key_mode(op) == "test"], ids=operation_id)
def test_operations_for_test_keys_refuse_live_keys(world: World, op: Operation) -> None:
    expect_error(call_operation(client_with_scopes(world, op.scopes), op), 403, "test_key_required")


@pytest.mark.parametrize("op", BY_BODY, ids=operation_id)
def test_a_body_can_need_further_scopes(world: World, op: Operation) -> None:
    body, further = dict(op.node["x-scope-by-body"]), tuple(op.node["x-also"])
    for missing in further:
        granted = tuple(scope for scope in (*op.scopes, *further) if scope != missing)
        expect_error(
            client_with_scopes(world, granted).call(op.method, sample_path(op), body), 403, "insufficient_scope"
        )
    assert client_with_scopes(world, (*op.scopes, *further)).call(op.method, sample_path(op), body).status not in (
        401,
        403,
    )
    harmless = dict.fromkeys(body, "other")
    assert client_with_scopes(world, op.scopes).call(op.method, sample_path(op), harmless).status not in (401, 403)


@pytest.mark.parametrize("op", [op for op in IDEMPOTENT_OPERATIONS if op in KEY_OPERATIONS], ids=operation_id)
def test_an_idempotency_key_is_required_where_the_contract_says_so(world: World, op: Operation) -> None:
    client = client_with_scopes(world, op.scopes, mode=key_mode(op))
    expect_error(call_operation(client, op, Idempotency_Key=None), 400, "idempotency_key_required")
    assert call_operation(client, op).status not in (400, 401, 403)


@shows("T-8.1", "T-8.2")
@pytest.mark.parametrize("op", [op for op in KEY_OPERATIONS if op.idempotency and op.method != "GET"], ids=operation_id)
def test_an_idempotency_key_has_1_to_128_printable_characters(world: World, op: Operation) -> None:
    client = client_with_scopes(world, op.scopes, mode=key_mode(op))
    for bad in ("", "k" * 129, "a\tb", "a\x7fb", "caf\xe9"):
        expect_error(call_operation(client, op, Idempotency_Key=bad), 400, "invalid_idempotency_key")
    for number, good in enumerate(("k", "k" * 128, "a b ~!\"#'()")):
        assert call_operation(client, op, Idempotency_Key=good).status not in (400, 401, 403), number


@pytest.mark.parametrize("op", LIST_OPERATIONS, ids=operation_id)
def test_a_limit_out_of_bounds_or_not_a_number_is_refused(world: World, op: Operation) -> None:
    client = client_with_scopes(world, op.scopes)
    most = next(parameter.schema["maximum"] for parameter in op.query_params if parameter.name == "limit")
    for bad in (0, most + 1, -1, 1.5, "abc"):
        error = expect_error(client.get(f"{sample_path(op)}?limit={bad}"), 400, "invalid_parameter")
        assert error["message"] == f"limit is a whole number from 1 to {most}"
    for good in (1, most):
        expect_status(client.get(f"{sample_path(op)}?limit={good}"), 200)
