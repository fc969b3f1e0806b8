"""A member that no contract names changes nothing: whether a body is accepted does not depend on what else is in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.client.response import Response
from tests.support.museum import MuseumClient, ticket_body
from tests.support.orders import order_body
from tests.support.team.clients import TeamClients
from tests.support.team.people import person_row
from tests.support.worlds import World

PATHS = {"partner": "/team-orders", "museum": "/tickets", "team": "/people"}
BODIES: dict[str, dict[str, Any]] = {
    "partner": order_body(name="Welcome", po_number="PO-1", event={"date": "9999-06-01"}),
    "museum": ticket_body(),
    "team": {"people": [person_row(start_date="2024-02-29", birthday="02-29", country="DE", zip="10115")]},
}
# Values at the edges of the rules; each was once refused by one validator and accepted by another.
ODD: st.SearchStrategy[Any] = st.sampled_from(
    ["a@@b", "a@b.c\n", "Welcome\n", "\n", "", " ", "0000-01-01", "0001-01-01", "9999-12-31", "2027-02-30", "02-30",
     "ü@b.c", "a..b@c.d", "DE\n", "10115\n", "x" * 300, 0, 1, 1.0, 1.5, 1e300, -1, True, None, [], {}]
)  # fmt: skip
EXTRAS = st.sampled_from([1, 1.0, -0.0, 1e300, 2.5, "text", "a@@b", None, True, [1.0], {"amount": 1.0}, {"a": [1e2]}])


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every member and element inside a body."""
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [place for name, member in inner for place in ((*path, name), *places(member, (*path, name)))]


def replaced(body: dict[str, Any], path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """The body with another value at one place."""
    changed: Any = deepcopy(body)
    node = changed
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return dict(changed)


def verdict(response: Response) -> Any:
    """Whether a body is accepted, and else all that the refusal says."""
    if response.status < 300:
        return response.status
    refusal = response.json()
    refusal.get("error", {}).pop("request_id", None)
    return response.status, refusal


@pytest.fixture
def send(world: World) -> Callable[[str, Any], Response]:
    """Sends a body to the operation of an interface; what it made is undone."""
    team = TeamClients(world).live
    clients = {"partner": world.partner(), "museum": MuseumClient(world), "team": team}

    def send(name: str, body: Any) -> Response:
        response = clients[name].post(PATHS[name], json.dumps(body))
        if response.status < 300:
            world.call_control("POST", "/undo")
        return response

    return send


@pytest.mark.parametrize("name", PATHS)
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_ignored_member_never_changes_the_verdict(
    send: Callable[[str, Any], Response], name: str, data: st.DataObject
) -> None:
    body = BODIES[name]
    if data.draw(st.booleans()):
        body = replaced(body, data.draw(st.sampled_from(places(body))), data.draw(ODD))
    assert verdict(send(name, {**body, "extra": data.draw(EXTRAS)})) == verdict(send(name, body))


@pytest.mark.parametrize(
    ("member", "code"),
    [("idempotency_key", "invalid_body"), ("name", "invalid_body"), ("po_number", "invalid_body"),
     ("gift_sender", "invalid_body")],
)  # fmt: skip
@pytest.mark.parametrize("extra", [{}, {"extra": 1.0}])
def test_a_line_break_at_the_end_of_a_line_is_refused(world: World, member: str, code: str, extra: Any) -> None:
    with world.assert_unchanged():
        response = world.partner().post("/team-orders", order_body(**{member: "Welcome\n", **extra}))
    assert (response.status, response.json()["error"]["code"]) == (400, code)
