"""The years 0001 to 9999, and no others, are accepted wherever a date or an instant is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.support.museum import MuseumClient, event_body, ticket_body
from tests.support.orders import RENO, order_body
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_order
from tests.support.team.people import person_row
from tests.support.worlds import World

FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"
NewWorld = Callable[..., World]
Send = Callable[[World, str], Response]


def _addressed(ship_on: str) -> Any:
    return order_body(idempotency_key=ship_on, recipients=[{"name": "Bo", "address": RENO, "ship_on": ship_on}])


def _event(day: str) -> Any:
    return order_body(idempotency_key=day, event={"date": day})


PLACES: dict[str, Send] = {
    "ship_on": lambda world, day: world.partner().post("/team-orders", _addressed(day)),
    "event.date": lambda world, day: world.partner().post("/team-orders", _event(day)),
    "start_date": lambda world, day: TeamClients(world).live.post(
        "/people", {"people": [{"work_email": "bo@example.com", "start_date": day}]}, Idempotency_Key=day
    ),
    "ticketDate": lambda world, day: MuseumClient(world).post("/tickets", ticket_body(ticketDate=day)),
    "dates": lambda world, day: MuseumClient(world).post("/special-events", event_body(dates=[day])),
    "startDate of hours": lambda world, day: MuseumClient(world).get(f"/museum-hours?startDate={day}"),
    "startDate of events": lambda world, day: MuseumClient(world).get(f"/special-events?startDate={day}"),
    "endDate": lambda world, day: MuseumClient(world).get(f"/special-events?startDate=0001-01-01&endDate={day}"),
    "start_date of a managed person": lambda world, day: world.control.call(
        "POST", f"/worlds/{world.id}/simulate/crm",
        {"provider": "hubspot", "people": [{"work_email": "bo@example.com", "start_date": day}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_a_date_is_of_the_years_1_to_9999(new_world: NewWorld, place: str) -> None:
    world = new_world(now=FIRST)
    for day in ("0001-01-01", "0999-12-31", "9999-12-31"):
        response = PLACES[place](world, day)
        assert response.status < 300, (day, response.text)
    for day in ("0000-01-01", "0000-02-29", "10000-01-01", "-001-01-01"):
        response = PLACES[place](world, day)
        assert response.status in (400, 422), (day, response.text)


def test_strict_dates_refuse_the_year_zero_as_a_date(world: World) -> None:
    world.change_settings(museum__strict_dates=True)
    museum = MuseumClient(world)
    refused = museum.post("/tickets", {**ticket_body(ticketDate="0000-01-01"), "extra": 1.0})
    assert (refused.status, refused.json()["type"]) == (400, "validation_failed")
    assert "ticketDate: " in refused.json()["title"]


@pytest.mark.parametrize(
    "instant",
    ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "10000-01-01T00:00:00Z"],
)
def test_an_instant_outside_the_calendar_is_refused(world: World, instant: str) -> None:
    assert world.control.call("POST", "/worlds", {"now": instant}).status == 400
    for path in ("/clock", "/clock/advance"):
        method, body = ("PUT", {"now": instant}) if path == "/clock" else ("POST", {"to": instant})
        assert world.control.call(method, f"/worlds/{world.id}{path}", body).status == 400


def readable_paths(name: str) -> Iterator[tuple[str, str]]:
    """Every GET route of an interface without parameters in its path, with the interface's prefix."""
    contract = Contract.load(CONTRACTS[name])
    for operation in contract.operations.values():
        if operation.method == "GET" and "{" not in operation.template:
            yield operation.id, contract.prefix + operation.template


@pytest.mark.parametrize(
    ("now", "fixture"),
    [(FIRST, "bare"), (FIRST, "empty"), (FIRST, "default"), (FIRST, "roster"), (LAST, "bare"), (LAST, "empty")],
)
def test_a_world_at_the_edge_of_the_calendar_works(new_world: NewWorld, now: str, fixture: str) -> None:
    world = new_world(now=now, fixture=fixture)
    _use(world)
    reports = [world.control.call("POST", f"/worlds/{world.id}/clock/advance", {"by": by}) for by in ("1h", "3d")]
    assert {report.status for report in reports} == {200 if now == FIRST else 409}
    _use(world)
    for name, credential in (("team", "team.live_approver"), ("partner", "partner.prepaid"), ("museum", "museum")):
        for operation, path in readable_paths(name):
            response = world.client.call("GET", path, headers=world.credentials[credential]["headers"])
            assert response.status < 500, (operation, response.text)
    for view in ("clock", "timers", "events", "orders", "ledger", "payments", "approvals", "fingerprint", "mail"):
        response = world.control.call("GET", f"/worlds/{world.id}/{view}")
        assert response.status == 200, (view, response.text)


def _use(world: World) -> None:
    """Create what each interface creates; a refusal must be a documented one."""
    live, museum = TeamClients(world).live, MuseumClient(world)
    responses = [
        world.partner().create_order(idempotency_key=f"use {world.now}"),
        museum.post("/tickets", ticket_body(ticketDate=world.now[:10])),
        museum.post("/special-events", event_body(dates=[world.now[:10]])),
        live.post("/people", {"people": [{"work_email": "bo@example.com", "birthday": "02-29"}]}),
        live.post("/team-orders", {"collection": "welcome-kit", "headcount": 1}),
    ]
    assert [response.status for response in responses if response.status >= 500] == []
    if responses[-1].status == 201:
        approve(world, create_order(live))


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
