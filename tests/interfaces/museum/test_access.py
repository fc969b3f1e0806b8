"""Access to the museum: one user and password per world, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from giftsim.build import CONTRACTS, Simulator
from giftsim.client.response import Response
from giftsim.gateway.contract import Contract
from tests.claims import claims
from tests.support.museum import OPERATIONS, MuseumClient, basic_auth, event_body, problem_title, ticket_body

BODIES = {"POST /special-events": event_body(), "PATCH /special-events/{event}": {}, "POST /tickets": ticket_body()}


def call_operation(museum: MuseumClient, operation: str, headers: dict[str, str]) -> Response:
    """Call an operation on an existing event and ticket, with these headers instead of the museum's own."""
    method, template = OPERATIONS[operation]
    path = template.format(event=museum.create_event()["eventId"], ticket=museum.buy_ticket()["ticketId"])
    own, museum.headers = museum.headers, headers
    try:
        return museum.call(method, path, BODIES.get(f"{method} {template}"))
    finally:
        museum.headers = own


def assert_unauthorized(response: Response) -> None:
    """Assert that the response is a 401 that asks for user and password (C5)."""
    problem_title(response, 401, "unauthorized")
    assert response.headers["www-authenticate"] == 'Basic realm="museum"'


@claims("M-5.1")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_requires_the_user_and_password_of_the_world(museum: MuseumClient, operation: str) -> None:
    user = f"museum.{museum.world.id}"
    wrong: list[dict[str, str]] = [
        {},
        {"X-Sim-World": museum.world.id},
        basic_auth(user, "wrong"),
        basic_auth(user, ""),
        basic_auth("somebody", "museum-pass"),
        basic_auth("museum.nowhere", "museum-pass"),
        {"Authorization": "Basic !"},
        {"Authorization": "Basic"},
        {"Authorization": basic_auth(user, "museum-pass")["Authorization"].removeprefix("Basic ")},
    ]
    for headers in wrong:
        assert_unauthorized(call_operation(museum, operation, headers))
    assert 200 <= call_operation(museum, operation, basic_auth(user, "museum-pass")).status < 300


@claims("M-5.2")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_keys_of_the_other_interfaces_are_refused(museum: MuseumClient, operation: str) -> None:
    others = {name: entry for name, entry in museum.world.credentials.items() if name != "museum"}
    assert {name.partition(".")[0] for name in others} >= {"partner", "team"}
    for entry in others.values():
        assert_unauthorized(call_operation(museum, operation, entry["headers"]))


@claims("M-5.2")
@pytest.mark.parametrize("name", sorted(CONTRACTS.keys() - {"museum", "control"}))
def test_the_other_interfaces_refuse_the_museums_user_and_password(museum: MuseumClient, name: str) -> None:
    contract = Contract.load(CONTRACTS[name])
    reads = [op for op in contract.operations.values() if op.method == "GET" and "{" not in op.template]
    assert reads
    for op in reads:
        assert museum.client.call("GET", contract.prefix + op.template, headers=museum.headers).status == 401


def test_the_default_worlds_user_has_no_world_id(simulator: Simulator) -> None:
    default = simulator.client.call("GET", "/v1.1/museum-hours", headers=basic_auth("museum", "museum-pass"))
    assert default.status == 200
    assert_unauthorized(
        simulator.client.call("GET", "/v1.1/museum-hours", headers=basic_auth("museum.default", "museum-pass"))
    )


def test_the_user_selects_the_world(open_museum: Callable[..., MuseumClient]) -> None:
    first, second = open_museum(), open_museum()
    event = first.create_event()
    assert first.get_event(event["eventId"]).json() == event
    assert second.get_event(event["eventId"]).status == 404


def test_the_scheme_may_be_written_in_any_case(museum: MuseumClient) -> None:
    for scheme in ("basic", "BASIC"):
        headers = {"Authorization": museum.headers["Authorization"].replace("Basic", scheme)}
        assert call_operation(museum, "getMuseumHours", headers).status == 200


def test_a_password_may_contain_colons(museum: MuseumClient) -> None:
    assert_unauthorized(
        call_operation(museum, "getMuseumHours", basic_auth(f"museum.{museum.world.id}", "museum-pass:more"))
    )


def test_an_open_museum_accepts_any_password_for_its_own_user(museum: MuseumClient) -> None:
    museum.world.change_settings(museum__open=True)
    user = f"museum.{museum.world.id}"
    assert call_operation(museum, "getMuseumHours", basic_auth(user, "anything")).status == 200
    strangers: list[dict[str, str]] = [{}, basic_auth("somebody", "anything"), {"X-Sim-World": museum.world.id}]
    for headers in strangers:
        assert_unauthorized(call_operation(museum, "getMuseumHours", headers))


@pytest.fixture
def open_default(simulator: Simulator) -> Iterator[Simulator]:
    """The default world with an open museum; closed again afterwards."""
    path = "/_sim/v1/worlds/default/settings"
    assert simulator.client.call("PATCH", path, body={"museum.open": True}).status == 200
    yield simulator
    assert simulator.client.call("PATCH", path, body={"museum.open": False}).status == 200


@pytest.mark.parametrize(
    "headers", [{}, basic_auth("somebody", "x"), basic_auth("museum", ""), {"Authorization": "Bearer x"}]
)
def test_an_open_museum_of_the_default_world_accepts_any_credential(
    open_default: Simulator, headers: dict[str, str]
) -> None:
    assert open_default.client.call("GET", "/v1.1/museum-hours", headers=headers).status == 200


@pytest.mark.usefixtures("open_default")
def test_an_open_default_world_refuses_a_wrong_password_for_another_world(museum: MuseumClient) -> None:
    assert_unauthorized(call_operation(museum, "getMuseumHours", basic_auth(f"museum.{museum.world.id}", "wrong")))
