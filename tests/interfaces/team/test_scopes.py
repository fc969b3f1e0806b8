"""Scopes, read off the contract: each operation passes with exactly its own and is refused with all the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from giftsim import Simulator
from giftsim.domain.team.api_keys import SCOPES as KNOWN
from giftsim.gateway.contract import Operation
from tests.claims import claims
from tests.harness import World
from tests.interfaces.team.scene import SCOPES, Team, refused, well
from tests.interfaces.team.table import KEYED, LISTS, REQUIRED, SCOPED, SIGNED, called, key, mode_of, name, others, path

BY_BODY = tuple(op for op in KEYED if "x-scope-by-body" in op.node)


@pytest.fixture(scope="module")
def world(simulator: Simulator, pytestconfig: pytest.Config) -> Iterator[World]:
    """One world for the whole table: calls that are refused change nothing."""
    now = pytestconfig.getoption("--world-now")
    world = World(simulator, fixture="empty", **({"now": now} if now else {}))
    yield world
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@claims("T-5.10")
def test_there_are_exactly_thirteen_scopes() -> None:
    assert len(SCOPES) == 13
    assert SCOPES == KNOWN


@claims("T-5.5")
@pytest.mark.parametrize("op", KEYED, ids=name)
def test_without_a_key_every_operation_answers_401(team: Team, op: Operation) -> None:
    refused(called(team.nobody, op), 401, "missing_api_key")


@pytest.mark.parametrize("op", SIGNED, ids=name)
def test_without_a_session_every_session_operation_answers_401(team: Team, op: Operation) -> None:
    refused(called(team.nobody, op), 401, "missing_session")


@claims("T-5.9")
@pytest.mark.parametrize("op", SIGNED, ids=name)
def test_no_key_does_what_takes_a_session(team: Team, op: Operation) -> None:
    refused(called(team.live, op), 403, "session_required")


@claims("T-5.11")
@pytest.mark.parametrize("op", SCOPED, ids=name)
def test_an_operation_is_refused_with_all_scopes_but_its_own(world: World, op: Operation) -> None:
    refused(called(key(world, others(op), mode=mode_of(op)), op), 403, "insufficient_scope")


@pytest.mark.parametrize("op", SCOPED, ids=name)
def test_an_operation_passes_with_exactly_its_scopes(world: World, op: Operation) -> None:
    answer = called(key(world, op.scopes, mode=mode_of(op)), op)
    assert answer.status not in (401, 403), answer.text


@claims("T-4.2")
def test_the_team_is_read_without_any_scope(world: World) -> None:
    for mode in ("live", "test"):
        well(key(world, (), mode=mode).get("/team"), 200)
        well(key(world, ("webhooks:manage",), mode=mode).get("/team"), 200)


@claims("T-7.3")
@pytest.mark.parametrize("op", [op for op in SCOPED if "x-role" in op.node], ids=name)
def test_a_role_is_asked_for_beside_the_scope_and_after_it(world: World, op: Operation) -> None:
    refused(called(key(world, op.scopes, role="requester"), op), 403, "insufficient_role")
    refused(called(key(world, others(op), role="requester"), op), 403, "insufficient_scope")


@pytest.mark.parametrize("op", [op for op in SCOPED if mode_of(op) == "test"], ids=name)
def test_what_is_for_test_keys_refuses_live_ones(world: World, op: Operation) -> None:
    refused(called(key(world, op.scopes), op), 403, "test_key_required")


@pytest.mark.parametrize("op", BY_BODY, ids=name)
def test_a_body_can_ask_for_further_scopes(world: World, op: Operation) -> None:
    body, further = dict(op.node["x-scope-by-body"]), tuple(op.node["x-also"])
    for missing in further:
        held = tuple(scope for scope in (*op.scopes, *further) if scope != missing)
        refused(key(world, held).call(op.method, path(op), body), 403, "insufficient_scope")
    assert key(world, (*op.scopes, *further)).call(op.method, path(op), body).status not in (401, 403)
    harmless = dict.fromkeys(body, "other")
    assert key(world, op.scopes).call(op.method, path(op), harmless).status not in (401, 403)


@pytest.mark.parametrize("op", [op for op in REQUIRED if op in KEYED], ids=name)
def test_an_idempotency_key_is_demanded_where_the_contract_says_so(world: World, op: Operation) -> None:
    face = key(world, op.scopes, mode=mode_of(op))
    refused(called(face, op, Idempotency_Key=None), 400, "idempotency_key_required")
    assert called(face, op).status not in (400, 401, 403)


@claims("T-8.1", "T-8.2")
@pytest.mark.parametrize("op", [op for op in KEYED if op.idempotency and op.method != "GET"], ids=name)
def test_an_idempotency_key_has_1_to_128_printable_characters(world: World, op: Operation) -> None:
    face = key(world, op.scopes, mode=mode_of(op))
    for bad in ("", "k" * 129, "a\tb", "a\x7fb", "caf\xe9"):
        refused(called(face, op, Idempotency_Key=bad), 400, "invalid_idempotency_key")
    for number, good in enumerate(("k", "k" * 128, "a b ~!\"#'()")):
        assert called(face, op, Idempotency_Key=good).status not in (400, 401, 403), number


@pytest.mark.parametrize("op", LISTS, ids=name)
def test_a_limit_out_of_bounds_or_no_number_is_refused(world: World, op: Operation) -> None:
    face = key(world, op.scopes)
    most = next(parameter.schema["maximum"] for parameter in op.query_params if parameter.name == "limit")
    for bad in (0, most + 1, -1, 1.5, "abc"):
        error = refused(face.get(f"{path(op)}?limit={bad}"), 400, "invalid_parameter")
        assert error["message"] == f"limit is a whole number from 1 to {most}"
    for good in (1, most):
        well(face.get(f"{path(op)}?limit={good}"), 200)
