"""Permissions of catalogue, roster and contacts: one scope each, and the role approver for roster reads."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.responses import expect_error
from tests.support.team.clients import SCOPES, TeamClient, TeamClients
from tests.support.team.people import person_row, person_rows, upsert_people

# Each operation with its scope, in a call that only a missing permission can refuse; `{person}` is a new person's id.
OPERATIONS = [
    pytest.param("GET", "/collections", "catalog:read", marks=shows("T-4.7"), id="T-4.7"),
    pytest.param("GET", "/collections/welcome-kit", "catalog:read", marks=shows("T-4.10"), id="T-4.10"),
    pytest.param("GET", "/items", "catalog:read", marks=shows("T-4.12"), id="T-4.12"),
    pytest.param("GET", "/items/tee-01/options", "catalog:read", marks=shows("T-4.15"), id="T-4.15"),
    pytest.param("GET", "/print-areas?product=mug-01", "catalog:read", marks=shows("T-4.116"), id="T-4.116"),
    pytest.param("GET", "/people/upcoming", "people:read", marks=shows("T-4.17"), id="T-4.17"),
    pytest.param("GET", "/people", "people:read", marks=shows("T-4.20"), id="T-4.20"),
    pytest.param("POST", "/people", "people:write", marks=shows("T-4.24"), id="T-4.24"),
    pytest.param("PATCH", "/people/{person}", "people:write", marks=shows("T-4.27"), id="T-4.27"),
    pytest.param("DELETE", "/people/{person}", "people:write", marks=shows("T-4.29"), id="T-4.29"),
    pytest.param("GET", "/contacts", "contacts:read", marks=shows("T-4.31"), id="T-4.31"),
]
BODIES: dict[str, Any] = {"POST": {"people": [person_row("new")]}, "PATCH": {"department": "Legal"}}


def call_operation(team: TeamClients, client: TeamClient, method: str, path: str) -> Response:
    """Call the operation with the client's key, for a person of the live roster if the path names one."""
    if "{person}" in path:
        path = path.replace("{person}", str(team.live.get_json("/people?limit=1")["data"][0]["id"]))
    return client.call(method, path, BODIES.get(method))


@pytest.mark.parametrize(("method", "path", "scope"), OPERATIONS)
def test_exactly_its_own_scope_permits_each_operation(team: TeamClients, method: str, path: str, scope: str) -> None:
    upsert_people(team.live, *person_rows(2))
    before = team.live.list_all("/people")
    others = team.key(*(name for name in SCOPES if name != scope))
    error = expect_error(call_operation(team, others, method, path), 403, "insufficient_scope")
    assert scope in error["message"]
    expect_error(call_operation(team, team.key(), method, path), 403, "insufficient_scope")
    assert team.live.list_all("/people") == before
    assert call_operation(team, team.key(scope), method, path).status in (200, 201)


@pytest.mark.parametrize(("method", "path", "scope"), OPERATIONS)
def test_every_operation_needs_a_key(team: TeamClients, method: str, path: str, scope: str) -> None:
    upsert_people(team.live, *person_rows(2))
    expect_error(call_operation(team, team.anonymous, method, path), 401, "missing_api_key")


@shows("T-4.218")
@pytest.mark.parametrize("path", ["/people", "/people/upcoming"])
@pytest.mark.parametrize("mode", ["live", "test"])
def test_roster_reads_need_an_approver_key(team: TeamClients, path: str, mode: str) -> None:
    expect_error(team.key("people:read", mode=mode, role="requester").get(path), 403, "insufficient_role")
    assert team.key("people:read", mode=mode, role="approver").get(path).status == 200
    expect_error(team.key(mode=mode, role="requester").get(path), 403, "insufficient_scope")


@shows("T-4.218")
def test_only_roster_reads_need_an_approver_key(team: TeamClients) -> None:
    upsert_people(team.live, *person_rows(2))
    for method, path, scope in (case.values for case in OPERATIONS):
        if scope != "people:read":
            client = team.key(str(scope), role="requester")
            assert call_operation(team, client, str(method), str(path)).status in (200, 201)


def test_a_setting_changes_which_reads_need_an_approver_key(team: TeamClients) -> None:
    requester = team.key("people:read", role="requester")
    team.world.change_settings(roster_role_paths=["/members", "/people"])
    expect_error(requester.get("/members"), 403, "insufficient_role")
    expect_error(requester.get("/people"), 403, "insufficient_role")
    assert requester.get("/people/upcoming").status == 200
    team.world.change_settings(roster_role_paths=[])
    assert requester.get("/people").status == requester.get("/members").status == 200


def test_a_caller_without_permission_learns_nothing_about_the_roster(team: TeamClients) -> None:
    bare = team.key("people:read")
    for path in ("/people/1", "/people/x"):
        expect_error(bare.patch(path, {"birthday": 7}), 403, "insufficient_scope")
        expect_error(bare.delete(path), 403, "insufficient_scope")
    expect_error(bare.post("/people", b"{"), 403, "insufficient_scope")
    expect_error(team.key().get("/people?limit=0&cursor=x"), 403, "insufficient_scope")
