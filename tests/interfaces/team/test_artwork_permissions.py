"""Permissions of artwork, previews, templates and branding: one scope each, none implies another."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.client.response import Response
from tests.shows import shows
from tests.support.responses import expect_error, expect_status
from tests.support.team.artwork import (
    LOGO,
    create_artwork,
    create_preview,
    create_template,
    mug_preview_body,
    template_body,
)
from tests.support.team.clients import SCOPES, TeamClient, TeamClients

# Each operation with its scope, in a call that only a missing permission can refuse. Paths hold first ids of a world.
OPERATIONS = pytest.mark.parametrize(("method", "path", "scope", "body"), [
    pytest.param("GET", "/artwork", "artwork:write", None, marks=shows("T-4.105")),
    pytest.param("POST", "/artwork", "artwork:write", {"url": LOGO, "name": "Logo"}, marks=shows("T-4.108")),
    pytest.param("POST", "/artwork/previews", "artwork:write", mug_preview_body(50_001), marks=shows("T-4.111")),
    pytest.param("GET", "/previews/52001", "artwork:write", None, marks=shows("T-4.114")),
    pytest.param("GET", "/templates", "orders:read", None, marks=shows("T-4.119")),
    pytest.param("POST", "/templates", "orders:write", template_body(), marks=shows("T-4.122")),
    pytest.param("GET", "/templates/54001/use", "orders:read", None, marks=shows("T-4.125")),
    pytest.param("GET", "/templates/54001", "orders:read", None, marks=shows("T-4.127")),
    pytest.param("PUT", "/templates/54001", "orders:write", template_body(name="Another"), marks=shows("T-4.129")),
    pytest.param("DELETE", "/templates/54001", "orders:write", {"revision": 1}, marks=shows("T-4.131")),
    pytest.param("GET", "/recipient-branding", "orders:read", None, marks=shows("T-4.193")),
    pytest.param("PATCH", "/recipient-branding", "orders:write", {"sender_name": "Ada"}, marks=shows("T-4.195")),
])  # fmt: skip


@pytest.fixture
def team_with_records(team: TeamClients) -> TeamClients:
    """A team with the records that the paths name."""
    create_artwork(team.live)
    assert create_preview(team.live)["id"] == 52_001
    assert create_template(team.live)["id"] == 54_001
    return team


def call_operation(client: TeamClient, method: str, path: str, body: Any) -> Response:
    """Call the operation with the client's key."""
    return client.call(method, path, body)


def records(team: TeamClients) -> Any:
    """The records that a refused call must not change."""
    lists = [team.live.list_all(path) for path in ("/artwork", "/templates")]
    return [*lists, team.live.get_json("/recipient-branding"), team.live.get("/previews/52002").status]


@OPERATIONS
def test_exactly_its_own_scope_permits_each_operation(
    team_with_records: TeamClients, method: str, path: str, scope: str, body: Any
) -> None:
    before = records(team_with_records)
    others = team_with_records.key(*(name for name in SCOPES if name != scope))
    assert scope in expect_error(call_operation(others, method, path, body), 403, "insufficient_scope")["message"]
    assert records(team_with_records) == before
    enough = team_with_records.key(scope, role="requester")
    assert call_operation(enough, method, path, body).status in (200, 201, 202)
    assert (records(team_with_records) == before) == (method == "GET")


def test_listing_artwork_needs_the_scope_to_write_it(team_with_records: TeamClients) -> None:
    reader = team_with_records.key("orders:read", "catalog:read", "billing:read")
    expect_error(reader.get("/artwork"), 403, "insufficient_scope")
    expect_status(team_with_records.key("artwork:write").get("/artwork"), 200)
